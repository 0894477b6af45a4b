"""The flat model: plain variables and equations; connectors, classes and inheritance are gone.

Arrays of simple variables and for-equations over them stay whole. Record components have become
one variable per field; arrays of components have become one set of variables per element, with the
subscript inside the name: `("r", 2, "v")` is `r[2].v`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.names import ClassName, Name
from freewheel.base.source import NOWHERE, Span
from freewheel.formula.nodes import Expr
from freewheel.formula.statement_nodes import (
    Assert,
    CallEquation,
    Function,
    Reinit,
    Statement,
    Terminate,
)
from freewheel.formula.types import EnumType, RecordType, Scalar


class Variability(IntEnum):
    """Ordered: an expression is as variable as its most variable part."""

    CONSTANT = 0
    PARAMETER = 1
    DISCRETE = 2
    CONTINUOUS = 3


class Causality(Enum):
    LOCAL = "local"
    INPUT = "input"  # of the whole model; inputs of components are plain variables
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Attributes:
    """What Modelica's predefined attributes say; `None` where the model is silent.

    For an array variable an expression is either scalar (holds for each element) or of the
    variable's own dimensions.
    """

    start: Expr | None = None
    fixed: Expr | None = None
    minimum: Expr | None = None
    maximum: Expr | None = None
    nominal: Expr | None = None
    unit: str | None = None
    display_unit: str | None = None
    quantity: str | None = None
    state_select: str | None = None  # never, avoid, default, prefer, always
    unbounded: bool = False
    start_level: int = 0  # how deep in the tree `start` was written: 0 is the model itself
    is_default_start: bool = False  # below the model, by the class that declares it


@dataclass(frozen=True, slots=True)
class Variable:
    name: Name
    type: Scalar  # never RecordType
    dims: tuple[int, ...] = ()
    variability: Variability = Variability.CONTINUOUS
    causality: Causality = Causality.LOCAL
    binding: Expr | None = None  # of constants and parameters; other bindings became equations
    attributes: Attributes = Attributes()
    is_final: bool = False
    is_structural: bool = (
        False  # its value was used while flattening: a change needs a new flat model
    )
    is_protected: bool = False
    is_flow: bool = False
    is_stream: bool = False
    comment: str = ""
    span: Span = NOWHERE


# ---------------------------------------------------------------- equations


@dataclass(frozen=True, slots=True)
class Equation:
    """`left = right`, scalar or array valued. `origin` is the component that brought it."""

    left: Expr
    right: Expr
    span: Span = NOWHERE
    origin: Name = ()


@dataclass(frozen=True, slots=True)
class TupleEquation:
    """`(a, , c) = f(x)`; an omitted output is `None`."""

    outputs: tuple[Expr | None, ...]
    call: Expr
    span: Span = NOWHERE
    origin: Name = ()


@dataclass(frozen=True, slots=True)
class ForEquation:
    """`for index in values loop body`: `values` is a Range or Array of constants; `index` occurs
    in the body as `Iterator(index)`."""

    index: str
    values: Expr
    body: tuple[AnyEquation, ...]
    span: Span = NOWHERE
    origin: Name = ()


@dataclass(frozen=True, slots=True)
class IfEquation:
    """Branches in order, then `otherwise`. Conditions fixed while flattening have been resolved."""

    branches: tuple[tuple[Expr, tuple[AnyEquation, ...]], ...]
    otherwise: tuple[AnyEquation, ...]
    span: Span = NOWHERE
    origin: Name = ()


@dataclass(frozen=True, slots=True)
class WhenEquation:
    """`when c1 then ... elsewhen c2 then ...`; a condition may be an array of Booleans or a clock."""

    branches: tuple[tuple[Expr, tuple[AnyEquation, ...]], ...]
    span: Span = NOWHERE
    origin: Name = ()
    priority: Expr | None = None  # an Integer; larger ones come first where several are due


AnyEquation = (
    Equation
    | TupleEquation
    | ForEquation
    | IfEquation
    | WhenEquation
    | Reinit
    | Assert
    | Terminate
    | CallEquation
)


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One algorithm section: a piece of sequential code that computes all its targets."""

    statements: tuple[Statement, ...]
    span: Span = NOWHERE
    origin: Name = ()


@dataclass(frozen=True, slots=True)
class Experiment:
    """The `experiment` annotation."""

    start_time: float | None = None
    stop_time: float | None = None
    tolerance: float | None = None
    interval: float | None = None


@dataclass(frozen=True, slots=True)
class FlatModel:
    name: ClassName
    variables: tuple[Variable, ...]
    equations: tuple[AnyEquation, ...]
    initial_equations: tuple[AnyEquation, ...] = ()
    algorithms: tuple[Algorithm, ...] = ()
    initial_algorithms: tuple[Algorithm, ...] = ()
    functions: tuple[Function, ...] = ()  # every function reached, callees included
    enumerations: tuple[EnumType, ...] = ()
    records: tuple[RecordType, ...] = ()
    experiment: Experiment = Experiment()
    warnings: tuple[Diagnostic, ...] = field(default=())
    span: Span = NOWHERE
    comment: str = ""
