"""The linear equations of one component of a flat model, with s for d/dt.

    i = C*der(v),  v = p.v - n.v,  p.i + n.i = 0,  i = p.i        4 rows over i, v, p.v, n.v, p.i, n.i

Variables that come from elsewhere (inputs, and what blocks inside compute) are not unknowns: they
are in the rest of a row. Equations that are not linear are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from freewheel.formula.linear import Form, sparse_linear_form
from freewheel.formula.nodes import Binary, Call, Expr, Integer, Real, Var
from freewheel.formula.walk import replace, substitute, variables_in

S = Var(("$s",))
Number = Callable[[Expr, float], float | None]


@dataclass(frozen=True, slots=True)
class LinearSystem:
    """`sum(coefficients * columns) + rest = 0`, row by row; `number` evaluates a formula at some s."""

    columns: dict[Expr, int]
    coefficients: tuple[dict[int, Expr], ...]
    rests: tuple[Expr, ...]
    surplus: int  # equations beyond those that inner variables and connectors take
    number: Number

    def at(self, s: float) -> NDArray[np.float64] | None:
        """The matrix; None where a coefficient has no value before the simulation."""
        matrix = np.zeros((len(self.rests), len(self.columns)))
        for row, entries in enumerate(self.coefficients):
            for column, expr in entries.items():
                value = self.number(expr, s)
                if value is None:
                    return None
                matrix[row, column] = value
        return matrix


def linear_system(
    residuals: Sequence[Expr],
    outer: Collection[Expr],
    is_unknown: Callable[[Var], bool],
    number: Number,
) -> LinearSystem:
    """`outer` are the flows and potentials of connectors. What is not linear, or has coefficients
    that change with time, is left out."""
    memo: dict[Expr, Expr] = {}
    laplace = [replace(residual, with_s, memo) for residual in residuals]
    found = {v: None for v in variables_in(*laplace) if v != S and is_unknown(v)}
    columns: dict[Expr, int] = {v: k for k, v in enumerate({**found, **dict.fromkeys(outer)})}
    forms = [sparse_linear_form(residual, columns) for residual in laplace]
    if not all(_is_numeric(form, number) for form in forms):
        known = constants(laplace, columns, outer, number)
        for each in variables_in(*laplace):
            value = number(each, 1.0) if each not in columns and each != S else None
            if value is not None:
                known[each] = Real(value)
        forms = [sparse_linear_form(substitute(each, known), columns) for each in laplace]
    kept = [form for form in forms if form is not None and _is_numeric(form, number)]
    inner = sum(column not in outer for column in columns)
    binding = sum(any(v in columns for v in variables_in(each)) for each in laplace)
    surplus = binding - inner - len(outer) // 2
    return LinearSystem(
        columns, tuple(form[0] for form in kept), tuple(form[1] for form in kept), surplus, number
    )


def _is_numeric(form: Form | None, number: Number) -> bool:
    return form is not None and all(number(each, 1.0) is not None for each in form[0].values())


def constants(
    residuals: Sequence[Expr], columns: Mapping[Expr, int], outer: Collection[Expr], number: Number
) -> dict[Expr, Expr]:
    """Inner variables that equations with one unknown determine: a resistance at a given temperature."""
    by_number = {k: column for column, k in columns.items()}
    known: dict[Expr, Expr] = {}
    pending = list(residuals)
    while True:
        left: list[Expr] = []
        for residual in pending:
            form = sparse_linear_form(substitute(residual, known), columns)
            values = {} if form is None else {k: number(c, 1.0) for k, c in form[0].items()}
            unknown = [k for k, value in values.items() if value != 0.0]
            rest = number(form[1], 1.0) if form is not None and len(unknown) == 1 else None
            factor = values[unknown[0]] if rest is not None else None
            if rest is None or factor is None or by_number[unknown[0]] in outer:
                left.append(residual)
            else:
                known[by_number[unknown[0]]] = Real(-rest / factor)
        if len(left) == len(pending):
            return known
        pending = left


def with_s(node: Expr) -> Expr | None:
    if isinstance(node, Call) and node.function == "der":
        return Binary("*", S, node.args[0])
    return None


def plain_number(expr: Expr, s: float) -> float | None:
    """Without evaluating anything; most coefficients are one."""
    if isinstance(expr, (Real, Integer)):
        return float(expr.value)
    return s if expr == S else None
