"""Power converters of ideal switches, without resistance and without leak, against exact means."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw

C = "Modelica.Electrical.PowerConverters"
A = "Modelica.Electrical.Analog"
LOSSLESS = "RonTransistor=0, GoffTransistor=0, RonDiode=0, GoffDiode=0"


def run(text: str, tmp_path, **options):
    path = tmp_path / "model.mo"
    path.write_text(text)
    return fw.load(path).simulate(**options)


def mean(result, name: str, begin: float, end: float) -> float:
    """Of a curve without jumps, over whole periods."""
    return np.mean(result.at(name, np.linspace(begin, end, 2001)[:-1]))


def test_a_chopper_lowers_the_voltage_by_its_duty_cycle(tmp_path):
    text = f"""model M
      {A}.Sources.ConstantVoltage u(V=100);
      {A}.Basic.Ground ground;
      {C}.DCDC.ChopperStepDown chopper({LOSSLESS});
      {C}.DCDC.Control.SignalPWM pwm(constantDutyCycle=0.3, f=1000);
      {A}.Basic.Inductor L(L=0.05, i(start=3, fixed=true));
      {A}.Basic.Resistor R(R=10);
    equation
      connect(u.n, ground.p); connect(u.p, chopper.dc_p1); connect(u.n, chopper.dc_n1);
      connect(chopper.dc_p2, L.p); connect(L.n, R.p); connect(R.n, chopper.dc_n2);
      connect(pwm.fire, chopper.fire_p);
    end M;"""
    result = run(text, tmp_path, stop=0.06, tol=1e-8)

    assert mean(result, "R.v", 0.05, 0.06) == pytest.approx(30, rel=1e-4)
    on = result.at("chopper.vDC2", [0.0501, 0.0504, 0.0506, 0.0509])
    assert on == pytest.approx([100, 0, 0, 0], abs=1e-9)


def test_a_chopper_raises_the_voltage(tmp_path):
    text = f"""model M
      {A}.Sources.ConstantVoltage u(V=100);
      {A}.Basic.Ground ground;
      {C}.DCDC.ChopperStepUp chopper({LOSSLESS});
      {C}.DCDC.Control.SignalPWM pwm(constantDutyCycle=0.5, f=1000);
      {A}.Basic.Inductor L(L=0.02, i(start=4, fixed=true));
      {A}.Basic.Capacitor K(C=1e-3, v(start=200, fixed=true));
      {A}.Basic.Resistor R(R=100);
    equation
      connect(u.n, ground.p); connect(u.p, L.p); connect(L.n, chopper.dc_p1);
      connect(u.n, chopper.dc_n1); connect(chopper.dc_p2, K.p); connect(K.n, chopper.dc_n2);
      connect(K.p, R.p); connect(K.n, R.n); connect(pwm.fire, chopper.fire_p);
    end M;"""
    result = run(text, tmp_path, stop=0.5, tol=1e-7)

    assert mean(result, "R.v", 0.4, 0.5) == pytest.approx(200, rel=0.01)


@pytest.mark.parametrize("degrees", [30, 60])
def test_the_firing_angle_sets_the_mean_of_a_thyristor_bridge(degrees, tmp_path):
    """2 V/pi cos(alpha), as long as the current does not vanish."""
    angle = np.radians(degrees)
    text = f"""model M
      {A}.Sources.SineVoltage u(V=100, f=50);
      {A}.Basic.Ground ground;
      {C}.ACDC.ThyristorBridge2Pulse bridge(RonThyristor=0, GoffThyristor=0);
      {A}.Basic.Inductor L(L=1, i(start=2, fixed=true));
      {A}.Basic.Resistor R(R=10);
    equation
      bridge.fire_p = sin(100*Modelica.Constants.pi*time - {angle}) > 0;
      bridge.fire_n = sin(100*Modelica.Constants.pi*time - {angle}) < 0;
      connect(u.p, bridge.ac_p); connect(u.n, bridge.ac_n); connect(u.n, ground.p);
      connect(bridge.dc_p, L.p); connect(L.n, R.p); connect(R.n, bridge.dc_n);
    end M;"""
    result = run(text, tmp_path, stop=1.02, tol=1e-7, interval=2e-4)

    expected = 200 / np.pi * np.cos(angle)
    assert mean(result, "R.v", 1.0, 1.02) == pytest.approx(expected, rel=1e-3)


def test_the_enable_input_blocks_an_inverter(tmp_path):
    text = f"""model M
      {A}.Sources.ConstantVoltage u[2](each V=50);
      {A}.Basic.Ground ground;
      {C}.DCAC.SinglePhase2Level leg({LOSSLESS}, useConstantEnable=false);
      {A}.Basic.Resistor R(R=10);
    equation
      leg.fire_p = sin(100*Modelica.Constants.pi*time) > 0;
      leg.fire_n = sin(100*Modelica.Constants.pi*time) < 0;
      leg.enable = time > 0.02;
      connect(u[1].n, ground.p); connect(u[2].p, ground.p);
      connect(u[1].p, leg.dc_p); connect(u[2].n, leg.dc_n);
      connect(leg.ac, R.p); connect(R.n, ground.p);
    end M;"""
    result = run(text, tmp_path, stop=0.04)

    assert result.at("R.v", [0.005, 0.015, 0.025, 0.035]) == pytest.approx([0, 0, 50, -50])
