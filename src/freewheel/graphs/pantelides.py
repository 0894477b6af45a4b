"""Which equations to differentiate, and how often (Pantelides 1988, algorithm 4.1, explicit stack).

In comes, for each equation, the variables it holds and, for each variable, the number of its
derivative (or NONE); out come the orders of differentiation and the variables that this creates.

    pendulum-like:  x, y, xd, yd with xd = x', yd = y';  equation 2 holds x and y only
    -> equation 2 must be differentiated

The system must not be singular outright (`match` on the variables with derivatives folded into
their base must be perfect), otherwise the search would not end; the caller checks that first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from freewheel.graphs.matching import FREE, match

NONE = -1
MAX_ORDER = 12  # no physical model comes near; a singular one would go on for ever


class NoEndError(Exception):
    """Differentiation does not end: the equations are singular for a reason other than index."""

    def __init__(self, rows: tuple[int, ...]) -> None:
        super().__init__("no end of differentiation")
        self.rows = rows


@dataclass(frozen=True, slots=True)
class Reduced:
    """Rows and columns in order of creation; the first ones are the caller's."""

    row_derivative: tuple[int, ...]  # NONE for the last of a chain
    column_derivative: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]  # incidence, structural, of every row
    column_of_row: tuple[int, ...]  # matching of the last rows with the last columns


class _Search:
    def __init__(self, rows: Sequence[Sequence[int]], derivative: Sequence[int]) -> None:
        self.rows: list[tuple[int, ...]] = [tuple(row) for row in rows]
        self.derivative = list(derivative)
        self.row_derivative = [NONE] * len(rows)
        self.order_of_row = [0] * len(rows)
        self.column_of_row = [FREE] * len(rows)
        self.row_of_column = [FREE] * len(derivative)

    def start(self) -> list[int]:
        """A cheap first matching; returns the rows that it leaves free."""
        highest = [[c for c in row if self.derivative[c] == NONE] for row in self.rows]
        first = match(highest, len(self.derivative))
        self.column_of_row = list(first.column_of_row)
        self.row_of_column = list(first.row_of_column)
        return list(first.free_rows)

    def augment(self, start: int) -> tuple[bool, list[int], list[int]]:
        """Look for a path; otherwise the rows and columns that were visited."""
        seen: set[int] = set()
        visited_rows = [start]
        path: list[int] = [start]
        iterators = [iter(self.rows[start])]
        while path:
            row = path[-1]
            free = next(
                (
                    c
                    for c in self.rows[row]
                    if self.derivative[c] == NONE and self.row_of_column[c] == FREE
                ),
                FREE,
            )
            if free != FREE:
                self._flip(path, free)
                return True, [], []
            for column in iterators[-1]:
                if self.derivative[column] != NONE or column in seen:
                    continue
                seen.add(column)
                next_row = self.row_of_column[column]
                visited_rows.append(next_row)
                path.append(next_row)
                iterators.append(iter(self.rows[next_row]))
                break
            else:
                path.pop()
                iterators.pop()
        return False, sorted(visited_rows), sorted(seen)

    def _flip(self, path: list[int], column: int) -> None:
        for row in reversed(path):
            previous = self.column_of_row[row]
            self.column_of_row[row] = column
            self.row_of_column[column] = row
            column = previous

    def derivative_of(self, column: int) -> int:
        if self.derivative[column] == NONE:
            self.derivative[column] = len(self.derivative)
            self.derivative.append(NONE)
            self.row_of_column.append(FREE)
        return self.derivative[column]

    def differentiate(self, rows: list[int], columns: list[int]) -> None:
        matched = [(row, self.column_of_row[row]) for row in rows]
        for column in columns:
            self.derivative_of(column)
        for row in rows:
            entries = set(self.rows[row])
            entries.update(self.derivative_of(c) for c in self.rows[row])
            self.row_derivative[row] = len(self.rows)
            self.rows.append(tuple(sorted(entries)))
            self.row_derivative.append(NONE)
            self.order_of_row.append(self.order_of_row[row] + 1)
            self.column_of_row.append(FREE)
        for row, column in matched:
            if column != FREE:
                new_row, new_column = self.row_derivative[row], self.derivative[column]
                self.column_of_row[row] = FREE
                self.row_of_column[column] = FREE
                self.column_of_row[new_row] = new_column
                self.row_of_column[new_column] = new_row


def pantelides(rows: Sequence[Sequence[int]], derivative: Sequence[int]) -> Reduced:
    """Differentiate until every last equation has a last derivative of its own.

    `derivative_of` of a column that the model itself does not differentiate is created on demand.
    """
    search = _Search(rows, derivative)
    for start in search.start():
        row = start
        while True:
            found, visited_rows, visited_columns = search.augment(row)
            if found:
                break
            if max(search.order_of_row[r] for r in visited_rows) >= MAX_ORDER:
                raise NoEndError(tuple(r for r in visited_rows if r < len(rows)))
            search.differentiate(visited_rows, visited_columns)
            row = search.row_derivative[row]
    return Reduced(
        tuple(search.row_derivative),
        tuple(search.derivative),
        tuple(search.rows),
        tuple(search.column_of_row),
    )
