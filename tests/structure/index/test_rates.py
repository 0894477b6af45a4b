"""Derivatives by annotation hold speeds where their functions hold angles.

Then a constraint on positions says something of `w`, and the way from `w` to the derivative of a
coordinate may lead through equations that are never differentiated: `w = f(q, v)`, `v = der(q)`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import CompileError
from freewheel.formula.nodes import Real, Var
from freewheel.formula.types import REAL
from freewheel.graphs.pantelides import NONE
from freewheel.structure.index.reduce_index import Chains
from freewheel.structure.index.states import choose_states
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.values import ParameterValues

FUNCTIONS = """
  function along "Part of a turned arm along x; c and s are cosine and sine, w the speed"
    input Real c; input Real s; input Real w; input Real r; output Real x;
  algorithm
    x := c*r;
    annotation(derivative(noDerivative=c, noDerivative=s, noDerivative=w)=along_der,
      InlineAfterIndexReduction=true);
  end along;
  function along_der "Its derivative"
    input Real c; input Real s; input Real w; input Real r; input Real r_der; output Real x;
  algorithm
    x := c*r_der - s*w*r;
    annotation(Inline=true);
  end along_der;
"""
# The angle of each arm is q + q^2/10; the sum of both parts along x is held by a force.
ARMS = """
model M
  Real q[2](start={0.4, 1.0}, fixed={FIXED});
  Real c[2]=cos(q + q.*q/10);
  Real s[2]=sin(q + q.*q/10);
  Real w[2](WISH);
  Real v[2](start={0.5, 0}, fixed={FIXED});
  Real f;
  FUNCTIONS
equation
  v = der(q);
  w = (ones(2) + q/5).*v;
  DYNAMICS;
  CONSTRAINT = 1.2;
end M;
"""
DYNAMICS = {
    "speeds": "der(v) = {-q[1] + f*s[1]*(1 + q[1]/5), -q[2] + f*s[2]*(1 + q[2]/5)}",
    "rates": "der(w) = {-q[1] + f*s[1], -q[2] + f*s[2]}",
}


def arms(tmp_path: Path, constraint: str, wish: str, dynamics: str) -> fw.Result:
    text = ARMS.replace("CONSTRAINT", constraint).replace("WISH", wish)
    text = text.replace("DYNAMICS", DYNAMICS[dynamics]).replace("{FIXED}", "{true, false}")
    path = tmp_path / "M.mo"
    path.write_text(text.replace("FUNCTIONS", FUNCTIONS))
    return fw.load(path).simulate(stop=1.0, tol=1e-9, interval=0.05)


@pytest.mark.parametrize("dynamics", DYNAMICS)
@pytest.mark.parametrize("wish", ["each start=0", "each stateSelect=StateSelect.prefer"])
def test_a_constraint_on_a_rate_of_a_rate_chooses_states(tmp_path, wish, dynamics) -> None:
    written = "along(c[1], s[1], w[1], 1.0) + 0.5*along(c[2], s[2], w[2], 1.0)"
    by_annotation = arms(tmp_path, written, wish, dynamics)
    plain = arms(tmp_path, "c[1] + 0.5*c[2]", wish, dynamics)
    for name in ("q[1]", "q[2]", "w[1]", "w[2]", "f"):
        assert by_annotation[name] == pytest.approx(plain[name], abs=1e-6), name
    assert np.ptp(plain["q[1]"]) > 0.05


ARM = """
model M
  Real p(start=0.4);
  Real c=cos(sin(p));
  Real s=sin(sin(p));
  Real w(stateSelect=StateSelect.SELECT);
  Real v=der(p);
  Real f;
  FUNCTIONS
equation
  der(w) = f;
  w = cos(p)*v;
  along(c, s, w, 1.0) = 0.9 - time/10;
end M;
"""


@pytest.mark.parametrize("select", ["default", "always", "never"])
def test_a_wish_for_the_speed_of_a_driven_arm_is_not_in_the_way(tmp_path, select) -> None:
    path = tmp_path / "M.mo"
    path.write_text(ARM.replace("FUNCTIONS", FUNCTIONS).replace("SELECT", select))
    r = fw.load(path).simulate(stop=1.0, tol=1e-9, interval=0.05)
    # sin(p) may be any angle with that cosine: the start value is a guess only
    assert r["c"] == pytest.approx(0.9 - r.time / 10, abs=1e-6)
    assert r["w"] == pytest.approx(0.1 / r["s"], abs=1e-6)
    assert np.gradient(r["p"], r.time, edge_order=2) == pytest.approx(r["v"], rel=1e-2)


def test_where_no_choice_is_left_a_diagnostic_names_the_constraint() -> None:
    """A derivative that holds nothing of what its equation holds, as a wrong annotation may give."""
    x, der_x = Var(("x",)), Var(("$der", "x"))
    equations = (
        ScalarEquation(x, Real(1.0)),
        ScalarEquation(Real(0.0), Real(0.0), derivative_of=0),
    )
    chains = Chains(equations, (x, der_x), (1, NONE), (1, NONE))
    variables = {x.name: ScalarVariable(x.name, REAL)}
    with pytest.raises(CompileError) as caught:
        choose_states(chains, variables, ParameterValues(variables, {}))
    assert caught.value.diagnostics[0].code == "E012"
    assert "no choice of states" in str(caught.value)
