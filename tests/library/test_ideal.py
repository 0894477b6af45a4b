"""Elements of `Modelica.Electrical.Analog.Ideal` without leaks, against exact solutions.

Each circuit is written once with the element of the library, and once as a network of plain switches and
diodes that is solved exactly. With FREEWHEEL_MSL the real library's elements are tried as well.
"""

from __future__ import annotations

import os
from math import exp, log

import numpy as np
import pytest
from exact_networks import solve
from netlists import Network, pulse

import freewheel as fw

MSL = os.environ.get("FREEWHEEL_MSL")
LIBRARIES = {"ours": (), **({"MSL": (MSL,)} if MSL else {})}
A = "Modelica.Electrical.Analog"
LOAD = f"""
  {A}.Basic.Inductor L(L=5e-3, i(start=0, fixed=true));
  {A}.Basic.Resistor R(R=10);
  {A}.Basic.Ground ground;
"""
PULSE = "  Modelica.Blocks.Sources.BooleanPulse pulse(period=2e-3, width=30);"
GATE = f"  {A}.Sources.PulseVoltage gate(V=1, width=30, period=2e-3);"
SERIES = """
  connect(L.n, R.p);
  connect(R.n, ground.p);
"""
CHOPPER = (
    f"""
  {A}.Sources.ConstantVoltage V(V=100);
  {A}.Ideal.IdealDiode F(Ron=0, Goff=0, Vknee=0);{LOAD}{GATE}
""",
    f"""
  connect(V.p, S.p);
  connect(V.n, ground.p);
  connect(S.n, L.p);
  connect(F.n, L.p);
  connect(F.p, ground.p);
  connect(gate.p, S.control);
  connect(gate.n, ground.p);{SERIES}
""",
)
CLOSED, OPEN = pulse("2e-3", "6e-4"), pulse("2e-3", "1.4e-3", "6e-4")

TEXTS = {
    "IdealTwoWaySwitch": (
        f"""
  {A}.Sources.ConstantVoltage V1(V=100);
  {A}.Sources.ConstantVoltage V2(V=-40);
  {A}.Ideal.IdealTwoWaySwitch S(Ron=0, Goff=0);{LOAD}{PULSE}
""",
        f"""
  connect(V1.p, S.n1);
  connect(V2.p, S.n2);
  connect(V1.n, ground.p);
  connect(V2.n, ground.p);
  connect(S.p, L.p);
  connect(pulse.y, S.control);{SERIES}
""",
    ),
    "IdealIntermediateSwitch": (
        f"""
  {A}.Sources.ConstantVoltage V(V=100);
  {A}.Ideal.IdealIntermediateSwitch S(Ron=0, Goff=0);{LOAD}{PULSE}
""",
        """
  connect(V.p, S.p1);
  connect(V.n, S.p2);
  connect(V.n, ground.p);
  connect(S.n1, L.p);
  connect(L.n, R.p);
  connect(R.n, S.n2);
  connect(pulse.y, S.control);
""",
    ),
    "ControlledIdealClosingSwitch": (
        f"  {A}.Ideal.ControlledIdealClosingSwitch S(level=0.5, Ron=0, Goff=0);" + CHOPPER[0],
        CHOPPER[1],
    ),
    "ControlledIdealOpeningSwitch": (
        f"  {A}.Ideal.ControlledIdealOpeningSwitch S(level=0.5, Ron=0, Goff=0);" + CHOPPER[0],
        CHOPPER[1],
    ),
    "IdealTriac": (
        f"""
  {A}.Sources.SineVoltage U(V=100, f=50);
  {A}.Ideal.IdealTriac T(Ron=0, Goff=0, Vknee=0, Rdis=100, Cdis=1e-6,
    capacitor(v(start=0, fixed=true)));{LOAD}
  Modelica.Blocks.Sources.BooleanPulse fire(period=5e-3, width=20, startTime=3e-3);
""",
        f"""
  connect(U.p, T.p);
  connect(U.n, ground.p);
  connect(T.n, L.p);
  connect(fire.y, T.fire1);{SERIES}
""",
    ),
    "IdealTransformer": (
        f"""
  {A}.Sources.SineVoltage U(V=100, f=50);
  {A}.Basic.Resistor Rs(R=1);
  {A}.Ideal.IdealTransformer T(n=5, considerMagnetization=true, Lm1=0.5);
  {A}.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);{LOAD}
""",
        f"""
  connect(U.p, Rs.p);
  connect(U.n, ground.p);
  connect(Rs.n, T.p1);
  connect(T.n1, ground.p);
  connect(T.n2, ground.p);
  connect(T.p2, D.p);
  connect(D.n, L.p);{SERIES}
""",
    ),
}


