"""Data of the bond graph room: elements, junctions, bonds, and one graph per stage.

    graph -> zeros -> ones -> directed -> grounded -> simplified -> causal

A `Graph` is the same type at every stage; what it holds changes. At `graph` there are wires between
pins, at `zeros` each potential is a junction, from `ones` on elements touch junctions by bonds only.
Names are text as the modeller writes them, `sub.r[2]`; names of junctions begin with `$`, which no
Modelica name does, unless the modeller drew the junction.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.names import Name
from freewheel.base.source import NOWHERE, Span
from freewheel.formula.nodes import Expr


class Stage(StrEnum):
    """The steps of Wainer and D'Abreu, section 3.2 and 3.3, in order."""

    GRAPH = "graph"
    ZEROS = "zeros"
    ONES = "ones"
    DIRECTED = "directed"
    GROUNDED = "grounded"
    SIMPLIFIED = "simplified"
    CAUSAL = "causal"


class Domain(StrEnum):
    ELECTRICAL = "electrical"
    TRANSLATIONAL = "translational"
    ROTATIONAL = "rotational"
    THERMAL = "thermal"  # pseudo bonds: temperature times heat flow is no power
    BOND = "bond"  # models written with the library BondGraph


class Kind(StrEnum):
    """The letter of an element in the picture."""

    SE = "Se"
    SF = "Sf"
    R = "R"
    C = "C"
    I = "I"  # noqa: E741, the letter of bond graphs
    TF = "TF"
    GY = "GY"
    D = "D"
    SW = "Sw"
    ONE = "1"
    ZERO = "0"
    GROUND = "ground"


SOURCES = (Kind.SE, Kind.SF)
STORAGES = (Kind.C, Kind.I)
TWO_PORTS = (Kind.TF, Kind.GY)
JUNCTIONS = (Kind.ZERO, Kind.ONE)
VALVES = (Kind.D, Kind.SW)  # their causality changes while the model runs


def dual(kind: Kind) -> Kind:
    return Kind.ONE if kind is Kind.ZERO else Kind.ZERO


@dataclass(frozen=True, slots=True)
class Signal:
    """What a source gives over time: a class of Modelica.Blocks.Sources and its parameters."""

    name: str
    parameters: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Port:
    """A pair of connectors that power goes through; without `negative` it is against the reference
    of its domain: earth, the inertial frame, absolute zero."""

    positive: str
    negative: str = ""
    domain: Domain = Domain.ELECTRICAL
    is_out: bool = False  # power counts as positive when it leaves the element


@dataclass(frozen=True, slots=True)
class Element:
    """What stores, dissipates, gives or converts power.

    Parameters by kind: R: `R` (effort over flow) or `G`; C: `C` or its inverse `K`; I: `I`;
    TF: `n` (effort of port 1 over effort of port 2); GY: `r` (effort of port 1 over flow of port 2) or
    its inverse `g`; D and Sw: `Ron`, `Goff`, and `Vknee` of a D. Storages have their initial effort or
    flow in `start` (a C that is given by its displacement has `q0` instead). Without any number the
    element is nonlinear, or a signal sets it: `is_modulated`.
    """

    name: str
    kind: Kind
    ports: tuple[Port, ...]
    parameters: tuple[tuple[str, float], ...] = ()
    signal: Signal | None = None
    is_modulated: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    # Over variables of the flat model: what a source gives; what the effort of a C or flow of an I is.
    drive: Expr | None = field(default=None, compare=False, repr=False)
    state: tuple[tuple[Name, float], ...] = field(default=(), compare=False, repr=False)

    def value(self, name: str) -> float | None:
        return dict(self.parameters).get(name)


@dataclass(frozen=True, slots=True)
class Junction:
    """Bonds of one effort (0) or one flow (1). A ground is at rest: its effort or flow is zero."""

    name: str
    kind: Kind
    domain: Domain
    is_ground: bool = False
    pins: tuple[str, ...] = ()  # the connectors it stands for


@dataclass(frozen=True, slots=True)
class Wire:
    """Two connectors at one potential, because they are connected or rigidly joined inside."""

    left: str
    right: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


class Stroke(StrEnum):
    """At which end of a bond the causal stroke is: the effort is an input of that end."""

    NONE = "none"
    TAIL = "tail"
    HEAD = "head"


@dataclass(frozen=True, slots=True)
class End:
    """Where a bond ends: a junction, or an element at a port (`1`, `2`; at `zeros` a connector)."""

    vertex: str
    port: str = ""


@dataclass(frozen=True, slots=True)
class Bond:
    """From tail to head goes positive power, once it is directed."""

    number: int
    tail: End
    head: End
    is_directed: bool = False
    stroke: Stroke = Stroke.NONE
    is_variable: bool = False  # the stroke changes with the position of a switch

    def other(self, vertex: str) -> End:
        return self.head if self.tail.vertex == vertex else self.tail


@dataclass(frozen=True, slots=True)
class Dependence:
    """A storage without a state of its own: something on the path already determines its effort or flow."""

    storage: str
    sources: tuple[str, ...]  # elements that decide its effort (C) or flow (I)
    path: tuple[str, ...]  # from the storage over junctions to the first of them; none: by numbers


@dataclass(frozen=True, slots=True)
class AlgebraicLoop:
    """Elements and junctions around a closed causal path without a storage on it."""

    elements: tuple[str, ...]  # those that close loops here, in order of the model
    path: tuple[str, ...]  # one shortest loop; its last name is its first


@dataclass(frozen=True, slots=True)
class Release:
    """In this position of valves, storages that are states otherwise are dependent."""

    position: tuple[tuple[str, bool], ...]  # valve, and whether it is open (lets no flow pass)
    storages: tuple[str, ...]
    tied: tuple[str, ...] = ()  # other storages that decide them then


@dataclass(frozen=True, slots=True)
class Clash:
    """Sources that determine the same junction's effort or flow twice."""

    sources: tuple[str, ...]
    junction: str
    position: tuple[tuple[str, bool], ...] = ()  # of valves, where it takes some


@dataclass(frozen=True, slots=True)
class Findings:
    """Results of the causality assignment."""

    dependent: tuple[Dependence, ...] = ()
    loops: tuple[AlgebraicLoop, ...] = ()
    releases: tuple[Release, ...] = ()
    clashes: tuple[Clash, ...] = ()
    resting: tuple[tuple[str, ...], ...] = ()  # elements of each part that nothing moves


@dataclass(frozen=True, slots=True)
class Graph:
    """A model at one stage on the way to its causal bond graph."""

    name: str
    stage: Stage
    elements: tuple[Element, ...]
    wires: tuple[Wire, ...] = ()
    junctions: tuple[Junction, ...] = ()
    bonds: tuple[Bond, ...] = ()
    findings: Findings = field(default=Findings(), compare=False)
    remarks: tuple[Diagnostic, ...] = field(default=(), compare=False)
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def element(self, name: str) -> Element:
        return next(e for e in self.elements if e.name == name)

    def bonds_of(self, vertex: str) -> tuple[Bond, ...]:
        return tuple(b for b in self.bonds if vertex in (b.tail.vertex, b.head.vertex))
