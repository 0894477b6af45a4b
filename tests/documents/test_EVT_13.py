"""EVT-13: RKF4/5 with root solver and optimistic step control (H9.1 to H9.4), the DOPRI4/5 triple (P9.1),
Radau IIA with dense output for stiff discontinuous models (R9.1).

Document 002 prints the tableau of DOPRI4/5, the stability polynomials of both its formulas and an
interpolant. Of the optimistic control it gives the number of an equation in an earlier chapter, (3.89): the
size at which the estimate would have been the tolerance, h (tol/error)^(1/5), and no step is ever repeated.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, pi, sin

import numpy as np
import pytest
from kernel_steps import Steps
from numpy.polynomial import Polynomial

import freewheel as fw
from freewheel.base.diagnostics import UsageError
from freewheel.runtime.integrators.tableau import DOPRI5, RKF45

# A ball in air that bounces: y'' = -g - k v, hit times by the exact solution between impacts.
BALL = """
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81 - 0.5*v;
  when h < 0 then
    reinit(v, -0.8*pre(v));
  end when;
end Ball;
"""
# The hysteretic relay of EVT-20 without its stiff part, thresholds at 1/4 and 3/4.
RELAY = """
model Relay
  Boolean on(start = true, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = (if on then 1 else 0) - x;
  on = not pre(on) and x < 0.25 or pre(on) and x <= 0.75;
end Relay;
"""
TOGGLES = [log(4.0) + k * log(3.0) for k in range(6)]


def load(tmp_path, text: str, backend: str = "llvm") -> fw.Model:
    path = tmp_path / "m.mo"
    path.write_text(text)
    return fw.load(path, backend=backend)


def bounces(count: int) -> list[float]:
    """Newton on h(s) = h0 + (v0 + g/k)(1 - exp(-k s))/k - g s/k of each flight."""
    g, k, t, h, v, found = 9.81, 0.5, 0.0, 1.0, 0.0, []
    for _ in range(count):
        s = 0.5 if not found else 2 * v / g
        for _ in range(50):
            speed = (v + g / k) * exp(-k * s) - g / k
            s -= (h + (v + g / k) * (1 - exp(-k * s)) / k - g * s / k) / speed
        t, h, v = t + s, 0.0, -0.8 * ((v + g / k) * exp(-k * s) - g / k)
        found.append(t)
    return found


# ---------------------------------------------------------------- RKF4/5, optimistic


@pytest.mark.parametrize("root_solver", ["illinois", "golden", "fibonacci", "cubic", "hermite"])
@pytest.mark.parametrize("control", ["pi", "optimistic"])
def test_EVT_13_rkf45_finds_the_impacts_of_a_ball(tmp_path, root_solver, control):
    """H9.1 regula falsi, H9.2 golden section, H9.3 direct cubic, H9.4 by Hermite's polynomials."""
    r = load(tmp_path, BALL).simulate(
        stop=3.0, tol=1e-8, solver="rkf45", root_solver=root_solver, step_control=control
    )
    hits = r["time"][1:][np.diff(r["v"]) > 1.0]
    assert hits[:4] == pytest.approx(bounces(4), abs=1e-7)


@pytest.mark.parametrize("backend", ["llvm", "python"])
@pytest.mark.parametrize("solver", ["rkf45", "dopri5"])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
def test_EVT_13_optimistic_control_repeats_no_step_and_keeps_the_tolerance(
    tmp_path, backend, solver, tolerance
):
    model = load(tmp_path, RELAY, backend)
    careful = model.simulate(stop=7.0, tol=tolerance, solver=solver)
    hopeful = model.simulate(stop=7.0, tol=tolerance, solver=solver, step_control="optimistic")
    toggles = hopeful["time"][1:][np.diff(hopeful["on"]) != 0]

    assert hopeful.stats["rejected steps"] == 0
    assert hopeful.stats["steps"] <= careful.stats["steps"]
    # Without a margin errors add up to some ten times the tolerance; rkf45 goes on with its fourth order.
    assert toggles == pytest.approx(TOGGLES, abs=30 * tolerance)


def test_EVT_13_optimism_costs_accuracy_where_a_step_comes_too_late(tmp_path):
    """A bump that the steps before it know nothing of: the careful control repeats steps, the optimistic one
    accepts errors beyond the tolerance and only goes on with shorter steps."""
    text = """
    model Bump
      Real x(start = 0, fixed = true);
    equation
      der(x) = cos(time) + 50*exp(-((time - 5)/0.3)^2);
    end Bump;
    """
    model = load(tmp_path, text)
    exact = sin(10.0) + 50 * 0.3 * pi**0.5
    careful = model.simulate(stop=10.0, tol=1e-5, solver="rkf45", interval=0.02)
    hopeful = model.simulate(
        stop=10.0, tol=1e-5, solver="rkf45", interval=0.02, step_control="optimistic"
    )
    assert careful.stats["rejected steps"] > 0
    assert hopeful.stats["rejected steps"] == 0
    assert abs(careful.final("x") - exact) < 1e-3
    assert abs(hopeful.final("x") - exact) > 10 * abs(careful.final("x") - exact)


def test_EVT_13_the_next_size_is_that_of_equation_3_89():
    def swing(t, y):
        return [y[1], -(1 + 5 * np.sin(t) ** 2) * y[0]]

    steps = Steps(swing, 2, "rkf45", rtol=1e-5, atol=1e-8, is_optimistic=True)
    steps.restart(0.0, [1.0, 0.0])
    sizes, errors = [], []
    for _ in range(60):
        steps.step(1e9)
        sizes.append(steps.loop.t1 - steps.loop.t)
        errors.append(steps.loop.error)
        steps.accept()
    expected = np.array(sizes[:-1]) * np.clip(np.array(errors[:-1]) ** (-1 / 5), 0.2, 10.0)
    assert sizes[1:] == pytest.approx(expected.tolist(), rel=1e-12)
    assert steps.loop.rejected == 0
    assert max(errors[5:]) > 1.0  # steps that a careful control would have repeated
    assert float(np.median(errors[5:])) == pytest.approx(1.0, abs=0.3)  # no margin is left


@pytest.mark.parametrize("solver", ["rkf45", "dopri5"])
def test_EVT_13_machine_code_and_reference_take_the_same_optimistic_steps(tmp_path, solver):
    runs = [
        load(tmp_path, RELAY, backend).simulate(
            stop=1.2, tol=1e-6, solver=solver, step_control="optimistic"
        )
        for backend in ("llvm", "python")
    ]
    one, two = (np.asarray(r.step_sizes) for r in runs)
    assert one == pytest.approx(two, rel=1e-6)


@pytest.mark.parametrize("solver", ["auto", "radau", "euler", "cvode", "liqss2"])
def test_EVT_13_optimism_is_for_explicit_methods_with_an_estimate(tmp_path, solver):
    with pytest.raises(UsageError) as caught:
        load(tmp_path, RELAY).simulate(solver=solver, step_control="optimistic")
    [told] = caught.value.diagnostics
    assert told.code == "U027"
    assert f"the solver `{solver}`" in told.message
    assert "rkf45" in told.help


# ---------------------------------------------------------------- the triple DOPRI4/5, P9.1

PRINTED = """
0 0 0 0 0 0 0 0
1/5 1/5 0 0 0 0 0 0
3/10 3/40 9/40 0 0 0 0 0
4/5 44/45 -56/15 32/9 0 0 0 0
8/9 19372/6561 -25360/2187 64448/6561 -212/729 0 0 0
1 9017/3168 -355/33 46732/5247 49/176 -5103/18656 0 0
1 35/384 0 500/1113 125/192 -2187/6784 11/84 0
x1 5179/57600 0 7571/16695 393/640 -92097/339200 187/2100 1/40
x2 35/384 0 500/1113 125/192 -2187/6784 11/84 0
"""


def stability(b: np.ndarray) -> list[float]:
    """Coefficients of 1 + q b 1 + q^2 b A 1 + ..."""
    found, v = [1.0], np.ones(7)
    for _ in range(7):
        found.append(float(b @ v))
        v = DOPRI5.a @ v
    return found


def test_EVT_13_the_tableau_is_the_printed_one():
    rows = [line.split() for line in PRINTED.strip().splitlines()]
    c = [float(Fraction(row[0])) for row in rows[:7]]
    a = [[float(Fraction(x)) for x in row[1:]] for row in rows[:7]]
    x1, x2 = ([float(Fraction(x)) for x in row[1:]] for row in rows[7:])
    np.testing.assert_array_equal(DOPRI5.c, c)
    np.testing.assert_array_equal(DOPRI5.a, a)
    np.testing.assert_array_equal(DOPRI5.b, x2)
    np.testing.assert_allclose(DOPRI5.b - DOPRI5.b_error, x1, atol=1e-16)


def test_EVT_13_the_stability_polynomials_are_the_printed_ones():
    f1 = [1, 1, 1 / 2, 1 / 6, 1 / 24, 1097 / 120000, 161 / 120000, 1 / 24000]
    f2 = [1, 1, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 600, 0]
    assert stability(DOPRI5.b - DOPRI5.b_error) == pytest.approx(f1, abs=1e-15)
    assert stability(DOPRI5.b) == pytest.approx(f2, abs=1e-15)


def printed_interpolant() -> np.ndarray:
    """(P9.1f) to (P9.1l): weights of the stages by powers of sigma."""
    s = Polynomial([0, 1])
    weights = [
        -(435 * s**3 - 1184 * s**2 + 1098 * s - 384) / 384,
        0 * s,
        500 * s * (6 * s**2 - 14 * s + 9) / 1113,
        -125 * s * (9 * s**2 - 16 * s + 6) / 192,
        729 * s * (35 * s**2 - 64 * s + 26) / 6784,
        -11 * s * (3 * s - 2) * (5 * s - 6) / 84,
        s * (s - 1) * (5 * s - 3) / 2,
    ]
    return np.array([np.resize(np.append((s * w).coef[1:], [0] * 4), 4) for w in weights])


def defects(dense: np.ndarray, sigma: float) -> list[float]:
    """Of the order conditions up to four, and the first of order five."""
    a, c = DOPRI5.a, DOPRI5.c
    w = dense @ sigma ** np.arange(1, 5)
    return [
        *(w.sum() - sigma, w @ c - sigma**2 / 2, w @ c**2 - sigma**3 / 3),
        *(w @ a @ c - sigma**3 / 6, w @ c**3 - sigma**4 / 4, w @ (c * (a @ c)) - sigma**4 / 8),
        *(w @ a @ c**2 - sigma**4 / 12, w @ a @ a @ c - sigma**4 / 24),
        w @ c**4 - sigma**5 / 5,
    ]


def test_EVT_13_our_interpolant_and_the_printed_one_belong_to_one_family():
    """The text calls its interpolant accurate to the fifth order. It meets the conditions up to the
    fourth, as ours does; both begin and end alike, and differ by a multiple of sigma^2 (1 - sigma)^2."""
    printed = printed_interpolant()
    for dense in (printed, DOPRI5.dense):
        assert dense.sum(axis=1) == pytest.approx(DOPRI5.b, abs=1e-14)  # (P9.1e)
        for sigma in (0.2, 0.5, 0.9):
            found = defects(dense, sigma)
            assert np.abs(found[:8]).max() < 1e-14
            assert abs(found[8]) > 1e-5
    apart = printed - DOPRI5.dense
    bump = np.array([0.0, 1.0, -2.0, 1.0])
    np.testing.assert_allclose(apart, np.outer(apart[:, 1], bump), atol=1e-14)


def test_EVT_13_rkf45_propagates_the_fourth_order():
    conditions = [RKF45.b @ RKF45.c**k - 1 / (k + 1) for k in range(4)]
    assert np.abs(conditions).max() < 1e-15
    assert abs(RKF45.b @ RKF45.c**4 - 1 / 5) > 1e-4


# ---------------------------------------------------------------- Radau IIA, stiff and discontinuous

STIFF = RELAY.replace(
    "Real x(start = 0, fixed = true);",
    "Real x(start = 0, fixed = true), y(start = 0, fixed = true);",
).replace("der(x)", "der(y) = 1e7*(x - y);\n  der(x)")


@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10])
def test_EVT_13_radau_with_dense_output_switches_a_stiff_model_at_exact_times(tmp_path, tolerance):
    model = load(tmp_path, STIFF)
    r = model.simulate(stop=7.0, tol=tolerance, solver="radau", interval=1e-3)
    toggles = r["time"][1:][np.diff(r["on"]) != 0]
    assert toggles == pytest.approx(TOGGLES, abs=10 * tolerance)
    # Dense output: 7000 points from a few hundred steps, exact between the first two switchings.
    assert r.stats["steps"] < 2000
    rising = r["time"] < TOGGLES[0]
    assert np.abs(r["x"] + np.expm1(-r["time"]))[rising].max() < 2 * tolerance
    assert np.abs(r["y"] - r["x"])[r["time"] > 1e-5].max() < 2e-7 + tolerance


def test_EVT_13_ideal_elements_have_steps_of_their_own(tmp_path):
    ideal = "model Ideal Real i(start=0, fixed=true), v, s; equation der(i) = sin(time) - v;"
    corner = " v = if s < 0 then s else 0; i = if s < 0 then 0 else s; end Ideal;"
    with pytest.raises(UsageError) as caught:
        load(tmp_path, ideal + corner).simulate(solver="dopri5", step_control="optimistic")
    [told] = caught.value.diagnostics
    assert told.code == "U027"
    assert told.help == "leave --step-control out"
