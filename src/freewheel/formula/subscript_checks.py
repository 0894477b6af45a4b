"""Subscripts that only a run tells: where each is used, and between which bounds it must lie.

    if i < n then x[i + 1] else 0     ->     where i < n:  1 <= i + 1 <= 3

In: the parts of a formula while `scalarize` takes it apart. Out: one check for each subscript. A chain of
`if` takes the place of such an element, and its last branch needs no question: a number outside must be
found beside it, at the points of a solution. Between them (iterations) any element will do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from freewheel.base.names import Name, show
from freewheel.formula import build
from freewheel.formula.nodes import (
    TRUE,
    Array,
    Binary,
    Call,
    Expr,
    Field,
    If,
    Index,
    Integer,
    String,
    Var,
)
from freewheel.formula.show import show as to_text

_QUIET = ("noEvent", "smooth")
LONGEST_NAME = 60  # characters: a message stays one line


@dataclass(frozen=True, slots=True)
class SubscriptCheck:
    """Where `guard` holds, `subscript` is a number from 1 to `size`."""

    guard: Expr
    subscript: Expr
    size: int
    axis: int  # from 1
    array: str  # its name, "" where it has none

    def condition(self) -> Expr:
        """Of numbers; where the guard does not hold nothing is computed."""
        above = Binary("<=", Integer(1), self.subscript)
        below = Binary("<=", self.subscript, Integer(self.size))
        return build.if_then_else(self.guard, build.logical_and(above, below), TRUE)

    def message(self) -> Expr:
        of_whom = f" of `{self.array}`" if self.array else ""
        where = f" is outside 1:{self.size} in dimension {self.axis}{of_whom}"
        number = Binary(
            "+", String("subscript "), Call("String", self.subscript, String("Integer"))
        )
        return Binary("+", number, String(where))


def check_of(node: Expr, axis: int, subscript: Expr, size: int) -> tuple[SubscriptCheck, ...]:
    """The check of one subscript of `node`, unless it can only be inside."""
    if _is_inside(subscript, size):
        return ()
    return (SubscriptCheck(TRUE, subscript, size, axis + 1, _name(node)),)


def _is_inside(subscript: Expr, size: int) -> bool:
    if isinstance(subscript, If):
        return all(_is_inside(part, size) for part in subscript.args[1:])
    return isinstance(subscript, Integer) and 1 <= subscript.value <= size


def _name(node: Expr) -> str:
    path: list[str] = []
    while isinstance(node, Index | Field):
        if isinstance(node, Field):
            path.insert(0, f".{node.data}")
        node = node.args[0]
    if isinstance(node, Var):
        return show(node.name) + "".join(path)
    wholes = {_whole(part) for part in node.args} if isinstance(node, Array) else set()
    common = wholes.pop() if len(wholes) == 1 else ()
    text = show(common) if common else to_text(node)
    return text if len(text) <= LONGEST_NAME else ""


def _whole(element: Expr) -> Name:
    """`x` of its elements `x[2]`, `x[2].v` and `{x[2, 1], x[2, 2]}`, as arguments of functions are."""
    while isinstance(element, Array) and element.args:
        element = element.args[0]
    name = element.name if isinstance(element, Var) else ()
    while name and isinstance(name[-1], str):
        name = name[:-1]
    while name and isinstance(name[-1], int):
        name = name[:-1]
    return name


def of_children(
    node: Expr, parts: tuple[Any, ...], checks: dict[Expr, tuple[SubscriptCheck, ...]]
) -> tuple[SubscriptCheck, ...]:
    """What the operands of `node` need, under the conditions that it looks at them."""
    found = [checks.get(arg, ()) for arg in node.args]
    if not any(found):
        return ()
    if isinstance(node, If):
        condition, then, otherwise = found
        return (*condition, *_where(parts[0], then), *_unless(parts[0], otherwise))
    if isinstance(node, Binary) and node.op in ("and", "or"):
        left, right = found
        return (*left, *(_where if node.op == "and" else _unless)(parts[0], right))
    if isinstance(node, Call) and node.function in _QUIET:
        return tuple(_quiet(check, node, parts) for check in found[-1])
    return tuple(check for each in found for check in each)


def _where(condition: Expr, checks: tuple[SubscriptCheck, ...]) -> tuple[SubscriptCheck, ...]:
    return tuple(replace(c, guard=build.logical_and(condition, c.guard)) for c in checks)


def _unless(condition: Expr, checks: tuple[SubscriptCheck, ...]) -> tuple[SubscriptCheck, ...]:
    return _where(build.logical_not(condition), checks) if checks else ()


def _quiet(check: SubscriptCheck, node: Call, parts: tuple[Any, ...]) -> SubscriptCheck:
    """What makes no events in a formula makes none in its check."""

    def wrapped(expr: Expr) -> Expr:
        return node.with_args((*parts[:-1], expr))

    guard = check.guard if check.guard is TRUE else wrapped(check.guard)
    return replace(check, guard=guard, subscript=wrapped(check.subscript))
