"""Elements of the modeller's own are known by their equations, with their numbers where linear."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.api.model import Model
from freewheel.base.diagnostics import CompileError
from freewheel.bondgraph.laws import Law, eliminated, law_of
from freewheel.bondgraph.nodes import Domain, Kind, Stage
from freewheel.bondgraph.stages import bond_graph
from freewheel.bondgraph.to_modelica import to_modelica

OWN = """package Own "As one writes it without a library"
  connector Cut
    Real V;
    flow Real i;
  end Cut;
  partial model TwoCuts
    Cut A;
    Cut B;
    Real u;
    Real i;
  equation
    u = A.V - B.V;
    i = A.i;
    A.i + B.i = 0;
  end TwoCuts;
  model Resistor
    extends TwoCuts;
    parameter Real R = 1;
  equation
    u = R*i;
  end Resistor;
  model Capacitor
    extends TwoCuts;
    parameter Real C = 1;
  equation
    C*der(u) = i;
  end Capacitor;
  model Inductor
    extends TwoCuts;
    parameter Real L = 1;
  equation
    L*der(i) = u;
  end Inductor;
  model IdealSwitch
    extends TwoCuts;
    input Boolean open = time > 1;
  equation
    0 = if open then i else u;
  end IdealSwitch;
  model NumberSwitch
    extends TwoCuts;
    Real open;
  equation
    0 = open*i + (1 - open)*u;
  end NumberSwitch;
  model IdealDiode
    extends TwoCuts;
    Boolean open(start=true);
  equation
    open = if pre(open) then u <= 0 else i < 0;
    0 = if open then i else u;
  end IdealDiode;
  model ParametricDiode
    extends TwoCuts;
    parameter Real Ron = 0.01;
    Real s;
    Boolean open(start=true);
  equation
    open = s < 0;
    u = s*(if open then 1 else Ron);
    i = s*(if open then 0 else 1);
  end ParametricDiode;
  model Bent
    extends TwoCuts;
  equation
    i = if u > 0 then u else u/10;
  end Bent;
  model EitherSource "Refused: both positions give something"
    extends TwoCuts;
  equation
    0 = if time > 1 then i - 1 else u - 2;
  end EitherSource;
  model VoltageSource
    extends TwoCuts;
    parameter Real U0 = 5;
  equation
    u = U0;
  end VoltageSource;
  model CurrentSource
    extends TwoCuts;
    parameter Real I0 = 2;
  equation
    i = I0;
  end CurrentSource;
  model Swinging
    extends TwoCuts;
  equation
    u = sin(time);
  end Swinging;
  model Lamp
    extends TwoCuts;
  equation
    u = i + i^3;
  end Lamp;
  model Common
    Cut A;
  equation
    A.V = 0;
  end Common;
  model Coil "Two elements in one class"
    extends TwoCuts;
  equation
    u = 3*i + 2*der(i);
  end Coil;
  model Leak "Current gets lost"
    Cut A;
    Cut B;
  equation
    A.i = A.V - B.V;
    B.i = 2*(B.V - A.V);
  end Leak;
  model ByHand "Written without a variable for the current that comes back"
    Cut A;
    Cut B;
    Real u;
    Real i;
  equation
    u = A.V - B.V;
    A.i = i;
    B.i = -i;
    u = 2*i + sinh(i);
  end ByHand;
  model Controlled
    extends TwoCuts;
    input Real wanted;
  equation
    u = wanted;
  end Controlled;
  partial model FourCuts
    Cut A1;
    Cut B1;
    Cut A2;
    Cut B2;
  equation
    A1.i + B1.i = 0;
    A2.i + B2.i = 0;
  end FourCuts;
  model Transformer
    extends FourCuts;
    parameter Real ratio = 3;
  equation
    A1.V - B1.V = ratio*(A2.V - B2.V);
    ratio*A1.i = -A2.i;
  end Transformer;
  model Gyrator
    extends FourCuts;
    parameter Real r = 4;
  equation
    A1.V - B1.V = -r*A2.i;
    A2.V - B2.V = r*A1.i;
  end Gyrator;
  model Lossy "Power gets lost"
    extends FourCuts;
  equation
    A1.V - B1.V = 3*(A2.V - B2.V);
    2*A1.i = -A2.i;
  end Lossy;
  model Motor
    Cut A;
    Cut B;
    Rod r;
    parameter Real k = 0.5;
  equation
    A.i + B.i = 0;
    A.V - B.V = k*der(r.x);
    r.F = -k*A.i;
  end Motor;
  model Lever
    Rod a;
    Rod b;
    parameter Real ratio = 2;
  equation
    a.x = ratio*b.x;
    ratio*a.F + b.F = 0;
  end Lever;

  connector Rod
    Real x(unit="m");
    flow Real F(unit="N");
  end Rod;
  model Body
    Rod r;
    parameter Real m = 3;
    Real v;
  equation
    v = der(r.x);
    m*der(v) = r.F;
  end Body;
  model Springy
    Rod a;
    Rod b;
    parameter Real k = 5;
  equation
    a.F + b.F = 0;
    b.F = k*(b.x - a.x);
  end Springy;
  model Dashpot
    Rod a;
    Rod b;
    Real rel;
  equation
    rel = b.x - a.x;
    a.F + b.F = 0;
    b.F = 0.7*der(rel);
  end Dashpot;
  model Wall
    Rod r;
  equation
    r.x = 0;
  end Wall;
  model Push
    Rod r;
  equation
    r.F = -4;
  end Push;

  model Circuit
    VoltageSource U;
    Resistor R(R=100);
    Capacitor C(C=0.1);
    Inductor L(L=1.5);
    CurrentSource J;
    Common common;
  equation
    connect(U.A, R.A);
    connect(R.B, C.A);
    connect(C.A, L.A);
    connect(J.A, L.A);
    connect(J.B, common.A);
    connect(L.B, common.A);
    connect(C.B, common.A);
    connect(U.B, common.A);
  end Circuit;
  model Drive "Through a transformer and a gyrator, a motor and a lever"
    VoltageSource U;
    Resistor R(R=2);
    Transformer T;
    Inductor L(L=0.5);
    Gyrator G;
    Resistor Q(R=3);
    Motor M;
    Common common;
    Body m(m=0.4);
    Lever lever;
    Body load(m=0.7);
    Dashpot d;
    Wall w;
  equation
    connect(U.A, R.A);
    connect(R.B, T.A1);
    connect(T.A2, L.A);
    connect(L.B, G.A1);
    connect(G.A2, Q.A);
    connect(Q.B, M.A);
    connect(U.B, common.A);
    connect(T.B1, common.A);
    connect(T.B2, common.A);
    connect(G.B1, common.A);
    connect(G.B2, common.A);
    connect(M.B, common.A);
    connect(M.r, m.r);
    connect(m.r, lever.a);
    connect(lever.b, load.r);
    connect(load.r, d.b);
    connect(d.a, w.r);
  end Drive;
  model Swing
    Body m;
    Springy s;
    Dashpot d;
    Wall w;
    Push p;
  equation
    connect(w.r, s.a);
    connect(s.b, m.r);
    connect(w.r, d.a);
    connect(d.b, m.r);
    connect(p.r, m.r);
  end Swing;
