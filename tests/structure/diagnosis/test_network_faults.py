"""Mistakes of networks have their names, in every command and every domain."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.base.diagnostics import CompileError, SimulationError

ANALOG = "Modelica.Electrical.Analog"
ROTATIONAL = "Modelica.Mechanics.Rotational"
TRANSLATIONAL = "Modelica.Mechanics.Translational"
HEAT = "Modelica.Thermal.HeatTransfer"


def told(text: str) -> list[tuple[str, str]]:
    """What a run says: codes and messages."""
    with pytest.raises((CompileError, SimulationError)) as failure:
        fw.load_text(f"model M\n{text}\nend M;").simulate(stop=1)
    return [(d.code, d.message) for d in failure.value.diagnostics]


MISSING = {
    "no ground": (
        f"""
          {ANALOG}.Sources.ConstantVoltage V(V = 10);
          {ANALOG}.Basic.Resistor R(R = 1);
          {ANALOG}.Basic.Capacitor C(C = 1);
        equation
          connect(V.p, R.p); connect(R.n, C.p); connect(C.n, V.n);""",
        "no ground: nothing fixes the potentials of `V`, `R` and `C`",
    ),
    "a winding without ground": (
        f"""
          {ANALOG}.Sources.SineVoltage V(V = 10, f = 50);
          {ANALOG}.Ideal.IdealTransformer T(n = 2);
          {ANALOG}.Basic.Resistor R(R = 1);
          {ANALOG}.Basic.Ground G;
        equation
          connect(V.p, T.p1); connect(V.n, T.n1); connect(G.p, V.n);
          connect(T.p2, R.p); connect(T.n2, R.n);""",
        "no ground: nothing fixes the potentials of `T` and `R`",
    ),
    "no fixed point": (
        f"""
          {TRANSLATIONAL}.Components.SpringDamper a(c = 1, d = 1), b(c = 1, d = 1);
        equation
          connect(a.flange_a, b.flange_a); connect(a.flange_b, b.flange_b);""",
        "no fixed point and no mass: nothing fixes the positions of `a` and `b`",
    ),
    "connectors of one's own": (
        """
          connector Pin Real v; flow Real i; end Pin;
          model Res Pin p, n; equation p.v - n.v = p.i; p.i + n.i = 0; end Res;
          Res a, b;
        equation
          connect(a.p, b.p); connect(a.n, b.n);""",
        "no reference: nothing fixes the potentials of `a` and `b`",
    ),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_reference_is_called_so(name):
    text, message = MISSING[name]
    [(code, shown)] = told(text)

    assert code == "E031"
    assert shown == f"{message}, only the differences between them"


OPEN = {
    "a current source": (
        f"""
          {ANALOG}.Sources.ConstantCurrent I(I = 1);
          {ANALOG}.Basic.Resistor R(R = 1);
          {ANALOG}.Basic.Ground G;
        equation
          connect(I.n, R.p); connect(R.n, G.p);""",
        "`I.p` is not connected: the current is zero, but `I` gives it another",
    ),
    "a torque on a spring": (
        f"""
          {ROTATIONAL}.Sources.ConstantTorque T(tau_constant = 10);
          {ROTATIONAL}.Components.Spring c(c = 1);
        equation
          connect(T.flange, c.flange_a);""",
        "`c.flange_b` is not connected: the torque is zero, but `T` gives it another",
    ),
    "an equation": (
        f"""
          {ROTATIONAL}.Components.Inertia J1(J = 1);
          {ROTATIONAL}.Sources.ConstantTorque T(tau_constant = 10);
        equation
          connect(T.flange, J1.flange_a);
          J1.flange_b.tau = 5;""",
        "`J1.flange_b` is not connected: the torque is zero, but an equation gives it another",
    ),
    "heat, singular by its numbers only": (
        f"""
          {HEAT}.Sources.FixedHeatFlow Q(Q_flow = 10);
          {HEAT}.Components.ThermalConductor G(G = 1);
        equation
          connect(Q.port, G.port_a);""",
        "`G.port_b` is not connected: the heat flow is zero, but `Q` gives it another",
    ),
    "a component beside the circuit": (
        f"""
          {ANALOG}.Basic.Resistor R(R = 1), R2(R = 1);
          {ANALOG}.Sources.ConstantVoltage V(V = 10);
          {ANALOG}.Basic.Ground G;
        equation
          connect(V.p, R2.p); connect(G.p, V.n); connect(R2.n, V.n);""",
        "`R` is not connected to anything",
    ),
}


@pytest.mark.parametrize("name", OPEN)
def test_an_open_connector_is_called_so(name):
    text, message = OPEN[name]

    assert told(text)[0] == ("E037", message)


def test_of_two_open_connectors_the_frame_is_named_first():
    """The shaft of a joint may stay open; that it is among them follows from the frame."""
    code, message = told(
        """
          inner Modelica.Mechanics.MultiBody.World world;
          Modelica.Mechanics.MultiBody.Joints.Revolute j(useAxisFlange = true);
          Modelica.Mechanics.MultiBody.Parts.Body b(m = 1, r_CM = {1, 0, 0});
        equation
          connect(j.frame_b, b.frame_a);"""
    )[0]

    assert code == "E037"
    assert message.startswith("`j.frame_a` and `j.axis` are not connected")


def test_an_input_left_open_comes_before_all_that_hangs_on_it():
    code, message = told(
        f"""
          {HEAT}.Components.HeatCapacitor c(C = 100); {HEAT}.Components.Convection cv;
          {HEAT}.Sources.FixedTemperature T(T = 350);
        equation
          connect(c.port, cv.solid); connect(cv.fluid, T.port);"""
    )[0]

    assert code == "E001"
    assert "; not determined: `cv.Gc`, and so neither `c.T`" in message


SOURCES = {
    "a loop of three": (
        f"""
          {ANALOG}.Sources.ConstantVoltage V1(V = 10), V3(V = 5);
          {ANALOG}.Sources.SineVoltage V2(V = 5, f = 50);
          {ANALOG}.Basic.Resistor R(R = 1);
          {ANALOG}.Basic.Ground G;
        equation
          connect(V1.p, R.p); connect(R.n, V1.n); connect(V2.p, V1.p); connect(V2.n, V3.p);
          connect(V3.n, V1.n); connect(G.p, V1.n);""",
        "ideal voltage sources in a loop: `V1`, `V3` and `V2`",
    ),
    "two grounds": (
        f"""
          {ANALOG}.Sources.ConstantVoltage V1(V = 10);
          {ANALOG}.Basic.Ground G1, G2;
        equation
          connect(V1.p, G1.p); connect(V1.n, G2.p);""",
        "ideal voltage sources in a loop: `V1`, `G1` and `G2`",
    ),
    "currents in series": (
        f"""
          {ANALOG}.Sources.ConstantCurrent I1(I = 1), I2(I = 2);
          {ANALOG}.Basic.Resistor R(R = 1);
          {ANALOG}.Basic.Ground G;
        equation
          connect(I1.n, I2.p); connect(I2.n, R.p); connect(R.n, I1.p); connect(G.p, I1.p);""",
        "current sources in series: `I1` and `I2`",
    ),
    "two speeds of an inertia": (
        f"""
          {ROTATIONAL}.Sources.ConstantSpeed s1(w_fixed = 1), s2(w_fixed = 2);
          {ROTATIONAL}.Components.Inertia J(J = 1);
        equation
          connect(s1.flange, J.flange_a); connect(s2.flange, J.flange_b);""",
        "the angle of rigidly connected flanges is given more than once: `s1` and `s2`",
    ),
    "two temperatures": (
        f"""
          {HEAT}.Sources.FixedTemperature T1(T = 300), T2(T = 310);
        equation
          connect(T1.port, T2.port);""",
        "the temperature of one point is given more than once: `T1` and `T2`",
    ),
    "two forces on nothing": (
        f"""
          {TRANSLATIONAL}.Sources.ConstantForce f1(f_constant = 1), f2(f_constant = 2);
        equation
          connect(f1.flange, f2.flange);""",
        "the force at a point without mass is given more than once: `f1` and `f2`",
    ),
}


@pytest.mark.parametrize("name", SOURCES)
def test_sources_that_contradict_each_other_are_named(name):
    text, message = SOURCES[name]

    assert told(text) == [("E038", message)]


def test_a_component_by_itself_is_no_simulation():
    text = """
        connector Pin Real v; flow Real i; end Pin;
        model Res Pin p, n; equation p.v - n.v = p.i; p.i + n.i = 0; end Res;"""
    with pytest.raises(CompileError) as failure:
        fw.load_text(text).simulate(stop=1)

    [finding] = failure.value.diagnostics
    assert finding.code == "E037"
    assert finding.message.startswith("`p` and `n`: nothing is connected")


@pytest.mark.parametrize(
    "text",
    [
        # no fixed point is needed where there is mass
        f"""
          {TRANSLATIONAL}.Components.Mass m1(m = 1), m2(m = 1);
          {TRANSLATIONAL}.Components.Spring c(c = 1, s_rel0 = 1);
        equation
          connect(m1.flange_b, c.flange_a); connect(c.flange_b, m2.flange_a);""",
        # an open end carries nothing, which is no mistake
        f"""
          {ANALOG}.Sources.ConstantVoltage V(V = 10);
          {ANALOG}.Basic.Resistor R(R = 1);
          {ANALOG}.Basic.Ground G;
        equation
          connect(V.p, R.p); connect(G.p, V.n);""",
    ],
)
def test_what_is_no_mistake(text):
    result = fw.load_text(f"model M\n{text}\nend M;").simulate(stop=0.1)

    assert result.time[-1] == 0.1
    assert [remark for remark in result.remarks if remark.code != "E020"] == []
