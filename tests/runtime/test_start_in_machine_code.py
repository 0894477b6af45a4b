"""Statuses that agree with the initial system are found in machine code where the model is plain, as Python
finds them."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.runtime.events import initial

DIODES = """
model Diodes "statuses turn twice before they agree with a loop of the initial system"
  parameter Real u = -3;
  Real a, b, x(start = 0.5);
initial equation
  der(x) = 0;
equation
  a = if b > 0 then u + x else 2*u;
  b = if a < -1 then 1 + x else -1;
  der(x) = (if a > -4 then 1 else 2) - x*(if b > 1 then 1 else 3);
end Diodes;
"""
SAYS = """
model Says
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 2 then 1 else -x;
  assert(x < 0.5, "x is " + String(x), AssertionLevel.warning);
end Says;
"""
FAILS = """
model Fails
  parameter Real k = -1;
  Real x(start = 1, fixed = true), y;
equation
  der(x) = if y > 2 then 1 else -x;
  y = sqrt(k*x);
end Fails;
"""
CLUTCH = "Modelica.Mechanics.Rotational.Examples.ClutchEngagement"


def seen(result: fw.Result) -> tuple[object, ...]:
    events = [str(event) for event in result.events]
    return result.data.tobytes(), events, [w.message for w in result.warnings]


@pytest.fixture
def by_python(monkeypatch):
    """Python finds them from now on."""
    return lambda: monkeypatch.setattr(initial, "_is_plain", lambda live: False)


@pytest.mark.parametrize("text", [DIODES, SAYS, CLUTCH], ids=["diodes", "says", "clutch"])
def test_the_start_is_the_same_by_either_way(text, by_python):
    model = fw.load_text(text) if "\n" in text else fw.load(text)
    found = seen(model.simulate(stop=1, event_log=True))
    by_python()
    assert seen(model.simulate(stop=1, event_log=True)) == found


def test_what_the_model_says_at_the_start_is_heard_once():
    result = fw.load_text(SAYS).simulate(stop=0.1)
    assert [w.message for w in result.warnings].count("x is 1") == 1


def test_a_start_without_solution_is_told_by_python(by_python):
    model = fw.load_text(FAILS)
    with pytest.raises(fw.SimulationError) as failure:
        model.simulate(stop=1)
    by_python()
    with pytest.raises(fw.SimulationError) as expected:
        model.simulate(stop=1)
    assert str(failure.value) == str(expected.value)


def test_a_plain_start_does_not_enter_python(monkeypatch):
    def entered(self):
        raise AssertionError("Python was called at the start")

    monkeypatch.setattr(initial.InitialSystem, "evaluate", entered)
    assert fw.load(CLUTCH).simulate(stop=0.1).final("time") == pytest.approx(0.1)
