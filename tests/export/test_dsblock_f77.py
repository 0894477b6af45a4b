"""DSblocks in Fortran 77. What is compiled needs gfortran and belongs to `make test-all`; an interpreter
reads the same programs without it."""

import re

import numpy as np
import pytest
from dsblock_driver import Block, built
from export_models import ALL, assert_same_curves, grid_of, model_of, watched
from fortran_checker import FortranBlock
from hybrid_integrator import integrate

from freewheel.export import ExportOptions, export_model
from freewheel.export.draft import program_as_listed


def text_of(name, form="ode"):
    return export_model(model_of(name), "dsblock-f77", ExportOptions(form=form))


def block(tmp_path, name, form="ode"):
    ((file, text),) = text_of(name, form).items()
    source = tmp_path / file
    source.write_text(text)
    slots = {n: int(k) - 1 for k, n in re.findall(r"^C     W\((\d+)\) (.*)$", text, re.MULTILINE)}
    variables = program_as_listed(model_of(name), ExportOptions()).variables
    library = built(
        "gfortran", source, "-std=legacy", "-Wall", "-Wno-unused", "-Wno-unused-dummy-argument"
    )
    return Block(library, source.stem.lower(), slots, variables)


@pytest.mark.parametrize("name", ALL)
def test_lines_are_of_the_fixed_form(name):
    for text in text_of(name).values():
        for line in text.splitlines():
            if line.startswith("C"):
                continue
            assert len(line) <= 72, line
            assert line == "" or line[:5].strip() == "" or line[:5].strip().isdigit(), line


def test_crossing_functions_are_those_of_document_000():
    (text,) = text_of("limited").values()

    assert "C     x > high\n        QZP(1) = W(" in text
    assert "        QZN(2) = W(" in text


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_the_ode_form_gives_our_curves(tmp_path, name):
    made = block(tmp_path, name)
    times, rows = integrate(made, *grid_of(name))

    assert_same_curves(name, times, {v: made.curve(rows, v) for v in watched(name)})


@pytest.mark.long
@pytest.mark.parametrize("name", ["implicit", "coupled", "circuit", "rectifier"])
def test_the_dae_form_vanishes_where_the_model_is_solved(tmp_path, name):
    made = block(tmp_path, name, "dae")
    made.start()
    made.demand(2, 0.0)
    assert np.abs(made.f[: made.states + made.algebraic]).max() < 1e-9
    made.x[: made.states + made.algebraic] += 1e-3

    made.demand(2, 0.0)

    assert np.abs(made.f).max() > 1e-6


@pytest.mark.parametrize("loops", ["torn", "formulas", "matrix"])
@pytest.mark.parametrize("name", ["coupled", "limited", "bouncing", "rectifier", "called"])
def test_the_interpreted_program_gives_our_curves(name, loops):
    options = ExportOptions(loops=loops)
    ((file, text),) = export_model(model_of(name), "dsblock-f77", options).items()
    variables = program_as_listed(model_of(name), options).variables
    made = FortranBlock(text, file.removesuffix(".f"), variables)
    times, rows = integrate(made, *grid_of(name), tolerance=1e-8)

    assert_same_curves(name, times, {v: made.curve(rows, v) for v in watched(name)})


def test_the_interpreter_finds_a_wrong_program():
    options = ExportOptions(loops="matrix")
    ((file, text),) = export_model(model_of("coupled"), "dsblock-f77", options).items()
    wrong = re.sub(r"(M\(\d+\) = B\d)\(1\)", r"\1(2)", text)
    assert wrong != text
    variables = program_as_listed(model_of("coupled"), options).variables
    made = FortranBlock(wrong, file.removesuffix(".f"), variables)
    times, rows = integrate(made, *grid_of("coupled"), tolerance=1e-8)

    with pytest.raises(AssertionError, match="differs"):
        assert_same_curves("coupled", times, {v: made.curve(rows, v) for v in watched("coupled")})
