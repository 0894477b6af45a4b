"""Functions that a failed step calls outside of their domain.

outside_domain(step, memory)    ->    "`acos` needs an argument from -1 to 1, here it is 1.002"
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.base.names import Name
from freewheel.formula.evaluate import evaluate
from freewheel.formula.faults import NotConstant
from freewheel.formula.intrinsics import INTRINSICS
from freewheel.formula.nodes import Binary, Call, Expr
from freewheel.formula.values import Value
from freewheel.formula.walk import fold
from freewheel.program.nodes import Assign, SetStatus, Step

IN_GENERAL = (
    "roots need arguments that are not negative, logarithms positive ones, asin and acos arguments"
    " from -1 to 1"
)


def outside_domain(step: Step | None, memory: Sequence[float]) -> str:
    """One sentence; a general one where the step is no formula."""
    expr = step.value if isinstance(step, Assign) else None
    if isinstance(step, SetStatus):
        expr = step.residual
    if expr is None:
        return IN_GENERAL
    nodes: list[Expr] = []
    fold(expr, lambda node, _: nodes.append(node), {})
    found = (_told(node, memory) for node in nodes)
    return next((text for text in found if text), IN_GENERAL)


def _told(node: Expr, memory: Sequence[float]) -> str:
    if isinstance(node, Binary) and node.op == "^":
        base, exponent = (_number(side, memory) for side in node.args)
        if base is None or exponent is None or base >= 0.0 or exponent.is_integer():
            return ""
        words = f"a power with the exponent {exponent:g} needs a base that is not negative"
        return f"{words}, here it is {base:.6g}"
    row = INTRINSICS.get(str(node.function)) if isinstance(node, Call) else None
    if row is None or row.domain is None:
        return ""
    words, holds = row.domain
    value = _number(node.args[0], memory)
    if value is None or holds(value):
        return ""
    return f"`{row.name}` needs an argument {words}, here it is {value:.6g}"


def _number(expr: Expr, memory: Sequence[float]) -> float | None:
    def lookup(name: Name) -> Value:
        if not isinstance(name[0], int):
            raise NotConstant(name)
        return float(memory[name[0]])

    try:
        value = evaluate(expr, lookup)
    except (NotConstant, ArithmeticError, ValueError):
        return None
    return float(value) if isinstance(value, int | float) else None
