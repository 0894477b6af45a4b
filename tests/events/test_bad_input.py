"""Mistakes about events: each with its code, its place and a cure; never a hang."""

from __future__ import annotations

import pytest

from freewheel.base.diagnostics import CompileError, SimulationError

COUNTER = """
model Wrong
  parameter Real T = {interval};
  Integer n(start = 0, fixed = true);
equation
  when sample(0, T) then
    n = pre(n) + 1;
  end when;
end Wrong;
"""
DECAY = """
model Wrong
  parameter Real p = 1;
  discrete Real d(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -x;
  y = 2*x + time;
  when time > 0.2 then
    d = 1;
    {first}
  end when;
  {more}
end Wrong;
"""


def problem_of(failure):
    (problem,) = failure.value.diagnostics
    assert problem.help
    return problem


@pytest.mark.parametrize("interval", ["0", "-0.1", "0/1"])
def test_a_sample_interval_that_is_not_positive(run, interval):
    with pytest.raises(SimulationError) as failure:
        run(COUNTER.format(interval=interval))

    problem = problem_of(failure)
    assert problem.code == "R008"
    assert "must be a positive number" in problem.message
    assert problem.labels[0].span.line == 6


def test_more_samples_than_could_ever_be_taken(run):
    with pytest.raises(SimulationError) as failure:
        run(COUNTER.format(interval="1e-12"))

    problem = problem_of(failure)
    assert problem.code == "R011"
    assert "1e+12 events" in problem.message
    assert problem.labels[0].span.line == 6


@pytest.mark.parametrize("target", ["y", "d", "p"])
def test_reinit_of_what_is_no_state(run, target):
    with pytest.raises(CompileError) as failure:
        run(DECAY.format(first=f"n = 1; reinit({target}, 1);", more=""))

    problem = problem_of(failure)
    assert problem.code == "E014"
    assert f"`{target}`" in problem.message
    assert problem.labels[0].span.line == 12


def test_two_when_clauses_give_one_variable(run):
    more = "when time > 0.5 then d = 2; end when;"
    with pytest.raises(CompileError) as failure:
        run(DECAY.format(first="n = 1;", more=more))

    problem = problem_of(failure)
    assert problem.code == "E021"
    assert "`d`" in problem.message
    assert [label.span.line for label in problem.labels] == [10, 14]
    assert "elsewhen" in problem.help


def test_two_when_clauses_set_one_state(run):
    more = "when time > 0.5 then n = 2; reinit(x, 3); end when;"
    with pytest.raises(CompileError) as failure:
        run(DECAY.format(first="reinit(x, 2);", more=more))

    problem = problem_of(failure)
    assert problem.code == "E021"
    assert "`x`" in problem.message
    assert [label.span.line for label in problem.labels] == [10, 14]


def test_one_when_clause_may_set_a_state_in_each_branch(run):
    more = "elsewhen time > 0.5 then d = 2; n = 2; reinit(x, 3);"
    text = DECAY.format(first="n = 1; reinit(x, 2); " + more, more="")
    result = run(text, stop=0.5000001)

    assert result.final("x") == pytest.approx(3.0, abs=1e-5)


@pytest.mark.parametrize("kind", ["Boolean u", "Real u"])
def test_a_when_clause_over_a_variable_that_nothing_sets(run, kind):
    condition = "u" if kind.startswith("Boolean") else "u > 1"
    text = f"""
model Wrong
  {kind};
  Integer n(start = 0, fixed = true);
equation
  when {condition} then
    n = pre(n) + 1;
  end when;
end Wrong;
"""
    with pytest.raises(CompileError) as failure:
        run(text)

    problem = problem_of(failure)
    assert problem.code == "E001"
    assert "`u`" in problem.message
    assert problem.labels[0].span.line == 3


def test_a_storm_of_time_events_is_stopped(run):
    text = """
model Wrong
  Integer n(start = 0, fixed = true);
  discrete Real next(start = 0.1, fixed = true);
equation
  when time >= pre(next) then
    next = pre(next) + 1e-13;
    n = pre(n) + 1;
  end when;
end Wrong;
"""
    with pytest.raises(SimulationError) as failure:
        run(text)

    problem = problem_of(failure)
    assert problem.code == "R007"
    assert "time >= pre(next)" in problem.message
    assert problem.labels[0].span.line == 6
    assert failure.value.result.time[-1] == pytest.approx(0.1, abs=1e-9)
