"""Random networks of R, L, C, diodes and switches as cores; node 0 is ground."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from alone import CoreResult
from linear_core import LinearCore, listed

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.problem import CoreProblem


@dataclass(frozen=True, slots=True)
class Part:
    kind: str  # R L C D S V
    name: str
    a: int
    b: int
    value: float = 0.0
    start: float = 0.0


def network(name: str, parts: list[Part], instants: list[tuple[float, str, bool]]) -> CoreProblem:
    """Kirchhoff's current law at each node but 0, and one equation for each L, D, S and V."""
    nodes = sorted({node for part in parts for node in (part.a, part.b)} - {0})
    inner = [f"s.{p.name}" if p.kind == "D" else f"i.{p.name}" for p in parts if p.kind in "LDSV"]
    unknowns = [*(f"v.{node}" for node in nodes), *inner]
    bits = [p.name for p in parts if p.kind in "DS"]
    core = LinearCore(name, " ".join(unknowns), " ".join(bits), max(1, _count(parts, "V")))
    for node in nodes:
        _current_law(core, node, parts)
    source = 0
    for p in parts:
        across = {f"v.{node}": sign for node, sign in ((p.a, 1.0), (p.b, -1.0)) if node}
        if p.kind == "L":
            core.row(p.name, der={f"i.{p.name}": p.value}, at={k: -v for k, v in across.items()})
            core.start[unknowns.index(f"i.{p.name}")] = p.start
        elif p.kind == "V":
            core.row(p.name, at=across, sources={source: 1.0})
            core.source(source, a=p.value, w=300.0 + 40.0 * source)
            source += 1
        elif p.kind == "D":
            s = f"s.{p.name}"
            core.row(p.name, at={**across, s: -1.0}, on={(p.name, s): 1.0})
            core.element(p.name, s)
        elif p.kind == "S":
            i = f"i.{p.name}"
            on = {(p.name, i): -1.0, **{(p.name, k): v for k, v in across.items()}}
            core.row(p.name, at={i: 1.0}, on=on)
        elif p.kind == "C" and p.b == 0:
            core.start[unknowns.index(f"v.{p.a}")] = p.start
    times = sorted({time for time, _, _ in instants})
    grouped = [
        (time, tuple((bits.index(b), value) for at, b, value in instants if at == time))
        for time in times
    ]
    return core.build(listed(*grouped))


def _count(parts: list[Part], kind: str) -> int:
    return sum(part.kind == kind for part in parts)


def _current_law(core: LinearCore, node: int, parts: list[Part]) -> None:
    der: dict[str, float] = {}
    at: dict[str, float] = {}
    on: dict[tuple[str, str], float] = {}
    for p in parts:
        for here, there, sign in ((p.a, p.b, 1.0), (p.b, p.a, -1.0)):
            if here != node:
                continue
            if p.kind in "RC":
                into, value = (at, 1.0 / p.value) if p.kind == "R" else (der, p.value)
                into[f"v.{node}"] = into.get(f"v.{node}", 0.0) + value
                if there:
                    into[f"v.{there}"] = into.get(f"v.{there}", 0.0) - value
            elif p.kind == "D":
                on[p.name, f"s.{p.name}"] = sign
            else:
                at[f"i.{p.name}"] = sign
    core.row(f"node {node}", der, at, on)


def random_network(seed: int, with_source: bool) -> tuple[CoreProblem, list[Part]]:
    """A tree of random parts and some more across it; a source has a resistor in series, so that
    nothing can short it."""
    dice = random.Random(seed)
    nodes = dice.randint(2, 5)
    parts: list[Part] = []
    if with_source:
        parts.append(Part("V", "V1", nodes + 1, 0, 10.0))
        parts.append(Part("R", "R0", nodes + 1, 1, dice.choice([1.0, 10.0])))
    for k in range(1, nodes + 1):
        kind = dice.choice("RLCDS") if with_source or k > 1 else "C"
        parts.append(_part(dice, kind, len(parts), k, dice.randrange(k)))
    for _ in range(dice.randint(2, 6)):
        a, b = dice.sample(range(nodes + 1), 2)
        parts.append(_part(dice, dice.choice("RLCDDS"), len(parts), a, b))
    instants = [
        (1e-3 * dice.randint(1, 19), part.name, dice.random() < 0.5)
        for part in parts
        if part.kind == "S"
        for _ in range(3)
    ]
    return network(f"random {seed}", parts, instants), parts


def _part(dice: random.Random, kind: str, number: int, a: int, b: int) -> Part:
    values = {"R": [1.0, 10.0, 100.0], "L": [1e-2, 1e-1], "C": [1e-5, 1e-4, 1e-3]}
    value = dice.choice(values.get(kind, [0.0]))
    start = dice.uniform(-5.0, 5.0) if kind == "C" else dice.uniform(-0.5, 0.5)
    return Part(kind, f"{kind}{number}", a, b, value, start)


def stored_energy(parts: list[Part], values: dict[str, Vector]) -> Vector:
    total = np.zeros(len(next(iter(values.values()))))
    for p in parts:
        if p.kind == "C":
            u = (values[f"v.{p.a}"] if p.a else 0.0) - (values[f"v.{p.b}"] if p.b else 0.0)
            total = total + 0.5 * p.value * u**2
        elif p.kind == "L":
            total = total + 0.5 * p.value * values[f"i.{p.name}"] ** 2
    return total


def current_balance(parts: list[Part], result: CoreResult) -> float:
    """Largest sum of the currents into a node without capacitor, relative to the largest current.

    A diode carries s where it conducts; whether it does, its voltage says.
    """
    v = {0: np.zeros(len(result.times))}
    v |= {int(k[2:]): x for k, x in result.values.items() if k.startswith("v.")}
    loose = {node for p in parts if p.kind == "C" for node in (p.a, p.b)}
    total = {node: np.zeros(len(result.times)) for node in v}
    largest = 1e-3
    for p in parts:
        if p.kind == "C":
            continue
        if p.kind == "R":
            current = (v[p.a] - v[p.b]) / p.value
        elif p.kind == "D":
            s = result.values[f"s.{p.name}"]
            current = np.where(np.abs(v[p.a] - v[p.b] - s) > 0.5 * np.abs(s), s, 0.0)
        else:
            current = result.values[f"i.{p.name}"]
        largest = max(largest, float(np.abs(current).max()))
        total[p.a] = total[p.a] + current
        total[p.b] = total[p.b] - current
    kept = [x for node, x in total.items() if node not in loose and node != 0]
    return max((float(np.abs(x).max()) for x in kept), default=0.0) / largest
