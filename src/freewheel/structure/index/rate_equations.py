"""Equations that give a velocity by derivatives: `w = der(phi)`, `w = cos(q)*v` with `v = der(q)`.

In: chains of differentiated equations and the columns that one level of the choice of states has made
plain unknowns. Out: for each of these that is no derivative, the undifferentiated equation that gives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.matching import augment_all, match
from freewheel.graphs.pantelides import NONE
from freewheel.structure.index.reduce_index import Chains


def held(chains: Chains, row: int) -> Iterable[Var]:
    return variables_in(chains.equations[row].left, chains.equations[row].right)


@dataclass(frozen=True, slots=True)
class Given:
    """Equations that give a column, with the derivatives and rates in them."""

    rows: tuple[int, ...]
    columns: tuple[int, ...] = ()


def definitions(
    chains: Chains,
    rows_of_level: Sequence[int],
    chosen: Sequence[int],
    entries: Mapping[int, Mapping[int, float]],
    before_row: Mapping[int, int],
    before_column: Mapping[int, int],
    asked: Set[int],
) -> dict[int, Given]:
    """Column that is no derivative -> the undifferentiated equation that gives it, with the last
    derivatives in it where it has not been differentiated at all."""
    columns = [c for c in chosen if c in before_column and before_column[c] not in before_column]
    plain = [before_column[c] for c in columns]
    once = [r for r in rows_of_level if r in before_row and before_row[r] not in before_row]
    candidates = [Given((before_row[r],)) for r in once]
    place = {row: n for n, row in enumerate(once)}
    holds: list[list[int]] = [[] for _ in once]
    for k, column in enumerate(columns):
        for row in entries[column]:
            if row in place:
                holds[place[row]].append(k)
    found = match(holds, len(plain))
    column_of_row, row_of_column = list(found.column_of_row), list(found.row_of_column)
    own = [r for r, c in enumerate(chains.equation_derivative) if c == NONE and r not in before_row]
    older = [
        r for r, c in enumerate(chains.equation_derivative) if c != NONE and r not in before_row
    ]
    for among, rates in ((own, {}), (own, _rates(chains, own, before_column, asked)), (older, {})):
        if NONE not in row_of_column:
            break
        first = len(holds)
        for given, inside in _rate_equations(chains, among, plain, before_column, rates):
            if given.rows[0] not in (r for c in candidates for r in c.rows[:1]):
                candidates.append(given)
                holds.append(inside)
        column_of_row += [NONE] * (len(holds) - first)
        augment_all(holds, column_of_row, row_of_column, range(first, len(holds)))
    return {
        plain[k]: candidate
        for candidate, k in zip(candidates, column_of_row, strict=True)
        if k != NONE
    }


def _rate_equations(
    chains: Chains,
    own: Sequence[int],
    plain: Sequence[int],
    before_column: Mapping[int, int],
    rates: Mapping[int, Given],
) -> Iterator[tuple[Given, list[int]]]:
    """Undifferentiated equations that hold no unknowns but columns and last derivatives, like
    `w = der(phi)`, or rates, like `w = cos(q)*v` with `v = der(q)`; with the places of the columns."""
    number = {var: column for column, var in enumerate(chains.unknowns)}
    place = {column: k for k, column in enumerate(plain)}
    for row in own:
        inside = [number[v] for v in held(chains, row) if v in number]
        last = [c for c in inside if c in before_column or chains.unknown_derivative[c] == NONE]
        is_rate = last and all(c in before_column or c in rates for c in last)
        if is_rate and any(c in place for c in inside) and (not rates or set(last) & set(rates)):
            yield _with_rates(row, last, rates), [place[c] for c in inside if c in place]


def _rates(
    chains: Chains, own: Sequence[int], before_column: Mapping[int, int], asked: Set[int]
) -> dict[int, Given]:
    """Unknowns without a derivative that follow from derivatives of others than `asked`, which
    are of the wanted order: `v` by `v = der(q)`."""
    number = {var: column for column, var in enumerate(chains.unknowns)}
    result: dict[int, Given] = {}
    waiting = list(own)
    while True:
        left: list[int] = []
        for row in waiting:
            inside = [number[v] for v in held(chains, row) if v in number]
            last = [c for c in inside if chains.unknown_derivative[c] == NONE]
            known = [c for c in last if c in before_column or c in result]
            new = [c for c in last if c not in known]
            if len(new) != 1 or not known or any(before_column.get(c) in asked for c in known):
                left.append(row)
            else:
                result[new[0]] = _with_rates(row, last, result)
        if len(left) == len(waiting):
            return result
        waiting = left


def _with_rates(row: int, last: Sequence[int], rates: Mapping[int, Given]) -> Given:
    through = [rates[c] for c in last if c in rates]
    rows = (row, *(r for given in through for r in given.rows))
    columns = (*last, *(c for given in through for c in given.columns))
    return Given(tuple(dict.fromkeys(rows)), tuple(dict.fromkeys(columns)))
