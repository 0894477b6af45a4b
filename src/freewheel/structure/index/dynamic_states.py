"""States that are chosen while the model runs, where any choice made now would fail some time.

On a pendulum, x^2 + y^2 = L^2, neither x nor y can be a state all the way round: where the rod is
horizontal, y moves and x does not. Here both follow from a new state, a straight line across the
present position, and new lines are drawn at run time when the pendulum has turned away from it:

    s = a*x + b*y      with a, b constant between such changes, (a, b) along the path

In general: m constraints g(x) = 0 on n variables get n - m combinations s = A*x, the rows of A
orthonormal, and N a base of what is across them. The choice is good while the constraints give N*x:
while G*N', with G = dg/dx, is regular. A relation watches that.

- Up to three constraints: det(G*N') stays near sqrt(det(G*G')), the product of the cosines of the
  angles between the states and the directions in which the variables can move.
- More: with W = N'*inverse(G*N') at the last choice, G*W, its rows in units of the rows of G, stays
  near the unit matrix: less than a half away (Frobenius) no singular value is below a half.

Before that, variables which always follow are eliminated (constraints.py). This keeps to Mattsson
and Söderlind (1993) and Mattsson, Olsson, Elmqvist (2000), with combinations (Haug's local
parametrisation) beside single variables.

StateSelect.prefer and avoid are preferences: up to three constraints what is preferred is the state as long
as it serves (the determinant is above 0.6 when states are chosen), and others take its place elsewhere.

In: equations with their chains and a choice that may become singular. Out: groups of variables, and
the equations and relations that they add to the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name
from freewheel.formula import build
from freewheel.formula.differentiate import CallDerivatives, partial
from freewheel.formula.nodes import ONE, ZERO, Call, Expr, String, Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.pantelides import NONE
from freewheel.structure.atoms import NORMAL, PIVOT, STATE, STATUS, is_der, show_atom, status_of
from freewheel.structure.blocks.incidence import equation_text
from freewheel.structure.index.constraints import Part, parts_of
from freewheel.structure.index.reduce_index import Chains
from freewheel.structure.index.states import (
    AVOID,
    DEFAULT,
    PREFER,
    Level,
    Selection,
    core_of,
    inverse,
    merit,
)
from freewheel.structure.nodes import (
    Action,
    Crossing,
    Hybrid,
    ScalarEquation,
    ScalarVariable,
    StateGroup,
)
from freewheel.structure.thresholds import REGULARITY
from freewheel.structure.values import ParameterValues

MAX_DETERMINANT = 3  # constraints whose determinant is written out
MAX_ENTRIES = 40_000  # shares of variables in states: beyond it their formulas cost too much
TURNED = 0.5  # new states when the cosines have fallen so far: 60 degrees for one constraint
AWAY = 0.5  # new states when G*W has changed so far
SMALLEST = build.number(REGULARITY.vanished)


def find_groups(
    chains: Chains,
    selection: Selection,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    wanted: frozenset[Var],
    functions: CallDerivatives | None = None,
) -> tuple[StateGroup, ...]:
    """What no choice among states settles for ever. `wanted` must stay as it is, and what StateSelect says
    by `always` and `never`."""
    finder = _Finder(chains, variables, values, wanted, functions)
    found: list[StateGroup] = []
    for level in selection.levels:
        for rows, columns in finder.cores(level):
            found += finder.groups(len(found), level, rows, columns)
    return tuple(found)


def find_doubts(
    chains: Chains,
    selection: Selection,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    wanted: frozenset[Var],
    functions: CallDerivatives | None = None,
) -> tuple[Action, ...]:
    """Choices that StateSelect or a reinit settles, but that do not serve everywhere: an assertion for each.

    With y as the state of a pendulum and x^2 + y^2 = L^2, the run would rest at x = 0 for ever, where y can
    say nothing of x: every method takes that for a solution.
    """
    finder = _Finder(chains, variables, values, wanted, functions)
    found: list[Action] = []
    for level in selection.levels:
        for rows, columns in finder.cores(level):
            if not finder.groups(0, level, rows, columns):
                found += finder.doubts(level, rows, columns)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Finder:
    chains: Chains
    variables: Mapping[Name, ScalarVariable]
    values: ParameterValues
    wanted: frozenset[Var]
    functions: CallDerivatives | None

    def cores(self, level: Level) -> list[tuple[list[int], list[int]]]:
        """(rows, columns) that hang together and may become singular."""
        before = inverse(self.chains.equation_derivative)
        core = core_of(level.entries, level.varying, level.chosen)
        last = {row for row in core.rows if row in before and before[row] not in before}
        columns = [c for c in core.columns if last.intersection(level.entries[c])]
        result: list[tuple[list[int], list[int]]] = []
        while columns:
            together, rows = [columns[0]], last.intersection(level.entries[columns[0]])
            for _ in columns:  # as often as the set can grow
                together = [c for c in columns if rows.intersection(level.entries[c])]
                rows = last.intersection(row for c in together for row in level.entries[c])
            result.append((sorted(rows), together))
            columns = [c for c in columns if c not in together]
        return result

    def groups(
        self, number: int, level: Level, rows: Sequence[int], chosen: Sequence[int]
    ) -> list[StateGroup]:
        """The constraints and everything that could be a state instead of the chosen ones."""
        before_row = inverse(self.chains.equation_derivative)
        before = inverse(self.chains.unknown_derivative)
        if len(rows) != len(chosen) or not all(c in before for c in chosen):
            return []  # a velocity that stands for derivatives: see `states._next_level`
        rank = {
            c: merit(self.chains.unknowns[before[c]], self.variables, self.wanted)[0]
            for c in level.entries
            if c in before
        }
        kinds = {_kind(rank[c]) for c in chosen}
        columns = [
            c
            for c, entries in level.entries.items()
            if c in before
            and set(rows).intersection(entries)
            and (c in chosen or (c not in level.chosen and _kind(rank[c]) in kinds))
        ]
        bases = {c: self.chains.unknowns[before[c]] for c in columns}
        constraints = {row: self.chains.equations[before_row[row]] for row in rows}
        try:
            gradient = {row: self._gradient(e, bases) for row, e in constraints.items()}
        except CompileError:
            return []  # inside a function that nobody can differentiate
        result: list[StateGroup] = []
        for part in parts_of(gradient, lambda c: (rank[c], c not in chosen), self._is_steady):
            orders = {self._order(before_row[row]) for row in part.rows}
            if (
                len(orders) == 1
                and len({_kind(rank[c]) for c in part.columns}) == 1
                and len(part.columns) > len(part.rows)
                and len(part.columns) ** 2 <= MAX_ENTRIES
                and not any(bases[c] in self.wanted for c in part.columns)
            ):
                result.append(self._group(number + len(result), orders.pop(), part, bases, rank))
        return result

    def doubts(self, level: Level, rows: Sequence[int], chosen: Sequence[int]) -> list[Action]:
        before_row = inverse(self.chains.equation_derivative)
        before = inverse(self.chains.unknown_derivative)
        if len(rows) != len(chosen) or not all(c in before for c in chosen):
            return []
        bases = {
            c: self.chains.unknowns[before[c]]
            for c, entries in level.entries.items()
            if c in before
            and set(rows).intersection(entries)
            and (c in chosen or c not in level.chosen)
        }
        constraints = {row: self.chains.equations[before_row[row]] for row in rows}
        try:
            gradient = {row: self._gradient(e, bases) for row, e in constraints.items()}
        except CompileError:
            return []  # inside a function that nobody can differentiate
        return [
            _doubt(part, chosen, bases, constraints[part.rows[0]])
            for part in parts_of(gradient, lambda c: (c not in chosen,), self._is_steady)
            if len(part.rows) <= MAX_DETERMINANT
            and len(part.rows) < len(part.columns)
            and len(part.rows) == len(set(part.columns).intersection(chosen))
        ]

    def _group(
        self,
        number: int,
        order: int,
        part: Part,
        bases: Mapping[int, Var],
        rank: Mapping[int, int],
    ) -> StateGroup:
        gradient = tuple(
            tuple(part.entries[row].get(c, ZERO) for c in part.columns) for row in part.rows
        )
        variables = tuple(bases[c] for c in part.columns)
        scales = tuple(map(self._nominal, variables))
        ranks = tuple(rank[c] for c in part.columns)
        return StateGroup(number, variables, order, gradient, scales, ranks)

    def _gradient(self, equation: ScalarEquation, bases: Mapping[int, Var]) -> dict[int, Expr]:
        """By the variables in units of their nominal values."""
        residual = build.minus(equation.left, equation.right)
        present = set(variables_in(residual))
        return {
            column: build.times(
                partial(residual, base, self.functions), build.number(self._nominal(base))
            )
            for column, base in bases.items()
            if base in present
        }

    def _is_steady(self, entry: Expr) -> bool:
        found = self.values.number(entry)
        return found is not None and found != 0.0

    def _order(self, row: int) -> int:
        """How often an equation is differentiated."""
        order = 0
        while self.chains.equation_derivative[row] != NONE:
            row = self.chains.equation_derivative[row]
            order += 1
        return order

    def _nominal(self, var: Var) -> float:
        variable = None if is_der(var) else self.variables.get(var.name)
        nominal = None if variable is None or variable.nominal is None else variable.nominal
        found = None if nominal is None else self.values.number(nominal)
        return abs(found) if found else 1.0


def _kind(rank: int) -> int:
    """Of `avoid`, `default` and `prefer` each may take the place of another: they are no more than
    preferences. `never`, `always` and what a reinit names stay what they are."""
    return DEFAULT if rank in (AVOID, DEFAULT, PREFER) else rank


# ---------------------------------------------------------------- the model with its new states


def state_of(group: StateGroup, k: int) -> Var:
    return Var((STATE, group.number, k))


def pivot_of(group: StateGroup, k: int, j: int) -> Var:
    return Var((PIVOT, group.number, k, j))


def normal_of(group: StateGroup, i: int, j: int) -> Var:
    return Var((NORMAL, group.number, i, j))


def with_groups(hybrid: Hybrid, groups: Sequence[StateGroup]) -> Hybrid:
    """The model with the equations of the new states and a relation for each group."""
    equations = [e for group in groups for e in _definitions(group)]
    first = 1 + max((int(c.status.name[1]) for c in hybrid.crossings), default=-1)
    assert all(c.status.name[0] == STATUS for c in hybrid.crossings)
    crossings = [_watch(group, status_of(first + k)) for k, group in enumerate(groups)]
    return replace(
        hybrid,
        equations=(*hybrid.equations, *equations),
        crossings=(*hybrid.crossings, *crossings),
    )


def _definitions(group: StateGroup) -> list[ScalarEquation]:
    result = []
    for k in range(group.state_count):
        parts = [build.times(pivot_of(group, k, j), var) for j, var in enumerate(group.variables)]
        result.append(ScalarEquation(state_of(group, k), build.total(parts)))
    return result


def _watch(group: StateGroup, status: Var) -> Crossing:
    """Positive while the states are good ones."""
    count, columns = len(group.gradient), range(len(group.variables))
    normals = [[normal_of(group, i, j) for j in columns] for i in range(count)]
    if count <= MAX_DETERMINANT:
        left = _determinant([[_dot(row, normal) for normal in normals] for row in group.gradient])
        square = _determinant([[_dot(a, b) for b in group.gradient] for a in group.gradient])
        right = build.times(build.number(TURNED), Call("sqrt", Call("max", square, ZERO)))
    else:
        left = build.number(AWAY**2)
        right = build.total([_away(row, normals, at) for at, row in enumerate(group.gradient)])
    names = ", ".join(show_atom(var.name) for var in group.variables)
    return Crossing(status, left, right, f"states among {names} are chosen anew")


def _doubt(
    part: Part, chosen: Sequence[int], bases: Mapping[int, Var], equation: ScalarEquation
) -> Action:
    """Fails where the constraints do not give the variables that follow."""
    whole = [[part.entries[row].get(c, ZERO) for c in part.columns] for row in part.rows]
    own = [c for c in part.columns if c in chosen]
    followers = _determinant([[part.entries[row].get(c, ZERO) for c in own] for row in part.rows])
    square = _determinant([[_dot(a, b) for b in whole] for a in whole])
    names = {c: f"`{show_atom(bases[c].name)}`" for c in part.columns}
    text = (
        f"{', '.join(names[c] for c in part.columns if c not in own)} cannot be the state here: "
        f"`{equation_text(equation)}` no longer gives {', '.join(names[c] for c in own)}. Without "
        "StateSelect.always, and without a reinit of these variables, states are chosen while the model runs"
    )
    least = build.times(build.number(REGULARITY.blind**2), square)
    condition = build.relation(">=", build.times(followers, followers), least)
    return Action("assert", None, condition, String(text), None, equation.span)


def _determinant(matrix: Sequence[Sequence[Expr]]) -> Expr:
    """By the first row; only small ones come here."""
    if len(matrix) == 1:
        return matrix[0][0]
    result: Expr = ZERO
    for column, entry in enumerate(matrix[0]):
        minor = [[*row[:column], *row[column + 1 :]] for row in matrix[1:]]
        part = build.times(entry, _determinant(minor))
        result = build.plus(result, part) if column % 2 == 0 else build.minus(result, part)
    return result


def _away(row: Sequence[Expr], normals: Sequence[Sequence[Expr]], at: int) -> Expr:
    """How far a row of G*W is from that of the unit matrix, squared."""
    used = [j for j, entry in enumerate(row) if not build.is_zero(entry)]
    entries = [row[j] for j in used]
    found = [_dot(entries, [normal[j] for j in used]) for normal in normals]
    size = Call("max", _dot(entries, entries), SMALLEST)
    squares = build.over(_dot(found, found), size)
    own = build.over(build.times(build.number(2.0), found[at]), Call("sqrt", size))
    return build.plus(build.minus(squares, own), ONE)


def _dot(left: Sequence[Expr], right: Sequence[Expr]) -> Expr:
    return build.total([build.times(a, b) for a, b in zip(left, right, strict=True)])
