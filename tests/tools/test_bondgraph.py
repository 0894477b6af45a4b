"""`freewheel bondgraph`: text, pictures, Modelica, JSON, and stored graphs taken on."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

import freewheel as fw
from freewheel.tools.bondgraph import STAGES
from freewheel.tools.cli import execute

DIVIDER = """model Divider
  Modelica.Electrical.Analog.Sources.SineVoltage V(V=10, f=1);
  Modelica.Electrical.Analog.Basic.Resistor R1(R=1);
  Modelica.Electrical.Analog.Basic.Resistor R2(R=2);
  Modelica.Electrical.Analog.Basic.Ground g;
equation
  connect(V.p, R1.p);
  connect(R1.n, R2.p);
  connect(R2.n, V.n);
  connect(V.n, g.p);
end Divider;
"""


@pytest.fixture
def divider(tmp_path):
    path = tmp_path / "divider.mo"
    path.write_text(DIVIDER)
    return str(path)


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_is_printed(stage, divider, capsys):
    assert execute(["bondgraph", divider, "--stage", stage]) == 0

    out = capsys.readouterr().out
    assert out.startswith(f"bondgraph Divider\nstage {stage}\n")
    assert "element R2 R electrical(R2.p, R2.n, in) R=2" in out


def test_findings_are_notes_and_the_exit_code_is_zero(divider, capsys):
    assert execute(["bondgraph", divider]) == 0

    shown = capsys.readouterr()
    assert "note[E111]: algebraic loop of `R1` and `R2`" in shown.err
    assert "# note[E111]" in shown.out


def test_a_picture_a_text_and_a_model_are_written(divider, tmp_path, capsys):
    names = [str(tmp_path / name) for name in ("b.svg", "b.bg", "b.mo")]
    options = ["--svg", names[0], "--text", names[1], "--modelica", names[2]]

    assert execute(["bondgraph", divider, *options]) == 0

    assert capsys.readouterr().out.split() == names
    assert ElementTree.parse(names[0]).getroot().tag.endswith("svg")
    assert execute(["check", names[2]]) == 0


def test_a_stored_graph_is_taken_on(divider, tmp_path, capsys):
    stored = str(tmp_path / "b.bg")
    assert execute(["bondgraph", divider, "--stage", "ones", "--text", stored]) == 0
    capsys.readouterr()

    assert execute(["bondgraph", stored]) == 0
    taken_on = capsys.readouterr().out
    assert execute(["bondgraph", divider]) == 0
    assert taken_on == capsys.readouterr().out


def test_a_stored_graph_does_not_go_back(divider, tmp_path, capsys):
    stored = str(tmp_path / "b.bg")
    assert execute(["bondgraph", divider, "--text", stored]) == 0

    assert execute(["bondgraph", stored, "--stage", "graph"]) == 2
    assert "U040" in capsys.readouterr().err


def test_the_report_as_json(divider, capsys):
    assert execute(["bondgraph", divider, "--json"]) == 0

    report = json.loads(capsys.readouterr().out)
    assert report["loops"] == [["R1", "R2"]]
    assert report["bonds"][0] == {"from": "V", "to": "$R1", "effort_to": "$R1"}
    assert report["diagnostics"][0]["code"] == "E111"


def test_sources_that_contradict_each_other_end_with_one(tmp_path, capsys):
    path = tmp_path / "m.mo"
    path.write_text(
        DIVIDER.replace("Basic.Resistor R1(R=1)", "Sources.ConstantVoltage R1(V=1)").replace(
            "Basic.Resistor R2(R=2)", "Sources.ConstantVoltage R2(V=2)"
        )
    )

    assert execute(["bondgraph", str(path)]) == 1
    shown = capsys.readouterr()
    assert "error[E113]" in shown.err
    assert "bond 1" in shown.out


# Declarations, connections, what to compare: no start value of its own says where the storage begins.
BEGINNINGS = {
    "initial equation": (
        "E.Sources.StepVoltage V; E.Basic.Resistor R(R=2); E.Basic.Capacitor C(C=0.2); E.Basic.Ground g;"
        " E.Basic.Inductor L(L=0.3, i(start=0.7, fixed=true)); initial equation C.v = 2*L.i;",
        "V.p R.p, R.n L.p, L.n C.p, C.n g.p, V.n g.p",
        {"C.v": "C.e", "L.i": "L.f"},
    ),
    "dependent storage": (
        "E.Sources.StepVoltage V; E.Basic.Resistor R(R=2); E.Basic.Ground g; E.Basic.Capacitor C2(C=0.3),"
        " C1(C=0.2, v(start=0.1, fixed=true)), C3(C=0.4, v(start=0.2, fixed=true));",
        "V.p R.p, R.n C1.p, C1.n g.p, C1.p C2.p, C2.n C3.p, C3.n g.p, V.n g.p",
        {"C1.v": "C1.e", "C2.v": "C2.e", "C3.v": "C3.e"},
    ),
    "spring behind a gear": (
        "R.Inertia J(J=2, phi(start=0.1, fixed=true), w(start=1, fixed=true)); R.IdealGear gear(ratio=2);"
        " R.Inertia J2(J=1, phi(start=0.15, fixed=true), w(start=0.5, fixed=true));"
        " R.Spring spring(c=10, phi_rel0=0.2);",
        "J.flange_b gear.flange_a, gear.flange_b spring.flange_a, spring.flange_b J2.flange_a",
        {"J.w": "J.f", "J2.w": "J2.f", "spring.tau": "spring.e"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_written_model_begins_as_a_run_of_the_model_does(name, tmp_path):
    declared, wires, compared = BEGINNINGS[name]
    head = "import E = Modelica.Electrical.Analog; import R = Modelica.Mechanics.Rotational.Components;"
    connections = " ".join(f"connect({w.replace(' ', ', ')});" for w in wires.split(", "))
    model, written = tmp_path / "m.mo", tmp_path / "b.mo"
    model.write_text(f"model M {head} {declared} equation {connections} end M;")

    assert execute(["bondgraph", str(model), "--modelica", str(written)]) == 0

    first, second = (fw.load(path).simulate(stop=1.0, tol=1e-9) for path in (model, written))
    for own, drawn in compared.items():
        assert second[drawn][0] == pytest.approx(first[own][0], abs=1e-12)
        assert second.final(drawn) == pytest.approx(first.final(own), rel=1e-6)


def test_a_circuit_without_ground_is_written_with_its_start_values(tmp_path):
    text = DIVIDER.replace("  Modelica.Electrical.Analog.Basic.Ground g;\n", "")
    text = text.replace("  connect(V.n, g.p);\n", "").replace(
        "Resistor R2(R=2)", "Capacitor R2(v(start=3))"
    )
    model, written = tmp_path / "m.mo", tmp_path / "b.mo"
    model.write_text(text)

    assert execute(["bondgraph", str(model), "--modelica", str(written)]) == 0

    assert fw.load(written).simulate(stop=0.0)["R2.e"][0] == 3.0


def test_a_quoted_name_is_quoted_once(tmp_path):
    model, written = tmp_path / "m.mo", tmp_path / "b.mo"
    model.write_text(DIVIDER.replace("R2", "'load 2'"))

    assert execute(["bondgraph", str(model), "--modelica", str(written)]) == 0

    assert "BondGraph.R 'load 2'(R=2);" in written.read_text()
    assert execute(["check", str(written)]) == 0
