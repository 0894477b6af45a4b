"""Circuits of several phases against exact solutions."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw

P = "Modelica.Electrical.Polyphase"


def run(text: str, tmp_path, **options):
    path = tmp_path / "model.mo"
    path.write_text(text)
    return fw.load(path).simulate(**options)


def phases(result, name: str, m: int = 3) -> np.ndarray:
    return np.array([result[f"{name}[{k}]"] for k in range(1, m + 1)])


def test_six_ideal_diodes_give_the_difference_of_the_extreme_phases():
    """Ideal diodes: no resistance, no leak. One of each half conducts at any time."""
    result = fw.load(f"{P}.Examples.Rectifier").simulate(tol=1e-8)
    mains = phases(result, "mains.v")
    late = result.time > 1e-6  # before that no current flows
    expected = mains.max(axis=0) - mains.min(axis=0)
    voltage = result["R.v"] + result["L.v"]

    assert voltage[late] == pytest.approx(expected[late], abs=1e-5)
    currents = phases(result, "upper.i")
    assert currents.min() >= -1e-9
    assert currents.sum(axis=0) == pytest.approx(result["R.i"], abs=1e-9)
    # Each of three diodes carries the current for a third of each period.
    carries = np.argmax(currents, axis=0)
    assert np.count_nonzero(np.diff(carries[result.time > 0.005])) == 14


def test_the_mean_of_a_bridge_is_the_factor_of_the_library(tmp_path):
    text = f"""model M
      extends {P}.Examples.Rectifier(L(i(start=30)));
      Real mean(start=0, fixed=true);
      parameter Real factor = {P}.Functions.factorY2DC(3);
    equation
      der(mean) = (R.v + L.v)/0.1;
    end M;"""
    result = run(text, tmp_path, stop=0.1, tol=1e-9)
    root_mean_square = 325 / np.sqrt(2)

    assert result.final("mean") == pytest.approx(3 * np.sqrt(3) / np.pi * 325, rel=1e-6)
    assert result.final("factor") * root_mean_square == pytest.approx(result.final("mean"))


def test_a_symmetric_star_carries_sines_in_turn(tmp_path):
    text = f"""model M
      {P}.Sources.SineVoltage u(V=fill(100, 3), f=fill(50, 3));
      {P}.Basic.Resistor R(R=fill(3, 3));
      {P}.Basic.Inductor L(L=fill(4/(100*Modelica.Constants.pi), 3));
      {P}.Basic.Star begin;
      {P}.Basic.Star end_;
      {P}.Sensors.AronSensor aron;
      {P}.Sensors.ReactivePowerSensor reactive;
      Modelica.Electrical.Analog.Basic.Ground ground;
    initial equation
      L.i[1] = 20*sin(-atan2(4, 3));
      L.i[2] = 20*sin(-2*Modelica.Constants.pi/3 - atan2(4, 3));
    equation
      connect(u.plug_n, begin.plug_p); connect(begin.pin_n, ground.p);
      connect(u.plug_p, aron.plug_p); connect(aron.plug_n, reactive.plug_p);
      connect(reactive.plug_n, R.plug_p); connect(R.plug_n, L.plug_p);
      connect(L.plug_n, end_.plug_p);
    end M;"""
    result = run(text, tmp_path, stop=0.04, tol=1e-9)
    angle = 2 * np.pi * 50 * result.time - np.arctan2(4, 3)
    for k in range(3):
        expected = 20 * np.sin(angle - k * 2 * np.pi / 3)
        assert result[f"R.i[{k + 1}]"] == pytest.approx(expected, abs=1e-5)

    assert result["aron.power"] == pytest.approx(3 * 20**2 / 2 * 3, rel=1e-6)
    assert result["reactive.reactivePower"] == pytest.approx(3 * 20**2 / 2 * 4, rel=1e-6)


def test_a_delta_gives_the_difference_of_two_phases():
    result = fw.load(f"{P}.Examples.TransformerYD").simulate()
    # Seen from outside, windings of 0.1 Ohm in delta are a star of a third of it.
    expected = 100 / 2 / np.sqrt(3) * 10 / (10 + 0.1 / 3)

    amplitude = np.sqrt(2.0 / 3.0 * (phases(result, "load.v") ** 2).sum(axis=0))
    assert amplitude == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("m", "systems", "angles"),
    [
        (2, 1, [0, 90]),
        (3, 1, [0, 120, 240]),
        (4, 2, [0, 90, -45, 45]),
        (5, 1, [0, 72, 144, 216, 288]),
        (6, 2, [0, 120, 240, -30, 90, 210]),
    ],
)
def test_axes_of_symmetric_systems(m, systems, angles, tmp_path):
    text = f"""model M
      parameter Integer n = {P}.Functions.numberOfSymmetricBaseSystems({m});
      parameter Real angles[{m}] = {P}.Functions.symmetricOrientation({m})*180/Modelica.Constants.pi;
    end M;"""
    result = run(text, tmp_path)

    assert result.final("n") == systems
    assert phases(result, "angles", m)[:, -1] == pytest.approx(angles)


@pytest.mark.parametrize("m", [2, 3, 5, 6])
def test_symmetrical_components_and_back(m, tmp_path):
    text = f"""model M
      parameter Complex there[{m},{m}] = {P}.Functions.symmetricTransformationMatrix({m});
      parameter Complex back[{m},{m}] = {P}.Functions.symmetricBackTransformationMatrix({m});
    end M;"""
    result = run(text, tmp_path)

    def matrix(name):
        entries = [
            [
                result.final(f"{name}[{j},{k}].re") + 1j * result.final(f"{name}[{j},{k}].im")
                for k in range(1, m + 1)
            ]
            for j in range(1, m + 1)
        ]
        return np.array(entries)

    product = matrix("back") @ matrix("there")
    assert np.abs(product - np.eye(m)).max() < 1e-12
