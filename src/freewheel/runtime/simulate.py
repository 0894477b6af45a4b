"""The time loop: start, integrate from event to event, store rows, end well.

    result = simulate(model, Settings.of(model, stop=2.0))
    result["C.v"]

parameters -> initial system -> events at the start -> steps. A step ends at the latest at the next
known time event (sample, exact relation of time, break of an input); relations are compared with
their statuses in the middle and at the end of each step, and the first that disagrees is located.
At an event the row of the left limit is stored, the discrete equations settle, the row of the right
limit is stored, and integration begins anew. All this is one call of the compiled loop (`loop/time_loop.py`),
which asks Python for what no kernel can make. Failures keep the result up to then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError
from freewheel.base.stop import holding, is_asked, raise_if_asked
from freewheel.result.events import INITIALLY, ITERATED
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
from freewheel.runtime.events.chattering import ChatterWatch
from freewheel.runtime.events.discrete import Discrete, evaluate_discrete, note_changes
from freewheel.runtime.events.time_events import begin_samples, is_reached, next_sample
from freewheel.runtime.integrators.choice import AUTO
from freewheel.runtime.integrators.problem import StepError
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.outcomes import (
    AMBIGUOUS,
    BECAME_STIFF,
    EVENT,
    EVENT_FAILED,
    LAG_WRONG,
    MOTION_CHANGED,
    MOTION_LACKS,
    NOT_FINITE,
    REACHED,
    SECTION_FAILED,
    SPOKE,
    SPOKE_AT_EVENT,
    STEP_FAILED,
    TOO_MANY,
)
from freewheel.runtime.loop.recording import Recorder
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.model import CompiledModel, Vector, once
from freewheel.runtime.own_code import own_code
from freewheel.runtime.prepared import keep, prepared
from freewheel.runtime.ranges import ERROR, RangeWatch
from freewheel.runtime.settings import Settings
from freewheel.runtime.small_states import small_states
from freewheel.runtime.start import Drive, failure_of_step, initialise
from freewheel.runtime.thresholds import CHATTER

if TYPE_CHECKING:
    from freewheel.runtime.events.ambiguity import Ambiguity
    from freewheel.runtime.events.folds import FixedLoopWatch, FoldLandings, Landing
    from freewheel.runtime.events.sliding.motions import SurfaceMotions
    from freewheel.runtime.undetermined import UndeterminedWatch

OVER = (0, AMBIGUOUS, SPOKE_AT_EVENT)  # outcomes of an event after which integration restarts
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
    with reporting_failures(simulation):
        simulation.run()
    return simulation.result()


@contextmanager
def reporting_failures(simulation: Simulation) -> Iterator[None]:
    """A failure has the part of the result that there is."""
    try:
        yield
    except SimulationError as failure:
        failure.result = simulation.result()
        raise
    except StepError as failure:
        problem = failure_of_step(simulation.live, simulation.classic, failure)
        problem.result = simulation.result()
        raise problem from failure
    except KeyboardInterrupt as stop:
        result = simulation.result()
        problem = interrupted(result, simulation.classic.t)
        raise problem from stop


class Simulation:
    def __init__(self, model: CompiledModel, settings: Settings, progress: Progress | None) -> None:
        self.began = perf_counter()
        self.model = model
        self.settings = settings
        self.progress = progress
        known = prepared(model, settings)
        self.live = LiveModel(model, None if known is None else known.records)
        if model.core.is_there:  # few models have one: the others need not wait for its code
            from freewheel.runtime.switched_dae.attached import AttachedCore

            self.live.use_core(AttachedCore(self.live, settings))
        self.drive = Drive(self.live, settings)
        self.discrete = Discrete(self.live)
        self.recorder = Recorder(self.live, settings.store)
        self.stepper = stepper_for(self.live, self.recorder, settings, known)
        self.classic = self.stepper.classic
        is_known = known is not None
        self.chatter = ChatterWatch(model.relations, settings, self.classic.space, is_known)
        self.log = self.classic.log
        self.space = self.classic.space
        self.loop = self.space.loop
        self.event_count = 0
        self.began_at = settings.start  # the phase between two events
        self.may_be_ambiguous = once(_may_be_ambiguous, model)
        self.has_events = bool(model.relations or model.samples or model.discrete or model.reinits)
        self._join_events(is_known)
        if not is_known:
            keep(model, settings, self.classic)

    # ------------------------------------------------------------ what few runs need

    @cached_property
    def ranges(self) -> RangeWatch:
        return RangeWatch(self.recorder, self.settings)

    @cached_property
    def holding(self) -> SurfaceMotions:
        from freewheel.runtime.events.sliding.motions import SurfaceMotions

        return SurfaceMotions(self.live, self.settings, self.classic)

    @cached_property
    def folds(self) -> FoldLandings:
        from freewheel.runtime.events.folds import FoldLandings

        return FoldLandings(self.live, self.classic, self.recorder, self.settings)

    @cached_property
    def ambiguity(self) -> Ambiguity:
        from freewheel.runtime.events.ambiguity import Ambiguity

        return Ambiguity(self.discrete)

    @cached_property
    def undetermined(self) -> UndeterminedWatch:
        from freewheel.runtime.undetermined import UndeterminedWatch

        return UndeterminedWatch(self.live, self.classic)

    @cached_property
    def held(self) -> FixedLoopWatch:
        from freewheel.runtime.events.folds import FixedLoopWatch

        return FixedLoopWatch(self.live)

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
            raise_if_asked()  # here all rows are whole
            self._advance()
            if self.settings.bounds == ERROR:
                self.ranges.check()
            else:
                self.ranges.keep_up()

    def end(self) -> None:
        self._end()
        if self.settings.bounds == ERROR:
            self.ranges.check()

    def stop_soon(self) -> None:
        """By another thread: see `base/stop.py`."""
        self.stepper.stop_soon()

    def so_far(self) -> SimulationError:
        """By another thread, whatever this one does: that the run ends here, and its rows."""
        return interrupted(self.recorder.so_far(self.classic.rows_stored), self.settings.start)

    def points(self) -> Vector:
        return self.recorder.points()

    def keep_near(self, written: Callable[[], int | None]) -> None:
        self.recorder.written = written

    def _begin(self) -> None:
        settings, live = self.settings, self.live
        initialise(live, self.drive, self.loop, settings)
        self.stepper = better_stepper(self.stepper, settings)
        begin_samples(self.loop, live, settings)
        self._stop_on_errors(live.collect_messages())
        is_plain = self.classic.starts_plainly and not self.stepper.is_quantized
        code = self.classic.first_instant(self.has_events) if is_plain else 0
        self.event_count += max(0, code - 1)
        y = live.states.copy() if code > 0 else self._settle_first()
        self.loop.grid_points = 1
        if live.history is not None:
            live.history.begin(settings.start)
        self._look_at_loops()
        if not (is_plain and self.classic.begin_steps()):
            self._restart(settings.start, y)

    def _look_at_loops(self) -> None:
        """Of equations: those without a solution, or with many."""
        model = self.model
        if model.linear_loops or model.branches or model.trivial_zeros:
            self.undetermined.check()
            self.held.check()

    def _settle_first(self) -> Vector:
        """The first event and its row; the states after it."""
        settings, live = self.settings, self.live
        self._log_start()
        self.discrete.hold()
        y = live.states.copy()
        if self.has_events:
            self.classic.predict(settings.start, y)
            y = self._settle(settings.start, y)
        self._store(settings.start, y)
        self._stop_on_errors(live.collect_messages())
        return y

    def _join_events(self, is_known: bool) -> None:
        """Let the stepper deal with them."""
        self.classic.take_events(self.discrete)
        self.classic.follow_signals(self.drive)
        if not is_known:
            watched, events = self.ambiguity.to_watch if self.may_be_ambiguous else ((), 0)
            self.classic.watch_ambiguity(watched, events, self.settings.span)

    def _log_start(self) -> None:
        """Into the event log: how relations and discrete values begin."""
        self.log.begin(self.settings.start, is_start=True)
        if self.log.detail:
            for i, residual in enumerate(self.live.memory[self.live.residual_slots].tolist()):
                self.log.note(INITIALLY, i, residual)
        if note_changes(self.discrete, self.log, self.discrete.differ_from(self.model.start)):
            self.log.note(ITERATED)
        self.log.finish(1)

    def _end(self) -> None:
        flag = self.model.terminal_flag
        if flag >= 0:
            self.live.memory[flag] = 1.0
            self.loop.crossed, self.loop.cause_text = 0, self.log.number_of("terminal")
            self.loop.candidates[:] = 0
            code = self._settled_by("instant")
            if code not in (*OVER, MOTION_CHANGED):
                self._deal_with(code)
        self.live.core.flush()
        self._stop_on_errors(self.live.collect_messages())
        self._look_at_loops()
        self._report_progress(1.0)

    def _is_due(self, t: float) -> bool:
        """Whether something is known to happen at `t`."""
        return is_reached(next_sample(self.loop), t) == 1 or t == self.drive.next_jump

    def _advance(self) -> None:
        self._drive()
        self._report_progress((self.classic.t - self.settings.start) / self.settings.span)

    def _drive(self) -> None:
        """Up to the next event that is not the loop's own, limit or breath."""
        self.classic.know_breaks(self.drive)
        self._deal_with(self._with_room(self._step))

    def _step(self) -> int:
        engine, began = self.classic, self.classic.t
        engine.events_left = self.settings.max_events - self.chatter.total
        code = self.stepper.drive()
        by_relations, noted = self.stepper.events
        self.chatter.count_many(by_relations, began, engine.t)
        self.event_count += noted
        return code

    def _with_room(self, kernels: Callable[[], int]) -> int:
        """Until they end with another outcome than that sliding and rest lack something."""
        engine = self.classic
        while (code := kernels()) == MOTION_LACKS:
            self.holding.provide()
        if code != EVENT_FAILED:
            engine.take_messages()
        if code in (AMBIGUOUS, MOTION_CHANGED) and self.loop.has_alternative == 1:
            self.ambiguity.warn(engine.t, *engine.outcomes)
        return code

    def _deal_with(self, code: int) -> None:
        stepper, engine = self.stepper, self.classic
        t = engine.t
        if code == EVENT or (code == REACHED and self._is_due(t)):
            self._event(t, is_crossing=code == EVENT)
        elif code == REACHED and t == self.drive.next_break and t < self.settings.stop:
            self._run_here("bend")  # an input has another slope from here on
        elif code in (REACHED, SPOKE):
            self._watch_messages(t, engine.y)
            if t == self.loop.predicted:
                engine.predict(t, engine.y)
        elif code == MOTION_CHANGED:
            self._change_method(t)
        elif code == EVENT_FAILED:
            raise engine.event_failure()
        elif code == BECAME_STIFF:
            become_implicit(engine, self.settings)
        elif code == SECTION_FAILED:
            if stepper.is_quantized and self.live.lost > 0:
                from freewheel.runtime.events.folds import lost_by_quantized

                raise lost_by_quantized(self.live, stepper.solver)
            self.live.run(engine.failed_section)
        elif code == NOT_FINITE:
            self._check_finite()
        elif code == LAG_WRONG:
            assert self.live.history is not None
            raise self.live.history.wrong(self.live.time)
        elif code == TOO_MANY:
            raise too_many_steps(self.settings.max_steps, t, engine.h, bool(self.model.delays))
        elif code == STEP_FAILED and (stepper.is_quantized or not leave_library(engine)):
            landing = None if stepper.is_quantized else self.folds.after_failure(self.began_at)
            if landing is None:
                raise StepError(t, engine.h, engine.error)
            self._land(landing)

    def _change_method(self, t: float) -> None:
        """Sliding or rest has begun or ended."""
        if self.live.is_constrained:
            self.stepper = self.stepper.become_classic(t, HELD)
            self.live.core.flush()  # impulses of this event: the next step of the core may be far away
        change_sections(self.stepper)
        self._look_at_loops()
        self._restart(t, self.classic.y)

    def _land(self, landing: Landing | None) -> None:
        """On another branch, if there is one."""
        if landing is not None:
            y, cause = landing
            self.loop.y[:], self.loop.cause_text = y, self.log.number_of(cause)
            self._event(self.classic.t, is_crossing=False)

    # ------------------------------------------------------------ at an event

    def _event(self, t: float, is_crossing: bool) -> None:
        """One that quantized states leave, where events follow each other too quickly, or after a landing."""
        self.loop.t, self.loop.crossed = t, int(is_crossing)
        if not is_crossing:
            self.loop.candidates[:] = 0
        elif self.classic.is_counted:
            self.chatter.note(t)
        else:
            self._count(t)
        self._run_here("instant")

    def _run_here(self, kernel: str) -> None:
        code = self._settled_by(kernel)
        if code not in OVER:
            self._deal_with(code)
            return
        self._look_at_loops()
        self._restart(self.classic.t, self.classic.y)

    def _settled_by(self, kernel: str) -> int:
        engine = self.classic
        engine.know_breaks(self.drive)
        engine.events_left = 1  # it is counted already
        code = self._with_room(lambda: engine.run_here(kernel))
        self.event_count += engine.events[1]
        return code

    def _count(self, t: float) -> None:
        """Take note of a state event; suspects of sliding. Where time stands still for quantized states,
        single rows contradict all equations together (bodies held several times over), and a classic
        method goes on."""
        try:
            self.chatter.count(t, self.holding.violation_of)
            return
        except SimulationError:
            if self.chatter.is_without_progress(t) and self.live.core.is_there:
                self._look_beyond(t)
            if not self.stepper.is_quantized or not self.chatter.is_without_progress(t):
                raise
        self.chatter.restart_counts()
        self.loop.candidates[:] = 0
        self.stepper = self.stepper.become_classic(t, CIRCLING)
        change_sections(self.stepper)

    def _look_beyond(self, t: float) -> None:
        """An ideal element returns to its corner without end. Where no position has a solution a moment
        later, that is the cause, and round-off hides it at the instant itself."""
        self.live.place(t + CHATTER.quick * self.settings.span, self.live.states.copy())
        evaluate_discrete(self.discrete)

    def _settle(self, t: float, y: Vector) -> Vector:
        """Discrete equations to a fixed point at the start; the states after it."""
        live, loop = self.live, self.loop
        loop.t, loop.crossed = t, 0
        self.classic.append_to_log("log_crossings")
        is_due = self.classic.append_to_log("mark_due", t) > 0
        self._kernel("drop_forgiven")
        # A sample is true in the first round only.
        rounds, errors = self.classic.settle(t, y, self.discrete, is_due)
        if is_due:
            self._kernel("clear_due")
            self._kernel("move_samples", t)
            more, further = self.classic.settle(t, None, self.discrete)
            rounds, errors = rounds + more, [*errors, *further]
        self.event_count += self.log.finish(rounds)
        for error in errors:
            raise error
        return live.states.copy()

    def _kernel(self, name: str, *arguments: float) -> int:
        return int(driver.callable(name)(self.space.address, *arguments) or 0)

    def _restart(self, t: float, y: Vector) -> None:
        self.began_at = t
        if self.live.is_constrained:
            self.live.place(t, y)
            self.holding.follow_inputs()
        status = self.stepper.restart(t, y)
        if status != 0:
            self.live.run("derivatives")
        self._check_finite()
        if self.model.relations:
            self._kernel("measure_residuals")
            self.classic.predict(t, y)

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

    def _report_progress(self, share: float) -> None:
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
        stepper, engine, work = self.stepper, self.classic, self.stepper.work
        notes = [Diagnostic("R101", note, severity=Severity.NOTE) for note in engine.notes]
        ended = [self.live.end_message] if self.live.end_message is not None else []
        stats: dict[str, float | int | str] = {
            "solver": self._solver(),
            "chosen because": self._why(),
            "steps": stepper.steps,
            "rejected steps": engine.rejected,
            "evaluations": work.evaluations,
            "of these to locate events": work.locating,
            "Jacobians": work.jacobians,
            "factorisations": work.factorisations,
            "Newton iterations": work.newton_iterations,
            "events": self.event_count,
            "seconds": perf_counter() - self.began,
        }
        core = self.live.core
        stats |= core.stats
        reported = [*self.holding.notes] if self.live.constrained is not None else []
        reported += self.chatter.warnings
        reported += self.ambiguity.warnings.values() if self.may_be_ambiguous else ()
        reported += core.warnings
        small = small_states(
            self.recorder, self.settings, engine.problem.atol, stepper.is_quantized
        )
        late, said = (self.ranges.warnings, small), [*self.live.warnings]
        warnings = partial(_warnings, said, late, [*notes, *reported, *ended])
        # which takes its time
        counts_modes = bool(self.model.relations) and not core.stats and not is_asked()
        events, sizes = self.log.events_later(), engine.sizes
        return self.recorder.result(
            events, warnings, said, stats, sizes, core.impulses, counts_modes
        )


def _may_be_ambiguous(model: CompiledModel) -> bool:
    """Forces that depend on each other lead to relations; what only moves tokens has one way. An implicit
    core chooses by itself, and what is tried would disturb it."""
    return not model.core.is_there and any(one.is_behind_loop for one in model.relations)


def _warnings(
    said: Sequence[Diagnostic],
    late: Sequence[Callable[[Vector], Sequence[Diagnostic]] | None],
    reported: Sequence[Diagnostic],
    data: Vector,
) -> Sequence[Diagnostic]:
    """Of a result: by the model, of its curves, by the run."""
    seen = [one for find in late if find is not None for one in find(data)]
    return (*said, *seen, *reported)
