"""Which flat variables are inputs of components: a model is asked about the inputs it left open.

    component_inputs(instance, flat)      {("k", "u"), ("f", "u")}

Flattening makes them plain variables (Modelica 3.6, "Connections"): inside a model an input is
whatever its connection says. For explaining, the declared direction is looked up again.
"""

from __future__ import annotations

from freewheel.base.names import Name
from freewheel.base.source import Span
from freewheel.flat.balance import is_unknown
from freewheel.flat.loose_connectors import nodes_of
from freewheel.flat.nodes import FlatModel
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import components_of
from freewheel.instance.instantiate import Instance


def component_inputs(instance: Instance, flat: FlatModel) -> frozenset[Name]:
    """Names of unknowns that were declared as inputs."""
    cache: dict[Name, bool] = {}
    return frozenset(
        variable.name
        for variable in flat.variables
        if len(variable.name) > 1
        and is_unknown(variable)
        and _is_input(instance.node, variable.name, cache)
    )


def _is_input(top: ClassNode, name: Name, cache: dict[Name, bool]) -> bool:
    """Walk down the name; a connector declared as input makes everything in it one."""
    node, at = top, 0
    while at < len(name):
        end = at + 1
        while end < len(name) and isinstance(name[end], int):
            end += 1
        prefix = name[:end]
        found = next((c for c in components_of(node) if c.name == name[at]), None)
        if found is None:
            return False
        if prefix not in cache:
            cache[prefix] = found.causality == "input"
        if cache[prefix]:
            return True
        if end == len(name):
            return False
        index = tuple(part for part in name[at + 1 : end] if isinstance(part, int))
        node = found.node(index)
        at = end
    return False


def component_places(instance: Instance) -> dict[Name, Span]:
    """Where components are declared, by their flat names."""
    nodes = [node for node in nodes_of(instance.node) if node.container is not None]
    return {node.path or (): node.container.span for node in nodes if node.container is not None}
