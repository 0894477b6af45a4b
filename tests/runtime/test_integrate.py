"""Tableaux, observed orders, published stiff problems."""

from __future__ import annotations

from math import cos, exp, log2, sin

import numpy as np
import pytest

from freewheel.base.diagnostics import UsageError
from freewheel.runtime.integrate.choose import METHODS, method_named
from freewheel.runtime.integrate.control import factor_after, factor_after_rejection
from freewheel.runtime.integrate.jacobian import column_groups, jacobian
from freewheel.runtime.integrate.problem import Problem, Work
from freewheel.runtime.integrate.stepper import StepError, Stepper
from freewheel.runtime.integrate.tableau import DOPRI5, EXPLICIT, Tableau

ORDERS = {"euler": 1, "rk4": 4, "dopri5": 5, "radau": 5, "rkf45": 4}


def problem_of(function, size, rtol=1e-6, atol=1e-9, sparsity=None) -> Problem:
    def rhs(t, y, out):
        out[:] = function(t, y)
        return 0

    return Problem(rhs, size, rtol, np.full(size, atol), sparsity)


def integrate(problem, solver, t, y, stop, **options) -> Stepper:
    stepper = Stepper(problem, solver, **options)
    assert stepper.restart(t, np.array(y, dtype=float)) == 0
    while stepper.t < stop:
        stepper.accept(stepper.step(stop))
    return stepper


def oscillator(t, y):
    """A forced one, so that time counts too; y = sin t is a solution with y(0) = 0, y'(0) = 1."""
    return [y[1], -4.0 * y[0] + 3.0 * sin(t)]


def error_with_steps(solver: str, h: float) -> float:
    problem = problem_of(oscillator, 2, rtol=1e-13, atol=1e-13)
    method, work = method_named(solver), Work()
    t, y = 0.0, np.array([0.0, 1.0])
    f = np.array(oscillator(t, y))
    for i in range(round(2.0 / h)):
        attempt = method.attempt(problem, i * h, y, f, h, work)
        y, f = attempt.y, attempt.f
    return float(np.abs(y - [sin(2.0), cos(2.0)]).max())


@pytest.mark.parametrize("solver", METHODS)
def test_halving_the_step_gains_the_advertised_order(solver):
    h = 0.1 if solver in ("dopri5", "rk4") else 0.2 if solver == "radau" else 0.005
    coarse, fine = error_with_steps(solver, h), error_with_steps(solver, h / 2)

    assert log2(coarse / fine) == pytest.approx(ORDERS[solver], abs=0.35)


@pytest.mark.parametrize(
    ("solver", "order"), [("euler", 2), ("rk4", 4), ("dopri5", 5), ("radau", 4)]
)
def test_the_interpolant_has_the_local_order_it_should(solver, order):
    """Local error inside one step; DOPRI5's quartic gains one order over its degree."""

    def error(h):
        problem = problem_of(oscillator, 2, rtol=1e-13, atol=1e-13)
        y = np.array([0.0, 1.0])
        step = method_named(solver).attempt(
            problem, 0.0, y, np.array(oscillator(0.0, y)), h, Work()
        )
        points = np.linspace(0.1, 0.9, 9) * h
        return max(abs(step.interpolant(t)[0] - sin(t)) for t in points)

    h = 0.2 if solver != "euler" else 0.05
    assert log2(error(h) / error(h / 2)) > order - 0.3


@pytest.mark.parametrize("tableau", EXPLICIT, ids=lambda m: m.name)
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


def test_dormand_prince_knows_that_its_last_stage_is_the_next_first():
    assert DOPRI5.last_stage_is_next_first
    assert [t.name for t in EXPLICIT if t.last_stage_is_next_first] == ["dopri5"]


def test_steps_grow_after_small_errors_and_shrink_after_large_ones():
    assert factor_after(1e-6, 1e-4, 5) > 2.0
    assert factor_after(1.0, 1.0, 5) < 1.0
    assert 0.2 <= factor_after_rejection(50.0, 5) < 0.5
    assert factor_after_rejection(np.inf, 5) == 0.25


@pytest.mark.parametrize("solver", ["dopri5", "radau", "auto"])
@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10])
def test_decay_follows_the_tolerance(solver, tolerance):
    problem = problem_of(lambda t, y: -y, 1, rtol=tolerance, atol=tolerance)

    stepper = integrate(problem, solver, 0.0, [1.0], 3.0)

    assert stepper.t == 3.0
    assert abs(stepper.y[0] - exp(-3.0)) < 10 * tolerance


def robertson(t, y):
    slow, fast, square = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
    return [fast - slow, slow - fast - square, square]


