"""Derivatives through records that functions choose between: Integers and enumerations beside Reals,
arrays inside, arrays of records."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw
from freewheel.backend.load import BACKENDS

PACKAGE = """
package K
  type E = enumeration(a, b);
  record P Real x; Integer n; E e; Real z[2]; end P;
  function point input Real s; output P p; algorithm
    if s > 0.5 then p := P(s, 2, E.b, {s, s}); else p := P(2*s, 1, E.a, {s, s^2}); end if;
  end point;
  function through input P p; input Real s; output Real y; algorithm
    y := if p.e == E.a then p.x*p.n + p.z[2] else p.x*s + p.n;
  end through;
  function points input Real s; output P p[2]; algorithm
    if s > 0.5 then p := {P(s, 2, E.b, {s, s}), P(2*s, 3, E.a, {s, 2*s})};
    else p := {P(3*s, 2, E.b, {s, s}), P(4*s, 1, E.a, {s, 2*s})}; end if;
  end points;
  function along input P p[2]; input Real s; output Real y; algorithm
    y := p[1].x*p[2].n + p[2].z[2]*p[1].z[1] + s;
  end along;
  partial model Base Real s = time, y, dy; equation dy = der(y); end Base;
  model Chosen extends Base; equation y = through(point(s), s); end Chosen;
  model Several extends Base; equation y = along(points(s), s); end Several;
  model Held extends Base; P p[2]; equation p = points(s); y = along(p, s); end Held;
  model Without extends Base(y = s); Real w = along(points(s), s); end Without;
end K;
"""
# y and its derivative: up to s = 0.5, and beyond
CURVES = {
    "Chosen": (lambda s: (2 * s + s**2, 2 + 2 * s), lambda s: (s**2 + 2, 2 * s)),
    "Several": (lambda s: (4 * s + 2 * s**2, 4 + 4 * s), lambda s: (4 * s + 2 * s**2, 4 + 4 * s)),
    "Held": (lambda s: (4 * s + 2 * s**2, 4 + 4 * s), lambda s: (4 * s + 2 * s**2, 4 + 4 * s)),
    "Without": (lambda s: (s, 0 * s + 1), lambda s: (s, 0 * s + 1)),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CURVES)
def test_records_chosen_by_a_function_change_as_their_curves(name: str, backend: str) -> None:
    result = fw.load_text(PACKAGE, model=f"K.{name}", backend=backend).simulate(stop=1.0)
    below, above = CURVES[name]
    s = result["s"]
    for curve, where in ((below, s < 0.499), (above, s > 0.501)):
        y, dy = curve(s[where])
        assert np.allclose(result["y"][where], y, rtol=1e-12)
        assert np.allclose(result["dy"][where], dy, rtol=1e-12)
