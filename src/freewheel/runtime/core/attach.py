"""The implicit core of a model in motion: its arrays, its modes, and the sections that contain it.

    attached = AttachedCore(live, settings)
    live.use_core(attached)                     # sections of the model are wrapped from now on
    attached.impulses, attached.modes, attached.warnings

Kernels come back here only for a mode they meet for the first time, for matrices of a nonlinear mode
that have moved on, and to tell of an impulse.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod, proxy

import numpy as np

from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.result.impulses import Impulse
from freewheel.runtime.core.analyse import ModeFacts, analyse_mode
from freewheel.runtime.core.arrays import fresh_arrays
from freewheel.runtime.core.bounds import bounds_of, room_for
from freewheel.runtime.core.impact import LEAST_INDEX, is_impact
from freewheel.runtime.core.latches import conduct_at_rest
from freewheel.runtime.core.model import CoreModel
from freewheel.runtime.core.pieces import as_they_start, search, without_impulse
from freewheel.runtime.core.problem import Core
from freewheel.runtime.core.words import (
    contradiction,
    drowned,
    floating,
    folded,
    impulse_error,
    impulse_warning,
    inelastic,
    no_agreement,
    no_mode,
)
from freewheel.runtime.kernels import core_places as at
from freewheel.runtime.kernels import core_table as table
from freewheel.runtime.kernels.core_sections import core_sections
from freewheel.runtime.kernels.core_visits import core_visits
from freewheel.runtime.kernels.drive import driver
from freewheel.runtime.methods import CORE_EULER
from freewheel.runtime.model import CompiledModel, Section, Vector
from freewheel.runtime.workspace import Integers

if TYPE_CHECKING:
    from freewheel.runtime.live import LiveModel
    from freewheel.runtime.settings import Settings

SECTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
REFRESH = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_double)
FIRST_MODES = 16
MOST_MODES = 1 << 16
FIRST_STEP = 1e-3  # of the longest: the first mode may know better
LOOK_AHEAD = 1e-2  # of the first step: how far the selection of the first mode looks
# Leaks below: what passes an open element and what is left at a closed one, one beside the other, are
# farther apart than rounding allows.
DROWNED = 5e-10
WRAPPED = {
    "initial": "core_start",
    "derivatives": "core_derivatives",
    "relations": "core_relations",
    "discrete": "core_discrete",
}


class AttachedCore:
    def __init__(self, live: LiveModel, settings: Settings) -> None:
        model = live.model
        assert model.core is not None
        self.live: LiveModel = proxy(live)  # which holds this core
        self.model = model
        self.core: CoreModel = model.core
        self.settings = settings
        self.problem = _problem_of(model, model.core, live.memory, settings.span)
        self.n = len(model.states)
        self.modes: list[tuple[bool, ...]] = []
        self._number_of: dict[tuple[bool, ...], int] = {}
        self.facts: list[ModeFacts] = []
        self._floating: dict[int, Diagnostic] = {}  # mode -> what it leaves open
        self._impulses_of: dict[tuple[str, ...], list[float]] = {}  # elements -> when
        self.impulses: list[Impulse] = []
        self.unkept: Diagnostic | None = None  # fixed start values that do not hold
        self._impact: Diagnostic | None = None  # the first impulse that is a choice
        self._judged: set[tuple[int, int]] = set()  # changes of mode that were asked about
        self.raised: BaseException | None = None
        self._lay_out()
        asked = WeakMethod(self._asked)  # a C function must not hold whoever holds it
        self._callback = REFRESH(lambda *place: _call(asked, *place))
        self.k: Integers = np.zeros(table.K_SIZE, np.int64)
        self._fill_table()
        self.addresses: Mapping[str, int] = {
            name: core_sections.address(kernel) for name, kernel in WRAPPED.items()
        }
        self.sections: Mapping[str, Section] = {
            name: self._python(address) for name, address in self.addresses.items()
        }

    # ------------------------------------------------------------ arrays

    def _lay_out(self) -> None:
        core, settings, n = self.core, self.settings, self.n
        elements = len(core.elements)
        # steps follow the sources by themselves; the output grid has no say
        longest = min(settings.longest_step or settings.span, settings.span) or 1.0
        self.longest = longest
        tolerance = max(0.1 * settings.tolerance, 2.3e-14)
        sizes = np.array(core.nominals) if core.nominals else np.ones(n)
        w, c = fresh_arrays(self.problem, tolerance, 1e-2 * tolerance * sizes)
        w[at.H_MAX], w[at.H] = longest, FIRST_STEP * longest
        w[at.LOOK] = LOOK_AHEAD * w[at.H]
        if settings.solver == CORE_EULER:
            c[at.FIRST_ORDER] = 1
            w[at.H_MAX] = w[at.H] = settings.output_interval
        self.c, self.w = c, w
        words = max((len(core.bit_names) + 61) // 62, 1)
        self.records = np.zeros(FIRST_MODES * at.stride(n))
        self.pivots = np.zeros(FIRST_MODES * 2 * n, np.int64)
        self.keys = np.zeros(FIRST_MODES * words, np.int64)
        self.seen = np.zeros(FIRST_MODES, np.int64)
        self.bounds = np.zeros(FIRST_MODES, np.int64)
        self._bodies: dict[int, Vector] = {}  # what `bounds` points to
        self._room = np.zeros(0)
        self.basis = np.zeros(max(n, elements) + 1, np.int64)
        self.extra = np.zeros(table.X_HEAD + table.X_VECTORS * n)
        self.extra[table.X_TIME] = self.extra[table.X_CAUSE_TIME] = np.inf
        statuses = [(e.bit, slot, int(sense)) for e in core.elements for slot, sense in e.statuses]
        self.statuses = np.array(statuses, np.int64).reshape(-1, 3)
        number_of = {r.status: i for i, r in enumerate(self.model.relations)}
        pairs = [(self.model.relations[number_of[slot]].residual, slot) for _, slot, _ in statuses]
        self.residuals = np.array(pairs, np.int64).reshape(-1, 2)
        relations = [number_of[e.statuses[0][0]] if e.statuses else 0 for e in core.elements]
        self.relations = np.array(relations or [0], np.int64)

    def _fill_table(self) -> None:
        core, k = self.core, self.k
        k[table.K_RATES] = k[table.K_MODEL_RATES] = core.rates
        k[table.K_MODEL_JACOBIANS] = core.jacobians
        k[table.K_JACOBIANS] = core_sections.address("jacobians_anywhere")
        self._spare = np.zeros(8 * self.n)
        k[table.K_SPARE] = self._spare.ctypes.data
        k[table.K_SWITCHES], k[table.K_SETTLED] = core.switches, core.settled
        k[table.K_SHELL] = core.shell
        unknowns = [element.unknown for element in core.elements]
        k[table.K_CURVES] = 0 if not unknowns else 1 if len({*unknowns}) < len(unknowns) else 2
        k[table.K_REFRESH] = ctypes.c_void_p.from_buffer(self._callback).value or 0
        k[table.K_STRIDE] = at.stride(self.n)
        nothing = driver.address("nothing")
        for place, name in (
            (table.K_DERIVATIVES, "derivatives"),
            (table.K_DISCRETE, "discrete"),
            (table.K_RELATIONS, "relations"),
            (table.K_INITIAL, "initial"),
        ):
            k[place] = self.model.addresses.get(name, nothing)
        k[table.K_STATES], k[table.K_SLOPES] = self.model.states.start, self.model.derivatives.start
        k[table.K_TIME], k[table.K_AWAKE] = self.model.time, self.model.awake
        k[table.K_STATUS_COUNT], k[table.K_RESIDUAL_COUNT] = len(self.statuses), len(self.residuals)
        for place, array in (
            (table.K_W, self.w),
            (table.K_C, self.c),
            (table.K_BASIS, self.basis),
            (table.K_EXTRA, self.extra),
            (table.K_STATUSES, self.statuses),
            (table.K_RESIDUALS, self.residuals),
            (table.K_ELEMENT_RELATIONS, self.relations),
        ):
            k[place] = array.ctypes.data
        self._point_to_records()

    def _point_to_records(self) -> None:
        """They move when they grow."""
        self.k[table.K_RECORDS] = self.records.ctypes.data
        self.k[table.K_PIVOTS] = self.pivots.ctypes.data
        self.k[table.K_KEYS] = self.keys.ctypes.data
        self.k[table.K_SEEN] = self.seen.ctypes.data
        self.k[table.K_BOUNDS] = self.bounds.ctypes.data

    def _python(self, address: int) -> Section:
        function = SECTION(address)

        def section(memory: Vector) -> int:
            return int(function(memory.ctypes.data))

        return section

    @property
    def address(self) -> int:
        """Of the table, which never moves."""
        return int(self.k.ctypes.data)

    @property
    def address_in_mode(self) -> int:
        """Of a section: y, y' and the shell at any point, in a mode that has been visited."""
        return core_visits.address("core_in_mode")

    def follow_inputs(self, slots: Sequence[int], numbers: Sequence[float]) -> None:
        """Straight pieces of inputs (t0, y0, slope, t1, y1 of each), as long as they hold."""
        k = self.k
        self._slots = np.array(slots, np.int64)
        self._lines = np.array(numbers, np.float64)
        k[table.K_INPUTS] = len(slots)
        k[table.K_INPUT_SLOTS], k[table.K_LINES] = self._slots.ctypes.data, self._lines.ctypes.data
        k[table.K_RATES] = core_sections.address("rates_with_inputs")
        self.c[at.TIMELESS] = 0

    def vector(self, place: int) -> Vector:
        start = at.HEAD + place * self.n
        return self.w[start : start + self.n]

    @property
    def largest(self) -> Vector:
        """Of each unknown, so far."""
        return self.vector(at.EVER)

    # ------------------------------------------------------------ what kernels ask for

    def _asked(self, mode: int, place: int, t: float) -> int:
        try:
            if mode == table.TELL:
                self._tell_impulse(t)
            elif mode == table.PRESENT:
                self.visit(place, t)
            elif mode in (table.BY_START, table.BY_PIECE):
                return 0 if (as_they_start if mode == table.BY_START else search)(self, t) else 1
            elif mode == table.UNBROKEN:
                without_impulse(self, t)
            elif mode == table.AT_REST:
                conduct_at_rest(self, t)
            else:
                return self._refresh(mode, place, t)
        except BaseException as problem:  # C code cannot pass it on: `check` does
            self.raised = self.raised or problem
            return 1
        return 0

    def visit(self, place: int, t: float) -> None:
        """Analyse the mode of the present bits: a new one, or one whose matrices have moved on."""
        bits = self.present_bits()
        number = self._number_of.get(bits)
        is_new = number is None
        if number is None:
            number = len(self.modes)
            self._add(bits, number)
        self.c[at.FRESH] = 1
        if not is_new and self._holds(number):
            return
        try:
            facts = self._analyse(number, place, t)
        except SimulationError:
            if is_new:  # values at another place may do: it must not be taken for one that is known
                self._forget(bits)
            raise
        if is_new:
            self.facts.append(facts)
            if facts.free:
                self._floating[number] = floating(self.problem, facts, t)

    def _add(self, bits: tuple[bool, ...], number: int) -> None:
        assert number < MOST_MODES, "more modes than anyone visits"
        stride = at.stride(self.n)
        if (number + 1) * stride > len(self.records):
            self.records = np.concatenate([self.records, np.zeros_like(self.records)])
            self.pivots = np.concatenate([self.pivots, np.zeros_like(self.pivots)])
            self.keys = np.concatenate([self.keys, np.zeros_like(self.keys)])
            self.seen = np.concatenate([self.seen, np.zeros_like(self.seen)])
            self.bounds = np.concatenate([self.bounds, np.zeros_like(self.bounds)])
            self._point_to_records()
        words = (len(bits) + 61) // 62
        for word in range(words):
            key = 0
            for bit in bits[62 * word : 62 * word + 62]:
                key = 2 * key + bit
            self.keys[number * words + word] = key
        self.modes.append(bits)
        self._number_of[bits] = number
        self.c[at.MODES] = len(self.modes)

    def _forget(self, bits: tuple[bool, ...]) -> None:
        """The last mode."""
        self.modes.pop()
        del self._number_of[bits]
        self.c[at.MODES] = len(self.modes)

    def _analyse(self, number: int, place: int, t: float) -> ModeFacts:
        stride = at.stride(self.n)
        record = self.records[number * stride : (number + 1) * stride]
        good = record[at.H_GOOD]
        y, slope = self.vector(place).copy(), self.vector(at.SLOPE).copy()
        self._to_their_sides(y)
        facts = analyse_mode(self.problem, t, y, slope, record)
        record[at.H_GOOD] = good
        if record[at.UNSEEN] > 0.0:
            self._bound(number, record, y)
        return facts

    def _to_their_sides(self, y: Vector) -> None:
        """As `kernels.core_sizes.to_their_sides`: matrices are those of the branch they belong to."""
        memory = self.live.memory
        for element in self.core.elements:
            if not self.core.is_differential[element.unknown]:
                corner = memory[element.at] if element.at >= 0 else 0.0
                nearest = max if memory[self.core.bits + element.bit] > 0.5 else min
                y[element.unknown] = nearest(y[element.unknown], corner)

    def _bound(self, number: int, record: Vector, y: Vector) -> None:
        """Relations that look at what the mode leaves open."""
        body = bounds_of(self.live, record, y)
        if body is None:
            return
        self._bodies[number] = body
        self.bounds[number] = body.ctypes.data
        needed = room_for(int(record[at.UNSEEN]), int(body[0]))
        if needed > len(self._room):
            self._room = np.zeros(needed)
            self.k[table.K_BOUND_ROOM] = self._room.ctypes.data

    def _refresh(self, number: int, place: int, t: float) -> int:
        """Where the matrices of a mode have moved on."""
        y, slope = self.vector(place), self.vector(at.SLOPE)
        if not (np.isfinite(y).all() and np.isfinite(slope).all()):
            return 1
        if not self._holds(number):
            self._analyse(number, place, t)
        return 0

    def _holds(self, number: int) -> bool:
        """Whether what was found of a mode is true everywhere; where something is open, what is chosen
        for it depends on all rows."""
        return self.core.is_steady and not self.facts[number].free

    def present_bits(self) -> tuple[bool, ...]:
        first = self.core.bits
        stored = self.live.memory[first : first + len(self.core.bit_names)]
        return tuple(bool(b) for b in stored > 0.5)

    def put_elements(self, bits: Sequence[bool]) -> None:
        """Elements that nothing holds, as they are in a mode; the model's own switches stay."""
        memory = self.live.memory
        for element in self.core.elements:
            if element.held < 0 or memory[element.held] == 0.0:
                memory[self.core.bits + element.bit] = bits[element.bit]

    # ------------------------------------------------------------ impulses and failures

    def _tell_impulse(self, t: float) -> None:
        n = self.n
        start = table.X_HEAD + table.X_IMPULSE * n
        strengths = self.extra[start : start + n]
        rows = [i for i in np.flatnonzero(strengths).tolist() if i not in self.core.derived]
        found = [self._impulse(i, float(strengths[i]), t) for i in self._telling(rows)]
        if not found:  # a jump of what is stored nowhere
            return
        self.impulses += found
        names = list(dict.fromkeys(impulse.element or impulse.equation for impulse in found))
        if self.settings.impulses == "error":
            raise SimulationError(impulse_error(self.problem, t, names))
        self._impulses_of.setdefault(tuple(names), []).append(t)
        if self._impact is None:
            self._impact = self._inelastic(t)

    def _telling(self, rows: list[int]) -> list[int]:
        """Without those that only name a rate that counts nowhere, unless there are no others."""
        silent = {row for row, slot, _ in self.core.balances if slot < 0}
        return [row for row in rows if row not in silent] or rows

    def _impulse(self, row: int, strength: float, t: float) -> Impulse:
        text = self.core.equations[row]
        for number, slot, balance in self.core.balances:
            if number == row and slot >= 0:
                strength, text = strength * abs(float(self.live.memory[slot])), balance
        return Impulse(t, self.core.origins[row], text, strength)

    def _inelastic(self, t: float) -> Diagnostic | None:
        """Where the jump that has just been made is a choice; at the start it is none of the model."""
        before = int(self.c[at.MODE_BEFORE])
        bits = self.present_bits()
        number = self._number_of.get(bits, -1)
        if min(before, number) < 0 or self.facts[number].index < LEAST_INDEX:
            return None
        if (before, number) in self._judged:
            return None
        self._judged.add((before, number))
        if not is_impact(self.problem, t, self.vector(at.SAVED).copy()):
            return None
        turned = [
            name
            for name, old, new in zip(self.core.bit_names, self.modes[before], bits, strict=True)
            if old != new
        ]
        return inelastic(self.problem, turned, t)

    @property
    def warnings(self) -> list[Diagnostic]:
        """One for each set of elements, however often it happens."""
        told = [warning for mode, warning in self._floating.items() if self._has_moved(mode)]
        leaks = self._drowned_leaks()
        if leaks:
            told.append(drowned(self.problem, leaks))
        if self.unkept is not None:
            told.append(self.unkept)
        if self.settings.impulses != "warn":
            return told
        impulses = [impulse_warning(self.problem, at, of) for of, at in self._impulses_of.items()]
        return [*told, *impulses, *([] if self._impact is None else [self._impact])]

    def _drowned_leaks(self) -> list[str]:
        """Parameters that would make elements ideal if they were zero, and are next to nothing."""
        memory = self.live.memory
        small = {slot for slot, _ in self.model.decisive if 0.0 < abs(memory[slot]) < DROWNED}
        return [info.name for info in self.model.variables if info.slot in small]

    def _has_moved(self, mode: int) -> bool:
        """Whether a step was made in a mode; others were only thought of while one was chosen."""
        return bool(self.records[mode * at.stride(self.n) + at.H_GOOD] > 0.0)

    def flush(self) -> None:
        """At the end of a run: an impulse that no step has followed."""
        core_sections.callable("flush_impulse")(self.address)
        self.check()

    def check(self) -> None:
        """Raise what a callback has raised."""
        if self.raised is not None:
            problem, self.raised = self.raised, None
            raise problem

    def failure(self, t: float) -> SimulationError:
        """After a section gave the status CORE_FAILED."""
        self.check()
        code = int(self.k[table.K_FAILED])
        bits = self.present_bits()
        if code == at.CONTRADICTION:
            mode = self._number_of.get(bits)
            facts = self.facts[mode] if mode is not None else self.facts[int(self.c[at.MODE])]
            return SimulationError(contradiction(self.problem, facts, bits, t))
        if code == at.FOLDED:
            unknown = self.core.elements[int(self.c[at.CAUSE])].unknown
            value = float(self.vector(at.SAVED)[unknown])
            return SimulationError(folded(self.problem, unknown, value, t))
        if code == table.NO_AGREEMENT:
            return SimulationError(no_agreement(self.problem, bits, t))
        return SimulationError(no_mode(self.problem, bits, t))

    @property
    def stats(self) -> dict[str, int]:
        return {
            "modes visited": int(self.seen.sum()),
            "modes analysed": len(self.modes),
            "highest index": max((facts.index for facts in self.facts), default=0),
            "mode selections": int(self.c[at.SELECTIONS]),
        }


