"""Tableaux, observed orders, published stiff problems."""

from __future__ import annotations

from math import cos, exp, log2, sin

import numpy as np
import pytest
from kernel_steps import Steps

from freewheel.base.diagnostics import UsageError
from freewheel.runtime.integrators.choice import unknown_solver
from freewheel.runtime.integrators.problem import StepError
from freewheel.runtime.integrators.step_control import factor_after, factor_after_rejection
from freewheel.runtime.integrators.tableau import DOPRI5, EULER, RK4, RKF45, Tableau
from freewheel.runtime.linear.column_groups import column_groups
from freewheel.runtime.linear.jacobian import compute_jacobian

ORDERS = {"euler": 1, "rk4": 4, "dopri5": 5, "radau": 5, "rkf45": 4, "rodas4": 4, "beuler": 1}


def oscillator(t, y):
    """A forced one, so that time counts too; y = sin t is a solution with y(0) = 0, y'(0) = 1."""
    return [y[1], -4.0 * y[0] + 3.0 * sin(t)]


def attempted(solver: str, h: float, tolerance: float = 1e-13) -> Steps:
    """At the start of the oscillator, for steps of one size. (Implicit methods finish a step only where its
    error is below the tolerance, and Newton's iteration follows it.)"""
    steps = Steps(
        oscillator, 2, solver, rtol=tolerance, atol=tolerance, fixed=h, is_optimistic=True
    )
    steps.restart(0.0, [0.0, 1.0])
    return steps


def error_with_steps(solver: str, h: float) -> float:
    steps = attempted(solver, h, tolerance=1e-3 if solver == "rodas4" else 1e-13)
    for _ in range(round(2.0 / h)):
        steps.loop.h = h
        steps.step(1e3)
        steps.accept()
    return float(np.abs(np.array(steps.loop.y) - [sin(2.0), cos(2.0)]).max())


@pytest.mark.parametrize("solver", ORDERS)
def test_halving_the_step_gains_the_advertised_order(solver):
    h = 0.1 if solver in ("dopri5", "rk4", "rodas4") else 0.2 if solver == "radau" else 0.005
    coarse, fine = error_with_steps(solver, h), error_with_steps(solver, h / 2)

    assert log2(coarse / fine) == pytest.approx(ORDERS[solver], abs=0.35)


@pytest.mark.parametrize(
    ("solver", "order"), [("euler", 2), ("rk4", 4), ("dopri5", 5), ("radau", 4), ("rodas4", 4)]
)
def test_the_interpolant_has_the_local_order_it_should(solver, order):
    """Local error inside one step; DOPRI5's quartic gains one order over its degree."""

    def error(h):
        steps = attempted(solver, h, tolerance=1e-5)
        steps.loop.h = h
        steps.step(1e3)
        points = np.linspace(0.1, 0.9, 9) * h
        return max(abs(steps.inside(t)[0] - sin(t)) for t in points)

    h = 0.2 if solver != "euler" else 0.05
    assert log2(error(h) / error(h / 2)) > order - 0.3


@pytest.mark.parametrize("tableau", [EULER, RK4, DOPRI5, RKF45], ids=lambda m: m.name)
def test_tableaux_meet_the_order_conditions(tableau):
    a, b, c = tableau.a, tableau.b, tableau.c
    conditions = [(1, b.sum(), 1), (2, b @ c, 1 / 2), (3, b @ c**2, 1 / 3), (3, b @ a @ c, 1 / 6)]
    conditions += [(4, b @ c**3, 1 / 4), (4, b @ a @ a @ c, 1 / 24), (5, b @ c**4, 1 / 5)]
    for order, value, wanted in conditions:
        if order <= tableau.order:
            assert value == pytest.approx(wanted, abs=1e-14)


def test_a_wrong_tableau_is_refused():
    with pytest.raises(AssertionError, match="sum to c"):
        Tableau("wrong", 1, np.zeros((1, 1)), np.ones(1), np.full(1, 0.5))


def test_the_last_stage_of_dormand_and_prince_is_the_next_first():
    """Its kernel takes the slope at the end of a step for both."""
    assert DOPRI5.c[-1] == 1.0
    np.testing.assert_array_equal(DOPRI5.a[-1], DOPRI5.b)


def test_steps_grow_after_small_errors_and_shrink_after_large_ones():
    loop = Steps(oscillator, 2, "dopri5").loop
    loop.previous_error = 1e-4
    assert factor_after(loop, 1e-6) > 2.0
    loop.previous_error = 1.0
    assert factor_after(loop, 1.0) < 1.0
    assert 0.2 <= factor_after_rejection(loop, 50.0) < 0.5
    assert factor_after_rejection(loop, np.inf) == 0.25


@pytest.mark.parametrize("solver", ["dopri5", "radau", "rodas4", "auto"])
@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10])
def test_decay_follows_the_tolerance(solver, tolerance):
    steps = Steps(lambda t, y: -y, 1, solver, rtol=tolerance, atol=tolerance).go(0.0, [1.0], 3.0)

    assert steps.loop.t == 3.0
    assert abs(steps.loop.y[0] - exp(-3.0)) < 10 * tolerance


