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


VEHICLE = """
model Vehicle "R9.3: it flies against a sloped wall; horizontal and vertical motion are written by themselves"
  parameter Real v = 2 "forward speed", u = 3 "climbing speed at the wall", k = 0.5 "slope of the wall";
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Boolean touches = x > 1 + y/k;
equation
  der(x) = if touches then 0 else v;
  der(y) = if touches then u else 0;
end Vehicle;
"""


@pytest.mark.parametrize("slope", [0.1, 0.5, 5.0])
@pytest.mark.parametrize("solver", ["auto", "rkf45", "radau", "lobatto"])
def test_EVT_15_a_vehicle_glides_up_a_sloped_wall(tmp_path, slope, solver):
    """Forward it bumps into the wall, upward it leaves it: events at infinite frequency. On the surface
    x - y/k = 1 the share of climbing is v/(v + u/k)."""
    path = tmp_path / "vehicle.mo"
    path.write_text(VEHICLE)
    r = fw.load(path).simulate(stop=2.0, tol=1e-8, params={"k": slope}, solver=solver)
    share = 2 / (2 + 3 / slope)
    assert r.final("x") == pytest.approx(1 + 1.5 * 2 * (1 - share), rel=1e-7)
    assert r.final("y") == pytest.approx(1.5 * 3 * share, rel=1e-7)
    along = r["time"] > 0.5 + 1e-6
    assert np.abs(r["x"] - r["y"] / slope - 1)[along].max() < 1e-6
    assert len(r.events) < 20
    assert any("slid" in str(e) for e in r.events)


SQUARE = """
model Square
  Real x(start = 0, fixed = true);
equation
  der(x) = 10*((if WAY then 1 else -1) - x);
end Square;
"""


def test_EVT_18_figure_9_1_step_size_control_alone_dips_at_each_discontinuity(tmp_path):
    """Without events the step falls by orders of magnitude at each switch and recovers slowly; with events
    it does not."""
    runs = {}
    for name, way in (("control", "noEvent(sin(3*time) > 0)"), ("events", "sin(3*time) > 0")):
        path = tmp_path / f"{name}.mo"
        path.write_text(SQUARE.replace("WAY", way))
        runs[name] = fw.load(path).simulate(stop=6.0, tol=1e-7, solver="rkf45")
    switches = [k * np.pi / 3 for k in range(1, 6)]
    steps = runs["control"].step_sizes
    usual = float(np.median(steps[:, 1]))
    for t in switches:
        near = steps[np.abs(steps[:, 0] - t) < 0.05]
        assert near[:, 1].min() < 1e-3 * usual
    assert runs["control"].stats["rejected steps"] > 10 * len(switches)
    assert runs["events"].stats["rejected steps"] <= len(switches)
    # With events only the last step before a switch is cut short, by where the switch is.
    sizes = [run.step_sizes[:, 1] for run in runs.values()]
    resolved = sizes[1][sizes[1] > 1e-14]  # a unit in the last place of time may follow an event
    assert resolved.min() > 100 * sizes[0].min()
    exact_at_first = 1 - np.exp(-10 * switches[0])
    found = np.interp(switches[0], runs["events"]["time"], runs["events"]["x"])
    assert found == pytest.approx(exact_at_first, abs=1e-5)
