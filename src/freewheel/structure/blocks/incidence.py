"""Which unknown occurs where: in come equations and unknowns, out come rows of column numbers.

C*der(u) = i   with unknowns (der(u), i)   ->   [0, 1]
"""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.formula.nodes import Expr, Var
from freewheel.formula.show import show as show_expr
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import DER, show_atom
from freewheel.structure.nodes import ScalarEquation


def columns_of(equation: ScalarEquation, column: Mapping[Var, int]) -> list[int]:
    """Numbers of the unknowns in an equation, in order of first occurrence."""
    return [column[v] for v in variables_in(equation.left, equation.right) if v in column]


def matching_columns(equation: ScalarEquation, column: Mapping[Var, int]) -> list[int]:
    """What the equation may be solved for."""
    if equation.target is not None:
        return [column[equation.target]] if equation.target in column else []
    return columns_of(equation, column)


def folded(var: Var) -> Var:
    """`x` for `der(x)`, `der(der(x))`: a derivative stands for its variable."""
    name = var.name
    while name[0] == DER:
        name = name[1:]
    return Var(name)


def equation_text(equation: ScalarEquation) -> str:
    return equation.spoken or f"{expr_text(equation.left)} = {expr_text(equation.right)}"


def expr_text(expr: Expr) -> str:
    return show_expr(expr, name_text=show_atom)
