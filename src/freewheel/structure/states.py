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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from zlib import crc32

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.names import Name
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.differentiate import CallDerivatives, partial
from freewheel.formula.nodes import FALSE, TIME, Expr, Real, Var
from freewheel.formula.types import BOOLEAN
from freewheel.formula.walk import substitute, variables_in
from freewheel.graphs.matching import augment_all, match
from freewheel.graphs.pantelides import NONE
from freewheel.structure.atoms import base_of, is_chosen_state, is_der
from freewheel.structure.incidence import equation_text
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.reduce_index import Chains
from freewheel.structure.values import ParameterValues

_RANK = {"never": 0, "avoid": 1, "default": 2, "prefer": 3, "always": 4}
TINY = 1e-10
_WORD = 2**64 - 1


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
    levels = _levels(chains, _Point(variables, values, chains.steady, functions), wanted)
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
        raise _no_choice(chains, levels)
    return Selection(tuple(states), tuple(unknowns), tuple(levels))


def _levels(
    chains: Chains,
    point: _Point,
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
    derivative of `c = 0.7`, says something of `w`, though by its second derivative `s` may follow
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


def _no_choice(chains: Chains, levels: Sequence[Level]) -> CompileError:
    lacking = next((level for level in levels if len(level.chosen) < len(level.rows)), levels[-1])
    first = chains.equations[lacking.rows[0]]
    return error(
        "E012",
        f"no choice of states satisfies the constraint `{equation_text(first)}`"
        f" and the {len(lacking.rows) - 1} that go with it",
        first.span,
        help="look for equations that say the same thing twice in different words, and for a"
        " derivative by annotation that is not that of its function",
    )


def _descend(
    chains: Chains,
    point: _Point,
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
    lower equation holds `w`, no derivative itself, and `w = der(phi)` is needed to tell what it
    says of the angles. Where `w = der(phi)` has not been differentiated, `der(phi)` comes with it.
    """
    rows = [before_row[r] for r in level.rows if before_row.get(r) in before_row]
    lower = [before_column[c] for c in level.chosen if c in before_column]
    columns = [c for c in lower if c in before_column]
    plain = {chains.unknowns[c]: c for c in lower if c not in before_column}
    if not rows or not plain:
        return rows, columns
    asked = {plain[var] for r in rows for var in _held(chains, r) if var in plain}
    definition = _definitions(chains, level, before_row, before_column, asked)
    waiting = list(rows)
    while waiting:
        for var in _held(chains, waiting.pop()):
            column = plain.pop(var, None)
            if column is not None and column in definition:
                given = definition[column]
                new = [r for r in given.rows if r not in rows]
                rows += new
                columns += [column, *given.columns]
                waiting += new
    return rows, list(dict.fromkeys(columns))


def _held(chains: Chains, row: int) -> Iterable[Var]:
    return variables_in(chains.equations[row].left, chains.equations[row].right)


@dataclass(frozen=True, slots=True)
class _Given:
    """Equations that give a column, with the derivatives and rates in them."""

    rows: tuple[int, ...]
    columns: tuple[int, ...] = ()


def _definitions(
    chains: Chains,
    level: Level,
    before_row: Mapping[int, int],
    before_column: Mapping[int, int],
    asked: Set[int],
) -> dict[int, _Given]:
    """Column that is no derivative -> the undifferentiated equation that gives it, with the last
    derivatives in it where it has not been differentiated at all."""
    columns = [
        c for c in level.chosen if c in before_column and before_column[c] not in before_column
    ]
    plain = [before_column[c] for c in columns]
    once = [r for r in level.rows if r in before_row and before_row[r] not in before_row]
    candidates = [_Given((before_row[r],)) for r in once]
    place = {row: n for n, row in enumerate(once)}
    holds: list[list[int]] = [[] for _ in once]
    for k, column in enumerate(columns):
        for row in level.entries[column]:
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
    rates: Mapping[int, _Given],
) -> Iterator[tuple[_Given, list[int]]]:
    """Undifferentiated equations that hold no unknowns but columns and last derivatives, like
    `w = der(phi)`, or rates, like `w = cos(q)*v` with `v = der(q)`; with the places of the columns."""
    number = {var: column for column, var in enumerate(chains.unknowns)}
    place = {column: k for k, column in enumerate(plain)}
    for row in own:
        inside = [number[v] for v in _held(chains, row) if v in number]
        last = [c for c in inside if c in before_column or chains.unknown_derivative[c] == NONE]
        is_rate = last and all(c in before_column or c in rates for c in last)
        if is_rate and any(c in place for c in inside) and (not rates or set(last) & set(rates)):
            yield _with_rates(row, last, rates), [place[c] for c in inside if c in place]


def _rates(
    chains: Chains, own: Sequence[int], before_column: Mapping[int, int], asked: Set[int]
) -> dict[int, _Given]:
    """Unknowns without a derivative that follow from derivatives of others than `asked`, which
    are of the order that is looked for: `v` by `v = der(q)`."""
    number = {var: column for column, var in enumerate(chains.unknowns)}
    result: dict[int, _Given] = {}
    waiting = list(own)
    while True:
        left: list[int] = []
        for row in waiting:
            inside = [number[v] for v in _held(chains, row) if v in number]
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


def _with_rates(row: int, last: Sequence[int], rates: Mapping[int, _Given]) -> _Given:
    through = [rates[c] for c in last if c in rates]
    rows = (row, *(r for given in through for r in given.rows))
    columns = (*last, *(c for given in through for c in given.columns))
    return _Given(tuple(dict.fromkeys(rows)), tuple(dict.fromkeys(columns)))


def inverse(derivative: Sequence[int]) -> dict[int, int]:
    return {later: at for at, later in enumerate(derivative) if later != NONE}


def _choose(
    chains: Chains,
    rows: Sequence[int],
    columns: Sequence[int],
    point: _Point,
    reluctance_of: Callable[[int], tuple[float, ...]],
) -> Level:
    """As many columns as rows, independent at the start point, least wanted as states first."""
    number = {chains.unknowns[c]: c for c in columns}
    entries: dict[int, dict[int, float]] = {c: {} for c in columns}
    varying: set[tuple[int, int]] = set()
    for row in rows:
        for column, found in _coefficients(chains.equations[row], number, point).items():
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
    chosen = _independent(order, entries, len(rows))
    if core_of(entries, varying, chosen).columns:
        steady = _independent(sorted(columns, key=steadiness), entries, len(rows))
        if len(steady) == len(rows) and not core_of(entries, varying, steady).columns:
            chosen = steady
    if len(chosen) < len(rows):
        chosen = _structural(order, entries, rows, chosen)
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


@dataclass(frozen=True, slots=True)
class _Coefficient:
    value: float
    is_varying: bool


def _coefficients(
    equation: ScalarEquation, number: Mapping[Var, int], point: _Point
) -> dict[int, _Coefficient]:
    result: dict[int, _Coefficient] = {}
    residual = build.minus(equation.left, equation.right)
    for var in variables_in(residual):
        column = number.get(var)
        if column is not None:
            result[column] = _coefficient(residual, var, point)
    return result


def _coefficient(residual: Expr, var: Var, point: _Point) -> _Coefficient:
    try:
        factor = partial(residual, var, point.functions)
    except CompileError:
        return _Coefficient(1.0, True)  # inside a function without derivative: that is all we know
    return _Coefficient(point.value(factor), point.is_varying(factor))


def _independent(
    order: Sequence[int], entries: Mapping[int, Mapping[int, float]], count: int
) -> list[int]:
    """Greedy: a column is taken if elimination leaves something of it."""
    basis: list[tuple[int, dict[int, float]]] = []  # (pivot row, reduced column)
    chosen: list[int] = []
    for column in order:
        if len(chosen) == count:
            break
        vector = dict(entries[column])
        scale = max(map(abs, vector.values()), default=0.0)
        for pivot, other in basis:
            factor = vector.get(pivot, 0.0)
            if factor != 0.0:
                factor /= other[pivot]
                for row, value in other.items():
                    vector[row] = vector.get(row, 0.0) - factor * value
        pivot = max(sorted(vector), key=lambda r: abs(vector[r]), default=NONE)
        if pivot == NONE or abs(vector[pivot]) <= TINY * scale or scale == 0.0:
            continue
        basis.append((pivot, {r: v for r, v in vector.items() if v != 0.0}))
        chosen.append(column)
    return chosen


def _structural(
    order: Sequence[int],
    entries: Mapping[int, Mapping[int, float]],
    rows: Sequence[int],
    chosen: Sequence[int],
) -> list[int]:
    """Numbers at the start point did not suffice: decide by structure, chosen ones first."""
    place = {row: k for k, row in enumerate(rows)}
    ordered = [*chosen, *(c for c in order if c not in chosen)]
    matching = match([[place[r] for r in entries[c]] for c in ordered], len(rows))
    return [c for c, row in zip(ordered, matching.column_of_row, strict=True) if row != NONE]


class _Point:
    """Numbers for coefficients: parameters by value, variables by start or by a generic number."""

    def __init__(
        self,
        variables: Mapping[Name, ScalarVariable],
        values: ParameterValues,
        steady: frozenset[Var],
        functions: CallDerivatives | None,
    ) -> None:
        self.functions = functions
        self.variables = variables
        self.values = values
        self.steady = steady
        self.numbers: dict[Var, Expr] = {}

    def value(self, expr: Expr) -> float:
        mapping: dict[Expr, Expr] = {
            var: self._number(var) for var in variables_in(expr) if self.values.value(var) is None
        }
        found = self.values.number(substitute(expr, mapping))
        return 1.0 if found is None else found  # present, size unknown

    def is_varying(self, expr: Expr) -> bool:
        """Whether the value changes between events."""
        for var in variables_in(expr):
            if var in self.steady:
                continue
            variable = self.variables.get(var.name)
            if var is TIME or is_der(var):
                return True
            if variable is not None and variable.variability == Variability.CONTINUOUS:
                return True
        return False

    def _number(self, var: Var) -> Expr:
        if var not in self.numbers:
            variable = self.variables.get(var.name)
            is_boolean = variable is not None and variable.type == BOOLEAN
            self.numbers[var] = FALSE if is_boolean else Real(self._guess(var))
        return self.numbers[var]

    def _guess(self, var: Var) -> float:
        base = var
        while base.name[0] in ("$der", "$pre"):
            base = base_of(base)
        variable = self.variables.get(base.name)
        generic = 0.5 + 0.4 * _fraction(base.name)  # no accidental cancellation
        if var is TIME or variable is None or base is not var:
            return generic
        start = None if variable.start is None else self.values.number(variable.start)
        return generic if start is None else start


def _fraction(name: Name) -> float:
    """A number in [0, 1) that is the same in every run. Names that differ in subscripts only do not
    give numbers on a line, nor a matrix of low rank: a checksum alone is linear in their bits, so
    it is mixed (Steele, Lea, Flood 2014, "Fast Splittable Pseudorandom Number Generators")."""
    mixed = crc32("/".join(map(str, name)).encode()) * 0x9E3779B97F4A7C15 & _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
    return float(mixed >> 32) / 2**32
