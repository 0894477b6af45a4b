"""Who influences whom: for each state the numbers of the derivatives that depend on it.

der(x) = y, der(y) = -x    ->    x influences derivative 1, y influences derivative 0
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.formula.nodes import Var
from freewheel.program.dependence import Dependence
from freewheel.structure.atoms import der_of

# Beyond this many state-derivative pairs the pattern costs more than it saves here.
MAX_ENTRIES = 2_000_000


def state_sparsity(
    dependence: Dependence, states: Sequence[Var]
) -> tuple[tuple[int, ...], ...] | None:
    """Per state, ascending; None where the pattern is too large to be of use."""
    number = {state: k for k, state in enumerate(states)}
    influences: list[list[int]] = [[] for _ in states]
    reached: dict[int, frozenset[int]] = {}
    total = 0
    for block, used in enumerate(dependence.uses):  # blocks are in order: needs come first
        own = {number[var] for var in used if var in number}
        for other in dependence.edges[block]:
            own |= reached.get(other, frozenset())
        total += len(own)
        if total > MAX_ENTRIES:
            return None
        reached[block] = frozenset(own)
    for row, state in enumerate(states):
        rate = der_of(state)
        if rate in number:
            influences[number[rate]].append(row)
            continue
        for column in reached[dependence.block_of[rate]]:
            influences[column].append(row)
    return tuple(tuple(sorted(rows)) for rows in influences)


def compressed(
    columns: Sequence[Sequence[int]],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(starts of the columns, rows): the pattern by compressed columns."""
    starts = [0]
    for rows in columns:
        starts.append(starts[-1] + len(rows))
    return tuple(starts), tuple(row for rows in columns for row in rows)
