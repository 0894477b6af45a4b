"""Functions of the model as machine code: the same values as the reference, and no Python in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from freewheel.api import load
from freewheel.backend.load import build
from freewheel.runtime.model import CompiledModel

LIBRARY = """
package P
  record Point
    String name = "P";
    Real x;
    Real y[2];
    Integer n;
  end Point;

  function scalar
    input Real u;
    input Integer n;
    output Real y;
    output Real z;
  protected
    Integer k;
  algorithm
    y := 0;
    k := 0;
    while k < n loop
      k := k + 1;
      if mod(k, 2) == 0 then
        y := y + u/k;
      elseif k > 7 then
        break;
      else
        y := y - u*k;
      end if;
    end while;
    z := if y > 0 then sqrt(y) else y^2 + k;
  end scalar;

  function multiply
    input Real a[:, :];
    input Real b[size(a, 2), :];
    output Real c[size(a, 1), size(b, 2)];
  algorithm
    for i in 1:size(a, 1) loop
      for j in 1:size(b, 2) loop
        c[i, j] := sum(a[i, k]*b[k, j] for k in 1:size(a, 2));
      end for;
    end for;
  end multiply;

  function arrays
    input Real x[:];
    input Integer chosen;
    output Real y[size(x, 1)];
    output Real z;
  protected
    Real m[2, size(x, 1)];
  algorithm
    m := {x, 2*x};
    m[2, :] := m[2, :] + m[1, :];
    y := m[2, :] - x .* x;
    y[chosen] := max(x) + min({y[1], 3.0});
    z := x*y + m[2, chosen] + sum(m*x) + product(i + 0.5 for i in x);
    for e in x loop
      z := z + e;
    end for;
  end arrays;

  function factorial
    input Integer n;
    output Integer f;
  algorithm
    f := if n <= 1 then 1 else n*factorial(n - 1);
  end factorial;

  function move
    input Point p;
    input Real by;
    output Point q;
  algorithm
    q := p;
    q.x := p.x + by;
    q.y := {p.y[2], p.y[1]*by};
    q.n := p.n + 1;
  end move;

  function twice
    input Point p;
    input Real by;
    output Real s;
  protected
    Point q = move(p, by);
  algorithm
    q := move(q, q.x);
    s := q.x + q.y[1] - q.y[2] + q.n;
    if s > 1e6 then
      s := 0;
      return;
    end if;
    s := s + 1;
  end twice;

  function parts
    input Real u;
    output Real x;
    output Real y[2];
  protected
    Point p = move(Point("b", 1 + u, {u, 4}, 3), 2);
  algorithm
    x := p.x;
    y := p.y;
  end parts;

  function early
    input Real u;
    output Real y;
  algorithm
    y := 1;
    if u > 0 then
      y := 2;
      return;
    end if;
    y := y + u;
  end early;

  function picky
    input Real u;
    output Real y;
  algorithm
    assert(u < 5, "u is too large");
    y := u*u;
  end picky;

  partial function Curve
    input Real u;
    output Real y;
  end Curve;

  function parabola
    extends Curve;
    input Real a;
    input Real b[2];
  algorithm
    y := a*u^2 + b[1]*u + b[2];
  end parabola;

  function rise
    input Curve f;
    input Real u;
    output Real y;
  algorithm
    y := f(u + 1) - f(u);
  end rise;

  function steepness
    input Curve f;
    input Real u;
    output Real y;
  algorithm
    y := rise(f, u) + rise(f, 2*u);
  end steepness;

  function check
    input Real u;
  algorithm
    assert(u < 5, "u is too large");
  end check;

  function deep
    input Real u;
    output Real y;
  algorithm
    y := deep(u + 1);
  end deep;
end P;
"""

CASES = {
    "scalar": "Real y; Real z; equation (y, z) = P.scalar(time + 1.5, 9);",
    "loops": "Real c[2, 2]; equation c = P.multiply({{1, time, 2}, {3, 4, 5}}, {{1, 2}, {time, 4}, {5, 6}});",
    "arrays": "Real y[3]; Real z; equation (y, z) = P.arrays({time, 2, 3}, integer(2 + 0*time));",
    "recursion": "Integer k = integer(5 + 0*time); Real f = P.factorial(k);",
    "records": 'Real s = P.twice(P.Point("a", time, {1, 2}, 3), time + 1);',
    "functions": "Real y = P.steepness(function P.parabola(a = 2, b = {time, 1}), time);",
    "early": "Real a = P.early(time - 1); Real b = P.early(time + 1);",
    "in a loop": "Real x(start = 1); equation x + P.picky(x) = 2 + time;",
    "whole records": "Real x; Real y[2]; equation (x, y) = P.parts(time);",
}


def compiled(tmp_path: Path, body: str) -> tuple[CompiledModel, CompiledModel]:
    file = tmp_path / "case.mo"
    file.write_text(f"{LIBRARY}\nmodel Case\n  {body}\nend Case;\n")
    program = load(file, model="Case").upto("program").program
    return build(program, "python"), build(program, "llvm")


@pytest.mark.parametrize("case", CASES)
def test_functions_give_the_same_values(tmp_path: Path, case: str) -> None:
    reference, machine = compiled(tmp_path, CASES[case])
    slow, fast = reference.start.copy(), machine.start.copy()

    for time in (0.0, 0.25, 1.0):
        slow[reference.time] = fast[machine.time] = time
        for section in ("parameters", "initial", "derivatives", "outputs", "discrete"):
            assert reference.sections[section](slow) == 0
            assert machine.sections[section](fast) == 0
        assert fast[: len(slow)] == pytest.approx(slow, rel=1e-12)

    assert machine.extras["machine"].python.counts == []


def test_a_failed_assertion_in_a_function_is_told(tmp_path: Path) -> None:
    _, machine = compiled(tmp_path, "Real y = P.picky(time);")
    memory = machine.start.copy()
    memory[machine.time] = 6.0

    status = machine.sections["outputs"](memory)

    assert status > 0
    assert machine.explain is not None
    assert "u is too large" in machine.explain("outputs", status).message


@pytest.mark.parametrize("time", [1.0, 2.0])
def test_what_python_must_do_is_done_by_python(tmp_path: Path, time: float) -> None:
    body = 'Real y = if String(integer(time)) == "2" then 1 else 0;'

    for model in compiled(tmp_path, body):
        memory = model.start.copy()
        memory[model.time] = time
        for section in ("parameters", "initial", "outputs"):
            assert model.sections[section](memory) == 0
        (slot,) = (v.slot for v in model.variables if v.name == "y")
        assert memory[slot] == (time == 2.0)


def test_endless_recursion_is_a_failure_not_a_crash(tmp_path: Path) -> None:
    _, machine = compiled(tmp_path, "Real y = P.deep(time);")

    assert machine.sections["outputs"](machine.start.copy()) > 0


def test_a_function_without_outputs_is_called_for_its_effect(tmp_path: Path) -> None:
    _, machine = compiled(tmp_path, "equation when initial() then P.check(time); end when;")
    memory = machine.start.copy()

    assert machine.sections["parameters"](memory) == 0
    assert machine.sections["initial"](memory) == 0
    assert machine.extras["machine"].python.fallbacks == 0
    memory[machine.time] = 9.0
    assert machine.sections["initial"](memory) > 0
