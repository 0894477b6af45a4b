"""Stage `graph`: from an instance to elements, their connectors and the wires between them.

    circuit_of(instantiate(library, ("EC",)))      5 elements, 9 pins, 6 wires

The tree of components is walked from the top. A class of the table (or derived from one) is an
element; any other is opened, and its connections are wires. Blocks and signals carry no power and
are left out; a source or switch that a signal drives is marked as modulated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from freewheel.base.diagnostics import Diagnostic, error
from freewheel.base.names import show
from freewheel.base.source import Span
from freewheel.bondgraph.bearings import mounted
from freewheel.bondgraph.connectors import Power, all_of, inputs_of, inside, named
from freewheel.bondgraph.domains import NODE_KIND
from freewheel.bondgraph.initial import state_of
from freewheel.bondgraph.laws import Learnt
from freewheel.bondgraph.learn import Teacher
from freewheel.bondgraph.nodes import SOURCES, VALVES, Element, Graph, Kind, Port, Stage, Wire
from freewheel.bondgraph.parameters import Parameters
from freewheel.bondgraph.positions import displaced
from freewheel.bondgraph.recognise import recognised
from freewheel.bondgraph.rules import ClassRule, PartRule, PortRule
from freewheel.bondgraph.table import rule_named
from freewheel.bondgraph.verify import verify
from freewheel.flat.connect import Connection, ConnectionCollector, End, is_connector
from freewheel.flat.expandable import elaborate_expandable
from freewheel.flat.nodes import FlatModel
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import ComponentInstance, components_of
from freewheel.instance.instantiate import Instance
from freewheel.syntax import equation_nodes as syn_eq
from freewheel.syntax.check import walk

HEAT = PortRule("heatPort", is_out=True)


def circuit_of(instance: Instance, flat: Callable[[], FlatModel]) -> Graph:
    """`flat` makes the flat model, should the equations of some class be asked for."""
    walk = _Walk(instance, flat)
    walk.open(instance.node)
    connected = _wires(walk.opened, instance)
    wires = (*walk.wires, *connected)
    return Graph(
        show(instance.name),
        Stage.GRAPH,
        displaced(mounted(walk.elements, wires), connected, walk.places),
        wires,
        remarks=(*instance.warnings, *walk.remarks),
        span=instance.node.definition.span,
    )


class _Walk:
    """Elements in the order of the model, and the classes that were opened."""

    def __init__(self, instance: Instance, flat: Callable[[], FlatModel]) -> None:
        self.elements: list[Element] = []
        self.wires: list[Wire] = []
        self.remarks: tuple[Diagnostic, ...] = ()
        self.opened: list[ClassNode] = []
        self._parameters = Parameters(instance.session)
        self.places: dict[str, float] = {}  # positions of flanges at the start
        self._flat = flat
        self._teacher: Teacher | None = None
        self._known = 0  # components that a rule was found for

    def open(self, node: ClassNode) -> None:
        self.opened.append(node)
        for component in components_of(node):
            if component.is_outer and not component.is_inner:
                continue
            if not component.exists() or component.simple is not None or is_connector(component):
                continue
            for below in component.nodes():
                self._visit(below, component)

    def _visit(self, node: ClassNode, component: ComponentInstance) -> None:
        rule = rule_of(node)
        if rule is not None:
            self._known += 1
            if not (rule.is_recognised and self._learnt(node, component)):
                self._elements(node, rule, component)
            return
        if node.restricted_kind() == "block":
            return
        count = self._known
        self.open(node)
        if self._known == count and any(all_of(node)) and _has_equations(node):
            if not self._learnt(node, component):
                raise unknown_element(node, component)
            self._known += 1

    # ------------------------------------------------------------ one element

    def _elements(self, node: ClassNode, rule: ClassRule, component: ComponentInstance) -> None:
        assert node.path is not None
        if rule.is_junction is not None:
            self._junction(node, rule.is_junction, component)
            return
        before, joined = len(self.elements), []
        for connector in rule.grounds:
            pin = named(node, connector)
            if pin is not None:
                self._ground(node, pin, component.span)
        for place in rule.places:
            pin, at = named(node, place.connector), self._parameters.place(node, place)
            if pin is not None and at is not None:
                self.places[show(pin.path)] = at
        for pair in rule.joined:
            pins = [pin for name in pair if (pin := named(node, name)) is not None]
            if len(pins) == 2:
                joined.append((show(pins[0].path), show(pins[1].path)))
                self.wires.append(Wire(*joined[-1], component.span))
        for part in recognised(node, rule.parts) if rule.is_recognised else rule.parts:
            if any(named(node, port.positive) is None for port in part.ports):
                raise unknown_element(node, component)
            if not part.when or self._parameters.is_true(node, part.when):
                self._add(self._element(node, part, component.span))
        if named(node, "heatPort") is not None:
            heat = PartRule(Kind.SF, (HEAT,), suffix="heat", is_modulated=True)
            self._add(self._element(node, heat, component.span))
        verified = verify(node, component, self.elements[before:], joined, self._flat_teacher(node))
        states = {part.suffix: part.state or part.start for part in rule.parts}
        is_alone = len(rule.parts) == 1 and not joined
        self.elements[before:] = [
            replace(e, state=state_of(e, node, states.get(_suffix(e, node), ""), is_alone))
            for e in verified.elements
        ]
        self.remarks += verified.remarks

    def _flat_teacher(self, node: ClassNode) -> Teacher:
        if self._teacher is None:
            self._teacher = Teacher(self._flat(), node.session.values)
        return self._teacher

    def _add(self, element: Element) -> None:
        self.elements.append(element)

    def _ground(self, node: ClassNode, pin: Power, span: Span) -> None:
        port = Port(show(pin.path), "", pin.domain)
        self._add(Element(show(node.path or ()), Kind.GROUND, (port,), span=span))

    def _learnt(self, node: ClassNode, component: ComponentInstance) -> bool:
        """Adds an element that the equations of a class determine; False where they do not."""
        pins = list(all_of(node))
        found = self._flat_teacher(node).element(node.path or (), pins, inputs_of(node))
        if found is None:
            return False
        if found.kind is Kind.GROUND:
            self._ground(node, pins[0], component.span)
            return True
        # Which way a learnt diode lets flow pass is in its condition, which is not read.
        is_modulated = found.kind in VALVES or (found.kind in SOURCES and found.signal is None)
        made = Element(
            show(node.path or ()),
            found.kind,
            tuple(_learnt_ports(found, pins)),
            found.parameters,
            found.signal,
            is_modulated,
            component.span,
        )
        if found.kind in SOURCES:
            (made,) = verify(node, component, (made,), (), self._flat_teacher(node)).elements
        self._add(replace(made, state=state_of(made, node, "", is_alone=True)))
        return True

    def _element(self, node: ClassNode, part: PartRule, span: Span) -> Element:
        assert node.path is not None
        ports = tuple(_port(node, port) for port in part.ports)
        numbers, signal = self._parameters.of_part(node, part)
        is_modulated = part.is_modulated or (
            signal is None and not numbers and part.kind in (Kind.SE, Kind.SF)
        )
        name = show((*node.path, part.suffix) if part.suffix else node.path)
        return Element(name, part.kind, ports, numbers, signal, is_modulated, span)

    def _junction(self, node: ClassNode, kind: Kind, component: ComponentInstance) -> None:
        """A junction of the library BondGraph: one port for each of its connectors."""
        assert node.path is not None
        ports = [
            Port(show(power.path), "", power.domain, is_out=power.path[len(node.path)] == "o")
            for power in all_of(node)
        ]
        self.elements.append(Element(show(node.path), kind, tuple(ports), span=component.span))


def _suffix(element: Element, node: ClassNode) -> str:
    return element.name[len(show(node.path or ())) + 1 :]


def rule_of(node: ClassNode) -> ClassRule | None:
    """Of the class itself or of the nearest base class that has one."""
    for ancestor in node.lineage():
        rule = rule_named(ancestor.definition.name)
        if rule is not None:
            return rule
    return None


def unknown_element(node: ClassNode, component: ComponentInstance) -> Exception:
    return error(
        "E102",
        f"`{show(component.path)}` has no bond graph: nothing is known about `{node.title}`",
        component.span,
        help="build it from elements of the library, or derive it from a class that is one"
        " (docs/theory/bond-graphs.md lists them)",
        rule="Wainer and D'Abreu, section 3.1: supported classes",
    )


def _has_equations(node: ClassNode) -> bool:
    """Of its own, besides connections."""
    return any(
        isinstance(part, (syn_eq.Equation, syn_eq.WhenEquation))
        for _, section in node.sections()
        for part in walk(section)
    )


def _port(node: ClassNode, rule: PortRule) -> Port:
    positive = named(node, rule.positive)
    assert positive is not None, (node.title, rule.positive)
    negative = named(node, rule.negative) if rule.negative else None
    return Port(
        show(positive.path),
        show(negative.path) if negative is not None else "",
        positive.domain,
        rule.is_out,
    )


def _learnt_ports(found: Learnt, pins: list[Power]) -> Iterator[Port]:
    """As in the table: both ports of an electrical two-port count power in."""
    sizes = found.ports or (len(pins),)
    is_mechanical = any(NODE_KIND[pin.domain] is Kind.ONE for pin in pins)
    at = 0
    for number, size in enumerate(sizes):
        ends = [show(pin.path) for pin in pins[at : at + size]]
        first, second = (*(reversed(ends) if found.is_turned else ends), "")[:2]
        is_out = found.kind in SOURCES or (number == 1 and is_mechanical)
        yield Port(first, second, pins[at].domain, is_out)
        at += size


# ---------------------------------------------------------------- wires


def _wires(opened: Iterable[ClassNode], instance: Instance) -> list[Wire]:
    collector = ConnectionCollector(instance.session)
    for node in opened:
        collector.of_node(node)
    elaborate_expandable(collector)
    return [wire for connection in collector.connections for wire in _pairs(connection)]


def _pairs(connection: Connection) -> Iterator[Wire]:
    """A plug of several pins is several wires; signals are none."""
    left, is_odd = inside(connection.left)
    right, _ = inside(connection.right)
    if is_odd:
        raise _no_power(connection.left, connection)
    for place in left:
        if place in right:
            yield Wire(
                show((*connection.left.path, *place)),
                show((*connection.right.path, *place)),
                connection.span,
            )


def _no_power(end: End, connection: Connection) -> Exception:
    return error(
        "E103",
        f"`{show(end.path)}` is not a power connector known to bond graphs",
        connection.span,
        help="a connector of power has one potential and one flow, as pins, flanges and heat"
        " ports have",
        rule="Wainer and D'Abreu, section 3.1: valid pin references",
    )