@pytest.mark.parametrize("solver", ["radau", "auto"])
def test_robertson_at_40_seconds(solver):
    problem = Problem(problem_of(robertson, 3).rhs, 3, 1e-7, np.array([1e-9, 1e-13, 1e-9]))

    stepper = integrate(problem, solver, 0.0, [1.0, 0.0, 0.0], 40.0)

    # Reference of the Hairer-Wanner collection, also CVODE's example.
    assert stepper.y == pytest.approx([0.7158270688, 9.185534765e-6, 0.2841637457], rel=2e-6)
    assert stepper.method.name == "radau"
    assert stepper.steps < 250


def van_der_pol(mu):
    return lambda t, y: [y[1], mu * ((1.0 - y[0] ** 2) * y[1]) - y[0]]


def test_van_der_pol_stiff():
    """eps = 1e-6 in the scaled form, value at t = 2 from the Hairer-Wanner collection."""
    epsilon = 1e-6
    problem = problem_of(
        lambda t, y: [y[1], ((1.0 - y[0] ** 2) * y[1] - y[0]) / epsilon], 2, 1e-7, 1e-7
    )

    stepper = integrate(problem, "radau", 0.0, [2.0, -0.6], 2.0)

    assert stepper.y[0] == pytest.approx(1.706167732170483, rel=1e-5)
    assert stepper.steps < 1600


def test_auto_changes_to_radau_only_where_the_model_is_stiff():
    calm = integrate(problem_of(van_der_pol(1.0), 2), "auto", 0.0, [2.0, 0.0], 20.0)
    stiff = integrate(problem_of(van_der_pol(1000.0), 2), "auto", 0.0, [2.0, 0.0], 20.0)

    assert (calm.method.name, calm.notes) == ("dopri5", [])
    assert stiff.method.name == "radau"
    assert "stiff" in stiff.notes[0]
    assert stiff.steps < 200


def test_columns_that_share_no_row_are_perturbed_together():
    """Tridiagonal: three groups whatever the size."""
    n = 30
    sparsity = tuple(tuple(i for i in (j - 1, j, j + 1) if 0 <= i < n) for j in range(n))
    matrix = np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    problem = problem_of(lambda t, y: matrix @ y, n, sparsity=sparsity)
    groups, work = column_groups(sparsity, n), Work()
    y = np.linspace(0.0, 1.0, n)

    found = jacobian(problem, groups, 0.0, y, matrix @ y, work)

    assert len(groups) == 3
    assert work.evaluations == 3
    assert sorted(np.concatenate(groups).tolist()) == list(range(n))
    assert found == pytest.approx(matrix, abs=1e-6)


def test_a_step_ends_exactly_at_its_limit():
    stepper = Stepper(problem_of(lambda t, y: -y, 1), "dopri5")
    stepper.restart(0.0, np.ones(1))
    limit = 0.1 + 0.2
    while stepper.t < limit:
        stepper.accept(stepper.step(limit))

    assert stepper.t == limit


def test_a_solution_that_blows_up_is_an_error_with_its_time():
    """y' = y**2 has a pole at t = 1."""
    problem = problem_of(lambda t, y: y * y, 1)
    with pytest.raises(StepError) as caught, np.errstate(all="ignore"):
        integrate(problem, "dopri5", 0.0, [1.0], 2.0)

    assert caught.value.t == pytest.approx(1.0, abs=1e-3)


def test_an_evaluation_that_fails_shortens_the_step():
    """sqrt(y) cannot be evaluated below zero; long trial steps would go there."""

    def rhs(t, y, out):
        if y[0] < 0.0:
            return 1
        out[0] = -100.0 * y[0]
        return 0

    problem = Problem(rhs, 1, 1e-6, np.array([1e-9]))
    stepper = Stepper(problem, "dopri5")
    stepper.restart(0.0, np.ones(1))
    stepper.h = 1.0
    stepper.accept(stepper.step(1.0))

    assert stepper.rejected > 0
    assert stepper.y[0] == pytest.approx(exp(-100.0 * stepper.t), rel=1e-4)


def test_a_solver_nobody_knows_is_a_usage_error_with_a_hint():
    with pytest.raises(UsageError) as caught:
        method_named("radua")

    assert caught.value.diagnostics[0].code == "U020"
    assert "radau" in caught.value.diagnostics[0].help


def test_steps_have_a_floor_even_around_time_zero():
    """Beyond the start nothing can be evaluated; rounding alone would permit steps of 1e-300."""

    def rhs(t, y, out):
        out[0] = 1.0
        return 0 if t < 1e-60 else 1

    stepper = Stepper(Problem(rhs, 1, 1e-6, np.array([1e-9])), "dopri5", shortest=1e-20)
    stepper.restart(0.0, np.zeros(1))
    with pytest.raises(StepError):
        stepper.step(1.0)

    assert stepper.rejected < 100
