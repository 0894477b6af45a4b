"""Operator records: `a + b` of two `Complex` values becomes a call of the operator's function.

Modelica 3.6, "Overloaded Operators": the functions of operator `'+'` in either record are tried, one
must fit; where none does, a plain number may be turned into the record by a constructor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.names import show
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.formula.types import RecordType, Type
from freewheel.formula.types import show as show_type
from freewheel.instance import types
from freewheel.instance.context import Context
from freewheel.instance.diagnostics.calls import (
    no_zero_operator,
    not_convertible,
    not_reducible,
    record_array_of_unknown_size,
)
from freewheel.instance.functions import Signature
from freewheel.instance.nodes import ClassElement, Typed
from freewheel.instance.parts import index_expr
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.elaborate import Elaborator
    from freewheel.instance.session import Session

_ELEMENTWISE = ("+", "-", ".+", ".-", ".*", "./")


class Overload:
    def __init__(self, session: Session, elaborator: Elaborator) -> None:
        self._session = session
        self._elaborator = elaborator

    # ------------------------------------------------------------ operators

    def binary(
        self, op: str, left: Typed, right: Typed, context: Context, place: syn_expr.Expr
    ) -> Typed:
        span = context.span(place)
        if left.type.dims or right.type.dims:
            return self._on_arrays(op, left, right, context, place)
        name = f"'{op.removeprefix('.')}'"
        operands = [left, right]
        candidates = self._candidates(name, operands)
        found = self._fitting(candidates, operands, {}, span)
        if found is not None:
            return found
        for position in (0, 1):  # the number becomes a record, then one of the functions must fit
            other = operands[1 - position].type.scalar
            if isinstance(other, RecordType) and not isinstance(
                operands[position].type.scalar, RecordType
            ):
                converted = self._constructed(other, operands[position], context, span)
                pair = [converted, right] if position == 0 else [left, converted]
                found = self._fitting(candidates, pair, {}, span)
                if found is not None:
                    return found
        raise self._no_operator(op, operands, span)

    def unary(self, op: str, arg: Typed, context: Context, place: syn_expr.Expr) -> Typed:
        if arg.type.dims:
            rows = [
                self.unary(op, row, context, place) for row in self._rows(arg, context.span(place))
            ]
            return self._elaborator.array_of(rows, context, place)
        if op == "+":
            return arg
        found = self._fitting(self._candidates(f"'{op}'", [arg]), [arg], {}, context.span(place))
        if found is None:
            raise self._no_operator(op, [arg], context.span(place))
        return found

    def array(self, items: list[Typed], context: Context, place: syn_expr.Expr) -> Typed:
        """`{1, Complex(0, 1)}`: numbers among records are converted."""
        record = next(i.type.scalar for i in items if isinstance(i.type.scalar, RecordType))
        assert isinstance(record, RecordType)
        span = context.span(place)
        converted = [
            i
            if isinstance(i.type.scalar, RecordType)
            else self._constructed(record, i, context, span)
            for i in items
        ]
        return self._elaborator.array_of(converted, context, place)

    def reduce(self, name: str, array: Typed, context: Context, span: Span) -> Typed:
        op = {"sum": "+", "product": "*"}.get(name)
        if op is None or not isinstance(array.type.scalar, RecordType):
            raise not_reducible(name, show_type(array.type), span)
        rows = self._rows(array, span)
        if not rows:
            return self._zero(array.type.scalar, context, span)
        result = rows[0]
        for row in rows[1:]:
            found = self._fitting(
                self._candidates(f"'{op}'", [result, row]), [result, row], {}, span
            )
            if found is None:
                raise self._no_operator(op, [result, row], span)
            result = found
        return result

    def string(self, args: list[Typed], named: dict[str, Typed], span: Span) -> Typed:
        """`String(record, ...)` by the operator of that name."""
        assert isinstance(args[0].type.scalar, RecordType)
        operators = self._operators("'String'", args[0].type.scalar)
        found = self._fitting(operators, args, named, span)
        if found is None:
            raise self._no_operator("String", args, span)
        return found

    def _zero(self, record: RecordType, context: Context, span: Span) -> Typed:
        for node in self._operators("'0'", record):
            found = self._fitting([node], [], {}, span)
            if found is not None:
                return found
        raise no_zero_operator(show(record.name), span)

    # ------------------------------------------------------------ arrays of records

    def _rows(self, typed: Typed, span: Span) -> list[Typed]:
        size = typed.type.dims[0]
        if size is None:
            raise record_array_of_unknown_size(span)
        kind = Type(typed.type.scalar, typed.type.dims[1:])
        return [
            Typed(index_expr(typed.expr, (f.Integer(k),)), kind, typed.variability)
            for k in range(1, size + 1)
        ]

    def _on_arrays(
        self, op: str, left: Typed, right: Typed, context: Context, place: syn_expr.Expr
    ) -> Typed:
        span = context.span(place)
        if op in _ELEMENTWISE and left.type.dims and right.type.dims:
            if not types.same_dims(left.type.dims, right.type.dims):
                raise types.wrong_dims(f"`{op}`", left.type, right.type, span)
            pairs = zip(self._rows(left, span), self._rows(right, span), strict=True)
            rows = [self.binary(op, a, b, context, place) for a, b in pairs]
        elif op == "*" and left.type.dims and right.type.dims:
            return self._product(left, right, context, place)
        elif left.type.dims:
            rows = [self.binary(op, a, right, context, place) for a in self._rows(left, span)]
        else:
            rows = [self.binary(op, left, b, context, place) for b in self._rows(right, span)]
        return self._elaborator.array_of(rows, context, place)

    def _product(self, left: Typed, right: Typed, context: Context, place: syn_expr.Expr) -> Typed:
        span = context.span(place)
        if len(left.type.dims) == 2:
            rows = [self._product(row, right, context, place) for row in self._rows(left, span)]
            return self._elaborator.array_of(rows, context, place)
        if len(right.type.dims) == 2:
            columns = range(1, (right.type.dims[1] or 0) + 1)
            kind = Type(right.type.scalar, right.type.dims[:1])
            parts = [
                Typed(index_expr(right.expr, (f.Colon(), f.Integer(k))), kind, right.variability)
                for k in columns
            ]
            return self._elaborator.array_of(
                [self._product(left, p, context, place) for p in parts], context, place
            )
        products = [
            self.binary("*", a, b, context, place)
            for a, b in zip(self._rows(left, span), self._rows(right, span), strict=True)
        ]
        return self.reduce(
            "sum", self._elaborator.array_of(products, context, place), context, span
        )

    # ------------------------------------------------------------ choosing a function

    def choose(
        self,
        operator: ClassNode,
        args: list[Typed],
        named: dict[str, Typed],
        context: Context,
        span: Span,
    ) -> Typed:
        """A call of an operator by its name, such as a constructor."""
        found = self._fitting([operator], args, named, span)
        if found is not None:
            return found
        record = operator.enclosing
        if record is not None and operator.definition.tree.name == "'constructor'":
            return self._elaborator.application.record(record, args, named, span)
        raise self._no_operator(operator.definition.tree.name, args, span)

    def _candidates(self, name: str, operands: list[Typed]) -> list[ClassNode]:
        found: list[ClassNode] = []
        for operand in operands:
            if isinstance(operand.type.scalar, RecordType):
                found.extend(
                    n for n in self._operators(name, operand.type.scalar) if n not in found
                )
        return found

    def _operators(self, name: str, record: RecordType) -> list[ClassNode]:
        node = self._session.functions.record_node(record)
        element = node.find(name) if node is not None else None
        return [self._session.lookup.node(element)] if isinstance(element, ClassElement) else []

    def _functions(self, operator: ClassNode) -> list[ClassNode]:
        if "function" in operator.kind:
            return [operator]
        body = operator.body
        if not isinstance(body, syn.LongBody):
            return []
        found: list[ClassNode] = []
        for element in body.elements:
            if isinstance(element, syn.NestedClass):
                member = operator.find(element.definition.name)
                if isinstance(member, ClassElement):
                    found.append(self._session.lookup.node(member))
        return found

    def _fitting(
        self, operators: list[ClassNode], args: list[Typed], named: dict[str, Typed], span: Span
    ) -> Typed | None:
        for operator in operators:
            for node in self._functions(operator):
                signature = self._session.functions.signature(node)
                if _fits(signature, args, named):
                    return self._elaborator.application.apply(signature, args, named, span)[0]
        return None

    def _constructed(self, record: RecordType, value: Typed, context: Context, span: Span) -> Typed:
        nodes = self._operators("'constructor'", record)
        found = self._fitting(nodes, [value], {}, span)
        if found is None:
            raise not_convertible(show_type(value.type), show(record.name), span)
        return found

    def _no_operator(self, op: str, operands: list[Typed], span: Span) -> CompileError:
        kinds = " and ".join(show_type(o.type) for o in operands)
        return error(
            "N041",
            f"`{op}` is not defined for {kinds}",
            span,
            help="define the operator in the operator record, or use its fields",
            rule='Modelica 3.6, "Overloaded Operators"',
        )


def _fits(signature: Signature, args: list[Typed], named: dict[str, Typed]) -> bool:
    if len(args) > len(signature.inputs):
        return False
    for position, formal in enumerate(signature.inputs):
        actual = args[position] if position < len(args) else named.get(formal.name)
        if actual is None:
            if not formal.has_default:
                return False
            continue
        if not types.accepts(formal.type.scalar, actual.type.scalar):
            return False
        if not types.same_dims(formal.type.dims, actual.type.dims):
            return False
    return all(any(i.name == n for i in signature.inputs) for n in named)
