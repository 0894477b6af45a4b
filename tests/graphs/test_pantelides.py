"""Pantelides on the classic examples, with the orders of differentiation from the paper."""

from __future__ import annotations

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
