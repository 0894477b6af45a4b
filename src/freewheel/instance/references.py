"""References `a.b[i].c`: which component is meant, element by element where arrays are involved.

Arrays of simple variables stay whole (`Index(Var, i)`); arrays of components have one instance per
element, so `r.v` over `Resistor r[3]` becomes `{r[1].v, r[2].v, r[3].v}`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, IncompleteError, error, incomplete
from freewheel.base.names import show
from freewheel.base.near import did_you_mean_or_list
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.types import (
    BOOLEAN,
    INTEGER,
    REAL,
    Dims,
    EnumType,
    FunctionType,
    Type,
)
from freewheel.formula.types import show as show_type
from freewheel.formula.values import ArrayValue, to_expr
from freewheel.instance.components import (
    ComponentInstance,
    component_of,
    components_of,
    find_component,
)
from freewheel.instance.context import Context, NeedsUnrolling, is_symbolic
from freewheel.instance.diagnostics.names import (
    absent_component,
    class_used_as_value,
    no_such_member,
    unknown_literal,
)
from freewheel.instance.hints import hint_for_name
from freewheel.instance.nodes import (
    CONSTANT,
    CONTINUOUS,
    DISCRETE,
    PARAMETER,
    ClassElement,
    ComponentElement,
    Typed,
)
from freewheel.instance.parts import empty_array
from freewheel.instance.restrictions import (
    check_operator,
    check_public,
    is_function,
    is_of_class,
    not_of_class,
    unseen_by_function,
)
from freewheel.instance.subscripts import as_number, check_bounds, check_kind, numbers_of
from freewheel.syntax import expression_nodes as syn_expr

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.elaborate import Elaborator
    from freewheel.instance.session import Session

_TIME = Typed(f.TIME, Type(REAL), CONTINUOUS)


class References:
    def __init__(self, session: Session, elaborator: Elaborator) -> None:
        self._session = session
        self._elaborator = elaborator
        self._constants: dict[ComponentInstance, Typed] = {}

    # ------------------------------------------------------------ the first identifier

    def reference(self, ref: syn_expr.ComponentRef, context: Context) -> Typed:
        parts = ref.parts
        name = parts[0].name
        if not ref.absolute:
            iterator = context.iterators.get(name)
            if iterator is not None:
                return self._from_value(iterator, parts, context, ref)
            if name == "time" and len(parts) == 1:
                check_operator(name, context.scope, context.span(ref))
                return _TIME
        found = self._first(ref, context)
        if isinstance(found, ComponentInstance):
            return self.walk(found, parts, 0, context, ref)
        return self._in_class(found, parts, context, ref)

    def _first(
        self, ref: syn_expr.ComponentRef, context: Context
    ) -> ComponentInstance | ClassElement:
        name = ref.parts[0].name
        if ref.absolute:
            top = self._session.lookup.top(name)
            if top is None:
                raise self._unknown(name, context, ref)
            return top
        instance = context.scope.instance
        extra = instance.extra_components.get(name)
        if extra is not None:
            return extra
        pair = self._session.lookup.first(name, context.scope)
        if pair is None:
            raise self._unknown(name, context, ref)
        element, holder = pair
        if isinstance(element, ComponentElement):
            # by the name of the element, because an import may have renamed it
            return component_of(holder.instance, element.name).as_seen_inside()
        return element

    def component(self, ref: syn_expr.ComponentRef, context: Context) -> ComponentInstance | None:
        """The component the first identifier means, or None when it means a class."""
        found = self._first(ref, context)
        return found if isinstance(found, ComponentInstance) else None

    def _from_value(
        self,
        value: Typed,
        parts: tuple[syn_expr.RefPart, ...],
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> Typed:
        typed = value
        for position, part in enumerate(parts):
            if position:
                typed = self._elaborator.subscripts.member(typed, part.name, context.span(ref))
            if part.subscripts:
                typed = self._elaborator.subscripts.subscripted(
                    typed, part.subscripts, context, ref
                )
        return typed

    def _in_class(
        self,
        element: ClassElement,
        parts: tuple[syn_expr.RefPart, ...],
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> Typed:
        """`Package.constant`, `Types.Init.SteadyState`, or a class by itself."""
        place = context.span(ref)
        for position in range(1, len(parts)):
            name = parts[position].name
            simple = self._session.simple_types.of_element(element)
            if simple is not None and isinstance(simple.scalar, EnumType):
                return self._literal(simple.scalar, name, place)
            node = self._session.lookup.node(element)
            below = node.find(name)
            if below is None:
                before = tuple(part.name for part in parts[:position])
                raise self._session.lookup.missing(name, before, node, place)
            if isinstance(below, ComponentElement):
                return self.walk(component_of(node, name), parts, position, context, ref)
            element = below
        return self.class_as_value(element, place)

    def _literal(self, kind: EnumType, name: str, place: Span) -> Typed:
        if name not in kind.literals:
            help = did_you_mean_or_list(name, kind.literals, "literals")
            raise unknown_literal(show(kind.name), name, place, help)
        return Typed(
            f.Literal(kind.name, kind.literals.index(name) + 1, name), Type(kind), CONSTANT
        )

    def class_as_value(self, element: ClassElement, place: Span) -> Typed:
        """A function as an argument, or an enumeration as the range of a loop."""
        simple = self._session.simple_types.of_element(element)
        if simple is not None and isinstance(simple.scalar, EnumType):
            kind = simple.scalar
            literals = [f.Literal(kind.name, k + 1, name) for k, name in enumerate(kind.literals)]
            return Typed(f.Array(*literals), Type(kind, (len(literals),)), CONSTANT)
        if simple is not None and simple.scalar == BOOLEAN:
            return Typed(f.Array(f.FALSE, f.TRUE), Type(BOOLEAN, (2,)), CONSTANT)
        node = self._session.lookup.node(element)
        if "function" in node.kind:
            name = self._session.functions.name_of(node)
            self._session.functions.note_use(name)
            return Typed(f.FunctionRef(name), Type(FunctionType(name)), CONSTANT)
        raise class_used_as_value(show(element.definition.name), node.kind, place)

    def _unknown(self, name: str, context: Context, ref: syn_expr.ComponentRef) -> CompileError:
        known = (*context.scope.instance.component_elements(), *context.iterators)
        functions = self._session.elaborator.calls.builtins.names if len(ref.parts) == 1 else ()
        return error(
            "N001",
            f"`{name}` is not declared in `{context.scope.title}` or around it",
            context.span(ref),
            help=hint_for_name(name, context.scope, known, functions),
            rule='Modelica 3.6, "Static Name Lookup"',
        )

    # ------------------------------------------------------------ along the path

    def walk(
        self,
        component: ComponentInstance,
        parts: tuple[syn_expr.RefPart, ...],
        position: int,
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> Typed:
        component = component.resolved()
        if self._is_local(component):
            return self._from_value(self._local(component), parts[position:], context, ref)
        if is_of_class(component):
            raise not_of_class(component, context.span(ref))
        if component.owner.path is not None and is_function(context.scope):
            return self._seen_by_function(component, parts[position:], context, ref)
        if not component.exists():
            raise absent_component(show(component.path), context.span(ref))
        part = parts[position]
        if component.simple is not None:
            return self._leaf_path(component, parts, position, context, ref)
        if not component.dims():
            if part.subscripts:
                raise self.too_many_subscripts(component, context, ref)
            return self._below(component.node(), component, parts, position, context, ref)
        return self._array_path(component, parts, position, context, ref)

    def _leaf_path(
        self,
        component: ComponentInstance,
        parts: tuple[syn_expr.RefPart, ...],
        position: int,
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> Typed:
        typed = self.leaf(component)
        if parts[position].subscripts:
            typed = self._elaborator.subscripts.subscripted(
                typed, parts[position].subscripts, context, ref
            )
        if position + 1 < len(parts):
            raise no_such_member(
                show(component.path),
                show_type(Type(typed.type.scalar)),
                parts[position + 1].name,
                context.span(ref),
            )
        return typed

    def _below(
        self,
        node: ClassNode,
        component: ComponentInstance,
        parts: tuple[syn_expr.RefPart, ...],
        position: int,
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> Typed:
        if position + 1 == len(parts):
            return self.whole(node, component, context, ref)
        name = parts[position + 1].name
        below = find_component(node, name)
        if below is not None:
            check_public(below, context.span(ref))
            return self.walk(below, parts, position + 1, context, ref)
        element = node.find(name)
        if isinstance(element, ClassElement):
            return self._in_class(element, parts[position + 1 :], context, ref)
        raise self._session.lookup.missing(
            name, tuple(p.name for p in parts[: position + 1]), node, context.span(ref)
        )

    def _array_path(
        self,
        component: ComponentInstance,
        parts: tuple[syn_expr.RefPart, ...],
        position: int,
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> Typed:
        """Into an array of components: constant subscripts pick, slices make arrays."""
        dims = component.dims()
        subscripts = parts[position].subscripts
        if len(subscripts) > len(dims):
            raise self.too_many_subscripts(component, context, ref)
        picks: list[int | list[int]] = []
        dynamic: list[f.Expr] = []
        for axis, size in enumerate(dims):
            pick, late = self._pick(subscripts, axis, size, context, ref)
            picks.append(pick)
            if late is not None:
                dynamic.append(late)
            elif not isinstance(pick, int):
                dynamic.append(f.Colon())
        typed = self._gather(component, picks, (), parts, position, context, ref)
        if any(not isinstance(d, f.Colon) for d in dynamic):
            return self._late_index(typed, dynamic)
        return typed

    def _pick(
        self,
        subscripts: tuple[syn_expr.Expr, ...],
        axis: int,
        size: int,
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> tuple[int | list[int], f.Expr | None]:
        if axis >= len(subscripts) or isinstance(subscripts[axis], syn_expr.Colon):
            return list(range(1, size + 1)), None
        inner = context.with_end(f.Integer(size))
        typed = self._elaborator.expr(subscripts[axis], inner)
        check_kind(typed, context.span(subscripts[axis]))
        if is_symbolic(typed.expr) and not context.picks_late:
            raise NeedsUnrolling
        try:
            value = self._session.values.of(typed.expr)
        except NotConstant:
            if typed.type.dims:
                raise self._variable_slice(context, ref) from None
            return list(range(1, size + 1)), as_number(typed)
        numbers = numbers_of(value)
        for number in [numbers] if isinstance(numbers, int) else numbers:
            check_bounds(number, size, axis, context.span(ref))
        return numbers, None

    def _gather(
        self,
        component: ComponentInstance,
        picks: list[int | list[int]],
        index: tuple[int, ...],
        parts: tuple[syn_expr.RefPart, ...],
        position: int,
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> Typed:
        axis = len(index)
        if axis == len(picks):
            return self._below(component.node(index), component, parts, position, context, ref)
        pick = picks[axis]
        if isinstance(pick, int):
            return self._gather(component, picks, (*index, pick), parts, position, context, ref)
        rows = [
            self._gather(component, picks, (*index, k), parts, position, context, ref) for k in pick
        ]
        if rows:
            kind = rows[0].type
            variability = max(row.variability for row in rows)
            expr = f.Array(*(row.expr for row in rows))
            return Typed(expr, Type(kind.scalar, (len(rows), *kind.dims)), variability)
        return self._empty_slice(component, picks, axis, parts, position, context, ref)

    def _empty_slice(
        self,
        component: ComponentInstance,
        picks: list[int | list[int]],
        axis: int,
        parts: tuple[syn_expr.RefPart, ...],
        position: int,
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> Typed:
        """An array without elements still has a type: that of an element, if there were one."""
        sample = component.any_node()
        kind = self._below(sample, component, parts, position, context, ref).type
        rest: Dims = tuple(len(p) for p in picks[axis + 1 :] if not isinstance(p, int))
        dims: Dims = (0, *rest, *kind.dims)
        return Typed(empty_array(dims), Type(kind.scalar, dims), CONSTANT)

    def _late_index(self, typed: Typed, dynamic: list[f.Expr]) -> Typed:
        kept = [
            d for d, sub in zip(typed.type.dims, dynamic, strict=False) if isinstance(sub, f.Colon)
        ]
        dims = (*kept, *typed.type.dims[len(dynamic) :])
        return Typed(
            f.Index(typed.expr, *dynamic),
            Type(typed.type.scalar, dims),
            max(typed.variability, DISCRETE),
        )

    # ------------------------------------------------------------ variables

    def _is_local(self, component: ComponentInstance) -> bool:
        owner = component.owner
        if owner.path is not None:
            return False
        kind = owner.kind
        return "function" in kind or ("record" in kind and component.variability > CONSTANT)

    def _local(self, component: ComponentInstance) -> Typed:
        """An input, output or local of a function; a sibling field in a record's default value."""
        if component.variability == CONSTANT and component.binding() is not None:
            return self._constant(component)
        kind = self._session.functions.local_type(component)
        return Typed(
            f.Var((component.name,)),
            kind,
            DISCRETE if kind.scalar in (INTEGER, BOOLEAN) else CONTINUOUS,
        )

    def _seen_by_function(
        self,
        component: ComponentInstance,
        parts: tuple[syn_expr.RefPart, ...],
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> Typed:
        """A function knows of the model around it what cannot change any more."""
        if component.variability > PARAMETER:
            raise unseen_by_function(component, context.span(ref))
        try:
            self._session.values.of_component(component)
        except NotConstant:
            if component.variability < PARAMETER:  # then it is only its value that is missing
                self._constant(component)
            raise unseen_by_function(component, context.span(ref)) from None
        return self._from_value(self._constant(component), parts, context, ref)

    def leaf(self, component: ComponentInstance) -> Typed:
        assert component.simple is not None
        if component.variability == CONSTANT:
            return self._constant(component)
        kind = Type(component.simple.scalar, component.known_dims())
        return Typed(f.Var(component.path), kind, component.variability)

    def _constant(self, component: ComponentInstance) -> Typed:
        known = self._constants.get(component)
        if known is None:
            try:
                value = self._session.values.of_component(component)
            except NotConstant as missing:
                stands_for = self._session.inner_added.get(str(component.path[0]))
                if stands_for is not None:  # whoever uses the class has the inner one
                    raise IncompleteError(stands_for.inner_missing()) from None
                # that of a package may come with a package that extends it
                lacking = incomplete if component.is_package_constant else error
                raise lacking(
                    "N037",
                    f"constant `{show(component.path)}` has no value",
                    component.span,
                    help=f"give it one; it needs `{show(missing.name)}`"
                    if missing.name != component.path
                    else "give it one where it is declared or modified",
                    rule='Modelica 3.6, "Component Variability"',
                ) from None
            scalar = (
                component.simple.scalar
                if component.simple
                else self._session.functions.record_type(component.any_node())
            )
            dims = value.dims if isinstance(value, ArrayValue) else ()
            known = Typed(to_expr(value), Type(scalar, dims), CONSTANT)
            self._constants[component] = known
        return known

    def whole(
        self,
        node: ClassNode,
        component: ComponentInstance,
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> Typed:
        """A structured component as one value: a record."""
        kind = node.restricted_kind()
        if "record" not in kind and not (context.in_connect or "connector" in kind):
            raise error(
                "N054",
                f"`{show(component.path)}` is a {kind}, not a value",
                context.span(ref),
                help="use one of its variables",
            )
        fields = [
            (c.name, self._whole_component(c, context, ref))
            for c in components_of(node)
            if c.exists()
        ]
        record = self._session.functions.record_type(node)
        expr = f.Record(record.name, tuple(n for n, _ in fields), *(t.expr for _, t in fields))
        variability = max((t.variability for _, t in fields), default=CONSTANT)
        return Typed(expr, Type(record), variability)

    def record_value(self, node: ClassNode, context: Context) -> Typed:
        """A record instance as one value."""
        nowhere = syn_expr.ComponentRef(0, 0, ())
        assert node.container is not None
        return self.whole(node, node.container, context, nowhere)

    def _whole_component(
        self, component: ComponentInstance, context: Context, ref: syn_expr.ComponentRef
    ) -> Typed:
        part = syn_expr.RefPart(component.name)
        return self.walk(component, (part,), 0, context, ref)

    # ------------------------------------------------------------ errors

    def too_many_subscripts(
        self, component: ComponentInstance, context: Context, ref: syn_expr.Expr
    ) -> CompileError:
        return error(
            "N038",
            f"`{show(component.path)}` has {len(component.dims())} dimensions and more subscripts",
            context.span(ref),
            help="remove subscripts, or declare the component as an array",
            rule='Modelica 3.6, "Array Indexing"',
        )

    def _variable_slice(self, context: Context, ref: syn_expr.Expr) -> CompileError:
        return error(
            "N057",
            "a slice of an array of components must be known before the simulation",
            context.span(ref),
            help="use constants or parameters with values in the slice",
        )
