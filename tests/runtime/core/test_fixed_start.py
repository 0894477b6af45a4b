"""Fixed start values where ideal elements tie states: proposals yield, contradictions are reported."""

from __future__ import annotations

from math import pi, sqrt

import pytest

import freewheel as fw

TIED = """
model Tied
  Real i1{first}, i2{second}, u;
equation
  der(i1) = -i1 - u;
  3*der(i2) = u - i2;
  if time < 0.5 then i1 = i2; else u = 0; end if;
end Tied;
"""
PENDULUM = """
model Pendulum
  Real x(start = {x}, fixed = true), y(start = {y}), vx(start = 0, fixed = true), vy, F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  if time < 5 then x^2 + y^2 = 1; else F = 0; end if;
end Pendulum;
"""


def simulated(text: str, folder, **options):
    path = folder / "M.mo"
    path.write_text(text)
    return fw.load(path).simulate(**options)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(start = 2, fixed = true)", ""),
        ("", "(start = 2, fixed = true)"),
        ("(start = 2, fixed = true)", "(start = 7)"),
        ("(start = 2e-9, fixed = true)", "(start = 7e-9)"),
    ],
)
def test_a_start_that_is_not_fixed_yields_to_one_that_is(first, second, tmp_path):
    text = TIED.format(first=first, second=second)
    result = simulated(text, tmp_path, stop=1, impulses="error")

    wished = 2e-9 if "e-9" in first else 2.0
    assert result["i1"][0] == pytest.approx(wished, rel=1e-12)
    assert result["i2"][0] == pytest.approx(wished, rel=1e-12)


def test_two_fixed_starts_that_disagree_are_an_impulse(tmp_path):
    text = TIED.format(first="(start = 1, fixed = true)", second="(start = 5, fixed = true)")
    result = simulated(text, tmp_path, stop=1)

    assert result["i1"][0] == pytest.approx(4.0, rel=1e-12)  # (1*1 + 3*5)/4
    assert [w.code for w in result.warnings] == ["R131"]


def test_proposals_alone_are_made_consistent_as_at_any_event(tmp_path):
    text = TIED.format(first="(start = 1)", second="(start = 5)")

    assert simulated(text, tmp_path, stop=1)["i1"][0] == pytest.approx(4.0, rel=1e-12)


@pytest.mark.parametrize("y", [-0.3, -0.8, -1.2])
def test_a_constraint_that_is_curved_is_met_by_what_is_not_fixed(y, tmp_path):
    x = sqrt(0.5)
    result = simulated(PENDULUM.format(x=x, y=y), tmp_path, stop=0.1, impulses="error")

    assert result["x"][0] == pytest.approx(x, rel=1e-9)  # to which a fixed value is kept
    assert result["y"][0] == pytest.approx(-x, rel=1e-9)
    assert result["vx"][0] == pytest.approx(0.0, abs=1e-9)


def test_a_state_that_is_none_in_the_first_mode_takes_over_from_a_fixed_start(tmp_path):
    """b leads: `der(a) = 1` stores a, whose start is not said."""
    text = """
model Led
  Real b(start = 1, fixed = true), a;
equation
  if time > 3 then -der(b) = 1; else 2*b = 2*a; end if;
  1 = der(a);
end Led;
"""
    assert simulated(text, tmp_path, stop=4).final("b") == pytest.approx(3.0, rel=1e-12)


def test_a_fixed_start_that_cannot_hold_and_makes_no_impulse_is_reported(tmp_path):
    text = """
model Given
  Real x(start = {start}, fixed = true);
equation
  if time <= 0.5 then x = 100; else der(x) = 5; end if;
end Given;
"""
    result = simulated(text.format(start=3), tmp_path, stop=1)
    assert result.final("x") == pytest.approx(102.5, rel=1e-12)
    assert [w.code for w in result.warnings] == ["R141"]
    assert "`x` = 3 (it is 100)" in result.warnings[0].message

    assert not simulated(text.format(start=100), tmp_path, stop=1).warnings


def test_a_source_of_a_peak_detector_is_not_asked(tmp_path):
    """No value is fixed: the capacitor follows the source, as before."""
    text = f"""
model Peak
  Modelica.Electrical.Analog.Sources.SineVoltage U(V = 10, f = 50, phase = {pi / 2});
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron = 0, Goff = 0, Vknee = 0);
  Modelica.Electrical.Analog.Basic.Capacitor C(C = 1e-3);
  Modelica.Electrical.Analog.Basic.Resistor R(R = 50);
  Modelica.Electrical.Analog.Basic.Ground g;
equation
  connect(U.p, D.p);
  connect(D.n, C.p);
  connect(R.p, C.p);
  connect(C.n, g.p);
  connect(R.n, g.p);
  connect(U.n, g.p);
end Peak;
"""
    assert simulated(text, tmp_path, stop=0.001)["C.v"][0] == pytest.approx(10.0, rel=1e-9)


def test_a_damper_on_a_given_motion_takes_over_no_start_and_no_impulse(tmp_path):
    """Its relative angle and speed follow; the rate `a` that it names counts nowhere."""
    text = """
model Damper
  Real phi(start = 0, stateSelect = StateSelect.prefer);
  Real w(start = 0, stateSelect = StateSelect.prefer);
  Real a, tau;
equation
  w = der(phi);
  a = der(w);
  tau = 5*phi + w;
end Damper;

model M
  Damper d;
  Real phi(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  w = der(phi);
  der(w) = -d.tau;
  d.phi = phi - (if time < 0 then 0 else sin(3*time));
end M;
"""
    path = tmp_path / "M.mo"
    path.write_text(text)
    model = fw.load(path)
    result = model.simulate(stop=0.1)

    assert not result.impulses
    assert result["d.w"][0] == pytest.approx(-3.0, rel=1e-12)
    assert not model.upto("structure").ordered.warnings
    assert not result.warnings


CLUTCH = """
model Wheel
  Real w, a, tau;
equation
  a = der(w);
  2*a = tau;
end Wheel;

model Drag
  Real w(start = 0, stateSelect = StateSelect.prefer), a, tau;
equation
  a = der(w);
  tau = 0.5*w;
end Drag;

model M
  parameter Real v = 0;
  Wheel e(w{first}), c(w{second});
  Drag k;
  Real tau;
equation
  k.w = v - c.w;
  e.tau = -tau;
  c.tau = tau + k.tau;
  if time < 0.5 then e.w = c.w; else tau = 0; end if;
end M;
"""


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("(start = 10)", "(start = 10)", 10.0),
        ("(start = 10, fixed = true)", "(start = 4)", 10.0),
        ("(start = 4)", "(start = 10, fixed = true)", 10.0),
        ("(start = 10)", "(start = 4)", 7.0),  # proposals alone
    ],
)
def test_a_preferred_state_of_a_class_proposes_nothing_beside_the_model(
    first, second, expected, tmp_path
):
    result = simulated(CLUTCH.format(first=first, second=second), tmp_path, stop=0.1)

    assert result["e.w"][0] == pytest.approx(expected, rel=1e-9)
    assert result["c.w"][0] == pytest.approx(expected, rel=1e-9)
    assert bool(result.impulses) == (expected == 7.0)
