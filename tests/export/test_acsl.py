"""The ACSL that we write, read by an interpreter of its own and integrated by SciPy, gives our curves."""

import re

import numpy as np
import pytest
from acsl_checker import Acsl
from export_models import ALL, assert_same_curves, grid_of, model_of, watched
from hybrid_integrator import integrate

from freewheel.api.model import load
from freewheel.export import ExportOptions, export_model
from freewheel.export.acsl import acsl_names


def interpreted(name):
    (text,) = export_model(model_of(name), "acsl").values()
    return Acsl(text)


@pytest.mark.parametrize("name", ALL)
def test_the_program_gives_our_curves(name):
    names = acsl_names(model_of(name))
    times, rows = integrate(interpreted(name), *grid_of(name), tolerance=1e-8)

    def curve(variable):
        text, sign, offset = names[variable]
        key, _, index = text.lower().rstrip(")").partition("(")
        values = [row[key][int(index)] if index else row[key] for row in rows]
        return sign * np.array(values, dtype=float) + offset

    assert_same_curves(name, times, {v: curve(v) for v in watched(name)})


@pytest.mark.parametrize("loops", ["formulas", "matrix"])
@pytest.mark.parametrize("name", ["coupled", "rectifier", "leaky_rectifier"])
def test_loops_may_be_formulas_or_matrices(name, loops):
    options = ExportOptions(loops=loops)
    (text,) = export_model(model_of(name), "acsl", options).values()
    names = acsl_names(model_of(name), options)
    times, rows = integrate(Acsl(text), *grid_of(name), tolerance=1e-8)
    curves = {
        v: names[v][1] * np.array([row[names[v][0].lower()] for row in rows], dtype=float)
        + names[v][2]
        for v in watched(name)
    }

    assert_same_curves(name, times, curves)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("derv = -x", "derv = -1.001*x"), ("QM(1) .GT. 0.0", "QM(1) .LT. 0.0"), ("0.2*y", "0.21*y")],
)
def test_a_wrong_program_is_found(right, wrong):
    (text,) = export_model(model_of("limited"), "acsl").values()
    assert right in text
    times, rows = integrate(Acsl(text.replace(right, wrong)), *grid_of("limited"), tolerance=1e-8)
    curves = {v: np.array([row[v] for row in rows], dtype=float) for v in watched("limited")}

    with pytest.raises(AssertionError, match="differs"):
        assert_same_curves("limited", times, curves)


def test_a_variable_that_nothing_sets_is_found():
    (text,) = export_model(model_of("limited"), "acsl").values()
    assert "derx = v\n" in text

    with pytest.raises(KeyError):
        integrate(Acsl(text.replace("derx = v", "derw = v")), *grid_of("limited"))


@pytest.mark.parametrize("name", ["limited", "sampled", "bouncing", "two_block", "ended"])
def test_what_is_true_or_false_is_declared_so(name):
    (text,) = export_model(model_of(name), "acsl").values()
    program = text.replace(" ...\n", " ").split("END ! of PROGRAM")[0]
    declared = re.search(r"^ +LOGICAL (.*)$", program, re.MULTILINE)
    given = set(re.findall(r"(\w+) = \.(?:TRUE|FALSE)\.", program))

    assert declared is not None
    assert given <= {word.strip() for word in declared[1].split(",")}


def test_terminate_ends_the_run():
    (text,) = export_model(model_of("ended"), "acsl").values()

    assert "      ended = .FALSE.\n" in text
    assert "            ended = .TRUE.\n" in text
    assert "    TERMT (ended, 'the model ends the run')\n" in text


@pytest.mark.parametrize("eliminate", ["none", "aliases", "surplus"])
def test_an_output_that_others_read_is_told_before_them(eliminate, tmp_path):
    """Statements of a PROCEDURAL section are executed in their order."""
    path = tmp_path / "copies.mo"
    path.write_text(
        "model copies output Real y, w, z, seen; Real x(start = 1, fixed = true);"
        " equation der(x) = -x; y = x; w = y; z = 2*w; seen = if y > 0.5 then z else y; end copies;"
    )
    options = ExportOptions(eliminate=eliminate)
    (text,) = export_model(load(path), "acsl", options).values()
    names = acsl_names(load(path), options)
    times, rows = integrate(Acsl(text), 1.0, 0.05, tolerance=1e-8)
    for variable, factor in (("y", 1), ("w", 1), ("z", 2)):
        curve = [float(row[names[variable][0].lower()]) for row in rows]
        np.testing.assert_allclose(curve, factor * np.exp(-np.array(times)), atol=1e-6)


def test_a_table_that_others_read_is_told_before_them(tmp_path):
    path = tmp_path / "table.dym"
    path.write_text(
        "table f(x) = (0,0), (1,2), (3,3)\nmodel M\n  output y, z\n  local x\n  init x = 1\n"
        "  der(x) = -x\n  y = f(x)\n  z = y + f(2*x)\nend\n"
    )
    (text,) = export_model(load(path), "acsl").values()
    times, rows = integrate(Acsl(text), 0.6, 0.05, tolerance=1e-8)
    x = np.exp(-np.array(times))
    np.testing.assert_allclose([float(row["y"]) for row in rows], 2 * x, atol=1e-6)
    np.testing.assert_allclose([float(row["z"]) for row in rows], 2 * x + 1.5 + x, atol=1e-6)
