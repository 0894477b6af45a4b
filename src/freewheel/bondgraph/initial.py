"""Where the initial value of a storage is found: variables of the flat model that add up to it.

Capacitor c     effort  c.p.v - c.n.v          Spring k     effort  k.flange_b.f
"""

from __future__ import annotations

from freewheel.base.names import Name, show
from freewheel.bondgraph.connectors import all_of
from freewheel.bondgraph.domains import NODE_KIND
from freewheel.bondgraph.nodes import STORAGES, Element, Kind
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import find_component

Sum = tuple[tuple[Name, float], ...]


def state_of(element: Element, node: ClassNode, variables: str, is_alone: bool) -> Sum:
    """Variables with factors; `variables` are names `a|b` to take where connectors do not determine them:
    where other elements of the component share them, and of speeds. Empty where nothing does."""
    if element.kind not in STORAGES or len(element.ports) != 1:
        return ()
    pins = {show(pin.path): pin for pin in all_of(node)}
    port = element.ports[0]
    is_node_effort = NODE_KIND[port.domain] is Kind.ZERO
    positive, negative = pins.get(port.positive), pins.get(port.negative)
    if element.kind is Kind.C and is_node_effort and positive is not None:
        across: Sum = ((positive.potential, 1.0),)
        return across if negative is None else (*across, (negative.potential, -1.0))
    is_through = (element.kind is Kind.C) != is_node_effort
    if is_alone and is_through and positive is not None:
        return ((positive.flow, 1.0),)
    for name in variables.split("|"):
        if name and find_component(node, name) is not None:
            return (((*(node.path or ()), name), 1.0),)
    return ()