def robertson(t, y):
    slow, fast, square = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
    return [fast - slow, slow - fast - square, square]


@pytest.mark.parametrize("solver", ["radau", "auto"])
def test_robertson_at_40_seconds(solver):
    steps = Steps(robertson, 3, solver, rtol=1e-7, atol=[1e-9, 1e-13, 1e-9])
    steps.go(0.0, [1.0, 0.0, 0.0], 40.0)

    # Reference of the Hairer-Wanner collection, also CVODE's example.
    wanted = [0.7158270688, 9.185534765e-6, 0.2841637457]
    assert np.array(steps.loop.y) == pytest.approx(wanted, rel=2e-6)
    assert steps.solver == "radau"
    assert steps.loop.steps < 250


def van_der_pol(mu):
    return lambda t, y: [y[1], mu * ((1.0 - y[0] ** 2) * y[1]) - y[0]]


def test_van_der_pol_stiff():
    """eps = 1e-6 in the scaled form, value at t = 2 from the Hairer-Wanner collection."""
    epsilon = 1e-6

    def scaled(t, y):
        return [y[1], ((1.0 - y[0] ** 2) * y[1] - y[0]) / epsilon]

    steps = Steps(scaled, 2, "radau", rtol=1e-7, atol=1e-7).go(0.0, [2.0, -0.6], 2.0)

    assert steps.loop.y[0] == pytest.approx(1.706167732170483, rel=1e-5)
    assert steps.loop.steps < 1600


def test_stiffness_is_seen_only_where_the_model_is_stiff():
    calm = Steps(van_der_pol(1.0), 2, "auto").go(0.0, [2.0, 0.0], 20.0)
    stiff = Steps(van_der_pol(1000.0), 2, "auto").go(0.0, [2.0, 0.0], 20.0)

    assert calm.solver == "dopri5"
    assert stiff.solver == "radau"
    assert stiff.loop.steps < 200


def test_columns_that_share_no_row_are_perturbed_together():
    """Tridiagonal: three groups whatever the size."""
    n = 30
    sparsity = tuple(tuple(i for i in (j - 1, j, j + 1) if 0 <= i < n) for j in range(n))
    matrix = np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    groups = column_groups(sparsity, n)
    steps = Steps(lambda t, y: matrix @ y, n, "radau", sparsity=sparsity)
    loop = steps.loop
    steps.restart(0.0, np.linspace(0.0, 1.0, n))
    before = loop.evaluations

    assert compute_jacobian(loop, 0.0) == 0

    found = np.zeros((n, n))
    for j in range(n):
        inside = slice(loop.column_starts[j], loop.column_starts[j + 1])
        found[np.array(loop.row_numbers)[inside], j] = np.array(loop.jacobian)[inside]
    assert len(groups) == 3
    assert loop.evaluations - before == 3
    assert sorted(np.concatenate(groups).tolist()) == list(range(n))
    assert found == pytest.approx(matrix, abs=1e-6)


def test_a_step_ends_exactly_at_its_limit():
    limit = 0.1 + 0.2

    assert Steps(lambda t, y: -y, 1, "dopri5").go(0.0, [1.0], limit).loop.t == limit


def test_a_solution_that_blows_up_is_an_error_with_its_time():
    """y' = y**2 has a pole at t = 1."""
    with pytest.raises(StepError) as caught, np.errstate(all="ignore"):
        Steps(lambda t, y: y * y, 1, "dopri5").go(0.0, [1.0], 2.0)

    assert caught.value.t == pytest.approx(1.0, abs=1e-3)


def test_an_evaluation_that_fails_shortens_the_step():
    """sqrt(y) cannot be evaluated below zero; long trial steps would go there."""
    steps = Steps(lambda t, y: None if y[0] < 0.0 else -100.0 * y, 1, "dopri5")
    steps.restart(0.0, [1.0])
    steps.loop.h = 1.0
    steps.step(1.0)
    steps.accept()

    assert steps.loop.rejected > 0
    assert steps.loop.y[0] == pytest.approx(exp(-100.0 * steps.loop.t), rel=1e-4)


def test_a_solver_nobody_knows_is_a_usage_error_with_a_hint():
    problem = unknown_solver("radua")

    assert isinstance(problem, UsageError)
    assert problem.diagnostics[0].code == "U020"
    assert "radau" in problem.diagnostics[0].help


def test_steps_have_a_floor_even_around_time_zero():
    """Beyond the start nothing can be evaluated; rounding alone would permit steps of 1e-300."""
    steps = Steps(lambda t, y: [1.0] if t < 1e-60 else None, 1, "dopri5", shortest=1e-20)
    steps.restart(0.0, [0.0])
    with pytest.raises(StepError):
        steps.step(1.0)

    assert steps.loop.rejected < 100
