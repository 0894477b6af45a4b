"""The time loop: start, integrate from event to event, store rows, end well.

    result = simulate(model, Settings.of(model, stop=2.0))
    result["C.v"]

parameters -> initial system -> events at the start -> steps. A step ends at the latest at the next
known time event (sample, exact relation of time, break of an input); relations are compared with
their statuses in the middle and at the end of each step, and the first that disagrees is located.
At an event the row of the left limit is stored, the discrete equations settle, the row of the right
limit is stored, and integration begins anew. All this is one call of the compiled loop (`loop/time_loop.py`),
which leaves to Python only events that are not plain. Failures keep the result up to then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError
from freewheel.base.stop import answer, claim, holding, is_asked
from freewheel.result.events import CROSSED, DUE, INITIALLY, ITERATED, SURFACE_LEFT
from freewheel.result.store import Result
from freewheel.runtime.diagnostics import interrupted, too_many_steps
from freewheel.runtime.engine_choice import (
    CIRCLING,
    HELD,
    become_implicit,
    better_stepper,
    change_sections,
    leave_library,
    stepper_for,
)
from freewheel.runtime.events.ambiguity import Ambiguity
from freewheel.runtime.events.chattering import ChatterWatch
from freewheel.runtime.events.discrete import Discrete, evaluate_discrete, note_changes
from freewheel.runtime.events.fold_landings import FoldLandings, Landing
from freewheel.runtime.events.folds import lost_by_quantized
from freewheel.runtime.events.held_loops import HeldWatch
from freewheel.runtime.events.located import Crossing
from freewheel.runtime.events.log import EventLog
from freewheel.runtime.events.rules import Rules
from freewheel.runtime.events.sample_calendar import SampleCalendar, is_reached
from freewheel.runtime.events.sliding.holding import Holding
from freewheel.runtime.events.sliding.stored_states import made_jump
from freewheel.runtime.integrators.choice import AUTO
from freewheel.runtime.integrators.problem import StepError
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.outcomes import (
    AMBIGUOUS,
    BECAME_STIFF,
    EVENT,
    LAG_WRONG,
    NOT_FINITE,
    REACHED,
    SECTION_FAILED,
    SPOKE,
    STEP_FAILED,
    TOO_MANY,
)
from freewheel.runtime.loop.recording import Recorder
from freewheel.runtime.model import CompiledModel, Vector
from freewheel.runtime.own_code import own_code
from freewheel.runtime.ranges import ERROR, WARN, RangeWatch
from freewheel.runtime.settings import Settings
from freewheel.runtime.small_states import small_states
from freewheel.runtime.start import Drive, failure_of_step, initialise
from freewheel.runtime.thresholds import CHATTER
from freewheel.runtime.undetermined import UndeterminedWatch

if TYPE_CHECKING:
    pass

Progress = Callable[[float], None]  # takes the share that is done


def simulate(model: CompiledModel, settings: Settings, progress: Progress | None = None) -> Result:
    """Run a model. Raises `SimulationError` with the partial result in `.result`. Runs of one model in
    several threads go on at the same time."""
    with own_code(model) as own:
        return _simulated(own, settings, progress)


def _simulated(model: CompiledModel, settings: Settings, progress: Progress | None) -> Result:
    simulation = Simulation(model, settings, progress)
    with holding(simulation):
        return _ended(simulation)


def _ended(simulation: Simulation) -> Result:
    with telling_failures(simulation):
        simulation.run()
    return simulation.result()


@contextmanager
def telling_failures(simulation: Simulation) -> Iterator[None]:
    """A failure has the part of the result that there is."""
    try:
        yield
    except SimulationError as failure:
        failure.result = simulation.result()
        raise
    except StepError as failure:
        told = failure_of_step(simulation.live, simulation.classic, failure)
        told.result = simulation.result()
        raise told from failure
    except KeyboardInterrupt as stop:
        result = simulation.result()
        told = interrupted(result, simulation.classic.t)
        raise told from stop


class Simulation:
    def __init__(self, model: CompiledModel, settings: Settings, progress: Progress | None) -> None:
        self.began = perf_counter()
        self.model = model
        self.settings = settings
        self.progress = progress
        self.live = LiveModel(model)
        if model.core.is_there:  # few models have one: the others need not wait for its code
            from freewheel.runtime.switched_dae.attached import AttachedCore

            self.live.use_core(AttachedCore(self.live, settings))
        self.drive = Drive(self.live, settings)
        self.discrete = Discrete(self.live)
        self.recorder = Recorder(self.live, settings.store)
        self.ranges = RangeWatch(self.recorder, settings)
        self.stepper = stepper_for(self.live, self.recorder, settings)
        self.classic = self.stepper.classic
        self.chatter = ChatterWatch(model.relations, settings, self.classic.space)
        self.log = EventLog(model, settings.event_log)
        self.rules = Rules.of(self.classic.space.loop, settings.max_event_rounds, self.log)
        self.holding = Holding(self.live, self.rules, settings, self.classic)
        self.folds = FoldLandings(self.live, self.classic, self.recorder, settings)
        self.ambiguity = Ambiguity(self.discrete)
        self.undetermined = UndeterminedWatch(self.live)
        self.held = HeldWatch(self.live)
        self.event_count = 0
        self.began_at = settings.start  # the phase between two events
        self.calendar = SampleCalendar()
        self.predicted = inf
        self.has_events = bool(model.relations or model.samples or model.discrete or model.reinits)

    # ------------------------------------------------------------ phases

    def run(self) -> None:
        self.begin()
        self.advance(inf)
        self.end()

    def begin(self) -> None:
        self._begin()
        if self.live.core.may_start_on_fold:
            self._land(self.folds.at_start(self.began_at))

    def advance(self, to: float) -> None:
        """Up to the first end of a step at `to` or after it, or as far as there is something to do; no step
        is another one for that."""
        self.classic.space.loop.pause_at = to
        stop = min(to, self.settings.stop)
        while self.classic.t < stop and self.live.end_message is None:
            self._stop_if_asked()
            self._advance()
            if self.settings.bounds == ERROR:
                self.ranges.look()

    def end(self) -> None:
        self._end()
        if self.settings.bounds == ERROR:
            self.ranges.look()

    def _stop_if_asked(self) -> None:
        """Here all rows are whole."""
        if is_asked():
            claim()
            answer()
            raise KeyboardInterrupt

    def stop_soon(self) -> None:
        """By another thread: see `base/stop.py`."""
        self.stepper.stop_soon()

    def so_far(self) -> SimulationError:
        """By another thread, whatever this one does: that the run ends here, and its rows."""
        return interrupted(self.recorder.so_far(self.classic.rows_stored), self.settings.start)

    def _begin(self) -> None:
        settings, live = self.settings, self.live
        samples = initialise(live, self.drive, self.rules, settings)
        self.stepper = better_stepper(self.stepper, settings)
        self.calendar = SampleCalendar.at(settings.start, samples)
        self.calendar.check(settings.stop, settings.max_events)
        self._stop_on_errors(live.collect_messages())
        self._tell_start()
        self.discrete.hold()
        y = live.states.copy()
        self.join_events()
        if self.has_events:
            self.classic.predict(settings.start, y)
            y = self._settle(settings.start, (), y)
        self._store(settings.start, y)
        self._stop_on_errors(live.collect_messages())
        self.classic.space.loop.grid_points = 1
        if live.history is not None:
            live.history.begin(settings.start)
        self.undetermined.look()
        self.held.look()
        self._restart(settings.start, y)

    def join_events(self) -> None:
        """Let the stepper deal with them, and tell of them."""
        self.classic.log = self.log
        self.classic.take_events(self.discrete, self.calendar, self.rules)
        self.classic.watch_ambiguity(*self.ambiguity.to_watch, self.settings.span)

    def _tell_start(self) -> None:
        """Into the event log: how relations and discrete values begin."""
        self.log.begin(self.settings.start, is_start=True)
        for i, slot in enumerate(self.live.residual_slots):
            self.log.note(INITIALLY, i, float(self.live.memory[slot]))
        if note_changes(self.discrete, self.rules, self.discrete.differ_from(self.model.start)):
            self.log.note(ITERATED)
        self.log.finish(1)

    def _end(self) -> None:
        flag = self.model.terminal_flag
        if flag >= 0:
            self.live.memory[flag] = 1.0
            y = self._settle(self.classic.t, ("terminal",), self.classic.y)
            self._store(self.classic.t, y)
        self.live.core.flush()
        self._stop_on_errors(self.live.collect_messages())
        self.undetermined.look()
        self.held.look()
        self._tell_progress(1.0)

    def _limit(self) -> float:
        """Where integration must stop at the latest."""
        times = (self.settings.stop, self.calendar.next, self.predicted, self.drive.next_break)
        limit = min(*times, self.holding.rests_at)
        if is_reached(self.predicted, limit):  # a sample that is tied with it says when
            sample = self.calendar.next
            is_tied = sample <= self.settings.stop and is_reached(sample, limit)
            limit = self.predicted = sample if is_tied else self.predicted
        return limit

    def _is_due(self, t: float) -> bool:
        """Whether something is known to happen at `t`."""
        return is_reached(self.calendar.next, t) or t == self.drive.next_jump

    def _advance(self) -> None:
        self._drive()
        self._tell_progress((self.classic.t - self.settings.start) / self.settings.span)

    def _drive(self) -> None:
        """Up to the next event, limit or breath."""
        engine, stepper = self.classic, self.stepper
        limit, next_jump, began = self._limit(), self.drive.next_jump, engine.t
        engine.breaks = (self.drive.next_break, self.drive.next_break == next_jump)
        engine.events_left = self.settings.max_events - self.chatter.total
        is_event = self._is_due(limit)
        code = stepper.drive(limit, is_event, self.predicted)
        self.predicted = stepper.predicted
        by_relations, noted = stepper.events
        self.chatter.count_many(by_relations, began, engine.t)
        self.event_count += noted
        t = engine.t
        is_event = self._is_due(t)
        if code == EVENT or (code == REACHED and is_event):
            self._event(t, engine.y, engine.crossing() if code == EVENT else None)
        elif code == REACHED and t == self.drive.next_break:
            self._bend(t, engine.y)
        elif code in (REACHED, SPOKE):
            self.event_count += self.holding.tell_rest(self.log, t)
            self._watch_messages(t, engine.y)
            if t == self.predicted:
                self.predicted = engine.predict(t, engine.y)
        elif code == AMBIGUOUS:
            self.ambiguity.tell(t, *engine.outcomes)
        elif code == BECAME_STIFF:
            become_implicit(engine, self.settings)
        elif code == SECTION_FAILED:
            if stepper.is_quantized and self.live.lost > 0:
                raise lost_by_quantized(self.live, stepper.solver)
            self.live.run(engine.failed_section)
        elif code == NOT_FINITE:
            self._check_finite()
        elif code == LAG_WRONG:
            assert self.live.history is not None
            raise self.live.history.wrong(self.live.time)
        elif code == TOO_MANY:
            raise too_many_steps(self.settings.max_steps, t, engine.h, bool(self.model.delays))
        elif code == STEP_FAILED and not leave_library(engine):
            landing = self.folds.after_failure(self.began_at)
            if landing is None:
                raise StepError(t, engine.h, engine.error)
            self._land(landing)

    def _land(self, landing: Landing | None) -> None:
        """On another branch, if there is one."""
        if landing is not None:
            y, told = landing
            self._event(self.classic.t, y, None, (told,))

    # ------------------------------------------------------------ at an event

    def _event(
        self, t: float, y: Vector, crossing: Crossing | None, told: Sequence[str] = ()
    ) -> None:
        """`told`: causes in words of what has happened already."""
        causes: list[str] = list(told)
        left: Sequence[int] = ()  # surfaces of relations
        suspects = () if crossing is None else self._count(t, crossing)
        if t == self.drive.next_jump:
            causes.append("an input jumps")
        if self.settings.record_events and not told:
            self._store(t, y)
        else:
            self.live.evaluate(t, y)
        if self.holding.is_held:
            crossing, left = self.holding.let_go(t, y, crossing)
            change_sections(self.stepper)
        if self.model.choices:
            self.live.run("relations")
            self.live.choose_states()
            y = self.live.states.copy()
        self.discrete.hold()  # pre values are left limits, also those of continuous variables
        self.drive.move_on(t)
        if self.live.history is not None:
            self.live.history.move_on(t, crossing)
        before, saved = y, self.live.memory.copy()
        y = self._settle(t, causes, y, crossing, left)
        if crossing is not None and self.classic.is_ambiguous(t, saved):
            self.ambiguity.tell(t, *self.classic.outcomes)
        if crossing is not None:
            self.chatter.forgive(made_jump(self.live, crossing.which, before, y))
        y = self.holding.take_up(t, before, y, saved, crossing, suspects)
        if self.holding.is_held:
            self.stepper = self.stepper.become_classic(t, HELD)
            if self.holding.is_news:
                self.event_count += self.holding.tell(self.log, t)
            change_sections(self.stepper)
        self._store(t, y)
        if self.live.history is not None:
            self.live.history.mark(t)
        self.classic.skip_grid()
        self._stop_on_errors(self.live.collect_messages())
        self.undetermined.look()
        self.held.look()
        self._restart(t, y)

    def _count(self, t: float, crossing: Crossing) -> Sequence[int]:
        """Take note of a state event; suspects of sliding. Where time stands still for quantized states,
        single rows contradict all equations together (bodies held several times over), and a classic
        method goes on."""
        if self.classic.is_counted:
            self.chatter.note(t)
            return self.chatter.suspects
        try:
            return self.chatter.count(t, crossing, self.holding.why_not)
        except SimulationError:
            if self.chatter.stands_still(t) and self.live.core.is_there:
                self._look_beyond(t)
            if not self.stepper.is_quantized or not self.chatter.stands_still(t):
                raise
        self.chatter.calm_down()
        self.stepper = self.stepper.become_classic(t, CIRCLING)
        change_sections(self.stepper)
        return ()

    def _look_beyond(self, t: float) -> None:
        """An ideal element returns to its corner without end. Where no position has a solution a moment
        later, that is the cause, and round-off hides it at the instant itself."""
        self.live.place(t + CHATTER.quick * self.settings.span, self.live.states.copy())
        evaluate_discrete(self.discrete)

    def _bend(self, t: float, y: Vector) -> None:
        """An input has another slope from here on."""
        self.drive.move_on(t)
        if self.live.history is not None:
            self.live.evaluate(t, y)
            self.live.history.move_on(t, None)
            self.live.history.mark(t)
        self._restart(t, y)

    def _settle(
        self,
        t: float,
        causes: Sequence[str],
        y: Vector,
        crossing: Crossing | None = None,
        left: Sequence[int] = (),
    ) -> Vector:
        """Discrete equations to a fixed point at `t`; the states after it."""
        live, settle = self.live, self.classic.settle
        due, before = self.calendar.due(t), live.memory.copy()
        self._tell_causes(t, causes, crossing, due, left)
        for number in due:
            live.memory[self.model.samples[number].active] = 1.0
        self.rules.doubt_again(None if crossing is None else crossing.which)
        bands = self.rules.bands.copy()
        # A sample is true in the first round only.
        rounds, errors = settle(t, y, self.rules, self.discrete, once=bool(due))
        if due:
            for number in due:
                live.memory[self.model.samples[number].active] = 0.0
            more, further = settle(t, None, self.rules, self.discrete)
            rounds, errors = rounds + more, [*errors, *further]
        if crossing is not None and self._is_put_off(bands, before, causes or due or left):
            self.log.drop()
        else:
            self.event_count += self.log.finish(rounds)
        for error in errors:
            raise error
        return live.states.copy()

    def _is_put_off(self, bands: Vector, before: Vector, is_due: object) -> bool:
        """Rounding was forgiven and nothing has changed: the event comes when it is clear."""
        live = self.live
        if is_due or np.array_equal(bands, self.rules.bands):
            return False
        same = [live.states, live.memory[live.statuses], live.memory[self.discrete.values]]
        then = [before[m] for m in (self.model.states.slice, live.statuses, self.discrete.values)]
        return all(np.array_equal(a, b) for a, b in zip(same, then, strict=True))

    def _tell_causes(
        self,
        t: float,
        causes: Sequence[str],
        crossing: Crossing | None,
        due: Sequence[int],
        left: Sequence[int],
    ) -> None:
        log = self.log
        log.begin(t)
        if crossing is not None:
            for i in np.flatnonzero(crossing.which).tolist():
                log.note(CROSSED, i, float(crossing.residuals[i]))
        for cause in causes:
            log.tell(cause)
        for number in left:
            log.note(SURFACE_LEFT, number)
        for number in due:
            log.note(DUE, number, t)

    def _restart(self, t: float, y: Vector) -> None:
        self.began_at = t
        if self.holding.is_held:
            self.live.place(t, y)
            self.holding.follow_inputs()
        status = self.stepper.restart(t, y)
        if status != 0:
            self.live.run("derivatives")
        self._check_finite()
        if self.model.relations:
            residuals = self.live.residuals(t, y)
            if not self.holding.is_held:  # else some of them are shares and reactions
                self.chatter.see(residuals)
            self.predicted = self.classic.predict(t, y)

    def _check_finite(self) -> None:
        self.live.check_finite(self.classic.y, "state")
        self.live.check_finite(self.classic.f, "derivative of")

    # ------------------------------------------------------------ rows, messages, progress

    def _store(self, t: float, y: Vector) -> None:
        self.live.evaluate(t, y)
        self.recorder.add()

    def _watch_messages(self, t: float, y: Vector) -> None:
        """Asserts are judged at the end of each accepted step."""
        if self.model.messages is None:
            return
        self.live.forget_messages()
        self.live.evaluate(t, y)
        self._stop_on_errors(self.live.collect_messages())

    def _stop_on_errors(self, errors: tuple[Diagnostic, ...]) -> None:
        if errors:
            raise SimulationError(*errors)

    def _tell_progress(self, share: float) -> None:
        if self.progress is not None:
            self.progress(share)

    def _solver(self) -> str:
        if self.stepper.steps_core:
            return self.live.core.method  # others take turns with it
        return self.stepper.solver

    def _why(self) -> str:
        """What made this solver the one."""
        if self.stepper.steps_core:
            return "ideal elements make a part of the model implicit"
        if self.settings.solver != AUTO:
            return "it was requested"
        return self.classic.notes[-1] if self.classic.notes else "no stiffness was found"

    def result(self) -> Result:
        stepper, work = self.stepper, self.stepper.work
        if self.settings.bounds == WARN:
            self.ranges.look()
        self.live.warnings += small_states(
            *(self.recorder, self.settings, self.classic.problem.atol),
            is_quantized=stepper.is_quantized,
        )
        notes = [Diagnostic("R101", note, severity=Severity.NOTE) for note in self.classic.notes]
        ended = [self.live.end_message] if self.live.end_message is not None else []
        stats: dict[str, float | int | str] = {
            "solver": self._solver(),
            "chosen because": self._why(),
            "steps": stepper.steps,
            "rejected steps": stepper.rejected,
            "evaluations": work.evaluations,
            "of these to locate events": work.locating,
            "Jacobians": work.jacobians,
            "factorisations": work.factorisations,
            "Newton iterations": work.newton_iterations,
            "events": self.event_count,
            "seconds": perf_counter() - self.began,
        }
        core = self.live.core
        stats |= core.stats or self._modes_visited()
        told = [*self.holding.notes, *self.chatter.warnings]
        told += self.ambiguity.warnings.values()
        told += core.warnings
        warnings = [*self.live.warnings, *notes, *told, *ended]
        return self.recorder.result(
            self.log.events(), warnings, stats, stepper.sizes, core.impulses
        )

    def _modes_visited(self) -> dict[str, int]:
        if not self.model.relations or is_asked():  # which takes its time
            return {}
        return {"modes visited": self.recorder.modes_visited()}
