"""Records that functions return or use, with arrays whose sizes are known in a call only.

Modelica 3.6, "Initialization and Binding Equations of Components in Functions" and "Redeclaration".
"""

from __future__ import annotations

import pytest

from freewheel.api import load

RECORDS = """
record P Real c[:]; end P;
record Square parameter Integer n = 0; Real L[n, n]; end Square;
record Curve parameter Real y[:]; parameter Real eta[size(y, 1)]; end Curve;
record Pair Integer k; Real a[k]; Real b[k + 1]; end Pair;
"""


@pytest.fixture(params=["llvm", "python"])
def last(request, tmp_path):
    """The last values of variables of a model made of `body`."""

    def simulate(body: str, *names: str) -> list[float]:
        path = tmp_path / "R.mo"
        path.write_text(f"package R {RECORDS} model M {body} end M; end R;")
        result = load(path, model="R.M", backend=request.param).simulate(interval=0.5)
        return [float(result[name][-1]) for name in names]

    return simulate


@pytest.mark.parametrize(
    "function",
    [
        "input Real c[:]; output P p(redeclare Real c[size(c, 1)]); algorithm p.c := c;",
        "input Real c[:]; output P p(redeclare Real c[size(c, 1)]); algorithm "
        "for i in 1:size(c, 1) loop p.c[i] := c[i]; end for;",
        "input Real c[:]; output P p(redeclare Real c[n]); protected Integer n = size(c, 1); "
        "algorithm p.c := c;",
        "input Real c[:]; output P p(c = zeros(size(c, 1))); algorithm p.c := c;",
        "input Real c[:]; output P p(redeclare Real c[size(c, 1)] = c); algorithm",
    ],
    ids=range(5),
)
def test_sizes_of_a_record_follow_an_argument(last, function):
    body = f"function f {function} end f; P p = f({{1, 2, time}}); Real s = sum(p.c);"

    assert last(body, "p.c[1]", "p.c[3]", "s") == [1, 1, 4]


@pytest.mark.parametrize(
    "code",
    [
        "s.L := diagonal(1:m);",
        "for i in 1:m loop for j in 1:m loop s.L[i, j] := i*j - 2; end for; end for;",
    ],
    ids=["whole", "by elements"],
)
def test_a_field_sizes_the_arrays_of_its_record(last, code):
    body = f"""
      function make input Integer m; input Real g; output Square s(n = m);
      algorithm {code} s.L := g*s.L; end make;
      parameter Integer m = 2; final parameter Square s = make(m, 2); Real x = s.L[2, 2]*time;"""

    assert last(body, "s.n", "s.L[2,2]", "s.L[2,1]", "x") == [2, 4, 0, 4]


@pytest.mark.parametrize("constant", ["constant ", "parameter ", ""])
def test_a_value_in_the_declaration_sizes_an_output(last, constant):
    body = f"""
      function curve input Real p; output Curve r(y = {{0, 0.5, 1}}, eta = zeros(n));
      protected {constant}Integer n = 3;
      algorithm for j in 1:n loop r.eta[j] := p*j; end for; end curve;
      parameter Real p = 2; final parameter Curve d = curve(p); Real x = d.eta[2]*time;"""

    assert last(body, "d.y[2]", "d.eta[3]", "x") == [0.5, 6, 4]


def test_locals_and_arrays_of_several_sizes(last):
    body = """
      function total input Integer m; input Real g; output Real y;
      protected Pair p(k = m); Pair q(k = m + 1, a = fill(g, m + 1));
      algorithm
        for i in 1:m loop p.a[i] := i; end for;
        p.b := fill(g, m + 1);
        q.b := cat(1, p.b, {7});
        y := sum(p.a) + sum(p.b) + sum(q.a) + sum(q.b);
      end total;
      Real y = total(2, time); parameter Real z = total(3, 1);"""

    assert last(body, "y", "z") == [3 + 3 + 3 + 10, 6 + 4 + 4 + 11]


def test_several_outputs_are_sized_each(last):
    body = """
      function both input Real u[:]; output P p(c = u); output Pair q(k = size(u, 1) - 1);
      algorithm q.a := u[2:end]; q.b := 2*u; end both;
      P p(redeclare Real c[2]); Pair q(redeclare Real a[1], redeclare Real b[2]);
    equation
      (p, q) = both({1, time});"""

    assert last(body, "p.c[2]", "q.k", "q.a[1]", "q.b[2]") == [1, 1, 1, 2]
