"""Events that the compiled loop deals with by itself: the first motion that slides or rests, messages of the
model, discontinuities of inputs. Python makes room and takes messages; it settles nothing."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw
from freewheel.runtime.simulate import Simulation

BALL = """
model Ball "comes to rest"
  Real h(start = 0.1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.4*pre(v));
  end when;
  annotation(experiment(StopTime = 1, Interval = 0.1));
end Ball;
"""
SLIDES = """
model Slides
  Real x(start = 0.5, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
  annotation(experiment(StopTime = 2, Interval = 0.1));
end Slides;
"""
WARNS = """
model Warns "a warning of each event, and one of a state"
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0.25, 0.5) then
    n = pre(n) + 1;
    assert(n < 2, "n is 2", AssertionLevel.warning);
  end when;
  assert(x < 0.6 or x > 0.7, "x is near 0.65", AssertionLevel.warning);
  annotation(experiment(StopTime = 1, Interval = 0.1));
end Warns;
"""
ENDS = """
model Ends
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    terminate("far enough");
  end when;
  annotation(experiment(StopTime = 1, Interval = 0.1));
end Ends;
"""
DRIVEN = """
model Driven
  input Real u;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Boolean high = u > 0.5;
equation
  der(x) = u - x;
  der(y) = if high then 1 else 0;
  annotation(experiment(StopTime = 1, Interval = 0.1));
end Driven;
"""
FRICTION = """
model Friction "a block sticks, beside a circuit with an ideal diode"
  Modelica.Electrical.Analog.Sources.SineVoltage source(V = 10, f = 5);
  Modelica.Electrical.Analog.Ideal.IdealDiode diode;
  Modelica.Electrical.Analog.Basic.Inductor coil(L = 0.1, i(start = 0, fixed = true));
  Modelica.Electrical.Analog.Basic.Resistor load(R = 5);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Real x(start = 0.02, fixed = true);
equation
  connect(source.p, diode.p);
  connect(diode.n, coil.p);
  connect(coil.n, load.p);
  connect(load.n, source.n);
  connect(ground.p, source.n);
  der(x) = if x > 0 then -1 else 1;
  annotation(experiment(StopTime = 0.3, Interval = 0.01));
end Friction;
"""
JUMPS = {"u": ([0.0, 0.3, 0.3, 0.6, 0.8, 1.0], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0])}


@pytest.fixture(autouse=True)
def no_event_of_python(monkeypatch):
    def settled(*_):
        raise AssertionError("Python deals with an event")

    monkeypatch.setattr(Simulation, "_event", settled)
    monkeypatch.setattr(Simulation, "_run_here", settled)


@pytest.mark.parametrize("solver", ["dopri5", "radau", "rodas4", "cvode"])
def test_the_first_rest(solver):
    r = fw.load_text(BALL).simulate(solver=solver)
    assert r["h"][-1] == pytest.approx(0.0, abs=1e-6)
    assert [w.code for w in r.warnings] == ["R104"]


@pytest.mark.parametrize("solver", ["dopri5", "radau", "rodas4", "cvode"])
def test_the_first_sliding(solver):
    r = fw.load_text(SLIDES).simulate(solver=solver)
    assert r["x"][-1] == pytest.approx(0.0, abs=1e-6)
    assert [w.code for w in r.warnings] == ["R104"]
    assert len(r.events) < 20


def test_sliding_beside_a_core():
    r = fw.load_text(FRICTION).simulate()
    assert r["x"][-1] == pytest.approx(0.0, abs=1e-6)
    assert r["coil.i"].max() > 1.0
    assert r["coil.i"].min() == pytest.approx(-1e-4, rel=0.1)  # leakage
    assert "R104" in [w.code for w in r.warnings]


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_messages(backend):
    r = fw.load_text(WARNS, backend=backend).simulate()
    told = [w.message for w in r.warnings]
    assert sum("n is 2" in text for text in told) == 1
    assert r["n"][-1] == 2


def test_a_run_that_is_terminated():
    r = fw.load_text(ENDS).simulate()
    assert r.time[-1] == pytest.approx(0.5)
    assert "far enough" in r.warnings[-1].message


@pytest.mark.parametrize("solver", ["dopri5", "radau", "rodas4", "cvode"])
def test_inputs_that_jump_and_bend(solver):
    r = fw.load_text(DRIVEN).simulate(solver=solver, inputs=JUMPS, tol=1e-8)
    assert r["y"][-1] == pytest.approx(0.4, abs=1e-6)
    t = np.array([0.3, 0.6, 0.8])
    x = [0.0, 1 - np.exp(-0.3)]
    x.append(6.0 + (x[1] - 6.0) * np.exp(-0.2) - 5.0 * 0.2)  # x' = 1 - 5*t - x
    found = [r["x"][np.argmin(abs(r.time - s))] for s in t]
    assert found == pytest.approx(x, abs=1e-6)
    assert any("an input jumps" in repr(event) for event in r.events)


@pytest.mark.parametrize("solver", ["dopri5", "cvode", "qss2"])
def test_pre_values_at_the_end_are_left_limits(solver, monkeypatch):
    """(They were those of the last event before.)"""
    monkeypatch.undo()  # quantized states leave the end of a run to the classic engine
    text = """
    model Ends
      Real x(start = 0, fixed = true);
      discrete Real y(start = 0, fixed = true);
      Boolean late(start = false, fixed = true);
    equation
      der(x) = 1;
      late = x > 0.5;
      when terminal() then
        y = pre(x);
      end when;
    end Ends;
    """
    r = fw.load_text(text).simulate(stop=1.0, solver=solver)
    assert r.final("y") == pytest.approx(1.0)
    assert r.final("late") == 1.0
