"""Choices out of formulas: for languages whose formulas know no `if`.

    Set(y, 2*(if c then a else b))      ->      if c then h1 = a else h1 = b;  y = 2*h1

Each branch is evaluated only where it is taken, as the model means it. A formula that is nothing but a
choice becomes a plain if-statement, as the limiter of Elmqvist, Cellier and Otter (1993) is written in ACSL.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from freewheel.export.nodes import (
    Choose,
    Leave,
    Linear,
    Repeat,
    Run,
    Set,
    Statement,
    local,
)
from freewheel.formula.nodes import LOGICAL, RELATIONS, Binary, Boolean, Expr, If, Unary, Var
from freewheel.formula.walk import contains


def hoist(statements: Sequence[Statement], prefix: str = "h") -> tuple[Statement, ...]:
    """`prefix` begins the names of the locals that are made."""
    return tuple(_Hoisting(prefix).all(statements))


def hoist_one(statement: Statement, prefix: str) -> list[Statement]:
    return _Hoisting(prefix).one(statement)


def is_choice(node: Expr) -> bool:
    return isinstance(node, If)


class _Hoisting:
    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.count = 0

    def all(self, statements: Iterable[Statement]) -> list[Statement]:
        return [one for statement in statements for one in self.one(statement)]

    def one(self, statement: Statement) -> list[Statement]:
        before: list[Statement] = []
        match statement:
            case Set():
                return self.set(statement)
            case Choose():
                branches = []
                for condition, body in statement.branches:
                    branches.append((self.lift(condition, before), tuple(self.all(body))))
                return [*before, Choose(tuple(branches), tuple(self.all(statement.otherwise)))]
            case Repeat():
                return [Repeat(statement.limit, tuple(self.all(statement.body)), statement.failure)]
            case Leave():
                lifted = self.lift(statement.condition, before)
                return [*before, Leave(lifted)]
            case Linear():
                matrix = tuple((r, c, self.lift(e, before)) for r, c, e in statement.matrix)
                right = tuple(self.lift(e, before) for e in statement.right)
                return [*before, Linear(statement.targets, matrix, right)]
            case Run():
                return [statement]

    def set(self, statement: Set) -> list[Statement]:
        value, before = statement.value, list[Statement]()
        if not isinstance(value, If):
            lifted = self.lift(value, before)
            return [*before, Set(statement.target, lifted, statement.origin)]
        branches: list[tuple[Expr, tuple[Statement, ...]]] = []
        rest: Expr = value
        while isinstance(rest, If):
            condition, then, otherwise = rest.args
            if branches and contains(condition, is_choice):
                break
            test = self.lift(condition, before)
            branches.append((test, tuple(self.set(Set(statement.target, then, statement.origin)))))
            rest = otherwise
        last = tuple(self.set(Set(statement.target, rest, statement.origin)))
        return [*before, Choose(tuple(branches), last)]

    def lift(self, expr: Expr, before: list[Statement]) -> Expr:
        """The expression without choices; statements that make them are added to `before`."""
        if not contains(expr, is_choice):
            return expr
        if isinstance(expr, If):
            self.count += 1
            name = local(f"{'l' if is_boolean(expr) else ''}{self.prefix}{self.count}")
            before += self.set(Set(name, expr))
            return name
        return expr.with_args(tuple(self.lift(part, before) for part in expr.args))


def is_boolean(expr: Expr) -> bool:
    """By its form; variables count as numbers."""
    while isinstance(expr, If):
        expr = expr.args[1]
    if isinstance(expr, Boolean):
        return True
    if isinstance(expr, Unary):
        return expr.op == "not"
    return isinstance(expr, Binary) and (expr.op in RELATIONS or expr.op in LOGICAL)


def is_logical_local(var: Var) -> bool:
    """Names that `lift` gives to conditions."""
    return var.name[0] == "local" and str(var.name[1]).startswith("lh")
