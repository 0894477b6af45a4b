"""Which expressions make events, exactly as Modelica 3.7 says in "Events and Synchronization" and
"Event Triggering Mathematical Functions"; and how a status holds around an exact zero."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

FUNCTION_OF_X = """
model Stepped
  Real x(start = {start}, fixed = true);
  Real y = {formula};
equation
  der(x) = {slope};
end Stepped;
"""


def times_of(result) -> list[float]:
    return [event.time for event in result.events]


# x runs from -1.7 to 2.3 with slope 2 in two seconds.
@pytest.mark.parametrize(
    ("formula", "crossings"),
    [
        ("floor(x)", [-1, 0, 1, 2]),
        ("ceil(x)", [-1, 0, 1, 2]),
        ("integer(x)", [-1, 0, 1, 2]),
        ("div(x, 0.5)", [-1.5, -1, -0.5, 0.5, 1, 1.5, 2]),
        ("mod(x, 0.8)", [-1.6, -0.8, 0, 0.8, 1.6]),
        ("rem(x, 0.8)", [-1.6, -0.8, 0.8, 1.6]),
        ("if x > 1 then 1.0 else 0.0", [1]),
        ("smooth(0, if x > 1 then x - 1 else 0)", [1]),
    ],
)
def test_events_come_where_the_value_jumps(run, formula, crossings):
    result = run(FUNCTION_OF_X.format(start=-1.7, slope=2, formula=formula), stop=2.0)
    expected = [(x + 1.7) / 2 for x in crossings]

    found = times_of(result)
    missing = [t for t in expected if not any(abs(t - f) < 1e-9 for f in found)]
    assert missing == []
    # `div` and `rem` also look at the sign of their argument: one more event at zero.
    surplus = [f for f in found if not any(abs(t - f) < 1e-9 for t in expected)]
    assert all(abs(f - 0.85) < 1e-9 for f in surplus)


@pytest.mark.parametrize(
    "formula",
    [
        "abs(x)",
        "sign(x)",
        "min(x, 0.5)",
        "max(x, 0.5)",
        "noEvent(if x > 1 then 1.0 else 0.0)",
        "noEvent(floor(x))",
        "noEvent(integer(x))",
        "noEvent(mod(x, 0.8))",
        "smooth(1, if x > 1 then (x - 1)^2 else 0)",
        "sqrt(x + 5)",
    ],
)
def test_what_is_free_of_events_makes_none(run, formula):
    assert times_of(run(FUNCTION_OF_X.format(start=-1.7, slope=2, formula=formula))) == []


@pytest.mark.parametrize(
    ("formula", "function"),
    [
        ("floor(x)", np.floor),
        ("ceil(x)", np.ceil),
        ("integer(x)", np.floor),
        ("div(x, 0.5)", lambda x: np.trunc(x / 0.5)),
        ("mod(x, 0.8)", lambda x: x - np.floor(x / 0.8) * 0.8),
        ("rem(x, 0.8)", lambda x: x - np.trunc(x / 0.8) * 0.8),
        ("sign(x)", np.sign),
        ("abs(x)", np.abs),
    ],
)
@pytest.mark.parametrize("slope", [2.0, -2.0])
def test_the_values_are_those_of_the_function(run, formula, function, slope):
    """Up and down, at points away from the jumps."""
    start = -1.7 if slope > 0 else 2.3
    text = FUNCTION_OF_X.format(start=start, slope=slope, formula=formula)
    result = run(text, stop=1.99, interval=0.0199)
    x = result["x"]
    inside = np.abs(x / 0.1 - np.round(x / 0.1)) > 1e-6  # all jumps are at multiples of 0.1

    assert inside.sum() > 50
    assert result["y"][inside] == pytest.approx(function(x[inside]), abs=1e-9)


def test_functions_and_when_bodies_make_no_events(run):
    result = run(
        """
model Quiet
  function step
    input Real x;
    output Real y;
  algorithm
    y := if x > 0.5 then 1 else 0;
  end step;
  Real x(start = 0, fixed = true);
  Real y;
  discrete Real z(start = 0, fixed = true);
equation
  der(x) = 1;
  y = step(x);
  when sample(0.1, 0.25) then
    z = floor(4*x) + (if x > 0.7 then 10 else 0);
  end when;
end Quiet;
"""
    )

    assert times_of(result) == pytest.approx([0.1, 0.35, 0.6, 0.85], abs=1e-15)
    assert result.final("z") == 13.0


def test_a_function_that_asks_for_events_gets_them(run):
    result = run(
        """
model Asked
  function step
    input Real x;
    output Real y;
  algorithm
    y := if x > 0.5 then 1 else 0;
    annotation(GenerateEvents = true, Inline = true);
  end step;
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = step(x);
end Asked;
"""
    )

    assert times_of(result) == pytest.approx([0.5], abs=1e-9)


# ---------------------------------------------------------------- around an exact zero


RESTING = """
model Resting "x rests on zero exactly, then leaves it"
  Real x(start = 0, fixed = true);
  Boolean above = x > 0, below = x < 0, notBelow = x >= 0;
equation
  der(x) = if time < 1 then 0 else {slope};
end Resting;
"""


@pytest.mark.parametrize(
    ("slope", "after"), [("1e-9", (1, 0, 1)), ("-1e-9", (0, 1, 0)), ("0", (0, 0, 1))]
)
def test_resting_on_zero_is_a_status_of_its_own(run, slope, after):
    """Leaving zero is seen in either direction, however slow it is; resting makes no event."""
    result = run(RESTING.format(slope=slope), stop=2.0)
    names = ("above", "below", "notBelow")

    assert [result.at(name, 0.5) for name in names] == [0, 0, 1]
    assert tuple(result.final(name) for name in names) == after
    assert all(abs(t - 1.0) < 1e-6 for t in times_of(result))
    assert len(result.events) <= 2


@pytest.mark.parametrize(("level", "count"), [(0.999, 2), (1.001, 0)])
def test_a_hump_crosses_a_level_twice_or_not_at_all(run, level, count):
    text = f"""
model Hump
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Boolean high = x > {level};
equation
  der(x) = v;
  der(v) = -x;
end Hump;
"""
    result = run(text, stop=3.0)

    assert len(result.events) == count
    if count:
        first = np.arcsin(level)
        assert times_of(result) == pytest.approx([first, pi - first], abs=1e-6)


def test_branches_do_not_change_between_events(run):
    """The residual is negative all through the step that finds the crossing, so the root of a
    negative number is never asked for (Modelica's own example, the draining tank)."""
    result = run(
        """
model Tank
  Real h(start = 1, fixed = true);
equation
  der(h) = if h > 0 then -2*sqrt(max(h, 0)) else 0;
end Tank;
""",
        stop=2.0,
        tol=1e-6,
    )

    assert result.at("h", 0.5) == pytest.approx(0.25, abs=1e-6)
    assert abs(result.final("h")) < 1e-6
