"""Before the first step: parameters, inputs, tolerances, the initial system.

samples = initialise(live, drive, rules, settings)   # live is consistent at the start time
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError
from freewheel.base.near import did_you_mean_or_list
from freewheel.base.slots import Info
from freewheel.runtime.diagnostics import (
    fixed_step_failed,
    newton_failed,
    not_finite,
    step_too_small,
    usage,
    with_origin,
)
from freewheel.runtime.events.initial import initial_statuses
from freewheel.runtime.inputs import Piece, Table
from freewheel.runtime.integrators.problem import Problem, StepError
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.model import CompiledModel, Vector, once
from freewheel.runtime.ranges import check_parameters
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import START

if TYPE_CHECKING:
    from freewheel.runtime.loop.classic_engine import ClassicEngine

MOST_INPUTS = 5  # named in one message


class Drive:
    """Input signals joined to their slots; knows when the next one breaks or jumps."""

    def __init__(self, live: LiveModel, settings: Settings) -> None:
        slots = {info.name: info.slot for info in live.model.inputs}
        for name in settings.inputs:
            if name not in slots:
                raise _unknown("U026", "input", name, slots)
        self.live = live
        self.given, self.span = settings.inputs, (settings.start, settings.stop)
        self.undriven = [info for info in live.model.inputs if info.name not in settings.inputs]
        self.signals = [(slots[name], signal) for name, signal in settings.inputs.items()]
        self.pieces: list[Piece] = []
        self.next_break = inf
        self.next_jump = inf
        self.moved_at = inf  # last; infinite: never
        self._before: tuple[Any, ...] = ()

    def warnings(self) -> list[Diagnostic]:
        """Inputs that nothing drives, and data that end before the run does."""
        return [*self._not_driven(), *self._beyond_data()]

    def _beyond_data(self) -> list[Diagnostic]:
        start, stop = self.span
        near = START.hardly * (stop - start)
        short = [
            (name, signal)
            for name, signal in self.given.items()
            if isinstance(signal, Table)
            and len(signal.times) > 1
            and (
                signal.times[0] > start + near
                or (signal.times[-1] < stop - near and not signal.held)
            )
        ]
        if not short:
            return []
        name, table = short[0]
        more = f" (and those of {len(short) - 1} more)" if len(short) > 1 else ""
        return [
            Diagnostic(
                "R176",
                f"the data of input `{name}`{more} reach from {table.times[0]:.6g} to"
                f" {table.times[-1]:.6g} only: before and after, the first and the last value are held",
                help="give data for the whole run, or choose --start and --stop within them",
                severity=Severity.WARNING,
            )
        ]

    def _not_driven(self) -> list[Diagnostic]:
        if not self.undriven:
            return []
        kept = [f"`{i.name}` = {_value_text(i, self.live)}" for i in self.undriven]
        shown = ", ".join(kept[:MOST_INPUTS]) + (", ..." if len(kept) > MOST_INPUTS else "")
        what = "an input is" if len(kept) == 1 else f"{len(kept)} inputs are"
        name = self.undriven[0].name
        return [
            Diagnostic(
                "R173",
                f"{what} not driven and constant: {shown}",
                help=f"drive it with --input {name}=EXPRESSION or --input-file, or connect it",
                severity=Severity.WARNING,
            )
        ]

    def move_on(self, t: float) -> None:
        """Take the pieces that begin at `t`."""
        self._before = self.moved_at, self.pieces, self.next_break, self.next_jump, self.live.inputs
        self.moved_at = t
        if not self.signals:
            return
        self.pieces = [signal.piece(t) for _, signal in self.signals]
        self.next_break = min(piece.end for piece in self.pieces)
        self.next_jump = min((p.end for p in self.pieces if p.jumps), default=inf)
        self.live.inputs = [
            (slot, piece.value) for (slot, _), piece in zip(self.signals, self.pieces, strict=True)
        ]

    def move_back(self) -> None:
        """To the pieces before."""
        self.moved_at, self.pieces, self.next_break, self.next_jump, self.live.inputs = self._before


def set_parameters(live: LiveModel, settings: Settings) -> None:
    slots = live.model.parameter_slots
    for name, value in settings.parameters.items():
        if name not in slots:
            raise _unknown("U025", "parameter", name, slots)
        live.memory[slots[name]] = float(value)


def initialise(live: LiveModel, drive: Drive, loop: Loop, settings: Settings) -> None:
    """Parameters and the initial system."""
    model = live.model
    _prepare(live, drive, settings)
    live.warnings += drive.warnings()
    initial_statuses(live, loop, settings.max_event_rounds)
    if model.initial_flag >= 0:
        live.memory[model.initial_flag] = 0.0


def _prepare(live: LiveModel, drive: Drive, settings: Settings) -> None:
    """All that is known without solving anything; states have their start values."""
    model = live.model
    set_parameters(live, settings)
    live.memory[model.time] = settings.start
    live.run("parameters")
    check_parameters(live, settings)
    if live.history is not None:
        live.history.prepare(settings.start, settings.span)
    drive.move_on(settings.start)
    live.place(settings.start, live.states.copy())
    if model.initial_flag >= 0:
        live.memory[model.initial_flag] = 1.0


def at_start_values(model: CompiledModel, settings: Settings) -> Vector | None:
    """The memory where all states have their start values, whatever the initial system says, and the rest
    follows from them; None where nothing follows. Relations are those of this point."""
    live = LiveModel(model)
    try:
        _prepare(live, Drive(live, settings), settings)
        for _ in range(START.rounds):
            live.run("derivatives")
            live.run("relations")
            live.memory[live.statuses] = np.sign(live.memory[live.residual_slots])
        live.run("derivatives")
        live.run("outputs")
    except SimulationError:
        return None
    finally:
        live.forget_messages()
    return live.memory


def problem_of(live: LiveModel, settings: Settings) -> Problem:
    model = live.model
    rtol = max(START.share_of_step * settings.tolerance, START.least_tolerance)
    scales = once(_absolute_scales, model)
    steps = (
        longest_step(live, settings),
        START.shortest_step * settings.span,
        settings.output_interval,
    )
    return Problem(len(model.states), rtol, rtol * scales, model.sparsity, *steps)


def _absolute_scales(model: CompiledModel) -> Vector:
    return np.array([_absolute_scale(info.nominal) for info in model.state_infos])


def _absolute_scale(nominal: float) -> float:
    if nominal == 1.0 or not isfinite(nominal) or nominal == 0.0:
        return START.share_of_unsaid_nominal
    return abs(nominal)


def longest_step(live: LiveModel, settings: Settings) -> float:
    """Error control sees states only. Relations, and corners without events, must be looked at often enough
    even if no state moves: at each stored point in a model without states; 500 times in the run where one
    follows time by itself (a table that swings by a formula); else ten times. An implicit core watches its
    corners."""
    model = live.model
    if settings.longest_step is not None:
        return settings.longest_step
    if model.follow >= 0 and len(model.states) == 0:  # nothing else limits how far a loop moves
        return settings.output_interval
    corners = {slot for e in model.core.elements for slot, _ in e.statuses}
    if not (model.corners or model.watches_time) and all(
        relation.status in corners for relation in model.relations
    ):
        return inf
    if len(model.states) == 0:
        return settings.output_interval
    return settings.span / (START.checks_of_time if model.watches_time else START.checks)


def failure_of_step(live: LiveModel, engine: ClassicEngine, failure: StepError) -> SimulationError:
    """Why no step was possible: a section that fails, a number that is not finite, or stiffness."""
    names = [info.name for info in live.model.state_infos]
    slope = np.zeros(len(names))
    for t in (
        failure.t,
        failure.t + max(failure.h, START.after_failure * max(1.0, abs(failure.t))),
    ):
        status = live.rhs(t, engine.y + (t - failure.t) * engine.f, slope)
        if status != 0:
            try:
                live.run("derivatives")
            except SimulationError as problem:
                return problem
        bad = np.flatnonzero(~np.isfinite(slope))
        if len(bad):
            found = not_finite("derivative of", names[bad[0]], float(slope[bad[0]]), t)
            return _with_origin(live, found, int(bad[0]))
    live.rhs(failure.t, engine.y, slope)
    weight = engine.problem.atol + engine.problem.rtol * np.abs(engine.y)
    worst = int(np.argmax(np.abs(engine.f) / weight))
    name, value, rate = names[worst], float(engine.y[worst]), float(engine.f[worst])
    if engine.fixed is not None:
        found = fixed_step_failed(name, value, failure.t, engine.fixed, engine.solver)
    elif engine.solver == "radau" and failure.error == inf:
        found = newton_failed(name, value, failure.t, failure.h, engine.solver)
    else:
        found = step_too_small(name, rate, failure.t, failure.h, engine.solver)
    return _with_origin(live, found, worst)


def _with_origin(live: LiveModel, problem: SimulationError, state: int) -> SimulationError:
    slot = live.model.state_infos[state].derivative
    return with_origin(live.model, problem, slot, live.memory)


def _value_text(info: Info, live: LiveModel) -> str:
    value = float(live.memory[info.slot])
    if info.type == "Boolean":
        return "true" if value else "false"
    return f"{value:g}"


def _unknown(code: str, what: str, name: str, known: Iterable[str]) -> Exception:
    help = did_you_mean_or_list(name, known, f"{what}s")
    return usage(code, f"there is no {what} `{name}`", help)
