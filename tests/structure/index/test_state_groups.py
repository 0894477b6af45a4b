"""Mechanisms in more coordinates than they need turn all round: states are watched and re-chosen."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.result.store import Result
from freewheel.runtime.model import CompiledModel
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

MODELS = """
model Chain "Rods between masses that are given by x and y"
  parameter Integer n = 4;
  parameter Real L = 1, g = 9.81;
  Real x[n + 1](start = {(k - 1)*L*0.8 for k in 1:n + 1});
  Real y[n + 1](start = {-(k - 1)*L*0.6 for k in 1:n + 1});
  Real vx[n], vy[n], F[n + 1], E, drift;
equation
  x[1] = 0;
  y[1] = 0;
  F[n + 1] = 0;
  for k in 1:n loop
    vx[k] = der(x[k + 1]);
    vy[k] = der(y[k + 1]);
    (x[k + 1] - x[k])^2 + (y[k + 1] - y[k])^2 = L^2;
  end for;
  for k in 1:n - 1 loop
    der(vx[k]) = F[k + 1]*(x[k + 2] - x[k + 1]) - F[k]*(x[k + 1] - x[k]);
    der(vy[k]) = F[k + 1]*(y[k + 2] - y[k + 1]) - F[k]*(y[k + 1] - y[k]) - g;
  end for;
  der(vx[n]) = -F[n]*(x[n + 1] - x[n]);
  der(vy[n]) = -F[n]*(y[n + 1] - y[n]) - g;
  E = sum(0.5*(vx[k]^2 + vy[k]^2) + g*y[k + 1] for k in 1:n);
  drift = sum(abs((x[k + 1] - x[k])^2 + (y[k + 1] - y[k])^2 - L^2) for k in 1:n);
end Chain;

model Fourbar "Crank, coupler and rocker, each by the place and the angle of its middle"
  parameter Real a = 1, b = 3, c = 2.5, d = 3, m = 1, g = 9.81, speed = 10;
  parameter Real p1 = 0.5, p2 = 0.6, p3 = 1.4;
  Real x[3], y[3], p[3](start = {p1, p2, p3});
  Real vx[3], vy[3], w[3](start = {speed, 0, 0}), Fx[4], Fy[4], E, drift;
  parameter Real l[3] = {a, b, c};  // Real Q;
equation
  vx = der(x);
  vy = der(y);
  w = der(p);
  x[1] - a/2*cos(p[1]) = 0;
  y[1] - a/2*sin(p[1]) = 0;
  x[1] + a/2*cos(p[1]) = x[2] - b/2*cos(p[2]);
  y[1] + a/2*sin(p[1]) = y[2] - b/2*sin(p[2]);
  x[2] + b/2*cos(p[2]) = x[3] + c/2*cos(p[3]);
  y[2] + b/2*sin(p[2]) = y[3] + c/2*sin(p[3]);
  x[3] - c/2*cos(p[3]) = d;
  y[3] - c/2*sin(p[3]) = 0;
  m*der(vx[1]) = Fx[1] - Fx[2];
  m*der(vy[1]) = Fy[1] - Fy[2] - m*g;
  m*a^2/12*der(w[1]) = a/2*(sin(p[1])*(Fx[1] + Fx[2]) - cos(p[1])*(Fy[1] + Fy[2]));
  m*der(vx[2]) = Fx[2] - Fx[3];
  m*der(vy[2]) = Fy[2] - Fy[3] - m*g;
  m*b^2/12*der(w[2]) = b/2*(sin(p[2])*(Fx[2] + Fx[3]) - cos(p[2])*(Fy[2] + Fy[3]));
  m*der(vx[3]) = Fx[3] + Fx[4];
  m*der(vy[3]) = Fy[3] + Fy[4] - m*g;
  m*c^2/12*der(w[3]) = c/2*(-sin(p[3])*(Fx[3] - Fx[4]) + cos(p[3])*(Fy[3] - Fy[4]));
  E = sum(m/2*(vx[k]^2 + vy[k]^2) + m*l[k]^2/24*w[k]^2 + m*g*y[k] for k in 1:3);
  drift = abs(x[2] + b/2*cos(p[2]) - x[3] - c/2*cos(p[3])) + abs(x[3] - c/2*cos(p[3]) - d);
end Fourbar;

model Ring "A bead on a tilted ring in space"
  parameter Real R = 1, g = 9.81;
  Real x(start = 0.8), y(start = 0.4), z(start = 0.5), vx, vy(start = 3), vz, F, G, E, drift;
