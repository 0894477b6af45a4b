"""EVT-7: folds of loops that are written as plain equations, against closed forms.

At a fold of i = s^3 - 3*s the states are continuous and s jumps to the branch ahead, as it does with a
parasitic eps*der(s) = i - (s^3 - 3*s). A loop keeps its branch everywhere else.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, log, pi, sin, sqrt

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError

HALF = 4.5 - 3 * log(2)  # of the period: the integral of (3 s^2 - 3)/s from 1 to 2
FIRST = 1.5 * (3 - 1) - 3 * log(sqrt(3))  # from i = 0, s = sqrt(3) to the fold


@pytest.fixture
def load(tmp_path):
    def from_text(text, **options):
        path = tmp_path / "M.mo"
        path.write_text(text)
        return fw.load(path, **options)

    return from_text


def oscillator(ampere=1.0, volt=1.0, second=1.0):
    return f"""model M
      parameter Real A = {ampere}, V = {volt}, T = {second};
      Real i(start=0, fixed=true, nominal=A), s(start=1.7*V);
    equation
      T/A*der(i) = -s/V;
      i/A = (s/V)^3 - 3*s/V;
    end M;"""


def jumps(r, name="s", least=0.5):
    x = r[name]
    size = np.abs(x).max()
    return [
        (float(a), float(x[k]), float(x[k + 1]))
        for k, (a, b) in enumerate(pairwise(r.time))
        if a == b and abs(x[k + 1] - x[k]) > least * size
    ]


def check_oscillation(r, count, rtol, volt=1.0, second=1.0, name="s"):
    expected = [(FIRST + k * HALF, (-1) ** k, -2 * (-1) ** k) for k in range(count)]
    found = [(t / second, a / volt, b / volt) for t, a, b in jumps(r, name)]
    np.testing.assert_allclose(found, expected, rtol=rtol)
    assert len(r.events) == count


@pytest.mark.parametrize("tol", [1e-3, 1e-4, 1e-6, 1e-8, 1e-10])
def test_EVT_7_a_cubic_jumps_from_its_fold_to_the_outer_branch(load, tol):
    r = load(oscillator()).simulate(stop=11, tol=tol)
    check_oscillation(r, 4, max(tol, 3e-7))
    assert "`s` jumps from 1 to -2 at a fold" in r.events[0].causes[0]


@pytest.mark.parametrize(
    "units",
    [
        *((1e-6, 1e3, 1), (1e6, 1e-3, 1), (1e-6, 1e-6, 1e-6), (1e6, 1e6, 1e6)),
        *((1e-6, 1e6, 1), (1e6, 1e-6, 1), (1e-9, 1, 1e3)),
    ],
)
def test_EVT_7_folds_of_loops_in_other_units(load, units):
    model = load(oscillator(*units))
    for tol in (1e-3, 1e-6, 1e-9):
        r = model.simulate(stop=6 * units[2], tol=tol)
        check_oscillation(r, 2, max(tol, 3e-6), *units[1:])


@pytest.mark.parametrize("solver", ["dopri5", "rodas4", "radau", "rk4", "cvode"])
def test_EVT_7_every_method_meets_the_fold(load, solver):
    r = load(oscillator()).simulate(stop=6, tol=1e-6, solver=solver)
    check_oscillation(r, 2, 1e-5)


def test_EVT_7_the_reference_meets_the_fold_too(load):
    check_oscillation(load(oscillator(), backend="python").simulate(stop=2), 1, 1e-6)


@pytest.mark.parametrize("count", [10, pytest.param(100, marks=pytest.mark.long)])
def test_EVT_7_many_oscillators_jump_one_by_one(load, count):
    r = load(f"""model M
      Real i[{count}](each start=0, each fixed=true), s[{count}](each start=1.7);
    equation
      for k in 1:{count} loop
        (1 + 0.1*k/{count})*der(i[k]) = -s[k];
        i[k] = s[k]^3 - 3*s[k];
      end for;
    end M;""").simulate(stop=7, tol=1e-6)
    for k in (1, count):
        slow = 1 + 0.1 * k / count
        times = [t / slow for t, _, _ in jumps(r, f"s[{k}]")]
        np.testing.assert_allclose(times, [FIRST + j * HALF for j in range(len(times))], rtol=1e-6)
        assert len(times) >= 2


def test_EVT_7_identical_oscillators_jump_together(load):
    r = load("""model M
      Real i[5](each start=0, each fixed=true), s[5](each start=1.7);
    equation
      der(i) = -s;
      i = s.^3 - 3*s;
    end M;""").simulate(stop=6)
    for k in range(1, 6):
        check_oscillation(r, 2, 1e-6, name=f"s[{k}]")


def test_EVT_7_van_der_Pol_without_its_parasitic(load):
    """Lienard's form: the period of relaxation is 3 - 2 ln 2."""
    r = load("""model M Real y(start=0.5, fixed=true), x(start=1.9);
    equation y = x^3/3 - x; der(y) = -x; end M;""").simulate(stop=6, tol=1e-8)
    times = [t for t, _, _ in jumps(r, "x")]
    assert len(times) == 7
    np.testing.assert_allclose(np.diff(times), (3 - 2 * log(2)) / 2, rtol=1e-7)


