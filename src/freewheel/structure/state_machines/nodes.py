"""Data of state machines: states by their flat names, transitions, machines in machines."""

from __future__ import annotations

from dataclasses import dataclass

from freewheel.base.names import Name
from freewheel.base.source import NOWHERE, Span
from freewheel.formula.nodes import Expr


@dataclass(frozen=True, slots=True)
class Transition:
    """Numbers of states count from 0 within their machine."""

    source: int
    target: int
    condition: Expr
    is_immediate: bool = True
    resets: bool = True
    synchronizes: bool = False
    priority: int = 1
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Machine:
    """States, the initial one first; transitions, the most urgent last (as the specification's
    semantic model has them)."""

    number: int
    states: tuple[Name, ...]
    transitions: tuple[Transition, ...]
    parent: Name | None  # the state around it
    span: Span = NOWHERE
