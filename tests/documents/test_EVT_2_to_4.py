"""EVT-2, EVT-3, EVT-4 and eq. 9.31: state events of section 9.5, isolated, located, not missed."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw
from freewheel.runtime.event.choices import ROOT_SOLVERS

SEVERAL = """
model Several "four conditions of one step, in an order that is not that of their names"
  parameter Real at[4] = {0.61, 0.23, 0.87, 0.42};
  Real x(start = 0, fixed = true);
  Real seen[4](each start = -1, each fixed = true);
equation
  der(x) = 1 + x;
  for i in 1:4 loop
    when x > exp(at[i]) - 1 then
      seen[i] = time;
    end when;
  end for;
end Several;
"""

SHORT = """
model Short "lives for a twentieth of the step that passes over it"
  Real x(start = 0.25, fixed = true);
  Boolean below = x < 0.000625;
  Integer times(start = 0, fixed = true);
equation
  der(x) = 2*(time - 0.5);
  when below then
    times = pre(times) + 1;
  end when;
end Short;
"""

TOUCH = """
model Touch "eq. 9.31: x only just reaches both thresholds"
  parameter Real x1 = -1, x2 = 3;
  Real x = (x2 - x1)/2*sin(time) + (x1 + x2)/2;
  Integer region;
  Real area(start = 0, fixed = true);
equation
  region = if x < x1 then -1 elseif x <= x2 then 0 else 1;
  der(area) = region;
end Touch;
"""


@pytest.fixture
def load(tmp_path):
    def write(text: str) -> fw.Model:
        path = tmp_path / "m.mo"
        path.write_text(text)
        return fw.load(path)

    return write


@pytest.mark.parametrize("solver", ["illinois", "golden"])
def test_EVT_2_several_crossings_of_one_step_are_isolated(load, solver):
    r = load(SEVERAL).simulate(stop=1.0, tol=1e-8, root_solver=solver)
    seen = [r.final(f"seen[{i}]") for i in range(1, 5)]
    assert seen == pytest.approx([0.61, 0.23, 0.87, 0.42], abs=1e-8)


@pytest.mark.parametrize("solver", ROOT_SOLVERS)
def test_EVT_3_every_root_solver_locates_them(load, solver):
    r = load(SEVERAL).simulate(stop=1.0, tol=1e-8, root_solver=solver)
    seen = [r.final(f"seen[{i}]") for i in range(1, 5)]
    assert seen == pytest.approx([0.61, 0.23, 0.87, 0.42], abs=1e-8)


def test_EVT_3_golden_section_needs_the_most_evaluations(load):
    model = load(SEVERAL)
    cost = {
        name: model.simulate(stop=1.0, tol=1e-8, root_solver=name).stats[
            "of these to locate events"
        ]
        for name in ("golden", "illinois", "dense")
    }
    assert cost["dense"] < cost["illinois"] < cost["golden"]


@pytest.mark.parametrize("detection", ["slopes", "sturm"])
def test_EVT_4_an_event_that_lives_shortly_is_found(load, detection):
    r = load(SHORT).simulate(stop=1.0, interval=1.0, tol=1e-6, event_detection=detection)
    assert r.final("times") == 1
    times = sorted({event.time for event in r.events if event.time > 0})
    assert times == pytest.approx([0.475, 0.525], abs=1e-9)


def test_EVT_4_signs_alone_miss_what_lies_between(tmp_path):
    """The same parabola, off the middle of a step that may be long: the fourth power is integrated
    without error, so nothing holds the step down."""
    path = tmp_path / "off.mo"
    path.write_text(SHORT.replace("2*(time - 0.5)", "2*(time - 0.7)").replace("0.25,", "0.49,"))
    missed = fw.load(path).simulate(stop=1.0, interval=1.0, tol=1e-4, event_detection="ends")
    found = fw.load(path).simulate(stop=1.0, interval=1.0, tol=1e-4)
    assert (missed.final("times"), found.final("times")) == (0, 1)


def test_EVT_5_a_threshold_that_is_only_touched_is_not_crossed(load):
    r = load(TOUCH).simulate(stop=20.0, tol=1e-8)
    assert np.all(r["region"] == 0)
    assert abs(r.final("area")) < 1e-6
