"""Parts of values: fields of record values, elements of array values, taken where they are at hand.

    field_of(Record(R, (a, b), x, y), "b")  ->  y          index_expr({x, y}, (2,))  ->  y
    index_expr({i^2 for i in 1:3}, (2,))  ->  2^2

Where the parts are not at hand (a call, a variable) the answer is a `Field` or an `Index`.
"""

from __future__ import annotations

from freewheel.formula import nodes as f
from freewheel.formula.types import Dims
from freewheel.formula.walk import contains, substitute


def empty_array(dims: Dims) -> f.Expr:
    if len(dims) == 1:
        return f.Array()
    return f.Call("fill", f.Real(0.0), *(f.Integer(d or 0) for d in dims))


def field_of(expr: f.Expr, name: str) -> f.Expr:
    """`expr.name`, looked through constructors, arrays of records, and choices between them."""
    if isinstance(expr, f.Record):
        return expr.args[expr.fields.index(name)]
    if isinstance(expr, f.Array) and expr.args:
        return f.Array(*(field_of(arg, name) for arg in expr.args))
    if isinstance(expr, f.If):
        condition, then, otherwise = expr.args
        return f.If(condition, field_of(then, name), field_of(otherwise, name))
    if isinstance(expr, f.Index) and isinstance(expr.args[0], f.Array | f.Comprehension):
        return f.Index(field_of(expr.args[0], name), *expr.args[1:])
    if isinstance(expr, f.Comprehension):
        body, *ranges = expr.args
        return f.Comprehension(expr.data, field_of(body, name), *ranges)
    if isinstance(expr, f.Call) and expr.function == "fill":
        return f.Call("fill", field_of(expr.args[0], name), *expr.args[1:])
    return f.Field(name, expr)


def index_expr(base: f.Expr, subscripts: tuple[f.Expr, ...]) -> f.Expr:
    """`base[subscripts]`, with constant subscripts resolved where the parts are at hand."""
    if all(isinstance(s, f.Integer) for s in subscripts):
        return _element(base, [s.value for s in subscripts if isinstance(s, f.Integer)])
    if all(isinstance(s, f.Colon) for s in subscripts):
        return base
    if isinstance(base, f.Array) and isinstance(subscripts[0], f.Colon):
        return f.Array(
            *(index_expr(arg, subscripts[1:]) if subscripts[1:] else arg for arg in base.args)
        )
    return f.Index(base, *subscripts)


def _element(base: f.Expr, numbers: list[int]) -> f.Expr:
    if not numbers:
        return base
    first, rest = numbers[0], numbers[1:]
    if isinstance(base, f.Array) and 1 <= first <= len(base.args):
        return _element(base.args[first - 1], rest)
    if isinstance(base, f.Call) and base.function == "fill":
        value, _, *sizes = base.args
        return _element(f.Call("fill", value, *sizes) if sizes else value, rest)
    if isinstance(base, f.Comprehension) and len(numbers) >= len(base.data):
        count = len(base.data)
        picked = _picked(base, numbers[:count])
        if picked is not None:
            return _element(picked, numbers[count:])
    return f.Index(base, *(f.Integer(k) for k in numbers))


def _picked(expr: f.Comprehension, numbers: list[int]) -> f.Expr | None:
    """One element of a comprehension over plain ranges; dimension 1 belongs to the last iterator."""
    body, *ranges = expr.args
    if contains(body, lambda node: not set(expr.data).isdisjoint(_bound(node))):
        return None  # a name inside is not the one outside
    known: dict[f.Expr, f.Expr] = {}
    for name, span, number in zip(reversed(expr.data), reversed(ranges), numbers, strict=True):
        if not isinstance(span, f.Range):
            return None
        first, step, _ = span.args
        if not isinstance(first, f.Integer) or not isinstance(step, f.Integer):
            return None
        known[f.Iterator(name)] = f.Integer(first.value + (number - 1) * step.value)
    return substitute(body, known)


def _bound(node: f.Expr) -> tuple[str, ...]:
    if isinstance(node, f.Comprehension):
        return node.data
    return node.data[1] if isinstance(node, f.Reduction) else ()
