"""DYM-13: the switches of the session reach the program: formulas, matrix equations, calls of Linpack."""

from __future__ import annotations

import re

import numpy as np
import pytest
from acsl_checker import Acsl
from classic_ladders import ladder
from classic_models import talk
from fortran_checker import FortranBlock
from paper_listings import lines_of

from freewheel.base.diagnostics import CompileError

DIVIDER = ("enter model @divider.dym", "set Eliminate on", "partition")
MATRIX = ("set SolveLinearSyst off", "set MatrixExpr on")
INPUTS = {"u": lambda t: 12.0}


def program(*lines: str, language: str = "acsl") -> str:
    return talk(*lines, f"language {language}", "output model")[-1] + "\n"


def assignments(text: str) -> list[str]:
    body = text[text.index("!SORTED AND SOLVED") : text.index("!END OF SORTED")]
    return [line.strip() for line in body.splitlines() if not line.startswith("!")]


def final(text: str, name: str) -> float:
    system = Acsl(text, INPUTS)
    return system.record(0.0, system.start())[name]


def test_DYM_13_linear_systems_are_solved_by_the_formulas_of_the_listing():
    text = program(*DIVIDER)
    *_, listing = talk(*DIVIDER, "output solved equations")
    plain = [line.replace("R1.", "R1z").replace("R2.", "R2z") for line in lines_of(listing)]

    assert "Q101 = R1zR + R2zR" in assignments(text)
    assert "Q101 = R1zR + R2zR" in plain
    assert np.isclose(final(text, "y"), 2.0)


def test_DYM_13_without_subexpressions_nothing_has_a_name_of_its_own():
    found = assignments(program(*DIVIDER, "set SubExpr off"))

    assert "i = (Va - R2zVb)/(R1zR + R2zR)" in found
    assert not [line for line in found if line.lower().startswith("q")]


def test_DYM_13_the_matrix_of_the_document_goes_to_linpack():
    """Entries and their numbers are those of the listing; zeros are set before."""
    text = program(*DIVIDER, *MATRIX)
    *_, listing = talk(*DIVIDER, *MATRIX, "output solved equations")
    entries = re.findall(r"^  (A\(\d,\d\)|b\(\d\)) = ", listing, re.MULTILINE)
    found = [
        re.sub(r"^Q(A|b)1", r"\1", line.split(" = ")[0])
        for line in assignments(text)
        if re.match(r"Q(A|b)1\([\d,]+\) = ", line)
    ]

    assert sorted(found) == sorted(entries)
    assert "CALL DGEFA(QA1, 4, 4, QPiv1, QInfo)" in text
    assert "CALL DGESL(QA1, 4, 4, QPiv1, Qb1, 0)" in text
    assert np.isclose(final(text, "y"), 2.0)


def test_DYM_13_without_matrix_expressions_the_torn_system_is_left():
    text = program(*DIVIDER, "set SolveLinearSyst off")

    assert "DGEFA" not in text
    assert "Q101" not in text
    assert np.isclose(final(text, "y"), 2.0)


def test_DYM_13_simulink_gets_matrix_equations():
    text = program(*DIVIDER, *MATRIX, language="simulink")

    assert "a_ = zeros(4); b_ = zeros(4, 1);" in text
    assert "b_ = a_\\b_;" in text


def test_DYM_13_fortran_calls_linpack_on_request_only():
    with_matrix = program(*DIVIDER, *MATRIX, language="dsblock-f77")
    without = program(*DIVIDER, language="dsblock-f77")

    assert "CALL DGEFA(A4, 4, 4, IP4, IERR)" in with_matrix
    assert "CALL DGESL(A4, 4, 4, IP4, B4, 0)" in with_matrix
    assert "DGEFA" not in without


@pytest.mark.parametrize("switches", [(), MATRIX, ("set SolveLinearSyst off",)])
def test_DYM_13_the_fortran_of_a_dsblock_solves_the_divider(switches):
    text = program(*DIVIDER, *switches, language="dsblock-f77")
    block = FortranBlock(text, "divider", (), inputs=(12.0,))
    block.start()
    block.demand(3, 0.0)

    assert np.isclose(block.arrays["y"][1], 2.0)


@pytest.mark.parametrize("switches", [(), MATRIX, ("set SolveLinearSyst off",)])
def test_DYM_13_every_form_of_a_ladder_has_the_same_solution(switches):
    text = program(*ladder(6).splitlines(), "set Eliminate on", *switches)
    *_, told = talk(*ladder(6).splitlines(), "simulate stop=1 u=12", "print y")

    assert np.isclose(final(text, "y"), float(told.split()[1]), rtol=1e-8)


@pytest.mark.parametrize("language", ["desire", "simnon"])
def test_DYM_13_a_loop_that_needs_a_matrix_is_refused_where_there_is_none(language):
    """By formulas it is not."""

    assert "Q101" in program(*ladder(6).splitlines(), language=language)
    with pytest.raises(CompileError, match="29 by 29"):
        program(*ladder(6).splitlines(), "set Eliminate on", *MATRIX, language=language)


def test_DYM_13_a_variable_of_the_model_may_be_called_q101():
    lines = (
        ladder(3).replace("output y", "output y, Q101").replace("U0.V = u", "U0.V = u\n  Q101 = 7")
    )
    text = program(*lines.splitlines(), "set Eliminate on")

    assert np.isclose(final(text, "q101"), 7.0)
    assert np.isclose(final(text, "y"), final(program(*ladder(3).splitlines()), "y"))