def load(c: Network, node: str, end: str = "0") -> Network:
    c.inductor("L", node, "r", 5e-3)
    c.resistor("R", "r", end, 10.0)
    return c


def two_way() -> Network:
    c = Network("M", 0.02, 2e-5)
    c.constant("V1", "a", "0", 100.0)
    c.constant("V2", "b", "0", -40.0)
    c.switch("S1", "a", "x", OPEN)
    c.switch("S2", "b", "x", CLOSED)
    return load(c, "x")


def crossed() -> Network:
    c = Network("M", 0.02, 2e-5)
    c.constant("V", "a", "0", 100.0)
    c.switch("S1", "a", "x", OPEN)
    c.switch("S2", "0", "y", OPEN)
    c.switch("S3", "a", "y", CLOSED)
    c.switch("S4", "0", "x", CLOSED)
    return load(c, "x", "y")


def chopper(gate) -> Network:
    c = Network("M", 0.02, 2e-5)
    c.constant("V", "a", "0", 100.0)
    c.switch("S", "a", "x", gate)
    c.diode("F", "0", "x")
    return load(c, "x")


def triac() -> Network:
    c = Network("M", 0.04, 4e-5)
    c.sine("U", "a", "0", 100.0, 50.0)
    fire = pulse("5e-3", "1e-3", "3e-3")
    c.thyristor("T1", "a", "x", fire)
    c.thyristor("T2", "x", "a", fire)
    c.resistor("Rd", "x", "y", 100.0)
    c.capacitor("Cd", "y", "a", 1e-6)
    return load(c, "x")


def transformer() -> Network:
    c = Network("M", 0.06, 1e-4)
    c.sine("U", "s", "0", 100.0, 50.0)
    c.resistor("Rs", "s", "a", 1.0)
    c.inductor("Lm", "a", "0", 0.5)
    c.transformer("T", "a", "0", "b", "0", 5.0)
    c.diode("D", "b", "x")
    return load(c, "x")


