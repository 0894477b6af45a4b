"""Findings in words: diagnostics with the names of elements, the path, and a cure."""

from __future__ import annotations

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.base.source import NOWHERE
from freewheel.bondgraph.domains import WORDS
from freewheel.bondgraph.nodes import (
    VALVES,
    AlgebraicLoop,
    Clash,
    Dependence,
    Domain,
    Graph,
    Kind,
    Release,
)

RULE = "Wainer and D'Abreu, section 3.3"
SHOWN = 12  # names of a long path
MOST_POSITIONS = 6
MECHANICAL = (Domain.TRANSLATIONAL, Domain.ROTATIONAL)


def remarks_of(graph: Graph) -> tuple[Diagnostic, ...]:
    found = graph.findings
    return (
        *(_clash(c, graph) for c in found.clashes if not c.position),
        *(_dependence(d, graph) for d in found.dependent),
        *(_loop(loop, graph) for loop in found.loops),
        *(_release(group, graph) for group in _alike(found.releases)),
        *_positions([c for c in found.clashes if c.position], graph),
        *(_resting(part, graph) for part in found.resting),
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
    if not found.path:
        return _hidden(found, what, teller, graph)
    cure = (
        f"a small resistance between them gives `{found.storage}` a state of its own"
        if element.kind is Kind.C
        else f"a large resistance beside them gives `{found.storage}` a state of its own"
    )
    return Diagnostic(
        "E110",
        f"`{found.storage}` is a dependent storage, its {what} is not a state{teller}"
        f" (causal path {path_text(found.path, graph)})",
        _labels(graph, (found.storage,), "differentiates"),
        help=f"{cure}; without it the simulation reduces the index by itself",
        rule=f"{RULE}: preferred causality",
        severity=Severity.NOTE,
    )


def _hidden(found: Dependence, what: str, teller: str, graph: Graph) -> Diagnostic:
    return Diagnostic(
        "E115",
        f"`{found.storage}` is a dependent storage, its {what} is not a state{teller}; no causal path shows"
        " it, but with the ratios given the equations are singular",
        _labels(graph, (found.storage,), "tied by numbers, not by structure"),
        help="another ratio, or a small resistance in the mesh, gives it a state; as it is, the simulation"
        " may find a singular loop (R123)",
        rule=f"{RULE}: preferred causality",
        severity=Severity.WARNING,
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
    """`a` open and `b` closed; `a`, `b` and `c` open. A clutch or brake does not open, it locks or
    slides."""
    valves = [e.name for e in graph.elements if e.kind in VALVES]
    if len(position) > 2 and len(position) == len(valves) and len({o for _, o in position}) == 1:
        return f"all switches and diodes {'open' if position[0][1] else 'closed'}"
    if len(position) < 3:
        return " and ".join(f"`{name}` {_state(name, o, graph)}" for name, o in position)
    said: dict[str, list[str]] = {}
    for name, is_open in position:
        said.setdefault(_state(name, is_open, graph), []).append(name)
    return ", ".join(f"{_quoted(tuple(names))} {word}" for word, names in said.items())


def _state(name: str, is_open: bool, graph: Graph) -> str:
    is_friction = graph.element(name).ports[0].domain in MECHANICAL
    words = ("locked", "sliding") if is_friction else ("open", "closed")
    return words[0] if is_open else words[1]


def _alike(releases: tuple[Release, ...]) -> list[list[Release]]:
    """Positions that take away the same storages for the same reason are told in one note."""
    groups: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Release]] = {}
    for release in releases:
        groups.setdefault((release.storages, release.tied), []).append(release)
    return list(groups.values())


def _listed(positions: list[tuple[tuple[str, bool], ...]], graph: Graph) -> str:
    shown = [position_text(position, graph) for position in positions[:MOST_POSITIONS]]
    more = f" (and {len(positions) - len(shown)} more)" if len(positions) > len(shown) else ""
    return "; or ".join(shown) + more


def _release(found: list[Release], graph: Graph) -> Diagnostic:
    first = found[0]
    verb = "is not a state" if len(first.storages) == 1 else "are not states"
    tied = f": tied to {_quoted(first.tied)}" if first.tied else ""
    where = _listed([each.position for each in found], graph)
    valves = tuple(dict.fromkeys(name for each in found for name, _ in each.position))
    return Diagnostic(
        "E112",
        f"with {where}, {_quoted(first.storages)} {verb}{tied}",
        _labels(graph, valves, "changes the causality"),
        help="the simulation counts states anew in each position; a snubber or a leak keeps them",
        rule=f"{RULE}: fixed causality of ideal switches",
        severity=Severity.NOTE,
    )


def _clash(found: Clash, graph: Graph) -> Diagnostic:
    if not found.sources:
        return _undecided(found)
    if len(found.sources) == 1:
        message = f"`{found.sources[0]}` has nothing to act on, or acts on what is at rest"
    else:
        message = f"{_quoted(found.sources)} are redundant or contradict each other"
    return Diagnostic(
        "E113",
        message,
        _labels(graph, found.sources, "a source with fixed causality"),
        help="put a resistance between effort sources, or beside flow sources",
        rule=f"{RULE}: fixed causality",
    )


def _undecided(found: Clash) -> Diagnostic:
    return Diagnostic(
        "E116",
        f"nothing decides every effort and flow around `{found.junction}`",
        help="something circulates or floats, as the current of a transformer of ratio one with both"
        " sides in parallel; a small resistance there decides it, or the simulation may find a singular"
        " loop (R123)",
        rule=f"{RULE}: constrained causality",
        severity=Severity.WARNING,
    )


def _resting(part: tuple[str, ...], graph: Graph) -> Diagnostic:
    shown = part if len(part) <= SHOWN else (*part[: SHOWN - 1], f"{len(part) - SHOWN + 1} more")
    whom = "it" if len(part) == 1 else "them"
    return Diagnostic(
        "E119",
        f"nothing moves {_quoted(shown)}: no bond leads from a source to {whom}",
        _labels(graph, part[:SHOWN], "at rest"),
        help="connect a source, or let a storage among them start with a value other than zero",
        rule="Wainer and D'Abreu, section 3.1: at least one source",
        severity=Severity.WARNING,
    )


def _positions(found: list[Clash], graph: Graph) -> list[Diagnostic]:
    """All in one note: a bridge has many."""
    if not found:
        return []
    where = _listed([clash.position for clash in found], graph)
    who = tuple(dict.fromkeys(name for clash in found for name in clash.sources))
    return [
        Diagnostic(
            "E114",
            f"{_quoted(who)} would be short-circuited or cut off with {where}",
            _labels(graph, who, "has fixed causality"),
            help="fine if that never occurs; otherwise give the switch a resistance or a leak",
            rule=f"{RULE}: fixed causality of ideal switches",
            severity=Severity.NOTE,
        )
    ]
