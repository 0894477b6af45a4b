"""A subscript that only a run tells ends the run where it lies outside, and nowhere else."""

from __future__ import annotations

import pytest

from freewheel.api import load
from freewheel.base.diagnostics import SimulationError

BACKENDS = ("python", "llvm")
SOLVERS = (
    *("dopri5", "rkf45", "rodas4", "radau", "lobatto", "euler", "rk4", "beuler", "cvode", "ida"),
    *("qss1", "qss2", "qss3", "liqss1", "liqss2", "liqss3", "mliqss2", "cqss"),
)
COUNTING = "Integer k(start = 1, fixed = true);"
COUNTS = "when sample(0.1, 0.1) then k = pre(k) + 1; end when;"
RAMP = "Real x(start = 0, fixed = true);"


def model(declarations: str, equations: str, before: str = "") -> str:
    return f"{before}\nmodel M\n  {declarations}\nequation\n  {equations}\nend M;\n"


def run(text: str, tmp_path, backend: str = "llvm", **settings):
    path = tmp_path / "m.mo"
    path.write_text(text, encoding="utf-8")
    return load(path, backend=backend).simulate(**{"stop": 1.0, "interval": 0.05, **settings})


def refusal(text: str, tmp_path, **settings):
    with pytest.raises(SimulationError) as caught:
        run(text, tmp_path, **settings)
    return caught.value.diagnostics[0]


