"""The entry of the table for a component, corrected by the component's own equations.

    Se source(effort=10*sin(100*time))     the table: a constant of e0; the equations: 10*sin(100*time)
    Resistor r(R=10, alpha=0.1, T=310)     the table: 10; the equations: 10*(1 + 0.1*(310 - T_ref))

Each element is proved (`proof.py`). A source gets the formula it follows; one that is not the
constant or the wave form it seemed to be is modulated. An R, C or I whose number is another one
gets that; where it is zero, e = 0 or f = 0 is left, a source of nothing. What cannot be proved has no
number, and a remark tells which modifier may be the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, Severity
from freewheel.base.names import Name, show
from freewheel.bondgraph.claims import VALUES, value_of
from freewheel.bondgraph.connectors import Power, all_of, inputs_of
from freewheel.bondgraph.equations import LinearSystem
from freewheel.bondgraph.learn import Teacher
from freewheel.bondgraph.nodes import SOURCES, VALVES, Element, Kind, Signal
from freewheel.bondgraph.parameters import SIGNAL_BLOCK
from freewheel.bondgraph.proof import Proof, measured, prove
from freewheel.formula.nodes import TIME, Expr, Index, Real, Var
from freewheel.formula.walk import substitute
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import ComponentInstance, components_of
from freewheel.instance.nodes import PARAMETER

ONE_PORTS = (Kind.R, Kind.C, Kind.I)
# What is zero where the parameter is: the effort, or the flow.
AT_ZERO = {
    "R": Kind.SE, "G": Kind.SF, "C": Kind.SF, "K": Kind.SE, "I": Kind.SE
}  # fmt: skip
# At these a wave form is compared, in periods or start times.
TIMES = (0.0, 0.137, 0.611, 1.93, 7.31)

Wave = Callable[[Mapping[str, float], float], float]
WAVES: dict[str, Wave] = {
    "Sine": lambda p, t: p["amplitude"] * math.sin(2.0 * math.pi * p["f"] * t),
    "Step": lambda p, t: p["offset"] + (p["height"] if t >= p["startTime"] else 0.0),
}


@dataclass(frozen=True, slots=True)
class Verified:
    elements: tuple[Element, ...]
    remarks: tuple[Diagnostic, ...] = ()


def verify(
    node: ClassNode,
    component: ComponentInstance,
    elements: Sequence[Element],
    joined: Sequence[tuple[str, str]],
    teacher: Teacher,
) -> Verified:
    """The elements of one component according to its equations."""
    elements = [_or_nothing(e) for e in elements]
    claiming = [e for e in elements if not _is_heat(e)]
    pins = {show(pin.path): pin for pin in all_of(node)}
    blocks = [c.path for c in components_of(node) if _is_block(c)]
    system = teacher.system(node.path or (), list(pins.values()), inputs_of(node), blocks)
    if system.surplus > 0 and _modified(node):
        raise CompileError(_overdetermined(node, component))
    if not claiming or any(map(_claims_nothing, claiming)):
        return Verified(tuple(elements))
    used = {name: pin for name, pin in pins.items() if _is_used(name, claiming, joined)}
    proof = prove(claiming, joined, used, system)
    if not proof.holds and len(claiming) == 1:
        told = _told_by_equations(claiming[0], used, system)
        if told is not None:
            proof, claiming = Proof(True, proof.drive), [told]
    if not proof.holds:
        corrected = {e.name: _unproved(e) for e in claiming}
        remarks = (_remark(node, component, claiming),) if any(map(_has_number, claiming)) else ()
    else:
        corrected = {e.name: _driven(e, proof, node, teacher) for e in claiming}
        remarks = ()
    return Verified(tuple(corrected.get(e.name, e) for e in elements), remarks)


def _or_nothing(element: Element) -> Element:
    """A source of nothing in place of an element that is there with the number zero: `Resistor r(R=0)`."""
    if element.kind not in ONE_PORTS or len(element.ports) > 1:
        return element
    for name in VALUES[element.kind]:
        if name and element.value(name) == 0.0:
            ports = tuple(replace(port, is_out=True) for port in element.ports)
            nothing = Signal("Constant", (("k", 0.0),))
            return Element(element.name, AT_ZERO[name], ports, signal=nothing, span=element.span)
    return element


def _is_heat(element: Element) -> bool:
    """The heat that an element gives off follows from its law."""
    return element.kind is Kind.SF and element.ports[0].positive.endswith(".heatPort")


def _claims_nothing(element: Element) -> bool:
    """A number may be found where the table knows none."""
    if element.kind in VALVES or (element.kind in ONE_PORTS and len(element.ports) > 1):
        return True
    is_given = element.is_modulated or element.kind not in ONE_PORTS
    has_value = element.kind in (*SOURCES, Kind.GROUND) or value_of(element) is not None
    return is_given and not has_value


def _is_used(pin: str, elements: Sequence[Element], joined: Sequence[tuple[str, str]]) -> bool:
    ends = {end for e in elements for port in e.ports for end in (port.positive, port.negative)}
    return pin in ends or any(pin in pair for pair in joined)


def _is_block(component: ComponentInstance) -> bool:
    if component.simple is not None or not component.exists():
        return False
    return component.any_node().restricted_kind() == "block"


def _has_number(element: Element) -> bool:
    return bool(element.parameters) or element.signal is not None


def _unproved(element: Element) -> Element:
    return replace(element, parameters=(), signal=None, is_modulated=element.kind in SOURCES)


# ---------------------------------------------------------------- R, C and I


def _told_by_equations(
    element: Element, pins: Mapping[str, Power], system: LinearSystem
) -> Element | None:
    """The same element with the number that the equations give; None where they give none."""
    if element.kind not in ONE_PORTS:
        return None
    value = measured(element, pins, system)
    if value is None:
        return None
    own = {key: v for key, v in element.parameters if key in ("start", "q0", "q_relaxed")}
    told = replace(element, parameters=((VALUES[element.kind][0], value), *own.items()))
    return told if prove([told], (), pins, system).holds else None


# ---------------------------------------------------------------- sources


def _driven(element: Element, proof: Proof, node: ClassNode, teacher: Teacher) -> Element:
    """A source with what it gives."""
    if element.kind not in SOURCES:
        return element
    drive = proof.drive
    if drive is None:
        return _unproved(element)
    element = replace(element, drive=drive)
    if element.signal is None:
        return replace(element, is_modulated=True)
    value = teacher.value_of(drive)
    if value is not None:
        return replace(element, signal=Signal("Constant", (("k", value),)))
    block = (*(node.path or ()), SIGNAL_BLOCK)
    if _is_output(drive, block) or _is_wave(element.signal, drive, teacher):
        return element
    return replace(element, signal=None, is_modulated=True)


def _is_output(drive: Expr, block: Name) -> bool:
    """`y` of the block, or `y[1]` in older libraries."""
    if isinstance(drive, Index):
        drive = drive.args[0]
    return isinstance(drive, Var) and drive.name[: len(block)] == block


def _is_wave(signal: Signal, drive: Expr, teacher: Teacher) -> bool:
    """Whether the formula is that of a wave form that the table names."""
    wave, numbers = WAVES.get(signal.name), dict(signal.parameters)
    if wave is None:
        return False
    unit = numbers.get("startTime") or 1.0 / numbers.get("f", 1.0)
    size = max((abs(value) for value in numbers.values()), default=0.0)
    for time in TIMES:
        value = teacher.value_of(substitute(drive, {TIME: Real(time * unit)}))
        if value is None or abs(value - wave(numbers, time * unit)) > 1e-9 * size:
            return False
    return True


# ---------------------------------------------------------------- remarks


def _modified(node: ClassNode) -> list[tuple[str, ComponentInstance]]:
    """Variables of a component that its user has given a value, with the text."""
    inside = {id(scope) for scope in node.lineage()}
    found: list[tuple[str, ComponentInstance]] = []
    for each in components_of(node):
        binding = each.binding() if each.simple is not None else None
        if binding is None or each.variability <= PARAMETER or id(binding.scope) in inside:
            continue
        found.append((f"{each.name} = {binding.span.text}", each))
    return found


def _labels(node: ClassNode, component: ComponentInstance) -> tuple[Label, ...]:
    spans = [b.span for _, each in _modified(node) if (b := each.binding()) is not None]
    return tuple(Label(span, "modified here") for span in spans) or (Label(component.span),)


def _by_modifiers(node: ClassNode) -> str:
    texts = ", ".join(f"`{text}`" for text, _ in _modified(node))
    return f" (modified: {texts})" if texts else ""


def _overdetermined(node: ClassNode, component: ComponentInstance) -> Diagnostic:
    name = show(node.path or ())
    return Diagnostic(
        "E121",
        f"`{name}` has an equation too many{_by_modifiers(node)}: no bond graph has it",
        _labels(node, component),
        help=f"modify a parameter of `{node.title}` instead, or use a source for what is given",
    )


def _remark(
    node: ClassNode, component: ComponentInstance, elements: Sequence[Element]
) -> Diagnostic:
    claimed = ", ".join(_text(e) for e in elements)
    return Diagnostic(
        "E120",
        f"`{show(node.path or ())}` is drawn without its number: its equations are not those of"
        f" {claimed}{_by_modifiers(node)}",
        _labels(node, component),
        help="modify parameters only, or write the element as a class of its own",
        severity=Severity.WARNING,
    )


def _text(element: Element) -> str:
    numbers = ", ".join(f"{key} = {value:g}" for key, value in element.parameters)
    return f"{element.kind} with {numbers}" if numbers else f"{element.kind}"
