"""Inputs given as Python data: arrays, functions and frames become signals, the rest stays text.

    split({"u": "sin(time)", "v": ([0, 1], [5, 7]), "w": lambda t: t**2})
    -> ({"u": "sin(time)"}, {"v": Table(...), "w": Smooth(...)})

Data of a signal are a pair (times, values), an array with a row for each time (time first), or a pandas
Series with times as index. Several columns of values drive the elements of an array `u[1], u[2], ...`.
A pandas frame has a column for each input, and times in its index or in a column `time`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from freewheel.api import arguments
from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.runtime.inputs import InputSignal, Table, expression

Value = float | str
Numbers = Any  # an array of float64


def split(inputs: Any, is_held: bool) -> tuple[dict[str, Value], dict[str, InputSignal]]:
    """Expressions of time, and signals by data."""
    if _is_frame(inputs):
        return {}, _of_frame(inputs, is_held)
    texts: dict[str, Value] = {}
    signals: dict[str, InputSignal] = {}
    for name, value in arguments.mapping("inputs", inputs).items():
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, bool | int | float | str):
            texts[name] = value
        elif callable(value):
            signals[name] = expression(_checked(name, value))
        else:
            signals |= _of_data(name, value, is_held)
    return texts, signals


def _is_frame(value: Any) -> bool:
    """A pandas frame, asked without importing pandas."""
    return hasattr(value, "columns") and hasattr(value, "index")


def _of_frame(frame: Any, is_held: bool) -> dict[str, InputSignal]:
    has_times = "time" in frame.columns
    times = frame["time"] if has_times else frame.index
    names = [name for name in frame.columns if name != "time"]
    signals: dict[str, InputSignal] = {}
    for name in names:
        signals |= _tables(str(name), times, np.asarray(frame[name]), is_held)
    return signals


def _of_data(name: str, value: Any, is_held: bool) -> dict[str, InputSignal]:
    if hasattr(value, "index") and hasattr(value, "to_numpy"):  # a pandas Series
        return _tables(name, value.index, value.to_numpy(), is_held)
    if isinstance(value, tuple) and len(value) == 2 and all(map(_is_sequence, value)):
        return _tables(name, value[0], value[1], is_held)
    rows = _numbers(name, value)
    if rows.ndim != 2 or rows.shape[1] < 2:
        raise _wrong(name, f"an array of shape {rows.shape} does not hold times and values")
    return _tables(name, rows[:, 0], rows[:, 1:], is_held)


def _is_sequence(value: Any) -> bool:
    return isinstance(value, list | tuple | np.ndarray) or hasattr(value, "to_numpy")


def _tables(name: str, times: Any, values: Any, is_held: bool) -> dict[str, InputSignal]:
    t, y = _numbers(name, times), _numbers(name, values)
    if t.ndim != 1 or len(t) != len(y) or not len(t):
        raise _wrong(name, f"{len(t)} times and {len(y)} values: the numbers must be equal")
    if (np.diff(t) < 0.0).any():
        raise _wrong(name, "the times decrease")
    columns = y.reshape(len(y), -1)
    if columns.shape[1] == 1:
        return {name: _table(t, columns[:, 0], is_held)}
    return {f"{name}[{k + 1}]": _table(t, column, is_held) for k, column in enumerate(columns.T)}


def _table(times: Numbers, values: Numbers, is_held: bool) -> Table:
    return Table(tuple(times.tolist()), tuple(values.tolist()), is_held)


def _numbers(name: str, values: Any) -> Numbers:
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        kind = type(values).__name__
        raise TypeError(
            f"input `{name}` must be a number, a text, a function of time, a pair (times, values) or an "
            f"array with a row for each time, not {kind}"
        ) from None
    if found.ndim == 0:
        raise TypeError(f"input `{name}` cannot be {values!r}")
    if not np.isfinite(found).all():
        raise _wrong(name, "a time or value is not a finite number")
    return found


def _checked(name: str, function: Callable[[float], Any]) -> Callable[[float], float]:
    """What a function gives must be a number; that is seen when it is first called."""

    def value(t: float) -> float:
        found = function(t)
        try:
            return float(found)
        except (TypeError, ValueError):
            raise TypeError(
                f"the function of input `{name}` gave {found!r} at time {t:g}, not a number"
            ) from None

    return value


def _wrong(name: str, what: str) -> UsageError:
    return UsageError(
        Diagnostic(
            "U126",
            f"the data of input `{name}` cannot be used: {what}",
            help="give a pair (times, values) of equal length, or an array with columns time, value",
        )
    )


def merged(
    first: Mapping[str, InputSignal], second: Mapping[str, InputSignal]
) -> dict[str, InputSignal]:
    """Signals of a file and of data; none is given twice."""
    for name in second:
        if name in first:
            raise UsageError(
                Diagnostic("U006", f"input `{name}` is given twice", help="keep one of them")
            )
    return {**first, **second}
