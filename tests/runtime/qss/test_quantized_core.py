"""Quantized-state methods on models with ideal elements: what is a state changes while they run."""

from __future__ import annotations

from collections.abc import Callable
from math import floor, pi
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from freewheel.api import Model, load
from freewheel.base.diagnostics import SimulationError, UsageError
from freewheel.result.store import Result
from freewheel.runtime.inputs import Smooth
from freewheel.runtime.qss.methods import QUANTIZED
from freewheel.runtime.qss.switched.modes import choose_unknowns, sort_chosen
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate
from freewheel.runtime.switched_dae.memory import Mode
from freewheel.runtime.switched_dae.mode_analysis import analyse_mode
from freewheel.runtime.switched_dae.problem import CoreProblem

ORDER = {
    "qss1": 1,
    "cqss": 1,
    "liqss1": 1,
    "qss2": 2,
    "liqss2": 2,
    "mliqss2": 2,
    "qss3": 3,
    "liqss3": 3,
}
HEAD = """
  import Modelica.Electrical.Analog.Basic.*;
  import Modelica.Electrical.Analog.Ideal.*;
  import Modelica.Electrical.Analog.Sources.*;
"""
HALF_WAVE = (
    "model HalfWave"
    + HEAD
    + """
  SineVoltage V(V=10, f=50);
  IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Inductor L(L=0.01, i(fixed=true, start=0));
  Capacitor C(C=1e-3, v(fixed=true, start=0));
  Resistor R(R=50);
  Ground ground;
equation
  connect(V.p, L.p);
  connect(L.n, D.p);
  connect(D.n, C.p);
  connect(C.n, V.n);
  connect(R.p, C.p);
  connect(R.n, C.n);
  connect(V.n, ground.p);
  annotation(experiment(StopTime=0.1, Interval=1e-3));
end HalfWave;
"""
)
BOOST = (
    "model Boost"
    + HEAD
    + """
  parameter Real gate = 6e4;
  ConstantVoltage V(V=12);
  Inductor L(L=1e-4, i(fixed=true, start=0));
  IdealClosingSwitch S(Ron=0, Goff=0);
  IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Capacitor C(C=1e-4, v(fixed=true, start=12));
  Resistor R(R=50);
  Ground ground;
equation
  S.control = sin(gate*time) > 0;
  connect(V.p, L.p);
  connect(L.n, S.p);
  connect(L.n, D.p);
  connect(D.n, C.p);
  connect(D.n, R.p);
  connect(S.n, ground.p);
  connect(C.n, ground.p);
  connect(R.n, ground.p);
  connect(V.n, ground.p);
  annotation(experiment(StopTime=0.01));
end Boost;
"""
)
CLUTCH = """
model Clutch "two shafts, locked together for a while"
  parameter Real J1 = 1, J2 = 2, d = 0.4, tau1 = 5;
  Real w1(start = 0, fixed = true), w2(start = 3, fixed = true), tau;
  Boolean locked = time >= 2 and time < 4;
equation
  J1*der(w1) = tau1 - tau;
  J2*der(w2) = tau - d*w2;
  0 = if locked then w1 - w2 else tau;
  annotation(experiment(StopTime = 6, Interval = 0.02));
end Clutch;
"""
COIL = """
model Coil "saturates, behind a diode"
  parameter Real L0 = 0.02, Ls = 0.002, I0 = 0.5;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), psi, u, ud, s;
  Boolean off = s < 0;
equation
  u = 10*sin(2*Modelica.Constants.pi*50*time);
  psi = Ls*i + (L0 - Ls)*I0*tanh(i/I0);
  u = der(psi) + ud + v;
  1e-3*der(v) = i - v/50;
  ud = if off then s else 0;
  i = if off then 0 else s;
  annotation(experiment(StopTime = 0.1, Interval = 1e-3));
end Coil;
"""
BALL = """
model Ball "falls until its string is taut, then swings around: index 1, then 3"
  Real x(start=0.6, fixed=true), y(start=0, fixed=true);
  Real vx(start=0, fixed=true), vy(start=0, fixed=true), force, slack, s;
  Boolean loose = s < 0;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x;
  der(vy) = -force*y - 9.81;
  slack = 1 - (x^2 + y^2);
  force = if loose then 0 else s;
  slack = if loose then -s else 0;
  annotation(experiment(StopTime=2));
end Ball;
"""
DRIVEN = (
    "model Driven"
    + HEAD
    + """
  input Real u;
  SignalVoltage V;
  IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Inductor L(L=0.01, i(fixed=true, start=0));
  Resistor R(R=5);
  Ground ground;
equation
  V.v = u;
  connect(V.p, L.p);
  connect(L.n, D.p);
  connect(D.n, R.p);
  connect(R.n, V.n);
  connect(V.n, ground.p);
  annotation(experiment(StopTime=0.1, Interval=1e-3));
end Driven;
"""
)

