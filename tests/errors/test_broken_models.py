"""Broken models: each is diagnosed with its code, line, column, message and exit status.

The `.txt` files beside this one hold the models. `=== name` begins one; each `---` line after it
is a diagnostic expected: severity, code, line:column, message. A `+++` line after it is its cure.
"""

import json
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from freewheel.tools.cli import execute

HERE = Path(__file__).resolve().parent


class Case(NamedTuple):
    name: str
    text: str
    expected: list[str]
    cures: dict[int, str]  # by the number of the diagnostic


def read_cases(path: Path) -> list[Case]:
    cases = []
    for block in ("\n" + path.read_text(encoding="utf-8")).split("\n=== ")[1:]:
        name, _, rest = block.partition("\n")
        lines = rest.splitlines()
        marks = [at for at, line in enumerate(lines) if line.startswith("--- ")]
        text = "\n".join(lines[: marks[0]]) + "\n"
        cures = {
            number: lines[at + 1].removeprefix("+++ ")
            for number, at in enumerate(marks)
            if lines[at + 1 : at + 2] and lines[at + 1].startswith("+++ ")
        }
        cases.append(Case(name, text, [lines[at].removeprefix("--- ") for at in marks], cures))
    return cases


CASES = [case for path in sorted(HERE.glob("*.txt")) for case in read_cases(path)]


def diagnose(path: Path, capsys) -> tuple[int, list[str], list[str]]:
    code = execute(["check", str(path), "--json"])
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert all(d["file"] == str(path) for d in found)
    shown = "{severity} {code} {line}:{column} {message}"
    return code, [shown.format(**diagnostic) for diagnostic in found], [d["help"] for d in found]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_broken_model_is_diagnosed(case, tmp_path, capsys):
    path = tmp_path / "m.mo"
    path.write_text(case.text, encoding="utf-8")

    code, found, cures = diagnose(path, capsys)

    assert found == case.expected
    assert {number: cures[number] for number in case.cures} == case.cures
    assert code == (1 if any(line.startswith("error") for line in found) else 0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_broken_model_is_told_as_text(case, tmp_path, capsys):
    path = tmp_path / "m.mo"
    path.write_text(case.text, encoding="utf-8")

    execute(["check", str(path)])

    text = capsys.readouterr().err
    for line in case.expected:
        severity, code, place, message = line.split(" ", 3)
        assert f"{severity}[{code}]: {message}\n  --> {path}:{place}\n" in text


def test_there_are_many_and_their_names_differ():
    assert len(CASES) >= 40
    assert len({case.name for case in CASES}) == len(CASES)


MONSTERS = {
    "empty": (b"", "error S010 1:1 there is no class in this file"),
    "only blanks": (b" \n\t\n", "error S010 1:1 there is no class in this file"),
    "not UTF-8": (
        b"model M\n  Real x = 1; // caf\xe9\nend M;\n",
        "error S011 2:21 the byte 0xE9 is not UTF-8 text",
    ),
    "brackets": (
        b"model M\n  Real x = " + b"(" * 5000 + b"1" + b")" * 5000 + b";\nend M;\n",
        "error S009 2:111 nested too deep: more than 100 levels",
    ),
    "classes": (
        b"model M " * 5000 + b"end M; " * 5000,
        "error S009 1:809 nested too deep: more than 100 levels",
    ),
    "a NUL byte": (
        b"model M\n  Real x\0 = 1;\nend M;\n",
        "error S001 2:9 the character U+0000 does not belong to the language",
    ),
    "a long line": (
        b"model M Real x = 1" + b" + 1" * 2_500_000 + b" end M;",
        "error S004 1:10000020 expected `;`, found the keyword `end`",
    ),
}


@pytest.mark.parametrize("name", MONSTERS)
def test_monsters_are_diagnosed_in_time(name, tmp_path, capsys):
    data, expected = MONSTERS[name]
    path = tmp_path / "m.mo"
    path.write_bytes(data)
    began = time.process_time()

    code, found, _ = diagnose(path, capsys)

    assert (code, found) == (1, [expected])
    assert time.process_time() - began < 30
