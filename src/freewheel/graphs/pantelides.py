"""Which equations to differentiate, and how often (Pantelides 1988, algorithm 4.1, explicit stack).

In comes, for each equation, the variables it holds and, for each variable, the number of its
derivative (or NONE); out come the orders of differentiation and the variables that this creates.

    pendulum-like:  x, y, xd, yd with xd = x', yd = y';  equation 2 holds x and y only
    -> equation 2 must be differentiated

A caller that differentiates equations on the way can say what each derivative really holds
(`derive`): a function may have a derivative by annotation that names other variables. Without it,
a derivative holds the variables of the equation and the derivatives of all of them. Rows whose
derivative holds less than that are differentiated before others (`early`): r = f(T), with f' a
function of T and w, need not make T = g(x) follow.

Rows that must not be differentiated (`kept`) come with columns: each may take the last derivative of a
differentiated one of these instead. Where such a row constrains, what it constrains is left to the
caller. Given all columns of the rows that would be differentiated with it, it always finds one, since
the system is not singular.

Equations are differentiated one by one. Those that lose their variable to its derivative look for
another and, where all derivatives are as usual, end up differentiated too: the paper's whole set.

The system must not be singular outright (`match` on the variables with derivatives folded into
their base must be perfect), otherwise the search would not end; the caller checks that first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from freewheel.graphs.matching import FREE, match

NONE = -1
# (row, gives the derivative of a column) -> columns in the derivative of the row
Derive = Callable[[int, Callable[[int], int]], Iterable[int]]

NO_ROWS: Mapping[int, Sequence[int]] = {}
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
    def __init__(
        self,
        rows: Sequence[Sequence[int]],
        derivative: Sequence[int],
        derive: Derive | None,
        early: Callable[[int], bool],
        kept: Mapping[int, Sequence[int]],
    ) -> None:
        self.early = early
        self.kept = kept
        self.derive = derive or self.usual
        self.fresh: list[int] = []  # columns that got a derivative since the last look
        # Columns that a search in vain has visited, without early rows. From these only such columns
        # are reached, and a row gives one up only when it is no highest derivative any more.
        self.dead: set[int] = set()
        self.rows: list[tuple[int, ...]] = [tuple(row) for row in rows]
        self.derivative = list(derivative)
        self.row_derivative = [NONE] * len(rows)
        self.order_of_row = [0] * len(rows)
        self.column_of_row = [FREE] * len(rows)
        self.row_of_column = [FREE] * len(derivative)

    def start(self) -> list[int]:
        """A cheap first matching; returns the rows that it leaves free."""
        given = map(self._columns, range(len(self.rows)))
        highest = [[c for c in row if self.derivative[c] == NONE] for row in given]
        first = match(highest, len(self.derivative))
        self.column_of_row = list(first.column_of_row)
        self.row_of_column = list(first.row_of_column)
        return list(first.free_rows)

    def augment(self, start: int) -> int:
        """Pair the row, along a path to a free highest derivative. Where there is no path, the row
        to differentiate: any of those visited would do, an early one is best."""
        before: dict[int, int] = {start: NONE}
        path: list[int] = [start]
        iterators = [iter(self._columns(start))]
        while path:
            free = self._free(path[-1])
            if free != FREE:
                self._flip(path, free)
                return NONE
            for column in iterators[-1]:
                if self.derivative[column] != NONE or column in self.dead:
                    continue
                next_row = self.row_of_column[column]
                if next_row in before:
                    continue
                before[next_row] = path[-1]
                path.append(next_row)
                iterators.append(iter(self._columns(next_row)))
                break
            else:
                path.pop()
                iterators.pop()
        early = next((row for row in before if self.early(row)), NONE)
        if early == NONE:
            self.dead.update(self.column_of_row[row] for row in before if row != start)
            return start
        self._unpair(early, before)
        return early

    def _unpair(self, row: int, before: dict[int, int]) -> None:
        """Hand columns on along the way by which the search came to the row."""
        column = FREE
        while row != NONE:
            lost, self.column_of_row[row] = self.column_of_row[row], column
            if column != FREE:
                self.row_of_column[column] = row
            row, column = before[row], lost

    def _free(self, row: int) -> int:
        for column in self._columns(row):
            if self.derivative[column] == NONE and self.row_of_column[column] == FREE:
                return column
        return FREE

    def _columns(self, row: int) -> Sequence[int]:
        """What the row may be paired with."""
        if row not in self.kept:
            return self.rows[row]
        moving = (column for column in self.kept[row] if self.derivative[column] != NONE)
        return (*self.rows[row], *map(self._last, moving))

    def _last(self, column: int) -> int:
        while self.derivative[column] != NONE:
            column = self.derivative[column]
        return column

    def _flip(self, path: list[int], column: int) -> None:
        for row in reversed(path):
            previous = self.column_of_row[row]
            self.column_of_row[row] = column
            self.row_of_column[column] = row
            column = previous

    def usual(self, row: int, derivative_of: Callable[[int], int]) -> Iterable[int]:
        return (*self.rows[row], *map(derivative_of, self.rows[row]))

    def derivative_of(self, column: int) -> int:
        if self.derivative[column] == NONE:
            self.fresh.append(column)
            self.derivative[column] = len(self.derivative)
            self.derivative.append(NONE)
            self.row_of_column.append(FREE)
        return self.derivative[column]

    def differentiate(self, row: int) -> list[int]:
        """Returns the last rows that have no column now."""
        derivative = len(self.rows)
        entries = set(self.derive(row, self.derivative_of))
        if self.kept:  # such rows may find a fresh column
            self.dead.clear()
        self.row_derivative[row] = derivative
        self.rows.append(tuple(sorted(entries)))
        self.row_derivative.append(NONE)
        self.order_of_row.append(self.order_of_row[row] + 1)
        self.column_of_row.append(FREE)
        return [*self._release_fresh(), derivative]

    def origins(self, order: int) -> tuple[int, ...]:
        """The rows that have been differentiated so often."""
        first = list(range(len(self.rows)))
        for row, later in enumerate(self.row_derivative):
            if later != NONE:
                first[later] = first[row]
        return tuple(sorted({first[r] for r, n in enumerate(self.order_of_row) if n == order}))

    def _release_fresh(self) -> list[int]:
        """A row may be paired with a highest derivative only."""
        rows = [self.row_of_column[c] for c in self.fresh if self.row_of_column[c] != FREE]
        for row in rows:
            self.row_of_column[self.column_of_row[row]] = FREE
            self.column_of_row[row] = FREE
        self.fresh = []
        return rows


def pantelides(
    rows: Sequence[Sequence[int]],
    derivative: Sequence[int],
    derive: Derive | None = None,
    early: Callable[[int], bool] = lambda row: False,
    kept: Mapping[int, Sequence[int]] = NO_ROWS,
) -> Reduced:
    """Differentiate until every last equation has a last derivative of its own.

    Derivatives of columns that the model itself does not differentiate are created on demand.
    """
    search = _Search(rows, derivative, derive, early, kept)
    waiting = list(reversed(search.start()))
    while waiting:
        row = search.augment(waiting.pop())
        if row == NONE:
            continue
        if search.order_of_row[row] >= MAX_ORDER:
            raise NoEndError(search.origins(MAX_ORDER - 1))
        waiting.extend(reversed(search.differentiate(row)))
    return Reduced(
        tuple(search.row_derivative),
        tuple(search.derivative),
        tuple(search.rows),
        tuple(search.column_of_row),
    )
