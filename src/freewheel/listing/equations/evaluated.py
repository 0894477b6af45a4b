"""Solved equations with what is plain put in the place where it is used. For listings only.

    Vb = 0;  Va = u + Vb;  y = Va - 2*Vb        ->        y = u

A variable that is a number, another variable or its negative needs no line of its own (Cellier and
Elmqvist 1993, "Equations of the type a = 0 can be eliminated from the model, and in all other equations,
terms multiplied by a can also be eliminated"). The equations of a loop are printed as they are; what is
known goes into their solution.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from freewheel.formula.build import is_number, minus, over, plus, rebuilt, times
from freewheel.formula.nodes import Binary, Expr, Unary, Var
from freewheel.formula.walk import fold
from freewheel.structure.nodes import Loop, ScalarEquation, Solved


class Evaluation:
    """Goes through blocks in their order. `kept` are variables that stay whatever they are."""

    def __init__(self, kept: Set[Var]) -> None:
        self.kept = kept
        self.known: dict[Expr, Expr] = {}
        self.memo: dict[Expr, Expr] = {}

    def value(self, expr: Expr) -> Expr:
        return fold(expr, self._visit, self.memo)

    def absorbs(self, block: Solved) -> bool:
        """Whether nothing of it is left: from now on its value stands for it."""
        value = self.value(block.value)
        if block.target in self.kept or not _is_plain(value):
            return False
        self.known[block.target] = value
        self.memo = {}
        return True

    def equation(self, equation: ScalarEquation) -> ScalarEquation:
        return replace(equation, left=self.value(equation.left), right=self.value(equation.right))

    def loop(self, loop: Loop) -> Loop:
        return replace(
            loop,
            inner=tuple(replace(step, value=self.value(step.value)) for step in loop.inner),
            matrix=loop.matrix and tuple((r, c, self.value(e)) for r, c, e in loop.matrix),
            right=tuple(map(self.value, loop.right)),
        )

    def _visit(self, node: Expr, parts: tuple[Expr, ...]) -> Expr:
        known = self.known.get(node)
        if known is not None:
            return known
        if parts == node.args:
            return node
        if isinstance(node, Binary) and node.op in _SHORTER:
            return _SHORTER[node.op](*parts)
        return rebuilt(node, parts)


# Constructors that let go of what is multiplied by zero.
_SHORTER = {"+": plus, "-": minus, "*": times, "/": over}


def _is_plain(value: Expr) -> bool:
    if isinstance(value, Unary) and value.op == "-":
        (value,) = value.args
    return isinstance(value, Var) or is_number(value)
