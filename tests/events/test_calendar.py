"""Time events: exact hits, ties, multi-rate control; relations of time alone need no root finding."""

from __future__ import annotations

from math import asin, pi

import pytest


def times_of(result) -> list[float]:
    return [event.time for event in result.events]


def test_samples_hit_start_plus_k_times_interval_exactly(run):
    result = run(
        """
model Counter
  Integer n(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0.05, 0.1) then
    n = pre(n) + 1;
  end when;
end Counter;
""",
        stop=100.0,
    )

    assert times_of(result) == [0.05 + k * 0.1 for k in range(1000)]
    assert result.final("n") == 1000


def test_a_schedule_of_its_own_is_hit_exactly(run):
    """The sampled controller of the hybrid paper: `when time >= next`, next moving on."""
    result = run(
        """
model Scheduled
  parameter Real T = 0.3;
  discrete Real next(start = 0.1, fixed = true), x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
equation
  der(y) = x;
  when time >= pre(next) then
    next = pre(next) + T;
    x = 0.5*pre(x);
  end when;
end Scheduled;
""",
        stop=2.0,
    )
    expected, next_time = [], 0.1
    while next_time <= 2.0:
        expected.append(next_time)
        next_time += 0.3

    assert times_of(result) == expected
    assert result.stats["of these to locate events"] == 0
    assert result.final("x") == 0.5 ** len(expected)


def test_several_relations_of_time_in_one_expression(run):
    result = run(
        """
model Switched
  Real x(start = 0, fixed = true);
  Real u = if time < 1e-3 then 1 else if time < 2.5e-3 then 0 else if time < 5e-3 then 1 else 0;
equation
  der(x) = u;
end Switched;
""",
        stop=0.01,
    )

    assert times_of(result) == [1e-3, 2.5e-3, 5e-3]
    assert result.stats["of these to locate events"] == 0
    assert result.final("x") == pytest.approx(3.5e-3, rel=1e-9)


def test_a_curved_function_of_time_falls_back_on_roots(run):
    result = run(
        """
model Curved
  Boolean high = sin(time) > 0.5;
  Real x(start = 0, fixed = true);
equation
  der(x) = if high then 1 else 0;
end Curved;
""",
        stop=7.0,
    )

    first = asin(0.5)
    assert times_of(result) == pytest.approx([first, pi - first, 2 * pi + first], rel=1e-12)


def test_events_at_one_instant_are_one_event(run):
    """Samples, a relation of time and what follows from them: one fixed point, two rows."""
    result = run(
        """
model Ties
  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  Boolean late = time >= 0.5;
equation
  when sample(0, 0.25) then
    a = pre(a) + 1;
  end when;
  when sample(0, 0.5) then
    b = a + 10*(pre(b) - pre(b));
  end when;
  when late then
    c = a + b;
  end when;
end Ties;
"""
    )

    assert times_of(result) == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert (result.at("a", 0.6), result.at("b", 0.6), result.at("c", 0.6)) == (3, 3, 6)
    assert [t for t in result.time.tolist() if t == 0.5] == [0.5, 0.5]


def test_a_sample_at_the_start_fires_after_the_initial_system(run):
    result = run(
        """
model First
  Integer n(start = 7, fixed = true);
  Boolean ticked(start = false, fixed = true);
equation
  when sample(0, 0.4) then
    n = pre(n) + 1;
    ticked = true;
  end when;
end First;
"""
    )

    assert result["n"][0] == 8
    assert result.final("n") == 10


def test_tables_announce_their_corners(run):
    result = run(
        """
model Tabled
  Modelica.Blocks.Sources.CombiTimeTable table(
    table = [0, 0; 0.3, 1; 0.3, 2; 0.7, 2; 1, 0]);
  Real x(start = 0, fixed = true);
equation
  der(x) = table.y[1];
end Tabled;
"""
    )

    assert 0.3 in times_of(result)
    assert set(times_of(result)) <= {0.0, 0.3, 0.7, 1.0}
    assert result.final("x") == pytest.approx(0.15 + 0.8 + 0.3, rel=1e-9)


