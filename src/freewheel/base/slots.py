"""What the slots of a model's memory mean: records that the compiler makes and the runtime reads.

    Info("R.v", 7, sign=-1.0)           value = -memory[7]

The memory is one vector of numbers (`runtime/model.py`). `Program` and `CompiledModel` hold the same records:
the compiler knows no runtime, and neither needs a copy of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from freewheel.base.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Info:
    """One scalar variable as the user knows it, and where its value is.

    value = sign * memory[slot] + offset ; aliases share a slot, constants have slot -1.
    """

    name: str  # `a.b[1].c`
    slot: int
    sign: float = 1.0
    offset: float = 0.0  # the value itself where slot is -1
    kind: str = "continuous"  # constant, parameter, discrete, continuous
    type: str = "Real"  # Real, Integer, Boolean, String, enumeration
    unit: str = ""
    comment: str = ""
    causality: str = "local"  # input, output, local
    is_protected: bool = False
    literals: tuple[str, ...] = ()  # of an enumeration


@dataclass(frozen=True, slots=True)
class TextInfo:
    """A String parameter or constant: it has no slot, its value is known and the same all the time."""

    name: str
    text: str
    kind: str = "parameter"
    comment: str = ""
    is_protected: bool = False


@dataclass(frozen=True, slots=True)
class RangeSlots:
    """`min` and `max` of a variable: lowest <= sign * memory[slot] + offset <= highest. A bound that depends
    on parameters is in a slot of its own, there once the section `parameters` has run."""

    name: str
    slot: int  # -1: the value is `offset`
    sign: float
    offset: float
    kind: str
    lowest: float
    highest: float
    lowest_slot: int = -1
    highest_slot: int = -1
    is_integer: bool = False
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class RelationSlots:
    """A relation that makes events. The status is -1, 0 or +1, the sign of left - right, and
    changes only at events (document "Hybrid": QM). Code reads the status, never the comparison
    itself."""

    status: int  # slot
    residual: int  # slot, written by the section `relations`
    text: str  # for the event log: `Diode.u > 0`
    depends_on_time_only: bool = False
    span: Span = NOWHERE
    expression: str = ""  # the residual, for the event log: `Diode.u`
    is_watch: bool = False  # the runtime's own, of what is remembered: it moves on at each event
    is_behind_loop: bool = False  # a loop of equations, with several solutions perhaps, leads to it
    is_straight: bool = False  # a straight line in time between events
    curve: int = -1  # number of the one unknown that it is linear in; -1: it looks at others
    slope: float = 1.0  # in that unknown


@dataclass(frozen=True, slots=True)
class StateSlots:
    """A state: its slot, that of its derivative, and what step control needs."""

    name: str
    slot: int
    derivative: int
    nominal: float = 1.0


@dataclass(frozen=True, slots=True)
class ChoiceSlots:
    """States that are combinations of variables, chosen anew while running
    (structure/index/dynamic_states.py): for each order of differentiation l,
    `states[l] = pivots * variables[l]`. All but `scales` and `ranks` are slots; the section `relations`
    writes `gradient`, that of the constraints which tie the variables together."""

    variables: tuple[tuple[int, ...], ...]
    states: tuple[tuple[int, ...], ...]
    gradient: tuple[tuple[int, ...], ...]
    pivots: tuple[tuple[int, ...], ...]
    normals: tuple[tuple[int, ...], ...]
    scales: tuple[float, ...]
    ranks: tuple[int, ...]  # larger ones had better be states
    status: int  # of the relation that asks for a new choice


@dataclass(frozen=True, slots=True)
class DelaySlots:
    """`delay(..)` (structure/events/delays.py): slots of the remembered signal, the delay time, its largest
    value and the breaks around the piece in use, which the runtime writes. All but `signal` are -1 where the
    line is only remembered."""

    signal: int
    lag: int
    longest: int
    next_break: int
    last_break: int  # -1 where the delay time never changes
    relation: int  # number of the one that watches the next break; that of the last one follows
    # Numbers of the delays whose breaks the signal inherits; -1 - k stands for pipe k.
    feeds: tuple[int, ...]
    text: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class PipeSlots:
    """`spatialDistribution(..)` (structure/events/spatial_distribution.py): numbers of delays that remember
    x, in0 and in1, then slots of the direction, of the borders of x that the runtime writes, and of the
    initial profile."""

    place: int
    left: int
    right: int
    forward: int
    next_border: int
    last_border: int
    relation: int  # number of the one that watches the next border; that of the last one follows
    points: tuple[int, ...]
    values: tuple[int, ...]
    text: str
    span: Span = NOWHERE
