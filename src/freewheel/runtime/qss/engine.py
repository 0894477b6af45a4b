"""Quantized-state simulation as the time loop sees it: like the compiled loop of classic methods.

    engine = QuantizedEngine(classic, quantized, QUANTIZED["liqss2"], quanta, settings)
    engine.restart(t, y)
    code = engine.drive()

The classic engine owns the arrays in which events are settled, the event log and the calendar. Instants of
relations of time are found among all other crossings, so that nothing needs to be predicted outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from freewheel.runtime.callbacks import are_lines
from freewheel.runtime.events.branch_following import FREE, STRICT, WATCHED
from freewheel.runtime.events.folds import lost_by_quantized
from freewheel.runtime.events.time_events import next_sample
from freewheel.runtime.inputs import Line
from freewheel.runtime.integrators.problem import Work
from freewheel.runtime.loop import outcomes
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.model import FINE, Vector
from freewheel.runtime.qss.delays import QuantizedHistory
from freewheel.runtime.qss.diagnostics import floods, inputs_not_straight, row_failed, too_many
from freewheel.runtime.qss.methods import QuantizedMethod
from freewheel.runtime.qss.model import QuantizedModel
from freewheel.runtime.qss.space import QuantizedSpace
from freewheel.runtime.qss.time_loop import quantized_driver
from freewheel.runtime.settings import Settings

if TYPE_CHECKING:
    from freewheel.runtime.qss.switched.group import CoreGroup

BREATH_SECONDS = 0.05
FAILURES = (outcomes.ROW_FAILED, outcomes.STALLED, outcomes.TOO_MANY, outcomes.LAG_WRONG)
FIRST_BUDGET = 20_000
STEPS_OF_A_STATE = 10_000  # each state takes steps of its own: large models need many
STRIDE = 1e-5  # of the whole time: how far apart rows are looked at for differences
STIFF = 1e4  # time constants in the run: such states are seen by their q
FEW_STATES = 64  # up to here each event is told and has its two rows
QUANTA_AHEAD = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0)  # where a fold is looked for that a row has met
LOOKS = 500  # in the whole run, at rows that follow time
BEYOND = 1e-3  # of the whole time: linearly implicit steps look so far beyond the stop


class QuantizedEngine:
    """An `Engine` (`runtime/engine.py`) around a classic one."""

    is_quantized = True
    steps_core = False  # its groups know a core in their own way

    def __init__(
        self,
        classic: ClassicEngine,
        quantized: QuantizedModel | None,
        method: QuantizedMethod,
        quanta: tuple[Vector, Vector],
        settings: Settings,
    ) -> None:
        self.classic = classic
        self.live = classic.live
        self.method = method
        self.settings = settings
        self.own, self._drive = self._space(quantized)
        self.qss = qss = self.own.qss
        qss.relative[:], qss.absolute[:] = quanta
        qss.start, qss.stop = settings.start, settings.stop
        qss.horizon = settings.stop + BEYOND * settings.span
        qss.stiff = STIFF / max(settings.span, 1e-300)
        qss.longest_look = settings.span / LOOKS
        qss.only_states = int(self._shows_only_states())
        qss.max_steps = max(settings.max_steps, STEPS_OF_A_STATE * self.own.n)
        self._begin = quantized_driver.callable("begin")
        self._resume = quantized_driver.callable("resume")
        self._bend = quantized_driver.callable("bend_input")
        self._is_begun = False
        self.past = self._past()
        self._inputs: object = None
        self._budget = FIRST_BUDGET
        self._local_before = 0

    def _space(self, quantized: QuantizedModel | None) -> tuple[QuantizedSpace | CoreGroup, Any]:
        """Memory, and the loop that runs on it. Without rows of its own an implicit core makes all
        states one group."""
        columns, memory = self._columns(), self.classic.space.memory
        if quantized is None:
            from freewheel.runtime.qss.switched.group import CoreGroup
            from freewheel.runtime.qss.switched.time_loop import group_driver

            self.classic.space.loop.own_steps = 2
            group = CoreGroup(self.live, self.method, columns, self.settings.tolerance, memory)
            return group, group_driver.callable("drive_group")
        statuses = [relation.status for relation in self.live.model.relations]
        numbers = self.live.memory
        space = QuantizedSpace(quantized, self.method, statuses, numbers, columns, memory)
        if self.settings.event_log or space.n <= FEW_STATES:
            space.make_global()
        quantized.set_stride(STRIDE * self.settings.span)
        return space, quantized_driver.callable("drive_quantized")

    def _past(self) -> QuantizedHistory | None:
        history = self.live.history
        if history is None or not isinstance(self.own, QuantizedSpace):
            return None
        return QuantizedHistory(history, self.own, self.settings)

    def _columns(self) -> list[int]:
        """Where states are in a stored row."""
        place = {slot: k for k, slot in enumerate(self.classic.recorder.slots.tolist())}
        return [place.get(info.slot, -1) for info in self.live.model.state_infos]

    def _shows_only_states(self) -> bool:
        model = self.live.model
        states = {model.time, *(info.slot for info in model.state_infos)}
        return model.messages is None and states.issuperset(self.classic.recorder.slots.tolist())

    def become_classic(self, t: float, reason: str) -> ClassicEngine:
        """Rows know of no surfaces on which a model is held, and not of each other."""
        classic = self.classic
        if self.past is not None:
            self.past.hand_over(t)
        classic.use("dopri5", detect=True)
        classic.notes.append(
            f"changed from {self.solver} to dopri5 at time {t:g}, after {self.steps} steps: {reason}"
        )
        return classic

    # ------------------------------------------------------------ beginning

    def restart(self, t: float, y: Vector) -> int:
        """Go on at (t, y): what has changed since is followed."""
        status = self.classic.restart(t, y)
        if status != 0:
            return status
        # The event is over: rows look at quanta beside it, and at times after it.
        self.live.solve_loops(WATCHED)
        self._go_on(t, y)
        self.live.solve_loops(FREE)
        return 0

    def _go_on(self, t: float, y: Vector) -> None:
        if not isinstance(self.own, QuantizedSpace):
            if not are_lines(self.live.inputs):
                raise inputs_not_straight(self.method.name)
            if self.own.go_on(t) != 0:
                raise self._stopped(outcomes.ROW_FAILED)
            return
        self.qss.t = t
        self.own.bands()[:] = np.asarray(self.classic.space.loop.bands)
        values = np.ascontiguousarray(y)
        if not self._is_begun:
            self._lay_inputs(t)
            if self.past is not None:
                self.past.begin(t)
            code = self._begin(self.own.address, values.ctypes.data, t)
            self._is_begun = True
        else:
            if self.past is not None:
                self.past.make_room()
            code = self._bend_inputs(t) or self._resume(self.own.address, values.ctypes.data, t)
        if code != 0:
            raise self._stopped(code)

    def _lines(self) -> list[tuple[int, Line]]:
        """Straight pieces of inputs by their number."""
        if not are_lines(self.live.inputs):
            raise inputs_not_straight(self.method.name)
        assert isinstance(self.own, QuantizedSpace)
        number = {slot: k for k, slot in enumerate(self.own.quantized.inputs)}
        return [
            (number[slot], piece) for slot, piece in self.live.inputs if isinstance(piece, Line)
        ]

    def _lay_inputs(self, t: float) -> None:
        assert isinstance(self.own, QuantizedSpace)
        n = self.own.n
        for k, slot in enumerate(self.own.quantized.inputs):
            record = self.qss.states[n + k]
            record.q0 = record.x0 = self.live.memory[slot]
            record.tq = record.tx = t
        for k, line in self._lines():
            record = self.qss.states[n + k]
            record.q0 = record.x0 = line(t)
            record.q1 = record.x1 = line.slope
        self._inputs = self.live.inputs

    def _bend_inputs(self, t: float) -> int:
        if self.live.inputs is self._inputs:
            return 0
        self._inputs = self.live.inputs
        for k, line in self._lines():
            value, slope = line(t), line.slope
            code = int(self._bend(self.own.address, k, value, slope, t))
            if code != 0:
                return code
        return 0

    # ------------------------------------------------------------ running

    def drive(self) -> int:
        """Run until something happens that is Python's business; what it was, of `outcomes`."""
        classic, loop = self.classic, self.classic.space.loop
        classic.share()
        if isinstance(self.own, QuantizedSpace):
            # Without what was predicted: relations of time are among the crossings here.
            sample, (next_break, jumps) = next_sample(loop), classic.breaks
            loop.predicted, loop.limit = inf, min(self.settings.stop, sample, next_break)
            is_jump = jumps and next_break <= loop.limit
            loop.end_is_event = int(sample <= loop.limit or is_jump)
            self.own.bands()[:] = np.asarray(loop.bands)
        else:
            self.own.take_bands(np.asarray(loop.bands))
            classic.set_limit()
        self._local_before = self.qss.local_events
        self.live.solve_loops(WATCHED)
        code = self._until_python_must()
        self.live.solve_loops(FREE)
        if isinstance(self.own, QuantizedSpace):
            loop.bands[:] = self.own.bands()
        return code

    def _until_python_must(self) -> int:
        budget = self._budget
        while True:
            code = self._run(budget)
            if code == outcomes.ROWS_FULL:
                if self.classic.recorder.make_room():  # who waits tells of it: a breath at once
                    budget = 1
            elif code == outcomes.LOG_FULL:
                self.classic.log.grow()
            elif code == outcomes.HISTORY_FULL:
                assert self.live.history is not None
                assert not isinstance(self.own, QuantizedSpace)
                self.live.history.make_room()
            elif code == outcomes.IMPACTS_FULL:
                self.classic.make_room_for_impacts()
            elif code == outcomes.PAST_FULL:
                assert self.past is not None
                self.past.make_room()
            elif code in FAILURES:
                raise self._stopped(code)
            else:
                return code

    def _stopped(self, code: int) -> Exception:
        if code == outcomes.ROW_FAILED and self.live.lost == 0:
            self._look_for_fold()
        if self.live.lost > 0:
            return lost_by_quantized(self.live, self.solver)
        self.live.solve_loops(FREE)
        return self._failure(code)

    def _look_for_fold(self) -> None:
        """A row does not tell which loop has lost its branch: the model does, where the states have been
        quantized or some quanta ahead."""
        if self.live.model.follow < 0 or not isinstance(self.own, QuantizedSpace):
            return
        t, n = self.qss.t, self.own.n
        q0, q1, q2, tq, quantum, x1 = (
            self.qss.states.column(name)[:n] for name in ("q0", "q1", "q2", "tq", "quantum", "x1")
        )
        passed = t - tq
        q = q0 + passed * (q1 + passed * q2)
        ahead = np.copysign(quantum, x1)
        for quanta in QUANTA_AHEAD:
            self.live.solve_loops(STRICT)
            if self.live.rhs(t, q + quanta * ahead, np.zeros(n)) != FINE and self.live.lost > 0:
                return

    def _run(self, budget: int) -> int:
        classic, loop = self.classic, self.classic.space.loop
        sections, recorder = classic.current_sections(), classic.recorder
        loop.row_count, loop.max_rows, loop.rows = recorder.count, recorder.lend(), recorder.rows
        self.qss.budget = budget
        classic.lend_log()
        began = perf_counter()
        try:
            code = self._drive(classic.space.address, self.own.address)
        finally:
            recorder.count = loop.row_count
            classic.log.count = loop.log_count
        sections.check()
        is_full = budget == self._budget and loop.t < loop.pause_at  # else it says nothing of speed
        if code == outcomes.BREATH and is_full:
            elapsed = max(perf_counter() - began, 1e-9)
            change = min(4.0, max(0.25, BREATH_SECONDS / elapsed))
            self._budget = max(1000, int(self._budget * change))
        return int(code)

    def stop_soon(self) -> None:
        """By another thread: come back to Python before the next step."""
        self.qss.asked = 1

    def _row_failed(self, t: float) -> Exception:
        self.live.core.check()  # an impulse that is an error
        return row_failed(self.live, "" if self.live.core.is_there else self._row_name(), t)

    def _row_name(self) -> str:
        assert isinstance(self.own, QuantizedSpace)
        row, n, past = self.qss.failed_row, self.own.n, self.own.quantized.past
        model = self.live.model
        if row < n:
            return model.state_infos[row].name
        if row < n + self.own.relations:
            return model.relations[row - n].text
        if row not in past.rows:
            return "a discrete variable"
        number = int(np.flatnonzero(past.rows == row)[0])
        line = number if number < past.lines else int(past.numbers[number - past.lines])
        return model.delays[line].text

    def _failure(self, code: int) -> Exception:
        t = self.qss.t
        if code == outcomes.LAG_WRONG:
            assert self.live.history is not None
            self.live.evaluate(t, self.classic.y)
            return self.live.history.wrong(t)
        item, infos = self.qss.subject, self.live.model.state_infos
        name = infos[item].name if item < len(infos) else ""
        if code == outcomes.STALLED:
            return floods(name, t, self.method.name)
        if code == outcomes.TOO_MANY:
            width = self.qss.states[item].quantum if name else 0.0
            return too_many(self.steps, t, name, width, self.method.name)
        return self._row_failed(t)

    # ------------------------------------------------------------ a saved run

    def state(self) -> dict[str, Any]:
        """Besides the record."""
        return {"begun": self._is_begun}

    def take_state(self, saved: Mapping[str, Any]) -> None:
        """Once the record holds what it held; inputs are those of then."""
        self._is_begun, self._inputs, self.qss.asked = bool(saved["begun"]), self.live.inputs, 0

    # ------------------------------------------------------------ how things stand

    @property
    def solver(self) -> str:
        return self.method.name

    @property
    def steps(self) -> int:
        return self.qss.steps

    @property
    def events(self) -> tuple[int, int]:
        """Dealt with in the last call of `drive`: by relations, and all."""
        by_relations, noted = self.classic.events
        return by_relations, noted + self.qss.local_events - self._local_before

    @property
    def work(self) -> Work:
        rows = self.qss.evaluations + self.qss.predictions
        more = self.live.core.work
        return Work(rows + more[0], *more[1:], self.qss.predictions)
