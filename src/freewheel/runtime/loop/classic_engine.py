"""The compiled time loop as Python sees it: restart, drive to the next thing that matters.

    engine = ClassicEngine(live, recorder, settings, problem)
    engine.take_events(discrete)
    engine.restart(t, y)
    code = engine.drive()    # EVENT, REACHED, ... of `outcomes`
    engine.t, engine.y, engine.crossing()

All numbers live in a `Workspace`. Plain events are dealt with inside (`events/instant.py`); Python is
entered for all others and every 50 ms or so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf, nan
from time import perf_counter
from typing import Any

import numpy as np

from freewheel.base.diagnostics import SimulationError
from freewheel.machine.memory import bind
from freewheel.runtime.callbacks import Sections, are_lines
from freewheel.runtime.diagnostics import no_varying_delays
from freewheel.runtime.events.branch_following import FREE
from freewheel.runtime.events.choices import DETECTIONS, ROOT_SOLVERS
from freewheel.runtime.events.discrete import Discrete, corner_relations
from freewheel.runtime.events.iteration import EventIteration, lengths_of
from freewheel.runtime.events.location import Crossing
from freewheel.runtime.events.log import EventLog
from freewheel.runtime.inputs import Line
from freewheel.runtime.integrators.problem import Problem, Work
from freewheel.runtime.integrators.registry import METHODS, CompiledMethod, method_named
from freewheel.runtime.integrators.step_control import ROUNDING
from freewheel.runtime.integrators.sundials import Multistep
from freewheel.runtime.live import InputPiece, LiveModel
from freewheel.runtime.loop import outcomes
from freewheel.runtime.loop.memory import MODE_TABLE
from freewheel.runtime.loop.recording import Recorder
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.loop.workspace import Pattern, Workspace
from freewheel.runtime.model import CompiledModel, Vector
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import AMBIGUITY, EPSILON, ZENO

BREATH_SECONDS = 0.05
FIRST_BUDGET = 100  # steps
FIRST_SIZES = 1024
LONG_RUN = 2000  # steps: from there on the best machine code pays
FULL_UP_TO = 1500  # states


class ClassicEngine:
    """An `Engine` (`runtime/engine.py`) that integrates all states together."""

    is_quantized = False

    def __init__(
        self, live: LiveModel, recorder: Recorder, settings: Settings, problem: Problem
    ) -> None:
        model = live.model
        self.live = live
        self.recorder = recorder
        self.problem = problem
        self.notes: list[str] = []
        self.space = Workspace(
            problem.size,
            len(model.relations),
            recorder.slots,
            memory=live.records,
            corner_count=len(model.corners),
            stored_count=len(model.core.is_differential),
            samples=len(model.samples),
            saved_size=len(live.memory),
            mode_places=MODE_TABLE,
            **lengths_of(live, settings.max_event_rounds),
        )
        self.method: CompiledMethod | None = None
        self.multistep: Multistep | None = None
        self.sections: Sections | None = None
        self.is_full = False  # the Jacobian, whatever the model's own pattern
        self.log = EventLog(model, settings.event_log)
        self.breaks = (inf, False)  # the next one of an input, and whether the input jumps there
        self._iteration: EventIteration | None = None
        self._takes_events = False
        self._most_rounds = settings.max_event_rounds
        self._inputs: Sequence[tuple[int, InputPiece]] | None = None  # as the workspaces know them
        self._sizes = np.empty((FIRST_SIZES, 2))
        self._budget = FIRST_BUDGET
        self._drive = driver.callable("drive")
        self._restart = driver.callable("restart")
        self._foretell = driver.callable("foretell_anew")
        self._set_limit = driver.callable("set_limit")
        self._has_time_relations = any(r.depends_on_time_only for r in model.relations)
        self.events_left = settings.max_events
        self._is_best = False
        self._attempt, self._inside = 0, 0
        self._bound: tuple[Any, ...] = ()  # functions that kernels know
        self._describe(settings)

    def _describe(self, settings: Settings) -> None:
        """Everything about the model and the settings that kernels read."""
        model, loop = self.live.model, self.space.loop
        if model.relations:
            loop.status_slots[:] = self.live.statuses
            loop.residual_slots[:] = self.live.residual_slots
            loop.time_only[:] = [int(r.depends_on_time_only) for r in model.relations]
            loop.is_watch[:] = [int(r.is_watch) for r in model.relations]
            loop.seen[:] = nan
        if model.corners:
            loop.corner_slots[:], loop.corner_time = model.corners, inf
        loop.swing_slot = model.swing
        loop.memory_size, loop.memory = len(self.live.memory), self.live.memory
        loop.time_slot, loop.awake_slot = model.time, model.awake
        loop.follow_slot = max(model.follow, 0)
        loop.states_slot, loop.derivatives_slot = model.states.start, model.derivatives.start
        loop.own_loud = loop.loud = _loud_relations(model)
        loop.max_steps = settings.max_steps
        loop.root_solver = ROOT_SOLVERS[settings.root_solver]
        loop.detection = DETECTIONS[settings.event_detection]
        loop.is_optimistic = int(settings.step_control == "optimistic")
        if model.messages is not None:
            loop.message_watch = 1 if model.message_flag < 0 else 2
            loop.message_slot = model.message_flag
        loop.start, loop.stop, loop.predicted = settings.start, settings.stop, inf
        loop.interval = settings.output_interval
        loop.rtol = self.problem.rtol
        loop.record_events = int(settings.record_events)
        loop.atol[:] = self.problem.atol
        if self.live.choices is not None:
            bind(loop, choose_states=self.live.choices.closure)
            loop.chooses_states = 1
        if self.live.history is not None:
            loop.has_history, loop.history = 1, self.live.history.record
        loop.is_stored[:] = model.core.is_differential
        self.live.core.join(loop)

    def use(self, name: str, longest: float, fixed: float, detect: bool = False) -> None:
        """Choose the method. `detect`: come back when the model proves stiff."""
        method = method_named(name)
        model, space = self.live.model, self.space
        # A model makes its Jacobian when it is first asked for: explicit methods do not ask.
        has_own = method.needs_jacobian and not self.is_full and "jacobian" in model.addresses
        pattern = model.jacobian_pattern if has_own else None
        space.use(method, self.problem.sparsity, pattern)
        space.loop.longest, space.loop.fixed = longest, fixed
        space.loop.is_fixed = int(method.order == 0)
        space.loop.detects_stiffness = int(detect)
        space.loop.have_jacobian = 0
        space.loop.has_last = 0
        space.loop.rejected_before = 1
        space.loop.own_steps = 2 if method.steps_core else 0
        self._forget_modes()
        self.method = method
        if method.library and any(delay.last_break >= 0 for delay in model.delays):
            raise no_varying_delays(method.name)
        self.multistep = self._multistep(method, pattern, longest) if method.library else None
        self._inputs = None
        self._attempt, self._inside = method.addresses()
        self._is_best = False
        if self.sections is not None:
            self.follow_inputs()
            self._begin_library()

    @property
    def classic(self) -> ClassicEngine:
        return self

    def become_classic(self, t: float, reason: str) -> ClassicEngine:
        return self

    @property
    def steps_core(self) -> bool:
        return self.live.core.is_there

    def change_sections(self) -> None:
        """After the live model got others. Those of a model that is held may join every derivative
        to every state: from then on Jacobians are full, and found by differences."""
        self.sections = None
        if not self.is_full and self.live.is_held and self.problem.size <= FULL_UP_TO:
            self._fill_jacobian()
        # A method of its own for an implicit core, or another Jacobian, are for Python to change.
        self.space.loop.can_hold = int(self.is_full and not self.live.core.is_there)

    def _fill_jacobian(self) -> None:
        self.is_full = True
        self.problem = replace(self.problem, sparsity=None)
        space = self.space
        space.has_matrix = space.has_complex = False
        space.loop.is_sparse = space.loop.is_analytic = 0
        if self.method is not None:
            self.change_method(self.method.name, bool(space.loop.detects_stiffness))

    def change_method(self, name: str, detect: bool) -> None:
        """As `use`, with step sizes as before."""
        longest, fixed = float(self.space.loop.longest), float(self.space.loop.fixed)
        self.use(name, longest, fixed, detect)

    def _multistep(
        self, method: CompiledMethod, pattern: Pattern | None, longest: float
    ) -> Multistep:
        """The library's callbacks get a workspace of their own."""
        space = Workspace(self.problem.size, 0, [])
        space.use(METHODS["rodas4"], self.problem.sparsity, pattern)
        own, loop = self.space.loop, space.loop
        loop.memory_size, loop.memory = own.memory_size, self.live.memory
        loop.time_slot, loop.follow_slot = own.time_slot, own.follow_slot
        loop.states_slot, loop.derivatives_slot = own.states_slot, own.derivatives_slot
        loop.rtol = self.problem.rtol
        loop.atol[:] = self.problem.atol
        return Multistep(method.library == "ida", self.space, space, longest)

    def _begin_library(self) -> None:
        if self.multistep is None:
            return
        assert self.sections is not None
        sections = self.sections
        history = self.live.history
        self.multistep.longest = self.live.longest_of(self.space.loop.longest)
        if history is not None:
            self.multistep.longest = min(self.multistep.longest, history.record.least)
        self.multistep.begin(sections.derivatives, sections.jacobian(True))

    # ------------------------------------------------------------ events

    def take_events(self, discrete: Discrete) -> None:
        """Deal with plain events inside the loop."""
        self._takes_events = True
        self._iterate(discrete)
        self.space.loop.sample_slots[:] = [s.active for s in self.live.model.samples]

    def _iterate(self, discrete: Discrete) -> EventIteration:
        if self._iteration is None:
            self._iteration = EventIteration(discrete, self.space, self._most_rounds)
        return self._iteration

    def watch_ambiguity(self, homes: Sequence[int], events: int, span: float) -> None:
        """Go again through so many events at which several components switch; see
        `events/ambiguity_kernels.py`."""
        loop = self.space.loop
        if homes:
            self.space.resize(homes_size=len(homes))
            loop.homes[:] = homes
        loop.moment = AMBIGUITY.ahead * span
        loop.alternatives_left, loop.alternative_rounds = events, AMBIGUITY.most_rounds

    def is_ambiguous(self, t: float, before: Vector) -> bool:
        """Whether the event that has just settled could have ended otherwise than it has."""
        if self.space.loop.alternatives_left == 0:
            return False
        found = driver.callable("has_rivals_from")(self.space.address, t, before.ctypes.data)
        self.current_sections().check_after_trials()
        return bool(found)

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

    def _forget_modes(self) -> None:
        """Another method takes other steps."""
        loop = self.space.loop
        loop.mode = -1
        loop.mode_keys[:MODE_TABLE] = -1

    def _are_plain(self) -> bool:
        """Whether the loop may deal with events by itself."""
        return (
            self._takes_events
            and (self.space.loop.can_hold == 1 or not self.live.is_held)
            and self.space.loop.message_watch != 1
        )

    def share(self) -> None:
        """What Python may have changed since the last call."""
        loop = self.space.loop
        loop.events_are_plain = int(self._are_plain())
        loop.state_events, loop.all_events, loop.max_events = 0, 0, self.events_left
        loop.input_break, jumps = self.breaks
        loop.break_jumps = int(jumps)

    def set_limit(self) -> None:
        """Where integration stops at the latest."""
        self._set_limit(self.space.address)

    # ------------------------------------------------------------ running

    def restart(self, t: float, y: Vector) -> int:
        """Begin anew at a point; the status of the right-hand side there."""
        space, sections = self.space, self.current_sections()
        self.follow_inputs()
        space.loop.y[:] = y
        status = self._restart(space.address, t)
        sections.check()
        if status == 0:
            self._begin_library()
        return int(status)

    def follow_inputs(self) -> None:
        """Straight pieces of inputs into the workspaces, where they have changed."""
        inputs = self.live.inputs
        if inputs is self._inputs:
            return
        self._inputs = inputs
        if not are_lines(inputs) or not (inputs or self.space.loop.inputs):
            return
        spaces = [self.space] + ([self.multistep.space] if self.multistep is not None else [])
        lines = [piece for _, piece in inputs if isinstance(piece, Line)]
        numbers = [x for line in lines for x in (line.t0, line.y0, line.slope, line.t1, line.y1)]
        if lines:
            self.live.core.follow_inputs([slot for slot, _ in inputs], numbers)
        for space in spaces:
            if space.loop.inputs != len(inputs):
                space.resize(inputs=len(inputs))
            space.loop.input_slots[:] = [slot for slot, _ in inputs]
            space.loop.input_lines[:] = numbers

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
            iteration.callbacks.check()
            sections.check_after_trials()
            if loop.log_lacks == 0:
                break
            self.live.memory[:] = before
            loop.bands[:], loop.forgiven[:] = kept
            mark, self.log.count = self.log.count, int(loop.log_count)
            self.log.take_back(mark)
            self.log.grow()
        self.log.count = int(loop.log_count)
        failed = [self.live.take(messages) for messages in iteration.heard]
        if rounds == 0:
            raise iteration.failure()
        return rounds, [SimulationError(*errors) for errors in failed if errors]

    # ------------------------------------------------------------ sliding and rest

    def make_room_for_impacts(self) -> None:
        count = self.space.loop.relation_count
        self.space.resize(impact_count=count, impact_states=count * self.space.n)

    def prepare_holds(self, take_up: int) -> None:
        """Sections that ask whether something is held, and the kernel that decides it."""
        bind(self.space.loop, take_up=take_up)
        self.follow_inputs()
        self.current_sections()

    def call(self, kernel: str | Callable[..., Any], *arguments: int) -> int:
        """A kernel of an event that Python deals with."""
        function = driver.callable(kernel) if isinstance(kernel, str) else kernel
        code = int(function(self.space.address, *arguments) or 0)
        if self._iteration is not None:
            self._iteration.callbacks.check()
        self.current_sections().check_after_trials()
        return code

    def tell(self, kernel: str, *arguments: float) -> int:
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
        loop.log = log.numbers

    def current_sections(self) -> Sections:
        if self.sections is None or self.sections.others is not self.live.other_addresses:
            sections = self.sections = Sections(self.live)
            loop = self.space.loop
            bind(
                loop,
                discrete=sections.discrete,
                derivatives=sections.derivatives,
                outputs=sections.outputs,
                relations=sections.relations,
            )
        return self.sections

    def drive(self) -> int:
        """Run until something happens that is Python's business; what it was, of `outcomes`."""
        loop = self.space.loop
        loop.loud = loop.relation_count if self.live.is_held else loop.own_loud
        self.share()
        self.set_limit()
        return self._until_python_must()

    def _until_python_must(self) -> int:
        space = self.space
        while True:
            code = self._run()
            if code == outcomes.ROWS_FULL:
                self.recorder.grow()
            elif code == outcomes.LOG_FULL:
                self.log.grow()
            elif code == outcomes.IMPACTS_FULL:
                self.make_room_for_impacts()
            elif code == outcomes.SIZES_FULL:
                self._sizes = np.concatenate([self._sizes, np.empty_like(self._sizes)])
            elif code == outcomes.HISTORY_FULL:
                assert self.live.history is not None
                self.live.history.make_room()
            elif code == outcomes.NO_SPACE:
                space.grow_factors()
            elif code == outcomes.STEP_FAILED and (
                self._library_lacks_space() or self._library_gave_up_early()
            ):
                self._begin_library()
            else:
                return code

    def _library_lacks_space(self) -> bool:
        """Whether sparse factors did not fit; makes room for them."""
        if self.multistep is None or self.multistep.space.loop.failed_section != -1:
            return False
        self.multistep.space.grow_factors()
        return True

    def _library_gave_up_early(self) -> bool:
        if self.multistep is None or self.live.lost != 0:
            return False
        return self.multistep.shorten(max(self.shortest, ROUNDING * EPSILON * abs(self.t)))

    def _run(self) -> int:
        loop, sections, recorder = self.space.loop, self.sections, self.recorder
        assert sections is not None
        loop.row_count, loop.max_rows, loop.rows = recorder.count, len(recorder.rows), recorder.rows
        loop.max_sizes, loop.step_sizes = len(self._sizes), self._sizes
        loop.budget, loop.keeps_bands = self._budget, 1
        needs_jacobian = self.method is not None and self.method.needs_jacobian
        restart = self.method.restart_address() if self.method is not None else 0
        functions = (sections.jacobian(needs_jacobian), self._attempt, self._inside, restart)
        if functions != self._bound:
            self._bound = functions
            jacobian, attempt, interpolate, restart = functions
            bind(loop, jacobian_section=jacobian, attempt=attempt, interpolate=interpolate)
            bind(loop, restart_method=restart)
        self.lend_log()
        began = perf_counter()
        try:
            code = self._drive(self.space.address)
        finally:  # Ctrl-C comes before anything after the call, and the rows are there
            recorder.count = loop.row_count
            self.log.count = loop.log_count
            self.live.solve_loops(FREE)
        sections.check()
        if self._iteration is not None:
            self._iteration.callbacks.check()
        if loop.steps >= LONG_RUN and not self._is_best:
            self._improve()
        if code == outcomes.BREATH and loop.t < loop.pause_at:  # which says nothing of speed
            elapsed = max(perf_counter() - began, 1e-9)
            change = min(4.0, max(0.25, BREATH_SECONDS / elapsed))
            self._budget = max(1, int(self._budget * change))
        return int(code)

    def stop_soon(self) -> None:
        """By another thread: come back to Python before the next step."""
        self.space.loop.asked = 1

    @property
    def rows_stored(self) -> int:
        """Also those that the loop has stored since it was called."""
        return max(self.recorder.count, self.space.loop.row_count)

    def _improve(self) -> None:
        """Better code than what is made quickly for short runs, as soon as it is there."""
        assert self.method is not None
        modules = (driver, self.method.module)
        self._is_best = driver.is_best and self.method.module.is_best
        for module in modules:
            module.improve()
        self._drive, self._restart = driver.callable("drive"), driver.callable("restart")
        self._attempt, self._inside = self.method.addresses()

    # ------------------------------------------------------------ a saved run

    def state(self) -> dict[str, Any]:
        """Besides the record."""
        space = self.space
        return {
            "method": self.solver,
            "is full": self.is_full,
            "matrices": [space.has_matrix, space.has_complex, space.fill],
            "sizes": self.sizes,
            "notes": self.notes,
        }

    def prepare_again(self, saved: Mapping[str, Any]) -> None:
        """The same method, before the record gets back what it held."""
        if saved["is full"]:
            self.is_full, self.problem = True, replace(self.problem, sparsity=None)
        if saved["method"]:
            self.use(str(saved["method"]), inf, 0.0)

    def take_state(self, saved: Mapping[str, Any]) -> None:
        """Once the record holds what it held."""
        space, loop = self.space, self.space.loop
        space.has_matrix, space.has_complex, space.fill = saved["matrices"]
        while len(self._sizes) < loop.size_count:
            self._sizes = np.concatenate([self._sizes, np.empty_like(self._sizes)])
        assert saved["sizes"].shape == (loop.size_count, 2), "sizes of steps"
        self._sizes[: loop.size_count] = saved["sizes"]
        self.notes[:] = saved["notes"]
        loop.asked, loop.pause_at = 0, inf
        self.sections, self._inputs, self._bound = None, None, ()
        self.current_sections()
        self.follow_inputs()

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
    def lately(self) -> Vector:
        """How large each state was."""
        return np.array(self.space.loop.lately)

    @property
    def f(self) -> Vector:
        return np.array(self.space.loop.f)

    @property
    def h(self) -> float:
        return float(self.space.loop.h)

    @property
    def error(self) -> float:
        return float(self.space.loop.error)

    @property
    def fixed(self) -> float | None:
        return float(self.space.loop.fixed) if self.space.loop.is_fixed else None

    @property
    def solver(self) -> str:
        return self.method.name if self.method is not None else ""

    @property
    def steps(self) -> int:
        return self.space.loop.steps

    @property
    def rejected(self) -> int:
        own = self.multistep.counts()[0] if self.multistep is not None else 0
        return own + self.space.loop.rejected

    @property
    def shortest(self) -> float:
        return float(self.space.loop.shortest)

    @shortest.setter
    def shortest(self, size: float) -> None:
        self.space.loop.shortest = size

    @property
    def failed_section(self) -> str:
        names = {outcomes.SECTION_DERIVATIVES: "derivatives", outcomes.SECTION_OUTPUTS: "outputs"}
        return names[self.space.loop.failed_section]

    @property
    def work(self) -> Work:
        loop = self.space.loop
        counted = [loop.evaluations, loop.jacobians, loop.factorisations, loop.newton_iterations]
        if self.multistep is not None:
            inner = self.multistep.space.loop
            _, factored, newton = self.multistep.counts()
            more = (inner.evaluations, inner.jacobians, factored, newton)
            counted = [a + b for a, b in zip(counted, more, strict=True)]
        evaluations, jacobians, factored, newton = map(
            sum, zip(counted, self.live.core.work, strict=True)
        )
        located = self.space.loop.locations
        return Work(evaluations, jacobians, factored, newton, located)

    @property
    def sizes(self) -> Vector:
        """Time and size of each step."""
        return self._sizes[: self.space.loop.size_count].copy()

    def crossing(self) -> Crossing:
        """What crossed, after the code EVENT."""
        space = self.space
        there, began = np.array(space.loop.residuals_crossing), np.array(space.loop.residuals_left)
        return Crossing(float(space.loop.crossing_time), space.which(), there, began)

    @property
    def longest(self) -> float:
        longest = float(self.space.loop.longest)
        return longest if longest > 0.0 else inf


def _loud_relations(model: CompiledModel) -> int:
    """How many may cross zero inside a step without anybody knowing."""
    corners = corner_relations(model).tolist()
    pairs = zip(model.relations, corners, strict=True)
    return sum(not relation.is_straight and not corner for relation, corner in pairs)
