"""Derivatives by annotation that are wrong: a loop is solved by its residuals, not by small steps."""

from __future__ import annotations

from math import sin

import pytest

import freewheel as fw


@pytest.mark.parametrize("solver", ["dopri5", "rodas4"])
@pytest.mark.parametrize("factor", [1e12, 1e9, 1e6, 1.0])
def test_a_slope_that_is_too_steep_does_not_stop_a_loop(factor, solver):
    """With steps of 1e-9 of the unknown it stayed where it was, and its residual grew."""
    r = fw.load_text(f"""
      function f input Real p; output Real d;
        algorithm d := p + 0.1*sin(p); annotation(Inline=false, derivative=df); end f;
      function df input Real p; input Real dp; output Real dd;
        algorithm dd := {factor}*(1 + 0.1*cos(p))*dp; annotation(Inline=false); end df;
      model M
        Real x(start=1, fixed=true), p(start=1);
      equation
        der(x) = p;
        x = f(p);
      end M;
    """).simulate(stop=1, solver=solver)
    for t in (0.0, 0.5, 1.0):
        p = r.at("p", t)
        assert r.at("x", t) == pytest.approx(p + 0.1 * sin(p), rel=1e-6)
