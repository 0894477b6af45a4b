"""What a one-port of the modeller's own is, read from the equations it adds.

    model Lamp extends OnePort; equation i = k*sqrt(v); end Lamp;       an R, nonlinear

`der(v)` makes it a C, `der(i)` an I; one that never speaks of its current is an effort source, one that
never speaks of its voltage a flow source; anything else dissipates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from freewheel.bondgraph.nodes import Kind
from freewheel.bondgraph.rules import PartRule, PortRule
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import find_component
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax.check import walk

BASES = {"OnePort", "TwoPin", "PartialCompliant", "PartialTwoFlanges", "Element1D"}


def recognised(node: ClassNode, parts: tuple[PartRule, ...]) -> tuple[PartRule, ...]:
    """The parts with the kind that fits; only electrical one-ports differ."""
    part = parts[0]
    if part.ports[0].positive != "p":
        return parts
    spoken, differentiated = _mentions(node)
    kind = _kind(spoken, differentiated)
    port = part.ports[0]
    if kind is Kind.SE:
        port = replace(port, is_out=True)
    if kind is Kind.SF:
        port = PortRule(port.negative, port.positive, is_out=True)
    return (replace(part, kind=kind, ports=(port,)),)


def _kind(spoken: set[str], differentiated: set[str]) -> Kind:
    if "v" in differentiated:
        return Kind.C
    if "i" in differentiated:
        return Kind.I
    if "i" not in spoken:
        return Kind.SE
    return Kind.R if "v" in spoken else Kind.SF


def _mentions(node: ClassNode) -> tuple[set[str], set[str]]:
    """Of v and i: those in equations of the class, and those under `der`."""
    spoken: set[str] = set()
    differentiated: set[str] = set()
    for name in ("v", "i"):
        component = find_component(node, name)
        if component is not None and component.binding() is not None:
            spoken.add(name)
    for part in _own_equations(node):
        if isinstance(part, syn_expr.Call) and part.function.names == ("der",):
            differentiated.update(_name(arg) for arg in part.args)
        spoken.add(_name(part))
    return spoken, differentiated


def _own_equations(node: ClassNode) -> Iterator[object]:
    for scope, section in node.sections():
        if scope.definition.name[-1] not in BASES:
            yield from walk(section)


def _name(part: object) -> str:
    """`v`, and `p.v - n.v` counts as v, `p.i` as i."""
    if not isinstance(part, syn_expr.ComponentRef):
        return ""
    names = part.names
    if names[0] in ("p", "n") and len(names) == 2:
        return str(names[1])
    return str(names[0]) if len(names) == 1 else ""
