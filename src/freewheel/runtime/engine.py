"""The compiled time loop as Python sees it: restart, drive to the next thing that matters.

    engine = Engine(live, recorder, settings)
    engine.take_events(discrete, calendar, signs, watch)
    engine.restart(t, y)
    code = engine.drive(limit, is_event=False, predicted=inf)    # EVENT, REACHED, ... of `places`
    engine.t, engine.y, engine.crossing()

All numbers live in a `Workspace`. Plain events are dealt with inside (`kernels/instant.py`); Python is
entered for all others and every 50 ms or so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf, nan
from time import perf_counter
from typing import Any

import numpy as np

from freewheel.runtime.callbacks import Sections, are_lines
from freewheel.runtime.event.agree import Rules
from freewheel.runtime.event.calendar import SampleCalendar
from freewheel.runtime.event.chatter import QUICK, ChatterWatch
from freewheel.runtime.event.choices import DETECTIONS, ROOT_SOLVERS
from freewheel.runtime.event.iterate import Discrete
from freewheel.runtime.event.locate import Crossing
from freewheel.runtime.event.log import EventLog
from freewheel.runtime.event.stored import corner_relations
from freewheel.runtime.failures import no_varying_delays
from freewheel.runtime.inputs import Line
from freewheel.runtime.integrate.problem import Problem, Work
from freewheel.runtime.kernels import places as at
from freewheel.runtime.kernels.drive import driver
from freewheel.runtime.kernels.follow import FREE
from freewheel.runtime.kernels.following import SNAPSHOTS
from freewheel.runtime.kernels.modes import TABLE
from freewheel.runtime.kernels.settle import settling
from freewheel.runtime.kernels.step import ROUNDING
from freewheel.runtime.live import InputPiece, LiveModel
from freewheel.runtime.methods import METHODS, CompiledMethod, method_named
from freewheel.runtime.model import CompiledModel, Vector
from freewheel.runtime.record import Recorder
from freewheel.runtime.settings import Settings
from freewheel.runtime.sundials import Multistep
from freewheel.runtime.workspace import Integers, Pattern, Workspace

BREATH_SECONDS = 0.05
FIRST_BUDGET = 100  # steps
FIRST_SIZES = 1024
LONG_RUN = 2000  # steps: from there on the best machine code pays
FULL_UP_TO = 1500  # states


class Engine:
    def __init__(
        self, live: LiveModel, recorder: Recorder, settings: Settings, problem: Problem
    ) -> None:
        model = live.model
        self.live = live
        self.recorder = recorder
        self.problem = problem
        self.notes: list[str] = []
        self.space = Workspace(problem.size, len(model.relations), recorder.slots.tolist())
        self.method: CompiledMethod | None = None
        self.multistep: Multistep | None = None
        self.sections: Sections | None = None
        self.is_full = False  # the Jacobian, whatever the model's own pattern
        self.log = EventLog(model, settings.event_log)
        self.breaks = (inf, False)  # the next one of an input, and whether the input jumps there
        self._settling: tuple[Any, Any] | None = None
        self._calendar: SampleCalendar | None = None
        self._shared: tuple[tuple[int, Vector | Integers], ...] = ()
        self._inputs: Sequence[tuple[int, InputPiece]] | None = None  # as the workspaces know them
        self._sizes = np.empty((FIRST_SIZES, 2))
        self._budget = FIRST_BUDGET
        self._drive = driver.callable("drive")
        self._restart = driver.callable("restart")
        self.events_left = settings.max_events
        self._is_best = False
        self._attempt, self._inside = 0, 0
        self._describe(settings)

    def _describe(self, settings: Settings) -> None:
        """Everything about the model and the settings that kernels read."""
        model, space = self.live.model, self.space
        space.integers(at.AT_STATUS, [r.status for r in model.relations])
        space.integers(at.AT_RESIDUAL, [r.residual for r in model.relations])
        space.integers(at.AT_TIME_ONLY, [int(r.depends_on_time_only) for r in model.relations])
        space.integers(at.AT_CORNER, model.corners)
        space.floats(at.AT_CORNER_VALUES, at.C_VECTORS * len(model.corners))
        c, w = space.c, space.w
        c[at.CORNERS], w[at.CORNER_TIME] = len(model.corners), inf
        c[at.TIME], c[at.AWAKE] = model.time, model.awake
        c[at.FOLLOW] = max(model.follow, 0)
        c[at.SWING] = model.swing
        c[at.STATES], c[at.DERIVATIVES] = model.states.start, model.derivatives.start
        self._loud = c[at.LOUD] = _loud_relations(model)
        c[at.MAX_STEPS] = settings.max_steps
        c[at.ROOT_SOLVER] = ROOT_SOLVERS[settings.root_solver]
        c[at.DETECTION] = DETECTIONS[settings.event_detection]
        c[at.OPTIMISTIC] = int(settings.step_control == "optimistic")
        if model.messages is not None:
            c[at.WATCH] = 1 if model.message_flag < 0 else 2
            c[at.FLAG] = model.message_flag
        w[at.START], w[at.STOP] = settings.start, settings.stop
        w[at.INTERVAL] = settings.output_interval
        w[at.RTOL] = self.problem.rtol
        w[at.QUICK_GAP] = QUICK * settings.span
        c[at.RECORD] = int(settings.record_events)
        space.residuals(at.R_GAP)[:] = inf
        space.residuals(at.R_SEEN)[:] = nan
        space.vector(at.ATOL)[:] = self.problem.atol
        if self.live.history is not None:
            c[at.HISTORY] = self.live.history.address
        if model.core is not None:
            space.integers(at.AT_STORED, [int(flag) for flag in model.core.is_differential])

    def use(self, name: str, longest: float, fixed: float, detect: bool = False) -> None:
        """Choose the method. `detect`: come back when the model proves stiff."""
        method = method_named(name)
        model, space = self.live.model, self.space
        # A model makes its Jacobian when it is first asked for: explicit methods do not ask.
        has_own = method.needs_jacobian and not self.is_full and "jacobian" in model.addresses
        pattern = model.jacobian_pattern if has_own else None
        space.use(method, self.problem.sparsity, pattern)
        space.w[at.LONGEST], space.w[at.FIXED] = longest, fixed
        space.c[at.IS_FIXED] = int(method.order == 0)
        space.c[at.DETECT] = int(detect)
        space.c[at.HAVE_JACOBIAN] = 0
        space.c[at.HAS_LAST] = 0
        space.c[at.REJECTED_BEFORE] = 1
        space.c[at.OWN_STEPS] = 2 if method.steps_core else 0
        self._forget_modes()
        self.method = method
        if method.library and any(delay.last_break >= 0 for delay in model.delays):
            raise no_varying_delays(method.name)
        self.multistep = self._multistep(method, pattern, longest) if method.library else None
        self._inputs = None
        self._attempt, self._inside = method.addresses()
        self._is_best = False
        if self.sections is not None:
            self._follow_inputs()
            self._begin_library()

    def change_sections(self) -> None:
        """After the live model got others. Those of a model that is held may join every derivative
        to every state: from then on Jacobians are full, and found by differences."""
        self.sections = None
        if self.is_full or not self.live.is_held or self.problem.size > FULL_UP_TO:
            return
        self.is_full = True
        self.problem = replace(self.problem, sparsity=None)
        space = self.space
        space.has_matrix = space.has_complex = False
        space.c[at.SPARSE] = space.c[at.ANALYTIC] = 0
        if self.method is not None:
            self.change_method(self.method.name, bool(space.c[at.DETECT]))

    def change_method(self, name: str, detect: bool) -> None:
        """As `use`, with step sizes as before."""
        longest, fixed = float(self.space.w[at.LONGEST]), float(self.space.w[at.FIXED])
        self.use(name, longest, fixed, detect)

    def _multistep(
        self, method: CompiledMethod, pattern: Pattern | None, longest: float
    ) -> Multistep:
        """The library's callbacks get a workspace of their own."""
        space = Workspace(self.problem.size, 0, [])
        space.use(METHODS["rodas4"], self.problem.sparsity, pattern)
        for place in (at.TIME, at.STATES, at.DERIVATIVES, at.FOLLOW):
            space.c[place] = self.space.c[place]
        space.w[at.RTOL] = self.problem.rtol
        space.vector(at.ATOL)[:] = self.problem.atol
        is_ida = method.library == "ida"
        return Multistep(is_ida, space, self.problem.rtol, self.problem.atol, longest)

    def _begin_library(self) -> None:
        if self.multistep is None:
            return
        assert self.sections is not None
        addresses = (
            self.sections.derivatives,
            self.live.address,
            self.sections.jacobian(True),
        )
        history = self.live.history
        self.multistep.longest = self.live.longest_of(float(self.space.w[at.LONGEST]))
        if history is not None:
            self.multistep.longest = min(self.multistep.longest, history.reach)
        self.multistep.restart(self.t, self.y, self.f, addresses)
        self.multistep.connect(self.space)

    # ------------------------------------------------------------ events

    def take_events(
        self,
        discrete: Discrete,
        calendar: SampleCalendar,
        signs: Vector,
        watch: ChatterWatch,
    ) -> None:
        """Deal with plain events inside the loop. What Python keeps of samples, of signs just after
        zeros and of relations that switch is followed and kept up to date."""
        space, model = self.space, self.live.model
        self._calendar = calendar
        self._shared = (
            (at.R_RISES, signs),
            (at.R_SIZES, watch.sizes),
            (at.R_LAST, watch.last),
            (at.R_QUICK, watch.quick),
        )
        self._settling = self._describe_events(discrete)
        space.c[at.SAMPLES] = len(model.samples)
        space.integers(
            at.AT_SAMPLE_SLOTS, [s.active for s in model.samples] + [0] * len(model.samples)
        )
        space.floats(at.AT_SAMPLES, 5 * len(model.samples))
        start = int(space.c[at.AT_SAMPLES])
        for k, series in enumerate(calendar.series):
            space.w[start + 5 * k : start + 5 * k + 5] = series.numbers
        space.floats(at.AT_SAVED, len(self.live.memory))
        space.floats(at.AT_AFTER, len(self.live.memory))
        space.integers(at.AT_MODE_KEYS, [-1] * TABLE + [0] * TABLE)
        space.floats(at.AT_MODE_SIZES, TABLE)

    def watch_rivals(self, homes: Sequence[int], looks: int, rounds: int, ahead: float) -> None:
        """Go again through so many events at which several components switch; see `rivals.py`."""
        self.space.w[at.MOMENT] = ahead
        self.space.integers(at.AT_HOMES, [*homes, -1])
        self.space.c[at.LOOKS], self.space.c[at.LOOK_ROUNDS] = looks, rounds

    def _forget_modes(self) -> None:
        """Another method takes other steps."""
        start = int(self.space.c[at.AT_MODE_KEYS])
        self.space.c[at.MODE] = -1
        if start:
            self.space.c[start : start + TABLE] = -1

    def _are_plain(self) -> bool:
        """Whether the loop may deal with events by itself."""
        return (
            self._calendar is not None
            and self.multistep is None
            and not self.live.is_held
            and not self.live.model.choices
            and self.live.history is None
            and self.space.c[at.WATCH] != 1
        )

    def share(self) -> None:
        """What Python may have changed since the last call."""
        space = self.space
        space.c[at.PLAIN] = int(self._are_plain())
        space.c[at.EVENTS], space.c[at.NOTED], space.c[at.MAX_EVENTS] = 0, 0, self.events_left
        space.w[at.BREAK], jumps = self.breaks
        space.c[at.BREAK_JUMPS] = int(jumps)
        if self._calendar is not None:
            counts = self._counts()
            counts[:] = [series.count for series in self._calendar.series]
        for place, numbers in self._shared:
            space.residuals(place)[:] = numbers

    def take_back(self) -> None:
        """What the loop has changed that Python keeps."""
        if self._calendar is not None:
            for series, count in zip(self._calendar.series, self._counts().tolist(), strict=True):
                series.count = count
        for place, numbers in self._shared:
            numbers[:] = self.space.residuals(place)

    @property
    def next_sample(self) -> float:
        """When one is due."""
        return inf if self._calendar is None else self._calendar.next

    def _counts(self) -> Integers:
        """Numbers of the next instants of samples."""
        space = self.space
        start = int(space.c[at.AT_SAMPLE_SLOTS] + space.c[at.SAMPLES])
        return space.c[start : start + int(space.c[at.SAMPLES])]

    # ------------------------------------------------------------ running

    def restart(self, t: float, y: Vector) -> int:
        """Begin anew at a point; the status of the right-hand side there."""
        space, sections = self.space, self.current_sections()
        self._follow_inputs()
        space.vector(at.Y)[:] = y
        status = self._restart(
            sections.derivatives,
            sections.relations,
            self.live.address,
            space.w_address,
            space.c_address,
            t,
        )
        sections.check()
        if status == 0:
            self._begin_library()
        return int(status)

    def _follow_inputs(self) -> None:
        """Straight pieces of inputs into the workspaces, where they have changed."""
        inputs = self.live.inputs
        if inputs is self._inputs:
            return
        self._inputs = inputs
        if not are_lines(inputs):
            return
        spaces = [self.space] + ([self.multistep.space] if self.multistep is not None else [])
        lines = [piece for _, piece in inputs if isinstance(piece, Line)]
        numbers = [x for line in lines for x in (line.t0, line.y0, line.slope, line.t1, line.y1)]
        if self.live.core is not None and lines:
            self.live.core.follow_inputs([slot for slot, _ in inputs], numbers)
        for space in spaces:
            if space.c[at.AT_INPUTS] == 0:
                space.integers(at.AT_INPUTS, [slot for slot, _ in inputs])
                space.floats(at.AT_LINES, len(numbers))
                space.c[at.INPUTS] = len(inputs)
            start = int(space.c[at.AT_LINES])
            space.w[start : start + len(numbers)] = numbers

    def settle(
        self, t: float, y: Vector | None, rules: Rules, discrete: Discrete, once: bool = False
    ) -> int:
        """The discrete equations at `t` in plain cases: the rounds they took. Else 0, and the memory
        is as it was. `y`: states at which the event begins; None where it goes on."""
        if self.space.c[at.WATCH] == 1:
            return 0
        rounds = self._settle(t, y, rules, discrete, once)
        if rounds == 0 and self.space.c[at.CIRCLES] == 1:
            self.space.c[at.THOROUGH] = 1
            rounds = self._settle(t, y, rules, discrete, once)
            self.space.c[at.THOROUGH] = 0
        return rounds

    def _settle(
        self, t: float, y: Vector | None, rules: Rules, discrete: Discrete, once: bool
    ) -> int:
        space, before = self.space, self.live.memory.copy()
        self.live.forget_messages()  # of trial points
        self._follow_inputs()
        sections = self.current_sections()
        if self._settling is None:
            self._settling = self._describe_events(discrete)
        begin, settle = self._settling
        space.residuals(at.R_BANDS)[:] = rules.bands
        space.residuals(at.R_RISES)[:] = rules.rises
        data = (self.live.address, space.w_address, space.c_address)
        mark = self.log.count
        log = self.lend_log()
        failed = 0
        if y is not None:
            space.vector(at.TRIAL)[:] = y
            failed = begin(sections.derivatives, sections.relations, *data, log, t)
        rounds = 0
        if failed == 0:
            given = (sections.discrete, sections.derivatives, sections.relations)
            rounds = settle(*given, *data, log, int(once))
        sections.check()
        self.log.count = int(space.c[at.LOG])
        if rounds == 0 or space.c[at.LOG_LACKS]:
            self.log.take_back(mark)
            self.live.memory[:] = before
            self.live.forget_messages()
            return 0
        return int(rounds)

    def lend_log(self) -> int:
        """Let compiled code append to the event log; its address."""
        c, log = self.space.c, self.log
        c[at.LOG], c[at.MAX_LOG], c[at.LOG_RECORD] = log.count, len(log.numbers), log.record
        c[at.LOG_DETAIL], c[at.LOG_LACKS] = int(log.detail), 0
        return log.numbers.ctypes.data

    def _describe_events(self, discrete: Discrete) -> tuple[Any, Any]:
        """Slots of the discrete side, and the kernels that iterate on it."""
        space, reinits = self.space, self.live.model.reinits
        space.c[at.PAIRS], space.c[at.REINITS] = len(discrete.values), len(reinits)
        space.integers(at.AT_PAIRS, [*discrete.values.tolist(), *discrete.pre.tolist()])
        space.integers(at.AT_REINITS, [slot for triple in reinits for slot in triple])
        space.floats(at.AT_MARGINS, len(discrete.margin))
        start = int(space.c[at.AT_MARGINS])
        space.w[start : start + len(discrete.margin)] = discrete.margin
        space.c[at.MEMORY] = len(self.live.memory)
        space.floats(at.AT_TRIED, 3 * len(self.live.memory))  # and what two ways lead to
        wide = len(discrete.values) + len(self.live.model.relations)
        space.floats(at.AT_SNAPSHOTS, SNAPSHOTS * wide)
        return settling.callable("begin_event"), settling.callable("settle_plainly")

    def current_sections(self) -> Sections:
        if self.sections is None:
            self.sections = Sections(self.live)
        return self.sections

    def drive(self, limit: float, is_event: bool, predicted: float, bands: Vector) -> int:
        """Run until something happens that is Python's business; what it was, of `places`."""
        space = self.space
        if predicted != self.predicted:  # Python has looked again
            space.c[at.SURE] = 0
        space.c[at.LOUD] = len(self.live.model.relations) if self.live.is_held else self._loud
        space.w[at.LIMIT], space.w[at.PREDICTED] = limit, predicted
        space.c[at.END_IS_EVENT] = int(is_event)
        space.residuals(at.R_BANDS)[:] = bands
        self.share()
        if self.multistep is not None:
            self.multistep.stop_at(limit)
        code = self._until_python_must()
        bands[:] = space.residuals(at.R_BANDS)
        self.take_back()
        return code

    def _until_python_must(self) -> int:
        space = self.space
        while True:
            code = self._run()
            if code == at.ROWS_FULL:
                self.recorder.grow()
            elif code == at.LOG_FULL:
                self.log.grow()
            elif code == at.SIZES_FULL:
                self._sizes = np.concatenate([self._sizes, np.empty_like(self._sizes)])
            elif code == at.HISTORY_FULL:
                assert self.live.history is not None
                self.live.history.make_room()
                space.c[at.HISTORY] = self.live.history.address
            elif code == at.NO_SPACE:
                space.grow_factors()
            elif code == at.STEP_FAILED and (
                self._library_lacks_space() or self._library_gave_up_early()
            ):
                self._begin_library()
            else:
                return code

    def _library_lacks_space(self) -> bool:
        """Whether sparse factors did not fit; makes room for them."""
        if self.multistep is None or self.multistep.space.c[at.FAILED] != -1:
            return False
        self.multistep.space.grow_factors()
        return True

    def _library_gave_up_early(self) -> bool:
        if self.multistep is None or self.live.lost != 0:
            return False
        return self.multistep.shorten(max(self.shortest, ROUNDING * at.EPSILON * abs(self.t)))

    def _run(self) -> int:
        space, sections, recorder = self.space, self.sections, self.recorder
        assert sections is not None
        space.c[at.ROWS], space.c[at.MAX_ROWS] = recorder.count, len(recorder.rows)
        space.c[at.MAX_SIZES] = len(self._sizes)
        space.c[at.BUDGET] = self._budget
        log = self.lend_log()
        began = perf_counter()
        try:
            code = self._drive(
                sections.discrete,
                sections.derivatives,
                sections.outputs,
                sections.relations,
                sections.jacobian(self.method is not None and self.method.needs_jacobian),
                self._attempt,
                self._inside,
                self.live.address,
                space.w_address,
                space.c_address,
                recorder.rows.ctypes.data,
                self._sizes.ctypes.data,
                log,
            )
        finally:  # Ctrl-C comes before anything after the call, and the rows are there
            recorder.count = int(space.c[at.ROWS])
            self.log.count = int(space.c[at.LOG])
            self.live.solve_loops(FREE)
        sections.check()
        if space.c[at.STEPS] >= LONG_RUN and not self._is_best:
            self._improve()
        if code == at.BREATH:
            elapsed = max(perf_counter() - began, 1e-9)
            change = min(4.0, max(0.25, BREATH_SECONDS / elapsed))
            self._budget = max(1, int(self._budget * change))
        return int(code)

    def _improve(self) -> None:
        """Better code than what is made quickly for short runs, as soon as it is there."""
        assert self.method is not None
        modules = (driver, self.method.module)
        self._is_best = driver.is_best and self.method.module.is_best
        for module in modules:
            module.improve()
        self._drive, self._restart = driver.callable("drive"), driver.callable("restart")
        self._attempt, self._inside = self.method.addresses()

    # ------------------------------------------------------------ how things stand

    @property
    def t(self) -> float:
        return float(self.space.w[at.T])

    @property
    def y(self) -> Vector:
        return self.space.vector(at.Y).copy()

    @property
    def predicted(self) -> float:
        """The next exact zero of a residual of time alone."""
        return float(self.space.w[at.PREDICTED])

    @property
    def events(self) -> tuple[int, int]:
        """Dealt with in the last call of `drive`: by relations, and all."""
        return int(self.space.c[at.EVENTS]), int(self.space.c[at.NOTED])

    @property
    def lately(self) -> Vector:
        """How large each state was."""
        return self.space.vector(at.LATELY).copy()

    @property
    def f(self) -> Vector:
        return self.space.vector(at.F).copy()

    @property
    def h(self) -> float:
        return float(self.space.w[at.H])

    @property
    def error(self) -> float:
        return float(self.space.w[at.ERROR])

    @property
    def fixed(self) -> float | None:
        return float(self.space.w[at.FIXED]) if self.space.c[at.IS_FIXED] else None

    @property
    def solver(self) -> str:
        return self.method.name if self.method is not None else ""

    @property
    def steps(self) -> int:
        return int(self.space.c[at.STEPS])

    @property
    def rejected(self) -> int:
        own = self.multistep.counts()[0] if self.multistep is not None else 0
        return own + int(self.space.c[at.REJECTED])

    @property
    def points(self) -> int:
        """Of the output grid that have passed."""
        return int(self.space.c[at.POINTS])

    @points.setter
    def points(self, number: int) -> None:
        self.space.c[at.POINTS] = number

    @property
    def shortest(self) -> float:
        return float(self.space.w[at.SHORTEST])

    @shortest.setter
    def shortest(self, size: float) -> None:
        self.space.w[at.SHORTEST] = size

    @property
    def failed_section(self) -> str:
        names = {at.SECTION_DERIVATIVES: "derivatives", at.SECTION_OUTPUTS: "outputs"}
        return names[int(self.space.c[at.FAILED])]

    @property
    def work(self) -> Work:
        places = (at.EVALUATIONS, at.JACOBIANS, at.FACTORISATIONS, at.NEWTON)
        counted = [int(self.space.c[place]) for place in places]
        if self.multistep is not None:
            inner = self.multistep.space.c
            _, factored, newton = self.multistep.counts()
            more = (int(inner[at.EVALUATIONS]), int(inner[at.JACOBIANS]), factored, newton)
            counted = [a + b for a, b in zip(counted, more, strict=True)]
        evaluations, jacobians, factored, newton = counted
        located = int(self.space.c[at.LOCATIONS])
        return Work(evaluations, jacobians, factored, newton, located)

    @property
    def sizes(self) -> Vector:
        """Time and size of each step."""
        return self._sizes[: int(self.space.c[at.SIZES])].copy()

    def crossing(self) -> Crossing:
        """What crossed, after the code EVENT."""
        space = self.space
        there, began = space.residuals(at.R_CROSSING).copy(), space.residuals(at.R_LEFT).copy()
        return Crossing(float(space.w[at.CROSSING]), space.which(), there, 0, began)

    @property
    def longest(self) -> float:
        longest = float(self.space.w[at.LONGEST])
        return longest if longest > 0.0 else inf


def _loud_relations(model: CompiledModel) -> int:
    """How many may cross zero inside a step without anybody knowing."""
    corners = corner_relations(model).tolist()
    pairs = zip(model.relations, corners, strict=True)
    return sum(not relation.is_straight and not corner for relation, corner in pairs)
