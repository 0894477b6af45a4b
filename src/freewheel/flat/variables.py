"""Leaves of the instance tree become variables of the flat model.

Bindings of constants and parameters stay with the variable; a binding of anything else is an
equation. Attributes are elaborated; units and quantities must be known texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.base.names import show
from freewheel.base.near import did_you_mean
from freewheel.flat.diagnostics import (
    attribute_not_constant,
    binding_varies_too_much,
    constant_without_value,
    external_object_without_value,
    unknown_attribute,
    unknown_attribute_element,
)
from freewheel.flat.nodes import Attributes, Causality, Equation, Variability, Variable
from freewheel.formula import nodes as f
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.types import (
    BOOLEAN,
    REAL,
    STRING,
    EnumType,
    ExternalObjectType,
    Scalar,
    Type,
)
from freewheel.formula.types import show as show_type
from freewheel.formula.values import to_expr
from freewheel.instance import types
from freewheel.instance.components import ATTRIBUTES, ComponentInstance
from freewheel.instance.nodes import CONSTANT, CONTINUOUS, DISCRETE, PARAMETER, Typed
from freewheel.instance.variability import variability_of

if TYPE_CHECKING:
    from freewheel.instance.session import Session

STATE_SELECT = ("never", "avoid", "default", "prefer", "always")
STATE_SELECT_TYPE = EnumType(("StateSelect",), STATE_SELECT)


class Variables:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._elaborator = session.elaborator

    def variable(self, component: ComponentInstance) -> tuple[Variable, Equation | None]:
        """The variable, and the equation its binding means if it is not a parameter."""
        assert component.simple is not None
        self._check_attributes(component)
        dims = component.dims()
        kind = Type(component.simple.scalar, dims)
        causality = self._causality(component)
        binding = self._binding(component, kind)
        if binding is None and isinstance(kind.scalar, ExternalObjectType) and 0 not in dims:
            raise external_object_without_value(show(component.path), component.span)
        equation = None
        if (
            binding is not None
            and component.variability > PARAMETER
            and causality is not Causality.INPUT
        ):
            equation = Equation(
                f.Var(component.path), binding.expr, component.span, component.owner.path or ()
            )
            binding = None
        expr = self._settled(component, binding) if binding is not None else None
        variable = Variable(
            component.path,
            component.simple.scalar,
            dims,
            Variability(component.variability),
            causality,
            expr,
            self._attributes(component, kind),
            component.is_final,
            component.is_structural and component.variability == PARAMETER,
            component.is_protected,
            component.flow == "flow",
            component.flow == "stream",
            component.comment,
            component.span,
        )
        return variable, equation

    def check_declaration(self, component: ComponentInstance) -> None:
        """Its attributes and the type of its value, which is not computed."""
        assert component.simple is not None
        self._check_attributes(component)
        kind = Type(component.simple.scalar, component.dims())
        self._binding(component, kind)
        self._attributes(component, kind)

    def _settled(self, component: ComponentInstance, binding: Typed) -> f.Expr:
        """Constants carry their value; so does what was evaluated already."""
        if component.variability == CONSTANT:
            try:
                return to_expr(self._session.values.of_component(component))
            except NotConstant as missing:
                raise constant_without_value(
                    show(component.path), show(missing.name), component.span
                ) from None
        return binding.expr

    def _causality(self, component: ComponentInstance) -> Causality:
        """Only inputs and outputs of the whole model matter to the rooms behind."""
        if component.causality not in ("input", "output"):
            return Causality.LOCAL
        if component.is_protected:
            return Causality.LOCAL
        holder = component.owner
        while holder is not self._session.model:
            kind = holder.restricted_kind()
            # members of a bus are as they are because of what is connected to them inside
            is_part = kind == "connector" or "record" in kind
            if not is_part or holder.parent is None:
                return Causality.LOCAL
            holder = holder.parent.instance
        return Causality.INPUT if component.causality == "input" else Causality.OUTPUT

    def _binding(self, component: ComponentInstance, kind: Type) -> Typed | None:
        binding = self._elaborator.binding(component)
        if binding is None:
            return None
        given = component.binding()
        place = given.span if given is not None else component.span
        what = f"the value of `{show(component.path)}`"
        if not types.accepts(kind.scalar, binding.type.scalar):
            raise types.mismatch(what, kind, binding.type, place)
        if not types.same_dims(kind.dims, binding.type.dims) and not (
            0 in kind.dims and 0 in binding.type.dims
        ):
            raise types.wrong_dims(what, kind, binding.type, place)
        if self._too_variable(component, binding):
            raise binding_varies_too_much(what, place)
        return binding

    def _too_variable(self, component: ComponentInstance, binding: Typed) -> bool:
        if binding.variability <= component.variability or _tolerated(component, binding):
            return False
        allowed = component.variability
        if self._elaborator.node_binding(component.owner) is not None:
            allowed = max(
                allowed, PARAMETER
            )  # constants of a record come along with the whole record
        return variability_of(self._session, binding.expr) > allowed

    def _check_attributes(self, component: ComponentInstance) -> None:
        for name, sub in component.modifier.subs.items():
            if name not in ATTRIBUTES:
                assert component.simple is not None
                raise unknown_attribute(
                    show_type(Type(component.simple.scalar)),
                    show(component.path),
                    name,
                    sub.place or component.span,
                    did_you_mean(name, ATTRIBUTES)
                    or "attributes are start, fixed, min, max, nominal,"
                    " unit, displayUnit, quantity, stateSelect",
                )
            for inner, below in sub.subs.items():
                raise unknown_attribute_element(
                    name, show(component.path), inner, below.place or component.span
                )

    def _attributes(self, component: ComponentInstance, kind: Type) -> Attributes:
        subs = component.modifier.subs
        if not subs:
            return _NONE
        select = self._text(component, "stateSelect")
        return Attributes(
            self._value(component, "start", kind),
            self._value(component, "fixed", None),
            self._value(component, "min", kind),
            self._value(component, "max", kind),
            self._value(component, "nominal", kind),
            self._text(component, "unit"),
            self._text(component, "displayUnit"),
            self._text(component, "quantity"),
            select if select in STATE_SELECT else None,
            start_level=(level := _level_of(component, "start")),
            is_default_start=0 < level >= len(component.path) - 1,
        )

    def _value(self, component: ComponentInstance, name: str, kind: Type | None) -> f.Expr | None:
        if component.attribute(name) is None:
            return None
        typed = self._elaborator.attribute(component, name)
        if typed is None:
            return None
        place = component.modifier.sub(name).place or component.span
        what = f"`{name}` of `{show(component.path)}`"
        if name == "fixed" and typed.type.scalar != BOOLEAN:
            raise types.mismatch(what, Type(BOOLEAN), typed.type, place)
        if kind is not None and not types.accepts(kind.scalar, typed.type.scalar):
            raise types.mismatch(what, Type(kind.scalar), typed.type, place)
        expr = typed.expr
        dims = component.dims()
        if typed.type.dims and not types.same_dims(typed.type.dims, dims):
            front = dims[: len(dims) - len(typed.type.dims)]
            each = component.modifier.sub(name).each
            if not each or not front or typed.type.dims != dims[len(front) :]:
                raise types.wrong_dims(what, component.type(), typed.type, place)
            for size in reversed(front):  # the same row for each element
                expr = f.Array(*(expr,) * size)
        if typed.variability > PARAMETER:
            raise attribute_not_constant(what, place)
        return expr

    def _text(self, component: ComponentInstance, name: str) -> str | None:
        if component.attribute(name) is None:
            return None
        typed = self._elaborator.attribute(component, name)
        if typed is None:
            return None
        wanted: Scalar = STATE_SELECT_TYPE if name == "stateSelect" else STRING
        if typed.type.scalar != wanted:
            what = f"`{name}` of `{show(component.path)}`"
            place = component.modifier.sub(name).place or component.span
            raise types.mismatch(what, Type(wanted), typed.type, place)
        value = self._session.values.try_of(typed.expr)
        elements = getattr(value, "elements", None)
        if elements:
            value = elements[0]
        if isinstance(value, str):
            return value
        return getattr(value, "literal", None)


_NONE = Attributes()


def _level_of(component: ComponentInstance, name: str) -> int:
    """What is said further out counts more (Modelica 3.6, "Recommended Selection of Start Values")."""
    binding = component.attribute(name)
    if binding is None:
        return 0
    path = binding.scope.instance.path
    return len(component.path if path is None else path)


def _tolerated(component: ComponentInstance, binding: Typed) -> bool:
    """Integer and Boolean variables are discrete by type; what they are bound to may contain
    relations, which are discrete by themselves."""
    if component.variability == DISCRETE and binding.variability == CONTINUOUS:
        assert component.simple is not None
        return component.simple.scalar != REAL
    return False
