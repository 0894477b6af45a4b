"""What happens within an impulse: elements may turn while it lasts, and turn back.

A switch joins two capacitors, and while the charge rushes from one to the other a diode between them and
a third conducts for an instant: the third one is charged as well. How much depends on the resistances
of the switch and of the diode, however small they are, beside each other. Nobody has given them, so
they are taken as equal, and so are the conductances of all elements that block.

With such leaks the mode is a set of linear differential equations of the storages, z' = M z + g, whose
fast part is the impulse. It is followed by matrix exponentials, doubling the step, from corner to corner;
each element turns alone, for F is continuous there. Where the fast part has died out, the slow part
is taken back to the beginning. Where no element turns, the jump of the mode is exact and nothing needs
to be followed.

    C1 = 1 F at 10 V joined to C2 = 4 F, and by a diode to C3 = 1 F   ->   1.43 V, 1.43 V, 2.86 V
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from freewheel.runtime.core.balance import Balance, balance
from freewheel.runtime.core.glance import (
    PER_OCTAVE,
    SHORT,
    Glance,
    exponential,
    first_step,
    glance,
)
from freewheel.runtime.core.graded import graded_inverse, storages_apart
from freewheel.runtime.core.problem import Core
from freewheel.runtime.model import Vector

LEAK = 1e-10  # in units of the mode
MOST_UNKNOWNS = 200  # larger cores jump as their last mode says
# Of the time scale of the mode: an impulse ends between the first and the last, and mostly before LATEST.
LASTS, LATEST, LONGEST = 1e-6, 8e-6, 1e-3
ROUNDING = 1e-14  # of the terms of a sum
FINER = 40  # halvings of a step in search of a corner
AT_REST = 1e-7  # of the storages: what the fast part may still do
BESIDE = 1e-2  # of the largest storage, in units of the mode: the least that counts
ENDED = 1e-7  # of the storages: less is what slow currents do
MOST_TURNS = 20  # for each element
MOST_SINGLE = 1000  # turns in search of the first sides
Bits = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Curve:
    """An element with one unknown s: `above` and `below` are its columns of dF/dy."""

    bit: int
    unknown: int
    above: Vector
    below: Vector
    turns: bool  # by itself, at its corner; else the model's logic holds it


@dataclass(frozen=True, slots=True)
class Flow:
    """A mode with leaks: z' = M z + G f, y = P z + Q f, f being the rest of F at y = 0."""

    M: Vector
    G: Vector
    P: Vector
    Q: Vector
    noise: Vector  # by unknown: of |z|; and
    noise_f: Vector  # of |f|


