"""Mistakes seen from the shell: exit status, text on stderr or JSON on stdout, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.safety.interrupted import interrupted

GOOD = """
model M
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end M;
"""
ENDLESS = """
model M
  function f
    input Integer n;
    output Integer m;
  algorithm
    m := n;
    while m > 0 loop
      m := n;
    end while;
  end f;
  parameter Integer n = f(1);
  Real x[n] = fill(time, n);
end M;
"""
FALLS = 'model M\n  Real x = time;\nequation\n  assert(x < 0.5, "x is too large");\nend M;\n'

# arguments, files, exit status, code, place (`line:column`), a part of the message
CASES = {
    "no such file": (["run", "none.mo"], {}, 2, "U002", None, "cannot read `none.mo`"),
    "a directory called like a file": (
        ["run", "d.mo"],
        {"d.mo/inside.txt": ""},
        2,
        "U004",
        None,
        "directory without a `package.mo`",
    ),
    "no such class": (
        ["check", "Nowhere.M"],
        {},
        2,
        "U003",
        None,
        "there is no file or class `Nowhere.M`",
    ),
    "no such library": (
        ["check", "m.mo", "--library", "nowhere"],
        {"m.mo": GOOD},
        2,
        "U011",
        None,
        "nowhere",
    ),
    "no such command": (["rum", "m.mo"], {"m.mo": GOOD}, 2, "U001", None, "rum"),
    "no such model in the file": (
        ["run", "m.mo", "-m", "N"],
        {"m.mo": GOOD},
        2,
        "U004",
        None,
        "no class `N`",
    ),
    "a package is no model": (
        ["run", "m.mo"],
        {"m.mo": "package P\n  constant Real c = 1;\nend P;\n"},
        2,
        "U004",
        None,
        "holds no model",
    ),
    "a partial model": (
        ["run", "m.mo", "-m", "M"],
        {"m.mo": "partial model M\n  Real x;\nend M;\n"},
        1,
        "N018",
        "1:15",
        "is partial",
    ),
    "a function is no model": (
        ["run", "m.mo", "-m", "f"],
        {"m.mo": "function f\n  output Real y = 1;\nend f;\n"},
        1,
        "N019",
        "1:10",
        "is a function",
    ),
    "a syntax error": (
        ["run", "m.mo"],
        {"m.mo": "model M\n  Real x = ;\nend M;\n"},
        1,
        "S004",
        "2:12",
        "expected an expression",
    ),
    "a missing class": (
        ["flatten", "m.mo"],
        {"m.mo": "model M\n  Resistor r;\nend M;\n"},
        1,
        "N002",
        "2:3",
        "class `Resistor` not found",
    ),
    "an output that is read-only": (
        ["flatten", "m.mo", "--out", "out.txt"],
        {"m.mo": GOOD, "out.txt": "kept"},
        2,
        "U010",
        None,
        "cannot write `out.txt`",
    ),
    "an output in no directory": (
        ["run", "m.mo", "--out", "nowhere/r.csv"],
        {"m.mo": GOOD},
        2,
        "U010",
        None,
        "cannot write `nowhere/r.csv`",
    ),
    "an unknown parameter": (
        ["run", "m.mo", "--param", "kk=2"],
        {"m.mo": GOOD},
        2,
        "U025",
        None,
        "`kk`",
    ),
    "a function that never ends": (
        ["check", "m.mo"],
        {"m.mo": ENDLESS},
        1,
        "N902",
        None,
        "was stopped after",
    ),
    "an assertion fails while simulating": (
        ["run", "m.mo", "--stop", "1", "--out", "r.csv"],
        {"m.mo": FALLS},
        3,
        None,
        None,
        "x is too large",
    ),
}
# what the model does, exit status 3, code, place, a part of the message
RUNS = {
    "a singular matrix": (
        "Real x;\n  Real y;\nequation\n  (time - 1)*x + y = 1;\n  x - y = 2;",
        "R123",
        "5:3",
        "(time - 1)*x + y = 1",
    ),
    "Newton without a solution": (
        "Real x(start = 1);\nequation\n  x^2 + exp(x) = -1 - time;",
        "R124",
        "4:3",
        "`x^2 + exp(x) = -1 - time`",
    ),
    "a division by zero in the middle of a formula": (
        "parameter Real p = 0;\n  Real x = 1/(1/(p*time));",
        "R122",
        "3:8",
        "division by zero",
    ),
    "a function of the model without a value": (
        "function f input Real u; output Real y; algorithm y := log(u); end f;\n"
        "  Real x = f(0.5 - time);",
        "R122",
        "3:8",
        "f(0.5 - time)`\n  with x = ",
    ),
    "a step size that falls to nothing": (
        "Real x(start = 1, fixed = true);\nequation\n  der(x) = x^2;",
        "R003",
        "4:3",
        "`der(x) = x^2`\n  with ",
    ),
    "conditions that contradict": (
        "Real x(start = 1, fixed = true);\n  Real y(start = 2, fixed = true);\n"
        "equation\n  der(x) = -x;\n  y = x;",
        "R125",
        "3:8",
        "\n  y = 2\n  x = 1",
    ),
}
AS_JSON = ("no such file", "a syntax error", "a missing class")
CASES |= {
    name: (["run", "m.mo", "--stop", "2"], {"m.mo": f"model M\n  {body}\nend M;\n"}, 3, *told)
    for name, (body, *told) in RUNS.items()
}


def freewheel(arguments: list[str], directory: Path) -> subprocess.CompletedProcess[str]:
    """The real command, as a shell starts it."""
    environment = {name: value for name, value in os.environ.items() if name != "MODELICAPATH"}
    return subprocess.run(
        [sys.executable, "-m", "freewheel", *arguments],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def place(tmp_path, request):
    """A directory with the files of a case; `out.txt` may not be written."""
    for name, text in request.param[1].items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if (tmp_path / "out.txt").exists():
        (tmp_path / "out.txt").chmod(0o444)
    return tmp_path, request.param


@pytest.mark.parametrize("place", CASES.values(), ids=list(CASES), indirect=True)
def test_a_mistake_has_its_exit_status_and_its_text(place):
    directory, (arguments, _, status, code, where, message) = place

    done = freewheel(arguments, directory)

    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert message in done.stderr
    if code is not None:
        assert f"error[{code}]" in done.stderr
    if where is not None:
        assert f"{arguments[1]}:{where}" in done.stderr


@pytest.mark.parametrize(
    "place",
    [CASES[name] for name in (*AS_JSON, *RUNS)],
    ids=[*AS_JSON, *RUNS],
    indirect=True,
)
def test_the_same_as_json(place):
    directory, (arguments, _, status, code, where, message) = place

    done = freewheel([*arguments, "--json"], directory)
    first = json.loads(done.stdout)["diagnostics"][0]

    assert (done.returncode, first["code"]) == (status, code)
    assert message in first["message"]
    assert where in (None, f"{first['line']}:{first['column']}")
    assert first["help"] or first["code"].startswith("S")


def test_ctrl_c_ends_the_command_and_keeps_the_curves(tmp_path):
    text = "Real x(start = 1, fixed = true), v(start = 0, fixed = true);"
    (tmp_path / "m.mo").write_text(f"model M {text} equation der(x) = v; der(v) = -x; end M;")

    ended = interrupted(["run", "m.mo", "--stop", "1e12", "--interval", "1000"], tmp_path, 0.3)

    assert ended.status == 130, ended.told
    assert "Traceback" not in ended.told
    assert "error[R009]: interrupted at time " in ended.told
    assert (tmp_path / "M.partial.csv").exists()


def test_what_could_not_be_written_is_left_alone(tmp_path):
    (tmp_path / "m.mo").write_text(GOOD, encoding="utf-8")
    (tmp_path / "out.txt").write_text("kept", encoding="utf-8")
    (tmp_path / "out.txt").chmod(0o444)

    freewheel(["flatten", "m.mo", "--out", "out.txt"], tmp_path)

    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "kept"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.mo", "out.txt"]
