"""Expandable connectors: members that appear because something is connected to them.

Modelica 3.6, "Expandable Connectors": connecting `bus.speed` to a connector gives every expandable
connector that is connected with `bus` a member `speed` of that connector's type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from freewheel.base.names import Name, show
from freewheel.flat.connect import Connection, ConnectionCollector, End, Pending
from freewheel.flat.connection_sets import Member
from freewheel.flat.diagnostics import undetermined_expandable
from freewheel.flat.reached import parts_of
from freewheel.formula.nodes import Expr
from freewheel.formula.walk import variables_in
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import ComponentInstance, components_of
from freewheel.instance.modify import without_redeclare
from freewheel.instance.nodes import NO_MODIFIER, PARAMETER, ComponentElement
from freewheel.syntax import equation_nodes as syn_eq
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.context import Context

Slot = tuple[ClassNode, str]  # a member of a bus, by name


def elaborate_expandable(collector: ConnectionCollector) -> None:
    """Add missing members, then repeat the connections that asked for them, until all are done."""
    while True:
        _spread_members(collector.connections)
        waiting = collector.waiting()
        if not waiting:
            return
        sizes = _indexed_sizes(collector, waiting)
        progress = sum(_add_member(collector, *pair, sizes) for pair in waiting)
        for equation, context in waiting:
            collector.retry(equation, context)
        if not progress:
            equation, context = waiting[0]
            raise undetermined_expandable(
                show(equation.left.names), show(equation.right.names), context.span(equation)
            )


def _indexed_sizes(
    collector: ConnectionCollector, waiting: list[tuple[syn_eq.Connect, Context]]
) -> dict[Slot, tuple[int, ...]]:
    """`bus.x[1]` and `bus.x[2]` together make an array of two."""
    sizes: dict[Slot, tuple[int, ...]] = {}
    for equation, context in waiting:
        for ref in (equation.left, equation.right):
            pending = collector.ends(ref, context)
            if isinstance(pending, Pending) and pending.rest[0].subscripts:
                member = (pending.bus.instance, pending.member)
                largest = collector.largest_index(pending.rest[0], context)
                known = sizes.get(member, largest)
                sizes[member] = tuple(max(a, b) for a, b in zip(known, largest, strict=False))
    return sizes


def _add_member(
    collector: ConnectionCollector,
    equation: syn_eq.Connect,
    context: Context,
    sizes: dict[Slot, tuple[int, ...]],
) -> bool:
    for mine, other in ((equation.left, equation.right), (equation.right, equation.left)):
        pending = collector.ends(mine, context)
        if not isinstance(pending, Pending) or len(pending.rest) != 1:
            continue
        partner = collector.ends(other, context)
        if partner is None or isinstance(partner, Pending) or not partner[1]:
            continue
        dims = sizes.get((pending.bus.instance, pending.member), partner[0])
        _give(pending.bus, pending.member, partner[1][0], dims)
        return True
    return False


def _give(bus: ClassNode, name: str, like: End, dims: tuple[int, ...]) -> None:
    """A new member with the type of the connector it is connected to."""
    component = like.component
    element = component.element
    of_type = (
        len(component.dims()) - len(element.decl.subscripts) - len(element.decl.type_subscripts)
    )
    kept = dims[: len(dims) - of_type] if of_type > 0 and len(dims) >= of_type else dims
    decl = element.decl._replace(
        name=name,
        prefixes=syn.NO_PREFIXES,
        subscripts=tuple(syn_expr.Number(0, 0, str(size)) for size in kept),
        type_subscripts=(),
        condition=None,
        modification=None,
    )
    modifier = without_redeclare(element.modifier) if component.simple is not None else NO_MODIFIER
    if modifier.binding is not None:
        modifier = NO_MODIFIER
    made = ComponentInstance(
        bus.instance, ComponentElement(name, decl, element.home, modifier, False)
    )
    bus.instance.extra_components[name] = made


def _spread_members(connections: list[Connection]) -> None:
    """Connected expandable connectors all have the union of their members."""
    changed = True
    while changed:
        changed = False
        for connection in connections:
            a, b = _bus(connection.left), _bus(connection.right)
            if a is None or b is None:
                continue
            for source, target in ((a, b), (b, a)):
                for component in components_of(source):
                    known = target.instance.find(
                        component.name
                    ) or target.instance.extra_components.get(component.name)
                    if known is None:
                        end = End(component, (), False)
                        _give(target, component.name, end, component.dims())
                        changed = True


def _bus(end: End) -> ClassNode | None:
    if end.component.simple is not None:
        return None
    node = end.component.node(end.index)
    return node if node.restricted_kind() == "expandable connector" else None


def idle_signals(
    leaves: Iterable[ComponentInstance], sets: Iterable[Sequence[Member]], code: object
) -> frozenset[Name]:
    """Members that an expandable connector declares but nobody gives a value or asks for.

    Such members are only offered; they are not part of the model (same section). One is in use if
    the code names it, or if it is tied to a connector that is not expandable.
    """
    idle = {component.path for component in leaves if _is_offered(component)}
    if not idle:
        return frozenset()
    for part in parts_of(code):
        if isinstance(part, Expr):
            idle.difference_update(_variable(var.name) for var in variables_in(part))
    tied = [{member.component.path for member in members} for members in sets]
    while awake := [names for names in tied if names & idle and names - idle]:
        idle.difference_update(*awake)
    return frozenset(idle)


def _is_offered(component: ComponentInstance) -> bool:
    if component.variability <= PARAMETER:
        return False
    holder: ClassNode | None = component.owner
    while holder is not None:
        kind = holder.restricted_kind()
        if kind.startswith("expandable"):
            return True
        if "record" not in kind and "connector" not in kind:
            return False
        holder = holder.parent
    return False


def _variable(name: Name) -> Name:
    """`bus.x` for its element `bus.x[2]`."""
    while isinstance(name[-1], int):
        name = name[:-1]
    return name
