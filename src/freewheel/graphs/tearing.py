"""A small set of unknowns to iterate on: guess them, and the rest follows one after the other.

In comes, for one loop, what each equation holds and which of it the equation can safely be solved
for; out come the guessed columns, the order in which the others follow, and the equations that
are left as residuals.

    tear([[0, 1], [1, 2], [2, 0]], [[0, 1], [1, 2], [2, 0]], 3)
    guessed (0,), order ((0, 1), (1, 2)), residuals (2,)

Heuristic after Cellier and Kofman (Continuous System Simulation, section 7.3) and Carpanzano
(2000): follow every equation that has one unknown left; when stuck, guess the unknown that occurs
in most of the open equations, weighted towards equations that are nearly determined. Later guesses
often make earlier ones follow: those are taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAX_EFFORT = 2_000_000  # visits of entries while guesses are taken back


@dataclass(frozen=True, slots=True)
class Torn:
    guessed: tuple[int, ...]  # columns
    order: tuple[tuple[int, int], ...]  # (row, column) solved one after the other
    residuals: tuple[int, ...]  # rows


class _State:
    def __init__(
        self, rows: Sequence[Sequence[int]], solvable: Sequence[Sequence[int]], count: int
    ) -> None:
        self.rows = rows
        self.solvable = [frozenset(entries) for entries in solvable]
        self.rows_of_column: list[list[int]] = [[] for _ in range(count)]
        for row, entries in enumerate(rows):
            for column in entries:
                self.rows_of_column[column].append(row)
        self.known = [False] * count
        self.used = [False] * len(rows)
        self.left = [len(entries) for entries in rows]
        self.ready = [r for r in range(len(rows) - 1, -1, -1) if self.left[r] == 1]

    def learn(self, column: int) -> None:
        self.known[column] = True
        for row in self.rows_of_column[column]:
            self.left[row] -= 1
            if self.left[row] == 1 and not self.used[row]:
                self.ready.append(row)

    def next_step(self) -> tuple[int, int] | None:
        while self.ready:
            row = self.ready.pop()
            if self.used[row] or self.left[row] != 1:
                continue
            column = next(c for c in self.rows[row] if not self.known[c])
            if column in self.solvable[row]:
                self.used[row] = True
                return row, column
        return None

    def guess(self) -> int:
        """Most occurrences in open equations, each counted the more the fewer unknowns it has."""
        score: dict[int, float] = {}
        for row, entries in enumerate(self.rows):
            if self.used[row] or self.left[row] == 0:
                continue
            weight = 1.0 / self.left[row]
            for column in entries:
                if not self.known[column]:
                    # An unknown that its equation cannot be solved for had better be guessed.
                    bonus = 0.0 if column in self.solvable[row] else 2.0
                    score[column] = score.get(column, 0.0) + weight + bonus
        return max(sorted(score), key=score.__getitem__)


def tear(
    rows: Sequence[Sequence[int]], solvable: Sequence[Sequence[int]], column_count: int
) -> Torn:
    """`solvable[r]`: the columns that row `r` may safely be solved for."""
    guessed = _greedy(_State(rows, solvable, column_count), column_count)
    effort = len(guessed) * sum(map(len, rows))
    for column in tuple(guessed) if effort <= MAX_EFFORT else ():
        fewer = [other for other in guessed if other != column]
        if (
            len(_following(_State(rows, solvable, column_count), fewer)) + len(fewer)
            == column_count
        ):
            guessed = fewer
    state = _State(rows, solvable, column_count)
    order = _following(state, guessed)
    residuals = tuple(r for r in range(len(rows)) if not state.used[r])
    return Torn(tuple(guessed), tuple(order), residuals)


def _greedy(state: _State, column_count: int) -> list[int]:
    guessed: list[int] = []
    for _ in range(column_count):
        step = state.next_step()
        column = state.guess() if step is None else step[1]
        if step is None:
            guessed.append(column)
        state.learn(column)
    return guessed


def _following(state: _State, guessed: Sequence[int]) -> list[tuple[int, int]]:
    """What can be solved from the guesses, in order."""
    order: list[tuple[int, int]] = []
    for column in guessed:
        state.learn(column)
    while (step := state.next_step()) is not None:
        order.append(step)
        state.learn(step[1])
    return order
