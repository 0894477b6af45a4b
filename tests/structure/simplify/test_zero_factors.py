"""Factors of unknowns that parameters make zero: the equation is not about that unknown."""

from __future__ import annotations

from math import cos, exp, sin

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.structure.blocks.incidence import expr_text

COIL = "parameter Real L = {0}; Real i; equation {1} = sin(time) - 0.2*i;"


def states(text: str) -> list[str]:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(f"model M {text} end M;", "M.mo"))
    ordered = compile_model(library, ("M",), Options(stop_after="structure")).ordered
    return [expr_text(state) for state in ordered.states]


@pytest.mark.parametrize(
    "left",
    [
        "L*der(i)",
        "der(i)*L/3",
        "-L*(2*der(i))",
        "L*cos(time)*der(i)",
        "L*(1 + i^2)*der(i)",
        "(L + L)*der(i)",
        "L^2*der(i)",
        "sin(L)*der(i)",
        "max(L, 0)*der(i)",
        "(if L > 0 then L else 0)*der(i)",
        "(L + 1)*der(i) - der(i)",
        "L*der(i) + L*i*time",
        "L*der(i)^3",
    ],
)
def test_a_factor_of_zero_takes_the_state_away(left):
    assert states(COIL.format(1, left)) == ["i"]
    assert states(COIL.format(0, left)) == []


def test_functions_of_parameters_may_be_the_factor():
    function = "function f input Real x; output Real y; algorithm y := 3*x; end f; "

    assert states(function + COIL.format(1, "f(L)*der(i)")) == ["i"]
    assert states(function + COIL.format(0, "f(L)*der(i)")) == []


CASES = {  # declarations with equations, what becomes zero, what is to be seen
    "coil": (
        "parameter Real L = 1; Real i; equation L*der(i) = sin(time) - 0.2*i;",
        {"L": 0},
        {"i": lambda t: 5 * sin(t)},
    ),
    "mass": (
        "parameter Real m = 1, d = 2; Real x(start=0, fixed=true), v;"
        " equation der(x) = v; m*der(v) = cos(time) - d*v;",
        {"m": 0},
        {"v": lambda t: cos(t) / 2, "x": lambda t: sin(t) / 2},
    ),
    "mass on a spring": (
        "parameter Real m = 1, c = 2; Real x, v; equation der(x) = v; m*der(v) = cos(time) - c*x;",
        {"m": 0},
        {"x": lambda t: cos(t) / 2, "v": lambda t: -sin(t) / 2},
    ),
    "two coils": (
        "parameter Real L1 = 1, L2 = 2; Real i, j;"
        " equation L1*der(i) = sin(time) - i - j; L2*der(j) = cos(time) - i + j;",
        {"L1": 0, "L2": 0},
        {"i": lambda t: (sin(t) + cos(t)) / 2, "j": lambda t: (sin(t) - cos(t)) / 2},
    ),
    "coupled coils": (
        "parameter Real L = 1, M = 0.5; Real i, j; equation"
        " L*der(i) + M*der(j) = sin(time) - i; M*der(i) + L*der(j) = cos(time) - j;",
        {"L": 0, "M": 0},
        {"i": sin, "j": cos},
    ),
    "product": (
        "parameter Real C = 1, R = 2; Real u; equation C*R*der(u) = sin(time) - u;",
        {"R": 0},
        {"u": sin},
    ),
    "difference": (
        "parameter Real L1 = 1, L2 = 2; Real i; equation (L1 - L2)*der(i) = sin(time) - 2*i;",
        {"L1": 2},
        {"i": lambda t: sin(t) / 2},
    ),
    "sum of terms": (
        "parameter Real L1 = 1, L2 = 2; Real i; equation L1*der(i) + L2*der(i) = sin(time) - 2*i;",
        {"L1": -2},
        {"i": lambda t: sin(t) / 2},
    ),
    "bound": (
        "parameter Real a = 1; parameter Real L = 2*a; Real i; equation L*der(i) = sin(time) - i;",
        {"a": 0},
        {"i": sin},
    ),
    "element": (
        "parameter Real L[2] = {1, 2}; Real i[2]; equation L.*der(i) = {1, sin(time)} - i;",
        {"L[2]": 0},
        {"i[2]": sin},
    ),
    "component": (
        "model C parameter Real L = 3; Real i; equation L*der(i) = sin(time) - i; end C;"
        " C a(L = 2), b(L = 1);",
        {"a.L": 0},
        {"a.i": sin},
    ),
    "table": (
        "parameter Real L = 1; Real i;"
        " Modelica.Blocks.Sources.CombiTimeTable u(table=[0, 0; 1, 1; 5, 5]);"
        " equation L*der(i) = u.y[1]*cos(time) - 2*i;",
        {"L": 0},
        {"i": lambda t: t * cos(t) / 2},
    ),
    "state beside": (
        "parameter Real L = 1; Real i, x(start=1, fixed=true);"
        " equation L*der(i) = x*sin(time) - 2*i; der(x) = -x;",
        {"L": 0},
        {"i": lambda t: exp(-t) * sin(t) / 2},
    ),
    "function": (
        "function f input Real x; output Real y; algorithm y := x*x; end f;"
        " parameter Real L = 1; Real i; equation f(L)*der(i) = sin(time) - i;",
        {"L": 0},
        {"i": sin},
    ),
}


