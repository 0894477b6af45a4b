"""On which side of each relation the start values are: of several branches of an equation that one is
tried first.

    y = if x < -1 then 2*x + 3 else ...   with x(start = -2)   ->   the status of `x < -1` begins with -1

Start values are numbers in the first content of the memory. Those that depend on parameters, and the
statuses that depend on them, are computed again after the parameters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from freewheel.base.names import Name
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import TIME, Boolean, Call, Expr, Real, Var
from freewheel.formula.types import BOOLEAN
from freewheel.formula.walk import substitute, variables_in
from freewheel.program.layout import Layout
from freewheel.program.nodes import About, Assign, slot_var
from freewheel.structure.atoms import base_of, is_pre
from freewheel.structure.nodes import Crossing, ScalarVariable
from freewheel.structure.values import ParameterValues


def side_at_start(
    crossing: Crossing,
    layout: Layout,
    start: Sequence[float],
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
) -> float:
    """The sign of the residual; of one that is not known before time is known, 0."""
    residual = build.minus(crossing.left, crossing.right)
    numbers: dict[Expr, Expr] = {
        var: _literal(var, start[layout.slots[var]], variables)
        for var in variables_in(residual)
        if var in layout.slots and var is not TIME
    }
    found = values.number(substitute(residual, numbers))
    return 0.0 if not found else math.copysign(1.0, found)


def _literal(var: Var, number: float, variables: Mapping[Name, ScalarVariable]) -> Expr:
    """Booleans are numbers in the memory, and none in formulas."""
    variable = variables.get((base_of(var) if is_pre(var) else var).name)
    is_boolean = variable is not None and variable.type == BOOLEAN
    return Boolean(number != 0.0) if is_boolean else Real(number)


def sides_by_parameters(
    crossings: Sequence[Crossing],
    layout: Layout,
    variables: Mapping[Name, ScalarVariable],
    lowered: Callable[[Expr], Expr],
) -> list[Assign]:
    """Start values that parameters give, of what relations look at, and these relations."""
    steps: dict[Var, Assign] = {}
    for crossing in crossings:
        residual = build.minus(crossing.left, crossing.right)
        watched = variables_in(residual)
        given = {var: start for var in watched if (start := _by_parameters(var, variables))}
        read = (*watched, *variables_in(*given.values()))
        if not given or TIME in read or any(var not in layout.slots for var in read):
            continue
        steps.update((var, _assign(var, start, layout, lowered)) for var, start in given.items())
        side = Call("sign", residual)
        steps[crossing.status] = _assign(crossing.status, side, layout, lowered)
    return list(steps.values())


def _by_parameters(var: Var, variables: Mapping[Name, ScalarVariable]) -> Expr | None:
    variable = variables.get(var.name)
    if variable is None or variable.variability != Variability.CONTINUOUS:
        return None
    start = variable.start
    return start if start is not None and variables_in(start) else None


def _assign(var: Var, value: Expr, layout: Layout, lowered: Callable[[Expr], Expr]) -> Assign:
    return Assign(slot_var(layout.slots[var]), lowered(value), About(text="start values"))
