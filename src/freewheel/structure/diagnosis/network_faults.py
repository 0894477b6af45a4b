"""Mistakes of networks by their names: a missing ground, a connector left open, sources in a loop.

    network.floating(level)      error[E031]: no ground: nothing fixes the potentials of `V` and `R`
    network.conflict(rows)       error[E037]: `I.p` is not connected: its current is zero, but `I` gives it
                                 error[E038]: ideal voltage sources in a loop: `V1` and `V2`

In come the dependent rows or columns that linear algebra has found (explain.py); what a variable is, a
potential or a flow, is known from its connector, and the words of its domain from the potential's unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from freewheel.base.diagnostics import Diagnostic, Label
from freewheel.base.names import Name, show
from freewheel.base.source import Span
from freewheel.formula.nodes import Var
from freewheel.structure.blocks.incidence import folded
from freewheel.structure.nodes import ScalarEquation, ScalarVariable

MAX_NAMED = 8
MAX_PLACES = 6
CODES = ("E031", "E037", "E038")
_BALANCED = 'Modelica 3.6, "Balanced Models"'


@dataclass(frozen=True, slots=True)
class Domain:
    """How one kind of network is spoken of."""

    potentials: str
    flow: str
    missing: str  # what an island lacks
    reference: str  # how to give it
    loop: str  # potentials given twice
    between: str
    series: str  # flows given twice
    across: str


DOMAINS = {  # by the unit of the potential
    "V": Domain(
        "potentials",
        "current",
        "no ground",
        "add a Modelica.Electrical.Analog.Basic.Ground and connect it to one of their pins",
        "ideal voltage sources in a loop",
        "a resistor",
        "current sources in series",
        "put a resistor across one of them",
    ),
    "A": Domain(
        "magnetic potentials",
        "flux",
        "no magnetic ground",
        "add a Modelica.Magnetic.FluxTubes.Basic.Ground and connect it to one of their ports",
        "ideal sources of magnetic potential difference in a loop",
        "a reluctance",
        "flux sources in series",
        "put a reluctance across one of them",
    ),
    "rad": Domain(
        "angles",
        "torque",
        "no fixed point and no inertia",
        "hold one flange by a Modelica.Mechanics.Rotational.Components.Fixed, or add an Inertia",
        "the angle of rigidly connected flanges is given more than once",
        "a spring or damper",
        "the torque at a point without inertia is given more than once",
        "add an Inertia there",
    ),
    "m": Domain(
        "positions",
        "force",
        "no fixed point and no mass",
        "hold one flange by a Modelica.Mechanics.Translational.Components.Fixed, or add a Mass",
        "the position of rigidly connected flanges is given more than once",
        "a spring or damper",
        "the force at a point without mass is given more than once",
        "add a Mass there",
    ),
    "K": Domain(
        "temperatures",
        "heat flow",
        "no temperature and no heat capacity",
        "connect a Modelica.Thermal.HeatTransfer.Sources.FixedTemperature or add a HeatCapacitor",
        "the temperature of one point is given more than once",
        "a thermal conductor",
        "the heat flow into a point without heat capacity is given more than once",
        "add a HeatCapacitor there",
    ),
    "Pa": Domain(
        "pressures",
        "mass flow",
        "no given pressure and no volume",
        "give one pressure by a boundary or an open tank",
        "the pressure of one point is given more than once",
        "a pipe or valve",
        "the mass flow into a point without volume is given more than once",
        "add a volume there",
    ),
}
ANY = Domain(
    "potentials",
    "flow",
    "no reference",
    "give one of them a value",
    "the potential of one point is given more than once",
    "something",
    "the flow into one point is given more than once",
    "put something across one of them",
)


class Network:
    """`flows` are the flow variables of the model, `places` says where components are declared."""

    def __init__(
        self,
        flows: Iterable[Name],
        variables: Mapping[Name, ScalarVariable],
        places: Mapping[Name, Span],
    ) -> None:
        self.flows = frozenset(flows)
        self.connectors = {flow[:-1] for flow in self.flows}
        self.places = places
        self.units: dict[Name, str] = {}  # of the potential of each connector
        for variable in variables.values():
            connector = _whole(variable.name)[:-1]
            if connector in self.connectors and not self.is_flow(variable.name):
                self.units.setdefault(connector, variable.unit)

    # ------------------------------------------------------------ what is what

    def is_flow(self, name: Name) -> bool:
        return _whole(name) in self.flows

    def connector(self, name: Name) -> Name | None:
        """The connector that the variable belongs to."""
        found = _whole(name)[:-1]
        return found if found in self.connectors else None

    def component(self, path: Name) -> Name:
        """The innermost component around it that has connectors with flows."""
        holders = {_whole(connector)[:-1] for connector in self.connectors}
        found = path
        while found and found not in holders:
            found = found[:-1]
        return found or path

    def _domain(self, connectors: Iterable[Name]) -> Domain:
        units = dict.fromkeys(self.units.get(connector, "") for connector in connectors)
        return next((DOMAINS[unit] for unit in units if unit in DOMAINS), ANY)

    def open_end(self, equation: ScalarEquation) -> Name | None:
        """The connector whose flow is zero because nothing is connected to it."""
        left = equation.left
        if not isinstance(left, Var) or not self.is_flow(left.name):
            return None
        connector = self.connector(left.name)
        return connector if connector == equation.origin else None

    # ------------------------------------------------------------ what is wrong

    def floating(
        self, level: Sequence[Var], equations: Sequence[ScalarEquation]
    ) -> Diagnostic | None:
        """Potentials that may all rise together."""
        ends = dict.fromkeys(c for var in level if (c := self.connector(var.name)) is not None)
        if not ends or any(self.is_flow(var.name) for var in level):
            return None
        parts = list(dict.fromkeys(self.component(end[:-1]) for end in ends))
        open_ends = {end for e in equations if (end := self.open_end(e)) is not None}
        own = [end for end in ends if len(end) == 1]
        if own:
            return self._fault(
                "E037",
                f"{_list(own)}: nothing is connected to these connectors of the model itself",
                "it is a component: write a model that uses it (`freewheel check` checks it alone)",
                dict.fromkeys(own, "is open"),
            )
        if len(parts) == 1 and open_ends.issuperset(ends):
            notes = dict.fromkeys(parts, "has no connection")
            text = f"`{show(parts[0])}` is not connected to anything"
            return self._fault("E037", text, "connect it, or remove it", notes)
        domain = self._domain(ends)
        text = (
            f"{domain.missing}: nothing fixes the {domain.potentials} of {_list(parts)},"
            " only the differences between them"
        )
        notes = dict.fromkeys(parts, "floats with the others")
        return self._fault("E031", text, domain.reference, notes)

    def conflict(
        self, equations: Sequence[ScalarEquation], used: Sequence[Sequence[Var]]
    ) -> Diagnostic | None:
        """Equations of which one says too much; `used` are the unknowns that matter to each."""
        names = [folded(var).name for row in used for var in row]
        names = [name for name in names if self.connector(name) is not None]
        kinds = {self.is_flow(name) for name in names}
        if len(kinds) != 1:
            return None
        domain = self._domain(c for name in names if (c := self.connector(name)) is not None)
        given = [e for e, row in zip(equations, used, strict=True) if len(row) == 1]
        open_ends = list(dict.fromkeys(c for e in given if (c := self.open_end(e)) is not None))
        giving = [e for e in given if self.open_end(e) is None]
        sources = list(dict.fromkeys(self.component(e.origin) for e in giving if e.origin))
        if not giving:
            return None
        if open_ends and kinds == {True}:
            return self._open(open_ends, sources, giving, domain)
        if not sources:
            return None
        if kinds == {True}:
            text, cure = f"{domain.series}: {_list(sources)}", f"remove one, or {domain.across}"
        elif len(sources) == 1 and domain is DOMAINS["V"]:
            text = f"the ideal voltage source {_list(sources)} is short-circuited"
            cure = "remove a connection, or put a resistor between its pins and the rest"
            return self._fault("E038", text, cure, dict.fromkeys(sources, "both pins are one node"))
        else:
            text = f"{domain.loop}: {_list(sources)}"
            cure = f"remove one, or put {domain.between} between them"
        return self._fault("E038", text, cure, dict.fromkeys(sources, "is one of them"))

    def _open(
        self,
        ends: Sequence[Name],
        sources: Sequence[Name],
        giving: Sequence[ScalarEquation],
        domain: Domain,
    ) -> Diagnostic:
        """A flow is zero because nothing is connected, and given by something else. A frame is meant to be
        connected sooner than a shaft: the one with more flows comes first."""
        ends = sorted(ends, key=lambda end: -self._size(end))
        who = f"{_list(sources)} {_verb(sources)}" if sources else "an equation gives"
        whom = "it" if len(ends) == 1 else "one of them"
        text = (
            f"{_list(ends)} {'is' if len(ends) == 1 else 'are'} not connected: the {domain.flow}"
            f" is zero, but {who} {whom} another"
        )
        notes = {self.component(end[:-1]): f"has `{show(end)}` open" for end in reversed(ends)}
        notes = {**dict.fromkeys(sources, f"gives the {domain.flow}"), **notes}
        fault = self._fault("E037", text, f"connect {_list(ends, 'or')}", notes)
        written = [Label(e.span, "this equation gives it") for e in giving if not e.origin]
        return replace(fault, labels=(*fault.labels, *written))

    def _size(self, connector: Name) -> int:
        return sum(flow[:-1] == connector for flow in self.flows)

    def _fault(self, code: str, text: str, cure: str, notes: Mapping[Name, str]) -> Diagnostic:
        """`notes` on components, at their declarations."""
        known = [(part, note) for part, note in notes.items() if part in self.places]
        labels = [Label(self.places[p], f"`{show(p)}` {note}") for p, note in known[:MAX_PLACES]]
        return Diagnostic(code, text, tuple(labels), help=cure, rule=_BALANCED)


def _verb(sources: Sequence[Name]) -> str:
    return "gives" if len(sources) == 1 else "give"


def _whole(name: Name) -> Name:
    """Without subscripts at the end."""
    while name and isinstance(name[-1], int):
        name = name[:-1]
    return name


def _list(names: Sequence[Name], joined: str = "and") -> str:
    shown = [f"`{show(name)}`" for name in names[:MAX_NAMED]]
    if len(names) > MAX_NAMED:
        return f"{', '.join(shown)} and {len(names) - MAX_NAMED} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {joined} {shown[-1]}"
