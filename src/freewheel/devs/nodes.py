"""What users write: `Atomic` models, `Coupled` models, and the couplings between ports.

A model is a description and never changes; its state is a value that transitions take and give.
So one object may stand in a model twice, and a run can be repeated from the same description.

    class Clock(Atomic[int]):
        outputs = ("tick",)

        def start(self) -> int:
            return 0

        def time_advance(self, state: int) -> float:
            return 1.0

        def output(self, state: int) -> Events:
            return (("tick", state),)

        def internal(self, state: int) -> int:
            return state + 1

    Coupled({"clock": Clock()}, ("clock.tick -> out",), outputs=("out",))

Zeigler, Praehofer, Kim, "Theory of Modeling and Simulation", 2nd ed., chapters 4 and 6.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from freewheel.base.diagnostics import CompileError, Diagnostic

State = TypeVar("State")
Event: TypeAlias = tuple[str, Any]  # port, value
Events: TypeAlias = Sequence[Event]
TimedEvent: TypeAlias = tuple[float, str, Any]  # time, port, value
Select: TypeAlias = Callable[[tuple[str, ...]], str]  # names that are imminent -> the one to go
PASSIVE = math.inf  # the time advance of a model that waits for events


class Atomic(ABC, Generic[State]):
    """One model that has no parts: <X, S, Y, delta_int, delta_ext, delta_con, lambda, ta>."""

    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    @abstractmethod
    def start(self) -> State:
        """The state at the beginning."""

    @abstractmethod
    def time_advance(self, state: State) -> float:
        """ta: how long the state lasts if nothing arrives; `PASSIVE` for ever."""

    def output(self, state: State) -> Events:
        """lambda: what is sent when the state has lasted its time."""
        return ()

    def internal(self, state: State) -> State:
        """delta_int: the state after the present one has lasted its time."""
        return state

    def external(self, state: State, elapsed: float, events: Events) -> State:
        """delta_ext: the state after events that arrive `elapsed` after the last transition.

        A classic coordinator hands over one event at a time, a parallel one all that arrive
        together, ordered as the components that sent them.
        """
        return state

    def confluent(self, state: State, events: Events) -> State:
        """delta_con: events arrive just when the state has lasted its time (parallel only)."""
        return self.external(self.internal(state), 0.0, events)


@dataclass(frozen=True, slots=True)
class Port:
    """A port of a component, or of the coupled model itself where `component` is empty."""

    component: str
    name: str

    def __str__(self) -> str:
        return f"{self.component}.{self.name}" if self.component else self.name


@dataclass(frozen=True, slots=True)
class Coupling:
    """What leaves `source` enters `target`; `translate` is Z_ij, the identity where it is None."""

    source: Port
    target: Port
    translate: Callable[[Any], Any] | None = None

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}"


@dataclass(frozen=True, slots=True, init=False)
class Coupled:
    """Models and couplings; the order of `components` is the order of precedence.

    `select` may choose among the names of imminent components instead (classic only).
    """

    components: Mapping[str, Component]
    couplings: tuple[Coupling, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    select: Select | None

    def __init__(
        self,
        components: Mapping[str, Component],
        couplings: Iterable[Coupling | str] = (),
        inputs: Iterable[str] = (),
        outputs: Iterable[str] = (),
        select: Select | None = None,
    ) -> None:
        set_field = object.__setattr__
        set_field(self, "components", dict(components))
        set_field(self, "couplings", tuple(as_coupling(each) for each in couplings))
        set_field(self, "inputs", tuple(inputs))
        set_field(self, "outputs", tuple(outputs))
        set_field(self, "select", select)


Component: TypeAlias = Atomic[Any] | Coupled


def as_coupling(written: Coupling | str) -> Coupling:
    """`"a.out -> b.in"`; a port without a component is one of the coupled model itself."""
    if isinstance(written, Coupling):
        return written
    source, arrow, target = written.partition("->")
    if not (arrow and source.strip() and target.strip()):
        text = f"`{written}` is no coupling"
        raise CompileError(Diagnostic("N088", text, help="write `a.out -> b.in`"))
    return Coupling(_port(source), _port(target))


def _port(written: str) -> Port:
    component, _, name = written.strip().rpartition(".")
    return Port(component, name)
