"""Guesses of root solvers and Sturm's sequence: known polynomials, CPython and machine code alike."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.runtime.kernels import roots, sturm


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
    compiled_sequence = sturm.sturm.callable("sequence")
    for _ in range(500):
        zeros = random.uniform(-0.5, 1.5, 4)
        p = np.ascontiguousarray(np.poly(zeros)[::-1] * random.uniform(0.1, 10))
        chain, other = np.zeros(sturm.CHAIN), np.zeros(sturm.CHAIN)
        members = sturm.sequence(p, 4, chain)
        assert compiled_sequence(p.ctypes.data, 4, other.ctypes.data) == members
        np.testing.assert_allclose(chain, other, rtol=1e-9, atol=1e-9)
        inside = sorted(z for z in zeros if 0 < z <= 1)
        assert sturm.zeros_between(chain, members, 0.0, 1.0) == len(inside)
        for number, zero in enumerate(inside, start=1):
            assert sturm.nth_zero(chain, members, number) == pytest.approx(zero, abs=1e-6)


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
    chain = np.zeros(sturm.CHAIN)
    members = sturm.sequence(np.array(p), 4, chain)
    assert sturm.zeros_between(chain, members, 0.0, 1.0) == count
