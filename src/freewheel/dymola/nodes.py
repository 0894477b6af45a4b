"""The classic language as written: what the parser of this room returns.

In: nothing, this file is data only. `model type resistor cut A(Va/i) ... end` becomes
`Model(name="resistor", is_class=True, cuts=(Cut(name="A", across=(CutVariable("Va"),), ...),), ...)`.

Expressions and equations are nodes of `syntax` already: the two languages write them almost alike.
`new(x)` is a call of `new`, `Time` a reference; `lower.py` gives both their meaning. Each node begins
with `start` and `end`, character offsets into the file.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from freewheel.syntax.equation_nodes import Equation, WhenEquation
from freewheel.syntax.expression_nodes import ComponentRef, Expr


class Word(NamedTuple):
    """An identifier with its place."""

    start: int
    end: int
    text: str


class Variable(NamedTuple):
    """One name of `local`, `terminal`, `input`, `output`, `parameter` or `constant`."""

    start: int
    end: int
    kind: str  # the word that declares it
    name: str
    value: Expr | None  # the default of a parameter, the value of a constant


class CutVariable(NamedTuple):
    """`Va`, `-i`, or `.` where a cut has nothing at this place."""

    start: int
    end: int
    name: str  # empty for `.`
    is_negative: bool


class Cut(NamedTuple):
    """`cut A(Va/i)`: across variables before the slash, through variables behind it.

    A hierarchical cut, `cut Plug[A B]`, names other cuts instead.
    """

    start: int
    end: int
    name: str
    is_main: bool
    across: tuple[CutVariable, ...]
    through: tuple[CutVariable, ...]
    parts: tuple[Word, ...]


class Path(NamedTuple):
    """`path P<A - B>`: the way through a model from one cut to another."""

    start: int
    end: int
    name: str
    is_main: bool
    first: Word
    last: Word


class Argument(NamedTuple):
    """`R = 100` behind the name of a submodel."""

    start: int
    end: int
    name: str
    value: Expr


class Submodel(NamedTuple):
    """`submodel (resistor) R1(R = 100)`; `submodel Common` is of the class `Common`."""

    start: int
    end: int
    class_name: Word
    name: str
    arguments: tuple[Argument, ...]


class Init(NamedTuple):
    """`init C.u = 5`: the value at the start."""

    start: int
    end: int
    target: ComponentRef
    value: Expr


class FunctionDef(NamedTuple):
    """`function g(h) = 20 + 3E6/h`; `gDER` of the same arguments is its slope."""

    start: int
    end: int
    name: str
    inputs: tuple[Word, ...]
    value: Expr
    is_slope_of_table: bool = False  # made from points; one that is written counts more


# ---------------------------------------------------------------- connections


class CutRef(NamedTuple):
    """`n1`, `R1`, `R1.WireA`: a node, a submodel by its main path or cut, or one of its cuts."""

    start: int
    end: int
    names: tuple[str, ...]


class Series(NamedTuple):
    """`a - b - c`: the end of each at the beginning of the next."""

    start: int
    end: int
    items: tuple[Connection, ...]


class Parallel(NamedTuple):
    """`a // b`: both ends together."""

    start: int
    end: int
    left: Connection
    right: Connection


class Reversed(NamedTuple):
    r"""`\a`: the other way round."""

    start: int
    end: int
    inner: Connection


class At(NamedTuple):
    """`a at n`, also written `a = n`; `a at (b, c)` has two places."""

    start: int
    end: int
    inner: Connection
    places: tuple[Connection, ...]


class Between(NamedTuple):
    """`R1 from n1 to n2`; either end may be left out."""

    start: int
    end: int
    inner: Connection
    first: Connection | None
    last: Connection | None


Connection: TypeAlias = CutRef | Series | Parallel | Reversed | At | Between


# ---------------------------------------------------------------- models


class Model(NamedTuple):
    """`model type (Super) Name ... end`; without `type` or `class` it is to be simulated."""

    start: int
    end: int
    name: Word
    is_class: bool
    base: Word | None
    variables: tuple[Variable, ...]
    cuts: tuple[Cut, ...]
    paths: tuple[Path, ...]
    submodels: tuple[Submodel, ...]
    nodes: tuple[Word, ...]
    inits: tuple[Init, ...]
    connections: tuple[Connection, ...]
    equations: tuple[Equation | WhenEquation, ...]


class ClassicFile(NamedTuple):
    """A whole `.dym` file."""

    models: tuple[Model, ...]
    functions: tuple[FunctionDef, ...]
