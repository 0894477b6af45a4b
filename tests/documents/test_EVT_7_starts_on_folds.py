"""EVT-7: runs that begin exactly on a fold of a smooth curve, or within rounding of one.

The branch that cannot go on jumps at once to the next one that carries the same current; steps that change no
state are not taken for progress.
"""

from __future__ import annotations

from math import acos, pi, sin

import numpy as np
import pytest
from scipy.integrate import quad
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


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("name", CURVES)
def test_EVT_7_start_values_choose_between_two_branches_that_leave_the_fold(
    load, name, units, side
):
    """Newton's method ends within rounding of the fold, on either side of it."""
    text, curve, fold, way, _ = CURVES[name]
    start = fold + side * 0.05 * abs(fold)
    loaded = load(f"""model M
      parameter Real A = {units[0]}, V = {units[1]}, T = {units[2]};
      Real i(start = {curve(fold)!r}*A, fixed = true), s(start = {start!r}*V);
      {f"Real b(start = {start!r});" if "b" in text else ""}
    equation
      der(i) = {-way}*A/T;
      i/A = {text.replace("x", "(s/V)")};
    end M;""")
    end = brentq(lambda s: curve(s) - curve(fold) + 0.01 * way, fold, fold + side * 0.3)
    for tol in (1e-3, 1e-8):
        r = loaded.simulate(stop=0.01 * units[2], tol=tol)
        assert r.final("s") / units[1] == pytest.approx(end, abs=max(1e-6, 10 * tol))
        assert not r.events


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


# ---------------------------------------------------------------- beside ideal elements

DRIVEN = "(1 + 0.05*s/V)"
PLACES = {
    # A diode in series, which conducts: one core with the curve.
    "in the core": """T/A*der(i) = W - u/V;
      u = V*(if z < 0 then z else 0); i + 9*A = A*(if z < 0 then 0 else z); x = 0;""",
    # A core that the curve has nothing to do with, and one that listens to it.
    "in the shell": """T/A*der(i) = W;
      u = if z < 0 then z else 0; T*der(x) = 1 - x - u; x = if z < 0 then 0 else z;""",
    "before the core": """T/A*der(i) = W;
      u = if z < 0 then z else 0; T*der(x) = 1 - x - u + 0.1*s/V; x = if z < 0 then 0 else z;""",
}
IDEAL_UNITS = [(1.0, 1.0, 1.0), (1e6, 1e-6, 1e-6), (1e-6, 1e-6, 1e6), (1e-6, 1e6, 1e6)]


def beside(place, name, units, way, start=None, nominal=True):
    text, curve, fold, _, _ = CURVES[name]
    ampere, volt, second = units
    start = fold if start is None else start
    sizes = (", nominal = A", ", nominal = V") if nominal else ("", "")
    return f"""model M
      parameter Real A = {ampere}, V = {volt}, T = {second};
      Real i(start = {curve(fold)!r}*A, fixed = true{sizes[0]}), s(start = {start!r}*V{sizes[1]});
      Real u, z(start = 1), x{"" if place == "in the core" else "(start = 0, fixed = true)"};
      {f"Real b(start = {start!r});" if "b" in text else ""}
    equation
      {PLACES[place].replace("W", f"({way})*{DRIVEN}")}
      i/A = {text.replace("x", "(s/V)")};
    end M;"""


def driven_from(curve, begin, way, time):
    """Where der(curve(s)) = way*(1 + 0.05*s) leads from s = begin."""

    def passed(end):
        by_parts = curve(end) / (1 + 0.05 * end) - curve(begin) / (1 + 0.05 * begin)
        rest = quad(lambda s: 0.05 * curve(s) / (1 + 0.05 * s) ** 2, begin, end, epsabs=1e-13)[0]
        return way * (by_parts + rest) - time

    return passed