@pytest.mark.long
@pytest.mark.parametrize("eps", [1e-4, 1e-5, 1e-6])
def test_EVT_7_a_small_parasitic_gives_nearly_the_same(load, eps):
    """The period of relaxation oscillations approaches its limit with eps^(2/3)."""
    r = load(f"""model M
      Real i(start=0, fixed=true), s(start=1.7, fixed=true); Integer n(start=0, fixed=true);
    equation der(i) = -s; {eps}*der(s) = i - (s^3 - 3*s);
      when s < 0 then n = pre(n) + 1; end when; end M;""").simulate(
        stop=30, tol=1e-8, solver="radau"
    )
    times = [e.time for e in r.events]
    assert np.diff(times)[1:] == pytest.approx(HALF, abs=4 * eps ** (2 / 3))


SEVERAL = {
    2: "i = (a + z)^3 - 3*(a + z); a - z = 0.2*tanh(a*z) + 0.7;",
    3: "i = a*z + b; a = (b + z)^2 - 3; b = z - 0.1*sin(a);",
    5: "a = tanh(2*b) + 0.9*i; b = tanh(2*z); z = tanh(2*c); c = tanh(2*d); d = tanh(2*a) - 0.05*d^3;",
}


@pytest.mark.parametrize("count", SEVERAL)
def test_EVT_7_a_fold_in_a_loop_of_several_unknowns(load, count):
    """All equations hold on both sides of each jump, and the branch has the sense it had before."""
    names = {2: "az", 3: "abz", 5: "abczd"}[count]
    unknowns = ", ".join(f"{n}(start=1)" for n in names)
    r = load(f"""model M Real i, {unknowns}; Real x(start=0, fixed=true), y(start=1, fixed=true);
      equation der(x) = y; der(y) = -x; i = 3*x; {SEVERAL[count]} end M;""")
    r = r.simulate(stop=20, tol=1e-8)
    assert len(r.events) >= 4
    gaps = np.diff([e.time for e in r.events][-4:])
    assert gaps[::2] == pytest.approx(gaps[0], rel=1e-5)  # driven by a sine: it repeats
    for e in r.events:
        left, right = np.flatnonzero(r.time == e.time)[[0, -1]]
        assert r["i"][left] == pytest.approx(r["i"][right], abs=1e-6)


TUNNEL = """model M
  parameter Real L = 1e-6, R = 5, E = 0.3;
  Real i(start=0, fixed=true, nominal=1e-3), v(start=0);
equation L*der(i) = E - R*i - v; i = 0.0545*v - 0.268*v^2 + 0.3559*v^3; end M;"""


def test_EVT_7_a_tunnel_diode_oscillates(load):
    r = load(TUNNEL).simulate(stop=1e-7, tol=1e-8)
    peak, valley = np.sort(np.roots([3 * 0.3559, -2 * 0.268, 0.0545]))
    found = jumps(r, "v", 0.3)
    assert len(found) >= 6
    np.testing.assert_allclose([a for _, a, _ in found[:6]], [peak, valley] * 3, rtol=1e-5)
    curve = np.poly1d([0.3559, -0.268, 0.0545, 0])
    np.testing.assert_allclose([curve(b) - curve(a) for _, a, b in found], 0, atol=1e-9)


# ---------------------------------------------------------------- branches that go on


@pytest.mark.parametrize("tol", [1e-2, 1e-3, 1e-6])
@pytest.mark.parametrize("side", [1, -1])
def test_EVT_7_a_loop_keeps_its_side_of_a_circle(load, tol, side):
    r = load(f"""model M Real x(start=0, fixed=true), y(start={side});
      equation x^2 + y^2 = 1; der(x) = 0.999*cos(time); end M;""").simulate(stop=30, tol=tol)
    np.testing.assert_allclose(r["y"], side * np.sqrt(1 - r["x"] ** 2), atol=1e-6)
    assert not r.events


