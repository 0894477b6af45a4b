"""Functions of the model as formulas, for languages without statements: bodies take the place of calls.

    r := g(h)      ->      r := if h < 2.8E6 then ... else ...

What is more than one formula for each output stays a call, and is refused later.
"""

from __future__ import annotations

from dataclasses import replace

from freewheel.formula.inline import inline_call
from freewheel.formula.nodes import Call, Expr, Var
from freewheel.formula.statement_nodes import Function
from freewheel.formula.walk import replace as replace_nodes
from freewheel.program.nodes import (
    Act,
    Assign,
    Check,
    Jump,
    Program,
    SetStatus,
    SolveLinear,
    SolveNonlinear,
    Step,
)


def with_functions_in_place(program: Program) -> Program:
    if not program.functions:
        return program
    functions = {function.name: function for function in program.functions}
    sections = {
        name: tuple(map(_Inline(functions).step, steps)) for name, steps in program.sections.items()
    }
    return replace(program, sections=sections)


class _Inline:
    def __init__(self, functions: dict[tuple[str, ...], Function]) -> None:
        self.functions = functions
        self.memo: dict[Expr, Expr] = {}
        self.results: dict[Expr, Var] = {}  # of calls that were computed once for several places

    def expr(self, expr: Expr) -> Expr:
        return replace_nodes(expr, self._visit, self.memo)

    def _visit(self, node: Expr) -> Expr | None:
        if isinstance(node, Var):
            return self.results.get(node)
        if not isinstance(node, Call) or isinstance(node.function, str):
            return None
        function = self.functions.get(node.function)
        formulas = (
            None if function is None else inline_call(function, tuple(map(self.expr, node.args)))
        )
        if formulas is None or len(formulas) != 1:
            return None
        inside = _Inline({name: f for name, f in self.functions.items() if name != node.function})
        return inside.expr(formulas[0])  # one that calls itself stays a call there

    def step(self, step: Step) -> Step:
        match step:
            case Assign():
                return self._assign(step)
            case SetStatus():
                return replace(step, residual=self.expr(step.residual))
            case SolveLinear():
                matrix = tuple((r, c, self.expr(e)) for r, c, e in step.matrix)
                return replace(step, matrix=matrix, right=tuple(map(self.expr, step.right)))
            case SolveNonlinear():
                inner = tuple(replace(one, value=self.expr(one.value)) for one in step.inner)
                return replace(step, inner=inner, residuals=tuple(map(self.expr, step.residuals)))
            case Jump():
                return replace(step, guard=self.expr(step.guard), value=self.expr(step.value))
            case Check() | Act():
                return step

    def _assign(self, step: Assign) -> Assign:
        target, value = step.target, self.expr(step.value)
        if target.name[0] == "tuple" and not isinstance(value, Call):
            self.results[target] = target = Var(("t", f"c{target.name[1]}"))
        guard = None if step.guard is None else self.expr(step.guard)
        return replace(step, target=target, value=value, guard=guard)
