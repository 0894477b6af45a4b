"""Random linear circuits as Modelica text, solvable ones only by luck: the caller looks.

circuit(random.Random(7)).modelica()
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

ANALOG = "Modelica.Electrical.Analog"
ONE_PORTS = {
    "R": ("Basic.Resistor", "R"),
    "G": ("Basic.Conductor", "G"),
    "C": ("Basic.Capacitor", "C"),
    "L": ("Basic.Inductor", "L"),
    "V": ("Sources.SineVoltage", "V"),
    "I": ("Sources.SineCurrent", "I"),
}
TWO_PORTS = {"T": ("Ideal.IdealTransformer", "n"), "Y": ("Ideal.IdealGyrator", "G")}
WEIGHTS = {"R": 5, "G": 2, "C": 4, "L": 4, "V": 2, "I": 2, "T": 1, "Y": 1}


@dataclass(frozen=True)
class Part:
    name: str
    kind: str
    value: float
    nodes: tuple[int, ...]  # of p, n or p1, n1, p2, n2

    @property
    def pins(self) -> tuple[str, ...]:
        return ("p", "n") if len(self.nodes) == 2 else ("p1", "n1", "p2", "n2")

    def declaration(self) -> str:
        path, parameter = (ONE_PORTS | TWO_PORTS)[self.kind]
        more = ", f=0.4" if self.kind in "VI" else ""
        return f"  {ANALOG}.{path} {self.name}({parameter}={self.value}{more});"


@dataclass(frozen=True)
class Circuit:
    name: str
    parts: tuple[Part, ...]
    order: int = 0  # seed of the order of connections
    has_ground: bool = True

    def shuffled(self, order: int) -> Circuit:
        """The same nets, tied otherwise."""
        return replace(self, order=order)

    def named(self, name: str) -> Circuit:
        return replace(self, name=name)

    def with_ratio(self, ratio: float) -> Circuit:
        """All transformers with this ratio."""
        parts = [replace(p, value=ratio) if p.kind == "T" else p for p in self.parts]
        return replace(self, parts=tuple(parts))

    @property
    def has_transformer(self) -> bool:
        return any(part.kind == "T" for part in self.parts)

    def modelica(self) -> str:
        lines = [f"model {self.name}"]
        lines += [part.declaration() for part in self.parts]
        if self.has_ground:
            lines.append(f"  {ANALOG}.Basic.Ground ground;")
        lines += ["equation", *self._connections(), f"end {self.name};"]
        return "\n".join(lines) + "\n"

    def _connections(self) -> list[str]:
        """Each node is tied together as a chain, a star or anything between."""
        dice = random.Random(self.order)
        pins: dict[int, list[str]] = {}
        for part in self.parts:
            for pin, node in zip(part.pins, part.nodes, strict=True):
                pins.setdefault(node, []).append(f"{part.name}.{pin}")
        if self.has_ground:
            pins.setdefault(0, []).append("ground.p")
        lines = []
        for members in pins.values():
            dice.shuffle(members)
            for k in range(1, len(members)):
                ends = [members[k], members[dice.randrange(k)]]
                dice.shuffle(ends)
                lines.append(f"  connect({ends[0]}, {ends[1]});")
        dice.shuffle(lines)
        return lines


def circuit(dice: random.Random) -> Circuit:
    """Some nodes hang together by resistors; anything may lie between them."""
    count = dice.randint(2, 5)
    parts: list[Part] = []

    def add(kind: str, *nodes: int) -> None:
        name = f"{kind}{len(parts) + 1}"
        value = round(dice.uniform(0.3, 3.0), 2)
        if kind == "T" and 0.8 < value < 1.25:
            # A ratio of one can tie potentials in a way that structure does not show, and one near
            # it makes equations that are nearly singular.
            value = round(value + 0.5, 2)
        parts.append(Part(name, kind, value, nodes))

    for node in range(1, count):
        add("R", *dice.sample((node, dice.randrange(node)), 2))
    kinds, weights = list(WEIGHTS), list(WEIGHTS.values())
    add(dice.choice("VI"), *dice.sample(range(count), 2))
    for kind in dice.choices(kinds, weights, k=dice.randint(2, 6)):
        if kind in TWO_PORTS:
            add(kind, *dice.sample(range(count), 2), *dice.sample(range(count), 2))
        else:
            add(kind, *dice.sample(range(count), 2))
    dice.shuffle(parts)
    return Circuit("Random", tuple(parts))