def _problem_of(model: CompiledModel, core: CoreModel, memory: Vector, span: float) -> Core:
    """As the analysis of modes knows a core."""
    rates = ctypes.CFUNCTYPE(
        ctypes.c_int64, ctypes.c_void_p, ctypes.c_double, ctypes.c_int64, ctypes.c_void_p,
        ctypes.c_void_p,
    )(core.rates)  # fmt: skip
    jacobians = ctypes.CFUNCTYPE(
        ctypes.c_int64, ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p,
        ctypes.c_void_p,
    )(core_sections.address("jacobians_anywhere"))  # fmt: skip

    def call_rates(m: Vector, t: float, order: int, ys: Vector, out: Vector) -> int:
        return int(rates(_at(m), t, order, _at(ys), _at(out)))

    def call_jacobians(m: Vector, t: float, y: Vector, slope: Vector, out: Vector) -> int:
        return int(jacobians(_at(m), t, _at(y), _at(slope), _at(out)))

    return Core(
        name=model.name,
        unknowns=tuple(info.name for info in model.state_infos),
        equations=core.equations,
        bit_names=core.bit_names,
        elements=core.elements,
        memory=memory,
        bits=core.bits,
        start=np.zeros(len(model.states)),
        is_linear=core.is_linear,
        listeners=core.listeners,
        span=span,
        is_timeless=core.is_timeless,
        is_steady=core.is_steady,
        known=core.known,
        rates=call_rates,
        jacobians=call_jacobians,
        rates_address=core.rates,
        jacobians_address=core.jacobians,
    )


def _call(asked: WeakMethod[Any], *place: Any) -> int:
    method = asked()
    assert method is not None, "kernels of a run that has ended"
    return int(method(*place))


def _at(array: Any) -> int:
    return int(array.ctypes.data)
