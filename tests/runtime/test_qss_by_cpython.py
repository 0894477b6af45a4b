"""Quantized states run by CPython, from beginning to end: the same bits as machine code gives, with bounded
arrays. Only rows and sections of the model stay machine code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from freewheel.api import Model, load
from freewheel.machine.addresses import floats_at
from freewheel.machine.memory import Memory
from freewheel.result.store import Result
from freewheel.runtime import live
from freewheel.runtime.loop.outcomes import REACHED
from freewheel.runtime.qss import couplings as qss_advise
from freewheel.runtime.qss import engine as quantized_engine
from freewheel.runtime.qss import quantizers as qss_states
from freewheel.runtime.qss import restart as qss_begin
from freewheel.runtime.qss import scheduler as qss_step
from freewheel.runtime.qss import time_loop as qss_drive
from freewheel.runtime.qss.couplings import couplings
from freewheel.runtime.qss.engine import QuantizedEngine
from freewheel.runtime.qss.memory import LOCAL, ROWS_ONLY, Qss
from freewheel.runtime.qss.methods import QUANTIZED
from freewheel.runtime.qss.model import HandledEvents, QuantizedModel
from freewheel.runtime.qss.space import QuantizedSpace

CHAIN = """
model M "stiff, curved, with events that only rows notice and such that few equations ask about"
  Real x[3](start = {1, 0.2, -0.3}, each fixed = true);
  Boolean high(start = false, fixed = true);
  Integer count(start = 0, fixed = true);
equation
  der(x[1]) = -50*(x[1] - x[2]^2) + (if x[3] > 0.1 then 1 else 0);
  der(x[2]) = x[1] - x[2]*x[3];
  der(x[3]) = x[1] - 0.4 - (if x[2] - x[1] > 0.05 then x[3] else 0) - (if high then 0.1 else 0);
  high = if pre(high) then x[2] > 0.9 else x[2] > 1.1;
  when x[3] < -0.35 then
    reinit(x[3], -pre(x[3]) - 0.4);
    count = pre(count) + 1;
  end when;
  annotation(experiment(StopTime = 3, Interval = 0.1));
end M;
"""
FORCED = """
model M "rows that follow time, and jump without an event; samples"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  discrete Real held(start = 0, fixed = true);
equation
  der(x) = -x + noEvent(if sin(5*time) > 0.2 then 1 else 0) + held;
  der(y) = x*cos(3*time) - abs(y - 0.2);
  when sample(0.3, 0.4) then
    held = 0.5 - pre(held);
  end when;
  annotation(experiment(StopTime = 2, Interval = 0.1));
end M;
"""
DELAYED = """
model M "a delay that is fixed, one that varies, a crossing of what is delayed"
  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true);
  Integer count(start = 0, fixed = true);
equation
  der(x) = -delay(x, 0.4);
  der(y) = -y + delay(x, 0.3 + 0.1*y, 1.0);
  when delay(x, 0.2) < 0.3 then
    count = pre(count) + 1;
  end when;
  annotation(experiment(StopTime = 2.5, Interval = 0.1));
end M;
"""
PIPE = """
model M "what leaves a pipe drives a state; what was in it at the beginning leaves soon"
  Real u(start = 1, fixed = true), heat(start = 1, fixed = true), x(start = 0, fixed = true), left, right;
equation
  der(u) = cos(2*time) - u;
  der(heat) = right - heat;
  der(x) = 0.8 + 5000*exp(-5000*time);
  (left, right) = spatialDistribution(u, 0, x, true, {0, 1}, {0, 1});
  annotation(experiment(StopTime = 2, Interval = 0.1));
end M;
"""
DRIVEN = """
model M "an input"
  input Real u;
  Real x(start = 0, fixed = true);
equation
  der(x) = u - 2*x;
  annotation(experiment(StopTime = 2, Interval = 0.1));
end M;
"""
RECTIFIER = """
model M "an ideal diode: linear modes; a relation beside"
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), u, ud, s;
  Boolean off = s < 0;
  Boolean high = v > 3;
equation
  u = 10*sin(100*time);
  u = 0.01*der(i) + ud + v;
  1e-3*der(v) = i - v/(if high then 30 else 50);
  ud = if off then s else 0;
  i = if off then 0 else s;
  annotation(experiment(StopTime = 0.08, Interval = 1e-3));
