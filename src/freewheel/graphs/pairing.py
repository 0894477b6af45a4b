"""A matching that can be changed row by row and taken back: for many small questions "what if".

    pairing = Pairing([[0, 1], [1]], 2)
    here = pairing.mark()
    pairing.set_row(0, [1])             # now both rows want column 1
    pairing.augment(0)                  # False
    pairing.reached(0)                  # [0, 1]: the rows that quarrel
    pairing.take_back(here)

Each question costs what lies on the alternating paths it walks, not the size of the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from freewheel.graphs.matching import FREE, match

T = TypeVar("T")


class Pairing:
    """Rows paired with columns, FREE where there is no partner."""

    def __init__(self, rows: Sequence[Sequence[int]], column_count: int) -> None:
        found = match(rows, column_count)
        self.rows: list[tuple[int, ...]] = [tuple(row) for row in rows]
        self.column_of = list(found.column_of_row)
        self.row_of = list(found.row_of_column)
        self._journal: list[tuple[list[Any], int, Any]] = []

    # ------------------------------------------------------------ changes

    def mark(self) -> int:
        return len(self._journal)

    def take_back(self, mark: int) -> None:
        """Everything as it was at `mark`."""
        while len(self._journal) > mark:
            place, index, before = self._journal.pop()
            place[index] = before

    def note(self, place: list[T], index: int, value: T) -> None:
        """`place[index] = value`, to be taken back with the rest."""
        self._journal.append((place, index, place[index]))
        place[index] = value

    def set_row(self, row: int, columns: Iterable[int]) -> bool:
        """Whether the row still has its partner."""
        self.note(self.rows, row, tuple(columns))
        column = self.column_of[row]
        if column == FREE or column in self.rows[row]:
            return column != FREE
        self.note(self.column_of, row, FREE)
        self.note(self.row_of, column, FREE)
        return False

    # ------------------------------------------------------------ searches

    def augment(self, start: int) -> bool:
        """One augmenting path from the free row `start`, depth first."""
        seen: set[int] = set()
        path: list[int] = [start]
        open_ends: list[Iterator[int]] = [iter(self.rows[start])]
        picked: list[int] = []  # column by which each row of the path is left
        while path:
            column = next((c for c in open_ends[-1] if c not in seen), FREE)
            if column == FREE:
                path.pop()
                open_ends.pop()
                if picked:
                    picked.pop()
                continue
            seen.add(column)
            picked.append(column)
            owner = self.row_of[column]
            if owner == FREE:
                self._pair(path, picked)
                return True
            path.append(owner)
            open_ends.append(iter(self.rows[owner]))
        return False

    def _pair(self, path: Sequence[int], picked: Sequence[int]) -> None:
        for row, column in zip(path, picked, strict=True):
            self.note(self.column_of, row, column)
            self.note(self.row_of, column, row)

    def reached(self, start: int) -> list[int]:
        """Rows on alternating paths from the free row `start`, itself included, ascending: they
        have one column too few."""
        rows = {start}
        columns: set[int] = set()
        waiting = [start]
        while waiting:
            for column in self.rows[waiting.pop()]:
                if column in columns:
                    continue
                columns.add(column)
                owner = self.row_of[column]
                if owner != FREE and owner not in rows:
                    rows.add(owner)
                    waiting.append(owner)
        return sorted(rows)
