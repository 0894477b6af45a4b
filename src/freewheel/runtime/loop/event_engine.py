"""What every way of going on in time needs of the compiled loop: the model, its inputs, its events.

    engine.take_events(discrete)
    rounds, errors = engine.settle(t, y, discrete)
    engine.t, engine.y, engine.crossing()

All numbers live in a `Workspace`. Plain events are dealt with inside the loop (`events/instant.py`), the
others by Python with the same kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, nan
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np

from freewheel.base.diagnostics import SimulationError
from freewheel.machine.memory import bind
from freewheel.runtime.callbacks import Callbacks, Sections, are_lines
from freewheel.runtime.events.detection import DETECTIONS
from freewheel.runtime.events.discrete import Discrete, corner_relations
from freewheel.runtime.events.iteration import EventIteration, MessageCollector, lengths_of
from freewheel.runtime.events.log import INPUT_JUMPS, EventLog
from freewheel.runtime.events.root_solvers import ROOT_SOLVERS
from freewheel.runtime.inputs import Line
from freewheel.runtime.integrators.problem import Problem
from freewheel.runtime.live import InputPiece, LiveModel
from freewheel.runtime.loop import outcomes
from freewheel.runtime.loop.memory import MODE_TABLE
from freewheel.runtime.loop.recording import Recorder
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.model import CompiledModel, Vector, once
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import AMBIGUITY, ZENO

if TYPE_CHECKING:
    from freewheel.runtime.linear.elimination_plan import Integers
    from freewheel.runtime.prepared import Prepared
    from freewheel.runtime.start import Drive


EVALUATED = ("derivatives", "outputs", "relations")


class EventEngine:
    """Arrays in which events are settled, and the point that is reached."""

    def __init__(
        self,
        live: LiveModel,
        recorder: Recorder,
        settings: Settings,
        problem: Problem,
        known: Prepared | None = None,
    ) -> None:
        model = live.model
        self.live = live
        self.recorder = recorder
        self.problem = problem
        self.known = known  # what the record holds already
        self.space = self._laid_out(settings) if known is None else self._found()
        self.sections: Sections | None = None
        self._bound_sections = () if known is None else known.sections
        self.log = EventLog(model, settings.event_log)
        self.events_left = settings.max_events
        self._iteration: EventIteration | None = None
        self.motions = Callbacks()  # that sliding and rest need
        self._signals = Callbacks()  # for pieces of inputs
        self._has_signals = False
        self._takes_events = False
        self._most_rounds = settings.max_event_rounds
        self._inputs: Sequence[tuple[int, InputPiece]] | None = None  # as the workspaces know them
        self._foretell = driver.callable("foretell_anew")
        self._set_limit = driver.callable("set_limit")
        self._has_time_relations = once(_has_time_relations, model)
        self.space.loop.memory = live.memory
        if known is None:
            self._describe(settings)

    def _laid_out(self, settings: Settings) -> Workspace:
        live, model = self.live, self.live.model
        return Workspace(
            self.problem.size,
            len(model.relations),
            self.recorder.slots,
            memory=live.records,
            corner_count=len(model.corners),
            stored_count=len(model.core.is_differential),
            samples=len(model.samples),
            memory_size=len(live.memory),
            saved_size=len(live.memory),
            mode_places=MODE_TABLE,
            **lengths_of(live, settings.max_event_rounds),
        )

    def _found(self) -> Workspace:
        return Workspace.found(self.problem.size, self.live.records)

    def _describe(self, settings: Settings) -> None:
        """Everything about the model and the settings that kernels read."""
        model, loop = self.live.model, self.space.loop
        if model.relations:
            loop.status_slots[:] = self.live.statuses
            loop.residual_slots[:] = self.live.residual_slots
            loop.time_only[:], loop.is_watch[:] = once(_relation_flags, model)
            loop.seen[:] = nan
        if model.corners:
            loop.corner_slots[:], loop.corner_time = model.corners, inf
        loop.swing_slot = model.swing
        loop.time_slot, loop.awake_slot = model.time, model.awake
        loop.follow_slot = max(model.follow, 0)
        loop.states_slot, loop.derivatives_slot = model.states.start, model.derivatives.start
        loop.own_nonlinear_count = loop.nonlinear_count = once(_loud_relations, model)
        loop.max_steps = settings.max_steps
        loop.root_solver = ROOT_SOLVERS[settings.root_solver]
        loop.detection = DETECTIONS[settings.event_detection]
        loop.is_optimistic = int(settings.step_control == "optimistic")
        if model.messages is not None:
            loop.message_watch = 1 if model.message_flag < 0 else 2
            loop.message_slot = model.message_flag
        loop.start, loop.stop, loop.predicted = settings.start, settings.stop, inf
        loop.input_break, loop.cause_text = inf, -1
        loop.interval = settings.output_interval
        problem = self.problem
        loop.longest, loop.shortest, loop.fixed = problem.longest, problem.shortest, problem.fixed
        loop.rtol = problem.rtol
        loop.negligible_rise = ZENO.negligible * settings.tolerance
        loop.record_events = int(settings.record_events)
        loop.atol[:] = problem.atol
        if self.live.choices is not None:
            bind(loop, choose_states=self.live.choices.closure)
            loop.chooses_states = 1
        if self.live.history is not None:
            loop.has_history, loop.history = 1, self.live.history.record
            bind(loop, **self.live.history.functions)
        loop.is_stored[:] = model.core.is_differential
        self.live.core.join(loop)

    def follow_signals(self, drive: Drive) -> None:
        """Let the loop pass discontinuities of inputs, whose next pieces come from Python."""
        if not drive.signals:
            return
        loop, engine = self.space.loop, ref(self)
        self._has_signals, loop.jump_text = True, self.log.number_of(INPUT_JUMPS)

        def moved(move: Callable[[], None]) -> int:
            move()
            found = engine()
            assert found is not None
            found.know_breaks(drive)
            found.follow_inputs()
            return 0

        made = self._signals.made
        bind(loop, move_inputs_on=made(lambda: moved(lambda: drive.move_on(loop.t))))
        bind(loop, put_inputs_back=made(lambda: moved(drive.move_back)))

    def know_breaks(self, drive: Drive) -> None:
        loop = self.space.loop
        loop.input_break = drive.next_break
        loop.break_jumps = int(drive.next_break == drive.next_jump)

    def take_messages(self) -> None:
        """What the model has said at the events of the last call of `drive`; there are no errors."""
        if self.space.loop.collected == 0:
            return
        self.space.loop.collected = 0
        for messages in self.collector.taken():
            self.live.take(messages)
        self.live.forget_messages()  # of trial points

    def event_failure(self) -> SimulationError:
        """Why the present event has no end: the memory is as where it has failed."""
        loop, live = self.space.loop, self.live
        if loop.event_stage == outcomes.JUDGING:
            loop.collected = 0
            errors = [one for said in self.collector.taken() for one in live.take(said)]
            return SimulationError(*errors)
        if loop.event_stage == outcomes.SETTLING:
            assert self._iteration is not None
            return self._iteration.failure()
        sections = ("relations",) if loop.event_stage == outcomes.CHOOSING else EVALUATED
        try:
            for name in sections:
                live.run(name)
        except SimulationError as problem:
            return problem
        raise AssertionError("an event fails, and all can be evaluated")

    def take_events(self, discrete: Discrete) -> None:
        """Deal with plain events inside the loop."""
        self._takes_events = True
        self._iterate(discrete)
        if self.known is None:
            self.space.loop.sample_slots[:] = [s.active for s in self.live.model.samples]

    def _iterate(self, discrete: Discrete) -> EventIteration:
        if self._iteration is None:
            collector = None if self.known is None else self.known.collector
            self._iteration = EventIteration(discrete, self.space, self._most_rounds, collector)
        return self._iteration

    @property
    def collector(self) -> MessageCollector:
        """Of the events that are taken."""
        assert self._iteration is not None
        return self._iteration.collector

    def watch_ambiguity(self, components_of: Sequence[int], events: int, span: float) -> None:
        """Go again through so many events at which several components switch; see
        `events/ambiguity.py`."""
        loop = self.space.loop
        if components_of:
            self.space.resize(component_count=len(components_of))
            loop.components_of[:] = components_of
        loop.small_step = AMBIGUITY.ahead * span
        loop.alternatives_left, loop.alternative_rounds = events, AMBIGUITY.most_rounds

    @property
    def outcomes(self) -> tuple[Vector, Vector, Vector]:
        """Memories of an ambiguous event: before it, a moment after it by the way taken, and by the other."""
        size, loop = len(self.live.memory), self.space.loop
        other, taken = np.array(loop.tried)[size : 3 * size].reshape(2, size)
        return np.array(loop.saved), taken, other

    def predict(self, t: float, y: Vector) -> None:
        """Find the next exact zero of a residual of time alone. The memory is left as it was."""
        loop, memory = self.space.loop, self.live.memory
        if t >= loop.stop or not self._has_time_relations:
            loop.predicted = inf
            return
        self.follow_inputs()
        sections, saved = self.current_sections(), memory.copy()
        loop.events_are_plain = int(self._are_plain())
        self._foretell(self.space.address, t, np.ascontiguousarray(y).ctypes.data)
        sections.check_after_trials()
        memory[:] = saved
        self.live.forget_messages()

    def _are_plain(self) -> bool:
        """Whether the loop may deal with events by itself."""
        loop = self.space.loop
        return self._takes_events and (loop.message_watch != 1 or loop.settles_all == 1)

    def share(self, settles_all: bool = True) -> None:
        """What Python may have changed since the last call. Quantized states settle plain events only."""
        loop = self.space.loop
        loop.settles_all = int(settles_all)
        loop.moves_inputs = int(self._has_signals and settles_all)
        loop.events_are_plain = int(self._are_plain())
        loop.state_events, loop.all_events, loop.max_events = 0, 0, self.events_left

    def set_limit(self) -> None:
        """Where integration stops at the latest."""
        self._set_limit(self.space.address)

    def settle(
        self, t: float, y: Vector | None, discrete: Discrete, once: bool = False
    ) -> tuple[int, Sequence[SimulationError]]:
        """Discrete equations to a fixed point at `t`: the rounds it took, errors of asserts. `y`: states at
        which the event begins; None where it goes on."""
        self.follow_inputs()
        sections, loop = self.current_sections(), self.space.loop
        iteration, before = self._iterate(discrete), self.live.memory.copy()
        kept = np.array(loop.bands), np.array(loop.forgiven)
        while True:
            self.lend_log()
            rounds = iteration.settle(t, y, once)
            iteration.check()
            sections.check_after_trials()
            if loop.log_lacks == 0:
                break
            self.live.memory[:] = before
            loop.bands[:], loop.forgiven[:] = kept
            mark, self.log.count = self.log.count, int(loop.log_count)
            self.log.take_back(mark)
            self.log.grow()
        self.log.count = int(loop.log_count)
        failed = [self.live.take(messages) for messages in iteration.messages]
        if rounds == 0:
            raise iteration.failure()
        return rounds, [SimulationError(*errors) for errors in failed if errors]

    # ------------------------------------------------------------ sliding and rest

    def make_room_for_impacts(self) -> None:
        count = self.space.loop.relation_count
        self.space.resize(impact_count=count, impact_states=count * self.space.n)

    def bind_motions(self, find_motion_after: int) -> None:
        """Sections that ask whether something is held, and the kernel that decides it."""
        bind(self.space.loop, find_motion_after=find_motion_after)
        self.follow_inputs()
        self.current_sections()

    def call(self, kernel: str | Callable[..., Any], *arguments: int) -> int:
        """A kernel of an event that Python deals with."""
        function = driver.callable(kernel) if isinstance(kernel, str) else kernel
        code = int(function(self.space.address, *arguments) or 0)
        if self._iteration is not None:
            self._iteration.check()
        self.current_sections().check_after_trials()
        return code

    def append_to_log(self, kernel: str, *arguments: float) -> int:
        """A kernel that appends to the event log, which has room for what it may say."""
        loop, log = self.space.loop, self.log
        log.make_room(2 + loop.relation_count + loop.samples + ZENO.most_left_out)
        self.lend_log()
        code = int(driver.callable(kernel)(self.space.address, *arguments) or 0)
        log.count, log.record = int(loop.log_count), int(loop.log_record)
        return code

    @property
    def is_counted(self) -> bool:
        """Whether the loop has counted the switches of the present event."""
        return bool(self.space.loop.is_counted == 1)

    def lend_log(self) -> None:
        """Let compiled code append to the event log."""
        loop, log = self.space.loop, self.log
        loop.log_count, loop.max_log, loop.log_record = log.count, len(log.numbers), log.record
        loop.log_detail, loop.log_lacks = int(log.detail), 0
        loop.log_reserve = log.reserve
        loop.log = log.numbers

    # ------------------------------------------------------------ the model

    def current_sections(self) -> Sections:
        if self.sections is None or self.sections.others is not self.live.other_addresses:
            sections = self.sections = Sections(self.live)
            functions = sections.functions
            if self._bound_sections != tuple(functions.values()):
                self._bound_sections = ()
                bind(self.space.loop, **functions)
        return self.sections

    def follow_inputs(self) -> None:
        """Straight pieces of inputs into the workspaces, where they have changed."""
        inputs = self.live.inputs
        if inputs is self._inputs:
            return
        self._inputs = inputs
        if not are_lines(inputs) or not (inputs or self.space.loop.inputs):
            return
        lines = [piece for _, piece in inputs if isinstance(piece, Line)]
        numbers = [x for line in lines for x in (line.t0, line.y0, line.slope, line.t1, line.y1)]
        if lines:
            self.live.core.follow_inputs([slot for slot, _ in inputs], numbers)
        for space in self._spaces():
            if space.loop.inputs != len(inputs):
                space.resize(inputs=len(inputs))
            space.loop.input_slots[:] = [slot for slot, _ in inputs]
            space.loop.input_lines[:] = numbers

    def _spaces(self) -> list[Workspace]:
        """That know inputs."""
        return [self.space]

    # ------------------------------------------------------------ how things stand

    @property
    def t(self) -> float:
        return float(self.space.loop.t)

    @property
    def y(self) -> Vector:
        return np.array(self.space.loop.y)

    @property
    def events(self) -> tuple[int, int]:
        """Dealt with in the last call of `drive`: by relations, and all."""
        return self.space.loop.state_events, self.space.loop.all_events

    @property
    def failed_section(self) -> str:
        names = {outcomes.SECTION_DERIVATIVES: "derivatives", outcomes.SECTION_OUTPUTS: "outputs"}
        return names[self.space.loop.failed_section]


def _has_time_relations(model: CompiledModel) -> bool:
    return any(relation.depends_on_time_only for relation in model.relations)


def _relation_flags(model: CompiledModel) -> tuple[Integers, Integers]:
    """Which follow time alone, and which only watch."""
    relations = model.relations
    return (
        np.array([r.depends_on_time_only for r in relations], dtype=np.int64),
        np.array([r.is_watch for r in relations], dtype=np.int64),
    )


def _loud_relations(model: CompiledModel) -> int:
    """How many may cross zero inside a step without anybody knowing."""
    corners = corner_relations(model).tolist()
    pairs = zip(model.relations, corners, strict=True)
    return sum(not relation.is_straight and not corner for relation, corner in pairs)
