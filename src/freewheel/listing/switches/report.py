"""Which storages fix which switches, singly or together, in the modeller's names.

    report = report_switches(ordered)
    report.switches[0].name, report.switches[0].fixed[0].states      "D", ("L.i",)

Only elements that take a state away, or that the implicit part contains, unless all are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from freewheel.base.names import show
from freewheel.formula.nodes import Var
from freewheel.structure.atoms import IS, show_atom
from freewheel.structure.nodes import Ordered
from freewheel.structure.switching.condition_text import Spoken
from freewheel.structure.switching.core import branch_equations
from freewheel.structure.switching.nodes import Bit, Case, Conflict, Element, Recognised
from freewheel.structure.values import ParameterValues

ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Fixed:
    """In this position these states are none, or something is left open by the equations."""

    position: str
    switches: tuple[str, ...]  # that are in it
    states: tuple[str, ...]
    open: tuple[str, ...]  # equations that say too much, so that something else floats


@dataclass(frozen=True, slots=True)
class Switch:
    name: str
    kind: str
    conditions: tuple[str, ...]
    equations: tuple[str, ...]
    fixed: tuple[Fixed, ...]  # by this element alone


@dataclass(frozen=True, slots=True)
class Switches:
    switches: tuple[Switch, ...]
    together: tuple[Fixed, ...]  # no element alone does that
    left_out: int  # elements not worth telling
    states: tuple[str, ...]  # of the implicit part
    variables: tuple[str, ...]  # all of it


def report_switches(ordered: Ordered, is_all: bool = False) -> Switches:
    variables = {v.name: v for v in ordered.hybrid.aliases.model.variables}
    values = ParameterValues(variables, ordered.functions)
    _, found, conflicts = branch_equations(ordered.hybrid, ordered.chosen, variables, values)
    words = _Words(found, ordered)
    core = ordered.core
    inside = frozenset(e.number for e in core.elements)
    blamed = {bit for conflict in conflicts for bit, _ in conflict.case}
    told = [
        element
        for element in found.elements
        if is_all or element.number in inside or not blamed.isdisjoint(element.bits)
    ]
    return Switches(
        switches=tuple(words.switch(element, conflicts) for element in told),
        together=tuple(words.fixed(c) for c in conflicts if c.is_joint),
        left_out=len(found.elements) - len(told),
        states=_names(core.differential),
        variables=_names(core.variables),
    )


class _Words:
    def __init__(self, found: Recognised, ordered: Ordered) -> None:
        self.found = found
        self.spoken = Spoken(ordered.hybrid.crossings)
        self.equations = ordered.chosen.equations

    def switch(self, element: Element, conflicts: Sequence[Conflict]) -> Switch:
        own = [c for c in conflicts if c.element == element.number and not c.is_joint]
        return Switch(
            element.name,
            str(element.kind),
            tuple(self.found.bits[bit].text for bit in element.bits),
            self._texts(element.equations),
            tuple(map(self.fixed, own)),
        )

    def fixed(self, conflict: Conflict) -> Fixed:
        bits = {bit for bit, _ in conflict.case}
        switches = [e.name for e in self.found.elements if not bits.isdisjoint(e.bits)]
        rows = conflict.rows if conflict.is_floating else ()
        return Fixed(
            case_text(conflict.case, self.found.bits),
            tuple(dict.fromkeys(switches)),
            _names(conflict.states),
            self._texts(rows),
        )

    def _texts(self, rows: Iterable[int]) -> tuple[str, ...]:
        """One that became two is told once."""
        return tuple(dict.fromkeys(self.spoken.equation(self.equations[row]) for row in rows))


def case_text(case: Case, bits: Sequence[Bit]) -> str:
    if not case:
        return ALWAYS
    return ", ".join(_decided_text(bits[bit], value == bits[bit].is_direct) for bit, value in case)


def _decided_text(bit: Bit, value: bool) -> str:
    """Of a number that has a value or not, the number."""
    condition = bit.condition
    if isinstance(condition, Var) and condition.name[0] == IS:
        name, number = show(condition.name[1:-1]), condition.name[-1]
        return f"{name} = {number}" if value else f"{name} <> {number}"
    return f"{bit.text} = {str(value).lower()}"


def _names(variables: Sequence[Var]) -> tuple[str, ...]:
    return tuple(show_atom(var.name) for var in variables)
