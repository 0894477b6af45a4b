"""How often evaluating constants has asked the world outside: files, environment, clock.

before = times_asked()
...
times_asked() == before           # only then the result is the same tomorrow
"""

from __future__ import annotations

PURE = "ModelicaStrings_"  # external functions that only look at their arguments
_times = [0]


def note_call(name: str) -> None:
    """An external function is evaluated while a model is translated."""
    if not name.startswith(PURE):
        _times[0] += 1


def times_asked() -> int:
    return _times[0]
