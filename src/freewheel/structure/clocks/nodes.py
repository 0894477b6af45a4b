"""Data of clock analysis: nodes that have a clock, links between them, rates, base clocks.

A node is a sub-partition, a clock variable or a clock expression. A link says how the ticks of two
nodes relate, in exact fractions:

    y = subSample(u, 4)     Link(u, y, factor=4)        period(y) = 4*period(u)
    y = shiftSample(u, 1, 3)     Link(u, y, shift=1/3)       first(y) = first(u) + period(u)/3
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from freewheel.base.source import NOWHERE, Span
from freewheel.formula.nodes import ZERO, Expr, Var

ONE_PERIOD = Fraction(1)
NO_SHIFT = Fraction(0)


class Tie(Enum):
    """What two linked nodes share."""

    SAME = "same"  # ticks and solver method: a partition and its clock
    TICKS = "ticks"  # ticks alone: `Clock(c, solverMethod)`
    SLOWER = "slower"  # `subSample`
    FASTER = "faster"  # `superSample`
    SHIFTED = "shifted"  # `shiftSample`, `backSample`
    BASE = "base"  # the base clock alone: `noClock`


@dataclass(frozen=True, slots=True)
class Link:
    """How `second` ticks, in terms of `first`; `factor` is None where it is to be inferred."""

    first: int
    second: int
    tie: Tie
    factor: Fraction | None = ONE_PERIOD
    shift: Fraction = NO_SHIFT  # in periods of `first`
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Rate:
    """Ticks at `offset + k*period` for k = 0, 1, ..., in units of the base clock."""

    period: Fraction
    offset: Fraction


class Beat(Enum):
    """What makes a base clock tick."""

    PERIODIC = "periodic"  # every `value` seconds
    STEPS = "steps"  # `value`, a clocked variable, gives the time until the next tick
    EVENT = "event"  # whenever `value` has become true


@dataclass(frozen=True, slots=True)
class BaseClock:
    """Where the ticks of a base partition come from. Rates count in its ticks; those of rational
    clocks count in seconds (`value` is 1)."""

    beat: Beat
    value: Expr
    resolution: int = 0  # of a counter of steps; 0: steps are in seconds
    start_interval: Expr = ZERO  # of an event clock
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Anchor:
    """A clock expression that says by itself when it ticks. `period` is set for rational clocks:
    several of them may be in one base partition."""

    node: int
    base: BaseClock
    period: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Ticking:
    """What inference found for a node."""

    base: int  # number of the base clock
    rate: Rate


@dataclass(frozen=True, slots=True)
class Beats:
    """How a clocked partition knows its instants: formulas over hidden quantities."""

    tick: Expr  # true in the one pass in which the partition is evaluated
    interval: Expr
    is_first: Var  # `pre` of it: this is the first tick
