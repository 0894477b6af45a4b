"""Modifiers: made from syntax, merged so that the outer one wins, handed down to array elements.

Resistor r(R = 5)  with  m(r(R = 10))   ->   at m.r: binding 10 (scope: where `m` was declared)
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.base.source import Span
from freewheel.instance.diagnostics.classes import modified_twice
from freewheel.instance.nodes import (
    NO_MODIFIER,
    NOT_EACH,
    OWN_LIST,
    Binding,
    Definition,
    Each,
    Modifier,
    Redeclare,
)
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode


def modifier_of(modification: syn.Modification | None, scope: ClassNode) -> Modifier:
    """The modifier that a modification written in `scope` means."""
    if modification is None:
        return NO_MODIFIER
    return _modifier(modification, scope, NOT_EACH, final=False, place=None)


def _modifier(
    modification: syn.Modification, scope: ClassNode, each: Each, final: bool, place: Span | None
) -> Modifier:
    binding = None
    if modification.binding is not None:
        binding = Binding(modification.binding, scope, (), each, final, bool(each))
    subs: dict[str, Modifier] = {}
    for argument in modification.args:
        if isinstance(argument, syn.ElementMod):
            _add(subs, argument.name[0], _of_element(argument, scope), scope, argument)
        elif isinstance(argument, syn.Redeclaration):
            name, modifier = _of_redeclaration(argument, scope)
            _add(subs, name, modifier, scope, argument)
    beside = frozenset(subs) if binding is not None else frozenset()
    return Modifier(binding, subs, None, each, final, place, beside)


def _of_element(argument: syn.ElementMod, scope: ClassNode) -> Modifier:
    place = Span(scope.source, argument.start, argument.end)
    inner = argument.modification
    names = argument.name[1:]
    each = OWN_LIST if argument.each else NOT_EACH
    if inner is None:
        modifier = Modifier(None, {}, None, each, argument.final, place)
    else:
        modifier = _modifier(inner, scope, each, argument.final, place)
    if names and each:
        modifier = _free(modifier)
    for at, name in enumerate(reversed(names), 1):  # a.b.c = 1 means a(b(c = 1))
        flags = each if at == len(names) else NOT_EACH
        modifier = Modifier(None, {name: modifier}, None, flags, False, place)
    return modifier


def _free(modifier: Modifier) -> Modifier:
    """`each a.b = 1`: the word belongs to `a`, and `b` may still be an array of another size."""
    binding = modifier.binding
    if binding is not None:
        binding = replace(binding, each=NOT_EACH)
    return replace(modifier, binding=binding, each=NOT_EACH)


def _of_redeclaration(argument: syn.Redeclaration, scope: ClassNode) -> tuple[str, Modifier]:
    element = argument.element
    place = Span(scope.source, argument.start, argument.end)
    prefixes = element.prefixes
    each = OWN_LIST if prefixes.each else NOT_EACH
    if isinstance(element, syn.Component):
        redeclare = Redeclare(element, scope)
        return element.name, Modifier(None, {}, redeclare, each, prefixes.final, place)
    definition = Definition(
        (*scope.definition.name, element.definition.name), element.definition, scope.source
    )
    redeclare = Redeclare(element, scope, definition)
    return element.definition.name, Modifier(None, {}, redeclare, each, prefixes.final, place)


def _add(
    subs: dict[str, Modifier],
    name: str,
    modifier: Modifier,
    scope: ClassNode,
    argument: syn.Argument,
) -> None:
    earlier = subs.get(name)
    if earlier is None:
        subs[name] = modifier
        return
    if earlier.binding is not None and modifier.binding is not None:
        raise modified_twice(name, Span(scope.source, argument.start, argument.end))
    merged = merge(modifier, earlier, check_final=False)
    subs[name] = replace(merged, beside=frozenset(merged.subs if merged.binding else ()))


def merge(outer: Modifier, inner: Modifier, check_final: bool = True) -> Modifier:
    """Both together; where they disagree the outer one wins, unless the inner one is final."""
    if outer.is_empty:
        return inner
    if inner.is_empty:
        return outer
    if check_final and inner.final and (outer.binding is not None or outer.redeclare is not None):
        _complain_final(outer, inner)
    if outer.redeclare is not None and inner.redeclare is not None:
        _stack(outer.redeclare, inner.redeclare)
    if outer.each != inner.each:
        outer, inner = _told_inside(outer), _told_inside(inner)
    redeclare = outer.redeclare if outer.redeclare is not None else inner.redeclare
    if outer.redeclare is not None and inner.redeclare is not None:
        redeclare = _on_top(outer.redeclare, inner.redeclare)
    subs = dict(inner.subs)
    for name, modifier in outer.subs.items():
        below = subs.get(name)
        subs[name] = modifier if below is None else merge(modifier, below, check_final)
    beside = outer.beside
    if outer.binding is None and inner.binding is not None:
        beside = inner.beside.union(outer.subs)
    return Modifier(
        outer.binding if outer.binding is not None else inner.binding,
        subs,
        redeclare,
        outer.each,
        outer.final or inner.final,
        outer.place or inner.place,
        beside,
    )


def _stack(outer: Redeclare, inner: Redeclare) -> None:
    """`redeclare model extends X` over another redeclaration of X extends that one."""
    box = outer.original
    while box is not None and box.below is not None and not _is_same(box.below, inner):
        box = box.below.original
    if box is not None:
        box.below = inner


def _is_same(one: Redeclare, other: Redeclare) -> bool:
    return one.element is other.element and one.scope is other.scope


def _on_top(outer: Redeclare, inner: Redeclare) -> Redeclare:
    """The outer redeclaration, with the one it takes the place of: constraining clauses add up."""
    if _is_same(outer, inner):
        return outer
    below = inner if outer.below is None else _on_top(outer.below, inner)
    return replace(outer, below=below)


def _complain_final(outer: Modifier, inner: Modifier) -> None:
    places = [m.place for m in (outer, inner) if m.place is not None]
    texts = ("modified here", "declared final here")
    raise CompileError(
        Diagnostic(
            "N013",
            "a final element cannot be modified",
            tuple(Label(place, text) for place, text in zip(places, texts, strict=False)),
            help="remove the modification, or the word `final` where the element is declared",
            rule='Modelica 3.6, "Final Element Modification Prevention"',
        )
    )


def without_redeclare(modifier: Modifier) -> Modifier:
    return modifier if modifier.redeclare is None else replace(modifier, redeclare=None)


def redeclared_modifier(redeclare: Redeclare, new: syn.Component) -> Modifier:
    """What a redeclaration gives its component, in an element of an array its own part."""
    own = modifier_of(new.modification, redeclare.scope)
    return at_index(own, redeclare.indices, depth=1, spreads=True)


def _told_inside(modifier: Modifier) -> Modifier:
    """`each x(fixed = true)` as `x(each fixed = true)`, with the array that `each` was written for."""
    if not modifier.each:
        return modifier
    further = frozenset(distance + 1 for distance in modifier.each)
    subs = {name: _marked(sub, further) for name, sub in modifier.subs.items()}
    return replace(modifier, subs=subs, each=NOT_EACH)


def _marked(modifier: Modifier, each: Each) -> Modifier:
    binding = modifier.binding
    if binding is not None:
        binding = replace(binding, each=binding.each | each, spreads=True)
    return replace(modifier, binding=binding, each=modifier.each | each)


# ---------------------------------------------------------------- elements of arrays


def at_index(
    modifier: Modifier, index: tuple[int, ...], depth: int = 0, spreads: bool = False
) -> Modifier:
    """The part of an array component's modifier that belongs to one element.

    `depth` is the distance from the array. What `each` names stays as it is; with the index of the array
    that the word was written for, the word has done its work. `spreads`: a single value is for all.
    """
    if not index or modifier.is_empty:
        return modifier
    if modifier.each:
        return _released(modifier, depth)
    binding = modifier.binding
    if binding is not None and binding.each:
        binding = replace(binding, each=binding.each - {depth})
    elif binding is not None:
        indices = binding.indices + index
        binding = replace(binding, indices=indices, spreads=binding.spreads or spreads)
    redeclare = modifier.redeclare
    if redeclare is not None and isinstance(redeclare.element, syn.Component):
        redeclare = replace(redeclare, indices=redeclare.indices + index)
    subs = {name: at_index(sub, index, depth + 1, spreads) for name, sub in modifier.subs.items()}
    return replace(modifier, binding=binding, subs=subs, redeclare=redeclare)


def _released(modifier: Modifier, depth: int) -> Modifier:
    binding = modifier.binding
    if binding is not None:
        binding = replace(binding, each=binding.each - {depth})
    subs = {name: _released(sub, depth + 1) for name, sub in modifier.subs.items()}
    return replace(modifier, binding=binding, subs=subs, each=modifier.each - {depth})
