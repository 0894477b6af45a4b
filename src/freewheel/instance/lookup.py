"""Which class or component a name means.

Search order for the first identifier (Modelica 3.6, "Static Name Lookup"): members of the class,
own before inherited; its qualified imports; its unqualified imports; then the same in the enclosing
class, unless the class is encapsulated; at last the top level. The identifiers after the first are
members of what was found.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from freewheel.base.names import ClassName, show
from freewheel.base.near import did_you_mean
from freewheel.base.source import Span
from freewheel.instance.classes import ClassNode
from freewheel.instance.diagnostics.names import (
    imported_from_two,
    imported_twice,
    not_a_class,
    unknown_class,
    unknown_import,
    unknown_member,
)
from freewheel.instance.nodes import ClassElement, ComponentElement, Definition, Element
from freewheel.instance.standard_names import FOLDER, TOPS, standard_hint
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.session import Session


SHOWN_MEMBERS = 6  # in a message
# Types of other languages.
OTHER_TYPES = {
    **dict.fromkeys(("double", "float", "number", "Float", "Double", "Number"), "Real"),
    **dict.fromkeys(("int", "long", "short", "unsigned", "Int"), "Integer"),
    **dict.fromkeys(("bool", "Bool", "logical"), "Boolean"),
    **dict.fromkeys(("char", "str", "text"), "String"),
}


class Lookup:
    """Name lookup over one library; memos live in the class nodes."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._nodes: dict[ClassElement, ClassNode] = {}
        self._top: dict[str, ClassElement | None] = {}
        self._through: set[tuple[ClassNode, str]] = set()  # components a type is looked up in

    # ------------------------------------------------------------ nodes of classes

    def node(self, element: ClassElement) -> ClassNode:
        """The node of a class element as such: a package, a function, a record type."""
        node = self._nodes.get(element)
        if node is None:
            node = ClassNode(
                self._session, element.definition, element.enclosing, element.modifier
            ).with_original(element.extends_original)
            self._nodes[element] = node
            if element.prefixes.replaceable and node.is_partial():
                self._session.is_left_open = True
        return node

    # ------------------------------------------------------------ first identifiers

    def top(self, name: str) -> ClassElement | None:
        """A class at the top level: predefined, or of the library."""
        if name in self._top:
            return self._top[name]
        element = self._session.predefined.get(name)
        if element is None:
            entry = self._session.library.top(name)
            if entry is not None:
                definition = Definition(entry.name, entry.tree, entry.source, entry)
                element = ClassElement(
                    name, definition, self._session.root, self._session.no_modifier, False
                )
        self._top[name] = element
        return element

    def first(self, name: str, scope: ClassNode) -> tuple[Element, ClassNode] | None:
        """What an identifier means in a scope, and the class node that holds it."""
        node: ClassNode | None = scope
        while node is not None and node is not self._session.root:
            element = node.find(name)
            if isinstance(element, ClassElement) and element.prefixes.outer:
                return self._inner_class(name, node) or (element, node)
            if element is not None:
                return element, node
            imported = self._imported(name, node)
            if imported is not None:
                return imported
            if node.is_encapsulated:
                predefined = self._session.predefined.get(name)
                return (predefined, self._session.root) if predefined is not None else None
            node = node.enclosing
        top = self.top(name)
        return (top, self._session.root) if top is not None else None

    def _inner_class(self, name: str, node: ClassNode) -> tuple[Element, ClassNode] | None:
        """What an `outer` class stands for: the nearest `inner` one in the tree of instances."""
        holder = node.instance.parent
        while holder is not None:
            element = holder.instance.find(name)
            if isinstance(element, ClassElement) and element.prefixes.inner:
                return element, holder.instance
            holder = holder.instance.parent
        return None

    def _imported(self, name: str, node: ClassNode) -> tuple[Element, ClassNode] | None:
        if name in node.import_cache:
            return node.import_cache[name]
        found = self._search_imports(name, node)
        node.import_cache[name] = found
        return found

    def _search_imports(self, name: str, node: ClassNode) -> tuple[Element, ClassNode] | None:
        body = node.body
        if not isinstance(body, syn.LongBody):
            return None
        imports = [e for e in body.elements if isinstance(e, syn.Import)]
        self._check_imports(name, imports, node)
        for clause in imports:
            if clause.everything:
                continue
            if clause.names:
                if name in clause.names:
                    return self._import(clause.name, (name,), node)
            elif name == (clause.alias or clause.name.parts[-1]):
                return self._import(clause.name, (), node)
        return self._search_packages(name, [e for e in imports if e.everything], node)

    def _search_packages(
        self, name: str, imports: list[syn.Import], node: ClassNode
    ) -> tuple[Element, ClassNode] | None:
        """Look in packages imported with `.*`; a name that two of them have means neither."""
        found: list[tuple[Element, ClassNode, syn.Import]] = []
        for clause in imports:
            package, _ = self._import(clause.name, (), node)
            if not isinstance(package, ClassElement):
                continue
            holder = self.node(package)
            element = holder.find(name)
            if element is None or element.protected:
                continue
            if not any(element is other for other, *_ in found):
                found.append((element, holder, clause))
        if len(found) > 1:
            first, second = (show(clause.name.parts) for *_, clause in found[:2])
            raise imported_from_two(name, node.title, first, second, node.span(found[1][2]))
        return found[0][:2] if found else None

    def _check_imports(self, name: str, imports: list[syn.Import], node: ClassNode) -> None:
        """One name cannot be imported from two places."""
        found: dict[ClassName, syn.Import] = {}
        for clause in imports:
            if name in clause.names:
                found.setdefault((*clause.name.parts, name), clause)
            elif name == (clause.alias or clause.name.parts[-1]) and not clause.everything:
                found.setdefault(clause.name.parts, clause)
        if len(found) > 1:
            raise imported_twice(name, node.title, node.span(list(found.values())[1]))

    def _import(
        self, name: syn_expr.TypeName, tail: tuple[str, ...], node: ClassNode
    ) -> tuple[Element, ClassNode]:
        """Imported names are always looked up from the top."""
        parts = (*name.parts, *tail)
        place = node.span(name)
        element = self.top(parts[0])
        if element is None:
            raise unknown_import(show(parts), parts[0], place, self._library_hint(parts[0]))
        return self.members(element, self._session.root, parts[1:], parts[:1], place)

    # ------------------------------------------------------------ the identifiers after the first

    def members(
        self, element: Element, holder: ClassNode, rest: ClassName, before: ClassName, place: Span
    ) -> tuple[Element, ClassNode]:
        """Follow `rest` into classes; components may stand only at the end. Also says who holds it."""
        for position, name in enumerate(rest):
            if not isinstance(element, ClassElement):
                raise self._not_a_class((*before, *rest[:position]), place)
            node = self.node(element)
            below = node.find(name)
            if below is None:
                raise self.missing(name, (*before, *rest[:position]), node, place)
            element, holder = below, node
        return element, holder

    def class_named(self, type_name: syn_expr.TypeName, scope: ClassNode) -> ClassElement:
        """The class a type name means; raises when there is none."""
        return self._class(type_name, scope, scope)

    def base_class(
        self, type_name: syn_expr.TypeName, scope: ClassNode, derived: ClassNode
    ) -> ClassElement:
        """The same for an extends clause (inherited members are not searched: see `bases`)."""
        return self._class(type_name, scope, derived)

    def _class(
        self, type_name: syn_expr.TypeName, scope: ClassNode, asking: ClassNode
    ) -> ClassElement:
        parts = type_name.parts
        place = scope.span(type_name)
        found: Element | None
        if type_name.absolute:
            found = self.top(parts[0])
        else:
            pair = self.first(parts[0], scope)
            found = pair[0] if pair is not None else None
            if isinstance(found, ComponentElement) and len(parts) > 1 and pair is not None:
                return self._class_in_component(pair[1], parts, place)
        if found is None:
            raise self._unknown_class(parts, scope, place)
        element, _ = self.members(found, self._session.root, parts[1:], parts[:1], place)
        if not isinstance(element, ClassElement):
            raise self._not_a_class(parts, place)
        return element

    def _class_in_component(self, holder: ClassNode, parts: ClassName, place: Span) -> ClassElement:
        """`world.gravityAcceleration`: a class reached through a component."""
        from freewheel.instance.components import find_component

        node = holder.instance
        if (node, parts[0]) in self._through:  # the type of `A` is `A.B`: that `A` is itself
            raise self._not_a_class(parts[:1], place)
        self._through.add((node, parts[0]))
        try:
            for position, name in enumerate(parts[:-1]):
                component = find_component(node, name)
                if component is None:
                    raise self.missing(name, parts[:position], node, place)
                if component.simple is not None:
                    raise self._not_a_class(parts[: position + 1], place)
                node = component.structured_node()
        finally:
            self._through.discard((holder.instance, parts[0]))
        element = node.find(parts[-1])
        if not isinstance(element, ClassElement):
            raise self.missing(parts[-1], parts[:-1], node, place)
        return element

    # ------------------------------------------------------------ errors

    def _unknown_class(self, parts: ClassName, scope: ClassNode, place: Span) -> Exception:
        return unknown_class(
            show(parts), parts[0], scope.title, place, self._suggest(parts[0], scope)
        )

    def missing(self, name: str, before: ClassName, node: ClassNode, place: Span) -> Exception:
        known = list(node.component_elements())
        if node.definition.entry is not None:
            known.extend(node.definition.entry.nested_names())
        some = ", ".join(f"`{n}`" for n in known[:SHOWN_MEMBERS])
        members = f"`{show(before)}` has {some}" if some else f"`{show(before)}` has no members"
        more = " and more" if len(known) > SHOWN_MEMBERS else ""
        help_text = (
            hint_of_standard(name, node, known) or did_you_mean(name, known) or members + more
        )
        return unknown_member(show(before), name, place, help_text)

    def _not_a_class(self, parts: ClassName, place: Span) -> Exception:
        return not_a_class(show(parts), place)

    def _suggest(self, name: str, scope: ClassNode) -> str:
        known: list[str] = []
        node: ClassNode | None = scope
        while node is not None:
            entry = node.definition.entry
            if entry is not None:
                known.extend(entry.nested_names())
            node = node.enclosing
        known.extend(("Real", "Integer", "Boolean", "String", "Modelica"))
        if name in OTHER_TYPES:
            return f"the language calls it `{OTHER_TYPES[name]}`"
        if name == "SI":
            return "add `import Modelica.Units.SI;`"
        if name in TOPS:
            return standard_hint((), name, known)
        return did_you_mean(name, known) or self._library_hint(name)

    def _library_hint(self, name: str) -> str:
        return (
            f"if `{name}` is a library, give its folder with --library or in MODELICAPATH; "
            "otherwise declare or import it"
        )


def hint_of_standard(name: str, node: ClassNode, known: list[str]) -> str:
    """For a class of the embedded library: that the real one has the name, or one like it."""
    entry = node.definition.entry
    if entry is None or not Path(entry.source.path).is_relative_to(FOLDER):
        return ""
    return standard_hint(entry.name, name, known)
