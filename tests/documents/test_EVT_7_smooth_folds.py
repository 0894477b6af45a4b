"""EVT-7: curves that are smooth at their folds, driven through an inductor, against closed forms.

At the peak of i = 1 - (s - 1)^2 the current is continuous and s jumps to the branch that carries it.
"""

from __future__ import annotations

from itertools import pairwise
from math import log, sqrt

import numpy as np
import pytest
from scipy.integrate import quad

import freewheel as fw
from freewheel.base.diagnostics import SimulationError

U, R = 1.6, 0.1
RISE = "s < 0 then 0 elseif s < 1 then 1 - (s - 1)^2"
FALLS = {
    "line": "1 - 0.9*(s - 1)",
    "parabola": "1 - 0.9*(s - 1)^2",
    "smooth at both ends": "0.1 + 0.9*(2 - s)^2*(2*s - 1)",
}


@pytest.fixture
def load(tmp_path):
    def from_text(text):
        path = tmp_path / "m.mo"
        path.write_text(text)
        return fw.load(path)

    return from_text


def model(curve, volt=1.0, ampere=1.0, second=1.0):
    """di/dt = U - R i - v, in other units."""
    return f"""model M
      parameter Real V = {volt}, A = {ampere};
      Real i(start=0, fixed=true), v, s(start=0);
    equation
      {second}*V/A*der(i) = {U}*V - {R}*V/A*i - v;
      v = V*(if s < 2 then s else 2);
      i = A*(if {curve});
    end M;"""


def jumps(r, name="s"):
    s = r[name]
    return [
        (float(a), float(s[k]), float(s[k + 1]))
        for k, (a, b) in enumerate(pairwise(r.time))
        if a == b and abs(s[k + 1] - s[k]) > 0.05
    ]


def rise(low, high=1.0):
    """Time on the parabola: di = 2 (1 - s) ds."""
    return quad(lambda s: 2 * (1 - s) / (U - R * (1 - (s - 1) ** 2) - s), low, high, epsabs=1e-13)[
        0
    ]


FALL = log((1 + 0.4 / R) / (0.1 + 0.4 / R)) / R  # v = 2, from i = 1 to i = 0.1
LOW = 1 - sqrt(0.9)  # where the parabola carries 0.1


def expected(count, upper):
    t, found = rise(0.0), []
    for k in range(count):
        found.append((t, 1.0, upper) if k % 2 == 0 else (t, 2.0, LOW))
        t += FALL if k % 2 == 0 else rise(LOW)
    return found


@pytest.mark.parametrize("fall", FALLS)
@pytest.mark.parametrize(("last", "upper"), [("(s - 2)", 2.9), ("(s - 2)^2", 2 + sqrt(0.9))])
def test_EVT_7_a_smooth_peak_jumps_to_the_branch_of_the_same_current(load, fall, last, upper):
    r = load(model(f"{RISE} elseif s < 2 then {FALLS[fall]} else 0.1 + {last}")).simulate(
        stop=7, tol=1e-8
    )
    np.testing.assert_allclose(jumps(r), expected(5, upper), rtol=1e-6)
    assert not r.impulses


def check_units(load, units, tolerances):
    """Without nominal values: nothing that is decided may depend on units."""
    curve = f"{RISE} elseif s < 2 then {FALLS['line']} else 0.1 + (s - 2)"
    loaded = load(model(curve, *units))
    for tol in tolerances:
        r = loaded.simulate(stop=7 * units[2], tol=tol)
        found = [(t / units[2], a, b) for t, a, b in jumps(r)]
        np.testing.assert_allclose(found, expected(5, 2.9), rtol=max(tol, 1e-6), err_msg=f"{tol}")
        assert not r.impulses


TOLERANCES = [10.0**-k for k in range(3, 11)]
SMALL, LARGE = 1e-6, 1e6


@pytest.mark.parametrize(
    "units",
    [
        *((1.0, 1.0, 1.0), (1e3, 1e-3, 1e-6), (1e-3, 1e4, 1e3), (SMALL, SMALL, LARGE)),
        *((SMALL, LARGE, LARGE), (1.0, SMALL, 1.0), (LARGE, LARGE, LARGE), (LARGE, SMALL, SMALL)),
    ],
)
def test_EVT_7_smooth_folds_in_other_units_and_at_other_tolerances(load, units):
    check_units(load, units, TOLERANCES[::2] if units[0] != 1.0 else TOLERANCES)


