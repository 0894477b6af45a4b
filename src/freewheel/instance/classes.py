"""Classes in context: base classes merged, redeclarations applied, members found by name.

In: a definition, the class node around it, a modifier. Out: a `ClassNode` that answers which
component or class a name means *inside* it (own members first, then inherited ones). Everything is
lazy and memoised: a package of a thousand classes costs what is asked of it.

A node is either the class itself (`derived is None`) or one of its base classes, seen from the
class derived from it; `instance` is the most derived one and owns the components.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, error
from freewheel.base.names import Name, show
from freewheel.base.near import did_you_mean
from freewheel.base.source import Source, Span
from freewheel.instance.declared import class_element, component_element, declared_class
from freewheel.instance.diagnostics.classes import (
    declared_twice,
    extends_itself,
    nested_too_deep,
    nothing_to_extend,
    nothing_to_redeclare,
    too_many_bases,
)
from freewheel.instance.modify import merge, modifier_of
from freewheel.instance.nodes import (
    CONTINUOUS,
    NO_MODIFIER,
    Binding,
    ClassElement,
    ComponentElement,
    Definition,
    Element,
    ElementBox,
    Modifier,
    Placed,
    Redeclare,
)
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.components import ComponentInstance
    from freewheel.instance.session import Session

MAX_BASES = 200
MOST_BASES = 10_000  # of one class, those that are reached several ways counted each time

Deselection = syn.BreakElement | syn.BreakConnect


SHOWN_NAMES = 6  # of elements, in a message


class ClassNode:
    """A definition in its context. Mutable inside (memos), constant as seen from outside."""

    __slots__ = (
        "_bases",
        "_busy",
        "_components",
        "_elements",
        "_own_classes",
        "_own_components",
        "_redeclared",
        "base_count",
        "component_cache",
        "container",
        "definition",
        "derived",
        "deselected",
        "enclosing",
        "extra_components",
        "import_cache",
        "instance",
        "is_encapsulated",
        "modifier",
        "parent",
        "path",
        "session",
        "source",
        "variability",
    )

    def __init__(
        self,
        session: Session,
        definition: Definition,
        enclosing: ClassNode | None,
        modifier: Modifier = NO_MODIFIER,
        derived: ClassNode | None = None,
        path: Name | None = None,
        parent: ClassNode | None = None,
        container: ComponentInstance | None = None,
        variability: int = CONTINUOUS,
    ) -> None:
        self.session = session
        self.definition = definition
        self.source: Source = definition.source
        self.enclosing = enclosing
        self.modifier = modifier
        self.derived = derived
        self.instance: ClassNode = derived.instance if derived is not None else self
        self.base_count = 0
        self.path = path  # of the component this is the class of; None for classes and packages
        self.parent = parent  # the instance that holds that component
        self.container = container
        self.variability = variability
        self.is_encapsulated = definition.tree.encapsulated
        self.component_cache: dict[str, ComponentInstance] = {}
        self.extra_components: dict[str, ComponentInstance] = {}  # of an expandable connector
        self.import_cache: dict[str, tuple[Element, ClassNode] | None] = {}
        self.deselected: tuple[
            Deselection, ...
        ] = ()  # by the extends clause that brought this base
        self._bases: tuple[ClassNode, ...] | None = None
        self._busy = False
        self._elements: dict[str, Element | None] = {}
        self._components: dict[str, ComponentElement] | None = None
        self._own_components: dict[str, syn.Component] | None = None
        self._own_classes: dict[str, syn.NestedClass] = {}
        self._redeclared: dict[str, Modifier] = {}

    # ------------------------------------------------------------ facts

    @property
    def kind(self) -> str:
        return self.definition.tree.kind

    @property
    def body(self) -> syn.Body:
        return self.definition.tree.body

    @property
    def title(self) -> str:
        return show(self.definition.name)

    def span(self, node: Placed) -> Span:
        """The place of a syntax node that was written in this class."""
        return Span(self.source, node.start, node.end)

    def restricted_kind(self) -> str:
        """The kind, where a short class or plain `class` takes it from its base."""
        kind = self.kind
        if kind in ("class", "type") and isinstance(self.body, syn.ShortBody) and self.bases():
            return self.bases()[0].restricted_kind()
        return kind

    def is_partial(self) -> bool:
        """Something is left to be added, here or in a package around."""
        node: ClassNode | None = self.instance
        while node is not None:
            shown = node
            while isinstance(shown.body, syn.ShortBody) and shown.bases():
                shown = shown.bases()[0]
            if node.definition.tree.partial or shown.definition.tree.partial:
                return True
            node = node.enclosing
        return False

    # ------------------------------------------------------------ base classes

    def bases(self) -> tuple[ClassNode, ...]:
        """Base classes in the order of the extends clauses."""
        if self._bases is None:
            if self._busy:
                return ()  # names of base classes are found without inherited members
            self._busy = True
            try:
                self._bases = tuple(self._make_bases())
            finally:
                self._busy = False
            self._elements = {k: v for k, v in self._elements.items() if v is not None}
        return self._bases

    def _make_bases(self) -> Iterator[ClassNode]:
        body = self.body
        if isinstance(body, syn.ShortBody):
            assert self.enclosing is not None
            place = self.enclosing
            yield self._base(body.type, body.modification, place, self.modifier)
        elif isinstance(body, syn.LongBody):
            if body.is_extension:
                yield from self._extended_original(body)
            outer = self._with_own_redeclarations()
            for element in body.elements:
                if isinstance(element, syn.Extends):
                    yield self._base(element.type, element.modification, self, outer)

    def _base(
        self,
        type_name: syn_expr.TypeName,
        modification: syn.Modification | None,
        scope: ClassNode,
        outer: Modifier,
    ) -> ClassNode:
        found = self.session.lookup.base_class(type_name, scope, self)
        inner = modifier_of(modification, scope)
        node = self._as_base(found, merge(merge(outer, inner), found.modifier))
        if inner.subs:
            self._check_modified_names(inner, node)
        if modification is not None:
            node.deselected = _deselections(modification)
            self._check_deselected(node)
        return node

    def _as_base(self, found: ClassElement, modifier: Modifier) -> ClassNode:
        self._check_count()
        chain: ClassNode | None = self
        depth = 0
        while chain is not None:
            depth += 1
            name, place = show(found.definition.name), found.definition.span
            if chain.definition.tree is found.definition.tree:
                raise extends_itself(name, place)
            if depth > MAX_BASES:
                raise nested_too_deep(name, MAX_BASES, "extended", place)
            chain = chain.derived
        return ClassNode(
            self.session,
            found.definition,
            found.enclosing,
            modifier,
            self,
            self.path,
            self.parent,
            self.container,
            self.variability,
        ).with_original(found.extends_original)

    def _check_count(self) -> None:
        """A class that is inherited twice inherits twice: each level may double what is below."""
        self.instance.base_count += 1
        if self.instance.base_count > MOST_BASES:
            raise too_many_bases(self.instance.title, MOST_BASES, self.instance.definition.span)

    def with_original(self, box: ElementBox | None) -> ClassNode:
        if box is not None and box.element is not None:
            self._redeclared[""] = Modifier(redeclare=Redeclare(_NO_ELEMENT, self, None, box))
        return self

    def _extended_original(self, body: syn.LongBody) -> Iterator[ClassNode]:
        """`redeclare model extends X(mod)`: the base is the inherited X."""
        marker = self._redeclared.get("")
        original = (
            marker.redeclare.original.element
            if marker and marker.redeclare and marker.redeclare.original
            else None
        )
        if not isinstance(original, ClassElement):
            raise nothing_to_extend(self.definition.tree.name, self.definition.span)
        modifier = merge(
            merge(self.modifier, modifier_of(body.modification, self)), original.modifier
        )
        yield self._as_base(original, modifier)

    def _with_own_redeclarations(self) -> Modifier:
        """Elements `redeclare ...` of the body act on the inherited ones like a modifier."""
        self._read_own()
        own = {k: v for k, v in self._redeclared.items() if k}
        if not own:
            return self.modifier
        return merge(self.modifier, Modifier(None, own), check_final=False)

    def _check_modified_names(self, inner: Modifier, base: ClassNode) -> None:
        for name, sub in inner.subs.items():
            if base.find(name) is None and not base.is_simple():
                raise unknown_modified(name, sub, base)

    def _check_deselected(self, base: ClassNode) -> None:
        for argument in base.deselected:
            if isinstance(argument, syn.BreakElement) and base.find(argument.name) is None:
                raise unknown_modified(argument.name, Modifier(place=self.span(argument)), base)

    def drops(self, name: str) -> bool:
        """Whether the extends clause that brought this base class leaves the element out."""
        return any(isinstance(a, syn.BreakElement) and a.name == name for a in self.deselected)

    # ------------------------------------------------------------ members

    def _read_own(self) -> None:
        if self._own_components is not None:
            return
        self._own_components = {}
        body = self.body
        if not isinstance(body, syn.LongBody):
            return
        for element in body.elements:
            if isinstance(element, syn.Component):
                self._read_component(element)
            elif isinstance(element, syn.NestedClass):
                self._read_class(element)

    def _read_component(self, element: syn.Component) -> None:
        assert self._own_components is not None
        name = element.name
        if element.prefixes.redeclare:
            place = Span(self.source, element.start, element.end)
            self._redeclared[name] = Modifier(redeclare=Redeclare(element, self), place=place)
            return
        if name in self._own_components or name in self._own_classes:
            self._complain_duplicate(name, element)
        self._own_components[name] = element

    def _read_class(self, element: syn.NestedClass) -> None:
        assert self._own_components is not None
        name = element.definition.name
        if element.prefixes.redeclare or _extends_inherited(element.definition):
            definition = Definition((*self.definition.name, name), element.definition, self.source)
            place = Span(self.source, element.start, element.end)
            self._redeclared[name] = Modifier(
                redeclare=Redeclare(element, self, definition, ElementBox()), place=place
            )
            return
        if name in self._own_components or name in self._own_classes:
            self._complain_duplicate(name, element)
        self._own_classes[name] = element

    def _complain_duplicate(self, name: str, element: syn.Component | syn.NestedClass) -> None:
        assert self._own_components is not None
        earlier = self._own_components.get(name) or self._own_classes.get(name)
        start = (
            element.start if isinstance(element, syn.Component) else element.definition.name_start
        )
        labels = [Label(Span(self.source, start, start + len(name)), "declared again here")]
        if earlier is not None:
            first = (
                earlier.start
                if isinstance(earlier, syn.Component)
                else earlier.definition.name_start
            )
            labels.append(Label(Span(self.source, first, first + len(name)), "first declared here"))
        raise declared_twice(name, self.title, tuple(labels))

    def find(self, name: str) -> Element | None:
        """The member of that name, own or inherited; not those of enclosing classes."""
        if name in self._elements:
            return self._elements[name]
        element = self._find(name)
        if not self._busy:
            self._elements[name] = element
        return element

    def _find(self, name: str) -> Element | None:
        self._read_own()
        assert self._own_components is not None
        own = self._own_components.get(name)
        if own is not None:
            return component_element(self, own)
        nested = self._own_classes.get(name)
        if nested is not None:
            return class_element(self, nested)
        entry = self.definition.entry
        if entry is not None and name not in self._redeclared:
            below = entry.nested(name)
            if below is not None:
                definition = Definition(below.name, below.tree, below.source, below)
                return declared_class(self, name, definition, syn.NO_PREFIXES, None, False)
        return self._inherited(name)

    def _inherited(self, name: str) -> Element | None:
        for position, base in enumerate(self.bases()):
            element = base.find(name)
            if element is not None and not base.drops(name):
                if not element.protected and position in _protected_extends(self.body):
                    return _as_protected(element)
                return element
        if name in self._redeclared and not self._busy:
            return self._lonely_redeclaration(name)
        return None

    def _lonely_redeclaration(self, name: str) -> Element:
        """`redeclare X` with nothing inherited under that name."""
        place = self._redeclared[name].place
        raise nothing_to_redeclare(name, self.title, place)

    # ------------------------------------------------------------ all components

    def component_elements(self) -> dict[str, ComponentElement]:
        """Components in declaration order, inherited ones where their extends clause stands."""
        if self._components is not None:
            return self._components
        found = self._find_components()
        if not self._busy:
            self._components = found
        return found

    def _find_components(self) -> dict[str, ComponentElement]:
        found: dict[str, ComponentElement] = {}
        body = self.body
        if isinstance(body, syn.ShortBody):
            for base in self.bases():
                found.update(base.component_elements())
            return found
        if not isinstance(body, syn.LongBody):
            return found
        bases = iter(self.bases())
        if body.is_extension and (first := next(bases, None)) is not None:
            found.update(first.component_elements())
        for element in body.elements:
            if isinstance(element, syn.Extends):
                extended = next(bases, None)
                if extended is None:  # asked while the base classes are being looked up
                    continue
                for name, inherited in extended.component_elements().items():
                    if not extended.drops(name):
                        self._add_inherited(found, name, inherited, element.protected)
            elif isinstance(element, syn.Component) and not element.prefixes.redeclare:
                own = self.find(element.name)
                assert isinstance(own, ComponentElement)
                if element.name not in found:
                    found[element.name] = own
                elif found[element.name].decl.type.parts[-1] != element.type.parts[-1]:
                    raise self._differs_from_inherited(element, found[element.name])
            elif isinstance(element, syn.Component):
                self.find(element.name)  # what is redeclared must be inherited
        return found

    def _differs_from_inherited(
        self, own: syn.Component, inherited: ComponentElement
    ) -> CompileError:
        place = Span(self.source, own.start, own.start + len(own.name))
        labels = (Label(place, "declared here"), Label(inherited.span, "and inherited from here"))
        return CompileError(
            Diagnostic(
                "N011",
                f"`{own.name}` is declared in `{self.title}` and inherited, with different types",
                labels,
                help="rename one of the two, or write `redeclare` before the own one",
                rule='Modelica 3.6, "Inheritance -- Extends Clause"',
            )
        )

    def _add_inherited(
        self,
        found: dict[str, ComponentElement],
        name: str,
        element: ComponentElement,
        protected: bool,
    ) -> None:
        """Inheriting the same element twice is fine as long as both are the same declaration."""
        if name in found:
            return
        found[name] = replace(element, protected=True) if protected else element

    def is_simple(self) -> bool:
        """A type that ends in Real, Integer, ... or an enumeration."""
        return self.session.simple_types.of_node(self) is not None

    # ------------------------------------------------------------ sections

    def sections(self) -> Iterator[tuple[ClassNode, syn.Section]]:
        """Equation and algorithm sections with the class they stand in, base classes first."""
        for base in self.bases():
            yield from base.sections()
        if isinstance(self.body, syn.LongBody):
            for section in self.body.sections:
                yield self, section

    def deselections(self) -> Iterator[Deselection]:
        """What the extends clauses between this base class and the instance leave out."""
        node: ClassNode | None = self
        while node is not None:
            yield from node.deselected
            node = node.derived

    def external(self) -> tuple[ClassNode, syn.External] | None:
        if isinstance(self.body, syn.LongBody) and self.body.external is not None:
            return self, self.body.external
        return next(
            (found for base in self.bases() if (found := base.external()) is not None), None
        )

    def lineage(self) -> Iterator[ClassNode]:
        """This class, then its base classes, depth first."""
        yield self
        for base in self.bases():
            yield from base.lineage()

    def binding(self) -> Binding | None:
        return self.modifier.binding


_NO_ELEMENT = syn.Component(
    0, 0, False, syn.NO_PREFIXES, syn_expr.TypeName(0, 0, ()), (), "", (), None, None, None, None
)


def _extends_inherited(definition: syn.ClassDef) -> bool:
    return isinstance(definition.body, syn.LongBody) and definition.body.is_extension


def _protected_extends(body: syn.Body) -> frozenset[int]:
    if not isinstance(body, syn.LongBody):
        return frozenset()
    shift = 1 if body.is_extension else 0
    clauses = [e for e in body.elements if isinstance(e, syn.Extends)]
    return frozenset(k + shift for k, clause in enumerate(clauses) if clause.protected)


def _as_protected(element: Element) -> Element:
    return replace(element, protected=True)


def _deselections(modification: syn.Modification) -> tuple[Deselection, ...]:
    kinds = (syn.BreakElement, syn.BreakConnect)
    return tuple(a for a in modification.args if isinstance(a, kinds))


def unknown_modified(name: str, modifier: Modifier, node: ClassNode) -> CompileError:
    """The error for `r(Q = 1)` where class `Resistor` has no `Q`."""
    known = list(node.component_elements())
    some = ", ".join(f"`{n}`" for n in known[:SHOWN_NAMES])
    hint = did_you_mean(name, known) or (f"it has {some}" if some else "it has no elements")
    return error(
        "N010",
        f"`{node.title}` has no element `{name}` to modify",
        modifier.place or node.definition.span,
        help=hint,
        rule='Modelica 3.6, "Modifications"',
    )
