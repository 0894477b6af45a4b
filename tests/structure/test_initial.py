"""The start-up system: what is fixed, given, steady, free, too much or too little."""

from __future__ import annotations

from functools import cache

import pytest

from freewheel.backend.load import BACKENDS
from freewheel.base.diagnostics import SimulationError
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Compilation, Options, compile_model
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

MODELS = """
model SteadyState
  Real x(start = 3), y;
initial equation
  der(x) = 0;
equation
  der(x) = 2 - x - y;
  y = x^3;
end SteadyState;

model FreeParameter
  parameter Real k(fixed = false, start = 1);
  Real x(start = 1, fixed = true);
initial equation
  der(x) = -4;
equation
  der(x) = -k*x;
end FreeParameter;

model TwoFreeParameters
  parameter Real a(fixed = false, start = 1), b(fixed = false, start = -1);
  Real y = a + b;
initial equation
  a^2 + b^2 = 25;
  a - b = 7;
end TwoFreeParameters;

model Consistent "more than needed, but true"
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), f, g;
equation
  der(x) = f;
  der(y) = g;
  y = 2*x;
  f + g = -1;
end Consistent;

model Contradiction
  Real x(start = 1, fixed = true), y(start = 3, fixed = true);
equation
  der(x) = -x;
  y = 2*x;
end Contradiction;

model Half "one condition for two states"
  Real x(start = 1.25), y(start = 0.2);
initial equation
  x + y = 3;
equation
  der(x) = -y;
  der(y) = x;
end Half;

model Discrete
  Boolean b(start = true, fixed = true);
  Integer n(start = 4, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = if b then 1 else -1;
  when time > 0.5 then
    b = not pre(b);
    n = pre(n) + 1;
  end when;
end Discrete;

model Steep "Newton from the start value sees a flat line"
  Real x(start = 0);
equation
  0 = homotopy(actual = tanh(50*(x - 4)) + 1e-3*(x - 4), simplified = x - 4);
end Steep;

model Cycling "plain Newton jumps between 0 and 1 for ever"
  Real x(start = 0);
equation
  x^3 - 2*x + 2 = 0;
end Cycling;

model Domain "the first step of plain Newton leaves the domain of log"
  Real x(start = 5);
equation
  log(x) + x = 0.1;
end Domain;

model Diode
  Real v(start = 0), i;
equation
  i = 1e-12*(exp(v/0.025) - 1);
  10 = i + v;
end Diode;

model Bounded "only one of two solutions is meant"
  Real x(min = 3, max = 10), y;
equation
  y = x^2;
  y - 5*x + 4 = 0;
end Bounded;

model Impossible
  Real x(start = 1);
equation
  x^2 + 1 = time;
end Impossible;
"""


@cache
def compiled(name: str, backend: str) -> Compilation:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(MODELS, "initial.mo"))
    return compile_model(library, (name,), Options(backend=backend))


def first(name: str, backend: str) -> dict[str, float]:
    model = compiled(name, backend).model
    result = simulate(model, Settings.of(model, stop=1e-9))
    return {variable: float(result[variable][0]) for variable in result.names()}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("SteadyState", {"x": 1.0, "y": 1.0}),
        ("FreeParameter", {"k": 4.0, "x": 1.0}),
        ("TwoFreeParameters", {"a": 3.0, "b": -4.0, "y": -1.0}),
        ("Consistent", {"x": 1.0, "y": 2.0}),
        ("Half", {"x": 1.25, "y": 1.75}),
        ("Discrete", {"b": 1.0, "n": 4.0}),
        ("Steep", {"x": 4.0}),
        ("Cycling", {"x": -1.7692923542386314}),
        ("Domain", {"x": 0.6040681900258921}),
        ("Diode", {"v": 0.7464008422477331}),
        ("Bounded", {"x": 4.0, "y": 16.0}),
    ],
)
def test_the_first_instant(name: str, expected: dict[str, float], backend: str) -> None:
    found = first(name, backend)

    assert {key: found[key] for key in expected} == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_contradiction_is_told_with_its_values(backend: str) -> None:
    with pytest.raises(SimulationError) as caught:
        first("Contradiction", backend)

    message = caught.value.diagnostics[0].message
    assert "contradict" in message
    assert "y = 3" in message
    assert "left side 2" in message


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_loop_without_solution_names_equation_and_value(backend: str) -> None:
    with pytest.raises(SimulationError) as caught:
        first("Impossible", backend)

    message = caught.value.diagnostics[0].message
    assert "x^2 + 1 = time" in message
    assert "at time 0" in message


def test_assumed_start_values_are_told() -> None:
    (warning,) = compiled("Half", "python").ordered.warnings

    assert warning.code == "E020"
    assert "`x`" in warning.message
    assert "`y`" not in warning.message
