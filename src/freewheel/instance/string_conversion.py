"""The builtin `String`: which type is converted, and how the text is laid out.

    String(m)                                 ->  String(m, "enumeration\\nIdle\\nHeating")
    String(x, significantDigits = 3)          ->  String(x, "Real", 0, true, 3)

The call carries the type of its argument, since memory holds numbers only: see `formula.string_format`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.formula import nodes as f
from freewheel.formula.string_format import FORMAT_HELP, enumeration_kind, is_format
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, STRING, Basic, EnumType, Scalar, Type
from freewheel.formula.types import show as show_type
from freewheel.instance.nodes import CONSTANT, Typed

if TYPE_CHECKING:
    from freewheel.instance.builtins import Arguments

OPTIONS = ("minimumLength", "leftJustified")


def string_conversion(a: Arguments) -> Typed:
    value = a.need(0, "value")
    if value.type.dims:
        raise a.wrong(f"converts scalars, not `{show_type(value.type)}`")
    if isinstance(value.expr, f.Literal) and len(a.args) == 1 and not a.named:
        return Typed(f.String(value.expr.data[2]), Type(STRING), CONSTANT)
    kind = _kind(value.type.scalar)
    if kind is None:
        raise a.wrong(f"cannot convert `{show_type(value.type)}`")
    call = f.Call("String", value.expr, f.String(kind), *_options(a, value.type.scalar))
    return Typed(call, Type(STRING), a.variability())


def _kind(scalar: Scalar) -> str | None:
    if isinstance(scalar, EnumType):
        return enumeration_kind(scalar.literals)
    return scalar.name if scalar in (REAL, INTEGER, BOOLEAN, STRING) else None


def _options(a: Arguments, scalar: Scalar) -> tuple[f.Expr, ...]:
    """A format, or length, side and digits."""
    pattern = a.named.get("format")
    if pattern is None and len(a.args) > 1 and a.args[1].type.scalar == STRING:
        pattern = a.args[1]
    _check_names(a, scalar)
    if pattern is not None:
        if scalar not in (REAL, INTEGER):
            raise a.wrong("a format is for numbers only")
        if isinstance(pattern.expr, f.String) and not is_format(pattern.expr.data):
            raise a.wrong(f"`{pattern.expr.data}` is not a format", FORMAT_HELP)
        return (pattern.expr,)
    if not a.named and len(a.args) == 1:
        return ()
    rest = list(a.args[1:])
    digits = a.named.get("significantDigits")
    if digits is None and scalar == REAL and rest:
        digits = rest.pop(0)
    length = a.named.get("minimumLength") or (rest.pop(0) if rest else None)
    side = a.named.get("leftJustified") or (rest.pop(0) if rest else None)
    return (
        length.expr if length is not None else f.Integer(0),
        side.expr if side is not None else f.TRUE,
        digits.expr if digits is not None else f.Integer(6),
    )


def _check_names(a: Arguments, scalar: Scalar) -> None:
    known: tuple[str, ...] = OPTIONS
    if scalar in (REAL, INTEGER):
        known = (*known, "format")
    if scalar == REAL:
        known = (*known, "significantDigits")
    for name in a.named:
        if name not in known and name != "value":
            kind = scalar.name if isinstance(scalar, Basic) else "enumeration"
            raise a.wrong(f"has no option `{name}` for type {kind}; there are {', '.join(known)}")
