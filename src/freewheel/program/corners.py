"""Corners of continuous equations of which no event tells: max, min, abs, sign, and `if` inside noEvent.

    i = max(0, u - v)          ->          0 - (u - v)

A step that passes two of them, there and back, may see nothing of what lies between: a rectifier that is
written this way would lose whole pulses, whatever the tolerance. The runtime looks at these residuals
inside each step (`runtime/events/detection.py`). They make no events.

In: expressions. Out: residuals that change sign at the corners, each once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from freewheel.formula import build
from freewheel.formula.intrinsics import names_of
from freewheel.formula.nodes import Binary, Call, Expr, Var
from freewheel.formula.walk import nodes_of, variables_in

_CORNER_AT_ZERO = names_of(
    lambda row: row.has_corners and not row.makes_events and not row.is_reduction
)
_COMPARED = ("<", "<=", ">", ">=")
_BENT = frozenset((*_COMPARED, "max", "min", *_CORNER_AT_ZERO))


def corners_of(exprs: Iterable[Expr], moves: Callable[[Var], bool]) -> tuple[Expr, ...]:
    """`moves`: what can change between events."""
    bent = [n for n in nodes_of(*exprs) if isinstance(n, Binary | Call) and n.data in _BENT]
    found = dict.fromkeys(residual for node in bent for residual in _residuals(node))
    return tuple(residual for residual in found if any(map(moves, variables_in(residual))))


def _residuals(node: Expr) -> Iterator[Expr]:
    if isinstance(node, Binary) and node.op in _COMPARED:
        yield build.minus(node.left, node.right)
    elif isinstance(node, Call) and node.function in ("max", "min") and len(node.args) == 2:
        yield build.minus(*node.args)
    elif isinstance(node, Call) and node.function in _CORNER_AT_ZERO:
        yield node.args[0]