SAMPLED = (
    "model Sampled"
    + HEAD
    + """
  ConstantVoltage V(V=24);
  IdealClosingSwitch S(Ron=0, Goff=0);
  IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Inductor L(L=1e-4, i(start=0, fixed=true));
  Capacitor C(C=1e-4, v(start=0, fixed=true));
  Resistor R(R=10);
  Ground ground;
  discrete Real duty(start=0.5, fixed=true), began(start=0, fixed=true);
  Real heat(start=0, fixed=true);
equation
  when sample(0, 5e-5) then
    duty = min(0.9, max(0.05, 0.5 + 0.02*(12 - C.v)));
    began = time;
  end when;
  when C.v > 14 then
    reinit(C.v, 13);
  end when;
  S.control = time < began + duty*5e-5;
  der(heat) = R.v*R.i;
  connect(V.p, S.p);
  connect(S.n, L.p);
  connect(D.n, L.p);
  connect(L.n, C.p);
  connect(R.p, C.p);
  connect(D.p, ground.p);
  connect(C.n, ground.p);
  connect(R.n, ground.p);
  connect(V.n, ground.p);
  annotation(experiment(StopTime=2e-3));
end Sampled;
"""
)

Compile = Callable[[str], Model]


@pytest.fixture(scope="module")
def model_of(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    known: dict[str, Model] = {}

    def made(text: str) -> Model:
        if text not in known:
            path: Path = tmp_path_factory.mktemp("models") / "model.mo"
            path.write_text(text)
            known[text] = load(path)
        return known[text]

    return made


def on_grid(result: Result, name: str, interval: float) -> np.ndarray:
    """Without rows of events, and without those of the grid that fall on one."""
    times = np.asarray(result.time)
    again = times[1:] == times[:-1]
    alone = ~(np.append(again, False) | np.insert(again, 0, False))
    on = np.abs(times / interval - np.round(times / interval)) < 1e-9
    found = {
        round(t / interval): x
        for t, x in zip(times[alone & on], result[name][alone & on], strict=True)
    }
    return np.array([found.get(k, np.nan) for k in range(round(times[-1] / interval) + 1)])


def error(result: Result, expected: Result, name: str, interval: float) -> float:
    apart = np.abs(on_grid(result, name, interval) - on_grid(expected, name, interval))
    return float(np.nanmax(apart))


def modes(result: Result, *valves: str) -> list[tuple[float, ...]]:
    rows = np.array([result[f"{valve}.off"] for valve in valves]).T
    changes = np.flatnonzero((rows[1:] != rows[:-1]).any(axis=1)) + 1
    return [tuple(row) for row in rows[changes]]


# ---------------------------------------------------------------- all methods


@pytest.mark.parametrize("method", ORDER)
def test_errors_go_with_the_quantum_and_steps_with_its_root(model_of: Compile, method: str) -> None:
    model = model_of(HALF_WAVE)
    expected = model.simulate(tol=1e-9)
    found = {}
    for quantum in (1e-2, 1e-4):
        result = model.simulate(solver=method, quantum=str(quantum))
        found[quantum] = (error(result, expected, "C.v", 1e-3), float(result.stats["steps"]))
        assert result.stats["solver"] == method
        assert result.stats["chosen because"] == "it was requested"

    coarse, fine = found[1e-2], found[1e-4]
    assert fine[0] < 30 * 1e-4
    assert coarse[0] / fine[0] > 20.0
    assert fine[1] / coarse[1] == pytest.approx(100.0 ** (1.0 / ORDER[method]), rel=0.35)


@pytest.mark.parametrize("method", ORDER)
def test_modes_and_events_are_those_of_the_classic_method(model_of: Compile, method: str) -> None:
    model = model_of(HALF_WAVE)
    expected = model.simulate()
    result = model.simulate(solver=method, quantum="1e-4")

    assert result.stats["events"] == expected.stats["events"] == len(result.events) > 5
    assert result.stats["modes visited"] == expected.stats["modes visited"] == 2
    assert modes(result, "D") == modes(expected, "D")
    for one, other in zip(result.events, expected.events, strict=True):
        assert one.time == pytest.approx(other.time, abs=2e-5)


@pytest.mark.parametrize("method", ORDER)
def test_a_clutch_keeps_momentum_and_tells_its_impulse(model_of: Compile, method: str) -> None:
    model = model_of(CLUTCH)
    expected = model.simulate(tol=1e-9, impulses="accept")
    result = model.simulate(solver=method, quantum="1e-3", impulses="accept")

    assert [impulse.time for impulse in result.impulses] == [2.0, 2.0]
    for one, other in zip(result.impulses, expected.impulses, strict=True):
        assert one.strength == pytest.approx(other.strength, rel=2e-3)
        assert (one.element, one.equation) == (other.element, other.equation)
    before = np.flatnonzero(result.time == 2.0)[0]
    w1, w2 = (result[name][before : before + 2] for name in ("w1", "w2"))
    assert w1[1] == pytest.approx(w2[1], rel=1e-12)
    assert w1[1] + 2 * w2[1] == pytest.approx(w1[0] + 2 * w2[0], rel=1e-12)
    locked = (result.time > 2.0) & (result.time < 4.0)
    assert result["w1"][locked] == pytest.approx(result["w2"][locked], rel=1e-12)
    assert error(result, expected, "w2", 0.02) < 5e-3


@pytest.mark.parametrize("method", ORDER)
def test_modes_that_bend(model_of: Compile, method: str) -> None:
    model = model_of(COIL)
    expected = model.simulate(tol=1e-9)
    coarse, fine = (model.simulate(solver=method, quantum=q) for q in ("1e-2,1e-4", "1e-3,1e-5"))

    assert fine.stats["events"] == expected.stats["events"] == 7
    assert error(fine, expected, "v", 1e-3) < 0.03
    assert error(coarse, expected, "v", 1e-3) > 2.0 * error(fine, expected, "v", 1e-3)


@pytest.mark.parametrize("method", ["qss2", "liqss3"])
def test_a_ball_on_a_string_changes_the_coordinate_it_is_told_by(
    model_of: Compile, method: str
) -> None:
    """It swings to both sides, where the height tells nothing, and through the lowest point, where nothing
    else does."""
    model = model_of(BALL)
    expected = model.simulate(tol=1e-10, impulses="accept")
    result = model.simulate(solver=method, quantum="1e-5", impulses="accept")

    assert result.stats["events"] == 1
    assert len(result.impulses) == len(expected.impulses) == 2
    taut = result.time > result.events[0].time
    assert result["x"][taut] ** 2 + result["y"][taut] ** 2 == pytest.approx(1.0, abs=1e-4)
    for name in ("x", "y", "vx", "vy"):
        assert result.final(name) == pytest.approx(expected.final(name), abs=2e-3), name


# ---------------------------------------------------------------- what follows


def test_rows_fulfil_all_equations_of_the_mode(model_of: Compile) -> None:
    result = model_of(HALF_WAVE).simulate(solver="liqss2", quantum="1e-2")

    source = 10 * np.sin(2 * pi * 50 * result.time)
    assert result["L.v"] + result["D.v"] + result["C.v"] == pytest.approx(source, abs=1e-9)
    blocking = result["D.off"] > 0.5
    assert np.abs(result["L.i"][blocking]).max() < 1e-9


def test_two_runs_are_the_same(model_of: Compile) -> None:
    one, other = (model_of(BOOST).simulate(solver="mliqss2", quantum="1e-3") for _ in range(2))

    assert np.array_equal(one.time, other.time)
    for name in ("L.i", "C.v", "D.v"):
        assert np.array_equal(one[name], other[name])


def test_relations_much_faster_than_the_run_are_all_seen(model_of: Compile) -> None:
    """A gate of a hundred times the frequency at which anything is looked at regularly."""
    result = model_of(BOOST).simulate(solver="qss2", quantum="1e-2", stop=0.2, interval=0.1)

    gates = np.count_nonzero(np.diff(result["S.control"]))
    assert gates == 1 + floor(6e4 * 0.2 / pi)  # and at the start


@pytest.mark.parametrize("method", ["qss3", "liqss2"])
def test_samples_and_reinits_around_an_implicit_part(model_of: Compile, method: str) -> None:
    model = model_of(SAMPLED)
    expected = model.simulate(tol=1e-9)
    result = model.simulate(solver=method, quantum="1e-4,1e-6")

    assert result.stats["events"] == expected.stats["events"] > 80
    for name, size in (("C.v", 12.0), ("duty", 1.0), ("heat", 0.03)):
        assert result.final(name) == pytest.approx(expected.final(name), abs=2e-3 * size), name


@pytest.mark.parametrize("start", [10.0, 1e4])
def test_a_late_start(model_of: Compile, start: float) -> None:
    """Times are so near to each other that rounding keeps fewer digits between them."""
    model = model_of(HALF_WAVE)
    early = model.simulate(solver="qss3", quantum="1e-4")
    late = model.simulate(solver="qss3", quantum="1e-4", start=start, stop=start + 0.1)

    assert late.stats["events"] == early.stats["events"]
    assert late.final("C.v") == pytest.approx(early.final("C.v"), abs=1e-4)


def test_inputs_are_followed_along_their_lines(model_of: Compile, tmp_path: Path) -> None:
    path = tmp_path / "u.csv"
    path.write_text("time,u\n0,0\n0.02,10\n0.05,-10\n0.07,6\n0.1,6\n")
    model = model_of(DRIVEN)
    expected = model.simulate(input_file=path, tol=1e-9)
    result = model.simulate(input_file=path, solver="liqss2", quantum="1e-4")

    assert result.stats["events"] == expected.stats["events"] >= 2
    assert error(result, expected, "L.i", 1e-3) < 2e-3


def test_other_inputs_are_refused(model_of: Compile) -> None:
    compiled = model_of(DRIVEN).compiled()
    settings = Settings.of(compiled, solver="liqss2", inputs={"u": Smooth(lambda t: 10 * t)})

    with pytest.raises(UsageError) as found:
        simulate(compiled, settings)

    assert found.value.diagnostics[0].code == "U063"
    assert "follows inputs only along straight lines" in found.value.diagnostics[0].message
    assert "hand in a table" in found.value.diagnostics[0].help


def test_impulses_may_be_errors(model_of: Compile) -> None:
    with pytest.raises(SimulationError) as found:
        model_of(CLUTCH).simulate(solver="qss2", quantum="1e-3", impulses="error")

    assert found.value.diagnostics[0].code == "R131"
    assert found.value.result is not None
    assert found.value.result.time[-1] == pytest.approx(2.0)


LATE = HALF_WAVE.replace("SineVoltage V(V=10, f=50);", "SignalVoltage V; {0}").replace(
    "equation", "equation\n  V.v = 10*sin(2*Modelica.Constants.pi*50*time) - 0.5*late; {1}", 1
)
PASTS = {
    "delay": ("Real late = delay(C.v, 0.005);", ""),
    "listening": (
        "Real late = delay(C.v, 0.005), e(start=0, fixed=true);",
        "der(e) = sqrt(1 + late^2) - e;",
    ),
    "pipe": (
        "Real late, early, x(start=0, fixed=true);",
        "der(x) = 30 + 20*cos(100*time); "
        "(early, late) = spatialDistribution(C.v, 0, x, true, {0, 1}, {0, 0});",
    ),
}


@pytest.mark.parametrize("method", ["qss2", "qss3", "liqss3"])
@pytest.mark.parametrize("name", PASTS)
def test_ideal_elements_and_a_past(model_of: Compile, name: str, method: str) -> None:
    """What comes back from the past decides when the diode turns."""
    model = model_of(LATE.replace("{0}", PASTS[name][0]).replace("{1}", PASTS[name][1]))
    expected = model.simulate(tol=1e-9)
    coarse, fine = (model.simulate(solver=method, quantum=q) for q in ("1e-2", "1e-4"))

    assert fine.stats["events"] == expected.stats["events"] > 5
    errors = [error(result, expected, "late", 1e-3) for result in (coarse, fine)]
    assert errors[1] < 5e-3
    assert errors[1] < 0.2 * errors[0]


def test_without_machine_code_there_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "model.mo"
    path.write_text("model M Real x(start=1, fixed=true); equation der(x) = -x; end M;")

    with pytest.raises(UsageError, match="no machine code") as found:
        load(path, backend="python").simulate(solver="liqss2")

    assert found.value.diagnostics[0].code == "U064"


# ---------------------------------------------------------------- which unknowns are quantized


@pytest.mark.parametrize("seed", range(20))
def test_chosen_unknowns_span_what_the_rows_span(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 9))
    d = int(random.integers(1, n + 1))
    height = int(random.integers(d, n + 1))
    rows = random.normal(size=(height, d)) @ random.normal(size=(d, n))
    reduced, chosen = rows.copy().ravel(), np.zeros(n, np.int64)

    assert choose_unknowns(d, height, n, reduced, np.ones(n), chosen) == d
    sort_chosen(d, n, reduced, chosen)

    found = reduced.reshape(height, n)[:d]
    assert list(chosen[:d]) == sorted(set(chosen[:d].tolist()))
    assert found[:, chosen[:d]] == pytest.approx(np.eye(d), abs=1e-9)
    # each row is told by the chosen unknowns alone
    assert rows[:, chosen[:d]] @ found == pytest.approx(rows, abs=1e-7)


