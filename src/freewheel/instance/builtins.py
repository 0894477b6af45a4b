"""Functions and operators of the language itself: their arguments, checks and result types.

    der(x) -> Real, continuous      size(A, 1) -> Integer constant      cat(1, a, b) -> sizes added

Each entry of the table takes the elaborated arguments and gives a typed call. Conversions that need
no code at run time (`scalar`, `size` of known dimensions) are done at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.names import show
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.intrinsics import INTRINSICS, ROWS, Intrinsic
from freewheel.formula.types import (
    BOOLEAN,
    CLOCK,
    INTEGER,
    REAL,
    STRING,
    Dims,
    RecordType,
    Scalar,
    Type,
)
from freewheel.formula.types import show as show_type
from freewheel.instance import types
from freewheel.instance.context import Context
from freewheel.instance.hints import call_of
from freewheel.instance.nodes import CONSTANT, CONTINUOUS, DISCRETE, PARAMETER, Typed
from freewheel.instance.restrictions import names_variable
from freewheel.instance.string_conversion import string_conversion

if TYPE_CHECKING:
    from freewheel.instance.elaborate import Elaborator
    from freewheel.instance.session import Session


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one call, elaborated, and where it stands."""

    name: str
    args: tuple[Typed, ...]
    named: dict[str, Typed]
    place: Span
    context: Context

    def get(self, position: int, label: str) -> Typed | None:
        return self.args[position] if position < len(self.args) else self.named.get(label)

    def need(self, position: int, label: str) -> Typed:
        found = self.get(position, label)
        if found is None:
            raise self.wrong(f"argument `{label}` is missing")
        return found

    def wrong(self, text: str, help: str = "") -> CompileError:
        return error(
            "N060",
            f"`{self.name}`: {text}",
            self.place,
            help=help or f"call it as `{call_of(self.name)}`",
        )

    def variability(self) -> int:
        return max(
            [
                CONSTANT,
                *(t.variability for t in self.args),
                *(t.variability for t in self.named.values()),
            ]
        )

    def exprs(self) -> tuple[f.Expr, ...]:
        return tuple(t.expr for t in self.args)


Handler = Callable[[Arguments], Typed]

# What follows the first argument of `Clock`, by its type, and the signal of a conversion.
_SECOND_OF_CLOCK = {
    INTEGER: "resolution", REAL: "unused", BOOLEAN: "startInterval", CLOCK: "solverMethod",
}  # fmt: skip
_AFTER_SIGNAL = {
    "subSample": ("factor",), "superSample": ("factor",),
    "shiftSample": ("shiftCounter", "resolution"), "backSample": ("backCounter", "resolution"),
}  # fmt: skip

CLOCKED = ("hold", "previous", "noClock", "subSample", "superSample", "shiftSample", "backSample")


