"""Kernels of loops that follow their branches, from the start over a fault: machine code and CPython leave
the same bits in the memory, call by call."""

from __future__ import annotations

import ctypes
import sys
from collections import Counter
from math import inf
from types import FrameType

import numpy as np
import pytest

from freewheel.backend.branch_kernels import BRANCHES, LEFT, fw_loop, loop_size
from freewheel.runtime.events.branch_following import FREE, LENIENT, STRICT

TIME, FOLLOW, Y, FAULT, SENSE = 0, 1, 3, 4, 5
CALLED = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


def load(m, z):
    """A load of constant power behind a resistor; a fault is a conductance beside it."""
    v, i = z
    return [v + 0.05 * i - m[Y], v * (i - m[FAULT] * v) - 1.0]


def cubic(m, z):
    return [z[0] * z[0] * z[0] - 3.0 * z[0] - m[Y] + m[FAULT]]


def product(m, z):
    """At v = 0 any current will do."""
    v, i = z
    return [m[FAULT] * (v - m[Y]) + (1.0 - m[FAULT]) * v, v * i - 0.5 * v]


class Loop:
    def __init__(self, equations, start):
        self.equations, n = equations, len(start)
        self.n, self.first_z = n, SENSE + LEFT + 6 * n
        self.kept = self.first_z + n
        self.memory = np.zeros(self.kept + 3 * n)
        self.memory[self.first_z : self.kept] = start
        self.slots = np.arange(self.first_z, self.kept)
        self.start = np.array(start)
        self.work = np.zeros(loop_size(n))
        self.bounds = np.repeat([-inf, inf], n)

    def residual(self, m, f):
        found = self.equations(m, [float(m[k]) for k in self.slots])
        if not all(abs(one) < inf for one in found):
            return 1
        f[: self.n] = found
        return 0

    def solve(self, y, fault, mode, is_compiled):
        m = self.memory
        m[Y], m[FAULT], m[FOLLOW] = y, fault, mode
        arrays = (m, self.slots, self.start, np.ones(self.n), self.bounds, self.work)
        after = FOLLOW, SENSE, self.kept
        if not is_compiled:
            return fw_loop(self.residual, None, 0, self.n, *arrays, *after, self.slots, self.n)

        def called(memory, f):
            return self.residual(
                (ctypes.c_double * len(m)).from_address(memory),
                (ctypes.c_double * self.n).from_address(f),
            )

        section = CALLED(called)
        place = ctypes.cast(section, ctypes.c_void_p).value
        numbers = [a.ctypes.data for a in (*arrays, self.slots)]
        *first, inner = numbers
        return BRANCHES.callable("fw_loop")(place, 0, 0, self.n, *first, *after, inner, self.n)


CASES = {
    "a load, faulted": (
        load, [0.9, 1.0],
        [(1.0, 0.0, FREE)] * 2 + [(1.0 + 0.01 * k, 0.0, STRICT) for k in range(5)]
        + [(1.04, 0.0, LENIENT), (1.04, 0.0, FREE), (1.04, 20.0, FREE), (1.04, 20.0, FREE)]
        + [(1.04, 20.0, STRICT), (1.04, 20.0, FREE), (1.04, 0.0, FREE), (1.04, 0.0, STRICT)],
        {"fw_at_event", "fw_choose", "fw_signature", "fw_likeness", "fw_is_regular", "fw_take"},
    ),
    "a start on a fold": (
        cubic, [1.0],
        [(-2.0, 0.0, FREE)] * 2 + [(-2.0 + 0.1 * k, 0.0, STRICT) for k in range(4)]
        + [(-1.7, 0.0, FREE), (-1.7, 5.0, FREE), (-1.7, 5.0, STRICT)],
        {"fw_is_loose", "fw_to_side", "fw_to_zero", "fw_is_proper"},
    ),
    "a continuum of solutions": (
        product, [0.0, 1.0],
        [(1.0, 0.0, FREE)] * 2 + [(1.0, 0.0, STRICT)] * 2
        + [(1.0, 0.0, FREE), (1.0, 1.0, FREE), (1.0, 1.0, STRICT)],
        {"fw_stay_loose", "fw_side"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_loop(case):
    equations, start, calls, expected = CASES[case]
    slow, fast = Loop(equations, start), Loop(equations, start)
    seen: Counter[str] = Counter()

    def noted(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen[frame.f_code.co_name] += 1

    for call in calls:
        sys.setprofile(noted)
        try:
            with np.errstate(all="ignore"):
                status = slow.solve(*call, is_compiled=False)
        finally:
            sys.setprofile(None)
        assert status == fast.solve(*call, is_compiled=True)
        assert slow.memory.tobytes() == fast.memory.tobytes()
    assert expected - seen.keys() == set()
