"""Derivatives of formulas, with respect to time or to one variable.

    time_derivative(Binary("*", x, x), derivative_of)  is  2*x*der_x, derivative_of(x) being der_x
    partial(Call("sin", x), x)                         is  cos(x)

A zero derivative is always the node `ZERO`, whatever the dimensions; sums drop it. Relations and
discrete operators count as constant: between events they are. Functions of the model need a
`FunctionDerivatives` (see `function_derivatives`), which knows or makes their derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from freewheel.formula.build import call as make_call
from freewheel.formula.build import field, if_then_else, index, is_zero, mul, neg, times
from freewheel.formula.builtin_values import TRANSPARENT
from freewheel.formula.differentiate_calls import ARRAY_RULES, CONSTANT_CALLS, SCALAR_RULES
from freewheel.formula.faults import not_differentiable
from freewheel.formula.nodes import (
    LOGICAL,
    ONE,
    RELATIONS,
    TIME,
    ZERO,
    Array,
    Binary,
    Boolean,
    Call,
    Colon,
    Comprehension,
    Expr,
    Field,
    FunctionRef,
    If,
    Index,
    Integer,
    Iterator,
    Literal,
    Output,
    PartialFunction,
    Range,
    Real,
    Record,
    Reduction,
    String,
    Unary,
    Var,
)
from freewheel.formula.product_rules import OPERATORS, dotted
from freewheel.formula.show import show
from freewheel.formula.walk import fold, substitute

DerivativeOf = Callable[[Var], Expr]


class CallDerivatives(Protocol):
    """Whoever knows the derivatives of functions of the model."""

    def of_call(self, call: Call, changes: tuple[Expr, ...], is_time: bool = True) -> Expr:
        """The derivative of `call` when its arguments change by `changes`: as the model moves, or in any
        direction."""
        ...


class _NoFunctions:
    def of_call(self, call: Call, changes: tuple[Expr, ...], is_time: bool = True) -> Expr:
        raise not_differentiable(show(call))


def time_derivative(
    expr: Expr, derivative_of: DerivativeOf, functions: CallDerivatives | None = None
) -> Expr:
    """d expr/dt; `derivative_of(var)` gives `der(var)`, or `ZERO` for what does not change."""
    rule = Differentiation(derivative_of, functions)
    return rule.of(expr)


def partial(expr: Expr, variable: Expr, functions: CallDerivatives | None = None) -> Expr:
    """The partial derivative of `expr`, all other variables held."""
    rule = Differentiation(lambda var: ZERO, functions, is_time=False)
    rule.memo[variable] = ONE
    return rule.of(expr)


class Differentiation:
    """One way to differentiate; results are remembered, so that several formulas share work.

    `has_arrays` is for code inside functions, where variables may be whole arrays: there a zero
    element of an array constructor must keep its dimensions.
    """

    def __init__(
        self,
        derivative_of: DerivativeOf,
        functions: CallDerivatives | None = None,
        is_time: bool = True,
        has_arrays: bool = False,
    ) -> None:
        self.derivative_of = derivative_of
        self.functions = functions or _NoFunctions()
        self.is_time = is_time
        self.has_arrays = has_arrays
        self.memo: dict[Expr, Expr] = {}

    def of(self, expr: Expr) -> Expr:
        return fold(expr, self._visit, self.memo)

    def _visit(self, node: Expr, changes: tuple[Expr, ...]) -> Expr:
        return _RULES[type(node)](self, node, changes)


# ---------------------------------------------------------------- one rule per kind of node

Changes = tuple[Expr, ...]


def _constant(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    return ZERO


def _var(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    assert isinstance(node, Var)
    if node is TIME:
        return ONE if work.is_time else ZERO
    return work.derivative_of(node)


def _unary(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    return ZERO if node.data == "not" else neg(changes[0])


def _binary(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    op = node.data
    if op in RELATIONS or op in LOGICAL or all(map(is_zero, changes)):
        return ZERO
    if op == "*" and node.args[0] is node.args[1] and not work.has_arrays:
        return times(mul(Integer(2), node.args[0]), changes[0])  # matrices would not commute
    return OPERATORS[op](node, *node.args, *changes)


def _if(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    _, then, otherwise = changes
    if is_zero(then) and is_zero(otherwise):
        return ZERO
    if work.has_arrays:
        then, otherwise = _shaped(then, node.args[1]), _shaped(otherwise, node.args[2])
    return if_then_else(node.args[0], then, otherwise)


def _shaped(change: Expr, like: Expr) -> Expr:
    """A zero that keeps the dimensions of what does not change."""
    if not is_zero(change) or isinstance(like, Real | Integer):
        return change
    return Binary("*", ZERO, like)


def _array(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    if all(map(is_zero, changes)):
        return ZERO
    shaped = _shaped if work.has_arrays else _zeros
    return node.with_args(
        tuple(shaped(c, like) for c, like in zip(changes, node.args, strict=True))
    )


def _zeros(change: Expr, like: Expr) -> Expr:
    """A row of a matrix or a field of a record that does not change keeps its shape."""
    if not is_zero(change) or not isinstance(like, Array | Record):
        return change
    return like.with_args(tuple(_zeros(ZERO, part) for part in like.args))


def _comprehension(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    return ZERO if is_zero(changes[0]) else node.with_args((changes[0], *node.args[1:]))


def _reduction(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    if not is_zero(changes[0]) and node.data[0] != "sum":
        raise not_differentiable(show(node))
    return _comprehension(work, node, changes)


def _index(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    return ZERO if is_zero(changes[0]) else index(changes[0], *node.args[1:])


def _field(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    return ZERO if is_zero(changes[0]) else field(node.data, changes[0])


def _output(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    if is_zero(changes[0]):
        return ZERO
    change = changes[0]
    if not isinstance(change, Call) or isinstance(change.data, str):
        raise not_differentiable(show(node))  # the first output was replaced by its formula
    return Output(node.data, change)


def _call(work: Differentiation, node: Expr, changes: Changes) -> Expr:
    assert isinstance(node, Call)
    name = node.function
    if all(map(is_zero, changes)) or name in CONSTANT_CALLS:
        return make_call("der", node) if name == "der" and work.is_time else ZERO
    if not isinstance(name, str):
        return work.functions.of_call(node, changes, work.is_time)
    if name == "delay":
        # The delayed value does not depend on the present one.
        return Call("delay", changes[0], *node.args[1:]) if work.is_time else ZERO
    if name in SCALAR_RULES:
        return _scalar_call(work, node, changes)
    if name in ARRAY_RULES:
        return ARRAY_RULES[name](node, node.args, changes)
    raise not_differentiable(show(node))


def _scalar_call(work: Differentiation, node: Call, changes: Changes) -> Expr:
    rule = SCALAR_RULES[str(node.data)]
    if not work.has_arrays or node.data in TRANSPARENT:
        return rule(node, node.args, changes)
    # Perhaps applied to each element of an array: the rule in dotted operators, by stand-ins.
    count = len(node.args)
    args = tuple(Var(("$arg", i)) for i in range(count))
    moves = tuple(
        ZERO if is_zero(change) else Var(("$change", i)) for i, change in enumerate(changes)
    )
    template = dotted(rule(node.with_args(args), args, moves))
    actual = dict(zip((*args, *moves), (*node.args, *changes), strict=True))
    return substitute(template, {k: v for k, v in actual.items() if k is not ZERO})


_Rule = Callable[[Differentiation, Expr, Changes], Expr]
_RULES: dict[type, _Rule] = {
    Var: _var,
    Unary: _unary,
    Binary: _binary,
    If: _if,
    Array: _array,
    Record: _array,
    Comprehension: _comprehension,
    Reduction: _reduction,
    Index: _index,
    Field: _field,
    Output: _output,
    Call: _call,
}
_CONSTANT_NODES = (Real, Integer, Boolean, String, Literal, Iterator, Colon, Range)
_RULES.update(dict.fromkeys((*_CONSTANT_NODES, FunctionRef, PartialFunction), _constant))
