"""A matching that is changed and taken back agrees with one made anew."""

from __future__ import annotations

from random import Random

import pytest

from freewheel.graphs.matching import FREE, match
from freewheel.graphs.pairing import Pairing


def random_rows(random: Random, count: int) -> list[list[int]]:
    return [sorted(random.sample(range(count), random.randint(0, 3))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(20))
def test_after_changes_it_is_as_large_as_a_new_one(seed: int) -> None:
    random = Random(seed)
    rows = random_rows(random, 12)
    pairing = Pairing(rows, 12)
    for row in random.sample(range(12), 4):
        rows[row] = sorted(random.sample(range(12), 2))
        pairing.set_row(row, rows[row])
    for row in range(12):
        if pairing.column_of[row] == FREE:
            pairing.augment(row)

    assert sum(c != FREE for c in pairing.column_of) == match(rows, 12).size
    assert all(c == FREE or c in rows[r] for r, c in enumerate(pairing.column_of))


def test_taking_back_restores_everything() -> None:
    pairing = Pairing([[0, 1], [1, 2], [2]], 3)
    before = (list(pairing.rows), list(pairing.column_of), list(pairing.row_of))
    here = pairing.mark()
    pairing.set_row(2, [0])
    pairing.augment(2)
    pairing.take_back(here)

    assert (pairing.rows, pairing.column_of, pairing.row_of) == before


def test_a_row_without_partner_names_those_it_quarrels_with() -> None:
    pairing = Pairing([[0], [1], [2]], 3)
    pairing.set_row(2, [1])

    assert not pairing.augment(2)
    assert pairing.reached(2) == [1, 2]


def test_long_chains_need_no_recursion() -> None:
    count = 20_000
    pairing = Pairing([[k, k + 1] for k in range(count)], count + 1)
    pairing.set_row(0, [0])
    pairing.set_row(count - 1, [count - 1])

    assert all(c != FREE or pairing.augment(r) for r, c in enumerate(pairing.column_of))
