"""Array equations as equations of one element, with iterators for its place.

    der(x[2:n]) = a .* x[1:n - 1]     ->     der(x[$1 + 1]) = a[$1] * x[$1],   $1 in 1:n - 1

Sums and products of arrays become reductions, `A*x` is `sum(A[$1, $2]*x[$2] for $2 in 1:n)`. What has no
rule here raises `NotRegular`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, pairwise

from freewheel.formula import build
from freewheel.formula.inline import inline_call
from freewheel.formula.intrinsics import names_of
from freewheel.formula.loops_as_arrays import loops_as_arrays
from freewheel.formula.nodes import (
    Array,
    Binary,
    Call,
    Colon,
    Comprehension,
    Expr,
    If,
    Index,
    Integer,
    Iterator,
    Range,
    Real,
    Reduction,
    Unary,
    Var,
)
from freewheel.formula.shape import Dimensions, Shapes, extra_dims, rank
from freewheel.formula.walk import bind_iterators, map_bottom_up, replace
from freewheel.program.vector_values import NotRegular

Places = tuple[Expr, ...]

# Beside those of one argument per value: calls that mean the same of an array and of each element.
BY_ELEMENT = names_of(lambda row: not row.is_reduction) - {"div", "rem", "semiLinear"}
BY_ELEMENT |= {"der", "noEvent"}
SMALLEST = 2  # arguments of `min` and `max` of numbers


class Elements:
    """Of the expressions of one model."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self.numbers = count(1)

    def iterators(self, dims: Dimensions) -> tuple[tuple[str, ...], tuple[Expr, ...]]:
        """New names, and the ranges they run over."""
        names = tuple(f"${next(self.numbers)}" for _ in dims)
        return names, tuple(Range(Integer(1), Integer(1), Integer(size)) for size in dims)

    def of(self, expr: Expr, at: Places) -> Expr:
        """The element of an array in this place; `at` is empty for a number."""
        return map_bottom_up(replace(expr, lambda node: self._visit(node, at)), _plain)

    def _visit(self, node: Expr, at: Places) -> Expr | None:
        """None: the same holds of each part."""
        dims = self.shapes.of(node)
        if len(dims) not in (0, len(at)):
            raise NotRegular
        if not dims:
            return self._number(node)
        if isinstance(node, Var):
            return Index(node, *at)
        if isinstance(node, Index):
            return self._indexed(node, at)
        if isinstance(node, Unary | If):
            return None
        if isinstance(node, Binary):
            return self._binary(node, at)
        if isinstance(node, Call):
            return self._call(node, at)
        if isinstance(node, Comprehension):
            return self._comprehension(node, at)
        if isinstance(node, Array):
            return self._constructed(node, at)
        if isinstance(node, Range):
            return _along(node, at[0])
        raise NotRegular

    # ------------------------------------------------------------ numbers made of arrays

    def _number(self, node: Expr) -> Expr | None:
        if isinstance(node, Var | Index | Reduction) or not node.args:
            return node
        if isinstance(node, Binary) and node.op == "*" and self.shapes.of(node.left):
            return self._contracted(node.left, (), node.right, ())
        if isinstance(node, Call) and node.function in ("sum", "product", "min", "max"):
            dims = self.shapes.of(node.args[0])
            if len(node.args) > 1 or not dims:
                return None
            names, ranges = self.iterators(dims)
            body = self.of(node.args[0], tuple(map(Iterator, names)))
            return Reduction(str(node.function), names, body, *ranges)
        return None

    # ------------------------------------------------------------ subscripts

    def _indexed(self, node: Index, at: Places) -> Expr:
        base, *subscripts = node.args
        rest = list(at)
        places: list[Expr] = []
        for part in subscripts:
            if isinstance(part, Colon):
                places.append(rest.pop(0))
            elif self.shapes.of(part):
                places.append(self._subscript(part, rest.pop(0)))
            else:
                places.append(part)
        places += rest
        return self.of(base, tuple(places)) if not isinstance(base, Var) else Index(base, *places)

    def _subscript(self, part: Expr, at: Expr) -> Expr:
        line = _as_range(part) if isinstance(part, Array) else part
        return _along(line, at) if isinstance(line, Range) else self.of(part, (at,))

    def _constructed(self, node: Array, at: Places) -> Expr:
        """`{a, b, c}`: numbers in a row are a range; the same everywhere needs no place."""
        first = node.args[0]
        if all(part is first for part in node.args):
            return self.of(first, at[1:])
        line = _as_range(node) if len(at) == 1 else None
        if line is None:
            raise NotRegular
        return _along(line, at[0])

    def _comprehension(self, node: Comprehension, at: Places) -> Expr:
        values: dict[str, Expr] = {}
        own = len(node.data)
        for name, part, place in zip(node.data, node.args[1:], reversed(at[:own]), strict=True):
            if not isinstance(part, Range):
                raise NotRegular
            values[name] = _along(part, place)
        return self.of(bind_iterators(node.args[0], values), at[own:])

    # ------------------------------------------------------------ operators and calls

    def _binary(self, node: Binary, at: Places) -> Expr | None:
        left, right = (self.shapes.of(part) for part in node.args)
        if node.op == "*" and left and right:
            return self._contracted(node.left, at[: len(left) - 1], node.right, at[len(left) - 1 :])
        if node.op == "^" or (node.op == "/" and right):
            raise NotRegular
        return None

    def _contracted(self, left: Expr, before: Places, right: Expr, after: Places) -> Expr:
        """A product of arrays; of a diagonal matrix one term remains."""
        if before and _is_diagonal(left):
            return build.times(self._diagonal(left, before[0]), self.of(right, (*before, *after)))
        if after and _is_diagonal(right):
            return build.times(self.of(left, (*before, *after)), self._diagonal(right, after[0]))
        length = self.shapes.of(right)[0]
        (name,), ranges = self.iterators((length,))
        place = Iterator(name)
        body = build.times(self.of(left, (*before, place)), self.of(right, (place, *after)))
        return Reduction("sum", (name,), body, *ranges)

    def _diagonal(self, matrix: Expr, at: Expr) -> Expr:
        if isinstance(matrix, Unary):
            return build.neg(self._diagonal(matrix.args[0], at))
        assert isinstance(matrix, Call)
        return Real(1.0) if matrix.function == "identity" else self.of(matrix.args[0], (at,))

    def _call(self, node: Call, at: Places) -> Expr | None:
        name = node.function
        if not isinstance(name, str):
            return self._user_call(node, at)
        if name == "fill":
            return self.of(node.args[0], at[len(node.args) - 1 :])
        if name in ("zeros", "ones"):
            return Real(float(name == "ones"))
        if name == "transpose":
            return self.of(node.args[0], (at[1], at[0]))
        if name == "linspace":
            low, high, number = node.args
            share = build.over(build.minus(at[0], Integer(1)), build.minus(number, Integer(1)))
            return build.plus(low, build.times(build.minus(high, low), share))
        if name in BY_ELEMENT or (name in ("min", "max") and len(node.args) == SMALLEST):
            return None
        raise NotRegular

    def _user_call(self, node: Call, at: Places) -> Expr:
        """A function of numbers called for each element, or one that is a formula of arrays."""
        assert not isinstance(node.function, str)
        function = self.shapes.functions(node.function)
        if function is None:
            raise NotRegular
        repeated = extra_dims(node, function, self.shapes)
        if len(repeated) == len(at):
            args = [
                self.of(arg, at if len(self.shapes.of(arg)) > rank(variable) else ())
                for arg, variable in zip(node.args, function.inputs(), strict=True)
            ]
            return Call(node.function, *args)
        formulas = None if repeated else inline_call(loops_as_arrays(function), node.args)
        if formulas is None or self.shapes.of(formulas[0]) != self.shapes.of(node):
            raise NotRegular
        return self.of(formulas[0], at)


def _plain(node: Expr) -> Expr:
    """`.*` of numbers is `*`."""
    if isinstance(node, Binary) and node.op.startswith("."):
        return build.binary_of(node.op[1:], node.left, node.right)
    return node


def _is_diagonal(matrix: Expr) -> bool:
    if isinstance(matrix, Unary):
        return _is_diagonal(matrix.args[0])
    return isinstance(matrix, Call) and matrix.function in ("diagonal", "identity")


def _along(line: Range, at: Expr) -> Expr:
    """The value of a range in a place that counts from one."""
    first, step, _ = line.args
    if isinstance(first, Integer) and step is Integer(1):
        return build.plus(at, Integer(first.value - 1)) if first.value != 1 else at
    return build.plus(first, build.times(step, build.minus(at, Integer(1))))


def _as_range(numbers: Array) -> Range | None:
    """`{2, 3, 4}` as `2:4`."""
    parts: Sequence[Expr] = numbers.args
    if not all(isinstance(part, Integer) for part in parts):
        return None
    values = [part.data for part in parts]
    step = values[1] - values[0] if len(values) > 1 else 1
    if any(b - a != step for a, b in pairwise(values)):
        return None
    return Range(Integer(values[0]), Integer(step), Integer(values[-1]))
