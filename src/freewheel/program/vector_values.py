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
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "exp": np.exp, "log": np.log, "sqrt": np.sqrt,
    "abs": np.abs, "floor": np.floor, "ceil": np.ceil, "mod": np.mod, "tanh": np.tanh,
    "atan": np.arctan, "min": np.minimum, "max": np.maximum, "noEvent": lambda x: x,
}  # fmt: skip


class VectorValues:
    def __init__(self, lookup: Callable[[Name], Numbers]) -> None:
        self.lookup = lookup

    def of(self, expr: Expr, iterators: Iterators) -> Numbers:
        """Recursion as deep as the formula is nested."""
        match expr:
            case Real() | Integer() | Boolean():
                return float(expr.value)
            case Iterator():
                return iterators[expr.data]
            case Var():
                return self.lookup(expr.name)
            case Unary():
                value = self.of(expr.args[0], iterators)
                return np.logical_not(value) if expr.op == "not" else -value
            case Binary() if expr.op in BINARY:
                left, right = (self.of(part, iterators) for part in expr.args)
                return BINARY[expr.op](left, right)
            case If():
                test, then, other = (self.of(part, iterators) for part in expr.args)
                return np.where(np.asarray(test) != 0, then, other)
            case Call() if isinstance(expr.data, str) and expr.data in CALLS:
                return CALLS[expr.data](*(self.of(part, iterators) for part in expr.args))
            case Index():
                return self._element(expr, iterators)
            case Comprehension():
                return self._comprehension(expr, iterators)
            case Array():
                return np.stack([np.asarray(self.of(part, iterators)) for part in expr.args])
            case Range():
                return self.range(expr, iterators)
        raise NotRegular

    def range(self, expr: Expr, iterators: Iterators | None = None) -> Numbers:
        if not isinstance(expr, Range):
            raise NotRegular
        first, step, last = (float(self.of(part, iterators or {})) for part in expr.args)
        count = int(np.floor((last - first) / step + 1e-9)) + 1
        return first + step * np.arange(max(count, 0))

    def _element(self, expr: Expr, iterators: Iterators) -> Numbers:
        base, *subscripts = expr.args
        array = np.asarray(self.of(base, iterators))
        places = [np.asarray(self.of(part, iterators)).astype(np.int64) - 1 for part in subscripts]
        if array.ndim != len(places):
            raise NotRegular
        return array[tuple(places)]

    def _comprehension(self, expr: Comprehension, iterators: Iterators) -> Numbers:
        if len(expr.data) != 1 or iterators:
            raise NotRegular
        values = self.range(expr.args[1])
        body = self.of(expr.args[0], {expr.data[0]: values})
        return np.broadcast_to(np.asarray(body, dtype=np.float64), values.shape)
