"""Columns of df/dy that differences find together.

groups = column_groups(((0, 1), (1,), (2,)), 3)     # columns 0 and 2 share no row
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from freewheel.runtime.integrators.problem import Sparsity

Columns: TypeAlias = npt.NDArray[np.intp]


def column_groups(sparsity: Sparsity | None, size: int) -> tuple[Columns, ...]:
    """Columns that may be perturbed together because no row sees two of them (Curtis, Powell and
    Reid); greedy, the fullest columns first."""
    if sparsity is None:
        return tuple(np.array([j]) for j in range(size))
    order = sorted(range(size), key=lambda j: (-len(sparsity[j]), j))
    groups: list[list[int]] = []
    taken: list[set[int]] = []
    for j in order:
        rows = sparsity[j]
        for group, used in zip(groups, taken, strict=True):
            if used.isdisjoint(rows):
                group.append(j)
                used.update(rows)
                break
        else:
            groups.append([j])
            taken.append(set(rows))
    return tuple(np.array(sorted(group)) for group in groups)