@pytest.mark.long
@pytest.mark.parametrize("second", [10.0**k for k in range(-6, 7, 3)])
@pytest.mark.parametrize("ampere", [10.0**k for k in range(-6, 7, 3)])
@pytest.mark.parametrize("volt", [10.0**k for k in range(-6, 7, 3)])
def test_EVT_7_smooth_folds_in_all_units(load, volt, ampere, second):
    check_units(load, (volt, ampere, second), TOLERANCES)


# ---------------------------------------------------------------- beside ideal elements, without corners

HALF = 4.5 - 3 * log(
    2
)  # of the period of der(i) = -s, i = s^3 - 3*s: the integral of (3 s^2 - 3)/s
FIRST = 3 - 3 * log(sqrt(3))  # from i = 0, s = sqrt(3) to the fold

CUBIC = "i/A = (s/V)^3 - 3*s/V"
BESIDE = {
    # A diode in series, which conducts: one core with the curve.
    "in the core": """T/A*der(i) = -(s + u)/V;
      u = V*(if z < 0 then z else 0); i + 3*A = A*(if z < 0 then 0 else z); x = 0;""",
    # A core that the curve has nothing to do with, and one that listens to it.
    "in the shell": """T/A*der(i) = -s/V;
      u = if z < 0 then z else 0; T*der(x) = 1 - x - u; x = if z < 0 then 0 else z;""",
    "before the core": """T/A*der(i) = -s/V;
      u = if z < 0 then z else 0; T*der(x) = 1 - x - u + 0.1*s/V; x = if z < 0 then 0 else z;""",
}


def cubic(where, ampere=1.0, volt=1.0, second=1.0, turned=False):
    parts = [*BESIDE[where].split(";")[:-1], CUBIC]
    return f"""model M
      parameter Real A = {ampere}, V = {volt}, T = {second};
      Real i(start=0, fixed=true, nominal=A), s(start=1.7*V, nominal=V), u, z(start=1);
      Real x{"" if where == "in the core" else "(start=0, fixed=true)"};
    equation {";".join(reversed(parts) if turned else parts)}; end M;"""


def check_cubic(r, tol, volt=1.0, second=1.0):
    s = r["s"]
    found = [
        (a / second, s[k] / volt, s[k + 1] / volt)
        for k, (a, b) in enumerate(pairwise(r.time))
        if a == b and abs(s[k + 1] - s[k]) > volt
    ]
    wanted = [(FIRST + k * HALF, (-1) ** k, -2 * (-1) ** k) for k in range(2)]
    np.testing.assert_allclose(found, wanted, rtol=max(tol, 3e-6))
    assert "`s` jumps from " in r.events[0].causes[0]
    assert r.stats["modes visited"] >= 1  # there is a core
    assert not r.impulses


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("where", BESIDE)
def test_EVT_7_a_curve_without_corners_jumps_beside_ideal_elements(load, where, turned):
    loaded = load(cubic(where, turned=turned))
    for tol in TOLERANCES[:: 7 if turned else 1]:
        check_cubic(loaded.simulate(stop=6, tol=tol), tol)


@pytest.mark.parametrize("units", [(1e-6, 1e-6, 1e6), (1e6, 1e-6, 1e-6), (1e-6, 1e6, 1.0)])
@pytest.mark.parametrize("where", BESIDE)
def test_EVT_7_such_curves_in_other_units(load, where, units):
    loaded = load(cubic(where, *units))
    for tol in (1e-3, 1e-6, 1e-10):
        check_cubic(loaded.simulate(stop=6 * units[2], tol=tol), tol, *units[1:])


