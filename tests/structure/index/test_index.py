"""Models of index two and three: constraints hold, nothing drifts, all quadrants are passed."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from freewheel.backend.load import BACKENDS
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Compilation, Options, compile_model
from freewheel.result.store import Result
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

MODELS = """
model Pendulum
  parameter Real g = 9.81;
  parameter Real speed = 0;
  Real x(start = 0, fixed = true), y(start = -1);
  Real u, v, T, E = (u^2 + v^2)/2 + g*y;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -T*x;
  der(v) = -T*y - g;
  x^2 + y^2 = 1;
initial equation
  u = speed;
end Pendulum;

model Angle
  parameter Real g = 9.81;
  Real phi(start = 0, fixed = true), w(start = 8, fixed = true);
equation
  der(phi) = w;
  der(w) = -g*sin(phi);
end Angle;

model SliderCrank
  parameter Real r = 0.3, l = 1.0, J = 0.5, J2 = 0.2, m = 1.5;
  Real phi(start = 0.4, fixed = true), psi, x, w(start = 6, fixed = true), w2, v, f1, f2;
  Real E = (J*w^2 + J2*w2^2 + m*v^2)/2;
equation
  der(phi) = w;
  der(psi) = w2;
  der(x) = v;
  r*cos(phi) + l*cos(psi) = x;
  r*sin(phi) - l*sin(psi) = 0;
  J*der(w) = -f1*r*sin(phi) + f2*r*cos(phi);
  J2*der(w2) = -f1*l*sin(psi) - f2*l*cos(psi);
  m*der(v) = -f1;
end SliderCrank;

model Rod "Two masses thrown into the air"
  parameter Real m1 = 1, m2 = 3, L = 2, g = 9.81;
  Real x1(start = 0, fixed = true), y1(start = 0, fixed = true), x2(start = 2);
  Real y2(start = 0, fixed = true), u1, v1(start = -3, fixed = true);
  Real u2(start = 1, fixed = true), v2(start = 5, fixed = true), F;
  Real E = (m1*(u1^2 + v1^2) + m2*(u2^2 + v2^2))/2 + g*(m1*y1 + m2*y2);
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  m1*der(u1) = F*(x2 - x1);
  m1*der(v1) = F*(y2 - y1) - m1*g;
  m2*der(u2) = -F*(x2 - x1);
  m2*der(v2) = -F*(y2 - y1) - m2*g;
  (x2 - x1)^2 + (y2 - y1)^2 = L^2;
end Rod;

model DoublePendulum
  parameter Real g = 9.81;
  Real x1(start = 1), y1(start = 0, fixed = true), x2(start = 2), y2(start = 0, fixed = true);
  Real u1, v1(start = 0, fixed = true), u2, v2(start = 0, fixed = true), T1, T2;
  Real E = (u1^2 + v1^2 + u2^2 + v2^2)/2 + g*(y1 + y2);
equation
  der(x1) = u1;
  der(y1) = v1;
  der(x2) = u2;
  der(y2) = v2;
  der(u1) = -T1*x1 + T2*(x2 - x1);
  der(v1) = -T1*y1 + T2*(y2 - y1) - g;
  der(u2) = -T2*(x2 - x1);
  der(v2) = -T2*(y2 - y1) - g;
  x1^2 + y1^2 = 1;
  (x2 - x1)^2 + (y2 - y1)^2 = 1;
end DoublePendulum;

model CapacitorLoop "Three in a ring, one charged through a resistor"
  parameter Real C1 = 1, C2 = 2, C3 = 3;
  Real v1(start = 0, fixed = true), v2(start = 0.5, fixed = true), v3, i1, i2, i3, i;
equation
  C1*der(v1) = i1;
  C2*der(v2) = i2;
  C3*der(v3) = i3;
  v1 = v2 + v3;
  i = 1 - v1;
  i = i1 + i2;
  i2 = i3;
end CapacitorLoop;

model InductorCutSet "Three meet in a node"
  parameter Real L1 = 1, L2 = 2, L3 = 2;
  Real i1(start = 0, fixed = true), i2, i3(start = 0, fixed = true), u;
equation
  L1*der(i1) = 1 - i1 - u;
  L2*der(i2) = u;
  L3*der(i3) = u;
  i1 = i2 + i3;
