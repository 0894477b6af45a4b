"""Functions that are put in place after index reduction (`InlineAfterIndexReduction`).

Such a function has a `derivative` annotation that must be used where an equation is differentiated;
but what an equation depends on is what its formula depends on, not every argument of the call:

    s := u[1] with derivative u[2]:    i = f({x, v}, time)   holds i and x, its derivative v

Derivatives of such functions are put in place too: their formulas show that they are linear.

An argument that no output of a function depends on is zero here, of any function (formula/influence.py).

In: expressions with calls. Out: the same with the formulas of these functions.
"""

from __future__ import annotations

from dataclasses import replace

from freewheel.formula import build
from freewheel.formula.function_derivatives import is_smooth, zero_like
from freewheel.formula.influence import Influence
from freewheel.formula.inline import inline_call
from freewheel.formula.nodes import Call, Expr, Output
from freewheel.formula.scalarize import MOST_NODES, Scalarizer
from freewheel.formula.scalarize_calls import whole
from freewheel.formula.shape import FunctionLookup
from freewheel.formula.statement_nodes import Function
from freewheel.formula.walk import calls_in, map_bottom_up
from freewheel.formula.walk import replace as replace_nodes
from freewheel.structure.nodes import ScalarEquation


class LateInline:
    """Rewrites expressions; `functions` gives a function by its name."""

    def __init__(self, functions: FunctionLookup) -> None:
        self.functions = functions
        self.influence = Influence(functions)
        self.memo: dict[Expr, Expr] = {}
        self.scalarizer = Scalarizer(lambda name: (), functions)

    def equation(self, equation: ScalarEquation) -> ScalarEquation:
        left, right = self.expr(equation.left), self.expr(equation.right)
        if left is equation.left and right is equation.right:
            return equation
        return replace(equation, left=left, right=right)

    def expr(self, expr: Expr) -> Expr:
        """Formulas of arrays are taken apart: what is left is one scalar."""
        if all(isinstance(call.function, str) for call in calls_in(expr)):
            return expr
        found = replace_nodes(expr, self._visit, self.memo)
        if found is expr:
            return expr
        self.scalarizer.met = []
        scalar = whole(self.scalarizer.checked_parts(found))
        return expr if self.scalarizer.met else scalar  # a call checks its subscripts by itself

    def _visit(self, node: Expr) -> Expr | None:
        number, call = (node.data, node.args[0]) if isinstance(node, Output) else (1, node)
        if not isinstance(call, Call) or isinstance(call.function, str):
            return None
        function = self.functions(call.function)
        if function is None:
            return None
        if not function.inline:
            return self._without_idle(node, call, function, number)
        formulas = inline_call(function, tuple(self.expr(arg) for arg in call.args))
        if formulas is None or self.scalarizer.length(formulas[number - 1]) > MOST_NODES:
            return None
        formula = map_bottom_up(formulas[number - 1], _folded)
        if any(inner.function == call.function for inner in calls_in(formula)):
            return formula  # it calls itself: once is enough
        return replace_nodes(formula, self._visit, self.memo)

    def _without_idle(self, node: Expr, call: Call, function: Function, output: int) -> Expr | None:
        """With zeros for arguments that have no influence. Derivatives by annotation may read them: they are
        left out only where it is shown what an equation depends on."""
        idle = self.influence.idle(function, output)
        if not idle:
            return None
        args = tuple(
            zero_like(arg) if v.name in idle and is_smooth(v) else self.expr(arg)
            for v, arg in zip(function.inputs(), call.args, strict=False)
        )
        if args == call.args:
            return None
        new = call.with_args((*args, *call.args[len(args) :]))
        return node.with_args((new,)) if isinstance(node, Output) else new


def _folded(node: Expr) -> Expr:
    return build.rebuilt(node, node.args) if node.args else node
