"""Relations that follow fast sines of time: every crossing is an event, whatever the span of the run."""

from __future__ import annotations

from math import asin, pi

import pytest

import freewheel as fw

DIRECT = """
model Direct
  parameter Real f = 50;
  Real u = 10*sin(2*Modelica.Constants.pi*f*time);
  Real x(start = 0, fixed = true);
equation
  der(x) = if u > 9.5 then 1 else 0;
  annotation(experiment(StopTime = 10));
end Direct;
"""

TURNING = """
model Turning "the phase is a state"
  Real phi(start = 0, fixed = true), x(start = 0, fixed = true);
equation
  der(phi) = 2*Modelica.Constants.pi*50;
  der(x) = if sin(phi) > 0.95 then 1 else 0;
end Turning;
"""

FASTER = """
model Faster "the frequency changes at an event"
  discrete Real f(start = 1, fixed = true);
  Real x(start = 0, fixed = true);
equation
  when time >= 5 then
    f = 100;
  end when;
  der(x) = if sin(2*Modelica.Constants.pi*f*time) > 0.95 then 1 else 0;
end Faster;
"""

PRODUCT = """
model Product
  Real u = sin(2*Modelica.Constants.pi*50*time)*cos(2*Modelica.Constants.pi*50*time);
  Real x(start = 0, fixed = true);
equation
  der(x) = if u > 0.475 then 1 else 0;
end Product;
"""

SHARE = (pi - 2 * asin(0.95)) / (2 * pi)  # of a period above 0.95


@pytest.mark.parametrize("solver", ["dopri5", "rodas4", "cvode", "qss2"])
def test_all_crossings_of_a_sine(solver: str) -> None:
    r = fw.load_text(DIRECT).simulate(solver=solver)
    assert len(r.events) == 1000
    assert r.final("x") == pytest.approx(10 * SHARE, rel=1e-6)


@pytest.mark.parametrize(("f", "stop"), [(1, 1000), (1000, 1), (10_000, 0.3)])
def test_the_frequency_is_a_parameter(f: float, stop: float) -> None:
    r = fw.load_text(DIRECT).simulate(stop=stop, params={"f": f})
    assert len(r.events) == round(2 * f * stop)


@pytest.mark.parametrize(
    ("text", "stop", "count"), [(TURNING, 10, 1000), (FASTER, 10, 1011), (PRODUCT, 10, 2000)]
)
def test_the_frequency_follows_from_the_model(text: str, stop: float, count: int) -> None:
    r = fw.load_text(text).simulate(stop=stop)
    assert len(r.events) == count
    seconds = stop if text is not FASTER else 10
    assert r.final("x") == pytest.approx(seconds * SHARE, rel=1e-5)


def test_python_finds_the_same() -> None:
    r = fw.load_text(DIRECT, backend="python").simulate(stop=2)
    assert len(r.events) == 200
