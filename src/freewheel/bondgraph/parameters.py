"""Numbers of an element: parameters, start values, and the signal of a source.

    Resistor r(R=10)       ->  (("R", 10.0),)
    SineVoltage v(V=15)    ->  Signal("Sine", (("amplitude", 15.0), ("f", 1.0), ...))

A source of the library has its wave form in a block `signalSource`, in every version under names of its
own; they are read from there. What has no value before the simulation is left out.
"""

from __future__ import annotations

from math import prod

from freewheel.base.diagnostics import FreewheelError
from freewheel.bondgraph.nodes import Kind, Signal
from freewheel.bondgraph.rules import PartRule, PlaceRule
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.types import BOOLEAN
from freewheel.formula.values import ArrayValue
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import ComponentInstance, components_of, find_component
from freewheel.instance.nodes import PARAMETER
from freewheel.instance.session import Session

Numbers = tuple[tuple[str, float], ...]

SIGNAL_BLOCK = "signalSource"
WAVE_FORMS = ("Modelica", "Blocks", "Sources")
NEWER_NAMES = {"freqHz": "f"}


class Parameters:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of_part(self, node: ClassNode, part: PartRule) -> tuple[Numbers, Signal | None]:
        """The parameters of an element, and its signal if it is a source that has one."""
        if part.kind in (Kind.SE, Kind.SF):
            return (), self._signal(node, part)
        numbers = self._values(node, part.values)
        if part.start:
            start = self._start(node, part.start)
            numbers = (*numbers, ("start", 0.0 if start is None else start))
        return numbers, None

    def is_true(self, node: ClassNode, name: str) -> bool:
        component = find_component(node, name)
        return component is not None and self._value(component) == 1.0

    def place(self, node: ClassNode, rule: PlaceRule) -> float | None:
        """The position of a flange at the start, if the model determines it."""
        component = find_component(node, rule.position)
        if component is None:
            return None
        if component.variability > PARAMETER and not self.is_fixed(component):
            return None
        position = self._number(node, rule.position)
        length = self._number(node, rule.length) if rule.length else 0.0
        if position is None:
            return None
        return position + rule.side * 0.5 * (length or 0.0)

    def is_fixed(self, component: ComponentInstance) -> bool:
        typed = self._session.elaborator.attribute(component, "fixed")
        return typed is not None and self._session.values.try_of(typed.expr) is True

    # ------------------------------------------------------------ sources

    def _signal(self, node: ClassNode, part: PartRule) -> Signal | None:
        if part.is_modulated:
            return None
        if part.signal:
            return Signal(part.signal, self._values(node, part.values))
        if part.constant:
            value = self._number(node, part.constant)
            return None if value is None else Signal("Constant", (("k", value),))
        block = find_component(node, SIGNAL_BLOCK)
        return None if block is None else self._of_block(block)

    def _of_block(self, block: ComponentInstance) -> Signal | None:
        """None for a wave form with a table in it."""
        node = block.node()
        numbers: list[tuple[str, float]] = []
        for component in components_of(node):
            if component.variability == PARAMETER and not component.is_protected:
                if prod(component.dims()) != 1:
                    return None
                value = self._value(component)
                if _is_boolean(component):  # a wave form of another kind, where it is true
                    if value:
                        return None
                    continue
                name = NEWER_NAMES.get(component.name, component.name)
                if value is not None and name not in dict(numbers):
                    numbers.append((name, value))
        if node.definition.name[:-1] != WAVE_FORMS:
            return None
        return Signal(node.definition.name[-1], tuple(numbers))

    # ------------------------------------------------------------ numbers

    def _values(self, node: ClassNode, wanted: tuple[tuple[str, str], ...]) -> Numbers:
        found: list[tuple[str, float]] = []
        for name, source in wanted:
            value = self._number(node, source)
            if value is not None:
                found.append((name, value))
        return tuple(found)

    def _number(self, node: ClassNode, source: str) -> float | None:
        """`a|b` the first there is, `a-b` a difference, `1/a` an inverse."""
        if source.startswith("1/"):
            value = self._number(node, source[2:])
            return 1.0 / value if value else None
        if "-" in source:
            left, right = (self._number(node, part) for part in source.split("-"))
            return None if left is None or right is None else left - right
        for name in source.split("|"):
            component = find_component(node, name)
            if component is not None and component.exists():
                if component.variability > PARAMETER:
                    start = self._start(node, name)
                    return 0.0 if start is None else start
                return self._value(component)
        return None

    def _start(self, node: ClassNode, name: str) -> float | None:
        component = find_component(node, name)
        if component is None:
            return None
        typed = self._session.elaborator.attribute(component, "start")
        if typed is None:
            return None
        value = self._session.values.try_of(typed.expr)
        return float(value) if isinstance(value, (int, float)) else None

    def _value(self, component: ComponentInstance) -> float | None:
        try:
            value = self._session.values.of_component(component)
        except (NotConstant, FreewheelError):
            return None
        if isinstance(value, ArrayValue):  # library version 2: amplitude={V}
            value = value.elements[0] if len(value.elements) == 1 else ""
        return float(value) if isinstance(value, (int, float)) else None


def _is_boolean(component: ComponentInstance) -> bool:
    return component.simple is not None and component.simple.scalar == BOOLEAN
