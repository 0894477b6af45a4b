"""Equations that only give a rate its name, and the balances in which the name has a weight.

    J2.a = der(J2.w),  J2.J*J2.a = tau      an impulse changes the momentum J2.J*J2.w, not the speed alone

In: a core and all equations. Out: rows of the core whose impulse is given by another equation of the same
component, with the parameter that multiplies the name there; or by none, where nobody asks for the name.
"""

from __future__ import annotations

from dataclasses import dataclass

from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import Unary, Var
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import der_of
from freewheel.structure.nodes import ScalarEquation
from freewheel.structure.switching.nodes import Core


@dataclass(frozen=True, slots=True)
class Balance:
    """Of the equation `row`: what determines its impulse, and the weight there; None: nothing does."""

    row: int
    equation: ScalarEquation | None
    weight: Var | None


def find_balances(core: Core) -> list[Balance]:
    equations = core.shell.equations
    rates = frozenset(map(der_of, core.differential))
    algebraic = frozenset(core.variables).difference(core.differential)
    users: dict[Var, list[int]] = {}
    for number, equation in enumerate(equations):
        for var in variables_in(equation.left, equation.right):
            users.setdefault(var, []).append(number)
    found: list[Balance] = []
    for row in core.equations:
        name = _named_rate(equations[row], algebraic, rates)
        if name is None:
            continue
        others = [equations[k] for k in users[name] if k != row]
        if not others:
            found.append(Balance(row, None, None))
        for other in others:
            weight = _weight(other, name) if other.origin == equations[row].origin else None
            if weight is not None:
                found.append(Balance(row, other, weight))
                break
    return found


def _named_rate(
    equation: ScalarEquation, algebraic: frozenset[Var], rates: frozenset[Var]
) -> Var | None:
    """`a` of `a = der(w)`."""
    inside = variables_in(equation.left, equation.right)
    names = [var for var in inside if var in algebraic]
    if not equation.origin or len(names) != 1 or len(inside) != 2:
        return None
    form = linear_form(build.minus(equation.left, equation.right), inside)
    if form is None or not build.is_zero(form[1]) or not all(map(build.is_number, form[0])):
        return None
    return names[0] if rates.issuperset(set(inside) - {names[0]}) else None


def _weight(equation: ScalarEquation, name: Var) -> Var | None:
    form = linear_form(build.minus(equation.left, equation.right), (name,))
    factor = None if form is None else form[0][0]
    while isinstance(factor, Unary) and factor.op == "-":
        factor = factor.args[0]
    return factor if isinstance(factor, Var) else None
