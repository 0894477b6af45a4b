"""Isolate one unknown of an equation.

    solve_for(u, R*i, i)   ->   Solution(value=u/R, divisors=(R,))

Several linear occurrences are collected; otherwise operators and functions around a single
occurrence are undone one by one. The answer is `None` where that is not sure to give all solutions;
with `principal=True` also functions with several inverses are undone, by the principal one
(arcsine, positive root), and those whose inverse goes too far, under conditions. This is how eq. 4
becomes eq. 5 in Cellier and Elmqvist, "Automated Formula Manipulation Supports Object-Oriented
Continuous-System Modeling".

The solution holds where its divisors are not zero and its conditions are true; whether to trust
that is the caller's choice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from freewheel.formula.build import (
    add,
    call,
    div,
    filled,
    if_then_else,
    is_number,
    is_zero,
    minus,
    mul,
    neg,
    over,
    power,
    sub,
    times,
)
from freewheel.formula.intrinsics import INTRINSICS, names_of
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import (
    ONE,
    TRUE,
    ZERO,
    Binary,
    Call,
    Expr,
    If,
    Integer,
    Real,
    Unary,
    Var,
)
from freewheel.formula.shape import FunctionLookup, unknown_functions
from freewheel.formula.walk import contains, substitute


@dataclass(frozen=True, slots=True)
class Solution:
    """`unknown = value`, if no divisor is zero and every condition holds."""

    value: Expr
    divisors: tuple[Expr, ...] = ()
    conditions: tuple[Expr, ...] = ()


def solve_for(
    left: Expr,
    right: Expr,
    unknown: Expr,
    functions: FunctionLookup = unknown_functions,
    principal: bool = False,
) -> Solution | None:
    """The solution of `left = right` for `unknown`, or `None`."""
    linear = _solve_linear(left, right, unknown)
    if linear is not None:
        return linear
    in_left, in_right = contains(left, unknown), contains(right, unknown)
    if in_left == in_right:
        return None
    side, other = (left, right) if in_left else (right, left)
    solution = _Isolation(unknown, functions, principal).isolate(side, other)
    if solution is not None and solution.conditions and not principal:
        return None  # outside of them the formula would invent a solution
    return solution


def _solve_linear(left: Expr, right: Expr, unknown: Expr) -> Solution | None:
    lefts, rights = linear_form(left, [unknown]), linear_form(right, [unknown])
    if lefts is None or rights is None:
        return None
    (a,), b = lefts
    (c,), d = rights
    if is_zero(c):  # a*x + b = d
        return _quotient(minus(d, b), a)
    if is_zero(a):  # b = c*x + d
        return _quotient(minus(b, d), c)
    return _quotient(minus(d, b), minus(a, c))


def _quotient(numerator: Expr, divisor: Expr) -> Solution | None:
    if is_zero(divisor):
        return None
    if isinstance(divisor, Unary) and divisor.data == "-":
        numerator, divisor = neg(numerator), divisor.args[0]
    if is_number(divisor):
        value = divisor.data
        if value in (1, -1):
            return Solution(numerator if value == 1 else neg(numerator))
        return Solution(over(numerator, divisor))
    if isinstance(divisor, Binary) and divisor.data == "/" and _is_unit(divisor.left):
        # x/b = n: multiply, never divide; but b = 0 was forbidden by the equation itself.
        return Solution(times(numerator, divisor.right), (divisor.right,))
    return Solution(over(numerator, divisor), (divisor,))


def _is_unit(expr: Expr) -> bool:
    return is_number(expr) and expr.data == 1


class _Isolation:
    """Undo what surrounds the unknown, from the outside in."""

    def __init__(self, unknown: Expr, functions: FunctionLookup, principal: bool) -> None:
        self.unknown = unknown
        self.functions = functions
        self.principal = principal
        self.divisors: list[Expr] = []
        self.conditions: list[Expr] = []

    def isolate(self, side: Expr, other: Expr) -> Solution | None:
        while side is not self.unknown:
            linear = _solve_linear(side, other, self.unknown)
            if linear is not None:
                self.divisors.extend(linear.divisors)
                side, other = self.unknown, linear.value
                continue
            step = self._undo(side, other)
            if step is None:
                return None
            side, other = step
        return Solution(other, tuple(self.divisors), tuple(self.conditions))

    def _undo(self, side: Expr, other: Expr) -> tuple[Expr, Expr] | None:
        places = [i for i, arg in enumerate(side.args) if contains(arg, self.unknown)]
        if isinstance(side, If):
            return self._undo_choice(side, other, places)
        if len(places) != 1:
            return None
        if isinstance(side, Unary) and side.data == "-":
            return side.args[0], neg(other)
        if isinstance(side, Binary):
            rule = _UNDO.get((side.data, places[0]))
            return None if rule is None else rule(self, side, other)
        if isinstance(side, Call):
            return self._undo_call(side, other, places[0])
        return None

    def _undo_call(self, side: Call, other: Expr, place: int) -> tuple[Expr, Expr] | None:
        name = side.function
        if not isinstance(name, str):
            inverse = self._inverse_call(side, other, place)
            return None if inverse is None else (side.args[place], inverse)
        if name in ("noEvent", "smooth"):
            return side.args[-1], call("noEvent", other)
        found = INTRINSICS[name].inverse if name in INTRINSICS else None
        if found is None or (found.is_principal and not self.principal):
            return None
        if found.lowest is not None:
            self.conditions.append(Binary(">=", other, Real(found.lowest)))
        if found.highest is not None:
            self.conditions.append(Binary("<=", other, Real(found.highest)))
        return side.args[0], filled(found.formula, other)

    def _inverse_call(self, side: Call, other: Expr, place: int) -> Expr | None:
        """The `inverse` annotation of a function: in it, inputs and the output go by name."""
        function = None if isinstance(side.function, str) else self.functions(side.function)
        if function is None or len(function.outputs()) != 1:
            return None
        inputs = function.inputs()
        inverse = dict(function.inverses).get(inputs[place].name)
        if inverse is None:
            return None
        names: dict[Expr, Expr] = {
            Var((variable.name,)): arg for variable, arg in zip(inputs, side.args, strict=False)
        }
        names[Var((function.outputs()[0].name,))] = other
        return substitute(inverse, names)

    def _undo_choice(self, side: Expr, other: Expr, places: list[int]) -> tuple[Expr, Expr] | None:
        """Both branches solved by themselves, under the same condition."""
        if places != [1, 2]:
            return None
        condition, then, otherwise = side.args
        first = _Isolation(self.unknown, self.functions, self.principal).isolate(then, other)
        second = _Isolation(self.unknown, self.functions, self.principal).isolate(otherwise, other)
        if first is None or second is None:
            return None
        self.divisors.extend((*first.divisors, *second.divisors))
        # Each branch has its own conditions, which do not matter in the other one.
        self.conditions.extend(if_then_else(condition, c, TRUE) for c in first.conditions)
        self.conditions.extend(if_then_else(condition, TRUE, c) for c in second.conditions)
        return self.unknown, if_then_else(condition, first.value, second.value)

    def dividing_by(self, divisor: Expr) -> Expr:
        if not is_number(divisor):
            self.divisors.append(divisor)
        return divisor


# ---------------------------------------------------------------- operators
# (operator, place of the unknown) -> what remains and what it equals


def _from_product_left(work: _Isolation, node: Binary, other: Expr) -> tuple[Expr, Expr] | None:
    return _divided(work, node.left, other, node.right)


def _from_product_right(work: _Isolation, node: Binary, other: Expr) -> tuple[Expr, Expr] | None:
    return _divided(work, node.right, other, node.left)


def _divided(work: _Isolation, side: Expr, other: Expr, factor: Expr) -> tuple[Expr, Expr] | None:
    return None if is_zero(factor) else (side, div(other, work.dividing_by(factor)))


def _from_divisor(work: _Isolation, node: Binary, other: Expr) -> tuple[Expr, Expr] | None:
    """`a/x = o` has the solution `a/o` only where `o` is not zero."""
    return None if is_zero(other) else (node.right, div(node.left, work.dividing_by(other)))


def _from_base(work: _Isolation, node: Binary, other: Expr) -> tuple[Expr, Expr] | None:
    """Odd roots are unique; even ones where the base cannot be negative."""
    if not isinstance(node.right, Real | Integer) or node.right.data == 0:
        return None
    exponent = float(node.right.data)
    if exponent < 0:  # x^(-2) = y is x^2 = 1/y
        exponent, other = -exponent, div(ONE, work.dividing_by(other))
        if exponent == 1:
            return node.left, other
    if not exponent.is_integer():
        if not work.principal:
            return None
        work.conditions.append(Binary(">=", other, ZERO))
        return node.left, power(other, _number(1.0 / exponent))
    if exponent % 2 == 0:
        if not work.principal and not is_never_negative(node.left):
            return None
        root = call("sqrt", other) if exponent == 2 else power(other, Real(1.0 / exponent))
        return node.left, root
    root = power(call("abs", other), Real(1.0 / exponent))
    return node.left, _odd(other, root)


def _odd(argument: Expr, value: Expr) -> Expr:
    """`value` for positive arguments, its negative for others; a choice would write it twice."""
    return mul(call("sign", argument), value)


def _number(value: float) -> Expr:
    return Integer(int(value)) if value.is_integer() else Real(value)


def _from_exponent(work: _Isolation, node: Binary, other: Expr) -> tuple[Expr, Expr] | None:
    if not isinstance(node.left, Real | Integer) or node.left.data <= 0 or node.left.data == 1:
        return None
    return node.right, div(call("log", other), Real(math.log(node.left.data)))


def is_never_negative(expr: Expr) -> bool:
    """Obvious from the outermost operation."""
    if isinstance(expr, Call):
        return expr.function in _NEVER_NEGATIVE
    return isinstance(expr, Real | Integer) and expr.data >= 0


_NEVER_NEGATIVE = names_of(lambda row: row.is_never_negative)

_Step = Callable[[_Isolation, Binary, Expr], tuple[Expr, Expr] | None]
_UNDO: Mapping[tuple[str, int], _Step] = {
    ("+", 0): lambda work, node, other: (node.left, sub(other, node.right)),
    ("+", 1): lambda work, node, other: (node.right, sub(other, node.left)),
    ("-", 0): lambda work, node, other: (node.left, add(other, node.right)),
    ("-", 1): lambda work, node, other: (node.right, sub(node.left, other)),
    ("*", 0): _from_product_left,
    ("*", 1): _from_product_right,
    ("/", 0): lambda work, node, other: (node.left, mul(other, node.right)),
    ("/", 1): _from_divisor,
    ("^", 0): _from_base,
    ("^", 1): _from_exponent,
}
