"""`freewheel bondgraph`: text, pictures, Modelica, JSON, and stored graphs taken on."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

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
