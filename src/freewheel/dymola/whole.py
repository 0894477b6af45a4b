"""Numbers that keep their value between events without a `when`: they must be whole.

    new(OpenSw) = if u <= 0 and not i > 0 then 1 else 0        OpenSw is an Integer

Such an equation is true at every event, as one of a logical variable is. Modelica has this for
Integers; a number with a fraction needs a `when` that says at which instants it changes. A sum such as
`new(n) = n + 1` does so too: it would count for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freewheel.dymola.book import Book
from freewheel.dymola.kinds import Place, place_of
from freewheel.syntax.equation_nodes import Equation
from freewheel.syntax.expression_nodes import (
    Binary,
    Call,
    ComponentRef,
    Expr,
    IfExpr,
    Number,
    Unary,
)

_WHOLE_OPERATORS = ("+", "-", "*")


def whole_variables(
    book: Book, names: Sequence[str], logical: frozenset[Place]
) -> frozenset[Place]:
    """(class, variable) with `new(x) = ...` outside of `when`, where the dots choose whole numbers."""
    values = [found for name in names for found in _defined(book, name)]
    counted = {place for place, _, value in values if isinstance(value, Unary | Binary)}
    whole = {place for place, _, _ in values} - logical - counted
    while True:
        fewer = whole - {p for p, name, e in values if not _is_whole(book, name, e, whole)}
        if fewer == whole:
            return frozenset(whole)
        whole = fewer


def _defined(book: Book, name: str) -> Iterator[tuple[Place, str, Expr]]:
    """(variable, class, value) of each `new(x) = value`."""
    for equation in book.get(name).model.equations:
        if not isinstance(equation, Equation):
            continue
        for side, value in ((equation.left, equation.right), (equation.right, equation.left)):
            if isinstance(side, Call) and side.function.names == ("new",) and len(side.args) == 1:
                target = side.args[0]
                place = None
                if isinstance(target, ComponentRef):
                    place = place_of(book, name, target.names)
                if place is not None:
                    yield place, name, value


def _is_whole(book: Book, name: str, expr: Expr, whole: set[Place]) -> bool:
    if isinstance(expr, Number):
        return expr.is_integer
    if isinstance(expr, ComponentRef):
        return place_of(book, name, expr.names) in whole
    if isinstance(expr, Unary):
        return expr.op == "-" and _is_whole(book, name, expr.operand, whole)
    if isinstance(expr, Binary):
        sides = (expr.left, expr.right)
        return expr.op in _WHOLE_OPERATORS and all(_is_whole(book, name, s, whole) for s in sides)
    if isinstance(expr, IfExpr):
        values = [value for _, value in expr.branches] + [expr.otherwise]
        return all(_is_whole(book, name, value, whole) for value in values)
    return False
