"""Inputs of functions that outputs do not depend on."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.structure.blocks.incidence import expr_text

MODEL = """model M
  function plain input Real x; input Real k; output Real y;
    algorithm y := x^2; annotation(Inline=false); end plain;
  function through input Real x; input Real k; output Real y;
    protected Real t; algorithm t := plain(x, k); y := t + 1; annotation(Inline=false); end through;
  function branch input Real x; input Real k; output Real y;
    algorithm if k > 0 then y := x; else y := 2*x; end if; annotation(Inline=false); end branch;
  function checks input Real x; input Real k; output Real y;
    algorithm assert(k > 0, "no"); y := x; annotation(Inline=false); end checks;
  function wasted input Real x; input Real k; output Real y;
    protected Real t; algorithm t := 3*k; y := x; annotation(Inline=false); end wasted;
  function twice input Real x; input Real k; output Real y; output Real z;
    algorithm y := x; z := k; annotation(Inline=false); end twice;
  function itself input Real x; input Real k; output Real y;
    algorithm y := if x < 1 then x else itself(x/2, k); annotation(Inline=false); end itself;
  function loops input Real x; input Real k; output Real y;
    algorithm y := x; while y > k loop y := y/2; end while; annotation(Inline=false); end loops;
  Real y(start=1), p(start=1, fixed=true);
equation
  der(p) = -p;
  y = CALL;
end M;
"""


CALLS = {
    "plain(p, y)": "plain(p, 0.0)",
    "through(p, y)": "through(p, 0.0)",
    "wasted(p, y)": "wasted(p, 0.0)",
    "twice(p, y)": "twice(p, 0.0)",
    "branch(p, y)": "branch(p, y)",
    "checks(p, y)": "checks(p, y)",
    "itself(p, y)": "itself(p, y)",
    "loops(p, y)": "loops(p, y)",
}


@pytest.mark.parametrize("call", CALLS)
def test_an_argument_without_influence_is_no_part_of_an_equation(call):
    """(What an assertion reads decides whether there is a value.)"""
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(MODEL.replace("CALL", call), "M.mo"))
    ordered = compile_model(library, ("M",), Options(stop_after="structure")).ordered
    shown = [expr_text(e.right) for e in ordered.chosen.equations]
    assert any(CALLS[call] in text for text in shown), shown


PENDULUM = """
  function f input Real a; input Real b; input Real k; output Real y;
    algorithm y := a^2 + b^2; annotation(Inline=false, derivative(noDerivative=k)=df); end f;
  function df input Real a; input Real b; input Real k; input Real da; input Real db; output Real y;
    algorithm y := 2*a*da + 2*b*db; annotation(Inline=false, derivative(noDerivative=k)=ddf); end df;
  function ddf input Real a; input Real b; input Real k; input Real da; input Real db; input Real dda;
    input Real ddb; output Real y;
    algorithm y := 2*a*dda + 2*b*ddb + 2*da^2 + 2*db^2; annotation(Inline=false); end ddf;
  model M
    Real x(start=0.6, fixed=true), y(start=-0.8), vx(start=4, fixed=true), vy(start=3), lam;
  equation
    der(x) = vx; der(y) = vy;
    der(vx) = -2*lam*x; der(vy) = -2*lam*y - 9.81;
    f(x, y, lam) = 1;
  end M;
"""


def test_a_constraint_does_not_hold_what_its_function_ignores():
    """With the force as an argument the rod would have to give the force, and nothing the motion."""
    r = fw.load_text(PENDULUM).simulate(stop=1, tol=1e-8)
    energy = 0.5 * (r["vx"] ** 2 + r["vy"] ** 2) + 9.81 * r["y"]
    np.testing.assert_allclose(energy, energy[0], atol=1e-5)
    np.testing.assert_allclose(r["x"] ** 2 + r["y"] ** 2, 1, atol=1e-7)


FUNCTIONS_OF_FUNCTIONS = """
  partial function g input Real u; output Real y; end g;
  function shifted extends g; input Real h; algorithm y := u - h; annotation(Inline=false); end shifted;
  function once input g f; input Real u; output Real y;
    algorithm y := f(u); annotation(Inline=false); end once;
  function again input g f; input Real u; output Real y;
    algorithm y := once(f, u); annotation(Inline=false); end again;
  function bound input Real h; output Real y;
    algorithm y := CALL(function shifted(h=h), 1); annotation(Inline=false); end bound;
  model M
    Real y;
  equation
    y = bound(3*time);
  end M;
"""


@pytest.mark.parametrize("call", ["once", "again"])
def test_what_is_bound_to_a_function_that_is_handed_on_has_influence(call):
    """An input that is called is read, though it stands in no formula."""
    r = fw.load_text(FUNCTIONS_OF_FUNCTIONS.replace("CALL", call)).simulate(stop=1)
    np.testing.assert_allclose(r["y"], 1 - 3 * r.time, atol=1e-12)


def test_a_derivative_may_read_what_the_function_ignores():
    """The speed is handed in beside the angle, for the derivative."""
    r = fw.load_text("""
      function f input Real x; input Real v; output Real y;
        algorithm y := x; annotation(Inline=false, derivative(noDerivative=v)=df); end f;
      function df input Real x; input Real v; input Real dx; output Real y;
        algorithm y := v; annotation(Inline=false); end df;
      model M Real x = sin(time), v = cos(time), y, w; equation y = f(x, v); w = der(y); end M;
    """).simulate(stop=1)
    np.testing.assert_allclose(r["w"], np.cos(r.time), atol=1e-9)
