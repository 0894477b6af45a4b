"""The laws that elements of one component claim, as rows over the flows and potentials of connectors.

    Resistor r(R=10)      r.p.i - (r.p.v - r.n.v)/10 = 0,    r.n.i + (r.p.v - r.n.v)/10 = 0

Effort and flow of a port are a difference of potentials and a flow variable; in mechanics they are
a flow variable and the rate of a difference of positions. s stands for d/dt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freewheel.bondgraph.connectors import Power
from freewheel.bondgraph.domains import NODE_KIND
from freewheel.bondgraph.nodes import SOURCES, TWO_PORTS, Element, Kind, Port

Matrix = NDArray[np.float64]
EXACT = 1e-8  # of rows that are scaled to one: rounding of a few dozen operations is far below

# parameter, or its inverse
VALUES = {
    Kind.R: ("R", "G"), Kind.C: ("C", "K"), Kind.I: ("I", ""), Kind.TF: ("n", ""), Kind.GY: ("r", "g")
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Claimed:
    """`gives` is the factor of what the source gives in the right side of each row, `shift` a constant
    there; of a constraint on positions any constant will do (`is_place`)."""

    rows: Matrix
    gives: Matrix
    shift: Matrix
    is_place: tuple[bool, ...]


def claims(
    elements: Sequence[Element],
    joined: Sequence[tuple[str, str]],
    connectors: Mapping[str, Power],
    s: float,
) -> Claimed | None:
    """None where an element has no number, so that it claims no law."""
    made = _Rows(connectors, s)
    for element in elements:
        if not made.add(element):
            return None
    for first, second in joined:
        made.hold(Port(first, second, connectors[first].domain))
    return made.eliminated()


def value_of(element: Element) -> float | None:
    """Of R, C, I, TF or GY; None where it is zero or not given."""
    plain, inverse = VALUES.get(element.kind, ("", ""))
    value = element.value(plain) if plain else None
    if value is None and inverse:
        value = element.value(inverse)
        value = 1.0 / value if value else None
    return value or None


def admittance(kind: Kind, node_kind: Kind, s: float, value: float) -> float:
    """Flow variable over difference of potentials, which in mechanics are positions."""
    if node_kind is Kind.ZERO:
        return {Kind.R: 1.0 / value, Kind.C: s * value, Kind.I: 1.0 / (s * value)}[kind]
    return {Kind.R: s * value, Kind.C: 1.0 / value, Kind.I: s**2 * value}[kind]


@dataclass
class _Row:
    """`outer` over flows and potentials of connectors, `inner` over unknown flows inside."""

    outer: Matrix
    inner: dict[int, float]
    gives: float = 0.0
    shift: float = 0.0
    is_place: bool = False

    def plus(self, factor: float, other: _Row) -> _Row:
        inner = dict(self.inner)
        for column, value in other.inner.items():
            inner[column] = inner.get(column, 0.0) + factor * value
        return _Row(self.outer + factor * other.outer, inner)


class _Rows:
    """A balance of flows at each connector, and laws."""

    def __init__(self, connectors: Mapping[str, Power], s: float) -> None:
        self._s = s
        self._at = {name: k for k, name in enumerate(connectors)}
        self._width = 2 * len(connectors)
        self._unknown = 0  # flows
        self._balances = [_Row(self._unit(2 * k), {}) for k in range(len(connectors))]
        self._laws: list[_Row] = []

    def _unit(self, column: int) -> Matrix:
        row = np.zeros(self._width)
        row[column] = 1.0
        return row

    def _across(self, port: Port) -> _Row:
        row = np.zeros(self._width)
        for k, sign in self._ends(port):
            row[2 * k + 1] += sign
        return _Row(row, {})

    def _ends(self, port: Port) -> list[tuple[int, float]]:
        both = ((port.positive, 1.0), (port.negative, -1.0))
        return [(self._at[name], sign) for name, sign in both if name in self._at]

    def _flow(self, port: Port) -> _Row:
        """A new unknown flow, in at the positive connector and out at the negative one."""
        column = self._unknown
        self._unknown += 1
        for k, sign in self._ends(port):
            balance = self._balances[k]
            balance.inner[column] = balance.inner.get(column, 0.0) - sign
        return _Row(np.zeros(self._width), {column: 1.0})

    def hold(self, port: Port) -> None:
        """No difference of potentials, but of positions a constant one."""
        self._flow(port)
        row = self._across(port)
        row.is_place = NODE_KIND[port.domain] is Kind.ONE
        self._laws.append(row)

    def add(self, element: Element) -> bool:
        if element.kind is Kind.GROUND:
            self.hold(element.ports[0])
            return True
        if element.kind in SOURCES:
            effort, flow = self._bond(element.ports[0])
            row = effort if element.kind is Kind.SE else flow
            row.gives = 1.0
            self._laws.append(row)
            return True
        value = value_of(element)
        if value is None or len(element.ports) != (2 if element.kind in TWO_PORTS else 1):
            return False
        if element.kind in TWO_PORTS:
            self._laws += self._two_port(element, value)
            return True
        (port,) = element.ports
        factor = admittance(element.kind, NODE_KIND[port.domain], self._s, value)
        row = self._flow(port).plus(-factor, self._across(port))
        row.shift = -factor * (element.value("q_relaxed") or 0.0)
        self._laws.append(row)
        return True

    def _bond(self, port: Port) -> tuple[_Row, _Row]:
        """Effort and flow, with the signs of the port."""
        sign = -1.0 if port.is_out else 1.0
        nothing = _Row(np.zeros(self._width), {})
        through, across = nothing.plus(sign, self._flow(port)), self._across(port)
        if NODE_KIND[port.domain] is Kind.ZERO:
            return across, through
        return through, nothing.plus(self._s, across)

    def _two_port(self, element: Element, modulus: float) -> list[_Row]:
        """TF: e1 = n e2, f2 = n f1;  GY: e1 = r f2, e2 = r f1, where power goes in at port 1 and out at
        port 2; where it goes in at both, one sign turns."""
        (e1, f1), (e2, f2) = (self._bond(port) for port in element.ports)
        turn = 1.0 if element.ports[0].is_out != element.ports[1].is_out else -1.0
        if element.kind is Kind.TF:
            return [e1.plus(-modulus, e2), f2.plus(-turn * modulus, f1)]
        return [e1.plus(-turn * modulus, f2), e2.plus(-modulus, f1)]

    def eliminated(self) -> Claimed:
        """Rows without unknown flows, and combinations without them of those that have some."""
        every = [*self._balances, *self._laws]
        mixed, plain = (
            [r for r in every if any(r.inner.values())],
            [r for r in every if not r.inner],
        )
        inner = np.zeros((len(mixed), self._unknown))
        for row, each in zip(inner, mixed, strict=True):
            for column, factor in each.inner.items():
                row[column] = factor
        sizes = np.abs(inner).max(axis=1, initial=0.0)
        left = left_null(inner / sizes[:, None]) / sizes if mixed else np.zeros((0, 0))
        outer = np.array([each.outer for each in mixed]).reshape(len(mixed), self._width)
        gives, shift = (np.array([getattr(r, n) for r in mixed]) for n in ("gives", "shift"))
        return Claimed(
            np.vstack([left @ outer, *(each.outer for each in plain)]),
            np.append(left @ gives, [each.gives for each in plain]),
            np.append(left @ shift, [each.shift for each in plain]),
            (*(False,) * len(left), *(each.is_place for each in plain)),
        )


def left_null(matrix: Matrix) -> Matrix:
    """Combinations of rows that vanish."""
    left, sizes, _ = np.linalg.svd(matrix)
    rank = int((sizes > EXACT * max(sizes[0], 1e-300)).sum())
    return np.asarray(left[:, rank:].T)