@pytest.mark.parametrize(
    ("equation", "start", "value"),
    [
        ("sin(y) = x", 3.0, lambda x: pi - np.arcsin(x)),
        ("sin(y) = x", 6.0, lambda x: 2 * pi + np.arcsin(x)),
        ("cos(y) = x", -1.5, lambda x: -np.arccos(x)),
        ("y^2 - 2*y = x", -0.5, lambda x: 1 - np.sqrt(1 + x)),
    ],
)
@pytest.mark.parametrize("tol", [1e-2, 1e-5])
def test_EVT_7_a_start_value_chooses_the_branch_for_good(load, equation, start, value, tol):
    r = load(f"""model M Real x(start=-0.5, fixed=true), y(start={start});
      equation {equation}; der(x) = 0.45*sin(time); end M;""").simulate(stop=20, tol=tol)
    np.testing.assert_allclose(r["y"], value(r["x"]), atol=1e-6)


def test_EVT_7_loops_that_only_outputs_need_are_followed(load):
    """s^3 - 3*s = 3*sin(t), with and without states."""
    texts = [
        "Real s(start=1.8); equation s^3 - 3*s = 3*sin(time);",
        "Real s(start=1.8), x(start=0, fixed=true); equation der(x) = cos(time); s^3 - 3*s = 3*x;",
    ]
    for text in texts:
        r = load(f"model M {text} end M;").simulate(stop=13, tol=1e-8)
        down = pi + np.arcsin(2 / 3)  # where 3 sin t falls to -2
        np.testing.assert_allclose([t for t, _, _ in jumps(r)], down + pi * np.arange(3), rtol=1e-6)


# ---------------------------------------------------------------- no way on, and starts on a fold


def failure(model, **options):
    with pytest.raises(SimulationError) as told:
        model.simulate(**options)
    return told.value.diagnostics[0]


@pytest.mark.parametrize(
    ("equation", "rate", "start", "when"),
    [
        ("x^2 + s^2 = 1", "1", 1, 1.0),
        ("x = 1 - s^2", "0.5", -1, 2.0),
        ("cosh(s) = 2 - x", "1", 1, 1.0),
    ],
)
def test_EVT_7_a_branch_that_ends_is_named(load, equation, rate, start, when):
    text = f"""model M Real x(start=0, fixed=true), s(start={start});
      equation {equation}; der(x) = {rate}; end M;"""
    for tol in (1e-3, 1e-8):
        told = failure(load(text), stop=3, tol=tol)
        assert told.code == "R153"
        assert f"at time {when:g}" in told.message
        assert "`s`" in told.message
        assert equation in told.message


@pytest.mark.parametrize("side", [1, -1])
def test_EVT_7_a_start_value_chooses_the_branch_at_a_turning_point(load, side):
    text = f"model M Real i(start=0, fixed=true), s(start={side}); equation i = s^2; der(i) = 1; end M;"
    r = load(text).simulate(stop=2, tol=1e-8)
    np.testing.assert_allclose(r["s"], side * np.sqrt(r.time), atol=1e-5)


@pytest.mark.parametrize(("start", "rate"), [(0, 1), (1, -1)])
def test_EVT_7_a_start_on_a_fold_that_leaves_no_way_or_two_is_told(load, start, rate):
    text = f"model M Real i(start=0, fixed=true), s(start={start}); equation i = s^2; der(i) = {rate}; end M;"
    told = failure(load(text), stop=2)
    assert told.code == "R154"
    assert "`s`" in told.message


def test_EVT_7_a_horizontal_point_that_is_no_fold_is_passed(load):
    text = "model M Real i(start=A, fixed=true), s(start=A); equation i = s^3 + 0*s^5; der(i) = 1; end M;"
    for start in (-1, 0):
        r = load(text.replace("A", str(start))).simulate(stop=2, tol=1e-8)
        np.testing.assert_allclose(r["s"], np.cbrt(start + r.time), atol=2e-3)
        assert not r.events


QUANTIZED = ["qss1", "qss2", "qss3", "liqss1", "liqss2", "liqss3", "mliqss2"]
FOLDED = {
    "cubic": ("der(x) = -s; x = s^3 - 3*s", 1.7, FIRST),
    "circle": ("der(x) = 1; x^2 + s^2 = 1", 1.0, 1.0),
    "sine": ("der(x) = 1; x = sin(s) + 0.1*s", 0.0, 0.1 * np.arccos(-0.1) + sqrt(0.99)),
    "by time": ("der(x) = s; s^3 - 3*s = 3*sin(time)", 1.8, pi + np.arcsin(2 / 3)),
}


