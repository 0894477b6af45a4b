"""Cores written by hand: F = E y' + (A + sum of b_k B_k) y - S u(t), sources offset + a sin(w t + p).

core = LinearCore("halfwave", ["i", "u"], ...)   rows are added by `row`, then `build()`
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import sin

import numpy as np
from scheduled import Instant, ScheduledCore

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int
from freewheel.runtime.switched_dae.model import CoreElement
from freewheel.runtime.switched_dae.problem import CoreProblem

linear = KernelModule("hand_written_linear_core")

# m: n, bits, sources, entries of E, A, B, then bits, entries (row, column, value) of E and A,
# (row, column, value, bit) of B, S, (offset, amplitude, frequency, phase) per source
HEAD = 6
QUARTER = 1.5707963267948966


@linear.kernel
def linear_rates(m: Floats, t: Float, order: Int, ys: Floats, out: Floats) -> Int:
    n = int(m[0])
    bits = int(m[1])
    sources = int(m[2])
    in_e = int(m[3])
    in_a = int(m[4])
    in_b = int(m[5])
    e = m[HEAD + bits :]
    a = e[3 * in_e :]
    added = a[3 * in_a :]
    s = added[4 * in_b :]
    data = s[n * sources :]
    x = ys[order * n :]
    d = ys[(order + 1) * n :]
    for i in range(n):
        out[i] = 0.0
    for k in range(in_e):
        out[int(e[3 * k])] += e[3 * k + 2] * d[int(e[3 * k + 1])]
    for k in range(in_a):
        out[int(a[3 * k])] += a[3 * k + 2] * x[int(a[3 * k + 1])]
    for k in range(in_b):
        if m[HEAD + int(added[4 * k + 3])] > 0.5:
            out[int(added[4 * k])] += added[4 * k + 2] * x[int(added[4 * k + 1])]
    for k in range(sources):
        w = data[4 * k + 2]
        value = data[4 * k + 1] * sin(w * t + data[4 * k + 3] + QUARTER * float(order))
        for _ in range(order):
            value *= w
        if order == 0:
            value += data[4 * k]
        for i in range(n):
            out[i] -= s[i * sources + k] * value
    return 0


@linear.kernel
def linear_jacobians(m: Floats, t: Float, y: Floats, slope: Floats, out: Floats) -> Int:
    n = int(m[0])
    bits = int(m[1])
    in_e = int(m[3])
    in_a = int(m[4])
    in_b = int(m[5])
    e = m[HEAD + bits :]
    a = e[3 * in_e :]
    added = a[3 * in_a :]
    for i in range(2 * n * n):
        out[i] = 0.0
    for k in range(in_e):
        out[n * n + n * int(e[3 * k]) + int(e[3 * k + 1])] += e[3 * k + 2]
    for k in range(in_a):
        out[n * int(a[3 * k]) + int(a[3 * k + 1])] += a[3 * k + 2]
    for k in range(in_b):
        if m[HEAD + int(added[4 * k + 3])] > 0.5:
            out[n * int(added[4 * k]) + int(added[4 * k + 1])] += added[4 * k + 2]
    return 0


def entries(matrix: np.ndarray) -> list[float]:
    """Row, column, value of what is not zero."""
    i, j = np.nonzero(matrix)
    return [float(x) for row in zip(i, j, matrix[i, j], strict=True) for x in row]


class LinearCore:
    """Collects rows; coefficients by unknown, `der` for derivatives, `on` for what a bit adds."""

    def __init__(self, name: str, unknowns: str, bits: str, sources: int = 1) -> None:
        self.name, self.unknowns, self.bits = name, unknowns.split(), bits.split()
        n = len(self.unknowns)
        self.E, self.A = np.zeros((n, n)), np.zeros((n, n))
        self.B = np.zeros((len(self.bits), n, n))
        self.S = np.zeros((n, sources))
        self.data = np.zeros((sources, 4))
        self.names: list[str] = []
        self.elements: list[CoreElement] = []
        self.extra: list[float] = []
        self.start = np.zeros(n)

    def row(
        self,
        name: str,
        der: dict[str, float] | None = None,
        at: dict[str, float] | None = None,
        on: dict[tuple[str, str], float] | None = None,
        sources: dict[int, float] | None = None,
    ) -> None:
        """der*y' + at*y + on[bit, unknown]*bit*y = sources*u"""
        i = len(self.names)
        self.names.append(name)
        for unknown, value in (der or {}).items():
            self.E[i, self.unknowns.index(unknown)] += value
        for unknown, value in (at or {}).items():
            self.A[i, self.unknowns.index(unknown)] += value
        for (bit, unknown), value in (on or {}).items():
            self.B[self.bits.index(bit), i, self.unknowns.index(unknown)] += value
        for k, value in (sources or {}).items():
            self.S[i, k] += value

    def element(
        self, name: str, unknown: str, at: float | None = None, held_bit: float | None = None
    ) -> None:
        """Places and gates are numbers at the end of the memory: `extra`, an element's `held`."""
        place = gate = -1
        if at is not None:
            place = -1 - len(self.extra) - 1  # from the end, turned round by `build`
            self.extra.append(at)
        if held_bit is not None:
            gate = -1 - len(self.extra) - 1
            self.extra.append(0.0)
        number, bit = self.unknowns.index(unknown), self.bits.index(name)
        self.elements.append(
            CoreElement(name, number, bit, at=place, held=gate, held_bit=held_bit or 0.0)
        )

    def source(self, k: int, offset: float = 0.0, a: float = 0.0, w: float = 0.0) -> None:
        self.data[k] = offset, a, w, 0.0

    def build(self, schedule: Callable[[float], Instant | None] = lambda _: None) -> CoreProblem:
        n, bits = len(self.unknowns), len(self.bits)
        assert len(self.names) == n
        of_e, of_a = entries(self.E), entries(self.A)
        of_b = [
            float(x)
            for bit, i, j in np.argwhere(self.B).tolist()
            for x in (i, j, self.B[bit, i, j], bit)
        ]
        sizes = [len(of_e) // 3, len(of_a) // 3, len(of_b) // 4]
        head = [n, bits, self.S.shape[1], *sizes, *[0.0] * bits, *of_e, *of_a, *of_b]
        memory = np.concatenate([head, self.S.ravel(), self.data.ravel(), self.extra]).astype(float)
        first = len(memory) - len(self.extra)
        elements = tuple(
            replace(e, at=_slot(e.at, first), held=_slot(e.held, first)) for e in self.elements
        )
        return ScheduledCore(
            self.name,
            tuple(self.unknowns),
            tuple(self.names),
            tuple(self.bits),
            elements,
            memory,
            HEAD,
            self.start,
            True,
            linear_rates,
            linear_jacobians,
            linear.address("linear_rates"),
            linear.address("linear_jacobians"),
            schedule=schedule,
        )


def _slot(number: int, first: int) -> int:
    return number if number == -1 else first - number - 2


def listed(
    *instants: tuple[float, tuple[tuple[int, bool], ...]],
) -> Callable[[float], Instant | None]:
    """A schedule from a list of instants."""

    def following(t: float) -> Instant | None:
        return next((Instant(time, bits) for time, bits in instants if time > t), None)

    return following
