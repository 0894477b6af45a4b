"""Unknowns that rest between events, though nobody declared them as parameters.

    R_actual = R*(1 + alpha*(T - T_ref)),  T = T_ref          R_actual and T rest, their rates are zero

In: the continuous equations and their unknowns. Out: those of them which follow from parameters and
discrete quantities alone, one after the other. Nothing with a derivative in the model is among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula.nodes import TIME, Var
from freewheel.formula.walk import calls_in, variables_in
from freewheel.structure.atoms import is_der
from freewheel.structure.nodes import ScalarEquation, ScalarVariable


def steady_unknowns(
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    rates: Set[Var],
    variables: Mapping[Name, ScalarVariable],
) -> frozenset[Var]:
    """`rates`: unknowns whose derivatives are asked for."""
    moving: list[set[Var] | None] = []  # by equation; None: it may change by itself
    users: dict[Var, list[int]] = {}
    wanted = set(unknowns)
    for number, equation in enumerate(equations):
        inside = variables_in(equation.left, equation.right)
        moving.append(_moving(equation, inside, wanted, variables))
        for var in moving[-1] or ():
            users.setdefault(var, []).append(number)
    steady: set[Var] = set()
    waiting = [number for number, left in enumerate(moving) if left is not None and len(left) == 1]
    while waiting:
        left = moving[waiting.pop()]
        if not left:
            continue
        (var,) = left
        if var in rates:
            continue
        steady.add(var)
        for number in users[var]:
            others = moving[number]
            if others is not None:
                others.discard(var)
                if len(others) == 1:
                    waiting.append(number)
    return frozenset(steady)


def _moving(
    equation: ScalarEquation,
    inside: Sequence[Var],
    wanted: set[Var],
    variables: Mapping[Name, ScalarVariable],
) -> set[Var] | None:
    if any(var is TIME or is_der(var) or _is_input(var, variables) for var in inside):
        return None
    if any(call.function in CALLS_WITH_MEMORY for call in calls_in(equation.left, equation.right)):
        return None
    return {var for var in inside if var in wanted}


# Or that look at the clock.
CALLS_WITH_MEMORY = frozenset(
    ("history", "historySlope", "transported", "transportedSlope", "delay")
)


def _is_input(var: Var, variables: Mapping[Name, ScalarVariable]) -> bool:
    variable = variables.get(var.name)
    return (
        variable is not None
        and variable.causality is Causality.INPUT
        and variable.variability == Variability.CONTINUOUS
    )
