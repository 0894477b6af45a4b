"""Formulas with if-expressions inside, as one chain of if-expressions with formulas at its ends.

1 - (if b then 1 else 0)      ->      if b then 0 else 1
(if b then 1 else 0) == 1     ->      b
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from freewheel.formula import build
from freewheel.formula.nodes import FALSE, TRUE, Binary, Expr, If, Unary
from freewheel.formula.walk import map_bottom_up, replace

# Ends of one chain, five switches with two positions: a formula over more is left as it is written.
MOST_ENDS = 32
# The formula of one number may be a table of instants, `if time < 1 then 1 elseif time < 2 then 0 ...`.
MOST_IN_TABLE = 200

_SCALAR = {"+": build.plus, "-": build.minus, "*": build.times, "/": build.over}


class TooManyEndsError(Exception):
    """More cases than anybody wants to write down."""


def lifted(expr: Expr, most: int = MOST_ENDS) -> Expr:
    """With all choices outside; a condition that is asked twice is decided once."""
    return _Lift(most).lift(expr, 0)


class _Lift:
    def __init__(self, most: int) -> None:
        self.most = most
        self.ends = 0

    def lift(self, expr: Expr, depth: int) -> Expr:
        if depth + self.ends >= self.most:  # each choice on the way here has another end
            raise TooManyEndsError
        choice = _first_choice(expr)
        if choice is None:
            self.ends += 1
            return folded(expr)
        condition = choice.args[0]
        then, otherwise = (
            self.lift(decided(expr, condition, value), depth + 1) for value in (TRUE, FALSE)
        )
        return build.if_then_else(condition, then, otherwise)


def _first_choice(expr: Expr) -> Expr | None:
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, If):
            return node
        stack.extend(reversed(node.args))
    return None


def decided(expr: Expr, condition: Expr, value: Expr) -> Expr:
    """Where the condition holds, or not: other conditions may ask it too, `not s > 1 and s < -1`."""
    memo: dict[Expr, Expr] = {}

    def visit(node: Expr) -> Expr | None:
        if not isinstance(node, If):
            return None
        asked = where(node.args[0], condition, value)
        if asked is TRUE or asked is FALSE:
            return replace(node.args[1 if asked is TRUE else 2], visit, memo)
        if asked is node.args[0]:
            return None
        then, otherwise = (replace(branch, visit, memo) for branch in node.args[1:])
        return build.if_then_else(asked, then, otherwise)

    return replace(expr, visit, memo)


def where(asked: Expr, condition: Expr, value: Expr) -> Expr:
    """A condition where another one is known."""
    if asked is condition:
        return value
    if isinstance(asked, Unary) and asked.op == "not":
        part = where(asked.args[0], condition, value)
        return asked if part is asked.args[0] else build.logical_not(part)
    if not isinstance(asked, Binary) or asked.op not in ("and", "or"):
        return asked
    left, right = (where(part, condition, value) for part in asked.args)
    if left is asked.left and right is asked.right:
        return asked
    return (build.logical_and if asked.op == "and" else build.logical_or)(left, right)


def folded(expr: Expr) -> Expr:
    """Constants put together, terms with a factor zero dropped."""
    return map_bottom_up(expr, _fold)


def _fold(node: Expr) -> Expr:
    if isinstance(node, Binary) and node.op in _SCALAR:
        return _SCALAR[node.op](node.left, node.right)
    return build.rebuilt(node, node.args) if node.args else node


def ends_of(chain: Expr) -> Iterator[Expr]:
    stack = [chain]
    while stack:
        node = stack.pop()
        if isinstance(node, If):
            stack.extend((node.args[2], node.args[1]))
        else:
            yield node


def with_ends(chain: Expr, function: Callable[[Expr], Expr]) -> Expr:
    if not isinstance(chain, If):
        return function(chain)
    condition, then, otherwise = chain.args
    return build.if_then_else(condition, with_ends(then, function), with_ends(otherwise, function))


def truth(chain: Expr) -> Expr:
    """A chain with Booleans at its ends as a formula of `and`, `or` and `not`."""
    if not isinstance(chain, If):
        return chain
    condition, then, otherwise = chain.args[0], truth(chain.args[1]), truth(chain.args[2])
    if then is FALSE:
        return build.logical_and(build.logical_not(condition), otherwise)
    if otherwise is FALSE or then is TRUE:
        join = build.logical_and if otherwise is FALSE else build.logical_or
        return join(condition, then if otherwise is FALSE else otherwise)
    if otherwise is TRUE:
        return build.logical_or(build.logical_not(condition), then)
    first = build.logical_and(condition, then)
    return build.logical_or(first, build.logical_and(build.logical_not(condition), otherwise))
