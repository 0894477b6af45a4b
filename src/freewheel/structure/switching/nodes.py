"""Data about branch equations: what switches, what that releases, and what stays implicit.

    0 = if open then i else u       one bit (`open`), one choice with two cases, one element

Numbers of equations count in `Chosen.equations`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from freewheel.base.names import Name
from freewheel.base.source import NOWHERE, Span
from freewheel.formula.nodes import Expr, Var
from freewheel.structure.nodes import Solved, Sorted

Case = tuple[tuple[int, bool], ...]  # bits that are decided, and how


class Kind(StrEnum):
    """What drives an element."""

    CURVE = "curve"  # a parameter along a continuous characteristic: complementarity
    LATCH = "latch"  # such a curve that a gate or its own past can hold back (thyristor)
    FRICTION = "friction"  # a machine with memory and three cases or more
    SWITCH = "switch"  # a condition from elsewhere
    CHOICE = "choice"  # any other condition on what the element itself computes


@dataclass(frozen=True, slots=True)
class Bit:
    """One entry of the branch vector: set while `meaning` holds.

    `meaning` is the condition as the modeller wrote it, or its contrary where not `is_direct`, with
    Boolean variables that have no memory replaced by what they stand for.
    """

    number: int
    condition: Expr
    meaning: Expr
    is_direct: bool
    text: str  # of the condition


@dataclass(frozen=True, slots=True)
class Corner:
    """Where the curve of an element turns: the bit changes where `parameter` is `at`.

    The bit is true on the side `parameter - at < 0` if `is_below`, else on the other side.
    """

    bit: int
    parameter: Var
    status: Var
    at: Expr
    is_below: bool
    # Every relation that turns here, and the sign of its status while `parameter` is above.
    statuses: tuple[tuple[Var, int], ...] = ()
    held: Expr | None = None  # a latch: while this holds the element stays on one side of the curve
    is_held_true: bool = True  # whether the bit is true then


@dataclass(frozen=True, slots=True)
class Choice:
    """One if-then-elseif chain of an equation, with its cases from first to last."""

    equation: int
    bits: tuple[int, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Element:
    """Choices that share bits: to the modeller one diode, one clutch."""

    number: int
    name: str
    kind: Kind
    bits: tuple[int, ...]
    choices: tuple[Choice, ...]
    corners: tuple[Corner, ...] = ()
    origin: Name = ()
    span: Span = NOWHERE

    @property
    def equations(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(choice.equation for choice in self.choices))

    @property
    def cases(self) -> tuple[Case, ...]:
        return tuple(dict.fromkeys(case for choice in self.choices for case in choice.cases))


@dataclass(frozen=True, slots=True)
class Recognised:
    bits: tuple[Bit, ...]
    elements: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """In this case the equations `rows` have one unknown too few while states are given: the
    `states` among them are no states then. Without any, the case leaves something floating."""

    case: Case
    rows: tuple[int, ...]
    states: tuple[Var, ...]
    element: int  # the one that was decided last
    is_joint: bool  # only together with other elements
    is_floating: bool  # stays so with the states released


@dataclass(frozen=True, slots=True)
class Core:
    """The implicit part `F(rates, y, time; bits) = 0` and the explicit rest around it.

    `variables` are y. For those in `differential` the rate is there too; the others are algebraic.
    `shell` holds all other blocks in order: what the core needs, and what needs the core.
    """

    bits: tuple[Bit, ...]  # the branch vector
    conditions: tuple[tuple[Expr, int, bool], ...]  # as written, place in `bits`, same sense?
    elements: tuple[Element, ...]  # those with an equation in the core
    equations: tuple[int, ...]
    variables: tuple[Var, ...]
    differential: tuple[Var, ...]
    released: tuple[Var, ...]
    conflicts: tuple[Conflict, ...]
    shell_states: tuple[Var, ...]
    shell: Sorted
    followed: tuple[Solved, ...] = ()  # blocks of the shell for what follows from the core at once
    matched: tuple[Var, ...] = ()  # what each equation would be solved for, switches left open

    @property
    def is_there(self) -> bool:
        return bool(self.equations)

    @property
    def corners(self) -> tuple[Corner, ...]:
        return tuple(corner for element in self.elements for corner in element.corners)

    @property
    def turning(self) -> frozenset[Var]:
        """Statuses of relations that are corners: the core keeps them itself."""
        return frozenset(status for corner in self.corners for status, _ in corner.statuses)


# Of a model in which no switch takes states away: everything is explicit.
NO_CORE = Core((), (), (), (), (), (), (), (), (), Sorted((), ()))
