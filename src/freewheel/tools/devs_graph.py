"""From the causal bond graph of a model to that of the DEVS room, which knows numbers only.

In: a `bondgraph` graph at stage causal. Out: a `CausalGraph`, or a `CompileError` that names what
cannot be quantized: switches, modulated elements, dependent storages, algebraic loops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, Severity, UsageError
from freewheel.bondgraph.nodes import Bond as DrawnBond
from freewheel.bondgraph.nodes import Element as DrawnElement
from freewheel.bondgraph.nodes import Graph, Kind, Stroke
from freewheel.devs.qbg.graph_nodes import Bond, CausalGraph, Element, ElementKind, Junction
from freewheel.devs.qbg.signals import DEFAULTS, OTHER_NAMES, SPELLINGS, Signal

# kind -> (parameter, or its inverse)
VALUES = {
    Kind.R: ("R", "G"),
    Kind.C: ("C", "K"),
    Kind.I: ("I", ""),
    Kind.TF: ("n", ""),
    Kind.GY: ("r", "g"),
}


REFUSED = ("E110", "E111", "E115")  # dependent storages, loops: notes of a bond graph


def causal_graph(graph: Graph) -> CausalGraph:
    """The same graph with one number for each element."""
    mistakes = [d for element in graph.elements for d in _mistakes(element)] or _findings(graph)
    if mistakes:
        raise CompileError(*mistakes)
    names = _junction_names(graph)
    elements = tuple(_element(each) for each in graph.elements)
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


def _mistakes(element: DrawnElement) -> Sequence[Diagnostic]:
    if element.kind in (Kind.D, Kind.SW):
        why = "its causality changes while it runs"
    elif element.is_modulated or (element.kind in VALUES and _value(element) is None):
        why = "its value is no constant number"
    elif element.kind in (Kind.SE, Kind.SF) and _signal(element) is None:
        why = f"its signal is none of {', '.join(DEFAULTS)}"
    else:
        return ()
    return (
        Diagnostic(
            "E083",
            f"`{element.name}` is not in the library of quantized bond graphs: {why}",
            (Label(element.span),),
            help="simulate the model with `freewheel run`",
        ),
    )


def _findings(graph: Graph) -> list[Diagnostic]:
    """Quantized bond graphs take integral causality only, and no loops; sources must not contradict."""
    help_text = "a small resistance or storage between them parts them; `freewheel run` needs none"
    return [
        Diagnostic("E084", told.message, told.labels, help=help_text, rule=told.rule)
        if told.code in REFUSED
        else told
        for told in graph.remarks
        if told.code in REFUSED or told.severity is Severity.ERROR
    ]


def _value(element: DrawnElement) -> float | None:
    plain, inverse = VALUES[element.kind]
    value = element.value(plain)
    if value is None and inverse:
        value = element.value(inverse)
        value = 1.0 / value if value else None
    return value


def _signal(element: DrawnElement) -> Signal | None:
    drawn = element.signal
    spelled = SPELLINGS.get(drawn.name.lower()) if drawn is not None else None
    if drawn is None or spelled is None:
        return None
    known = (*DEFAULTS[spelled], *OTHER_NAMES)
    given = {name: value for name, value in drawn.parameters if name.lower() in known}
    try:
        return Signal.make(spelled, **given)
    except UsageError:
        return None


def _element(element: DrawnElement) -> Element:
    if element.kind in (Kind.SE, Kind.SF):
        return Element(element.name, KINDS[element.kind], signal=_signal(element))
    value = _value(element)
    assert value is not None
    initial = element.value("start") or 0.0
    charge = element.value("q0")
    if charge is not None:
        initial = charge / value
    return Element(element.name, KINDS[element.kind], value, initial)


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
