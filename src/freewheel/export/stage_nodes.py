"""What the stages `instance` and `structure` look like as JSON: the parts that mean something outside.

`flat` and `program` are written as they are in their rooms.
"""

from __future__ import annotations

from dataclasses import dataclass

from freewheel.base.names import ClassName, Name
from freewheel.formula.nodes import Expr, Var
from freewheel.structure.nodes import (
    Action,
    Crossing,
    SampleClock,
    ScalarVariable,
    Solved,
    Sorted,
)


@dataclass(frozen=True, slots=True)
class Component:
    """A component of the model, its own components below."""

    name: str
    type: str
    variability: str
    causality: str
    dims: tuple[int, ...]
    comment: str
    is_protected: bool
    components: tuple[Component, ...]  # of the first element, if it is an array of components


@dataclass(frozen=True, slots=True)
class InstanceStage:
    name: ClassName
    components: tuple[Component, ...]


@dataclass(frozen=True, slots=True)
class AliasOf:
    """`variable = sign*stand_in`, or a constant."""

    variable: Name
    stand_in: Var | None
    sign: int
    constant: Expr | None


@dataclass(frozen=True, slots=True)
class StructureStage:
    """Equations in an order of evaluation: while running, at events, at the start."""

    name: ClassName
    variables: tuple[ScalarVariable, ...]
    aliases: tuple[AliasOf, ...]
    states: tuple[Var, ...]
    parameters: tuple[Solved, ...]
    simulation: Sorted
    discrete: Sorted
    initial: Sorted
    crossings: tuple[Crossing, ...]
    samples: tuple[SampleClock, ...]
    actions: tuple[Action, ...]
