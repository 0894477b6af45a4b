"""Component instances: what a declared name becomes inside one instance of its class.

A component is a *leaf* (Real, Integer, Boolean, String, enumeration, external object, perhaps an
array of them, kept whole) or *structured* (a class node per array element). Dimensions, conditions,
and whether an `outer` component has an `inner` one are found when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, Diagnostic, IncompleteError, error, incomplete
from freewheel.base.names import Name, show
from freewheel.base.source import Span
from freewheel.formula.types import Dims, EnumType, ExternalObjectType, Type
from freewheel.instance.classes import ClassNode, unknown_modified
from freewheel.instance.diagnostics.classes import (
    contains_itself,
    defined_by_itself,
    inner_added,
    inner_missing,
    nested_too_deep,
    not_declarable,
)
from freewheel.instance.diagnostics.values import size_depends_on_itself
from freewheel.instance.modify import at_index, merge
from freewheel.instance.nodes import (
    CONTINUOUS,
    DISCRETE,
    NO_MODIFIER,
    PARAMETER,
    VARIABILITY_OF_PREFIX,
    Binding,
    ClassElement,
    ComponentElement,
    Modifier,
)
from freewheel.instance.restrictions import (
    check_record_value,
    check_redeclared,
    protected_modified,
)
from freewheel.instance.simple_types import SimpleType
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.session import Session

MAX_DEPTH = 120

ATTRIBUTES = frozenset(
    (
        "value",
        "start",
        "fixed",
        "min",
        "max",
        "nominal",
        "unit",
        "displayUnit",
        "quantity",
        "stateSelect",
        "unbounded",
    )
)


class ComponentInstance:
    """Mutable inside (memos), constant as seen from outside."""

    __slots__ = (
        "_condition",
        "_dims",
        "_dims_busy",
        "_dims_found",
        "_inner",
        "_nodes",
        "causality",
        "class_element",
        "element",
        "flow",
        "is_structural",
        "modifier",
        "name",
        "owner",
        "path",
        "session",
        "simple",
        "value_memo",
        "variability",
    )

    def __init__(self, owner: ClassNode, element: ComponentElement) -> None:
        self.owner = owner  # the instance that holds it
        self.session: Session = owner.session
        self.element = element
        self.name = element.name
        holder_path = owner.path
        if holder_path is None:  # a constant of a package, or a local of a function
            holder_path = owner.definition.name
        self.path: Name = (*holder_path, element.name)
        self.class_element: ClassElement = self.session.lookup.class_named(
            element.decl.type, element.home
        )
        self.simple: SimpleType | None = self.session.simple_types.of_element(self.class_element)
        self.modifier = self._full_modifier()
        check_redeclared(self)
        self._dims: tuple[int, ...] | None = None
        self._dims_busy = False
        self._dims_found: list[int] = []
        self._nodes: dict[tuple[int, ...], ClassNode] = {}
        self._condition: bool | None = None
        self._inner: ComponentInstance | None = None
        self.is_structural = False
        self.value_memo: object = None
        self._set_prefixes()

    def _full_modifier(self) -> Modifier:
        base = self.simple.modifier if self.simple is not None else self.class_element.modifier
        return merge(self.element.modifier, base)

    def _modifier_at(self, index: tuple[int, ...]) -> Modifier:
        """Modifiers of the array are handed out element by element, those of its class are for all."""
        if not index:
            return self.modifier
        own = at_index(self.element.modifier, index)
        given = self.session.given.get((*self.path, *index))
        if given is not None:
            own = merge(given, own)
        return merge(own, self.class_element.modifier)

    def _set_prefixes(self) -> None:
        prefixes = self.element.decl.prefixes
        original = self.element.original.prefixes if self.element.original is not None else prefixes
        simple = self.simple
        word = (
            prefixes.variability or original.variability or (simple.variability if simple else "")
        )
        own = VARIABILITY_OF_PREFIX.get(word, CONTINUOUS)
        if own == CONTINUOUS and simple is not None and _is_discrete_type(simple):
            own = DISCRETE
        self.variability = min(own, self.owner.variability)
        causality = prefixes.causality or original.causality or (simple.causality if simple else "")
        if (
            not causality
            and simple is None
            and isinstance(self.class_element.definition.tree.body, syn.ShortBody)
        ):
            causality = self.class_element.definition.tree.body.prefixes.causality
        if not causality and self.owner.container is not None:
            causality = self.owner.container.causality
        self.causality: str = causality
        self.flow = prefixes.flow or original.flow or (simple.flow if simple else "")
        if not self.flow and self.owner.container is not None:
            self.flow = self.owner.container.flow

    # ------------------------------------------------------------ facts

    @property
    def span(self) -> Span:
        return self.element.span

    @property
    def is_outer(self) -> bool:
        return self.element.decl.prefixes.outer

    @property
    def is_inner(self) -> bool:
        return self.element.decl.prefixes.inner

    @property
    def is_protected(self) -> bool:
        if self.element.protected:
            return True
        holder = self.owner.container
        return holder is not None and holder.is_protected

    @property
    def is_final(self) -> bool:
        return self.element.decl.prefixes.final or self.modifier.final

    @property
    def is_package_constant(self) -> bool:
        return self.owner.path is None

    @property
    def comment(self) -> str:
        description = self.element.decl.description
        return description.value if description is not None else ""

    def binding(self) -> Binding | None:
        """The value given to the whole component; `= break` has removed it."""
        binding = self.modifier.binding
        if binding is None or isinstance(binding.expr, syn_expr.NoBinding):
            return None
        return binding

    def attribute(self, name: str) -> Binding | None:
        binding = self.modifier.sub(name).binding
        return None if binding is None or isinstance(binding.expr, syn_expr.NoBinding) else binding

    # ------------------------------------------------------------ existence

    def exists(self) -> bool:
        """Whether the condition of a conditional component holds."""
        if self._condition is None:
            condition = self.element.decl.condition
            home = self.element.home
            if condition is None and self.element.original is not None:
                condition = self.element.original.condition
                home = self.element.original_home or home
            if condition is None:
                self._condition = True
            else:
                self._condition = self.session.values.condition(condition, home)
        return self._condition

    # ------------------------------------------------------------ dimensions

    def dims(self) -> tuple[int, ...]:
        if self._dims is None:
            if self._dims_busy:
                raise size_depends_on_itself(show(self.path), self.span)
            self._dims_busy = True
            try:
                self._dims = self._find_dims()
            finally:
                self._dims_busy = False
        return self._dims

    def known_dims(self) -> Dims:
        """The sizes; those known so far while they are being found: `A[:, size(A, 1)]`."""
        if self._dims_busy and self._dims_found:
            missing = len(self.subscripts()) - len(self._dims_found)
            return (*self._dims_found, *(None,) * missing)
        return self.dims()

    def subscripts(self) -> tuple[tuple[syn_expr.Expr, ClassNode], ...]:
        """Declared subscripts, outermost first, each with the scope it was written in."""
        decl, home = self.element.decl, self.element.home
        own = [(s, home) for s in decl.subscripts] + [(s, home) for s in decl.type_subscripts]
        original, original_home = self.element.original, self.element.original_home
        if not own and original is not None and original_home is not None:
            own = [(s, original_home) for s in (*original.subscripts, *original.type_subscripts)]
        if self.simple is not None:
            own.extend(self.simple.dims)
        else:
            own.extend(self._class_subscripts())
        return tuple(own)

    def _class_subscripts(self) -> Iterator[tuple[syn_expr.Expr, ClassNode]]:
        """`connector Pins = Pin[3]`: a short class that is an array."""
        element = self.class_element
        seen: set[ClassElement] = set()
        while isinstance(element.definition.tree.body, syn.ShortBody):
            if element in seen:
                raise defined_by_itself(show(element.definition.name), element.definition.span)
            seen.add(element)
            body = element.definition.tree.body
            for subscript in body.subscripts:
                yield subscript, element.enclosing
            element = self.session.lookup.class_named(body.type, element.enclosing)

    def _find_dims(self) -> tuple[int, ...]:
        subscripts = self.subscripts()
        if not subscripts:
            return ()
        sizes: list[int] = []
        self._dims_found = sizes
        for position, (subscript, scope) in enumerate(subscripts):
            if isinstance(subscript, syn_expr.Colon):
                sizes.append(self._size_from_binding(position))
            else:
                sizes.append(self.session.values.dimension(subscript, scope, self))
        return tuple(sizes)

    def _size_from_binding(self, position: int) -> int:
        size = self.session.values.size_of_binding(self, position)
        if size is None:
            lacking = incomplete if self.variability <= PARAMETER else error
            raise lacking(
                "N031",
                f"the size of dimension {position + 1} of `{show(self.path)}` "
                f"is left open and no value determines it",
                self.span,
                help="give the array a value, or write its size instead of `:`",
                rule='Modelica 3.6, "Array Dimension Lower and Upper Index Bounds"',
            )
        return size

    def type(self) -> Type:
        if self.simple is not None:
            return Type(self.simple.scalar, self.dims())
        return Type(self.session.functions.record_type(self.any_node()), self.dims())

    # ------------------------------------------------------------ structured components

    def indices(self) -> Iterator[tuple[int, ...]]:
        return product(*(range(1, size + 1) for size in self.dims()))

    def node(self, index: tuple[int, ...] = ()) -> ClassNode:
        """The class node of one element of a structured component."""
        node = self._nodes.get(index)
        if node is None:
            node = self._make_node(index)
            self._nodes[index] = node
        return node

    def nodes(self) -> Iterator[ClassNode]:
        for index in self.indices():
            yield self.node(index)

    def any_node(self) -> ClassNode:
        """Some element, to ask for its class; also for arrays without elements."""
        if self._nodes:
            return next(iter(self._nodes.values()))
        dims = self.dims()
        return self.node(tuple(1 for _ in dims))

    def structured_node(self) -> ClassNode:
        """The node of a scalar structured component, following `outer` to `inner`."""
        return self.resolved().any_node()

    def _make_node(self, index: tuple[int, ...]) -> ClassNode:
        self._check_recursion()
        element = self.class_element
        node = ClassNode(
            self.session,
            element.definition,
            element.enclosing,
            self._modifier_at(index),
            path=(*self.path, *index),
            parent=self.owner,
            container=self,
            variability=self.variability,
        ).with_original(element.extends_original)
        self._check_class(node)
        for name, sub in self.element.modifier.subs.items():
            found = node.find(name)
            if found is None and name not in node.extra_components:
                raise unknown_modified(name, sub, node)
            if found is not None and found.protected:
                raise protected_modified(name, self, sub.place or self.span)
        check_record_value(self, node)
        return node

    def _check_class(self, node: ClassNode) -> None:
        kind = node.kind
        if kind in ("package", "function") or kind.endswith(" function"):
            raise not_declarable(
                self.name, node.title, kind, self.element.home.span(self.element.decl.type)
            )
        if node.definition.tree.partial and not self.is_outer and not self.is_package_constant:
            lacking = incomplete if self._is_replaceable() else error
            raise lacking(
                "N018",
                f"`{show(self.path)}` has the partial class `{node.title}`",
                self.span,
                help="use a complete class, or redeclare the component with one",
                rule='Modelica 3.6, "Partial Classes"',
            )

    def _is_replaceable(self) -> bool:
        """Can a user of the class give this component another class? Also through a replaceable
        package or class that the name of its class begins with."""
        original = self.element.original or self.element.decl
        if original.prefixes.replaceable or self.class_element.prefixes.replaceable:
            return True
        name = self.element.decl.type.parts[0]
        found = self.session.lookup.first(name, self.element.home)
        return (
            found is not None
            and isinstance(found[0], ClassElement)
            and found[0].prefixes.replaceable
        )

    def _check_recursion(self) -> None:
        tree = self.class_element.definition.tree
        depth = 0
        holder: ClassNode | None = self.owner
        repeated = 0
        conditional = self.element.decl.condition is not None
        while holder is not None:
            depth += 1
            if holder.definition.tree is tree:
                repeated += 1
            container = holder.container
            conditional = conditional or (
                container is not None and container.element.decl.condition is not None
            )
            holder = holder.parent
        name = show(self.class_element.definition.name)
        if repeated and (depth > MAX_DEPTH or not (conditional or self._has_array())):
            raise contains_itself(name, show(self.path), self.span)
        if depth > MAX_DEPTH:
            raise nested_too_deep(name, MAX_DEPTH, "used", self.span)

    def _has_array(self) -> bool:
        """An array of size zero may end a recursion."""
        holder: ComponentInstance | None = self
        while holder is not None:
            if holder.element.decl.subscripts:
                return True
            holder = holder.owner.container
        return False

    # ------------------------------------------------------------ inner and outer

    def resolved(self) -> ComponentInstance:
        """The component meant: for a pure `outer` one the `inner` one it stands for."""
        if not self.is_outer or self.is_inner:
            return self
        return self.inner()

    def as_seen_inside(self) -> ComponentInstance:
        """What the name means in the class that declares it. `inner outer` is two components under
        one name, and there it is the outer one (Modelica 3.6, "Simultaneous Inner/Outer Declarations")."""
        if self.is_outer and self.is_inner and self.owner.parent is not None:
            return self.inner()
        return self

    def inner(self) -> ComponentInstance:
        """The nearest `inner` component of this name around the instance that holds this one."""
        if self._inner is None:
            self._inner = self._find_inner() or self._make_inner()
        return self._inner

    def inner_missing(self) -> Diagnostic:
        class_name = show(self.class_element.definition.name)
        return inner_missing(self.name, self.owner.title, class_name, self.span)

    def _find_inner(self) -> ComponentInstance | None:
        holder = self.owner.parent
        while holder is not None:
            element = holder.instance.find(self.name)
            if isinstance(element, ComponentElement) and element.decl.prefixes.inner:
                return component_of(holder.instance, self.name)
            holder = holder.instance.parent
        return self.session.model.component_cache.get(f"inner {self.name}")

    def _make_inner(self) -> ComponentInstance:
        """Modelica 3.6, "Instance Hierarchy Name Lookup of Inner Declarations": where the class is
        complete a default inner component is made at the top, with a warning."""
        element = self.class_element
        if element.definition.tree.partial or self.owner.path is None:
            lacking = self.inner_missing()
            # whoever uses a class with an outer component, or a class around it, has the inner one
            is_of_model = self.owner.path is not None or self.owner is self.session.model
            raise (IncompleteError if is_of_model else CompileError)(lacking)
        model = self.session.model
        made = ComponentInstance(model, _as_inner(self.element))
        model.component_cache[f"inner {self.name}"] = made
        model.extra_components[self.name] = made
        self.session.inner_added[self.name] = self
        self.session.warnings.append(
            inner_added(self.name, show(element.definition.name), self.span, model.title)
        )
        return made


def _is_discrete_type(simple: SimpleType) -> bool:
    scalar = simple.scalar
    return isinstance(scalar, EnumType | ExternalObjectType) or scalar.name in (
        "Integer",
        "Boolean",
        "String",
        "Clock",
    )


def _as_inner(element: ComponentElement) -> ComponentElement:
    decl = element.decl._replace(
        prefixes=element.decl.prefixes._replace(inner=True, outer=False),
        condition=None,
        modification=None,
    )
    return ComponentElement(element.name, decl, element.home, NO_MODIFIER, False)


def component_of(node: ClassNode, name: str) -> ComponentInstance:
    """The component `name` of an instance; it must exist as an element."""
    found = find_component(node, name)
    assert found is not None, (node.title, name)
    return found


def find_component(node: ClassNode, name: str) -> ComponentInstance | None:
    instance = node.instance
    component = instance.component_cache.get(name)
    if component is not None:
        return component
    component = instance.extra_components.get(name)
    if component is not None:
        return component
    element = instance.find(name)
    if not isinstance(element, ComponentElement):
        return None
    component = ComponentInstance(instance, element)
    instance.component_cache[name] = component
    return component


def components_of(node: ClassNode) -> list[ComponentInstance]:
    """All components of an instance, in order, those that exist or not."""
    found = [component_of(node, name) for name in node.instance.component_elements()]
    found.extend(c for c in node.instance.extra_components.values() if c not in found)
    return found
