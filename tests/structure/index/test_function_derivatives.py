"""Derivatives of functions of the model, as index reduction needs them: loops, arrays, records,
several outputs, annotations. The derivative must be that of the curve."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.backend.load import BACKENDS
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

PACKAGE = """
package F
  record Pair
    Real a;
    Real b;
  end Pair;

  function iterate "while loop"
    input Real x;
    output Real y;
  protected
    Integer k;
  algorithm
    y := x;
    k := 0;
    while k < 5 loop
      y := y + 0.1*sin(y)*x;
      k := k + 1;
    end while;
  end iterate;

  function arrays
    input Real x[3];
    output Real y;
  protected
    Real z[3];
  algorithm
    for i in 1:3 loop
      z[i] := x[i]^2 + (if i > 1 then z[i - 1] else 0);
    end for;
    y := sum(z) + z*x;
  end arrays;

  function records
    input Pair p;
    output Pair q;
  algorithm
    q.a := p.a*p.b;
    q.b := sin(p.a) + p.b^2;
  end records;

  function two "outputs"
    input Real x;
    output Real u;
    output Real v;
  algorithm
    u := exp(-x)*x;
    v := cos(u) + x;
  end two;

  function nested
    input Real x;
    output Real y;
  protected
    Real u;
    Real v;
  algorithm
    (u, v) := two(x);
    y := u*v + iterate(x);
  end nested;

  function cubic
    input Real x;
    input Real k;
    output Real y;
  algorithm
    y := k*x*x*x;
    annotation(derivative(zeroDerivative = k) = cubic_der);
  end cubic;

  function cubic_der
    input Real x;
    input Real k;
    input Real dx;
    output Real dy;
  algorithm
    dy := 3*k*x*x*dx;
  end cubic_der;

  function leaving "break and return"
    input Real x;
    output Real y;
  algorithm
    y := 0;
    for i in 1:10 loop
      y := y + x^i/i;
      if i >= 4 then
        break;
      end if;
    end for;
    if x < 0 then
      y := -x;
      return;
    end if;
    y := y*2;
  end leaving;

  function core
    input Real a;
    input Real b;
    output Real y;
  algorithm
    y := a^2*b;
  end core;

  function shell "a formula in a formula, arguments crossed"
    input Real a;
    input Real b;
    output Real y;
  algorithm
    y := core(b*a, a) + core(a, b);
  end shell;

  model M
    Real s(start = 0.3, fixed = true);
    Pair q = records(Pair(s, 1 + s));
    Real y[10], dy[10];
  equation
    der(s) = 1;
    y[1] = iterate(s);
    y[2] = arrays({s, 2*s, s^2});
    y[3] = q.a;
    y[4] = q.b;
    (y[5], y[6]) = two(s);
    y[7] = nested(s);
    y[8] = cubic(s, 2.5);
    y[9] = leaving(s);
    y[10] = shell(s, sin(s));
    dy = der(y);
  end M;
end F;
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_derivatives_are_those_of_the_curves(backend: str) -> None:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(PACKAGE, "functions.mo"))
    model = compile_model(library, ("F", "M"), Options(backend=backend)).model

    result = simulate(model, Settings.of(model, stop=1.0, tolerance=1e-10, interval=1e-3))

    h = 1e-3
    for k in range(1, 11):
        y, dy = result[f"y[{k}]"], result[f"dy[{k}]"]
        slope = (y[:-4] - 8.0 * y[1:-3] + 8.0 * y[3:-1] - y[4:]) / (12.0 * h)
        assert np.max(np.abs(slope - dy[2:-2])) < 1e-8, k
