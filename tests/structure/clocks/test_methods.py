"""Continuous-time equations on a clock: each solver method against its formula."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import pytest
from tests.structure.clocks.conftest import Refused, Run, values

H = 0.25
INSTANTS = [k * H for k in range(5)]
Slope = Callable[[float, float], float]


def slope(x: float, u: float) -> float:
    return -2 * x + u


def expected(method: str) -> list[float]:
    """x' = -2 x + u with u = t*t at the ticks, x(0) = 1, step by step."""
    x, u, result = 1.0, 0.0, [1.0]
    for t in INSTANTS[1:]:
        now = t * t
        x = STEP[method](x, u, now)
        u = now
        result.append(x)
    return result


def mid_point(x: float, u: float, now: float) -> float:
    return x + H * slope(x + H / 2 * slope(x, u), (u + now) / 2)


def runge_kutta(x: float, u: float, now: float) -> float:
    between = (u + now) / 2
    k1 = slope(x, u)
    k2 = slope(x + H / 2 * k1, between)
    k3 = slope(x + H / 2 * k2, between)
    k4 = slope(x + H * k3, now)
    return x + H / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


STEP: dict[str, Callable[[float, float, float], float]] = {
    "ExplicitEuler": lambda x, u, now: x + H * slope(x, u),
    "ExplicitMidPoint2": mid_point,
    "ExplicitRungeKutta4": runge_kutta,
    "ImplicitEuler": lambda x, u, now: (x + H * now) / (1 + 2 * H),
    "ImplicitTrapezoid": lambda x, u, now: (x + H / 2 * (slope(x, u) + now)) / (1 + H),
}


@pytest.mark.parametrize("method", STEP)
def test_method_takes_the_steps_of_its_formula(run: Run, method: str) -> None:
    result = run(
        f"""Real x(start = 1, fixed = true);
        Real u = sample(time*time, Clock(Clock(1, 4), solverMethod = "{method}"));
        Real y = hold(x);
        equation
          der(x) = -2*x + u;"""
    )

    assert values(result, "x", INSTANTS) == pytest.approx(expected(method), rel=1e-12)
    assert values(result, "y", [0.3]) == pytest.approx([expected(method)[1]])


def test_external_solver_is_one_of_order_two(run: Run) -> None:
    result = run(
        """Real x(start = 1, fixed = true);
        equation
          der(x) = -2*x + sample(0, Clock(Clock(1, 100), "External"));"""
    )

    assert result.final("x") == pytest.approx(0.1353352832, rel=1e-4)


def test_nonlinear_equations_are_solved_at_each_tick(run: Run) -> None:
    """x' = -x^2 by implicit Euler: h*x^2 + x = x before."""
    result = run(
        """Real x(start = 1, fixed = true);
        Real one = sample(1, Clock(Clock(1, 4), "ImplicitEuler"));
        equation
          der(x) = -x*x*one;"""
    )

    x, wanted = 1.0, [1.0]
    for _ in INSTANTS[1:]:
        x = (sqrt(1 + 4 * H * x) - 1) / (2 * H)
        wanted.append(x)
    assert values(result, "x", INSTANTS) == pytest.approx(wanted, rel=1e-8)


def test_second_order_and_constraints_are_reduced_as_in_any_model(run: Run) -> None:
    """Two masses that move together: their force is found by differentiating the constraint."""
    result = run(
        """Real s1(start = 0, fixed = true), s2, v1(start = 0, fixed = true), v2, f;
        Real push = sample(3, Clock(Clock(1, 4), "ExplicitEuler"));
        equation
          der(s1) = v1; der(s2) = v2;
          der(v1) = push - f; 2*der(v2) = f;
          s1 = s2;"""
    )

    assert values(result, "f", [0, 1]) == pytest.approx([2, 2])
    assert values(result, "v2", INSTANTS) == pytest.approx(INSTANTS)
    assert values(result, "s2", INSTANTS) == pytest.approx([0, 0, 1 / 16, 3 / 16, 6 / 16])


def test_initial_equations_hold_at_the_first_tick(run: Run) -> None:
    result = run(
        """Real x(start = 5), y;
        Real u = sample(time + 4, Clock(Clock(1, 4), "ExplicitEuler"));
        equation
          der(x) = y; y = u - 2*x;
        initial equation
          der(x) = 0;"""
    )

    assert values(result, "x", [0, 0.25, 0.5]) == pytest.approx([2, 2, 2 + 0.25 * 0.25])


def test_method_is_inferred_across_conversions(run: Run) -> None:
    """Explicit Euler comes from the faster partition; z' = 1 + x on the slower one."""
    result = run(
        """Real x(start = 3, fixed = true), z(start = 0, fixed = true);
        equation
          der(x) = -x + sample(1, Clock(Clock(1, 4), "ExplicitEuler"));
          der(z) = subSample(x, 2) + 1;"""
    )

    assert values(result, "x", [0.25, 0.5]) == pytest.approx([2.5, 2.125])
    assert values(result, "z", [0, 0.5, 1.0]) == pytest.approx([0, 2.0, 2.0 + 0.5 * 3.125])


def test_mixed_controller_of_derivatives_and_previous_values(run: Run) -> None:
    result = run(
        """Clock c = Clock(Clock(0.1), solverMethod = "ImplicitEuler");
        Real u = sample(1 + time, c);
        Real x(start = 1, fixed = true), z(start = 0), y;
        Real h = interval(u);
        equation
          der(x) = u;
          z = if firstTick() then 0 else previous(z) + h*(u - x);
          y = x + z;""",
        0.35,
    )

    # x: 1, +0.11, +0.12, +0.13; z adds 0.1*(u - x)
    assert values(result, "x", [0, 0.1, 0.2, 0.3]) == pytest.approx([1, 1.11, 1.23, 1.36])
    assert values(result, "z", [0.1, 0.2, 0.3]) == pytest.approx([-0.001, -0.004, -0.010])


def test_continuous_equations_on_a_clock_need_a_method(refused: Refused) -> None:
    problem = refused("Real x; equation der(x) = -x + sample(time, Clock(1, 4));")

    assert problem.code == "E067"
    assert "solverMethod" in problem.help


def test_unknown_method(refused: Refused) -> None:
    text = 'Real x; equation der(x) = -x + sample(time, Clock(Clock(1, 4), "Magic"));'

    assert refused(text).code == "E068"


def test_two_methods_for_one_partition(refused: Refused) -> None:
    problem = refused(
        """Real x, y, z;
        equation
          der(x) = -x + sample(1, Clock(Clock(1, 10), "ExplicitEuler"));
          der(y) = subSample(x, 2) + sample(1, Clock(Clock(2, 10), "ImplicitEuler"));
          der(z) = subSample(x, 4) + 1 + subSample(y, 2);"""
    )

    assert problem.code == "E068"
    assert "ExplicitEuler" in problem.message


def test_the_derivative_of_a_sampled_signal_is_not_known(refused: Refused) -> None:
    problem = refused(
        """Real x, u = sample(time, Clock(Clock(1, 4), "ExplicitEuler"));
        Real v;
        equation
          x = u; v = der(x);"""
    )

    assert problem.code == "E006"
