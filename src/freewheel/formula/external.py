"""External C functions by name: our own Python code for what libraries expect.

    EXTERNALS["ModelicaStrings_length"]("abc") == 3

An implementation gets the input arguments in the order of the external call and returns the result
first, then the output arguments in their order (a tuple where there are several). No C is compiled.
Positions in strings count from one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from freewheel.formula.external_matrix import MATRICES
from freewheel.formula.external_random import RANDOM
from freewheel.formula.external_system import SYSTEM
from freewheel.formula.external_tables import TABLES
from freewheel.formula.values import EnumValue

_COMPARE = ("Modelica", "Utilities", "Types", "Compare")
_BLANK = re.compile(r"\s*")
_REAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_INTEGER = re.compile(r"[+-]?\d+(?![.eE\d])")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z]\w*", re.ASCII)


def skip_white_space(text: str, start: int) -> int:
    found = _BLANK.match(text, start - 1)
    assert found is not None, "the pattern also matches an empty text"
    return found.end() + 1


def _scan(pattern: re.Pattern[str], text: str, start: int) -> re.Match[str] | None:
    """A match after leading blanks; nothing found leaves the position where it was."""
    return pattern.match(text, skip_white_space(text, start) - 1)


def scan_real(text: str, start: int, unsigned: bool) -> tuple[int, float]:
    found = _scan(_REAL, text, start)
    if found is None or (unsigned and found[0][0] in "+-"):
        return start, 0.0
    return found.end() + 1, float(found[0])


def scan_integer(text: str, start: int, unsigned: bool) -> tuple[int, int]:
    found = _scan(_INTEGER, text, start)
    if found is None or (unsigned and found[0][0] in "+-"):
        return start, 0
    return found.end() + 1, int(found[0])


def scan_string(text: str, start: int) -> tuple[int, str]:
    found = _scan(_STRING, text, start)
    return (start, "") if found is None else (found.end() + 1, found[1])


def scan_identifier(text: str, start: int) -> tuple[int, str]:
    found = _scan(_IDENTIFIER, text, start)
    return (start, "") if found is None else (found.end() + 1, found[0])


def substring(text: str, start: int, end: int) -> str:
    """Positions outside the text are moved to its ends."""
    first = max(start, 1)
    return text[first - 1 : max(end, first)] if first <= len(text) else ""


def compare(first: str, second: str, case_sensitive: bool) -> EnumValue:
    if not case_sensitive:
        first, second = first.lower(), second.lower()
    if first == second:
        return EnumValue(_COMPARE, 2, "Equal")
    return EnumValue(_COMPARE, 1, "Less") if first < second else EnumValue(_COMPARE, 3, "Greater")


def hash_string(text: str) -> int:
    """The AP hash function of Arash Partow, as a signed 32 bit number."""
    mask = 0xFFFFFFFF
    code = 0xAAAAAAAA
    for i, byte in enumerate(text.encode()):
        if i % 2 == 0:
            code ^= ((code << 7) & mask) ^ (byte * (code >> 3) & mask)
        else:
            code ^= ~(((code << 11) & mask) + (byte ^ (code >> 5))) & mask
    return code - 2**32 if code >= 2**31 else code


EXTERNALS: dict[str, Callable[..., Any]] = {
    "ModelicaStrings_length": len,
    "ModelicaStrings_substring": substring,
    "ModelicaStrings_compare": compare,
    "ModelicaStrings_skipWhiteSpace": skip_white_space,
    "ModelicaStrings_scanReal": scan_real,
    "ModelicaStrings_scanInteger": scan_integer,
    "ModelicaStrings_scanString": scan_string,
    "ModelicaStrings_scanIdentifier": scan_identifier,
    "ModelicaStrings_hashString": hash_string,
    **TABLES,
    **MATRICES,
    **RANDOM,
    **SYSTEM,
}
