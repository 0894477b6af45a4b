"""Holds an element of the table against the equations of its component.

    Resistor r(R=10, alpha=0.1)      claims  v = 10*i,  the equations say  v = 10*(1 + alpha*...)*i

The table knows an element by the name of its class. A modifier may have changed what it does, so the law that
the element claims is proved: with s for d/dt it must be a combination of the linear equations of the component,
for several values of s. The combination also gives the right side: what a source gives, as a formula of time
and signals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freewheel.bondgraph.connectors import Power
from freewheel.bondgraph.domains import NODE_KIND
from freewheel.bondgraph.equations import LinearSystem
from freewheel.bondgraph.laws import FREQUENCIES
from freewheel.bondgraph.nodes import SOURCES, Element, Kind, Port
from freewheel.formula.build import number, plus, times
from freewheel.formula.nodes import ZERO, Expr, Var

Matrix = NDArray[np.float64]
EXACT = 1e-8  # of rows that are scaled to one: rounding of a few dozen operations is far below
# Factors of what three frequencies tell to give what a polynomial tells at zero.
AT_REST = np.array(
    [
        math.prod(other / (other - own) for other in FREQUENCIES if other != own)
        for own in FREQUENCIES
    ]
)
SWEEPS = 6  # of scaling; entries are then within a few powers of two of one

# parameter, or its inverse, of an element with one port
VALUES = {Kind.R: ("R", "G"), Kind.C: ("C", "K"), Kind.I: ("I", "")}


@dataclass(frozen=True, slots=True)
class Claimed:
    """Rows over the flows and potentials of connectors that elements of one component claim; `gives` is the
    factor of what the source gives in the right side of each, `shift` a constant."""

    rows: Matrix
    gives: Matrix
    shift: Matrix
    is_place: tuple[bool, ...]  # a constraint on positions: any constant will do


@dataclass(frozen=True, slots=True)
class Proof:
    """`drive` is what a source gives; None where there is none, or where it cannot be told."""

    holds: bool
    drive: Expr | None = None


def prove(
    elements: Sequence[Element],
    joined: Sequence[tuple[str, str]],
    connectors: Mapping[str, Power],
    system: LinearSystem,
) -> Proof:
    """Whether the equations imply what the elements claim at every frequency."""
    drives: list[Expr | None] = []
    constants: list[Matrix] = []
    for s in FREQUENCIES:
        claimed = claims(elements, joined, connectors, s)
        if claimed is None:
            return Proof(False)
        places = [system.columns.get(Var(n)) for c in connectors.values() for n in (c.flow, c.potential)]
        if any(place is None for place in places):
            return Proof(False)
        wanted = np.zeros((len(claimed.rows), len(system.columns)))
        wanted[:, places] = claimed.rows
        actual = system.at(s)
        found = None if actual is None else combined(actual, wanted)
        if found is None:
            return Proof(False)
        drive, errors = _right_sides(found, claimed, system, s)
        drives.append(drive)
        constants.append(errors)
    # The derivative of a constant is zero: what grows with s does not count.
    sizes = np.abs(constants).max(axis=0)
    at_rest = np.abs(np.tensordot(AT_REST, np.array(constants), 1))
    if not (at_rest[0] <= EXACT * sizes[1]).all():
        return Proof(False)
    # What a position tells is another speed at each frequency.
    return Proof(True, drives[0] if len(set(drives)) == 1 else None)


# ---------------------------------------------------------------- what is claimed


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
        made.join(first, second)
    return made.eliminated()


class _Rows:
    """A balance of flows at each connector, and constraints on potentials.

    Unknown flows inside are columns of their own at first.
    """

    def __init__(self, connectors: Mapping[str, Power], s: float) -> None:
        self._s = s
        self._connectors = connectors
        self._at = {name: k for k, name in enumerate(connectors)}
        self._width = 2 * len(connectors)
        self._rows = [np.zeros(self._width) for _ in connectors]
        for k, row in enumerate(self._rows):
            row[2 * k] = 1.0
        self._gives = [0.0] * len(connectors)
        self._shift = [0.0] * len(connectors)
        self._flows: list[dict[int, float]] = []  # of each unknown: its factor by row
        self._constraints: list[tuple[Matrix, float, bool]] = []

    def _across(self, port: Port, factor: float = 1.0) -> Matrix:
        row = np.zeros(self._width)
        for name, sign in ((port.positive, 1.0), (port.negative, -1.0)):
            if name in self._at:
                row[2 * self._at[name] + 1] += sign * factor
        return row

    def _ends(self, port: Port) -> list[tuple[int, float]]:
        both = ((port.positive, 1.0), (port.negative, -1.0))
        return [(self._at[name], sign) for name, sign in both if name in self._at]

    def _known_flow(self, port: Port, row: Matrix, gives: float = 0.0, shift: float = 0.0) -> None:
        """What enters at the positive connector and leaves at the negative one."""
        for k, sign in self._ends(port):
            self._rows[k] = self._rows[k] - sign * row
            self._gives[k] += sign * gives
            self._shift[k] += sign * shift

    def _unknown_flow(self, *shares: tuple[Port, float]) -> None:
        column: dict[int, float] = {}
        for port, factor in shares:
            for k, sign in self._ends(port):
                column[k] = column.get(k, 0.0) - sign * factor
        self._flows.append(column)

    def _constraint(self, row: Matrix, gives: float = 0.0, is_place: bool = False) -> None:
        self._constraints.append((row, gives, is_place))

    def join(self, first: str, second: str) -> None:
        self._held(Port(first, second, self._connectors[first].domain))

    def _held(self, port: Port) -> None:
        """No difference of potentials, but of positions a constant one."""
        self._constraint(self._across(port), is_place=NODE_KIND[port.domain] is Kind.ONE)
        self._unknown_flow((port, 1.0))

    def add(self, element: Element) -> bool:
        if element.kind is Kind.GROUND:
            self._held(element.ports[0])
            return True
        if element.kind in SOURCES:
            self._source(element)
            return True
        if element.kind in (Kind.TF, Kind.GY):
            return len(element.ports) == 2 and self._two_port(element)
        value = value_of(element)
        if value is None or len(element.ports) != 1:
            return False
        port = element.ports[0]
        factor = admittance(element.kind, NODE_KIND[port.domain], self._s, value)
        relaxed = element.value("q_relaxed") or 0.0
        self._known_flow(port, self._across(port, factor), shift=-factor * relaxed)
        return True

    def _source(self, element: Element) -> None:
        """It tells a difference of potentials, or a flow variable; in mechanics the effort is the flow variable,
        and a given flow is the rate of a position."""
        (port,) = element.ports
        is_node_effort = NODE_KIND[port.domain] is Kind.ZERO
        if (element.kind is Kind.SE) == is_node_effort:
            self._constraint(self._across(port, 1.0 if is_node_effort else self._s), gives=1.0)
            self._unknown_flow((port, 1.0))
        else:
            self._known_flow(port, np.zeros(self._width), gives=-1.0 if port.is_out else 1.0)

    def _two_port(self, element: Element) -> bool:
        """TF: e1 = n e2, f2 = turn n f1;  GY: e2 = r f1, e1 = turn r f2, flows counted as the ports say."""
        modulus = value_of(element)
        if modulus is None:
            return False
        first, second = element.ports
        signs = [-1.0 if port.is_out else 1.0 for port in element.ports]
        turn = -signs[0] * signs[1]
        are_nodes = [NODE_KIND[port.domain] is Kind.ZERO for port in element.ports]
        if element.kind is Kind.GY:
            modulus, kinds = modulus, (are_nodes[0], not are_nodes[1])
        else:
            kinds = (are_nodes[0], are_nodes[1])
        # `kinds[1]`: the partner of e1 is a difference of potentials. For a GY that is f2 in mechanics.
        if kinds[0] == kinds[1]:
            self._tied(element.kind, first, second, signs, modulus, turn, kinds[0])
        else:
            self._exchanged(element.kind, first, second, signs, modulus, turn, kinds[0])
        return True

    def _tied(
        self, kind: Kind, first: Port, second: Port, signs: list[float], n: float, turn: float, up: bool
    ) -> None:
        """Both differences of potentials are tied, and so are both flow variables."""
        s = self._s
        if kind is Kind.TF and up:  # e1 = n e2; f2 = turn n f1
            row, ratio = self._across(first) - self._across(second, n), turn * n * signs[0] * signs[1]
        elif kind is Kind.TF:  # v2 = turn n v1; e1 = n e2, efforts signed
            row = self._across(second, s) - self._across(first, turn * n * s)
            ratio = signs[0] * signs[1] / n
        elif up:  # e1 = turn r v2; e2 = r f1
            row, ratio = self._across(first) - self._across(second, turn * n * s), n * signs[0] * signs[1]
        else:  # e2 = r v1; e1 = turn r f2
            row, ratio = self._across(second) - self._across(first, n * s), signs[0] * signs[1] / (turn * n)
        self._constraint(row)
        self._unknown_flow((first, 1.0), (second, ratio))

    def _exchanged(
        self, kind: Kind, first: Port, second: Port, signs: list[float], n: float, turn: float, up: bool
    ) -> None:
        """Each flow variable is told by the other difference of potentials."""
        s = self._s
        if kind is Kind.GY and up:  # f1 = e2 / r, f2 = e1 / (turn r)
            one, two = 1.0 / n, 1.0 / (turn * n)
        elif kind is Kind.GY:  # e1 = turn r v2, e2 = r v1
            one, two = turn * n * s, n * s
        elif up:  # e1 = n e2: the flow variable at port 2 is an effort; v2 = turn n f1
            one, two = s / (turn * n), 1.0 / n
        else:  # e1 = n e2 is the flow variable at port 1; f2 = turn n v1
            one, two = n, turn * n * s
        self._known_flow(first, self._across(second, signs[0] * one))
        self._known_flow(second, self._across(first, signs[1] * two))

    def eliminated(self) -> Claimed:
        """Combinations of balances without the unknown flows, and constraints, which have none."""
        rows, gives, shift = np.array(self._rows), np.array(self._gives), np.array(self._shift)
        inner = np.zeros((len(rows), len(self._flows)))
        for k, column in enumerate(self._flows):
            for row, factor in column.items():
                inner[row, k] = factor
        left = _left_null(inner)
        count = len(self._constraints)
        return Claimed(
            np.vstack([left @ rows, *(row for row, _, _ in self._constraints)]),
            np.append(left @ gives, [given for _, given, _ in self._constraints]),
            np.append(left @ shift, np.zeros(count)),
            (*(False,) * len(left), *(is_place for _, _, is_place in self._constraints)),
        )


def admittance(kind: Kind, node_kind: Kind, s: float, value: float) -> float:
    """Flow variable over difference of potentials, which in mechanics are positions."""
    if node_kind is Kind.ZERO:
        return {Kind.R: 1.0 / value, Kind.C: s * value, Kind.I: 1.0 / (s * value)}[kind]
    return {Kind.R: s * value, Kind.C: 1.0 / value, Kind.I: s**2 * value}[kind]


def value_of(element: Element) -> float | None:
    """Of R, C, I, TF or GY; None where it is zero or not told."""
    plain, inverse = {**VALUES, Kind.TF: ("n", ""), Kind.GY: ("r", "g")}.get(element.kind, ("", ""))
    value = element.value(plain) if plain else None
    if value is None and inverse:
        value = element.value(inverse)
        value = 1.0 / value if value else None
    return value or None


def _left_null(matrix: Matrix) -> Matrix:
    count, columns = matrix.shape
    if columns == 0:
        return np.eye(count)
    left, sizes, _ = np.linalg.svd(matrix)
    rank = int((sizes > EXACT * max(sizes[0], 1e-300)).sum())
    return np.asarray(left[:, rank:].T)


# ---------------------------------------------------------------- what the equations imply


def measured(element: Element, connectors: Mapping[str, Power], system: LinearSystem) -> float | None:
    """The number of an R, C or I by what flows with a unit difference of potentials; None where that is not told.

    It is a guess, to be proved: right sides and other frequencies are not looked at.
    """
    s, port = FREQUENCIES[0], element.ports[0]
    matrix = system.at(s)
    if matrix is None or port.positive not in connectors:
        return None
    place = {
        name: (system.columns[Var(pin.flow)], system.columns[Var(pin.potential)])
        for name, pin in connectors.items()
    }
    given = {at[1]: float(name == port.positive) for name, at in place.items()}
    unknown = [k for k in range(matrix.shape[1]) if k not in given]
    right = -matrix[:, list(given)] @ np.array(list(given.values()))
    rows, columns = scales(matrix)
    scaled = (matrix * rows[:, None] * columns)[:, unknown]
    found, *_ = np.linalg.lstsq(scaled, right * rows, rcond=EXACT * 1e-4)
    flow = float((found * columns[unknown])[unknown.index(place[port.positive][0])])
    unit = admittance(element.kind, NODE_KIND[port.domain], s, 1.0)
    if flow == 0.0:
        return None
    is_inverse = admittance(element.kind, NODE_KIND[port.domain], s, 2.0) < unit
    return float(f"{unit / flow if is_inverse else flow / unit:.12g}")  # of a least squares problem


def combined(actual: Matrix, wanted: Matrix) -> Matrix | None:
    """Factors by which rows of `actual` make up those of `wanted`; None where they cannot.

    Rows and columns are scaled first: a picofarad is no zero.
    """
    rows, columns = scales(actual)
    scaled = actual * rows[:, None] * columns
    goal = wanted * columns
    sizes = np.abs(goal).max(axis=1)
    if not sizes.all():
        return None
    goal = goal / sizes[:, None]
    factors, *_ = np.linalg.lstsq(scaled.T, goal.T, rcond=EXACT * 1e-4)
    if np.abs(scaled.T @ factors - goal.T).max(initial=0.0) > EXACT:
        return None
    found: Matrix = factors.T * rows * sizes[:, None]
    return found


def scales(matrix: Matrix) -> tuple[Matrix, Matrix]:
    """Powers of two by which the largest entry of each row and column comes near one (Ruiz, 2001)."""
    rows, columns = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
    size = np.abs(matrix)
    for _ in range(SWEEPS):
        for axis, kept in ((1, rows), (0, columns)):
            largest = size.max(axis=axis, initial=0.0)
            largest[largest == 0.0] = 1.0
            factor = 2.0 ** -np.round(0.5 * np.log2(largest))
            kept *= factor
            size = size * (factor[:, None] if axis == 1 else factor)
    return rows, columns


def _right_sides(
    factors: Matrix, claimed: Claimed, system: LinearSystem, s: float
) -> tuple[Expr | None, Matrix]:
    """What the source gives, and how far other right sides are from those of the law, with their sizes; nan where
    one is no number."""
    drive: Expr | None = None
    errors = np.zeros((2, len(factors)))
    rows = zip(factors, claimed.gives, claimed.shift, claimed.is_place, strict=True)
    for at, (row, gives, shift, is_place) in enumerate(rows):
        size = np.abs(row).max()
        told: Expr = ZERO
        scale = 0.0
        for factor, rest in zip(row, system.rests, strict=True):
            if abs(factor) > EXACT * size:
                value = system.number(rest, s)
                scale += abs(factor * value) if value is not None else 0.0
                told = plus(told, times(number(-_plain(factor)), rest))
        if abs(gives) > EXACT:
            given = times(number(_plain(1.0 / gives)), told)
            drive = drive if drive is not None else given
            continue
        value = system.number(told, s)
        if value is None:
            errors[:, at] = math.nan
        elif not is_place:
            errors[:, at] = value - shift, max(scale, abs(shift))
    return drive, errors


def _plain(factor: float) -> float:
    """A factor of one comes out of a least squares problem with an error in its last digits."""
    nearest = round(factor)
    return float(nearest) if abs(factor - nearest) < EXACT else float(f"{factor:.12g}")
