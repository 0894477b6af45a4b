"""EVT-13: explicit pairs and Radau IIA through discontinuities, located on their dense output (R9.1)."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import freewheel as fw

STIFF = """
model Stiff "a fast lag behind a relay that a slow swing moves"
  parameter Real rate = 1e3;
  Real y(start = 0, fixed = true), z(start = 1, fixed = true), x(start = 1, fixed = true);
  Real s = if y < 0.5 then 1 else -1;
equation
  der(y) = z;
  der(z) = -y;
  der(x) = rate*(s - x);
end Stiff;
"""
EVENTS = [pi / 6, 5 * pi / 6, 13 * pi / 6, 17 * pi / 6]
STOP = 10.0


def lag(times: np.ndarray, rate: float) -> np.ndarray:
    x, value, begin, sign = np.empty_like(times), 1.0, 0.0, 1.0
    for end in [*EVENTS, np.inf]:
        here = (times >= begin) & (times < end)
        x[here] = sign + (value - sign) * np.exp(-rate * (times[here] - begin))
        if np.isfinite(end):
            value = sign + (value - sign) * np.exp(-rate * (end - begin))
        begin, sign = end, -sign
    return x


@pytest.fixture
def stiff(tmp_path):
    path = tmp_path / "Stiff.mo"
    path.write_text(STIFF)
    return fw.load(path)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-8])
@pytest.mark.parametrize("solver", ["rkf45", "dopri5", "radau"])
def test_EVT_13_events_between_steps_are_located_by_every_method(stiff, solver, tolerance):
    result = stiff.simulate(solver=solver, stop=STOP, tol=tolerance, interval=0.01)

    assert [e.time for e in result.events] == pytest.approx(EVENTS, abs=10 * tolerance)
    times = np.asarray(result.time)
    near = np.abs(times[:, None] - np.array(EVENTS)).min(axis=1)
    rows = near > 0.01  # ten time constants: what is left of an error of the instant is gone
    assert np.abs(result["x"] - lag(times, 1e3))[rows].max() < 100 * tolerance
    assert np.abs(result["y"] - np.sin(times)).max() < 100 * tolerance


def test_EVT_13_radau_takes_the_steps_of_the_swing_not_those_of_the_lag(stiff):
    def steps(solver: str) -> int:
        return stiff.simulate(solver=solver, stop=STOP, tol=1e-6).stats["steps"]

    explicit = steps("dopri5")
    assert explicit > 2000  # as stability has it: rate*STOP over about 3
    assert steps("radau") < explicit / 4


@pytest.mark.parametrize("root_solver", ["illinois", "golden"])
def test_EVT_13_the_pair_of_fehlberg_works_with_a_root_solver(stiff, root_solver):
    result = stiff.simulate(
        solver="rkf45", stop=STOP, tol=1e-8, params={"rate": 1.0}, root_solver=root_solver
    )

    assert [e.time for e in result.events] == pytest.approx(EVENTS, abs=1e-7)
    assert np.abs(result["x"] - lag(np.asarray(result.time), 1.0)).max() < 1e-6


@pytest.mark.parametrize("solver", ["rkf45", "dopri5", "radau"])
def test_EVT_13_steps_are_as_long_after_an_event_as_before(stiff, solver):
    """Optimistic control: an event shortens the step that ends on it, and no other one."""
    count = {
        stop: stiff.simulate(solver=solver, stop=stop, tol=1e-6, params={"rate": 1.0}).stats
        for stop in (0.5, STOP)
    }

    share = count[0.5]["steps"] / 0.5
    assert count[STOP]["steps"] < 2 * share * STOP + 4 * len(EVENTS)
