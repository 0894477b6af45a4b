"""Data of the placement of a block diagram: boxes, nets and lanes in, corners and wires out."""

from __future__ import annotations

from dataclasses import dataclass

LANE = 11.0  # height that a passing wire takes

Point = tuple[float, float]
Port = tuple[int, int]  # box, number of the output or input


@dataclass(frozen=True, slots=True)
class Box:
    width: float
    height: float
    inputs: int
    outputs: int
    room_above: float = 0.0  # for the names of its signals
    head: float = 0.0  # height of a title inside it, where no port is
    span: float = 0.0  # width with the texts above and below it
    gap: float = 16.0  # to what is below it

    def input_y(self, number: int) -> float:
        """From the top of the box."""
        return self._port_y(number, self.inputs)

    def output_y(self, number: int) -> float:
        return self._port_y(number, self.outputs)

    def _port_y(self, number: int, count: int) -> float:
        return self.head + (self.height - self.head) * (number + 0.5) / count


@dataclass(frozen=True, slots=True)
class Net:
    """One signal and all that read it."""

    tail: Port
    heads: tuple[Port, ...]


@dataclass(frozen=True, slots=True)
class Lane:
    """A net passing through a layer, forward or back."""

    net: int
    level: int
    is_back: bool


@dataclass(frozen=True, slots=True)
class Wire:
    """The lines of one net, and where they branch."""

    lines: tuple[tuple[Point, Point], ...]
    dots: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    corners: tuple[Point, ...]  # upper left of each box
    wires: tuple[Wire, ...]  # one for each net
    width: float
    height: float
