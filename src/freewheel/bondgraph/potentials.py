"""The unit of potentials in which an element has numbers near one: a picofarad is no zero.

    i = 1e-12 * s * v      ->      i = s * v'    with  v = 1e12 * v'

In: rows over flows and potentials of connectors. Out: the same rows with potentials in another
unit, and what is learnt from them in the unit of the model.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from freewheel.bondgraph.domains import NODE_KIND
from freewheel.bondgraph.laws import Learnt, Row
from freewheel.bondgraph.nodes import Domain, Kind, Signal

NOISE = 1e-15  # of the largest number in a row: less is rounding


def balance(systems: Sequence[Sequence[Row]]) -> float:
    """The unit, a power of two, with which potentials and flows of one row have factors of one size:
    the geometric mean over rows that have both."""
    powers: list[float] = []
    for rows in systems:
        for numbers, _ in rows:
            size = NOISE * max(map(abs, numbers), default=0.0)
            flows, potentials = (max(map(abs, numbers[k::2]), default=0.0) for k in (0, 1))
            if flows > size and potentials > size:
                powers.append(math.log2(flows / potentials))
    return 2.0 ** round(sum(powers) / len(powers)) if powers else 1.0


def in_scale(row: Row, scale: float) -> Row:
    """Every second number belongs to a potential; the largest becomes about one."""
    numbers, given = row
    scaled = [n * scale if k % 2 else n for k, n in enumerate(numbers)]
    size = max(map(abs, scaled), default=0.0) or 1.0
    return [n / size for n in scaled], None if given is None else given / size


def out_of_scale(found: Learnt, scale: float, domains: Sequence[Domain]) -> Learnt:
    """Numbers of the element in the unit of the model."""
    is_effort = [NODE_KIND[d] is Kind.ZERO for d in domains]  # whether potentials are efforts
    second = found.ports[0] if found.ports else 0
    first_effort, other_effort = float(is_effort[0]), float(is_effort[second])
    powers = {  # of the unit, in the number of an element
        Kind.R: 2.0 * first_effort - 1.0,
        Kind.I: 2.0 * first_effort - 1.0,
        Kind.C: 1.0 - 2.0 * first_effort,
        Kind.TF: first_effort - other_effort,
        Kind.GY: first_effort - (1.0 - other_effort),
    }
    factor = scale ** powers.get(found.kind, 0.0)
    numbers = tuple(
        (name, value if name == "start" else value * factor) for name, value in found.parameters
    )
    return replace(found, parameters=numbers, signal=_signal(found, scale, is_effort[0]))


def _signal(found: Learnt, scale: float, is_effort: bool) -> Signal | None:
    """Of a source that gives a potential."""
    if found.signal is None or (found.kind is Kind.SE) != is_effort:
        return found.signal
    return Signal("Constant", tuple((key, value * scale) for key, value in found.signal.parameters))
