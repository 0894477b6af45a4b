"""Values needed while the model is put together: sizes, conditions, ranges, constants.

A parameter whose value is used here is *structural*: it is marked, because changing it later would
need a new flat model. Evaluation is lazy, memoised and finds circles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from freewheel.base.diagnostics import (
    CompileError,
    Diagnostic,
    FreewheelError,
    Label,
    error,
    incomplete,
)
from freewheel.base.names import ClassName, Name, show
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.formula.evaluate import NotConstant, evaluate
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.statement_nodes import Function
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, EnumType
from freewheel.formula.values import ArrayValue, RecordValue, Value, select, stack
from freewheel.instance.components import ComponentInstance, components_of, find_component
from freewheel.instance.diagnostics.values import (
    condition_not_boolean,
    negative_size,
    size_not_an_integer,
    size_not_of_integer_type,
    value_depends_on_itself,
)
from freewheel.instance.given import is_given_inside
from freewheel.instance.nodes import CONSTANT, PARAMETER, ClassElement, Typed
from freewheel.syntax import expression_nodes as syn_expr

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.session import Session

_BUSY = object()


class Values:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._derivatives = FunctionDerivatives(lambda name: session.functions.by_name(name))

    # ------------------------------------------------------------ expressions

    def of(self, expr: f.Expr) -> Value:
        """The value of an expression; raises NotConstant when a part of it has none."""
        return evaluate(expr, self.by_name, self.function, self.dims_by_name)

    def try_of(self, expr: f.Expr) -> Value | None:
        try:
            return self.of(expr)
        except NotConstant:
            return None

    def function(self, name: ClassName) -> Function:
        made = self._derivatives.generated.get(name)
        if made is not None:
            return made
        found = self._session.functions.by_name(name)
        if found.partial_derivative_of is None:
            return found
        made = self._derivatives.generated[name] = self._derivatives.partial_function(found)
        return made

    def condition(self, expr: syn_expr.Expr, scope: ClassNode) -> bool:
        """The condition of a conditional component or of an if-equation with connections."""
        typed = self._session.elaborator.expression(expr, scope)
        place = scope.span(expr)
        if typed.type.scalar != BOOLEAN or typed.type.dims:
            raise condition_not_boolean(place)
        value = self.must(typed, place, "the condition")
        return bool(value)

    def must(self, typed: Typed, place: Span, what: str) -> Value:
        """The value of what decides the shape of the model; without one the model is wrong."""
        try:
            return self.of(typed.expr)
        except NotConstant as missing:
            raise self.lacking(missing.name)(
                "N033",
                f"{what} needs a value before the simulation, but `{show(missing.name)}` has none",
                place,
                help=f"give `{show(missing.name)}` a value, "
                f"or make it a constant or a parameter with a value",
                rule='Modelica 3.6, "Component Variability"',
            ) from None
        except FreewheelError as failed:
            raise self.placed(failed, place, what) from None

    def placed(self, failed: FreewheelError, place: Span, what: str) -> CompileError:
        """The same failure, with the place where the value was needed."""
        first = failed.diagnostics[0]
        if first.labels:
            return failed if isinstance(failed, CompileError) else CompileError(*failed.diagnostics)
        label = Label(place, f"{what} is computed here")
        kind = type(failed) if isinstance(failed, CompileError) else CompileError
        return kind(Diagnostic(first.code, first.message, (label,), first.help, first.rule))

    def missing(self, name: Name, node: ClassNode) -> CompileError:
        """A value that `node` needs and nobody gives, told where it is declared."""
        try:
            place = self.component_at(name).span
        except NotConstant:
            place = node.definition.span
        return self.lacking(name)(
            "N033",
            f"`{show(name)}` must have a value before the simulation, and has none",
            place,
            help="give it a value: it decides sizes, conditions or connections of the model",
            rule='Modelica 3.6, "Component Variability"',
        )

    def lacking(self, name: Name) -> Callable[..., CompileError]:
        """What a missing value is: of a parameter, something that a user of the class may add."""
        try:
            component = self.component_at(name)
        except NotConstant:
            return error
        return incomplete if component.variability <= PARAMETER else error

    def dimension(
        self, subscript: syn_expr.Expr, scope: ClassNode, component: ComponentInstance
    ) -> int:
        """The size that a declared subscript means: a number, or an enumeration or Boolean type."""
        if isinstance(subscript, syn_expr.ComponentRef):
            by_type = self.type_size(subscript, scope)
            if by_type is not None:
                return by_type
        typed = self._session.elaborator.expression(subscript, scope)
        place = scope.span(subscript)
        if typed.type.scalar != INTEGER or typed.type.dims:
            raise size_not_of_integer_type(show(component.path), place)
        value = self.must(typed, place, f"the size of `{show(component.path)}`")
        if not isinstance(value, int):
            raise size_not_an_integer(show(component.path), place)
        if value < 0:
            raise negative_size(show(component.path), value, place)
        return value

    def type_size(self, ref: syn_expr.ComponentRef, scope: ClassNode) -> int | None:
        if any(part.subscripts for part in ref.parts):
            return None
        pair = self._session.lookup.first(ref.parts[0].name, scope)
        if pair is None or not isinstance(pair[0], ClassElement):
            return None
        element = self._session.elaborator.class_of_ref(ref, scope)
        if element is None:
            return None
        simple = self._session.simple_types.of_element(element)
        if simple is None:
            return None
        if isinstance(simple.scalar, EnumType):
            return len(simple.scalar.literals)
        return 2 if simple.scalar == BOOLEAN else None

    def size_of_binding(self, component: ComponentInstance, position: int) -> int | None:
        """The size of an open dimension `x[:]`, from the value given to it or, without one, its start."""
        typed = self._session.elaborator.binding(component)
        if typed is None:
            return None
        if position < len(typed.type.dims) and typed.type.dims[position] is not None:
            return typed.type.dims[position]
        value = self.of(typed.expr)
        return (
            value.dims[position]
            if isinstance(value, ArrayValue) and position < len(value.dims)
            else None
        )

    # ------------------------------------------------------------ components

    def of_component(self, component: ComponentInstance) -> Value:
        """The value of a constant or parameter."""
        memo = component.value_memo
        if memo is _BUSY:
            raise value_depends_on_itself(show(component.path), component.span)
        if memo is not None:
            return cast(Value, memo)
        component.value_memo = _BUSY
        try:
            value = self._find_value(component)
        except BaseException:
            component.value_memo = None
            raise
        component.value_memo = value
        component.is_structural = True
        return value

    def _find_value(self, component: ComponentInstance) -> Value:
        if component.variability > PARAMETER:
            raise NotConstant(component.path)
        typed = self._session.elaborator.binding(component)
        if component.simple is None and (typed is None or is_given_inside(component)):
            return self._record_value(component)
        if component.simple is not None and self._is_free(component):
            raise NotConstant(component.path)
        if typed is None:
            typed = self._session.elaborator.start_value(component)
        if typed is None:
            raise NotConstant(component.path)
        try:
            value = self.of(typed.expr)
        except FreewheelError as failed:
            raise self.placed(failed, component.span, f"`{show(component.path)}`") from None
        return _converted(value, component)

    def _is_free(self, component: ComponentInstance) -> bool:
        """`fixed = false`: the value comes from the initial equations."""
        fixed = component.attribute("fixed")
        if fixed is None or component.variability == CONSTANT:
            return False
        typed = self._session.elaborator.attribute(component, "fixed")
        return typed is not None and self.try_of(typed.expr) is False

    def _record_value(self, component: ComponentInstance) -> Value:
        def of_node(node: ClassNode) -> Value:
            fields = tuple(
                (c.name, self.of_component(c)) for c in components_of(node) if c.exists()
            )
            return RecordValue(node.definition.name, fields)

        dims = component.dims()
        if not dims:
            return of_node(component.node())
        if len(dims) != 1:
            raise NotConstant(component.path)
        return stack([of_node(node) for node in component.nodes()])

    def by_name(self, name: Name) -> Value:
        """The value of a variable of the model, by its flat name."""
        component, rest = self.component_and_index(name)
        value = self.of_component(component)
        if rest:
            assert isinstance(value, ArrayValue)
            return select(value, rest)
        return value

    def dims_by_name(self, name: Name) -> tuple[int, ...]:
        if name == f.TIME.name:
            return ()
        component, rest = self.component_and_index(name)
        return component.dims()[len(rest) :]

    def node_at(self, path: Name) -> ClassNode:
        component, index = self.component_and_index(path)
        return component.node(index)

    def component_at(self, name: Name) -> ComponentInstance:
        return self.component_and_index(name)[0]

    def component_and_index(self, name: Name) -> tuple[ComponentInstance, tuple[int, ...]]:
        node = self._session.model
        position = 0
        while True:
            part = name[position]
            assert isinstance(part, str)
            component = find_component(node, part)
            if component is None:
                raise NotConstant(name)
            component = component.resolved()
            position += 1
            index: list[int] = []
            while position < len(name) and isinstance(number := name[position], int):
                index.append(number)
                position += 1
            if position == len(name):
                return component, tuple(index)
            node = component.node(tuple(index))


def _converted(value: Value, component: ComponentInstance) -> Value:
    """Integer to Real where the component is a Real."""
    simple = component.simple
    if simple is None or simple.scalar is not REAL:
        return value
    if isinstance(value, ArrayValue):
        return value.map(float)
    if type(value) is int:
        return float(value)
    return value
