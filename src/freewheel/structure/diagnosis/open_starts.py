"""Which start values the conditions leave open: those to assume where another choice has no solution.

    f = 3 - x;  a = cos(phi)*(cos(phi)*f) + sin(phi)*(sin(phi)*f);  a = 0 at the start
        ->  open_starts(ordered, values) == (phi,)      a does not depend on it

Counting takes the equation for `a` as one for `phi`, too. The coefficients of the start-up system at the
start values show more: without the assumed start values the system has null vectors, the directions in
which the start may still move. A start value to assume holds one of them; what none of them moves is
found from the conditions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from freewheel.base.names import Name
from freewheel.formula.nodes import FALSE, TRUE, Expr, Integer, Real, Var
from freewheel.formula.types import BOOLEAN, INTEGER, REAL
from freewheel.formula.walk import variables_in
from freewheel.graphs.nullspace import independent_columns
from freewheel.structure.atoms import base_of, is_pre, show_atom
from freewheel.structure.diagnosis.linearise import Point, dependencies
from freewheel.structure.nodes import Ordered, ScalarEquation, ScalarVariable, Solved
from freewheel.structure.values import ParameterValues

# Of the largest in its direction, in nominal values. The choice that failed stays only where it is nearly as
# good as any: what is found instead of a start value should depend on the conditions at least as much. Near 1
# rounding would decide among equal ones.
LEAST_SHARE = 0.5


def open_starts(ordered: Ordered, values: Mapping[str, float]) -> tuple[Var, ...]:
    """As many as conditions are missing; empty where nothing can be said. `values`: of all quantities, as
    far as they are known, where all states have their start values."""
    taken = frozenset(ordered.assumed)
    rows = [e for e in ordered.initial.equations if e not in taken]
    # What was assumed comes first: it stays where it can.
    first = [e.target for e in ordered.assumed if e.target is not None]
    # A target has an equation that gives nothing else: as a state it is fixed.
    known = {*first, *(e.target for e in rows)}
    others = [state for state in ordered.chosen.start_states if state not in known]
    if not first or not others:  # nothing to choose
        return ()
    unknowns = _unknowns(ordered)
    variables = {v.name: v for v in ordered.hybrid.aliases.model.variables}
    point = Point(
        variables,
        ParameterValues(variables, ordered.functions),
        given=_given(ordered.initial.equations, variables, values),
    )
    found = dependencies(rows, unknowns, point, fold_derivatives=False)
    if found is None:
        return ()
    candidates = [*first, *others]
    sizes = [_size(var, variables, point) for var in candidates]
    number = {var: k for k, var in enumerate(unknowns)}
    place = {number[var]: k for k, var in enumerate(candidates) if var in number}
    directions = [
        {place[c]: a / sizes[place[c]] for c, a in vector.items() if c in place}
        for vector in found.columns
    ]
    return tuple(candidates[k] for k in independent_columns(directions, LEAST_SHARE))


def _unknowns(ordered: Ordered) -> list[Var]:
    blocks = ordered.initial.blocks
    return [v for b in blocks for v in ((b.target,) if isinstance(b, Solved) else b.unknowns)]


def _given(
    rows: Sequence[ScalarEquation],
    variables: Mapping[Name, ScalarVariable],
    values: Mapping[str, float],
) -> dict[Var, Expr]:
    """The numbers as literals of the right type."""
    found: dict[Var, Expr] = {}
    for var in dict.fromkeys(v for e in rows for v in variables_in(e.left, e.right)):
        number = values.get(show_atom(var.name))
        variable = variables.get((base_of(var) if is_pre(var) else var).name)
        if number is None or not isfinite(number):
            continue
        kind = REAL if variable is None else variable.type
        if kind == REAL:
            found[var] = Real(number)
        elif kind == BOOLEAN:
            found[var] = TRUE if number else FALSE
        elif kind == INTEGER:
            found[var] = Integer(int(number))
    return found


def _size(var: Var, variables: Mapping[Name, ScalarVariable], point: Point) -> float:
    """By its nominal value: directions have no unit then."""
    variable = variables.get(var.name)
    nominal = None if variable is None or variable.nominal is None else variable.nominal
    return abs((point.number(nominal) if nominal is not None else None) or 1.0)
