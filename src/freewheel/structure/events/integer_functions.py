"""Functions that return Integers, Booleans or enumerations: events where the value changes.

    k = f(x)        ->      k = held value 1, which follows f(x) at events; two crossings watch it

An equation of a discrete variable is evaluated at events only. A call in it that depends on continuous
quantities has no relation that determines when its value changes; the value itself is watched, as the integer
part of `floor` is (crossings.py). What is evaluated at single instants only (the body of a when-clause)
needs no watching, and an impure function is not called more often than the model says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace as replaced

from freewheel.base.names import Name
from freewheel.formula import build
from freewheel.formula.nodes import (
    Binary,
    Call,
    Expr,
    Field,
    If,
    Index,
    Integer,
    Output,
    Real,
    Unary,
    Var,
)
from freewheel.formula.scalar_type import type_of
from freewheel.formula.shape import FunctionLookup
from freewheel.formula.types import BOOLEAN, INTEGER, EnumType, Scalar
from freewheel.formula.walk import replace
from freewheel.structure.atoms import INITIAL, SAMPLE, TERMINAL, pre_of
from freewheel.structure.events.crossings import Crossings
from freewheel.structure.nodes import ScalarEquation

_HALF = Real(0.5)


class HeldCalls:
    def __init__(
        self, crossings: Crossings, types: Callable[[Name], Scalar], functions: FunctionLookup
    ) -> None:
        self.crossings = crossings
        self.types = types
        self.functions = functions
        self.memo: dict[Expr, Expr] = {}

    def equation(self, equation: ScalarEquation) -> ScalarEquation:
        """An equation of a discrete variable."""
        if equation.is_when:
            return equation
        left, right = self.rewrite(equation.left), self.rewrite(equation.right)
        if left is equation.left and right is equation.right:
            return equation
        return replaced(equation, left=left, right=right)

    def rewrite(self, expr: Expr) -> Expr:
        return replace(expr, self._visit, self.memo)

    def _visit(self, node: Expr) -> Expr | None:
        if isinstance(node, If) and _is_instant(node.args[0]):
            return If(node.args[0], node.args[1], self.rewrite(node.args[2]))
        call = _call_of(node)
        if call is None or not self.crossings.changes_continuously(node):
            return None
        function = self.functions(call.function) if isinstance(call.function, tuple) else None
        kind = type_of(node, self.types, self.functions)
        if function is None or function.is_impure or not _is_discrete(kind):
            return None
        if kind == BOOLEAN:
            number = self.crossings.floor(build.plus(If(node, Integer(1), Integer(0)), _HALF))
            return build.relation(">", number, Integer(0))
        return self.crossings.floor(build.plus(node, _HALF))


def _call_of(node: Expr) -> Call | None:
    """The call of a function that the expression is a part of the result of."""
    while isinstance(node, Output | Index | Field):
        node = node.args[0]
    return node if isinstance(node, Call) and isinstance(node.function, tuple) else None


def _is_discrete(kind: Scalar) -> bool:
    return kind in (INTEGER, BOOLEAN) or isinstance(kind, EnumType)


def _is_instant(condition: Expr) -> bool:
    """Whether a condition holds at single instants only: `initial()`, a sample, `b and not pre(b)`."""
    if isinstance(condition, Var):
        return condition in (INITIAL, TERMINAL) or condition.name[0] == SAMPLE
    if not isinstance(condition, Binary):
        return False
    if condition.op == "or":
        return _is_instant(condition.left) and _is_instant(condition.right)
    if condition.op == "<>":
        one, other = condition.left, condition.right
        return isinstance(one, Var) and other == pre_of(one)
    if condition.op != "and":
        return False
    parts = _conjuncts(condition)
    risen = [Unary("not", pre_of(part)) for part in parts if isinstance(part, Var)]
    return any(edge in parts for edge in risen) or any(
        _is_instant(part) for part in parts if not isinstance(part, Binary) or part.op != "and"
    )


def _conjuncts(expr: Expr) -> list[Expr]:
    if isinstance(expr, Binary) and expr.op == "and":
        return [*_conjuncts(expr.left), *_conjuncts(expr.right)]
    return [expr]
