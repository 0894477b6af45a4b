"""Random linear networks and drive trains, some of whose parameters become zero, and their solution by numpy.

network = random_network(seed)
network.text({"e3": 0.0})          the same model with a parameter written otherwise
network.solved(zeros, row, times)  what the equations say, from a consistent first row
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np
from numpy.typing import NDArray

Curves = NDArray[np.float64]

CLASSES = """
  connector Pin Real v; flow Real i; end Pin;
  partial model TwoPin
    Pin p, n; Real v, i;
  equation
    v = p.v - n.v; i = p.i; p.i + n.i = 0;
  end TwoPin;
  model R extends TwoPin; parameter Real k = 1; equation v = k*i; end R;
  model A extends TwoPin; parameter Real k = 1; Real actual;
  equation actual = k*(1 + 0.5*k); v = actual*i; end A;
  model G extends TwoPin; parameter Real k = 1; equation i = k*v; end G;
  model C extends TwoPin; parameter Real k = 1; equation k*der(v) = i; end C;
  model L extends TwoPin; parameter Real k = 1; equation k*der(i) = v; end L;
  model U extends TwoPin; parameter Real k = 1; equation v = k; end U;
  model I extends TwoPin; parameter Real k = 1; equation i = -k; end I;
  model Ground Pin p; equation p.v = 0; end Ground;
"""

TRAIN = """
  connector Flange Real phi; flow Real tau; end Flange;
  partial model Link
    Flange a, b; parameter Real k = 1;
  end Link;
  model Inertia extends Link; Real w, acc;
  equation a.phi = b.phi; w = der(a.phi); acc = der(w); k*acc = a.tau + b.tau; end Inertia;
  model Spring extends Link; Real tau;
  equation tau = k*(b.phi - a.phi); b.tau = tau; a.tau = -tau; end Spring;
  model Damper extends Link; Real tau;
  equation tau = k*(der(b.phi) - der(a.phi)); b.tau = tau; a.tau = -tau; end Damper;
  model SpringDamper extends Link; parameter Real d = 1; Real tau;
  equation tau = k*(b.phi - a.phi) + d*(der(b.phi) - der(a.phi)); b.tau = tau; a.tau = -tau; end SpringDamper;
  model Gear extends Link;
  equation a.phi = k*b.phi; 0 = k*a.tau + b.tau; end Gear;
  model Fixed Flange a; equation a.phi = 0; end Fixed;
  model Torque Flange a; equation a.tau = -1; end Torque;
