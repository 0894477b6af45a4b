"""Expressions: names resolved, types found and checked, everything Modelica-specific made plain.

In: an expression as written and the class it stands in. Out: `Typed(formula, type, variability)`,
e.g. `R*i` inside component `r1` becomes `Var(("r1","R")) * Var(("r1","i"))`, Real, continuous.
Bindings and attributes of components are elaborated here too, in the scope they were written in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isinf
from typing import TYPE_CHECKING, Any

from freewheel.base.diagnostics import CompileError, error
from freewheel.formula import nodes as f
from freewheel.formula.faults import at, too_large
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, STRING, Dims, RecordType, Type
from freewheel.instance import types
from freewheel.instance.application import Application
from freewheel.instance.calls import Calls
from freewheel.instance.components import ComponentInstance
from freewheel.instance.context import Context, NeedsUnrolling, is_symbolic
from freewheel.instance.diagnostics.values import (
    condition_not_boolean,
    end_without_array,
    integer_too_large,
    nested_too_deeply,
    not_a_value,
    one_value_for_array,
)
from freewheel.instance.given import with_given_elements
from freewheel.instance.iterators import Iterators
from freewheel.instance.nodes import CONSTANT, DISCRETE, PARAMETER, Binding, ClassElement, Typed
from freewheel.instance.overload import Overload
from freewheel.instance.references import References
from freewheel.instance.restrictions import equality_of_reals, is_function
from freewheel.instance.subscripts import Subscripts
from freewheel.syntax import expression_nodes as syn_expr

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.session import Session

MAX_DIGITS = 20  # of an Integer; more need not be read to be refused
LARGEST_INTEGER = 2**53  # memories hold numbers of double precision, exact up to here (see R172)
MAX_NESTING = 400

Branches = Sequence[tuple[syn_expr.Expr, syn_expr.Expr]]  # conditions and values


class Elaborator:
    """One method per kind of expression, found by a table keyed on the node's class."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.references = References(session, self)
        self.subscripts = Subscripts(session, self)
        self.iterators = Iterators(session, self)
        self.application = Application(session, self)
        self.calls = Calls(session, self)
        self.overload = Overload(session, self)
        self._bindings: dict[ComponentInstance, Typed | None] = {}
        self._node_bindings: dict[ClassNode, Typed | None] = {}
        self._class_attributes: dict[Binding, Typed] = {}
        self._depth = 0
        self._table: dict[type, Callable[[Any, Context], Typed]] = {
            syn_expr.Number: self._number,
            syn_expr.Str: self._string,
            syn_expr.Bool: self._boolean,
            syn_expr.ComponentRef: self.references.reference,
            syn_expr.Call: self.calls.call,
            syn_expr.PartialFunction: self.calls.partial_function,
            syn_expr.Binary: self._binary,
            syn_expr.Unary: self._unary,
            syn_expr.IfExpr: self._if,
            syn_expr.Range: self._range,
            syn_expr.ArrayLiteral: self._array,
            syn_expr.MatrixLiteral: self._matrix,
            syn_expr.Comprehension: self._comprehension,
            syn_expr.EndExpr: self._end,
            syn_expr.Subscripted: self._subscripted,
            syn_expr.FieldAccess: self._field,
            syn_expr.TupleExpr: self._misplaced,
            syn_expr.Generator: self._misplaced,
            syn_expr.Colon: self._misplaced,
            syn_expr.NoBinding: self._misplaced,
        }

    # ------------------------------------------------------------ entrances

    def expression(self, expr: syn_expr.Expr, scope: ClassNode) -> Typed:
        return self.expr(expr, Context(scope))

    def expr(self, expr: syn_expr.Expr, context: Context) -> Typed:
        self._depth += 1
        if self._depth > MAX_NESTING:
            self._depth = 0
            raise nested_too_deeply(context.span(expr))
        result = self._table[type(expr)](expr, context)
        self._depth -= 1
        return result

    def reset(self) -> None:
        """After an error was caught: nesting starts anew."""
        self._depth = 0

    def class_of_ref(self, ref: syn_expr.ComponentRef, scope: ClassNode) -> ClassElement | None:
        """The class a reference names, or None when it names something else."""
        pair = (
            (self.session.lookup.top(ref.names[0]), self.session.root)
            if ref.absolute
            else self.session.lookup.first(ref.names[0], scope)
        )
        if pair is None or pair[0] is None:
            return None
        element = pair[0]
        for name in ref.names[1:]:
            if not isinstance(element, ClassElement):
                return None
            below = self.session.lookup.node(element).find(name)
            if below is None:
                return None
            element = below
        return element if isinstance(element, ClassElement) else None

    # ------------------------------------------------------------ values of components

    def binding(self, component: ComponentInstance) -> Typed | None:
        """The value given to a component, by itself or as part of the record around it."""
        if component not in self._bindings:
            self._bindings[component] = self._find_binding(component)
        return self._bindings[component]

    def _find_binding(self, component: ComponentInstance) -> Typed | None:
        binding = component.binding()
        whole = self.node_binding(component.owner)
        typed: Typed | None = None
        if whole is not None and not (binding is not None and binding.is_from_outside):
            typed = self.subscripts.member(whole, component.name, component.span)
        elif binding is not None:
            typed = self.of_binding(binding)
        if component.simple is None or not self.session.given:
            return typed
        return with_given_elements(self, component, typed)

    def node_binding(self, node: ClassNode) -> Typed | None:
        """The value given to a whole record instance, by itself or through the record around it."""
        if node not in self._node_bindings:
            self._node_bindings[node] = self._find_node_binding(node)
        return self._node_bindings[node]

    def _find_node_binding(self, node: ClassNode) -> Typed | None:
        container = node.container
        if container is None or container.simple is not None:
            return None
        if node.restricted_kind() in ("model", "block", "class"):
            return None  # only records have values, and connectors made of one: `output Complex`
        outer = self.node_binding(container.owner)
        if outer is not None:
            whole = self.subscripts.member(outer, container.name, container.span)
            index = tuple(p for p in (node.path or ())[len(container.path) :] if isinstance(p, int))
            return self.subscripts.at_indices(whole, index, container.span) if index else whole
        binding = node.modifier.binding
        if binding is None or isinstance(binding.expr, syn_expr.NoBinding):
            return None
        return self.of_binding(binding)

    def of_binding(self, binding: Binding) -> Typed:
        typed = self.expr(binding.expr, Context(binding.scope))
        if not binding.indices:
            return typed
        indices = binding.indices
        if len(typed.type.dims) < len(indices) and binding.spreads:
            indices = indices[len(indices) - len(typed.type.dims) :]
        if len(typed.type.dims) < len(indices):
            raise one_value_for_array(binding.span)
        return self.subscripts.at_indices(typed, indices, binding.span)

    def attribute(self, component: ComponentInstance, name: str) -> Typed | None:
        binding = component.attribute(name)
        if binding is None:
            return None
        if binding.scope.instance.path is not None:
            return self.of_binding(binding)
        known = self._class_attributes.get(binding)  # `unit = "V"` of a type: the same for all
        if known is None:
            known = self.of_binding(binding)
            self._class_attributes[binding] = known
        return known

    def start_value(self, component: ComponentInstance) -> Typed | None:
        return self.attribute(component, "start")

    # ------------------------------------------------------------ literals

    def _number(self, expr: syn_expr.Number, context: Context) -> Typed:
        if expr.is_integer and (len(expr.text) > MAX_DIGITS or int(expr.text) > LARGEST_INTEGER):
            raise integer_too_large(context.span(expr))
        value = expr.value
        if isinstance(value, int):
            return Typed(f.Integer(value), Type(INTEGER), CONSTANT)
        if isinf(value):
            raise at(too_large("this number"), context.span(expr))
        return Typed(f.Real(value), Type(REAL), CONSTANT)

    def _string(self, expr: syn_expr.Str, context: Context) -> Typed:
        return Typed(f.String(expr.value), Type(STRING), CONSTANT)

    def _boolean(self, expr: syn_expr.Bool, context: Context) -> Typed:
        return Typed(f.Boolean(expr.value), Type(BOOLEAN), CONSTANT)

    def _misplaced(self, expr: syn_expr.Expr, context: Context) -> Typed:
        raise not_a_value(context.span(expr))

    def _end(self, expr: syn_expr.EndExpr, context: Context) -> Typed:
        if context.end is None:
            raise end_without_array(context.span(expr))
        return Typed(context.end, Type(INTEGER), CONSTANT)

    # ------------------------------------------------------------ operators

    def _binary(self, expr: syn_expr.Binary, context: Context) -> Typed:
        left = self.expr(expr.left, context)
        depth = self._depth
        try:
            right = self.expr(expr.right, context)
        except CompileError:
            # what the left operand rules out may be wrong as things are: `n > 0 and x[1] > 0`
            self._depth = depth
            if expr.op not in ("and", "or") or self.truth(left) is not (expr.op == "or"):
                raise
            return left
        return self.binary(expr.op, left, right, context, expr)

    def binary(
        self, op: str, left: Typed, right: Typed, context: Context, place: syn_expr.Expr
    ) -> Typed:
        if isinstance(left.type.scalar, RecordType) or isinstance(right.type.scalar, RecordType):
            return self.overload.binary(op, left, right, context, place)
        kind = types.OPERATORS[op](op, left.type, right.type, context.span(place))
        told = equality_of_reals(op, left, right, context.scope, context.span(place))
        if told is not None:
            self.session.tell(told)
        variability = max(left.variability, right.variability)
        if kind.scalar is BOOLEAN and variability > DISCRETE:
            variability = DISCRETE
        return Typed(f.Binary(op, left.expr, right.expr), kind, variability)

    def _unary(self, expr: syn_expr.Unary, context: Context) -> Typed:
        arg = self.expr(expr.operand, context)
        place = context.span(expr)
        if isinstance(arg.type.scalar, RecordType):
            return self.overload.unary(expr.op, arg, context, expr)
        if expr.op == "not":
            if arg.type.scalar != BOOLEAN:
                raise error(
                    "N041", "`not` needs a Boolean", place, help="compare the value with something"
                )
            return Typed(f.Unary("not", arg.expr), arg.type, arg.variability)
        if not types.is_numeric(arg.type):
            raise error(
                "N041", f"`{expr.op}` needs a number", place, help="only numbers have a sign"
            )
        if expr.op in ("+", ".+"):
            return arg
        if isinstance(arg.expr, f.Integer):
            return Typed(f.Integer(-arg.expr.value), arg.type, CONSTANT)
        if isinstance(arg.expr, f.Real):
            return Typed(f.Real(-arg.expr.value), arg.type, CONSTANT)
        return Typed(f.Unary("-", arg.expr), arg.type, arg.variability)

    def _if(self, expr: syn_expr.IfExpr, context: Context) -> Typed:
        """Conditions made of constants decide at once; later ones do not count then."""
        for position, (condition, value) in enumerate(expr.branches):
            known = self._known(self._condition(condition, context))
            if known is None:
                return self._open_if(expr, expr.branches[position:], context)
            if known:
                return self.expr(value, context)
        return self.expr(expr.otherwise, context)

    def _condition(self, expr: syn_expr.Expr, context: Context) -> Typed:
        typed = self.expr(expr, context)
        if typed.type.scalar != BOOLEAN or typed.type.dims:
            raise condition_not_boolean(context.span(expr))
        return typed

    def _known(self, condition: Typed) -> bool | None:
        """Conditions made of constants decide at once; parameters stay changeable."""
        if condition.variability != CONSTANT:
            return None
        value = self.session.values.try_of(condition.expr)
        return None if value is None else bool(value)

    def _open_if(self, expr: syn_expr.IfExpr, branches: Branches, context: Context) -> Typed:
        """Branches that are never taken are left out where they are wrong as things are, or have
        another size: `if n > 0 then x[1] else 0`."""
        conditions: list[Typed] = []
        values: list[Typed] = []
        for condition, value in (*branches, (None, expr.otherwise)):
            depth = self._depth
            met = None
            try:
                met = None if condition is None else self._condition(condition, context)
                values.append(self.expr(value, context))
            except CompileError:
                self._depth = depth
                if met is not None and self.truth(met) is False:
                    continue
                at = self.met(conditions)
                if at is None:
                    raise
                conditions, values = conditions[:at], values[: at + 1]  # the rest is never reached
                break
            if met is not None:
                conditions.append(met)
        if any(not types.same_dims(values[0].type.dims, v.type.dims) for v in values[1:]):
            if not self._differ_by_argument(values, context):
                return self._decided_if(conditions, values, context, expr)
            values = [v._replace(type=_of_any_size(v.type)) for v in values]
        result = values[-1]
        for known, taken in zip(reversed(conditions), reversed(values[:-1]), strict=True):
            kind = types.joined(
                "the branches of the if-expression", taken.type, result.type, context.span(expr)
            )
            variability = max(known.variability, taken.variability, result.variability)
            result = Typed(f.If(known.expr, taken.expr, result.expr), kind, variability)
        return result

    def truth(self, condition: Typed) -> bool | None:
        """The value of a condition that cannot change while the model runs."""
        if condition.variability > PARAMETER or is_symbolic(condition.expr):
            return None
        try:
            value = self.session.values.try_of(condition.expr)
        except CompileError:
            return None  # a mistake only where a run comes to it
        return value if isinstance(value, bool) else None

    def met(self, conditions: Sequence[Typed]) -> int | None:
        """The place of the first condition that is known to hold."""
        found = (at for at, condition in enumerate(conditions) if self.truth(condition))
        return next(found, None)

    def _differ_by_argument(self, values: Sequence[Typed], context: Context) -> bool:
        """In a function an argument may choose the size: `phi := if full then zeros(6) else zeros(3)`."""
        ranks = {len(value.type.dims) for value in values}
        return is_function(context.scope) and len(ranks) == 1

    def _decided_if(
        self, conditions: list[Typed], values: list[Typed], context: Context, expr: syn_expr.IfExpr
    ) -> Typed:
        for condition, value in zip(conditions, values, strict=False):
            known = self.session.values.try_of(condition.expr)
            if known is None:
                raise types.wrong_dims(
                    "the branches of the if-expression",
                    values[0].type,
                    values[-1].type,
                    context.span(expr),
                )
            if known:
                return value
        return values[-1]

    # ------------------------------------------------------------ arrays

    def _range(self, expr: syn_expr.Range, context: Context) -> Typed:
        first = self.expr(expr.first, context)
        last = self.expr(expr.last, context)
        step = self.expr(expr.step, context) if expr.step is not None else None
        scalar = types.joined_scalar(first.type.scalar, last.type.scalar)
        if scalar is None or first.type.dims or last.type.dims:
            raise types.mismatch("the range", first.type, last.type, context.span(expr))
        if step is not None and step.type.scalar == REAL:
            scalar = REAL
        step_expr = (
            step.expr if step is not None else (f.Real(1.0) if scalar == REAL else f.Integer(1))
        )
        node = f.Range(first.expr, step_expr, last.expr)
        variability = max(
            first.variability, last.variability, step.variability if step else CONSTANT
        )
        try:
            size = self.iterators.range_size(node, variability)
        except CompileError as problem:
            raise at(problem, context.span(expr)) from None
        return Typed(node, Type(scalar, (size,)), variability)

    def _array(self, expr: syn_expr.ArrayLiteral, context: Context) -> Typed:
        items = [self.expr(item, context) for item in expr.items]
        return self.array_of(items, context, expr)

    def array_of(self, items: list[Typed], context: Context, place: syn_expr.Expr) -> Typed:
        if not items:
            return Typed(f.Array(), Type(REAL, (0,)), CONSTANT)
        kind = items[0].type
        for item in items[1:]:
            if isinstance(kind.scalar, RecordType) != isinstance(item.type.scalar, RecordType):
                return self.overload.array(items, context, place)
            kind = types.joined("the elements of the array", kind, item.type, context.span(place))
        variability = max(item.variability for item in items)
        return Typed(
            f.Array(*(i.expr for i in items)),
            Type(kind.scalar, (len(items), *kind.dims)),
            variability,
        )

    def _matrix(self, expr: syn_expr.MatrixLiteral, context: Context) -> Typed:
        """`[a, b; c, d]` is `cat(1, cat(2, a, b), cat(2, c, d))` of operands promoted to matrices."""
        rows = [[self.expr(item, context) for item in row] for row in expr.rows]
        if all(not item.type.dims for row in rows for item in row):
            built = [self.array_of(row, context, expr) for row in rows]
            return self.array_of(built, context, expr)
        joined = [
            self._concatenate(2, [self._promoted(i) for i in row], context, expr) for row in rows
        ]
        return self._concatenate(1, joined, context, expr)

    def _promoted(self, item: Typed) -> Typed:
        dims = item.type.dims
        if len(dims) >= 2:
            return item
        new: Dims = (1, 1) if not dims else (dims[0], 1)
        return Typed(
            f.Call("promote", item.expr, f.Integer(2)),
            Type(item.type.scalar, new),
            item.variability,
        )

    def _concatenate(
        self, axis: int, items: list[Typed], context: Context, place: syn_expr.Expr
    ) -> Typed:
        if len(items) == 1:
            return items[0]
        return self.calls.builtins.cat(axis, items, context.span(place))

    def _comprehension(self, expr: syn_expr.Comprehension, context: Context) -> Typed:
        return self.comprehension(expr.value, expr.iterators, context, expr)

    def comprehension(
        self,
        value: syn_expr.Expr,
        iterators: tuple[syn_expr.Iterator, ...],
        context: Context,
        place: syn_expr.Expr,
    ) -> Typed:
        """`{value for iterators}`; taken apart at once when an iterator picks components."""
        ranges, inner = self.iterators.ranges(iterators, value, context)
        depth = self._depth
        try:
            body = self.expr(value, inner)
        except NeedsUnrolling:
            self._depth = depth
            if not self.iterators.is_late([r for _, r in ranges], context):
                return self._unrolled(value, ranges, context, place)
            body = self.expr(value, inner.with_late_picks())
        names = tuple(name for name, _ in ranges)
        node = f.Comprehension(names, body.expr, *(r.expr for _, r in ranges))
        dims = tuple(r.type.dims[0] for _, r in reversed(ranges)) + body.type.dims
        variability = max([body.variability, *(r.variability for _, r in ranges)])
        return Typed(node, Type(body.type.scalar, dims), variability)

    def _unrolled(
        self,
        value: syn_expr.Expr,
        ranges: list[tuple[str, Typed]],
        context: Context,
        place: syn_expr.Expr,
    ) -> Typed:
        """The last iterator makes the first dimension."""
        if not ranges:
            return self.expr(value, context)
        name, values = ranges[-1]
        rounds = self.iterators.loop_values(values, context.span(place))
        context = context.unrolled(rounds, context.span(place))
        rows = [
            self._unrolled(value, ranges[:-1], context.with_iterator(name, element), place)
            for element in rounds
        ]
        return self.array_of(rows, context, place)

    def _subscripted(self, expr: syn_expr.Subscripted, context: Context) -> Typed:
        base = self.expr(expr.base, context)
        return self.subscripts.subscripted(base, expr.subscripts, context, expr)

    def _field(self, expr: syn_expr.FieldAccess, context: Context) -> Typed:
        base = self.expr(expr.base, context)
        return self.subscripts.member(base, expr.field, context.span(expr))


def _of_any_size(kind: Type) -> Type:
    return Type(kind.scalar, (None,) * len(kind.dims))