ROBOT = """
model Robot "four controllers, each feeding the next inner one"
  parameter Real T1 = 0.01, T2 = 0.02, T3 = 0.05, T4 = 0.2;
  discrete Real task(start = 0, fixed = true), path(start = 0, fixed = true);
  discrete Real trajectory(start = 0, fixed = true), torque(start = 0, fixed = true);
  Integer runs[4](each start = 0, each fixed = true);
  Real angle(start = 0, fixed = true);
equation
  der(angle) = torque - angle;
  // Written from the inside out, so that order in the text is no help.
  when sample(0, T1) then
    torque = trajectory + 1;
    runs[1] = pre(runs[1]) + 1;
  end when;
  when sample(0, T2) then
    trajectory = path + 10;
    runs[2] = pre(runs[2]) + 1;
  end when;
  when sample(0, T3) then
    path = task + 100;
    runs[3] = pre(runs[3]) + 1;
  end when;
  when sample(0, T4) then
    task = pre(task) + 1000;
    runs[4] = pre(runs[4]) + 1;
  end when;
end Robot;
"""


def test_four_rates_run_from_the_task_planner_inward_at_the_start(run):
    """At t = 0 all four are due: the stabiliser must see what the task planner has just decided."""
    result = run(ROBOT, stop=0.1)

    assert result["task"][0] == 1000
    assert result["path"][0] == 1100
    assert result["trajectory"][0] == 1110
    assert result["torque"][0] == 1111
    assert [result.final(f"runs[{k}]") for k in (1, 2, 3, 4)] == [11, 6, 3, 1]


def test_four_rates_later_see_the_newest_set_points(run):
    result = run(ROBOT, stop=0.3)

    # At 0.2 all four are due again, at 0.25 only the two inner ones besides the path planner.
    assert result.at("torque", 0.2 + 1e-9) == 2111
    assert result.at("torque", 0.15) == 1111
    times = [event.time for event in result.events]
    assert len(times) == len(set(times)) == 31


def test_a_sample_is_true_in_the_first_round_only(run):
    """What the first round has set cannot meet the sample again at the same instant."""
    result = run(
        """
model Once
  Boolean c(start = false, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  when sample(0.2, 0.2) then
    c = true;
  end when;
  when sample(0.2, 0.2) and pre(c) then
    n = pre(n) + 1;
  end when;
end Once;
""",
        stop=0.7,
    )

    assert result.at("n", 0.3) == 0
    assert result.final("n") == 2


@pytest.mark.parametrize("solver", ["auto", "rk4"])  # the compiled loop; the one in Python
@pytest.mark.parametrize("count", [2, 3, 6])
@pytest.mark.parametrize("period", [1e-4, 1 / 30000, 0.02])
def test_a_pulse_begins_where_another_ends(run, count, period, solver):
    """startTime + k*period and pulseStart + width*period/100 differ by rounding, and each pulse hands on
    what rounding has made of its beginning. Two switches of one leg must never both be closed."""
    starts = ", ".join(f"T*{k}/{count}" for k in range(count))
    result = run(
        f"""
model Ring
  parameter Real T = {period!r};
  Modelica.Blocks.Sources.BooleanPulse s[{count}](
    each width=100/{count}, each period=T, startTime={{{starts}}});
  Integer on = sum(if s[i].y then 1 else 0 for i in 1:{count});
  Real x(start=0, fixed=true);
equation
  der(x) = on;
end Ring;
""",
        stop=60 * period,
        solver=solver,
    )

    assert set(result["on"]) == {1}
    assert len(times_of(result)) == 60 * count + 1


@pytest.mark.parametrize("relation", ["time >= {at}", "not time < {at}", "time > {at}"])
def test_constants_of_time_are_hit_exactly_whatever_the_length_of_the_run(run, relation):
    """The predicted zero of a line that two values gave may lie a few units in the last place too late."""
    for at in (0.3, 0.7, 5.0, 7.0, 10.0, 12.1, 123.4, 1e6 / 7):
        for stop in (2 * at, 20.0 * at, 1.3 * at):
            result = run(
                f"""
model Late
  Real x(start = 1, fixed = true);
  Boolean late = {relation.format(at=repr(at))};
equation
  der(x) = if late then 1 else -x;
end Late;
""",
                stop=stop,
            )
            assert [event.time for event in result.events] == [at], (at, stop)
