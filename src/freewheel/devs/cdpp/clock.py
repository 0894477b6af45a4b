"""Times as CD++ writes them: `hh:mm:ss:ms`, and `...` for never.

CD++ counts milliseconds. Ours are floating-point seconds, so a time between two ticks is written
with decimals of the millisecond, as many as give the same number back:

    show_time(3723.5) == "01:02:03:500"
    show_time(0.0015) == "00:00:00:001.5"
"""

from __future__ import annotations

import math
import re
from decimal import Decimal

NEVER = "..."
_TIME = re.compile(r"(\d+):(\d{1,2}):(\d{1,2}):(\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?")


def show_time(seconds: float) -> str:
    if seconds == math.inf:
        return NEVER
    milliseconds = Decimal(repr(float(seconds))) * 1000
    whole, rest = divmod(milliseconds, 1000)
    minutes, second = divmod(int(whole), 60)
    hours, minute = divmod(minutes, 60)
    ticks, part = divmod(rest, 1)
    decimals = format(part.normalize(), "f")[1:] if part else ""
    return f"{hours:02}:{minute:02}:{second:02}:{int(ticks):03}{decimals}"


def read_time(text: str) -> float | None:
    """Seconds; None if the text is no time. A fifth field, of parallel logs, counts microseconds."""
    if text == NEVER:
        return math.inf
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    hours, minutes, seconds, ticks, parts = found.groups()
    total = Decimal(hours) * 3600 + Decimal(minutes) * 60 + Decimal(seconds)
    return float(total + Decimal(ticks) / 1000 + Decimal(parts or 0) / 1_000_000)
