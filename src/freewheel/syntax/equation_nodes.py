"""Equations and statements of Modelica 3.6: named tuples with their place, see `nodes.py`.

In: nothing, this file is data only. `der(x) = -x` becomes `Equation(left=Call(...), right=Unary(op="-",
...))`; the same words inside an algorithm become a `Statement`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from freewheel.syntax.expression_nodes import Call, ComponentRef, Expr, Iterator
from freewheel.syntax.text_nodes import Description

# ---------------------------------------------------------------- equations


class Equation(NamedTuple):
    """`left = right`."""

    start: int
    end: int
    left: Expr
    right: Expr
    description: Description | None


class Connect(NamedTuple):
    """`connect(left, right)`."""

    start: int
    end: int
    left: ComponentRef
    right: ComponentRef
    description: Description | None


class CallEquation(NamedTuple):
    """A call that stands alone: `assert(...)`, `reinit(...)`, `Connections.root(...)`."""

    start: int
    end: int
    call: Call
    description: Description | None


class EquationBranch(NamedTuple):
    """A condition of an if- or when-equation and what it guards."""

    start: int
    end: int
    condition: Expr
    body: tuple[AnyEquation, ...]


class IfEquation(NamedTuple):
    start: int
    end: int
    branches: tuple[EquationBranch, ...]
    otherwise: tuple[AnyEquation, ...]  # empty also when `else` is missing
    description: Description | None


class WhenEquation(NamedTuple):
    start: int
    end: int
    branches: tuple[EquationBranch, ...]
    description: Description | None


class ForEquation(NamedTuple):
    start: int
    end: int
    iterators: tuple[Iterator, ...]
    body: tuple[AnyEquation, ...]
    description: Description | None


AnyEquation: TypeAlias = Equation | Connect | CallEquation | IfEquation | WhenEquation | ForEquation


# ---------------------------------------------------------------- statements


class Assign(NamedTuple):
    """`target := value`."""

    start: int
    end: int
    target: ComponentRef
    value: Expr
    description: Description | None


class TupleAssign(NamedTuple):
    """`(a, , c) := f(...)`, `None` where an output is not wanted."""

    start: int
    end: int
    targets: tuple[ComponentRef | None, ...]
    call: Call
    description: Description | None


class CallStatement(NamedTuple):
    start: int
    end: int
    call: Call
    description: Description | None


class StatementBranch(NamedTuple):
    """A condition of an if- or when-statement and what it guards."""

    start: int
    end: int
    condition: Expr
    body: tuple[Statement, ...]


class IfStatement(NamedTuple):
    start: int
    end: int
    branches: tuple[StatementBranch, ...]
    otherwise: tuple[Statement, ...]  # empty also when `else` is missing
    description: Description | None


class WhenStatement(NamedTuple):
    start: int
    end: int
    branches: tuple[StatementBranch, ...]
    description: Description | None


class ForStatement(NamedTuple):
    start: int
    end: int
    iterators: tuple[Iterator, ...]
    body: tuple[Statement, ...]
    description: Description | None


class WhileStatement(NamedTuple):
    start: int
    end: int
    condition: Expr
    body: tuple[Statement, ...]
    description: Description | None


class Break(NamedTuple):
    start: int
    end: int
    description: Description | None


class Return(NamedTuple):
    start: int
    end: int
    description: Description | None


Statement: TypeAlias = (
    Assign
    | TupleAssign
    | CallStatement
    | IfStatement
    | WhenStatement
    | ForStatement
    | WhileStatement
    | Break
    | Return
)
