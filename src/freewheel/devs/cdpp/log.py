"""Message logs of CD++, read and written; classic and parallel simulators write different lines.

Mensaje Y / 00:00:01:000 / a(02) / tick / 1.0 para top(01)
0 / L / Y / 00:00:01:000:0 / a(02) / tick / 1.0 / top(01)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.source import Source, Span
from freewheel.devs.cdpp.clock import read_time, show_time
from freewheel.devs.cdpp.event_files import as_value, show_value
from freewheel.devs.cdpp.message_nodes import Message, Party

_CLASSIC = re.compile(r"Mensaje\s+(\S)\s*/\s*(.+?)\s+para\s+(\S+)")
_PARALLEL = re.compile(r"\d+\s*/\s*L\s*/\s*(\S)\s*/\s*(.+)\s*/\s*(\S+)")
_PARTY = re.compile(r"(.+)\((\d+)\)")
WITH_VALUE = ("X", "Y")


def write_log(messages: Iterable[Message], parallel: bool = False) -> str:
    """One line a message."""
    line = _parallel_line if parallel else _classic_line
    return "".join(f"{line(message)}\n" for message in messages)


def _classic_line(message: Message) -> str:
    fields = [show_time(message.time), str(message.source), *_content(message)]
    return f"Mensaje {message.kind} / {' / '.join(fields)} para {message.target}"


def _parallel_line(message: Message) -> str:
    fields = [f"{show_time(message.time)}:0", str(message.source), *_content(message)]
    return f"0 / L / {message.kind} / {' / '.join(fields)} / {message.target}"


def _content(message: Message) -> list[str]:
    if message.kind in WITH_VALUE:
        return [message.port, show_value(message.value)]
    return [show_time(message.next_time)] if message.kind == "D" else []


def read_log(source: Source) -> tuple[Message, ...]:
    """Messages of either kind of log; other lines (headings, blank ones) are passed over."""
    messages: list[Message] = []
    start = 0
    for line in source.text.splitlines(keepends=True):
        text = line.strip()
        found = _CLASSIC.fullmatch(text) or _PARALLEL.fullmatch(text)
        span = Span(source, start, start + len(line.rstrip()))
        if found is not None:
            messages.append(_message(found[1], found[2], found[3], span))
        elif text.startswith("Mensaje") or re.match(r"\d+\s*/\s*L\s*/", text):
            raise _malformed(span)
        start += len(line)
    return tuple(messages)


def _message(kind: str, middle: str, target: str, span: Span) -> Message:
    time_text, source, *content = (word.strip() for word in middle.split(" / "))
    time, receiver = read_time(time_text), _PARTY.fullmatch(target)
    sender = _PARTY.fullmatch(source)
    expected = 2 if kind in WITH_VALUE else 1 if kind == "D" else 0
    if time is None or sender is None or receiver is None or len(content) != expected:
        raise _malformed(span)
    parties = Party(sender[1], int(sender[2])), Party(receiver[1], int(receiver[2]))
    if kind in WITH_VALUE:
        return Message(kind, time, *parties, content[0], as_value(content[1]))
    if kind == "D":
        next_time = read_time(content[0].removesuffix(":0") if ".." in content[0] else content[0])
        if next_time is None:
            raise _malformed(span)
        return Message(kind, time, *parties, next_time=next_time)
    return Message(kind, time, *parties, next_time=math.inf)


def _malformed(span: Span) -> CompileError:
    return error(
        "S038", "this line is no message of a log", span,
        help="for example `Mensaje Y / 00:00:01:000 / a(02) / port / 1.0 para top(01)`",
    )  # fmt: skip
