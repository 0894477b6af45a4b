"""Exact solutions of networks with ideal diodes, switches and thyristors.

    found = solve(network)
    found.at("L.i", times)          # right limits where it jumps
    found.changes                   # (time, which valves block from then on)
    found.jumps                     # (time, inductor or capacitor, change of its flux or charge)

An independent judge: it shares nothing with the simulator. Each mode is a linear system E x' = A x, the
sources being states of it. Its consistent values V and its jump directions W come from Wong sequences
(Wong 1974; Berger, Ilchmann, Trenn 2012) in rational numbers, so no rank depends on a tolerance. In between
the solution is a matrix exponential; at an event x- is projected onto V along W, which conserves flux and
charge. Modes are tried, nearest first, until one has all currents and voltages of its valves on the right
side just after the event, by the first Taylor coefficient that is not zero.

Parts of the circuit that float while their valves block get the potential of equal tiny leaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import cos, pi, sin

import numpy as np
from netlists import GATED, STATES, VALVES, Network, Part
from scipy.optimize import brentq

Row = dict[int, Fraction]
Mode = tuple[bool, ...]  # by valve: it blocks
ZERO, ONE = Fraction(0), Fraction(1)
NOTHING = 1e-9  # of a Taylor coefficient, against the size of the signals
TERMS = 5


# ---------------------------------------------------------------- rational linear algebra


def reduced(rows: Sequence[Row]) -> tuple[list[Row], list[int]]:
    """Reduced echelon form and its pivot columns."""
    done: list[Row] = []
    pivots: list[int] = []
    for row in rows:
        row = dict(row)
        for pivot, other in zip(pivots, done, strict=True):
            factor = row.get(pivot)
            if factor:
                _subtract(row, other, factor)
        if not row:
            continue
        pivot = min(row)
        scale = row[pivot]
        row = {column: value / scale for column, value in row.items()}
        for other in done:
            factor = other.get(pivot)
            if factor:
                _subtract(other, row, factor)
        done.append(row)
        pivots.append(pivot)
    return done, pivots


def _subtract(row: Row, other: Row, factor: Fraction) -> None:
    for column, value in other.items():
        new = row.get(column, ZERO) - factor * value
        if new:
            row[column] = new
        else:
            row.pop(column, None)


def nullspace(rows: Sequence[Row], n: int) -> list[Row]:
    """Vectors with rows . vector = 0."""
    done, pivots = reduced(rows)
    free = [column for column in range(n) if column not in set(pivots)]
    vectors: list[Row] = []
    for column in free:
        vector = {column: ONE}
        for pivot, row in zip(pivots, done, strict=True):
            if column in row:
                vector[pivot] = -row[column]
        vectors.append(vector)
    return vectors


def times(rows: Sequence[Row], vectors: Sequence[Row]) -> list[Row]:
    """rows . vectors, as rows over the numbers of the vectors."""
    result = []
    for row in rows:
        line: Row = {}
        for number, vector in enumerate(vectors):
            value = sum((f * vector[c] for c, f in row.items() if c in vector), ZERO)
            if value:
                line[number] = value
        result.append(line)
    return result


def preimage(rows: Sequence[Row], image: Sequence[Row], n: int) -> list[Row]:
    """Vectors x with rows . x in the span of `image` (given as rows over its vectors)."""
    joined = [
        {**row, **{n + column: -value for column, value in line.items()}}
        for row, line in zip(rows, image, strict=True)
    ]
    width = n + max((column + 1 for line in image for column in line), default=0)
    kept = [
        {column: value for column, value in vector.items() if column < n}
        for vector in nullspace(joined, width)
    ]
    return reduced(kept)[0]


def dense(vectors: Sequence[Row], n: int) -> np.ndarray:
    """Columns."""
    matrix = np.zeros((n, len(vectors)))
    for number, vector in enumerate(vectors):
        for index, value in vector.items():
            matrix[index, number] = float(value)
    return matrix


def expm(M: np.ndarray) -> np.ndarray:
    """Scaling, a Taylor polynomial and squaring; products alone, which no library does in threads."""
    norm = float(np.abs(M).sum(axis=0).max(initial=0.0))
    squarings = max(0, int(np.ceil(np.log2(norm / 0.25)))) if norm > 0 else 0
    scaled = M / 2.0**squarings
    result = term = np.eye(len(M))
    for k in range(1, 19):
        term = term @ scaled / k
        result = result + term
    for _ in range(squarings):
        result = result @ result
    return result


# ---------------------------------------------------------------- the system of a mode


class Places:
    """Numbers of the unknowns: potentials, currents, then the states that make the sources."""

    def __init__(self, network: Network) -> None:
        self.nodes = {node: k for k, node in enumerate(network.nodes())}
        count = len(self.nodes)
        self.currents: dict[str, int] = {}
        for part in network.parts:
            self.currents[part.name] = count
            count += 2 if part.kind == "transformer" else 1
        self.sines: dict[str, int] = {}
        for part in network.parts:
            if part.kind == "sine":
                self.sines[part.name] = count
                count += 2
        self.one = count
        self.count = count + 1

    def across(self, p: str, n: str, factor: Fraction = ONE) -> Row:
        row: Row = {}
        for node, sign in ((p, factor), (n, -factor)):
            if node != "0":
                row[self.nodes[node]] = row.get(self.nodes[node], ZERO) + sign
        return {column: value for column, value in row.items() if value}


def equations(network: Network, places: Places, blocked: dict[str, bool]) -> list[tuple[Row, Row]]:
    """Pairs (row of E, row of A) of E x' = A x."""
    balances: dict[str, Row] = {node: {} for node in places.nodes}
    rows: list[tuple[Row, Row]] = []
    for part in network.parts:
        current = places.currents[part.name]
        for pair in range(len(part.pins) // 2):
            for node, sign in zip(part.pins[2 * pair : 2 * pair + 2], (ONE, -ONE), strict=True):
                if node != "0":
                    balance = balances[node]
                    balance[current + pair] = balance.get(current + pair, ZERO) + sign
        rows += _element(part, places, blocked)
    for island in _islands(network, blocked):
        leaks = _leaks(network, places, blocked, island)
        if leaks:
            balances[min(island)] = leaks
    rows += [({}, {c: v for c, v in row.items() if v}) for row in balances.values()]
    rows.append(({places.one: ONE}, {}))
    return rows


def _element(part: Part, places: Places, blocked: dict[str, bool]) -> list[tuple[Row, Row]]:
    i = places.currents[part.name]
    voltage = places.across(*part.pins[:2])
    value = Fraction(repr(part.value))  # 0.02 is 1/50: short numbers stay short
    match part.kind:
        case "resistor":
            return [({}, {**voltage, i: -value})]
        case "inductor":
            return [({i: value}, voltage)]
        case "capacitor":
            return [(places.across(*part.pins, value), {i: ONE})]
        case "constant":
            return [({}, {**voltage, places.one: -value})]
        case "current":
            return [({}, {i: ONE, places.one: -value})]
        case "sine":
            first = places.sines[part.name]
            w = Fraction(2 * pi * part.frequency).limit_denominator(10**9)
            return [
                ({}, {**voltage, first: -value}),
                ({first: ONE}, {first + 1: w}),
                ({first + 1: ONE}, {first: -w}),
            ]
        case "transformer":
            second = places.across(*part.pins[2:], -value)
            joined = {k: voltage.get(k, ZERO) + second.get(k, ZERO) for k in voltage | second}
            return [
                ({}, {k: v for k, v in joined.items() if v}),
                ({}, {i: value, i + 1: ONE}),
            ]
    if blocked[part.name]:
        return [({}, {i: ONE})]
    return [({}, {**voltage, places.one: -value} if value else voltage)]


def _islands(network: Network, blocked: dict[str, bool]) -> list[set[str]]:
    """Groups of nodes that hang together, none of them with ground."""
    group = {node: {node} for node in [*network.nodes(), "0"]}
    for part in network.parts:
        if blocked.get(part.name, False):
            continue
        pairs = [part.pins[k : k + 2] for k in range(0, len(part.pins), 2)]
        for p, n in pairs:
            if group[p] is not group[n]:
                group[p] |= group[n]
                for node in group[n]:
                    group[node] = group[p]
    found: list[set[str]] = []
    for nodes in group.values():
        if "0" not in nodes and nodes not in found:
            found.append(nodes)
    return found


def _leaks(
    network: Network, places: Places, blocked: dict[str, bool], island: set[str]
) -> Row | None:
    """Sum of the voltages of valves that block around an island."""
    total: Row = {}
    for part in network.parts:
        if not blocked.get(part.name, False) or (part.pins[0] in island) == (
            part.pins[1] in island
        ):
            continue
        sign = ONE if part.pins[0] in island else -ONE
        for column, value in places.across(*part.pins, sign).items():
            total[column] = total.get(column, ZERO) + value
    return {c: v for c, v in total.items() if v} or None


class Motion:
    """How one mode moves: x = V z, z' = M z; jumps go along W."""

    def __init__(self, rows: Sequence[tuple[Row, Row]], n: int) -> None:
        E, A = [e for e, _ in rows], [a for _, a in rows]
        assert len(E) == n, (len(E), n)
        consistent: list[Row] = [{k: ONE} for k in range(n)]
        while True:
            smaller = preimage(A, times(E, consistent), n)
            if len(smaller) == len(consistent):
                break
            consistent = smaller
        jumps: list[Row] = []
        while True:
            larger = preimage(E, times(A, jumps), n)
            if len(larger) == len(jumps):
                break
            jumps = larger
        self.is_regular = (
            len(consistent) + len(jumps) == n and len(reduced([*consistent, *jumps])[0]) == n
        )
        if not self.is_regular:
            return
        self.V, self.W = dense(consistent, n), dense(jumps, n)
        self.M = self._rates(times(E, consistent), times(A, consistent), len(consistent))
        self._split = np.linalg.inv(np.hstack([self.V, self.W]))
        self._of_jump = np.zeros((n, n))
        if jumps:
            left, right = dense(_transposed(A, n), n) @ self.W, dense(_transposed(E, n), n)
            self._of_jump = self.W @ np.linalg.pinv(left) @ right

    @staticmethod
    def _rates(left: Sequence[Row], right: Sequence[Row], k: int) -> np.ndarray:
        """M with left . M = right, exactly, then rounded."""
        joined = [
            {**one, **{k + c: v for c, v in other.items()}}
            for one, other in zip(left, right, strict=True)
        ]
        done, pivots = reduced(joined)
        matrix = np.zeros((k, k))
        for pivot, row in zip(pivots, done, strict=True):
            if pivot < k:
                for column, value in row.items():
                    if column >= k:
                        matrix[pivot, column - k] = float(value)
        return matrix

    def ahead(self, seconds: float, z: np.ndarray) -> np.ndarray:
        return expm(self.M * seconds) @ z

    def inside(self, x: np.ndarray) -> np.ndarray:
        """z of the consistent value that x jumps to."""
        return (self._split @ x)[: self.V.shape[1]]

    def impulse(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """Integral of x over the jump: A p = E (after - before), p along W."""
        return self._of_jump @ (after - before)


def _transposed(rows: Sequence[Row], n: int) -> list[Row]:
    columns: list[Row] = [{} for _ in range(n)]
    for index, row in enumerate(rows):
        for column, value in row.items():
            columns[column][index] = value
    return columns


# ---------------------------------------------------------------- the run


@dataclass(frozen=True)
class Piece:
    begin: float
    mode: Mode
    motion: Motion
    z: np.ndarray


@dataclass
class Exact:
    network: Network
    pieces: list[Piece] = field(default_factory=list)
    impulses: list[tuple[float, str, str, float]] = field(default_factory=list)  # of valves
    jumps: list[tuple[float, str, float]] = field(default_factory=list)  # of fluxes and charges

    @cached_property
    def places(self) -> Places:
        return Places(self.network)

    @property
    def changes(self) -> list[tuple[float, Mode]]:
        """Instants at which another set of valves blocks."""
        pairs = zip(self.pieces, self.pieces[1:], strict=False)
        return [(b.begin, b.mode) for a, b in pairs if a.mode != b.mode]

    def row(self, name: str) -> np.ndarray:
        """The unknown `L.i` or `C.v` as a row over x."""
        part_name, _, quantity = name.rpartition(".")
        part = next(part for part in self.network.parts if part.name == part_name)
        row = np.zeros(self.places.count)
        if quantity == "i":
            row[self.places.currents[part_name]] = 1.0
        else:
            for column, value in self.places.across(*part.pins[:2]).items():
                row[column] = float(value)
        return row

    def at(self, name: str, instants: np.ndarray) -> np.ndarray:
        return self.row(name) @ self.states(instants)

    def states(self, instants: np.ndarray) -> np.ndarray:
        """x at these times, one column each."""
        begins = np.array([piece.begin for piece in self.pieces])
        which = np.searchsorted(begins, instants, side="right") - 1
        columns = []
        for t, k in zip(instants, which, strict=True):
            piece = self.pieces[k]
            columns.append(piece.motion.V @ piece.motion.ahead(t - piece.begin, piece.z))
        return np.array(columns).T


class Solver:
    def __init__(self, network: Network) -> None:
        self.network = network
        self.valves = network.valves()
        self.found = Exact(network)
        self.places = self.found.places
        self.motions: dict[Mode, Motion] = {}
        self.scale = (network.interval or network.stop / 1000) / 2
        self.gates = {v.name: bool(v.gate and v.gate.at_start) for v in self.valves if v.gate}
        self.sizes = [1e-9, 1e-9]  # of currents, of potentials

    def motion(self, mode: Mode) -> Motion:
        if mode not in self.motions:
            blocked = dict(zip((v.name for v in self.valves), mode, strict=True))
            rows = equations(self.network, self.places, blocked)
            self.motions[mode] = Motion(rows, self.places.count)
        return self.motions[mode]

    def run(self) -> Exact:
        schedule = self._schedule()
        t, x = 0.0, self._start()
        mode: Mode = tuple(v.kind != "switch" or not self.gates[v.name] for v in self.valves)
        self._take_gates(schedule, 0.0)
        piece = self._enter(t, x, mode)
        while True:
            due = float(schedule[0][0]) if schedule else self.network.stop
            due = min(due, self.network.stop)
            t, x, crossed = self._follow(piece, due)
            if not crossed and t >= self.network.stop:
                return self.found
            if not crossed:
                self._take_gates(schedule, t)
            piece = self._enter(t, x, piece.mode)

    def _schedule(self) -> list[tuple[Fraction, str, bool]]:
        stop = Fraction(self.network.stop)
        found = [
            (t, v.name, value)
            for v in self.valves
            if v.gate is not None
            for t, value in v.gate.changes(stop)
        ]
        return sorted(found)

    def _take_gates(self, schedule: list[tuple[Fraction, str, bool]], t: float) -> None:
        while schedule and float(schedule[0][0]) <= t:
            _, name, value = schedule.pop(0)
            self.gates[name] = value

    def _start(self) -> np.ndarray:
        """Any x with the given states: what is not consistent is jumped over."""
        rows, values = [], []
        for part in self.network.parts:
            if part.kind in STATES and part.start is not None:
                rows.append(self.found.row(f"{part.name}.{STATES[part.kind]}"))
                values.append(part.start)
        x = np.zeros(self.places.count)
        if rows:
            x = np.linalg.pinv(np.array(rows)) @ np.array(values)
        for part in self.network.parts:
            if part.kind == "sine":
                place = self.places.sines[part.name]
                x[place], x[place + 1] = sin(part.start or 0.0), cos(part.start or 0.0)
        x[self.places.one] = 1.0
        return x

    # -------------------------------------------------------------- events

    def _enter(self, t: float, x: np.ndarray, mode: Mode) -> Piece:
        """The nearest mode that is legal; those in which a valve conducts nothing come last."""
        second: tuple[Piece, np.ndarray] | None = None
        for candidate in self._candidates(mode):
            if self._has_loop(candidate):
                continue
            motion = self.motion(candidate)
            if not motion.is_regular:
                continue
            z = motion.inside(x)
            p = motion.impulse(x, motion.V @ z)
            signs = self._signs(candidate, mode, motion, z, p)
            if min(signs.values(), default=1) < 0:
                continue
            found = Piece(t, candidate, motion, z), p
            if all(sign > 0 or candidate[number] for number, sign in signs.items()):
                return self._take(*found, x)
            second = second or found
        assert second is not None, f"no legal mode at {t}"
        return self._take(*second, x)

    def _take(self, piece: Piece, p: np.ndarray, before: np.ndarray) -> Piece:
        self._note_impulses(piece.begin, p)
        self._note_jumps(piece.begin, piece.motion.V @ piece.z - before)
        self.found.pieces.append(piece)
        return piece

    def _candidates(self, mode: Mode) -> Iterator[Mode]:
        """Nearest to the present one first; switches are as their signal says."""
        forced = list(mode)
        free = []
        for number, valve in enumerate(self.valves):
            gate = self.gates.get(valve.name, True)
            if valve.kind == "switch":
                forced[number] = not gate
            elif not gate and (valve.kind == "gto" or mode[number]):
                forced[number] = True
            else:
                free.append(number)
        for count in range(len(free) + 1):
            for turned in combinations(free, count):
                yield tuple(not b if k in turned else b for k, b in enumerate(forced))

    def _has_loop(self, mode: Mode) -> bool:
        """Conducting valves and sources in a ring: too much said about voltages, nothing of currents."""
        blocks = dict(zip((v.name for v in self.valves), mode, strict=True))
        group = {node: {node} for node in [*self.places.nodes, "0"]}
        for part in self.network.parts:
            if part.kind not in ("constant", "sine") and blocks.get(part.name, True):
                continue
            p, n = part.pins
            if group[p] is group[n]:
                return True
            group[p] |= group[n]
            for node in group[n]:
                group[node] = group[p]
        return False

    def _guard(self, number: int, mode: Mode, before: Mode) -> np.ndarray | None:
        """What must not be negative while the valve stays as it is."""
        valve = self.valves[number]
        gate = self.gates.get(valve.name, True)
        if valve.kind == "switch":
            return None
        if not mode[number]:
            return self.found.row(f"{valve.name}.i")
        held = valve.kind == "gto" or (valve.kind == "thyristor" and before[number])
        if held and not gate:
            return None
        row = -self.found.row(f"{valve.name}.v")
        row[self.places.one] += valve.value
        return row

    def _signs(
        self, mode: Mode, before: Mode, motion: Motion, z: np.ndarray, p: np.ndarray
    ) -> dict[int, int]:
        """Of each guard just after the event, by its first coefficient that is not zero."""
        coefficients = [z]
        for k in range(1, TERMS + 1):
            coefficients.append(motion.M @ coefficients[-1] * (self.scale / k))
        series = [p / self.scale, *(motion.V @ c for c in coefficients)]
        self._see(series)
        signs = {}
        for number in range(len(self.valves)):
            row = self._guard(number, mode, before)
            if row is None:
                continue
            least = NOTHING * self.sizes[int(np.abs(row[: len(self.places.nodes)]).max() > 0)]
            large = [row @ values for values in series if abs(row @ values) > least]
            signs[number] = int(np.sign(large[0])) if large else 0
        return signs

    def _see(self, series: Sequence[np.ndarray]) -> None:
        """Largest currents and potentials met so far, impulses aside."""
        nodes = len(self.places.nodes)
        for values in series[1:]:
            currents = np.abs(values[nodes : nodes + len(self.network.parts)])
            self.sizes[0] = max(self.sizes[0], float(currents.max()))
            self.sizes[1] = max(self.sizes[1], float(np.abs(values[:nodes]).max()))

    def _note_impulses(self, t: float, p: np.ndarray) -> None:
        for part in self.network.parts:
            for quantity in ("v", "i"):
                strength = float(self.found.row(f"{part.name}.{quantity}") @ p)
                if part.kind in VALVES and abs(strength) > 1e-9:
                    self.found.impulses.append((t, part.name, quantity, strength))

    def _note_jumps(self, t: float, change: np.ndarray) -> None:
        for part in self.network.parts:
            if part.kind in STATES and part.start is not None:
                row = self.found.row(f"{part.name}.{STATES[part.kind]}")
                if abs(row @ change) > 1e-9 * self.sizes[int(part.kind == "capacitor")]:
                    self.found.jumps.append((t, part.name, part.value * float(row @ change)))

    # -------------------------------------------------------------- between events

    def _follow(self, piece: Piece, due: float) -> tuple[float, np.ndarray, bool]:
        """To the first instant at which a guard turns negative, or to the next signal."""
        motion = piece.motion
        guards = [self._guard(k, piece.mode, piece.mode) for k in range(len(self.valves))]
        rows = np.array([row @ motion.V for row in guards if row is not None])
        begin, z = piece.begin, piece.z
        step = min(self.scale, (due - begin) / 4) if due > begin else 0.0
        if not len(rows) or step <= 0.0:
            return due, motion.V @ motion.ahead(due - begin, z), False
        stride = expm(motion.M * step)
        sizes = np.maximum(np.abs(rows @ z), 1e-9)
        k, ahead = 0, z
        while begin + k * step < due:
            k += 1
            late = min(begin + k * step, due)
            ahead = stride @ ahead if begin + k * step <= due else motion.ahead(due - begin, z)
            values = rows @ ahead
            sizes = np.maximum(sizes, np.abs(values))
            below = np.flatnonzero(values < -1e-10 * sizes)
            if len(below):
                t = min(self._root(motion, z, rows[j], begin, late, step) for j in below)
                return t, motion.V @ motion.ahead(t - begin, z), True
        return due, motion.V @ motion.ahead(due - begin, z), False

    def _root(
        self,
        motion: Motion,
        z: np.ndarray,
        row: np.ndarray,
        begin: float,
        late: float,
        step: float,
    ) -> float:
        def value(t: float) -> float:
            return float(row @ motion.ahead(t - begin, z))

        early = max(late - step, begin)
        if value(early) <= 0 and early > begin:  # the step before ended on the surface
            early = max(early - step, begin)
        if value(early) <= 0:  # starts on the surface: leave it first
            early += 1e-3 * (late - early)
            if value(early) <= 0:
                return early
        return float(brentq(value, early, late, xtol=1e-18, rtol=1e-15))


def solve(network: Network) -> Exact:
    assert all(v.gate is not None for v in network.valves() if v.kind in GATED)
    return Solver(network).run()
