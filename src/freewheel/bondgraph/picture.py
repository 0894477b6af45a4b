"""What is to be drawn: spots with labels, and lines between them, for every stage alike.

    picture_of(graph)      Picture(title, spots, lines)

At `graph` and `zeros` each connector is a spot, tied by dashes to the other one of its port, and ports of
one element by dots; later elements and junctions are spots and bonds are lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from freewheel.bondgraph.nodes import (
    STORAGES,
    Bond,
    Domain,
    Element,
    Graph,
    Kind,
    Stage,
    Stroke,
)
from freewheel.bondgraph.zeros import pins_of


class Tone(StrEnum):
    """What a colour says; a domain is a tone as well."""

    ELECTRICAL = "electrical"
    TRANSLATIONAL = "translational"
    ROTATIONAL = "rotational"
    THERMAL = "thermal"
    BOND = "bond"
    PIN = "pin"
    DEPENDENT = "dependent storage"
    LOOP = "algebraic loop"
    VARIABLE = "changes with a switch"
    CLASH = "sources contradict"


@dataclass(frozen=True, slots=True)
class Spot:
    head: str  # in bold
    name: str = ""
    value: str = ""
    tone: Tone = Tone.BOND
    is_pin: bool = False
    kind: Kind | None = None  # of the element it is, or is a connector of


@dataclass(frozen=True, slots=True)
class Line:
    tail: int
    head: int
    tone: Tone
    text: str = ""
    is_arrow: bool = False
    stroke: Stroke = Stroke.NONE
    dashes: str = ""  # between the two connectors of a port, and between ports
    is_moving: bool = False  # the stroke


@dataclass(frozen=True, slots=True)
class Note:
    """A finding in words, below the picture."""

    text: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class Picture:
    title: str
    subtitle: str
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]
    notes: tuple[Note, ...] = ()

    @property
    def tones(self) -> tuple[Tone, ...]:
        """Those that occur, in the order of `Tone`."""
        used = {s.tone for s in self.spots} | {line.tone for line in self.lines}
        return tuple(tone for tone in Tone if tone in used)


def picture_of(graph: Graph) -> Picture:
    made = _of_pins(graph) if graph.stage in (Stage.GRAPH, Stage.ZEROS) else _of_bonds(graph)
    return Picture(graph.name, f"stage {graph.stage}: {_words(graph)}", *made, _notes(graph))


# What causality tells, and the colour it has in the picture.
TOLD = {
    "E110": Tone.DEPENDENT,
    "E111": Tone.LOOP,
    "E112": Tone.VARIABLE,
    "E113": Tone.CLASH,
    "E114": Tone.VARIABLE,
    "E115": Tone.DEPENDENT,
    "E116": Tone.CLASH,
    "E119": Tone.PIN,
}
MOST_NOTES = 8
IN_PORT, BETWEEN_PORTS = "5 3", "1 4"  # dashed and dotted, as in Fig. 8 of Wainer and D'Abreu


def _notes(graph: Graph) -> tuple[Note, ...]:
    """Which storages fix which switches, who is dependent, what loops there are."""
    told = [Note(r.message.replace("`", ""), TOLD[r.code]) for r in graph.remarks if r.code in TOLD]
    if len(told) <= MOST_NOTES:
        return tuple(told)
    return (*told[: MOST_NOTES - 1], Note(f"and {len(told) - MOST_NOTES + 1} more", Tone.PIN))


def _words(graph: Graph) -> str:
    if graph.stage is Stage.GRAPH:
        return f"{len(_pins(graph))} nodes, {len(graph.wires)} connections"
    zeros = sum(j.kind is Kind.ZERO for j in graph.junctions)
    ones = len(graph.junctions) - zeros
    counts = [
        _count(len(graph.elements), "element"),
        _count(zeros, "0-junction"),
        _count(ones, "1-junction"),
        _count(len(graph.bonds), "bond"),
    ]
    return ", ".join(counts)


def _count(number: int, what: str) -> str:
    """In words that read well: `one 0-junction`, `3 bonds`."""
    words = {0: f"no {what}s", 1: f"one {what}"}
    return words.get(number, f"{number} {what}s")


def value_text(element: Element) -> str:
    """`R=1.5`, `Sine 15`, `by signal`."""
    if element.signal is not None:
        numbers = dict(element.signal.parameters)
        size = next((numbers[k] for k in ("k", "amplitude", "height") if k in numbers), None)
        word = "" if element.signal.name == "Constant" else element.signal.name
        return f"{word} {'' if size is None else _short(size)}".strip()
    shown = [f"{k}={_short(v)}" for k, v in element.parameters if k not in ("start", "q0")]
    if element.kind in (Kind.D, Kind.SW):
        shown = [f"{k}={_short(v)}" for k, v in element.parameters if v]
    if shown:
        return ", ".join(shown)
    return "by signal" if element.is_modulated else ""


def _short(value: float) -> str:
    """Four digits say enough in a picture."""
    return f"{value:.4g}"


def kind_text(element: Element) -> str:
    """Modulated elements have an M before their letter."""
    is_shown = element.is_modulated and element.kind not in (Kind.D, Kind.SW)
    return ("M" if is_shown else "") + element.kind


# ---------------------------------------------------------------- the first two stages


def _pins(graph: Graph) -> list[str]:
    pins = dict.fromkeys(pin for e in graph.elements for port in e.ports for pin in pins_of(port))
    for wire in graph.wires:
        pins.setdefault(wire.left)
        pins.setdefault(wire.right)
    return list(pins)


def _of_pins(graph: Graph) -> tuple[tuple[Spot, ...], tuple[Line, ...]]:
    pins = _pins(graph)
    number = {pin: k for k, pin in enumerate(pins)}
    kinds = {p: e.kind for e in graph.elements for port in e.ports for p in pins_of(port)}
    spots = [Spot(pin, tone=Tone.PIN, is_pin=True, kind=kinds.get(pin)) for pin in pins]
    lines = [Line(number[w.left], number[w.right], Tone.PIN) for w in graph.wires]
    for junction in graph.junctions:
        number[junction.name] = len(spots)
        spots.append(_junction_spot(junction.name, junction.kind, junction.domain))
        for pin in junction.pins:
            lines.append(Line(number[pin], number[junction.name], Tone(junction.domain)))
    for element in graph.elements:
        for port in element.ports:
            tone = Tone(port.domain)
            text = f"{element.kind}: {element.name}"
            if port.negative:
                a, b = number[port.positive], number[port.negative]
                lines.append(Line(a, b, tone, text, dashes=IN_PORT))
        for one, other in pairwise(element.ports):
            a, b = number[one.positive], number[other.positive]
            lines.append(Line(a, b, Tone.PIN, dashes=BETWEEN_PORTS))
    return tuple(spots), tuple(lines)


def _junction_spot(name: str, kind: Kind, domain: Domain) -> Spot:
    return Spot(str(kind), "" if name.startswith("$") else name, tone=Tone(domain))


# ---------------------------------------------------------------- bonds


def _of_bonds(graph: Graph) -> tuple[tuple[Spot, ...], tuple[Line, ...]]:
    spots: list[Spot] = []
    number: dict[str, int] = {}
    marked = _marked(graph)
    domains = {e.name: e.ports[0].domain for e in graph.elements}
    junctions = {j.name: j.domain for j in graph.junctions}
    looped = {frozenset(p) for loop in graph.findings.loops for p in pairwise(loop.path)}
    for element in graph.elements:
        number[element.name] = len(spots)
        tone = marked.get(element.name, Tone(element.ports[0].domain))
        head, value = kind_text(element), value_text(element)
        spots.append(Spot(head, element.name, value, tone, kind=element.kind))
    for junction in graph.junctions:
        number[junction.name] = len(spots)
        spots.append(_junction_spot(junction.name, junction.kind, junction.domain))
    lines = [
        Line(
            number[bond.tail.vertex],
            number[bond.head.vertex],
            _bond_tone(bond, marked, looped) or Tone(_bond_domain(bond, junctions, domains)),
            _bond_text(bond),
            bond.is_directed,
            bond.stroke,
            is_moving=bond.is_variable,
        )
        for bond in graph.bonds
    ]
    return tuple(spots), tuple(lines)


def _bond_text(bond: Bond) -> str:
    ports = [end.port for end in (bond.tail, bond.head) if end.port in ("+", "-")]
    return ports[0] if ports else str(bond.number)


def _marked(graph: Graph) -> dict[str, Tone]:
    """Elements that causality has something to say about."""
    found = graph.findings
    marked = {name: Tone.LOOP for loop in found.loops for name in loop.elements}
    marked |= {name: Tone.VARIABLE for r in found.releases for name in _released(r.storages, graph)}
    marked |= {d.storage: Tone.DEPENDENT for d in found.dependent}
    marked |= {name: Tone.CLASH for c in found.clashes if not c.position for name in c.sources}
    return marked


def _released(names: tuple[str, ...], graph: Graph) -> list[str]:
    return [n for n in names if graph.element(n).kind in STORAGES]


def _bond_tone(bond: Bond, marked: dict[str, Tone], looped: set[frozenset[str]]) -> Tone | None:
    """What causality tells about a bond, if anything."""
    ends = (bond.tail.vertex, bond.head.vertex)
    for end in ends:
        if marked.get(end) in (Tone.DEPENDENT, Tone.CLASH):
            return marked[end]
    if frozenset(ends) in looped:
        return Tone.LOOP
    return Tone.VARIABLE if bond.is_variable else None


def _bond_domain(bond: Bond, junctions: dict[str, Domain], elements: dict[str, Domain]) -> Domain:
    """That of a junction it touches; a two-port lies between domains."""
    ends = (bond.tail.vertex, bond.head.vertex)
    found = next((junctions[end] for end in ends if end in junctions), None)
    return found if found is not None else elements[bond.tail.vertex]
