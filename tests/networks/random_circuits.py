"""Random networks of R, L, C, ideal diodes and ideal switches, as Modelica text.

    circuit = random_circuit(17, with_sources=True)
    circuit.text      # model Net17 ... end Net17;
    circuit.leaky(1e-9)      # the same with Ron = Goff = 1e-9

The same seed gives the same network for ever. Node 0 is ground and every node hangs on a tree of
elements, so a part can float only where diodes block or switches are open. Sources have a resistor
beside them: nothing can short or interrupt them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

PASSIVE = ("R", "R", "L", "L", "C", "C", "D", "D", "S")
CLASSES = {
    "R": "Modelica.Electrical.Analog.Basic.Resistor",
    "L": "Modelica.Electrical.Analog.Basic.Inductor",
    "C": "Modelica.Electrical.Analog.Basic.Capacitor",
    "D": "Modelica.Electrical.Analog.Ideal.IdealDiode",
    "S": "Modelica.Electrical.Analog.Ideal.IdealClosingSwitch",
    "V": "Modelica.Electrical.Analog.Sources.SineVoltage",
    "I": "Modelica.Electrical.Analog.Sources.SineCurrent",
}


@dataclass(frozen=True)
class Element:
    kind: str
    name: str
    nodes: tuple[int, int]
    value: float
    start: float | None = 0.0  # of a state, None if others give it; of a switch or source its phase


@dataclass(frozen=True)
class Circuit:
    name: str
    elements: tuple[Element, ...]
    node_count: int
    is_metered: bool = False  # whether the model integrates what its sources supply
    stop: float = 0.02

    @property
    def text(self) -> str:
        return self._text("Ron = 0, Goff = 0")

    def leaky(self, leak: float) -> str:
        return self._text(f"Ron = {leak!r}, Goff = {leak!r}")

    def of(self, kind: str) -> list[Element]:
        return [element for element in self.elements if element.kind == kind]

    def _text(self, leak: str) -> str:
        lines = [f"model {self.name}", "  Modelica.Electrical.Analog.Basic.Ground ground;"]
        lines += [f"  {CLASSES[e.kind]} {e.name}({_modifiers(e, leak)});" for e in self.elements]
        if self.is_metered:
            lines.append("  Real supplied(start = 0, fixed = true);")
        lines.append("equation")
        if self.is_metered:
            sources = (*self.of("V"), *self.of("I"))
            power = " + ".join(f"{e.name}.v*{e.name}.i" for e in sources)
            lines.append(f"  der(supplied) = -({power});")
        lines += [f"  {e.name}.control = {control(e)};" for e in self.of("S")]
        for node, pins in enumerate(self.pins()):
            first = "ground.p" if node == 0 or not pins else pins[0]
            lines += [f"  connect({first}, {pin});" for pin in pins if pin != first]
        lines.append(f"  annotation(experiment(StopTime = {self.stop}, Tolerance = 1e-6));")
        return "\n".join([*lines, f"end {self.name};", ""])

    def pins(self) -> list[list[str]]:
        """Of each node."""
        found: list[list[str]] = [[] for _ in range(self.node_count)]
        for element in self.elements:
            for node, pin in zip(element.nodes, "pn", strict=True):
                found[node].append(f"{element.name}.{pin}")
        return found


def control(switch: Element) -> str:
    return f"sin({switch.value:.6g}*time + {switch.start or 0.0:.6g}) > 0.1"


def _modifiers(element: Element, leak: str) -> str:
    value, start = f"{element.value:.6g}", f"{element.start or 0.0:.6g}"
    is_free = element.start is not None
    return {
        "R": f"R = {value}",
        "L": f"L = {value}" + (f", i(start = {start})" if is_free else ""),
        "C": f"C = {value}" + (f", v(start = {start})" if is_free else ""),
        "D": f"{leak}, Vknee = 0",
        "S": leak,
        "V": f"V = {value}, f = 50, phase = {start}",
        "I": f"I = {value}, f = 50, phase = {start}",
    }[element.kind]


def random_circuit(seed: int, with_sources: bool, most_nodes: int = 10) -> Circuit:
    random = Random(f"{seed} {with_sources}")  # text: the same in every version of Python
    nodes = random.randint(3, most_nodes)
    edges = [(k, random.randrange(k)) for k in range(1, nodes)]
    for _ in range(random.randint(1, nodes)):
        one, other = random.sample(range(nodes), 2)
        edges.append((one, other))
    elements: list[Element] = []
    for number, (one, other) in enumerate(edges):
        ends = (one, other) if random.random() < 0.5 else (other, one)
        elements.append(_element(random, random.choice(PASSIVE), number, ends))
    if with_sources:
        for number in range(random.randint(1, 2)):
            nodes = _with_source(random, elements, number, nodes)
    name = f"{'Driven' if with_sources else 'Free'}{seed}"
    is_metered = with_sources and seed % 4 == 0
    return Circuit(name, _with_free_starts(elements, nodes), nodes, is_metered)


def _with_free_starts(elements: list[Element], nodes: int) -> tuple[Element, ...]:
    """A start value for storages that are independent whatever diodes and switches do: capacitors
    in a tree that takes them first, inductors outside of a tree that takes them last. (Bryant 1962,
    "The explicit form of Bashkow's A matrix": the normal tree.)"""
    parent = list(range(nodes))

    def root(node: int) -> int:
        while parent[node] != node:
            node = parent[node]
        return node

    tree: set[str] = set()
    for element in sorted(elements, key=lambda e: "VCRDSLI".index(e.kind)):
        one, other = map(root, element.nodes)
        if one != other and element.kind != "I":
            parent[one] = other
            tree.add(element.name)

    def is_dependent(element: Element) -> bool:
        return (element.kind == "C") != (element.name in tree) and element.kind in "CL"

    return tuple(replace(e, start=None) if is_dependent(e) else e for e in elements)


def _element(random: Random, kind: str, number: int, nodes: tuple[int, int]) -> Element:
    value = {
        "R": random.uniform(1, 100),
        "L": random.uniform(1e-3, 1e-1),
        "C": random.uniform(1e-5, 1e-3),
        "D": 0.0,
        "S": random.uniform(200, 1500),
    }[kind]
    start = random.uniform(-1, 1) * {"L": 1.0, "C": 10.0}.get(kind, 0.0)
    if kind == "S":
        start = random.uniform(0, 6)
    return Element(kind, f"{kind}{number}", nodes, _rounded(value), _rounded(start))


def _with_source(random: Random, elements: list[Element], number: int, nodes: int) -> int:
    """A voltage behind a resistor, or a current with one across; the number of nodes then."""
    one, other = random.sample(range(nodes), 2)
    resistance, phase = _rounded(random.uniform(1, 20)), _rounded(random.uniform(-3, 3))
    if random.random() < 0.7:
        size = _rounded(random.uniform(5, 20))
        elements.append(Element("V", f"V{number}", (one, nodes), size, phase))
        elements.append(Element("R", f"Rs{number}", (nodes, other), resistance))
        return nodes + 1
    size = _rounded(random.uniform(0.1, 1))
    elements.append(Element("I", f"I{number}", (one, other), size, phase))
    elements.append(Element("R", f"Rs{number}", (one, other), resistance))
    return nodes


def _rounded(number: float) -> float:
    return float(f"{number:.4g}")