class Layer:
    def __init__(self, core: Core) -> None:
        self.core = core
        self._at = 0.0
        self._flows: dict[bytes, Flow | None] = {}
        self._glances: dict[bytes, Glance] = {}
        self._seen: dict[bytes, bytes] = {}  # bits -> matrices
        heard = np.ones(core.size, bool)
        heard[list(core.listeners)] = False
        self.heard = np.flatnonzero(heard)  # rows and unknowns without those that only listen

    @property
    def is_possible(self) -> bool:
        core = self.core
        is_constant = core.is_linear or core.is_steady
        return bool(core.elements) and is_constant and core.size <= MOST_UNKNOWNS

    def after(self, t: float, x: Vector, free: set[int]) -> tuple[Vector, Bits] | None:
        """y at the end of the impulse that follows on x, and the sides of all bits; None where no
        element turns while it lasts, or where it cannot be told. `free`: bits that are not held."""
        bits = self._bits()
        self._at = t
        self._forget_others(bits)
        try:
            return self._after(x, bits.copy(), free)
        finally:
            self._put(bits)

    def _forget_others(self, bits: Bits) -> None:
        """Matrices are constant between events; at an event something beside the core may have switched."""
        now = b"".join(matrix.tobytes() for matrix in self._matrices(bits))
        if self._seen.setdefault(bits.tobytes(), now) != now:
            self._seen = {bits.tobytes(): now}
            self._flows.clear()
            self._glances.clear()
            for name in ("storages", "units", "curves", "leaks"):
                self.__dict__.pop(name, None)

    def _after(self, x: Vector, bits: Bits, free: set[int]) -> tuple[Vector, Bits] | None:
        if self.curves is None:
            return None
        turning = [curve for curve in self.curves if curve.bit in free]
        z = x[self.heard][self.storages]
        columns = self.units.columns[self.storages]
        size = np.maximum(np.abs(z), BESIDE * columns * np.abs(z / columns).max(initial=0.0))
        if not (size > 0.0).all():
            return None
        if not self._find_sides(z, bits, turning):
            return None
        if self._is_quiet(z, bits, turning, size):
            return None
        for turned in range(MOST_TURNS * len(turning)):
            flow = self._flow(bits)
            if flow is None:
                return None
            f = self._rest(bits)
            moved = self._until_corner(flow, f, z, bits, turning, size)
            if moved is None:
                return None
            z, corner = moved
            if corner is not None:
                end = self._until_corner(flow, f, z, bits, [], size)
                if end is not None and (np.abs(end[0] - z) < ENDED * size).all():
                    z, corner = end  # it turns after the impulse
            if corner is None:
                if turned == 0:
                    return None
                y = x.copy()
                y[self.heard] = flow.P @ z + flow.Q @ f
                return y, bits
            bits[corner.bit] = not bits[corner.bit]
        return None

    # ------------------------------------------------------------ the mode and its leaks

    def _bits(self) -> Bits:
        core = self.core
        return np.asarray(core.memory[core.bits : core.bits + len(core.bit_names)] > 0.5)

    def _put(self, bits: Bits) -> None:
        core = self.core
        core.memory[core.bits : core.bits + len(core.bit_names)] = bits

    def _matrices(self, bits: Bits) -> tuple[Vector, Vector]:
        n = self.core.size
        self._put(bits)
        values = np.empty(2 * n * n)
        status = self.core.jacobians(self.core.memory, self._at, np.zeros(n), np.zeros(n), values)
        assert status == 0, "matrices of a linear mode"
        A, E = values.reshape(2, n, n)
        here = np.ix_(self.heard, self.heard)
        return E[here], A[here]

    @cached_property
    def storages(self) -> npt.NDArray[np.intp]:
        E, _ = self._matrices(self._bits())
        return np.flatnonzero((E != 0.0).any(axis=0))

    @cached_property
    def units(self) -> Balance:
        return balance(*self._matrices(self._bits()))

    @cached_property
    def curves(self) -> list[Curve] | None:
        """None where a switch chooses between two equations, `0 = if open then i else v`, in place of two
        slopes of a curve: nothing says how it leaks."""
        bits = self._bits()
        corners = {element.bit: element for element in self.core.elements}
        if len({element.unknown for element in self.core.elements}) < len(corners):
            return None
        found = []
        for bit in range(len(bits)):
            above, below = (self._with(bits, bit, side) for side in (True, False))
            changed = np.flatnonzero((above != below).any(axis=0))
            for s in changed.tolist():
                rows = above[:, s] != below[:, s]
                is_curve = above[rows, s].any() and below[rows, s].any()
                if not is_curve and len(changed) > 1:
                    return None
                found.append(Curve(bit, s, above[:, s], below[:, s], bit in corners))
        self._put(bits)
        return found

    def _with(self, bits: Bits, bit: int, side: bool) -> Vector:
        """dF/dy with one switch there."""
        other = bits.copy()
        other[bit] = side
        return self._matrices(other)[1]

    @cached_property
    def leaks(self) -> tuple[float, float]:
        """Of elements above their corners and below, the same for all of them."""
        rows = self.units.rows
        assert self.curves is not None
        sizes = [
            (np.abs(rows * curve.above).max(), np.abs(rows * curve.below).max())
            for curve in self.curves
        ]
        ratios = [np.log(above / below) for above, below in sizes if above > 0.0 < below]
        typical = float(np.exp(np.mean(ratios))) if ratios else 1.0
        return LEAK * typical, LEAK / typical

    def _leak(self, curve: Curve, bits: Bits) -> Vector:
        """What is added to its column."""
        above, below = self.leaks
        return above * curve.below if bits[curve.bit] else below * curve.above

    def _rest(self, bits: Bits) -> Vector:
        """F at y = 0 and y' = 0."""
        n = self.core.size
        self._put(bits)
        found = np.empty(n)
        status = self.core.rates(self.core.memory, self._at, 0, np.zeros(4 * n), found)
        assert status == 0, "a linear mode"
        rest = found[self.heard]
        for curve in self.curves or ():
            rest -= self._leak(curve, bits) * self._corner(curve)
        return rest

    def _corner(self, curve: Curve) -> float:
        for element in self.core.elements:
            if element.bit == curve.bit and element.at >= 0:
                return float(self.core.memory[element.at])
        return 0.0

    def _flow(self, bits: Bits) -> Flow | None:
        key = bits.tobytes()
        if key not in self._flows:
            self._flows[key] = self._solved(bits)
        return self._flows[key]

    def _solved(self, bits: Bits) -> Flow | None:
        E, A = self._matrices(bits)
        A = A.copy()
        for curve in self.curves or ():
            A[:, curve.unknown] += self._leak(curve, bits)
        rows, columns = self.units.rows, self.units.columns
        combine, scaled = storages_apart(E * rows[:, None] * columns)
        A = combine @ (A * rows[:, None] * columns)
        stores = (scaled != 0.0).any(axis=1)
        z = np.zeros(len(A), bool)
        z[self.storages] = True
        if stores.sum() != z.sum():
            return None
        inverse = graded_inverse(A[np.ix_(~stores, ~z)])
        rates = graded_inverse(scaled[np.ix_(stores, z)])
        if inverse is None or rates is None:
            return None
        split = np.vstack([combine[stores], combine[~stores]]) * rows
        count = int(z.sum())
        to_z, to_w = split[:count], split[count:]
        P = np.eye(len(A))[:, z]
        Q = np.zeros_like(A)
        P[~z] = -inverse @ A[np.ix_(~stores, z)]
        Q[~z] = -inverse @ to_w
        M = -rates @ (A[stores] @ P)
        G = -rates @ (A[stores] @ Q + to_z)
        of_z = columns[z]
        size_p = np.abs(P)
        size_p[~z] = np.abs(inverse) @ np.abs(A[np.ix_(~stores, z)])
        size_q = np.abs(Q)
        size_q[~z] = np.abs(inverse) @ np.abs(to_w)
        return Flow(
            of_z[:, None] * M / of_z,
            of_z[:, None] * G,
            columns[:, None] * P / of_z,
            columns[:, None] * Q,
            columns[:, None] * size_p / of_z,
            columns[:, None] * size_q,
        )

    # ------------------------------------------------------------ on the way

    def _is_quiet(self, z: Vector, bits: Bits, turning: list[Curve], size: Vector) -> bool:
        """Whether the impulse is over before any element is beyond its corner, seen at a glance."""
        flow = self._flow(bits)
        if flow is None:
            return False
        tau = self.units.tau
        key = bits.tobytes()
        if key not in self._glances:
            step = LASTS * tau / PER_OCTAVE
            self._glances[key] = glance(flow.M, step, LATEST * tau)
        seen = self._glances[key]
        f = self._rest(bits)
        g = flow.G @ f
        course = seen.course(z, g)
        slopes = (course[seen.ends] @ flow.M.T + g) / size
        bends = np.abs(np.diff(slopes, axis=0)).max(axis=1) * seen.gone[1:]
        over = np.flatnonzero((bends < AT_REST) & (seen.gone[1:] >= LASTS * tau))
        if len(over) == 0:
            return False
        until = PER_OCTAVE * (int(over[0]) + 2)
        at = [curve.unknown for curve in turning]
        s = course[:until] @ flow.P[at].T + flow.Q[at] @ f
        s -= [self._corner(curve) for curve in turning]
        sides = np.array([1.0 if bits[curve.bit] else -1.0 for curve in turning])
        noise = np.abs(course[:until]) @ flow.noise[at].T + flow.noise_f[at] @ np.abs(f)
        return not bool((-sides * s > ROUNDING * noise).any())

    def _beyond(self, flow: Flow, f: Vector, z: Vector, bits: Bits, turning: list[Curve]) -> Vector:
        """How far each element is beyond its corner, more than rounding; not above zero: on its side."""
        at = [curve.unknown for curve in turning]
        s = flow.P[at] @ z + flow.Q[at] @ f
        s -= [self._corner(curve) for curve in turning]
        noise = ROUNDING * (flow.noise[at] @ np.abs(z) + flow.noise_f[at] @ np.abs(f))
        sides = np.array([1.0 if bits[curve.bit] else -1.0 for curve in turning])
        return np.asarray(-sides * s - noise)

    def _find_sides(self, z: Vector, bits: Bits, turning: list[Curve]) -> bool:
        """Sides of all elements for given storages, put into `bits`: with leaks there is one answer.
        Turning all that are beyond is quick; turning the first of them always ends (Murty 1974, "Note
        on a Bard-type scheme for solving the complementarity problem", for P-matrices)."""
        quick = 4 * len(turning)
        for turn in range(quick + MOST_SINGLE):
            flow = self._flow(bits)
            if flow is None:
                return False
            beyond = np.flatnonzero(self._beyond(flow, self._rest(bits), z, bits, turning) > 0.0)
            if len(beyond) == 0:
                return True
            for k in beyond if turn < quick else beyond[:1]:
                bits[turning[k].bit] = not bits[turning[k].bit]
        return False

    def _until_corner(
        self, flow: Flow, f: Vector, z: Vector, bits: Bits, turning: list[Curve], size: Vector
    ) -> tuple[Vector, Curve | None] | None:
        """Storages where the first element reaches its corner, or without one where all is at rest."""
        d = len(z)
        motion = np.zeros((d + 1, d + 1))  # of z and of one, in units of their sizes
        motion[:d, :d] = flow.M * size / size[:, None]
        motion[:d, d] = (flow.G @ f) / size
        here = np.append(z / size, 1.0)
        step = first_step(motion, LASTS * self.units.tau / PER_OCTAVE)
        change = exponential(motion * step)
        gone = 0.0
        slope = motion @ here
        while gone < LONGEST * self.units.tau:
            for _ in range(PER_OCTAVE):
                there = here + change @ here
                beyond = self._beyond(flow, f, there[:d] * size, bits, turning)
                if (beyond > 0.0).any():
                    return self._at_corner(flow, f, motion, step, here, bits, turning, size)
                here = there
                gone += step
            now = motion @ here
            if gone >= LASTS * self.units.tau and float(np.abs(now - slope).max()) * gone < AT_REST:
                return (here - gone * now)[:d] * size, None
            slope = now
            change = 2.0 * change + change @ change
            step *= 2.0
        return None

    def _at_corner(
        self, flow: Flow, f: Vector, motion: Vector, step: float, here: Vector, bits: Bits,
        turning: list[Curve], size: Vector,
    ) -> tuple[Vector, Curve | None]:  # fmt: skip
        """The corner lies within the next step: go on by halves of it that stay before the corner."""
        d = len(size)
        fired = None
        for change in _halves(motion, step):
            there = here + change @ here
            beyond = self._beyond(flow, f, there[:d] * size, bits, turning)
            if (beyond > 0.0).any():
                fired = turning[int(np.argmax(beyond))]
            else:
                here = there
        return here[:d] * size, fired


def _halves(motion: Vector, step: float) -> list[Vector]:
    """exp - 1 of a step, its half, its quarter ..., then once more the last."""
    steps = [step * 0.5**k for k in range(FINER)]
    norm = float(np.abs(motion).sum(axis=1).max())
    found = [exponential(motion * h) for h in steps if h * norm <= SHORT]
    while len(found) < len(steps):
        found.insert(0, 2.0 * found[0] + found[0] @ found[0])
    return [*found, found[-1]]
