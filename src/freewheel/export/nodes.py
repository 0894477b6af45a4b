"""Statements that every target can write: what lies between a program and the text of a language.

    Set(Var((3,)), Var((1,))*Var((2,)))
    Choose(((condition, (Set(..),)),), otherwise=(Set(..),))

Variables are those of the program room; `Var(("local", "moved"))` belongs to one routine. A value that
is a condition is true or false; whether a language keeps it as a logical or as 1.0 and 0.0 is its own
business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from freewheel.base.names import Name
from freewheel.formula.nodes import Expr, Var
from freewheel.program.nodes import Program


@dataclass(frozen=True, slots=True)
class Set:
    """`target := value`; `origin` is the component whose equation it is."""

    target: Var
    value: Expr
    origin: Name | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """The first branch whose condition holds."""

    branches: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Repeat:
    """Until `Leave`; after `limit` rounds the routine fails with these words."""

    limit: int
    body: tuple[Statement, ...]
    failure: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The innermost `Repeat`, where the condition holds."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class Run:
    """All statements of a section."""

    section: str


@dataclass(frozen=True, slots=True)
class Linear:
    """`matrix * targets = right`, the matrix as (row, column, entry)."""

    targets: tuple[Var, ...]
    matrix: tuple[tuple[int, int, Expr], ...]
    right: tuple[Expr, ...]


Statement = Set | Choose | Repeat | Leave | Run | Linear


@dataclass(frozen=True, slots=True)
class Extras:
    """Slots behind the memory of the program, for the iteration at events."""

    counts: tuple[int, ...]  # how often each sample has come
    next_time: int  # when the next is due
    changed: int  # whether a status has followed its residual
    moved: int  # whether a value is not its pre-value, or a state has jumped
    rounds: int
    # Of each relation: half of the interval around zero that counts as zero, and how large it has been.
    bands: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    ended: int = -1  # whether `terminate` was said, where the model says it


@dataclass(frozen=True, slots=True)
class Draft:
    """A model ready to be written down in a language: routines by name, and where its data are.

    Routines: the sections of the program, then `start` (everything before the first event),
    `due` (marks samples that fire at the present time), `event` (discrete equations until they settle)
    and its parts: `follow` (statuses take the signs of their residuals), `hold` (values become pre-values).
    """

    program: Program
    routines: Mapping[str, tuple[Statement, ...]]
    extras: Extras
    memory: tuple[float, ...]  # of the program, then the extras
    names: tuple[str, ...]  # of each slot
    logical: frozenset[int]  # slots that are true or false
    title: str = ""
    stop: float = 1.0
    interval: float = 0.0  # 0: nobody said
    tolerance: float = 1e-6


def local(name: str) -> Var:
    return Var(("local", name))