end M;
"""
COIL = """
model M "saturates, behind a diode: no mode is linear; it looks back"
  parameter Real L0 = 0.02, Ls = 0.002, I0 = 0.5;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), psi, u, ud, s;
  Boolean off = s < 0;
equation
  u = 10*sin(300*time) - 0.1*delay(v, 3e-3);
  psi = Ls*i + (L0 - Ls)*I0*tanh(i/I0);
  u = der(psi) + ud + v;
  1e-3*der(v) = i - v/50;
  ud = if off then s else 0;
  i = if off then 0 else s;
  annotation(experiment(StopTime = 0.02, Interval = 1e-3));
end M;
"""

Compile = Callable[[str], Model]


@dataclass(frozen=True)
class Run:
    result: Result
    engine: QuantizedEngine

    @property
    def qss(self) -> Qss:
        return self.engine.qss

    def image(self) -> bytes:
        """All memory of the run. The address of what is remembered, which copies of the model's memory hold,
        is no part of it."""
        loop, slot = self.engine.classic.space.loop, self.engine.live.model.history
        for copies in (loop.saved, loop.after, loop.tried):
            if slot >= 0:
                np.asarray(copies)[slot :: loop.memory_size] = 0.0
        return self.engine.classic.space.memory.save()


@pytest.fixture(scope="module")
def model_of(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    known: dict[str, Model] = {}

    def made(text: str) -> Model:
        if text not in known:
            path: Path = tmp_path_factory.mktemp("models") / "M.mo"
            path.write_text(text)
            known[text] = load(path)
        return known[text]

    return made


def run_by_cpython(engine: QuantizedEngine) -> None:
    qss, loop = engine.qss, engine.classic.space.loop
    engine._begin = lambda _, y, t: qss_begin.begin(qss, floats_at(y), t)
    engine._resume = lambda _, y, t: qss_begin.resume(qss, floats_at(y), t)
    engine._change_input = lambda _, *values: qss_begin.change_input(qss, *values)
    engine._drive = lambda *_: qss_drive.drive_quantized(loop, qss)


def run(model: Model, monkeypatch: pytest.MonkeyPatch, is_slow: bool, **settings: Any) -> Run:
    engines: list[QuantizedEngine] = []
    init = QuantizedEngine.__init__

    def noted(self: QuantizedEngine, *arguments: Any) -> None:
        init(self, *arguments)
        engines.append(self)
        if is_slow:
            run_by_cpython(self)

    with monkeypatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr(QuantizedEngine, "__init__", noted)
        patch.setattr(quantized_engine, "FEW_STATES", 0)  # relations may be local
        if is_slow:
            patch.setattr(live, "Memory", lambda checked=True: Memory(checked=True))
        result = model.simulate(**settings)
    return Run(result, engines[-1])


def both(model: Model, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> Run:
    """By machine code and by CPython."""
    fast = run(model, monkeypatch, is_slow=False, **settings)
    slow = run(model, monkeypatch, is_slow=True, **settings)
    assert slow.result.data.tobytes() == fast.result.data.tobytes()
    assert [repr(event) for event in slow.result.events] == [
        repr(event) for event in fast.result.events
    ]
    assert slow.image() == fast.image()
    return slow


@pytest.mark.parametrize("method", QUANTIZED)
def test_states_and_local_events(
    model_of: Compile, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heap, quantizers, waiting times, pairs, rows, handlers, events."""
    done = both(model_of(CHAIN), monkeypatch, solver=method, quantum="3e-3")

    assert done.qss.steps > 20
    scopes = sorted(relation.scope for relation in done.qss.relations)
    assert scopes == [ROWS_ONLY, ROWS_ONLY, LOCAL, LOCAL, LOCAL]
    assert done.qss.local_events > 3
    assert (done.qss.pair_steps > 0) == (method == "mliqss2")


