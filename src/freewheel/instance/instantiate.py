"""The room's public function: a class name goes in, the instance of that model comes out.

    instance = instantiate(library, ("Modelica", "Blocks", "Examples", "PID_Controller"))

The instance is lazy: the flat room walks it and asks for what it needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.names import ClassName, Name, read, show
from freewheel.base.near import did_you_mean
from freewheel.base.source import Source
from freewheel.formula.faults import NotConstant
from freewheel.instance.classes import ClassNode
from freewheel.instance.diagnostics.classes import not_simulatable, partial_model
from freewheel.instance.diagnostics.names import (
    unknown_member_class,
    unknown_modified_name,
    unknown_package,
    unknown_parameter,
)
from freewheel.instance.given import collected, given
from freewheel.instance.lookup import hint_of_standard
from freewheel.instance.modify import merge
from freewheel.instance.nodes import NO_MODIFIER, Binding, ClassElement, Definition, Modifier
from freewheel.instance.session import Session
from freewheel.syntax.parser import parse, parse_expression

if TYPE_CHECKING:
    from freewheel.instance.library import Library

SIMULATABLE = ("model", "block", "class")


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """A model put together: its class node (the root of the component tree) and the session."""

    name: ClassName
    node: ClassNode
    session: Session

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(self.session.warnings)


def instantiate(
    library: Library, name: ClassName, modifications: Mapping[str, str] | None = None
) -> Instance:
    """`modifications` are values as a user writes them: `{"r1.R": "10"}`."""
    session = Session(library)
    element = find_class(session, name)
    modifier = _user_modifier(session, modifications or {})
    node = _root(session, element, modifier)
    _check_class(node)
    for label, sub in modifier.subs.items():
        if node.find(label) is None:
            near = get_close_matches(label, list(node.component_elements()), 3)
            raise unknown_parameter(
                node.title,
                label,
                sub.place,
                "did you mean " + " or ".join(near) + "?"
                if near
                else "look at `freewheel flatten`",
            )
    for path, sub in session.given.items():
        _check_given(session, path, sub)
    return Instance(name, node, session)


def _check_given(session: Session, path: Name, modifier: Modifier) -> None:
    """An element of an array that a value is given for is there."""
    try:
        component, index = session.values.component_and_index(path)
        dims = component.dims()
        is_there = len(index) == len(dims) and all(
            1 <= at <= size for at, size in zip(index, dims, strict=True)
        )
    except NotConstant:
        is_there = False
    if not is_there:
        raise unknown_modified_name(session.model.title, show(path), modifier.place)


def instantiate_part(library: Library, name: ClassName) -> Instance:
    """A model that may be partial: to be looked at, not to be simulated."""
    session = Session(library)
    return Instance(name, _root(session, find_class(session, name)), session)


def _root(session: Session, element: ClassElement, modifier: Modifier = NO_MODIFIER) -> ClassNode:
    node = ClassNode(
        session, element.definition, element.enclosing, merge(modifier, element.modifier), path=()
    ).with_original(element.extends_original)
    session.model = node
    return node


def instantiate_as_component(library: Library, name: ClassName) -> Instance:
    """A model with one component of the class: a connector, a record, a type, an enumeration."""
    session = Session(library)
    find_class(session, name)
    text = f"model Holder .{show(name)} {name[-1]}; end Holder;"
    source = Source.from_text(text, "<component>")
    definition = Definition(("Holder",), parse(source).classes[0], source)
    session.model = ClassNode(session, definition, session.root, path=())
    return Instance(("Holder",), session.model, session)


def find_class(session: Session, name: ClassName) -> ClassElement:
    element = session.lookup.top(name[0])
    if element is None:
        raise unknown_package(show(name), name[0])
    found = element
    for position, part in enumerate(name[1:], 1):
        node = session.lookup.node(found)
        below = node.find(part)
        if not isinstance(below, ClassElement):
            known = (
                list(node.definition.entry.nested_names())
                if node.definition.entry is not None
                else []
            )
            help = hint_of_standard(part, node, known) or did_you_mean(part, known)
            raise unknown_member_class(
                show(name), show(name[:position]), part, help or "check the name"
            )
        found = below
    return found


def _check_class(node: ClassNode) -> None:
    kind = node.restricted_kind()
    if kind not in SIMULATABLE:
        raise not_simulatable(node.title, kind, node.definition.span)
    if node.definition.tree.partial:
        raise partial_model(node.title, node.definition.span)


def _user_modifier(session: Session, modifications: Mapping[str, str]) -> Modifier:
    """Values given from outside; names in them are looked up from the top level."""
    nothing = parse(Source.from_text("model M end M;")).classes[0]
    parts: list[tuple[Name, Modifier]] = []
    for label, text in modifications.items():
        source = Source.from_text(text, f"<value of {label}>")
        scope = ClassNode(session, Definition(("command line",), nothing, source), session.root)
        binding = Binding(parse_expression(text, source.path), scope, is_from_outside=True)
        parts.append(given(read(label), binding))
    found = collected(parts)
    modifier = found.pop((), NO_MODIFIER)
    session.given = found
    return modifier
