"""What loops run over: ranges of for-clauses, comprehensions and reductions.

    for i in 2:n        -> Range(2, 1, n)        for i loop x[i]   -> 1:size(x, 1)

A loop is kept whole with its index as an `Iterator`; where that cannot be, its values are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from freewheel.base.names import show
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.types import INTEGER, Type
from freewheel.formula.values import ArrayValue, to_expr
from freewheel.formula.walk import variables_in
from freewheel.instance.context import Context, NeedsUnrolling, is_symbolic
from freewheel.instance.diagnostics.values import range_missing, range_not_a_vector
from freewheel.instance.nodes import CONSTANT, PARAMETER, Typed
from freewheel.instance.restrictions import is_function
from freewheel.syntax import expression_nodes as syn_expr

if TYPE_CHECKING:
    from freewheel.instance.elaborate import Elaborator
    from freewheel.instance.session import Session


class Iterators:
    def __init__(self, session: Session, elaborator: Elaborator) -> None:
        self._session = session
        self._elaborator = elaborator

    def range_size(self, node: f.Range, variability: int) -> int | None:
        """How many elements a range has, when that is known before the simulation."""
        if variability > PARAMETER or is_symbolic(node):
            return None
        try:
            value = self._session.values.of(node)
        except NotConstant:
            return None
        return value.dims[0] if isinstance(value, ArrayValue) else None

    def ranges(
        self, iterators: tuple[syn_expr.Iterator, ...], body: syn_expr.Expr, context: Context
    ) -> tuple[list[tuple[str, Typed]], Context]:
        """Ranges of a comprehension or reduction, and the context inside it."""
        ranges: list[tuple[str, Typed]] = []
        inner = context
        for iterator in iterators:
            typed = self.iterator_range(iterator, (body,), inner)
            ranges.append((iterator.name, typed))
            element = Type(typed.type.scalar, typed.type.dims[1:])
            inner = inner.with_iterator(
                iterator.name, Typed(f.Iterator(iterator.name), element, typed.variability)
            )
        return ranges, inner

    def is_late(self, ranges: Sequence[Typed], context: Context) -> bool:
        """Whether a loop of a function has a range that only a call tells."""
        return is_function(context.scope) and any(variables_in(r.expr) for r in ranges)

    def loop_values(self, values: Typed, place: Span) -> list[Typed]:
        """The values a loop runs over, each as a constant."""
        kind = Type(values.type.scalar, values.type.dims[1:])
        rows = self.loop_array(values, place).rows()
        return [Typed(to_expr(row), kind, CONSTANT) for row in rows]

    def loop_array(self, values: Typed, place: Span) -> ArrayValue:
        if is_symbolic(values.expr):
            raise NeedsUnrolling
        try:
            array = self._session.values.of(values.expr)
        except NotConstant as missing:
            raise self._session.values.lacking(missing.name)(
                "N033",
                "the range of the loop must be known before the simulation, "
                f"but `{show(missing.name)}` has no value",
                place,
                help="use constants and parameters with values",
            ) from None
        assert isinstance(array, ArrayValue)
        return array

    def iterator_range(
        self, iterator: syn_expr.Iterator, body: Sequence[object], context: Context
    ) -> Typed:
        if iterator.range is None:
            return self._implicit_range(iterator, body, context)
        typed = self._elaborator.expr(iterator.range, context)
        if not typed.type.dims:
            raise range_not_a_vector(iterator.name, context.span(iterator))
        return typed

    def _implicit_range(
        self, iterator: syn_expr.Iterator, body: Sequence[object], context: Context
    ) -> Typed:
        """`for i loop x[i]`: the size of the array that `i` subscripts."""
        for ref, axis in _subscripted_by(iterator.name, body):
            bare = ref._replace(parts=(*ref.parts[:-1], ref.parts[-1]._replace(subscripts=())))
            array = self._elaborator.references.reference(bare, context)
            counted = self._counted_by(array.expr, bare, axis, context)
            if counted is not None:
                return counted
            size = array.type.dims[axis]
            if size is not None:
                node = f.Range(f.Integer(1), f.Integer(1), f.Integer(size))
                return Typed(node, Type(INTEGER, (size,)), CONSTANT)
        raise range_missing(iterator.name, context.span(iterator))

    def _counted_by(
        self, array: f.Expr, ref: syn_expr.ComponentRef, axis: int, context: Context
    ) -> Typed | None:
        """All values of the type that a dimension is declared by: `x[Boolean]`, `x[Color]`."""
        component = self._elaborator.references.component(ref, context)
        if len(ref.parts) > 1 and isinstance(array, f.Var):
            component = self._session.values.component_at(array.name)
        subscripts = component.subscripts() if component is not None else ()
        if axis >= len(subscripts):
            return None
        size, scope = subscripts[axis]
        if not isinstance(size, syn_expr.ComponentRef):
            return None
        if self._session.values.type_size(size, scope) is None:
            return None
        element = self._elaborator.class_of_ref(size, scope)
        assert element is not None
        return self._elaborator.references.class_as_value(element, scope.span(size))


def _subscripted_by(name: str, body: object) -> list[tuple[syn_expr.ComponentRef, int]]:
    """References in the body whose last part has `name` as a subscript."""
    found: list[tuple[syn_expr.ComponentRef, int]] = []
    stack: list[object] = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, syn_expr.ComponentRef):
            for axis, subscript in enumerate(node.parts[-1].subscripts):
                if isinstance(subscript, syn_expr.ComponentRef) and subscript.names == (name,):
                    found.append((node, axis))
        if isinstance(node, tuple):
            stack.extend(reversed(node))
    return found
