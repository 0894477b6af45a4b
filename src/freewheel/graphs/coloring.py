"""Column groups for sparse Jacobians: columns of one group share no row, so that one evaluation
gives them all (Curtis, Powell, Reid 1974; greedy, columns by falling degree).

    color_columns([[0], [1], [0, 1]]) == [1, 1, 0]      one list of rows per column
"""

from __future__ import annotations

from collections.abc import Sequence


def color_columns(columns: Sequence[Sequence[int]]) -> list[int]:
    """The group number of each column, counted from 0."""
    columns_of_row: dict[int, list[int]] = {}
    for column, rows in enumerate(columns):
        for row in rows:
            columns_of_row.setdefault(row, []).append(column)
    color = [-1] * len(columns)
    for column in sorted(range(len(columns)), key=lambda c: (-len(columns[c]), c)):
        taken = {color[other] for row in columns[column] for other in columns_of_row[row]}
        number = 0
        while number in taken:
            number += 1
        color[column] = number
    return color
