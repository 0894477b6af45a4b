"""Choices between known quantities: parameters, time and what follows from these decide no states."""

from __future__ import annotations

import math

import numpy as np
import pytest

import freewheel as fw

SECOND = "sd = der(s); sdd = der(sd);"
MEETING = {
    "a condition on parameters": (
        "parameter Real p = 1; Real q, s, sd, sdd; Boolean no;",
        "q = 2*p; no = q <= 1; s = if no then 0 else sin(time);",
        (0.0, 1.0, 0.0),
    ),
    "a relation between parameters": (
        "parameter Real p = 1; Real q, r, s, sd, sdd;",
        "q = 2*p; r = if q <= 1 then 0 else 1/q; s = if q <= 1 then 0 else r*sin(time);",
        (0.0, 0.5, 0.0),
    ),
    "a condition of the start": (
        "parameter Real p = 1; Real s, sd, sdd; Boolean no;",
        "when initial() then no = p < 0; end when; s = if no then 0 else sin(time);",
        (0.0, 1.0, 0.0),
    ),
    "a time that follows": (
        "parameter Real p = 1; Real a, b, s, sd, sdd;",
        "a = p; b = a^3/6; s = if time < a then time^3/6 else"
        " b + a^2/2*(time - a) + a/2*(time - a)^2;",
        (0.0, 0.0, 0.0),
    ),
}


def load(declared, equations):
    return fw.load_text(f"model M {declared} equation {equations} end M;")


@pytest.mark.parametrize("name", MEETING)
def test_what_meets_needs_neither_core_nor_start_values(name):
    declared, equations, start = MEETING[name]
    model = load(declared, equations + SECOND)

    ordered = model.upto("structure").ordered

    assert not ordered.core.is_there
    assert not ordered.states
    assert not ordered.warnings
    result = model.simulate(stop=2)
    assert [result[v][0] for v in ("s", "sd", "sdd")] == pytest.approx(start)


JUMPING = (
    "parameter Real p = 1; Real q, r, s, sd, x(start = 0, fixed = true); Boolean no;",
    "q = 2*p; no = q <= 1; r = if no then 0 else 1/q; sd = der(s); der(x) = sd;"
    "s = if no then 0 elseif time < 1 then r*sin(time) else 2 + sin(time);",
)


def test_where_states_jump_the_quantities_that_decide_are_around_the_core():
    core = load(*JUMPING).upto("structure").ordered.core

    assert core.is_there
    assert not core.elements
    around = {block.target.name for block in core.shell.blocks} - {
        f.target.name for f in core.followed
    }
    assert {("q",), ("r",)} <= around


def test_what_jumps_begins_with_the_values_that_follow():
    model = load(*JUMPING)

    result = model.simulate(stop=2)

    assert not model.upto("structure").ordered.warnings
    assert [impulse.time for impulse in result.impulses] == pytest.approx(
        [1] * len(result.impulses)
    )
    assert [result[v][0] for v in ("s", "sd", "x")] == pytest.approx([0, 0.5, 0])
    assert result.final("sd") == pytest.approx(math.cos(2))
    assert result.final("x") == pytest.approx(2 + math.sin(2))


def test_impulses_that_reach_no_state_need_no_core_and_are_told():
    model = load("Real s, sd, y;", "s = if time < 1 then 0 else 4; sd = der(s); y = sd + time;")

    ordered = model.upto("structure").ordered

    assert not ordered.core.is_there
    (warning,) = ordered.warnings
    assert warning.code == "E026"
    assert "impulses of `sd`, `y` are not in the results: `s`" in warning.message
    result = model.simulate(stop=2)
    assert [result.final(name) for name in ("s", "sd", "y")] == pytest.approx([4, 0, 2])


@pytest.mark.parametrize("height", ["4", "4*(time - 1)"])
def test_impulses_that_reach_other_equations_are_in_a_core(height):
    """Of the second derivative too: a force moves a body on a path that has a corner."""
    declared = "Real s, v, a, f, w(start = 0, fixed = true);"
    equations = "v = der(s); a = der(v); a = f - w; der(w) = f;"

    ordered = (
        load(declared, f"s = if time < 1 then 0 else {height}; {equations}")
        .upto("structure")
        .ordered
    )

    assert ordered.core.is_there


