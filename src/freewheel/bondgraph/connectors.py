"""Connectors as places where power passes: one potential, one flow, and the domain they speak of.

    Pin {v, flow i}          electrical
    Port {p, flow q}         a domain of its own: the potential is the effort

Names tell the domain, then units; any other pair is a bond without a name of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from freewheel.base.names import Name
from freewheel.bondgraph.domains import UNITS, VARIABLES
from freewheel.bondgraph.nodes import Domain
from freewheel.flat.connect import End, is_connector, leaves, leaves_of
from freewheel.formula.types import REAL
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import ComponentInstance, components_of, find_component
from freewheel.syntax import expression_nodes as syn_expr


@dataclass(frozen=True, slots=True)
class Power:
    """A connector and its flat names."""

    path: Name
    potential: Name
    flow: Name
    domain: Domain


def named(node: ClassNode, names: str) -> Power | None:
    """The first connector of `a|b` that is there."""
    for name in names.split("|"):
        component = find_component(node, name)
        if component is None or not component.exists() or component.simple is not None:
            continue
        found = of_node(component.node())
        if found is not None:
            return found
    return None


def all_of(node: ClassNode) -> Iterator[Power]:
    """Connectors of a component, those of an array one by one."""
    for component in components_of(node):
        if component.simple is None and component.exists() and is_connector(component):
            for below in component.nodes():
                found = of_node(below)
                if found is not None:
                    yield found


def inputs_of(node: ClassNode) -> list[Name]:
    """Signals that a component is given."""
    return [c.path for c in components_of(node) if c.simple is not None and c.causality == "input"]


def of_node(node: ClassNode) -> Power | None:
    return _pair(leaves_of(node), node.path or ())


def inside(end: End) -> tuple[list[Name], bool]:
    """Places inside of a connector where power passes (a plug has several), and whether there is
    a flow that belongs to none."""
    if end.component.simple is not None:
        return [], False
    groups: dict[Name, list[tuple[ComponentInstance, Name]]] = {}
    for name, component, path in leaves(end):
        groups.setdefault(name[:-1], []).append((component, path))
    found: list[Name] = []
    is_other = False
    for place, members in groups.items():
        if _pair(members, ()) is not None:
            found.append(place)
        elif any(component.flow == "flow" for component, _ in members):
            is_other = True
    return found, is_other


def _pair(members: Iterable[tuple[ComponentInstance, Name]], path: Name) -> Power | None:
    both = list(members)
    flows = [m for m in both if m[0].flow == "flow"]
    potentials = [m for m in both if not m[0].flow]
    if len(both) != 2 or len(flows) != 1 or len(potentials) != 1:
        return None
    if any(c.simple is None or c.simple.scalar != REAL or c.dims() for c, _ in both):
        return None
    (potential, potential_path), (_, flow_path) = potentials[0], flows[0]
    by_name = VARIABLES.get((str(potential_path[-1]), str(flow_path[-1])))
    domain = by_name or UNITS.get(_unit(potential), Domain.BOND)
    return Power(path, potential_path, flow_path, domain)


def _unit(component: ComponentInstance) -> str:
    binding = component.attribute("unit")
    return (
        binding.expr.value if binding is not None and isinstance(binding.expr, syn_expr.Str) else ""
    )