def test_unknowns_whose_rates_do_not_occur_are_not_chosen() -> None:
    rows, chosen = np.array([5.0, 1.0, 0.5]), np.zeros(3, np.int64)

    assert choose_unknowns(1, 1, 3, rows, np.array([0.0, 1.0, 1.0]), chosen) == 1
    assert chosen[0] == 1
    assert rows == pytest.approx([5.0, 1.0, 0.5])
    assert choose_unknowns(1, 1, 3, rows, np.zeros(3), chosen) == 0


HANGING = """
model Hanging "a pendulum whose states are chosen while it swings, beside an ideal diode that it drives"
  Real x(start = 0.8), y(start = -0.6), vx(start = 0), vy, l;
  Modelica.Electrical.Analog.Sources.SignalVoltage V(v = 5*x + 0.5*delay(L.i, 0.2) + u);
  Modelica.Electrical.Analog.Basic.Inductor L(L = 0.5, i(start = 0, fixed = true));
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron = 0, Goff = 0, Vknee = 0);
  Modelica.Electrical.Analog.Basic.Resistor R(R = 1);
  Modelica.Electrical.Analog.Basic.Ground g;
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -l*x;
  der(vy) = -l*y - 9.81;
  x^2 + y^2 = 1;
  when sample(0.1, 0.1) then
    u = 0.5*sin(L.i) + 0.3*pre(u);
  end when;
  connect(V.p, L.p);
  connect(L.n, D.p);
  connect(D.n, R.p);
  connect(R.n, V.n);
  connect(V.n, g.p);
end Hanging;
"""


