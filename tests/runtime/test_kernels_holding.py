"""Sliding and rest are decided by kernels: machine code against CPython, inside the loop and outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import freewheel as fw
from freewheel.machine.memory import Closure, Memory, bind
from freewheel.runtime.events.chattering import chatter, count_switches
from freewheel.runtime.events.instant import instant
from freewheel.runtime.events.sliding import vector_field as hold
from freewheel.runtime.events.sliding.projection import least_change, projection
from freewheel.runtime.events.sliding.transitions import find_motion_after
from freewheel.runtime.events.sliding.vector_field import ConstrainedMotions
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.outcomes import MOTION_CHANGED, MOTION_LACKS
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.simulate import Simulation

EXIT = """
model Exit "comes to the surface and leaves it, again and again"
  Real x(start=0.5, fixed=true), z(start=0, fixed=true);
equation
  der(x) = (if x > 0 then -1 else 1) + 1.5*sin(3*time);
  der(z) = x;
end Exit;
"""
PARTNERS = """
model Partners "two relations of one surface"
  Real x(start=1.5, fixed=true), y(start=1, fixed=true);
equation
  der(x) = if x > y then -2 else 2;
  der(y) = (if y > x then -3 else 1.5)*cos(time);
end Partners;
"""
CORNER = """
model Corner "two surfaces at once, of which one is left by a clock"
  Real x(start=0.3, fixed=true), y(start=0.5, fixed=true);
equation
  der(x) = (if x > 0 then -1 else 1) + 0.2*sin(time);
  der(y) = (if y > 0 then -1 else 1) + (if time > 2 then 1.5 else 0) + 0.1*x;
end Corner;
"""
BALL = """
model Ball "comes to rest, is lifted, and comes to rest again"
  Real h(start=0.1, fixed=true), v(start=0, fixed=true);
equation
  der(h) = v;
  der(v) = -9.81 + (if time > 1.5 then 12*sin(4*time) else 0);
  when h < 0 then
    reinit(v, -0.4*pre(v));
  end when;
end Ball;
"""
STACK = """
model Stack "two balls, one on the other"
  Real h1(start=0.1, fixed=true), v1(start=0, fixed=true);
  Real h2(start=0.25, fixed=true), v2(start=0, fixed=true);
equation
  der(h1) = v1;
  der(h2) = v2;
  der(v1) = -10;
  der(v2) = -10;
  when h1 <= 0 then
    reinit(v1, -0.5*pre(v1));
  elsewhen h2 - h1 <= 0.1 then
    reinit(v1, 0.5*pre(v1) + 0.5*pre(v2));
    reinit(v2, pre(v1));
  end when;
end Stack;
"""
SLED = """
model Sled "rests on a floor and slides with friction"
  Real h(start=0.05, fixed=true), w(start=0, fixed=true), v(start=0.6, fixed=true), x(start=0, fixed=true);
equation
  der(h) = w;
  der(w) = -10;
  der(x) = v;
  der(v) = (if v > 0 then -1 else 1) + (if time > 2 then 2*sin(2*time) else 0);
  when h < 0 then
    reinit(w, -0.3*pre(w));
  end when;
