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


def test_of_two_roots_close_to_each_other_the_one_asked_for_is_found() -> None:
    """v*(i - 1/2) = 0 behind 0.2 ohm and beside a short circuit of 1e-12 ohm: v = 0 or 4.5e-12."""

    def load(m: Any, f: Any) -> int:
        f[0] = m[1] * (5.0 - m[1] * (5.0 + 1e12) - 0.5)
        return 0

    memory = np.array([0.0, 0.9, 0.0])
    args = (memory, np.array([1]), np.ones(1), np.ones(1), anywhere(1), np.zeros(work_size(1)))

    assert llvm_kernels.fw_solve(load, load, 0, 1, *args) == 0
    assert memory[1] == pytest.approx(4.5 / (5.0 + 1e12), rel=1e-9, abs=0.0)


@pytest.mark.parametrize(("volt", "watt"), [(1.0, 1.0), (1e3, 1e6), (1e6, 1e9)])
def test_watts_beside_volts_do_not_lead_to_another_root(volt: float, watt: float) -> None:
    """A load of constant current behind 0.001 + 0.2j, written by its power, which is also zero at no voltage.
    The first full step is nearly the solution, but the watts that it leaves are more than the volts were."""
    ohm = volt * volt / watt

    def load(m: Any, f: Any) -> int:
        vr, vi, lr = m[1], m[2], m[3]
        li = (-vi - 0.2 * ohm * lr) / (0.001 * ohm)
        k = (vi * lr - vr * li) / (0.1 * watt)
        f[0] = volt - vr - (0.001 * ohm * lr - 0.2 * ohm * li)
        f[1] = volt * k - np.hypot(vr, vi)
        f[2] = 0.5 * watt * k - (vr * lr + vi * li)
        return 0

    memory = np.array([0.0, volt, 0.0, 0.0])
    starts, room = memory[1:].copy(), np.zeros(work_size(3))
    args = (memory, np.array([1, 2, 3]), starts, np.ones(3), anywhere(3), room)

    assert llvm_kernels.fw_solve(load, load, 0, 3, *args) == 0
    expected = [0.96962254 * volt, -0.0973523 * volt, 0.48750874 * watt / volt]
    assert memory[1:] == pytest.approx(expected, rel=1e-6)


def test_unknowns_of_very_different_sizes_are_not_singular() -> None:
    """x = 1e-16 and y = 2."""
    a = np.array([1.0, 1e-16, 1.0, 2e-16])
    x, right, matrix = np.array([1e-16, 2.0]), np.array([3e-16, 5e-16]), np.zeros(4)

    assert llvm_kernels.fw_balanced(2, x, np.ones(2), a, right, matrix) == 0
    assert right == pytest.approx([1e-16, 2.0], rel=1e-12, abs=0.0)


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
