"""Numbers in the place of equations: the coefficients of each unknown at one general point.

    C*der(u) = i       ->      {u: C*s, i: -1.0}

Parameters have their values; every variable for which no number is given gets one of its own, so that
nothing cancels by accident; a derivative counts as its variable times a general `s`, as in a Laplace
transform. If the matrix so made has dependent rows or columns, the model is singular; graphs/nullspace.py
finds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name
from freewheel.formula import build
from freewheel.formula.differentiate import partial
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import FALSE, Binary, Expr, If, Real, Var
from freewheel.formula.types import BOOLEAN, ExternalObjectType
from freewheel.formula.walk import map_bottom_up, substitute, variables_in
from freewheel.graphs.nullspace import NullVectors, null_vectors
from freewheel.structure.atoms import base_of, is_der
from freewheel.structure.blocks.isolate import residual_of
from freewheel.structure.nodes import Crossing, ScalarEquation, ScalarVariable
from freewheel.structure.thresholds import CANCELLATION
from freewheel.structure.values import ParameterValues

S = 0.7310585786  # stands for d/dt
SHARE = 0.6180339887  # of the first branch where a condition is not known


class Point:
    """Numbers for expressions."""

    def __init__(
        self,
        variables: Mapping[Name, ScalarVariable],
        values: ParameterValues,
        crossings: Sequence[Crossing] = (),
        given: Mapping[Var, Expr] = MappingProxyType({}),
    ) -> None:
        self.variables = variables
        self.values = values
        self.relations = {c.status: (c.left, c.right) for c in crossings}
        self.given: dict[Expr, Expr] = dict(given.items())
        self.numbers: dict[Var, Expr] = dict(given)
        self.drawn = 0

    def any_number(self) -> float:
        """Another one each time, never near zero, the same in every run."""
        self.drawn += 1
        return 0.5 + (self.drawn * SHARE) % 1.0

    def number(self, expr: Expr) -> float | None:
        """The value, or None where it hangs on a table or another object."""
        mixed = map_bottom_up(expr, self._mixed)
        mapping: dict[Expr, Expr] = {}
        for var in variables_in(mixed):
            if self._is_object(var):
                return None
            if var in self.given or self.values.value(var) is None:
                mapping[var] = self._general(var)
        return self.values.number(substitute(mixed, mapping))

    def _is_object(self, var: Var) -> bool:
        variable = self.variables.get(var.name)
        return variable is not None and isinstance(variable.type, ExternalObjectType)

    def _mixed(self, node: Expr) -> Expr:
        """Both branches at once, where what is given does not decide: singular is only what is singular
        in every position."""
        if isinstance(node, Binary) and isinstance(node.left, Var) and node.left in self.relations:
            return Binary(node.op, *self.relations[node.left])
        if not isinstance(node, If):
            return node
        first, second = node.args[1:]
        decided = self.values.truth(substitute(node.args[0], self.given))
        if decided is not None:
            return first if decided else second
        return build.plus(build.times(Real(SHARE), first), build.times(Real(1.0 - SHARE), second))

    def _general(self, var: Var) -> Expr:
        if var not in self.numbers:
            variable = self.variables.get(var.name)
            is_boolean = variable is not None and variable.type == BOOLEAN
            self.numbers[var] = FALSE if is_boolean else Real(self.any_number())
        return self.numbers[var]


def coefficients(
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    point: Point,
    fold_derivatives: bool,
) -> list[dict[int, float]]:
    """One row for each equation; with `fold_derivatives` `der(x)` counts as `s*x`."""
    number = {var: k for k, var in enumerate(unknowns)}
    rows: list[dict[int, float]] = []
    for equation in equations:
        residual = residual_of(equation)
        row: dict[int, float] = {}
        for var in variables_in(residual):
            base, factor = _folded(var) if fold_derivatives else (var, 1.0)
            if base in number:
                value = factor * _coefficient(residual, var, point)
                row[number[base]] = row.get(number[base], 0.0) + value
        rows.append(row)
    return rows


def _folded(var: Var) -> tuple[Var, float]:
    factor = 1.0
    while is_der(var):
        var, factor = base_of(var), factor * S
    return var, factor


def _coefficient(residual: Expr, var: Var, point: Point) -> float:
    form = linear_form(residual, (var,))
    try:
        slope = form[0][0] if form is not None else partial(residual, var)
    except CompileError:
        return point.any_number()  # inside a function: it is there, and that is all we know
    found = point.number(slope)
    return point.any_number() if found is None else found


def dependencies(
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    point: Point,
    fold_derivatives: bool = True,
) -> NullVectors | None:
    """Equations that follow from others, and unknowns that nothing fixes."""
    rows = coefficients(equations, unknowns, point, fold_derivatives)
    return null_vectors(rows, len(unknowns))


def mismatch(
    weights: Mapping[int, float], equations: Sequence[ScalarEquation], point: Point
) -> bool:
    """Do equations whose unknowns cancel contradict each other? True also where nobody can say."""
    total, scale = 0.0, 0.0
    for row, weight in weights.items():
        value = point.number(residual_of(equations[row]))
        if value is None:
            return True
        total += weight * value
        scale = max(scale, abs(weight * value))
    return abs(total) > CANCELLATION.of_state * max(scale, CANCELLATION.nothing)