equation
  vx = der(x);
  vy = der(y);
  vz = der(z);
  x^2 + y^2 + z^2 = R^2;
  z = 0.5*x + 0.2*y;
  der(vx) = F*x + 0.5*G;
  der(vy) = F*y + 0.2*G;
  der(vz) = F*z - G - g;
  E = 0.5*(vx^2 + vy^2 + vz^2) + g*z;
  drift = abs(x^2 + y^2 + z^2 - R^2) + abs(z - 0.5*x - 0.2*y);
end Ring;
"""


@cache
def compiled(name: str, rods: int = 4) -> CompiledModel:
    library = Library([], use_modelicapath=False)
    text = MODELS.replace("Integer n = 4", f"Integer n = {rods}")
    library.add_file(Source.from_text(text, "groups.mo"))
    return compile_model(library, (name,), Options()).model


def run(name: str, stop: float, rods: int = 4, **parameters: float) -> Result:
    model = compiled(name, rods)
    return simulate(model, Settings.of(model, stop=stop, tolerance=1e-8, parameters=parameters))


def energy_drift(result: Result) -> float:
    energy = result["E"]
    return float(np.max(np.abs(energy - energy[0])) / np.max(np.abs(energy)))


@pytest.mark.parametrize("rods", [2, 3, 4, 5, 6])
def test_a_chain_of_rods_keeps_lengths_and_energy(rods: int) -> None:
    result = run("Chain", 10.0, rods)

    assert energy_drift(result) < 1e-8
    assert np.max(result["drift"]) < 1e-12
    assert len(result.events) > 5  # states were chosen anew


def test_a_crank_that_turns_all_round_stays_the_state() -> None:
    result = run("Fourbar", 10.0)

    assert result["p[1]"][-1] - result["p[1]"][0] > 20.0
    assert energy_drift(result) < 1e-7
    assert np.max(result["drift"]) < 1e-12
    assert len(result.events) == 0  # watched, but the crank is good wherever it is


def test_the_shorter_of_crank_and_rocker_becomes_the_state() -> None:
    """With a long crank and a short rocker it is the rocker that turns all round. The same
    translated model serves both: parameters decide at the start of the run."""
    result = run("Fourbar", 10.0, a=2.5, c=1.0, speed=-6.0, p1=1.2, p2=-0.5)

    turned = np.abs(result["p[3]"] - result["p[3]"][0])
    assert np.max(turned) > 6.0
    assert energy_drift(result) < 1e-7
    assert np.max(result["drift"]) < 1e-12
    assert len(result.events) == 0


def test_a_bead_runs_round_a_ring() -> None:
    result = run("Ring", 10.0)

    assert energy_drift(result) < 1e-6
    assert np.max(result["drift"]) < 1e-12
    assert np.min(result["x"]) < -0.8
    assert len(result.events) > 4


PREFERRED = [
    ("Ring", "Real x(start = 0.8)", "Real x(start = 0.8, stateSelect = StateSelect.prefer)"),
    ("Ring", "y(start = 0.4)", "y(start = 0.4, stateSelect = StateSelect.prefer)"),
    ("Chain", "Real x[n + 1](", "Real x[n + 1](each stateSelect = StateSelect.prefer, "),
    ("Chain", "Real y[n + 1](", "Real y[n + 1](each stateSelect = StateSelect.prefer, "),
    ("Fourbar", "// Real Q;", "Real Q(stateSelect = StateSelect.prefer) = p[2];"),
]


MOVING = {"Ring": ("x", "y"), "Fourbar": ("p[1]", "p[2]", "p[3]"), "Chain": ("x[3]", "y[5]")}


@pytest.mark.parametrize("tolerance", [1e-5, 1e-8])
@pytest.mark.parametrize(("name", "plain", "preferred"), PREFERRED)
def test_preferred_variables_are_states_as_long_as_they_serve(
    name: str, plain: str, preferred: str, tolerance: float
) -> None:
    """The bead goes all round, the coupler and the rods swing: each has points where it says nothing."""
    library = Library([], use_modelicapath=False)
    text = MODELS.replace(plain, preferred)
    library.add_file(Source.from_text(text, "preferred.mo"))
    model = compile_model(library, (name,), Options()).model
    result = simulate(model, Settings.of(model, stop=10.0, tolerance=tolerance))
    exact = simulate(model, Settings.of(model, stop=10.0, tolerance=1e-11))

    assert energy_drift(result) < 100.0 * tolerance
    assert np.max(result["drift"]) < 1e-11
    assert len(result.events) < 200
    for moving in MOVING[name]:
        assert np.ptp(exact[moving]) > 0.5
        assert result.final(moving) == pytest.approx(exact.final(moving), abs=1e4 * tolerance)


def test_fifteen_rods_are_no_limit() -> None:
    result = run("Chain", 2.0, 15)

    assert energy_drift(result) < 1e-8
    assert len(result.events) > 2
