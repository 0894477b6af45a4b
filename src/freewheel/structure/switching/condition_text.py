"""Conditions and equations as the modeller wrote them: relations in the place of their statuses.

Spoken(crossings).text(condition)        "s < 0", not "$status[1] < 0"
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.formula.nodes import Binary, Expr, Var
from freewheel.formula.walk import replace
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.nodes import Crossing, ScalarEquation


class Spoken:
    def __init__(self, crossings: Sequence[Crossing]) -> None:
        self.relations = {c.status: (c.left, c.right) for c in crossings}
        self.memo: dict[Expr, Expr] = {}

    def text(self, expr: Expr) -> str:
        return expr_text(replace(expr, self._visit, self.memo))

    def equation(self, equation: ScalarEquation) -> str:
        return equation.spoken or f"{self.text(equation.left)} = {self.text(equation.right)}"

    def _visit(self, node: Expr) -> Expr | None:
        if isinstance(node, Binary) and isinstance(node.left, Var) and node.left in self.relations:
            return Binary(node.op, *self.relations[node.left])
        return None
