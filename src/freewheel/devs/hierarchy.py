"""The tree of simulators and coordinators that exchange messages: who is whose part, who is told.

In: a `Coupled`. Out: a `Hierarchy`, one `Node` per atomic or coupled model, numbered as CD++ does:
`Root` 0, `top` 1, then parts before what comes after them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from freewheel.devs.cdpp.message_nodes import Party
from freewheel.devs.check import check
from freewheel.devs.nodes import Component, Coupled, Port

ROOT = Party("Root", 0)
TOP = 1
Hop: TypeAlias = tuple[int, str, Callable[[Any], Any] | None]  # whom, which port, Z


@dataclass(frozen=True, slots=True)
class Node:
    """One model in the tree."""

    party: Party
    path: str
    model: Component
    parent: int
    parts: tuple[int, ...]  # numbers of components, in order of precedence
    inward: Mapping[str, tuple[Hop, ...]]  # own input -> inputs of parts
    sideways: Mapping[tuple[int, str], tuple[Hop, ...]]  # output of a part -> inputs of parts
    outward: Mapping[tuple[int, str], tuple[Hop, ...]]  # output of a part -> own outputs


Hierarchy: TypeAlias = tuple[Node, ...]  # number 0 is the root, which stands for no model


def hierarchy(model: Coupled) -> Hierarchy:
    """Number the models from the outside in, parts in order of precedence."""
    check(model)
    root = Node(ROOT, "", model, 0, (TOP,), {}, {}, {})
    found: list[tuple[str, str, Component, int]] = []
    waiting: list[tuple[str, str, Component, int]] = [("top", "", model, 0)]
    numbers: dict[int, dict[str, int]] = {}
    while waiting:
        name, path, each, parent = waiting.pop()
        number = len(found) + TOP
        found.append((name, path, each, parent))
        numbers.setdefault(parent, {})[name] = number
        if isinstance(each, Coupled):
            inner = f"{path}." if path else ""
            parts = [(n, inner + n, part, number) for n, part in each.components.items()]
            waiting += reversed(parts)
    nodes = [
        _node(Party(name, at), path, each, parent, numbers.get(at, {}))
        for at, (name, path, each, parent) in enumerate(found, TOP)
    ]
    return (root, *nodes)


def _node(
    party: Party, path: str, model: Component, parent: int, numbers: Mapping[str, int]
) -> Node:
    inward: dict[str, list[Hop]] = {}
    sideways: dict[tuple[int, str], list[Hop]] = {}
    outward: dict[tuple[int, str], list[Hop]] = {}
    couplings = model.couplings if isinstance(model, Coupled) else ()
    for each in couplings:
        hop = (*_named(each.target, numbers), each.translate)
        if not each.source.component:
            inward.setdefault(each.source.name, []).append(hop)
        else:
            table = sideways if each.target.component else outward
            table.setdefault(_named(each.source, numbers), []).append(hop)
    return Node(
        party, path, model, parent, tuple(numbers.values()),
        {key: tuple(hops) for key, hops in inward.items()},
        {key: tuple(hops) for key, hops in sideways.items()},
        {key: tuple(hops) for key, hops in outward.items()},
    )  # fmt: skip


def _named(port: Port, numbers: Mapping[str, int]) -> tuple[int, str]:
    return (numbers[port.component] if port.component else 0), port.name
