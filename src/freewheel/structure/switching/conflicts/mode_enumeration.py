"""All positions that the switches of a model can have together, where these are few.

    if time < 1 then .. elseif time < 2 then ..;   k = if time >= 1 and time < 2 then 1 else 0
        three positions: definitions exclude the others

Curves are left open: they choose their branches themselves, and each can have any.
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.structure.switching.conflicts.possible_modes import Possible
from freewheel.structure.switching.nodes import Element, Kind

MOST = 16  # positions that are all tried

Position = dict[int, bool]  # bits that are decided, and how


def positions(elements: Sequence[Element], possible: Possible) -> list[Position]:
    """Each decides all bits of switches and of other conditions; none where there are too many."""
    found: list[Position] = [{}]
    for element in elements:
        if element.kind not in (Kind.SWITCH, Kind.CHOICE):
            continue
        for choice in element.choices:
            found = [
                {**decided, **dict(case)}
                for decided in found
                for case in choice.cases
                if all(decided.get(bit, value) == value for bit, value in case)
                and possible.allows(decided, case)
            ]
            if len(found) > MOST:
                return []
    return [] if found == [{}] else found
