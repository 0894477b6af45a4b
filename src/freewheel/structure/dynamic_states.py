"""States that are chosen while the model runs, where any choice made now would fail some time.

On a pendulum, x^2 + y^2 = L^2, neither x nor y can be a state all the way round: where the rod is
horizontal, y moves and x does not. Here both follow from a new state, a straight line across the
present position, and new lines are drawn at run time when the pendulum has turned away from it:

    s = a*x + b*y      with a, b constant between such changes, (a, b) along the path

In general: m constraints g(x) = 0 on n variables get n - m combinations s = A*x, with A an
orthonormal base of the null space of G = dg/dx where it was last looked at, and N one of its row
space. The choice is good while det(G*N') stays near sqrt(det(G*G')), the product of the cosines of
the angles between then and now; a relation watches that. This keeps to Mattsson and Söderlind
(1993) and Mattsson, Olsson, Elmqvist (2000), with combinations (Haug's local parametrisation) in
the place of single variables.

In: equations with their chains and a choice that may become singular. Out: groups of variables, and
the equations and relations that they add to the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name
from freewheel.formula import build
from freewheel.formula.differentiate import partial
from freewheel.formula.nodes import ZERO, Call, Expr, Var
from freewheel.graphs.pantelides import NONE
from freewheel.structure.atoms import NORMAL, PIVOT, STATE, STATUS, is_der, show_atom, status_of
from freewheel.structure.nodes import Crossing, Hybrid, ScalarEquation, ScalarVariable, StateGroup
from freewheel.structure.reduce_index import Chains
from freewheel.structure.states import Level, Selection, core_of, inverse, merit
from freewheel.structure.values import ParameterValues

MAX_CONSTRAINTS = 3  # determinants are written out
MAX_VARIABLES = 8
TURNED = 0.7  # new states when the cosines have fallen so far: 45 degrees for one constraint


def find_groups(
    chains: Chains,
    selection: Selection,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    wanted: frozenset[Var],
) -> tuple[StateGroup, ...]:
    """What no choice among equally wanted states settles for ever. `wanted` must stay as it is."""
    finder = _Finder(chains, variables, values, wanted)
    found: list[StateGroup] = []
    for level in selection.levels:
        for rows, columns in finder.cores(level):
            group = finder.group(len(found), level, rows, columns)
            if group is not None:
                found.append(group)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Finder:
    chains: Chains
    variables: Mapping[Name, ScalarVariable]
    values: ParameterValues
    wanted: frozenset[Var]

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

    def group(
        self, number: int, level: Level, rows: Sequence[int], chosen: Sequence[int]
    ) -> StateGroup | None:
        """The constraints and everything that could be a state instead of the chosen ones."""
        before_row = inverse(self.chains.equation_derivative)
        before = inverse(self.chains.unknown_derivative)
        if not all(c in before for c in chosen):
            return None  # a velocity that stands for derivatives: see `states._next_level`
        rank = {
            c: merit(self.chains.unknowns[before[c]], self.variables, self.wanted)[0]
            for c in level.entries
            if c in before
        }
        columns = [
            c
            for c, entries in level.entries.items()
            if c in before
            and set(rows).intersection(entries)
            and (c in chosen or (c not in level.chosen and rank[c] == rank[chosen[0]]))
        ]
        bases = tuple(self.chains.unknowns[before[c]] for c in columns)
        orders = {self._order(before_row[row]) for row in rows}
        if (
            len(rows) != len(chosen)
            or len(columns) == len(chosen)
            or len(rows) > MAX_CONSTRAINTS
            or len(columns) > MAX_VARIABLES
            or len(orders) > 1
            or any(rank[c] != rank[chosen[0]] for c in columns)
            or any(base in self.wanted for base in bases)
        ):
            return None
        scales = tuple(self._nominal(base) for base in bases)
        constraints = [self.chains.equations[before_row[row]] for row in rows]
        try:
            gradient = tuple(_gradient(e, bases, scales) for e in constraints)
        except CompileError:
            return None  # inside a function that nobody can differentiate
        return StateGroup(number, bases, orders.pop(), gradient, scales)

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


def _gradient(
    equation: ScalarEquation, bases: Sequence[Var], scales: Sequence[float]
) -> tuple[Expr, ...]:
    residual = build.minus(equation.left, equation.right)
    return tuple(
        build.times(partial(residual, base), build.number(scale))
        for base, scale in zip(bases, scales, strict=True)
    )


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
    """`det(G*N') - 0.7*sqrt(det(G*G'))`, positive while the states are good ones."""
    count = len(group.gradient)
    normals = [[normal_of(group, i, j) for j in range(len(group.variables))] for i in range(count)]
    now = _determinant([[_dot(row, normal) for normal in normals] for row in group.gradient])
    size = _determinant([[_dot(row, other) for other in group.gradient] for row in group.gradient])
    limit = build.times(build.number(TURNED), Call("sqrt", size))
    names = ", ".join(show_atom(var.name) for var in group.variables)
    return Crossing(status, now, limit, f"states among {names} are chosen anew")


def _dot(left: Sequence[Expr], right: Sequence[Expr]) -> Expr:
    return build.total([build.times(a, b) for a, b in zip(left, right, strict=True)])


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
