"""EVT-5 and EVT-6: the row of balls of section 9.6; if-equations turned around (eq. 9.32, 9.33)."""

from __future__ import annotations

import numpy as np
import pytest
from paper_listings import listing

import freewheel as fw

TURNED = """
model Turned "y is given, x is found through the three straight pieces of Fig. 9.19"
  parameter Real a1 = 2, a2 = 1, a3 = 0.5, b1 = 1, b2 = 0, b3 = 0.5;
  parameter Real x1 = -1, x2 = 1;
  Real x(start = 0);
  Real y = 3*sin(time);
  Integer visits(start = 0, fixed = true);
equation
  y = if x < x1 then a1*x + b1 else if x < x2 then a2*x + b2 else a3*x + b3;
  when {x > x2, x < x1} then
    visits = pre(visits) + 1;
  end when;
end Turned;
"""


def test_EVT_5_the_arriving_ball_stops_and_the_last_one_leaves():
    r = fw.load("Hybrid.Examples.NewtonsRow").simulate(tol=1e-8)
    for ball in range(1, 5):
        assert r.final(f"row.v[{ball}]") == 0.0
    assert r.final("row.v[5]") == 1.0
    assert r.final("row.x[1]") == pytest.approx(-0.1, abs=1e-9)
    assert r.final("row.x[5]") == pytest.approx(0.3 + 0.6, abs=1e-9)
    # All five impacts belong to one instant; between the rows of that instant nothing moved.
    moving = np.flatnonzero(np.diff(r["row.v[5]"]))
    assert len(moving) == 1
    assert r["time"][moving[0]] == pytest.approx(0.4, abs=1e-9)


def test_EVT_5_two_arriving_balls_send_two_away(tmp_path):
    path = tmp_path / "two.mo"
    path.write_text(
        "model Two Hybrid.Mechanics.BallRow row(n=5, d=0.125,\n"
        "  x_start={-0.5, -0.375, 0, 0.125, 0.25}, v_start={1, 1, 0, 0, 0}); end Two;"
    )
    r = fw.load(path).simulate(stop=1.0, tol=1e-8)
    assert [r.final(f"row.v[{i}]") for i in range(1, 6)] == [0.0, 0.0, 0.0, 1.0, 1.0]


def test_EVT_6_an_if_equation_is_solved_for_the_variable_inside(tmp_path):
    path = tmp_path / "turned.mo"
    path.write_text(TURNED)
    r = fw.load(path).simulate(stop=12.0, tol=1e-8)
    y = 3 * np.sin(r["time"])
    expected = np.where(y < -1, (y - 1) / 2, np.where(y < 1, y, (y - 0.5) / 0.5))
    np.testing.assert_allclose(r["x"], expected, atol=1e-9)
    # Three corners up to 4 pi - arcsin(1/3): two upper humps begin, two lower ones.
    assert r.final("visits") == 4
    found = sorted({e.time for e in r.events if e.time > 0})
    s = np.arcsin(1 / 3)
    corners = [s, np.pi - s, np.pi + s, 2 * np.pi - s, 2 * np.pi + s, 3 * np.pi - s, 3 * np.pi + s]
    np.testing.assert_allclose(found[: len(corners)], corners, rtol=1e-9)


WITH_MARKS = """
model WithMarks "the same with the marks ml, mc, mr of the text: an algebraic equation"
  parameter Real a1 = 2, a2 = 1, a3 = 0.5, b1 = 1, b2 = 0, b3 = 0.5;
  Real x(start = 0);
  Real y = 3*sin(time);
  Integer ml(start = 0, fixed = true), mc(start = 1, fixed = true), mr(start = 0, fixed = true);
equation
  y = ml*(a1*x + b1) + mc*(a2*x + b2) + mr*(a3*x + b3);
  ml = if pre(mc) == 1 and x < -1 or pre(ml) == 1 and not x > -1 then 1 else 0;
  mr = if pre(mc) == 1 and x > 1 or pre(mr) == 1 and not x < 1 then 1 else 0;
  mc = 1 - ml - mr;
end WithMarks;
"""


def test_EVT_6_equation_9_33_is_found_by_formula_manipulation(tmp_path):
    """Equation 9.32 solved for x. The text prints minus signs in the denominator; they must be plus signs."""
    path = tmp_path / "marks.mo"
    path.write_text(WITH_MARKS)
    found = [
        line.strip() for line in listing(path, "WithMarks", "solved", share=False).splitlines()
    ]
    [value] = [line.partition(" = ")[2] for line in found if line.startswith("x = ")]
    names = {"a1": 2.0, "a2": 1.0, "a3": 0.5, "b1": 1.0, "b2": 0.0, "b3": 0.5}
    for marks in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        ml, mc, mr = marks
        for y in (-2.0, 0.3, 2.5):
            known = {**names, "ml": ml, "mc": mc, "mr": mr, "y": y}
            upper = y - ml * 1.0 - mc * 0.0 - mr * 0.5
            assert eval(value, {}, known) == pytest.approx(upper / (ml * 2.0 + mc * 1.0 + mr * 0.5))


def test_EVT_6_the_equation_with_marks_runs_as_the_if_equation(tmp_path):
    path = tmp_path / "marks.mo"
    path.write_text(WITH_MARKS)
    r = fw.load(path).simulate(stop=12.0, tol=1e-8)
    y = 3 * np.sin(r["time"])
    expected = np.where(y < -1, (y - 1) / 2, np.where(y < 1, y, (y - 0.5) / 0.5))
    np.testing.assert_allclose(r["x"], expected, atol=1e-6)
    assert np.all(r["ml"] + r["mc"] + r["mr"] == 1)


@pytest.mark.parametrize("condition", ["x < -1 or x > 1", "{x < -1, x > 1}"])
def test_EVT_6_dry_hysteresis_by_or_and_by_a_set_of_conditions(tmp_path, condition):
    """Section 9.9: with `{..}` each condition has a crossing function of its own; both give the same
    instants here, since our relations are separate in either case."""
    path = tmp_path / "when.mo"
    path.write_text(
        f"model W Real x = 2*cos(time); discrete Real y(start = 1, fixed = true); equation"
        f" when {condition} then y = if x < 0 then -1 else 1; end when; end W;"
    )
    r = fw.load(path).simulate(stop=10.0, tol=1e-8)
    changes = r["time"][1:][np.diff(r["y"]) != 0]
    np.testing.assert_allclose(changes, np.array([2, 5, 8]) * np.pi / 3, rtol=1e-9)