"""


@dataclass(frozen=True)
class Element:
    name: str
    kind: str
    p: int
    n: int
    value: float


@dataclass(frozen=True)
class Network:
    nodes: int
    elements: tuple[Element, ...]

    def text(self, changed: Mapping[str, float]) -> str:
        lines = [f"model Network {CLASSES}  Ground ground;"]
        lines += [
            f"  {e.kind} {e.name}(k = {changed.get(e.name, e.value)!r});" for e in self.elements
        ]
        lines += ["equation"]
        for node in range(self.nodes):
            pins = [
                f"{e.name}.{pin}" for e in self.elements for pin in "pn" if getattr(e, pin) == node
            ]
            pins += ["ground.p"] if node == 0 else []
            lines += [f"  connect({pins[0]}, {pin});" for pin in pins[1:]]
        return "\n".join([*lines, "end Network;"])

    @property
    def names(self) -> list[str]:
        return [e.name for e in self.elements if e.kind not in "UI"]

    def pencil(self, zeros: Sequence[str]) -> tuple[Curves, Curves, Curves]:
        """E x' = A x + b with x = (potentials of nodes but the first, currents of elements)."""
        n, m = self.nodes - 1, len(self.elements)
        e, a, b = np.zeros((n + m, n + m)), np.zeros((n + m, n + m)), np.zeros(n + m)
        for k, element in enumerate(self.elements):
            voltage = np.zeros(n + m)
            for node, sign in ((element.p, 1.0), (element.n, -1.0)):
                if node:
                    voltage[node - 1] += sign
                    a[node - 1, n + k] += sign  # Kirchhoff
            current = np.eye(n + m)[n + k]
            value = 0.0 if element.name in zeros else element.value
            row = n + k
            match element.kind:
                case "R" | "A":
                    ohms = value if element.kind == "R" else value * (1 + 0.5 * value)
                    a[row] = voltage - ohms * current
                case "G":
                    a[row] = current - value * voltage
                case "C":
                    e[row], a[row] = value * voltage, current
                case "L":
                    e[row], a[row] = value * current, voltage
                case "U":
                    a[row], b[row] = voltage, -value
                case "I":
                    a[row], b[row] = current, value
        return e, a, b

    def is_regular(self, zeros: Sequence[str]) -> bool:
        e, a, _ = self.pencil(zeros)
        pencil = a + 0.7391 * e
        return int(np.linalg.matrix_rank(pencil, tol=1e-9)) == len(pencil)

    def solved(self, zeros: Sequence[str], first: Curves, stop: float, steps: int) -> Curves:
        """Radau IIA of order 5 from a consistent row; exact enough for these time constants."""
        e, a, b = self.pencil(zeros)
        size, h, x = len(b), stop / steps, first
        root = 6.0**0.5
        tableau = np.array(
            [
                [(88 - 7 * root) / 360, (296 - 169 * root) / 1800, (-2 + 3 * root) / 225],
                [(296 + 169 * root) / 1800, (88 + 7 * root) / 360, (-2 - 3 * root) / 225],
                [(16 - root) / 36, (16 + root) / 36, 1 / 9],
            ]
        )
        whole = np.kron(np.eye(3), e) - h * np.kron(tableau, a)
        for _ in range(steps):
            rates = np.linalg.solve(whole, np.tile(a @ x + b, 3)).reshape(3, size)
            x = x + h * (tableau[2] @ rates)
        return x


def random_network(seed: int, kinds: str = "RRRAGCL", most: int = 7) -> Network:
    """Connected, with one or two sources."""
    random = Random(seed)
    nodes = random.randint(2, most)
    pairs = [(random.randrange(k), k) for k in range(1, nodes)]
    pairs += [tuple(random.sample(range(nodes), 2)) for _ in range(random.randint(1, nodes + 1))]
    random.shuffle(pairs)
    chosen = [random.choice(kinds) for _ in pairs]
    for k in random.sample(range(len(pairs)), min(len(pairs) - 1, random.randint(1, 2))):
        chosen[k] = random.choice("UUI")
    elements = []
    for k, ((p, n), kind) in enumerate(zip(pairs, chosen, strict=True)):
        p, n = (p, n) if random.random() < 0.5 else (n, p)
        elements.append(Element(f"e{k + 1}", kind, p, n, round(random.uniform(0.2, 3.0), 2)))
    return Network(nodes, tuple(elements))


@dataclass(frozen=True)
class Train:
    """A chain of links between a torque and the wall, or a free end."""

    links: tuple[tuple[str, str, float], ...]  # name, class, value
    is_held: bool

    def text(self, changed: Mapping[str, float]) -> str:
        lines = [f"model Train {TRAIN}  Torque torque;"]
        lines += [f"  {kind} {name}(k = {changed.get(name, v)!r});" for name, kind, v in self.links]
        names = [name for name, _, _ in self.links]
        lines += ["  Fixed wall;"] if self.is_held else []
        lines += ["equation", f"  connect(torque.a, {names[0]}.a);"]
        lines += [f"  connect({a}.b, {b}.a);" for a, b in pairwise(names)]
        lines += [f"  connect({names[-1]}.b, wall.a);"] if self.is_held else []
        return "\n".join([*lines, "end Train;"])

    @property
    def names(self) -> list[str]:
        return [name for name, _, _ in self.links]


def random_train(seed: int) -> Train:
    random = Random(seed)
    kinds = ("Inertia", "Inertia", "Spring", "Damper", "SpringDamper", "Gear")
    links = [
        (f"l{k + 1}", random.choice(kinds), round(random.uniform(0.5, 2.0), 2))
        for k in range(random.randint(2, 7))
    ]
    links.insert(0, ("l0", "Inertia", 1.0))
    return Train(tuple(links), random.random() < 0.5)
