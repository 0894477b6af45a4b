"""Start values along equalities that aliases do not show."""

from dataclasses import replace

import pytest

from freewheel.flat.nodes import Causality, Variability
from freewheel.formula.nodes import Binary, Real, Unary, Var
from freewheel.formula.types import REAL
from freewheel.program.guesses import lenders
from freewheel.structure.nodes import ScalarEquation, ScalarVariable

A, B, C, D = (Var((name,)) for name in "abcd")


def table(*with_start: Var) -> dict:
    return {
        v.name: ScalarVariable(v.name, REAL, start=Real(2.0) if v in with_start else None)
        for v in (A, B, C, D)
    }


def test_signs_are_carried_along_chains():
    equations = [ScalarEquation(A, Unary("-", B)), ScalarEquation(C, B), ScalarEquation(D, C)]

    assert lenders(equations, table(A)) == {B: (A, -1.0), C: (A, -1.0), D: (A, -1.0)}


def test_own_start_values_stay():
    assert lenders([ScalarEquation(A, B)], table(A, B)) == {}


def test_the_nearest_lender_counts():
    equations = [ScalarEquation(A, B), ScalarEquation(B, C), ScalarEquation(C, D)]

    assert lenders(equations, table(A, D)) == {B: (A, 1.0), C: (D, 1.0)}


def test_sums_lend_nothing():
    assert lenders([ScalarEquation(A, Binary("+", B, C))], table(B)) == {}


@pytest.mark.parametrize(
    "change",
    [
        {"variability": Variability.PARAMETER},
        {"variability": Variability.DISCRETE},
        {"causality": Causality.INPUT},
    ],
)
def test_what_has_a_value_keeps_it(change):
    """`x = p` with a start for x only: the value of p is no guess."""
    known = table(A)
    known[B.name] = replace(known[B.name], **change)

    assert lenders([ScalarEquation(A, B), ScalarEquation(C, B)], known) == {}
