"""As many equations as unknowns? Both counted in scalars, the way a modeller counts.

    count(model)            # Counts(unknowns=27, equations=27)

Unknown is every element of every variable that is neither constant, parameter, input of the whole
model nor external object. A when-clause and an algorithm count what they determine, once; an
if-equation counts its longest branch; the call of a function with several results those that are
asked for. Modelica 3.6, "Balanced Models".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import Any

from freewheel.base.names import Name
from freewheel.flat.nodes import (
    AnyEquation,
    Causality,
    Equation,
    FlatModel,
    ForEquation,
    IfEquation,
    TupleEquation,
    Variability,
    Variable,
    WhenEquation,
)
from freewheel.flat.sizes import Sizes, targets_in
from freewheel.formula.evaluate import NotConstant, iteration_values
from freewheel.formula.nodes import Expr, Iterator, Var
from freewheel.formula.shape import Shapes
from freewheel.formula.statement_nodes import (
    Assign,
    Effect,
    ForStatement,
    IfStatement,
    Statement,
    TupleAssign,
    WhenStatement,
    WhileStatement,
)
from freewheel.formula.types import ExternalObjectType
from freewheel.formula.values import to_expr
from freewheel.formula.walk import substitute


@dataclass(frozen=True, slots=True)
class Counts:
    unknowns: int
    equations: int

    @property
    def balanced(self) -> bool:
        return self.unknowns == self.equations


def count(model: FlatModel) -> Counts:
    unknowns = sum(prod(variable.dims) for variable in model.variables if is_unknown(variable))
    return Counts(unknowns, Counter(model).of_model())


def is_unknown(variable: Variable) -> bool:
    return (
        variable.variability > Variability.PARAMETER
        and variable.causality is not Causality.INPUT
        and not isinstance(variable.type, ExternalObjectType)
    )


class Counter:
    """Numbers of scalar equations in the parts of one flat model."""

    def __init__(self, model: FlatModel) -> None:
        self._model = model
        self._sizes = Sizes(model)
        self._objects = {
            Var(variable.name)
            for variable in model.variables
            if isinstance(variable.type, ExternalObjectType)
        }

    def of_model(self) -> int:
        algorithms = [algorithm.statements for algorithm in self._model.algorithms]
        return self.of(self._model.equations) + sum(map(self.of_algorithm, algorithms))

    def of(self, equations: Iterable[AnyEquation], values: dict[Expr, Expr] | None = None) -> int:
        """The number of scalars that equations say; `values` of the iterators around them."""
        return sum(self._one(equation, values or {}) for equation in equations)

    def _one(self, equation: AnyEquation, values: dict[Expr, Expr]) -> int:
        match equation:
            case Equation(left=left, right=right):
                if left in self._objects:
                    return 0
                return self._either(left, right, values)
            case TupleEquation(outputs=outputs):
                return sum(
                    self._sizes.count(substitute(output, values))
                    for output in outputs
                    if output is not None
                )
            case ForEquation():
                return self._loop(equation, values)
            case IfEquation(branches=branches, otherwise=otherwise):
                bodies = [*(body for _, body in branches), otherwise]
                return max(self.of(body, values) for body in bodies)
            case WhenEquation(branches=branches):
                return max(self.of(body, values) for _, body in branches)
            case _:
                return 0  # assert, terminate, reinit and calls determine nothing

    def _either(self, left: Expr, right: Expr, values: dict[Expr, Expr]) -> int:
        """Both sides have the same size; sometimes only one of them shows it."""
        try:
            return self._sizes.count(substitute(left, values))
        except NotConstant:
            return self._sizes.count(substitute(right, values))

    def _loop(self, loop: ForEquation, values: dict[Expr, Expr]) -> int:
        """Turn by turn: the size of a slice may depend on the index."""
        constants = Shapes(self._sizes.of_name)
        total = 0
        for value in iteration_values(constants.constant(substitute(loop.values, values))):
            total += self.of(loop.body, {**values, Iterator(loop.index): to_expr(value)})
        return total

    def of_algorithm(self, statements: tuple[Statement, ...]) -> int:
        """Every variable that is assigned somewhere counts once, with all its elements."""
        found: dict[Name, None] = {}
        for target in assigned(statements):
            for var in targets_in(target):
                found[self._declared(var.name)] = None
        return sum(prod(self._sizes.of_name(name)) for name in found)

    def _declared(self, name: Name) -> Name:
        """The variable that a name means an element of."""
        names = {variable.name for variable in self._model.variables}
        while name not in names:
            name = name[:-1]
        return name


def assigned(statements: tuple[Statement, ...]) -> list[Expr]:
    """All targets of assignments, in order, those inside loops and branches included."""
    found: list[Expr] = []
    waiting: list[Any] = list(reversed(statements))
    while waiting:
        statement = waiting.pop()
        match statement:
            case Assign(target=target):
                found.append(target)
            case TupleAssign(targets=targets):
                found.extend(target for target in targets if target is not None)
            case ForStatement(body=body) | WhileStatement(body=body):
                waiting.extend(reversed(body))
            case IfStatement(branches=branches, otherwise=otherwise):
                for body in (otherwise, *(body for _, body in reversed(branches))):
                    waiting.extend(reversed(body))
            case WhenStatement(branches=branches):
                for _, body in reversed(branches):
                    waiting.extend(reversed(body))
            case Effect():
                continue
    return found
