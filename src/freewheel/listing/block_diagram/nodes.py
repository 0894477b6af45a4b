"""Data of a block diagram: blocks with ordered inputs, and the signals between them.

    Block(Kind.SUM, "", "R1.u", (Input(0, "+"), Input(3, "-")))      R1.u = u - C.u

A signal is the output of one block. A folded component is a block with several outputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from freewheel.base.names import Name


class Kind(StrEnum):
    INPUT = "input"
    SOURCE = "source"  # a constant, or a function of time only
    INTEGRATOR = "integrator"
    DERIVATIVE = "derivative"
    SUM = "sum"
    GAIN = "gain"  # times a constant or a parameter
    PRODUCT = "product"
    FUNCTION = "function"
    SWITCH = "switch"  # `if`: condition, value where it holds, other value
    MEMORY = "memory"  # `pre(x)`: the value before the event
    DELAY = "delay"  # `delay(x, T)`, `spatialDistribution(..)`: earlier values of its inputs
    REINIT = "reinit"  # of a variable that is no output of an integrator
    EQUATION = "equation"  # an equation of a loop that no formula solves for its unknown
    COMPONENT = "component"  # all blocks of a component in one
    OUTPUT = "output"
    TO = "to"  # in drawings: the signal goes on in another row
    FROM = "from"


@dataclass(frozen=True, slots=True)
class Input:
    """The block and the output of it that a port reads; `mark` is drawn at the port."""

    block: int
    mark: str = ""
    output: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    kind: Kind
    label: str
    outputs: tuple[str, ...]  # names of the signals, empty text where a signal has none
    inputs: tuple[Input, ...] = ()
    owner: Name = ()  # the component whose equation this is
    loop: int = -1  # number of the algebraic loop that it is part of


@dataclass(frozen=True, slots=True)
class Diagram:
    name: str
    blocks: tuple[Block, ...]
    loops: tuple[str, ...] = ()  # what each algebraic loop is: "3 equations, linear"
    causality: str = "integral"

    def count(self, kind: Kind) -> int:
        return sum(block.kind is kind for block in self.blocks)
