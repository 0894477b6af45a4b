"""How far springs are displaced at the start: by the positions of what they are connected to.

    Mass m(s(start=0.2, fixed=true)) on a spring of a wall at 0     ->    q0 = 0.2

Velocities are all a bond graph knows; but a spring begins with the force of its displacement. The model
mostly says where masses and walls are, not how long springs are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from freewheel.bondgraph.nodes import Element, Wire
from freewheel.bondgraph.zeros import closure

RELAXED, DISPLACEMENT = "q_relaxed", "q0"


def displaced(
    elements: Sequence[Element], wires: Iterable[Wire], places: Mapping[str, float]
) -> tuple[Element, ...]:
    """Springs between known positions are told their displacement; the relaxed length goes."""
    root = closure((wire.left, wire.right) for wire in wires)
    at = {root(pin): position for pin, position in places.items()}
    return tuple(
        _told(element, [at.get(root(pin)) for pin in _ends(element)]) for element in elements
    )


def _ends(element: Element) -> tuple[str, str]:
    return element.ports[0].positive, element.ports[0].negative


def _told(element: Element, positions: list[float | None]) -> Element:
    numbers = dict(element.parameters)
    relaxed = numbers.pop(RELAXED, None)
    if relaxed is None:
        return element
    there, here = positions
    if there is not None and here is not None:
        numbers[DISPLACEMENT] = there - here - relaxed
    return replace(element, parameters=tuple(numbers.items()))
