"""The contents of a rule of the element table, and rules in short form.

one(Kind.R, "p", "n", values=(("R", "R"),))      a resistor: one R between p and n
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from freewheel.base.names import ClassName
from freewheel.bondgraph.nodes import SOURCES, Domain, Kind


@dataclass(frozen=True, slots=True)
class PortRule:
    """Names of connectors; a `negative` that is empty or not there is the reference."""

    positive: str
    negative: str = ""
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class PartRule:
    """One element of a class. `values` pairs names of `Element.parameters` with names in the class;
    `a|b` takes the first that the class has, `a-b` the difference, `1/a` the inverse."""

    kind: Kind
    ports: tuple[PortRule, ...]
    values: tuple[tuple[str, str], ...] = ()
    start: str = ""  # variable whose start value is that of the state
    suffix: str = ""  # of the name, where a class is several elements
    constant: str = ""  # parameter that is the constant value of a source
    signal: str = ""  # class of Modelica.Blocks.Sources whose parameters are the `values`
    when: str = ""  # Boolean parameter that must be true
    is_modulated: bool = False
    state: str = ""  # variable of the state, where connectors do not determine it


@dataclass(frozen=True, slots=True)
class PlaceRule:
    """Where a flange is at the start: at a position, and half a length before or behind it."""

    connector: str
    position: str
    length: str = ""
    side: int = 0


@dataclass(frozen=True, slots=True)
class ClassRule:
    """All elements of a class; `joined` connectors move together, `grounds` are at rest."""

    parts: tuple[PartRule, ...] = ()
    joined: tuple[tuple[str, str], ...] = ()
    grounds: tuple[str, ...] = ()
    is_recognised: bool = False  # the kind follows from the equations of a class derived from it
    is_junction: Kind | None = None  # a junction drawn by the modeller
    places: tuple[PlaceRule, ...] = ()


Table = Mapping[str, ClassRule]


def one(
    kind: Kind,
    positive: str,
    negative: str = "",
    *,
    values: tuple[tuple[str, str], ...] = (),
    start: str = "",
    constant: str = "",
    signal: str = "",
    is_modulated: bool = False,
) -> ClassRule:
    """A class that is one element with one port; sources give power away."""
    port = PortRule(positive, negative, is_out=kind in SOURCES)
    return ClassRule(
        (
            PartRule(
                kind,
                (port,),
                values,
                start,
                constant=constant,
                signal=signal,
                is_modulated=is_modulated,
            ),
        )
    )


def sensor(*connectors: str) -> ClassRule:
    """What takes no power: nothing is left of it; a pair of connectors in line is joined."""
    return ClassRule(joined=((connectors[0], connectors[1]),) if connectors else ())


@dataclass(frozen=True, slots=True)
class Book:
    """The elements of one domain and the packages they are in."""

    domain: Domain
    packages: tuple[ClassName, ...]
    table: Table
