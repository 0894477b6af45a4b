"""Clock inference: from links between nodes to the exact ticks of each node.

    u on Clock(1, 10),  y = subSample(u, 4)      ->      y ticks at 0, 4/10, 8/10, ...

In: links and anchors over numbered nodes. Out: base clocks and, for each node, a base clock and a
rate in whole fractions. Links with known factors give relative rates; anchors make them absolute;
links whose factor is to be inferred are checked at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.source import NOWHERE, Span
from freewheel.formula.nodes import ONE
from freewheel.graphs.components import components
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.clocks import diagnostics as faults
from freewheel.structure.clocks.diagnostics import default_clock
from freewheel.structure.clocks.nodes import (
    Anchor,
    BaseClock,
    Beat,
    Link,
    Rate,
    Ticking,
    Tie,
)


@dataclass(frozen=True, slots=True)
class Inferred:
    """`ticking[n]` for each node; warnings about clocks that had to be chosen."""

    bases: tuple[BaseClock, ...]
    ticking: tuple[Ticking, ...]
    warnings: tuple[Diagnostic, ...] = ()


def infer(
    links: Sequence[Link],
    anchors: Sequence[Anchor],
    count: int,
    places: Mapping[int, Span] = MappingProxyType({}),
) -> Inferred:
    """The ticks of `count` nodes; `places` says of some where they are written."""
    relative = _Relative(links, count)
    groups = _connected(links, count)
    bases: list[BaseClock] = []
    ticking: list[Ticking | None] = [None] * count
    warnings: list[Diagnostic] = []
    number = {node: k for k, group in enumerate(groups) for node in group}
    links_of: list[list[Link]] = [[] for _ in groups]
    anchors_of: list[list[Anchor]] = [[] for _ in groups]
    for link in links:
        links_of[number[link.first]].append(link)
    for anchor in anchors:
        anchors_of[number[anchor.node]].append(anchor)
    for group, inside, own in zip(groups, links_of, anchors_of, strict=True):
        if not own:
            own = [_default(group, relative)]
            warnings.append(default_clock([places[n] for n in group if n in places]))
        base = _common_base(own)
        rates = _absolute(group, own, relative, places)
        _check(inside, rates, base)
        for node, rate in rates.items():
            ticking[node] = Ticking(len(bases), rate)
        bases.append(base)
    found = [tick for tick in ticking if tick is not None]
    assert len(found) == count
    return Inferred(tuple(bases), tuple(found), tuple(warnings))


def _connected(links: Sequence[Link], count: int) -> list[list[int]]:
    """Base partitions: nodes that links of any kind join, in order of their first node."""
    edges: list[list[int]] = [[] for _ in range(count)]
    for link in links:
        edges[link.first].append(link.second)
        edges[link.second].append(link.first)
    return sorted(sorted(group) for group in components(edges))


class _Relative:
    """Rates relative to the first node of each set that known factors join:
    period = scale * T, first tick = T0 + move * T."""

    def __init__(self, links: Sequence[Link], count: int) -> None:
        self.known = [k for k in links if k.factor is not None and k.tie is not Tie.BASE]
        self.beside: list[list[Link]] = [[] for _ in range(count)]
        for link in self.known:
            self.beside[link.first].append(link)
            self.beside[link.second].append(link)
        self.root = [-1] * count
        self.scale = [Fraction(1)] * count
        self.move = [Fraction(0)] * count
        for node in range(count):
            if self.root[node] < 0:
                self._spread(node)

    def _spread(self, start: int) -> None:
        self.root[start] = start
        waiting = [start]
        while waiting:
            node = waiting.pop()
            for link in self.beside[node]:
                other, scale, move = self._across(link, node)
                if self.root[other] < 0:
                    self.root[other] = start
                    self.scale[other], self.move[other] = scale, move
                    waiting.append(other)
                elif (self.scale[other], self.move[other]) != (scale, move):
                    one = _ticks_text(Rate(self.scale[other], self.move[other]))
                    two = _ticks_text(Rate(scale, move))
                    raise faults.unequal(one, two + " (relative to another)", link.span)

    def _across(self, link: Link, node: int) -> tuple[int, Fraction, Fraction]:
        """The other end of a link, and its rate by this one's."""
        assert link.factor is not None
        scale, move = self.scale[node], self.move[node]
        if node == link.first:
            return link.second, scale * link.factor, move + link.shift * scale
        scale = scale / link.factor
        return link.first, scale, move - link.shift * scale