end Sled;
"""
MODELS = {
    "exit": (EXIT, 5.0),
    "partners": (PARTNERS, 5.0),
    "corner": (CORNER, 4.0),
    "ball": (BALL, 4.0),
    "stack": (STACK, 1.5),
    "sled": (SLED, 4.0),
}


@pytest.fixture(params=MODELS)
def model(request) -> tuple[Any, float]:
    text, stop = MODELS[request.param]
    return fw.load_text(text), stop


def twin_of(engine: ClassicEngine) -> tuple[Memory, Loop]:
    """All records of a run once more, for kernels that CPython runs."""
    twin = engine.live.records.copy()
    loop, held = twin.first(Loop), twin.first(ConstrainedMotions)
    loop.memory = engine.live.memory.copy()
    for name in ("derivatives", "relations", "outputs"):
        bind(loop, **{name: Closure(held, function=getattr(hold, f"{name}_constrained"))})
    return twin, loop


@pytest.fixture
def compared(monkeypatch) -> list[int]:
    """Events that are left to Python are run by CPython too; their outcomes."""
    seen: list[int] = []
    run = ClassicEngine._run

    def both(self: ClassicEngine, kernel: Callable[[int], int], budget: int) -> int:
        def compare(address: int) -> int:
            twin, other = twin_of(self)
            mine = self.space.loop
            other.rows, other.log = self.recorder.rows.copy(), self.log.numbers.copy()
            other.step_sizes, other.recent = self._sizes.copy(), np.array(mine.recent)
            bind(other, find_motion_after=find_motion_after)
            with np.errstate(all="ignore"):
                expected = instant(other)
            code = kernel(address)
            assert code == expected
            assert np.asarray(other.memory).tobytes() == self.live.memory.tobytes()
            assert twin.save() == self.live.records.save()
            seen.append(code)
            return code

        is_compared = kernel is driver.callable("instant") and self.space.loop.can_constrain == 1
        return run(self, compare if is_compared else kernel, budget)

    monkeypatch.setattr(ClassicEngine, "_run", both)
    return seen


def outside(monkeypatch) -> None:
    """Each event is a call of its own."""
    monkeypatch.setattr(ClassicEngine, "_are_plain", lambda _: False)


def test_machine_code_and_cpython_decide_alike(model, compared, monkeypatch):
    """All records of the run and the memory of the model, to the last bit, after each decision."""
    outside(monkeypatch)
    loaded, stop = model
    result = loaded.simulate(stop=stop, tol=1e-6, solver="dopri5")
    assert compared.count(0) + compared.count(MOTION_CHANGED) > 2
    assert compared.count(MOTION_LACKS) > 0
    assert any("sliding" in str(event) or "rest" in str(event) for event in result.events)


@pytest.mark.parametrize("solver", ["dopri5", "radau", "rodas4", "cvode"])
def test_inside_the_loop_things_go_as_outside(model, solver, monkeypatch):
    loaded, stop = model
    inside = loaded.simulate(stop=stop, tol=1e-6, solver=solver)
    outside(monkeypatch)
    reference = loaded.simulate(stop=stop, tol=1e-6, solver=solver)
    assert [str(event) for event in inside.events] == [str(event) for event in reference.events]
    assert inside.data.shape == reference.data.shape
    assert inside.data.tobytes() == reference.data.tobytes()
    assert [w.message for w in inside.warnings] == [w.message for w in reference.warnings]


def test_where_room_is_made_the_event_begins_anew(model, monkeypatch):
    """Rows, the log and notes of holds that do not fit: nothing is lost, and nothing happens twice."""
    loaded, stop = model
    expected = loaded.simulate(stop=stop, tol=1e-6, solver="dopri5", event_log=True)
    monkeypatch.setattr("freewheel.runtime.loop.habits.FIRST_NUMBERS", 8)
    monkeypatch.setattr("freewheel.runtime.loop.habits.FIRST_ROWS", 4)
    loaded.compiled().facts.clear()  # what the run before needed among them
    monkeypatch.setattr("freewheel.runtime.events.sliding.motions.FIRST_NOTES", 1)
    result = loaded.simulate(stop=stop, tol=1e-6, solver="dopri5", event_log=True)
    assert list(result.events.log()) == list(expected.events.log())
    assert result.data.tobytes() == expected.data.tobytes()
    assert result.stats["events"] == expected.stats["events"]
    assert [w.message for w in result.warnings] == [w.message for w in expected.warnings]


def test_what_a_run_knows_of_its_holds_is_in_its_memory(monkeypatch):
    """A copy of the records made while a ball rests tells the same as the run itself."""
    seen: list[Memory] = []
    end = Simulation._end

    def keep(self):
        seen.append(Memory.restore(self.live.records.save()))
        end(self)

    monkeypatch.setattr(Simulation, "_end", keep)
    result = fw.load_text(BALL).simulate(stop=1.0, tol=1e-6, solver="dopri5")
    (memory,) = seen
    held, loop = memory.first(ConstrainedMotions), memory.first(Loop)
    motion = held.motions[held.present]
    assert (motion.surfaces, motion.contacts, motion.modes) == (0, 1, 1)
    assert loop.is_constrained == 1
    assert motion.unknowns[0] == pytest.approx(9.81, rel=1e-9)  # the reaction of the floor
    assert f"from time {held.note_times[0]:.9g}" in result.warnings[0].message


# ---------------------------------------------------------------- single kernels


@pytest.mark.parametrize(("rows", "columns", "rank"), [(1, 1, 1), (1, 4, 1), (3, 5, 3), (4, 6, 2)])
def test_least_change_is_that_of_the_pseudo_inverse(rows, columns, rank):
    random = np.random.default_rng(rows + columns)
    a = random.normal(size=(rows, rank)) @ random.normal(size=(rank, columns))
    b = a @ random.normal(size=columns)
    expected = np.linalg.lstsq(a, b, rcond=None)[0]
    changes = []
    for by in (least_change, projection.callable("least_change")):
        matrix, wrong, change = a.ravel().copy(), b.copy(), np.zeros(columns)
        given = (matrix, wrong, change)
        arguments = given if by is least_change else [array.ctypes.data for array in given]
        by(rows, columns, *arguments)
        changes.append(change)
    assert changes[0] == pytest.approx(expected, rel=1e-10, abs=1e-12)
    assert changes[0].tobytes() == changes[1].tobytes()


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_least_change_does_not_care_for_units(scale):
    a, b = np.array([3.0, 4.0]) * scale, np.array([2.0])
    change = np.zeros(2)
    least_change(1, 2, a.copy(), b.copy(), change)
    assert change == pytest.approx(np.array([0.24, 0.32]) / scale, rel=1e-14)


def test_switches_are_counted_alike():
    random = np.random.default_rng(1)
    spaces = [Workspace(1, 3, [], checked=checked) for checked in (True, False)]
    for space in spaces:
        loop = space.loop
        loop.stop, loop.quick_gap, loop.widest_band = 1.0, 1e-10, 1e-9
        loop.recent, loop.recent_size, loop.chatter_window = np.zeros(50), 50, 1e-12
        loop.last_switch[:], loop.gaps[:], loop.sizes[:] = -np.inf, np.inf, [1.0, 1e-3, 10.0]
        loop.time_only[:] = [0, 0, 1]
    t = 0.0
    for _ in range(200):
        t += float(random.choice([0.0, 1e-12, 1e-3], p=[0.5, 0.49, 0.01]))
        which = (random.random(3) < 0.9).astype(np.int64)
        crossing, left = random.normal(size=3) * 1e-13, random.normal(size=3)
        for space in spaces:
            loop = space.loop
            loop.t, loop.crossed, loop.which[:3] = t, 1, which
            loop.residuals_crossing[:], loop.residuals_left[:] = crossing, left
        counted = chatter.callable("count_switches")(spaces[1].address)
        assert count_switches(spaces[0].loop) == counted
        assert spaces[0].memory.save() == spaces[1].memory.save()
    assert np.asarray(spaces[0].loop.bands)[:2].all()
    assert spaces[0].loop.bands[2] == 0.0  # time is no noise
