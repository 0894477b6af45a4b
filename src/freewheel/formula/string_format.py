"""The conversion `String(...)`: values to text.

    string_of(12.3456789, "Real", 10, False) == "   12.3457"
    string_of(2.0, "enumeration\nIdle\nHeating") == "Heating"
    string_of(12.3456789, "Real", ".3f") == "12.346"

A call in a formula is `String(x, kind)`, `String(x, kind, minimumLength, leftJustified,
significantDigits)` or `String(x, kind, format)`. `kind` is the name of the type of `x`; that of an
enumeration is followed by its literals, one per line. Memory holds numbers only, so `kind` is what tells
`true` from 1, a literal from its number, and 12345678 from 1.23457e+07.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite

from freewheel.formula.faults import not_computable, too_large
from freewheel.formula.values import ArrayValue, EnumValue, FunctionValue, RecordValue, Value

MAX_LENGTH = 100_000  # characters asked for; a line of a report has some hundred
FORMAT_HELP = "use a C conversion without the percent sign, such as `.3f`"
_FORMAT = re.compile(r"[-+ #0]*\d*(\.\d*)?[feEgGdioxXuc]")
_ENUMERATION = "enumeration"
_DEFAULTS: tuple[Value, ...] = (0, True, 6)


def enumeration_kind(literals: Sequence[str]) -> str:
    """An identifier never holds a line break."""
    return "\n".join((_ENUMERATION, *literals))


def is_format(pattern: str) -> bool:
    return _FORMAT.fullmatch(pattern) is not None


def string_of(value: Value, kind: Value, *options: Value) -> str:
    """The builtin with evaluated arguments."""
    assert isinstance(kind, str), kind
    typed = _typed(value, kind)
    if options and isinstance(options[0], str):
        return _format_with(typed, options[0])
    length, is_left, digits = options + _DEFAULTS[len(options) :]
    text = _plain(typed, _length(digits))
    return text.ljust(_length(length)) if is_left else text.rjust(_length(length))


def _typed(value: Value, kind: str) -> Value:
    """A number out of the memory as what it stands for."""
    if isinstance(value, str | ArrayValue | RecordValue | FunctionValue):
        return value
    number = float(value.index if isinstance(value, EnumValue) else value)
    if kind == "Boolean":
        return number != 0.0
    if kind == "Integer" and isfinite(number):
        return int(value)  # type: ignore[arg-type]
    if kind in ("Integer", "Real"):
        return number
    words = kind.split("\n")
    if not 1.0 <= number < len(words):
        raise not_computable(
            f"an enumeration of {len(words) - 1} literals has no number {number:g}"
        )
    return words[int(number)]


def _length(value: Value) -> int:
    if isinstance(value, int | float) and isfinite(value):
        if value > MAX_LENGTH:
            raise too_large(f"a String of {value:.0f} characters")
        return int(value)
    raise not_computable("the lengths given to `String` must be Integers")


def _plain(value: Value, significant_digits: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | str):
        return str(value)
    if isinstance(value, float):
        return f"{value:.{significant_digits}g}"
    raise not_computable("`String` converts only scalars")


def _format_with(value: Value, pattern: str) -> str:
    """A single conversion of C's `printf`, without the leading percent sign."""
    if not is_format(pattern):
        raise not_computable(f"`{pattern}` is not a format", help=FORMAT_HELP)
    if not isinstance(value, int | float):
        raise not_computable("a format is for numbers only")
    for digits in re.findall(r"\d+", pattern):
        _length(float(digits))
    kind = pattern[-1]
    if kind == "u":
        pattern = pattern[:-1] + "d"
    if kind in "dioxXuc" and isinstance(value, float):
        value = round(value)  # deprecated in the language, allowed as rounding
    try:
        return ("%" + pattern) % value
    except (OverflowError, ValueError) as problem:
        raise not_computable(f"`{value}` cannot be written as `{pattern}`: {problem}") from None
