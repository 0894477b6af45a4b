"""The conversion `String(...)`: values to text.

    format_value(12.3456789, minimum_length=10, left_justified=False) == "   12.3457"
    format_with(12.3456789, ".3f") == "12.346"

A call in a formula has positional arguments only: `String(x, minimumLength, leftJustified,
significantDigits)`, trailing ones optional, or `String(x, format)` with a text in second place.
"""

from __future__ import annotations

import re

from freewheel.formula.faults import not_computable
from freewheel.formula.values import EnumValue, Value

_FORMAT = re.compile(r"[-+ #0]*\d*(\.\d*)?[feEgGdioxXuc]")


def string_of(value: Value, *options: Value) -> str:
    """The builtin with evaluated arguments."""
    if options and isinstance(options[0], str):
        return format_with(value, options[0])
    defaults: tuple[Value, ...] = (0, True, 6)
    minimum_length, left_justified, digits = options + defaults[len(options) :]
    if not isinstance(minimum_length, int) or not isinstance(digits, int):
        raise not_computable("the lengths given to `String` must be Integers")
    return format_value(value, minimum_length, bool(left_justified), digits)


def format_value(
    value: Value,
    minimum_length: int = 0,
    left_justified: bool = True,
    significant_digits: int = 6,
) -> str:
    text = _plain(value, significant_digits)
    return text.ljust(minimum_length) if left_justified else text.rjust(minimum_length)


def _plain(value: Value, significant_digits: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | str):
        return str(value)
    if isinstance(value, float):
        return f"{value:.{significant_digits}g}"
    if isinstance(value, EnumValue):
        return value.literal
    raise not_computable("`String` converts only scalars")


def format_with(value: Value, pattern: str) -> str:
    """A single conversion of C's `printf`, without the leading percent sign."""
    if not _FORMAT.fullmatch(pattern):
        raise not_computable(
            f"`{pattern}` is not a format",
            help="use a C conversion without the percent sign, such as `.3f`",
        )
    if not isinstance(value, int | float):
        raise not_computable("a format is for numbers only")
    kind = pattern[-1]
    if kind == "u":
        pattern = pattern[:-1] + "d"
    if kind in "dioxXuc" and isinstance(value, float):
        value = round(value)  # deprecated in the language, allowed as rounding
    try:
        return ("%" + pattern) % value
    except (OverflowError, ValueError) as problem:
        raise not_computable(f"`{value}` cannot be written as `{pattern}`: {problem}") from None
