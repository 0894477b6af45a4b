"""Expressions of Modelica 3.6: named tuples with their place, see `nodes.py`.

In: nothing, this file is data only. `a + 2` becomes
`Binary(op="+", left=ComponentRef(parts=(RefPart("a"),)), right=Number(text="2"))`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from freewheel.syntax.text_nodes import decode_string


class TypeName(NamedTuple):
    """A dotted name of a class: `Modelica.Units.SI.Time`, `.Modelica`; `within;` has no parts."""

    start: int
    end: int
    parts: tuple[str, ...]  # identifiers; a quoted one keeps its quotes, as the language says
    absolute: bool = False  # a leading dot: looked up from the top


class Number(NamedTuple):
    """An unsigned number, as written."""

    start: int
    end: int
    text: str

    @property
    def is_integer(self) -> bool:
        """Digits only: the language calls it an Integer, anything else a Real."""
        return self.text.isdigit()

    @property
    def value(self) -> int | float:
        return int(self.text) if self.text.isdigit() else float(self.text)


class Str(NamedTuple):
    """A quoted string."""

    start: int
    end: int
    text: str  # as written between the quotes, escapes not decoded

    @property
    def value(self) -> str:
        return decode_string(self.text)


class Bool(NamedTuple):
    start: int
    end: int
    value: bool


class RefPart(NamedTuple):
    """One identifier of a reference. It has no span, so that equal parts are shared."""

    name: str
    subscripts: tuple[Expr, ...] = ()


class ComponentRef(NamedTuple):
    """`a.b[i].c`, `.Modelica.Constants.pi`; also the function name of a call (`der`, `initial`)."""

    start: int
    end: int
    parts: tuple[RefPart, ...]
    absolute: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The identifiers without subscripts."""
        return tuple([part.name for part in self.parts])


class NamedArg(NamedTuple):
    """`name = value` in a call."""

    start: int
    end: int
    name: str
    value: Expr


class Call(NamedTuple):
    """`f(a, b, c = d)`; `sum(x for i in r)` has one argument, a `Generator`."""

    start: int
    end: int
    function: ComponentRef
    args: tuple[Expr, ...]
    named: tuple[NamedArg, ...]


class PartialFunction(NamedTuple):
    """`function f(a = 1)`, a function passed as an argument."""

    start: int
    end: int
    function: TypeName
    named: tuple[NamedArg, ...]


class Binary(NamedTuple):
    """`left op right` with op one of `+ - * / ^ .+ .- .* ./ .^ < <= > >= == <> and or`."""

    start: int
    end: int
    op: str
    left: Expr
    right: Expr


class Unary(NamedTuple):
    """`op operand` with op one of `+ - .+ .- not`."""

    start: int
    end: int
    op: str
    operand: Expr


class IfExpr(NamedTuple):
    """`if c1 then e1 elseif c2 then e2 else e`."""

    start: int
    end: int
    branches: tuple[tuple[Expr, Expr], ...]  # (condition, value)
    otherwise: Expr


class Range(NamedTuple):
    """`first : last` or `first : step : last`."""

    start: int
    end: int
    first: Expr
    step: Expr | None
    last: Expr


class ArrayLiteral(NamedTuple):
    """`{a, b, c}`."""

    start: int
    end: int
    items: tuple[Expr, ...]


class MatrixLiteral(NamedTuple):
    """`[a, b; c, d]`."""

    start: int
    end: int
    rows: tuple[tuple[Expr, ...], ...]


class Iterator(NamedTuple):
    """`name in range`; without a range the use as a subscript tells it."""

    start: int
    end: int
    name: str
    range: Expr | None


class Comprehension(NamedTuple):
    """`{value for i in r, j in s}`: an array."""

    start: int
    end: int
    value: Expr
    iterators: tuple[Iterator, ...]


class Generator(NamedTuple):
    """`value for i in r`, only as the single argument of a call: `sum(x[i] for i in 1:3)`."""

    start: int
    end: int
    value: Expr
    iterators: tuple[Iterator, ...]


class TupleExpr(NamedTuple):
    """`(a, , c)`: outputs of a call, `None` where one is left out. Never just one expression."""

    start: int
    end: int
    items: tuple[Expr | None, ...]


class EndExpr(NamedTuple):
    """`end` inside a subscript: the last index."""

    start: int
    end: int


class Colon(NamedTuple):
    """`:` as a whole subscript, or as a dimension left open."""

    start: int
    end: int


class Subscripted(NamedTuple):
    """`(expression)[i, j]`."""

    start: int
    end: int
    base: Expr
    subscripts: tuple[Expr, ...]


class FieldAccess(NamedTuple):
    """`(expression).field`."""

    start: int
    end: int
    base: Expr
    field: str


class NoBinding(NamedTuple):
    """`break` in place of a value in `x = break`: the inherited binding is removed."""

    start: int
    end: int


Expr: TypeAlias = (
    Number
    | Str
    | Bool
    | ComponentRef
    | Call
    | PartialFunction
    | Binary
    | Unary
    | IfExpr
    | Range
    | ArrayLiteral
    | MatrixLiteral
    | Comprehension
    | Generator
    | TupleExpr
    | EndExpr
    | Colon
    | Subscripted
    | FieldAccess
    | NoBinding
)
