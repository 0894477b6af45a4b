"""One component of a diagram: its blocks, with what it reads from others as inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from freewheel.base.names import Name, show
from freewheel.listing.block_diagram.nodes import Block, Diagram, Input, Kind


def opened(diagram: Diagram, component: Name) -> Diagram:
    """The blocks of one component; what it reads from others are inputs."""
    inside = [k for k, block in enumerate(diagram.blocks) if _is_in(block, component)]
    number = {old: new for new, old in enumerate(inside)}
    blocks = [diagram.blocks[k] for k in inside]
    outside: dict[int, int] = {}
    for block in blocks:
        for port in block.inputs:
            if port.block not in number and port.block not in outside:
                outside[port.block] = len(inside) + len(outside)
    number |= outside
    found = [
        replace(b, inputs=tuple(replace(i, block=number[i.block]) for i in b.inputs))
        for b in blocks
    ]
    for k in outside:
        source = diagram.blocks[k]
        label = source.outputs[0] or source.label
        found.append(Block(Kind.INPUT, label, (label,), (), source.owner, -1))
    found += _read_elsewhere(diagram, inside, number)
    return replace(diagram, name=f"{diagram.name}: {show(component)}", blocks=tuple(found))


def _read_elsewhere(diagram: Diagram, inside: list[int], number: Mapping[int, int]) -> list[Block]:
    kept = set(inside)
    read = {
        port.block
        for k, block in enumerate(diagram.blocks)
        if k not in kept
        for port in block.inputs
        if port.block in kept
    }
    return [
        Block(Kind.OUTPUT, diagram.blocks[k].outputs[0], (), (Input(number[k]),))
        for k in sorted(read)
    ]


def _is_in(block: Block, component: Name) -> bool:
    return block.owner[: len(component)] == component
