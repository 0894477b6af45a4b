"""Large diagrams are folded: all blocks of a component become one block with ports.

    folded(diagram)      R1, C, L, ... in the place of their sums and gains

First the innermost components are folded, then those around them, until the diagram has at most
MOST_BLOCKS blocks. Blocks of the model itself are never folded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from freewheel.base.names import Name, show
from freewheel.listing.block_diagram.nodes import Block, Diagram, Input, Kind

MOST_BLOCKS = 30  # what is readable on a page; the figures of the papers have about 10
FEWEST_BLOCKS = 5  # with fewer the level below is shown if it has at most MOST_OPEN blocks
MOST_OPEN = 120
MACHINE = "state machine "

Signal = tuple[int, int]  # block, number of its output


def folded(diagram: Diagram, above: int = 0) -> Diagram:
    """Unchanged where it is small enough. Components at the depth `above` stay open."""
    deepest = max((_depth(block.owner) for block in diagram.blocks), default=0)
    for depth in range(deepest, above, -1):
        if len(diagram.blocks) <= MOST_BLOCKS:
            break
        next_one = fold_at(diagram, depth)
        if len(next_one.blocks) < FEWEST_BLOCKS and len(diagram.blocks) <= MOST_OPEN:
            break
        diagram = next_one
    return diagram


def with_machines_folded(diagram: Diagram) -> Diagram:
    """The rules of each state machine are one block: the modeller wrote transitions, not rules."""
    groups = [
        block.owner if block.owner and str(block.owner[-1]).startswith(MACHINE) else None
        for block in diagram.blocks
    ]
    return replace(diagram, blocks=tuple(_folded_blocks(diagram, groups)))


def fold_at(diagram: Diagram, depth: int) -> Diagram:
    """One block for each component at this depth that has more than one."""
    owners = [_component_of(block, depth) for block in diagram.blocks]
    sizes = Counter(owners)
    groups = [owner if owner is not None and sizes[owner] > 1 else None for owner in owners]
    return replace(diagram, blocks=tuple(_folded_blocks(diagram, groups)))


def _depth(owner: Name) -> int:
    return sum(isinstance(part, str) for part in owner)


def _component_of(block: Block, depth: int) -> Name | None:
    """The component at this depth, with its subscripts. Inputs and outputs stand outside."""
    if block.kind in (Kind.INPUT, Kind.OUTPUT) or _depth(block.owner) < depth:
        return None
    ends = [k for k, part in enumerate(block.owner) if isinstance(part, str)]
    return block.owner[: ends[depth]] if depth < len(ends) else block.owner


@dataclass(frozen=True, slots=True)
class _Group:
    """The blocks of a component, what it reads and what others read of it."""

    members: tuple[int, ...]
    reads: tuple[Signal, ...]
    gives: tuple[Signal, ...]


def _folded_blocks(diagram: Diagram, groups: Sequence[Name | None]) -> list[Block]:
    found = _groups(diagram, groups)
    number: dict[int | Name, int] = {}
    for k, group in enumerate(groups):
        number.setdefault(k if group is None else group, len(number))

    def port(signal: Signal, mark: str) -> Input:
        group = groups[signal[0]]
        if group is None:
            return Input(number[signal[0]], mark, signal[1])
        return Input(number[group], mark, found[group].gives.index(signal))

    blocks: list[Block] = []
    for k, (block, group) in enumerate(zip(diagram.blocks, groups, strict=True)):
        if group is None:
            inputs = tuple(port((i.block, i.output), i.mark) for i in block.inputs)
            blocks.append(replace(block, inputs=inputs))
        elif found[group].members[0] == k:
            reads = found[group].reads
            inputs = tuple(port(s, _name(diagram, s)) for s in reads)
            blocks.append(_component(diagram, group, found[group], inputs))
    return blocks


def _groups(diagram: Diagram, groups: Sequence[Name | None]) -> dict[Name, _Group]:
    members: dict[Name, list[int]] = {}
    reads: dict[Name, dict[Signal, None]] = {}
    gives: dict[Name, dict[Signal, None]] = {}
    for k, group in enumerate(groups):
        if group is not None:
            members.setdefault(group, []).append(k)
        for port in diagram.blocks[k].inputs:
            source = groups[port.block]
            if source == group and group is not None:
                continue
            signal = (port.block, port.output)
            if group is not None:
                reads.setdefault(group, {})[signal] = None
            if source is not None:
                gives.setdefault(source, {})[signal] = None
    return {
        group: _Group(tuple(inside), tuple(reads.get(group, ())), tuple(gives.get(group, ())))
        for group, inside in members.items()
    }


def _component(diagram: Diagram, group: Name, found: _Group, inputs: tuple[Input, ...]) -> Block:
    outputs = tuple(_name(diagram, signal) for signal in found.gives)
    loops = {diagram.blocks[k].loop for k in found.members} - {-1}
    inside = set(found.members)
    others = {b.loop for k, b in enumerate(diagram.blocks) if k not in inside}
    across = sorted(loops & others)
    ends = [k for k, part in enumerate(group) if isinstance(part, str)]
    owner = group[: ends[-1]]
    return Block(Kind.COMPONENT, show(group), outputs, inputs, owner, across[0] if across else -1)


def _name(diagram: Diagram, signal: Signal) -> str:
    block = diagram.blocks[signal[0]]
    return block.outputs[signal[1]] or block.label
