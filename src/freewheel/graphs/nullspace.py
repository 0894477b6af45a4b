"""Which rows of a sparse matrix follow from others, and which columns nothing fixes.

    null_vectors([{0: 1.0, 1: 1.0}, {0: 2.0, 1: 2.0}], 2)
    rows     [{1: 1.0, 0: -2.0}]      row 1 is twice row 0
    columns  [{1: 1.0, 0: -1.0}]      add 1 to column 1, take it from column 0, and nothing changes

Gaussian elimination that records what it does, so that each dependent row comes with the smallest
set of rows it depends on: one row and rows that are independent among themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

TINY = 1e-9  # of the numbers that made it: what is left by cancellation
LEAST_PIVOT = 0.05  # of the largest in its row
MAX_WORK = 5_000_000  # multiplications; enough for some thousand sparse rows

Vector = dict[int, float]


@dataclass(frozen=True, slots=True)
class NullVectors:
    """`rows`: combinations of rows that vanish. `columns`: changes that no row notices."""

    rows: tuple[Vector, ...]
    columns: tuple[Vector, ...]


def null_vectors(matrix: Sequence[Mapping[int, float]], column_count: int) -> NullVectors | None:
    """None where the matrix is too large to find out."""
    work = _Elimination(matrix, column_count)
    if not work.run():
        return None
    free = [c for c in range(column_count) if c not in work.is_pivot_column]
    return NullVectors(
        tuple(work.combination(row) for row in sorted(work.empty)),
        tuple(work.direction(column) for column in free),
    )


def dependent_rows(
    matrix: Sequence[Mapping[int, float]], column_count: int
) -> tuple[Vector, ...] | None:
    """Only the combinations of rows that vanish."""
    work = _Elimination(matrix, column_count)
    if not work.run():
        return None
    return tuple(work.combination(row) for row in sorted(work.empty))


def independent_columns(matrix: Sequence[Mapping[int, float]], least: float) -> tuple[int, ...]:
    """As many as the rank. Each row gives one: the first whose entry has at least the share `least` of the
    largest.

    independent_columns([{0: 1e-6, 1: 2.0, 2: 5.0}, {1: 1.0}], 0.1) == (1, 2)
    """
    rows = [{c: a for c, a in row.items() if a != 0.0} for row in matrix]
    found: list[int] = []
    for number, row in enumerate(rows):
        if not row:
            continue
        largest = max(map(abs, row.values()))
        pivot = min(c for c, a in row.items() if abs(a) >= least * largest)
        found.append(pivot)
        for other in rows[number + 1 :]:
            if pivot in other:
                _reduce(other, row, pivot)
    return tuple(sorted(found))


def _reduce(target: Vector, source: Vector, column: int) -> None:
    factor = target[column] / source[column]
    for c, a in source.items():
        before, less = target.get(c, 0.0), factor * a
        target[c] = before - less
        if c == column or abs(target[c]) <= TINY * max(abs(before), abs(less)):
            del target[c]


class _Elimination:
    def __init__(self, matrix: Sequence[Mapping[int, float]], column_count: int) -> None:
        self.rows: list[Vector] = [{c: a for c, a in row.items() if a != 0.0} for row in matrix]
        self.users: list[set[int]] = [set() for _ in range(column_count)]
        for row, entries in enumerate(self.rows):
            for column in entries:
                self.users[column].add(row)
        self.steps: list[tuple[int, int, float]] = []  # row `a` was lessened by `f` times row `b`
        self.pivots: list[tuple[int, int]] = []
        self.is_pivot_column: set[int] = set()
        self.empty = {row for row, entries in enumerate(self.rows) if not entries}
        self.work = 0
        self.readers: list[list[int]] = [[] for _ in range(column_count)]  # places in `pivots`

    def run(self) -> bool:
        """Always the shortest row next; in it the column with the fewest users."""
        waiting = [(len(entries), row) for row, entries in enumerate(self.rows) if entries]
        heapify(waiting)
        done: set[int] = set()
        while waiting:
            length, row = heappop(waiting)
            if row in done or row in self.empty or length != len(self.rows[row]):
                continue  # an entry from before the row changed
            done.add(row)
            for other in self._eliminate(row):
                if self.rows[other]:
                    heappush(waiting, (len(self.rows[other]), other))
                else:
                    self.empty.add(other)
            if self.work > MAX_WORK:
                return False
        return True

    def _eliminate(self, row: int) -> list[int]:
        entries = self.rows[row]
        largest = max(map(abs, entries.values()))
        column = min(
            (c for c, a in entries.items() if abs(a) >= LEAST_PIVOT * largest),
            key=lambda c: (len(self.users[c]), c),
        )
        for c in entries:
            self.users[c].discard(row)
            if c != column:
                self.readers[c].append(len(self.pivots))
        self.pivots.append((row, column))
        self.is_pivot_column.add(column)
        changed = sorted(self.users[column])
        for other in changed:
            self._subtract(other, row, column)
        return changed

    def _subtract(self, row: int, pivot_row: int, column: int) -> None:
        target, source = self.rows[row], self.rows[pivot_row]
        factor = target[column] / source[column]
        self.steps.append((row, pivot_row, factor))
        self.work += len(source)
        for c, a in source.items():
            before, less = target.get(c, 0.0), factor * a
            after = before - less
            if c == column or abs(after) <= TINY * max(abs(before), abs(less)):
                if c in target:
                    del target[c]
                    self.users[c].discard(row)
            else:
                target[c] = after
                self.users[c].add(row)

    def combination(self, row: int) -> Vector:
        """Undo the steps that emptied a row."""
        weights: Vector = {row: 1.0}
        for target, source, factor in reversed(self.steps):
            if target in weights:
                weights[source] = weights.get(source, 0.0) - factor * weights[target]
        return _without_dust(weights)

    def direction(self, column: int) -> Vector:
        """Let one free column be 1, the others 0, and solve backwards: only the rows that this reaches."""
        values: Vector = {column: 1.0}
        waiting = [-place for place in self.readers[column]]
        heapify(waiting)
        last = 1
        while waiting:
            place = heappop(waiting)
            if place == last:
                continue
            last = place
            row, pivot = self.pivots[-place]
            entries = self.rows[row]
            rest = sum(a * values[c] for c, a in entries.items() if c in values and c != pivot)
            if rest != 0.0:
                values[pivot] = -rest / entries[pivot]
                for reader in self.readers[pivot]:
                    heappush(waiting, -reader)
        return _without_dust(values)


def _without_dust(vector: Vector) -> Vector:
    largest = max(map(abs, vector.values()))
    return {k: a for k, a in vector.items() if abs(a) > 1e-7 * largest}
