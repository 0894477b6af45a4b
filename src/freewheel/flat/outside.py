"""What whoever uses a class adds to it: equations for its open connectors.

    outside(instance, flat)      Outside(variables={("p", "v"), ("p", "i"), ...}, flows={("p", "i"), ...})

A class is judged with its public connectors open: a connection gives as many equations as the connector
has flow variables, and what they say is not known here. A tree of overconstrained connectors (frames,
references of phasors) that has no root inside the class has one outside: that gives the record once, of
which as many numbers are counted as flows already as `equalityConstraint` has residues.
Modelica 3.6, "Balanced Models" and "Overconstrained Connection-Based Equation Systems".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from freewheel.base.names import Name
from freewheel.flat.graph import Graph, residue_count
from freewheel.flat.loose_connectors import nodes_of
from freewheel.flat.nodes import Equation, FlatModel
from freewheel.formula.nodes import Var
from freewheel.instance.components import ComponentInstance, components_of
from freewheel.instance.instantiate import Instance


@dataclass(frozen=True, slots=True)
class Outside:
    variables: frozenset[Name]  # of public connectors, but for inputs, outputs and streams
    flows: frozenset[Name]  # those of them that are flows
    # Of public expandable connectors and of inner components around the class: each may be given inside or
    # outside.
    bus: frozenset[Name]
    roots: int  # equations that roots of overconstrained connectors give


def is_part(instance: Instance) -> bool:
    """Is it made to be used in another class: has it connectors, inputs or outer components? Sizes need
    not be known."""
    return any(
        component.causality == "input" or component.is_outer or _is_of_connector(component)
        for component in components_of(instance.node)
        if not component.element.protected
    )


def inner_values(instance: Instance) -> list[ComponentInstance]:
    """Variables and records that stand for `inner` ones around the class. Models bring their equations."""
    added = instance.session.inner_added
    extras = (instance.node.extra_components[name] for name in added)
    return [c for c in extras if c.simple is not None or "record" in _kind(c)]


def outside(instance: Instance, flat: FlatModel) -> Outside:
    public = [c for c in components_of(instance.node) if _is_connector(c)]
    buses = [c for c in public if _kind(c).startswith("expandable")]
    ends = [c for c in public if c not in buses]
    leaves = [leaf for leaf in _leaves(ends) if leaf.causality not in ("input", "output")]
    return Outside(
        frozenset(leaf.path for leaf in leaves if leaf.flow != "stream"),
        frozenset(leaf.path for leaf in leaves if leaf.flow == "flow"),
        frozenset(leaf.path for leaf in _leaves([*buses, *inner_values(instance)])),
        _roots(instance, flat),
    )


def without_outside_flows(flat: FlatModel, given: Outside) -> tuple[FlatModel, int]:
    """The model without `flow = 0` for its open connectors, and how many scalars that were."""
    variables = {variable.name: variable for variable in flat.variables}

    added: dict[Name, int] = {}  # the last equation of its kind: a binding `flow = 0` comes before
    for number, equation in enumerate(flat.equations):
        if isinstance(equation, Equation) and isinstance(equation.left, Var):
            name = equation.left.name
            if name in given.flows and equation.span == variables[name].span:
                added[name] = number
    dropped = set(added.values())
    inside = tuple(e for k, e in enumerate(flat.equations) if k not in dropped)
    count = sum(prod(variables[name].dims) for name in given.flows if name in variables)
    return replace(flat, equations=inside), count


def _leaves(connectors: Sequence[ComponentInstance]) -> Iterator[ComponentInstance]:
    """All variables of connectors."""
    waiting = list(reversed(connectors))
    while waiting:
        component = waiting.pop()
        if component.simple is not None:
            yield component
            continue
        for node in component.nodes():
            below = [c for c in components_of(node) if c.exists()]
            waiting.extend(reversed(below))


def _is_connector(component: ComponentInstance) -> bool:
    if component.element.protected or component.is_outer or not component.exists():
        return False
    return _is_of_connector(component)


def _is_of_connector(component: ComponentInstance) -> bool:
    return "connector" in _kind(component)


def _kind(component: ComponentInstance) -> str:
    return component.session.lookup.node(component.class_element).restricted_kind()


def _roots(instance: Instance, flat: FlatModel) -> int:
    graph = instance.session.graph_answers
    if not isinstance(graph, Graph):
        return 0
    open_ = {
        node.path
        for component in components_of(instance.node)
        if component.simple is None and _is_connector(component)
        for node in component.nodes()
    }
    trees = graph.without_root(nodes_of(instance.node))
    roots = [next((p for p in tree if p[:-1] in open_), None) for tree in trees]
    return sum(_surplus(path, instance, flat) for path in roots if path is not None)


def _surplus(record: Name, instance: Instance, flat: FlatModel) -> int:
    """Numbers in the record that are no degrees of freedom."""
    numbers = sum(prod(v.dims) for v in flat.variables if v.name[: len(record)] == record)
    residues = residue_count(instance.session.record_at(record), instance.session)
    assert residues is not None, record
    return numbers - residues
