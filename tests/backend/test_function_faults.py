"""What goes wrong inside a function is told in words of the model, with the statement."""

from __future__ import annotations

import pytest

from freewheel.api import load_text
from freewheel.base.diagnostics import SimulationError

LIBRARY = """
function reads
  input Real T[:];
  input Integer k;
  output Real y;
algorithm
  y := 1;
  if T[k] > 0 then
    y := 2;
  end if;
end reads;

function writes
  input Real u;
  input Integer k;
  output Real y;
protected
  Real a[3];
algorithm
  a := {u, u, u};
  a[k] := 5;
  y := a[1];
end writes;

function searches
  input Real T[:];
  input Integer k;
  output Integer i;
algorithm
  i := k;
  while T[i] < 10 loop
    i := i + 1;
  end while;
end searches;

function slices
  input Real T[:];
  input Integer k;
  output Real y;
algorithm
  y := sum(T[{k - 1, k}]);
end slices;

function unset
  input Real u;
  output Real y;
algorithm
  if u < 0.5 then
    y := 1;
  end if;
end unset;

function early
  input Real u;
  output Real y;
protected
  Real a;
algorithm
  if u < 0.5 then
    a := 1;
  end if;
  y := a + 1;
end early;

function asks
  input Real T[:];
  input Integer k;
  output Real y;
algorithm
  y := if k <= size(T, 1) and T[k] > 0 then T[k] else -1;
end asks;
"""

OUTSIDE = "subscript {} is outside 1:3 in dimension 1 of `{}` in `{}`"
FAULTS = (
    ("reads({1, 2, 3}, integer(10*time) + 1)", "R174", 8, OUTSIDE.format(4, "T", "reads")),
    ("reads({1, 2, 3}, 3 - integer(10*time))", "R174", 8, OUTSIDE.format(0, "T", "reads")),
    ("writes(time, integer(10*time) + 1)", "R174", 21, OUTSIDE.format(4, "a", "writes")),
    ("writes(time, 3 - integer(10*time))", "R174", 21, OUTSIDE.format(0, "a", "writes")),
    (
        "searches({1, if time < 0.5 then 20 else 2, 3}, 1)",
        "R174",
        31,
        OUTSIDE.format(4, "T", "searches"),
    ),
    ("slices({1, 2, 3}, integer(10*time) + 2)", "R174", 41, OUTSIDE.format(4, "T", "slices")),
    ("slices({1, 2, 3}, 3 - integer(10*time))", "R174", 41, OUTSIDE.format(0, "T", "slices")),
    ("unset(time)", "R122", 44, "the output `y` of `unset` has no value at the end"),
    ("early(time)", "R122", 62, "`a` of `early` is used before it has a value"),
)


def simulated(call: str, backend: str):
    text = f"{LIBRARY}model M\n  Real y = {call};\nend M;\n"
    return load_text(text, backend=backend).simulate(stop=1.0, interval=0.05)


@pytest.mark.parametrize("backend", ["python", "llvm"])
@pytest.mark.parametrize(("call", "code", "line", "words"), FAULTS)
def test_a_fault_in_a_function_names_its_statement(call, code, line, words, backend):
    with pytest.raises(SimulationError) as caught:
        simulated(call, backend)

    told = caught.value.diagnostics[0]
    assert told.code == code
    assert words in told.message
    assert told.message.startswith("at time 0.")
    assert told.labels[0].span.line == line
    assert "$" not in told.message


@pytest.mark.parametrize("backend", ["python", "llvm"])
def test_a_subscript_behind_a_question_is_not_looked_at(backend):
    assert simulated("asks({1, 2, 3}, integer(10*time) + 1)", backend)["y"][-1] == -1.0


QUOTIENTS = {
    "elements": "y := 0; for i in 1:2 loop y := y + a[i]/b[i]; end for;",
    "nothing by nothing": "c[1] := 3*b[1]; y := b[1]/c[1];",
    "an array by a number": "c := a/b[1]; y := c[2];",
    "arrays": "c := a ./ b; y := c[1];",
    "a scalar product": "y := 1/(a*{b[1], 0});",
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("backend", ["python", "llvm"])
@pytest.mark.parametrize("quotient", QUOTIENTS)
def test_division_by_zero_fails_in_functions_too(quotient, backend):
    """Elements of arrays are numbers of NumPy in the reference, whose quotients are infinite."""
    text = f"""
    model M
      function f input Real a[2]; input Real b[2]; output Real y; protected Real c[2];
      algorithm c := a; {QUOTIENTS[quotient]} end f;
      Real x(start = 1, fixed = true), y;
    equation
      der(x) = if time < 0.7 then -1 else 0;
      y = f({{1, x}}, {{floor(2*x), 2}});
    end M;"""
    with pytest.raises(SimulationError) as problem:
        load_text(text, backend=backend).simulate(stop=1.0)

    told = problem.value.diagnostics[0]
    assert told.code == "R122"
    assert "at time 0.5: division by zero: `y = M.f(" in told.message
    assert problem.value.result.time[-1] == pytest.approx(0.5, abs=1e-6)