@pytest.mark.parametrize("solver", QUANTIZED)
@pytest.mark.parametrize("name", FOLDED)
def test_EVT_7_quantized_states_say_that_they_follow_no_branch(load, name, solver):
    equations, start, when = FOLDED[name]
    text = f"model M Real x(start=0, fixed=true), s(start={start}); equation {equations}; end M;"
    model = load(text)
    for tol in (1e-2,) if solver.endswith("1") else (1e-2, 1e-4, 1e-6, 1e-8):
        told = failure(model, stop=1.5 * when, solver=solver, tol=tol)
        assert told.code == "R155"
        assert "`s`" in told.message
        at = float(told.message.split("before time ")[1].split()[0])
        assert at == pytest.approx(when, abs=0.02 * when)


@pytest.mark.parametrize("solver", QUANTIZED)
def test_EVT_7_quantized_states_stay_on_a_branch_that_goes_on(load, solver):
    text = "model M Real x(start=0, fixed=true), s(start=1.7); equation der(x) = 1 - x; x = s^3 - 3*s; end M;"
    r = load(text).simulate(stop=3, solver=solver, tol=1e-3)
    np.testing.assert_allclose(r["s"] ** 3 - 3 * r["s"], r["x"], atol=1e-8)
    np.testing.assert_allclose(r["x"], 1 - np.exp(-r.time), atol=2e-2)
    assert r["s"].min() > 1


# ---------------------------------------------------------------- constraints by functions

PENDULUM = """
function f input Real a; input Real b; output Real y;
algorithm y := a^2 + b^2; annotation(Inline=false, derivative=df); end f;
function df input Real a; input Real b; input Real da; input Real db; output Real y;
algorithm y := 2*a*da + 2*b*db; annotation(Inline=false SECOND); end df;
function ddf input Real a; input Real b; input Real da; input Real db; input Real dda; input Real ddb;
  output Real y;
algorithm y := 2*a*dda + 2*b*ddb + 2*da^2 + 2*db^2; end ddf;
model M
  Real x(start=0.6), y(start=-0.8), vx(start=4), vy(start=3), lam;
equation
  der(x) = vx; der(y) = vy;
  der(vx) = -2*lam*x; der(vy) = -2*lam*y - 9.81;
  f(x, y) = 1;
end M;
"""


@pytest.mark.parametrize("second", ["", ", derivative(order=2)=ddf"])
def test_EVT_7_a_constraint_by_a_function_is_followed_round_the_circle(load, second):
    """A pendulum whose speed carries it over the top: no state is good all the way, and no mirror root
    is taken."""
    r = load(PENDULUM.replace("SECOND", second)).simulate(stop=4, tol=1e-9)
    angle = np.unwrap(np.arctan2(r["x"], -r["y"]))
    energy = 0.5 * (r["vx"] ** 2 + r["vy"] ** 2) + 9.81 * r["y"]
    np.testing.assert_allclose(energy, energy[0], atol=1e-5)
    velocity = r["vx"] * np.cos(angle) + r["vy"] * np.sin(angle)
    turned = np.concatenate(
        [[0.0], np.cumsum(np.diff(r.time) * (velocity[1:] + velocity[:-1]) / 2)]
    )
    np.testing.assert_allclose(angle - angle[0], turned, atol=1e-2)
    np.testing.assert_allclose(r["x"] ** 2 + r["y"] ** 2, 1, atol=1e-7)
    assert cos(angle[0]) == pytest.approx(0.8)
    assert sin(angle[0]) == pytest.approx(0.6)


CORNERS = """model M "a diode between three coils that keep their states"
  Real u = 10*sin(5*time), ia(start=0, fixed=true), ib(start=0, fixed=true), il(start=0, fixed=true);
  Real s, i, v, vb, ir;
equation
  0.1*der(il) = u - 10*il - vb;
  0.3*der(ib) = vb;
  0.3*der(ia) = -v;
  vb = 3*(ir + il - ib);
  -v - vb = 0.5*ir;
  -v = 10*(ia + ir - i);
  {diode}
end M;"""


@pytest.mark.parametrize("diode", ["0 = min(i, -v); s = 0;", "i = max(i + v, 0); s = 0;"])
@pytest.mark.parametrize("solver", ["auto", "radau"])
@pytest.mark.parametrize("tol", [1e-6, 1e-8])
def test_a_corner_of_a_loop_is_no_fold(diode, solver, tol, load):
    """(R153 where the diode began to conduct: the two unknowns of the loop turn back there.)"""
    branches = "v = if s < 0 then s else 0; i = if s < 0 then 0 else s;"
    expected = load(CORNERS.format(diode=branches)).simulate(stop=3.0, tol=1e-10)

    result = load(CORNERS.format(diode=diode)).simulate(stop=3.0, tol=tol, solver=solver)

    for name in ("ia", "ib", "il"):
        assert result.final(name) == pytest.approx(expected.final(name), abs=10 * tol)
