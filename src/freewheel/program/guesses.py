"""Where an unknown has no start value of its own: that of a variable it is equal to.

Aliases share their start values. Some equalities show only later, when functions have been put in
place and parameters that are zero dropped: `body.r_0[1] = joint.r_rel[1]`, where the joint has the
start value and a loop at the start is solved for the position of the body.

In: equations. Out: for variables without a start value, one that has it, and the sign between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula.nodes import Expr, Unary, Var
from freewheel.structure.nodes import ScalarEquation, ScalarVariable


def lenders(
    equations: Sequence[ScalarEquation], variables: Mapping[Name, ScalarVariable]
) -> dict[Var, tuple[Var, float]]:
    """borrower -> (variable with a start value, sign)."""
    neighbours: dict[Var, list[tuple[Var, float]]] = {}
    for equation in equations:
        (left, one), (right, other) = _signed(equation.left), _signed(equation.right)
        if left is None or right is None:
            continue
        if _is_unknown(left, variables) and _is_unknown(right, variables):
            neighbours.setdefault(left, []).append((right, one * other))
            neighbours.setdefault(right, []).append((left, one * other))
    found: dict[Var, tuple[Var, float]] = {
        var: (var, 1.0) for var in neighbours if variables[var.name].start is not None
    }
    waiting = list(found)
    for var in waiting:  # grows while it is read: nearest lenders first
        lender, sign = found[var]
        for next_var, factor in neighbours[var]:
            if next_var not in found:
                found[next_var] = (lender, sign * factor)
                waiting.append(next_var)
    return {var: lender for var, lender in found.items() if lender[0] is not var}


def _is_unknown(var: Var, variables: Mapping[Name, ScalarVariable]) -> bool:
    """Parameters and inputs have their values, discrete variables begin as they are told: these must
    not take a start value for theirs."""
    variable = variables.get(var.name)
    return (
        variable is not None
        and variable.variability == Variability.CONTINUOUS
        and variable.causality is not Causality.INPUT
    )


def _signed(expr: Expr) -> tuple[Var | None, float]:
    if isinstance(expr, Unary) and expr.data == "-":
        var, sign = _signed(expr.args[0])
        return var, -sign
    return (expr, 1.0) if isinstance(expr, Var) else (None, 1.0)
