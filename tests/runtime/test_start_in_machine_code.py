"""The start of a plain run is machine code: the initial system, the first event, its row. Python does the
same for all others."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.runtime.events import initial
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.simulate import Simulation

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
SAMPLED = """
model Sampled "samples are due at the start, and a relation of time is exactly zero there"
  discrete Integer n(start = 0, fixed = true);
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = if time >= 0 and time < 0.3 then -x else y - 1;
  der(y) = -y;
  when {sample(0, 0.1), y < 1.5} then
    n = pre(n) + 1;
    reinit(x, pre(x) + 0.5);
  end when;
end Sampled;
"""
SINGULAR = """
model Singular "nothing determines how a sum is shared"
  Real x(start = 1, fixed = true), a, b;
equation
  der(x) = -x;
  a + b = x;
  2*a + 2*b = 2*x;
end Singular;
"""
CLUTCH = "Modelica.Mechanics.Rotational.Examples.ClutchEngagement"


def seen(result: fw.Result) -> tuple[object, ...]:
    events = [str(event) for event in result.events]
    stats = {name: value for name, value in result.stats.items() if name != "seconds"}
    sizes = result.step_sizes.tobytes()
    return result.data.tobytes(), events, [w.message for w in result.warnings], stats, sizes


@pytest.fixture
def by_python(monkeypatch):
    """Python starts the runs from now on."""

    def change():
        monkeypatch.setattr(initial, "_is_plain", lambda model: False)
        monkeypatch.setattr(ClassicEngine, "starts_plainly", False)

    return change


@pytest.mark.parametrize("event_log", [False, True])
@pytest.mark.parametrize(
    "text",
    [DIODES, SAYS, SAMPLED, SINGULAR, CLUTCH],
    ids=["diodes", "says", "sampled", "singular", "clutch"],
)
def test_the_start_is_the_same_by_either_way(text, event_log, by_python):
    model = fw.load_text(text) if "\n" in text else fw.load(text)
    found = seen(model.simulate(stop=1, event_log=event_log))
    assert seen(model.simulate(stop=1, event_log=event_log)) == found
    by_python()
    assert seen(model.simulate(stop=1, event_log=event_log)) == found


def test_open_loops_are_told_whoever_takes_the_steps():
    for solver in ("qss2", "rodas4", "dopri5"):
        result = fw.load_text(SINGULAR).simulate(solver=solver)
        assert [w.code for w in result.warnings] == ["R129"]


@pytest.mark.parametrize("text", [SAMPLED, CLUTCH], ids=["sampled", "clutch"])
def test_the_first_event_of_a_plain_run_does_not_enter_python(text, monkeypatch):
    def entered(self):
        raise AssertionError("Python was called at the start")

    monkeypatch.setattr(Simulation, "_settle_first", entered)
    model = fw.load_text(text) if "\n" in text else fw.load(text)
    assert model.simulate(stop=0.1).final("time") == pytest.approx(0.1)


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


GEAR = """
model Gear "the loss of a gear without losses, found by a table"
  function efficiency
    input Real w;
    output Real eta;
  algorithm
    eta := if w < 100 then 1 else 0.5;
  end efficiency;
  Real w(start = 0, fixed = true), forward, backward, torque, slope, steep;
equation
  der(w) = 1;
  steep = if slope > 0.25 then 1 else -1;
  forward = efficiency(w);
  backward = efficiency(-w);
  torque = 1 + w;
  slope = if abs(forward - 1) <= 1e-15 and abs(backward - 1) <= 1e-15 then torque/2
    else (torque - 1)/(forward - 1/backward);
end Gear;
"""


def test_a_branch_without_a_value_at_the_start_values_is_left(monkeypatch):
    """The start values of both efficiencies, zero, choose the quotient, which is 0/0 at the start."""

    def entered(self):
        raise AssertionError("machine code found no start")

    monkeypatch.setattr(initial.InitialSystem, "evaluate", entered)
    result = fw.load_text(GEAR).simulate(stop=0.01)
    assert result["slope"][0] == pytest.approx(0.5, abs=1e-15)


def test_python_leaves_a_branch_without_a_value_too(monkeypatch):
    monkeypatch.setattr(initial, "_is_plain", lambda live: False)
    rounds: list[int] = []
    status = initial.InitialSystem.status
    monkeypatch.setattr(
        initial.InitialSystem, "status", lambda self: rounds.append(status(self)) or rounds[-1]
    )
    result = fw.load_text(GEAR).simulate(stop=0.01)
    assert result["slope"][0] == pytest.approx(0.5, abs=1e-15)
    assert not any(rounds)
