"""A graph as text, one line per thing; `read.py` reads it back.

    bondgraph EC
    stage causal
    element R R electrical(R.p, R.n, in) R=1.5
    junction $n2 0 electrical
    bond 3 $R -->| R

Half arrows and strokes: `---` undirected, `-->` directed, `|-->` with the stroke at the tail, `-->|`
at the head, `~` in place of `|` where it moves with a switch. What causality tells stands in comments.
"""

from __future__ import annotations

from freewheel.base.diagnostics import to_text
from freewheel.bondgraph.nodes import Bond, Element, End, Graph, Junction, Stroke

ARROWS = {Stroke.NONE: "-->", Stroke.TAIL: "|-->", Stroke.HEAD: "-->|"}


def show(graph: Graph) -> str:
    lines = [f"bondgraph {graph.name}", f"stage {graph.stage}"]
    lines += [element_text(element) for element in graph.elements]
    lines += [f"wire {wire.left} --- {wire.right}" for wire in graph.wires]
    lines += [_junction(junction) for junction in graph.junctions]
    lines += [bond_text(bond) for bond in graph.bonds]
    for remark in graph.remarks:
        first = to_text(remark).splitlines()[0]
        lines.append(f"# {first}")
    return "\n".join(lines) + "\n"


def element_text(element: Element) -> str:
    ports = " ".join(
        f"{port.domain}({port.positive}, {port.negative + ', ' if port.negative else ''}"
        f"{'out' if port.is_out else 'in'})"
        for port in element.ports
    )
    words = ["element", element.name, str(element.kind), ports]
    if element.is_modulated:
        words.append("modulated")
    if element.signal is not None:
        words.append(f"{element.signal.name}({_numbers(element.signal.parameters, ', ')})")
    if element.parameters:
        words.append(_numbers(element.parameters, " "))
    return " ".join(words)


def _numbers(pairs: tuple[tuple[str, float], ...], between: str) -> str:
    return between.join(f"{name}={number_text(value)}" for name, value in pairs)


def number_text(value: float) -> str:
    """Short, and the same number when read."""
    short = f"{value:.12g}"
    return short if float(short) == value else repr(value)


def _junction(junction: Junction) -> str:
    words = ["junction", junction.name, str(junction.kind), str(junction.domain)]
    if junction.is_ground:
        words.append("ground")
    if junction.pins:
        words.append(f"{{{', '.join(junction.pins)}}}")
    return " ".join(words)


def bond_text(bond: Bond) -> str:
    arrow = ARROWS[bond.stroke] if bond.is_directed else "---"
    if bond.is_variable:
        arrow = arrow.replace("|", "~")
    return f"bond {bond.number} {_end(bond.tail)} {arrow} {_end(bond.head)}"


def _end(end: End) -> str:
    return f"{end.vertex}:{end.port}" if end.port else end.vertex
