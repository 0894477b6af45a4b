"""Pantelides on the classic examples, with the orders of differentiation from the paper."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from freewheel.graphs.pantelides import NONE, NoEndError, Reduced, pantelides


def orders(reduced: Reduced, count: int) -> list[int]:
    """How often each of the caller's equations is differentiated."""
    result = []
    for row in range(count):
        order = 0
        while reduced.row_derivative[row] != NONE:
            row = reduced.row_derivative[row]
            order += 1
        result.append(order)
    return result


def test_an_explicit_ode_needs_nothing() -> None:
    # x (0), xd (1): xd = f(x)
    assert orders(pantelides([[0, 1]], [1, NONE]), 1) == [0]


def test_two_capacitors_in_parallel() -> None:
    # u1 u2 u1d u2d i1 i2: C1 u1d = i1, C2 u2d = i2, u1 = u2, i1 + i2 = known
    rows = [[2, 4], [3, 5], [0, 1], [4, 5]]

    assert orders(pantelides(rows, [2, 3, NONE, NONE, NONE, NONE]), 4) == [0, 0, 1, 0]


def test_cartesian_pendulum_has_index_three() -> None:
    # x y w z, their derivatives xd yd wd zd, and the cable force T
    x, y, w, z, xd, yd, wd, zd, T = range(9)
    rows = [[xd, w], [yd, z], [wd, T, x], [zd, T, y], [x, y]]
    derivative = [xd, yd, wd, zd, NONE, NONE, NONE, NONE, NONE]

    assert orders(pantelides(rows, derivative), 5) == [1, 1, 0, 0, 2]


def test_every_last_row_gets_a_last_column() -> None:
    x, y, w, z, xd, yd, wd, zd, T = range(9)
    rows = [[xd, w], [yd, z], [wd, T, x], [zd, T, y], [x, y]]
    reduced = pantelides(rows, [xd, yd, wd, zd, NONE, NONE, NONE, NONE, NONE])

    last = [r for r, d in enumerate(reduced.row_derivative) if d == NONE]
    columns = [reduced.column_of_row[r] for r in last]

    assert len(set(columns)) == len(last)
    assert all(reduced.column_derivative[c] == NONE for c in columns)
    assert all(c in reduced.rows[r] for r, c in zip(last, columns, strict=True))


def test_a_singular_system_is_reported() -> None:
    with pytest.raises(NoEndError):
        pantelides([[0], [0]], [NONE, NONE])


def test_derivatives_may_hold_other_columns() -> None:
    # xd = f, x = g(T), T = h(p), w = pd, w = known; the derivative of g(T) is one of T and w
    x, xd, T, p, pd, w, f = range(7)
    rows = [[xd, f], [x, T], [T, p], [w, pd], [w]]
    derivative = [xd, NONE, NONE, pd, NONE, NONE, NONE]
    reduced = pantelides(rows, derivative, lambda row, _: [xd, T, w], early=lambda row: row == 1)

    assert orders(reduced, 5) == [0, 1, 0, 0, 0]
    assert reduced.column_derivative == tuple(derivative)  # nobody asked for the derivative of T


def test_a_row_loses_its_column_to_the_derivative() -> None:
    # x (0) xd (1) y (2): xd = f, y = x, 0 = g(x, y): all of the last two, one after the other
    reduced = pantelides([[1, 3], [2, 0], [0, 2]], [1, NONE, NONE, NONE])

    assert orders(reduced, 3) == [0, 1, 1]


def test_the_rows_to_blame_for_no_end_are_the_callers() -> None:
    with pytest.raises(NoEndError) as caught:
        pantelides([[1], [0], [0]], [NONE, NONE])

    assert caught.value.rows == (1, 2)


def smallest_offsets(sigma: list[list[int | None]]) -> list[int] | None:
    """Pryce (2001), "A simple structural analysis method for DAEs": how often to differentiate, from
    a transversal with the highest sum of orders; found here by trying all of them."""
    size = range(len(sigma))
    best: tuple[int, tuple[int, ...]] | None = None
    for pairs in permutations(size):
        orders_of = [sigma[i][j] for i, j in zip(size, pairs, strict=True)]
        if None not in orders_of and (best is None or sum(orders_of) > best[0]):
            best = (sum(orders_of), pairs)
    if best is None:
        return None
    c = [0 for _ in size]
    while True:
        d = [max(s + c[i] for i in size if (s := sigma[i][j]) is not None) for j in size]
        new = [d[best[1][i]] - sigma[i][best[1][i]] for i in size]
        if new == c:
            return c
        c = new


@pytest.mark.parametrize("seed", range(150))
def test_orders_are_the_smallest_offsets(seed: int) -> None:
    dice = random.Random(seed)
    expected = None
    while expected is None:  # singular outright
        size = dice.randint(2, 5)
        sigma = [[dice.choice((None, None, 0, 0, 1, 2)) for _ in range(size)] for _ in range(size)]
        expected = smallest_offsets(sigma)
    columns = {}  # (variable, order) -> number
    for j in range(size):
        highest = max(s for row in sigma if (s := row[j]) is not None)
        columns.update({(j, order): len(columns) + order for order in range(highest + 1)})
    derivative = [columns.get((j, order + 1), NONE) for j, order in columns]
    rows = [[columns[j, s] for j, s in enumerate(row) if s is not None] for row in sigma]

    assert orders(pantelides(rows, derivative), size) == expected


def test_a_kept_row_takes_the_rate_of_what_it_ties() -> None:
    # x y xd yd: xd = f, and a constraint on x and y that must not be differentiated
    rows, derivative = [[2], [0, 1]], [2, 3, NONE, NONE]

    assert orders(pantelides(rows, derivative), 2) == [0, 1]
    reduced = pantelides(rows, derivative, kept={1: (0, 1)})

    assert orders(reduced, 2) == [0, 0]
    assert reduced.column_of_row == (2, 3)


def test_rows_beside_a_kept_one_are_differentiated_as_usual() -> None:
    # x y z, their rates 3 4 5; one constraint on x and y is kept, another on y and z is not
    rows = [[3, 4, 5], [0, 1], [1, 2]]

    reduced = pantelides(rows, [3, 4, 5, NONE, NONE, NONE], kept={1: (0, 1, 2)})

    assert orders(reduced, 3) == [0, 0, 1]