end Own;
"""


@pytest.fixture(scope="module")
def own(model_of):
    """Models beside the package `Own`."""
    model_of(OWN)
    return model_of


def element(name: str, own):
    label, bracket, rest = name.partition("(")
    declarations = f"Own.{label} x{bracket}{rest};\n  Own.VoltageSource other;"
    return bond_graph(own(f"model M\n  {declarations}\nend M;\n"), Stage.GRAPH).element("x")


@pytest.mark.parametrize(
    ("name", "kind", "parameters"),
    [
        ("Resistor(R=7)", Kind.R, {"R": 7.0}),
        ("Capacitor(C=0.02, u(start=4))", Kind.C, {"C": 0.02, "start": 4.0}),
        ("Inductor(L=30)", Kind.I, {"I": 30.0, "start": 0.0}),
        ("Lamp", Kind.R, {}),
        ("ByHand", Kind.R, {}),
        ("Transformer(ratio=7)", Kind.TF, {"n": 7.0}),
        ("Gyrator(r=0.3)", Kind.GY, {"r": 0.3}),
        ("Motor(k=0.2)", Kind.GY, {"r": 0.2}),
        ("Lever(ratio=4)", Kind.TF, {"n": 0.25}),
        ("Swinging", Kind.SE, {}),
        ("IdealSwitch", Kind.SW, {"Ron": 0.0, "Goff": 0.0}),
        ("NumberSwitch(open=if time > 1 then 1 else 0)", Kind.SW, {"Ron": 0.0, "Goff": 0.0}),
        ("IdealDiode", Kind.D, {"Ron": 0.0, "Goff": 0.0}),
        ("ParametricDiode(Ron=0.5)", Kind.D, {"Ron": 0.5, "Goff": 0.0}),
        ("Bent", Kind.R, {}),
        ("Common", Kind.GROUND, {}),
        ("Body(m=2)", Kind.I, {"I": 2.0, "start": 0.0}),
        ("Springy(k=8)", Kind.C, {"C": 0.125, "start": 0.0}),
        ("Dashpot", Kind.R, {"R": 0.7}),
        ("Wall", Kind.GROUND, {}),
    ],
)
def test_the_kind_and_the_numbers_follow_from_the_equations(name, kind, parameters, own):
    found = element(name, own)

    assert found.kind is kind
    assert dict(found.parameters) == pytest.approx(parameters)


def test_an_input_is_given_from_elsewhere(own):
    model = own("model M\n  Own.Controlled x(wanted=sin(time));\nend M;\n")

    found = bond_graph(model, Stage.GRAPH).element("x")

    assert (found.kind, found.is_modulated) == (Kind.SE, True)


def test_sources_have_their_value_and_give_power_away(own):
    voltage, current = (
        element("VoltageSource", own),
        element("CurrentSource", own),
    )
    push = element("Push", own)

    values = [dict(e.signal.parameters)["k"] for e in (voltage, current, push) if e.signal]
    assert values == [5.0, 2.0, 4.0]
    assert [e.ports[0].positive for e in (voltage, current, push)] == ["x.A", "x.B", "x.r"]
    assert all(e.ports[0].is_out for e in (voltage, current, push))


def test_units_tell_the_domain_and_other_pairs_are_plain_bonds(own):
    assert element("Body", own).ports[0].domain is Domain.TRANSLATIONAL
    assert element("Resistor", own).ports[0].domain is Domain.BOND


@pytest.mark.parametrize("name", ["Coil", "Leak", "Lossy", "EitherSource"])
def test_a_class_that_is_no_single_element_is_refused(name, own):
    with pytest.raises(CompileError) as failure:
        element(name, own)

    assert failure.value.diagnostics[0].code == "E102"


@pytest.mark.parametrize(
    ("name", "curves"),
    [
        ("Circuit", {"C.u": "C.e", "L.i": "L.f", "R.i": "R.f"}),
        ("Drive", {"L.i": "L.f", "m.v": "m.f", "load.v": "load.f", "Q.i": "Q.f"}),
        ("Swing", {"m.v": "m.f", "d.a.F": "d.e"}),
    ],
)
def test_models_without_a_library_run_alike(name, curves, own):
    package = own(OWN)
    model = Model(package.library, ("Own", name))
    bonds = own(to_modelica(bond_graph(model)))
    options = {"stop": 4.0, "interval": 0.02, "tol": 1e-9}

    run, other = model.simulate(**options), bonds.simulate(**options)

    for own_name, graph_name in curves.items():
        wanted = run[own_name]
        given = np.interp(run.time, other.time, other[graph_name])
        assert np.abs(given - wanted).max() < 1e-5 * (1 + np.abs(wanted).max())


def test_a_system_is_reduced_to_the_law_of_its_port():
    """u = A - B, u = 5 i, i = flow of A, flows add up to nothing; unknowns u, i inside."""
    rows = [
        [1.0, 0.0, 0.0, -1.0, 0.0, 1.0],
        [1.0, -5.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, -1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0, 1.0, 0.0],
    ]

    left = eliminated([(row, 0.0) for row in rows], 2)
    assert left is not None
    law = law_of(left)

    assert isinstance(law, Law)
    assert -law.through / law.across == pytest.approx(5.0)
    assert law.given == 0.0
