"""What the library's models do, against physics and numbers known beforehand."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw
from freewheel.result.store import Result

TABLE = "[0, 0, 1; 1, 1, 1; 1, 2, 3; 3, 0, 5]"
TYPES = "Modelica.Blocks.Types"


def run(text: str, tmp_path, **options) -> Result:
    path = tmp_path / "model.mo"
    path.write_text(text)
    return fw.load(path).simulate(**options)


def example(name: str) -> Result:
    return fw.load(f"Modelica.{name}").simulate()


def test_step_response_of_a_second_order_lag():
    result = example("Blocks.Examples.StepResponse")
    w, D, t = 20.0, 0.2, result.time - 0.1
    v = w * np.sqrt(1 - D**2)
    after = t > 0
    expected = 1 - np.exp(-D * w * t) * (np.cos(v * t) + D * w / v * np.sin(v * t))

    assert np.abs(result["weak.y"] - expected)[after].max() < 1e-4
    assert result.final("strong.y") == pytest.approx(1, abs=1e-5)


def test_limited_controller_reaches_its_command():
    result = example("Blocks.Examples.SpeedControl")

    assert result.final("motor.y") == pytest.approx(1, abs=1e-3)
    assert np.abs(result["controller.y"]).max() <= 2 + 1e-9


def test_on_off_controller_keeps_to_its_band():
    result = example("Blocks.Examples.Thermostat")
    settled = result["room.y"][result.time > 15]

    assert settled.min() == pytest.approx(19.5, abs=1e-3)
    assert settled.max() == pytest.approx(20.5, abs=1e-3)


def test_resonance_grows_towards_the_limit_of_its_resistance():
    """The amplitude is V/R (1 - exp(-R t / 2 L))."""
    result = fw.load("Modelica.Electrical.Analog.Examples.Resonance").simulate(stop=0.5)

    expected = 1 / 5 * (1 - np.exp(-5 / 2 * 0.49))
    assert result["R.i"][result.time > 0.48].max() == pytest.approx(expected, rel=0.03)


def test_heated_resistor_finds_its_balance():
    """Cooling G (T - T0) equals heating V^2 / (R (1 + alpha (T - T0)))."""
    rise = example("Electrical.Analog.Examples.WarmResistor").final("body.T") - 293.15

    assert rise * 50 * (1 + 4e-3 * rise) == pytest.approx(230**2, rel=1e-3)


def test_clutch_conserves_angular_momentum():
    result = example("Mechanics.Rotational.Examples.ClutchEngagement")
    momentum = result["driving.w"] + 2 * result["driven.w"]

    assert np.abs(momentum - 50).max() < 1e-4
    assert result.final("clutch.locked") == 1
    assert result.final("driving.w") == pytest.approx(50 / 3, rel=1e-6)


def test_masses_on_springs_conserve_energy():
    result = example("Mechanics.Translational.Examples.TwoMasses")
    kinetic = (result["mass1.v"] ** 2 + result["mass2.v"] ** 2) / 2
    elastic = (result["spring1.f"] ** 2 + result["spring2.f"] ** 2) / 2 / 100

    assert np.abs(kinetic + elastic - 0.5).max() < 1e-4


def test_falling_mass_meets_the_gap_in_time():
    result = example("Mechanics.Translational.Examples.BouncingMass")

    assert result.events[0].time == pytest.approx(np.sqrt(2 / 9.81), rel=1e-9)
    assert result["mass.s"].min() > -0.02


def test_bodies_conserve_heat():
    result = example("Thermal.HeatTransfer.Examples.HotAndCold")
    heat = 10 * result["hot.T"] + 20 * result["cold.T"]

    assert np.abs(heat / heat[0] - 1).max() < 1e-9
    assert result.final("thermometer.T") == pytest.approx(result.final("cold.T") - 273.15)


def time_table(more: str) -> str:
    return f"""model M
      Modelica.Blocks.Sources.CombiTimeTable c(table={TABLE}, {more});
    end M;"""


@pytest.mark.parametrize(
    ("more", "times", "first", "second"),
    [
        (
            f"extrapolation={TYPES}.Extrapolation.Periodic",
            [0.5, 2, 3.5, 5, 6.5],
            [0.5, 1, 0.5, 1, 0.5],
            [1, 4, 1, 4, 1],
        ),
        (
            f"extrapolation={TYPES}.Extrapolation.HoldLastPoint",
            [0.5, 2, 5],
            [0.5, 1, 0],
            [1, 4, 5],
        ),
        ("startTime=0.5", [0.25, 1, 2.5, 4.5], [0, 0.5, 1, -1], [0, 1, 4, 6]),
        (
            f"smoothness={TYPES}.Smoothness.ConstantSegments",
            [0.5, 2, 5],
            [0, 2, -2],  # beyond its ends straight lines, as in the Standard Library
            [1, 3, 7],
        ),
        ("timeScale=2", [1, 4, 8], [0.5, 1, -1], [1, 4, 6]),
        ("offset={10, 20}", [0.5, 2], [10.5, 11], [21, 24]),
    ],
    ids=["periodic", "held", "started late", "steps", "scaled", "offset"],
)
def test_time_table(more, times, first, second, tmp_path):
    result = run(time_table(more), tmp_path, stop=8, interval=0.25)

    assert [result.at("c.y[1]", t) for t in times] == pytest.approx(first, abs=1e-9)
    assert [result.at("c.y[2]", t) for t in times] == pytest.approx(second, abs=1e-9)


def test_tables_over_signals(tmp_path):
    text = """model M
      Modelica.Blocks.Tables.CombiTable1Ds line(table=[0, 0; 1, 1; 3, 9]);
      Modelica.Blocks.Tables.CombiTable2Ds plane(table=[0, 0, 1; 0, 0, 1; 2, 4, 5]);
    equation
      line.u = time;
      plane.u1 = time;
      plane.u2 = time/2;
    end M;"""
    result = run(text, tmp_path, stop=4, interval=0.5)

    assert [result.at("line.y[1]", t) for t in (0.5, 2, 4)] == pytest.approx([0.5, 5, 13])
    assert result.at("plane.y", 1) == pytest.approx(2 + 0.5)  # 2 u1 + u2 on this plane


def test_older_names_still_work(tmp_path):
    text = """model M
      parameter Modelica.SIunits.Frequency f=2;
      Modelica.Blocks.Sources.Sine old(freqHz=f);
      Modelica.Blocks.Sources.Sine new(f=f);
      Modelica.Blocks.Sources.Clock clock;
      Modelica.SIunits.Conversions.NonSIunits.Temperature_degC T=
        Modelica.SIunits.Conversions.to_degC(300);
    end M;"""
    result = run(text, tmp_path, stop=1)

    assert np.array_equal(result["old.y"], result["new.y"])
    assert result.final("clock.y") == pytest.approx(1)
    assert result.final("T") == pytest.approx(26.85)


def test_complex_numbers(tmp_path):
    text = """model M
      import Modelica.ComplexMath.*;
      Complex a=Complex(3, 4);
      Complex b=a*conj(a)/Complex(0, 5);
      Real modulus=Modelica.ComplexMath.abs(a);
      Complex root=Modelica.ComplexMath.sqrt(Complex(-4, 0));
    end M;"""
    result = run(text, tmp_path, stop=1)

    assert result.final("modulus") == pytest.approx(5)
    assert [result.final("b.re"), result.final("b.im")] == pytest.approx([0, -5])
    assert [result.final("root.re"), result.final("root.im")] == pytest.approx([0, 2], abs=1e-12)


def test_matrices(tmp_path):
    text = """model M
      import Modelica.Math.Matrices;
      constant Real A[2, 2]=[4, 1; 2, 3];
      parameter Real x[2]=Matrices.solve(A, {1, 2});
      parameter Real d=Matrices.det(A);
      parameter Real n=Matrices.norm(A, 1);
      parameter Real s=Matrices.norm([3, 0; 0, -7], 2);
      parameter Real E[2, 2]=Matrices.exp([0, 1; -1, 0], 1);
      parameter Real I[2, 2]=A*Matrices.inv(A);
      parameter Real v=Modelica.Math.Vectors.interpolate({0, 1, 3}, {0, 1, 9}, 2);
      parameter Real sorted[3]=Modelica.Math.Vectors.sort({3, 1, 2});
    end M;"""
    result = run(text, tmp_path, stop=1)

    assert [result.final(f"x[{k}]") for k in (1, 2)] == pytest.approx([0.1, 0.6])
    assert result.final("d") == pytest.approx(10)
    assert result.final("n") == 6
    assert result.final("s") == pytest.approx(7)
    assert result.final("E[1,2]") == pytest.approx(np.sin(1), abs=1e-14)
    assert result.final("I[2,1]") == pytest.approx(0, abs=1e-15)
    assert result.final("v") == 5
    assert [result.final(f"sorted[{k}]") for k in (1, 2, 3)] == [1, 2, 3]


def test_a_move_of_several_axes_takes_the_time_of_the_slowest(tmp_path):
    """One first position serves both axes; the second axis has twice the way and twice the limits."""
    text = """model M
      Modelica.Blocks.Sources.KinematicPTP2 move(
        q_end={1, 2}, qd_max={0.5, 1}, qdd_max={1, 2}, startTime=0.2);
    end M;"""
    result = run(text, tmp_path, stop=4)

    # Half a second to speed up, 1.5 s at 0.5 m/s, half a second to stop.
    assert result.final("move.endTime") == pytest.approx(2.7)
    assert result.at("move.q[1]", [0.2, 0.7, 1.45, 2.7]) == pytest.approx([0, 0.125, 0.5, 1])
    assert result["move.q[2]"] == pytest.approx(2 * result["move.q[1]"])
    assert result.at("move.moving[1]", [1.0, 3.0]) == pytest.approx([1, 0])


def test_an_array_that_is_too_short_names_the_size_it_needs(tmp_path):
    text = "model M parameter Real q[:] = {0}; Real y = sum(q[i] for i in 1:3); end M;"
    with pytest.raises(fw.CompileError) as caught:
        run(text, tmp_path)

    assert caught.value.diagnostics[0].code == "N905"
    assert "give `q` at least 2 elements" in caught.value.diagnostics[0].help


def test_a_wave_is_reflected_at_both_ends_of_a_line(tmp_path):
    """A step of 1 V behind 50 Ohm meets 150 Ohm: 3/4 V run, the open end doubles them, and so on."""
    text = """model M
      import Modelica.Electrical.Analog.{Basic, Lines, Sources};
      Sources.StepVoltage u(V=1, startTime=0.25);
      Basic.Resistor R(R=50);
      Basic.Resistor open_(R=1e12);
      Lines.TLine line(Z0=150, TD=1);
      Basic.Ground ground;
    equation
      connect(u.n, ground.p); connect(u.p, R.p); connect(R.n, line.p1); connect(line.n1, ground.p);
      connect(line.p2, open_.p); connect(open_.n, ground.p); connect(line.n2, ground.p);
    end M;"""
    result = run(text, tmp_path, stop=6)

    assert result.at("line.v2", [0.5, 1.5, 3.5, 5.5]) == pytest.approx([0, 1.5, 0.75, 1.125])


def test_a_line_in_pieces_loses_what_its_resistance_takes(tmp_path):
    text = """model M
      import Modelica.Electrical.Analog.{Basic, Lines, Sources};
      Sources.ConstantVoltage u(V=10);
      Lines.ULine line(r=2, c=1e-3, length=5, N=4);
      Basic.Resistor load(R=10);
      Basic.Ground ground;
    equation
      connect(u.n, ground.p); connect(u.p, line.p1); connect(line.p3, ground.p);
      connect(line.p2, load.p); connect(load.n, ground.p);
    end M;"""
    result = run(text, tmp_path, stop=1)

    assert result.final("load.v") == pytest.approx(5, rel=1e-5)


def test_a_supply_leaves_its_voltage_for_its_power_and_its_current(tmp_path):
    text = """model M
      Modelica.Electrical.Analog.Sources.DCPowerSupply u(V0=60, I0=50, P0=1200);
      Modelica.Electrical.Analog.Basic.VariableResistor R;
      Modelica.Electrical.Analog.Basic.Ground ground;
    equation
      R.R = if time < 1 then 10 elseif time < 2 then 1 else 0.1;
      connect(u.p, R.p); connect(u.n, R.n); connect(u.n, ground.p);
    end M;"""
    result = run(text, tmp_path, stop=3)

    assert result.at("R.v", 0.5) == pytest.approx(60 * 10 / 10.001)
    assert -result.at("u.P", 1.5) == pytest.approx(1200)
    assert result.at("R.i", 2.5) == pytest.approx(50 / (1 + 1e-3 * 0.1))


def test_a_car_finds_the_speed_at_which_all_resistances_balance_its_motor(tmp_path):
    text = """model M
      Modelica.Mechanics.Translational.Components.Vehicle car(
        m=1000, J=1, R=0.3, A=2, Cd=0.5, CrConstant=0.01, inclinationConstant=0.02,
        vWindConstant=-5, v(fixed=true, start=10), s(fixed=true));
      Modelica.Mechanics.Rotational.Sources.ConstantTorque motor(tau_constant=300);
    equation
      connect(motor.flange, car.flangeR);
    end M;"""
    result = run(text, tmp_path, stop=2000)
    slope = np.arctan(0.02)
    rest = 300 / 0.3 - 1000 * 9.80665 * (np.sin(slope) + 0.01 * np.cos(slope))

    assert result.final("car.v") + 5 == pytest.approx(
        np.sqrt(rest / (0.5 * 1.2 * 2 * 0.5)), rel=1e-5
    )


def test_a_play_lets_a_shaft_turn_freely_until_it_touches(tmp_path):
    text = """model M
      import Modelica.Mechanics.Rotational.Components.*;
      Inertia left(J=1, phi(fixed=true), w(fixed=true, start=1));
      Inertia right(J=1, phi(fixed=true), w(fixed=true));
      ElastoBacklash2 play(c=1e4, d=0, b=0.2);
    equation
      connect(left.flange_b, play.flange_a);
      connect(play.flange_b, right.flange_a);
    end M;"""
    result = run(text, tmp_path, stop=0.15)

    assert result.at("left.w", [0.05, 0.099]) == pytest.approx([1, 1])
    # The blow of equal inertias without damping hands the whole speed over.
    assert result.final("right.w") == pytest.approx(1, abs=1e-5)
    assert result.final("left.w") == pytest.approx(0, abs=1e-5)


def test_a_flange_begins_as_signals_say(tmp_path):
    text = """model M
      Modelica.Mechanics.Rotational.Components.Inertia wheel(J=2);
      Modelica.Mechanics.Rotational.Components.InitializeFlange set(
        phi_start=1, w_start=2, use_a_start=false);
    equation
      connect(wheel.flange_b, set.flange);
    end M;"""
    result = run(text, tmp_path, stop=1)

    assert result["wheel.phi"] == pytest.approx(1 + 2 * result.time)


def test_statistics_of_a_sine(tmp_path):
    text = """model M
      Real u = 3 + 2*sin(2*Modelica.Constants.pi*time) + sin(6*Modelica.Constants.pi*time);
      Modelica.Blocks.Math.StandardDeviation deviation(u=u);
      Modelica.Blocks.Math.SignalExtrema extrema(u=2*sin(2*Modelica.Constants.pi*time), Ts=0.05);
      Modelica.Blocks.Math.TotalHarmonicDistortion thd(u=u - 3, f=1);
    end M;"""
    result = run(text, tmp_path, stop=40.5, tol=1e-8)

    # The mean has to be found first, and a longer run forgets that.
    assert result.at("deviation.y", 40) == pytest.approx(np.sqrt(2.5), rel=0.01)
    assert result.final("extrema.y_max") == pytest.approx(2)
    assert result.final("extrema.t_max") == pytest.approx(0.25)
    assert result.final("thd.y") == pytest.approx(0.5, rel=1e-6)
    assert result.final("thd.valid") == 1


def test_polynomials(tmp_path):
    text = """model M
      import Modelica.Math.Polynomials.*;
      constant Real p[:] = {1, -2, 3};
      Real y = evaluate(p, 2*time);
      Real slope = der(y);
      Real bounded = evaluateWithRange(p, 0, 1, 2*time);
      Real area = integralValue(p, 2*time, 1);
      Real growth = der(area);
      Real d[2] = derivative(p);
    end M;"""
    result = run(text, tmp_path, stop=1)
    u = 2 * result.time

    assert result["y"] == pytest.approx(u**2 - 2 * u + 3)
    assert result["slope"] == pytest.approx(2 * (2 * u - 2))
    assert result["bounded"] == pytest.approx(np.where(u > 1, 2, u**2 - 2 * u + 3))
    assert result["area"] == pytest.approx(u**3 / 3 - u**2 + 3 * u - 7 / 3)
    assert result["growth"] == pytest.approx(2 * result["y"])
    assert [result.final("d[1]"), result.final("d[2]")] == [2, -2]
