"""The implicit core of a model in motion: its record, its modes, and the sections that contain it.

    attached = AttachedCore(live, settings)
    live.use_core(attached)                     # sections of the model are wrapped from now on
    attached.record                             # `switched_dae/memory.py`
    attached.impulses, attached.modes, attached.warnings

Kernels come back here only for a mode they meet for the first time, for matrices of a nonlinear mode
that have moved on, and to report an impulse.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakMethod, proxy

import numpy as np

from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.base.stop import raise_if_asked
from freewheel.machine.kernel import KernelModule
from freewheel.machine.memory import Closure, address_of, bind, memory_of
from freewheel.result.impulses import Impulse
from freewheel.runtime.callbacks import Callbacks
from freewheel.runtime.diagnostics import section_failed
from freewheel.runtime.integrators.registry import CORE, CORE_EULER
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.model import FINE, Section, Vector
from freewheel.runtime.switched_dae import folds
from freewheel.runtime.switched_dae import memory as at
from freewheel.runtime.switched_dae.arrays import Written, add_mode, new_core
from freewheel.runtime.switched_dae.bounds import put_bounds
from freewheel.runtime.switched_dae.diagnostics import (
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
from freewheel.runtime.switched_dae.equations import jacobians_anywhere, rates_with_inputs
from freewheel.runtime.switched_dae.folds import Motion, aside
from freewheel.runtime.switched_dae.impulses import LEAST_INDEX, is_impact
from freewheel.runtime.switched_dae.latches import conduct_at_rest
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.mode_analysis import ModeFacts, analyse_mode
from freewheel.runtime.switched_dae.mode_visits import core_in_mode, core_visits
from freewheel.runtime.switched_dae.model import CoreModel
from freewheel.runtime.switched_dae.position_search import as_they_start, search, without_impulse
from freewheel.runtime.switched_dae.problem import CoreProblem
from freewheel.runtime.switched_dae.sections import (
    core_derivatives,
    core_discrete,
    core_relations,
    core_sections,
    core_start,
)
from freewheel.runtime.switched_dae.start_guesses import run_from_guesses
from freewheel.runtime.switched_dae.steady_start import find_start
from freewheel.runtime.switched_dae.thresholds import CURVES, RESTART
from freewheel.runtime.thresholds import START

if TYPE_CHECKING:
    from freewheel.runtime.live import LiveModel
    from freewheel.runtime.loop.memory import Loop
    from freewheel.runtime.settings import Settings

Kernel = Callable[..., int]
POINTER = ctypes.c_void_p
SECTION = ctypes.CFUNCTYPE(ctypes.c_int64, POINTER, POINTER)
RATES = ctypes.CFUNCTYPE(ctypes.c_int64, POINTER, ctypes.c_double, ctypes.c_int64, POINTER, POINTER)
JACOBIANS = ctypes.CFUNCTYPE(
    ctypes.c_int64, POINTER, ctypes.c_double, POINTER, POINTER, POINTER, POINTER
)
REFRESH = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_double)
VALUES = ("y", "y1", "before", "saved")  # by AT_Y, AT_Y1, AT_BEFORE, AT_SAVED
SHELL = ("derivatives", "discrete", "relations", "initial")  # sections around the core
SIZES = ("seen", "usual", "largest")  # of a problem: what analyses have met so far
WRAPPED = {
    "initial": core_start,
    "derivatives": core_derivatives,
    "relations": core_relations,
    "discrete": core_discrete,
}


class AttachedCore:
    is_there = True

    def __init__(self, live: LiveModel, settings: Settings) -> None:
        model = live.model
        self.live: LiveModel = proxy(live)  # which holds this core
        self.model = model
        self.core: CoreModel = model.core
        self.settings = settings
        self.problem = _problem_of(self)
        self.n = len(model.states)
        self.modes: list[tuple[bool, ...]] = []
        self._number_of: dict[tuple[bool, ...], int] = {}
        self.facts: list[ModeFacts] = []
        self._records: list[Mode] = []  # of modes, also of those that were taken back
        self._floating: dict[int, Diagnostic] = {}  # mode -> what it leaves open
        self._impulses_of: dict[tuple[str, ...], list[float]] = {}  # elements -> when
        self.impulses: list[Impulse] = []
        self.unkept: Diagnostic | None = None  # fixed start values that do not hold
        self._impact: Diagnostic | None = None  # the first impulse that is a choice
        self._judged: set[tuple[int, int]] = set()  # changes of mode that were asked about
        self.raised: BaseException | None = None
        self.may_start_on_fold = False  # some mode that was thought of there has one
        asked = WeakMethod(self._asked)  # a C function must not hold whoever holds it
        self._refresh_there = lambda *place: _call(asked, *place)
        self._callback = REFRESH(self._refresh_there)
        self._callbacks = Callbacks()
        self.record = self._allocated()
        self._fill()
        self._bind()
        self.addresses: Mapping[str, Closure] = {
            name: self._closure(kernel) for name, kernel in WRAPPED.items()
        }
        self.sections: Mapping[str, Section] = {
            name: self._python(closure) for name, closure in self.addresses.items()
        }

    # ------------------------------------------------------------ records

    def _allocated(self) -> Core:
        core, settings = self.core, self.settings
        # steps follow the sources by themselves; the output grid has no say
        longest = min(settings.longest_step or settings.span, settings.span) or 1.0
        tolerance = max(START.share_of_step * settings.tolerance, START.least_tolerance)
        sizes = np.array(core.nominals) if core.nominals else np.ones(self.n)
        record = new_core(
            self.live.records,
            self.problem,
            tolerance,
            START.share_of_unsaid_nominal * tolerance * sizes,
        )
        record.h_max, record.h = longest, RESTART.first_step_of_longest * longest
        record.look = RESTART.first_look * record.h
        if settings.solver == CORE_EULER:
            record.is_first_order = 1
            record.h_max = record.h = settings.output_interval
        return record

    def _fill(self) -> None:
        core, record, model = self.core, self.record, self.model
        statuses = [(e.bit, slot, sense) for e in core.elements for slot, sense in e.statuses]
        number_of = {r.status: i for i, r in enumerate(model.relations)}
        residuals = [model.relations[number_of[slot]].residual for _, slot, _ in statuses]
        memory_of(record).resize(record, status_count=len(statuses))
        for name, numbers in (
            ("bit_slot", [core.bits + bit for bit, _, _ in statuses]),
            ("status_slot", [slot for _, slot, _ in statuses]),
            ("residual_slot", residuals),
            ("sense", [int(sense) for _, _, sense in statuses]),
        ):
            record.statuses.column(name)[:] = numbers
        record.elements.column("relation")[:] = [
            number_of[e.statuses[0][0]] if e.statuses else 0 for e in core.elements
        ]
        record.time_slot, record.awake_slot = model.time, model.awake
        record.states_slot, record.slopes_slot = model.states.start, model.derivatives.start
        record.settled_slot, record.shell_count = core.settled, core.shell
        unknowns = [element.unknown for element in core.elements]
        record.curves = 0 if not unknowns else 1 if len({*unknowns}) < len(unknowns) else 2

    def _bind(self) -> None:
        core, known = self.core, self.model.addresses
        nothing = driver.address("nothing")
        address = ctypes.c_void_p.from_buffer(self._callback).value or 0
        bind(
            self.record,
            rates=core.rates,
            model_rates=core.rates,
            jacobians=self._closure(jacobians_anywhere),
            model_jacobians=core.jacobians,
            switches=core.switches,
            refresh=(address, self._refresh_there),
            **{name: known.get(name, nothing) for name in SHELL},
        )

    def _closure(self, kernel: Kernel, module: KernelModule = core_sections) -> Closure:
        """A kernel with the record of the core as its context."""
        return Closure(self.record, module.address(kernel.__name__), kernel)

    def _python(self, closure: Closure) -> Section:
        function, context = SECTION(closure.address), self.address

        def section(memory: Vector) -> int:
            return int(function(memory.ctypes.data, context))

        return section

    @property
    def method(self) -> str:
        """That takes the steps, as long as nothing is held."""
        return CORE_EULER if self.settings.solver == CORE_EULER else CORE

    def join(self, loop: Loop) -> None:
        """From now on the loop knows the record."""
        loop.core = self.record
        forget = WeakMethod(self.forget_trials)

        def forgotten() -> int:
            method = forget()
            assert method is not None, "kernels of a run that has ended"
            method()
            return 0

        bind(loop, forget_failed_trials=self._callbacks.made(forgotten))

    def run_initial(self, live: LiveModel) -> None:
        run_from_guesses(live, self)
        find_start(live, self)

    def mode_sections(
        self, derivatives: int | Closure, relations: int | Closure
    ) -> tuple[int | Closure, int | Closure]:
        """Its corners are relations like others, while a hold lasts."""
        return self.section_in_mode, self.model.addresses.get(
            "relations", driver.address("nothing")
        )

    @property
    def address(self) -> int:
        """Of the record."""
        return address_of(self.record)

    def call(self, kernel: Kernel, *arguments: float) -> int:
        """A kernel that looks at the core and at the memory of the model."""
        compiled = core_sections.callable(kernel.__name__)
        return int(compiled(self.address, self.live.address, *arguments))

    def visit_section(self, kernel: Kernel) -> Closure:
        """Of `switched_dae/mode_visits.py`, for methods that are not the core's own."""
        return self._closure(kernel, core_visits)

    @property
    def section_in_mode(self) -> Closure:
        """y, y' and the shell at any point, in a mode that has been visited."""
        return self.visit_section(core_in_mode)

    def forget_step_sizes(self) -> None:
        """In no mode is it known which one is good."""
        for mode in self._records:
            mode.h_good = 0.0

    def follow_inputs(self, slots: Sequence[int], numbers: Sequence[float]) -> None:
        """Straight pieces of inputs (t0, y0, slope, t1, y1 of each), as long as they hold."""
        memory_of(self.record).resize(self.record, input_count=len(slots))
        self.record.input_slots[:] = slots
        self.record.input_lines[:] = numbers
        bind(self.record, rates=self._closure(rates_with_inputs))
        self.record.is_timeless = 0

    @property
    def largest(self) -> Vector:
        """Of each unknown, so far."""
        return np.asarray(self.record.ever)

    @cached_property
    def written(self) -> Written:
        return Written(self.record)

    @property
    def mode(self) -> Mode:
        """The present one."""
        return self._records[self.record.mode]

    # ------------------------------------------------------------ a saved run

    def state(self) -> dict[str, Any]:
        """Besides the record."""
        bits = np.array(self.modes, dtype=np.bool_).reshape(len(self.modes), -1)
        return {
            "modes": bits,
            "sizes": [getattr(self.problem, name) for name in SIZES],
            "facts": [astuple(facts) for facts in self.facts],
            "floating": list(self._floating.items()),
            "times of impulses": list(self._impulses_of.items()),
            "impulses": [astuple(impulse) for impulse in self.impulses],
            "unkept": self.unkept,
            "impact": self._impact,
            "judged": sorted(self._judged),
            "may start on fold": self.may_start_on_fold,
        }

    def take_state(self, saved: Mapping[str, Any]) -> None:
        """Once the record holds what it held."""
        record = self.record
        for name, numbers in zip(SIZES, saved["sizes"], strict=True):
            getattr(self.problem, name)[:] = numbers
        self.modes = [tuple(bits) for bits in saved["modes"].tolist()]
        self._number_of = {bits: number for number, bits in enumerate(self.modes)}
        self.facts = [
            ModeFacts(index, states, tuple(free), tuple(contradicting))
            for index, states, free, contradicting in saved["facts"]
        ]
        assert record.mode_count == len(self.modes) == len(self.facts), "modes of the core"
        self._records = [record.visited[number].mode for number in range(record.modes_made)]
        self._floating = dict(saved["floating"])
        self._impulses_of = {tuple(names): times for names, times in saved["times of impulses"]}
        self.impulses = [Impulse(*numbers) for numbers in saved["impulses"]]
        self.unkept, self._impact = saved["unkept"], saved["impact"]
        self._judged = {(before, number) for before, number in saved["judged"]}
        self.may_start_on_fold = bool(saved["may start on fold"])

    # ------------------------------------------------------------ what kernels ask for

    def _asked(self, what: int, which: int, t: float) -> int:
        values = getattr(self.record, VALUES[which])
        try:
            raise_if_asked()
            if what == at.GO_ON:
                return 0
            if what == at.REPORT:
                self._report_impulse(t)
            elif what == at.PRESENT:
                self.visit(np.asarray(values), t)
            elif what in (at.BY_START, at.BY_PIECE):
                return 0 if (as_they_start if what == at.BY_START else search)(self, t) else 1
            elif what == at.UNBROKEN:
                without_impulse(self, t)
            elif what == at.AT_REST:
                conduct_at_rest(self, t)
            else:
                return self._refresh(what, np.asarray(values), t)
        except BaseException as problem:  # C code cannot pass it on: `check` does
            self.raised = self.raised or problem
            self.record.is_stopped = int(not isinstance(problem, SimulationError))
            return 1
        return 0

    def visit(self, values: Vector, t: float) -> None:
        """Analyse the mode of the present bits at some values: a new one, or one whose matrices have moved
        on."""
        bits = self.present_bits()
        number = self._number_of.get(bits)
        is_new = number is None
        if number is None:
            number = len(self.modes)
            self._add(bits, number)
        self.record.is_fresh = 1
        if not is_new and self._holds(number):
            return
        try:
            facts = self._analyse(number, values, t)
        except SimulationError:
            if is_new:  # values at another place may do: it must not be taken for one that is known
                self._forget(bits)
            raise
        if is_new:
            self.facts.append(facts)
            if facts.free:
                self._floating[number] = floating(self.problem, facts, t)

    def _add(self, bits: tuple[bool, ...], number: int) -> None:
        mode = add_mode(self.record, bits)
        if number == len(self._records):
            self._records.append(mode)
        self.modes.append(bits)
        self._number_of[bits] = number

    def _forget(self, bits: tuple[bool, ...]) -> None:
        """The last mode."""
        self.modes.pop()
        del self._number_of[bits]
        self.record.mode_count = len(self.modes)

    def _analyse(self, number: int, values: Vector, t: float) -> ModeFacts:
        mode = self._records[number]
        y, slope = values.copy(), np.array(self.record.slope)
        self._to_their_sides(y)
        if t == self.settings.start and not self.core.is_linear and not self.core.is_steady:
            y = self._off_fold(t, y)
        facts = analyse_mode(self.problem, t, y, slope, mode)
        if mode.unseen > 0 or mode.bound_count > 0:
            put_bounds(self.live, self.record, mode, y)
        return facts

    def _off_fold(self, t: float, y: Vector) -> Vector:
        """At a start on a fold a curve has no slope, and what it gives would be taken for constrained: the
        mode is that of a point aside."""
        motion = self.start_on_fold(t, y)
        if motion is None:
            return y
        self.may_start_on_fold = True
        return aside(motion)

    def _to_their_sides(self, y: Vector) -> None:
        """As `kernels.core_sizes.to_their_sides`: matrices are those of the branch they belong to."""
        memory = self.live.memory
        for element in self.core.elements:
            if not self.core.is_differential[element.unknown]:
                corner = memory[element.at] if element.at >= 0 else 0.0
                nearest = max if memory[self.core.bits + element.bit] > 0.5 else min
                y[element.unknown] = nearest(y[element.unknown], corner)

    def _refresh(self, number: int, values: Vector, t: float) -> int:
        """Where the matrices of a mode have moved on."""
        if not (np.isfinite(values).all() and np.isfinite(np.asarray(self.record.slope)).all()):
            return 1
        if not self._holds(number):
            self._analyse(number, values, t)
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

    # ------------------------------------------------------------ folds

    def start_on_fold(self, t: float, y: Vector) -> Motion | None:
        return folds.start_on_fold(self, t, y)

    def start_beside_fold(self, t: float, y: Vector) -> Motion | None:
        return folds.start_on_fold(self, t, y, CURVES.beside)

    def motion(self, t: float, y: Vector) -> Motion:
        return folds.motion_of(self, t, y)

    def only_branch(self, motion: Motion) -> Vector | None:
        return folds.only_branch(self, motion)

    def next_branch(self, motion: Motion) -> Vector | None:
        return folds.next_branch(self, motion)

    # ------------------------------------------------------------ impulses and failures

    def _report_impulse(self, t: float) -> None:
        strengths = np.asarray(self.record.impulse)
        rows = [i for i in np.flatnonzero(strengths).tolist() if i not in self.core.derived]
        found = [self._impulse(i, float(strengths[i]), t) for i in self._reported(rows)]
        if not found:  # a jump of what is stored nowhere
            return
        self.impulses += found
        names = list(dict.fromkeys(impulse.element or impulse.equation for impulse in found))
        if self.settings.impulses == "error":
            raise SimulationError(impulse_error(self.problem, t, names))
        self._impulses_of.setdefault(tuple(names), []).append(t)
        if self._impact is None:
            self._impact = self._inelastic(t)

    def _reported(self, rows: list[int]) -> list[int]:
        """Without those that only name a rate that counts nowhere: nothing is stored there. States around
        the core have no row of their own for what they store, and are reported if nothing else is."""
        silent = {row for row, slot, _ in self.core.balances if slot < 0}
        stored = [row for row in rows if row not in silent]
        return stored or [row for row in rows if row < self.core.shell]

    def _impulse(self, row: int, strength: float, t: float) -> Impulse:
        text = self.core.equations[row]
        for number, slot, balance in self.core.balances:
            if number == row and slot >= 0:
                strength, text = strength * abs(float(self.live.memory[slot])), balance
        return Impulse(t, self.core.origins[row], text, strength)

    def _inelastic(self, t: float) -> Diagnostic | None:
        """Where the jump that has just been made is a choice; at the start it is none of the model."""
        before = self.record.mode_before
        bits = self.present_bits()
        number = self._number_of.get(bits, -1)
        if min(before, number) < 0 or self.facts[number].index < LEAST_INDEX:
            return None
        if (before, number) in self._judged:
            return None
        self._judged.add((before, number))
        if not is_impact(self.problem, t, np.array(self.record.saved)):
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
        found = [warning for mode, warning in self._floating.items() if self._has_moved(mode)]
        leaks = self._drowned_leaks()
        if leaks:
            found.append(drowned(self.problem, leaks))
        if self.unkept is not None:
            found.append(self.unkept)
        if self.settings.impulses != "warn":
            return found
        impulses = [impulse_warning(self.problem, at, of) for of, at in self._impulses_of.items()]
        return [*found, *impulses, *([] if self._impact is None else [self._impact])]

    def _drowned_leaks(self) -> list[str]:
        """Parameters that would make elements ideal if they were zero, and are next to nothing."""
        memory = self.live.memory
        small = {
            slot for slot, _ in self.model.decisive if 0.0 < abs(memory[slot]) < RESTART.drowned
        }
        return [info.name for info in self.model.variables if info.slot in small]

    def _has_moved(self, mode: int) -> bool:
        """Whether a step was made in a mode; others were only thought of while one was chosen."""
        return bool(self._records[mode].h_good > 0.0)

    def flush(self) -> None:
        """At the end of a run: an impulse that no step has followed."""
        core_sections.callable("flush_impulse")(self.address)
        self.check()

    def check(self) -> None:
        """Raise what a callback has raised."""
        if self.raised is not None:
            problem, self.raised = self.raised, None
            raise problem

    def forget_trials(self) -> None:
        """Choices that have no solution were trials."""
        if isinstance(self.raised, SimulationError):
            self.raised = None

    def failure(self, t: float) -> SimulationError:
        """After a section gave the status CORE_FAILED."""
        self.check()
        code = self.record.failed
        bits = self.present_bits()
        if code == at.CONTRADICTION:
            mode = self._number_of.get(bits)
            facts = self.facts[mode] if mode is not None else self.facts[self.record.mode]
            return SimulationError(contradiction(self.problem, facts, bits, t))
        if code == at.FOLDED:
            unknown = self.core.elements[self.record.cause].unknown
            value = float(self.record.saved[unknown])
            return SimulationError(folded(self.problem, unknown, value, t))
        status = self.model.sections["derivatives"](self.live.memory.copy())
        if status != FINE:  # a formula beside the core has no value, whatever the positions are
            return section_failed(self.model, "derivatives", status, t)
        if code == at.NO_AGREEMENT:
            return SimulationError(no_agreement(self.problem, bits, t))
        return SimulationError(no_mode(self.problem, bits, t))

    @property
    def work(self) -> tuple[int, int, int, int]:
        """Evaluations, Jacobians, factorisations, Newton iterations of the core."""
        record = self.record
        return 0, record.jacobian_count, record.factor_count, record.newton_count

    @property
    def stats(self) -> dict[str, int]:
        return {
            "modes visited": sum(mode.was_taken for mode in self._records),
            "modes analysed": len(self.modes),
            "highest index": max((facts.index for facts in self.facts), default=0),
            "mode selections": self.record.selections,
            "Moreau bursts": self.record.bursts,
            "Moreau steps": self.record.burst_steps,
        }


def _problem_of(attached: AttachedCore) -> CoreProblem:
    """As the analysis of modes knows a core."""
    model, core, live = attached.model, attached.core, attached.live
    rates, jacobians = RATES(core.rates), JACOBIANS(core_sections.address("jacobians_anywhere"))

    def call_rates(m: Vector, t: float, order: int, ys: Vector, out: Vector) -> int:
        return int(rates(_at(m), t, order, _at(ys), _at(out)))

    def call_jacobians(m: Vector, t: float, y: Vector, slope: Vector, out: Vector) -> int:
        return int(jacobians(_at(m), t, _at(y), _at(slope), _at(out), attached.address))

    return CoreProblem(
        name=model.name,
        unknowns=tuple(info.name for info in model.state_infos),
        equations=core.equations,
        bit_names=core.bit_names,
        elements=core.elements,
        memory=live.memory,
        bits=core.bits,
        start=np.zeros(len(model.states)),
        is_linear=core.is_linear,
        listeners=core.listeners,
        span=attached.settings.span,
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
