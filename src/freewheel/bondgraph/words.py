"""Findings in words: diagnostics with the names of elements, the path, and a cure."""

from __future__ import annotations

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.base.source import NOWHERE
from freewheel.bondgraph.domains import WORDS
from freewheel.bondgraph.nodes import (
    AlgebraicLoop,
    Clash,
    Dependence,
    Domain,
    Graph,
    Kind,
    Release,
)

RULE = "document 001, section 3.3"
SHOWN = 12  # names of a long path
MOST_POSITIONS = 6
MECHANICAL = (Domain.TRANSLATIONAL, Domain.ROTATIONAL)


def remarks_of(graph: Graph) -> tuple[Diagnostic, ...]:
    found = graph.findings
    return (
        *(_clash(c, graph) for c in found.clashes if not c.position),
        *(_dependence(d, graph) for d in found.dependent),
        *(_loop(loop, graph) for loop in found.loops),
        *(_release(r, graph) for r in found.releases),
        *_positions([c for c in found.clashes if c.position], graph),
    )


def path_text(path: tuple[str, ...], graph: Graph) -> str:
    """`R1 - 1 - R2 - 1 - R1`: junctions by their kind, unless the modeller named them."""
    kinds = {j.name: str(j.kind) for j in graph.junctions if j.name.startswith("$")}
    names = [kinds.get(name, name) for name in path]
    if len(names) > SHOWN:
        names = [*names[: SHOWN // 2], "...", *names[-SHOWN // 2 :]]
    return " - ".join(names)


def _labels(graph: Graph, names: tuple[str, ...], text: str) -> tuple[Label, ...]:
    known = {e.name: e.span for e in graph.elements if e.span is not NOWHERE}
    return tuple(Label(known[name], text) for name in names if name in known)


def _quoted(names: tuple[str, ...]) -> str:
    shown = [f"`{name}`" for name in names]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _dependence(found: Dependence, graph: Graph) -> Diagnostic:
    element = graph.element(found.storage)
    effort, flow = WORDS[element.ports[0].domain]
    what = effort if element.kind is Kind.C else flow
    verb = "decides" if len(found.sources) == 1 else "decide"
    teller = f": {_quoted(found.sources)} {verb} it" if found.sources else ""
    cure = (
        f"a small resistance between them gives `{found.storage}` a state of its own"
        if element.kind is Kind.C
        else f"a large resistance beside them gives `{found.storage}` a state of its own"
    )
    return Diagnostic(
        "E110",
        f"`{found.storage}` is a dependent storage, its {what} is no state{teller}"
        f" (causal path {path_text(found.path, graph)})",
        _labels(graph, (found.storage,), "differentiates"),
        help=f"{cure}; without it the simulation reduces the index by itself",
        rule=f"{RULE}: preferred causality",
        severity=Severity.NOTE,
    )


def _loop(found: AlgebraicLoop, graph: Graph) -> Diagnostic:
    who = f"of {_quoted(found.elements)}" if found.elements else "of junctions alone"
    return Diagnostic(
        "E111",
        f"algebraic loop {who} (closed causal path {path_text(found.path, graph)})",
        _labels(graph, found.elements, "in the loop"),
        help="a storage in the path breaks it; without one the simulation solves the equations of"
        " the loop together",
        rule=f"{RULE}: closed causal paths",
        severity=Severity.NOTE,
    )


def position_text(position: tuple[tuple[str, bool], ...], graph: Graph) -> str:
    """`S` open; a clutch or brake does not open, it locks or slides."""
    if len(position) > 2:  # only all together are tried
        return f"all switches and diodes {'open' if position[0][1] else 'closed'}"
    said: list[str] = []
    for name, is_open in position:
        is_friction = graph.element(name).ports[0].domain in MECHANICAL
        words = ("locked", "sliding") if is_friction else ("open", "closed")
        said.append(f"`{name}` {words[0] if is_open else words[1]}")
    return " and ".join(said)


def _release(found: Release, graph: Graph) -> Diagnostic:
    verb = "is" if len(found.storages) == 1 else "are"
    tied = f": tied to {_quoted(found.tied)}" if found.tied else ""
    return Diagnostic(
        "E112",
        f"with {position_text(found.position, graph)}, {_quoted(found.storages)} {verb} no state{tied}",
        _labels(graph, tuple(name for name, _ in found.position), "changes the causality"),
        help="the simulation counts states anew in each position; a snubber or a leak keeps them",
        rule=f"{RULE}: fixed causality of ideal switches",
        severity=Severity.NOTE,
    )


def _clash(found: Clash, graph: Graph) -> Diagnostic:
    if not found.sources:
        message = f"the junctions around `{found.junction}` cannot all be told their effort or flow"
    elif len(found.sources) == 1:
        message = f"`{found.sources[0]}` has nothing to act on, or acts on what is at rest"
    else:
        message = f"{_quoted(found.sources)} contradict each other: each says what the others say"
    return Diagnostic(
        "E113",
        message,
        _labels(graph, found.sources, "a source with fixed causality"),
        help="put a resistance between effort sources, or beside flow sources",
        rule=f"{RULE}: fixed causality",
    )


def _positions(found: list[Clash], graph: Graph) -> list[Diagnostic]:
    """All in one note: a bridge has many."""
    if not found:
        return []
    shown = [position_text(clash.position, graph) for clash in found[:MOST_POSITIONS]]
    more = f" (and {len(found) - len(shown)} more)" if len(found) > len(shown) else ""
    who = tuple(dict.fromkeys(name for clash in found for name in clash.sources))
    return [
        Diagnostic(
            "E114",
            f"{_quoted(who)} would be short-circuited or cut off with {'; '.join(shown)}{more}",
            _labels(graph, who, "has fixed causality"),
            help="fine if that never occurs; otherwise give the switch a resistance or a leak",
            rule=f"{RULE}: fixed causality of ideal switches",
            severity=Severity.NOTE,
        )
    ]
