"""Choose states: which of the variables tied by constraints are integrated, which follow.

Dummy derivatives (Mattsson, Söderlind 1993): level by level, from the most differentiated equations
down, as many highest derivatives as there are differentiated equations become plain unknowns; a
variable whose derivative stays is a state. Which ones: StateSelect first, then variables without a
fixed start, those whose start is said deepest in the tree, then large coefficients. Coefficients are
taken at the start point, so a choice that is structurally possible but singular there is avoided, and
one whose coefficients cannot change is preferred to one that may become singular later. Where all
choices may, see dynamic_states.py.

    x^2 + y^2 = 1, hanging at x = 0, y = -1:   y follows, x is a state
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from freewheel.base.names import Name
from freewheel.formula.differentiate import CallDerivatives
from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.matching import match
from freewheel.graphs.pantelides import NONE
from freewheel.structure.atoms import is_chosen_state, is_der
from freewheel.structure.index.diagnostics import no_choice_of_states
from freewheel.structure.index.rate_equations import definitions, held
from freewheel.structure.index.reduce_index import Chains
from freewheel.structure.index.state_coefficients import (
    Point,
    coefficients,
    independent,
    structurally_independent,
)
from freewheel.structure.nodes import ScalarVariable
from freewheel.structure.values import ParameterValues

AVOID, DEFAULT, PREFER = 1, 2, 3
_RANK = {"never": 0, "avoid": AVOID, "default": DEFAULT, "prefer": PREFER, "always": 4}


@dataclass(frozen=True, slots=True)
class Level:
    """One round of the choice: as many of the columns as rows have become plain unknowns."""

    rows: tuple[int, ...]
    entries: Mapping[int, Mapping[int, float]]  # column -> row -> coefficient at the start point
    varying: frozenset[tuple[int, int]]  # (row, column) of coefficients that change with time
    chosen: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    states: tuple[Var, ...]
    unknowns: tuple[Var, ...]
    levels: tuple[Level, ...] = ()


def choose_states(
    chains: Chains,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    wanted: frozenset[Var] = frozenset(),
    functions: CallDerivatives | None = None,
) -> Selection:
    """`wanted`: variables that a reinit names; they had better be states."""
    levels = _levels(chains, Point(variables, values, chains.steady, functions), wanted)
    dummies = {column for level in levels for column in level.chosen}
    states: list[Var] = []
    unknowns: list[Var] = []
    for column, var in enumerate(chains.unknowns):
        later = chains.unknown_derivative[column]
        if later != NONE and later not in dummies:
            states.append(var)
        else:
            unknowns.append(var)
    if len(unknowns) != len(chains.equations):
        raise no_choice_of_states(chains, levels)
    return Selection(tuple(states), tuple(unknowns), tuple(levels))


def _levels(
    chains: Chains,
    point: Point,
    wanted: frozenset[Var],
) -> list[Level]:
    """Round after round. Where a lower one has too few columns, because what it holds was not
    chosen above, that is chosen first and all rounds begin anew."""
    needed: frozenset[int] = frozenset()
    while True:
        levels = _descend(chains, point, wanted, needed)
        further = _needed(chains, levels) - needed
        if not further:
            return levels
        needed |= further


def _needed(chains: Chains, levels: Sequence[Level]) -> frozenset[int]:
    """Derivatives that were not chosen, of what the first round with too few columns holds.

    A derivative by annotation has velocities where the equation has angles. So `-s*w = 0`, the
    derivative of `c = 0.7`, is an equation of `w`, though by its second derivative `s` may follow
    from it as well; with `w` as a state nothing would keep `w = der(phi)`.
    """
    lacking = next((level for level in levels if len(level.chosen) < len(level.rows)), None)
    if lacking is None:
        return frozenset()
    number = {var: column for column, var in enumerate(chains.unknowns)}
    chosen = {column for level in levels for column in level.chosen}
    held = {
        chains.unknown_derivative[number[var]]
        for row in lacking.rows
        for var in variables_in(chains.equations[row].left, chains.equations[row].right)
        if var in number
    }
    return frozenset(held - chosen - {NONE})


def _descend(
    chains: Chains,
    point: Point,
    wanted: frozenset[Var],
    needed: frozenset[int],
) -> list[Level]:
    before_row = inverse(chains.equation_derivative)
    before_column = inverse(chains.unknown_derivative)
    rows = [r for r, later in enumerate(chains.equation_derivative) if later == NONE]
    rows = [r for r in rows if r in before_row]
    columns = [c for c, later in enumerate(chains.unknown_derivative) if later == NONE]
    columns = [c for c in columns if c in before_column]
    result: list[Level] = []
    settled = _Settled({}, {})

    def reluctance(column: int) -> tuple[float, ...]:
        if column not in before_column or column in settled.row_of:
            return (-3, 0, 0)  # an unknown already
        if column in needed:
            return (-2, 0, 0)
        return merit(chains.unknowns[before_column[column]], point.variables, wanted)

    while rows:
        settled.bring(rows, columns)
        level = settled.without(_choose(chains, rows, columns, point, reluctance))
        result.append(level)
        settled.add(level)
        rows, columns = _next_level(chains, level, before_row, before_column)
    return result


@dataclass(frozen=True, slots=True)
class _Settled:
    """Columns that a higher level has chosen. A lower one may hold them again: `w = der(phi)`
    beside a constraint on `w`, where a constraint on `phi` alone has made `der(phi)` an unknown.
    There they count as unknowns, with the rows that give them."""

    row_of: dict[int, int]  # chosen column -> the row that gives it
    columns_in: dict[int, tuple[int, ...]]  # such a row -> the columns of its level in it

    def add(self, level: Level) -> None:
        holds = [
            [k for k, c in enumerate(level.chosen) if r in level.entries[c]] for r in level.rows
        ]
        found = match(holds, len(level.chosen))
        for row, k in zip(level.rows, found.column_of_row, strict=True):
            if k != NONE:
                self.row_of[level.chosen[k]] = row
                self.columns_in[row] = tuple(c for c, at in level.entries.items() if row in at)

    def bring(self, rows: list[int], columns: list[int]) -> None:
        """Adds the rows that give settled columns, and the columns in those."""
        waiting = [c for c in columns if c in self.row_of]
        while waiting:
            row = self.row_of[waiting.pop()]
            if row not in rows:
                rows.append(row)
                new = [c for c in self.columns_in[row] if c not in columns]
                columns += new
                waiting += [c for c in new if c in self.row_of]

    def without(self, level: Level) -> Level:
        """The level without what `bring` has added."""
        rows = [r for r in level.rows if r not in self.columns_in]
        entries = {
            c: {r: value for r, value in found.items() if r not in self.columns_in}
            for c, found in level.entries.items()
            if c not in self.row_of
        }
        varying = {(r, c) for r, c in level.varying if c in entries and r in entries[c]}
        chosen = [c for c in level.chosen if c in entries]
        return Level(tuple(rows), entries, frozenset(varying), tuple(chosen))


def _next_level(
    chains: Chains,
    level: Level,
    before_row: Mapping[int, int],
    before_column: Mapping[int, int],
) -> tuple[list[int], list[int]]:
    """Everything one derivative lower; what was not chosen is known there.

    A derivative by annotation may use a velocity `w` where the equation holds angles: then the
    lower equation holds `w`, no derivative itself, and `w = der(phi)` is needed to find what it
    means for the angles. Where `w = der(phi)` has not been differentiated, `der(phi)` comes with it.
    """
    rows = [before_row[r] for r in level.rows if before_row.get(r) in before_row]
    lower = [before_column[c] for c in level.chosen if c in before_column]
    columns = [c for c in lower if c in before_column]
    plain = {chains.unknowns[c]: c for c in lower if c not in before_column}
    if not rows or not plain:
        return rows, columns
    asked = {plain[var] for r in rows for var in held(chains, r) if var in plain}
    definition = definitions(
        chains, level.rows, level.chosen, level.entries, before_row, before_column, asked
    )
    waiting = list(rows)
    while waiting:
        for var in held(chains, waiting.pop()):
            column = plain.pop(var, None)
            if column is not None and column in definition:
                given = definition[column]
                new = [r for r in given.rows if r not in rows]
                rows += new
                columns += [column, *given.columns]
                waiting += new
    return rows, list(dict.fromkeys(columns))


def inverse(derivative: Sequence[int]) -> dict[int, int]:
    return {later: at for at, later in enumerate(derivative) if later != NONE}


def _choose(
    chains: Chains,
    rows: Sequence[int],
    columns: Sequence[int],
    point: Point,
    reluctance_of: Callable[[int], tuple[float, ...]],
) -> Level:
    """As many columns as rows, independent at the start point, least wanted as states first."""
    number = {chains.unknowns[c]: c for c in columns}
    entries: dict[int, dict[int, float]] = {c: {} for c in columns}
    varying: set[tuple[int, int]] = set()
    for row in rows:
        for column, found in coefficients(chains.equations[row], number, point).items():
            entries[column][row] = found.value
            if found.is_varying:
                varying.add((row, column))

    def reluctance(column: int) -> tuple[float, ...]:
        size = max(map(abs, entries[column].values()), default=0.0)
        return (*reluctance_of(column), -size, -column)

    def steadiness(column: int) -> tuple[float, ...]:
        first, *rest = reluctance(column)
        return (first, float(any((row, column) in varying for row in entries[column])), *rest)

    order = sorted(columns, key=reluctance)
    chosen = independent(order, entries, len(rows))
    if core_of(entries, varying, chosen).columns:
        steady = independent(sorted(columns, key=steadiness), entries, len(rows))
        if len(steady) == len(rows) and not core_of(entries, varying, steady).columns:
            chosen = steady
    if len(chosen) < len(rows):
        chosen = structurally_independent(order, entries, rows, chosen)
    return Level(tuple(rows), entries, frozenset(varying), tuple(sorted(chosen)))


@dataclass(frozen=True, slots=True)
class Core:
    """Chosen columns and rows whose coefficients may become singular."""

    columns: tuple[int, ...] = ()
    rows: frozenset[int] = frozenset()


def core_of(
    entries: Mapping[int, Mapping[int, float]],
    varying: Set[tuple[int, int]],
    chosen: Sequence[int],
) -> Core:
    """What is left when columns with one row, and a coefficient there that stays, are taken off
    again and again, together with that row."""
    left = {column: set(entries[column]) for column in chosen}
    while True:
        single = next(
            (
                (column, row)
                for column, rows in left.items()
                if len(rows) == 1
                for row in rows
                if (row, column) not in varying
            ),
            None,
        )
        if single is None:
            break
        del left[single[0]]
        for rows in left.values():
            rows.discard(single[1])
    is_steady = not any((row, column) in varying for column, rows in left.items() for row in rows)
    if is_steady:
        return Core()
    return Core(tuple(sorted(left)), frozenset(row for rows in left.values() for row in rows))


def merit(
    state: Var, variables: Mapping[Name, ScalarVariable], wanted: frozenset[Var]
) -> tuple[int, ...]:
    """How much the modeller wants it as a state."""
    if is_chosen_state(state):
        return (5, 0, 0)
    if is_der(state):
        return (-1, 0, 0)
    variable = variables[state.name]
    rank = _RANK[variable.state_select]
    if state in wanted:
        rank = max(rank, 4)
    return (rank, int(variable.fixed is not None), variable.start_say)
