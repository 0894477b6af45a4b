"""The engine of quantized-state simulation, with the interface of the engine of classic methods.

    engine = QuantizedEngine(classic, quantized, QUANTIZED["liqss2"], quanta, settings)
    engine.restart(t, y)
    code = engine.drive()

The classic engine owns the arrays in which events are settled, the event log and the calendar. Without an
implicit core, relations that are linear in time are crossings like all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from freewheel.machine.memory import address_of
from freewheel.runtime.callbacks import are_lines
from freewheel.runtime.delays.history import LiveHistory
from freewheel.runtime.events.branch_following import FREE, STRICT, WATCHED
from freewheel.runtime.events.folds import lost_by_quantized
from freewheel.runtime.events.time_events import next_sample
from freewheel.runtime.inputs import Line
from freewheel.runtime.integrators.problem import Work
from freewheel.runtime.loop import outcomes
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.model import FINE, Vector
from freewheel.runtime.qss.diagnostics import (
    endless_steps,
    inputs_not_straight,
    row_failed,
    too_many,
)
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.qss.methods import QuantizedMethod
from freewheel.runtime.qss.model import QuantizedModel
from freewheel.runtime.qss.quanta import Quantum
from freewheel.runtime.qss.space import QuantizedSpace
from freewheel.runtime.qss.thresholds import CROSSINGS, ROWS
from freewheel.runtime.qss.time_loop import quantized_driver
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import TINIEST

CALL_SECONDS = 0.05
FAILURES = (outcomes.ROW_FAILED, outcomes.STALLED, outcomes.TOO_MANY, outcomes.LAG_WRONG)
FIRST_BUDGET = 20_000
STEPS_OF_A_STATE = 10_000  # each state takes its own steps
FEW_STATES = 64  # up to here each event is logged and has its two output points


class QuantizedEngine:
    """An `Engine` (`runtime/engine.py`) around a classic one."""

    is_quantized = True
    steps_core = False  # an implicit core is a group of quantized states

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
        self.space = None if quantized is None else self._row_space(quantized)
        self.qss = qss = self._core_states() if self.space is None else self.space.qss
        self.address = address_of(qss)
        qss.relative[:], qss.absolute[:] = quanta
        qss.start, qss.stop = settings.start, settings.stop
        qss.horizon = settings.stop + CROSSINGS.beyond_stop * settings.span
        qss.stiff = CROSSINGS.stiff / max(settings.span, TINIEST)
        qss.longest_validity = settings.span / CROSSINGS.checks
        qss.only_states = int(self._shows_only_states())
        qss.max_steps = max(settings.max_steps, STEPS_OF_A_STATE * qss.n)
        self._drive = quantized_driver.callable("drive_quantized")
        self._begin = quantized_driver.callable("begin")
        self._resume = quantized_driver.callable("resume")
        self._change_input = quantized_driver.callable("change_input")
        self._is_begun = False
        self.history = self._quantized_history()
        self._inputs: object = None
        self._budget = FIRST_BUDGET
        self._local_before = 0

    def _row_space(self, quantized: QuantizedModel) -> QuantizedSpace:
        statuses = [relation.status for relation in self.live.model.relations]
        memory, numbers = self.classic.space.memory, self.live.memory
        space = QuantizedSpace(quantized, self.method, statuses, numbers, self._columns(), memory)
        if self.settings.event_log or space.n <= FEW_STATES:
            space.make_global()
        quantized.set_stride(ROWS.stride * self.settings.span)
        return space

    def _core_states(self) -> Qss:
        from freewheel.runtime.qss.switched.group import core_states

        self.classic.space.loop.own_steps = 2
        memory, tolerance = self.classic.space.memory, self.settings.tolerance
        return core_states(self.live, self.method, self._columns(), tolerance, memory)

    def _quantized_history(self) -> LiveHistory | None:
        """The memory of delays, if its signals are quantized."""
        history = self.live.history
        if history is None or self.space is None:
            return None
        self.qss.history = history.record
        common = self.settings.quanta.get("", Quantum(TINIEST, self.settings.tolerance))
        self.qss.signal_relative, self.qss.signal_absolute = common.relative, common.absolute
        return history

    def _columns(self) -> list[int]:
        """Columns of states in a stored row."""
        place = {slot: k for k, slot in enumerate(self.classic.recorder.slots.tolist())}
        return [place.get(info.slot, -1) for info in self.live.model.state_infos]

    def _shows_only_states(self) -> bool:
        model = self.live.model
        states = {model.time, *(info.slot for info in model.state_infos)}
        return model.messages is None and states.issuperset(self.classic.recorder.slots.tolist())

    def become_classic(self, t: float, reason: str) -> ClassicEngine:
        """Single rows cannot hold a model on a surface."""
        classic = self.classic
        if self.history is not None:
            self.history.end_quantized(t)
        classic.use("dopri5", detect=True)
        classic.notes.append(
            f"changed from {self.solver} to dopri5 at time {t:g}, after {self.steps} steps: {reason}"
        )
        return classic

    # ------------------------------------------------------------ beginning

    def restart(self, t: float, y: Vector) -> int:
        """Continues at (t, y) with what has changed since."""
        status = self.classic.restart(t, y)
        if status != 0:
            return status
        # Rows are evaluated beside the event from here on.
        self.live.solve_loops(WATCHED)
        self._go_on(t, y)
        self.live.solve_loops(FREE)
        return 0

    def _go_on(self, t: float, y: Vector) -> None:
        self._take_bands()
        values = np.ascontiguousarray(y)
        if not are_lines(self.live.inputs):
            raise inputs_not_straight(self.method.name)
        if self.space is None:
            self.qss.group.is_pending = 0
            code = self._begin(self.address, values.ctypes.data, t)
        elif not self._is_begun:
            self.qss.t = t
            self._set_inputs(t)
            if self.history is not None:
                self.history.begin_quantized(t, self.settings.span)
            code = self._begin(self.address, values.ctypes.data, t)
            self._is_begun = True
        else:
            self.qss.t = t
            if self.history is not None:
                self.history.make_room(t)
                self.qss.history_full = 0
            code = self._change_inputs(t) or self._resume(self.address, values.ctypes.data, t)
        if code != 0:
            raise self._stopped(code)

    def _take_bands(self) -> None:
        """Dead bands of relations that chatter."""
        relations, bands = self.qss.relations, np.asarray(self.classic.space.loop.bands)
        relations.column("band")[:] = bands[relations.column("number")]

    def _lines(self) -> list[tuple[int, Line]]:
        """Linear pieces of inputs by their number."""
        assert self.space is not None
        number = {slot: k for k, slot in enumerate(self.space.quantized.inputs)}
        return [
            (number[slot], piece) for slot, piece in self.live.inputs if isinstance(piece, Line)
        ]

    def _set_inputs(self, t: float) -> None:
        assert self.space is not None
        n = self.space.n
        for k, slot in enumerate(self.space.quantized.inputs):
            record = self.qss.states[n + k]
            record.q0 = record.x0 = self.live.memory[slot]
            record.tq = record.tx = t
        for k, line in self._lines():
            record = self.qss.states[n + k]
            record.q0 = record.x0 = line(t)
            record.q1 = record.x1 = line.slope
        self._inputs = self.live.inputs

    def _change_inputs(self, t: float) -> int:
        if self.live.inputs is self._inputs:
            return 0
        self._inputs = self.live.inputs
        for k, line in self._lines():
            code = int(self._change_input(self.address, k, line(t), line.slope, t))
            if code != 0:
                return code
        return 0

    # ------------------------------------------------------------ running

    def drive(self) -> int:
        """Runs until an outcome that Python handles."""
        classic, loop = self.classic, self.classic.space.loop
        classic.share(settles_all=False)
        if self.space is not None:
            sample, next_break = next_sample(loop), loop.input_break
            loop.predicted, loop.limit = inf, min(self.settings.stop, sample, next_break)
            is_jump = loop.break_jumps == 1 and next_break <= loop.limit
            loop.end_is_event = int(sample <= loop.limit or is_jump)
        else:
            classic.set_limit()
        self._take_bands()
        self._local_before = self.qss.local_events
        self.live.solve_loops(WATCHED)
        code = self._until_outcome()
        self.live.solve_loops(FREE)
        if self.space is not None:
            loop.bands[:] = self.qss.relations.column("band")
        return code

    def _until_outcome(self) -> int:
        budget = self._budget
        while True:
            code = self._run(budget)
            if code == outcomes.ROWS_FULL:
                if self.classic.recorder.make_room():  # and the next call is short
                    budget = 1
            elif code == outcomes.LOG_FULL:
                self.classic.log.grow()
            elif code == outcomes.HISTORY_FULL:
                assert self.live.history is not None
                self.live.history.make_room(None if self.history is None else self.qss.t)
                self.qss.history_full = 0
            elif code == outcomes.IMPACTS_FULL:
                self.classic.make_room_for_impacts()
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
        """Finds the loop that has lost its solution branch: by the whole model, at q or some quanta ahead."""
        if self.live.model.follow < 0 or self.space is None:
            return
        t, n = self.qss.t, self.qss.n
        q0, q1, q2, tq, quantum, x1 = (
            self.qss.states.column(name)[:n] for name in ("q0", "q1", "q2", "tq", "quantum", "x1")
        )
        passed = t - tq
        q = q0 + passed * (q1 + passed * q2)
        ahead = np.copysign(quantum, x1)
        for quanta in CROSSINGS.quanta_ahead:
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
            code = self._drive(classic.space.address, self.address)
        finally:
            recorder.count = loop.row_count
            classic.log.count = loop.log_count
        sections.check()
        # A shorter call is no measure of speed.
        if code == outcomes.PAUSED and budget == self._budget and loop.t < loop.pause_at:
            elapsed = max(perf_counter() - began, TINIEST)
            change = min(4.0, max(0.25, CALL_SECONDS / elapsed))
            self._budget = max(1000, int(self._budget * change))
        return int(code)

    def stop_soon(self) -> None:
        """By another thread: pauses before the next step."""
        self.qss.stop_request = 1

    def _row_name(self) -> str:
        assert self.space is not None
        row, n, past = self.qss.failed_row, self.space.n, self.space.quantized.past
        model = self.live.model
        if row < n:
            return model.state_infos[row].name
        if row < n + self.space.relations:
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
        item, infos = self.qss.event_item, self.live.model.state_infos
        name = infos[item].name if item < len(infos) else ""
        if code == outcomes.STALLED:
            return endless_steps(name, t, self.method.name)
        if code == outcomes.TOO_MANY:
            width = self.qss.states[item].quantum if name else 0.0
            return too_many(self.steps, t, name, width, self.method.name)
        self.live.core.check()  # an impulse that is an error
        return row_failed(self.live, "" if self.space is None else self._row_name(), t)

    # ------------------------------------------------------------ a saved run

    def state(self) -> dict[str, Any]:
        """Besides the records."""
        return {"begun": self._is_begun}

    def take_state(self, saved: Mapping[str, Any]) -> None:
        """After the records; inputs are those of then."""
        self._is_begun, self._inputs = bool(saved["begun"]), self.live.inputs
        self.qss.stop_request = 0

    # ------------------------------------------------------------ statistics

    @property
    def solver(self) -> str:
        return self.method.name

    @property
    def steps(self) -> int:
        return self.qss.steps

    @property
    def events(self) -> tuple[int, int]:
        """Of the last call of `drive`: by relations, and all."""
        by_relations, noted = self.classic.events
        return by_relations, noted + self.qss.local_events - self._local_before

    @property
    def work(self) -> Work:
        rows = self.qss.evaluations + self.qss.predictions
        more = self.live.core.work
        return Work(rows + more[0], *more[1:], self.qss.predictions)