@pytest.mark.parametrize("units", IDEAL_UNITS)
@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("place", PLACES)
def test_EVT_7_so_it_does_beside_ideal_elements(load, place, name, units):
    """In some units the current jumped to zero without a word, and inside a core with an impulse."""
    _, curve, fold, way, where = CURVES[name]
    begin = brentq(lambda s: curve(s) - curve(fold), *where)
    end = brentq(driven_from(curve, begin, way, 0.1), *where)
    loaded = load(beside(place, name, units, way))
    for tol in (1e-3, 1e-6, 1e-9):
        r = loaded.simulate(stop=0.1 * units[2], tol=tol, max_steps=20000)
        assert r.final("s") / units[1] == pytest.approx(end, abs=max(1e-6, 10 * tol))
        (event,) = r.events
        assert "`s` jumps from" in event.causes[0]
        assert event.time <= 2e-8 * units[2]
        assert not r.impulses
        assert not r.warnings


@pytest.mark.parametrize("units", IDEAL_UNITS)
@pytest.mark.parametrize("place", PLACES)
def test_EVT_7_it_needs_no_nominal_values(load, place, units):
    """A state that sets out from zero has no size then."""
    r = load(beside(place, "cubic, below", units, -1, nominal=False)).simulate(stop=0.1 * units[2])
    end = brentq(driven_from(cubic, -2.0, -1, 0.1), -3.0, -1.5)
    assert r.final("s") / units[1] == pytest.approx(end, abs=1e-5)
    assert not r.impulses


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("units", IDEAL_UNITS)
@pytest.mark.parametrize("place", ["in the shell", "before the core"])
@pytest.mark.parametrize("name", ["cubic, below", "tunnel, below", "two unknowns"])
def test_EVT_7_a_branch_beside_ideal_elements_that_leaves_the_fold_goes_on(
    load, name, place, units, side
):
    """The tunnel diode has terms of hundred times their sum: rounding moves its fold by 1e-7."""
    _, curve, fold, way, _ = CURVES[name]
    loaded = load(beside(place, name, units, -way, fold + side * 0.1 * abs(fold)))
    wanted = brentq(driven_from(curve, fold, -way, 0.01), fold, fold + 0.3 * side)
    for tol in (1e-3, 1e-6, 1e-9):
        r = loaded.simulate(stop=0.01 * units[2], tol=tol)
        assert r.final("s") / units[1] == pytest.approx(wanted, abs=max(1e-5, 10 * tol))
        assert not r.events
        assert not r.impulses


@pytest.mark.parametrize("units", IDEAL_UNITS)
@pytest.mark.parametrize("place", PLACES)
def test_EVT_7_beside_ideal_elements_a_start_without_one_way_out_is_told(load, place, units):
    with pytest.raises(SimulationError) as told:
        load(beside(place, "cubic, below", units, 1)).simulate(stop=units[2], max_steps=20000)
    assert told.value.diagnostics[0].code == "R154"
    assert "`s`" in told.value.diagnostics[0].message


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("units", IDEAL_UNITS)
@pytest.mark.parametrize("name", ["cubic, below", "cubic, above", "wave, below", "two unknowns"])
def test_EVT_7_a_branch_in_a_core_that_leaves_the_fold_goes_on_or_the_fold_is_told(
    load, name, units, side
):
    """Steps from a fold fail at tight tolerances; it was told as a step that is too small."""
    _, curve, fold, way, _ = CURVES[name]
    loaded = load(beside("in the core", name, units, -way, fold + side * 0.1 * abs(fold)))
    wanted = brentq(driven_from(curve, fold, -way, 0.01), fold, fold + 0.3 * side)
    for tol in (1e-3, 1e-6, 1e-9):
        found = outcome(loaded, units, tol)
        assert found == "R154" or found == pytest.approx(wanted, abs=max(1e-5, 10 * tol))


def outcome(loaded, units, tol):
    """The last value of s, or the code of the diagnostic, which must name it."""
    try:
        return loaded.simulate(stop=0.01 * units[2], tol=tol).final("s") / units[1]
    except SimulationError as failure:
        told = failure.diagnostics[0]
        return told.code if "`s`" in told.message else told.message
