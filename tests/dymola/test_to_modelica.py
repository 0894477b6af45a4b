"""A classic model as Modelica text: it has a class for each class and simulates the same."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import freewheel as fw
from freewheel.tools.cli import execute

EXAMPLES = Path(__file__).parents[2] / "examples" / "dymola"
RUNS: dict[str, tuple[float, dict[str, float], tuple[str, ...]]] = {
    "classes": (0.2, {}, ("C.u", "L.i")),
    "circuit": (1e-4, {"u": 10.0}, ("y1", "y2")),
    "divider": (1.0, {"u": 12.0}, ("y",)),
    "parcap": (1e-3, {"i": 3e-4}, ("y", "C2.i")),
    "lever": (2.0, {}, ("B.phi", "B.fx")),
    "superheater": (10.0, {}, ("h", "r")),
    "junction": (5.0, {}, ("ud", "id")),
    "limiter": (10.0, {}, ("y",)),
    "hysteresis": (10.0, {}, ("y",)),
    "sampled": (1.05, {}, ("x",)),
    "ball": (1.5, {}, ("Height",)),
    "booleans": (1.0, {}, ("count",)),
    "switch": (12e-6, {"i": 1.0}, ("y", "Sw.u")),
    "rectifier": (0.1, {}, ("y", "Diode.u")),
    "rectifier_loop": (0.02, {}, ("y",)),
    "two_block": (20.0, {}, ("m1.v", "m2.v", "f1.fr")),
}


@pytest.mark.parametrize("file", RUNS)
def test_the_translation_simulates_the_same(file, tmp_path):
    stop, inputs, watched = RUNS[file]
    classic = fw.load(EXAMPLES / f"{file}.dym")
    classic.export("modelica", tmp_path / "translated.mo")
    translated = fw.load(tmp_path / "translated.mo")

    one = classic.simulate(stop=stop, tol=1e-8, inputs=inputs)
    other = translated.simulate(stop=stop, tol=1e-8, inputs=inputs)

    assert translated.name == classic.name
    for name in watched:
        assert np.any(one[name] != 0)
        assert one.final(name) == pytest.approx(other.final(name), rel=1e-5, abs=1e-9), name
    if file != "rectifier_loop":  # there a voltage of zero crosses zero as rounding likes
        assert len(one.events) == len(other.events)


def test_each_class_stays_a_class(tmp_path, capsys):
    assert execute(["export", str(EXAMPLES / "rectifier.dym"), "--to", "modelica"]) == 0
    text = capsys.readouterr().out
    classes = re.findall(r"^(\w+) (\w+)", text, re.MULTILINE)

    assert [name for kind, name in classes if kind in ("model", "connector")] == [
        "Cut", "Common", "TwoPort", "Resistor", "Capacitor", "VSource", "Switch", "Diode", "Rectifier",
    ]  # fmt: skip
    assert "  Resistor Ri(R=10);\n" in text
    assert "  connect(U0.B, Ri.A);\n" in text
    assert "  .Common Common;\n" in text  # a component of the name of its class
    assert 'model Rectifier "Fig. 5 of Elmqvist' in text


def test_changes_from_outside_are_kept(tmp_path):
    model = fw.load(EXAMPLES / "divider.dym").changed({"R1.R": "40", "u": "6*time"})
    model.export("modelica", tmp_path / "d.mo", stop=2.0)

    result = fw.load(tmp_path / "d.mo").simulate()

    assert result.final("y") == pytest.approx(12.0 * 20 / 60)


def test_names_that_modelica_keeps_for_itself_are_quoted(tmp_path):
    path = tmp_path / "m.dym"
    path.write_text(
        "model class Part\n  main cut flow(block/within)\n  block = 2*within\nend\n"
        "model M\n  submodel (Part) record\n  submodel (Part) each\n  local flow\n"
        "  connect record at each\n  flow = record.block + 1\nend\n"
    )
    fw.load(path).export("modelica", tmp_path / "m.mo")

    assert fw.load(tmp_path / "m.mo").simulate(stop=1.0).final("'flow'") == 1.0
    assert fw.load(path).simulate(stop=1.0).final("flow") == 1.0


def test_a_model_of_modelica_is_written_flat(tmp_path):
    path = tmp_path / "M.mo"
    path.write_text("model M Real x; equation x = 2*time; end M;")

    assert "x = 2*time" in fw.load(path).export("modelica")["M.mo"]


def test_names_that_modelica_keeps_for_itself_stand_in_quotes(tmp_path):
    """Also of classes; `time` is a variable like others beside `Time`."""
    text = """
model class flow
  cut each(public/protected), end2(discrete/-protected)
  main path algorithm<each - end2>
  parameter loop = 1
  public - discrete = loop*protected
end
model equation
  submodel (flow) extends(loop = 3)
  submodel (vsource) block
  submodel Common
  local time, Real
  output stream
  connect Common -\\block - extends - Common
  block.V = 6
  time = 3*Time
  Real = time
  stream = extends.protected
end
"""
    path = tmp_path / "m.dym"
    path.write_text(text)
    written = tmp_path / "m.mo"
    written.write_text(fw.load(path).export("modelica")["equation.mo"])
    first, second = (fw.load(file).simulate(stop=2) for file in (path, written))

    assert first["Real"][-1] == second["'Real'"][-1] == 6
    assert first["'time'"][-1] == 6
    assert first["stream"][-1] == second["'stream'"][-1] == 2


def test_flat_text_quotes_keywords_too(tmp_path):
    path = tmp_path / "m.dym"
    path.write_text("model M\n  local record, Real\n  der(record) = 1\n  Real = 2*record\nend\n")
    (tmp_path / "m.mo").write_text(fw.load(path).export("flat")["M.mo"])

    assert fw.load(tmp_path / "m.mo").simulate(stop=2)["'Real'"][-1] == pytest.approx(4)
