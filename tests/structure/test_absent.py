"""Derivatives without a column are dropped only where they have no influence."""

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.formula.nodes import Binary, Real, Var
from freewheel.formula.show import show
from freewheel.structure.absent import settled
from freewheel.structure.atoms import der_of
from freewheel.structure.nodes import ScalarEquation
from freewheel.structure.values import ParameterValues

X, Y = Var(("x",)), Var(("y",))
NO_PARAMETERS = ParameterValues({}, ())


def equation(factor):
    """`der(x) = factor*der(y) + x`, with `der(y)` unknown to the system."""
    right = Binary("+", Binary("*", factor, der_of(Y)), X)
    return ScalarEquation(der_of(X), right)


def settle(model):
    return settled(model, {X, der_of(X)}, NO_PARAMETERS, lambda name: None)


def test_a_term_without_influence_goes():
    made = settle(equation(Binary("-", X, X)))

    assert show(made.right) == "(x - x)*0.0 + x"


def test_a_term_with_influence_is_never_dropped():
    with pytest.raises(CompileError, match=r"holds `der\(y\)`, which no equation determines"):
        settle(equation(Real(2.0)))


def test_equations_without_such_terms_stay_the_same_object():
    model = ScalarEquation(der_of(X), X)

    assert settle(model) is model
