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

  type Kind = enumeration(liquid, gas);

  record Point "Reals beside what does not change"
    Real d;
    Boolean isHot;
    Integer phase;
    Kind kind;
  end Point;

  function point
    input Real x;
    output Point p;
  algorithm
    p.isHot := x > 0.1;
    p.phase := 2;
    p.kind := Kind.gas;
    p.d := p.phase*x^3;
  end point;

  function through
    input Point p;
    input Real x;
    output Real y;
  protected
    Point q;
    Point r;
  algorithm
    q := if p.phase == 1 then p else Point(d = x*p.d, isHot = p.isHot, phase = 3, kind = p.kind);
    r := Point(d = 2, isHot = true, phase = 1, kind = Kind.liquid);
    r := if q.isHot and q.kind == Kind.liquid then r else q;
    y := r.d*r.phase + p.d;
  end through;

  model M
    Real s(start = 0.3, fixed = true);
    Pair q = records(Pair(s, 1 + s));
      Real y[11], dy[11];
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
    y[11] = through(Point(d = s^2, isHot = false, phase = 1, kind = Kind.gas), s);
    dy = der(y);
  end M;

  model InAVariable "whose Boolean and Integer are discrete variables of the model"
    Real s(start = 0.3, fixed = true);
    Point p = point(s);
    Real y[2], dy[2];
  equation
    der(s) = 1;
    y[1] = p.d;
    y[2] = through(p, s);
    dy = der(y);
  end InAVariable;
end F;
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_derivatives_are_those_of_the_curves(backend: str) -> None:
    slopes_agree("M", backend, 11)


def test_derivatives_of_records_in_variables_are_those_of_the_curves() -> None:
    slopes_agree("InAVariable", "llvm", 2)


def slopes_agree(name: str, backend: str, count: int) -> None:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(PACKAGE, "functions.mo"))
    model = compile_model(library, ("F", name), Options(backend=backend)).model

    result = simulate(model, Settings.of(model, stop=1.0, tolerance=1e-10, interval=1e-3))

    h = 1e-3
    for k in range(1, count + 1):
        y, dy = result[f"y[{k}]"], result[f"dy[{k}]"]
        slope = (y[:-4] - 8.0 * y[1:-3] + 8.0 * y[3:-1] - y[4:]) / (12.0 * h)
        assert np.max(np.abs(slope - dy[2:-2])) < 1e-8, k