def test_a_jump_before_the_start_is_not_told():
    equations = "s = if time < {} then 0 else 4; sd = der(s);"
    assert not load("Real s, sd;", equations.format("0")).upto("structure").ordered.warnings
    assert load("Real s, sd;", equations.format("0.1")).upto("structure").ordered.warnings


def test_a_curve_with_corners_that_make_no_events():
    """Derivatives of a signal of time, which a core would have to integrate over its corners."""
    model = load(
        "Real u, v, w, a;",
        "u = if time < 0 then 0 else time; v = noEvent(if u < 1 then u^2 else 2*u - 1);"
        "w = der(v); a = der(w);",
    )
    result = model.simulate(stop=2)
    assert not model.upto("structure").ordered.core.is_there
    assert [result.final(name) for name in ("v", "w", "a")] == pytest.approx([3, 2, 0])


PLANNED = """
model M "as fast as possible from one position to another, as KinematicPTP2 has it"
  parameter Real far = 2, begin = 0.1, fastest = {fastest}, strongest = 1;
  Real byspeed, bypower, top, ramp, ends1, ends2, tv, te, top2, s1, s2, s3, way, speed, rate;
  Boolean short;
equation
  byspeed = max(abs({{far/fastest, far/9}}));
  bypower = max(abs({{far/strongest, far/9}}));
  if byspeed <= 1e-15 or bypower <= 1e-15 then
    top = 0; ramp = 0; ends1 = 0; ends2 = 0; short = false; tv = 0; te = 0; top2 = 0;
    s1 = 0; s2 = 0; s3 = 0; way = 0;
  else
    top = 1/max(abs({{far/fastest, far/9}}));
    ramp = 1/max(abs({{far/strongest, far/9}}));
    ends1 = sqrt(1/ramp);
    ends2 = top/ramp;
    short = ends2 >= ends1;
    tv = if short then ends1 else 1/top;
    te = if short then 2*ends1 else tv + ends2;
    top2 = ramp*ends1;
    s1 = ramp*(if short then ends1^2 else ends2^2)/2;
    s2 = s1 + (if short then top2*(te - ends1) - ramp/2*(te - ends1)^2 else top*(tv - ends2));
    s3 = s2 + top*(te - tv) - ramp/2*(te - tv)^2;
    if time < begin then
      way = 0;
    elseif short then
      if time < begin + ends1 then
        way = ramp/2*(time - begin)^2;
      elseif time < begin + te then
        way = s1 + top2*(time - begin - ends1) - ramp/2*(time - begin - ends1)^2;
      else
        way = s2;
      end if;
    elseif time < begin + ends2 then
      way = ramp/2*(time - begin)^2;
    elseif time < begin + tv then
      way = s1 + top*(time - begin - ends2);
    elseif time < begin + te then
      way = s2 + top*(time - begin - tv) - ramp/2*(time - begin - tv)^2;
    else
      way = s3;
    end if;
  end if;
  speed = der(way);
  rate = der(speed);
end M;
"""


@pytest.mark.parametrize("far", [2.0, 0.0])
@pytest.mark.parametrize("fastest", [1.0, 4.0])
def test_a_planned_motion(fastest, far):
    """Speeds meet where the acceleration changes; where there is no way to go, nothing is divided by it."""
    model = fw.load_text(PLANNED.format(fastest=fastest))

    result = model.simulate(stop=4, params={"far": far})

    ordered = model.upto("structure").ordered
    assert not ordered.core.is_there
    assert not ordered.warnings
    assert result.final("way") == pytest.approx(1.0 if far else 0.0, abs=1e-9)
    assert result.final("speed") == pytest.approx(0.0, abs=1e-9)
    moved = np.trapezoid(result["speed"], result.time)
    assert moved == pytest.approx(1.0 if far else 0.0, abs=1e-3)