end InductorCutSet;
"""


@cache
def compiled(name: str, backend: str = "llvm") -> Compilation:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(MODELS, "index.mo"))
    return compile_model(library, (name,), Options(backend=backend))


def run(
    name: str, stop: float, tolerance: float, backend: str = "llvm", **parameters: float
) -> Result:
    model = compiled(name, backend).model
    return simulate(
        model, Settings.of(model, stop=stop, tolerance=tolerance, parameters=parameters)
    )


def drift(result: Result) -> float:
    energy = result["E"]
    return float(np.max(np.abs(energy - energy[0])) / np.max(np.abs(energy)))


def test_a_pendulum_keeps_its_energy_for_a_hundred_periods() -> None:
    result = run("Pendulum", 220.0, 1e-10, speed=3.0)

    crossings = np.count_nonzero(np.diff(np.sign(result["x"])) > 0)
    assert crossings >= 100
    assert drift(result) < 1e-6
    assert np.max(np.abs(result["x"] ** 2 + result["y"] ** 2 - 1.0)) < 1e-10


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_pendulum_passes_all_quadrants(backend: str) -> None:
    result = run("Pendulum", 3.0, 1e-9, backend, speed=8.0)
    exact = run("Angle", 3.0, 1e-10)

    angles = np.interp(result.time, exact.time, exact["phi"])
    assert angles[-1] > 4 * np.pi  # it turned over twice
    assert result["x"][-1] == pytest.approx(np.sin(exact["phi"][-1]), abs=1e-6)
    assert result["y"][-1] == pytest.approx(-np.cos(exact["phi"][-1]), abs=1e-6)
    assert np.max(np.abs(result["x"] * result["u"] + result["y"] * result["v"])) < 1e-8


def test_states_are_chosen_anew_and_the_event_log_says_so() -> None:
    result = run("Pendulum", 1.0, 1e-6, speed=8.0)

    assert len(result.events) >= 4
    assert "x, y" in result.events[0].causes[0]


def test_swinging_a_little_needs_no_new_states() -> None:
    assert run("Pendulum", 5.0, 1e-6, speed=0.5).events == ()


@pytest.mark.parametrize("solver", ["dopri5", "rodas4", "radau"])
def test_every_kind_of_solver_follows_the_changes(solver: str) -> None:
    model = compiled("Pendulum").model
    settings = Settings.of(
        model, stop=3.0, tolerance=1e-7, solver=solver, parameters={"speed": 8.0}
    )
    result = simulate(model, settings)
    exact = run("Angle", 3.0, 1e-10)

    assert result["x"][-1] == pytest.approx(np.sin(exact["phi"][-1]), abs=2e-4)


def test_a_slider_crank_turns() -> None:
    result = run("SliderCrank", 20.0, 1e-9)

    assert result["phi"][-1] > 8 * np.pi
    assert drift(result) < 1e-6
    height = 0.3 * np.sin(result["phi"]) - np.sin(result["psi"])
    assert np.max(np.abs(height)) < 1e-9


def test_two_masses_on_a_rod_tumble_around_their_centre() -> None:
    result = run("Rod", 3.0, 1e-9)

    t = result.time
    centre = 0.25 * result["x1"] + 0.75 * result["x2"]
    height = 0.25 * result["y1"] + 0.75 * result["y2"]
    angle = (5.0 + 3.0) / 2.0 * t
    assert np.max(np.abs(centre - (1.5 + t))) < 1e-6
    assert np.max(np.abs(height - (3.0 * t - 9.81 * t**2 / 2.0))) < 1e-6
    assert np.max(np.abs(result["x2"] - result["x1"] - 2.0 * np.cos(angle))) < 1e-5
    assert drift(result) < 1e-6


def test_a_double_pendulum_keeps_lengths_and_energy() -> None:
    result = run("DoublePendulum", 5.0, 1e-9)

    second = (result["x2"] - result["x1"]) ** 2 + (result["y2"] - result["y1"]) ** 2
    assert np.max(np.abs(result["x1"] ** 2 + result["y1"] ** 2 - 1.0)) < 1e-9
    assert np.max(np.abs(second - 1.0)) < 1e-9
    assert np.min(result["y1"]) < -0.9
    assert np.max(np.abs(result["E"])) < 1e-5


def test_capacitors_in_a_ring_share_two_states() -> None:
    result = run("CapacitorLoop", 5.0, 1e-9)

    ordered = compiled("CapacitorLoop").ordered
    capacity = 1.0 + 1.0 / (1.0 / 2.0 + 1.0 / 3.0)  # seen from the source
    assert len(ordered.states) == 2
    assert ordered.groups == ()
    assert np.max(np.abs(result["v1"] - (1.0 - np.exp(-result.time / capacity)))) < 1e-7
    # The charge on the island between the second and the third stays where it was.
    assert np.max(np.abs(3.0 * result["v3"] - 2.0 * result["v2"] - (-2.5))) < 1e-7


def test_inductors_in_a_cut_set_share_two_states() -> None:
    result = run("InductorCutSet", 5.0, 1e-9)

    assert len(compiled("InductorCutSet").ordered.states) == 2
    assert np.max(np.abs(result["i1"] - (1.0 - np.exp(-result.time / 2.0)))) < 1e-7
    assert np.max(np.abs(result["i1"] - result["i2"] - result["i3"])) < 1e-12
