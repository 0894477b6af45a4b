"""A causal bond graph becomes a coupled DEVS model: the quantized bond graph of the paper.

In: a `CausalGraph` and how to quantize. Out: a `Coupled`. The rules of coupling: an effort goes
from the end that makes it to the other, unless that is a flow source; a flow the other way, unless
that is an effort source. At a 1-junction the bond it sends an effort to is number 1, at a
0-junction the bond it sends a flow to. Precedence (select): junctions, then two-ports, then
resistances, then storages and sources, so that what happens at once is over before a level changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.devs.cdpp.ma_nodes import TOP
from freewheel.devs.nodes import Atomic, Coupled, Coupling, Port
from freewheel.devs.qbg import library
from freewheel.devs.qbg.field import with_field
from freewheel.devs.qbg.graph_nodes import Bond, CausalGraph, Element, Junction
from freewheel.devs.qbg.library import Side
from freewheel.devs.qbg.polynomial_atomics import raised
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signals import Signal

PRECEDENCE = {"TF": 1, "GY": 1, "R": 2, "C": 3, "I": 3, "Se": 3, "Sf": 3}
SOURCES = ("Se", "Sf")
USUAL = Quantizer(quantum=0.01, window=0.01)


@dataclass(frozen=True, slots=True)
class Quanta:
    """How to quantize: by element where it is named, else as `usual`."""

    usual: Quantizer = USUAL
    by_name: Mapping[str, Quantizer] = field(default_factory=dict)
    order: int = 1  # 2 and 3: components send lines and parabolas

    def of(self, name: str) -> Quantizer:
        return self.by_name.get(name, self.usual)


def generate(
    graph: CausalGraph, quanta: Quanta | None = None, *, tells_sources: bool = False
) -> Coupled:
    """The coupled model; outputs are those of all storages and sources, named after them.

    Names become plain ones: `sub.r[2]` is the component `sub_r_2`. With `tells_sources`, a source is
    coupled to what comes back to it, as in Fig. 24 of the paper; it takes no notice.
    """
    names = plain_names(graph)
    kinds = _kinds(graph)
    touching = _touching(graph)
    sides = _all_sides(graph, kinds, touching)
    models: dict[str, Atomic[Any]] = {}
    for junction in graph.junctions:
        own = [sides[at, junction.name] for at in touching[junction.name]]
        models[names[junction.name]] = _junction(junction, own)
    ranked = sorted(graph.elements, key=lambda element: PRECEDENCE[element.kind])
    for element in ranked:
        bonds = {at: graph.bonds[at] for at in touching[element.name]}
        models[names[element.name]] = _element(element, bonds, sides, quanta or Quanta())
    couplings = [
        Coupling(Port(names[source], outlet), Port(names[target], inlet))
        for at, bond in enumerate(graph.bonds)
        for source, outlet, target, inlet in _couplings(at, bond, sides)
        if tells_sources or kinds[target] not in SOURCES
    ]
    shown = [names[element.name] for element in ranked if PRECEDENCE[element.kind] == 3]
    couplings += [Coupling(Port(name, models[name].outputs[0]), Port("", name)) for name in shown]
    dependent = [
        names[e.name] for e in ranked if e.kind in ("C", "I") and _is_dependent(e, graph, touching)
    ]
    made = with_field(Coupled(models, couplings, outputs=shown), dependent)
    return made if quanta is None or quanta.order == 1 else raised(made, quanta.order)


def _is_dependent(element: Element, graph: CausalGraph, touching: Mapping[str, list[int]]) -> bool:
    """In derivative causality: the effort of a C, or the flow of an I, is an input."""
    makes_effort = graph.bonds[touching[element.name][0]].effort_maker == element.name
    return makes_effort != (element.kind == "C")


def plain_names(graph: CausalGraph) -> dict[str, str]:
    """Names without what has a meaning in paths and files; each its own, and none that of the whole model."""
    found: dict[str, str] = {}
    taken = {TOP}
    for name in _kinds(graph):
        plain = unique = re.sub(r"[^\w$]+", "_", name).strip("_") or "_"
        count = 1
        while unique.lower() in taken:
            count += 1
            unique = f"{plain}_{count}"
        taken.add(unique.lower())
        found[name] = unique
    return found


def _kinds(graph: CausalGraph) -> dict[str, object]:
    elements = {element.name: element.kind for element in graph.elements}
    return {**elements, **{junction.name: junction.kind for junction in graph.junctions}}


Sides = Mapping[tuple[int, str], Side]  # (number of a bond, name of an end)


def _touching(graph: CausalGraph) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {name: [] for name in _kinds(graph)}
    for at, bond in enumerate(graph.bonds):
        found[bond.tail].append(at)
        found[bond.head].append(at)
    return found


def _all_sides(
    graph: CausalGraph, kinds: Mapping[str, object], touching: Mapping[str, list[int]]
) -> dict[tuple[int, str], Side]:
    """Number the bonds at every component."""
    sides: dict[tuple[int, str], Side] = {}
    for junction in graph.junctions:
        bonds = touching[junction.name]
        # The bond that decides is number 1; the others follow in their own order.
        first = [at for at in bonds if _decides(graph.bonds[at], junction)]
        if len(first) != 1:
            raise _not_causal(junction, len(first))
        ordered = [*first, *(at for at in bonds if at not in first)]
        for number, at in enumerate(ordered, 1):
            sides[at, junction.name] = Side(number, graph.bonds[at].head == junction.name)
    for at, bond in enumerate(graph.bonds):
        for name, port, is_in in (
            (bond.tail, bond.tail_port, False),
            (bond.head, bond.head_port, True),
        ):
            if kinds[name] not in (0, 1):
                sides[at, name] = Side(port, is_in)
    return sides


def _decides(bond: Bond, junction: Junction) -> bool:
    makes_effort = bond.effort_maker == junction.name
    return makes_effort if junction.kind == 1 else not makes_effort


def _not_causal(junction: Junction, found: int) -> CompileError:
    what = "flow" if junction.kind == 1 else "effort"
    return CompileError(
        Diagnostic(
            "E080",
            f"{found} bonds decide the {what} of the {junction.kind}-junction `{junction.name}`",
            help="exactly one does in a causal bond graph; assign causality first",
        )
    )


def _junction(junction: Junction, sides: list[Side]) -> Atomic[Any]:
    ordered = sorted(sides, key=lambda side: side.number)
    make = library.serial_junction if junction.kind == 1 else library.parallel_junction
    return make(ordered)


def _element(
    element: Element, bonds: Mapping[int, Bond], sides: Sides, quanta: Quanta
) -> Atomic[Any]:
    expected = 2 if element.kind in ("TF", "GY") else 1
    if len(bonds) != expected:
        raise _wrong(element, f"has {len(bonds)} bonds instead of {expected}")
    own = sorted((sides[at, element.name] for at in bonds), key=lambda side: side.number)
    makes = {
        sides[at, element.name].number: bond.effort_maker == element.name
        for at, bond in bonds.items()
    }
    kind, value, quantizer = element.kind, element.value, quanta.of(element.name)
    if kind in ("C", "I"):
        if makes[1] != (kind == "C"):
            return library.dependent_storage(kind, value, quantizer, own[0])
        make_storage = library.capacitor if kind == "C" else library.inductor
        return make_storage(value, quantizer, element.initial, own[0])
    if kind in SOURCES:
        if makes[1] != (kind == "Se"):
            raise _wrong(element, "has as an input what it should give")
        make_source = library.effort_source if kind == "Se" else library.flow_source
        return make_source(element.signal or Signal.make("Constant"), quantizer, own[0])
    if kind == "R":
        make = library.resistance_flow_in if makes[1] else library.resistance_effort_in
        return make(value, own[0])
    return _two_port(element, own, makes)


def _two_port(element: Element, own: list[Side], makes: Mapping[int, bool]) -> Atomic[Any]:
    if element.kind == "TF":
        if makes[1] == makes[2]:
            raise _wrong(element, "has two efforts as inputs or as outputs")
        return library.transformer(element.value, own[0], own[1], 2 if makes[1] else 1)
    if makes[1] != makes[2]:
        raise _wrong(element, "has one effort and one flow as inputs")
    make = library.gyrator_flow_in if makes[1] else library.gyrator_effort_in
    return make(element.value, own[0], own[1])


def _wrong(element: Element, why: str) -> CompileError:
    return CompileError(
        Diagnostic(
            "E081",
            f"the {element.kind} `{element.name}` {why}",
            help="quantized bond graphs take integral causality only; a small resistance"
            " separates dependent storages",
        )
    )


def _couplings(at: int, bond: Bond, sides: Sides) -> Iterator[tuple[str, str, str, str]]:
    """ice and icf of the paper: source and its port, target and its port."""
    maker = bond.effort_maker
    told = bond.head if maker == bond.tail else bond.tail
    yield maker, sides[at, maker].effort, told, sides[at, told].effort
    yield told, sides[at, told].flow, maker, sides[at, maker].flow
