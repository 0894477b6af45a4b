"""`freewheel blocks`: text, JSON, pictures; options that are incompatible are told."""

import json
from pathlib import Path

import pytest

from freewheel.tools.cli import execute

CIRCUIT = str(Path(__file__).resolve().parents[2] / "examples" / "dymola" / "circuit.dym")


def test_a_diagram_is_printed(capsys):
    assert execute(["blocks", CIRCUIT, "--diagram"]) == 0
    assert "R1.i      gain        1/R of R1.u" in capsys.readouterr().out


def test_a_diagram_is_drawn(tmp_path, capsys):
    path = tmp_path / "d.svg"

    assert execute(["blocks", CIRCUIT, "--diagram", "--svg", str(path)]) == 0
    assert path.read_text(encoding="utf-8").startswith("<svg ")
    assert str(path) in capsys.readouterr().out


def test_a_diagram_as_json(capsys):
    assert execute(["blocks", CIRCUIT, "--diagram", "--differential", "--json"]) == 0

    report = json.loads(capsys.readouterr().out)
    assert report["causality"] == "differential"
    assert [b["kind"] for b in report["blocks"]].count("derivative") == 2


@pytest.mark.parametrize(
    "options", [["--differential"], ["--open", "R1"], ["--diagram", "--initial"]]
)
def test_options_that_do_not_go_together(options, capsys):
    assert execute(["blocks", CIRCUIT, *options]) == 2
    assert "U094" in capsys.readouterr().err


def test_a_component_that_is_not_there(capsys):
    assert execute(["blocks", CIRCUIT, "--diagram", "--open", "R11"]) == 2
    assert "U093" in capsys.readouterr().err
