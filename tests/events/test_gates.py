"""Relations that nobody looks at make no events, and are right again when somebody does."""

from __future__ import annotations

from math import pi

import pytest

ASLEEP = """
model Asleep "x matters between 2 and 3 only"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  Boolean awake = time >= 2 and time < 3;
  Boolean below(start = false, fixed = true) = awake and x < 0;
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -(2*pi)^2*x;
  when below then
    n = pre(n) + 1;
  end when;
protected
  constant Real pi = 3.14159265358979;
end Asleep;
"""


def test_events_come_only_while_somebody_looks(run):
    """x = cos(2 pi t) passes zero at 0.25, 0.75, ...; it counts at 2.25 and 2.75."""
    result = run(ASLEEP, stop=4.0)

    assert list(result.events.times) == pytest.approx([2.0, 2.25, 2.75, 3.0], abs=1e-7)
    assert result.final("n") == 1


def test_a_relation_that_changed_unseen_is_right_when_it_is_looked_at(run):
    """The gate opens at 2.5, where x is below: that must be seen at once."""
    result = run(ASLEEP.replace("time >= 2 ", "time >= 2.5 "), stop=4.0)

    assert list(result.events.times) == pytest.approx([2.5, 2.75, 3.0], abs=1e-7)
    assert result.final("n") == 1


def test_of_two_relations_in_one_or_the_second_is_seen_after_the_first(run):
    text = """
model Either
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), z(start = 0, fixed = true);
  Boolean some = x > 0 or y > 0;
equation
  der(x) = -1;
  der(y) = -1;
  der(z) = if some then 1 else 0;
end Either;
"""
    result = run(text, stop=4.0)

    assert result.final("z") == pytest.approx(2.0, abs=1e-9)


def test_records_that_differ_by_rounding_are_one_event(run):
    """Loose at sin(t) = 1/2: the state that waits for a velocity, and sliding."""
    text = """
model Loose
  Modelica.Mechanics.Translational.Components.Mass mass(
    m = 1, s(start = 0, fixed = true), v(start = 0, fixed = true));
  Modelica.Mechanics.Translational.Components.Fixed ground;
  Hybrid.Mechanics.SixStateFriction friction(Fs = 1, Fd = 1);
  Modelica.Mechanics.Translational.Sources.Force force(f = 2*sin(time));
equation
  connect(ground.flange, friction.flange_a);
  connect(friction.flange_b, mass.flange_a);
  connect(force.flange, mass.flange_b);
end Loose;
"""
    result = run(text, stop=1.0, event_log=True)

    assert len(result.events) == 1
    assert result.events[0].time == pytest.approx(pi / 6, abs=1e-9)
    changed = [n.name for n in result.events[0].notes if n.kind == "variable"]
    assert changed[:2] == ["friction.StartForward", "friction.Sticking"]
    assert "friction.Forward" in changed
    assert len(list(result.events.records())) == 2


def test_a_hysteresis_has_an_event_only_where_its_output_changes(run):
    """H9.12: 2 cos(t) passes the upper threshold downwards without meaning anything."""
    text = """
model H
  Hybrid.Signals.DryHysteresis h(u = 2*cos(time));
end H;
"""
    result = run(text, stop=10.0)

    assert list(result.events.times) == pytest.approx(
        [2 * pi / 3, 5 * pi / 3, 8 * pi / 3], rel=1e-9
    )


def test_what_is_told_of_a_crossing_is_one_event_with_it(run):
    text = """
model Relays
  Real x(start = 1.5, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = if x > y then -2 else 2;
  der(y) = if y > x then -3 else 1.5;
end Relays;
"""
    result = run(text, stop=1.0)

    assert [event.causes for event in result.events] == [("sliding along the surface of `x > y`",)]
    assert result.events[0].time == pytest.approx(1 / 7, rel=1e-12)
