"""Constraints without the variables that always follow: in comes a gradient, out come smaller ones.

    x = cos(p), y = sin(p), x + cos(q) = 2, y + sin(q) = 0       (columns x, y, p, q)
    ->  one group: rows 3 and 4 on p and q alone, as x and y have coefficients that stay

A variable with a coefficient that is a number can be taken from that equation wherever the others
are, so it neither becomes singular nor has to be a state. Gaussian elimination with such pivots
leaves the Schur complement; its determinant determines that of the whole. What does not hang together
after that is parted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from freewheel.formula import build
from freewheel.formula.nodes import Expr

MAX_FILL = 4_000  # products; beyond it the whole is handier than the rest

Row = dict[int, Expr]  # column -> entry


@dataclass(frozen=True, slots=True)
class Part:
    """Constraints and variables that hang together."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    entries: Mapping[int, Mapping[int, Expr]]  # row -> column -> entry


def parts_of(
    gradient: Mapping[int, Mapping[int, Expr]],
    reluctance: Callable[[int], tuple[int, ...]],
    is_steady: Callable[[Expr], bool],
) -> list[Part]:
    """`reluctance` of a column to follow: smaller ones are eliminated first. `is_steady` says
    whether an entry is a number that never changes and is not zero."""
    rows = {
        row: {c: e for c, e in entries.items() if not build.is_zero(e)}
        for row, entries in gradient.items()
    }
    left = MAX_FILL
    while left > 0:
        pivot = _pivot(rows, reluctance, is_steady)
        if pivot is None:
            break
        left -= _eliminate(rows, *pivot)
    return _connected(rows)


def _pivot(
    rows: Mapping[int, Row],
    reluctance: Callable[[int], tuple[int, ...]],
    is_steady: Callable[[Expr], bool],
) -> tuple[int, int] | None:
    """(row, column) that is steady, of the column least wanted, with least fill."""
    uses: dict[int, int] = {}
    for entries in rows.values():
        for column in entries:
            uses[column] = uses.get(column, 0) + 1
    best: tuple[tuple[int, ...], int, int] | None = None
    for row, entries in rows.items():
        for column, entry in entries.items():
            cost = (*reluctance(column), (len(entries) - 1) * (uses[column] - 1))
            if (best is None or cost < best[0]) and is_steady(entry):
                best = cost, row, column
    return None if best is None else best[1:]


def _eliminate(rows: dict[int, Row], row: int, column: int) -> int:
    """Take the column out of all other rows; how many products that took."""
    pivot_row = rows.pop(row)
    pivot = pivot_row.pop(column)
    products = 0
    for other in rows.values():
        entry = other.pop(column, None)
        if entry is None:
            continue
        factor = build.over(entry, pivot)
        for c, value in pivot_row.items():
            change = build.times(factor, value)
            new = build.minus(other[c], change) if c in other else build.neg(change)
            products += 1
            if build.is_zero(new):
                del other[c]
            else:
                other[c] = new
    return products


def _connected(rows: Mapping[int, Row]) -> list[Part]:
    result: list[Part] = []
    waiting = list(rows)
    while waiting:
        together, columns = [waiting[0]], set(rows[waiting[0]])
        while True:
            more = [r for r in waiting if r not in together and columns.intersection(rows[r])]
            if not more:
                break
            together += more
            columns.update(c for r in more for c in rows[r])
        waiting = [r for r in waiting if r not in together]
        together.sort()
        entries = {r: rows[r] for r in together}
        result.append(Part(tuple(together), tuple(sorted(columns)), entries))
    return result
