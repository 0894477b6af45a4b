"""Walks along the branch of a loop while its equations change: `backend/jumps.py`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from freewheel.backend.jumps import Equations, percent, walk_along


def walk(residual, left, hidden=0):
    """Unknowns are m[0], m[1], ..."""
    loop = Equations([0.0] * len(left), residual, tuple(range(len(left))), hidden)
    return walk_along(loop, left, (1.0,) * (len(left) - hidden))


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("b", [3.9, 1.0, -2.1])
def test_a_cubic_stays_on_its_branch_up_to_its_fold(scale, b):
    """x^3 - 3 x = b: from b = 2.5 down the outer branch, which ends at b = -2."""
    left = max(np.roots([1, 0, -3, -2.5]).real) * scale
    found = walk(lambda m: [(m[0] / scale) ** 3 - 3 * m[0] / scale - b], [left])
    if b > -2:
        roots = np.roots([1, 0, -3, -b])
        expected = max(root.real for root in roots if abs(root.imag) < 1e-6)
        assert found.is_solved
        assert found.values[0] / scale == pytest.approx(expected, rel=1e-12)
        assert found.share < 1e-12
    else:
        assert not found.is_solved
        assert found.values[0] / scale == pytest.approx(1.0, abs=0.2)
        assert found.share == pytest.approx(0.1 / 4.6, rel=0.2)  # what b = -2 lacks of b = -2.1


def test_what_tearing_hides_is_part_of_the_way():
    """A source of 1 behind 1 ohm, a load of power p, and from now on a short of r: i = u/r is named."""
    p, r = 0.05, 0.3
    u = (1 + math.sqrt(1 - 4 * p)) / 2

    def residual(m):
        i, voltage = m
        return [i - voltage / r, (1 - voltage - i) * voltage - p]

    found = walk(residual, [0.0, u], hidden=1)
    both = np.roots([1 + 1 / r, -1, p])
    assert found.is_solved
    assert found.values[1] == pytest.approx(max(both), rel=1e-12)
    assert found.concerned == (0,)


def test_no_change_is_no_walk():
    assert walk(lambda m: [m[0] - 1.0], [1.0]) is None
    assert walk(lambda m: [m[0] - 1.0], [math.nan]) is None
    assert walk(lambda m: [math.sqrt(m[0]) - 1.0], [-1.0]) is None


def test_shares_are_told_with_as_many_nines_as_it_takes():
    assert percent(0.25) == "75 %"
    assert percent(1.9e-5) == "99.998 %"
