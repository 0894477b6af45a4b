"""VAR-3: steps and events of the implicit part go together with what the rest of the model does.

A second switch outside of the implicit part changes its matrices: the load of a converter. Tolerances are
met with fewer steps where they are looser; a control that looks at the circuit switches it.
"""

from __future__ import annotations

import numpy as np
import pytest
from exact_networks import solve
from netlists import Network, pulse, table
from scipy.linalg import expm
from scipy.optimize import brentq
from switching_circuits import halfwave

import freewheel as fw


def switched_load() -> Network:
    c = Network("SwitchedLoad", 1e-3, 2e-6)
    c.constant("V", "in", "0", 24.0)
    c.switch("S", "in", "x", pulse("2e-5", "1e-5"))
    c.diode("D", "0", "x")
    c.inductor("L", "x", "out", 1e-4)
    c.capacitor("C", "out", "0", 2e-5)
    c.resistor("R", "out", "0", 40.0)
    c.switch("T", "out", "y", table("4.03e-4", "7.07e-4"))
    c.resistor("RT", "y", "0", 4.0)
    return c


def test_VAR_3_switches_outside_of_the_implicit_part_are_seen_by_it(tmp_path):
    network = switched_load()
    exact = solve(network)
    path = tmp_path / "SwitchedLoad.mo"
    path.write_text(network.modelica())

    model = fw.load(path)
    result = model.simulate()

    core = model.compiled().core
    assert core.is_there
    assert core.is_linear  # each position of the outer switch has matrices of its own
    times = np.asarray(result.time)
    chosen = np.random.default_rng(1).choice(len(times), 200, replace=False)
    for name in ("L.i", "C.v"):
        wanted = exact.at(name, times[chosen])
        assert np.abs(result[name][chosen] - wanted).max() < 1e-5 * np.abs(wanted).max()


def test_VAR_3_steps_follow_the_tolerance(tmp_path):
    network, _ = halfwave(0.0, 0.01)
    exact = solve(network)
    path = tmp_path / "HalfWave.mo"
    path.write_text(network.modelica())
    model = fw.load(path)
    end = exact.at("C.v", np.array([network.stop]))[0]

    runs = [model.simulate(tol=tol, interval=0.02) for tol in (1e-4, 1e-6, 1e-8)]

    steps = [run.stats["steps"] for run in runs]
    errors = [abs(run.final("C.v") - end) for run in runs]
    assert steps == sorted(steps)
    assert steps[0] < 0.6 * steps[-1]
    assert errors[2] < errors[1] < 1e-6
    assert errors[0] < 1e-4
    assert [len(run.events) for run in runs] == [len(exact.changes)] * 3


def test_VAR_3_a_control_switches_what_it_looks_at(tmp_path):
    """A two-point control holds the voltage of a converter between its limits."""
    path = tmp_path / "Regulated.mo"
    path.write_text("""
model Regulated
  Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=24);
  Modelica.Electrical.Analog.Ideal.IdealClosingSwitch S(Ron=0, Goff=0);
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Inductor L(L=1e-4, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-4, v(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Resistor R(R=10);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Boolean on(start=true, fixed=true);
equation
  on = if pre(on) then C.v < 12.1 else C.v < 11.9;
  S.control = on;
  connect(V.p, S.p);
  connect(S.n, L.p);
  connect(D.n, L.p);
  connect(L.n, C.p);
  connect(R.p, C.p);
  connect(D.p, ground.p);
  connect(C.n, ground.p);
  connect(R.n, ground.p);
  connect(V.n, ground.p);
  annotation(experiment(StopTime=5e-3, Interval=5e-6));
end Regulated;
""")

    result = fw.load(path).simulate(tol=1e-8)

    turns = np.flatnonzero(np.diff(result["on"]) != 0)
    levels = result["C.v"][turns]
    expected = np.where(result["on"][turns] > 0.5, 12.1, 11.9)
    assert len(turns) > 20
    assert np.abs(levels - expected).max() < 1e-6
    late = result.time > 2e-3
    assert result["C.v"][late].mean() == pytest.approx(12.0, abs=0.5)


