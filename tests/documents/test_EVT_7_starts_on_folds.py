"""EVT-7: runs that begin exactly on a fold of a smooth curve, or within rounding of one.

The branch that cannot go on jumps at once to the next one that carries the same current; steps that change no
state are not taken for progress.
"""

from __future__ import annotations

from math import acos, pi, sin

import numpy as np
import pytest
from scipy.optimize import brentq

import freewheel as fw
from freewheel.base.diagnostics import SimulationError

TUNNEL = (0.0, 17.76, -103.79, 229.62, -226.31, 83.72)
PEAK, VALLEY = (
    float(root.real)
    for root in sorted(np.polynomial.Polynomial(TUNNEL).deriv().roots(), key=lambda z: z.real)[:2]
)
TEXT = "17.76*x - 103.79*x^2 + 229.62*x^3 - 226.31*x^4 + 83.72*x^5"


def cubic(s):
    return s**3 - 3 * s


def waves(s):
    return sin(s) + 0.2 * s


def tunnel(s):
    return sum(c * s**k for k, c in enumerate(TUNNEL))


# Text, curve, where it folds, which way the current moves, and where it is met again.
CURVES = {
    "cubic, below": ("x^3 - 3*x", cubic, 1.0, -1, (-3.0, -1.5)),
    "cubic, above": ("x^3 - 3*x", cubic, -1.0, 1, (1.5, 3.0)),
    "wave, above": ("sin(x) + 0.2*x", waves, acos(-0.2), 1, (2 * pi - acos(-0.2), 10.0)),
    "wave, below": ("sin(x) + 0.2*x", waves, 2 * pi - acos(-0.2), -1, (-2.0, acos(-0.2))),
    "tunnel, above": (TEXT, tunnel, PEAK, 1, (VALLEY, 2.0)),
    "tunnel, below": (TEXT, tunnel, VALLEY, -1, (-0.1, PEAK)),
    "two unknowns": ("x^3 - 3*b; b + 0.1*b^3 = x + 0.1*x^3", cubic, 1.0, -1, (-3.0, -1.5)),
}
UNITS = [
    *((1.0, 1.0, 1.0), (1e-6, 1.0, 1.0), (1.0, 1e6, 1.0), (1e-6, 1e6, 1e6), (1e6, 1e6, 1e-6)),
    *((1e-6, 1e-6, 1e-6), (1e6, 1e-6, 1e6)),
]


@pytest.fixture
def load(tmp_path):
    def from_text(text):
        path = tmp_path / "m.mo"
        path.write_text(text)
        return fw.load(path)

    return from_text


def model(name, units, away):
    text, curve, fold, way, where = CURVES[name]
    ampere, volt, second = units
    start = fold if away == 0.0 else fold + (0.01 if where[0] < fold else -0.01)
    return f"""model M
      parameter Real A = {ampere}, V = {volt}, T = {second};
      Real i(start = {curve(fold) - way * away!r}*A, fixed = true), s(start = {start!r}*V);
      {f"Real b(start = {start!r});" if "b" in text else ""}
    equation
      der(i) = {way}*A/T;
      i/A = {text.replace("x", "(s/V)")};
    end M;"""


def check(loaded, name, units, tol, away=0.0, **options):
    _, curve, fold, way, where = CURVES[name]
    _, volt, second = units
    r = loaded.simulate(stop=0.1 * second, tol=tol, max_steps=20000, **options)
    end = brentq(lambda s: curve(s) - (curve(fold) + way * (0.1 - away)), *where)
    assert r.final("s") / volt == pytest.approx(end, abs=max(1e-6, 10 * tol))
    (event,) = r.events
    assert "jumps from" in event.causes[0]
    assert event.time <= (2e-8 + 1.1 * away) * second


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("name", CURVES)
def test_EVT_7_a_start_on_a_fold_jumps_at_once(load, name, units):
    loaded = load(model(name, units, 0.0))
    for tol in (1e-3, 1e-6, 1e-10):
        check(loaded, name, units, tol)


@pytest.mark.parametrize("solver", ["dopri5", "rodas4", "radau", "cvode", "ida"])
def test_EVT_7_so_it_does_with_every_method(load, solver):
    for name in ("cubic, below", "tunnel, above", "two unknowns"):
        loaded = load(model(name, UNITS[0], 0.0))
        for tol in (1e-3, 1e-6, 1e-10):
            check(loaded, name, UNITS[0], tol, solver=solver)


@pytest.mark.parametrize("away", [1e-11, 1e-9])
@pytest.mark.parametrize("name", CURVES)
def test_EVT_7_a_fold_soon_after_the_start_is_met(load, name, away):
    """Rounding of the state, not of the time, tells how closely."""
    loaded = load(model(name, UNITS[0], away))
    for tol in (1e-3, 1e-10):
        check(loaded, name, UNITS[0], tol, away)


@pytest.mark.parametrize(("start", "end"), [(1.1, 1.1), (0.9, 0.9)])
def test_EVT_7_a_branch_that_leaves_the_fold_goes_on(load, start, end):
    """The start value chooses between the two that leave it."""
    text = f"""model M Real i(start = -2, fixed = true), s(start = {start});
      equation der(i) = 1; i = s^3 - 3*s; end M;"""
    r = load(text).simulate(stop=cubic(end) + 2, tol=1e-8)
    assert r.final("s") == pytest.approx(end, abs=1e-6)
    assert not r.events


@pytest.mark.parametrize(
    ("curve", "way"),
    [
        ("s^3 - 3*s + 2", 1),  # two branches leave the fold
        ("(s - 1)^2", -1),  # none goes on
        ("(s - 1)^4 - 2*(s - 1)^2", 1),  # one on each side
    ],
)
def test_EVT_7_a_start_on_a_fold_without_one_way_out_is_told(load, curve, way):
    text = f"""model M Real i(start = 0, fixed = true), s(start = 1);
      equation der(i) = {way}; i = {curve}; end M;"""
    with pytest.raises(SimulationError) as told:
        load(text).simulate(stop=1, max_steps=20000)
    assert told.value.diagnostics[0].code == "R154"
    assert "`s`" in told.value.diagnostics[0].message
