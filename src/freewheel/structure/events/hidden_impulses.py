"""Impulses in known quantities, which no curve shows: in comes the choice of states, out come warnings.

    s = if time < 1 then 0 else 4,  v = der(s)      `v` is an impulse where `s` jumps

An equation that does so only where a relation on time turns before the start never jumps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.names import Name
from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import TIME, Var
from freewheel.formula.walk import variables_in
from freewheel.structure.events.diagnostics import impulses_not_shown
from freewheel.structure.events.jumping_constraints import Jumps
from freewheel.structure.nodes import Chosen, Hybrid, ScalarVariable
from freewheel.structure.values import ParameterValues


def hidden_impulses(
    hybrid: Hybrid,
    chosen: Chosen,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    start: float,
) -> Iterator[Diagnostic]:
    """`start`: of the run."""
    if not chosen.impulses:
        return
    jumps = Jumps(hybrid, variables, values)
    for row, given, impulses in chosen.impulses:
        equation = chosen.equations[row]
        inside = variables_in(jumps.meant(build.minus(equation.left, equation.right)))
        events = [var for var in inside if jumps.changes_at_events(var)]
        if any(not _is_over(var, jumps, start) for var in events):
            shown = [variables[var.name] for var in impulses if var.name in variables]
            yield impulses_not_shown(given, shown, equation)


def _is_over(var: Var, jumps: Jumps, start: float) -> bool:
    """A relation of time with a number that is not later than the start."""
    form = linear_form(jumps.distance(var), (TIME,)) if var in jumps.crossing else None
    if form is None:
        return False
    slope, rest = jumps.values.number(form[0][0]), jumps.values.number(form[1])
    return bool(slope) and rest is not None and slope is not None and -rest / slope <= start
