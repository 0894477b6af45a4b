"""Plans of Jacobians: made once per pattern, and complete."""

from itertools import pairwise

from freewheel.runtime.linear.elimination_plan import plan_of
from freewheel.runtime.linear.thresholds import LINEAR

SPARSITY = ((0, 1), (), (1, 2))  # per column: its rows; the diagonal of column 1 is missing
PATTERN = ((0, 2, 2, 4), (0, 1, 1, 2))


def test_the_diagonal_is_always_there():
    plan = plan_of(3, SPARSITY, None)

    assert plan.starts.tolist() == [0, 2, 3, 5]
    assert plan.rows.tolist() == [0, 1, 1, 1, 2]
    assert plan.places is None
    assert plan.order is None


def test_elements_of_the_model_find_their_places_among_those_with_the_diagonal():
    plan = plan_of(3, SPARSITY, PATTERN)

    assert plan.places is not None
    assert plan.rows[plan.places].tolist() == list(PATTERN[1])


def test_groups_hold_every_column_once_and_no_row_twice():
    plan = plan_of(3, SPARSITY, None)
    starts, columns = plan.group_starts.tolist(), plan.group_columns.tolist()

    assert sorted(columns) == [0, 1, 2]
    for first, last in pairwise(starts):
        rows = [
            row
            for j in columns[first:last]
            for row in plan.rows[plan.starts[j] : plan.starts[j + 1]]
        ]
        assert len(rows) == len(set(rows))


def test_large_sparse_patterns_get_an_order_and_the_plan_is_kept():
    n = LINEAR.dense_up_to + 1
    chain = tuple((max(j - 1, 0), j, min(j + 1, n - 1)) for j in range(n))
    plan = plan_of(n, chain, None)

    assert plan.order is not None
    assert sorted(plan.order.tolist()) == list(range(n))
    assert plan_of(n, (*chain,), None) is plan
