"""Data of the structure room: scalar equations, then blocks in an order of evaluation.

    FlatModel -> ScalarModel -> AliasFree -> Hybrid -> Reduced -> Ordered

Every expression here is scalar; `der(x)` and friends are variables (see atoms.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.names import ClassName, Name
from freewheel.base.source import NOWHERE, Span
from freewheel.flat.nodes import Causality, Experiment, Variability
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.statement_nodes import Function
from freewheel.formula.types import Scalar

if TYPE_CHECKING:
    from freewheel.structure.switching.nodes import Core

UNSAID = -(1 << 30)


@dataclass(frozen=True, slots=True)
class ScalarVariable:
    """One number of the model."""

    name: Name
    type: Scalar
    variability: Variability = Variability.CONTINUOUS
    causality: Causality = Causality.LOCAL
    binding: Expr | None = None
    start: Expr | None = None
    start_level: int = 0  # how deep in the tree it was written
    is_default_start: bool = False  # below the model, by the class that declares it
    fixed: Expr | None = None
    nominal: Expr | None = None
    minimum: Expr | None = None
    maximum: Expr | None = None
    unit: str = ""
    comment: str = ""
    state_select: str = "default"
    is_final: bool = False
    is_structural: bool = False
    is_protected: bool = False
    span: Span = NOWHERE
    # Of one that is integrated in a state of a state machine: is that active, is it reset?
    active: Var | None = None
    resets: Var | None = None

    @property
    def start_say(self) -> int:
        """How much its start value counts beside others."""
        return -self.start_level if self.start is not None else UNSAID


@dataclass(frozen=True, slots=True)
class ScalarEquation:
    """`left = right`. With `target` set it only ever gives that variable (algorithms, updates)."""

    left: Expr
    right: Expr
    span: Span = NOWHERE
    origin: Name = ()
    target: Var | None = None
    derivative_of: int = -1  # number of the equation whose time derivative this is
    clause: tuple[int, Expr] | None = None  # number and clock of the clocked when-clause around it
    lost: tuple[Expr, ...] = ()  # parts that do not matter, except for the clock
    spoken: str = ""  # the equation as written, where the sides hold stand-ins
    is_when: bool = False  # from a when-clause: relations in it make no events


@dataclass(frozen=True, slots=True)
class Condition:
    """A when-condition: `flag` is its value, it fires when the flag rises."""

    flag: Var
    value: Expr
    span: Span = NOWHERE
    origin: Name = ()
    priority: int | None = None  # of its clause, where clauses have some: see priorities.py


SUBSCRIPT = "subscript"  # the kind of an action that looks at one: it must be within its bounds


@dataclass(frozen=True, slots=True)
class Action:
    """Something that happens besides equations: assert, warning, subscript, terminate, call, reinit.

    `guard` is the condition (`None`: always; it may contain `$initial`). An assert checks `value`, as
    a subscript does; a reinit sets `target`.
    """

    kind: str
    guard: Expr | None
    value: Expr | None = None
    message: Expr | None = None
    target: Var | None = None
    span: Span = NOWHERE
    origin: Name = ()
    clause: tuple[int, Expr] | None = None  # number and clock of the clocked when-clause around it


@dataclass(frozen=True, slots=True)
class SampleClock:
    """Ticks at start + (first + k*every)*interval/parts; `sample(start, interval)` at each
    interval. With the same interval and parts, equal instants are equal numbers."""

    flag: Var
    start: Expr
    interval: Expr
    first: int = 0
    every: int = 1
    parts: int = 1
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class DelayLine:
    """`delay(signal, lag, longest)`: one line of the history (delays.py). A line that is only
    remembered has no lag."""

    number: int
    signal: Expr
    lag: Expr | None
    longest: Expr
    is_variable: bool  # the lag can change
    text: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Pipe:
    """`spatialDistribution(in0, in1, x, ...)`: numbers of its lines of the history."""

    number: int
    place: int  # of x
    left: int  # of in0
    right: int  # of in1
    forward: Expr
    points: tuple[Expr, ...]
    values: tuple[Expr, ...]
    text: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ScalarModel:
    """The flat model taken apart into scalars."""

    name: ClassName
    variables: tuple[ScalarVariable, ...]
    equations: tuple[ScalarEquation, ...]
    initial_equations: tuple[ScalarEquation, ...] = ()
    conditions: tuple[Condition, ...] = ()
    actions: tuple[Action, ...] = ()
    samples: tuple[SampleClock, ...] = ()
    delays: tuple[DelayLine, ...] = ()
    pipes: tuple[Pipe, ...] = ()
    functions: tuple[Function, ...] = ()
    experiment: Experiment = field(default_factory=Experiment)
    warnings: tuple[Diagnostic, ...] = ()
    span: Span = NOWHERE
    # As messages write them: their start values are assumed before those of others (`initial/system.py`).
    assumed_first: frozenset[str] = frozenset()


class Elimination(StrEnum):
    """How much is removed before sorting. Simulation removes zeros; the others are for reading."""

    NONE = "none"
    ALIASES = "aliases"  # `a = b` and `a = -b`, but what the whole model puts out stays
    ZEROS = "zeros"  # also `a = 0` and other constants, again and again
    SURPLUS = "surplus"  # and what neither a state nor an output needs


@dataclass(frozen=True, slots=True)
class Alias:
    """`variable = sign * stand_in`, or a constant where there is no stand-in."""

    stand_in: Var | None
    sign: int = 1
    constant: Expr | None = None


@dataclass(frozen=True, slots=True)
class AliasFree:
    """Stand-ins only; `removed` are the equations that became aliases."""

    model: ScalarModel
    aliases: Mapping[Name, Alias]
    removed: tuple[ScalarEquation, ...] = ()


@dataclass(frozen=True, slots=True)
class Crossing:
    """A relation that makes events: `status` is the sign of `left - right`."""

    status: Var
    left: Expr
    right: Expr
    text: str
    depends_on_time_only: bool = False
    span: Span = NOWHERE
    expression: str = ""  # `left - right` in the event log
    is_watch: bool = False  # of the simulation's own: it watches what is remembered


@dataclass(frozen=True, slots=True)
class Hybrid:
    """Relations read their status; discrete and continuous quantities are separated."""

    aliases: AliasFree
    equations: tuple[ScalarEquation, ...]
    discrete_equations: tuple[ScalarEquation, ...]
    initial_equations: tuple[ScalarEquation, ...]
    actions: tuple[Action, ...]
    crossings: tuple[Crossing, ...]
    samples: tuple[SampleClock, ...]
    continuous: tuple[Var, ...]  # unknowns, without derivatives
    discrete: tuple[Var, ...]  # unknowns that change at events only


@dataclass(frozen=True, slots=True)
class StateGroup:
    """Variables tied by constraints, of which combinations are states, chosen while running.

    `gradient` has a row for each constraint and a column for each variable, times its scale.
    """

    number: int
    variables: tuple[Var, ...]
    order: int  # how often the constraints are differentiated: 1, or 2 for positions
    gradient: tuple[tuple[Expr, ...], ...]
    scales: tuple[float, ...]
    ranks: tuple[int, ...]  # by StateSelect, larger ones had better be states

    @property
    def state_count(self) -> int:
        """Of each order."""
        return len(self.variables) - len(self.gradient)


@dataclass(frozen=True, slots=True)
class Chosen:
    """After index reduction: all equations, all unknowns, and the states among them."""

    equations: tuple[ScalarEquation, ...]
    unknowns: tuple[Var, ...]  # derivatives and dummies included, states not
    states: tuple[Var, ...]
    start_states: tuple[Var, ...]  # those whose start values are proposals for the initial system
    functions: tuple[Function, ...] = ()  # derivatives of functions, made on the way
    groups: tuple[StateGroup, ...] = ()
    # Constraints that jump at events, by number: what they tie is implicit (switching/core.py).
    kept: tuple[int, ...] = ()
    # Equations that jump, or a derivative of them: number, the known quantity it gives, and those that are
    # impulses then.
    impulses: tuple[tuple[int, Var, tuple[Var, ...]], ...] = ()


# ---------------------------------------------------------------- blocks


@dataclass(frozen=True, slots=True)
class Solved:
    """`target = value`, everything in `value` known by then."""

    target: Var
    value: Expr
    equation: int
    divisors: tuple[Expr, ...] = ()  # that the equation was divided by


@dataclass(frozen=True, slots=True)
class Loop:
    """Equations to solve together: guess `guesses`, follow `inner`, make `residuals` zero.

    A linear loop carries its matrix as (row, column, entry): `matrix * guesses = right`.
    """

    guesses: tuple[Var, ...]
    inner: tuple[Solved, ...]
    residuals: tuple[Expr, ...]
    equations: tuple[int, ...]  # all of them, inner ones included
    residual_equations: tuple[int, ...]
    unknowns: tuple[Var, ...]
    matrix: tuple[tuple[int, int, Expr], ...] | None = None
    right: tuple[Expr, ...] = ()
    is_implicit: bool = False  # for reading only: positions of switches decide how it is solved
    divisors: tuple[Expr, ...] = ()  # coefficients of unknowns, all but numbers

    @property
    def is_linear(self) -> bool:
        return self.matrix is not None


Block = Solved | Loop

# A sum of products of parameters that an equation is divided by: (factor, parameters) each.
Pivot = tuple[tuple[float, tuple[Var, ...]], ...]


@dataclass(frozen=True, slots=True)
class Sorted:
    """Equations with an order of evaluation. Block entries number into `equations`."""

    equations: tuple[ScalarEquation, ...]
    blocks: tuple[Block, ...]
    checks: tuple[int, ...] = ()  # redundant equations that must hold afterwards
    rivals: tuple[
        tuple[int, ...], ...
    ] = ()  # for each check, the equations that determine its sides


@dataclass(frozen=True, slots=True)
class Ordered:
    """What leaves the room: everything in an order in which it can be evaluated."""

    scalar: ScalarModel
    hybrid: Hybrid
    chosen: Chosen
    states: tuple[Var, ...]  # without those inside the core
    parameters: tuple[Solved, ...]  # dependent parameters in order
    free_parameters: tuple[Var, ...]  # `fixed = false`: found by the initial system
    simulation: Sorted  # given states, discrete values and statuses; and what the core gives
    discrete: Sorted  # one pass at an event
    initial: Sorted
    simplified: Sorted | None  # the initial system with the simplified parts of `homotopy`
    between: Sorted | None  # with `lambda*actual + (1 - lambda)*simplified` in their place
    held: tuple[Var, ...]  # quantities with a pre-value
    core: Core  # what stays implicit
    groups: tuple[StateGroup, ...] = ()  # states that are chosen while running
    functions: tuple[Function, ...] = ()
    equation_count: int = 0  # scalars, as the modeller counts them
    unknown_count: int = 0
    warnings: tuple[Diagnostic, ...] = ()
    decisive: tuple[Var, ...] = ()  # parameters whose being zero or not decided that
    pivots: tuple[Pivot, ...] = ()  # whose being zero or not decided how equations are solved
    steady: tuple[Var, ...] = ()  # states of the core that begin at rest
    guessed: tuple[Var, ...] = ()  # states of the core with a start value that is only a guess
    assumed: tuple[ScalarEquation, ...] = ()  # of `initial`: start values that are not fixed

    @property
    def integrated(self) -> tuple[Var, ...]:
        """What moves in time by itself: the states, then all that the core gives."""
        return (*self.states, *self.core.variables)

    @property
    def differential(self) -> tuple[Var, ...]:
        """Those whose rates mean something."""
        return (*self.states, *self.core.differential)
