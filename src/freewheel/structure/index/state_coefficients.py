"""Coefficients of constraints at the start point, and columns that are independent there.

    x^2 + y^2 = 1 at x = 0, y = -1:   the coefficients 0 of x and -2 of y

The start point has the values of parameters and the start values of variables; a variable without one
gets a generic number, so that no coefficient vanishes by chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.differentiate import CallDerivatives, partial
from freewheel.formula.nodes import FALSE, TIME, Expr, Real, Var
from freewheel.formula.types import BOOLEAN, ExternalObjectType
from freewheel.formula.walk import substitute, variables_in
from freewheel.graphs.matching import match
from freewheel.graphs.pantelides import NONE
from freewheel.structure.atoms import base_of, is_der
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.thresholds import CANCELLATION
from freewheel.structure.values import ParameterValues

_WORD = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Coefficient:
    value: float
    is_varying: bool


def coefficients(
    equation: ScalarEquation, number: Mapping[Var, int], point: Point
) -> dict[int, Coefficient]:
    result: dict[int, Coefficient] = {}
    residual = build.minus(equation.left, equation.right)
    for var in variables_in(residual):
        column = number.get(var)
        if column is not None:
            result[column] = _coefficient(residual, var, point)
    return result


def _coefficient(residual: Expr, var: Var, point: Point) -> Coefficient:
    try:
        factor = partial(residual, var, point.functions)
    except CompileError:
        return Coefficient(1.0, True)  # inside a function without derivative
    return Coefficient(point.value(factor), point.is_varying(factor))


def independent(
    order: Sequence[int], entries: Mapping[int, Mapping[int, float]], count: int
) -> list[int]:
    """Greedy: a column is taken if elimination leaves something of it."""
    basis: list[tuple[int, dict[int, float]]] = []  # (pivot row, reduced column)
    chosen: list[int] = []
    for column in order:
        if len(chosen) == count:
            break
        vector = dict(entries[column])
        scale = max(map(abs, vector.values()), default=0.0)
        for pivot, other in basis:
            factor = vector.get(pivot, 0.0)
            if factor != 0.0:
                factor /= other[pivot]
                for row, value in other.items():
                    vector[row] = vector.get(row, 0.0) - factor * value
        pivot = max(sorted(vector), key=lambda r: abs(vector[r]), default=NONE)
        if pivot == NONE or abs(vector[pivot]) <= CANCELLATION.remainder * scale or scale == 0.0:
            continue
        basis.append((pivot, {r: v for r, v in vector.items() if v != 0.0}))
        chosen.append(column)
    return chosen


def structurally_independent(
    order: Sequence[int],
    entries: Mapping[int, Mapping[int, float]],
    rows: Sequence[int],
    chosen: Sequence[int],
) -> list[int]:
    """Numbers at the start point did not suffice: decide by structure, chosen ones first."""
    place = {row: k for k, row in enumerate(rows)}
    ordered = [*chosen, *(c for c in order if c not in chosen)]
    matching = match([[place[r] for r in entries[c]] for c in ordered], len(rows))
    return [c for c, row in zip(ordered, matching.column_of_row, strict=True) if row != NONE]


class Point:
    """Numbers for coefficients: parameters by value, variables by start or by a generic number."""

    def __init__(
        self,
        variables: Mapping[Name, ScalarVariable],
        values: ParameterValues,
        steady: frozenset[Var],
        functions: CallDerivatives | None,
    ) -> None:
        self.functions = functions
        self.variables = variables
        self.values = values
        self.steady = steady
        self.numbers: dict[Var, Expr] = {}

    def value(self, expr: Expr) -> float:
        if any(self._is_object(var) for var in variables_in(expr)):
            return 1.0  # what is in a table is not known
        mapping: dict[Expr, Expr] = {
            var: self._number(var) for var in variables_in(expr) if self.values.value(var) is None
        }
        found = self.values.number(substitute(expr, mapping))
        return 1.0 if found is None else found  # present, size unknown

    def _is_object(self, var: Var) -> bool:
        variable = self.variables.get(var.name)
        return (
            variable is not None
            and isinstance(variable.type, ExternalObjectType)
            and self.values.value(var) is None
        )

    def is_varying(self, expr: Expr) -> bool:
        """Whether the value changes between events."""
        for var in variables_in(expr):
            if var in self.steady:
                continue
            variable = self.variables.get(var.name)
            if var is TIME or is_der(var):
                return True
            if variable is not None and variable.variability == Variability.CONTINUOUS:
                return True
        return False

    def _number(self, var: Var) -> Expr:
        if var not in self.numbers:
            variable = self.variables.get(var.name)
            is_boolean = variable is not None and variable.type == BOOLEAN
            self.numbers[var] = FALSE if is_boolean else Real(self._guess(var))
        return self.numbers[var]

    def _guess(self, var: Var) -> float:
        base = var
        while base.name[0] in ("$der", "$pre"):
            base = base_of(base)
        variable = self.variables.get(base.name)
        generic = 0.5 + 0.4 * _fraction(base.name)  # no accidental cancellation
        if var is TIME or variable is None or base is not var:
            return generic
        start = None if variable.start is None else self.values.number(variable.start)
        return generic if start is None else start


def _fraction(name: Name) -> float:
    """A number in [0, 1) that is the same in every run. Names that differ in subscripts only do not
    give numbers on a line, nor a matrix of low rank: a checksum alone is linear in their bits, so
    it is mixed (Steele, Lea, Flood 2014, "Fast Splittable Pseudorandom Number Generators")."""
    mixed = crc32("/".join(map(str, name)).encode()) * 0x9E3779B97F4A7C15 & _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
    return float(mixed >> 32) / 2**32
