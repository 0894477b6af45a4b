"""Large regular models with arrays kept whole: the same derivatives as taken apart, or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from freewheel.api import Model, load
from freewheel.backend.whole import build_whole
from freewheel.program.whole import whole_of

REGULAR = {
    "neighbours": """
        parameter Integer n = 30;
        parameter Real c = 2.5, k[n] = {sin(i) for i in 1:n};
        Real u[n](start = {cos(i) for i in 1:n}, each fixed = true);
      equation
        der(u[1]) = c*(1 - u[1]);
        for i in 2:n - 1 loop
          der(u[i]) = c*(u[i - 1] - 2*u[i] + u[i + 1]) - k[i]*u[i]^2 + i/n;
        end for;
        der(u[n]) = -u[n] + sin(time);
    """,
    "branches that the iterator decides": """
        parameter Integer n = 30;
        parameter Real left = 1, k = 2;
        Real u[n](each start = 0, each fixed = true);
      equation
        for i in 1:n loop
          der(u[i]) = (if i == 1 then left else u[max(i - 1, 1)])
            - (if i > n/2 and k > 1 then 2*u[i] else u[i])
            + (if i < n then (if mod(i, 3) == 0 then 0.5 else 0.1)*u[min(i + 1, n)] else 0);
        end for;
    """,
    "two fields and algebraic variables": """
        parameter Integer n = 30;
        parameter Real dx = 1/n;
        Real v[n](each start = 0.3, each fixed = true), w[n + 1](each start = -0.2, each fixed = true);
        Real slope[n], total;
      equation
        total = v[1] + v[n];
        for i in 1:n loop
          slope[i] = (w[i + 1] - w[i])/dx;
        end for;
        for i in 1:n loop
          dx*der(v[i]) = slope[i] + 0.1*total;
        end for;
        der(w[1]) = 0;
        for i in 2:n loop
          slope[i] - slope[i - 1] = der(w[i]);
        end for;
        der(w[n + 1]) = -w[n + 1];
    """,
    "whole arrays": """
        parameter Integer n = 30;
        parameter Real a[n] = {-1 - i/n for i in 1:n}, b[n] = fill(0.5, n), k = 3;
        Real x[n](each start = 1, each fixed = true), y[n], z[n] = y .* b, w[n];
      equation
        y = 2*x - fill(time, n)/k;
        der(x) = a .* x + b + z - w;
        w = if k > 2 then x .^ 2 else y;
    """,
    "slices": """
        parameter Integer n = 30;
        Real x[n](each start = 1, each fixed = true), v[n](each start = 0, each fixed = true);
        Real q[n + 1];
      equation
        q[1] = sin(time);
        q[2:n] = x[1:n - 1] - x[2:n];
        q[n + 1] = 0;
        der(x) = q[1:n] - q[2:n + 1] + v[n:-1:1];
        der(v[1:2:n]) = -x[2:2:n];
        der(v[{2, 4}]) = x[{3, 7}];
        der(v[6:2:n]) = x[n:-2:6];
    """,
    "matrices": """
        parameter Integer n = 6, m = 5;
        parameter Real d[n] = {i + 1.0 for i in 1:n};
        parameter Real A[n, n] = {{if i == j then -2.0 elseif abs(i - j) == 1 then 1.0 else 0.0
          for j in 1:n} for i in 1:n};
        Real x[n, m](each start = 1, each fixed = true), y[m, n], u[n](each start = 2, each fixed = true);
        Real s, p;
      equation
        der(x) = A*x - diagonal(d)*x - 0.1*transpose(y);
        y = transpose(x)*d[1]*identity(n);
        der(u) = -A*u + x[:, 2] - identity(n)*u;
        s = sum(x) + u*d;
        p = product(u[1:3]) + max(time, 0.5);
    """,
    "nested loops": """
        parameter Integer n = 6, m = 5;
        Real x[n, m](each start = 1, each fixed = true), flux[n - 1, m];
      equation
        for i in 1:n - 1, j in 1:m loop
          flux[i, j] = x[i + 1, j] - x[i, j];
        end for;
        for i in 1:n loop
          for j in 1:m loop
            if i == 1 then
              der(x[i, j]) = flux[i, j]*j;
            elseif i == n then
              der(x[i, j]) = -flux[i - 1, j] - x[i, j];
            else
              der(x[i, j]) = flux[i, j] - flux[i - 1, j];
            end if;
          end for;
        end for;
    """,
    "functions of arrays": """
        function scaled
          input Real u[:], k;
          output Real y[size(u, 1)];
        algorithm
          y := -k*u;
        end scaled;
        function forces
          input Real u[:];
          output Real f[size(u, 1)];
        algorithm
          for i in 1:size(u, 1) loop
            f[i] := i*u[i]^2;
          end for;
        end forces;
        function square
          input Real u;
          output Real y = u*u;
        algorithm
        end square;
        parameter Integer n = 30;
        parameter Real k = 2;
        Real x[n](each start = 0.5, each fixed = true), y[120](each start = 0.5, each fixed = true);
      equation
        der(x) = scaled(x, k) + forces(x);
        der(y) = -square(y);
    """,
    "fields of records": """
        record R
          parameter Integer n;
          Real u[n](each start = 1, each fixed = true), v[n](each start = 2, each fixed = true);
        end R;
        R r(n = 30);
      equation
        der(r.u) = r.v;
        der(r.v) = -r.u;
    """,
}


def model_of(body: str, folder: Path) -> Model:
    path = folder / "M.mo"
    path.write_text(f"model M\n{body}\nend M;\n")
    return load(path)


@pytest.mark.parametrize("name", REGULAR)
def test_the_same_derivatives_as_taken_apart(name: str, tmp_path: Path) -> None:
    model = model_of(REGULAR[name], tmp_path)
    whole = whole_of(model.flatten(), least=1)
    assert whole is not None
    mine, usual = build_whole(whole), model.compiled()
    random = np.random.default_rng(7)
    point = {info.name: float(random.normal()) for info in usual.state_infos}
    found = {}
    for compiled in (mine, usual):
        memory = compiled.start.copy()
        compiled.sections["parameters"](memory)
        memory[compiled.time] = 0.7
        for info in compiled.state_infos:
            memory[info.slot] = point[info.name]
        assert compiled.sections["derivatives"](memory) == 0
        assert compiled.sections["outputs"](memory) == 0
        rates = {f"der({i.name})": memory[i.derivative] for i in compiled.state_infos}
        all_of_them = {
            v.name: v.offset + v.sign * memory[v.slot] if v.slot >= 0 else v.offset
            for v in compiled.variables
        }
        found[compiled is mine] = all_of_them | rates

    assert list(found[True]) == list(found[False])
    assert found[True] == pytest.approx(found[False], rel=1e-12)


@pytest.mark.parametrize("name", [name for name in REGULAR if name != "matrices"])
def test_formulas_do_not_grow_with_the_arrays(name: str, tmp_path: Path) -> None:
    """Work of the compiler is that of formulas; only tables grow, in proportion."""
    found = []
    for size in (120, 240):
        body = (
            REGULAR[name]
            .replace("n = 30", f"n = {size}")
            .replace("n = 6, m", f"n = {size // 5}, m")
        )
        whole = whole_of(model_of(body, tmp_path).flatten(), least=1)
        assert whole is not None
        found.append([*whole.groups, *whole.outputs])

    assert [group.shape for group in found[0]] == [group.shape for group in found[1]]
    assert sum(g.table.size for g in found[1]) <= 2.2 * sum(g.table.size for g in found[0])


def test_a_parameter_that_chose_a_branch_is_no_data(tmp_path: Path) -> None:
    body = REGULAR["branches that the iterator decides"]
    whole = whole_of(model_of(body, tmp_path).flatten(), least=1)

    assert whole is not None
    assert list(whole.program.parameters) == ["left"]


def test_start_values_and_parameters(tmp_path: Path) -> None:
    whole = whole_of(model_of(REGULAR["neighbours"], tmp_path).flatten(), least=1)
    assert whole is not None
    program = whole.program
    start = dict(zip(program.names, program.start, strict=True))

    assert start["u[4]"] == np.cos(4)
    assert start["k[4]"] == np.sin(4)
    assert list(program.parameters) == ["c"]  # n decides the size, k was computed


IRREGULAR = {
    "events": "Real u[9];\nequation\nfor i in 1:9 loop der(u[i]) = if u[i] > 0 then -1 else 1; end for;",
    "implicit": "Real u[9];\nequation\nfor i in 1:9 loop der(u[i])*u[i] + der(u[i])^3 = 1; end for;",
    "loop": "Real u[9], v[9];\nequation\n"
    "for i in 1:9 loop der(u[i]) = v[i]; v[i] = u[i] - v[10 - i]; end for;",
    "incomplete": "Real u[9];\nequation\nfor i in 1:8 loop der(u[i]) = 1; end for; der(u[8]) = 2;",
    "unknowns without equations": "Real u[9], v[9];\nequation\nder(u) = -u; v[1:8] = u[1:8];",
    "two equations for one": "Real u[9], v[9];\nequation\nder(u) = -u; v = u; v[1] = 1;",
    "jumps": "Real u[9];\nequation\nder(u) = {floor(i*time) for i in 1:9};",
    "all of all": "Real u[99], s;\nequation\ns = sum(u); der(u) = -s*u;",
    "when": "Real u[9];\ndiscrete Real d;\nequation\nfor i in 1:9 loop der(u[i]) = d; end for;\n"
    "when time > 1 then d = 1; end when;",
}


@pytest.mark.parametrize("name", IRREGULAR)
def test_other_models_are_left_to_the_usual_way(name: str, tmp_path: Path) -> None:
    assert whole_of(model_of(IRREGULAR[name], tmp_path).flatten(), least=1) is None


def test_small_models_are_left_to_the_usual_way(tmp_path: Path) -> None:
    assert whole_of(model_of(REGULAR["neighbours"], tmp_path).flatten()) is None


ADVECTION = """
    parameter Integer n = 5000;
    Real u[n](start = {if i <= n/3 then 1.0 else 0.0 for i in 1:n}, each fixed = true);
  equation
    der(u[1]) = (1 - u[1])*n - 1000*u[1]*(u[1] - 0.5)*(u[1] - 1);
    for i in 2:n loop
      der(u[i]) = (u[i - 1] - u[i])*n - 1000*u[i]*(u[i] - 0.5)*(u[i] - 1);
    end for;
"""


def test_a_large_model_runs_by_every_kind_of_solver(tmp_path: Path) -> None:
    model = model_of(ADVECTION, tmp_path)
    assert "structure" not in model.upto("backend").products
    quantized = model.simulate(stop=0.05, solver="liqss2", tol=1e-3, interval=0.05)
    classic = model.simulate(stop=0.05, solver="dopri5", tol=1e-4, interval=0.05)

    front = [f"u[{i}]" for i in range(1600, 2000, 7)]
    found = np.array([quantized[name][-1] for name in front])
    assert found == pytest.approx(np.array([classic[name][-1] for name in front]), abs=0.08)
    assert 0.1 < found.mean() < 0.9
