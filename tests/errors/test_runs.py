"""Runs that end badly or with a remark: exit status, code, place, message and cure by the command line."""

import json
from typing import NamedTuple

import pytest

from freewheel.tools.cli import execute

DECAY = "  Real x(start = 1, fixed = true);\nequation\n  der(x) = -x;"
COUNTER = """  Integer n(start = 1, fixed = true);
equation
  when sample(0, 0.01) then
    n = 4*pre(n);
  end when;"""
OPENED = """  import Modelica.Electrical.Analog.*;
  Basic.Inductor L(L = 1, i(start = 1, fixed = true));
  Basic.Resistor R(R = 1);
  Ideal.IdealOpeningSwitch S(Ron = 0, Goff = 0);
  Modelica.Blocks.Sources.BooleanStep b(startTime = 0.5);
  Basic.Ground g;
equation
  connect(L.p, S.p);
  connect(S.n, R.p);
  connect(R.n, L.n);
  connect(L.n, g.p);
  connect(b.y, S.control);"""
LATER = """  Real x(start = 1, fixed = true);
equation
  der(x) = -delay(x, 0.1 + 0.1*x, 1);"""


class Case(NamedTuple):
    text: str
    options: list[str]
    status: int
    told: tuple[str, str, int | None]  # severity, code, line
    message: str
    cure: str


CASES = {
    "too many steps": Case(
        DECAY, ["--max-steps", "3", "--solver", "dopri5"], 3, ("error", "R004", None),
        "3 steps were taken and time is only 0.", "--max-steps N allows more",
    ),
    "too many steps because of a delay": Case(
        "  Real x = delay(time, 1e-6);", ["--max-steps", "9"], 3, ("error", "R004", None),
        "9 steps were taken", "no step is longer than the shortest delay time",
    ),
    "an Integer beyond 2^53": Case(
        COUNTER, [], 0, ("warning", "R172", 2),
        "Integer `n` = 1.80144e+16 at time 0.26 is beyond 2^53", "make it a Real",
    ),
    "an impulse": Case(
        OPENED, [], 0, ("warning", "R131", None),
        "M: an impulse in `L` at time 0.5 s", "`--impulses accept`",
    ),
    "an impulse that stops the run": Case(
        OPENED, ["--impulses", "error"], 3, ("error", "R131", None),
        "M: an impulse in `L` at time 0.5 s", "",
    ),
    "quantized states without machine code": Case(
        DECAY, ["--solver", "qss2", "--backend", "python"], 2, ("error", "U064", None),
        "qss2 cannot simulate `M`: it has no machine code", "use --backend llvm, or another solver",
    ),
    "a delay that changes": Case(
        LATER, ["--solver", "cvode"], 2, ("error", "U038", None),
        "the solver `cvode` cannot take delays whose delay time changes", "use `auto`",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_run_is_told(name, tmp_path, monkeypatch, capsys):
    case = CASES[name]
    (tmp_path / "M.mo").write_text(f"model M\n{case.text}\nend M;\n")
    monkeypatch.chdir(tmp_path)

    status = execute(["run", "M.mo", "--json", *case.options])

    (told,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert status == case.status
    assert (told["severity"], told["code"], told["line"]) == case.told
    assert case.message in told["message"]
    assert case.cure in told["help"]