def test_EVT_7_a_branch_inside_a_core_that_ends_is_named(load):
    """i = s^2 in series with a diode, and the current falls: nothing goes on."""
    text = """model M Real i(start=1, fixed=true), s(start=1), u, z(start=1);
    equation der(i) = -1 - 0*u - 0.1*s; i = s^2; u + s = if z < 0 then z else 0;
      i + 3 = if z < 0 then 0 else z; end M;"""
    with pytest.raises(SimulationError) as told:
        load(text).simulate(stop=3, tol=1e-6)
    assert told.value.diagnostics[0].code == "R153"
    assert "`s`" in told.value.diagnostics[0].message


def test_EVT_7_a_valley_that_is_horizontal_on_the_far_side_is_landed_on(load):
    """The peak is a corner; the last piece begins with slope zero."""
    curve = "s < 0 then 0 elseif s < 1 then s elseif s < 2 then 0.1 + 0.9*(2 - s)^2 else 0.1 + (s - 2)^2"
    r = load(model(curve)).simulate(stop=4, tol=1e-8)
    first = log(U / (U - 1 - R)) / (1 + R)
    assert jumps(r)[0] == pytest.approx((first, 1.0, 2 + sqrt(0.9)), rel=1e-7)
    assert jumps(r)[1] == pytest.approx((first + FALL, 2.0, 0.1), rel=1e-7)
    assert not r.impulses


def test_EVT_7_a_fold_inside_a_piece_leads_to_the_next_piece(load):
    curve = "s < 0 then 0 elseif s < 2 then 1 - (s - 1)^2 else s - 2"
    r = load(model(curve)).simulate(stop=7, tol=1e-8)
    fall = log((1 + 0.4 / R) / (0.4 / R)) / R
    times = [rise(0.0) + k * (rise(0.0) + fall) + d for k in range(3) for d in (0, fall)]
    found = jumps(r)
    np.testing.assert_allclose([t for t, _, _ in found], times[: len(found)], rtol=1e-6)
    assert len(found) == 4
    np.testing.assert_allclose([b for _, _, b in found], [3, 0, 3, 0], atol=1e-6)


def test_EVT_7_a_fold_leads_to_another_branch_of_the_same_piece(load):
    """2 s (s - 1.2)^2 has its peak 0.512 at 0.4, and the same value at 1.6."""
    r = load(model("s < 0 then 0 else 2*s*(s - 1.2)^2")).simulate(stop=7, tol=1e-8)
    ((_, before, after),) = jumps(r)
    assert (before, after) == pytest.approx((0.4, 1.6), abs=1e-5)
    on_curve = 2 * r["s"] * (r["s"] - 1.2) ** 2
    np.testing.assert_allclose(r["i"], on_curve, atol=1e-7)


def test_EVT_7_a_fold_that_leads_nowhere_is_named(load):
    curve = f"{RISE} elseif s < 2 then 1 - 0.5*(s - 1) else 0.5"
    with pytest.raises(SimulationError) as told:
        load(model(curve)).simulate(stop=7)
    assert told.value.diagnostics[0].code == "R146"
    assert "`s` has a fold" in told.value.diagnostics[0].message


def test_EVT_7_of_two_smooth_peaks_in_series_the_lower_one_jumps(load):
    text = """model M Real i(start=0, fixed=true), v, u, s(start=0), z(start=0);
    equation
      der(i) = 3 - 0.1*i - v - u;
      v = if s < 2 then s else 2;
      i = if s < 0 then 0 elseif s < 1 then 1 - (s - 1)^2 elseif s < 2 then 1 - 0.9*(s - 1)^2
        else 0.1 + (s - 2);
      u = if z < 2 then z else 2;
      i = if z < 0 then 0 elseif z < 1 then 1.2*(1 - (z - 1)^2) elseif z < 2 then 1.2 - 0.9*(z - 1)
        else 0.3 + (z - 2);
    end M;"""
    r = load(text).simulate(stop=12, tol=1e-9)

    def slowness(i):
        return 1 / (3 - 0.1 * i - (1 - sqrt(1 - i)) - (1 - sqrt(1 - i / 1.2)))

    ((t, before, after),) = jumps(r)
    assert (t, before, after) == pytest.approx((quad(slowness, 0, 1)[0], 1, 2.9), rel=1e-6)
    assert 0.1 * r["i"][-1] + r["z"][-1] == pytest.approx(1, rel=1e-3)
