"""Relations that an equation of a branch keeps on zero."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.formula.show import show

BALL = """
model Ball
  parameter Real L = 2;
  Real x(start = 0.5, fixed = true), y(start = -0.2, fixed = true);
  Real vx(start = 0, fixed = true), vy(start = 0, fixed = true), F;
  Boolean taut(start = false, fixed = true);
equation
  when {relation} then
    taut = true;
  end when;
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  {equation}
end Ball;
"""
CHOICE = "0 = if taut then x^2 + y^2 - L^2 else F;"
BRANCHES = "if taut then x*x + y*y = L*L; else F = 0; end if;"


def residuals(folder, relation: str, equation: str) -> list[str]:
    path = folder / "Ball.mo"
    path.write_text(BALL.format(relation=relation, equation=equation))
    hybrid = fw.load(path).upto("structure").ordered.hybrid
    return [f"{show(c.left)} | {show(c.right)}" for c in hybrid.crossings]


@pytest.mark.parametrize("equation", [CHOICE, BRANCHES])
@pytest.mark.parametrize(
    "relation", ["x^2 + y^2 > L^2", "L^2 <= y*y + x*x", "0.5*x^2 > 0.5*L*L - y^2/2"]
)
def test_what_an_equation_makes_zero_is_zero(relation, equation, tmp_path):
    [found] = residuals(tmp_path, relation, equation)

    assert found.startswith("if $pre.taut then 0")
    assert found.endswith("| 0.0")


@pytest.mark.parametrize("relation", ["x^2 + y^2 > 2*L^2", "y < -L", "x^2 + y^2 > L", "F > 1"])
def test_what_it_does_not_make_zero_stays(relation, tmp_path):
    [found] = residuals(tmp_path, relation, CHOICE)

    assert "$pre.taut" not in found


def test_a_relation_that_was_true_before_is_false_on_the_constraint(tmp_path):
    """x^2 + y^2 = 0.29 > 0.04 until a string of 0.2 takes the ball: then neither larger nor smaller."""
    path = tmp_path / "Ball.mo"
    text = BALL.format(relation="time >= 0.1", equation=CHOICE).replace("L = 2", "L = 0.2")
    path.write_text(text.replace("F;\n", "F;\n  Boolean beyond = x^2 + y^2 > L^2;\n", 1))
    result = fw.load(path).simulate(stop=0.3, tol=1e-6)

    assert result.at("beyond", 0.05) == 1
    assert result.at("beyond", 0.2) == 0
    assert result.final("beyond") == 0
