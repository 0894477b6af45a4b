"""Whether every jump of a network is that of a backward Euler step of next to no length, see `moreau`.

    wrong_jumps(circuit, times, curve)      []  or  ["C4 is 2.3 after 0.004, not 2.5"]

Events without an impulse are judged as well: there the step leaves all storages as they are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from moreau import jump
from numpy.typing import NDArray
from random_circuits import Circuit, Element

Curve = NDArray[np.float64]
SAME = 1e-9  # of the largest of its kind


def wrong_jumps(circuit: Circuit, times: Curve, curve: Callable[[str], Curve]) -> list[str]:
    storages = [*circuit.of("C"), *circuit.of("L")]
    if not storages:
        return []
    curves = {e.name: curve(f"{e.name}.{'v' if e.kind == 'C' else 'i'}") for e in storages}
    begun = starts(circuit)
    sizes = {
        kind: max(max(np.abs(curves[e.name]).max(), abs(begun[e.name])) for e in circuit.of(kind))
        for kind in {e.kind for e in storages}
    }
    found = []
    for at in sorted({0.0, *times[1:][np.diff(times) == 0.0].tolist()}):
        same = np.flatnonzero(times == at)  # at an event a time stands twice
        first, last = same[0], same[-1]
        before = begun if at == 0.0 else {name: float(x[first]) for name, x in curves.items()}
        closed = {e.name for e in circuit.of("S") if curve(f"{e.name}.control")[last] > 0.5}
        after = jump(circuit.elements, before, closed, _sources(circuit, at))
        for element in storages:
            right, ours = after[element.name], float(curves[element.name][last])
            if abs(right - ours) > SAME * max(sizes[element.kind], 1e-6):
                found.append(f"{element.name} is {ours!r} after {at:.9g}, not {right!r}")
    return found


def _sources(circuit: Circuit, t: float) -> dict[str, float]:
    sources = (*circuit.of("V"), *circuit.of("I"))
    return {e.name: float(e.value * np.sin(100 * np.pi * t + (e.start or 0.0))) for e in sources}


def starts(circuit: Circuit) -> dict[str, float]:
    """What each storage starts with: capacitors in loops of their own, and inductors of which every
    current is that of others, follow from the rest."""
    sources = _sources(circuit, 0.0)
    found = {e.name: e.start for k in "CL" for e in circuit.of(k) if e.start is not None}
    nodes = range(circuit.node_count)
    across = [e for e in (*circuit.of("C"), *circuit.of("V")) if e.name in {**found, **sources}]
    potentials = _solved(
        [_ends(e, nodes) for e in across], [{**found, **sources}[e.name] for e in across]
    )
    part = list(nodes)
    for element in circuit.elements:
        if element.kind not in "LI":
            one, other = sorted(part[node] for node in element.nodes)
            part = [one if p == other else p for p in part]
    given = {e: {**found, **sources}.get(e.name) for e in (*circuit.of("L"), *circuit.of("I"))}
    into = sum(
        (-x * _ends(e, part) for e, x in given.items() if x is not None), np.zeros(len(part))
    )
    others = [e for e, x in given.items() if x is None]
    currents = _solved(np.transpose([_ends(e, part) for e in others]), into) if others else []
    found |= {e.name: float(x) for e, x in zip(others, currents, strict=True)}
    for element in circuit.of("C"):
        found.setdefault(element.name, float(_ends(element, nodes) @ potentials))
    return found


def _ends(element: Element, part: list[int] | range) -> Curve:
    ends = np.zeros(len(part))
    for node, sign in zip(element.nodes, (1.0, -1.0), strict=True):
        ends[part[node]] += sign
    return ends


def _solved(matrix: object, right: object) -> Curve:
    rows = np.asarray(matrix, float)
    return (
        np.linalg.lstsq(rows, np.asarray(right, float), rcond=None)[0] if rows.size else np.zeros(0)
    )
