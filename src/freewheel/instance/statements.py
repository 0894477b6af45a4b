"""Statements of functions and algorithm sections: expressions elaborated, targets resolved.

A loop whose index picks components out of an array of components is unrolled; any other loop stays
a loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.names import show
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.formula import statement_nodes as s
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.types import BOOLEAN, CLOCK, REAL, STRING, Basic, Type
from freewheel.instance import types
from freewheel.instance.context import Context, NeedsUnrolling
from freewheel.instance.diagnostics.calls import (
    action_argument_missing,
    action_argument_type,
    reinit_arguments,
    reinit_target,
    wrong_target_count,
)
from freewheel.instance.diagnostics.values import (
    condition_not_boolean,
    input_assigned,
    parameter_assigned,
    when_condition_not_boolean,
)
from freewheel.instance.nodes import CONSTANT, PARAMETER, Typed
from freewheel.instance.parts import field_of
from freewheel.instance.priorities import priority_of
from freewheel.instance.restrictions import check_operator, is_function, names_variable
from freewheel.syntax import equation_nodes as syn_eq
from freewheel.syntax import expression_nodes as syn_expr

if TYPE_CHECKING:
    from freewheel.instance.session import Session


class Statements:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._elaborator = session.elaborator
        self._loops = 0  # around the statement
        self.is_initial = False  # initial algorithms may settle parameters

    def block(
        self, statements: tuple[syn_eq.Statement, ...], context: Context
    ) -> tuple[s.Statement, ...]:
        return tuple(made for statement in statements for made in self._one(statement, context))

    def _one(self, statement: syn_eq.Statement, context: Context) -> Iterator[s.Statement]:
        span = context.span(statement)
        if isinstance(statement, syn_eq.Assign):
            yield from self._assign(statement, context)
        elif isinstance(statement, syn_eq.TupleAssign):
            yield self._tuple_assign(statement, context)
        elif isinstance(statement, syn_eq.CallStatement):
            yield s.Effect(self.action(statement.call, context), span)
        elif isinstance(statement, syn_eq.IfStatement):
            yield from self._if(statement, context)
        elif isinstance(statement, syn_eq.ForStatement):
            yield from self._for(statement, statement.iterators, context)
        elif isinstance(statement, syn_eq.WhileStatement):
            condition = self._condition(statement.condition, context)
            self._loops += 1
            body = self.block(statement.body, context)
            self._loops -= 1
            yield s.WhileStatement(condition.expr, body, span)
        elif isinstance(statement, syn_eq.WhenStatement):
            check_operator("when", context.scope, span)
            branches = tuple(
                (self.when_condition(b.condition, context), self.block(b.body, context))
                for b in statement.branches
            )
            priority = priority_of(self._session, statement.description, context)
            yield s.WhenStatement(branches, span, priority)
        elif isinstance(statement, syn_eq.Break):
            if not self._loops:
                raise error(
                    "N075", "`break` stands outside of a loop", span, help="use `if` instead"
                )
            yield s.Break(span)
        else:
            if not is_function(context.scope):
                raise error(
                    "N075", "`return` stands outside of a function", span, help="use `if` instead"
                )
            yield s.Return(span)

    # ------------------------------------------------------------ assignments

    def _assign(self, statement: syn_eq.Assign, context: Context) -> Iterator[s.Statement]:
        target = self._target(statement.target, context)
        value = self._elaborator.expr(statement.value, context)
        span = context.span(statement)
        self._check(target, value, span)
        if not isinstance(target.expr, f.Record | f.Array):
            yield s.Assign(target.expr, value.expr, span)
            return
        yield from self._parts(target.expr, value.expr, span)

    def _target(self, target: syn_expr.ComponentRef, context: Context) -> Typed:
        typed = self._elaborator.references.reference(target, context)
        is_local = is_function(context.scope)
        if typed.variability == PARAMETER and not self.is_initial and not is_local:
            raise parameter_assigned(context.span(target))
        if is_local:
            component = self._elaborator.references.component(target, context)
            if component is not None and component.causality == "input":
                raise input_assigned(component.name, context.span(target))
        return typed

    def _parts(self, target: f.Expr, value: f.Expr, span: Span) -> Iterator[s.Statement]:
        """A record or array of components as a target: one assignment per part."""
        if isinstance(target, f.Record):
            for name, part in zip(target.fields, target.args, strict=True):
                yield from self._parts(part, field_of(value, name), span)
        elif isinstance(target, f.Array):
            for k, part in enumerate(target.args):
                yield from self._parts(part, f.Index(value, f.Integer(k + 1)), span)
        else:
            yield s.Assign(target, value, span)

    def _check(self, target: Typed, value: Typed, span: Span) -> None:
        if target.variability == CONSTANT:
            raise error("N071", "a constant cannot be assigned", span, help="assign a variable")
        fits = types.accepts(target.type.scalar, value.type.scalar)
        if not fits:
            raise types.mismatch("the assignment", target.type, value.type, span)
        if 0 not in value.type.dims and not types.same_dims(target.type.dims, value.type.dims):
            raise types.wrong_dims("the assignment", target.type, value.type, span)

    def _tuple_assign(self, statement: syn_eq.TupleAssign, context: Context) -> s.Statement:
        span = context.span(statement)
        outputs = self._elaborator.calls.outputs(statement.call, context)
        if len(statement.targets) > len(outputs):
            raise wrong_target_count(
                len(statement.targets), len(outputs), show(statement.call.function.names), span
            )
        targets: list[f.Expr | None] = []
        for target, output in zip(statement.targets, outputs, strict=False):
            if target is None:
                targets.append(None)
                continue
            typed = self._target(target, context)
            self._check(typed, output, span)
            targets.append(typed.expr)
        return s.TupleAssign(tuple(targets), outputs[0].expr, span)

    # ------------------------------------------------------------ branches and loops

    def _condition(self, expr: syn_expr.Expr, context: Context) -> Typed:
        typed = self._elaborator.expr(expr, context)
        if typed.type.scalar != BOOLEAN or typed.type.dims:
            raise condition_not_boolean(context.span(expr))
        return typed

    def when_condition(self, expr: syn_expr.Expr, context: Context) -> f.Expr:
        typed = self._elaborator.expr(expr, context)
        if typed.type.scalar not in (BOOLEAN, CLOCK) or len(typed.type.dims) > 1:
            raise when_condition_not_boolean(context.span(expr))  # fmt: skip
        return typed.expr

    def _if(self, statement: syn_eq.IfStatement, context: Context) -> Iterator[s.Statement]:
        """Branches that are never taken are left out where constants tell, or where they are wrong as
        things are: `if n > 0 then x[1] := 2`."""
        truth = self._elaborator.truth
        conditions: list[Typed] = []
        bodies: list[tuple[s.Statement, ...]] = []
        branches = [(branch.condition, branch.body) for branch in statement.branches]
        for condition, body in (*branches, (None, statement.otherwise)):
            loops = self._loops
            met = known = None
            try:
                met = None if condition is None else self._condition(condition, context)
                known = None if met is None or met.variability != CONSTANT else truth(met)
                if known is not False:
                    bodies.append(self.block(body, context))
            except CompileError:
                self._loops = loops
                self._elaborator.reset()
                if met is not None and truth(met) is False:
                    continue
                at = self._elaborator.met(conditions)
                if at is None:
                    raise
                conditions, bodies = conditions[:at], bodies[: at + 1]  # the rest is never reached
                break
            if known is True:
                break
            if met is not None and known is None:
                conditions.append(met)
        *taken, otherwise = bodies
        if not conditions:
            yield from otherwise
            return
        made = tuple((c.expr, body) for c, body in zip(conditions, taken, strict=True))
        yield s.IfStatement(made, otherwise, context.span(statement))

    def _for(
        self,
        statement: syn_eq.ForStatement,
        iterators: tuple[syn_expr.Iterator, ...],
        context: Context,
    ) -> Iterator[s.Statement]:
        if not iterators:
            self._loops += 1
            body = self.block(statement.body, context)
            self._loops -= 1
            yield from body
            return
        first, rest = iterators[0], iterators[1:]
        typed = self._elaborator.iterators.iterator_range(first, statement.body, context)
        element = Type(typed.type.scalar, typed.type.dims[1:])
        inner = context.with_iterator(first.name, Typed(f.Iterator(first.name), element, PARAMETER))
        try:
            body = tuple(self._for(statement, rest, inner))
        except NeedsUnrolling:
            self._elaborator.reset()
            if not self._elaborator.iterators.is_late([typed], context):
                yield from self._unrolled(statement, first, rest, typed, context)
                return
            body = tuple(self._for(statement, rest, inner.with_late_picks()))
        yield s.ForStatement(first.name, typed.expr, body, context.span(statement))

    def _unrolled(
        self,
        statement: syn_eq.ForStatement,
        iterator: syn_expr.Iterator,
        rest: tuple[syn_expr.Iterator, ...],
        values: Typed,
        context: Context,
    ) -> Iterator[s.Statement]:
        place = context.span(iterator)
        rounds = self._elaborator.iterators.loop_values(values, place)
        context = context.unrolled(rounds, place)
        for value in rounds:
            inner = context.with_iterator(iterator.name, value)
            yield from self._for(statement, rest, inner)

    # ------------------------------------------------------------ calls for their effect

    def action(
        self, call: syn_expr.Call, context: Context
    ) -> s.CallEquation | s.Assert | s.Terminate | s.Reinit:
        """`assert`, `terminate`, `reinit`, or a function called for what it does."""
        name = call.function.names
        span = context.span(call)
        origin = context.scope.instance.path or ()
        if name == ("assert",):
            return self._assert(call, context)
        if name == ("terminate",):
            return s.Terminate(
                self._argument(call, 0, "message", STRING, context).expr, span, origin
            )
        if name == ("reinit",):
            check_operator("reinit", context.scope, span)
            if len(call.args) != 2:
                raise reinit_arguments(span)
            target = self._elaborator.expr(call.args[0], context)
            value = self._elaborator.expr(call.args[1], context)
            types.joined("`reinit`", target.type, value.type, span)
            if target.type.scalar != REAL or not names_variable(target.expr):
                raise reinit_target(context.span(call.args[0]))
            return s.Reinit(target.expr, value.expr, span, origin)
        outputs = self._elaborator.calls.outputs_or_effect(call, context)
        return s.CallEquation(outputs, span, origin)

    def _argument(
        self, call: syn_expr.Call, position: int, label: str, kind: Basic, context: Context
    ) -> Typed:
        found = call.args[position] if position < len(call.args) else None
        if found is None:
            found = next((n.value for n in call.named if n.name == label), None)
        span = context.span(call)
        name = show(call.function.names)
        if found is None:
            raise action_argument_missing(name, label, span)
        typed = self._elaborator.expr(found, context)
        if typed.type.scalar != kind:
            raise action_argument_type(name, label, kind.name, context.span(found))
        return typed

    def _assert(self, call: syn_expr.Call, context: Context) -> s.Assert:
        condition = self._argument(call, 0, "condition", BOOLEAN, context)
        message = self._argument(call, 1, "message", STRING, context)
        level = (
            call.args[2]
            if len(call.args) > 2
            else next((n.value for n in call.named if n.name == "level"), None)
        )
        is_warning = False
        if level is not None:
            try:
                value = self._session.values.of(self._elaborator.expr(level, context).expr)
            except NotConstant:
                value = None
            is_warning = getattr(value, "literal", "") == "warning"
        origin = context.scope.instance.path or ()
        return s.Assert(condition.expr, message.expr, is_warning, context.span(call), origin)
