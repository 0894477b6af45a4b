"""Strong components against the definition: mutual reachability, needs first."""

from __future__ import annotations

import random

import pytest

from freewheel.graphs.components import components, reachable


@pytest.mark.parametrize("seed", range(40))
def test_blocks_are_mutually_reachable_sets_in_order(seed: int) -> None:
    dice = random.Random(seed)
    size = 8
    edges = [[t for t in range(size) if dice.random() < 0.18] for _ in range(size)]
    reach = [reachable(edges, [n]) for n in range(size)]

    blocks = components(edges)

    assert sorted(n for block in blocks for n in block) == list(range(size))
    block_of = {n: k for k, block in enumerate(blocks) for n in block}
    for a in range(size):
        for b in range(size):
            together = b in reach[a] and a in reach[b]
            assert (block_of[a] == block_of[b]) == together
            if b in reach[a]:
                assert block_of[b] <= block_of[a]


def test_a_long_chain_needs_no_recursion() -> None:
    size = 100_000
    edges = [[i + 1] if i + 1 < size else [] for i in range(size)]

    blocks = components(edges)

    assert len(blocks) == size
    assert blocks[0] == [size - 1]
