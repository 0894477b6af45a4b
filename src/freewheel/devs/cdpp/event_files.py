"""`.ev` and `.out` files: one event a line, `hh:mm:ss:ms port value`.

write_events([(1.5, "out", 2.0)]) == "00:00:01:500 out 2.0\n"
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from freewheel.base.diagnostics import error
from freewheel.base.source import Source, Span
from freewheel.devs.cdpp.clock import read_time, show_time
from freewheel.devs.nodes import TimedEvent
from freewheel.devs.polynomial import Polynomial


def read_events(source: Source) -> tuple[TimedEvent, ...]:
    """Events in the order of the file; ports in lower case, values as numbers."""
    events: list[TimedEvent] = []
    start = 0
    for line in source.text.splitlines(keepends=True):
        words = line.partition("%")[0].split()
        if words:
            events.append(_event(words, Span(source, start, start + len(line.rstrip()))))
        start += len(line)
    return tuple(events)


def _event(words: list[str], span: Span) -> TimedEvent:
    time = read_time(words[0])
    if len(words) != 3 or time is None:
        raise error(
            "S037", "this line is not of the form `time port value`", span,
            help="for example `00:00:01:500 in 2.5`",
        )  # fmt: skip
    value = as_value(words[2])
    if isinstance(value, str):
        raise error("S037", f"`{value}` is no number", span)
    return time, words[1].lower(), value


def write_events(events: Iterable[TimedEvent]) -> str:
    return "".join(f"{show_time(time)} {port} {show_value(v)}\n" for time, port, v in events)


def as_value(text: str) -> float | Polynomial | str:
    """A number, `2.0;0.5` a polynomial, anything else a text."""
    try:
        numbers = [float(word) for word in text.split(";")]
    except ValueError:
        return text
    return Polynomial(*numbers) if len(numbers) > 1 else numbers[0]


def show_value(value: Any) -> str:
    return repr(value) if isinstance(value, float | int) else str(value).replace(" ", "_")
