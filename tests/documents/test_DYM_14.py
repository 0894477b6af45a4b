"""DYM-14: class inheritance and table look-up functions in the classic language."""

from __future__ import annotations

import math

import numpy as np
import pytest
from acsl_checker import Acsl
from classic_models import EXAMPLES, classic, talk
from desire_checker import Desire
from hybrid_integrator import integrate
from simnon_checker import Simnon

import freewheel as fw
from freewheel.base.diagnostics import CompileError
from freewheel.export import ExportOptions, export_model

POINTS = ((2.6e6, 21.1538), (2.8e6, 21.0714), (3.0e6, 21.0), (3.2e6, 20.9375), (3.4e6, 20.8824))
CURVE = "table f(x) = (-1, 2), (0, 1), (2, 5)\nmodel m\n  input u\n  output y\n  y = f(u)\nend\n"


def steam(state: str | None = None) -> fw.Model:
    model = classic("steam_table")
    return model if state is None else model.changed({f"{state}.stateSelect": "StateSelect.always"})


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize(
    ("u", "y"), [(-5, 2), (-1, 2), (-0.5, 1.5), (0, 1), (1, 3), (1.5, 4), (2, 5), (7, 5)]
)
def test_DYM_14_a_table_is_a_line_between_points_and_keeps_its_ends(u, y):
    *_, told = talk(*CURVE.splitlines(), f"simulate stop=1 u={u}", "print y")

    assert float(told.split()[1]) == pytest.approx(y)


def test_DYM_14_the_listing_calls_the_table():
    told = talk(
        "enter model @steam_table.dym", "output equations", "differentiate", "variable state h",
        "partition", "output solved equations",
    )  # fmt: skip

    assert "r = g(h)" in told[1]
    assert "  Q101 = V*r + V*h*gDER(h)\n" in told[-1]  # eq. 11
    assert "  derh = derE/Q101\n" in told[-1]


@pytest.mark.parametrize("tol", [1e-4, 1e-7, 1e-10])
def test_DYM_14_either_state_gives_the_same_run(tol):
    """Until the enthalpy rests at hin + Qin/W = 3.0E6; on the way it passes no corner but the last."""
    by_energy = steam().simulate(stop=100, tol=tol)
    by_enthalpy = steam("h").simulate(stop=100, tol=tol)

    assert np.isclose(by_energy["h"][-1], by_enthalpy["h"][-1], rtol=10 * tol)
    density = np.interp(by_energy["h"], *zip(*POINTS, strict=True))
    assert np.allclose(by_energy["r"], density, rtol=1e-9)


def test_DYM_14_corners_cost_no_accuracy():
    """From 2.5E6 to 3.3E6 all corners are passed; energy is der(E) = Qin - W*(h - hin), integrated."""
    model = steam("h").changed({"h.start": "2.5E6", "Qin": "2.6E6"})
    loose, sharp = (model.simulate(stop=60, tol=tol) for tol in (1e-6, 1e-10))

    assert sharp["h"][0] == 2.5e6
    assert sharp["h"][-1] > 3.2e6
    assert np.isclose(loose["h"][-1], sharp["h"][-1], rtol=1e-5)
    inflow = np.trapezoid(2.6e6 - 5 * (np.asarray(sharp["h"]) - 2.8e6), sharp.time)
    assert np.isclose(sharp["E"][-1] - sharp["E"][0], inflow, rtol=1e-4)


@pytest.mark.parametrize(("kind", "read"), [("acsl", Acsl), ("desire", Desire), ("simnon", Simnon)])
def test_DYM_14_programs_give_the_same_run(kind, read):
    ours = steam("h").simulate(stop=20, interval=1, tol=1e-9)
    (text,) = export_model(steam("h"), kind, ExportOptions(loops="formulas", stop=20)).values()
    _, rows = integrate(read(text), 20.0, 1.0, tolerance=1e-8)

    assert np.allclose([row["h"] for row in rows], np.interp(np.arange(21), ours.time, ours["h"]))


@pytest.mark.parametrize("kind", ["c", "dsblock-c", "dsblock-f77", "simulink", "python", "casadi"])
def test_DYM_14_every_other_target_takes_a_table(kind):
    (text,) = export_model(steam("h"), kind).values()

    assert "21.1538" in text


