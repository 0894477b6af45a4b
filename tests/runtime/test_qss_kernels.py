"""The small kernels of quantized states: roots, the heap, local polynomials. Compiled and by CPython."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.machine.memory import Memory, address_of
from freewheel.machine.records import record_type
from freewheel.runtime.qss.couplings import couplings, meets_together
from freewheel.runtime.qss.heap import empty_heap, heaps, set_time
from freewheel.runtime.qss.memory import Heap, Qss, QuantizedState
from freewheel.runtime.qss.methods import CQSS, LIQSS, MLIQSS, QSS
from freewheel.runtime.qss.next_times import time_to_step, waiting
from freewheel.runtime.qss.quantizers import (
    meets_2,
    meets_3,
    quantize,
    quantize_3,
    quantizers,
)
from freewheel.runtime.qss.roots import (
    NO_ROOT,
    first_exit,
    first_root,
    first_root_of_cubic,
    polynomials,
)


def by_numpy(coefficients: list[float], most: float) -> float:
    roots = np.roots(coefficients[::-1])
    real = sorted(r.real for r in roots if abs(r.imag) < 1e-9 * max(1.0, abs(r)) and r.real > 0.0)
    return next((r for r in real if r <= most), NO_ROOT)


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
        found += expected < NO_ROOT
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
    assert leave(0.0, 0.0, 0.0, 1.0) == NO_ROOT


def test_a_cubic_that_is_nearly_linear_keeps_its_root() -> None:
    assert first_root_of_cubic(-1e-6, 1.0, 0.0, 1e-12, 100.0) == pytest.approx(1e-6, rel=1e-9)
    assert first_root_of_cubic(1.0, 0.0, 0.0, 1.0, 100.0) == NO_ROOT


@pytest.mark.parametrize("is_compiled", [False, True])
def test_the_heap_gives_items_in_order_of_time_and_number(is_compiled: bool) -> None:
    n = 37
    queue = Memory(checked=True).new(Heap, count=n, times=np.inf)
    empty_heap(queue)
    compiled = heaps.callable("set_time")

    def change(item: int, t: float) -> None:
        if is_compiled:
            compiled(address_of(queue), item, t)
        else:
            set_time(queue, item, t)

    random = np.random.default_rng(2)
    times = np.full(n, np.inf)
    for _ in range(2000):
        item, t = int(random.integers(n)), float(random.integers(12))
        times[item] = t
        change(item, t)
        assert queue.times[0] == times.min()
        assert queue.items[0] == int(np.flatnonzero(times == times.min())[0])


def test_second_order_polynomials_meet_in_value_and_slope() -> None:
    x, a, u0, u1, h = 1.5, -3.0, 2.0, -0.7, 0.4
    q = meets_2(x, a, u0, u1, h)
    slope = (a * q + u0 + h * u1) / (1.0 - h * a)
    there = x + h * (a * q + u0) + 0.5 * h * h * (a * slope + u1)
    assert q + h * slope == pytest.approx(there, rel=1e-12)
    assert slope == pytest.approx(a * (q + h * slope) + u0 + h * u1, rel=1e-12)


def state(
    x: float = 0.0, a: float = 0.0, u: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> QuantizedState:
    u0, u1, u2 = u
    return Memory(checked=True).new(QuantizedState, x0=x, a=a, u0=u0, u1=u1, u2=u2, x3=1.0)


def test_third_order_polynomials_meet_in_value_slope_and_curvature() -> None:
    a, u, h = -3.0, (2.0, -0.7, 0.3), 0.4
    one = state(1.5, a, u)
    meets_3(one, h)
    q = np.polynomial.Polynomial([one.q0, one.q1, one.q2])
    rate = a * q + np.polynomial.Polynomial(u)
    x = 1.5 + rate.integ()
    assert q(h) == pytest.approx(x(h), rel=1e-12)
    assert q.deriv()(h) == pytest.approx(x.deriv()(h), rel=1e-12)
    assert q.deriv(2)(h) == pytest.approx(x.deriv(2)(h), rel=1e-12)


@pytest.mark.parametrize("a", [0.0, -1e-3, -1.0, -1e6])
def test_third_order_steps_stay_within_twice_the_quantum(a: float) -> None:
    one = state(1.0, a, (-0.5 * a + 0.3, 0.8, 1.7))
    one.quantum = 1e-4
    quantize_3(one, 0.0, 10.0)
    assert 0.0 < abs(one.q0 - 1.0) <= 2e-4


def test_a_pair_meets_together() -> None:
    matrix = np.array([[-1.0, -5.0], [4.0, -2.0]])
    u, v, x, h = np.array([0.3, -0.8]), np.array([0.2, 0.1]), np.array([1.0, -2.0]), 0.3
    one, two = state(x[0]), state(x[1])
    meets_together(one, two, *matrix.ravel().tolist(), u[0], v[0], u[1], v[1], h)
    q = np.array([one.q0, two.q0])
    slope = np.array([one.q1, two.q1])
    there = x + h * (matrix @ q + u) + 0.5 * h * h * (matrix @ slope + v)
    assert q + h * slope == pytest.approx(there, rel=1e-12)
    assert slope == pytest.approx(matrix @ (q + h * slope) + u + h * v, rel=1e-12)


@pytest.mark.parametrize(
    ("method", "order"),
    [(QSS, 1), (QSS, 2), (QSS, 3), (LIQSS, 1), (LIQSS, 2), (LIQSS, 3), (MLIQSS, 2), (CQSS, 1)],
)
def test_steps_and_waiting_times_of_random_states(method: int, order: int) -> None:
    """Compiled and by CPython, to the last bit."""
    random = np.random.default_rng(3)
    slow, fast = Memory(checked=True), Memory()
    both = [
        memory.new(Qss, n=50, record_count=50, method=method, order=order)
        for memory in (slow, fast)
    ]
    for name in record_type(QuantizedState).fields:
        numbers = random.normal(size=50)
        for qss in both:
            qss.states.column(name)[:] = np.abs(1e-3 * numbers) if name == "quantum" else numbers
    by_python, compiled = both
    step, leave = quantizers.callable("quantize"), waiting.callable("time_to_step")
    with np.errstate(all="ignore"):
        for i in range(50):
            quantize(by_python, i, 0.1, 5.0)
            step(address_of(compiled), i, 0.1, 5.0)
            for is_own in (0, 1):
                found = leave(address_of(compiled), i, is_own, 5.0)
                assert found == time_to_step(by_python, i, is_own, 5.0) >= 0.0
    assert slow.save() == fast.save()
    assert len(set(compiled.states.column("q0").tolist())) == 50


def test_a_compiled_pair_agrees_with_python() -> None:
    random = np.random.default_rng(4)
    compiled = couplings.callable("meets_together")
    for numbers in random.normal(size=(20, 11)).tolist():
        slow = state(numbers[0]), state(numbers[1])
        fast = state(numbers[0]), state(numbers[1])
        meets_together(*slow, *numbers[2:])
        compiled(*map(address_of, fast), *numbers[2:])
        assert [(s.q0, s.q1) for s in slow] == [(s.q0, s.q1) for s in fast]
