"""Complementarity as one equation that is smooth but for a point: the function of Fischer and Burmeister.

    sqrt(i^2 + v^2) - i + v = 0        a root of two squares, i and v, is the sum of i and -v

Squared, `sqrt(a^2 + b^2) = a + b` says a*b = 0, and a root says that a + b is not negative: one of both is
zero and the other one is not negative, as of `0 = min(a, b)` (Fischer, "A special Newton-type optimization
method", 1992). Where both are zero, where a diode turns, the root is the tip of a cone and has no derivative.
The root of one square is an absolute value: `sqrt((i + v)^2) = i - v`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import Binary, Call, Expr, Integer, Real, Unary, Var
from freewheel.formula.walk import map_bottom_up, substitute, variables_in
from freewheel.structure.atoms import NATURAL

Moves = Callable[[Var], bool]

_ROOT = Var((NATURAL, "root"))
_SQUARES = (Integer(2), Real(2.0))
_HALF = Real(0.5)


@dataclass(frozen=True, slots=True)
class Cone:
    """The root of a sum of `weight*square^2` is `other`."""

    squares: tuple[tuple[Expr, Expr], ...]  # (what is squared, its weight)
    other: Expr


def cone_of(left: Expr, right: Expr, moves: Moves) -> Cone | None:
    """What an equation says of a root of squares; `moves`: of a variable, whether it is no parameter."""
    found = _root_in(left) or _root_in(right)
    if found is None:
        return None
    root, radicand = found
    form = linear_form(substitute(build.minus(left, right), {root: _ROOT}), [_ROOT])
    squares = _squares(radicand, moves)
    if form is None or not squares:
        return None
    (factor,), rest = form
    return Cone(squares, build.neg(build.over(rest, factor)))


def _root_in(side: Expr) -> tuple[Expr, Expr] | None:
    """(the first root among the terms of a sum, what stands below it)."""
    stack = [side]
    while stack:
        node = stack.pop()
        if not node.args:
            continue  # most of them
        if isinstance(node, Binary):
            if node.op == "^" and node.right is _HALF:
                return node, node.left
            if node.op in "+-*/":
                stack += node.args
        elif isinstance(node, Unary):
            stack += node.args
        elif isinstance(node, Call) and node.function == "sqrt":
            return node, node.args[0]
    return None


def _squares(radicand: Expr, moves: Moves) -> tuple[tuple[Expr, Expr], ...]:
    """(what is squared, its weight) of each term; nothing where another term is left."""
    names: dict[Expr, Var] = {}

    def named(base: Expr) -> Expr:
        return names.setdefault(base, Var((NATURAL, "square", len(names))))

    def visit(node: Expr) -> Expr:
        if not isinstance(node, Binary) or not any(map(moves, variables_in(node))):
            return node
        left, right = node.args
        if node.op == "^" and right in _SQUARES:
            return named(left)
        if node.op == "*" and left == right:
            return named(left)
        is_product = node.op == "*" and isinstance(left, Binary) and left.op == "*"
        return (
            build.times(left.args[0], named(right))
            if is_product and left.args[1] == right
            else node
        )

    form = linear_form(map_bottom_up(radicand, visit), tuple(names.values()))
    if form is None or not build.is_zero(form[1]):
        return ()
    return tuple(zip(names, form[0], strict=True))
