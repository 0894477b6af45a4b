"""Runs that cannot end well: each says the time, the equation, the values and what to try, and keeps
the curves up to there."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import freewheel
from freewheel.base.diagnostics import Diagnostic, SimulationError, UsageError
from freewheel.result.store import Result
from freewheel.tools import progress
from freewheel.tools.cli import execute

BACKENDS = ("python", "llvm")
Fail = Callable[..., "Failure"]


@dataclass(frozen=True)
class Failure:
    problem: Diagnostic
    result: Result


@pytest.fixture
def fail(tmp_path) -> Fail:
    def run(text: str, backend: str, **choices: object) -> Failure:
        path = tmp_path / "M.mo"
        path.write_text(f"model M\n{text}\nend M;\n")
        with pytest.raises(SimulationError) as caught:
            freewheel.load(path, backend=backend).simulate(stop=2.0, **choices)
        result = caught.value.result
        assert result is not None
        assert np.isfinite(result.data).all()
        assert caught.value.diagnostics[0].help
        return Failure(caught.value.diagnostics[0], result)

    return run


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_matrix_that_becomes_singular(fail, backend):
    text = "  Real x; Real y;\nequation\n  time*x + y = 1;\n  x + y = 2;"
    failed = fail(text, backend, start=1.0)

    assert failed.problem.code == "R123"
    assert failed.problem.message.startswith("at time 1: a loop of equations is singular")
    assert "time*x + y = 1" in failed.problem.message
    assert failed.problem.labels[0].span.line == 4
    assert len(failed.result) == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_newton_iteration_without_a_solution(fail, backend):
    failed = fail("  Real x(start = 1);\nequation\n  x^2 = -0.5 - time;", backend)

    assert failed.problem.code == "R124"
    assert failed.problem.message.startswith("at time 0")
    assert "`x^2 = -0.5 - time`" in failed.problem.message


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_solution_that_ends(fail, backend):
    failed = fail("  Real x(start = 1);\nequation\n  x^2 = 0.5 - time;", backend)

    assert failed.problem.code == "R153"
    assert failed.problem.message.startswith("at time 0.5")
    assert "`x^2 = 0.5 - time`" in failed.problem.message
    assert "with x = " in failed.problem.message
    assert failed.result.time[-1] == pytest.approx(0.5)
    assert failed.result.at("x", 0.248) == pytest.approx(0.252**0.5)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("log(x)", "no value for its argument"),
        ("f(x)", "no value for its argument"),
        ("1/max(x, 0)", "division by zero"),
        ("exp(800 - 100*x)", "overflows"),
        ("1/(1/max(x, 0))", "division by zero"),
        ("exp(-1/max(x, 0)^2)", "division by zero"),
        ("atan(max(x, 0)^(-1))", "division by zero"),
        ("min(1/max(x, 0), 5)", "division by zero"),
        ("g(max(x, 0))", "division by zero"),
        ("exp(log(max(x, 0)))", "no value for its argument"),
    ],
)
def test_a_formula_without_a_finite_value(fail, backend, formula, words):
    text = (
        "  function f input Real u; output Real y; algorithm y := sqrt(u); end f;"
        "  function g input Real u; output Real y; algorithm y := 1/u; y := 1/y; end g;\n"
        f"  Real x(start = 1, fixed = true);\n  Real y;\nequation\n  der(x) = -1;\n  y = {formula};"
    )
    failed = fail(text, backend)

    assert failed.problem.code == "R122"
    assert failed.problem.message.startswith("at time ")
    assert words in failed.problem.message
    assert ", x = " in failed.problem.message
    assert failed.problem.labels[0].span.line == 7
    assert 0.0 < failed.result.time[-1] < 2.0


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_not_chosen_may_have_no_value(tmp_path, backend):
    path = tmp_path / "M.mo"
    path.write_text(
        "model M\n  Real x = 1 - time;\n  Real y = if noEvent(x > 0) then 1/(1/x) else 0;\nend M;\n"
    )

    result = freewheel.load(path, backend=backend).simulate(stop=2.0)

    assert result["y"] == pytest.approx(np.maximum(1.0 - result.time, 0.0), abs=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_matrix_that_becomes_singular_while_running(fail, backend):
    text = "  Real s(start = 0, fixed = true), x, y;\nequation\n  der(s) = x;\n"
    failed = fail(text + "  (0.5 - time)*x + y = 1;\n  x + y*(1 - time) = 2;", backend)

    assert failed.problem.code == "R003"
    assert "at time 1.7807764" in failed.problem.message
    assert "(0.5 - time)*x + y = 1" in failed.problem.message
    assert "with x = " in failed.problem.message
    assert failed.problem.labels[0].span.line == 5


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_fixed_step_beyond_a_pole(fail, backend):
    text = "  Real x(start = 1, fixed = true);\nequation\n  der(x) = x^3;"
    failed = fail(text, backend, solver="rk4")

    assert failed.problem.code == "R003"
    assert "`x` (now " in failed.problem.message
    assert "`der(x) = x^3`" in failed.problem.message


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_step_size_that_falls_to_nothing(fail, backend):
    failed = fail("  Real x(start = 1, fixed = true);\nequation\n  der(x) = x^2;", backend)

    assert failed.problem.code == "R003"
    assert "at time 1.0" in failed.problem.message
    assert "`x`" in failed.problem.message
    assert "given by `der(x) = x^2`" in failed.problem.message
    assert failed.problem.labels[0].span.line == 4
    assert "--solver" in failed.problem.help
    assert failed.result.time[-1] == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("tolerance", [0.0, -1e-6, 1e-20, 1.0, float("nan"), float("inf")])
def test_a_tolerance_out_of_reach(tmp_path, tolerance):
    (tmp_path / "M.mo").write_text("model M Real x(start = 1); equation der(x) = -x; end M;")

    with pytest.raises(UsageError) as caught:
        freewheel.load(tmp_path / "M.mo").simulate(tol=tolerance)
    assert caught.value.diagnostics[0].code == "U022"


@pytest.mark.parametrize("backend", BACKENDS)
def test_ctrl_c_keeps_the_curves_in_a_file_named_so(tmp_path, monkeypatch, capsys, backend):
    """The signal comes from outside while the solver works; a run to the end would take days."""

    def interrupt_soon(share: float) -> None:
        if not timers:
            timers.append(threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)))
            timers[0].start()

    @contextmanager
    def watched() -> Iterator[Callable[[float], None]]:
        yield interrupt_soon

    timers: list[threading.Timer] = []
    text = "Real x(start = 1, fixed = true), v(start = 0, fixed = true);"
    Path(tmp_path / "M.mo").write_text(f"model M {text} equation der(x) = v; der(v) = -x; end M;")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "progress_bar", watched)
    call = ["run", "M.mo", "--stop", "1e9", "--interval", "5", "--backend", backend]

    assert execute(call) == 130

    told = capsys.readouterr().err
    assert "error[R009]: interrupted at time" in told
    assert "are in M.partial.csv (csv)" in told
    kept = freewheel.read_result(tmp_path / "M.partial.csv")
    assert len(kept) > 1
    last = float(told.split("interrupted at time ")[1].split()[0])
    assert abs(last - kept.time[-1]) <= 50.0  # nothing is lost with a buffer
    assert kept["x"] == pytest.approx(np.cos(kept.time), abs=1e-2)


def run_through_the_command(text: str, tmp_path, monkeypatch, capsys, *options: str):
    """Exit code and the diagnostics of `freewheel run`."""
    (tmp_path / "M.mo").write_text(f"model M\n{text}\nend M;\n")
    monkeypatch.chdir(tmp_path)
    code = execute(["run", "M.mo", "--json", *options])
    return code, json.loads(capsys.readouterr().out)["diagnostics"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_end_that_a_model_chooses(tmp_path, monkeypatch, capsys, backend):
    text = '  Real x = time;\nequation\n  when x > 0.5 then\n    terminate("that is all");\n  end when;'

    code, (told,) = run_through_the_command(
        text, tmp_path, monkeypatch, capsys, "--backend", backend
    )

    assert code == 0
    assert (told["severity"], told["code"], told["message"]) == ("note", "R100", "that is all")
    assert (told["line"], told["column"]) == (5, 5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_table_that_ends(tmp_path, monkeypatch, capsys, backend):
    text = (
        "  import Modelica.Blocks.Types.Extrapolation;\n"
        "  Modelica.Blocks.Tables.CombiTable1Ds t(table = [0, 0; 1, 2],\n"
        "    extrapolation = Extrapolation.NoExtrapolation);\nequation\n  t.u = 2*time;"
    )

    code, (told,) = run_through_the_command(
        text, tmp_path, monkeypatch, capsys, "--backend", backend
    )

    assert code == 3
    assert told["code"] == "R110"
    assert told["message"].endswith("is outside of its table, which covers 0 to 1")
    assert told["message"].startswith("at time 0.5")
    assert told["file"].endswith("M.mo")
    assert "extend the table" in told["help"]


@pytest.mark.parametrize("solver", ["qss2", "qss3", "liqss2"])
def test_a_derivative_without_a_value_where_states_are_quantized(
    tmp_path, monkeypatch, capsys, solver
):
    """The tank is empty at t = 1: the quantized level is below zero there, the level itself is not."""
    text = "  Real h(start = 1, fixed = true);\nequation\n  der(h) = -2*sqrt(h);"

    code, (told,) = run_through_the_command(
        text, tmp_path, monkeypatch, capsys, "--solver", solver, "--stop", "2"
    )

    assert code == 3
    assert told["code"] == "R060"
    assert "the derivative behind `h` has no value at time" in told["message"]
    assert "a smaller quantum" in told["help"]
