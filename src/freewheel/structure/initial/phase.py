"""Equations for one phase: `initial()` is true while initialising and false ever after.

if initial() then 0 else pre(n) + 1     ->     0   |   pre(n) + 1
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from freewheel.formula import build
from freewheel.formula.nodes import FALSE, ONE, TRUE, ZERO, Call, Expr
from freewheel.formula.walk import map_bottom_up
from freewheel.structure.atoms import INITIAL, SHARE, delayed_of
from freewheel.structure.nodes import ScalarEquation

# There is no history at the start: the past was as the present is.
_AT_START: Mapping[str, Callable[[Call], Expr]] = {
    "history": lambda node: delayed_of(node.args[1].data),
    "historySlope": lambda node: ZERO,
    "transported": lambda node: node.args[3],
    "transportedSlope": lambda node: ZERO,
}


def actual(actual: Expr, simplified: Expr) -> Expr:
    return actual


def simplified(actual: Expr, simplified: Expr) -> Expr:
    return simplified


def between(actual: Expr, simplified: Expr) -> Expr:
    """On the straight way from the simplified part to the actual one."""
    if actual == simplified:
        return actual
    rest = build.minus(ONE, SHARE)
    return build.plus(build.times(SHARE, actual), build.times(rest, simplified))


class Phase:
    """Rewrites for one phase; what becomes constant is folded. `homotopy` says what stands for
    `homotopy(actual, simplified)`."""

    def __init__(self, is_initial: bool, homotopy: Callable[[Expr, Expr], Expr] = actual) -> None:
        self.answer: Expr = TRUE if is_initial else FALSE
        self.homotopy = homotopy
        self.memo: dict[Expr, Expr] = {}

    def expr(self, expr: Expr) -> Expr:
        return map_bottom_up(expr, self._visit, self.memo)

    def _visit(self, node: Expr) -> Expr:
        if node is INITIAL:
            return self.answer
        if isinstance(node, Call) and node.function == "homotopy":
            return self.homotopy(node.args[0], node.args[1])
        if isinstance(node, Call) and self.answer is TRUE:
            past = _AT_START.get(str(node.data))
            if past is not None:
                return past(node)
        return build.rebuilt(node, node.args) if node.args else node

    def equation(self, equation: ScalarEquation) -> ScalarEquation:
        left, right = self.expr(equation.left), self.expr(equation.right)
        if left is equation.left and right is equation.right:
            return equation
        return replace(equation, left=left, right=right)
