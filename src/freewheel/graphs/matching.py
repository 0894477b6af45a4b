"""Pair equations with unknowns: in come the unknowns of each equation, out comes a matching.

    match([[0, 1], [0]], 2).row_of_column == (1, 0)

Rows are equations, columns are unknowns. Forced pairs are taken first (Karp, Sipser: Maximum
matchings in sparse random graphs, 1981): on models most pairs are forced, and what remains is
small. The rest is augmented by depth-first search with an explicit stack and the usual look-ahead.
`coarse_parts` gives the Dulmage-Mendelsohn parts that tell what is over- and under-determined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Rows = Sequence[Sequence[int]]

FREE = -1


@dataclass(frozen=True, slots=True)
class Matching:
    """`column_of_row[r]` and `row_of_column[c]`, FREE where nothing was found."""

    column_of_row: tuple[int, ...]
    row_of_column: tuple[int, ...]

    @property
    def size(self) -> int:
        return sum(column != FREE for column in self.column_of_row)

    @property
    def free_rows(self) -> tuple[int, ...]:
        return tuple(r for r, column in enumerate(self.column_of_row) if column == FREE)

    @property
    def free_columns(self) -> tuple[int, ...]:
        return tuple(c for c, row in enumerate(self.row_of_column) if row == FREE)


@dataclass(frozen=True, slots=True)
class CoarseParts:
    """Dulmage-Mendelsohn: rows with too few columns, and columns with too few rows."""

    over_rows: tuple[int, ...]
    over_columns: tuple[int, ...]
    under_rows: tuple[int, ...]
    under_columns: tuple[int, ...]


def match(rows: Rows, column_count: int) -> Matching:
    """A maximum matching."""
    column_of_row, row_of_column = _forced_pairs(rows, column_count)
    augment_all(rows, column_of_row, row_of_column, range(len(rows)))
    return Matching(tuple(column_of_row), tuple(row_of_column))


def augment_all(
    rows: Rows, column_of_row: list[int], row_of_column: list[int], order: Iterable[int]
) -> None:
    """Try to match each free row of `order`; rows and columns once matched stay matched."""
    looked_at = [0] * len(rows)  # look-ahead never needs to see an edge twice
    seen = [-1] * len(row_of_column)
    for start in order:
        if column_of_row[start] == FREE:
            augment(rows, column_of_row, row_of_column, start, looked_at, seen)


def augment(
    rows: Rows,
    column_of_row: list[int],
    row_of_column: list[int],
    start: int,
    looked_at: list[int],
    seen: list[int],
) -> bool:
    """One augmenting path from row `start`; `seen[c] == start` marks columns already tried."""
    path = [start]
    position = {start: 0}
    while path:
        row = path[-1]
        column = _look_ahead(rows[row], row_of_column, looked_at, row)
        if column != FREE:
            _flip(path, column, column_of_row, row_of_column)
            return True
        next_row = _step(rows[row], row_of_column, seen, start, position, row)
        if next_row == FREE:
            path.pop()
        else:
            position[next_row] = 0
            path.append(next_row)
    return False


def _look_ahead(
    columns: Sequence[int], row_of_column: list[int], looked_at: list[int], row: int
) -> int:
    at = looked_at[row]
    while at < len(columns):
        column = columns[at]
        at += 1
        if row_of_column[column] == FREE:
            looked_at[row] = at
            return column
    looked_at[row] = at
    return FREE


def _step(
    columns: Sequence[int],
    row_of_column: list[int],
    seen: list[int],
    mark: int,
    position: dict[int, int],
    row: int,
) -> int:
    at = position[row]
    while at < len(columns):
        column = columns[at]
        at += 1
        if seen[column] != mark:
            seen[column] = mark
            position[row] = at
            return row_of_column[column]
    position[row] = at
    return FREE


def _flip(path: list[int], column: int, column_of_row: list[int], row_of_column: list[int]) -> None:
    for row in reversed(path):
        previous = column_of_row[row]
        column_of_row[row] = column
        row_of_column[column] = row
        column = previous


# ---------------------------------------------------------------- forced pairs


def _forced_pairs(rows: Rows, column_count: int) -> tuple[list[int], list[int]]:
    """Match degree-one rows and columns as long as there are any, then guess one pair and go on."""
    columns: list[list[int]] = [[] for _ in range(column_count)]
    for row, entries in enumerate(rows):
        for column in entries:
            columns[column].append(row)
    row_degree = [len(entries) for entries in rows]
    column_degree = [len(entries) for entries in columns]
    column_of_row = [FREE] * len(rows)
    row_of_column = [FREE] * column_count
    lonely_rows = [r for r, degree in enumerate(row_degree) if degree == 1]
    lonely_columns = [c for c, degree in enumerate(column_degree) if degree == 1]
    pending = list(range(len(rows) - 1, -1, -1))

    while True:
        row, column = FREE, FREE
        if lonely_rows:
            row = lonely_rows.pop()
            if column_of_row[row] == FREE:
                column = next((c for c in rows[row] if row_of_column[c] == FREE), FREE)
        elif lonely_columns:
            column = lonely_columns.pop()
            if row_of_column[column] == FREE:
                row = next((r for r in columns[column] if column_of_row[r] == FREE), FREE)
        elif pending:
            row = pending.pop()
            if column_of_row[row] == FREE:
                free = [c for c in rows[row] if row_of_column[c] == FREE]
                column = min(free, key=column_degree.__getitem__, default=FREE)
        else:
            return column_of_row, row_of_column
        if row == FREE or column == FREE:
            continue
        if column_of_row[row] != FREE or row_of_column[column] != FREE:
            continue
        column_of_row[row], row_of_column[column] = column, row
        _lower_degrees(columns[column], column_of_row, row_degree, lonely_rows)
        _lower_degrees(rows[row], row_of_column, column_degree, lonely_columns)


def _lower_degrees(
    neighbours: Sequence[int], partner: list[int], degree: list[int], lonely: list[int]
) -> None:
    for neighbour in neighbours:
        if partner[neighbour] == FREE:
            degree[neighbour] -= 1
            if degree[neighbour] == 1:
                lonely.append(neighbour)


# ---------------------------------------------------------------- Dulmage-Mendelsohn


def coarse_parts(rows: Rows, column_count: int, matching: Matching) -> CoarseParts:
    """What alternating paths reach from free rows (too many equations) and from free columns."""
    columns: list[list[int]] = [[] for _ in range(column_count)]
    for row, entries in enumerate(rows):
        for column in entries:
            columns[column].append(row)
    over_rows, over_columns = _reach(matching.free_rows, rows, matching.row_of_column)
    under_columns, under_rows = _reach(matching.free_columns, columns, matching.column_of_row)
    return CoarseParts(over_rows, over_columns, under_rows, under_columns)


def _reach(
    starts: Iterable[int], edges: Rows, partner: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    near = set(starts)
    far: set[int] = set()
    stack = list(near)
    while stack:
        for other in edges[stack.pop()]:
            if other in far:
                continue
            far.add(other)
            back = partner[other]
            if back != FREE and back not in near:
                near.add(back)
                stack.append(back)
    return tuple(sorted(near)), tuple(sorted(far))
