"""Numbers that decide without an if-expression, as if-expressions.

    sign(s)                     ->      if s < 0 then -1 else 1
    Integer(closed)             ->      if closed then 1 else 0
    if sign(s) < 0 then ..      ->      if s < 0 then ..
    f(closed)                   ->      if closed then 1 else 0         where f(true) = 1, f(false) = 0

A switch has no position of its own for the instant at which s is zero: there its neighbours hold as well. So
the first is meant for numbers that are switches; the last two are true for any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from freewheel.base.names import Name
from freewheel.formula import build
from freewheel.formula.nodes import (
    FALSE,
    RELATIONS,
    TRUE,
    ZERO,
    Binary,
    Call,
    Expr,
    If,
    Integer,
    Var,
)
from freewheel.formula.types import BOOLEAN
from freewheel.formula.walk import calls_in, map_bottom_up, variables_in
from freewheel.structure.blocks.incidence import equation_text
from freewheel.structure.nodes import ScalarEquation, ScalarModel, ScalarVariable
from freewheel.structure.switching.numbers.computed_values import Computed

# A relation between sign(e) and a number, by whether it holds for e < 0, e = 0 and e > 0.
_ASKED = {
    (True, False, False): "<",
    (True, True, False): "<=",
    (False, False, True): ">",
    (False, True, True): ">=",
}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NUMBERS = ("sign", "Integer", "integer")
_LOGICAL = ("and", "or", "not")
MOST_TRUTHS = 5  # of one call


def has_decisions(equation: ScalarEquation) -> bool:
    """Whether it holds a number that may be rewritten."""
    return any(call.function in _NUMBERS for call in calls_in(equation.left, equation.right))


def with_decisions(
    variables: Mapping[Name, ScalarVariable], is_known: Callable[[Var], bool]
) -> Callable[[Expr], Expr]:
    """A function that rewrites formulas. `is_known`: whether a variable is a parameter."""
    memo: dict[Expr, Expr] = {}

    def visit(node: Expr) -> Expr:
        if not isinstance(node, Call) or len(node.args) != 1:
            return node
        (inside,) = node.args
        if node.function == "sign" and not all(map(is_known, variables_in(inside))):
            return If(Binary("<", inside, ZERO), Integer(-1), Integer(1))
        if node.function in ("Integer", "integer") and _is_truth(inside, variables):
            return If(inside, Integer(1), Integer(0))
        return node

    return lambda expr: map_bottom_up(without_sign_relations(expr), visit, memo)


def with_decided_truths(model: ScalarModel) -> ScalarModel:
    """With the values of functions of truths in the place of their calls."""
    computed = Computed(model.functions)
    names = {
        function.name
        for function in model.functions
        if function.name in computed.functions
        and any(one.type.scalar == BOOLEAN for one in function.inputs())
    }
    if not names:
        return model
    variables = {v.name: v for v in model.variables}
    memo: dict[Expr, Expr] = {}

    def by_cases(call: Expr, left: int) -> Expr | None:
        truth = next((k for k, arg in enumerate(call.args) if _is_truth(arg, variables)), None)
        if truth is None:
            value = computed.value(call)
            return value if value is not None and build.is_number(value) else None
        if left == 0:
            return None
        cases = []
        for case in (TRUE, FALSE):
            args = (*call.args[:truth], case, *call.args[truth + 1 :])
            cases.append(by_cases(build.rebuilt(call, args), left - 1))
        then, otherwise = cases
        if then is None or otherwise is None:
            return None
        return build.if_then_else(call.args[truth], then, otherwise)

    def visit(node: Expr) -> Expr:
        if not isinstance(node, Call) or node.function not in names:
            return node
        return by_cases(node, MOST_TRUTHS) or node

    def decided(expr: Expr) -> Expr:
        return map_bottom_up(expr, visit, memo)

    equations = tuple(
        replace(e, left=decided(e.left), right=decided(e.right), spoken=equation_text(e))
        if any(call.function in names for call in calls_in(e.left, e.right))
        else e
        for e in model.equations
    )
    return replace(model, equations=equations)


def _is_truth(expr: Expr, variables: Mapping[Name, ScalarVariable]) -> bool:
    if isinstance(expr, Var):
        variable = variables.get(expr.name)
        return variable is not None and variable.type == BOOLEAN
    return expr.data in RELATIONS or expr.data in _LOGICAL


def without_sign_relations(expr: Expr) -> Expr:
    """Relations between the sign of a formula and a number, as relations of the formula."""
    return map_bottom_up(expr, _without_sign)


def _without_sign(node: Expr) -> Expr:
    if not isinstance(node, Binary) or node.op not in RELATIONS:
        return node
    for signed, number, op in (
        (node.left, node.right, node.op),
        (node.right, node.left, _MIRRORED.get(node.op, node.op)),
    ):
        if isinstance(signed, Call) and signed.function == "sign" and build.is_number(number):
            below, at, above = (build.relation(op, Integer(k), number) is TRUE for k in (-1, 0, 1))
            asked = _ASKED.get((below, at, above))
            return node if asked is None else build.relation(asked, signed.args[0], ZERO)
    return node
