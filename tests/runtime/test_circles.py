"""Statuses that run in circles and events with rivals: compiled code does what the reference does."""

import pytest

import freewheel as fw
from freewheel.runtime.engine import Engine
from freewheel.runtime.event.rivals import Rivals
from freewheel.runtime.simulate import _Simulation

CLUTCH = """
model Clutch
  Modelica.Mechanics.Rotational.Components.Inertia motor(J=1, w(start=10, fixed=true));
  Modelica.Mechanics.Rotational.Components.Inertia load(J=2, w(start=0, fixed=true));
  Modelica.Mechanics.Rotational.Components.Clutch clutch(fn_max=20, peak=1.1);
  Modelica.Mechanics.Rotational.Sources.Torque torque;
equation
  clutch.f_normalized = if time < 1 then 1 else 0.1;
  torque.tau = 3*sin(4*time);
  connect(torque.flange, motor.flange_a);
  connect(motor.flange_b, clutch.flange_a);
  connect(clutch.flange_b, load.flange_a);
  annotation(experiment(StopTime=4));
end Clutch;
"""
BALL = """
model Ball
  Real h(start=1, fixed=true), v(start=0, fixed=true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.7*pre(v));
  end when;
end Ball;
"""


def by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """All events by the reference iteration."""
    monkeypatch.setattr(Engine, "_are_plain", lambda _: False)
    monkeypatch.setattr(Engine, "settle", lambda *_: 0)


@pytest.fixture
def events_in_python(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    seen: list[float] = []
    event = _Simulation._event

    def counted(self, t, y, crossing):
        seen.append(t)
        event(self, t, y, crossing)

    monkeypatch.setattr(_Simulation, "_event", counted)
    return seen


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("Hybrid.Examples.TwoBlocks", {}),
        ("Hybrid.Examples.TwoBlocks", {"stiction": 1.1}),
        ("Hybrid.Examples.StickSlipTrain", {}),
        ("Clutch", {}),
    ],
)
def test_events_are_those_of_the_reference(name, given, tmp_path, monkeypatch):
    path = tmp_path / "clutch.mo"
    path.write_text(CLUTCH)
    model = fw.load(path) if name == "Clutch" else fw.load(name)
    compiled = model.simulate(tol=1e-6, params=given)
    by_python(monkeypatch)
    reference = model.simulate(tol=1e-6, params=given)

    assert len(compiled.events) == len(reference.events) > 3
    assert [e.time for e in compiled.events] == pytest.approx(
        [e.time for e in reference.events], rel=1e-9
    )
    for ours, theirs in zip(compiled.events, reference.events, strict=True):
        assert str(ours).split(" became")[0] == str(theirs).split(" became")[0]
    assert [w.code for w in compiled.warnings] == [w.code for w in reference.warnings]
    for variable in ("m1.s", "m[1].s", "load.phi"):
        if variable in compiled:
            assert compiled.final(variable) == pytest.approx(reference.final(variable), rel=1e-8)


def test_friction_needs_no_python(events_in_python, monkeypatch):
    """Of 28 changes two could end otherwise on another way: there the reference looks."""
    looked = []
    look = Rivals.look
    monkeypatch.setattr(Rivals, "look", lambda *a: looked.append(1) or look(*a))
    result = fw.load("Hybrid.Examples.TwoBlocks").simulate(tol=1e-6)
    assert len(result.events) == 28
    assert len(events_in_python) == len(looked) <= 2


def test_impacts_are_dealt_with_in_the_loop(events_in_python, tmp_path):
    """But for the first one: Python makes room to remember them."""
    path = tmp_path / "ball.mo"
    path.write_text(BALL)
    result = fw.load(path).simulate(stop=1.5)
    assert len(events_in_python) == 1
    assert len(result.events) == 2
