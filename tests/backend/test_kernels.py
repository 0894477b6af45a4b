"""Kernels of compiled sections: in CPython and as machine code, against numpy and known roots."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from freewheel.backend import linear_kernels, llvm_kernels
from freewheel.backend.llvm_kernels import SOLVERS, work_size

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of numpy's numbers
RESIDUAL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


def compiled(name: str) -> Callable[..., int]:
    """The machine code, called with arrays."""
    function = SOLVERS.callable(name)

    def call(*args: Any) -> int:
        raw = [a.ctypes.data if isinstance(a, np.ndarray) else a for a in args]
        return int(function(*raw))

    return call


def both(name: str) -> list[Callable[..., int]]:
    return [getattr(linear_kernels, name), compiled(name)]


def work(n: int) -> np.ndarray:
    return np.zeros(3 * n * n + 2 * n)


@pytest.mark.parametrize("n", [2, 3, 7, 20])
def test_regular_systems_are_solved(n: int) -> None:
    rng = np.random.default_rng(n)
    a, b = rng.standard_normal((n, n)) * 10.0 ** rng.integers(-6, 6, (n, 1)), rng.standard_normal(n)

    for solve in both("fw_linear"):
        x = np.zeros(n)
        assert solve(n, a.ravel().copy(), b.copy(), x, work(n)) == 0
        assert x == pytest.approx(np.linalg.solve(a, b), rel=1e-7)


@pytest.mark.parametrize("n", [2, 3, 8])
def test_a_consistent_singular_system_moves_as_little_as_possible(n: int) -> None:
    rng = np.random.default_rng(n)
    a = rng.standard_normal((n, n))
    a[-1] = 2.0 * a[0]
    b = a @ rng.standard_normal(n)
    old = rng.standard_normal(n)
    nearest = old + np.linalg.lstsq(a, b - a @ old, rcond=1e-12)[0]

    for solve in both("fw_linear"):
        x = old.copy()
        assert solve(n, a.ravel().copy(), b.copy(), x, work(n)) == 0
        assert a @ x == pytest.approx(b)
        assert x == pytest.approx(nearest, rel=1e-6, abs=1e-6)


def test_contradictions_and_what_is_no_number_are_failures() -> None:
    for solve in both("fw_linear"):
        for a, b in (
            ([1.0, 1.0, 1.0, 1.0], [1.0, 2.0]),
            ([float("nan"), 0.0, 0.0, 1.0], [1.0, 2.0]),
            ([1.0, 0.0, 0.0, 1.0], [float("inf"), 2.0]),
        ):
            assert solve(2, np.array(a), np.array(b), np.zeros(2), work(2)) == 1


def test_unknowns_below_their_rounding_error_become_zero() -> None:
    """A diode s beside a part that carries current; all rows are mixed, s is zero but for rounding."""
    n, rng = 5, np.random.default_rng(1)
    for _ in range(200):
        a = rng.uniform(-50, 50, (n, n))
        x = rng.uniform(1, 10, n)
        x[2] = 0.0
        mixed = a @ x
        for solve, drop in zip(both("fw_linear"), both("fw_drop_rounding"), strict=True):
            found, room = np.zeros(n), work(n)
            assert solve(n, a.ravel().copy(), mixed.copy(), found, room) == 0
            places = np.array([2, 4], np.int64)
            drop(n, room, room[n * n :], found, 2, places, room[n * n + n :])
            assert found[2] == 0.0
            assert found == pytest.approx(x, rel=1e-9)


def test_small_unknowns_of_leaks_are_no_rounding() -> None:
    """10 V across 1 ohm and 1e-14 siemens in series: exact, however small."""
    a, b = np.array([1.0, 1.0, 1e-14, -1.0]), np.array([10.0, 0.0])
    for solve, drop in zip(both("fw_linear"), both("fw_drop_rounding"), strict=True):
        x, room = np.zeros(2), work(2)
        assert solve(2, a.copy(), b.copy(), x, room) == 0
        assert drop(2, room, room[4:], x, 2, np.array([0, 1], np.int64), room[6:]) == 0
        assert x[1] == pytest.approx(1e-13, rel=1e-12)


def circle_and_line(m: Any, f: Any) -> int:
    f[0] = m[1] * m[1] + m[2] * m[2] - 25.0
    f[1] = m[1] - m[2] + m[0]
    return 0


def exponential(m: Any, f: Any) -> int:
    """Newton from zero overshoots by far."""
    if m[1] > 700.0:
        return 1
    f[0] = float(np.exp(m[1])) - 1e6 + m[0]
    return 0


def as_machine_code(function: Callable[[Any, Any], int]) -> Any:
    def called(m: int, f: int) -> int:
        return function(
            (ctypes.c_double * 3).from_address(m), (ctypes.c_double * 2).from_address(f)
        )

    return RESIDUAL(called)


def anywhere(n: int) -> np.ndarray:
    return np.repeat([-np.inf, np.inf], n)


@pytest.mark.parametrize(
    ("function", "slots", "solution"),
    [(circle_and_line, [1, 2], [3.0, 4.0]), (exponential, [1], [13.815510557964274])],
)
def test_newton_finds_roots(
    function: Callable[[Any, Any], int], slots: list[int], solution: list[float]
) -> None:
    n = len(slots)
    starts, nominals = np.ones(n), np.ones(n)
    for kind in ("python", "machine"):
        memory = np.array([1.0 if n == 2 else 0.0, 1.0, 2.0])
        room = np.zeros(work_size(n))
        if kind == "python":
            solve, given = llvm_kernels.fw_solve, function
        else:
            kept = as_machine_code(function)
            solve, given = compiled("fw_solve"), ctypes.cast(kept, ctypes.c_void_p).value  # type: ignore[assignment]
        args = (n, memory, np.array(slots), starts, nominals, anywhere(n), room)
        assert solve(given, None, 0, *args) == 0  # type: ignore[arg-type]
        assert memory[slots] == pytest.approx(solution, rel=1e-9)


def test_without_a_root_the_old_values_come_back() -> None:
    def never(m: Any, f: Any) -> int:
        f[0] = m[1] * m[1] + 1.0
        return 0

    memory = np.array([0.0, 0.5, 0.0])
    room = np.zeros(work_size(1))
    args = (memory, np.array([1]), np.ones(1), np.ones(1), anywhere(1), room)
    status = llvm_kernels.fw_solve(never, never, 0, 1, *args)

    assert status == 1
    assert memory[1] == 0.5


def test_a_steep_derivative_does_not_pass_for_a_solution() -> None:
    def residual(m: Any, f: Any) -> int:
        f[0] = m[1] - 3.0
        return 0

    def far_too_steep(m: Any, a: Any) -> int:
        a[0] = 1e15
        return 0

    memory = np.array([0.0, 1.0, 0.0])
    room = np.zeros(work_size(1))
    args = (memory, np.array([1]), np.ones(1), np.ones(1), anywhere(1), room)

    assert llvm_kernels.fw_solve(residual, far_too_steep, 1, 1, *args) == 0
    assert memory[1] == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("bounds", "solution"), [([0.0, np.inf], 1.5), ([-np.inf, 0.0], -1.5), ([1.6, 9.0], -1.5)]
)
def test_a_root_inside_the_bounds_goes_before_others(bounds: list[float], solution: float) -> None:
    def square(m: Any, f: Any) -> int:
        f[0] = m[1] * m[1] - 2.25
        return 0

    memory = np.array([0.0, -3.0 * np.sign(solution) if bounds[0] < 1.0 else -3.0, 0.0])
    room = np.zeros(work_size(1))
    args = (memory, np.array([1]), np.ones(1), np.ones(1), np.array(bounds), room)

    assert llvm_kernels.fw_solve(square, square, 0, 1, *args) == 0
    assert memory[1] == pytest.approx(solution)
