"""The small kernels of quantized states: roots, the heap, local polynomials. Compiled and by CPython."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.runtime.kernels import qss_places as at
from freewheel.runtime.kernels.qss_heap import PADDING, heap, set_time
from freewheel.runtime.kernels.qss_pairs import meets_together, pairs
from freewheel.runtime.kernels.qss_quantize import meets_2, meets_3, quantize_3, quantizers
from freewheel.runtime.kernels.qss_roots import (
    FAR,
    first_exit,
    first_root,
    first_root_of_cubic,
    polynomials,
)


def by_numpy(coefficients: list[float], most: float) -> float:
    roots = np.roots(coefficients[::-1])
    real = sorted(r.real for r in roots if abs(r.imag) < 1e-9 * max(1.0, abs(r)) and r.real > 0.0)
    return next((r for r in real if r <= most), FAR)


@pytest.mark.parametrize("is_compiled", [False, True])
def test_first_roots_are_those_of_numpy(is_compiled: bool) -> None:
    square = polynomials.callable("first_root") if is_compiled else first_root
    cubic = polynomials.callable("first_root_of_cubic") if is_compiled else first_root_of_cubic
    random = np.random.default_rng(1)
    found = 0
    for _ in range(400):
        c = random.normal(size=4).tolist()
        expected = by_numpy(c[:3], 1e12)
        assert square(*c[:3]) == pytest.approx(expected, rel=1e-9)
        expected = by_numpy(c, 50.0)
        got = cubic(*c, 50.0)
        assert got == pytest.approx(expected, rel=1e-6)
        found += expected < FAR
    assert found > 100


@pytest.mark.parametrize("is_compiled", [False, True])
def test_the_first_exit_is_the_smaller_of_two_roots(is_compiled: bool) -> None:
    leave = polynomials.callable("first_exit") if is_compiled else first_exit
    random = np.random.default_rng(8)
    for number in range(400):
        c0, c1, c2 = random.normal(size=3).tolist()
        if number % 5 == 0:
            c2 = 0.0
        c0 = float(np.clip(c0, -1.0, 1.0))
        expected = min(by_numpy([c0 - 1.0, c1, c2], 1e12), by_numpy([c0 + 1.0, c1, c2], 1e12))
        if abs(c0) < 1.0:
            assert leave(c0, c1, c2, 1.0) == pytest.approx(expected, rel=1e-9)
    assert leave(0.0, 0.0, 0.0, 1.0) == FAR


def test_a_cubic_that_is_nearly_linear_keeps_its_root() -> None:
    assert first_root_of_cubic(-1e-6, 1.0, 0.0, 1e-12, 100.0) == pytest.approx(1e-6, rel=1e-9)
    assert first_root_of_cubic(1.0, 0.0, 0.0, 1.0, 100.0) == FAR


@pytest.mark.parametrize("is_compiled", [False, True])
def test_the_heap_gives_items_in_order_of_time_and_number(is_compiled: bool) -> None:
    n = 37
    k = np.zeros(at.K_HEAD + 2 * n, dtype=np.int64)
    k[at.ITEMS], k[at.AT_HEAP], k[at.AT_POS] = n, at.K_HEAD, at.K_HEAD + n
    k[at.K_HEAD : at.K_HEAD + n] = k[at.K_HEAD + n :] = np.arange(n)
    hk = np.full(n + PADDING, np.inf)
    compiled = heap.callable("set_time")

    def change(item: int, t: float) -> None:
        if is_compiled:
            compiled(k.ctypes.data, hk.ctypes.data, item, t)
        else:
            set_time(k, hk, item, t)

    random = np.random.default_rng(2)
    times = np.full(n, np.inf)
    for _ in range(2000):
        item, t = int(random.integers(n)), float(random.integers(12))
        times[item] = t
        change(item, t)
        first = int(k[at.K_HEAD])
        assert hk[0] == times.min()
        assert first == int(np.flatnonzero(times == times.min())[0])


def test_second_order_polynomials_meet_in_value_and_slope() -> None:
    x, a, u0, u1, h = 1.5, -3.0, 2.0, -0.7, 0.4
    q = meets_2(x, a, u0, u1, h)
    slope = (a * q + u0 + h * u1) / (1.0 - h * a)
    there = x + h * (a * q + u0) + 0.5 * h * h * (a * slope + u1)
    assert q + h * slope == pytest.approx(there, rel=1e-12)
    assert slope == pytest.approx(a * (q + h * slope) + u0 + h * u1, rel=1e-12)


def record(x: float, a: float, u: tuple[float, float, float]) -> np.ndarray:
    r = np.zeros(at.RECORD)
    r[at.X0], r[at.A] = x, a
    r[at.U0], r[at.U1], r[at.U2] = u
    r[at.X3] = 1.0
    return r


def test_third_order_polynomials_meet_in_value_slope_and_curvature() -> None:
    a, u, h = -3.0, (2.0, -0.7, 0.3), 0.4
    r = record(1.5, a, u)
    meets_3(r, h)
    q = np.polynomial.Polynomial(r[[at.Q0, at.Q1, at.Q2]])
    rate = a * q + np.polynomial.Polynomial(u)
    x = 1.5 + rate.integ()
    assert q(h) == pytest.approx(x(h), rel=1e-12)
    assert q.deriv()(h) == pytest.approx(x.deriv()(h), rel=1e-12)
    assert q.deriv(2)(h) == pytest.approx(x.deriv(2)(h), rel=1e-12)


@pytest.mark.parametrize("a", [0.0, -1e-3, -1.0, -1e6])
def test_third_order_steps_stay_within_twice_the_quantum(a: float) -> None:
    r = record(1.0, a, (-0.5 * a + 0.3, 0.8, 1.7))
    r[at.DQ] = 1e-4
    quantize_3(r, 0.0, 10.0)
    assert 0.0 < abs(r[at.Q0] - 1.0) <= 2e-4


def test_a_pair_meets_together() -> None:
    matrix = np.array([[-1.0, -5.0], [4.0, -2.0]])
    u, v, x, h = np.array([0.3, -0.8]), np.array([0.2, 0.1]), np.array([1.0, -2.0]), 0.3
    one, two = np.zeros(at.RECORD), np.zeros(at.RECORD)
    one[at.X0], two[at.X0] = x
    meets_together(one, two, *matrix.ravel().tolist(), u[0], v[0], u[1], v[1], h)
    q = np.array([one[at.Q0], two[at.Q0]])
    slope = np.array([one[at.Q1], two[at.Q1]])
    there = x + h * (matrix @ q + u) + 0.5 * h * h * (matrix @ slope + v)
    assert q + h * slope == pytest.approx(there, rel=1e-12)
    assert slope == pytest.approx(matrix @ (q + h * slope) + u + h * v, rel=1e-12)


def test_compiled_quantizers_agree_with_python() -> None:
    random = np.random.default_rng(3)
    compiled = quantizers.callable("quantize_3")
    for _ in range(50):
        one = random.normal(size=at.RECORD)
        one[at.DQ] = 1e-3
        other = one.copy()
        quantize_3(one, 0.0, 5.0)
        compiled(other.ctypes.data, 0.0, 5.0)
        assert other == pytest.approx(one, rel=1e-9)
    assert pairs.address("meets_together")