def error(model: fw.Model, expected, **options) -> float:
    result = model.simulate(stop=3.0, **options)
    return max(
        float(np.abs(result[name] - [curve(t) for t in result.time]).max())
        for name, curve in expected.items()
    )


def loaded(text: str, folder) -> fw.Model:
    path = folder / "M.mo"
    path.write_text(f"model M {text} end M;")
    return fw.load(path, model="M")


@pytest.mark.parametrize("case", CASES)
def test_it_may_be_given_for_a_run(case, tmp_path):
    text, zeros, expected = CASES[case]

    assert error(loaded(text, tmp_path), expected, params=zeros, tol=1e-8) < 1e-6


SOLVERS = ["cvode", "ida", "radau", "rodas4", "qss1", "qss2", "qss3", "liqss2", "mliqss2"]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("case", ["coil", "mass", "state beside"])
def test_every_method_runs_what_is_left(case, solver, tmp_path):
    text, zeros, expected = CASES[case]

    found = error(loaded(text, tmp_path), expected, params=zeros, solver=solver, tol=1e-3)

    assert found < 5e-3


def test_it_may_be_written(tmp_path):
    text, _, expected = CASES["coil"]

    assert error(loaded(text.replace("L = 1", "L = 0"), tmp_path), expected, tol=1e-8) < 1e-12


def test_an_input_may_drive_what_is_left(tmp_path):
    model = loaded(
        "parameter Real L = 1; input Real u; output Real i; equation L*der(i) = u*cos(time) - i;",
        tmp_path,
    )

    result = model.simulate(stop=1.0, params={"L": 0}, inputs={"u": 2.0})

    assert np.abs(result["i"] - 2 * np.cos(result.time)).max() < 1e-9


def test_a_factor_that_decides_nothing_stays_data(tmp_path):
    model = loaded(
        "parameter Real k[2] = zeros(2); Real x(start=0, fixed=true), s = sin(time);"
        " equation der(x) = k[1]*s^2 + k[2]*s;",
        tmp_path,
    )

    assert {"k[1]", "k[2]"} <= set(model.compiled().parameter_slots)
    assert model.simulate(stop=1.0, params={"k[2]": 2.0}, tol=1e-9).final("x") == pytest.approx(
        2 * (1 - cos(1.0))
    )


def test_an_element_that_was_put_in_can_be_given(tmp_path):
    model = loaded(
        "parameter Real k[2] = {0, 1}; Real x, y; equation x = sin(time); y = k[1]*x;", tmp_path
    )

    assert model.simulate(stop=1.0, params={"k[1]": 2.0}).final("y") == pytest.approx(2 * sin(1.0))
    with pytest.raises(fw.FreewheelError, match=r"no parameter `k\[3\]`"):
        model.simulate(stop=1.0, params={"k[3]": 2.0})
