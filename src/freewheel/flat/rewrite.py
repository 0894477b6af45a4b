"""Every expression of a flat model through one function.

    rewritten(flat, lambda expr: substitute(expr, {a: b}))

In: a flat model. Out: one with the same variables and equations over rewritten expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from freewheel.flat.nodes import FlatModel
from freewheel.formula import nodes as f

_REWRITTEN = ("freewheel.flat.nodes", "freewheel.formula.statement_nodes")


def rewritten(flat: FlatModel, rewrite: Callable[[f.Expr], f.Expr]) -> FlatModel:
    """Every expression of the model through `rewrite`."""

    def visit(value: Any) -> Any:
        if isinstance(value, f.Expr):
            return rewrite(value)
        if isinstance(value, tuple):
            new = tuple(visit(v) for v in value)
            return value if all(a is b for a, b in zip(value, new, strict=True)) else new
        if (
            is_dataclass(value)
            and not isinstance(value, type)
            and type(value).__module__ in _REWRITTEN
        ):
            changes = {}
            for field in fields(value):
                old = getattr(value, field.name)
                new = visit(old)
                if new is not old:
                    changes[field.name] = new
            return replace(value, **changes) if changes else value
        return value

    return replace(
        flat,
        variables=visit(flat.variables),
        equations=visit(flat.equations),
        initial_equations=visit(flat.initial_equations),
        algorithms=visit(flat.algorithms),
        initial_algorithms=visit(flat.initial_algorithms),
    )
