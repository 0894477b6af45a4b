"""EVT-1, EVT-15, EVT-18: the calendar of four rates, sliding motion, the step size as a picture."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw

SLIDING = """
model TwoRelays
  Real x(start = 1.5, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = if x > y then -2 else 2;
  der(y) = if y > x then -3 else 1.5;
end TwoRelays;
"""


def test_EVT_1_set_points_pass_from_the_task_planner_inward_at_the_first_instant():
    r = fw.load("Hybrid.Examples.RobotControl").simulate(tol=1e-8)
    first = int(np.searchsorted(r["time"], 0.0, side="right")) - 1
    chain = [r[f"control.{name}"][first] for name in ("plan", "path", "trajectory", "stabilised")]
    assert chain == [1.0, 1.0, 1.0, 4.0]


def test_EVT_1_every_rate_hits_its_multiples_exactly():
    r = fw.load("Hybrid.Examples.RobotControl").simulate(tol=1e-8)
    time, y = r["time"], r["control.stabilised"]
    jumps = time[1:][np.diff(y) != 0]
    ticks = np.round(jumps / 0.01)
    assert len(jumps) > 100
    assert np.all(jumps == ticks * 0.01)


def test_EVT_15_two_relays_slide_along_their_surface(tmp_path):
    path = tmp_path / "relays.mo"
    path.write_text(SLIDING)
    r = fw.load(path).simulate(stop=1.0, tol=1e-8)
    assert r.final("x") == pytest.approx(0.9117647058823529, rel=1e-9)
    assert r.final("y") == pytest.approx(0.9117647058823529, rel=1e-9)
    assert min(e.time for e in r.events if e.time > 0) == pytest.approx(1 / 7, rel=1e-9)
    slides = [e for e in r.events if "slid" in str(e)]
    assert len(slides) == 1
    assert len(r.events) < 20


def test_EVT_18_the_step_size_is_drawn_over_time(tmp_path):
    r = fw.load("Hybrid.Examples.PhaseControl").simulate(stop=0.12)
    sizes = r.step_sizes
    np.testing.assert_allclose(sizes[:, 0] + sizes[:, 1], [*sizes[1:, 0], 0.12], atol=1e-12)
    file = tmp_path / "steps.png"
    r.plot_steps(file=file)
    assert file.stat().st_size > 5000
