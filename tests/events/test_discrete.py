"""Discrete equations: when and elsewhen, pre, edge, change, reinit, initial, terminal, terminate,
all types of variables, algorithms; sorted together and repeated until nothing changes."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from freewheel.base.diagnostics import SimulationError


def times_of(result) -> list[float]:
    return [event.time for event in result.events]


def test_elsewhen_is_tried_only_where_when_did_not_fire(run):
    result = run(
        """
model Priorities
  Integer n(start = 0, fixed = true);
equation
  when time >= 0.5 then
    n = 1;
  elsewhen {time >= 0.5, time >= 0.7} then
    n = pre(n) + 10;
  end when;
end Priorities;
"""
    )

    assert result.at("n", 0.6) == 1
    assert result.final("n") == 11


def test_edge_and_change_and_pre(run):
    result = run(
        """
model Operators
  Boolean b = sin(2*3.14159265358979*time) > 0;
  Integer ups(start = 0, fixed = true), changes(start = 0, fixed = true);
  Integer downs(start = 0, fixed = true);
equation
  when edge(b) then
    ups = pre(ups) + 1;
  end when;
  when change(b) then
    changes = pre(changes) + 1;
  end when;
  when not b then
    downs = pre(downs) + 1;
  end when;
end Operators;
""",
        stop=2.75,
    )

    # Up at 1 and 2 (and just after the start), down at 0.5, 1.5 and 2.5.
    assert [result.final(n) for n in ("downs", "changes")] == [3, 6]
    assert result.final("ups") == 3


def test_all_types_of_discrete_variables(run):
    result = run(
        """
model Types
  type Gear = enumeration(neutral, first, second);
  Gear gear(start = Gear.neutral, fixed = true);
  Boolean on(start = false, fixed = true);
  Integer count(start = 3, fixed = true);
  discrete Real level(start = 0.5, fixed = true);
  Real speed(start = 0, fixed = true);
equation
  der(speed) = if gear == Gear.neutral then 0 else if gear == Gear.first then 1 else 2;
  when time >= 0.25 then
    gear = Gear.first;
    on = not pre(on);
  elsewhen speed > 0.5 then
    gear = Gear.second;
    on = not pre(on);
  end when;
  when change(on) then
    count = pre(count)*2;
    level = pre(level) + speed;
  end when;
end Types;
"""
    )

    assert result.final("gear") == 3
    assert result.final("on") == 0
    assert result.final("count") == 12
    assert result.final("level") == pytest.approx(1.0, abs=1e-8)
    assert result.final("speed") == pytest.approx(0.5 + 2 * 0.25, rel=1e-8)


def test_reinit_sets_states_from_left_limits(run):
    """Two balls exchange their speeds: both new values come from values before the event."""
    result = run(
        """
model Exchange
  Real x1(start = 0, fixed = true), v1(start = 2, fixed = true);
  Real x2(start = 1, fixed = true), v2(start = -1, fixed = true);
equation
  der(x1) = v1;
  der(x2) = v2;
  der(v1) = 0;
  der(v2) = 0;
  when x1 > x2 then
    reinit(v1, v2);
    reinit(v2, v1);
  end when;
end Exchange;
"""
    )

    assert times_of(result)[0] == pytest.approx(1 / 3, rel=1e-9)
    assert (result.final("v1"), result.final("v2")) == (-1.0, 2.0)
    assert result.final("x2") == pytest.approx(2 / 3 + 2 * 2 / 3, rel=1e-8)


def test_initial_terminal_and_terminate(run):
    text = """
