"""Assignments over numbered slots: what a backend turns into callable functions.

In expressions here `Var((17,))` is slot 17, `Var(("old", 17))` the same slot before this section
writes it, `Var(("t", 3))` a temporary, `Var(("tuple", 4))` the outputs of a call and
`Var(("object", 2))` an external object.

    Assign(slot=3, value=Var((1,)) * Var((2,)))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.slots import (
    ChoiceSlots,
    DelaySlots,
    Info,
    PipeSlots,
    RangeSlots,
    RelationSlots,
    StateSlots,
    TextInfo,
)
from freewheel.base.source import NOWHERE, Span
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.statement_nodes import Function
from freewheel.program.section_names import BETWEEN as BETWEEN
from freewheel.program.section_names import SECTIONS as SECTIONS
from freewheel.program.section_names import SIMPLIFIED as SIMPLIFIED
from freewheel.structure.nodes import ScalarEquation

if TYPE_CHECKING:
    from freewheel.program.core_nodes import CoreProgram


def slot_var(slot: int) -> Var:
    return Var((slot,))


def old_var(slot: int) -> Var:
    return Var(("old", slot))


def temporary(number: int) -> Var:
    return Var(("t", number))


def call_result(number: int) -> Var:
    """All outputs of a call of a function of the model; as a value it means the first one."""
    return Var(("tuple", number))


def object_var(number: int) -> Var:
    return Var(("object", number))


@dataclass(frozen=True, slots=True)
class About:
    """What a step stands for, in the modeller's terms; made into words only when it fails."""

    equations: tuple[ScalarEquation, ...] = ()
    expressions: tuple[Expr, ...] = ()  # of what is no equation
    unknowns: tuple[Var, ...] = ()  # of a loop
    text: str = ""  # instead of the equations
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Assign:
    """Also to temporaries; with a guard the value is only computed where the guard holds."""

    target: Var
    value: Expr
    about: About = field(default_factory=About)
    guard: Expr | None = None


@dataclass(frozen=True, slots=True)
class SetStatus:
    """The status of a relation is the sign of `residual`; where that is zero it stays."""

    slot: int
    residual: Expr
    about: About = field(default_factory=About)


@dataclass(frozen=True, slots=True)
class SolveLinear:
    """`matrix * slots = right`, the matrix as (row, column, entry)."""

    slots: tuple[int, ...]
    matrix: tuple[tuple[int, int, Expr], ...]
    right: tuple[Expr, ...]
    about: About = field(default_factory=About)
    signs: tuple[int, ...] = ()  # positions among the slots: relations ask for these signs


@dataclass(frozen=True, slots=True)
class SolveNonlinear:
    """Find `slots` so that after the `inner` assignments all residuals are zero.

    Iteration begins with what the slots hold; `starts` are further guesses. Solutions inside
    `bounds`, as declared, are looked for first.
    """

    slots: tuple[int, ...]
    inner: tuple[Assign, ...]
    residuals: tuple[Expr, ...]
    starts: tuple[float, ...]
    nominals: tuple[float, ...]
    about: About = field(default_factory=About)
    bounds: tuple[tuple[float, float], ...] = ()  # (low, high) of each slot; none at all: ()
    follow: int = -1  # slot that asks for the branch of the old values; -1: any solution will do
    sense: int = -1  # slot: the sign of the determinant on that branch; then the rest of its memory
    left: int = (
        -1
    )  # the slots after that: what `inner` assigned at the left limit of an event; -1: not kept


# Unknowns of a loop, with those that its tearing hides, up to which it is solved as a whole too.
MAX_WHOLE = 200


def branch_memory(unknowns: int) -> int:
    """Slots in which a loop keeps its branch (backend/branch_kernels.py): five numbers, and two solutions,
    each with the order of rows and the signs of its signature."""
    return 5 + 6 * unknowns


def left_memory(unknowns: int, inner: int) -> int:
    """Slots behind them for what the loop assigned at the left limit of an event, where it is held, and at
    the solution that it left last."""
    return 3 * inner if unknowns + inner <= MAX_WHOLE else 0


def inner_slots(step: SolveNonlinear) -> tuple[int, ...]:
    """What a loop assigns besides its unknowns; nothing where that is no set of unknowns of its own."""
    slots = tuple(s.target.name[0] for s in step.inner if isinstance(s.target.name[0], int))
    return slots if len(set(slots)) == len(slots) else ()


