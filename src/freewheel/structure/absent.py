"""Derivatives that a differentiated equation names but does not depend on.

A function of a matrix may use one row of it; the derivative of the call names all the others too,
and nothing determines their derivatives. Such terms are dropped, but only where the equation really
does not change with them: it is evaluated at a few points. Where it does change, dropping the term
would be a wrong result, and the model is refused.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from freewheel.base.diagnostics import CompileError, FreewheelError, error
from freewheel.base.names import ClassName, Name
from freewheel.formula.evaluate import evaluate
from freewheel.formula.faults import NotConstant
from freewheel.formula.nodes import ZERO, Expr, Var
from freewheel.formula.show import show
from freewheel.formula.statement_nodes import Function
from freewheel.formula.values import Value
from freewheel.formula.walk import substitute, variables_in
from freewheel.structure.atoms import is_der, show_atom
from freewheel.structure.nodes import ScalarEquation
from freewheel.structure.values import ParameterValues

Functions = Callable[[ClassName], Function | None]

POINTS = 2
SAME = 1e-9  # relative


def settled(
    equation: ScalarEquation, known: set[Var], values: ParameterValues, functions: Functions
) -> ScalarEquation:
    """The equation without derivatives that have no column and no influence."""
    found = variables_in(equation.left, equation.right)
    absent = [var for var in found if is_der(var) and var not in known]
    if not absent:
        return equation
    for var in absent:
        if _influences(var, absent, equation, values, functions):
            raise _undetermined(var, equation)
    zeros: dict[Expr, Expr] = dict.fromkeys(absent, ZERO)
    left, right = substitute(equation.left, zeros), substitute(equation.right, zeros)
    return replace(equation, left=left, right=right)


def _influences(
    var: Var,
    absent: list[Var],
    equation: ScalarEquation,
    values: ParameterValues,
    functions: Functions,
) -> bool:
    """Whether the equation changes with the variable, parameters at their values."""
    for seed in range(POINTS):
        residuals = []
        for trial in (0.0, 1.0):
            point = _Point(seed, values, functions, dict.fromkeys(absent, 0.3) | {var: trial})
            try:
                left = evaluate(equation.left, point.look_up, point.function)
                right = evaluate(equation.right, point.look_up, point.function)
            except (NotConstant, FreewheelError, ArithmeticError):
                return True  # nothing is proved
            if not isinstance(left, int | float) or not isinstance(right, int | float):
                return True
            residuals.append(left - right)
        if abs(residuals[0] - residuals[1]) > SAME * (1.0 + abs(residuals[0])):
            return True
    return False


class _Point:
    """Parameters at their values, everything else at random, the same for the same seed."""

    def __init__(
        self, seed: int, values: ParameterValues, functions: Functions, given: dict[Var, float]
    ) -> None:
        self._random = random.Random(seed)
        self._values = values
        self._functions = functions
        self._known: dict[Name, Value] = {var.name: value for var, value in given.items()}

    def look_up(self, name: Name) -> Value:
        if name not in self._known:
            parameter = None if is_der(Var(name)) else self._values.value(Var(name))
            chosen = self._random.uniform(0.5, 1.5)
            self._known[name] = chosen if parameter is None else parameter
        return self._known[name]

    def function(self, name: ClassName) -> Function:
        found = self._functions(name)
        if found is None:
            raise NotConstant(name)
        return found


def _undetermined(var: Var, equation: ScalarEquation) -> CompileError:
    return error(
        "E018",
        f"an equation differentiated for index reduction holds `{show_atom(var.name)}`, "
        "which no equation determines",
        equation.span,
        show(equation.left) + " = " + show(equation.right)
        if len(variables_in(equation.left, equation.right)) < 8
        else "this equation",
        help="choose other states with `stateSelect`, or give functions derivatives of higher order",
    )
