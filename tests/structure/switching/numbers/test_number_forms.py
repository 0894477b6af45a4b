"""Diodes and thyristors whose position is a number, however it is computed, run like those with `if`."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw

COIL = """
package P
  function f input Real x; output Real y; algorithm y := x*x*(3 - 2*x); end f;
  function g input Boolean a, b; output Real y; algorithm y := if a and b then 1 else 0; end g;
  model M "a coil behind a valve"
    Real i(start=0, fixed=true), v, s;
    Boolean fire = sin(314*time - 1) > 0.9;
    {declared}
  equation
    10*sin(314*time) = 0.02*der(i) + 2*i + v;
    {equations}
  end M;
end P;
"""
LAW = "v = m*s; i = (1 - m)*s;"
DIODE = "Boolean off = s < 0;", "v = if off then s else 0; i = if off then 0 else s;"
DIODES = {
    "function": ("Real a = if s < 0 then 1 else 0, m = f(a);", ""),
    "root": ("Real a = if s < 0 then 4 else 0, m = sqrt(a)/2;", ""),
    "power": ("Real a = if s < 0 then 1 else 0, m = a^2;", ""),
    "sign": ("Real m = (1 - sign(s))/2;", ""),
    "whole part": ("Integer m = integer((1 - sign(s))/2);", ""),
    "least sign": ("Real m = -min(sign(s), 0);", ""),
    "asked sign": ("Real m = if sign(s) < 0 then 1 else 0;", ""),
    "Boolean": ("Boolean b = s < 0; Integer m = Integer(b);", ""),
    "absolute": ("Real a = if s < 0 then -1 else 0, m = abs(a);", ""),
    "remainder": ("Integer a = if s < 0 then 3 else 2, m = mod(a, 2);", ""),
    "quotient": ("Integer a = if s < 0 then 3 else 1, m = div(a, 2);", ""),
    "noEvent": ("Real m = noEvent(if s < 0 then 1 else 0);", ""),
    "table": (
        "Integer k = if s < 0 then 2 else 1; parameter Real T[2] = {0, 1}; Real m = T[k];",
        "",
    ),
    "function of a truth": ("Real m = g(s < 0, true);", ""),
    "function of a variable": ("Boolean b = s < 0, yes = true; Real m = g(b, yes);", ""),
    "sum": ("Integer a = if s < 0 then 1 else 0, b, m;", "a + b = 1; m + b = 1;"),
}
THYRISTOR = (
    "Boolean off(start=true, fixed=true);",
    "off = s < 0 or pre(off) and not fire; " + DIODE[1],
)
LATCH = "Integer n = if s < 0 then 1 else 0, q = if fire then 1 else 0; {} m(start=1, fixed=true);"
THYRISTORS = {
    "sum": (LATCH.format("Integer"), "m = n + (1 - n)*pre(m)*(1 - q);"),
    "contrary": (LATCH.format("Integer"), "m = 1 - (1 - n)*(1 - pre(m)*(1 - q));"),
    "most": (LATCH.format("discrete Real"), "m = max(n, pre(m)*(1 - q));"),
    "whole part": (LATCH.format("Integer"), "m = integer(max(n, pre(m)*(1 - q)));"),
}


def run(form: tuple[str, str], folder, tol: float = 1e-8, solver: str = "auto"):
    path = folder / "M.mo"
    path.write_text(COIL.format(declared=form[0], equations=form[1]))
    return fw.load(path, model="P.M").simulate(stop=0.06, tol=tol, interval=1e-4, solver=solver)


def differ(one, other) -> float:
    _, j, k = np.intersect1d(one.time, other.time, return_indices=True)
    return float(np.abs(one["i"][j] - other["i"][k]).max())


@pytest.mark.parametrize("form", DIODES)
def test_a_diode(form, tmp_path):
    expected = run(DIODE, tmp_path)
    declared, equations = DIODES[form]

    result = run((declared, equations + LAW), tmp_path)

    assert result.stats["solver"] == "core-radau"
    assert len(result.events) == len(expected.events)
    assert differ(result, expected) < 1e-9


def test_factors_that_are_functions_of_truths(tmp_path):
    """(Division by zero where the diode opens.)"""
    expected = run(DIODE, tmp_path)

    result = run(("Boolean b = s < 0;", "v = g(b, true)*s; i = g(not b, true)*s;"), tmp_path)

    assert result.stats["solver"] == "core-radau"
    assert len(result.events) == len(expected.events)
    assert differ(result, expected) < 1e-9


@pytest.mark.parametrize("form", THYRISTORS)
@pytest.mark.parametrize("tol", [1e-3, 1e-8])
def test_a_thyristor(form, tol, tmp_path):
    expected = run(THYRISTOR, tmp_path, tol)
    declared, equations = THYRISTORS[form]

    result = run((declared, equations + LAW), tmp_path, tol)

    assert result.stats["solver"] == "core-radau"
    assert differ(result, expected) < tol


def test_a_sign_that_is_no_switch_stays_a_sign(tmp_path):
    path = tmp_path / "M.mo"
    path.write_text("model M Real x = sin(time), y = 3*sign(x); end M;")

    result = fw.load(path).simulate(stop=6.0)

    assert set(result["y"]) == {-3.0, 0.0, 3.0}  # zero where it begins


@pytest.mark.parametrize("solver", ["dopri5", "rodas4", "radau", "cvode", "ida", "beuler", "qss2"])
def test_a_number_out_of_the_past_is_told(solver, tmp_path):
    """What a delay shows has no values known beforehand; 0.1 ms after it became 1 nothing gives s."""
    form = ("Real k = if s < 0 then 1 else 0, m = delay(k, 1e-4);", LAW)
    with pytest.raises(fw.SimulationError) as problem:
        run(form, tmp_path, solver=solver)

    check_told(problem.value.diagnostics[0])
    assert problem.value.result.time[-1] == pytest.approx(0.01482, abs=1e-4)


@pytest.mark.parametrize("solver", ["auto", "core-euler"])
def test_it_is_told_beside_ideal_elements_too(solver, tmp_path):
    """No position of the diode next to it was said to satisfy all elements."""
    declared = """Real k = if s < 0 then 1 else 0, m = delay(k, 1e-4);
      Real j(start = 0, fixed = true), w, q;"""
    beside = """10*sin(300*time) = 0.02*der(j) + 2*j + w;
      w = if q < 0 then q else 0; j = if q < 0 then 0 else q;"""
    with pytest.raises(fw.SimulationError) as problem:
        run((declared, LAW + beside), tmp_path, solver=solver)

    check_told(problem.value.diagnostics[0])


def test_a_number_from_elsewhere_is_told(tmp_path):
    with pytest.raises(fw.FreewheelError) as problem:
        run(("input Integer m(start=1);", LAW), tmp_path)

    check_told(problem.value.diagnostics[0])


def check_told(told) -> None:
    assert told.code == "R150"
    assert "division by zero" in told.message
    assert ": `i = (1 - m)*s`" in told.message
    assert "`m` looks like a switch" in told.help
    assert "if s < 0 then 1 else 0" in told.help


def test_a_zero_that_no_switch_makes_is_a_division(tmp_path):
    path = tmp_path / "M.mo"
    path.write_text("model M Real x(start=0, fixed=true), y; equation der(x) = 1; x*y = 1; end M;")

    with pytest.raises(fw.FreewheelError) as problem:
        fw.load(path).simulate(stop=1.0)

    assert problem.value.diagnostics[0].code == "R122"
