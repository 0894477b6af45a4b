"""Types of expressions: which go together, and what comes out of an operator.

result of  Real[3] + Integer[3]  ->  Real[3]        Real[2] + Real[3]  ->  error N040
"""

from __future__ import annotations

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.names import show as show_name
from freewheel.base.source import Span
from freewheel.formula.types import (
    BOOLEAN,
    INTEGER,
    REAL,
    STRING,
    Basic,
    Dims,
    EnumType,
    ExternalObjectType,
    FunctionType,
    RecordType,
    Scalar,
    Type,
    show,
)

NUMERIC = (REAL, INTEGER)


def is_numeric(kind: Type) -> bool:
    return kind.scalar in NUMERIC


VALUES = ("the value of", *(f"`{name}` of" for name in ("start", "min", "max", "nominal")))


def mismatch(what: str, left: Type, right: Type, place: Span) -> CompileError:
    return error(
        "N041",
        f"{what}: types {show(left)} and {show(right)} are incompatible",
        place,
        help=_conversion(left, right, what.startswith(VALUES)),
        rule='Modelica 3.6, "Type Compatible Expressions"',
    )


def _conversion(left: Type, right: Type, is_value: bool) -> str:
    """How the two become alike; `is_value`: the right one is given to a variable of the left type."""
    kinds = {left.scalar, right.scalar}
    if is_value and left.scalar in NUMERIC and right.scalar == STRING:
        return "a number is written without quotes"
    if is_value and left.scalar == BOOLEAN and right.scalar in NUMERIC:
        return "give `true` or `false`, or a comparison such as `x > 0`"
    if STRING in kinds and not kinds.isdisjoint((REAL, INTEGER, BOOLEAN)):
        return "make a text of the value with `String(x)`"
    if BOOLEAN in kinds and not kinds.isdisjoint(NUMERIC):
        return "make a number of the Boolean with `if b then 1 else 0`"
    if left.scalar == INTEGER and right.scalar == REAL:
        return "make a whole number with `integer(x)`, which rounds down, or declare a Real"
    if kinds == {STRING}:
        return "texts are only joined, by `+`; `Modelica.Utilities.Strings` has functions for texts"
    kind = next((kind for kind in kinds if isinstance(kind, EnumType)), None)
    if kind is not None and INTEGER in kinds:
        literal = f"`{show_name(kind.name)}(n)` is the literal of number n"
        return f"{literal}, `Integer(e)` the number of a literal"
    return (
        "make both sides the same type; Integer may stand for Real, nothing else converts by itself"
    )


def wrong_dims(what: str, left: Type, right: Type, place: Span) -> CompileError:
    return error(
        "N040",
        f"{what}: dimensions do not match, {show(left)} against {show(right)}",
        place,
        help=_sizes(what, left.dims, right.dims),
        rule='Modelica 3.6, "Arrays"',
    )


def _sizes(what: str, left: Dims, right: Dims) -> str:
    if what == "`*`":
        return "the first has as many columns as the second has rows; `.*` multiplies element by element"
    if what == "`^`":
        return "`^` needs a square matrix and a number; `.^` takes the power of each element"
    if what == "`/`":
        return "an array is divided by a number only; `./` divides element by element"
    if what in ("`+`", "`-`") and (not left or not right):
        op = what.strip("`")
        return f"`.{op}` works with each element of an array and a number"
    if len(left) == 1 and len(right) == 2 and 1 in right:
        return "square brackets make a matrix; a vector is written `{1, 2, 3}`"
    if what.startswith("the elements of"):
        return "give all rows the same length"
    if not left or not right:
        return (
            "give both sides the same array sizes: `fill(x, n)` makes an array of a number, "
            "`.*` multiplies arrays element by element"
        )
    return "give both sides the same array sizes"


def same_dims(left: Dims, right: Dims) -> bool:
    """Equal as far as known."""
    if len(left) != len(right):
        return False
    return all(a is None or b is None or a == b for a, b in zip(left, right, strict=True))


def joined_dims(left: Dims, right: Dims) -> Dims:
    return tuple(a if a is not None else b for a, b in zip(left, right, strict=True))


def joined_scalar(left: Scalar, right: Scalar) -> Scalar | None:
    """The type both can be seen as, or None."""
    if left == right:
        return left
    if left in NUMERIC and right in NUMERIC:
        return REAL
    if isinstance(left, RecordType) and isinstance(right, RecordType):
        return left if same_record(left, right) else None
    if (
        isinstance(left, EnumType)
        and isinstance(right, EnumType)
        and left.literals == right.literals
    ):
        return left
    if isinstance(left, FunctionType) and isinstance(right, FunctionType):
        return left
    if isinstance(left, ExternalObjectType) and isinstance(right, ExternalObjectType):
        return left
    return None


