"""Connectors that nothing fixes: trees of overconstrained connectors without a root.

In: an instance whose equations are singular. Out: a diagnostic for each tree, with the connectors that are
open. Modelica 3.6, "Overconstrained Connection-Based Equation Systems".
"""

from __future__ import annotations

from collections.abc import Iterator

from freewheel.base.diagnostics import Diagnostic, Label
from freewheel.base.names import Name, show
from freewheel.flat.graph import Graph
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import components_of, find_component
from freewheel.instance.instantiate import Instance


def loose_connectors(instance: Instance) -> list[Diagnostic]:
    graph = instance.session.graph_answers
    if not isinstance(graph, Graph):
        return []
    trees = graph.without_root(nodes_of(instance.node))
    found = (_no_root(paths, graph, instance.node) for paths in trees)
    return [diagnostic for diagnostic in found if diagnostic is not None]


def nodes_of(top: ClassNode) -> Iterator[ClassNode]:
    """All instances of classes, in the order of the model."""
    waiting = [top]
    while waiting:
        node = waiting.pop()
        yield node
        below: list[ClassNode] = []
        for component in components_of(node):
            is_outer = component.is_outer and not component.is_inner
            if component.simple is None and not is_outer and component.exists():
                below.extend(component.nodes())
        waiting.extend(reversed(below))


def _no_root(paths: list[Name], graph: Graph, top: ClassNode) -> Diagnostic | None:
    """Connectors of components that nothing fixes. A connector of the model itself may be connected
    by whoever uses the model."""
    ends = [path[:-1] for path in paths]
    depths = [sum(isinstance(part, str) for part in end) for end in ends]
    if min(depths) < 2:
        return None
    outer = [end for end, depth in zip(ends, depths, strict=True) if depth == min(depths)]
    loose = [end for end in outer if not graph.is_used(end)] or outer
    holders = [find_component(top, str(end[0])) for end in loose]
    names = ", ".join(f"`{show(end)}`" for end in loose[:4])
    return Diagnostic(
        "E122",
        f"nothing fixes {names}: no connection leads from there to a root",
        tuple(
            Label(holder.span, f"a connector of `{holder.name}` must be connected")
            for holder in dict.fromkeys(holders[:4])
            if holder is not None
        ),
        help="connect one of these connectors, directly or through other components, to a root: of"
        " frames to `frame_b` of World, to Fixed, or to a Body",
        rule='Modelica 3.6, "Overconstrained Connection-Based Equation Systems"',
    )
