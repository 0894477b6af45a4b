"""How variable an expression is, read off the expression itself.

Elaboration gives a record value one variability, that of its most variable field. Where one field
is asked for, this pass looks at that field alone: `R(a = time, b = 2)` has a constant `b`.
A call of an impure function counts as a parameter: it may give a parameter its value (Modelica 3.6,
"Pure Modelica Functions").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.formula import nodes as f
from freewheel.formula.evaluate import NotConstant
from freewheel.instance.nodes import CONSTANT, CONTINUOUS, DISCRETE, PARAMETER

if TYPE_CHECKING:
    from freewheel.instance.session import Session

_DISCRETE = ("initial", "terminal", "sample", "pre", "edge", "change")


def variability_of(session: Session, expr: f.Expr) -> int:
    found = CONSTANT
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, f.Var):
            found = max(found, _of_variable(session, node))
        elif isinstance(node, f.Call):
            found = max(found, _of_call(session, node))
        stack.extend(node.args)
    return found


def _of_variable(session: Session, node: f.Var) -> int:
    if node is f.TIME:
        return CONTINUOUS
    try:
        return session.values.component_at(node.name).variability
    except NotConstant:
        return CONTINUOUS


def _of_call(session: Session, node: f.Call) -> int:
    if isinstance(node.function, str):
        if node.function == "der":
            return CONTINUOUS
        return DISCRETE if node.function in _DISCRETE else CONSTANT
    return PARAMETER if session.functions.is_impure(node.function) else CONSTANT
