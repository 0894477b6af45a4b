"""Junctions, resistances and two-ports folded away: each slope as a sum of levels.

In: a `Network`. Out: a `Network` of storages and sources only, in which the rows of a storage give
its slope and links go from a level to the slopes that it enters (who influences whom). Resistances
that tell each other form an algebraic loop; its equations are solved together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.devs.qbg.atomics import Linear, Storage
from freewheel.devs.qbg.network import Network
from freewheel.graphs.components import components

Sum = Mapping[int, float]  # component -> factor
Terms = Sequence[tuple[int, float]]  # output, factor
MOST_CONDITION = 1e12  # of a loop: four digits are left
SMALL = 1e-15  # of the largest factor of a loop: less is rounding


def folded_network(net: Network) -> Network:
    """Solve the part that takes no time, once and for all."""
    kept = [n for n, each in enumerate(net.models) if not isinstance(each, Linear)]
    renumbered = {number: at for at, number in enumerate(kept)}
    sums = output_sums(net)
    rows: list[tuple[tuple[int, float], ...]] = []
    links: list[list[int]] = [[] for _ in kept]
    feeding = {target: out for out, targets in enumerate(net.links) for target in targets}
    inlet = {owner: slot for slot, owner in enumerate(net.owners)}  # a storage has one
    for number in kept:
        each = net.models[number]
        is_fed = isinstance(each, Storage) and inlet[number] in feeding
        total = sums[feeding[inlet[number]]] if is_fed else {}
        gain = each.gain if isinstance(each, Storage) else 0.0
        row = tuple((renumbered[k], gain * f) for k, f in sorted(total.items()) if f != 0.0)
        rows.append(row)
        for source, _ in row:
            links[source].append(renumbered[number])
    return Network(
        names=tuple(net.names[n] for n in kept),
        models=tuple(net.models[n] for n in kept),
        first_out=tuple(range(len(kept) + 1)),
        owners=(),
        links=tuple(tuple(targets) for targets in links),
        rows=tuple(rows),
        outlets=tuple(net.names[n] for n in kept),
        ends=tuple(net.ends[net.first_out[n]] for n in kept),
        watched=(True,) * len(kept),
    )


def output_sums(net: Network) -> dict[int, Sum]:
    """Every output as a sum over storages and sources; algebraic loops are solved."""
    owner = [n for n in range(len(net.models)) for _ in range(*net.first_out[n : n + 2])]
    feeding = {target: out for out, targets in enumerate(net.links) for target in targets}
    terms = [
        [(feeding[slot], factor) for slot, factor in row if slot in feeding] for row in net.rows
    ]
    found: dict[int, Sum] = {
        out: {n: 1.0} for out, n in enumerate(owner) if not isinstance(net.models[n], Linear)
    }
    for block in components([[need for need, _ in row] for row in terms]):
        if block[0] in found:
            continue
        is_loop = len(block) > 1 or any(need == block[0] for need, _ in terms[block[0]])
        if is_loop:
            names = [net.names[owner[out]] for out in block]
            found.update(_solved(block, terms, found, names))
        else:
            found[block[0]] = _combined(terms[block[0]], found)
    return found


def has_loops(net: Network) -> bool:
    """Is there an output that needs itself?"""
    feeding = {target: out for out, targets in enumerate(net.links) for target in targets}
    needs = [[feeding[slot] for slot, _ in row if slot in feeding] for row in net.rows]
    return any(len(block) > 1 or block[0] in needs[block[0]] for block in components(needs))


def _combined(terms: Terms, found: Mapping[int, Sum]) -> Sum:
    total: dict[int, float] = {}
    for out, factor in terms:
        for component, inner in found[out].items():
            total[component] = total.get(component, 0.0) + factor * inner
    return total


def _solved(
    block: Sequence[int], terms: Sequence[Terms], found: Mapping[int, Sum], names: list[str]
) -> dict[int, Sum]:
    """y = M y + what comes from outside of the loop."""
    place = {out: k for k, out in enumerate(block)}
    matrix = np.eye(len(block))
    outside: list[Sum] = []
    for k, out in enumerate(block):
        for need, factor in terms[out]:
            if need in place:
                matrix[k, place[need]] -= factor
        outside.append(_combined([t for t in terms[out] if t[0] not in place], found))
    sources = list({source: None for each in outside for source in each})
    right = np.array([[each.get(source, 0.0) for source in sources] for each in outside])
    if np.linalg.cond(matrix) > MOST_CONDITION:
        raise _algebraic(names)
    values = np.linalg.solve(matrix, right.reshape(len(block), len(sources)))
    small = SMALL * np.abs(values).max(initial=0.0)
    return {
        out: {s: float(v) for s, v in zip(sources, values[k], strict=True) if abs(v) > small}
        for k, out in enumerate(block)
    }


def _algebraic(names: list[str]) -> CompileError:
    shown = ", ".join(f"`{name}`" for name in sorted(set(names)))
    return CompileError(
        Diagnostic(
            "E082",
            f"an algebraic loop that has no solution: {shown}",
            help="a storage somewhere on the loop breaks it",
        )
    )