class Builtins:
    def __init__(self, session: Session, elaborator: Elaborator) -> None:
        self._session = session
        self._elaborator = elaborator
        table: dict[str, Handler] = {}
        for row in ROWS:
            table[row.name] = self._extreme if row.is_reduction else self._intrinsic
        table.update(dict.fromkeys(CLOCKED, self._clocked))
        table.update(
            {
                "sum": self._reduce,
                "product": self._reduce, "size": self._size, "ndims": self._ndims, "scalar": self._scalar,
                "vector": self._vector, "matrix": self._matrix, "identity": self._identity,
                "diagonal": self._diagonal, "zeros": self._filled, "ones": self._filled, "fill": self._fill,
                "linspace": self._linspace, "transpose": self._transpose, "outerProduct": self._outer,
                "symmetric": self._symmetric, "cross": self._cross, "skew": self._skew, "cat": self._cat,
                "array": self._array, "promote": self._promote, "der": self._der, "pre": self._pre,
                "edge": self._event, "change": self._event, "initial": self._flag, "terminal": self._flag,
                "noEvent": self._transparent, "smooth": self._smooth, "sample": self._sample,
                "delay": self._delay, "homotopy": self._homotopy,
                "inStream": self._stream, "actualStream": self._stream, "spatialDistribution": self._spatial,
                "getInstanceName": self._instance_name, "String": self._string, "Integer": self._to_integer,
                "Boolean": self._transparent, "Clock": self._clock, "interval": self._interval,
                "firstTick": self._tick, "reinit": self._effect, "activeState": self._flag_of,
                "ticksInState": self._count, "timeInState": self._seconds, "exists": self._transparent,
                "isPresent": self._flag_of, "cardinality": self._cardinality, "pure": self._transparent,
            }
        )  # fmt: skip
        self._table = table
        self.names = tuple(table)

    def __contains__(self, name: str) -> bool:
        return name in self._table

    def call(self, arguments: Arguments) -> Typed:
        return self._table[arguments.name](arguments)

    # ------------------------------------------------------------ mathematics

    def _number(self, a: Arguments, position: int = 0) -> Typed:
        typed = a.need(position, "u")
        if not types.is_numeric(typed.type):
            raise a.wrong(f"needs a number, not a {show_type(typed.type)}")
        return typed

    def _plain(self, a: Arguments, kind: Type, variability: int | None = None) -> Typed:
        return Typed(
            f.Call(a.name, *a.exprs()),
            kind,
            a.variability() if variability is None else variability,
        )

    def _arity(self, a: Arguments, count: int) -> None:
        if a.named:
            raise a.wrong("its arguments have no names")
        if len(a.args) != count:
            raise a.wrong(f"takes {count} argument{'s' if count != 1 else ''}, {len(a.args)} given")

    def _intrinsic(self, a: Arguments) -> Typed:
        row = INTRINSICS[a.name]
        self._arity(a, row.arity)
        parts = [self._number(a, position).type for position in range(row.arity)]
        dims = next((part.dims for part in parts if part.dims), parts[0].dims)
        is_held = row.is_step and row.arity == 1  # the type of `div` is told by its arguments
        variability = min(a.variability(), DISCRETE) if is_held else None
        return self._plain(a, Type(_result_of(row, parts), dims), variability)

    def _extreme(self, a: Arguments) -> Typed:
        if len(a.args) == 1:
            array = a.args[0]
            if not array.type.dims:
                raise a.wrong("needs an array or two scalars")
            return self._plain(a, Type(array.type.scalar))
        self._arity(a, 2)
        kind = types.joined(f"`{a.name}`", a.args[0].type, a.args[1].type, a.place)
        return self._plain(a, kind)

    def _reduce(self, a: Arguments) -> Typed:
        self._arity(a, 1)
        array = a.args[0]
        if not array.type.dims:
            return array
        if not types.is_numeric(array.type):
            return self._elaborator.overload.reduce(a.name, array, a.context, a.place)
        return self._plain(a, Type(array.type.scalar))

    # ------------------------------------------------------------ arrays

    def _size(self, a: Arguments) -> Typed:
        array = a.need(0, "A")
        dims = array.type.dims
        if len(a.args) == 1:
            parts = [self._one_size(array, axis) for axis in range(len(dims))]
            return Typed(f.Array(*parts), Type(INTEGER, (len(dims),)), self._size_variability(dims))
        axis = self._length(a.args[1])
        if axis is None:
            return Typed(f.Call("size", array.expr, a.args[1].expr), Type(INTEGER), DISCRETE)
        if not 1 <= axis <= len(dims):
            raise a.wrong(f"dimension {axis} of a value with {len(dims)} dimensions")
        return Typed(self._one_size(array, axis - 1), Type(INTEGER), self._size_variability(dims))

    def _size_variability(self, dims: Dims) -> int:
        """A size that only a running function knows is no constant."""
        return CONSTANT if None not in dims else DISCRETE

    def _one_size(self, array: Typed, axis: int) -> f.Expr:
        size = array.type.dims[axis]
        return (
            f.Integer(size) if size is not None else f.Call("size", array.expr, f.Integer(axis + 1))
        )

    def _ndims(self, a: Arguments) -> Typed:
        return Typed(f.Integer(len(a.need(0, "A").type.dims)), Type(INTEGER), CONSTANT)

    def _scalar(self, a: Arguments) -> Typed:
        self._arity(a, 1)
        if any(d is not None and d != 1 for d in a.args[0].type.dims):
            raise a.wrong("needs an array with one element")
        return self._plain(a, Type(a.args[0].type.scalar))

    def _vector(self, a: Arguments) -> Typed:
        self._arity(a, 1)
        dims = a.args[0].type.dims
        size: int | None = 1
        for d in dims:
            size = None if d is None or size is None else size * d
        return self._plain(a, Type(a.args[0].type.scalar, (size,)))

    def _matrix(self, a: Arguments) -> Typed:
        self._arity(a, 1)
        dims = a.args[0].type.dims
        new: Dims = (1, 1) if not dims else (dims[0], 1) if len(dims) == 1 else dims[:2]
        return self._plain(a, Type(a.args[0].type.scalar, new))

    def _length(self, typed: Typed) -> int | None:
        value = self._session.values.try_of(typed.expr) if typed.variability <= PARAMETER else None
        return value if isinstance(value, int) else None

    def _identity(self, a: Arguments) -> Typed:
        size = self._length(a.need(0, "n"))
        expr = f.Integer(size) if size is not None else a.args[0].expr
        return Typed(f.Call("identity", expr), Type(INTEGER, (size, size)), CONSTANT)

    def _diagonal(self, a: Arguments) -> Typed:
        size = a.need(0, "v").type.dims[0]
        return self._plain(a, Type(a.args[0].type.scalar, (size, size)))

    def _lengths(self, items: tuple[Typed, ...]) -> tuple[Dims, tuple[f.Expr, ...]]:
        dims: Dims = tuple(self._length(t) for t in items)
        exprs = tuple(
            f.Integer(d) if d is not None else t.expr for d, t in zip(dims, items, strict=True)
        )
        return dims, exprs

    def _filled(self, a: Arguments) -> Typed:
        dims, exprs = self._lengths(a.args)
        value = f.Integer(0 if a.name == "zeros" else 1)
        return Typed(f.Call("fill", value, *exprs), Type(INTEGER, dims), CONSTANT)

    def _fill(self, a: Arguments) -> Typed:
        value = a.need(0, "s")
        dims, exprs = self._lengths(a.args[1:])
        kind = Type(value.type.scalar, (*dims, *value.type.dims))
        return Typed(f.Call("fill", value.expr, *exprs), kind, value.variability)

    def _linspace(self, a: Arguments) -> Typed:
        self._arity(a, 3)
        dims, exprs = self._lengths(a.args[2:])
        return Typed(
            f.Call("linspace", a.args[0].expr, a.args[1].expr, *exprs),
            Type(REAL, dims),
            a.variability(),
        )

    def _transpose(self, a: Arguments) -> Typed:
        dims = a.need(0, "A").type.dims
        if len(dims) < 2:
            raise a.wrong("needs a matrix")
        return self._plain(a, Type(a.args[0].type.scalar, (dims[1], dims[0], *dims[2:])))

    def _outer(self, a: Arguments) -> Typed:
        self._arity(a, 2)
        dims = (a.args[0].type.dims[0], a.args[1].type.dims[0])
        return self._plain(
            a, Type(types.joined_scalar(a.args[0].type.scalar, a.args[1].type.scalar) or REAL, dims)
        )

    def _symmetric(self, a: Arguments) -> Typed:
        return self._plain(a, a.need(0, "A").type)

    def _cross(self, a: Arguments) -> Typed:
        self._arity(a, 2)
        if any(not types.same_dims(t.type.dims, (3,)) for t in a.args):
            raise a.wrong("needs two vectors of size 3")
        return self._plain(a, Type(REAL, (3,)))

    def _skew(self, a: Arguments) -> Typed:
        self._arity(a, 1)
        return self._plain(a, Type(REAL, (3, 3)))

    def _cat(self, a: Arguments) -> Typed:
        axis = self._session.values.try_of(a.need(0, "k").expr)
        if not isinstance(axis, int):
            raise a.wrong("the first argument must be a number known before the simulation")
        return self.cat(axis, list(a.args[1:]), a.place)

    def cat(self, axis: int, items: list[Typed], place: Span) -> Typed:
        first = items[0].type
        total: int | None = 0
        scalar = first.scalar
        for item in items:
            dims = item.type.dims
            if len(dims) != len(first.dims) or len(dims) < axis:
                raise types.wrong_dims("`cat`", first, item.type, place)
            others = [d for k, d in enumerate(dims) if k != axis - 1]
            if not types.same_dims(
                tuple(others), tuple(d for k, d in enumerate(first.dims) if k != axis - 1)
            ):
                raise types.wrong_dims("`cat`", first, item.type, place)
            size = dims[axis - 1]
            total = None if total is None or size is None else total + size
            scalar = types.joined_scalar(scalar, item.type.scalar) or scalar
        new = (*first.dims[: axis - 1], total, *first.dims[axis:])
        expr = f.Call("cat", f.Integer(axis), *(i.expr for i in items))
        return Typed(expr, Type(scalar, new), max(i.variability for i in items))

    def _array(self, a: Arguments) -> Typed:
        kind = a.need(0, "A").type
        expr = f.Array(*a.exprs())
        return Typed(expr, Type(kind.scalar, (len(a.args), *kind.dims)), a.variability())

    def _promote(self, a: Arguments) -> Typed:
        rank = self._session.values.try_of(a.need(1, "n").expr)
        assert isinstance(rank, int)
        dims = a.args[0].type.dims
        return self._plain(a, Type(a.args[0].type.scalar, (*dims, *(1,) * (rank - len(dims)))))

    # ------------------------------------------------------------ derivatives and events

    def _der(self, a: Arguments) -> Typed:
        self._arity(a, 1)
        typed = a.args[0]
        if typed.type.scalar not in (REAL, INTEGER):
            raise a.wrong(f"needs a Real, not a {show_type(typed.type)}")
        if typed.type.scalar is INTEGER and typed.variability > PARAMETER:
            raise a.wrong("needs a Real; an Integer has no derivative", "declare a Real")
        if typed.variability == DISCRETE and names_variable(typed.expr):
            raise a.wrong("a discrete variable changes at events only", "drop the word `discrete`")
        return self._plain(a, Type(REAL, typed.type.dims), typed.variability)

    def _pre(self, a: Arguments) -> Typed:
        self._arity(a, 1)
        if not names_variable(a.args[0].expr):
            raise a.wrong("needs a variable")
        return self._plain(a, a.args[0].type, min(a.variability(), DISCRETE))

    def _event(self, a: Arguments) -> Typed:
        self._arity(a, 1)
        if a.name == "edge" and a.args[0].type.scalar != BOOLEAN:
            raise a.wrong("needs a Boolean")
        return self._plain(a, Type(BOOLEAN, a.args[0].type.dims), DISCRETE)

    def _flag(self, a: Arguments) -> Typed:
        self._arity(a, 0)
        return self._plain(a, Type(BOOLEAN), DISCRETE)

    def _flag_of(self, a: Arguments) -> Typed:
        return self._plain(a, Type(BOOLEAN), DISCRETE)

    def _count(self, a: Arguments) -> Typed:
        return self._plain(a, Type(INTEGER), DISCRETE)

    def _seconds(self, a: Arguments) -> Typed:
        return self._plain(a, Type(REAL), DISCRETE)

    def _transparent(self, a: Arguments) -> Typed:
        self._arity(a, 1)
        return self._plain(a, a.args[0].type)

    def _smooth(self, a: Arguments) -> Typed:
        self._arity(a, 2)
        return self._plain(a, a.args[1].type)

    def _sample(self, a: Arguments) -> Typed:
        """`sample(start, interval)` is an event; `sample(u)` and `sample(u, clock)` sample a signal."""
        second = a.get(1, "clock")
        if second is not None and second.type.scalar == CLOCK:
            u = a.args[0]
            return Typed(_each_field("sample", u.expr, [second.expr]), u.type, DISCRETE)
        if len(a.args) == 1 and not a.named:
            return Typed(_each_field("sample", a.args[0].expr, []), a.args[0].type, DISCRETE)
        start, interval = a.need(0, "start"), a.need(1, "interval")
        return Typed(f.Call("sample", start.expr, interval.expr), Type(BOOLEAN), DISCRETE)

    def _delay(self, a: Arguments) -> Typed:
        return self._plain(a, a.need(0, "expr").type, CONTINUOUS)

    def _homotopy(self, a: Arguments) -> Typed:
        actual, simplified = a.need(0, "actual"), a.need(1, "simplified")
        kind = types.joined("`homotopy`", actual.type, simplified.type, a.place)
        return Typed(f.Call("homotopy", actual.expr, simplified.expr), kind, a.variability())

    def _stream(self, a: Arguments) -> Typed:
        self._arity(a, 1)
        self._session.asks_for_streams = True
        stack = [a.args[0].expr]
        while stack:
            node = stack.pop()
            if isinstance(node, f.Index):
                node = node.args[0]
            if isinstance(node, f.Array):
                stack.extend(node.args)
            elif not isinstance(node, f.Var) or not self._is_stream(node):
                raise a.wrong("needs a variable declared `stream` in a connector")
        return self._plain(a, a.args[0].type, CONTINUOUS)

    def _is_stream(self, node: f.Var) -> bool:
        try:
            component = self._session.values.component_at(node.name)
        except NotConstant:
            return False
        return component.flow == "stream" and "connector" in component.owner.restricted_kind()

    def _spatial(self, a: Arguments) -> Typed:
        order = ("in0", "in1", "x", "positiveVelocity")
        exprs = [a.need(k, label).expr for k, label in enumerate(order)]
        ends: f.Expr = f.Array(f.Real(0.0), f.Real(1.0))
        flat: f.Expr = f.Array(f.Real(0.0), f.Real(0.0))
        points, values = a.get(4, "initialPoints"), a.get(5, "initialValues")
        exprs.append(ends if points is None else points.expr)
        exprs.append(flat if values is None else values.expr)
        return Typed(f.Call(a.name, *exprs), a.need(0, "in0").type, CONTINUOUS)

    # ------------------------------------------------------------ conversions and names

    def _instance_name(self, a: Arguments) -> Typed:
        node = a.context.scope.instance
        path = (self._session.model.definition.name[-1], *(node.path or ()))
        return Typed(f.String(show(path)), Type(STRING), CONSTANT)

    def _string(self, a: Arguments) -> Typed:
        if isinstance(a.need(0, "value").type.scalar, RecordType):
            return self._elaborator.overload.string(list(a.args), a.named, a.place)
        return string_conversion(a)

    def _to_integer(self, a: Arguments) -> Typed:
        self._arity(a, 1)
        if isinstance(a.args[0].expr, f.Literal):
            return Typed(f.Integer(a.args[0].expr.index), Type(INTEGER), CONSTANT)
        return self._plain(a, Type(INTEGER, a.args[0].type.dims))

    # ------------------------------------------------------------ clocks

    def _clock(self, a: Arguments) -> Typed:
        """All forms by position: a counter and a resolution, an interval, a condition and a start
        interval, a clock and a solver method."""
        if not a.args and not a.named:
            return Typed(f.Call("Clock"), Type(CLOCK), DISCRETE)
        labels = ("intervalCounter", "interval", "condition", "c")
        first = a.args[0] if a.args else next((a.named[n] for n in labels if n in a.named), None)
        if first is None or first.type.dims or first.type.scalar not in _SECOND_OF_CLOCK:
            raise a.wrong("needs a counter, an interval, a condition or a clock first")
        second = a.get(1, _SECOND_OF_CLOCK[first.type.scalar])
        expr = first.expr
        if "interval" in a.named and first.type.scalar == INTEGER:
            expr = f.Binary("*", f.Real(1.0), expr)
        exprs = (expr,) if second is None else (expr, second.expr)
        return Typed(f.Call("Clock", *exprs), Type(CLOCK), DISCRETE)

    def _clocked(self, a: Arguments) -> Typed:
        """Conversions by position; what is left out is told by 0 and 1, as in the language."""
        order = _AFTER_SIGNAL.get(a.name, ())
        exprs = [a.need(0, "u").expr]
        given = [a.get(k + 1, label) for k, label in enumerate(order)]
        while given and given[-1] is None:
            given.pop()
        exprs += [f.Integer(0) if typed is None else typed.expr for typed in given]
        return Typed(_each_field(a.name, exprs[0], exprs[1:]), a.need(0, "u").type, DISCRETE)

    def _interval(self, a: Arguments) -> Typed:
        return Typed(f.Call(a.name, *self._whose_clock(a)), Type(REAL), DISCRETE)

    def _tick(self, a: Arguments) -> Typed:
        return Typed(f.Call(a.name, *self._whose_clock(a)), Type(BOOLEAN), DISCRETE)

    def _whose_clock(self, a: Arguments) -> tuple[f.Expr, ...]:
        """The optional argument only tells the clock: of an array one element will do."""
        found = a.get(0, "u")
        if found is None:
            return ()
        first = (f.Integer(1),) * len(found.type.dims)
        return (f.Index(found.expr, *first) if first else found.expr,)

    def _effect(self, a: Arguments) -> Typed:
        raise a.wrong("is an equation of its own inside a when-clause, not a value")

    def _cardinality(self, a: Arguments) -> Typed:
        raise a.wrong("needs the connections of the model and a connector as its argument")


def _each_field(name: str, value: f.Expr, rest: Sequence[f.Expr]) -> f.Expr:
    """A clock operator on a record is one on each of its fields."""
    if isinstance(value, f.Record):
        return value.with_args(tuple(_each_field(name, part, rest) for part in value.args))
    if isinstance(value, f.Array) and any(isinstance(part, f.Record) for part in value.args):
        return value.with_args(tuple(_each_field(name, part, rest) for part in value.args))
    return f.Call(name, value, *rest)


def _result_of(row: Intrinsic, parts: Sequence[Type]) -> Scalar:
    if row.result == "same":
        scalar = parts[0].scalar
        for part in parts[1:]:
            joined = types.joined_scalar(scalar, part.scalar)
            assert joined is not None
            scalar = joined
        return scalar
    return INTEGER if row.result == "Integer" else REAL