def test_DYM_14_modelica_text_has_the_table_as_a_function(tmp_path):
    (text,) = export_model(steam(), "modelica").values()
    path = tmp_path / "steam.mo"
    path.write_text(text)
    again = fw.load(path, model="superheater").simulate(stop=50)

    assert "function g\n" in text
    assert np.isclose(again["h"][-1], steam().simulate(stop=50)["h"][-1], rtol=1e-6)


def test_DYM_14_a_slope_that_is_written_counts_more():
    *_, told = talk(
        "table f(x) = (0, 0), (1, 1), (2, 4)", "function fDER(x) = 2*x", "model m", "  local x, y",
        "  init x = 1.5", "  der(x) = 1", "  y = f(x)", "  output v", "  v = der(y)", "end",
        "simulate stop=0.25", "print v",
    )  # fmt: skip

    assert float(told.split()[1]) == pytest.approx(3.0)


def test_DYM_14_a_long_table_typed_over_many_lines():
    count = 400
    points = [f"({k / 100}, {math.sin(k / 100)!r})" for k in range(count)]
    lines = [
        "table f(x) = " + points[0] + ",",
        *(f"  {p}," for p in points[1:-1]),
        f"  {points[-1]}",
    ]
    *_, told = talk(
        *lines, "model m", "  input u", "  output y", "  y = f(u)", "end",
        "simulate stop=1 u=1.2345", "print y",
    )  # fmt: skip

    assert float(told.split()[1]) == pytest.approx(math.sin(1.2345), abs=2e-5)


def test_DYM_14_a_variable_may_be_called_table():
    *_, told = talk(
        "model m", "  output table", "  table = 3", "end", "simulate stop=1", "print table"
    )

    assert told.split()[1] == "3"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("table f(x) = (0, 1)", "`f` has one point only"),
        ("table f(x) = (0, 1), (0, 2)", "the points of `f` are not in order"),
        ("table f(x) = (1, 1), (0, 2)", "the points of `f` are not in order"),
        ("table f(x) = (0, a), (1, 2)", "expected a number of the table"),
        ("table f(x, y) = (0, 1), (1, 2)", "expected `)`"),
        ("table f = (0, 1), (1, 2)", "expected `(`"),
        ("table f(x) = 0, 1", "expected `(`"),
        ("table (x) = (0, 1), (1, 2)", "expected the name of the table"),
    ],
)
def test_DYM_14_what_is_wrong_with_a_table_is_told(text, told):
    with pytest.raises(CompileError) as caught:
        talk(*text.splitlines(), "model m", "  output y", "  y = f(1)", "end")

    assert told in caught.value.diagnostics[0].message


# ---------------------------------------------------------------- inheritance


def test_DYM_14_a_class_inherits_over_several_levels():
    """An RL branch: cut, path, equation and parameter come from three classes."""
    *_, told = talk(
        "model class (TwoPort) Lossy", "  parameter R = 2", "  local ur", "  ur = R*i", "end",
        "model class (Lossy) Coil", "  parameter L = 1", "  u = ur + L*der(i)", "end",
        "model m", "  submodel (Coil) A(R = 4, L = 2)", "  submodel (vsource) U", "  submodel Common",
        "  output y", "  connect Common -\\U - A - Common", "  U.V = 8", "  y = A.i", "end",
        "simulate stop=1", "print y",
    )  # fmt: skip

    assert abs(float(told.split()[2])) == pytest.approx(2 * (1 - math.exp(-2)), rel=1e-5)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["model class (A) A", "end", "model m", "  submodel (A) a", "end"], "itself"),
        (["model class (Nowhere) A", "end", "model m", "  submodel (A) a", "end"], "Nowhere"),
    ],
)
def test_DYM_14_a_wrong_base_is_told(lines, told):
    with pytest.raises(CompileError) as caught:
        talk(*lines)

    assert told in caught.value.diagnostics[0].message


def test_DYM_14_the_example_holds_the_table_of_the_tests():
    assert EXAMPLES.joinpath("steam_table.dym").read_text().count("(2.6E6, 21.1538)") == 1
