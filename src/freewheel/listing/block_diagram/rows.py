"""Wide diagrams are cut into rows, one below the other, as text is.

    rows(diagram, spans, 1300.0)       diagrams of at most that width, more or less

A signal that a block of another row reads ends in a tag with its name; a tag with the same name begins it
there. Rows end where few signals go on. The tags are blocks of the kinds TO and FROM, so that each row is a
diagram by itself: with the tags of one name joined, the rows are the whole diagram.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from freewheel.graphs.layers import layers
from freewheel.listing.block_diagram.nodes import Block, Diagram, Input, Kind

CHANNEL = 55.0  # width between two layers: room for about three upright wires
SHORTEST = 0.55  # of the longest possible row, where it ends early
STRETCHED = 1.25  # one row that is a little too wide is better than two

Signal = tuple[int, int]


def rows(diagram: Diagram, spans: Sequence[float], widest: float) -> list[Diagram]:
    """`spans` are the widths of the blocks."""
    edges = [(port.block, k) for k, block in enumerate(diagram.blocks) for port in block.inputs]
    first = [k for k, block in enumerate(diagram.blocks) if block.kind is Kind.INPUT]
    level = layers(len(diagram.blocks), edges, first)
    widths = [0.0] * (max(level, default=-1) + 1)
    for at, span in zip(level, spans, strict=True):
        widths[at] = max(widths[at], span + CHANNEL)
    if sum(widths) <= STRETCHED * widest:
        return [diagram]
    ends = _ends(widths, _passing(level, edges), widest)
    row_of = [next(k for k, end in enumerate(ends) if at < end) for at in level]
    return _Cut(diagram, row_of).rows(len(ends))


def _passing(level: Sequence[int], edges: Sequence[tuple[int, int]]) -> list[int]:
    """How many signals go past the left edge of each layer, in either direction."""
    found: list[set[int]] = [set() for _ in range(max(level, default=-1) + 2)]
    for tail, head in edges:
        low, high = sorted((level[tail], level[head]))
        for at in range(low + 1, high + 1):
            found[at].add(tail)
    return [len(tails) for tails in found]


def _ends(widths: Sequence[float], passing: Sequence[int], widest: float) -> list[int]:
    """The layer after the last one of each row."""
    found: list[int] = []
    start = 0
    while start < len(widths):
        end, total = start + 1, widths[start]
        while end < len(widths) and total + widths[end] <= widest:
            total += widths[end]
            end += 1
        if end < len(widths):
            least = start + max(1, int(SHORTEST * (end - start)))
            end = min(range(end, least - 1, -1), key=lambda at: passing[at])
        found.append(end)
        start = end
    return found


@dataclass(slots=True)
class _Cut:
    diagram: Diagram
    row_of: Sequence[int]
    unnamed: dict[Signal, str] = field(default_factory=dict)

    def rows(self, count: int) -> list[Diagram]:
        away: dict[Signal, None] = {}  # signals that other rows read
        for k, block in enumerate(self.diagram.blocks):
            for port in block.inputs:
                if self.row_of[port.block] != self.row_of[k]:
                    away[port.block, port.output] = None
        return [self._row(number, list(away)) for number in range(count)]

    def _row(self, number: int, away: Sequence[Signal]) -> Diagram:
        inside = [k for k, row in enumerate(self.row_of) if row == number]
        place = {(old, 0): new for new, old in enumerate(inside)}
        tags: list[Block] = []
        blocks: list[Block] = []
        begun: dict[Signal, int] = {}
        for old in inside:
            block = self.diagram.blocks[old]
            inputs: list[Input] = []
            for port in block.inputs:
                signal = (port.block, port.output)
                if self.row_of[port.block] == number:
                    inputs.append(replace(port, block=place[port.block, 0]))
                    continue
                if signal not in begun:
                    begun[signal] = len(inside) + len(tags)
                    tags.append(self._tag(Kind.FROM, signal))
                inputs.append(Input(begun[signal], port.mark))
            blocks.append(replace(block, inputs=tuple(inputs)))
        for signal in away:
            if self.row_of[signal[0]] == number:
                source = Input(place[signal[0], 0], "", signal[1])
                tags.append(replace(self._tag(Kind.TO, signal), inputs=(source,), outputs=()))
        return replace(self.diagram, blocks=(*blocks, *tags))

    def _tag(self, kind: Kind, signal: Signal) -> Block:
        source = self.diagram.blocks[signal[0]]
        name = source.outputs[signal[1]]
        if not name:
            name = self.unnamed.setdefault(signal, f"({len(self.unnamed) + 1})")
        return Block(kind, name, (name,), (), source.owner, source.loop)
