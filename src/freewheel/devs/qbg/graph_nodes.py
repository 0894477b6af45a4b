"""A causal bond graph as this room takes it: elements, junctions, bonds with arrow and stroke.

CausalGraph(
    elements=(Element("V", "Se", signal=Signal.make("Pulse")), Element("R", "R", 1.5), ...),
    junctions=(Junction("j1", 1), Junction("j0", 0)),
    bonds=(Bond("V", "j1", stroke="head"), Bond("j1", "R", stroke="head"), ...),
)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from freewheel.devs.qbg.signals import Signal

ElementKind = Literal["C", "I", "R", "Se", "Sf", "TF", "GY"]


@dataclass(frozen=True, slots=True)
class Element:
    """`value`: capacity, inertia, resistance, or modulus (TF: e1 / e2, GY: e1 / f2)."""

    name: str
    kind: ElementKind
    value: float = 1.0
    initial: float = 0.0  # effort of a C, flow of an I
    signal: Signal | None = None  # of a source


@dataclass(frozen=True, slots=True)
class Junction:
    name: str
    kind: Literal[0, 1]


@dataclass(frozen=True, slots=True)
class Bond:
    """Positive power goes from tail to head; the end with the stroke is told the effort.

    Ports matter at TF and GY, which have two.
    """

    tail: str
    head: str
    stroke: Literal["tail", "head"]
    tail_port: int = 1
    head_port: int = 1

    @property
    def effort_maker(self) -> str:
        return self.tail if self.stroke == "head" else self.head


@dataclass(frozen=True, slots=True)
class CausalGraph:
    elements: tuple[Element, ...]
    junctions: tuple[Junction, ...]
    bonds: tuple[Bond, ...]
