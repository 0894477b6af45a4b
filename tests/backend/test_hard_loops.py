"""Nonlinear loops on which Newton's method easily fails: steep, near the end of a domain, kinked."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from freewheel.backend.load import BACKENDS
from freewheel.base.diagnostics import SimulationError
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.result.store import Result
from freewheel.runtime.model import CompiledModel
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

MODELS = """
model Diodes "in a row, with a resistor"
  parameter Integer n = 5;
  parameter Real V = 5, R = 100, Is = 1e-12, Vt = 0.025;
  Real u[n], i;
equation
  for k in 1:n loop
    i = Is*(exp(u[k]/Vt) - 1);
  end for;
  sum(u) + R*i = V*(1 + 0.5*sin(time));
end Diodes;

model Orifice "flow that comes to rest"
  Real p, q(start = 0.5);
equation
  q = sqrt(p);
  q + p = 1e-8*(1 + sin(time));
end Orifice;

model Roots "both arguments go to zero"
  Real a(start = 1, min = 0), b(start = 1, min = 0);
equation
  sqrt(a) + 0.1*b = 1.0 - 0.999999*time;
  sqrt(b) + 0.1*a = 1.0 - 0.999999*time;
end Roots;

model Logarithm "far down on a steep slope"
  Real y(start = 1);
equation
  y + log(y) = -20 + time;
end Logarithm;

model Powell "badly scaled (Moré, Garbow, Hillstrom 1981, problem 3)"
  Real a(start = 0), b(start = 1);
equation
  1e4*a*b = 1;
  exp(-a) + exp(-b) = 1.0001;
end Powell;

model Flat "a full step overshoots"
  Real y(start = 100);
equation
  atan(y) = 0.1*time;
end Flat;

model Inside "two roots; the declaration says which one"
  Real y(start = -3, min = 0);
equation
  y^2 + 0.001*sin(y) = 2 + time;
end Inside;

model Outside "the declaration is wrong"
  Real y(start = 3, min = 5, max = 9);
equation
  y^3 + y = 10 + time;
end Outside;

model Nowhere
  Real y(start = 1), z(start = 1);
equation
  exp(y) + z^2 = -1 - time;
  y - z = 0.5*sin(z);
end Nowhere;
"""


@cache
def compiled(name: str, backend: str, diodes: int = 5) -> CompiledModel:
    library = Library([], use_modelicapath=False)
    text = MODELS.replace("Integer n = 5", f"Integer n = {diodes}")
    library.add_file(Source.from_text(text, "loops.mo"))
    return compile_model(library, (name,), Options(backend=backend)).model


def run(name: str, backend: str = "llvm", diodes: int = 5, **parameters: float) -> Result:
    model = compiled(name, backend, diodes)
    settings = Settings.of(model, stop=1.0, number_of_intervals=10, parameters=parameters)
    return simulate(model, settings)


@pytest.mark.parametrize("volts", [5.0, 100.0, 1000.0])
@pytest.mark.parametrize("diodes", [5, 20, 50])
def test_a_row_of_diodes_takes_any_voltage(diodes: int, volts: float) -> None:
    result = run("Diodes", diodes=diodes, V=volts)

    current, first = result["i"], result["u[1]"]
    last = result[f"u[{diodes}]"]
    source = volts * (1.0 + 0.5 * np.sin(result.time))
    assert np.allclose(diodes * first + 100.0 * current, source, rtol=1e-9)
    assert np.allclose(first, last, atol=1e-9)
    # A current of 5e-11 A is what is left of 5 V: it has few digits.
    assert np.allclose(first, 0.025 * np.log1p(current / 1e-12), rtol=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_both_backends_find_the_way_through_diodes(backend: str) -> None:
    assert run("Diodes", backend, V=1000.0)["i"][0] == pytest.approx(9.9626, abs=1e-3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_root_near_zero_is_exact(backend: str) -> None:
    result = run("Orifice", backend)

    flow = 1e-8 * (1.0 + np.sin(result.time))
    assert np.allclose(result["q"], flow, rtol=1e-7)
    assert np.all(result["p"] >= 0.0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_arguments_of_roots_stay_where_roots_have_values(backend: str) -> None:
    result = run("Roots", backend)

    right = 1.0 - 0.999999 * result.time
    exact = (np.sqrt(25.0 + 10.0 * right) - 5.0) ** 2  # 0.1*a + sqrt(a) = right
    assert np.allclose(result["a"], exact, atol=1e-9)
    assert np.allclose(result["b"], exact, atol=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_logarithm_of_little(backend: str) -> None:
    result = run("Logarithm", backend)

    assert np.allclose(result["y"] + np.log(result["y"]), -20.0 + result.time, atol=1e-6)


def test_unknowns_of_very_different_size() -> None:
    result = run("Powell")

    assert result["a"][0] == pytest.approx(1.098159e-5, rel=1e-5)
    assert result["b"][0] == pytest.approx(9.106146, rel=1e-5)


def test_damping_brings_back_what_overshoots() -> None:
    result = run("Flat")

    assert np.allclose(result["y"], np.tan(0.1 * result.time), atol=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_root_inside_the_declared_bounds_is_taken(backend: str) -> None:
    result = run("Inside", backend)

    assert np.all(result["y"] > 0.0)
    assert np.allclose(result["y"] ** 2 + 0.001 * np.sin(result["y"]), 2.0 + result.time)


@pytest.mark.parametrize("backend", BACKENDS)
def test_bounds_never_hide_the_only_solution(backend: str) -> None:
    result = run("Outside", backend)

    assert result["y"][0] == pytest.approx(2.0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_failure_names_equations_and_values(backend: str) -> None:
    with pytest.raises(SimulationError) as caught:
        run("Nowhere", backend)

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "R124"
    assert "exp(y) + z^2 = -1 - time" in diagnostic.message
    assert "y = " in diagnostic.message
    assert diagnostic.labels
