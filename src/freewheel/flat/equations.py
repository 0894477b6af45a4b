"""Equations of a class, elaborated in one of its instances.

Loops stay whole unless their index picks components; if-equations whose condition is known before
the simulation are decided; connections are left to `connect`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name, show
from freewheel.base.source import Span
from freewheel.flat.diagnostics import (
    connection_in_when,
    tuple_without_call,
    wrong_tuple_size,
)
from freewheel.flat.nodes import (
    AnyEquation,
    Equation,
    ForEquation,
    IfEquation,
    TupleEquation,
    WhenEquation,
)
from freewheel.formula import nodes as f
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, RecordType, Type
from freewheel.formula.values import ArrayValue, to_expr
from freewheel.instance import types
from freewheel.instance.context import Context, NeedsUnrolling, is_symbolic
from freewheel.instance.diagnostics.values import condition_not_boolean
from freewheel.instance.nodes import CONSTANT, PARAMETER, Typed
from freewheel.instance.parts import field_of, index_expr
from freewheel.instance.priorities import priority_of
from freewheel.instance.restrictions import names_variable
from freewheel.instance.statements import Statements
from freewheel.syntax import equation_nodes as syn_eq
from freewheel.syntax import expression_nodes as syn_expr

if TYPE_CHECKING:
    from freewheel.instance.session import Session


Branch = tuple[f.Expr, tuple[AnyEquation, ...]]


class Equations:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._elaborator = session.elaborator
        self.statements = Statements(session)

    def block(
        self, equations: tuple[syn_eq.AnyEquation, ...], context: Context
    ) -> tuple[AnyEquation, ...]:
        return tuple(made for equation in equations for made in self._one(equation, context))

    def _one(self, equation: syn_eq.AnyEquation, context: Context) -> Iterator[AnyEquation]:
        if isinstance(equation, syn_eq.Equation):
            yield from self._equation(equation, context)
        elif isinstance(equation, syn_eq.IfEquation):
            yield from self._if(equation, context)
        elif isinstance(equation, syn_eq.ForEquation):
            yield from self._for(equation, equation.iterators, context)
        elif isinstance(equation, syn_eq.WhenEquation):
            yield self._when(equation, context)
        elif isinstance(equation, syn_eq.CallEquation):
            yield from self._call(equation, context)

    # ------------------------------------------------------------ plain equations

    def _equation(self, equation: syn_eq.Equation, context: Context) -> Iterator[AnyEquation]:
        span = context.span(equation)
        origin = _origin(context)
        if isinstance(equation.left, syn_expr.TupleExpr):
            yield self._tuple(equation.left, equation.right, context, span)
            return
        if isinstance(equation.right, syn_expr.TupleExpr):
            yield self._tuple(equation.right, equation.left, context, span)
            return
        left = self._elaborator.expr(equation.left, context)
        right = self._elaborator.expr(equation.right, context)
        types.joined("the two sides of the equation", left.type, right.type, span)
        self._check_integer(left, right, span)
        yield from split(left.expr, right.expr, left.type, span, origin)

    def _check_integer(self, one: Typed, other: Typed, span: Span) -> None:
        """An Integer variable cannot take the value of a Real expression, nor can that be solved."""
        if (
            one.type.scalar == INTEGER
            and isinstance(one.expr, f.Var)
            and other.type.scalar == REAL
            and not names_variable(other.expr)
        ):
            raise types.mismatch("the equation", one.type, other.type, span)

    def _tuple(
        self, targets: syn_expr.TupleExpr, value: syn_expr.Expr, context: Context, span: Span
    ) -> AnyEquation:
        if not isinstance(value, syn_expr.Call):
            raise tuple_without_call(span)
        outputs = self._elaborator.calls.outputs(value, context)
        if len(targets.items) > len(outputs):
            raise wrong_tuple_size(
                len(targets.items), len(outputs), show(value.function.names), span
            )
        made: list[f.Expr | None] = []
        for item, output in zip(targets.items, outputs, strict=False):
            if item is None:
                made.append(None)
                continue
            typed = self._elaborator.expr(item, context)
            types.joined("an output of the call", typed.type, output.type, span)
            made.append(typed.expr)
        call = outputs[0].expr
        return TupleEquation(tuple(made), call, span, _origin(context))

    def _call(self, equation: syn_eq.CallEquation, context: Context) -> Iterator[AnyEquation]:
        if equation.call.function.names[0] == "Connections":
            return
        yield self.statements.action(equation.call, context)

    # ------------------------------------------------------------ if, for, when

    def condition(self, expr: syn_expr.Expr, context: Context) -> Typed:
        typed = self._elaborator.expr(expr, context)
        if typed.type.scalar != BOOLEAN or typed.type.dims:
            raise condition_not_boolean(context.span(expr))
        return typed

    def decided(self, condition: Typed) -> bool | None:
        """The value of a condition that is known before the simulation."""
        if condition.variability > PARAMETER:
            return None
        value = self._session.values.try_of(condition.expr)
        return None if value is None else bool(value)

    def _decided_after(self, branches: list[Branch], condition: Typed) -> bool | None:
        """A condition that cannot be evaluated is a mistake only where a run comes to it."""
        try:
            return self.decided(condition)
        except CompileError:
            if not branches:
                raise
            return None

    def _if(self, equation: syn_eq.IfEquation, context: Context) -> Iterator[AnyEquation]:
        branches: list[Branch] = []
        otherwise: tuple[AnyEquation, ...] | None = None
        for branch in equation.branches:
            condition = self.condition(branch.condition, context)
            if condition.variability <= PARAMETER and is_symbolic(condition.expr):
                raise NeedsUnrolling  # `if i == 1`: decided turn by turn
            known = self._decided_after(branches, condition)
            if known is False:
                continue
            body = self.block(branch.body, context)
            if known is True:
                otherwise = body
                break
            branches.append((condition.expr, body))
        if otherwise is None:
            otherwise = self.block(equation.otherwise, context)
        if not branches:
            yield from otherwise
            return
        if not otherwise and not any(body for _, body in branches):
            return  # nothing but connections inside
        yield IfEquation(tuple(branches), otherwise, context.span(equation), _origin(context))

    def _for(
        self,
        equation: syn_eq.ForEquation,
        iterators: tuple[syn_expr.Iterator, ...],
        context: Context,
    ) -> Iterator[AnyEquation]:
        if not iterators:
            yield from self.block(equation.body, context)
            return
        first, rest = iterators[0], iterators[1:]
        values = self._elaborator.iterators.iterator_range(first, equation.body, context)
        element = Type(values.type.scalar, values.type.dims[1:])
        inner = context.with_iterator(first.name, Typed(f.Iterator(first.name), element, CONSTANT))
        known = self._elaborator.iterators.loop_array(values, context.span(first))
        try:
            body = tuple(self._for(equation, rest, inner))
        except NeedsUnrolling:
            self._elaborator.reset()
            rounds = self._elaborator.iterators.loop_values(values, context.span(first))
            outer = context.unrolled(rounds, context.span(first))
            for value in rounds:
                yield from self._for(equation, rest, outer.with_iterator(first.name, value))
            return
        if body and known.elements:
            span = context.span(equation)
            yield ForEquation(first.name, _loop_range(known), body, span, _origin(context))

    def _when(self, equation: syn_eq.WhenEquation, context: Context) -> WhenEquation:
        for branch in equation.branches:
            for inner in branch.body:
                if isinstance(inner, syn_eq.Connect):
                    raise connection_in_when(context.span(inner))
        branches = tuple(
            (self.statements.when_condition(b.condition, context), self.block(b.body, context))
            for b in equation.branches
        )
        priority = priority_of(self._session, equation.description, context)
        return WhenEquation(branches, context.span(equation), _origin(context), priority)


def _origin(context: Context) -> Name:
    return context.scope.instance.path or ()


def _loop_range(known: ArrayValue) -> f.Expr:
    """`2:n` with numbers where the values are consecutive, the values themselves otherwise."""
    first = known.elements[0]
    if type(first) is int and known.elements == tuple(range(first, first + len(known))):
        return f.Range(f.Integer(first), f.Integer(1), f.Integer(first + len(known) - 1))
    return to_expr(known)


def split(
    left: f.Expr, right: f.Expr, kind: Type, span: Span, origin: Name
) -> Iterator[AnyEquation]:
    """An equation between records is one equation per field; between arrays of records, per element."""
    if not isinstance(kind.scalar, RecordType):
        yield Equation(left, right, span, origin)
        return
    if kind.dims:
        for k in range(1, (kind.dims[0] or 0) + 1):
            number = (f.Integer(k),)
            element = Type(kind.scalar, kind.dims[1:])
            yield from split(
                index_expr(left, number), index_expr(right, number), element, span, origin
            )
        return
    for name, field in kind.scalar.fields:
        yield from split(field_of(left, name), field_of(right, name), field, span, origin)