WRONG = {
    "an equation": (f"Real T[3] = {{time, 2, 3}}; {COUNTING} Real y;", f"{COUNTS} y = T[k];"),
    "a declaration": ("parameter Real T[3] = {1, 2, 3}; Real y = T[integer(10*time) + 2];", ""),
    "equal elements": ("parameter Real T[3] = {1, 1, 1}; Real y = T[integer(10*time) + 2];", ""),
    "zero": ("Real T[3] = {time, 2, 3}; Real y;", "y = T[2 - integer(10*time)];"),
    "a branch": (
        f"Real T[3] = {{time, 2, 3}}; {COUNTING} Real y;",
        f"{COUNTS} if k > 2 then y = T[k + 1]; else y = 0; end if;",
    ),
    "a when-clause": (
        f"Real T[3] = {{time, 2, 3}}; {COUNTING} discrete Real y(start = 0);",
        "when sample(0.1, 0.1) then k = pre(k) + 1; y = T[k + 1]; end when;",
    ),
    "an algorithm": (
        f"Real T[3] = {{time, 2, 3}}; {COUNTING} Real y;",
        f"{COUNTS}\nalgorithm\n  y := 0;\n  if k > 1 then\n    y := T[k + 1];\n  end if;",
    ),
    "an assigned element": (
        f"Real T[3]; {COUNTING}",
        f"{COUNTS}\nalgorithm\n  T := {{time, 2, 3}};\n  T[k + 1] := 5;",
    ),
    "an array of records": (
        f"R T[3] = {{R(time, 1), R(2, 2), R(3, 3)}}; {COUNTING} Real y;",
        f"{COUNTS} y = T[k].b;",
        "record R Real a; Real b; end R;",
    ),
    "a row": (
        f"Real T[3, 2] = [time, 1; 2, 2; 3, 3]; {COUNTING} Real y[2];",
        f"{COUNTS} y = T[k, :];",
    ),
    "a column": (
        f"Real T[2, 3] = [1, 2, 3; 4, 5, time]; {COUNTING} Real y;",
        f"{COUNTS} y = T[2, k];",
    ),
    "a function in place": (
        f"parameter Real T[3] = {{1, 2, 3}}; {COUNTING} Real y;",
        f"{COUNTS} y = f(T, k);",
        "function f input Real x[:]; input Integer i; output Real y; algorithm y := x[i];"
        " annotation(Inline = true); end f;",
    ),
    "a condition": (
        f"Real T[3] = {{time, 2, 3}}; {COUNTING} Real y;",
        f"{COUNTS} y = if T[k] > 0 then 1 else 2;",
    ),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("where", WRONG)
def test_a_subscript_outside_ends_the_run(where, backend, tmp_path):
    told = refusal(model(*WRONG[where]), tmp_path, backend=backend)

    number = 0 if where == "zero" else 4
    axis = 2 if where == "a column" else 1
    assert told.code == "R174"
    assert f"subscript {number} is outside 1:3 in dimension {axis} of `T`" in told.message
    assert told.message.startswith("at time 0.")
    assert told.labels[0].span.source.path.endswith("m.mo")
    assert told.help


RIGHT = {
    "a branch that is not taken": (
        f"Real T[3] = {{time, 2, 3}}; {COUNTING} Real y;",
        f"{COUNTS} y = if k < 3 then T[k + 1] else -1;",
    ),
    "an equation of such a branch": (
        f"Real T[3] = {{time, 2, 3}}; {COUNTING} Real y;",
        f"{COUNTS} if k >= 3 then y = -1; else y = T[k + 1]; end if;",
    ),
    "after `and`": (
        f"Real T[3] = {{1, 2, 3}}; {COUNTING} Real y;",
        f"{COUNTS} y = if k <= 3 and T[k] > 0 then 1 else -1;",
    ),
    "after `or`": (
        f"Real T[3] = {{1, 2, 3}}; {COUNTING} Real y;",
        f"{COUNTS} y = if k > 3 or T[k] < 0 then -1 else 1;",
    ),
    "in noEvent": (
        f"Real T[3] = {{1, 2, 3}}; {COUNTING} Real y;",
        f"{COUNTS} y = noEvent(if time > 0.25 then -1 else T[k]);",
    ),
    "of a state": (
        f"parameter Real T[3] = {{1, 2, 3}}; {RAMP} Real y;",
        "der(x) = 10; y = if x < 3 then T[integer(x) + 1] else -1;",
    ),
    "in a when-clause that rests": (
        f"Real T[3] = {{time, 2, 3}}; {COUNTING} discrete Real y(start = -1, fixed = true);",
        f"{COUNTS} when k > 100 then y = T[k]; end when;",
    ),
    "in a branch of an algorithm": (
        f"Real T[3] = {{time, 2, 3}}; {COUNTING} Real y;",
        f"{COUNTS}\nalgorithm\n  y := -1;\n  if k <= 3 then\n    y := T[k];\n  end if;",
    ),
    "elseif": (
        f"Real T[3] = {{1, 2, 3}}; {COUNTING} Real y;",
        f"{COUNTS} if k > 3 then y = -1; elseif T[k] > 2 then y = 1; else y = 2; end if;",
    ),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("where", RIGHT)
def test_what_is_not_looked_at_is_not_checked(where, backend, tmp_path):
    result = run(model(*RIGHT[where]), tmp_path, backend=backend)

    assert result["y"][-1] == -1.0


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_looks(solver, tmp_path):
    declarations = f"parameter Real T[3] = {{1, 2, 3}}; {RAMP} Real y;"
    outside = model(declarations, "der(x) = 4; y = T[integer(x) + 1];")
    inside = model(declarations, "der(x) = 4; y = if x < 3 then T[integer(x) + 1] else -1;")

    told = refusal(outside, tmp_path, solver=solver)

    assert told.code == "R174"
    assert told.message.startswith("at time 0.75")
    assert run(inside, tmp_path, solver=solver)["y"][-1] == -1.0


def test_initial_equations_are_looked_at(tmp_path):
    text = """model M
  parameter Real T[3] = {1, 2, 3};
  Integer k(start = 5, fixed = true);
  Real x;
initial equation
  x = T[k];
equation
  der(x) = 1;
  when time > 0.5 then
    k = 1;
  end when;
end M;
"""
    told = refusal(text, tmp_path)

    assert told.message == "at time 0: subscript 5 is outside 1:3 in dimension 1 of `T`"
    assert told.labels[0].span.line == 6


def test_iterates_may_lie_outside(tmp_path):
    """Newton's iteration passes x = 12 on its way to x = 1.5: only the solution is looked at."""
    text = model(
        "parameter Real T[3] = {1, 2, 3}; Real x(start = 12); Real y;",
        "x^3 = 3.375 + 0*time; y = T[noEvent(integer(x)) + 1];",
    )

    assert run(text, tmp_path)["y"][-1] == 2.0


def test_checks_make_no_events(tmp_path):
    text = model(
        f"Real T[3] = {{time, 2, 3}}; {COUNTING} discrete Real y(start = 0, fixed = true);",
        "when sample(0.1, 0.1) then k = pre(k) + 1; if time > 0.33 then y = 0; else y = T[k - 1]; end if;"
        " end when;",
    )
    result = run(text, tmp_path, stop=0.45)

    assert len([e for e in result.events if e.time > 0]) == 4
