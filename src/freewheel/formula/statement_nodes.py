"""Sequential code: statements of algorithms and functions, and functions themselves.

They live beside the expressions because constants may call functions long before there is a flat
model. Inside a function, locals are `Var(("x",))`, loop indices `Iterator("i")`.
"""

from __future__ import annotations

from dataclasses import dataclass

from freewheel.base.names import ClassName, Name
from freewheel.base.source import NOWHERE, Span
from freewheel.formula.nodes import Expr
from freewheel.formula.types import Type

# ---------------------------------------------------------------- actions, in equations and statements


@dataclass(frozen=True, slots=True)
class Reinit:
    variable: Expr
    value: Expr
    span: Span = NOWHERE
    origin: Name = ()


@dataclass(frozen=True, slots=True)
class Assert:
    condition: Expr
    message: Expr
    is_warning: bool = False
    span: Span = NOWHERE
    origin: Name = ()


@dataclass(frozen=True, slots=True)
class Terminate:
    message: Expr
    span: Span = NOWHERE
    origin: Name = ()


@dataclass(frozen=True, slots=True)
class CallEquation:
    """A call for its effect: a function without outputs, `transition`, `initialState`, ..."""

    call: Expr
    span: Span = NOWHERE
    origin: Name = ()


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Assign:
    """`target := value`; the target is a Var, an Index of one, or (in functions) a Field path."""

    target: Expr
    value: Expr
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class TupleAssign:
    targets: tuple[Expr | None, ...]
    call: Expr
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class IfStatement:
    branches: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ForStatement:
    index: str
    values: Expr
    body: tuple[Statement, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class WhileStatement:
    condition: Expr
    body: tuple[Statement, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class WhenStatement:
    branches: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    span: Span = NOWHERE
    priority: Expr | None = None  # see `flat.nodes.WhenEquation`


@dataclass(frozen=True, slots=True)
class Break:
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Return:
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Effect:
    """A call statement, or one of the equation-like statements inside an algorithm."""

    action: CallEquation | Assert | Terminate | Reinit
    span: Span = NOWHERE


Statement = (
    Assign
    | TupleAssign
    | IfStatement
    | ForStatement
    | WhileStatement
    | WhenStatement
    | Break
    | Return
    | Effect
)


# ---------------------------------------------------------------- functions


@dataclass(frozen=True, slots=True)
class FunctionVariable:
    """An input, output or local of a function. Dimensions may be expressions over inputs."""

    name: str
    type: Type
    dims: tuple[Expr | None, ...] = ()  # None for `:`
    default: Expr | None = None
    role: str = "local"  # input, output, local
    is_constant: bool = False


@dataclass(frozen=True, slots=True)
class External:
    """`external "C" result = name(args)`."""

    language: str
    name: str
    result: Expr | None
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class DerivativeInfo:
    """`derivative(order = n, zeroDerivative = ..., noDerivative = ...) = function`."""

    function: ClassName
    order: int = 1
    zero_derivative: tuple[str, ...] = ()
    no_derivative: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    name: ClassName
    variables: tuple[FunctionVariable, ...]
    body: tuple[Statement, ...] = ()
    external: External | None = None
    derivatives: tuple[DerivativeInfo, ...] = ()
    inverses: tuple[tuple[str, Expr], ...] = ()  # unknown input -> call that gives it
    partial_derivative_of: tuple[ClassName, tuple[str, ...]] | None = None  # `= der(f, x, y)`
    inline: bool = False
    is_impure: bool = False
    span: Span = NOWHERE

    def inputs(self) -> tuple[FunctionVariable, ...]:
        return tuple(v for v in self.variables if v.role == "input")

    def outputs(self) -> tuple[FunctionVariable, ...]:
        return tuple(v for v in self.variables if v.role == "output")
