"""What a run needs is remembered by its model for the next one, and no result depends on it."""

from __future__ import annotations

from pathlib import Path

import pytest

import freewheel as fw
from freewheel.runtime.loop import habits
from freewheel.runtime.loop.classic_engine import ClassicEngine

RELAY = """
model Relay
  parameter Real high = 0.75;
  Boolean on(start = true, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = (if on then 1 else 0) - x;
  on = not pre(on) and x < 0.25 or pre(on) and x <= high;
end Relay;
"""
LONG, SHORT = 200.0, 3.0


def bits(result: fw.Result) -> tuple[object, ...]:
    stats = {name: value for name, value in result.stats.items() if name != "seconds"}
    events = [str(event) for event in result.events]
    return result.data.tobytes(), stats, events, result.step_sizes.tobytes()


@pytest.fixture
def drives(monkeypatch) -> list[int]:
    """Codes with which the loop has come back to Python, on a machine that is as fast as can be."""
    monkeypatch.setattr("freewheel.runtime.loop.classic_engine.BREATH_SECONDS", 1e9)
    seen: list[int] = []
    run = ClassicEngine._run

    def noted(self, *given):
        seen.append(run(self, *given))
        return seen[-1]

    monkeypatch.setattr(ClassicEngine, "_run", noted)
    return seen


def test_the_second_run_does_not_come_back_for_room(drives):
    model = fw.load_text(RELAY)
    first = model.simulate(stop=LONG, event_log=True)
    assert len(drives) > 3
    for _ in range(5):  # steps between breaths grow by a factor
        drives.clear()
        again = model.simulate(stop=LONG, event_log=True)
    assert len(drives) == 1
    assert bits(again) == bits(first)


def test_a_run_is_the_same_whatever_ran_before():
    model = fw.load_text(RELAY)
    alone = bits(fw.load_text(RELAY).simulate(stop=SHORT))
    for before in (LONG, SHORT, 10 * LONG):
        model.simulate(stop=before, params={"high": 0.5})
        assert bits(model.simulate(stop=SHORT)) == alone


def test_each_method_has_steps_of_its_own(drives):
    """Steps of another one may take a hundred times as long: who presses Ctrl-C would wait."""
    model = fw.load_text(RELAY)
    for _ in range(3):
        model.simulate(stop=LONG, solver="dopri5")
    drives.clear()
    model.simulate(stop=LONG, solver="radau")
    assert len(drives) > 1


def test_not_more_room_is_kept_than_a_run_takes_quickly():
    kept = habits.Habits(1, 1, 1, 1)
    kept.saw_rows(habits.MOST_KEPT, 2)
    kept.saw_sizes(habits.MOST_KEPT)
    kept.saw_numbers(habits.MOST_KEPT + 1)
    assert (kept.rows, kept.sizes, kept.numbers) == (1, 1, 1)


CIRCUITS = Path(__file__).parents[1] / "structure" / "circuits.mo"
ROOMS = {  # rows, steps, numbers of the event log, steps between breaths
    "rows": (7, 10**5, 10**6, 10**6),
    "steps": (10**5, 7, 10**6, 10**6),
    "log": (10**5, 10**5, 16, 10**6),
    "breaths": (10**5, 10**5, 10**6, 1),
}


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("model", ["Boost", "BridgeL"])
def test_no_result_depends_on_room(room, model, monkeypatch):
    """An event with ideal elements was undone where the log was full. The second time the core knew that it
    had tried, and a voltage differed in the last bit."""

    def run(*rooms: int) -> fw.Result:
        monkeypatch.setattr(habits, "_new", lambda _: habits.Habits(*rooms))
        return fw.load(CIRCUITS, model=f"Circuits.{model}").simulate(stop=0.1)

    assert bits(run(*ROOMS[room])) == bits(run(10**5, 10**5, 10**6, 10**6))
