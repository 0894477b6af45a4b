"""Bearings that nothing is mounted on are at rest.

In version 2 of the standard library every gear has a flange `bearing`; its equations hold it where it is
unless something is connected to it. Later versions leave the connector `support` out in that case, so
nothing is to be done for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from freewheel.bondgraph.nodes import Element, Port, Wire
from freewheel.bondgraph.zeros import closure, pins_of

BEARING = "bearing"


def mounted(elements: Sequence[Element], wires: Sequence[Wire]) -> tuple[Element, ...]:
    """Elements whose loose bearings are taken for the frame."""
    if not any(_is_bearing(port.negative) for e in elements for port in e.ports):
        return tuple(elements)
    root = closure([(wire.left, wire.right) for wire in wires])
    held = {
        root(pin)
        for element in elements
        for port in element.ports
        for pin in pins_of(port)
        if not _is_bearing(pin)
    }

    def settled(port: Port) -> Port:
        is_loose = _is_bearing(port.negative) and root(port.negative) not in held
        return replace(port, negative="") if is_loose else port

    return tuple(replace(e, ports=tuple(map(settled, e.ports))) for e in elements)


def _is_bearing(pin: str) -> bool:
    return pin.rpartition(".")[2] == BEARING
