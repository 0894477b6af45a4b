"""Simulate an implicit core: the compiled loop, and what it asks Python for.

result = simulate_core(core, CoreSettings(stop=0.2, interval=1e-4))
result.values["u2"], result.events, result.impulses
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import alone_drive as core_drive
import numpy as np
import numpy.typing as npt
from scheduled import CoreSettings, ScheduledCore

from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.runtime.core.analyse import ModeFacts, analyse_mode
from freewheel.runtime.core.arrays import fresh_arrays
from freewheel.runtime.core.words import (
    contradiction,
    floating,
    impulse_error,
    impulse_warning,
    no_mode,
)
from freewheel.runtime.kernels import core_places as at
from freewheel.runtime.model import Vector

_REFRESH = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_double)
Integers = npt.NDArray[np.int64]
MOST_MODES = 4096
FIRST_MODES = 16
LOG_ROOM = 4096
PLAN_ROOM = 1024
AT_ONCE = 20_000  # steps between two chances to interrupt
IMPULSE = 1e-9  # of what the equations store
FIRST_STEP = 1e-3  # of the whole time
LOOK_AHEAD = 1e-2  # of the first step: how far the selection of the first mode looks


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


@dataclass(slots=True, repr=False)
class _Run:
    """The arrays of one simulation."""

    core: ScheduledCore
    settings: CoreSettings
    w: Vector
    c: Integers
    records: Vector
    pivots: Integers
    keys: Integers
    basis: Integers
    out: Vector
    log: Vector
    plan: Vector
    planned: float  # the schedule has been asked up to here
    callback: Any = None  # kept as long as the kernels may call it
    facts: list[ModeFacts] = field(default_factory=list)
    bits: list[tuple[bool, ...]] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)
    events: list[CoreEvent] = field(default_factory=list)
    impulses: list[Impulse] = field(default_factory=list)

    def vector(self, place: int) -> Vector:
        n = self.core.size
        return self.w[at.HEAD + place * n : at.HEAD + (place + 1) * n]

    @property
    def refresh_address(self) -> int:
        return ctypes.cast(self.callback, ctypes.c_void_p).value or 0 if self.callback else 0

    def refresh(self, mode: int, place: int, t: float) -> int:
        """Called by the kernels where the matrices of a mode have moved on."""
        stride = at.stride(self.core.size)
        record = self.records[mode * stride : (mode + 1) * stride]
        good = record[at.H_GOOD]
        y, slope = self.vector(place).copy(), self.vector(at.SLOPE).copy()
        if not (np.isfinite(y).all() and np.isfinite(slope).all()):
            return 1
        analyse_mode(self.core, t, y, slope, record)
        record[at.H_GOOD] = good
        return 0

    def present_bits(self) -> tuple[bool, ...]:
        m, first = self.core.memory, self.core.bits
        return tuple(bool(b) for b in m[first : first + len(self.core.bit_names)] > 0.5)


def simulate_core(core: ScheduledCore, settings: CoreSettings, compiled: bool = True) -> CoreResult:
    run = _prepared(core, settings)
    _plan(run)
    _enter_event(run)
    while True:
        status = _call(run, compiled)
        _read_log(run)
        if status == at.FINISHED:
            if run.w[at.T] >= settings.stop:
                return _result(run)
            _plan(run)
        elif status in (at.NEED_MODE, at.STALE):
            _visit(run, status)
        elif status == at.LOGIC:
            assert core.logic is not None
            core.logic(float(run.w[at.T]), core.memory, run.vector(at.Y))
        elif status == at.PAUSED and run.c[at.BUDGET] < settings.most_steps:
            run.c[at.BUDGET] += AT_ONCE
        elif status == at.FULL:
            assert run.c[at.LOG_COUNT] == 0, "the log was emptied"
        else:
            raise SimulationError(_reason(run, status))


def _prepared(core: ScheduledCore, settings: CoreSettings) -> _Run:
    n, k = core.size, len(core.elements)
    words = (len(core.bit_names) + 61) // 62
    rows = round((settings.stop - settings.start) / settings.interval) + 2
    w, c = fresh_arrays(core, settings.tolerance, np.full(n, settings.absolute))
    c[at.OUT_ROOM], c[at.LOG_ROOM] = rows, LOG_ROOM
    c[at.HAS_LOGIC] = core.logic is not None
    c[at.BUDGET] = AT_ONCE
    w[at.T] = w[at.T_BEGIN] = settings.start
    w[at.H_MAX], w[at.H] = settings.h_max, FIRST_STEP * (settings.stop - settings.start)
    w[at.LOOK] = LOOK_AHEAD * w[at.H]
    c[at.FIRST_ORDER] = settings.is_first_order
    if settings.is_first_order:
        w[at.H] = settings.h_max
    w[at.NEXT_OUT], w[at.OUT_STEP] = settings.start, settings.interval
    run = _Run(
        core, settings, w, c,
        np.zeros(FIRST_MODES * at.stride(n)), np.zeros(FIRST_MODES * 2 * n, np.int64),
        np.zeros(FIRST_MODES * max(words, 1), np.int64), np.zeros(max(n, k) + 1, np.int64),
        np.zeros((rows, n + 1)), np.zeros((LOG_ROOM, n + at.LOG_HEAD)),
        np.zeros((PLAN_ROOM, 3)), settings.start,
    )  # fmt: skip
    run.vector(at.Y)[:] = core.start
    if not core.is_linear:
        run.callback = _REFRESH(run.refresh)
    return run


def _call(run: _Run, compiled: bool) -> int:
    core = run.core
    stride = at.stride(core.size)
    if not compiled:
        return core_drive.run_core(
            core.rates, core.jacobians, run.refresh, core.memory, run.w, run.c, run.records, stride,
            run.pivots, run.keys, run.basis, run.out.reshape(-1), run.log.reshape(-1), run.plan.reshape(-1),
        )  # fmt: skip
    code = core_drive.core_drive.callable("run_core")
    arrays = (run.records, run.pivots, run.keys, run.basis, run.out, run.log, run.plan)
    records, pivots, keys, basis, out, log, plan = (array.ctypes.data for array in arrays)
    return int(
        code(
            core.rates_address, core.jacobians_address, run.refresh_address, core.memory.ctypes.data,
            run.w.ctypes.data, run.c.ctypes.data, records, stride, pivots, keys, basis, out, log, plan,
        )
    )  # fmt: skip


def _enter_event(run: _Run) -> None:
    run.vector(at.SAVED)[:] = run.vector(at.Y)
    run.vector(at.BEFORE)[:] = run.vector(at.Y)
    run.c[at.WANTED], run.c[at.SETTLED], run.c[at.CAUSE] = -1, 1, -1
    run.c[at.NEARER] = 0


def _plan(run: _Run) -> None:
    """The next instants of the model's logic, from those after `planned` on. Where they are more than
    there is room for, the run stops at the first that is left out and plans again."""
    settings = run.settings
    rows: list[tuple[float, int, float]] = []
    run.w[at.T_FINAL] = settings.stop
    instant = run.core.schedule(run.planned)
    while instant is not None and instant.time < settings.stop:
        if len(rows) + len(instant.bits) > PLAN_ROOM:
            run.w[at.T_FINAL] = instant.time
            break
        rows += [(instant.time, bit, float(value)) for bit, value in instant.bits]
        run.planned = instant.time
        instant = run.core.schedule(instant.time)
    run.plan[: len(rows)] = rows or np.zeros((0, 3))
    run.c[at.PLAN_AT], run.c[at.PLAN_COUNT] = 0, len(rows)
    run.w[at.T_STOP] = rows[0][0] if rows else settings.stop


def _visit(run: _Run, status: int) -> None:
    """Analyse the mode of the present bits: a new one, or one whose matrices have moved on."""
    core, n = run.core, run.core.size
    bits = run.present_bits()
    is_new = bits not in run.bits
    mode = len(run.bits) if is_new else run.bits.index(bits)
    if is_new:
        _grow(run, mode)
        words = (len(bits) + 61) // 62
        for word in range(words):
            key = 0
            for bit in bits[62 * word : 62 * word + 62]:
                key = 2 * key + bit
            run.keys[mode * words + word] = key
    place = at.BEFORE if status == at.NEED_MODE else at.Y
    stride = at.stride(n)
    record = run.records[mode * stride : (mode + 1) * stride]
    good = record[at.H_GOOD]
    facts = analyse_mode(
        core, float(run.w[at.T]), run.vector(place).copy(), run.vector(at.SLOPE).copy(), record,
    )  # fmt: skip
    record[at.H_GOOD] = good
    run.c[at.FRESH] = 1
    if is_new:
        run.bits.append(bits)
        run.facts.append(facts)
        run.c[at.MODES] = len(run.bits)
        if facts.free:
            run.warnings.append(floating(core, facts, float(run.w[at.T])))


def _grow(run: _Run, mode: int) -> None:
    n = run.core.size
    if (mode + 1) * at.stride(n) <= len(run.records):
        return
    assert mode < MOST_MODES, "more modes than anyone visits"
    run.records = np.concatenate([run.records, np.zeros_like(run.records)])
    run.pivots = np.concatenate([run.pivots, np.zeros_like(run.pivots)])
    run.keys = np.concatenate([run.keys, np.zeros_like(run.keys)])


def _read_log(run: _Run) -> None:
    core, lines = run.core, run.log[: run.c[at.LOG_COUNT]]
    run.c[at.LOG_COUNT] = 0
    if len(lines) == 0:
        return
    for time, fired, mode in lines[:, :3].tolist():
        cause = core.elements[int(fired)].name if fired >= 0 else "logic"
        if not run.events:
            cause = "start"
        run.events.append(CoreEvent(time, cause, run.bits[int(mode)]))
    strengths = lines[:, at.LOG_HEAD :]
    floors = IMPULSE * np.maximum(lines[:, 3], 1e-300)
    for row in np.flatnonzero((np.abs(strengths) > floors[:, None]).any(axis=1)):
        _report_impulses(run, float(lines[row, 0]), strengths[row], float(floors[row]))


def _report_impulses(run: _Run, time: float, strengths: Vector, floor: float) -> None:
    core = run.core
    found = [
        Impulse(time, core.equations[i], float(strengths[i]))
        for i in np.flatnonzero(np.abs(strengths) > floor)
    ]
    run.impulses.extend(found)
    names = [impulse.equation for impulse in found]
    if run.settings.impulses == "error":
        raise SimulationError(impulse_error(core, time, names))
    if run.settings.impulses == "warn":
        run.warnings.append(impulse_warning(core, [time], names))


def _reason(run: _Run, status: int) -> Diagnostic:
    core, time = run.core, float(run.w[at.T])
    if status == at.CONTRADICTION:
        return contradiction(core, run.facts[int(run.c[at.MODE])], run.present_bits(), time)
    names = {
        at.CHATTER: "it chatters",
        at.PAUSED: "too many steps",
        at.TOO_SMALL: "no step succeeds",
    }
    if status in names:
        return Diagnostic("R133", f"{names[status]} at {time} s")
    return no_mode(core, run.present_bits(), time)


def _result(run: _Run) -> CoreResult:
    core, count = run.core, int(run.c[at.OUT_COUNT])
    last = np.concatenate([[run.w[at.T]], run.vector(at.Y)])
    rows = np.vstack([run.out[:count], last])
    counted = ("steps", "rejected", "factored", "repeated", "events", "selections", "pivots")
    places = (at.STEPS, at.REJECTED, at.FACTORED, at.REPEATED, at.EVENTS, at.SELECTIONS)
    numbers = [int(run.c[place]) for place in (*places, at.PIVOTS_MADE)]
    counts = dict(zip(counted, numbers, strict=True))
    counts["modes"] = len(run.bits)
    counts["index"] = max((facts.index for facts in run.facts), default=0)
    values = {name: rows[:, 1 + i] for i, name in enumerate(core.unknowns)}
    return CoreResult(
        rows[:, 0], values, tuple(run.events), tuple(run.impulses), tuple(run.warnings), counts
    )
