"""Rows that jump or bend where no event tells of it.

    has_corners(shape)         noEvent(if time > 1 then 1 else 0),  abs(x),  max(x, 0)

Derivatives of such a row say nothing of what it will be: between corners it may be a straight line or even
a constant, of which a polynomial seems to be true for ever.
"""

from __future__ import annotations

from collections.abc import Iterator

from freewheel.formula.intrinsics import names_of
from freewheel.formula.nodes import RELATIONS, Binary, Call, Expr, If, Var
from freewheel.formula.walk import variables_in
from freewheel.program.needed import formulas_of
from freewheel.program.nodes import slot_var
from freewheel.program.rows import Shape
from freewheel.program.written import written_slots

CORNERS = names_of(lambda row: row.has_corners)


def has_corners(shape: Shape) -> bool:
    """Whether a condition or a function with corners sees states, inputs or time. Those on held numbers,
    such as the statuses of relations, change at events only."""
    moving = {slot_var(place) for place in range(shape.records)}
    if shape.uses_time:
        moving.add(slot_var(shape.time))
    for step in shape.steps:
        formulas = formulas_of(step)
        if any(_is_corner(node, moving) for node in _nodes(*formulas)):
            return True
        if not moving.isdisjoint(variables_in(*formulas)):
            moving.update(slot_var(slot) for slot in written_slots((step,)))
    return any(_is_corner(node, moving) for node in _nodes(shape.entry))


def _is_corner(node: Expr, moving: set[Var]) -> bool:
    is_one = (
        isinstance(node, If)
        or (isinstance(node, Binary) and node.op in RELATIONS)
        or (isinstance(node, Call) and node.function in CORNERS)
    )
    seen = (node.args[0],) if isinstance(node, If) else node.args
    return is_one and not moving.isdisjoint(variables_in(*seen))


def _nodes(*roots: Expr) -> Iterator[Expr]:
    stack, seen = list(roots), set(roots)
    while stack:
        node = stack.pop()
        yield node
        fresh = [child for child in node.args if child not in seen]
        seen.update(fresh)
        stack += fresh