def _default(group: Sequence[int], relative: _Relative) -> Anchor:
    """Nothing says when these tick: the fastest gets one second."""
    fastest = min(group, key=lambda node: (relative.scale[node], node))
    return Anchor(fastest, BaseClock(Beat.PERIODIC, ONE), Fraction(1))


def _common_base(anchors: Sequence[Anchor]) -> BaseClock:
    first = anchors[0]
    for anchor in anchors[1:]:
        comparable = first.period is not None and anchor.period is not None
        if not comparable and anchor.base != first.base:
            raise faults.several_bases(_base_text(first), _base_text(anchor), anchor.base.span)
    return first.base


def _base_text(anchor: Anchor) -> str:
    if anchor.period is not None:
        return f"Clock({anchor.period.numerator}, {anchor.period.denominator})"
    return f"Clock({expr_text(anchor.base.value)})"


def _absolute(
    group: Sequence[int],
    anchors: Sequence[Anchor],
    relative: _Relative,
    spans: Mapping[int, Span],
) -> dict[int, Rate]:
    """Each node's rate; sets of nodes without an anchor of their own take over the rate across
    a link that leaves the factor open only where that is the only way to have one."""
    unit: dict[int, tuple[Fraction, Fraction]] = {}  # of a root: its T and T0
    places: dict[int, Span] = {}
    for anchor in anchors:
        period = Fraction(1) if anchor.period is None else anchor.period
        _anchor(unit, anchor.node, Rate(period, Fraction(0)), relative, anchor.base.span, places)
    rates: dict[int, Rate] = {}
    for node in group:
        found = unit.get(relative.root[node])
        if found is None:
            near = [n for n in group if relative.root[n] == relative.root[node] and n in spans]
            raise faults.not_inferred(spans[near[0]] if near else NOWHERE)
        rates[node] = Rate(
            relative.scale[node] * found[0], found[1] + relative.move[node] * found[0]
        )
    return rates


def _anchor(
    unit: dict[int, tuple[Fraction, Fraction]],
    node: int,
    rate: Rate,
    relative: _Relative,
    span: Span,
    places: dict[int, Span],
) -> None:
    root = relative.root[node]
    whole = rate.period / relative.scale[node]
    here = (whole, rate.offset - relative.move[node] * whole)
    known = unit.setdefault(root, here)
    first = places.setdefault(root, span)
    if known != here:
        old = Rate(known[0] * relative.scale[node], known[1] + relative.move[node] * known[0])
        raise faults.unequal(_ticks_text(old), _ticks_text(rate), span, first)


def _check(links: Sequence[Link], rates: dict[int, Rate], base: BaseClock) -> None:
    """Inferred factors are whole, nothing begins before the base clock, events are not split."""
    for link in links:
        one, other = rates[link.first], rates[link.second]
        if link.factor is None and link.tie is not Tie.BASE:
            slow, fast = (other, one) if link.tie is Tie.SLOWER else (one, other)
            factor = slow.period / fast.period
            if factor.denominator != 1 or slow.offset != fast.offset:
                raise faults.unequal(_ticks_text(one), _ticks_text(other), link.span)
        if one.offset < 0 or other.offset < 0:
            raise faults.too_early(link.span)
        if base.beat is Beat.EVENT:
            for rate in (one, other):
                if rate.period.denominator != 1 or rate.offset.denominator != 1:
                    raise faults.finer_than_base("a clock made by events", link.span)


def _ticks_text(rate: Rate) -> str:
    first, second = rate.offset, rate.offset + rate.period
    return f"ticks at {first}, {second}, ..."
