"""Closed loops of frames in which revolute joints determine some forces twice.

In: an instance whose equations are singular. Out: a diagnostic that names the joints of each planar loop.

In a loop of bodies joined by revolute joints with parallel axes each joint keeps the bodies in the plane.
One of them is enough: the forces across the plane are not determined by the others, and their conditions
repeat each other. The library has a joint without them.
"""

from __future__ import annotations

from collections import deque

from freewheel.base.diagnostics import Diagnostic, Label
from freewheel.base.names import Name, show
from freewheel.flat.graph import Graph
from freewheel.flat.loose_connectors import nodes_of
from freewheel.instance.classes import ClassNode
from freewheel.instance.instantiate import Instance

REVOLUTE = ("MultiBody", "Joints", "Revolute")
FEWEST = 3  # two in a loop are one shaft
CURE = "Modelica.Mechanics.MultiBody.Joints.RevolutePlanarLoopConstraint"


def planar_loops(instance: Instance) -> list[Diagnostic]:
    """One for each loop with several revolute joints."""
    graph = instance.session.graph_answers
    if not isinstance(graph, Graph) or not graph.broken:
        return []
    joints = _revolute_joints(instance.node)
    found: list[Diagnostic] = []
    for pairs in graph.broken.values():
        for first, last in pairs:
            way = _way(graph, first, last)
            inside = [node for path, node in joints.items() if _passes(path, way)]
            if len(inside) >= FEWEST:
                found.append(_singular_loop(inside))
    return found


def _revolute_joints(top: ClassNode) -> dict[Name, ClassNode]:
    nodes = (node for node in nodes_of(top) if node.definition.name[-3:] == REVOLUTE)
    return {node.path: node for node in nodes if node.path}


def _way(graph: Graph, first: Name, last: Name) -> set[Name]:
    """The records on the way through the tree from one end of a broken connection to the other."""
    before: dict[Name, Name] = {first: first}
    queue = deque([first])
    while queue and last not in before:
        path = queue.popleft()
        for other in graph.neighbours(path):
            if other not in before:
                before[other] = path
                queue.append(other)
    if last not in before:
        return set()
    found = {last}
    while last != first:
        last = before[last]
        found.add(last)
    return found


def _passes(joint: Name, way: set[Name]) -> bool:
    return sum(path[: len(joint)] == joint for path in way) >= 2


def _singular_loop(joints: list[ClassNode]) -> Diagnostic:
    names = [show(joint.path or ()) for joint in joints]
    spans = [joint.container.span for joint in joints if joint.container is not None]
    listed = ", ".join(f"`{name}`" for name in names[:-1]) + f" and `{names[-1]}`"
    return Diagnostic(
        "E123",
        f"{listed} close a loop, and their equations are singular",
        tuple(Label(span, "in the loop") for span in spans[:4]),
        help="where the axes of the joints are parallel, replace one of them by"
        f" `{CURE}`: forces across the plane are then determined once",
    )
