"""Values of constants and parameters at translation time, found when asked for and remembered.

    values = ParameterValues(variables, functions)
    values.number(expr)     a float, or None where the expression is not a parameter expression

Parameters are data: a value found here may only decide what the modeller cannot change any more
(conditions of if-equations, `fixed`), or serve as a guess (start values, is this divisor zero?).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import ClassName, Name
from freewheel.flat.nodes import Variability
from freewheel.formula.evaluate import Calls, evaluate
from freewheel.formula.faults import NotConstant
from freewheel.formula.nodes import FALSE, TRUE, Boolean, Expr, Integer, Literal, Real, Var
from freewheel.formula.statement_nodes import Function
from freewheel.formula.types import (
    BOOLEAN,
    INTEGER,
    REAL,
    STRING,
    Basic,
    EnumType,
    ExternalObjectType,
)
from freewheel.formula.values import ArrayValue, EnumValue, Value
from freewheel.structure.nodes import ScalarVariable

_ZERO_OF: Mapping[object, Value] = {BOOLEAN: False, STRING: ""}


class ParameterValues:
    """Lazy evaluation with a memory. A cycle counts as "has no value" here; the parameter sorter
    reports it properly."""

    def __init__(
        self,
        variables: Mapping[Name, ScalarVariable],
        functions: Sequence[Function],
        arrays: Mapping[Name, tuple[int, ...]] | None = None,
    ) -> None:
        self.variables = variables
        self.functions = {function.name: function for function in functions}
        self.arrays = arrays or {}  # dims of array variables, for names of whole arrays
        self.prepare: Callable[[Name], None] | None = None  # completes a variable when asked for
        self.known: dict[Name, Value | None] = {}
        self.of_expression: dict[Expr, Value | None] = {}
        self.calls: Calls = {}

    def value(self, expr: Expr) -> Value | None:
        """The value, or None where it depends on something without one."""
        if expr not in self.of_expression:
            self.of_expression[expr] = self._evaluate(expr)
        return self.of_expression[expr]

    def problem(self, expr: Expr) -> CompileError | None:
        """Why an expression has no value, where evaluating it says so."""
        try:
            evaluate(expr, self.lookup, self._function)
        except CompileError as problem:
            return problem
        except (NotConstant, ArithmeticError, ValueError):
            return None
        return None

    def number(self, expr: Expr) -> float | None:
        found = self.value(expr)
        if isinstance(found, EnumValue):
            return float(found.index)
        return float(found) if isinstance(found, int | float) else None

    def truth(self, expr: Expr) -> bool | None:
        found = self.value(expr)
        return found if isinstance(found, bool) else None

    def _evaluate(self, expr: Expr) -> Value | None:
        if isinstance(expr, Real | Integer | Boolean):
            literal: Value = expr.data
            return literal
        if isinstance(expr, Var) and self._is_unknown(expr.name):
            return None
        try:
            return self.evaluated(expr)
        except (NotConstant, CompileError, ArithmeticError, ValueError):
            return None

    def evaluated(self, expr: Expr) -> Value:
        """The value; raises where there is none."""
        return evaluate(expr, self.lookup, self._function, calls=self.calls)

    def _is_unknown(self, name: Name) -> bool:
        """Most questions are about variables that move: answered without raising an error."""
        variable = self.variables.get(name) if self.prepare is None else None
        return variable is not None and variable.variability > Variability.PARAMETER

    def _function(self, name: ClassName) -> Function:
        if name not in self.functions:
            raise NotConstant(name)
        return self.functions[name]

    def lookup(self, name: Name) -> Value:
        """The value of a variable; raises `NotConstant` where it has none."""
        if name in self.arrays and name not in self.variables:
            return self._array(name, self.arrays[name], ())
        if name not in self.known:
            self.known[name] = None  # so that a cycle ends here
            self.known[name] = self._variable(name)
        found = self.known[name]
        if found is None:
            raise NotConstant(name)
        return found

    def _array(self, name: Name, dims: tuple[int, ...], index: tuple[int, ...]) -> Value:
        elements: list[Value] = []
        indices: list[tuple[int, ...]] = [()]
        for size in dims:
            indices = [(*head, i) for head in indices for i in range(1, size + 1)]
        for position in indices:
            elements.append(self.lookup((*name, *position)))
        return ArrayValue(dims, tuple(elements))

    def _variable(self, name: Name) -> Value | None:
        if self.prepare is not None:
            self.prepare(name)
        variable = self.variables.get(name)
        if variable is None or variable.variability > Variability.PARAMETER:
            return None
        if isinstance(variable.type, ExternalObjectType):
            return None
        if variable.fixed is not None and self.truth(variable.fixed) is False:
            return None
        if variable.binding is not None:
            return self._evaluate(variable.binding)
        if variable.start is not None:
            return self._evaluate(variable.start)
        if isinstance(variable.type, Basic):
            return _ZERO_OF.get(variable.type, 0.0 if variable.type == REAL else 0)
        return None


def is_number(expr: Expr) -> bool:
    return isinstance(expr, Real | Integer)


def literal(variable: ScalarVariable, number: float) -> Expr:
    """A number as a value of the variable's type."""
    kind = variable.type
    if isinstance(kind, EnumType):
        return Literal(kind.name, int(number), kind.literals[int(number) - 1])
    if kind == BOOLEAN:
        return TRUE if number else FALSE
    return Integer(int(number)) if kind == INTEGER else Real(number)
