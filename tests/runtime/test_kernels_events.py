"""Crossings and discrete equations: machine code against the same kernels run by CPython.

The model: x = sin t, a relation x > 0.5, and a counter of the times it has become true.
Memory: time, x, v, der(x), der(v), status, residual, count, pre(count), pre(status).
"""

from __future__ import annotations

from dataclasses import replace
from math import asin, inf, pi

import numpy as np
import pytest

from freewheel.base.diagnostics import SimulationError
from freewheel.base.slots import Info, RelationSlots, StateSlots
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int
from freewheel.machine.memory import bind
from freewheel.result.events import CROSSED
from freewheel.runtime.events import iteration_kernels as settling
from freewheel.runtime.events.chattering import ChatterWatch
from freewheel.runtime.events.discrete import Discrete
from freewheel.runtime.events.iteration import make_room
from freewheel.runtime.events.log import EventLog
from freewheel.runtime.integrators.explicit import inside_dopri5, try_dopri5
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop import outcomes
from freewheel.runtime.loop import rows as storing
from freewheel.runtime.loop import time_loop as driving
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.recording import Recorder
from freewheel.runtime.model import CompiledModel, SlotRange
from freewheel.runtime.settings import Settings
from freewheel.runtime.start import problem_of

counting = KernelModule("test_counting")


@counting.kernel
def slopes(m: Floats) -> Int:
    m[3] = m[2]
    m[4] = -m[1]
    return 0


@counting.kernel
def relation(m: Floats) -> Int:
    m[6] = m[1] - 0.5
    return 0


@counting.kernel
def count_up(m: Floats) -> Int:
    m[7] = m[8]
    if m[5] > 0.0 and m[9] <= 0.0:
        m[7] = m[8] + 1.0
    return 0


@counting.kernel
def undecided(m: Floats) -> Int:
    """Contradicts whatever status it finds."""
    m[6] = -1.0 if m[5] > 0.0 else 1.0
    return 0


def model(relations: str = "relation") -> CompiledModel:
    names = {"derivatives": "slopes", "relations": relations, "discrete": "count_up"}
    return CompiledModel(
        name="Counting",
        start=np.array([0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0]),
        time=0,
        states=SlotRange(1, 3),
        derivatives=SlotRange(3, 5),
        inputs=(),
        state_infos=(StateSlots("x", 1, 3), StateSlots("v", 2, 4)),
        variables=(Info("x", 1), Info("count", 7, kind="discrete", type="Integer")),
        parameter_slots={},
        sections={section: counting.kernels[name] for section, name in names.items()},
        relations=(RelationSlots(5, 6, "x > 0.5"),),
        discrete=((7, 8), (5, 9)),
        addresses={section: counting.address(name) for section, name in names.items()},
    )


def engine_for(relations: str = "relation") -> ClassicEngine:
    live = LiveModel(model(relations))
    settings = Settings(stop=3.0, solver="dopri5", tolerance=1e-8)
    problem = replace(problem_of(live, settings), longest=inf)
    engine = ClassicEngine(live, Recorder(live), settings, problem)
    engine.use("dopri5")
    return engine


def by_cpython(engine: ClassicEngine) -> Loop:
    """The record of a loop whose functions are Python's."""
    loop = engine.space.loop
    bind(
        loop,
        discrete=count_up,
        derivatives=slopes,
        outputs=driving.nothing,
        relations=relation,
        jacobian_section=driving.no_jacobian,
        attempt=try_dopri5,
        interpolate=inside_dopri5,
    )
    loop.max_rows, loop.rows = len(engine.recorder.rows), engine.recorder.rows
    loop.max_sizes, loop.step_sizes = 1000, np.zeros(2000)
    engine.lend_log()
    loop.limit, loop.predicted, loop.input_break, loop.budget = 3.0, inf, inf, 10**6
    return loop


def test_the_same_crossing_is_located():
    fast, slow = engine_for(), engine_for()
    fast.restart(0.0, np.array([0.0, 1.0]))
    assert fast.drive() == outcomes.EVENT

    loop = by_cpython(slow)
    loop.y[:] = [0.0, 1.0]
    assert storing.restart(loop, 0.0) == 0
    assert driving.drive(loop) == outcomes.EVENT

    assert fast.t == pytest.approx(asin(0.5), abs=1e-8)
    assert fast.t == pytest.approx(slow.t, rel=1e-14)
    assert fast.y == pytest.approx(slow.y, rel=1e-12)
    assert fast.space.loop.which[0] == slow.space.loop.which[0] == 1
    assert fast.space.loop.residuals_crossing[0] > 0.0


def test_discrete_equations_settle_alike():
    fast, slow = engine_for(), engine_for()
    y = np.array([0.5000001, 0.8])
    rounds, errors = fast.settle(pi / 6, y, Discrete(fast.live))
    assert not errors

    make_room(Discrete(slow.live), slow.space, 100)
    loop, memory = by_cpython(slow), slow.live.memory
    loop.trial[:] = y
    settling.begin_event(loop, pi / 6)
    assert settling.settle(loop, 0) == rounds == 2
    assert fast.live.memory.tolist() == memory.tolist()
    assert memory[7:9].tolist() == [1.0, 1.0]


def test_statuses_that_go_in_circles_are_named():
    engine = engine_for("undecided")

    with pytest.raises(SimulationError, match=r"these keep changing: `count`, `x > 0\.5`"):
        engine.settle(0.0, np.array([0.0, 1.0]), Discrete(engine.live))


def test_whole_events_are_dealt_with_alike():
    """Two rows, the counter, the log, the next limit: by machine code and by CPython."""
    results = []
    for is_compiled in (True, False):
        engine = engine_for()
        ChatterWatch(engine.live.model.relations, Settings(stop=3.0), engine.space)
        engine.take_events(Discrete(engine.live))
        engine.restart(0.0, np.array([0.0, 1.0]))
        if is_compiled:
            assert engine.drive() == outcomes.REACHED
        else:
            loop = by_cpython(engine)
            loop.events_are_plain, loop.max_events = 1, 10
            assert driving.drive(loop) == outcomes.REACHED
            engine.recorder.count = loop.row_count
            engine.log.count = loop.log_count
        results.append((engine.recorder.rows[: engine.recorder.count], engine.log.events()))
    (fast, fast_events), (slow, slow_events) = results
    assert [event.time for event in fast_events] == pytest.approx([pi / 6, 5 * pi / 6], abs=1e-8)
    assert fast == pytest.approx(slow, rel=1e-12)
    assert [str(event) for event in fast_events] == [str(event) for event in slow_events]
    assert [event.rounds for event in fast_events] == [2, 2]


def test_records_of_the_log_are_found_whatever_they_hold():
    """Runs of equal records, and records that are all different; what is told late comes in its place."""
    log = EventLog(model(), detail=False)
    counts = [1] * 40 + [2, 1, 3, 3, 3, 1, 1, 2] + [2] * 30
    for number, notes in enumerate(counts):
        log.begin(0.5 if number == 60 else float(number))
        for _ in range(notes):
            log.note(CROSSED, 0, 1.0)
        log.finish(1)

    times = [event.time for event in log.events()]
    expected = [float(k) for k in range(len(counts)) if k != 60]
    assert times == [0.0, 0.5, *expected[1:]]
