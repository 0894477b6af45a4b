"""Junctions, resistances and two-ports folded away: each slope as a sum of levels.

In: a `Network`. Out: a `Network` of storages and sources only, in which the rows of a storage give
its slope and links go from a level to the slopes that it enters (who influences whom).
"""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.devs.qbg.atomics import Linear, Storage
from freewheel.devs.qbg.network import Network

Sum = Mapping[int, float]  # component -> factor


def folded_network(net: Network) -> Network:
    """Solve the part that takes no time, once and for all."""
    kept = [n for n, each in enumerate(net.models) if not isinstance(each, Linear)]
    renumbered = {number: at for at, number in enumerate(kept)}
    sums = _sums(net)
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


def _sums(net: Network) -> dict[int, Sum]:
    """Every output as a sum over storages and sources; an explicit stack walks back from each."""
    owner = [n for n in range(len(net.models)) for _ in range(*net.first_out[n : n + 2])]
    feeding = {target: out for out, targets in enumerate(net.links) for target in targets}
    found: dict[int, Sum] = {
        out: {n: 1.0} for out, n in enumerate(owner) if not isinstance(net.models[n], Linear)
    }
    for start in range(len(net.rows)):
        path = [start]
        on_path = {start}
        while path:
            out = path[-1]
            needs = [feeding[slot] for slot, _ in net.rows[out] if slot in feeding]
            missing = [need for need in needs if need not in found]
            if out in found or not missing:
                if out not in found:
                    found[out] = _combined(net, out, found, feeding)
                on_path.discard(path.pop())
            elif missing[0] in on_path:
                loop = path[path.index(missing[0]) :]
                raise _algebraic([net.names[owner[each]] for each in loop])
            else:
                path.append(missing[0])
                on_path.add(missing[0])
    return found


def _combined(net: Network, out: int, found: Mapping[int, Sum], feeding: Mapping[int, int]) -> Sum:
    total: dict[int, float] = {}
    for slot, factor in net.rows[out]:
        if slot in feeding:
            for component, inner in found[feeding[slot]].items():
                total[component] = total.get(component, 0.0) + factor * inner
    return total


def _algebraic(names: list[str]) -> CompileError:
    shown = ", ".join(f"`{name}`" for name in dict.fromkeys(names))
    return CompileError(
        Diagnostic(
            "E082",
            f"an algebraic loop: {shown}",
            help="a storage somewhere on the loop breaks it",
        )
    )
