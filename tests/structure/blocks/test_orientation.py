"""Functions of an orientation whose derivative by annotation uses the angular velocity: index
reduction goes by what the derivative really holds, and matrices are never differentiated."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from freewheel.base.source import Source
from freewheel.formula.walk import variables_in
from freewheel.instance.library import Library
from freewheel.pipeline import Compilation, Options, compile_model
from freewheel.result.store import Result
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate
from freewheel.structure.atoms import show_atom

PACKAGE = """
package Plane
  record Orientation
    Real T[2, 2];
    Real w;
  end Orientation;

  function turn "From the frame to the world"
    input Orientation R;
    input Real v[2];
    output Real u[2];
  algorithm
    u := R.T*v;
    annotation(derivative(noDerivative=R)=turn_der, InlineAfterIndexReduction=true);
  end turn;

  function turn_der
    input Orientation R;
    input Real v[2];
    input Real der_v[2];
    output Real der_u[2];
  algorithm
    der_u := turn(R, der_v + R.w*{-v[2], v[1]});
    annotation(Inline=true);
  end turn_der;

  function planar
    input Real phi;
    input Real w;
    output Orientation R;
  algorithm
    R.T := [cos(phi), -sin(phi); sin(phi), cos(phi)];
    R.w := w;
    annotation(Inline=true);
  end planar;

  model Dumbbell "Two masses on a rod without mass, thrown"
    Orientation R;
    Real phi(start=0.3, fixed=true);
    Real w(start=2, fixed=true);
    Real a[2](each start=0, each fixed=true), va[2](start={1, 2}, each fixed=true);
    Real b[2], vb[2];
    Real f, c[2];
  equation
    w = der(phi);
    R = planar(phi, w);
    der(a) = va;
    der(b) = vb;
    der(va) = f*R.T[:, 1];
    der(vb) = -f*R.T[:, 1];
    b = a + turn(R, {0.5, 0});
    c = (a + b)/2;
  end Dumbbell;

  model SliderCrank "The rod has an angle with rate and acceleration, as joints have"
    Orientation Rc, Rr;
    Real phi(start=0.4, fixed=true), w(start=3, fixed=true);
    Real psi(start=0.2), v, z;
    Real p[2], q[2];
    Real force, energy;
  equation
    w = der(phi);
    v = der(psi);
    z = der(v);
    Rc = planar(phi, w);
    Rr = planar(psi, v);
    p = turn(Rc, {0.5, 0});
    p[1] = q[1] + turn(Rr, {-1.2, 0})*{1, 0};
    p[2] = q[2] + turn(Rr, {-1.2, 0})*{0, 1};
    q[2] = 0;
    2*der(der_q) = force;
    der_q = der(q[1]);
    0.3*der(w)*w + force*der_q = 0;
    energy = 0.15*w^2 + der_q^2;
  protected
    Real der_q;
  end SliderCrank;
end Plane;
"""


@cache
def compiled(model: str) -> Compilation:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(PACKAGE, "plane.mo"))
    return compile_model(library, ("Plane", model), Options())


def run(model: str, stop: float) -> Result:
    made = compiled(model).model
    return simulate(made, Settings.of(made, stop=stop, tolerance=1e-9))


def names_in(made: Compilation) -> set[str]:
    equations = made.ordered.simulation.equations
    return {show_atom(v.name) for e in equations for v in variables_in(e.left, e.right)}


def test_the_matrix_is_not_differentiated() -> None:
    made = compiled("Dumbbell")

    assert "der(der(a[1]))" in names_in(made)
    assert not [name for name in names_in(made) if "der(R.T" in name]
    assert {"phi", "w"} <= {show_atom(v.name) for v in made.ordered.states}


def test_the_centre_flies_straight_and_the_rod_turns_evenly() -> None:
    result = run("Dumbbell", 3.0)
    time, phi, c1, c2 = (result[name] for name in ("time", "phi", "c[1]", "c[2]"))

    speed = np.array([1.0, 2.0]) + 0.25 * 2.0 * np.array([-np.sin(0.3), np.cos(0.3)])
    assert phi == pytest.approx(0.3 + 2.0 * time, abs=1e-6)
    assert c1 == pytest.approx(c1[0] + speed[0] * time, abs=1e-6)
    assert c2 == pytest.approx(c2[0] + speed[1] * time, abs=1e-6)


def test_an_angle_whose_rate_is_not_differentiated_may_follow() -> None:
    made = compiled("SliderCrank")

    assert {show_atom(v.name) for v in made.ordered.states} == {"phi", "w"}


def test_the_crank_keeps_its_energy_all_the_way_round() -> None:
    result = run("SliderCrank", 6.0)
    phi, energy, height = (result[name] for name in ("phi", "energy", "q[2]"))

    assert phi[-1] > 2 * np.pi
    assert energy == pytest.approx(energy[0], rel=1e-6)
    assert np.abs(height).max() < 1e-9
