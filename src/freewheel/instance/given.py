"""Values given from outside to a part of an array or a record: `k[2]`, `r[3].R`, `data.n`.

    parameter Integer m[3] = {0, 1, 2}      with m[2] = 5 from outside     ->     {0, 5, 2}
    parameter Data d = Data(n = 1)          with d.n = 4 from outside      ->     d.n is 4

They come before whatever value the whole was given: a modifier in a model cannot name a part of an array,
and the value of a whole record hides what is said of its fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from freewheel.base.names import Name, show
from freewheel.formula import nodes as f
from freewheel.formula.types import Type
from freewheel.formula.values import ArrayValue
from freewheel.instance import types
from freewheel.instance.diagnostics.values import only_some_elements_given
from freewheel.instance.modify import merge
from freewheel.instance.nodes import NO_MODIFIER, Binding, Modifier, Typed
from freewheel.instance.parts import index_expr

if TYPE_CHECKING:
    from freewheel.instance.components import ComponentInstance
    from freewheel.instance.elaborate import Elaborator

Index = tuple[int, ...]


def given(path: Name, binding: Binding) -> tuple[Name, Modifier]:
    """The array element that a path begins with, `()` if none, and its modifier:
    `r[3].c.R` is `r[3]` with `c(R = ...)`."""
    count = next((k for k in range(len(path), 0, -1) if isinstance(path[k - 1], int)), 0)
    modifier = Modifier(binding)
    for part in reversed(path[count:]):
        modifier = Modifier(None, {str(part): modifier})
    return path[:count], modifier


def collected(parts: list[tuple[Name, Modifier]]) -> dict[Name, Modifier]:
    found: dict[Name, Modifier] = {}
    for path, modifier in parts:
        found[path] = merge(modifier, found.get(path, NO_MODIFIER), check_final=False)
    return found


def is_given_inside(component: ComponentInstance) -> bool:
    """Whether a part of this record, or of these records, has a value from outside."""
    depth = len(component.path)
    elements = component.session.given
    return any(path[:depth] == component.path for path in elements) or _holds(component.modifier)


def _holds(modifier: Modifier) -> bool:
    return any(
        (sub.binding is not None and sub.binding.is_from_outside) or _holds(sub)
        for sub in modifier.subs.values()
    )


def with_given_elements(
    elaborator: Elaborator, component: ComponentInstance, whole: Typed | None
) -> Typed | None:
    """The value of an array of numbers, texts or truths with the elements given from outside."""
    depth = len(component.path)
    found = {
        tuple(p for p in path[depth:] if isinstance(p, int)): elaborator.of_binding(
            modifier.binding
        )
        for path, modifier in component.session.given.items()
        if path[:depth] == component.path and modifier.binding is not None
    }
    if not found:
        return whole
    if whole is None:
        raise only_some_elements_given(show(component.path), component.span)
    kind = Type(whole.type.scalar)
    for typed in found.values():
        kind = types.joined(
            f"an element of `{show(component.path)}`", kind, typed.type, component.span
        )
    dims = _dims(elaborator, whole)
    exprs = {index: typed.expr for index, typed in found.items()}
    return Typed(_replaced(whole.expr, dims, exprs), Type(kind.scalar, dims), whole.variability)


def _dims(elaborator: Elaborator, whole: Typed) -> tuple[int, ...]:
    known = tuple(size for size in whole.type.dims if size is not None)
    if len(known) == len(whole.type.dims):
        return known
    value = elaborator.session.values.of(whole.expr)
    assert isinstance(value, ArrayValue)
    return value.dims


def _replaced(expr: f.Expr, dims: tuple[int, ...], given: Mapping[Index, f.Expr]) -> f.Expr:
    if not given:
        return expr
    if not dims:
        return given[()]
    return f.Array(
        *(
            _replaced(
                index_expr(expr, (f.Integer(at),)),
                dims[1:],
                {index[1:]: value for index, value in given.items() if index[0] == at},
            )
            for at in range(1, dims[0] + 1)
        )
    )
