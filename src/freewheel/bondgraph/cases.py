"""Which positions of valves to try, and the fewest valves of a position that do what it does.

    whole_positions({"a": (False, True), "b": (True,)}, ...)      a closed and b open, a closed, ...

A position binds more than every part of it: what a part leaves without a state, the whole does too. So what
three or more valves do only together is found at whole positions, and one valve after the other is let
go as long as nothing changes (a minimal set; there may be others).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

Case = tuple[tuple[str, bool], ...]  # valves, and whether each is open

MOST_IN_PAIRS = 16  # valves; with more only single positions and whole ones are tried
MOST_POSITIONS = 1000  # whole ones
MOST_WORK = 400_000  # bonds looked at for whole positions: a few seconds


def small_cases(choices: Mapping[str, Sequence[bool]]) -> list[Case]:
    """Every valve by itself, then every two."""
    single: list[Case] = [((n, is_open),) for n, options in choices.items() for is_open in options]
    if len(choices) > MOST_IN_PAIRS:
        return single
    pairs = [(one, other) for (one,), (other,) in combinations(single, 2) if one[0] != other[0]]
    return [*single, *pairs]


def whole_positions(
    choices: Mapping[str, Sequence[bool]], is_barred: Callable[[Case], bool], bonds: int = 1
) -> Iterator[Case]:
    """All closed, all open, then all others that hold nothing barred, up to a limit: fewer in large graphs.

    A valve with one choice only has a loss in its other position and is left out there.
    """
    names = list(choices)
    for is_open in (False, True):
        yield tuple((name, is_open) for name in names if is_open in choices[name])
    most = min(MOST_POSITIONS, MOST_WORK // max(bonds, 1))
    count = 0
    waiting: list[tuple[int, Case]] = [(0, ())]
    while waiting and count < most:
        at, case = waiting.pop()
        if is_barred(case):
            continue
        if at == len(names):
            count += 1
            yield case
            continue
        options = choices[names[at]]
        if len(options) < 2:
            waiting.append((at + 1, case))
        waiting += [(at + 1, (*case, (names[at], is_open))) for is_open in reversed(options)]


def shrunk(case: Case, holds: Callable[[Case], bool]) -> Case:
    """What is left of a case when each valve without which it still holds is let go."""
    for valve in case:
        fewer = tuple(other for other in case if other != valve)
        if holds(fewer):
            case = fewer
    return case