model Ends
  Integer began(start = 0, fixed = true), ended(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when initial() then
    began = pre(began) + 1;
  end when;
  when terminal() then
    ended = pre(ended) + 1;
  end when;
  when x > 0.75 then
    terminate("far enough");
  end when;
end Ends;
"""
    result = run(text, stop=2.0)

    assert (result.final("began"), result.final("ended")) == (1, 1)
    assert result.time[-1] == pytest.approx(0.75, abs=1e-9)
    assert any("far enough" in warning.message for warning in result.warnings)
    assert result["ended"][-2] == 0


def test_algorithms_in_when_clauses(run):
    result = run(
        """
model Sorted
  discrete Real values[3](start = {3, 1, 2}, each fixed = true);
  Integer swaps(start = 0, fixed = true);
protected
  discrete Real held(start = 0, fixed = true);
algorithm
  when sample(0.1, 0.1) then
    for i in 1:2 loop
      if values[i] > values[i + 1] then
        held := values[i];
        values[i] := values[i + 1];
        values[i + 1] := held;
        swaps := swaps + 1;
      end if;
    end for;
  end when;
end Sorted;
"""
    )

    assert [result.final(f"values[{i}]") for i in (1, 2, 3)] == [1, 2, 3]
    assert result.final("swaps") == 2


def test_equations_are_sorted_whatever_their_order_in_the_text(run):
    """Boolean, when- and continuous equations in one chain, written backwards."""
    result = run(
        """
model Chain
  Boolean d = c and y > 0, c = not b, b = n < 2;
  Integer n(start = 0, fixed = true);
  Real y = if c then 2*x else -1;
  Real x(start = 1, fixed = true);
  Integer m(start = 0, fixed = true);
equation
  when d then
    m = n*100;
  end when;
  der(x) = -x;
  when sample(0.2, 0.2) then
    n = pre(n) + 1;
  end when;
end Chain;
""",
        stop=0.5,
    )

    at = np.searchsorted(result.time, 0.4, side="right")
    assert [result[name][at] for name in ("n", "b", "c", "d", "m")] == [2, 0, 1, 1, 200]
    assert times_of(result) == [0.2, 0.4]


def test_a_chain_of_events_settles_at_one_instant(run):
    """Dominoes: each falls because the one before has fallen, all at the same time."""
    result = run(
        """
model Dominoes
  Boolean fallen[20](each start = false, each fixed = true);
equation
  when time >= 0.5 then
    fallen[1] = true;
  end when;
  for i in 2:20 loop
    when pre(fallen[i - 1]) then
      fallen[i] = true;
    end when;
  end for;
end Dominoes;
"""
    )

    assert times_of(result) == [0.5]
    assert result.events[0].rounds >= 20
    assert result.final("fallen[20]") == 1
    assert result.at("fallen[20]", 0.49) == 0


def test_a_bouncing_ball_keeps_its_energy_law(run):
    result = run(
        """
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
    bounces = pre(bounces) + 1;
  end when;
end Ball;
""",
        stop=1.6,
    )
    first = sqrt(2 / 9.81)
    expected = [first, first + 2 * 0.7 * first, first + 2 * (0.7 + 0.49) * first]

    assert times_of(result)[0] == pytest.approx(expected[0], rel=1e-9)
    assert [t for t in times_of(result) if any(abs(t - e) < 1e-8 for e in expected)] == (
        pytest.approx(expected, rel=1e-9)
    )
    assert result.final("bounces") == 3


# ---------------------------------------------------------------- what cannot be


def test_a_toggle_without_memory_is_named(run):
    """`p = not pre(p)` never settles (section 9.11 of the discontinuity chapter)."""
    text = """
model Toggle
  Boolean p(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  p = if time < 0.5 then false else not pre(p);
  n = pre(n);
end Toggle;
"""
    with pytest.raises(SimulationError) as failure:
        run(text)

    (problem,) = failure.value.diagnostics
    assert problem.code == "R006"
    assert "`p`" in problem.message
    assert "`n`" not in problem.message
    assert "0.5" in problem.message
    assert [label.span.line for label in problem.labels] == [6]


def test_a_loop_among_discrete_equations_is_reported_with_its_lines(run):
    text = """
model Loop
  Boolean a, b;
equation
  a = not b or time > 1;
  b = a;
end Loop;
"""
    with pytest.raises(SimulationError) as failure:
        run(text)

    (problem,) = failure.value.diagnostics
    assert problem.code == "R006"
    assert "these keep changing: `a`" in problem.message
    assert [label.span.line for label in problem.labels] == [5]
