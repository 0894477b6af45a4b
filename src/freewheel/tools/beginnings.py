"""With what the storages of a bond graph begin: start values, initial equations and values given elsewhere
all count as they do for `freewheel run`, since the beginning of a run tells them.

    initial_values(model, graph)       {"C": 2.0, ...}: efforts of C, flows of I
    begun(model, graph)                the graph with these as its start values
"""

from __future__ import annotations

import math
from dataclasses import replace

from freewheel.api.model import Model
from freewheel.base.diagnostics import CompileError
from freewheel.base.names import show
from freewheel.bondgraph.nodes import STORAGES, Element, Graph

NO_LEVEL = "E031"  # no ground: `run` refuses what a bond graph can still say


def initial_values(model: Model, graph: Graph) -> dict[str, float]:
    """Efforts of C and flows of I at the beginning of a run."""
    if not any(element.kind in STORAGES for element in graph.elements):
        return {}
    result = model.simulate(stop=0.0)
    found: dict[str, float] = {}
    for element in graph.elements:
        if element.kind in STORAGES and element.state:
            terms = (factor * result.final(show(name)) for name, factor in element.state)
            found[element.name] = math.fsum(terms)
    return found


def begun(model: Model, graph: Graph) -> Graph:
    """Storages start as in a run; without a ground there is none, and their own start values are left."""
    try:
        values = initial_values(model, graph)
    except CompileError as failure:
        if any(told.code != NO_LEVEL for told in failure.diagnostics):
            raise
        return graph
    return replace(graph, elements=tuple(_begun(e, values) for e in graph.elements))


def _begun(element: Element, values: dict[str, float]) -> Element:
    if element.name not in values:
        return element
    others = [(key, value) for key, value in element.parameters if key not in ("start", "q0")]
    return replace(element, parameters=(*others, ("start", values[element.name])))
