"""Simulate an implicit core by itself: its kernels, compiled or by CPython, in a loop as plain as can be.

result = simulate_core(problem, CoreSettings(stop=0.2, interval=1e-4))
result.values["u2"], result.events, result.impulses
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scheduled import CoreSettings, ScheduledCore

from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.machine.memory import Memory, address_of, bind
from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.arrays import add_mode, new_core
from freewheel.runtime.switched_dae.diagnostics import (
    contradiction,
    floating,
    impulse_error,
    impulse_warning,
    no_mode,
)
from freewheel.runtime.switched_dae.event_location import core_advance, guarded_step
from freewheel.runtime.switched_dae.memory import CONTRADICTION, FINISHED, NEED_MODE, Mode
from freewheel.runtime.switched_dae.mode_analysis import ModeFacts, analyse_mode
from freewheel.runtime.switched_dae.mode_change import settle
from freewheel.runtime.switched_dae.radau_descriptor import consistent_core, inside_core

_REFRESH = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_double)
IMPULSE = 1e-9  # of what the equations store
FIRST_STEP = 1e-3  # of the whole time
LOOK_AHEAD = 1e-2  # of the first step: how far the selection of the first mode looks
MOST_ZERO_STEPS = 30


@dataclass(frozen=True, slots=True)
class CoreEvent:
    time: float
    cause: str  # an element's name, "start" or "logic"
    bits: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Impulse:
    time: float
    equation: str
    strength: float  # E (y+ - y-): flux, charge or momentum


@dataclass(frozen=True, slots=True)
class CoreResult:
    times: Vector
    values: dict[str, Vector]
    events: tuple[CoreEvent, ...]
    impulses: tuple[Impulse, ...]
    warnings: tuple[Diagnostic, ...]
    counts: dict[str, int]
    image: bytes  # of the records


def simulate_core(
    problem: ScheduledCore, settings: CoreSettings, compiled: bool = True
) -> CoreResult:
    run = _Run(problem, settings, compiled)
    run.enter_event(-1)
    while run.core.t < settings.stop or run.core.settled > 0:
        if run.core.settled > 0:
            run.settle()
        elif run.core.t >= run.stop:
            run.set_bits()
        else:
            run.step()
    return run.result()


class _Run:
    def __init__(self, problem: ScheduledCore, settings: CoreSettings, compiled: bool) -> None:
        self.problem, self.settings, self.compiled = problem, settings, compiled
        self.memory = Memory(checked=not compiled)
        absolute = np.full(problem.size, settings.absolute)
        self.core = core = new_core(self.memory, problem, settings.tolerance, absolute)
        core.t = settings.start
        core.h_max, core.h = settings.h_max, FIRST_STEP * (settings.stop - settings.start)
        core.look = LOOK_AHEAD * core.h
        core.is_first_order = int(settings.is_first_order)
        if settings.is_first_order:
            core.h = settings.h_max
        core.y[:] = problem.start
        self.callback = _REFRESH(self.refresh)
        bind(
            core,
            rates=(problem.rates_address, problem.rates),
            jacobians=(problem.jacobians_address, problem.jacobians),
            refresh=(ctypes.cast(self.callback, ctypes.c_void_p).value or 0, self.refresh),
        )
        self.bits: list[tuple[bool, ...]] = []
        self.facts: list[ModeFacts] = []
        self.rows: list[Vector] = []
        self.events: list[CoreEvent] = []
        self.impulses: list[Impulse] = []
        self.warnings: list[Diagnostic] = []
        self.last_event, self.zero_steps = 0.0, 0
        self.plan(settings.start)

    def call(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        if not self.compiled:
            return kernel(*arguments)
        code = core_advance.callable(kernel.__name__)
        return code(*(_machine(argument) for argument in arguments))

    @property
    def mode(self) -> Mode:
        return self.core.visited[self.core.mode].mode

    def present_bits(self) -> tuple[bool, ...]:
        m, first = self.problem.memory, self.problem.bits
        return tuple(bool(b) for b in m[first : first + len(self.problem.bit_names)] > 0.5)

    # ------------------------------------------------------------ modes

    def refresh(self, number: int, which: int, t: float) -> int:
        """Called by the kernels where the matrices of a mode have moved on."""
        core = self.core
        values = np.array((core.y, core.y1, core.before, core.saved)[which])
        if not (np.isfinite(values).all() and np.isfinite(np.asarray(core.slope)).all()):
            return 1
        analyse_mode(self.problem, t, values, np.array(core.slope), core.visited[number].mode)
        return 0

    def visit(self, values: Any) -> None:
        """Analyse the mode of the present bits: a new one, or one whose matrices have moved on."""
        core, bits = self.core, self.present_bits()
        is_new = bits not in self.bits
        if is_new:
            self.bits.append(bits)
            add_mode(core, bits)
        mode = core.visited[self.bits.index(bits)].mode
        facts = analyse_mode(self.problem, core.t, np.array(values), np.array(core.slope), mode)
        core.is_fresh = 1
        if is_new:
            self.facts.append(facts)
            if facts.free:
                self.warnings.append(floating(self.problem, facts, core.t))

    # ------------------------------------------------------------ events

    def enter_event(self, cause: int) -> None:
        core = self.core
        core.saved[:] = core.y
        core.before[:] = core.y
        core.mode_before, core.cause = core.mode, cause
        core.wanted, core.settled, core.nearer = -1, 1, 0

    def settle(self) -> None:
        core = self.core
        status = self.call(settle, core, self.problem.memory)
        while status == NEED_MODE:
            self.visit(core.before)
            status = self.call(settle, core, self.problem.memory)
        if status != FINISHED:
            raise SimulationError(self.reason(status))
        self.note_event()
        core.settled = 0
        if self.mode.h_good > 0.0:
            core.h = self.mode.h_good

    def note_event(self) -> None:
        core, n, elements = self.core, self.core.n, self.problem.elements
        cause = elements[core.cause].name if core.cause >= 0 else "logic"
        self.events.append(
            CoreEvent(core.t, cause if self.events else "start", self.bits[core.mode])
        )
        matrix = np.asarray(self.mode.matrices)[n * n :].reshape(n, n)
        y, saved = np.asarray(core.y), np.asarray(core.saved)
        sizes = np.maximum(np.maximum(np.abs(y), np.abs(saved)), np.asarray(core.floor))
        floor = IMPULSE * max((np.abs(matrix) @ sizes).max(initial=0.0), 1e-300)
        strengths = matrix @ (y - saved)
        self.report_impulses(strengths, np.flatnonzero(np.abs(strengths) > floor))

    def report_impulses(self, strengths: Vector, rows: Any) -> None:
        problem, t = self.problem, self.core.t
        found = [Impulse(t, problem.equations[i], float(strengths[i])) for i in rows]
        self.impulses += found
        names = [impulse.equation for impulse in found]
        if found and self.settings.impulses == "error":
            raise SimulationError(impulse_error(problem, t, names))
        if found and self.settings.impulses == "warn":
            self.warnings.append(impulse_warning(problem, [t], names))

    def plan(self, t: float) -> None:
        """The next instant of the model's logic."""
        instant = self.problem.schedule(t)
        is_later = instant is None or instant.time >= self.settings.stop
        self.instant = None if is_later else instant
        self.stop = self.settings.stop if self.instant is None else self.instant.time

    def set_bits(self) -> None:
        assert self.instant is not None
        for bit, value in self.instant.bits:
            self.problem.memory[self.problem.bits + bit] = float(value)
        self.plan(self.instant.time)
        self.enter_event(-1)

    # ------------------------------------------------------------ steps

    def step(self) -> None:
        core, mode, memory = self.core, self.mode, self.problem.memory
        if core.steps + core.rejected + core.repeated >= self.settings.most_steps:
            raise SimulationError(Diagnostic("R133", f"too many steps at {core.t} s"))
        if mode.is_linear == 0 and core.is_fresh == 0:
            self.visit(core.y)
        h, left = min(core.h, core.h_max), self.stop - core.t
        if h > left * (1.0 - 1e-9):
            h = left
        elif h > 0.5 * left:
            h = 0.5 * left
        if h < 1e-15 * max(abs(core.t), 1e-6 * mode.tau):
            raise SimulationError(Diagnostic("R133", f"no step succeeds at {core.t} s"))
        h = self.call(guarded_step, core, mode, memory, h, left)
        if h == 0.0:
            return
        is_event = core.wanted == 2
        self.write_out(h)
        core.t = self.stop if h == left else core.t + h
        core.y[:] = core.y1
        if is_event:
            self.meet_event()

    def meet_event(self) -> None:
        core, logic = self.core, self.problem.logic
        if core.t - self.last_event > 1e-6 * core.look:
            self.zero_steps = 0
        self.zero_steps += 1
        if self.zero_steps > MOST_ZERO_STEPS:
            raise SimulationError(Diagnostic("R133", f"it chatters at {core.t} s"))
        self.last_event = core.t
        self.enter_event(core.fired)
        if logic is not None:
            logic(core.t, self.problem.memory, np.asarray(core.y))

    def write_out(self, h: float) -> None:
        """Rows of (time, unknowns): states from the polynomial, the rest made consistent."""
        core, settings = self.core, self.settings
        while True:
            t = settings.start + settings.interval * len(self.rows)
            if t > core.t + h * (1.0 - 1e-9):
                return
            self.call(inside_core, core, (t - core.t) / h, core.output)
            self.call(consistent_core, core, self.mode, self.problem.memory, t, core.output)
            self.rows.append(np.array([t, *core.output]))

    # ------------------------------------------------------------ the end

    def reason(self, status: int) -> Diagnostic:
        problem, core = self.problem, self.core
        if status == CONTRADICTION:
            return contradiction(problem, self.facts[core.mode], self.present_bits(), core.t)
        return no_mode(problem, self.present_bits(), core.t)

    def result(self) -> CoreResult:
        core = self.core
        rows = np.vstack([*self.rows, [core.t, *core.y]])
        counts = {
            "steps": core.steps,
            "rejected": core.rejected,
            "repeated": core.repeated,
            "factored": core.factor_count,
            "newton": core.newton_count,
            "events": len(self.events),
            "selections": core.selections,
            "pivots": core.pivots_made,
            "modes": len(self.bits),
            "index": max((facts.index for facts in self.facts), default=0),
        }
        values = {name: rows[:, 1 + i] for i, name in enumerate(self.problem.unknowns)}
        return CoreResult(
            rows[:, 0],
            values,
            tuple(self.events),
            tuple(self.impulses),
            tuple(self.warnings),
            counts,
            self.memory.save(),
        )


def _machine(argument: Any) -> Any:
    """A record or an array as its address."""
    if isinstance(argument, np.ndarray):
        return argument.ctypes.data
    return argument if isinstance(argument, int | float) else address_of(argument)
