"""Elements and parts of arrays by their subscripts: part of `scalarize`.

    x[2]        x_2
    x[k]        if k == 1 then x_1 elseif k == 2 then x_2 else x_3      where only a run tells k

Subscripts that a run tells are checked by whoever evaluates the formula (`subscript_checks.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from freewheel.formula.evaluate import subscript_number
from freewheel.formula.faults import subscript_outside, wrong_shape
from freewheel.formula.nodes import RELATIONS, Binary, Boolean, Colon, Expr, Integer, Unary
from freewheel.formula.scalarize_branches import choice
from freewheel.formula.scalarize_calls import piece, whole
from freewheel.formula.subscript_checks import check_of
from freewheel.formula.values import ArrayValue, Value, select

if TYPE_CHECKING:
    from freewheel.formula.scalarize import Parts, Scalarizer


def index_parts(work: Scalarizer, node: Expr, parts: tuple[Parts, ...]) -> Parts:
    base = parts[0]
    if not isinstance(base, ArrayValue):
        raise wrong_shape("a subscript on a value that is not an array")
    subscripts = [None if isinstance(part, Colon) else _subscript(work, part) for part in parts[1:]]
    for axis, subscript in enumerate(subscripts):
        if isinstance(subscript, Expr) and not _is_boolean(subscript):
            work.met += check_of(node, axis, subscript, base.dims[axis])
    return _selected(base, subscripts)


def _subscript(work: Scalarizer, part: Parts) -> int | tuple[int, ...] | Expr:
    """Numbers where the subscript is constant, the formula where only a run will tell."""
    if isinstance(part, ArrayValue):  # how many there are is a size
        value: Value | None = work.shapes.constant(whole(part))
    else:
        value = work.shapes.try_constant(part)
    if isinstance(value, ArrayValue):
        return tuple(subscript_number(element) for element in value.elements)
    if value is not None:
        return subscript_number(value)
    assert isinstance(part, Expr)
    return part


def _selected(base: ArrayValue, subscripts: list[Any]) -> Parts:
    for axis, subscript in enumerate(subscripts):
        if isinstance(subscript, Expr):
            return _selected_at_run_time(base, subscripts, axis)
    return piece(select(base, subscripts))


def _selected_at_run_time(base: ArrayValue, subscripts: list[Any], axis: int) -> Parts:
    """A chain of `if` over all values the subscript may have; the last one needs no question."""
    subscript, size = subscripts[axis], base.dims[axis]
    if size == 0:
        raise subscript_outside(1, 0, axis + 1)

    def at(number: int) -> Parts:
        return _selected(base, [*subscripts[:axis], number, *subscripts[axis + 1 :]])

    if _is_boolean(subscript):
        return choice(subscript, at(2), at(1))
    result = at(size)
    for number in range(size - 1, 0, -1):
        result = choice(Binary("==", subscript, Integer(number)), at(number), result)
    return result


def _is_boolean(expr: Expr) -> bool:
    if isinstance(expr, Binary):
        return expr.data in RELATIONS or expr.data in ("and", "or")
    return isinstance(expr, Boolean) or (isinstance(expr, Unary) and expr.data == "not")
