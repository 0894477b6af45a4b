"""A declaration becomes an element: modifiers from around it are merged, redeclarations take its place.

In: a declaration as written in a class. Out: `ComponentElement` or `ClassElement`, with the scope in
which its type is looked up: the `Pump` of `m(redeclare Pump p)` is looked up where that is written.
Modelica 3.6, "Redeclaration" and "Constraining Type".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from freewheel.instance.constraining import of_clause, of_redeclarations, own_modifier, unsaid
from freewheel.instance.diagnostics.classes import not_replaceable
from freewheel.instance.modify import merge, modifier_of, redeclared_modifier, without_redeclare
from freewheel.instance.nodes import (
    NO_MODIFIER,
    ClassElement,
    ComponentElement,
    Definition,
    ElementBox,
    Modifier,
)
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode


def component_element(scope: ClassNode, decl: syn.Component) -> ComponentElement:
    outer = scope.modifier.sub(decl.name)
    inner = modifier_of(decl.modification, scope)
    if decl.prefixes.final:
        inner = Modifier(inner.binding, inner.subs, inner.redeclare, inner.each, True, inner.place)
    kept = inner  # what a redeclaration keeps: see "Constraining Type" in Modelica 3.6
    if decl.constraining is not None:
        kept = of_clause(decl.constraining, scope)
        inner = merge(inner, kept, check_final=False)
    redeclare = outer.redeclare
    if redeclare is None or not isinstance(redeclare.element, syn.Component):
        return ComponentElement(decl.name, decl, scope, merge(outer, inner), decl.protected)
    new = redeclare.element
    is_open = decl.prefixes.replaceable or decl.prefixes.redeclare or _only_sizes(decl, new)
    if decl.prefixes.final or not is_open:
        _check_replaceable(scope, decl.prefixes, decl.name, outer)
    modifier = merge(without_redeclare(outer), redeclared_modifier(redeclare, new))
    kept = merge(of_redeclarations(redeclare), without_redeclare(kept), check_final=False)
    modifier = merge(modifier, kept, check_final=False)
    return ComponentElement(decl.name, new, redeclare.scope, modifier, decl.protected, decl, scope)


def _only_sizes(decl: syn.Component, new: syn.Component) -> bool:
    """`redeclare Real c[3]` for `Real c[:]`: sizes may be redeclared of what is not replaceable."""
    before, now = ((*d.subscripts, *d.type_subscripts) for d in (decl, new))
    same_type = decl.type.parts[-1] == new.type.parts[-1]
    return same_type and len(before) == len(now) > 0


def _check_replaceable(
    scope: ClassNode, prefixes: syn.Prefixes, name: str, outer: Modifier
) -> None:
    """Redeclaring what is not replaceable is an error, except for the harmless repetition of
    the same element that old libraries contain."""
    if prefixes.final or not prefixes.replaceable:
        raise not_replaceable(name, scope.title, outer.place)


def class_element(scope: ClassNode, nested: syn.NestedClass) -> ClassElement:
    name = nested.definition.name
    entry = scope.definition.entry.nested(name) if scope.definition.entry is not None else None
    definition = Definition((*scope.definition.name, name), nested.definition, scope.source, entry)
    return declared_class(scope, name, definition, nested.prefixes, nested, nested.protected)


def declared_class(
    scope: ClassNode,
    name: str,
    definition: Definition,
    prefixes: syn.Prefixes,
    nested: syn.NestedClass | None,
    protected: bool,
) -> ClassElement:
    outer = scope.modifier.sub(name)
    redeclare = outer.redeclare
    clause = nested.constraining if nested is not None else None
    kept, own = of_clause(clause, scope), own_modifier(definition, scope)
    if redeclare is None or redeclare.definition is None:
        modifier = merge(outer, unsaid(kept, own), check_final=False)
        return ClassElement(name, definition, scope, modifier, protected, prefixes)
    if clause is None and nested is not None:
        kept = own
    kept = merge(of_redeclarations(redeclare), kept, check_final=False)
    kept = unsaid(kept, own_modifier(redeclare.definition, redeclare.scope))
    modifier = merge(without_redeclare(outer), kept, check_final=False)
    box = redeclare.original
    first = ClassElement(name, definition, scope, NO_MODIFIER, protected, prefixes)
    _fill(box, first)
    enclosing = redeclare.scope
    return ClassElement(name, redeclare.definition, enclosing, modifier, protected, prefixes, box)


def _fill(box: ElementBox | None, first: ClassElement) -> None:
    """Say what each of the redeclarations on top of each other extends; at the bottom is `first`."""
    while box is not None and box.element is None:
        if box.below is None or box.below.definition is None:
            box.element = first
            return
        lower = box.below
        assert lower.definition is not None
        box.element = replace(
            first,
            definition=lower.definition,
            enclosing=lower.scope,
            extends_original=lower.original,
        )
        box = lower.original