@pytest.mark.parametrize("method", QUANTIZED)
def test_states_chosen_while_running_beside_a_core(tmp_path: Path, method: str) -> None:
    """All at once: a core, states chosen while running, a delay, a sampled controller."""
    path = tmp_path / "model.mo"
    path.write_text(HANGING)
    model = load(path)
    expected = model.simulate(stop=3.0, tol=1e-9)
    quantum = "1e-4" if method in ("qss1", "liqss1", "cqss") else "1e-6"
    result = model.simulate(stop=3.0, solver=method, quantum=quantum)

    assert np.hypot(result["x"], result["y"]) == pytest.approx(1.0, abs=1e-7)
    for name in ("x", "L.i"):
        found = np.interp(expected.time, result.time, result[name])
        assert found == pytest.approx(expected[name], abs=2e-2)


def test_a_core_without_values_is_told() -> None:
    core = SimpleNamespace(size=1, jacobians=lambda *_: 1, memory=None, name="M")
    with pytest.raises(SimulationError) as found:
        analyse_mode(cast(CoreProblem, core), 0.5, np.zeros(1), np.zeros(1), cast(Mode, None))

    assert found.value.diagnostics[0].code == "R140"
    assert (
        "the equations of the ideal elements cannot be evaluated"
        in found.value.diagnostics[0].message
    )


@pytest.mark.parametrize("method", QUANTIZED)
def test_samples_that_come_back_at_a_sample(tmp_path: Path, method: str) -> None:
    """The delay is twice the period: events lie apart by rounding, and what was between tells nothing."""
    path = tmp_path / "model.mo"
    path.write_text(HANGING.replace("5*x", "5*sin(3*time)"))
    model = load(path)
    expected = model.simulate(stop=5.0, tol=1e-9)
    result = model.simulate(stop=5.0, solver=method, quantum="1e-3")

    assert result["L.i"][-1] == pytest.approx(expected["L.i"][-1], abs=5e-3)
