"""Guesses of root solvers and Sturm's sequence: known polynomials, CPython and machine code alike."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.runtime.events import detection as crossing
from freewheel.runtime.events import polynomial_zeros as polynomials
from freewheel.runtime.events import root_solvers as roots


def cubic(x: float) -> float:
    return 2 * x**3 - x**2 + 3 * x - 1


def cubic_slope(x: float) -> float:
    return 6 * x**2 - 2 * x + 3


def test_a_cubic_is_found_from_values_and_slopes():
    ends = (cubic(0), cubic_slope(0), cubic(1), cubic_slope(1))
    assert cubic(roots.zero_of_cubic(*ends)) == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize(
    "kind", [roots.ILLINOIS, roots.NEWTON, roots.CUBIC, roots.HERMITE], ids=str
)
def test_every_guess_is_exact_for_a_straight_line(kind):
    assert roots.guess(kind, -1.0, 4.0, 3.0, 4.0) == pytest.approx(0.25)
    compiled = roots.roots.callable("guess")
    assert compiled(kind, -1.0, 4.0, 3.0, 4.0) == roots.guess(kind, -1.0, 4.0, 3.0, 4.0)


def test_flat_ends_give_no_guess():
    assert roots.guess(roots.NEWTON, -1.0, 0.0, 3.0, 0.0) == roots.NONE
    assert roots.guess(roots.HERMITE, -1.0, 0.0, 3.0, 1.0) == roots.NONE
    assert roots.guess(roots.ILLINOIS, 1.0, 0.0, 1.0, 0.0) == roots.NONE


def test_five_values_give_back_the_polynomial():
    expected = np.array([-0.4, 2.0, 0.5, -0.3, 1.0])
    values = [np.polyval(expected[::-1], k / 4) for k in range(5)]
    p = np.zeros(5)
    roots.coefficients(*values, p)
    np.testing.assert_allclose(p, expected, atol=1e-12)
    zero = roots.zero_of_quartic(p, 0.0, 1.0)
    assert np.polyval(p[::-1], zero) == pytest.approx(0.0, abs=1e-14)
    assert roots.zero_by_derivatives(p) == pytest.approx(zero, abs=1e-12)


def test_zeros_are_counted_as_numpy_finds_them():
    random = np.random.default_rng(3)
    compiled_sequence = polynomials.polynomials.callable("sequence")
    for _ in range(500):
        zeros = random.uniform(-0.5, 1.5, 4)
        p = np.ascontiguousarray(np.poly(zeros)[::-1] * random.uniform(0.1, 10))
        chain, other = np.zeros(polynomials.CHAIN), np.zeros(polynomials.CHAIN)
        members = polynomials.sequence(p, 4, chain)
        assert compiled_sequence(p.ctypes.data, 4, other.ctypes.data) == members
        np.testing.assert_allclose(chain, other, rtol=1e-9, atol=1e-9)
        inside = sorted(z for z in zeros if 0 < z <= 1)
        assert polynomials.zeros_between(chain, members, 0.0, 1.0) == len(inside)
        for number, zero in enumerate(inside, start=1):
            assert polynomials.nth_zero(chain, members, number) == pytest.approx(zero, abs=1e-6)


@pytest.mark.parametrize(
    ("p", "count"),
    [
        ([0.0, 0.0, 0.0, 0.0, 0.0], 0),
        ([1.0, 0.0, 0.0, 0.0, 0.0], 0),
        ([-0.5, 1.0, 0.0, 0.0, 0.0], 1),
        ([0.25, -1.0, 1.0, 0.0, 0.0], 1),  # a double zero counts once
        ([1.0, 0.0, 1.0, 0.0, 0.0], 0),
    ],
)
def test_lower_degrees_and_double_zeros(p, count):
    chain = np.zeros(polynomials.CHAIN)
    members = polynomials.sequence(np.array(p), 4, chain)
    assert polynomials.zeros_between(chain, members, 0.0, 1.0) == count


def dip_in_a_step(residual, start, size):
    values = [residual(start + share * size) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    p = np.zeros(polynomials.POLYNOMIAL + polynomials.CHAIN)
    status = float(np.sign(values[0]))
    share = crossing.dip_of(*values, status, p)
    compiled = crossing.crossing.callable("dip_of")
    assert compiled(*values, status, np.zeros_like(p).ctypes.data) == pytest.approx(share, rel=1e-9)
    return start + share * size, status


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("size", [0.01, 0.1, 1.0, 8.7])
@pytest.mark.parametrize("gap", [0.2, 0.1, 1e-2, 1e-3])
@pytest.mark.parametrize("place", [-0.01, 1.2345, 100.0])
def test_a_pair_of_zeros_behind_a_crossing_is_seen(gap, size, place, scale):
    """The residual is a cubic: the fourth difference is rounding, and the step begins at a zero."""
    gap *= size

    def residual(x):
        return scale * (x - place) * (x - place - gap) * (x - place - 2 * gap)

    x, status = dip_in_a_step(residual, np.nextafter(place, place + 1), size)
    assert residual(x) * status < 0.0


@pytest.mark.parametrize("seed", range(40))
def test_any_pair_of_zeros_is_seen(seed):
    """Two zeros in the step, others outside or complex, of degree two to four."""
    random = np.random.default_rng(seed)
    first, gap = random.uniform(0.0, 0.9), 10 ** random.uniform(-4, -1)
    other = [random.uniform(1.5, 4.0), -random.uniform(0.5, 4.0)][: random.integers(0, 3)]
    start, size = random.uniform(-5, 5), 10 ** random.uniform(-2, 1)

    def residual(x):
        share = (x - start) / size
        return (share - first) * (share - first - gap) * np.prod([share - z for z in other])

    x, status = dip_in_a_step(residual, start, size)
    assert residual(x) * status < 0.0


@pytest.mark.parametrize(
    ("p", "place"),
    [
        ([1.0, 0.0, 0.0, 0.0, 0.0], None),
        ([0.3, -1.0, 1.0, 0.0, 0.0], None),  # comes near
        ([0.25, -1.0, 1.0, 0.0, 0.0], 0.5),  # touches
        ([1.0, -1.5, 0.0, 0.0, 0.0], 1.0),  # ends below
    ],
)
def test_a_polynomial_that_stays_touches_or_ends_below(p, place):
    found = polynomials.first_below(np.array(p), 1.0)
    if place is None:
        assert found == polynomials.NOWHERE
    else:
        assert found == pytest.approx(place, abs=0.25)
    assert polynomials.polynomials.callable("first_below")(np.array(p).ctypes.data, 1.0) == found
