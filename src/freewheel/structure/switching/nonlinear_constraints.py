"""Constraints that bend along a jump: differentiated, they hold for small changes only.

    0 = x0 + sin(x1)   gives   der(x0) + cos(x1)*der(x1) = 0,   and a switch conserves x0 + 2*x1

In: a core. Out: constraints whose derivative is one of its equations, and in which what may jump is not
linear. A jump is no small change, so these constraints had better be in the core as they are written.
Constraints that are differentiated twice bind positions, and positions do not jump.
"""

from __future__ import annotations

from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import is_der
from freewheel.structure.nodes import Chosen
from freewheel.structure.switching.nodes import Core


def bent_constraints(chosen: Chosen, core: Core) -> frozenset[int]:
    """Numbers of given equations."""
    inside = (*core.equations, *(part.equation for part in core.followed))
    derivative = {k: e.derivative_of for k, e in enumerate(chosen.equations)}
    again = set(derivative.values())
    jumping = {*core.variables, *(part.target for part in core.followed)}
    found = {derivative[row] for row in inside if derivative[row] >= 0 and row not in again}
    return frozenset(
        row for row in found if derivative[row] < 0 and not _is_linear(chosen, row, jumping)
    )


def _is_linear(chosen: Chosen, row: int, jumping: set[Var]) -> bool:
    equation = chosen.equations[row]
    inside = [var for var in variables_in(equation.left, equation.right) if var in jumping]
    if any(map(is_der, inside)):
        return True
    return linear_form(build.minus(equation.left, equation.right), tuple(inside)) is not None
