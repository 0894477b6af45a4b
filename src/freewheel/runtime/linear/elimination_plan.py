"""What the pattern of a Jacobian alone decides: columns, groups, elimination order.

    plan = plan_of(3, sparsity, pattern)
    plan.rows, plan.order

Numbers do not matter here, so a plan is made once per model, however often it is simulated: for a
thousand states that took longer than many a simulation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from freewheel.runtime.integrators.problem import Sparsity
from freewheel.runtime.linear.column_groups import column_groups
from freewheel.runtime.linear.ordering import minimum_degree
from freewheel.runtime.linear.thresholds import LINEAR

Integers: TypeAlias = npt.NDArray[np.int64]
Pattern: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]  # starts of columns, rows

MODELS = 8  # plans that are remembered


@dataclass(frozen=True, slots=True, eq=False)
class MatrixPlan:
    starts: Integers  # of columns, the diagonal always among their rows
    rows: Integers
    group_starts: Integers  # columns that differences may perturb together
    group_columns: Integers
    places: Integers | None  # of the elements that the model itself computes
    order: Integers | None  # of elimination, where factors are sparse
    fill: int = 0  # elements of the factors without pivoting


@lru_cache(maxsize=MODELS)
def plan_of(n: int, sparsity: Sparsity | None, pattern: Pattern | None) -> MatrixPlan:
    columns = _columns(n, sparsity, pattern)
    starts = _integers([0, *np.cumsum([len(rows) for rows in columns])])
    rows = [row for column in columns for row in column]
    groups = column_groups(tuple(columns), n)
    order, fill = None, 0
    if n > LINEAR.dense_up_to and len(rows) < LINEAR.sparse_share * n * n:
        found, fill = minimum_degree(n, starts.tolist(), rows)
        order = _integers(found)
    return MatrixPlan(
        starts,
        _integers(rows),
        _integers([0, *np.cumsum([len(group) for group in groups])]),
        _integers([int(j) for group in groups for j in group]),
        None if pattern is None else _places(columns, starts.tolist(), pattern),
        order,
        fill,
    )


def _integers(values: Sequence[int]) -> Integers:
    return np.array(values, dtype=np.int64)


def _places(columns: Sequence[Sequence[int]], starts: Sequence[int], pattern: Pattern) -> Integers:
    places: list[int] = []
    model_starts, model_rows = pattern
    for j, column in enumerate(columns):
        where = {row: starts[j] + k for k, row in enumerate(column)}
        places += [where[row] for row in model_rows[model_starts[j] : model_starts[j + 1]]]
    return _integers(places)


def _columns(n: int, sparsity: Sparsity | None, pattern: Pattern | None) -> list[tuple[int, ...]]:
    """Rows of each column, the diagonal always among them."""
    if pattern is not None:
        starts, rows = pattern
        given = [set(rows[starts[j] : starts[j + 1]]) for j in range(n)]
    elif sparsity is not None:
        given = [set(rows) for rows in sparsity]
    else:
        given = [set(range(n)) for _ in range(n)]
    return [tuple(sorted(rows | {j})) for j, rows in enumerate(given)]
