"""Modifiers of constraining clauses: `replaceable model P = Gear constrainedby Pump(speed = 2)`.

They hold for the declaration itself and for whatever is redeclared in its place, below what either
says itself; clauses of several redeclarations on top of each other add up, the outer one wins.
Modelica 3.6, "Constraining Type".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from freewheel.instance.modify import merge, modifier_of
from freewheel.instance.nodes import NO_MODIFIER, Definition, Modifier, Redeclare
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode


def of_clause(clause: syn.Constraining | None, scope: ClassNode) -> Modifier:
    return NO_MODIFIER if clause is None else modifier_of(clause.modification, scope)


def of_redeclarations(redeclare: Redeclare | None) -> Modifier:
    """What the clauses of a redeclaration and of those it takes the place of say."""
    found = NO_MODIFIER
    while redeclare is not None:
        clause = of_clause(redeclare.element.constraining, redeclare.scope)
        found = merge(found, clause, check_final=False)
        redeclare = redeclare.below
    return found


def own_modifier(definition: Definition, scope: ClassNode) -> Modifier:
    """`(speed = 3)` of `model P = Gear(speed = 3)`."""
    body = definition.tree.body
    return modifier_of(body.modification, scope) if isinstance(body, syn.ShortBody) else NO_MODIFIER


def unsaid(modifier: Modifier, own: Modifier) -> Modifier:
    """The part of a modifier about which `own` says nothing."""
    if modifier.is_empty or own.is_empty:
        return modifier
    subs = {name: unsaid(sub, own.sub(name)) for name, sub in modifier.subs.items()}
    return replace(
        modifier,
        binding=None if own.binding is not None else modifier.binding,
        subs={name: sub for name, sub in subs.items() if not sub.is_empty},
        redeclare=None if own.redeclare is not None else modifier.redeclare,
    )