NETWORKS = {
    "IdealTwoWaySwitch": two_way,
    "IdealIntermediateSwitch": crossed,
    "ControlledIdealClosingSwitch": lambda: chopper(CLOSED),
    "ControlledIdealOpeningSwitch": lambda: chopper(OPEN),
    "IdealTriac": triac,
    "IdealTransformer": transformer,
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("element", TEXTS)
def test_without_leaks_the_element_is_exact(element, library, tmp_path):
    network = NETWORKS[element]()
    declarations, equations = TEXTS[element]
    path = tmp_path / "M.mo"
    path.write_text(
        f"model M\n{declarations}equation\n{equations}  annotation(experiment("
        f"StopTime={network.stop}, Interval={network.interval}, Tolerance=1e-6));\nend M;\n"
    )

    result = fw.load(path, library=LIBRARIES[library]).simulate()

    times = np.asarray(result.time)
    chosen = np.sort(np.random.default_rng(1).choice(len(times), 200, replace=False))
    wanted = solve(network).at("L.i", times[chosen])
    assert np.abs(wanted).max() > 0.5
    assert np.abs(result["L.i"][chosen] - wanted).max() < 1e-5 * np.abs(wanted).max()
    assert list(result.impulses) == []


def test_numbers_go_from_analog_to_digital_and_back(tmp_path):
    path = tmp_path / "Convert.mo"
    path.write_text(f"""
model Convert
  import L = Modelica.Electrical.Digital.Interfaces.Logic;
  {A}.Sources.RampVoltage U(V=9, duration=1);
  {A}.Ideal.AD_Converter ad(N=4, VRefHigh=10, VRefLow=0, Rin=1e6);
  {A}.Ideal.DA_Converter da(N=4, Vref=10);
  {A}.Basic.Resistor load(R=100);
  {A}.Basic.Ground ground;
  L clock = if mod(time, 0.2) < 0.1 then L.'0' else L.'1';
equation
  ad.trig = clock;
  da.trig = clock;
  da.x = ad.y;
  connect(U.p, ad.p);
  connect(U.n, ground.p);
  connect(ad.n, ground.p);
  connect(da.p, load.p);
  connect(load.n, ground.p);
  connect(da.n, ground.p);
end Convert;
""")

    result = fw.load(path).simulate(stop=1.0)

    # Converted at 0.1, 0.3, ...: the nearest of 15 steps of 10/15 V.
    steps = [round(9 * t / (10 / 15)) for t in (0.1, 0.3, 0.5, 0.7, 0.9)]
    levels = [result.at("load.v", t) for t in (0.15, 0.35, 0.55, 0.75, 0.95)]
    assert levels == pytest.approx([10 / 15 * step for step in steps])
    assert result.at("ad.p.i", 0.5) == pytest.approx(4.5e-6)


def test_every_class_of_the_package_is_there():
    names = [
        "AD_Converter",
        "CloserWithArc",
        "ControlledCloserWithArc",
        "ControlledIdealClosingSwitch",
        "ControlledIdealIntermediateSwitch",
        "ControlledIdealOpeningSwitch",
        "ControlledIdealTwoWaySwitch",
        "ControlledOpenerWithArc",
        "DA_Converter",
        "IdealClosingSwitch",
        "IdealDiode",
        "IdealGTOThyristor",
        "IdealIntermediateSwitch",
        "IdealOpAmp",
        "IdealOpAmp3Pin",
        "IdealOpAmpLimited",
        "IdealOpeningSwitch",
        "IdealThyristor",
        "IdealTransformer",
        "IdealTriac",
        "IdealTwoWaySwitch",
        "IdealizedOpAmpLimited",
        "Idle",
        "OpenerWithArc",
        "Short",
    ]
    for name in names:
        assert len(fw.load(f"{A}.Ideal.{name}").flatten().variables) > 0, name


ARC = """
model M
  import Modelica.Electrical.Analog.*;
  Sources.ConstantVoltage V(V=50);
  Basic.Inductor L(L=0.1, i(start=0, fixed=true));
  Basic.Resistor R(R=1);
  Ideal.{kind}WithArc S(Ron={leak}, Goff={leak}, V0=30, dVdt=10000, Vmax=60, off(fixed=true));
  Basic.Ground g;
equation
  S.control = {control};
  connect(V.p, S.p);
  connect(S.n, L.p);
  connect(L.n, R.p);
  connect(R.n, g.p);
  connect(V.n, g.p);
end M;
"""


def arc_ends() -> float:
    """Closed until 0.5; then 30 V and 10 V more each millisecond, up to 60 V, until nothing flows."""
    i = 50 * (1 - exp(-5))
    # with varc = 30 + 1e4 t: 0.1 i' = 20 - 1e4 t - i, of which 1020 - 1e4 t is a solution
    i = 1020 - 30 + (i - 1020) * exp(-0.03)
    return 0.503 + 0.1 * log((i + 10) / 10)


@pytest.mark.parametrize("kind", ["Closer", "Opener"])
def test_an_arc_without_leaks_burns_until_nothing_flows(kind, tmp_path):
    path = tmp_path / "M.mo"
    control = "time < 0.5" if kind == "Closer" else "time >= 0.5"
    path.write_text(ARC.format(kind=kind, control=control, leak=0))

    result = fw.load(path).simulate(stop=1.0, tol=1e-9, impulses="error")

    quenched = [e.time for e in result.events if e.time > 0.55]
    assert quenched == pytest.approx([arc_ends()], abs=1e-8)
    after = result.time > arc_ends() + 1e-6
    assert np.abs(result["L.i"][after]).max() < 1e-9
    assert result["S.v"][after] == pytest.approx(50.0, rel=1e-9)
    assert result["S.quenched"][after].all()