BOUNDARY = """
model Boundary
  Modelica.Electrical.Analog.Sources.ConstantVoltage U(V=12);
  Modelica.Electrical.Analog.Basic.Inductor L(L=1e-4, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Ideal.IdealClosingSwitch S(Ron=0, Goff=0);
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-4, v(start=20, fixed=true));
  Modelica.Electrical.Analog.Basic.Resistor R(R=50);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Boolean on(start=true, fixed=true);
equation
  {logic}
  S.control = on;
  connect(U.p, L.p);
  connect(L.n, S.p);
  connect(L.n, D.p);
  connect(D.n, C.p);
  connect(D.n, R.p);
  connect(S.n, ground.p);
  connect(C.n, ground.p);
  connect(R.n, ground.p);
  connect(U.n, ground.p);
  annotation(experiment(StopTime=2e-3, Tolerance=1e-6));
end Boundary;
"""


def at_the_boundary(stop: float) -> tuple[float, int]:
    """Voltage at the end, and how often the switch has turned: pieces solved by matrix exponentials."""
    coil, farad, ohm, t, v, turns = 1e-4, 1e-4, 50.0, 0.0, 20.0, 0
    motion = np.array(
        [[0.0, -1 / coil, 12 / coil], [1 / farad, -1 / (ohm * farad), 0.0], [0.0] * 3]
    )
    charging = 2 * coil / 12
    while True:
        if t + charging > stop:
            return v * np.exp(-(stop - t) / (ohm * farad)), turns
        t, v = t + charging, v * np.exp(-charging / (ohm * farad))
        x = np.array([2.0, v, 1.0])
        turns += 1
        if (expm(motion * (stop - t)) @ x)[0] > 0 and stop - t < 1e-5:
            return (expm(motion * (stop - t)) @ x)[1], turns
        end = brentq(lambda h, x=x: (expm(motion * h) @ x)[0], 0.0, 3e-5, xtol=1e-18)
        if t + end > stop:
            return (expm(motion * (stop - t)) @ x)[1], turns
        t, v, turns = t + end, (expm(motion * end) @ x)[1], turns + 1


@pytest.mark.parametrize(
    "logic",
    [
        "when L.i >= 2 then on = false; elsewhen L.i <= 0 then on = true; end when;",
        "on = if pre(on) then L.i < 2 else L.i <= 0;",
        "on = if pre(on) then L.i < 2 else D.i <= 0;",
    ],
)
def test_VAR_3_a_control_waits_for_a_current_that_an_ideal_diode_ends(logic, tmp_path):
    """The diode opens at zero and keeps the current there: that must be zero, not what rounding leaves."""
    path = tmp_path / "Boundary.mo"
    path.write_text(BOUNDARY.format(logic=logic))
    voltage, turns = at_the_boundary(2e-3)

    result = fw.load(path).simulate()

    assert result.final("C.v") == pytest.approx(voltage, rel=1e-7)
    assert np.count_nonzero(np.diff(result["on"])) == turns


BENT = """
model Coil "bends as little as rounding shows, and all the same is not linear"
  extends Modelica.Electrical.Analog.Interfaces.OnePort;
  parameter Real L = 1;
  Real psi;
equation
  psi = L*(i + 1e-13*i^3);
  der(psi) = v;
end Coil;
"""


def test_VAR_3_an_element_that_has_fired_is_no_cause_of_the_next_event(tmp_path):
    """Corner and relation are found at neighbouring instants, the relation first; at the second one the diode
    had been asked to turn once more, and shorted the capacitor."""
    logic = "when L.i >= 2 then on = false; elsewhen L.i <= 0 then on = true; end when;"
    text = BENT + BOUNDARY.format(logic=logic)
    path = tmp_path / "Boundary.mo"
    path.write_text(text.replace("Modelica.Electrical.Analog.Basic.Inductor", "Coil"))
    voltage, _ = at_the_boundary(2e-3)

    result = fw.load(path).simulate()

    assert not result.impulses
    assert result.final("C.v") == pytest.approx(voltage, rel=1e-7)
