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

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from freewheel.base.stop import is_asked
from freewheel.machine.memory import bind
from freewheel.runtime.callbacks import are_lines
from freewheel.runtime.diagnostics import no_varying_delays
from freewheel.runtime.events.branch_following import FREE
from freewheel.runtime.integrators.problem import Problem, Work
from freewheel.runtime.integrators.registry import CompiledMethod, method_named
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop import outcomes
from freewheel.runtime.loop.event_engine import EventEngine
from freewheel.runtime.loop.habits import habits_of
from freewheel.runtime.loop.memory import MODE_TABLE
from freewheel.runtime.loop.recording import Recorder
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.model import CompiledModel, Vector, are_compiled, once
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import RUNS, TINIEST

if TYPE_CHECKING:
    from freewheel.runtime.linear.elimination_plan import Pattern
    from freewheel.runtime.loop.multistep import Multistep
    from freewheel.runtime.prepared import Prepared

BREATH_SECONDS = 0.05


class ClassicEngine(EventEngine):
    """An `Engine` (`runtime/engine.py`) that integrates all states together."""

    is_quantized = False

    def __init__(
        self,
        live: LiveModel,
        recorder: Recorder,
        settings: Settings,
        problem: Problem,
        known: Prepared | None = None,
    ) -> None:
        super().__init__(live, recorder, settings, problem, known)
        self.notes: list[str] = []
        self.method: CompiledMethod | None = None
        self.multistep: Multistep | None = None
        self.is_full = False  # the Jacobian, whatever the model's own pattern
        self._habits = habits_of(live.model)
        self._sizes = np.empty((self._habits.sizes, 2))
        self._budget = self._habits.budget("")
        self._drive = driver.callable("drive")
        self._restart = driver.callable("restart")
        self._is_best = False
        self._attempt, self._inside = 0, 0
        self._bound = () if known is None else known.functions  # that kernels know

    def use(self, name: str, detect: bool = False) -> None:
        """Choose the method. `detect`: come back when the model proves stiff."""
        method = method_named(name)
        model, space = self.live.model, self.space
        # A model makes its Jacobian when it is first asked for: explicit methods do not ask.
        has_own = method.needs_jacobian and not self.is_full and "jacobian" in model.addresses
        pattern = model.jacobian_pattern if has_own else None
        if self.known is None or self.method is not None:
            self._describe_method(method, pattern, detect)
        self.method = method
        self._budget = self._habits.budget(name)
        if method.library and any(delay.last_break >= 0 for delay in model.delays):
            raise no_varying_delays(method.name)
        self.multistep = None
        if method.library:  # few runs need its code
            from freewheel.runtime.loop.multistep import Multistep

            self.multistep = Multistep(method.library, space, self.problem, pattern)
        self._inputs = None
        self._attempt, self._inside = method.addresses()
        self._is_best = False
        if self.sections is not None:
            self.follow_inputs()
            self._begin_library()

    def _describe_method(
        self, method: CompiledMethod, pattern: Pattern | None, detect: bool
    ) -> None:
        """Into the record. `pattern`: of the model's own Jacobian."""
        space, loop = self.space, self.space.loop
        space.use(method, self.problem.sparsity, pattern)
        loop.is_fixed, loop.detects_stiffness = int(method.order == 0), int(detect)
        loop.have_jacobian = loop.has_last = 0
        loop.rejected_before = 1
        loop.own_steps = 2 if method.steps_core else 0
        self._forget_modes()

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
        if not self.is_full and self.live.is_constrained and self.problem.size <= RUNS.full_up_to:
            self._fill_jacobian()
        # A method of its own for an implicit core, or another Jacobian, are for Python to change.
        self.space.loop.keeps_method = int(self.is_full and not self.live.core.is_there)

    def _fill_jacobian(self) -> None:
        self.is_full = True
        self.problem = replace(self.problem, sparsity=None)
        space = self.space
        space.has_matrix = space.has_complex = False
        space.loop.is_sparse = space.loop.is_analytic = 0
        if self.method is not None:
            self.use(self.method.name, bool(space.loop.detects_stiffness))

    def _forget_modes(self) -> None:
        """Another method takes other steps."""
        loop = self.space.loop
        loop.mode = -1
        loop.mode_keys[:MODE_TABLE] = -1

    def _begin_library(self) -> None:
        if self.multistep is not None:
            assert self.sections is not None
            self.multistep.begin(self.sections)

    def _spaces(self) -> list[Workspace]:
        return [self.space] if self.multistep is None else [self.space, self.multistep.space]

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

    @property
    def starts_plainly(self) -> bool:
        """Whether kernels may begin the run by themselves (`events/first_instant.py`)."""
        live, has_steps = self.live, self.method is not None and self.multistep is None
        is_plain = once(_may_start_plainly, live.model) and are_lines(live.inputs)
        return is_plain and has_steps and not self.log.detail and self._are_plain()

    def first_instant(self, has_events: bool) -> int:
        """The first event and its row, from the initial values: 1; 2 with an event of its own; 0: it is not
        plain, and nothing has happened."""
        self.follow_inputs()
        sections, loop, log = self.current_sections(), self.space.loop, self.log
        self._lend_rows()
        self.lend_log()
        loop.events_are_plain = 1
        found = driver.callable("first_instant")(self.space.address, int(has_events))
        sections.check_after_trials()
        self.recorder.count = loop.row_count
        log.count, log.record = loop.log_count, loop.log_record
        if found == 0:
            self.live.forget_messages()
        return int(found)

    def begin_steps(self) -> bool:
        """Integration begins at the start."""
        sections = self.current_sections()
        found = driver.callable("begin_steps")(self.space.address)
        sections.check_after_trials()
        self.live.forget_messages()
        return int(found) == 1

    def drive(self) -> int:
        """Run until something happens that is Python's business; what it was, of `outcomes`."""
        loop = self.space.loop
        loop.nonlinear_count = (
            loop.relation_count if self.live.is_constrained else loop.own_nonlinear_count
        )
        self.share()
        self.set_limit()
        return self._until_python_must(self._drive)

    def run_here(self, kernel: str) -> int:
        """`instant` or `bend` at the present point, which the loop has left to others; an outcome, 0 where it
        is over."""
        self.follow_inputs()
        self.current_sections()
        self.share()
        return self._until_python_must(driver.callable(kernel))

    def _until_python_must(self, kernel: Callable[[int], int]) -> int:
        space, budget = self.space, self._budget
        while True:
            code = self._run(kernel, budget)
            if code == outcomes.ROWS_FULL:
                if self.recorder.make_room():  # who waits is informed: a breath after this step
                    budget = 1
            elif code == outcomes.LOG_FULL:
                self.log.grow()
            elif code == outcomes.IMPACTS_FULL:
                self.make_room_for_impacts()
            elif code == outcomes.SIZES_FULL:
                self._sizes = _twice_as_long(self._sizes)
                self._habits.saw_sizes(len(self._sizes))
            elif code == outcomes.HISTORY_FULL:
                assert self.live.history is not None
                self.live.history.make_room()
            elif code == outcomes.NO_SPACE:
                space.grow_factors()
            elif (
                code == outcomes.STEP_FAILED
                and self.multistep is not None
                and self.multistep.may_go_on(self.live.lost)
            ):
                self._begin_library()
            else:
                return code

    def _run(self, kernel: Callable[[int], int], budget: int) -> int:
        loop, sections, recorder = self.space.loop, self.sections, self.recorder
        assert sections is not None
        self._lend_rows()
        loop.max_sizes, loop.step_sizes = len(self._sizes), self._sizes
        loop.budget, loop.keeps_bands = budget, 1
        self.bind_method()
        self.lend_log()
        began = perf_counter()
        try:
            code = kernel(self.space.address)
        finally:  # Ctrl-C comes before anything after the call, and the rows are there
            recorder.count = loop.row_count
            self.log.count = loop.log_count
            self.live.solve_loops(FREE)
        if code == outcomes.EVENT_FAILED:
            sections.check_after_trials()
        sections.check()
        if self._iteration is not None:
            self._iteration.check()
        self.motions.check()
        self._signals.check()
        if loop.steps >= RUNS.long and not self._is_best:
            self._improve()
        is_full = budget == self._budget and loop.t < loop.pause_at  # else it says nothing of speed
        if code == outcomes.PAUSED and is_full:
            elapsed = max(perf_counter() - began, TINIEST)
            change = min(4.0, max(0.25, BREATH_SECONDS / elapsed))
            self._budget = max(1, int(self._budget * change))
            self._habits.budgets[self.solver] = self._budget
        return int(code)

    def _lend_rows(self) -> None:
        """Let compiled code store them."""
        loop, recorder = self.space.loop, self.recorder
        loop.row_count, loop.max_rows, loop.rows = recorder.count, recorder.lend(), recorder.rows

    def bind_method(self) -> tuple[int, ...]:
        """Functions of the method, and of the sections of now; what they are."""
        assert self.sections is not None
        needs_jacobian = self.method is not None and self.method.needs_jacobian
        restart = self.method.restart_address() if self.method is not None else 0
        functions = self.sections.jacobian(needs_jacobian), self._attempt, self._inside, restart
        if functions != self._bound:
            self._bound = functions
            jacobian, attempt, interpolate, restart = functions
            bind(self.space.loop, jacobian_section=jacobian, attempt=attempt)
            bind(self.space.loop, interpolate=interpolate, restart_method=restart)
        return functions

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
            self.use(str(saved["method"]))

    def take_state(self, saved: Mapping[str, Any]) -> None:
        """Once the record holds what it held."""
        space, loop = self.space, self.space.loop
        space.has_matrix, space.has_complex, space.fill = saved["matrices"]
        while len(self._sizes) < loop.size_count:
            self._sizes = _twice_as_long(self._sizes)
        assert saved["sizes"].shape == (loop.size_count, 2), "sizes of steps"
        self._sizes[: loop.size_count] = saved["sizes"]
        self.notes[:] = saved["notes"]
        loop.asked, loop.pause_at = 0, inf
        self.sections, self._inputs, self._bound = None, None, ()
        self.current_sections()
        self.follow_inputs()

    # ------------------------------------------------------------ how things stand

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
        """Time and size of each step; copied unless it is about the end."""
        sizes = self._sizes[: self.space.loop.size_count]
        return sizes if is_asked() else sizes.copy()


def _may_start_plainly(model: CompiledModel) -> bool:
    others = model.history >= 0 or model.choices or model.core.is_there
    return are_compiled(model) and not others


def _twice_as_long(numbers: Vector) -> Vector:
    """The system gives memory when it is written to: the new half is not."""
    grown = np.empty((2 * len(numbers), *numbers.shape[1:]))
    grown[: len(numbers)] = numbers
    return grown
