"""check, flatten, equations, explain and library, from the command line to the last room."""

import json
from pathlib import Path

import pytest

from freewheel.tools.cli import execute

DECAY = "model Decay\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;\nend Decay;\n"
LOOSE = "model Loose\n  Real x;\n  Real y;\nequation\n  x = time;\nend Loose;\n"
BROKEN = "model Broken\n  Real x\nend Broken;\n"


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MODELICAPATH", raising=False)
    (tmp_path / "decay.mo").write_text(DECAY)
    return tmp_path


# ---------------------------------------------------------------- check


def test_check_counts(here, capsys):
    assert execute(["check", "decay.mo"]) == 0
    assert capsys.readouterr().out == "Decay: 1 unknown, 1 equation\n"


def test_check_of_a_directory_goes_on_after_a_mistake(here, capsys):
    (here / "broken.mo").write_text(BROKEN)
    (here / "loose.mo").write_text(LOOSE)
    (here / "P").mkdir()
    (here / "P" / "package.mo").write_text("package P end P;")
    (here / "P" / "Inner.mo").write_text("within P;\nmodel Inner Real x = 1; end Inner;")

    assert execute(["check", "."]) == 1

    shown = capsys.readouterr()
    *lines, sums = shown.out.splitlines()
    assert lines == [
        "P.Inner: 1 unknown, 1 equation",
        "broken.mo: wrong",
        "Decay: 1 unknown, 1 equation",
        "Loose: wrong",
    ]
    assert sums.startswith("5 checked, 2 wrong (S005: 1, E001: 1), in ")
    assert "error[S005]" in shown.err
    assert "error[E001]" in shown.err


def test_check_as_json(here, capsys):
    (here / "loose.mo").write_text(LOOSE)

    assert execute(["check", ".", "--json"]) == 1

    value = json.loads(capsys.readouterr().out)
    assert [(c["name"], c["ok"]) for c in value["checked"]] == [("Decay", True), ("Loose", False)]
    [found] = value["diagnostics"]
    assert (found["stage"], found["code"]) == ("structure", "E001")
    assert (found["file"], found["line"], found["column"]) == ("loose.mo", 3, 8)


def test_check_of_the_syntax_only(here, capsys):
    (here / "loose.mo").write_text(LOOSE)

    assert execute(["check", ".", "--syntax-only"]) == 0
    *lines, sums = capsys.readouterr().out.splitlines()
    assert lines == ["decay.mo: parsed, 1 class", "loose.mo: parsed, 1 class"]
    assert sums.startswith("2 checked, 0 wrong, in ")


def test_check_of_a_class_of_the_embedded_library(here, capsys):
    assert execute(["check", "Modelica.Blocks.Continuous.FirstOrder"]) == 0
    assert capsys.readouterr().out.startswith("Modelica.Blocks.Continuous.FirstOrder: ")


def test_check_of_a_file_without_a_model(here, capsys):
    (here / "f.mo").write_text("function f\n  output Real y = 1;\nend f;\n")

    assert execute(["check", "f.mo"]) == 0
    assert capsys.readouterr().out == "f: function, nothing wrong\n"


# ---------------------------------------------------------------- flatten, equations


def test_what_flatten_prints_is_the_same_model_again(here, capsys):
    assert execute(["flatten", "decay.mo"]) == 0
    text = capsys.readouterr().out

    (here / "flat.mo").write_text(text)
    assert execute(["check", "flat.mo"]) == 0
    assert capsys.readouterr().out == "'Decay': 1 unknown, 1 equation\n"


def test_flatten_into_a_file_and_as_json(here, capsys):
    assert execute(["flatten", "decay.mo", "--out", "flat.mo"]) == 0
    assert capsys.readouterr().out == "flat.mo\n"

    assert execute(["flatten", "decay.mo", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["model"] == "Decay"
    assert value["text"].rstrip() == (here / "flat.mo").read_text().rstrip()


@pytest.mark.parametrize("stage", ["flat", "aliases", "sorted", "solved", "blocks"])
def test_every_stage_of_the_equations_prints(here, stage, capsys):
    assert execute(["equations", "decay.mo", "--stage", stage]) == 0
    assert "der(x)" in capsys.readouterr().out


def test_equations_as_json(here, capsys):
    assert execute(["equations", "decay.mo", "--stage", "sorted", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "model": "Decay",
        "stage": "sorted",
        "text": "Decay  [der(x)] = -x\n",
        "diagnostics": [],
    }


# ---------------------------------------------------------------- explain


def test_explain_a_sound_model(here, capsys):
    assert execute(["explain", "decay.mo"]) == 0
    assert capsys.readouterr().out == "Decay: no errors were found up to simulation\n"


def test_explain_a_model_adds_the_text_of_the_code(here, capsys):
    (here / "loose.mo").write_text(LOOSE)

    assert execute(["explain", "loose.mo"]) == 1
    text = capsys.readouterr().out
    assert "error[E001]: Loose" in text
    assert "In circuits a missing ground is the usual cause." in text.replace("\n", " ")


def test_explain_as_json(here, capsys):
    (here / "loose.mo").write_text(LOOSE)

    assert execute(["explain", "loose.mo", "--json"]) == 1
    found, why = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (found["code"], why["code"]) == ("E001", "E033")
    assert found["explanation"]
    assert why["line"] == found["line"]


# ---------------------------------------------------------------- library


def packages(capsys, *arguments: str) -> dict[str, dict[str, str]]:
    assert execute(["library", "list", "--json", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)["packages"]
    return {package["name"]: package for package in found}


def test_the_embedded_library_is_there(here, capsys):
    found = packages(capsys)

    assert found["Modelica"]["origin"] == "embedded"
    assert found["Modelica"]["version"].startswith("4.1.0")


def test_a_library_on_the_path_goes_before_the_embedded_one(here, capsys, monkeypatch):
    (here / "lib" / "Modelica 9.9").mkdir(parents=True)
    file = here / "lib" / "Modelica 9.9" / "package.mo"
    file.write_text('package Modelica annotation(version = "9.9"); end Modelica;')
    monkeypatch.setenv("MODELICAPATH", str(here / "lib"))

    found = packages(capsys)

    assert found["Modelica"] == {
        "name": "Modelica",
        "version": "9.9",
        "path": str(file),
        "origin": "MODELICAPATH",
    }
    assert packages(capsys, "--library", "lib")["Modelica"]["origin"] == "library"


def test_a_library_that_is_not_there_is_a_wrong_call(here, capsys):
    assert execute(["library", "list", "--library", "absent"]) == 2
    assert "error[U011]" in capsys.readouterr().err


def test_a_run_says_which_library_it_used(here, capsys, monkeypatch):
    (here / "lib" / "Own").mkdir(parents=True)
    (here / "lib" / "Own" / "package.mo").write_text(
        'package Own constant Real k = 2; annotation(version = "1.2"); end Own;'
    )
    (here / "m.mo").write_text("model M Real x = Own.k; end M;")
    monkeypatch.setenv("MODELICAPATH", str(here / "lib"))

    assert execute(["run", "m.mo"]) == 0
    assert f"  with  Own 1.2 from {here / 'lib' / 'Own'}\n" in capsys.readouterr().out
