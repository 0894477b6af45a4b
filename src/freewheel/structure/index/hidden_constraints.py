"""Constraints that only cancellation shows: Pantelides' algorithm does not see them.

    v1 = a - b,  v2 = b - a        each has a node potential of its own, but together  v1 + v2 = 0

In: all equations with their derivatives, and how the highest derivatives are paired. Out: for some
of the given equations another one that says the same together with the rest, but holds none of the
unknowns of its loop: then structure shows what it constrains. Only sums with plain numbers are
combined, so nothing depends on the values of parameters, and each combination is exact.

Linear combination method: Tan, Nedialkov, Pryce 2017, "Conversion methods for improving structural
analysis of differential-algebraic equation systems": of the equations in a combination one that was
differentiated least is replaced by the combination.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from freewheel.formula.nodes import ZERO, Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.components import components
from freewheel.graphs.nullspace import null_vectors
from freewheel.graphs.pantelides import NONE, Reduced
from freewheel.structure.nodes import ScalarEquation
from freewheel.structure.simplify.vanishing_sums import Share, Sum, sum_of_terms, terms_of

MOST_DIGITS = 1_000  # denominators of weights


@dataclass(frozen=True, slots=True)
class _Given:
    """Equations by row and unknowns by column, in the order in which Pantelides created them."""

    equations: Sequence[ScalarEquation]
    unknowns: Sequence[Var]
    reduced: Reduced
    origin: Sequence[int]  # of each row the equation it is a derivative of
    order: Sequence[int]  # and how often it was differentiated
    row_before: Mapping[int, int]  # derivative -> what it is made from
    column_before: Mapping[int, int]


def find_cancellations(
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    reduced: Reduced,
    may_change: Callable[[int], bool],
) -> dict[int, ScalarEquation]:
    """Number of a given equation -> what to put in its place. `may_change` says of a given
    equation whether it may be used."""
    given = _Given(
        equations,
        unknowns,
        reduced,
        *_origins(reduced.row_derivative),
        _inverse(reduced.row_derivative),
        _inverse(reduced.column_derivative),
    )
    found: dict[int, ScalarEquation] = {}
    for block in _loops(reduced):
        rows = [row for row in block if may_change(given.origin[row])]
        found.update(_in_loop(given, rows, [reduced.column_of_row[row] for row in block]))
    return found


def find_hidden_constraints(
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    derivative: Sequence[int],
    may_change: Callable[[int], bool],
) -> dict[int, ScalarEquation]:
    """The same before anything is differentiated: combinations that hold states alone. Without them
    equations would be differentiated that need not be, those of switches among them."""
    rows = range(len(equations))
    nothing = tuple(NONE for _ in rows)
    reduced = Reduced(nothing, tuple(derivative), (), nothing)
    given = _Given(equations, unknowns, reduced, rows, [0] * len(rows), {}, {})
    highest = [column for column, later in enumerate(derivative) if later == NONE]
    return _in_loop(given, [row for row in rows if may_change(row)], highest)


def _origins(derivative: Sequence[int]) -> tuple[list[int], list[int]]:
    origin = list(range(len(derivative)))
    order = [0] * len(derivative)
    for row, later in enumerate(derivative):  # a derivative comes after what it is made from
        if later != NONE:
            origin[later], order[later] = origin[row], order[row] + 1
    return origin, order


def _inverse(derivative: Sequence[int]) -> dict[int, int]:
    return {later: at for at, later in enumerate(derivative) if later != NONE}


def _loops(reduced: Reduced) -> list[list[int]]:
    """Rows that need each other's highest derivatives; those alone cannot cancel."""
    last = [row for row, later in enumerate(reduced.row_derivative) if later == NONE]
    giver = {reduced.column_of_row[row]: at for at, row in enumerate(last)}
    edges = [[giver[c] for c in reduced.rows[row] if c in giver] for row in last]
    return [[last[at] for at in block] for block in components(edges) if len(block) > 1]


def _in_loop(
    given: _Given, rows: Sequence[int], columns: Sequence[int]
) -> dict[int, ScalarEquation]:
    place = {given.unknowns[column]: k for k, column in enumerate(columns)}
    sums: dict[int, dict[int, Share]] = {}
    for row in rows:
        if given.equations[row].target is not None:
            continue  # statements only ever give their variable
        entries = _entries(terms_of(given.equations[row]), place)
        if entries:  # without entries it is a constraint already
            sums[row] = entries
    _drop_single(sums)
    numbers = list(sums)
    matrix = [{k: float(share) for k, share in sums[row].items()} for row in numbers]
    vectors = null_vectors(matrix, len(place)) if len(matrix) > 1 else None
    found: dict[int, ScalarEquation] = {}
    for vector in vectors.rows if vectors else ():
        weights = {
            numbers[at]: Fraction(weight).limit_denominator(MOST_DIGITS)
            for at, weight in vector.items()
        }
        found.update(_replacement(given, weights, frozenset(columns), frozenset(found)))
    return found


def _entries(terms: Sum, place: Mapping[Var, int]) -> dict[int, Share] | None:
    """Numbers before the unknowns of the loop; None where one stands in a formula."""
    entries: dict[int, Share] = {}
    for leaf, share in terms.items():
        if isinstance(leaf, Var):
            if leaf in place and share:
                entries[place[leaf]] = share
        elif any(var in place for var in variables_in(leaf)):
            return None
    return entries


def _drop_single(sums: dict[int, dict[int, Share]]) -> None:
    """A row with an unknown that no other row here holds is in no combination; and so on."""
    users: dict[int, set[int]] = {}
    for row, entries in sums.items():
        for column in entries:
            users.setdefault(column, set()).add(row)
    waiting = [column for column, rows in users.items() if len(rows) == 1]
    while waiting:
        rows = users[waiting.pop()]
        if len(rows) != 1:
            continue
        (row,) = rows
        for column in sums.pop(row):
            users[column].discard(row)
            if len(users[column]) == 1:
                waiting.append(column)


def _replacement(
    given: _Given,
    weights: Mapping[int, Fraction],
    columns: frozenset[int],
    taken: frozenset[int],
) -> dict[int, ScalarEquation]:
    """The combination in the place of one of its equations; nothing where it is not exact, or
    where an equation has another one in its place already."""
    least = min(given.order[row] for row in weights)
    chosen = next(row for row in weights if given.order[row] == least)
    if any(given.origin[row] in taken for row in weights):
        return {}
    lowered = {row: _before(given.row_before, row, least) for row in weights}
    total: Sum = {}
    for row, weight in weights.items():
        for leaf, share in terms_of(given.equations[lowered[row]]).items():
            total[leaf] = total.get(leaf, 0) + weight * share
    total = {leaf: share for leaf, share in total.items() if share}
    gone = {given.unknowns[_before(given.column_before, column, least)] for column in columns}
    if not gone.isdisjoint(variables_in(*total)):
        return {}
    first = given.equations[given.origin[chosen]]
    return {given.origin[chosen]: replace(first, left=sum_of_terms(total), right=ZERO)}


def _before(before: Mapping[int, int], at: int, steps: int) -> int:
    """What must be differentiated so often to give this one; as far as there is such a thing."""
    for _ in range(steps):
        at = before.get(at, at)
    return at