@pytest.mark.parametrize("method", ["qss1", "qss3", "liqss2", "cqss"])
def test_rows_that_follow_time(
    model_of: Compile, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refreshes, what a state has missed at a corner, restarts after samples."""
    done = both(model_of(FORCED), monkeypatch, solver=method, quantum="1e-2")

    assert done.qss.refreshes > 20
    assert done.qss.corrected_rows == 2
    assert len(done.result.events) >= 5


@pytest.mark.parametrize("method", ["qss1", "qss3", "liqss2", "cqss"])
def test_delays(model_of: Compile, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = both(model_of(DELAYED), monkeypatch, solver=method, quantum="2e-2")

    assert (done.qss.signal_count, done.qss.delayed_count) == (3, 3)
    assert all(item.segment > 0 for item in list(done.qss.delay_items)[3:])


@pytest.mark.parametrize("method", ["qss1", "qss3", "cqss"])
def test_pipes(model_of: Compile, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = both(model_of(PIPE), monkeypatch, solver=method, quantum="2e-2")

    assert (done.qss.signal_count, done.qss.delayed_count) == (3, 1)
    assert any(item.entry_segment > 0 for item in done.qss.delay_items)


def test_inputs(model_of: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"u": ([0.0, 0.5, 1.0, 2.0], [0.0, 1.0, 0.3, 0.3])}
    done = both(model_of(DRIVEN), monkeypatch, solver="qss2", inputs=table)

    assert done.qss.states[1].q0 == pytest.approx(0.3)
    assert done.qss.refreshes > 0


@pytest.mark.parametrize("method", ["qss2", "liqss2", "mliqss2", "qss1"])
def test_linear_modes_of_a_core(
    model_of: Compile, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = both(model_of(RECTIFIER), monkeypatch, solver=method, quantum="3e-2")
    group = done.qss.group

    assert (group.element_count, group.relation_count, group.is_nonlinear) == (1, 1, 0)
    assert len(done.result.events) > 3


@pytest.mark.parametrize("method", ["qss2", "liqss3"])
def test_bent_modes_of_a_core_that_looks_back(
    model_of: Compile, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = both(model_of(COIL), monkeypatch, solver=method, quantum="3e-2")
    group = done.qss.group

    assert (group.is_nonlinear, group.has_history) == (1, 1)
    assert done.result.stats["Jacobians"] == group.core.jacobian_count > 10


def test_how_stiff_states_are(model_of: Compile, monkeypatch: pytest.MonkeyPatch) -> None:
    fast, slow = (
        run(model_of(CHAIN), monkeypatch, is_slow, solver="liqss2", stop=0.01)
        for is_slow in (False, True)
    )
    y = np.array([0.3, 0.4, 0.5])
    code = couplings.callable("measure_stiffness")(fast.engine.address, y.ctypes.data, 0.01)

    assert code == qss_advise.measure_stiffness(slow.qss, y, 0.01) == 0
    assert slow.qss.out[0] == fast.qss.out[0] == 50.0
    assert slow.qss.out[1] == fast.qss.out[1] > 0.0


def test_rows_may_be_python_functions() -> None:
    """No machine code at all: x' = -x."""
    one, none = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
    decay = QuantizedModel(
        order=2,
        states=1,
        relations=0,
        inputs=(),
        rates=one,
        own=one,
        slopes=one,
        starts=np.array([0, 1]),
        table=one,
        counts=np.array([1]),
        follows_time=one,
        corners=one,
        watched=none,
        reader_starts=one,
        reader_rows=none,
        is_local=none,
        handled=HandledEvents.of((), np.zeros((0, 4), dtype=np.int64)),
        set_stride=lambda _: None,
    )
    space = QuantizedSpace(decay, QUANTIZED["qss2"], (), np.zeros(0), memory=Memory(checked=True))
    qss = space.qss

    def rate(m: Any, table: Any, states: Any, t: float, out: Any) -> int:
        state = states[table[0]]
        e = t - state.tq
        out[0], out[1] = -(state.q0 + e * (state.q1 + e * state.q2)), -(state.q1 + 2 * e * state.q2)
        return 0

    qss.rows[0].evaluate = rate
    qss.absolute[0], qss.stop, qss.limit, qss.horizon = 1e-4, 2.0, 2.0, 2.1
    qss.budget = qss.max_steps = 10_000
    y = np.array([1.0])
    assert qss_begin.begin(qss, y, 0.0) == 0
    assert qss_step.advance(qss) == REACHED
    y[0] = qss_states.state_at(qss, 0, 2.0)
    assert qss.steps > 10
    assert y[0] == pytest.approx(np.exp(-2.0), abs=2e-4)


def test_an_index_beyond_an_array_is_noticed(
    model_of: Compile, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run(model_of(CHAIN), monkeypatch, is_slow=True, solver="qss2", stop=0.01)
    done.qss.heap.items[0] = 100

    with pytest.raises(IndexError):
        qss_begin.change_input(done.qss, 0, 1.0, 0.0, 0.01)
