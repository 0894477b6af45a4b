"""Calls: of the language's own functions, of the model's functions, of record constructors.

In: a call as written. What its name means is found, its arguments are elaborated; `application.py` then
makes a call with positional arguments only, `builtins.py` what the language's own functions give.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import error
from freewheel.base.names import Name, show
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.formula.types import (
    BOOLEAN,
    INTEGER,
    EnumType,
    ExternalObjectType,
    FunctionType,
    Type,
)
from freewheel.instance import types
from freewheel.instance.builtins import Arguments, Builtins
from freewheel.instance.components import ComponentInstance, find_component
from freewheel.instance.context import Context, NeedsUnrolling, is_symbolic
from freewheel.instance.diagnostics.calls import (
    argument_given_twice,
    graph_operator_misplaced,
    graph_statement_as_value,
    no_output,
    not_a_reduction,
    not_callable,
    type_called,
    unknown_function,
    variable_called,
)
from freewheel.instance.external_builtin import builtin_name, hands_over
from freewheel.instance.hints import hint_for_function
from freewheel.instance.nodes import CONSTANT, DISCRETE, ClassElement, Typed
from freewheel.instance.parts import index_expr
from freewheel.instance.restrictions import check_operator
from freewheel.instance.state_machines import machine_part, state_of
from freewheel.instance.subscripts import check_bounds, check_kind, numbers_of
from freewheel.syntax import expression_nodes as syn_expr

if TYPE_CHECKING:
    from freewheel.instance.elaborate import Elaborator
    from freewheel.instance.session import Session

REDUCTIONS = ("sum", "product", "min", "max")


class Calls:
    def __init__(self, session: Session, elaborator: Elaborator) -> None:
        self._session = session
        self._elaborator = elaborator
        self.builtins = Builtins(session, elaborator)

    # ------------------------------------------------------------ entrance

    def call(self, expr: syn_expr.Call, context: Context) -> Typed:
        names = expr.function.names
        if expr.args and isinstance(expr.args[0], syn_expr.Generator):
            return self._reduction(expr, expr.args[0], context)
        if self._is_builtin(expr.function, context):
            return self._builtin(names[0], expr, context)
        if names[0] == "Connections" or names == ("cardinality",):
            return self._graph_question(expr, context)
        outputs = self.outputs(expr, context)
        if not outputs:
            raise no_output(show(names), context.span(expr))
        return outputs[0]

    def outputs(self, expr: syn_expr.Call, context: Context) -> list[Typed]:
        """All outputs of a call; the first one is the value of the call itself."""
        names = expr.function.names
        if self._is_builtin(expr.function, context):
            count = 2 if names == ("spatialDistribution",) else 1
            return [self._builtin(names[0], expr, context)] * count
        local = self._function_input(expr.function, context)
        if local is not None:
            return self._call_of_input(local, expr, context)
        element = self._function(expr.function, context)
        place = context.span(expr)
        simple = self._session.simple_types.of_element(element)
        if simple is not None:
            return [self._conversion(element, simple.scalar, expr, context)]
        node = self._session.lookup.node(element)
        kind = node.restricted_kind()
        if "record" in kind:
            return [self._record(element, expr, context)]
        if kind == "operator":
            args, named = self.arguments(expr, context)
            return [self._elaborator.overload.choose(node, args, named, context, place)]
        if "function" not in kind:
            raise not_callable(show(names), kind, place)
        signature = self._session.functions.signature(node)
        builtin = builtin_name(node)
        is_plain = not expr.named and len(expr.args) == len(signature.inputs)
        if builtin is not None and is_plain and hands_over(node):
            self._session.functions.by_name(signature.name)  # raises where the function is wrong
            return [self._builtin(builtin, expr, context)]
        args, named = self.arguments(expr, context)
        return self._elaborator.application.apply(signature, args, named, place)

    def outputs_or_effect(self, expr: syn_expr.Call, context: Context) -> f.Expr:
        """A call that stands alone: its outputs, if any, are not wanted."""
        names = expr.function.names
        if self._is_builtin(expr.function, context):
            return self._builtin(names[0], expr, context).expr
        if names in (("transition",), ("initialState",)):
            return machine_part(self, expr, context)
        outputs = self.outputs(expr, context)
        return outputs[0].expr if outputs else self._effect(expr, context)

    def _effect(self, expr: syn_expr.Call, context: Context) -> f.Expr:
        node = self._session.lookup.node(self._function(expr.function, context))
        args, named = self.arguments(expr, context)
        signature = self._session.functions.signature(node)
        actual = self._elaborator.application.matched(signature, args, named, context.span(expr))
        return f.Call(signature.name, *(t.expr for t in actual))

    # ------------------------------------------------------------ finding the function

    def _is_builtin(self, ref: syn_expr.ComponentRef, context: Context) -> bool:
        """Functions of the language stand around everything: a nearer function of that name wins."""
        name = ref.names[0]
        if len(ref.names) != 1 or name not in self.builtins:
            return False
        pair = None if ref.absolute else self._session.lookup.first(name, context.scope)
        if pair is None or pair[1] is self._session.root or not isinstance(pair[0], ClassElement):
            return True
        return "function" not in pair[0].definition.tree.kind

    def _function(self, ref: syn_expr.ComponentRef, context: Context) -> ClassElement:
        element = self._elaborator.class_of_ref(ref, context.scope)
        if element is None:
            element = self._through_component(ref, context)
        if element is None:
            name = show(ref.names)
            pair = self._session.lookup.first(ref.names[0], context.scope)
            if len(ref.names) == 1 and pair is not None:
                raise variable_called(name, context.span(ref))
            if pair is not None and isinstance(pair[0], ClassElement):
                rest = ref.names[1:]  # raises where the package has no such member
                self._session.lookup.members(*pair, rest, ref.names[:1], context.span(ref))
            raise unknown_function(
                name,
                context.scope.title,
                context.span(ref),
                hint_for_function(name, self.builtins.names),
            )
        return element

    def _through_component(
        self, ref: syn_expr.ComponentRef, context: Context
    ) -> ClassElement | None:
        """`world.gravityAcceleration(...)`: the function belongs to a component's class."""
        pair = self._session.lookup.first(ref.names[0], context.scope)
        if pair is None or isinstance(pair[0], ClassElement) or len(ref.parts) < 2:
            return None
        component: ComponentInstance = self._session.component(pair[1].instance, ref.names[0])
        for name in ref.names[1:-1]:
            node = component.structured_node()
            inner = node.find(name)
            if isinstance(inner, ClassElement):
                rest = ref.names[ref.names.index(name) + 1 :]
                element, _ = self._session.lookup.members(
                    inner, node, rest, (name,), context.span(ref)
                )
                return element if isinstance(element, ClassElement) else None
            component = self._session.component(node, name)
        if component.resolved().simple is not None:
            return None
        found = component.structured_node().find(ref.names[-1])
        return found if isinstance(found, ClassElement) else None

    def _function_input(self, ref: syn_expr.ComponentRef, context: Context) -> Typed | None:
        """A function that is itself an argument of the function around the call."""
        if len(ref.parts) != 1 or "function" not in context.scope.instance.kind:
            return None
        pair = self._session.lookup.first(ref.names[0], context.scope)
        if pair is None or isinstance(pair[0], ClassElement):
            return None
        typed = self._elaborator.references.reference(ref, context)
        return typed if isinstance(typed.type.scalar, FunctionType) else None

    def _call_of_input(self, function: Typed, expr: syn_expr.Call, context: Context) -> list[Typed]:
        assert isinstance(function.type.scalar, FunctionType)
        signature = self._session.functions.signature_named(function.type.scalar.name)
        args, named = self.arguments(expr, context)
        assert isinstance(function.expr, f.Var)
        local = (
            str(function.expr.name[0]),
        )  # a call by the name of the input, as `formula` expects it
        return self._elaborator.application.apply(
            replace(signature, name=local), args, named, context.span(expr)
        )

    # ------------------------------------------------------------ arguments

    def arguments(
        self, expr: syn_expr.Call, context: Context
    ) -> tuple[list[Typed], dict[str, Typed]]:
        args = [self._elaborator.expr(arg, context) for arg in expr.args]
        named: dict[str, Typed] = {}
        for argument in expr.named:
            if argument.name in named:
                raise argument_given_twice(argument.name, context.span(argument))
            named[argument.name] = self._elaborator.expr(argument.value, context)
        return args, named

    def _builtin(self, name: str, expr: syn_expr.Call, context: Context) -> Typed:
        check_operator(name, context.scope, context.span(expr))
        if name == "cardinality":
            return self._graph_question(expr, context)
        if name == "activeState":
            state = state_of(self, expr, 0, context)
            return Typed(f.Call(name, state), Type(BOOLEAN), DISCRETE)
        if name == "size" and expr.args and isinstance(expr.args[0], syn_expr.ComponentRef):
            dims = self._component_dims(expr.args[0], context)
            if dims is not None:
                return self._known_size(expr, dims, context)
        args, named = self.arguments(expr, context)
        return self.builtins.call(Arguments(name, tuple(args), named, context.span(expr), context))

    def _component_dims(
        self, ref: syn_expr.ComponentRef, context: Context
    ) -> tuple[int, ...] | None:
        """Dimensions of an array of components by its name; None for everything else."""
        name = ref.parts[0].name
        if len(ref.parts) != 1 or ref.parts[0].subscripts or ref.absolute:
            return None
        pair = (
            None if name in context.iterators else self._session.lookup.first(name, context.scope)
        )
        if pair is None or isinstance(pair[0], ClassElement) or pair[1].instance.path is None:
            return None
        component = self._elaborator.references.component(ref, context)
        if component is None or component.resolved().simple is not None:
            return None
        return component.resolved().dims()

    def _known_size(self, expr: syn_expr.Call, dims: tuple[int, ...], context: Context) -> Typed:
        sizes = f.Array(*(f.Integer(d) for d in dims))
        array = Typed(f.Call("fill", f.FALSE, *sizes.args), Type(BOOLEAN, dims), CONSTANT)
        rest = [self._elaborator.expr(arg, context) for arg in expr.args[1:]]
        given = Arguments("size", (array, *rest), {}, context.span(expr), context)
        return self.builtins.call(given)

    def _reduction(
        self, expr: syn_expr.Call, generator: syn_expr.Generator, context: Context
    ) -> Typed:
        name = expr.function.names[-1]
        place = context.span(expr)
        array = self._elaborator.comprehension(generator.value, generator.iterators, context, expr)
        if name == "array":
            return array
        if name not in REDUCTIONS:
            raise not_a_reduction(name, place)
        node = array.expr
        if not types.is_numeric(array.type):
            return self._elaborator.overload.reduce(name, array, context, place)
        if isinstance(node, f.Comprehension):
            rest = array.type.dims[len(node.data) :]
            reduced = f.Reduction(name, node.data, *node.args)
            return Typed(reduced, Type(array.type.scalar, rest), array.variability)
        return self.builtins.call(Arguments(name, (array,), {}, place, context))

    # ------------------------------------------------------------ other callables

    def _conversion(
        self, element: ClassElement, scalar: object, expr: syn_expr.Call, context: Context
    ) -> Typed:
        """`Color(2)`: an enumeration from a number; a type of external object: its constructor."""
        args, named = self.arguments(expr, context)
        place = context.span(expr)
        if isinstance(scalar, ExternalObjectType):
            return self._external_object(element, scalar, args, named, place)
        if isinstance(scalar, EnumType) and len(args) == 1:
            literals = [f.Literal(scalar.name, k + 1, n) for k, n in enumerate(scalar.literals)]
            picked = index_expr(f.Array(*literals), (args[0].expr,))
            return Typed(picked, Type(scalar), args[0].variability)
        raise type_called(show(element.definition.name), place)

    def _external_object(
        self,
        element: ClassElement,
        scalar: ExternalObjectType,
        args: list[Typed],
        named: dict[str, Typed],
        place: Span,
    ) -> Typed:
        constructor = self._session.lookup.node(element).find("constructor")
        assert isinstance(constructor, ClassElement)
        signature = self._session.functions.signature(self._session.lookup.node(constructor))
        typed = self._elaborator.application.apply(signature, args, named, place)[0]
        self._note_destructor(element)
        return Typed(typed.expr, Type(scalar), typed.variability)

    def _note_destructor(self, element: ClassElement) -> None:
        """Nothing calls it, but it belongs to the class wherever that is written down."""
        destructor = self._session.lookup.node(element).find("destructor")
        if isinstance(destructor, ClassElement):
            node = self._session.lookup.node(destructor)
            self._session.functions.note_use(self._session.functions.signature(node).name)

    def _record(self, element: ClassElement, expr: syn_expr.Call, context: Context) -> Typed:
        args, named = self.arguments(expr, context)
        node = self._session.lookup.node(element)
        place = context.span(expr)
        constructor = node.find("'constructor'")
        if isinstance(constructor, ClassElement):
            operator = self._session.lookup.node(constructor)
            return self._elaborator.overload.choose(operator, args, named, context, place)
        return self._elaborator.application.record(node, args, named, place)

    def partial_function(self, expr: syn_expr.PartialFunction, context: Context) -> Typed:
        element = self._session.lookup.class_named(expr.function, context.scope)
        node = self._session.lookup.node(element)
        name = self._session.functions.name_of(node)
        self._session.functions.signature(node)
        self._session.functions.note_use(name)
        values = [self._elaborator.expr(argument.value, context) for argument in expr.named]
        labels = tuple(argument.name for argument in expr.named)
        variability = max([CONSTANT, *(v.variability for v in values)])
        return Typed(
            f.PartialFunction(name, labels, *(v.expr for v in values)),
            Type(FunctionType(name)),
            variability,
        )

    # ------------------------------------------------------------ questions about the connection graph

    def _graph_question(self, expr: syn_expr.Call, context: Context) -> Typed:
        name = expr.function.names[-1]
        place = context.span(expr)
        answers = self._session.graph_answers
        ref = expr.args[0] if expr.args else None
        if not isinstance(ref, syn_expr.ComponentRef) or answers is None:
            raise graph_operator_misplaced(name, place)
        path = self.connector_path(ref, context)
        if name == "cardinality":
            return Typed(f.Integer(answers.cardinality(path)), Type(INTEGER), CONSTANT)
        if name == "isRoot":
            return Typed(f.Boolean(answers.is_root(path)), Type(BOOLEAN), CONSTANT)
        if name in ("rooted",):
            return Typed(f.Boolean(answers.rooted(path)), Type(BOOLEAN), CONSTANT)
        raise graph_statement_as_value(name, place)

    def connector_path(self, ref: syn_expr.ComponentRef, context: Context) -> Name:
        """The flat name of a connector given by a reference with known subscripts."""
        component = self._elaborator.references.component(ref, context)
        if component is None:
            raise error(
                "N070", "this is not a component", context.span(ref), help="name a connector"
            )
        index: tuple[int, ...] = ()
        for position, part in enumerate(ref.parts):
            if position:
                component = self._member_of(component, index, part.name, ref, context)
            component = component.resolved()
            index = self._index(component, part.subscripts, context, ref)
        return (*component.path, *index)

    def _member_of(
        self,
        holder: ComponentInstance,
        index: tuple[int, ...],
        name: str,
        ref: syn_expr.ComponentRef,
        context: Context,
    ) -> ComponentInstance:
        place = context.span(ref)
        if holder.simple is not None or len(index) != len(holder.dims()):
            raise error(
                "N070", f"`{show(holder.path)}` has no connectors", place, help="name a connector"
            )
        node = holder.node(index)
        found = find_component(node, name)
        if found is None:
            raise self._session.lookup.missing(name, ref.names[:1], node, place)
        return found

    def _index(
        self,
        component: ComponentInstance,
        subscripts: tuple[syn_expr.Expr, ...],
        context: Context,
        ref: syn_expr.ComponentRef,
    ) -> tuple[int, ...]:
        """Numbers for subscripts that pick one component of an array."""
        dims = component.dims()
        if len(subscripts) > len(dims):
            raise self._elaborator.references.too_many_subscripts(component, context, ref)
        found: list[int] = []
        for axis, (subscript, size) in enumerate(zip(subscripts, dims, strict=False)):
            place = context.span(subscript)
            typed = self._elaborator.expr(subscript, context.with_end(f.Integer(size)))
            if is_symbolic(typed.expr):
                raise NeedsUnrolling
            check_kind(typed, place)
            value = self._session.values.must(typed, place, "a subscript of a connector")
            number = numbers_of(value)
            if not isinstance(number, int):
                raise error(
                    "N070", "these are several components", place, help="name one connector"
                )
            check_bounds(number, size, axis, place)
            found.append(number)
        return tuple(found)
