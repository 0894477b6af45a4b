"""A bond graph as a Modelica model made of the library BondGraph.

    to_modelica(bond_graph(load("ec.mo")))     "model EC ... connect(V.p, '$R'.i[1]); ..."

Elements keep their names, so `C.v` of a circuit is `C.e` here. What a signal drives, and what is not
linear, the graph does not tell: such a model cannot be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.base.keywords import KEYWORDS
from freewheel.base.source import NOWHERE
from freewheel.bondgraph.nodes import (
    SOURCES,
    TWO_PORTS,
    Element,
    End,
    Graph,
    Kind,
    Signal,
    Stage,
)
from freewheel.bondgraph.show import number_text

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTED = re.compile(r"'([^'\\]|\\.)+'")  # by the modeller
_LIBRARY = "BondGraph"
_SHAPES = "Modelica.Blocks.Sources"
_LINEAR = {
    Kind.R: ("R", "G"),
    Kind.C: ("C", "K"),
    Kind.I: ("I", ""),
    Kind.TF: ("n", ""),
    Kind.GY: ("r", "g"),
}
_OUTPUTS = {Kind.SE: "effort", Kind.SF: "flowRate"}
_CONSTANTS = {Kind.SE: "e0", Kind.SF: "f0"}


def to_modelica(graph: Graph, model_name: str = "") -> str:
    """A whole model; the graph must be directed, ground may be there or not."""
    assert list(Stage).index(graph.stage) >= list(Stage).index(Stage.DIRECTED)
    refused = [e for e in graph.elements if not _is_told(e)]
    if refused:
        raise _refusal(refused)
    model = identifier(model_name or graph.name.rpartition(".")[2])
    lines = [f'model {model} "Bond graph of {graph.name}, stage {graph.stage}"']
    for element in graph.elements:
        lines += [f"  {line};" for line in _declaration(element)]
    used: dict[tuple[str, str], int] = {}
    connections = list(_connections(graph, used))
    for junction in graph.junctions:
        name = identifier(junction.name)
        inward, outward = used.get((name, "i"), 0), used.get((name, "o"), 0)
        lines.append(f"  {_LIBRARY}.Junction{junction.kind} {name}(ni={inward}, no={outward});")
        if junction.is_ground:
            lines.append(f"  {_rest(junction.name, junction.kind)};")
    lines.append("equation")
    lines += [f"  connect({tail}, {head});" for tail, head in connections]
    lines.append(f"end {model};")
    return "\n".join(lines) + "\n"


def identifier(text: str) -> str:
    """As it is, or in quotes."""
    if (_IDENTIFIER.fullmatch(text) and text not in KEYWORDS) or _QUOTED.fullmatch(text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


# ---------------------------------------------------------------- elements


def _is_told(element: Element) -> bool:
    if element.kind is Kind.GROUND:
        return True
    if element.kind in SOURCES:
        return element.signal is not None
    if element.kind is Kind.D:
        return bool(element.parameters) and not element.is_modulated
    names = _LINEAR.get(element.kind, ())
    return any(element.value(name) is not None for name in names if name)


def _refusal(refused: list[Element]) -> CompileError:
    names = ", ".join(f"`{e.name}`" for e in refused[:8])
    return CompileError(
        Diagnostic(
            "E118",
            f"the bond graph does not fully describe {names}: a signal drives it, or it is not linear",
            tuple(Label(e.span) for e in refused[:8] if e.span is not NOWHERE),
            help="simulate the model itself; only linear elements with numbers, and sources with a"
            " wave form, can be written as a model of BondGraph",
        )
    )


def _declaration(element: Element) -> Iterator[str]:
    name = identifier(element.name)
    if element.kind is Kind.GROUND:
        return
    if element.kind in SOURCES:
        assert element.signal is not None
        yield from _source(element, name, element.signal)
        return
    if element.kind is Kind.D:
        numbers = {"Ron": "Ron", "Goff": "Goff", "Vknee": "e0"}
        given = [f"{numbers[k]}={number_text(v)}" for k, v in element.parameters if k in numbers]
        yield f"{_LIBRARY}.D {name}({', '.join(given)})"
        return
    if element.value("G") == 0.0:  # no resistance is large enough
        yield f"{_LIBRARY}.Sf {name}(f0=0)"
        return
    plain, inverse = _LINEAR[element.kind]
    value = element.value(plain)
    text = number_text(value) if value is not None else _inverted(element, inverse)
    yield f"{_LIBRARY}.{element.kind} {name}({plain}={text}{_start(element)})"


def _inverted(element: Element, name: str) -> str:
    value = element.value(name)
    assert value is not None
    return f"1/{number_text(value)}"


def _start(element: Element) -> str:
    """Of the effort of a C, of the flow of an I; a spring is told by its displacement."""
    if element.kind is Kind.C:
        displaced, stiffness = element.value("q0"), element.value("K")
        if displaced is not None and stiffness is not None:
            return f", e(start={number_text(displaced * stiffness)})"
        return f", e(start={number_text(element.value('start') or 0.0)})"
    if element.kind is Kind.I:
        return f", f(start={number_text(element.value('start') or 0.0)})"
    return ""


def _source(element: Element, name: str, signal: Signal) -> Iterator[str]:
    if signal.name == "Constant":
        value = dict(signal.parameters)["k"]
        yield f"{_LIBRARY}.{element.kind} {name}({_CONSTANTS[element.kind]}={number_text(value)})"
        return
    block = identifier(f"{element.name}.signal")
    numbers = ", ".join(f"{key}={number_text(value)}" for key, value in signal.parameters)
    yield f"{_SHAPES}.{signal.name} {block}({numbers})"
    yield f"{_LIBRARY}.{element.kind} {name}({_OUTPUTS[element.kind]}={block}.y)"


def _rest(junction: str, kind: Kind) -> str:
    """A source of nothing, for a ground that is still there."""
    source, parameter = ("Se", "e0") if kind is Kind.ZERO else ("Sf", "f0")
    return f"{_LIBRARY}.{source} {identifier(junction + '.rest')}({parameter}=0)"


# ---------------------------------------------------------------- bonds


def _connections(graph: Graph, used: dict[tuple[str, str], int]) -> Iterator[tuple[str, str]]:
    """Pairs of ports; `used` counts the ports of junctions by name and side."""
    elements = {e.name: e for e in graph.elements}

    def port(end: End, is_tail: bool) -> str:
        name = identifier(end.vertex)
        element = elements.get(end.vertex)
        if element is None:
            side = "o" if is_tail else "i"
            used[name, side] = used.get((name, side), 0) + 1
            return f"{name}.{side}[{used[name, side]}]"
        if element.kind in TWO_PORTS:
            return f"{name}.{'i' if end.port == '1' else 'o'}"
        return f"{name}.p"

    for bond in graph.bonds:
        ends = [end.vertex for end in (bond.tail, bond.head)]
        if any(name in elements and elements[name].kind is Kind.GROUND for name in ends):
            continue
        yield port(bond.tail, True), port(bond.head, False)
    for junction in graph.junctions:
        if junction.is_ground:
            rest = identifier(junction.name + ".rest")
            yield f"{rest}.p", port(End(junction.name), False)
