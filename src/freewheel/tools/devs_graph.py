"""From the causal bond graph of a model to that of the DEVS room, which knows numbers only.

In: a `bondgraph` graph at stage causal. Out: a `CausalGraph`, or a `CompileError` that names what
cannot be quantized: switches, modulated elements, sources that depend on the circuit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, Severity, UsageError
from freewheel.bondgraph.nodes import Bond as DrawnBond
from freewheel.bondgraph.nodes import Element as DrawnElement
from freewheel.bondgraph.nodes import Graph, Kind, Stroke
from freewheel.devs.qbg.graph_nodes import Bond, CausalGraph, Element, ElementKind, Junction
from freewheel.devs.qbg.signals import Signal

# kind -> (parameter, or its inverse)
VALUES = {
    Kind.R: ("R", "G"),
    Kind.C: ("C", "K"),
    Kind.I: ("I", ""),
    Kind.TF: ("n", ""),
    Kind.GY: ("r", "g"),
}


COSINE = math.pi / 2.0  # a cosine is a sine that is so much ahead


@dataclass(frozen=True, slots=True)
class Found:
    """What the model tells beyond its bond graph, by the name of an element."""

    signals: Mapping[str, Signal] = field(default_factory=dict)  # of sources
    reasons: Mapping[str, str] = field(default_factory=dict)  # why a source has none
    initial: Mapping[str, float] = field(default_factory=dict)  # of storages, as a run begins


def causal_graph(graph: Graph, found: Found | None = None) -> CausalGraph:
    """The same graph with one number for each element."""
    found = found or Found()
    mistakes = [d for each in graph.elements for d in _mistakes(each, graph, found)]
    mistakes = mistakes or _findings(graph)
    if mistakes:
        raise CompileError(*mistakes)
    names = _junction_names(graph)
    elements = tuple(_element(each, found) for each in graph.elements)
    junctions = [Junction(names[j.name], 1 if j.kind is Kind.ONE else 0) for j in graph.junctions]
    bonds: list[Bond] = []
    for each in graph.bonds:
        bond = _bond(each, names)
        if each.tail.vertex in names or each.head.vertex in names:
            bonds.append(bond)
            continue
        # Fig. 24 of the paper keeps a junction between two elements.
        between = f"$SJ{1 + sum(junction.kind for junction in junctions)}"
        junctions.append(Junction(between, 1))
        bonds.append(replace(bond, head=between, head_port=1))
        bonds.append(replace(bond, tail=between, tail_port=1))
    return CausalGraph(elements, tuple(junctions), tuple(bonds))


def _junction_names(graph: Graph) -> dict[str, str]:
    """`$SJ1`, `$SJ2` of serial junctions and `$PJ1` of parallel ones, as in Fig. 24 of the paper; a
    junction that the modeller drew keeps its name."""
    letters = {Kind.ONE: "S", Kind.ZERO: "P"}
    counts = dict.fromkeys(letters, 0)
    names: dict[str, str] = {}
    for junction in graph.junctions:
        counts[junction.kind] += 1
        own = f"${letters[junction.kind]}J{counts[junction.kind]}"
        names[junction.name] = own if junction.name.startswith("$") else junction.name
    return names


def _mistakes(element: DrawnElement, graph: Graph, found: Found) -> Sequence[Diagnostic]:
    if element.kind in (Kind.SE, Kind.SF):
        if element.name in found.signals or closed_form(element) is not None:
            return ()
        why = found.reasons.get(element.name, "what it gives is no function of time")
    elif element.kind in (Kind.D, Kind.SW):
        why = "its causality changes while it runs"
    elif element.kind in (Kind.C, Kind.I) and len(element.ports) > 1:
        why = "it is a field, its ports store energy together (mutual inductance)"
    elif element.is_modulated or _value(element) is None:
        why = "its value is no constant number"
    else:
        return ()
    text = f"`{element.name}` is not in the library of quantized bond graphs: {why}"
    unproved = [r for r in graph.remarks if r.code == "E120" and f"`{element.name}`" in r.message]
    labels = unproved[0].labels if unproved else (Label(element.span),)
    if unproved:
        text += f"; {unproved[0].message.partition(': ')[2]}"
    return (Diagnostic("E083", text, labels, help="simulate the model with `freewheel run`"),)


def _findings(graph: Graph) -> list[Diagnostic]:
    """Sources must not contradict, and the equations of junctions not be singular."""
    help_text = "a small resistance or storage between them parts them; `freewheel run` needs none"
    return [
        Diagnostic("E084", told.message, told.labels, help=help_text, rule=told.rule)
        if told.code == "E115"
        else told
        for told in graph.remarks
        if told.code == "E115" or told.severity is Severity.ERROR
    ]


def _value(element: DrawnElement) -> float | None:
    plain, inverse = VALUES[element.kind]
    value = element.value(plain)
    if value is None and inverse:
        value = element.value(inverse)
        value = 1.0 / value if value else None
    return value


def closed_form(element: DrawnElement) -> Signal | None:
    """The signal of a source if it is one of ours with all its parameters; else None."""
    drawn = element.signal
    if drawn is None:
        return None
    name, given = drawn.name, dict(drawn.parameters)
    if name == "Cosine":
        name, given["phase"] = "Sine", given.get("phase", 0.0) + COSINE
    try:
        return Signal.make(name, **given)
    except (
        UsageError
    ):  # another wave form, a parameter that ours has not, or a number it does not take
        return None


def _element(element: DrawnElement, found: Found) -> Element:
    kind = KINDS[element.kind]
    if element.kind in (Kind.SE, Kind.SF):
        signal = found.signals.get(element.name) or closed_form(element)
        return Element(element.name, kind, signal=signal)
    value = _value(element)
    assert value is not None
    initial = found.initial.get(element.name)
    if initial is None:
        charge = element.value("q0")
        initial = (element.value("start") or 0.0) if charge is None else charge / value
    return Element(element.name, kind, value, initial)


KINDS: dict[Kind, ElementKind] = {
    Kind.R: "R", Kind.C: "C", Kind.I: "I", Kind.TF: "TF", Kind.GY: "GY",
    Kind.SE: "Se", Kind.SF: "Sf",
}  # fmt: skip


def _bond(bond: DrawnBond, names: Mapping[str, str]) -> Bond:
    assert bond.stroke is not Stroke.NONE, "a causal graph has strokes on all bonds"
    return Bond(
        names.get(bond.tail.vertex, bond.tail.vertex),
        names.get(bond.head.vertex, bond.head.vertex),
        "tail" if bond.stroke is Stroke.TAIL else "head",
        int(bond.tail.port or 1),
        int(bond.head.port or 1),
    )
