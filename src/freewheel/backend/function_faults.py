"""What went wrong inside a function of the model, in words of the model.

    index 3 is out of bounds for axis 0 with size 3    ->    subscript 4 is outside 1:3 in dimension 1 of `T`

In: the failure of the reference (backend/reference.py) with its traceback, and the functions by the names
they have in the text of the reference. Out: code, words, cure and the statement, or None where it is no such
failure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType

from freewheel.base.names import ClassName, show
from freewheel.base.source import NOWHERE, Span
from freewheel.formula.python_function import MARK, local_code, spans_of
from freewheel.formula.statement_nodes import Function

_OUTSIDE = re.compile(r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)")
_UNSET = re.compile(r"variable '(\w+)'")
SAY_SUBSCRIPT = (
    "keep the subscript inside, as `min(k, size(x, 1))`, or ask first:"
    " `if k <= size(x, 1) then x[k] else ..`"
)


@dataclass(frozen=True, slots=True)
class Fault:
    code: str
    what: str
    cure: str
    span: Span  # of the statement


@dataclass(frozen=True, slots=True)
class Place:
    """A function while it ran."""

    function: Function
    values: Mapping[str, object]  # of its locals
    span: Span
    is_left: bool  # its outputs are handed back


def fault_of(
    problem: BaseException | None, file: str, lines: list[str], functions: Mapping[str, Function]
) -> Fault | None:
    if not isinstance(problem, IndexError | NameError | ValueError):
        return None
    place, inner = _innermost(problem.__traceback__, file, lines, functions)
    if place is None:
        return None
    tell: Callable[[str, Place, Mapping[str, object]], Fault | None] = _sizes
    if isinstance(problem, IndexError):
        tell = _outside
    elif isinstance(problem, NameError):
        tell = _unset
    return tell(str(problem), place, inner)


def _innermost(
    trace: TracebackType | None, file: str, lines: list[str], functions: Mapping[str, Function]
) -> tuple[Place | None, Mapping[str, object]]:
    """The last function of the model, and what is known where an element was asked for."""
    place, inner = None, dict[str, object]()
    while trace is not None:
        frame = trace.tb_frame
        if "subscripts" in frame.f_locals:  # `item` or `put` (formula/python_runtime.py)
            inner = frame.f_locals
        function = functions.get(frame.f_code.co_name)
        if frame.f_code.co_filename == file and function is not None:
            line = lines[trace.tb_lineno - 1]
            is_left = line.strip().startswith("return (")
            place = Place(function, frame.f_locals, _span(function, line), is_left)
        trace = trace.tb_next
    return place, inner


def _span(function: Function, line: str) -> Span:
    mark = MARK.search(line)
    return NOWHERE if mark is None else spans_of(function.body)[int(mark[1])]


def _outside(text: str, place: Place, inner: Mapping[str, object]) -> Fault | None:
    found = _OUTSIDE.search(text)
    if found is None:
        return None
    number, axis, size = int(found[1]) + 1, int(found[2]) + 1, int(found[3])
    base = inner.get("base")
    named = [
        v.name for v in place.function.variables if place.values.get(local_code(v.name)) is base
    ]
    of_whom = f" of `{named[0]}`" if named and base is not None else ""
    what = f"subscript {number} is outside 1:{size} in dimension {axis}{of_whom}"
    return Fault("R174", f"{what} in `{_name(place)}`", SAY_SUBSCRIPT, place.span)


def _unset(text: str, place: Place, inner: Mapping[str, object]) -> Fault | None:
    found = _UNSET.search(text)
    unset = [v for v in place.function.variables if found and local_code(v.name) == found[1]]
    if not unset:
        return None
    name, span = unset[0].name, place.span
    what = f"`{name}` of `{_name(place)}` is used before it has a value"
    if place.is_left:
        what = f"the output `{name}` of `{_name(place)}` has no value at the end"
        span = place.function.span if span is NOWHERE else span
    cure = f"assign `{name}` in every branch, or give it a value where it is declared"
    return Fault("R122", what, cure, span)


def _sizes(text: str, place: Place, inner: Mapping[str, object]) -> Fault | None:
    if not any(word in text for word in ("broadcast", "mismatch", "shape")):
        return None
    what = f"the sizes of arrays do not fit together in `{_name(place)}`"
    return Fault("R122", what, "check the sizes of the arguments", place.span)


def _name(place: Place) -> str:
    name: ClassName = place.function.name
    return show(name)
