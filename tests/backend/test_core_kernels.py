"""Derivatives of an implicit core by differences: near those by formulas, the same bits by CPython."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest

from freewheel.backend.core_kernels import CORE, fw_core_jacobians, fw_core_slope
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int

pair = KernelModule("test_core_differences")


@pair.kernel
def rates(m: Floats, t: Float, order: Int, ys: Floats, out: Floats) -> Int:
    """F = (y0' - sin(t) y1^2, y0 y1 - m0), of order 0 only."""
    if order > 0 or ys[0] > 10.0:
        return 1
    out[0] = ys[2] - sin(t) * ys[1] * ys[1]
    out[1] = ys[0] * ys[1] - m[0]
    return 0


M, T, Y, SLOPE = np.array([2.0]), 0.7, np.array([1.5, 0.4]), np.array([-0.3, 0.8])


def both(name: str, kernel, *arguments, numbers: int, work: int) -> np.ndarray:
    """`arguments` before and after the numbers that come out."""
    found, given = [], [a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments]
    for function, head, values in (
        (kernel, rates, arguments),
        (CORE.callable(name), pair.address("rates"), given),
    ):
        out, room = np.zeros(numbers), np.zeros(work)
        ends = (out, room) if function is kernel else (out.ctypes.data, room.ctypes.data)
        status = function(head, *values, *ends)
        found.append((status, out.tobytes(), room.tobytes()))
    assert found[0] == found[1]
    assert found[0][0] == 0
    return np.frombuffer(found[0][1])


def test_jacobians() -> None:
    found = both(
        "fw_core_jacobians", fw_core_jacobians, M, T, 2, Y, SLOPE, np.ones(2), numbers=8, work=8
    )
    expected = [0.0, -2 * sin(T) * Y[1], Y[1], Y[0], 1.0, 0.0, 0.0, 0.0]
    assert found == pytest.approx(expected, abs=1e-9)


def test_slope() -> None:
    ys = np.array([*Y, *SLOPE, 0.1, -0.2])
    found = both("fw_core_slope", fw_core_slope, M, T, 1, 2, ys, 1e-5, numbers=2, work=6)
    square = cos(T) * Y[1] ** 2 + 2 * sin(T) * Y[1] * SLOPE[1]
    assert found == pytest.approx([0.1 - square, Y[0] * SLOPE[1] + Y[1] * SLOPE[0]], abs=1e-8)


def test_values_without_rates_give_none() -> None:
    assert fw_core_jacobians(
        rates, M, T, 2, np.array([20.0, 1.0]), SLOPE, np.ones(2), np.zeros(8), np.zeros(8)
    )