def kept_slots(step: SolveNonlinear) -> tuple[int, ...]:
    """Of which the loop keeps what they were at the left limit."""
    inner = inner_slots(step)
    return inner if step.left >= 0 and left_memory(len(step.slots), len(inner)) else ()


def branch_slots(step: SolveNonlinear) -> range:
    """Slots in which a loop that is followed keeps its branch. Wherever they are copied to, they stay one
    after the other."""
    kept = left_memory(len(step.slots), len(inner_slots(step))) if step.left >= 0 else 0
    return range(step.sense, step.sense + branch_memory(len(step.slots)) + kept)


@dataclass(frozen=True, slots=True)
class Check:
    """A redundant initial equation: its residual must be zero by now."""

    left: Expr
    right: Expr
    about: About = field(default_factory=About)


@dataclass(frozen=True, slots=True)
class Act:
    """assert, warning, terminate or call, where `guard` holds (None: always)."""

    kind: str
    guard: Expr | None
    value: Expr | None
    message: Expr | None
    about: About = field(default_factory=About)


@dataclass(frozen=True, slots=True)
class Jump:
    """reinit: where `guard` holds, set the flag and the new value."""

    flag: int
    new: int
    guard: Expr
    value: Expr
    about: About = field(default_factory=About)


Step = Assign | SetStatus | SolveLinear | SolveNonlinear | Check | Act | Jump


# A sum of products: (factor, slots of parameters) each.
PivotSlots = tuple[tuple[float, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Program:
    """Everything a backend needs, and everything a `CompiledModel` says besides its functions."""

    name: str
    start: tuple[float, ...]
    names: tuple[str, ...]  # of each slot
    time: int
    states: tuple[int, int]  # first slot, one past the last
    derivatives: tuple[int, int]
    state_slots: tuple[StateSlots, ...]
    variables: tuple[Info, ...]
    inputs: tuple[Info, ...]
    parameters: Mapping[str, int]
    sections: Mapping[str, tuple[Step, ...]]
    relations: tuple[RelationSlots, ...] = ()
    # Slots of start, interval, active; then first, every, parts: see `SampleClock`.
    samples: tuple[tuple[int, int, int, int, int, int], ...] = ()
    sample_spans: tuple[Span, ...] = ()
    terminal_flag: int = -1
    awake: int = -1  # slot: while it is 0.0, all relations tell their true residuals
    started: int = -1  # set once `simplified` has run
    share: int = -1  # of the actual parts in `between`
    follow: int = -1  # asks loops for the branch of their old values; the slot after it answers
    discrete: tuple[tuple[int, int], ...] = ()
    reinits: tuple[tuple[int, int, int], ...] = ()
    functions: tuple[Function, ...] = ()
    object_count: int = 0
    integer_slots: frozenset[int] = frozenset()
    boolean_slots: frozenset[int] = frozenset()
    experiment: Mapping[str, float] = field(default_factory=dict)
    sparsity: tuple[tuple[int, ...], ...] | None = None
    choices: tuple[ChoiceSlots, ...] = ()
    delays: tuple[DelaySlots, ...] = ()
    pipes: tuple[PipeSlots, ...] = ()
    # Some relation follows time beside the states, not in a straight line.
    watches_time: bool = False
    corners: tuple[int, ...] = ()  # slots: residuals of corners that make no events
    swing: int = -1  # slot: how fast what relations look at swings, in rad/s (program/swings.py)
    history: int = -1  # slot with the address of what they remember
    # `derivatives` before subexpressions are shared: what the Jacobian is made from.
    plain_derivatives: tuple[Step, ...] = ()
    plain_relations: tuple[Step, ...] = ()  # likewise: what their slopes are made from
    warnings: tuple[Diagnostic, ...] = ()
    core: CoreProgram | None = None  # what stays implicit
    # Slots of parameters that decided this, and whether they were zero.
    decisive: tuple[tuple[int, bool], ...] = ()
    pivots: tuple[PivotSlots, ...] = ()  # that decided, by not being zero, how equations are solved
    texts: tuple[TextInfo, ...] = ()
    ranges: tuple[RangeSlots, ...] = ()


@dataclass(frozen=True, slots=True)
class JacobianProgram:
    """Steps over the memory with `extra` slots behind it, then one formula per entry. The first
    `given` of the extra slots are handed in, in the array that receives the entries."""

    steps: tuple[Step, ...]
    entries: tuple[Expr, ...]  # column by column, rows ascending
    columns: tuple[tuple[int, ...], ...]  # rows of each column
    extra: int
    functions: tuple[Function, ...]  # derivatives of functions that had to be made
    given: int = 0
