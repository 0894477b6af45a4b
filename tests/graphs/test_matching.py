"""Matching against brute force on small random graphs, and its speed on large ones."""

from __future__ import annotations

import random
import time

import pytest

from freewheel.graphs.matching import FREE, coarse_parts, match


def brute_force_size(rows: list[list[int]]) -> int:
    if not rows:
        return 0
    best = brute_force_size(rows[1:])
    for column in rows[0]:
        rest = [[c for c in row if c != column] for row in rows[1:]]
        best = max(best, 1 + brute_force_size(rest))
    return best


def random_rows(seed: int, size: int, density: float) -> list[list[int]]:
    dice = random.Random(seed)
    return [[c for c in range(size) if dice.random() < density] for _ in range(size)]


@pytest.mark.parametrize("seed", range(60))
def test_size_equals_brute_force(seed: int) -> None:
    rows = random_rows(seed, 6, 0.15 + 0.3 * (seed % 3) / 2)

    matching = match(rows, 6)

    assert matching.size == brute_force_size(rows)
    for row, column in enumerate(matching.column_of_row):
        if column != FREE:
            assert column in rows[row]
            assert matching.row_of_column[column] == row


def test_forced_pairs_of_a_triangle() -> None:
    assert match([[0, 1], [0]], 2).row_of_column == (1, 0)


def test_coarse_parts_name_the_guilty() -> None:
    # two equations for unknown 0, none for unknown 2, one square pair in between
    rows = [[0], [0], [1]]
    matching = match(rows, 3)

    parts = coarse_parts(rows, 3, matching)

    assert parts.over_rows == (0, 1)
    assert parts.over_columns == (0,)
    assert parts.under_columns == (2,)
    assert parts.under_rows == ()


def permuted_band(size: int) -> list[list[int]]:
    dice = random.Random(7)
    new_name = list(range(size))
    dice.shuffle(new_name)
    rows = [[new_name[c] for c in (i - 1, i, i + 1) if 0 <= c < size] for i in range(size)]
    dice.shuffle(rows)
    return rows


def test_a_hundred_thousand_rows_take_seconds_at_most() -> None:
    rows = permuted_band(100_000)
    start = time.process_time()

    matching = match(rows, 100_000)

    assert matching.size == 100_000
    assert time.process_time() - start < 5.0
