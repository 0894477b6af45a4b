"""When-equations written as such, in listings of the classic language.

    y = if not initial() and (w and not pre(w)) then e else pre(y),  w = u > H
                                                            ->      when u > H then y = e endwhen

A classic `when Time >= y` begins with the run if it can: `initial() or ...` stands before the flag then.

Everything here looks at expressions after events were found (hybrid.py): `w` is a flag `$when[k]` or
a variable of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from freewheel.base.names import Name
from freewheel.formula.nodes import Binary, Call, Expr, If, Unary, Var
from freewheel.structure.atoms import INITIAL, WHEN, pre_of
from freewheel.structure.nodes import Action, ScalarEquation


@dataclass(frozen=True, slots=True)
class Jump:
    """A state that gets a new value at an event."""

    condition: Expr
    target: Var
    value: Expr
    origin: Name


def rising(node: Expr) -> Expr | None:
    """`edge(c)` for `c and not pre(c)`."""
    if not isinstance(node, Binary) or node.op != "and":
        return None
    var, other = node.left, node.right
    if not isinstance(var, Var) or not isinstance(other, Unary) or other.args != (pre_of(var),):
        return None
    return Call("edge", var)


def flags_in(equations: Sequence[ScalarEquation]) -> Mapping[Expr, Expr]:
    """What the flags of when-clauses stand for."""
    found = ((e.left, e.right) for e in equations)
    return {left: right for left, right in found if isinstance(left, Var) and is_flag(left)}


def is_flag(var: Var) -> bool:
    return var.name[0] == WHEN


def as_when(value: Expr, target: Expr, flags: Mapping[Expr, Expr]) -> tuple[Expr, Expr] | None:
    """(condition, value) of a variable that changes when a condition becomes true."""
    if (
        not isinstance(value, If)
        or not isinstance(target, Var)
        or value.args[2] is not pre_of(target)
    ):
        return None
    guard, then = value.args[:2]
    begins = isinstance(guard, Binary) and guard.op == "or" and guard.left is INITIAL
    condition = becoming(guard.args[1] if begins else guard, flags)
    if condition is None:
        return None
    # One that is looked at when the run begins, too, has the condition twice.
    if isinstance(then, If) and then.args[2] is pre_of(target):
        then = then.args[1] if begins or then.args[0] == condition else then
    return condition, then


def becoming(guard: Expr, flags: Mapping[Expr, Expr]) -> Expr | None:
    """The condition that becomes true."""
    if isinstance(guard, Binary) and guard.op == "and" and guard.left.args == (INITIAL,):
        guard = guard.right
    edge = rising(guard)
    return None if edge is None else flags.get(edge.args[0], edge.args[0])


def jumps_in(actions: Sequence[Action], flags: Mapping[Expr, Expr]) -> Iterator[Jump]:
    for action in actions:
        if action.kind != "reinit" or action.guard is None:
            continue
        condition = becoming(action.guard, flags)
        if condition is not None and action.value is not None and action.target is not None:
            yield Jump(condition, action.target, action.value, action.origin)
