"""Constructors that fold constants and identities while building.

    add(Integer(1), Integer(2)) is Integer(3)        mul(ONE, x) is x

Nothing here changes where a formula has a value: `x/x` stays, `1/0` stays, and a function whose
constant argument lies outside its domain stays a call. Integer with Integer gives Integer for
`+ - *`; `/` and `^` always give Real.

`add`, `sub`, `mul`, `div` and friends may be used on arrays too, so `0*x` stays there. The scalar
forms `plus`, `minus`, `times`, `over` are for formulas known to be scalar: they also fold `x - x`
and `0*x` to 0. The latter assumes that variables are finite, as every simulator does; without it no
structure would be sparse.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import ClassName
from freewheel.formula.arithmetic import binary, negate
from freewheel.formula.builtin_values import SCALAR, apply_array, apply_scalar
from freewheel.formula.intrinsics import VALUE, X
from freewheel.formula.nodes import (
    FALSE,
    ONE,
    RELATIONS,
    TRUE,
    ZERO,
    Array,
    Binary,
    Boolean,
    Call,
    Expr,
    Field,
    If,
    Index,
    Integer,
    Literal,
    Real,
    Record,
    String,
    Unary,
    on_forget,
)
from freewheel.formula.values import EnumValue, Value, to_expr
from freewheel.formula.walk import fold

_PLAIN = frozenset((Real, Integer, Boolean, String))
_NUMBER = frozenset((Real, Integer))
_INTEGER_ZERO = Integer(0)
_INTEGER_ONE = Integer(1)
_INTEGER_MINUS_ONE = Integer(-1)
_MINUS_ONE = Real(-1.0)
_ZEROS = frozenset((ZERO, _INTEGER_ZERO))
_ONES = frozenset((ONE, _INTEGER_ONE))


def is_number(expr: Expr) -> bool:
    return type(expr) in _NUMBER


def is_zero(expr: Expr) -> bool:
    return expr in _ZEROS


def is_one(expr: Expr) -> bool:
    return expr in _ONES


def number(value: float) -> Expr:
    """A Real constant."""
    return Real(value)


def _folded(op: str, left: Expr, right: Expr) -> Expr | None:
    """The constant `left op right`, where it exists and is finite: the run tells what overflows."""
    if type(left) not in _NUMBER or type(right) not in _NUMBER:
        return None
    try:
        value = binary(op, left.data, right.data)
    except CompileError:
        return None
    return None if type(value) is float and not isfinite(value) else to_expr(value)


# ---------------------------------------------------------------- arithmetic, arrays allowed


def add(left: Expr, right: Expr) -> Expr:
    if is_zero(left):
        return right
    if is_zero(right):
        return left
    if isinstance(left, String) and isinstance(right, String):
        return String(left.data + right.data)
    folded = _folded("+", left, right)
    if folded is not None:
        return folded
    if isinstance(right, Unary) and right.data == "-":
        return sub(left, right.args[0])
    return Binary("+", left, right)


def sub(left: Expr, right: Expr) -> Expr:
    if is_zero(right):
        return left
    if is_zero(left):
        return neg(right)
    folded = _folded("-", left, right)
    if folded is not None:
        return folded
    if isinstance(right, Unary) and right.data == "-":
        return add(left, right.args[0])
    return Binary("-", left, right)


def neg(arg: Expr) -> Expr:
    if type(arg) in _NUMBER:
        return to_expr(negate(arg.data))
    if isinstance(arg, Unary) and arg.data == "-":
        return arg.args[0]
    if isinstance(arg, Binary) and arg.data == "-":
        return sub(arg.args[1], arg.args[0])
    return Unary("-", arg)


def mul(left: Expr, right: Expr) -> Expr:
    if is_one(left):
        return right
    if is_one(right):
        return left
    folded = _folded("*", left, right)
    if folded is not None:
        return folded
    if left is _MINUS_ONE or left is _INTEGER_MINUS_ONE:
        return neg(right)
    if right is _MINUS_ONE or right is _INTEGER_MINUS_ONE:
        return neg(left)
    return Binary("*", left, right)


def div(left: Expr, right: Expr) -> Expr:
    folded = _folded("/", left, right)
    if folded is not None:
        return folded
    if is_one(right):
        return left
    return Binary("/", left, right)


def power(left: Expr, right: Expr) -> Expr:
    """`x^1` is `x`; `x^0` is 1 also for `x = 0`, as C's `pow` and the language's users expect."""
    folded = _folded("^", left, right)
    if folded is not None:
        return folded
    if is_one(right):
        return left
    return Binary("^", left, right)


def elementwise(op: str, left: Expr, right: Expr) -> Expr:
    """`.+ .- .* ./ .^`: constants only; on numbers the dot means nothing."""
    folded = _folded(op, left, right)
    return folded if folded is not None else Binary(op, left, right)


# ---------------------------------------------------------------- arithmetic, scalars only


def plus(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Unary) and left.data == "-" and not is_zero(right):
        return minus(right, left.args[0])
    return add(left, right)


def minus(left: Expr, right: Expr) -> Expr:
    return ZERO if left is right else sub(left, right)


def times(left: Expr, right: Expr) -> Expr:
    if is_zero(left) or is_zero(right):
        return left if is_zero(left) else right
    if isinstance(left, Unary) and left.data == "-":
        return neg(times(left.args[0], right))
    if isinstance(right, Unary) and right.data == "-":
        return neg(times(left, right.args[0]))
    if is_number(right) and not is_number(left):
        left, right = right, left
    if (
        is_number(left)
        and isinstance(right, Binary)
        and right.data == "*"
        and is_number(right.left)
    ):
        return mul(mul(left, right.left), right.right)
    return mul(left, right)


def over(left: Expr, right: Expr) -> Expr:
    if is_zero(left) and not is_zero(right):
        return ZERO
    if isinstance(left, Unary) and left.data == "-":
        return neg(over(left.args[0], right))
    if isinstance(right, Unary) and right.data == "-":
        return neg(over(left, right.args[0]))
    if type(right) in _NUMBER and right.data < 0 and not is_number(left):
        return neg(over(left, neg(right)))
    return div(left, right)


def total(terms: Iterable[Expr]) -> Expr:
    """The sum of scalars; 0 of none."""
    result: Expr = ZERO
    for term in terms:
        result = plus(result, term)
    return result


# ---------------------------------------------------------------- logic


def relation(op: str, left: Expr, right: Expr) -> Expr:
    if isinstance(left, Literal | Integer) and isinstance(right, Literal | Integer):
        # A literal among others, or as a subscript beside numbers.
        return to_expr(binary(op, _ordinal(left), _ordinal(right)))
    if type(left) in _PLAIN and type(right) in _PLAIN:
        try:
            return to_expr(binary(op, left.data, right.data))
        except CompileError:
            return Binary(op, left, right)
    return Binary(op, left, right)


def _ordinal(expr: Literal | Integer) -> int:
    return expr.index if isinstance(expr, Literal) else expr.value


def logical_and(left: Expr, right: Expr) -> Expr:
    if left is FALSE or right is TRUE or left is right:
        return left
    if left is TRUE or right is FALSE:
        return right
    return Binary("and", left, right)


def logical_or(left: Expr, right: Expr) -> Expr:
    if left is TRUE or right is FALSE or left is right:
        return left
    if left is FALSE or right is TRUE:
        return right
    return Binary("or", left, right)


def logical_not(arg: Expr) -> Expr:
    if isinstance(arg, Boolean):
        return Boolean(not arg.data)
    if isinstance(arg, Unary) and arg.data == "not":
        return arg.args[0]
    return Unary("not", arg)


def if_then_else(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    if condition is TRUE or then is otherwise:
        return then
    if condition is FALSE:
        return otherwise
    return If(condition, then, otherwise)


_BINARY = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": div,
    "^": power,
    "and": logical_and,
    "or": logical_or,
}


def binary_of(op: str, left: Expr, right: Expr) -> Expr:
    """The folding constructor for any binary operator."""
    if op in _BINARY:
        return _BINARY[op](left, right)
    if op in RELATIONS:
        return relation(op, left, right)
    return elementwise(op, left, right)


def unary_of(op: str, arg: Expr) -> Expr:
    return neg(arg) if op == "-" else logical_not(arg)


# ---------------------------------------------------------------- calls, arrays, records


def call(function: str | ClassName, *args: Expr) -> Expr:
    """A call; builtin functions of constants are computed where they have a value."""
    if isinstance(function, str) and args and all(type(a) in _CONSTANT for a in args):
        folded = _folded_call(function, args)
        if folded is not None:
            return folded
    return Call(function, *args)


_CONSTANT = _PLAIN | {Literal}


def _folded_call(function: str, args: tuple[Expr, ...]) -> Expr | None:
    values: tuple[Value, ...] = tuple(
        EnumValue(*arg.data) if isinstance(arg, Literal) else arg.data for arg in args
    )
    try:
        if function in SCALAR:
            return to_expr(apply_scalar(function, values))
        if function in ("min", "max") and len(args) == 2:
            return to_expr(apply_array(function, values))
        if function in ("noEvent", "smooth"):
            return args[-1]
        if function == "der" and type(args[0]) in _NUMBER:
            return ZERO
    except CompileError:
        return None
    return None


def array(*elements: Expr) -> Expr:
    return Array(*elements)


def index(base: Expr, *subscripts: Expr) -> Expr:
    """Elements of array constructors are picked at once; everything else stays `Index`."""
    if not subscripts:
        return base
    if isinstance(base, Array) and isinstance(subscripts[0], Integer):
        at = subscripts[0].data
        if 1 <= at <= len(base.args):
            return index(base.args[at - 1], *subscripts[1:])
    return Index(base, *subscripts)


def field(name: str, base: Expr) -> Expr:
    """The field of a record constructor is picked at once, also where a condition chooses one."""
    if isinstance(base, Record) and name in base.fields:
        return base.args[base.fields.index(name)]
    if isinstance(base, If):
        condition, then, otherwise = base.args
        return if_then_else(condition, field(name, then), field(name, otherwise))
    return Field(name, base)


def rebuilt(expr: Expr, args: tuple[Expr, ...]) -> Expr:
    """`expr` over new children, folding: the constructor to use in `walk.fold`."""
    if args is not expr.args:
        return _rebuilt(expr, args)
    known = _kept.get(expr)
    if known is None:
        known = _kept[expr] = _rebuilt(expr, args)
    return known


def filled(formula: Expr, argument: Expr, value: Expr = VALUE) -> Expr:
    """A formula of a row of `intrinsics` with what its placeholders stand for."""
    return fold(formula, rebuilt, {X: argument, VALUE: value})


_kept: dict[Expr, Expr] = {}  # most nodes meet several passes and fold to themselves
on_forget(_kept.clear)


def _rebuilt(expr: Expr, args: tuple[Expr, ...]) -> Expr:
    kind = type(expr)
    if kind is Binary:
        return binary_of(expr.data, *args)
    if kind is Unary:
        return unary_of(expr.data, *args)
    if kind is If:
        return if_then_else(*args)
    if kind is Call:
        return call(expr.data, *args)
    if kind is Index:
        return index(*args)
    if kind is Field:
        return field(expr.data, *args)
    return expr.with_args(args)
