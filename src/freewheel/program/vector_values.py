"""Numbers of formulas over many values of iterators at once.

    values = VectorValues(lookup)
    values.of(Binary("+", Iterator("i"), Integer(1)), {"i": np.arange(1, 4)})      # 2, 3, 4

`lookup(name)` gives a number or an array of a parameter or constant. What has no rule here raises
`NotRegular`: whoever asked takes the model apart into scalars instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from freewheel.base.names import Name
from freewheel.formula.intrinsics import ROWS
from freewheel.formula.nodes import (
    Array,
    Binary,
    Boolean,
    Call,
    Comprehension,
    Expr,
    If,
    Index,
    Integer,
    Iterator,
    Range,
    Real,
    Unary,
    Var,
)

Numbers = Any  # a float, or an array of floats
Iterators = Mapping[str, Numbers]


class NotRegular(Exception):  # noqa: N818 -- an answer: take the model apart
    pass


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "^": np.power,
    ".+": np.add, ".-": np.subtract, ".*": np.multiply, "./": np.divide, ".^": np.power,
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "==": np.equal, "<>": np.not_equal, "and": np.logical_and, "or": np.logical_or,
}  # fmt: skip
CALLS: dict[str, Callable[..., Any]] = {
    **{row.name: getattr(np, row.numpy) for row in ROWS if row.numpy},
    "noEvent": lambda x: x,
}
OF_ARRAYS: dict[str, Callable[[Any], Any]] = {
    "min": np.min, "max": np.max, "sum": np.sum, "product": np.prod,
    "diagonal": np.diag, "transpose": np.transpose,
}  # fmt: skip
MATRIX = 2  # dimensions


class VectorValues:
    def __init__(self, lookup: Callable[[Name], Numbers]) -> None:
        self.lookup = lookup

    def of(self, expr: Expr, iterators: Iterators) -> Numbers:
        """Under iterators the dimensions of a result are those of their values: a whole array there has
        no rule. Recursion as deep as the formula is nested."""
        match expr:
            case Real() | Integer() | Boolean():
                return float(expr.value)
            case Iterator() if expr.data in iterators:
                return iterators[expr.data]
            case Var():
                value = self.lookup(expr.name)
                return self._plain(value) if iterators else value
            case Unary():
                value = self.of(expr.args[0], iterators)
                return np.logical_not(value) if expr.op == "not" else -value
            case Binary() if expr.op in BINARY:
                return self._binary(expr, iterators)
            case If():
                test, then, other = (self.of(part, iterators) for part in expr.args)
                return np.where(np.asarray(test) != 0, then, other)
            case Call() if isinstance(expr.data, str):
                return self._call(expr.data, expr.args, iterators)
            case Index():
                return self._element(expr, iterators)
            case Comprehension() if not iterators:
                return self._comprehension(expr, iterators)
            case Array() if not iterators:
                return np.stack([np.asarray(self.of(part, iterators)) for part in expr.args])
            case Range() if not iterators:
                return self.range(expr)
        raise NotRegular

    def range(self, expr: Expr) -> Numbers:
        if not isinstance(expr, Range):
            raise NotRegular
        first, step, last = (float(self._plain(self.of(part, {}))) for part in expr.args)
        if step == 0.0:
            raise NotRegular
        count = int(np.floor((last - first) / step + 1e-9)) + 1
        return first + step * np.arange(max(count, 0))

    def _plain(self, value: Numbers) -> Numbers:
        if np.ndim(value):
            raise NotRegular
        return value

    def _binary(self, expr: Binary, iterators: Iterators) -> Numbers:
        left, right = (self.of(part, iterators) for part in expr.args)
        if not iterators and expr.op == "*" and np.ndim(left) and np.ndim(right):
            if max(np.ndim(left), np.ndim(right)) > MATRIX:
                raise NotRegular
            return np.matmul(left, right)
        if not iterators and expr.op == "^":
            self._plain(left)
        return BINARY[expr.op](left, right)

    def _call(self, name: str, args: tuple[Expr, ...], iterators: Iterators) -> Numbers:
        if name == "fill":
            return self._filled(args, iterators)
        values = [self.of(part, iterators) for part in args]
        if name in OF_ARRAYS and len(args) == 1 and not iterators:
            return OF_ARRAYS[name](values[0])
        if name not in CALLS or (name in OF_ARRAYS and len(args) == 1):
            raise NotRegular
        return CALLS[name](*values)

    def _filled(self, args: tuple[Expr, ...], iterators: Iterators) -> Numbers:
        if iterators:
            raise NotRegular
        value, *sizes = (self.of(part, iterators) for part in args)
        dims = tuple(int(self._plain(size)) for size in sizes)
        return np.broadcast_to(value, (*dims, *np.shape(value)))

    def _element(self, expr: Expr, iterators: Iterators) -> Numbers:
        """Outside of the array there is no number: it may be in a branch that is not taken."""
        base, *subscripts = expr.args
        array = np.asarray(self.lookup(base.name) if isinstance(base, Var) else self.of(base, {}))
        places = [np.asarray(self.of(part, iterators)) for part in subscripts]
        if array.ndim != len(places):
            raise NotRegular
        whole = [np.rint(place).astype(np.int64) for place in places]
        inside: Any = True
        for number, place, size in zip(whole, places, array.shape, strict=True):
            inside = inside & (number == place) & (number >= 1) & (number <= size)
        if not all(array.shape):
            raise NotRegular
        at = (np.clip(w, 1, size) - 1 for w, size in zip(whole, array.shape, strict=True))
        return np.where(inside, array[tuple(at)], np.nan)

    def _comprehension(self, expr: Comprehension, iterators: Iterators) -> Numbers:
        """The last name is that of the first dimension; each adds one behind those around it."""
        around = np.broadcast_shapes(*(np.shape(value) for value in iterators.values()))
        inner = dict(iterators)
        dims = list(around)
        for name, part in zip(reversed(expr.data), reversed(expr.args[1:]), strict=True):
            values = self.range(part)
            inner = {k: np.asarray(v)[..., None] for k, v in inner.items()}
            inner[name] = values
            dims.append(len(values))
        first = expr.args[0]
        if isinstance(first, Comprehension):
            return self._comprehension(first, inner)
        return np.broadcast_to(np.asarray(self.of(first, inner), dtype=np.float64), dims)
