"""Records are laid out by the first run of a model with some settings and copied by the next: nothing of one
run gets into another."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.runtime import prepared
from freewheel.runtime.loop.event_engine import EventEngine

RELAY = """
model Relay
  parameter Real high = 0.75;
  parameter Real k = 1;
  input Real u(start = 0);
  Boolean on(start = true, fixed = true);
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = (if on then 1 else u) - x;
  der(y) = -k*y;
  on = not pre(on) and x < 0.25 or pre(on) and x <= high;
  assert(y > 1e-3, "y is small", AssertionLevel.warning);
end Relay;
"""
CHOICES = (
    {},
    {"stop": 3.0},
    {"tol": 1e-9},
    {"solver": "rodas4"},
    {"solver": "qss3"},
    {"event_log": True},
    {"store": ["x"]},
    {"inputs": {"u": ([0, 1, 2], [0, 0.1, 0.2])}},
    {"params": {"high": 0.5, "k": 50.0}},
    {"params": {"k": 1e4}},  # stiff
    {"bounds": "error", "max_events": 100},
)


def bits(result: fw.Result) -> tuple[object, ...]:
    stats = {name: value for name, value in result.stats.items() if name != "seconds"}
    told = [(w.code, w.message) for w in result.warnings]
    events = [str(event) for event in result.events]
    return result.data.tobytes(), stats, told, events, result.step_sizes.tobytes()


def test_runs_are_those_of_a_fresh_model_whatever_ran_before():
    alone = [bits(fw.load_text(RELAY).simulate(**chosen)) for chosen in CHOICES]
    model = fw.load_text(RELAY)
    for _ in range(2):
        for chosen, expected in zip(CHOICES, alone, strict=True):
            assert bits(model.simulate(**chosen)) == expected


@pytest.fixture
def laid_out(monkeypatch) -> list[object]:
    """Records of runs that were laid out field by field."""
    made: list[object] = []
    lay_out = EventEngine._laid_out
    monkeypatch.setattr(
        EventEngine, "_laid_out", lambda self, s: made.append(self) or lay_out(self, s)
    )
    return made


def test_only_the_first_run_lays_its_records_out(laid_out):
    model = fw.load_text(RELAY)
    for high in (0.5, 0.6, 0.7):
        model.simulate(params={"high": high})
    model.simulate(params={"k": 2.0})
    assert len(laid_out) == 1
    model.simulate(stop=2.0)
    assert len(laid_out) == 2


def test_few_settings_are_kept(laid_out):
    model = fw.load_text(RELAY)
    for stop in range(1, prepared.MOST_KEPT + 2):
        model.simulate(stop=float(stop))
    model.simulate(stop=1.0)
    assert len(laid_out) == prepared.MOST_KEPT + 2
    model.simulate(stop=float(prepared.MOST_KEPT))
    assert len(laid_out) == prepared.MOST_KEPT + 2


def test_a_run_after_a_failure_is_a_fresh_one():
    model = fw.load_text(RELAY.replace("AssertionLevel.warning", "AssertionLevel.error"))
    expected = bits(model.simulate())
    for _ in range(2):
        with pytest.raises(fw.SimulationError, match="y is small"):
            model.simulate(params={"k": 50.0})
        assert bits(model.simulate()) == expected
