"""Derivatives of the residuals of a nonlinear loop with respect to its unknowns.

    y := x^2;  0 = y + x - 2      ->      entry (1, 1): 2*x + 1

In: a `SolveNonlinear` as it stands in a section. Out: assignments to temporaries and one formula per
entry, row by row, to be evaluated where the loop's residuals were evaluated last.
"""

from __future__ import annotations

from dataclasses import dataclass

from freewheel.base.diagnostics import CompileError
from freewheel.formula import build
from freewheel.formula.differentiate import Differentiation
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import ONE, ZERO, Expr, Integer, Real, Var
from freewheel.formula.walk import substitute
from freewheel.program.nodes import Assign, SolveNonlinear, Step, temporary
from freewheel.program.share import share

MAX_WORK = 2000  # unknowns times assignments; beyond, differences are cheaper to compile


@dataclass(frozen=True, slots=True)
class LoopJacobian:
    steps: tuple[Step, ...]
    entries: tuple[Expr, ...]  # row by row


def loop_jacobian(step: SolveNonlinear, functions: FunctionDerivatives) -> LoopJacobian | None:
    """None where a formula cannot be differentiated, or not with profit."""
    if len(step.slots) * (len(step.inner) + len(step.slots)) > MAX_WORK:
        return None
    try:
        return _differentiated(step, functions)
    except CompileError:
        return None


def _differentiated(step: SolveNonlinear, functions: FunctionDerivatives) -> LoopJacobian:
    inner, residuals = _without_temporaries(step)
    steps: list[Step] = []
    columns: list[list[Expr]] = []
    for unknown in step.slots:
        tangents: dict[Var, Expr] = {Var((unknown,)): ONE}
        rule = _along(tangents, functions)
        for part in inner:
            tangent = rule.of(part.value)
            if build.is_zero(tangent):
                continue
            if not isinstance(tangent, Var | Real | Integer):
                name = temporary(-1 - len(steps))  # numbers of `share` are positive
                steps.append(Assign(name, tangent, step.about))
                tangent = name
            tangents[part.target] = tangent
        columns.append([rule.of(residual) for residual in residuals])
    size = len(step.slots)
    entries = [columns[c][r] for r in range(size) for c in range(size)]
    names = [temporary(-1 - len(steps) - k) for k in range(len(entries))]
    stored = [Assign(n, e, step.about) for n, e in zip(names, entries, strict=True)]
    shared, _ = share([*steps, *stored])
    return LoopJacobian(shared, tuple(names))


def _along(tangents: dict[Var, Expr], functions: FunctionDerivatives) -> Differentiation:
    return Differentiation(lambda var: tangents.get(var, ZERO), functions, is_time=False)


def _without_temporaries(step: SolveNonlinear) -> tuple[list[Assign], list[Expr]]:
    """Shared subexpressions back in their places: formulas are graphs, so nothing is copied."""
    meaning: dict[Expr, Expr] = {}
    memo: dict[Expr, Expr] = {}
    inner: list[Assign] = []
    for part in step.inner:
        value = substitute(part.value, meaning, memo)
        if isinstance(part.target.name[0], int):
            inner.append(Assign(part.target, value, part.about))
        else:
            meaning[part.target] = value
    return inner, [substitute(residual, meaning, memo) for residual in step.residuals]
