"""Dependent rows and free columns, against dense linear algebra."""

from __future__ import annotations

import random

import numpy as np

from freewheel.graphs.nullspace import independent_columns, null_vectors


def test_a_row_and_its_double():
    found = null_vectors([{0: 1.0, 1: 1.0}, {0: 2.0, 1: 2.0}], 2)

    assert found.rows == ({0: -2.0, 1: 1.0},) or found.rows == ({0: 1.0, 1: -0.5},)
    assert found.columns == ({0: -1.0, 1: 1.0},) or found.columns == ({0: 1.0, 1: -1.0},)


def test_an_independent_matrix_has_none():
    found = null_vectors([{0: 1.0}, {0: 3.0, 1: 2.0}], 2)

    assert (found.rows, found.columns) == ((), ())


def test_empty_rows_and_columns():
    found = null_vectors([{}, {0: 1.0}], 3)

    assert found.rows == ({0: 1.0},)
    assert found.columns == ({1: 1.0}, {2: 1.0})


def test_random_matrices_of_any_rank():
    source = random.Random(3)
    for _ in range(60):
        m, n = source.randint(1, 12), source.randint(1, 12)
        dense = np.zeros((m, n))
        for _ in range(2 * max(m, n)):
            dense[source.randrange(m), source.randrange(n)] = source.choice([1.0, -1.0, 2.0])
        if m > 3:
            dense[0] = dense[1] + dense[2]
        found = null_vectors(
            [{c: a for c, a in enumerate(row) if a != 0.0} for row in dense.tolist()], n
        )
        rank = np.linalg.matrix_rank(dense)

        assert len(found.rows) == m - rank
        assert len(found.columns) == n - rank
        for vector in found.rows:
            total = sum(a * dense[r] for r, a in vector.items())
            assert np.abs(total).max() < 1e-9
        for vector in found.columns:
            total = sum(a * dense[:, c] for c, a in vector.items())
            assert np.abs(total).max() < 1e-9


def test_dependent_rows_come_in_smallest_sets():
    rows = [{0: 1.0, 1: 1.0}, {1: 1.0, 2: 1.0}, {0: 1.0, 2: -1.0}, {3: 1.0, 0: 5.0}]

    [vector] = null_vectors(rows, 4).rows

    assert sorted(vector) == [0, 1, 2]


def test_a_long_chain_takes_no_time():
    n = 3000
    rows = [{k: 1.0, k + 1: -1.0} for k in range(n)]

    found = null_vectors(rows, n + 1)

    assert found.rows == ()
    assert [len(v) for v in found.columns] == [n + 1]


def test_each_row_gives_a_column_that_is_large_enough():
    assert independent_columns([{0: 1e-6, 1: 2.0, 2: 5.0}, {1: 1.0}], 0.1) == (1, 2)
    assert independent_columns([{0: 3.0, 1: 5.0}], 0.5) == (0,)
    assert independent_columns([{0: 1.0, 1: 5.0}], 0.5) == (1,)
    assert independent_columns([{}, {3: 0.0}], 0.5) == ()


def test_columns_are_independent_and_the_first_of_those():
    """Where all that is not zero is large enough: those with the smallest numbers, as a matroid has them."""
    source = random.Random(7)
    for _ in range(60):
        m, n = source.randint(1, 8), source.randint(1, 10)
        dense = np.array(
            [[source.choice([0.0, 0.0, 1.0, -2.0]) for _ in range(n)] for _ in range(m)]
        )
        wanted: list[int] = []
        for column in range(n):
            if np.linalg.matrix_rank(dense[:, [*wanted, column]]) > len(wanted):
                wanted.append(column)

        rows = [dict(enumerate(row.tolist())) for row in dense]
        assert independent_columns(rows, 1e-6) == tuple(wanted)
