"""VAR: starts of shafts that are switched ideally, with dampers, springs and sensors as preferred states.

Start values with `fixed = true` that agree are accepted whichever states are chosen; a start value that is
not fixed is a guess and gives way.
"""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError

DOG = """
model Dog "ideal dog clutch: engaged -> same speed, else no torque"
  extends Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlanges;
  Boolean engaged;
  Real w_rel, tau;
equation
  w_rel = der(flange_b.phi) - der(flange_a.phi);
  flange_b.tau = tau;
  flange_a.tau = -tau;
  0 = if engaged then w_rel else tau;
end Dog;
model M
  import Modelica.Mechanics.Rotational.Components.*;
  import Modelica.Mechanics.Rotational.Sensors.*;
  Inertia e(J=0.2, phi(start=0, fixed=true){e});
  Inertia c(J=5, phi(start=0, fixed=true){c});
  Dog d1(engaged = time < 1);
  Fixed fixed;
  {parts}
{initial}
equation
  connect(e.flange_b, d1.flange_a);
  connect(d1.flange_b, c.flange_a);
  {connections}
end M;
"""
TEN = ", w(start=10, fixed=true)"
DRAG = "Damper drag(d=0.5{});"
PLAIN = DRAG.format("")
ON_C = "connect(c.flange_b, drag.flange_a); connect(drag.flange_b, fixed.flange);"


@pytest.fixture
def load(tmp_path):
    def from_text(e=TEN, c=TEN, parts=PLAIN, connections=ON_C, initial=""):
        text = DOG
        for key, value in (("e", e), ("c", c), ("parts", parts), ("connections", connections)):
            text = text.replace(f"{{{key}}}", value)
        path = tmp_path / "m.mo"
        path.write_text(text.replace("{initial}", initial))
        return fw.load(path)

    return from_text


def _dragged(r):
    """Both with 5.2 kgm2 until 1 s, then only the second one is dragged."""
    np.testing.assert_allclose(r["e.w"][0], 10, rtol=1e-12)
    np.testing.assert_allclose(r["c.w"][0], 10, rtol=1e-12)
    np.testing.assert_allclose(r["e.w"][-1], 10 * exp(-0.5 / 5.2), rtol=1e-7)
    np.testing.assert_allclose(r["c.w"][-1], 10 * exp(-0.5 / 5.2 - 0.5 / 5), rtol=1e-7)
    assert not r.impulses


@pytest.mark.parametrize(
    "more",
    [
        "",
        ", stateSelect=StateSelect.always",
        ", stateSelect=StateSelect.avoid",
        ", phi_rel(start=0, fixed=true), w_rel(start=-10, fixed=true)",
        ", w_rel(start=3)",
    ],
)
def test_VAR_a_damper_on_a_switched_shaft_starts(load, more):
    _dragged(load(parts=DRAG.format(more)).simulate(stop=2, tol=1e-9))


def test_VAR_initial_equations_may_give_the_speeds(load):
    initial = "initial equation e.w = 10; c.w = e.w;"
    _dragged(load(e="", c="", initial=initial).simulate(stop=2, tol=1e-9))


def test_VAR_a_sensor_may_give_the_speed(load):
    parts = PLAIN + " SpeedSensor s(w(start=10, fixed=true));"
    connections = ON_C + " connect(s.flange, c.flange_b);"
    _dragged(load(c="", parts=parts, connections=connections).simulate(stop=2, tol=1e-9))


@pytest.mark.parametrize("c", ["", ", w(start=3)"])
def test_VAR_of_joined_shafts_one_given_speed_is_enough(load, c):
    _dragged(load(c=c).simulate(stop=2, tol=1e-9))


def test_VAR_a_guess_gives_way_without_a_damper(load):
    r = load(c="", parts="", connections="").simulate(stop=2)
    np.testing.assert_allclose(r["e.w"], 10, rtol=1e-12)
    assert not r.impulses


def test_VAR_two_given_speeds_that_differ_meet_by_an_impulse(load):
    """As before: both are given, so what a closed clutch does to them is an impact."""
    r = load(e=", w(start=20, fixed=true)").simulate(stop=0.1, impulses="accept")
    assert r["e.w"][0] == pytest.approx((0.2 * 20 + 5 * 10) / 5.2)
    assert r.impulses


def test_VAR_given_speeds_of_one_shaft_that_contradict_are_refused(load):
    with pytest.raises(SimulationError) as told:
        load(parts=DRAG.format(", w_rel(start=-9, fixed=true)")).simulate()
    assert told.value.diagnostics[0].code == "R125"
    assert "drag.w_rel = -9" in told.value.diagnostics[0].message


def test_VAR_a_shaft_at_rest_takes_its_partner_along(load):
    """der(c.w) = 0 with a torque of 2 Nm on a damper of 0.5 Nms: 4 rad/s, of both."""
    parts = PLAIN + " Modelica.Mechanics.Rotational.Sources.ConstantTorque T(tau_constant=2);"
    connections = ON_C + " connect(T.flange, c.flange_b);"
    model = load("", "", parts, connections, "initial equation der(c.w) = 0;")
    r = model.simulate(stop=0.9)
    np.testing.assert_allclose(r["e.w"], 4, rtol=1e-9)
    np.testing.assert_allclose(r["c.w"], 4, rtol=1e-9)


@pytest.mark.parametrize("size", [3, 10])
def test_VAR_many_shafts_with_dampers_start(tmp_path, size):
    text = (
        DOG[: DOG.index("model M")]
        + f"""
    model M
      import Modelica.Mechanics.Rotational.Components.*;
      parameter Integer n = {size};
      Inertia a[n](each J=1, each phi(start=0, fixed=true), each w(start=10, fixed=true));
      Dog d[n - 1](each engaged = time < 0.5);
      Damper dr[n](d = {{0.1*k for k in 1:n}});
      Fixed fixed;
    equation
      for k in 1:n - 1 loop
        connect(a[k].flange_b, d[k].flange_a);
        connect(d[k].flange_b, a[k + 1].flange_a);
      end for;
      for k in 1:n loop
        connect(a[k].flange_a, dr[k].flange_a);
        connect(dr[k].flange_b, fixed.flange);
      end for;
    end M;"""
    )
    path = tmp_path / "m.mo"
    path.write_text(text)
    r = fw.load(path).simulate(stop=1, tol=1e-9)
    together = 10 * exp(-0.5 * 0.1 * (size + 1) / 2)
    for k in range(1, size + 1):
        assert r[f"a[{k}].w"][0] == pytest.approx(10, rel=1e-12)
        assert r[f"a[{k}].w"][-1] == pytest.approx(together * exp(-0.5 * 0.1 * k), rel=1e-7)


def test_VAR_capacitors_that_a_switch_joins_begin_with_the_given_voltage(tmp_path):
    text = """model M
      Modelica.Electrical.Analog.Basic.Capacitor a(C=1e-6, v(start=10, fixed=true)), b(C=5e-6);
      Modelica.Electrical.Analog.Ideal.IdealClosingSwitch s(Ron=0, Goff=0, control = time < 1);
      Modelica.Electrical.Analog.Basic.Ground g;
    equation
      connect(a.p, s.p); connect(s.n, b.p); connect(a.n, g.p); connect(b.n, g.p);
    end M;"""
    path = tmp_path / "m.mo"
    path.write_text(text)
    r = fw.load(path).simulate()
    np.testing.assert_allclose(r["b.v"], 10, rtol=1e-12)
    assert not r.impulses
