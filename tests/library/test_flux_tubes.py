"""Magnetic circuits against formulas of text books."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw

MU_0 = 4e-7 * np.pi
F = "Modelica.Magnetic.FluxTubes"
A = "Modelica.Electrical.Analog"


def run(text: str, tmp_path, **options):
    path = tmp_path / "model.mo"
    path.write_text(text)
    return fw.load(path).simulate(**options)


def test_a_coil_with_an_air_gap_is_an_inductor(tmp_path):
    """L = N^2/R_m; the current rises with the time constant L/R."""
    text = f"""model M
      {A}.Sources.ConstantVoltage u(V=10);
      {A}.Basic.Resistor R(R=4);
      {A}.Basic.Ground ground;
      {F}.Basic.ElectroMagneticConverter coil(N=200, i(fixed=true));
      {F}.Basic.Ground zero;
      {F}.Shapes.FixedShape.Cuboid iron(
        nonLinearPermeability=false, mu_rConst=1000, l=0.2, a=0.02, b=0.03);
      {F}.Shapes.FixedShape.Cuboid gap(nonLinearPermeability=false, l=0.001, a=0.02, b=0.03);
    equation
      connect(u.p, R.p); connect(R.n, coil.p); connect(coil.n, u.n); connect(u.n, ground.p);
      connect(coil.port_p, iron.port_p); connect(iron.port_n, gap.port_p);
      connect(gap.port_n, coil.port_n); connect(coil.port_n, zero.port);
    end M;"""
    result = run(text, tmp_path, stop=0.02, tol=1e-9)
    reluctance = (0.2 / 1000 + 0.001) / (MU_0 * 0.02 * 0.03)
    inductance = 200**2 / reluctance

    expected = 2.5 * (1 - np.exp(-result.time * 4 / inductance))
    assert result["coil.i"] == pytest.approx(expected, abs=1e-6)
    assert result.final("coil.L_stat") == pytest.approx(inductance)


def test_a_gap_pulls_its_armature_with_half_of_the_field_energy_by_length(tmp_path):
    text = f"""model M
      {F}.Sources.ConstantMagneticPotentialDifference mmf(V_m=800);
      {F}.Basic.Ground zero;
      {F}.Shapes.Force.HollowCylinderAxialFlux gap(mu_r=1, r_o=0.01);
      Modelica.Mechanics.Translational.Sources.Position hand(exact=true);
    equation
      hand.s_ref = 0.001 + 0.001*time;
      connect(hand.flange, gap.flange);
      connect(mmf.port_p, gap.port_p); connect(mmf.port_n, gap.port_n);
      connect(mmf.port_n, zero.port);
    end M;"""
    result = run(text, tmp_path, stop=1)
    length = 0.001 + 0.001 * result.time
    density = MU_0 * 800 / length
    area = np.pi * 0.01**2

    assert result["gap.B"] == pytest.approx(density)
    assert result["gap.F_m"] == pytest.approx(-(density**2) * area / (2 * MU_0))


def test_saturation_follows_the_curve_of_the_material(tmp_path):
    text = f"""model M
      {F}.Sources.SignalMagneticFlux source(Phi=1.5e-4*time);
      {F}.Shapes.FixedShape.GenericFluxTube tube(
        l=0.1, area=1e-4, material={F}.Material.SoftMagnetic.BaseData(
          mu_i=200, B_myMax=0.7, c_a=1500, c_b=3, n=9));
      {F}.Basic.Ground zero;
    equation
      connect(source.port_n, tube.port_p); connect(source.port_p, tube.port_n);
      connect(tube.port_n, zero.port);
    end M;"""
    result = run(text, tmp_path, stop=1)
    relative = 1.5 * result.time / 0.7
    mu_r = 1 + (199 + 1500 * relative) / (1 + 3 * relative + relative**9)

    assert result["tube.mu_r"] == pytest.approx(mu_r)
    assert result["tube.V_m"] == pytest.approx(1.5 * result.time * 0.1 / (MU_0 * mu_r))
