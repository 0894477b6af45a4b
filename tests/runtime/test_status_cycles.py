"""Statuses that run in circles and events with rivals: inside the time loop and, event by event, outside."""

import pytest

import freewheel as fw
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.simulate import Simulation

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
TRIGGER = """
model Trigger "an amplifier with positive feedback: its middle branch leads back to the one that is left"
  Real u = 2*sin(time), v = u + 0.5*y, y, z(start=0, fixed=true);
equation
  y = if 100*v > 1 then 1 elseif 100*v < -1 then -1 else 100*v;
  der(z) = y;
end Trigger;
"""
THYRISTOR = """
model Thyristor
  Real u = 10*sin(100*3.14159265358979*time), v, i(start=0, fixed=true);
  Boolean fire = time >= 0.005 and time < 0.006, off(start=true, fixed=true);
equation
  v = if off then u else 0;
  0.01*der(i) = if off then 0 else u - 10*i;
  off = v <= 0 and not i > 0 or pre(off) and not fire;
end Thyristor;
"""
TALKS = """
model Talks
  Integer n(start=0, fixed=true);
  Real x = sin(time);
equation
  when x > 0.5 then
    n = pre(n) + 1;
    assert(n < 2, "many: " + String(n), level=AssertionLevel.warning);
  end when;
end Talks;
"""


@pytest.fixture
def events_in_python(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    seen: list[float] = []
    event = Simulation._event

    def counted(self, t, is_crossing):
        seen.append(t)
        event(self, t, is_crossing)

    monkeypatch.setattr(Simulation, "_event", counted)
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
def test_events_inside_the_loop_are_those_outside(name, given, tmp_path, monkeypatch):
    path = tmp_path / "clutch.mo"
    path.write_text(CLUTCH)
    model = fw.load(path) if name == "Clutch" else fw.load(name)
    compiled = model.simulate(tol=1e-6, params=given)
    monkeypatch.setattr(ClassicEngine, "_are_plain", lambda _: False)
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


def test_friction_needs_no_python(events_in_python):
    """Not even where it could end otherwise."""
    result = fw.load("Hybrid.Examples.TwoBlocks").simulate(tol=1e-6)
    assert len(result.events) == 28
    assert not events_in_python
    result = fw.load("Hybrid.Examples.TwoBlocks").simulate(tol=1e-6, params={"stiction": 1.1})
    assert [w.code for w in result.warnings] == ["R137"]
    assert not events_in_python


def test_a_search_over_branches_needs_no_python(events_in_python):
    result = fw.load_text(TRIGGER).simulate(stop=20)
    assert len(result.events) == 7
    assert not events_in_python


def test_rounding_is_forgiven_without_python(events_in_python):
    """At 5 ms either position contradicts itself by the current that does not flow yet."""
    result = fw.load_text(THYRISTOR).simulate(stop=0.02)
    assert [event.time for event in result.events] == pytest.approx(
        [0.005, 0.006, 0.01096], abs=5e-6
    )
    assert not events_in_python


def test_quantized_states_forgive_rounding_as_well():
    result = fw.load_text(THYRISTOR).simulate(stop=0.02, solver="qss2", tol=1e-6)
    assert [event.time for event in result.events] == pytest.approx(
        [0.005, 0.006, 0.01096], abs=5e-6
    )


def test_notes_that_do_not_fit_are_noted_again(monkeypatch):
    """The event is dealt with outside the loop, because the model says something."""
    events = []
    for room in (4096, 8):
        monkeypatch.setattr("freewheel.runtime.loop.habits.FIRST_NUMBERS", room)
        result = fw.load_text(TALKS).simulate(stop=20, event_log=True)
        events.append([str(event) for event in result.events])
        assert [w.message for w in result.warnings] == ["many: 2", "many: 3", "many: 4"]
    assert events[0] == events[1]
    assert len(events[0]) > 6


def test_impacts_need_no_python(events_in_python, tmp_path):
    """But for room for what is known of them, when the first one comes."""
    path = tmp_path / "ball.mo"
    path.write_text(BALL)
    result = fw.load(path).simulate(stop=1.5)
    assert len(result.events) == 2
    assert not events_in_python
