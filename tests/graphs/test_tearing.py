"""Torn loops: the order must be causal, and guesses few."""

from __future__ import annotations

import random
import time

import pytest

from freewheel.graphs.coloring import color_columns
from freewheel.graphs.matching import match
from freewheel.graphs.tearing import Torn, tear


def assert_causal(torn: Torn, rows: list[list[int]], solvable: list[list[int]], count: int) -> None:
    known = set(torn.guessed)
    for row, column in torn.order:
        assert column in solvable[row]
        assert column not in known
        assert set(rows[row]) <= known | {column}
        known.add(column)
    assert known == set(range(count))
    assert sorted([r for r, _ in torn.order] + list(torn.residuals)) == list(range(len(rows)))


def test_a_ring_needs_one_guess() -> None:
    size = 50
    rows = [[i, (i + 1) % size] for i in range(size)]

    torn = tear(rows, rows, size)

    assert_causal(torn, rows, rows, size)
    assert len(torn.guessed) == 1


@pytest.mark.parametrize("seed", range(30))
def test_order_is_causal_whatever_the_loop(seed: int) -> None:
    dice = random.Random(seed)
    size = 9
    rows = [sorted({i, *(c for c in range(size) if dice.random() < 0.3)}) for i in range(size)]
    solvable = [[c for c in row if dice.random() < 0.7] for row in rows]
    assert match(rows, size).size == size

    torn = tear(rows, solvable, size)

    assert_causal(torn, rows, solvable, size)
    assert len(torn.guessed) == len(torn.residuals)


def test_a_large_band_is_quick() -> None:
    size = 5_000
    rows = [[c for c in (i - 1, i, i + 1) if 0 <= c < size] for i in range(size)]
    start = time.process_time()

    torn = tear(rows, rows, size)

    assert_causal(torn, rows, rows, size)
    assert time.process_time() - start < 5.0


@pytest.mark.parametrize("seed", range(20))
def test_columns_of_one_color_share_no_row(seed: int) -> None:
    dice = random.Random(seed)
    columns = [sorted(r for r in range(12) if dice.random() < 0.25) for _ in range(12)]

    colors = color_columns(columns)

    for a in range(12):
        for b in range(a):
            if colors[a] == colors[b]:
                assert not set(columns[a]) & set(columns[b])


def test_a_tridiagonal_pattern_needs_three_colors() -> None:
    columns = [[r for r in (i - 1, i, i + 1) if 0 <= r < 30] for i in range(30)]

    assert max(color_columns(columns)) == 2


def test_guesses_that_later_ones_make_superfluous_are_taken_back() -> None:
    # a spring in space: length of r, direction e = r/s, force f of the length, residuals e*f
    r, s, e, f = (0, 1, 2), 3, (4, 5, 6), 7
    rows = [[*r, s], *([r[k], e[k], s] for k in range(3)), [f, s], *([e[k], f] for k in range(3))]
    solvable = [[s], *([e[k]] for k in range(3)), [f], [], [], []]

    torn = tear(rows, solvable, 8)

    assert_causal(torn, rows, solvable, 8)
    assert torn.guessed == r
