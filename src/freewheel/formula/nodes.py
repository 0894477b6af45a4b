"""Expressions after name lookup, used from `flat` onward: frozen, shared, compared by identity.

Every node is `(kind, data, args)`: `data` is a hashable payload, `args` are the children. Nodes are
hash-consed: building the same expression twice gives the same object, so `is`, `==` and `hash` cost
nothing and a formula is a graph that shares its common subexpressions.

    Binary("+", Var(("a",)), Real(1.0)) is Binary("+", Var(("a",)), Real(1.0))

Arrays stay whole here: an array variable is one `Var`; `formula.scalarize` takes it apart when the
structure room needs scalars. Constructors here fold nothing; `formula.build` does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Self

from freewheel.base.names import ClassName, Name

_table: dict[tuple[type, Hashable, tuple[Expr, ...]], Any] = {}


class Expr:
    """Interface of all nodes; never instantiated itself."""

    __slots__ = ("args", "data")
    data: Any
    args: tuple[Expr, ...]

    @classmethod
    def make(cls, data: Hashable, args: tuple[Expr, ...]) -> Self:
        """The one place where nodes come into being."""
        key = (cls, data, args)
        node: Self | None = _table.get(key)
        if node is None:
            node = object.__new__(cls)
            _set_data(node, data)
            _set_args(node, args)
            _table[key] = node
        return node

    def with_args(self, args: tuple[Expr, ...]) -> Self:
        """The same node over other children."""
        return self if args == self.args else type(self).make(self.data, args)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self).make, (self.data, self.args))

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __repr__(self) -> str:
        parts = self.args if self.data is None else (self.data, *self.args)
        inner = ", ".join(repr(part) for part in parts)
        return f"{type(self).__name__}({inner})"


# Past `__setattr__`, which refuses: nodes are frozen once made.
_set_data = Expr.__dict__["data"].__set__
_set_args = Expr.__dict__["args"].__set__

_forgetters: list[Callable[[], None]] = []


def on_forget(action: Callable[[], None]) -> None:
    """Whoever remembers something about nodes says how to forget it."""
    _forgetters.append(action)


def forget() -> None:
    """Empty the sharing table. Only for long-running programs, between models that share no node."""
    _table.clear()
    for action in _forgetters:
        action()


# ---------------------------------------------------------------- leaves


class Real(Expr):
    __slots__ = ()
    data: float

    def __new__(cls, value: float) -> Real:
        return cls.make(float(value), ())

    @property
    def value(self) -> float:
        return self.data


class Integer(Expr):
    __slots__ = ()
    data: int

    def __new__(cls, value: int) -> Integer:
        return cls.make(int(value), ())

    @property
    def value(self) -> int:
        return self.data


class Boolean(Expr):
    __slots__ = ()
    data: bool

    def __new__(cls, value: bool) -> Boolean:
        return cls.make(bool(value), ())

    @property
    def value(self) -> bool:
        return self.data


class String(Expr):
    """The characters meant, escapes already resolved."""

    __slots__ = ()
    data: str

    def __new__(cls, value: str) -> String:
        return cls.make(value, ())

    @property
    def value(self) -> str:
        return self.data


class Literal(Expr):
    """An enumeration literal: its type, its number (from 1) and its identifier."""

    __slots__ = ()
    data: tuple[ClassName, int, str]

    def __new__(cls, type_name: ClassName, index: int, literal: str) -> Literal:
        return cls.make((type_name, index, literal), ())

    @property
    def index(self) -> int:
        return self.data[1]


class Var(Expr):
    """A variable of the flat model, a local of a function, or `time`. May be a whole array.

    `Var(("a", "x", 2))` is the scalar element 2 of array `a.x`.
    """

    __slots__ = ()
    data: Name

    def __new__(cls, name: Name) -> Var:
        known = _variables.get(name)  # the commonest call of all: a quick way
        if known is None:
            known = _variables[name] = cls.make(name, ())
        return known

    if TYPE_CHECKING:
        name: Name
    else:
        name = Expr.__dict__["data"]  # read as fast as the field itself


_variables: dict[Name, Var] = {}
on_forget(_variables.clear)


class Iterator(Expr):
    """The index variable of a comprehension, reduction or for-loop around this place."""

    __slots__ = ()
    data: str

    def __new__(cls, name: str) -> Iterator:
        return cls.make(name, ())


class Colon(Expr):
    """A whole dimension, as a subscript `x[:, 1]`; only inside `Index`."""

    __slots__ = ()

    def __new__(cls) -> Colon:
        return cls.make(None, ())


class FunctionRef(Expr):
    """A function handed over as an argument."""

    __slots__ = ()
    data: ClassName

    def __new__(cls, function: ClassName) -> FunctionRef:
        return cls.make(function, ())


# ---------------------------------------------------------------- operators


class Unary(Expr):
    """`-` or `not`."""

    __slots__ = ()
    data: str

    def __new__(cls, op: str, arg: Expr) -> Unary:
        return cls.make(op, (arg,))

    @property
    def op(self) -> str:
        return self.data


ARITHMETIC = ("+", "-", "*", "/", "^")
ELEMENTWISE = (".+", ".-", ".*", "./", ".^")
RELATIONS = ("<", "<=", ">", ">=", "==", "<>")
LOGICAL = ("and", "or")


class Binary(Expr):
    """Arithmetic, elementwise arithmetic, relations and logic; meaning on arrays as in Modelica."""

    __slots__ = ()
    data: str

    def __new__(cls, op: str, left: Expr, right: Expr) -> Binary:
        return cls.make(op, (left, right))

    @property
    def op(self) -> str:
        return self.data

    @property
    def left(self) -> Expr:
        return self.args[0]

    @property
    def right(self) -> Expr:
        return self.args[1]


class If(Expr):
    """`if condition then a else b`; `elseif` is an `If` in the last place."""

    __slots__ = ()

    def __new__(cls, condition: Expr, then: Expr, otherwise: Expr) -> If:
        return cls.make(None, (condition, then, otherwise))


class Call(Expr):
    """A call with positional arguments only; defaults are filled in.

    `function` is a `str` for what the language defines (`sin`, `der`, `pre`, `sample`, ...) and a
    `ClassName` for functions of the model. A call of a function with several outputs means the
    first one; the others are reached by `Output`.
    """

    __slots__ = ()
    data: str | ClassName

    def __new__(cls, function: str | ClassName, *args: Expr) -> Call:
        return cls.make(function, args)

    @property
    def function(self) -> str | ClassName:
        return self.data


class Output(Expr):
    """Output number `index` (from 1) of a call."""

    __slots__ = ()
    data: int

    def __new__(cls, index: int, call: Expr) -> Output:
        return cls.make(index, (call,))


class PartialFunction(Expr):
    """`function f(b = 2)` as an argument: some inputs bound by name."""

    __slots__ = ()
    data: tuple[ClassName, tuple[str, ...]]

    def __new__(cls, function: ClassName, names: tuple[str, ...], *values: Expr) -> PartialFunction:
        return cls.make((function, names), values)


# ---------------------------------------------------------------- arrays and records


class Array(Expr):
    """`{a, b, c}`; matrices are nested."""

    __slots__ = ()

    def __new__(cls, *elements: Expr) -> Array:
        return cls.make(None, elements)


class Range(Expr):
    """`first : step : last`, both ends included."""

    __slots__ = ()

    def __new__(cls, first: Expr, step: Expr, last: Expr) -> Range:
        return cls.make(None, (first, step, last))


class Comprehension(Expr):
    """`{body for i in r, j in s}`: `names == ("i", "j")`, the last iterator runs slowest outside,
    i.e. dimension 1 belongs to the *last* name, as Modelica 3.6 "Array Constructor with Iterators" says."""

    __slots__ = ()
    data: tuple[str, ...]

    def __new__(cls, names: tuple[str, ...], body: Expr, *ranges: Expr) -> Comprehension:
        return cls.make(names, (body, *ranges))


class Reduction(Expr):
    """`sum(body for i in r)`, also product, min, max; and user reductions never exist."""

    __slots__ = ()
    data: tuple[str, tuple[str, ...]]

    def __new__(cls, op: str, names: tuple[str, ...], body: Expr, *ranges: Expr) -> Reduction:
        return cls.make((op, names), (body, *ranges))


class Index(Expr):
    """`base[subscripts]`; a subscript is a number, an array of numbers, or `Colon()`."""

    __slots__ = ()

    def __new__(cls, base: Expr, *subscripts: Expr) -> Index:
        return cls.make(None, (base, *subscripts))


class Record(Expr):
    """A record value with its field names in order."""

    __slots__ = ()
    data: tuple[ClassName, tuple[str, ...]]

    def __new__(cls, type_name: ClassName, fields: tuple[str, ...], *values: Expr) -> Record:
        return cls.make((type_name, fields), values)

    @property
    def fields(self) -> tuple[str, ...]:
        return self.data[1]


class Field(Expr):
    """`base.name` of a record value that is not a plain variable (a call, an element)."""

    __slots__ = ()
    data: str

    def __new__(cls, name: str, base: Expr) -> Field:
        return cls.make(name, (base,))


TRUE = Boolean(True)
FALSE = Boolean(False)
ZERO = Real(0.0)
ONE = Real(1.0)
TIME = Var(("time",))
