"""What a `.ma` file holds: coupled models with components and links, parameters of atomic models.

Places in the text are kept for messages and do not count when two files are compared.
Wainer, "Discrete-Event Modeling and Simulation: A Practitioner's Approach", CRC Press 2009.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from freewheel.base.source import NOWHERE, Span

TOP = "top"
WORD = re.compile(r"[^\s\[\]@:]+")  # a name or a value


@dataclass(frozen=True, slots=True)
class MaComponent:
    """`name@Class`, or a bare name: a coupled model with a section of its own."""

    name: str
    class_name: str = ""
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MaEnd:
    """`port@model`, or a bare port: one of the coupled model itself."""

    port: str
    model: str = ""
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.port}@{self.model}" if self.model else self.port


@dataclass(frozen=True, slots=True)
class MaLink:
    source: MaEnd
    target: MaEnd


@dataclass(frozen=True, slots=True)
class MaCoupled:
    name: str
    components: tuple[MaComponent, ...]
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    links: tuple[MaLink, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MaValue:
    """The words behind `name :`."""

    text: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MaFile:
    """Coupled models by name, `top` first, and the parameters of atomic models.

    All words are in lower case; `spelling` holds how they are written.
    """

    coupled: Mapping[str, MaCoupled]
    parameters: Mapping[str, Mapping[str, MaValue]]
    spelling: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
