"""Built-in functions of numbers: one row for each, with all that rooms want to know of it.

    INTRINSICS["tan"].derivative       1 + value^2, a formula over `X` and `VALUE`
    INTRINSICS["log10"].written["c"]   "log10"

A function is added here and nowhere else: the front end checks its arguments, formulas are folded,
differentiated, solved and evaluated, and backends and exports write it by what its row says. What no
column can say (`min` of an array, how `div` makes events) stays with the pass that does it. Modelica 3.6,
"Built-in Mathematical Functions" and "Numeric Functions and Conversion Operators".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from freewheel.formula.nodes import ONE, Binary, Call, Expr, Integer, Real, Unary, Var

X = Var(("$x",))  # the argument, in formulas of rows
VALUE = Var(("$value",))  # the call itself, whose value is known already

Domain = tuple[str, Callable[[float], bool]]  # in words, and as a test


@dataclass(frozen=True, slots=True, kw_only=True)
class Inverse:
    """`f(x) = y` solved for x, a formula over `X`, which stands for y."""

    formula: Expr
    lowest: float | None = (
        None  # of y: beyond, the inverse has a value but the equation no solution
    )
    highest: float | None = None
    is_principal: bool = False  # one of several solutions


@dataclass(frozen=True, slots=True, kw_only=True)
class Intrinsic:
    name: str
    value: Callable[..., Any]  # on numbers of Python; raises outside of its domain
    arity: int = 1
    called: str = ""  # how a call is written, for hints; empty: `f(x)`
    result: str = "Real"  # its type; `Integer`, or `same` as the arguments
    is_reduction: bool = False  # of one array it is a single value, not one for each element
    unit: str = (
        ""  # `number`, `same` as the argument, of `all` arguments, `root` of it; empty: not known
    )
    domain: Domain | None = None  # where not all numbers
    # Over `X` and `VALUE`: the derivative for X, or what the change of X is divided by.
    derivative: Expr | None = None
    divisor: Expr | None = None
    is_step: bool = False  # constant between the places where it jumps
    slope: Callable[[float], float] | None = (
        None  # the derivative as a number, where it is asked for often
    )
    inverse: Inverse | None = None
    has_corners: bool = False  # jumps or bends somewhere
    makes_events: bool = False  # Modelica 3.6, "Event Triggering Mathematical Functions"
    is_never_negative: bool = False
    # Newton's method must have what goes into it in hand: it overflows, or has no value, nearby.
    is_delicate: bool = False
    has_pole_at_zero: bool = False
    numpy: str = ""  # for whole arrays of constants; empty: such models are taken apart
    llvm: str = ""  # intrinsic of LLVM or function of the C library; empty: several instructions
    classic: str = ""  # its name in the classic language, where that is another one
    written: Mapping[
        str, str
    ]  # exported language -> name, or template over {0}, {1}; else it lacks it


# ---------------------------------------------------------------- values


def sign(x: Any) -> int:
    return int(x > 0) - int(x < 0)


def truncated_quotient(x: Any, y: Any) -> Any:
    """`div`: the quotient without its fraction; Integer for Integers."""
    if type(x) is int and type(y) is int:
        quotient = abs(x) // abs(y)
        return quotient if (x >= 0) == (y >= 0) else -quotient
    return float(math.trunc(x / y))


def modulo(x: Any, y: Any) -> Any:
    """`mod(x, y) = x - floor(x/y)*y`."""
    return x % y if type(x) is int and type(y) is int else x - math.floor(x / y) * y


def remainder(x: Any, y: Any) -> Any:
    """`rem(x, y) = x - div(x, y)*y`."""
    return x - truncated_quotient(x, y) * y


def semi_linear(x: Any, positive: Any, negative: Any) -> Any:
    return x * (positive if x >= 0 else negative)


# ---------------------------------------------------------------- formulas


def _plus(left: Expr, right: Expr) -> Expr:
    return Binary("+", left, right)


def _minus(left: Expr, right: Expr) -> Expr:
    return Binary("-", left, right)


def _times(left: Expr, right: Expr) -> Expr:
    return Binary("*", left, right)


def _squared(x: Expr) -> Expr:
    return Binary("^", x, Integer(2))


def _root(x: Expr) -> Expr:
    return Call("sqrt", x)


# Of the size of y first: `y + sqrt(y^2 + 1)` cancels where y is negative and large.
_AREA_SINE = _times(
    Call("sign", X), Call("log", _plus(Call("abs", X), _root(_plus(_squared(X), ONE))))
)
_AREA_COSINE = Call("log", _plus(X, _root(_minus(_squared(X), ONE))))
_AREA_TANGENT = _times(Real(0.5), Call("log", Binary("/", _plus(ONE, X), _minus(ONE, X))))


# ---------------------------------------------------------------- languages


def _written(name: str, **others: str) -> Mapping[str, str]:
    """By its own name, but for `others`; an empty text: the language lacks it."""
    small = dict.fromkeys(("c", "python", "simulink", "simnon", "desire"), name)
    large = dict.fromkeys(("acsl", "fortran"), name.upper())
    found = {**small, **large, "casadi": f"ca.{name}", **others}
    return {language: text for language, text in found.items() if text}


_NOT_NEGATIVE: Domain = ("that is not negative", lambda x: x >= 0.0)
_POSITIVE: Domain = ("that is positive", lambda x: x > 0.0)
_UP_TO_ONE: Domain = ("from -1 to 1", lambda x: -1.0 <= x <= 1.0)
_HALF_TURN = math.pi / 2
_LN10 = math.log(10.0)
_ACSL_FLOOR = "(AINT({0}) - RSW({0} .LT. AINT({0}), 1.0, 0.0))"

ROWS = (
    Intrinsic(
        name="sin", value=math.sin, slope=math.cos, unit="number", numpy="sin", llvm="sin",
        derivative=Call("cos", X), inverse=Inverse(formula=Call("asin", X), is_principal=True),
        written=_written("sin"),
    ),
    Intrinsic(
        name="cos", value=math.cos, slope=lambda x: -math.sin(x), unit="number", numpy="cos", llvm="cos",
        derivative=Unary("-", Call("sin", X)),
        inverse=Inverse(formula=Call("acos", X), is_principal=True),
        written=_written("cos"),
    ),
    Intrinsic(
        name="tan", value=math.tan, slope=lambda x: 1.0 + math.tan(x) ** 2, unit="number", numpy="tan",
        llvm="tan", derivative=_plus(ONE, _squared(VALUE)),
        inverse=Inverse(formula=Call("atan", X), is_principal=True),
        written=_written("tan"),
    ),
    Intrinsic(
        name="asin", value=math.asin, unit="number", llvm="asin", domain=_UP_TO_ONE, is_delicate=True,
        divisor=_root(_minus(ONE, _squared(X))), classic="arcsin",
        inverse=Inverse(formula=Call("sin", X), lowest=-_HALF_TURN, highest=_HALF_TURN),
        written=_written("asin", simnon="arcsin"),
    ),
    Intrinsic(
        name="acos", value=math.acos, unit="number", llvm="acos", domain=_UP_TO_ONE, is_delicate=True,
        divisor=Unary("-", _root(_minus(ONE, _squared(X)))), classic="arccos",
        inverse=Inverse(formula=Call("cos", X), lowest=0.0, highest=math.pi),
        written=_written("acos", simnon="arccos"),
    ),
    Intrinsic(
        name="atan", value=math.atan, unit="number", numpy="arctan", llvm="atan",
        divisor=_plus(ONE, _squared(X)), classic="arctan",
        inverse=Inverse(formula=Call("tan", X), lowest=-_HALF_TURN, highest=_HALF_TURN),
        written=_written("atan"),
    ),
    Intrinsic(
        name="atan2", value=math.atan2, arity=2, called="atan2(y, x)", unit="number", llvm="atan2",
        classic="arctan2", written=_written("atan2"),
    ),
    Intrinsic(
        name="sinh", value=math.sinh, unit="number", llvm="sinh", is_delicate=True,
        derivative=Call("cosh", X), inverse=Inverse(formula=_AREA_SINE), written=_written("sinh"),
    ),
    Intrinsic(
        name="cosh", value=math.cosh, unit="number", llvm="cosh", is_delicate=True,
        is_never_negative=True, derivative=Call("sinh", X),
        inverse=Inverse(formula=_AREA_COSINE, is_principal=True), written=_written("cosh"),
    ),
    Intrinsic(
        name="tanh", value=math.tanh, slope=lambda x: 1.0 - math.tanh(x) ** 2, unit="number",
        numpy="tanh", llvm="tanh", derivative=_minus(ONE, _squared(VALUE)),
        inverse=Inverse(formula=_AREA_TANGENT), written=_written("tanh"),
    ),
    Intrinsic(
        name="exp", value=math.exp, slope=math.exp, unit="number", numpy="exp", llvm="exp",
        is_delicate=True, is_never_negative=True, derivative=VALUE,
        inverse=Inverse(formula=Call("log", X)), written=_written("exp"),
    ),
    Intrinsic(
        name="log", value=math.log, slope=lambda x: 1.0 / x, unit="number", numpy="log", llvm="log",
        domain=_POSITIVE, is_delicate=True, has_pole_at_zero=True, divisor=X, classic="ln",
        inverse=Inverse(formula=Call("exp", X)),
        written=_written("log", simnon="ln", desire="ln"),
    ),
    Intrinsic(
        name="log10", value=math.log10, unit="number", llvm="log10", domain=_POSITIVE,
        is_delicate=True, has_pole_at_zero=True, divisor=_times(Real(_LN10), X),
        inverse=Inverse(formula=Binary("^", Real(10.0), X)),
        written=_written("log10", simnon="log", desire="(ln({0})/2.302585092994046)"),
    ),
    Intrinsic(
        name="sqrt", value=math.sqrt, slope=lambda x: 0.5 / math.sqrt(x), unit="root", numpy="sqrt",
        llvm="llvm.sqrt.f64", domain=_NOT_NEGATIVE, is_delicate=True, is_never_negative=True,
        divisor=_times(Real(2.0), VALUE), inverse=Inverse(formula=_squared(X), lowest=0.0),
        written=_written("sqrt"),
    ),
    Intrinsic(
        name="abs", value=abs, slope=lambda x: math.copysign(1.0, x), result="same", unit="same",
        numpy="abs", llvm="llvm.fabs.f64", has_corners=True, is_never_negative=True,
        written=_written("abs", c="fabs", casadi="ca.fabs"),
    ),
    Intrinsic(
        name="sign", value=sign, slope=lambda x: 0.0, result="Integer", unit="number", is_step=True,
        has_corners=True,
        written=_written(
            "sign", fortran="FWSIGN", desire="sgn",
            acsl="RSW({0} .GT. 0.0, 1.0, RSW({0} .LT. 0.0, -1.0, 0.0))",
        ),
    ),
    Intrinsic(
        name="floor", value=lambda x: float(math.floor(x)), numpy="floor", llvm="llvm.floor.f64",
        is_step=True, has_corners=True, makes_events=True,
        written=_written(
            "floor", python="float(floor({0}))", fortran="FWFLR", acsl=_ACSL_FLOOR, simnon="", desire=""
        ),
    ),
    Intrinsic(
        name="integer", value=math.floor, result="Integer", unit="number", numpy="floor",
        llvm="llvm.floor.f64", is_step=True, has_corners=True, makes_events=True,
        written=_written(
            "floor", python="float(floor({0}))", fortran="FWFLR", acsl=_ACSL_FLOOR, simnon="", desire=""
        ),
    ),
    Intrinsic(
        name="ceil", value=lambda x: float(math.ceil(x)), numpy="ceil", llvm="llvm.ceil.f64",
        is_step=True, has_corners=True, makes_events=True,
        written=_written(
            "ceil", python="float(ceil({0}))", fortran="(-FWFLR(-{0}))", simnon="", desire="",
            acsl="(AINT({0}) + RSW({0} .GT. AINT({0}), 1.0, 0.0))",
        ),
    ),
    Intrinsic(
        name="div", value=truncated_quotient, arity=2, called="div(x, y)", result="same", is_step=True,
        has_corners=True, makes_events=True,
        written=_written(
            "div", c="trunc({0}/{1})", python="float(trunc({0}/{1}))", fortran="DINT({0}/{1})",
            acsl="AINT({0}/{1})", simulink="fix({0}/{1})", casadi="ca.trunc({0}/{1})", simnon="",
            desire="",
        ),
    ),
    Intrinsic(
        name="mod", value=modulo, arity=2, called="mod(x, y)", result="same", numpy="mod",
        has_corners=True, makes_events=True,
        written=_written(
            "mod", c="modulo", python="modulo", fortran="({0} - FWFLR({0}/{1})*{1})", acsl="",
            casadi="({0} - ca.floor({0}/{1})*{1})", simnon="", desire="",
        ),
    ),
    Intrinsic(
        name="rem", value=remainder, arity=2, called="rem(x, y)", result="same", has_corners=True,
        makes_events=True,
        written=_written(
            "rem", c="fmod", python="fmod", fortran="MOD", acsl="MOD", casadi="ca.fmod", simnon="",
            desire="",
        ),
    ),
    Intrinsic(
        name="min", value=min, arity=2, called="min(x, y)", result="same", is_reduction=True,
        unit="all", numpy="minimum", has_corners=True,
        written=_written(
            "min", c="fmin", casadi="ca.fmin", desire="({0} - lim({0} - {1}))",
        ),
    ),
    Intrinsic(
        name="max", value=max, arity=2, called="max(x, y)", result="same", is_reduction=True,
        unit="all", numpy="maximum", has_corners=True,
        written=_written(
            "max", c="fmax", casadi="ca.fmax", desire="({1} + lim({0} - {1}))",
        ),
    ),
    Intrinsic(
        name="semiLinear", value=semi_linear, arity=3,
        called="semiLinear(x, positiveSlope, negativeSlope)", has_corners=True,
        written=_written(
            "semiLinear",
            c="({0} >= 0.0 ? {0}*{1} : {0}*{2})",
            python="({0}*({1} if {0} >= 0.0 else {2}))",
            fortran="({0}*(FWNUM({0} .GE. 0.0D0)*{1} + FWNUM({0} .LT. 0.0D0)*{2}))",
            acsl="RSW({0} .GE. 0.0, {0}*{1}, {0}*{2})",
            simulink="({0}*(({0} >= 0)*{1} + ({0} < 0)*{2}))",
            casadi="ca.if_else({0} >= 0, {0}*{1}, {0}*{2})",
            simnon="(if {0} < 0.0 then {0}*{2} else {0}*{1})",
            desire="({0}*{2} + lim({0})*({1} - {2}))",
        ),
    ),
)  # fmt: skip

INTRINSICS: Mapping[str, Intrinsic] = {row.name: row for row in ROWS}


def names_of(holds: Callable[[Intrinsic], object]) -> frozenset[str]:
    """Functions of which something holds."""
    return frozenset(row.name for row in ROWS if holds(row))


def spellings(language: str) -> dict[str, str]:
    """Function -> how a language that we export to writes it."""
    return {row.name: row.written[language] for row in ROWS if language in row.written}