def same_record(left: RecordType, right: RecordType) -> bool:
    """Records are compared by their fields, not by their names."""
    if left.name == right.name:
        return True
    if len(left.fields) != len(right.fields):
        return False
    for name, kind in left.fields:
        other = right.field(name)
        if other is None or joined_scalar(kind.scalar, other.scalar) is None:
            return False
    return True


def joined(what: str, left: Type, right: Type, place: Span) -> Type:
    """Type of an if-expression, array element or equation with these two sides."""
    scalar = joined_scalar(left.scalar, right.scalar)
    if scalar is None:
        raise mismatch(what, left, right, place)
    if not same_dims(left.dims, right.dims):
        raise wrong_dims(what, left, right, place)
    return Type(scalar, joined_dims(left.dims, right.dims))


def accepts(formal: Scalar, actual: Scalar) -> bool:
    """Whether a value of the actual type may be given where the formal one is asked for."""
    if formal == actual:
        return True
    if formal == REAL and actual == INTEGER:
        return True
    if isinstance(formal, Basic) or isinstance(actual, Basic):
        return False
    return joined_scalar(formal, actual) is not None


# ---------------------------------------------------------------- operators


def of_sum(op: str, left: Type, right: Type, place: Span) -> Type:
    what = f"`{op}`"
    if left.scalar == STRING and right.scalar == STRING and op == "+":
        return joined(what, left, right, place)
    _numbers(what, left, right, place)
    if op.startswith(".") and (not left.dims or not right.dims):
        scalar = joined_scalar(left.scalar, right.scalar)
        assert scalar is not None
        return Type(scalar, left.dims or right.dims)
    return joined(what, left, right, place)


def of_product(op: str, left: Type, right: Type, place: Span) -> Type:
    what = f"`{op}`"
    _numbers(what, left, right, place)
    scalar = joined_scalar(left.scalar, right.scalar)
    assert scalar is not None
    if op == ".*" or not left.dims or not right.dims:
        if left.dims and right.dims:
            return joined(what, left, right, place)
        return Type(scalar, left.dims or right.dims)
    return Type(scalar, _product_dims(left, right, place))


def _product_dims(left: Type, right: Type, place: Span) -> Dims:
    a, b = left.dims, right.dims
    if len(a) > 2 or len(b) > 2:
        raise wrong_dims("`*`", left, right, place)
    inner_a, inner_b = a[-1], b[0]
    if inner_a is not None and inner_b is not None and inner_a != inner_b:
        raise wrong_dims("`*`", left, right, place)
    if len(a) == 1 and len(b) == 1:
        return ()
    if len(a) == 1:
        return (b[1],)
    return (a[0],) if len(b) == 1 else (a[0], b[1])


def of_quotient(op: str, left: Type, right: Type, place: Span) -> Type:
    what = f"`{op}`"
    _numbers(what, left, right, place)
    if op == "/":
        if right.dims:
            raise wrong_dims("`/`", left, right, place)
        return Type(REAL, left.dims)
    if left.dims and right.dims:
        return Type(REAL, joined(what, left, right, place).dims)
    return Type(REAL, left.dims or right.dims)


def of_power(op: str, left: Type, right: Type, place: Span) -> Type:
    what = f"`{op}`"
    _numbers(what, left, right, place)
    if op == "^":
        if right.dims or (
            left.dims and (len(left.dims) != 2 or not same_dims(left.dims[:1], left.dims[1:]))
        ):
            raise wrong_dims(what, left, right, place)
        return Type(REAL, left.dims)
    if left.dims and right.dims:
        return Type(REAL, joined(what, left, right, place).dims)
    return Type(REAL, left.dims or right.dims)


def of_relation(op: str, left: Type, right: Type, place: Span) -> Type:
    if left.dims or right.dims:
        raise wrong_dims(f"`{op}`", left, right, place)
    if joined_scalar(left.scalar, right.scalar) is None or isinstance(left.scalar, RecordType):
        raise mismatch(f"`{op}`", left, right, place)
    return Type(BOOLEAN)


def of_logic(op: str, left: Type, right: Type, place: Span) -> Type:
    if left.scalar != BOOLEAN or right.scalar != BOOLEAN:
        raise mismatch(f"`{op}`", left, right, place)
    return joined(f"`{op}`", left, right, place)


def _numbers(what: str, left: Type, right: Type, place: Span) -> None:
    if not is_numeric(left) or not is_numeric(right):
        raise mismatch(what, left, right, place)


OPERATORS = {
    "+": of_sum,
    "-": of_sum,
    ".+": of_sum,
    ".-": of_sum,
    "*": of_product,
    ".*": of_product,
    "/": of_quotient,
    "./": of_quotient,
    "^": of_power,
    ".^": of_power,
    "<": of_relation,
    "<=": of_relation,
    ">": of_relation,
    ">=": of_relation,
    "==": of_relation,
    "<>": of_relation,
    "and": of_logic,
    "or": of_logic,
}
