"""Broken classic models: each is diagnosed with its code, line, column, message and exit status.

`broken.txt` holds the models. `=== name` begins one; each `---` line after it is a diagnostic
expected: severity, code, line:column, message.
"""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.quickest import quickest

from freewheel.tools.cli import execute
from freewheel.tools.explain import read_entries


class Case(NamedTuple):
    name: str
    text: str
    expected: list[str]


def read_cases() -> list[Case]:
    page = Path(__file__).with_name("broken.txt").read_text(encoding="utf-8")
    cases = []
    for block in ("\n" + page).split("\n=== ")[1:]:
        name, _, rest = block.partition("\n")
        lines = rest.splitlines()
        marks = [at for at, line in enumerate(lines) if line.startswith("--- ")]
        text = "\n".join(lines[: marks[0]]) + "\n"
        cases.append(Case(name, text, [lines[at].removeprefix("--- ") for at in marks]))
    return cases


CASES = read_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_broken_model_is_diagnosed(case, tmp_path, capsys):
    path = tmp_path / "m.dym"
    path.write_text(case.text, encoding="utf-8")

    code = execute(["check", str(path), "--json"])

    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert {d["file"] for d in found} == {str(path)}
    shown = "{severity} {code} {line}:{column} {message}"
    assert [shown.format(**diagnostic) for diagnostic in found] == case.expected
    assert all(d["help"] for d in found), "each tells a cure"
    assert code == 1


def test_there_are_many_and_each_new_code_has_one():
    codes = {line.split()[1] for case in CASES for line in case.expected}

    assert len(CASES) >= 30
    assert {code for code in read_entries() if "S040" <= code <= "S047"} <= codes


def test_a_message_shows_the_line_and_a_cure(tmp_path, capsys):
    path = tmp_path / "m.dym"
    path.write_text("model M\n  submodel (Resistr) R1(R = 5)\nend\n", encoding="utf-8")

    assert execute(["check", str(path)]) == 1

    assert capsys.readouterr().err == (
        f"error[S040]: there is no class `Resistr`\n"
        f"  --> {path}:2:13\n"
        "   2 |   submodel (Resistr) R1(R = 5)\n"
        "     |             ^^^^^^^\n"
        "help: did you mean `Resistor` or `resistor`?\n"
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("model M\n local x\n x = " + "(" * 5000 + "1" + ")" * 5000 + "\nend\n", "S009"),
        ("model M\n local x\n x = " + "-" * 5000 + "1\nend\n", "S009"),
        ("model M\n local x\n x = " + "not " * 5000 + "x\nend\n", "S009"),
        ("model M\n local x\n x = " + "1 + " * 5000 + "x\nend\n", "S009"),
        ("model M\n connect " + "(a//b) - " * 5000 + "a\nend\n", "S043"),
    ],
    ids=["brackets", "signs", "not", "sum", "series"],
)
def test_depth_is_no_danger(text, code, tmp_path, capsys):
    path = tmp_path / "m.dym"
    path.write_text(text, encoding="utf-8")

    assert execute(["check", str(path), "--json"]) == 1

    assert json.loads(capsys.readouterr().out)["diagnostics"][0]["code"] == code


def test_a_long_line_of_base_classes_is_read_in_no_time(tmp_path):
    chain = ["model class A0\n  local y0\n  y0 = 1\nend\n"]
    for i in range(1, 100):
        chain.append(f"model class (A{i - 1}) A{i}\n  local y{i}\n  y{i} = 1\nend\n")
    path = tmp_path / "m.dym"
    path.write_text("".join(chain) + "model M\n  submodel (A99) a\nend\n")

    assert execute(["check", str(path)]) == 0
    assert quickest(lambda: execute(["check", str(path)])) < 5.0
