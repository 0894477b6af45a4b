"""For-equations: put a value in the place of the index, everywhere inside an equation.

x[i] = i   with i -> 2   becomes   x[2] = 2
"""

from __future__ import annotations

from dataclasses import replace

from freewheel.flat.nodes import (
    AnyEquation,
    Equation,
    ForEquation,
    IfEquation,
    TupleEquation,
    WhenEquation,
)
from freewheel.formula.nodes import Expr
from freewheel.formula.statement_nodes import Assert, CallEquation, Reinit, Terminate
from freewheel.formula.walk import bind_iterators


def bind_equation(equation: AnyEquation, index: str, value: Expr) -> AnyEquation:
    """Put a loop's value in the place of its index, everywhere inside."""

    def bind(expr: Expr) -> Expr:
        return bind_iterators(expr, {index: value})

    def branches(
        parts: tuple[tuple[Expr, tuple[AnyEquation, ...]], ...],
    ) -> tuple[tuple[Expr, tuple[AnyEquation, ...]], ...]:
        return tuple((bind(c), body(b)) for c, b in parts)

    def body(parts: tuple[AnyEquation, ...]) -> tuple[AnyEquation, ...]:
        return tuple(bind_equation(part, index, value) for part in parts)

    match equation:
        case Equation():
            return replace(equation, left=bind(equation.left), right=bind(equation.right))
        case TupleEquation():
            outputs = tuple(None if o is None else bind(o) for o in equation.outputs)
            return replace(equation, outputs=outputs, call=bind(equation.call))
        case ForEquation():
            inner = equation.body if equation.index == index else body(equation.body)
            return replace(equation, values=bind(equation.values), body=inner)
        case IfEquation():
            return replace(
                equation, branches=branches(equation.branches), otherwise=body(equation.otherwise)
            )
        case WhenEquation():
            priority = None if equation.priority is None else bind(equation.priority)
            return replace(equation, branches=branches(equation.branches), priority=priority)
        case Assert():
            return replace(
                equation, condition=bind(equation.condition), message=bind(equation.message)
            )
        case Terminate():
            return replace(equation, message=bind(equation.message))
        case CallEquation():
            return replace(equation, call=bind(equation.call))
        case Reinit():
            return replace(equation, variable=bind(equation.variable), value=bind(equation.value))
