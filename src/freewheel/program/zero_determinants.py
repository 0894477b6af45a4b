"""Whether equations that zeros solve by themselves have another solution, in which they are not zero.

    v*i - p = 0; p - 3*v = 0            (i  -1)
    of the zeros v, p and the open i:   (-3  1)*(v, p) = 0         det = i - 3: also v <> 0, with i = 3

    c*a + s*b = 0; -s*a + c*b = 0       with c = cos(phi), s = sin(phi): det = 1, a = b = 0 for every phi

Each row is zero where the zeros z are, so rows = M(z, w)*z; the columns of M are the differences of rows from
0 to z, one unknown after the other, which exist at corners such as sqrt(vr^2 + vi^2), too. Zeros are the only
solution unless the determinant vanishes somewhere, by w, the open unknowns, or z. What w may be says the loop
itself where it assigns them (`c = cos(phi)`); the others and z go along straight lines, over all sizes. A
determinant that changes its sign on such a line, and grows small where it does (it does not at a pole, nor at
a jump), has a zero there.

One that only touches zero is not found, and what has no numbers here (a function of the model) is taken as
known: no other solution is seen then. It serves a warning, and a false one is worse than none.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from freewheel.base.names import Name
from freewheel.formula.nodes import Binary, Boolean, Call, Expr, If, Integer, Real, Unary, Var
from freewheel.formula.walk import fold, has_choices, variables_in
from freewheel.program.nodes import Assign
from freewheel.program.vector_values import BINARY, CALLS

Numbers = (
    Any  # a float, or an array: one row for each number of zeros put to their values, lines, points
)

MAX_ZEROS = 20  # a matrix of this size at some hundred points takes milliseconds
# Three of each: through the origin with all unknowns; with w and a constant z; with z and a constant w; with
# w beside the origin. Where all terms of a determinant have the same degree only some show a change of sign.
LINES = 12
MOVES_ZEROS = np.repeat([True, False, True, False], 3)[:, None]
MOVES_OTHERS = np.repeat([True, True, False, True], 3)[:, None]
IS_BESIDE = np.repeat([False, False, False, True], 3)[:, None]
# Unknowns have any unit: nine decades to both sides of one, a point in each.
SIZES = 10.0 ** np.arange(-9.0, 10.0)
POINTS = np.concatenate([-SIZES[::-1], SIZES])
FINER = 63  # parts of an interval in which the sign changes, twice; an odd number does not meet the origin
# Of what it was at the larger end, after the interval is 63^2 times smaller: a zero leaves about as little of
# the determinant, a jump a good part, and a pole more than there was.
SMALL = 1e-2
# Of the product of the lengths of the rows: rounding leaves less of a determinant that is zero, and its sign
# means nothing.
ROUNDED = 1e-13


@dataclass(frozen=True, slots=True)
class ZeroRows:
    """`rows`: as many as zeros, each is to be zero; `inner`: what the loop assigns outside of these rows, in
    this order; `unknowns`: of the loop."""

    rows: tuple[Expr, ...]
    zeros: tuple[Name, ...]
    inner: tuple[Assign, ...]
    unknowns: frozenset[Name]

    def have_another_root(self) -> bool:
        """In one of the two: all known conditions of `if` true, or all false."""
        if len(self.zeros) > MAX_ZEROS:
            return False
        inner = self._needed()
        chooses = has_choices(*self.rows, *(one.value for one in inner))
        ways = (True, False) if chooses else (True,)
        return any(_Lines(self, inner, holds).cross_zero() for holds in ways)

    def shape(self) -> Hashable:
        """Equal for rows that differ in names only."""
        numbers: dict[Name, int] = {}
        memo: dict[Expr, Hashable] = {}

        def rule(node: Expr, parts: tuple[Hashable, ...]) -> Hashable:
            if isinstance(node, Var):
                number = numbers.setdefault(node.name, len(numbers))
                return number, node.name in self.zeros, node.name in self.unknowns
            return type(node), node.data, parts

        needed = [expr for one in self._needed() for expr in (one.target, one.value)]
        return tuple([fold(expr, rule, memo) for expr in (*self.rows, *needed)])

    def _needed(self) -> tuple[Assign, ...]:
        names = {var.name for var in variables_in(*self.rows)}.difference(self.zeros)
        found: list[Assign] = []
        for one in reversed(self.inner):
            if one.target.name in names:
                names.update({var.name for var in variables_in(one.value)}.difference(self.zeros))
                found.append(one)
        return tuple(reversed(found))


class _Lines:
    """Determinants along lines of unknowns; the same ones at each call."""

    def __init__(self, of: ZeroRows, inner: tuple[Assign, ...], holds: bool) -> None:
        self._of, self._inner, self._holds = of, inner, holds
        self._random = Random(1)
        self._known: dict[Expr, Numbers] = {}
        self._ways: dict[Name, Numbers] = {}

    def cross_zero(self) -> bool:
        low, high, first = self._first_change(np.tile(POINTS, (LINES, 1)))
        last = first
        for _ in range(2):
            if np.isnan(last).all():
                return False
            low, high, last = self._first_change(np.linspace(low, high, FINER + 1, axis=1))
        return bool((last < first + np.log(SMALL)).any())

    def _first_change(self, points: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Of the sign, on each line: both points, and the logarithm of the larger determinant; or NaN."""
        signs, sizes = self._determinants(points)
        changes = signs[:, :-1] * signs[:, 1:] < 0
        rows, at = np.arange(LINES), changes.argmax(axis=1)
        ends = points[rows, at], points[rows, at + 1]
        larger = np.maximum(sizes[rows, at], sizes[rows, at + 1])
        low, high, size = (np.where(changes.any(axis=1), x, np.nan) for x in (*ends, larger))
        return low, high, size

    def _determinants(self, points: Numbers) -> tuple[Numbers, Numbers]:
        """Their signs and the logarithms of their sizes."""
        count = len(self._of.zeros)
        with np.errstate(all="ignore"):
            values = self._values(points)
            at_steps = [np.broadcast_to(value, (count + 1, *points.shape)) for value in values]
            # As many zeros as the index says are put to their values: differences are columns.
            slopes = np.diff(np.array(at_steps), axis=1) / self._zeros(points)
            matrices = slopes.transpose(2, 3, 0, 1)
            is_fine = np.isfinite(matrices).all(axis=(2, 3))
            matrices = np.where(is_fine[:, :, None, None], matrices, 0.0)
            signs, sizes = np.linalg.slogdet(matrices)
            lengths = np.log(np.linalg.norm(matrices, axis=3)).sum(axis=2)
            return np.where(sizes > lengths + np.log(ROUNDED), signs, 0.0), sizes

    def _zeros(self, points: Numbers) -> Numbers:
        """What they are where they are not zero."""
        along = np.where(MOVES_ZEROS, points, 1.0)
        return np.array([self._way(name) * along for name in self._of.zeros])

    def _open(self, name: Name, points: Numbers) -> Numbers:
        origin = np.where(IS_BESIDE, self._way(("origin", *name)), 0.0)
        return origin + self._way(name) * np.where(MOVES_OTHERS, points, 1.0)

    def _values(self, points: Numbers) -> list[Numbers]:
        """Of each row."""
        step = np.arange(len(self._of.zeros) + 1)[:, None, None]
        env: dict[Name, Numbers] = {
            name: np.where(step > k, value, 0.0)
            for k, (name, value) in enumerate(zip(self._of.zeros, self._zeros(points), strict=True))
        }
        memo: dict[Expr, Numbers] = {}

        def rule(node: Expr, parts: tuple[Numbers, ...]) -> Numbers:
            if isinstance(node, Var):
                if node.name not in env and node.name in self._of.unknowns:
                    env[node.name] = self._open(node.name, points)
                return env[node.name] if node.name in env else self._given(node)
            return self._value(node, parts)

        for one in self._inner:
            env[one.target.name] = fold(one.value, rule, memo)
        return [fold(row, rule, memo) for row in self._of.rows]

    def _value(self, node: Expr, parts: tuple[Numbers, ...]) -> Numbers:
        match node:
            case Real() | Integer() | Boolean():
                return float(node.data)
            case Unary():
                return np.logical_not(parts[0]) if node.op == "not" else -parts[0]
            case Binary() if node.op in BINARY:
                return BINARY[node.op](*parts)
            case If():
                is_open = np.ndim(parts[0]) > 0
                return np.where(parts[0] if is_open else self._holds, parts[1], parts[2])
            case Call() if node.function == "smooth":
                return parts[-1]
            case Call() if isinstance(node.function, str) and node.function in CALLS:
                return CALLS[node.function](*parts)
        return self._given(node)

    def _given(self, node: Expr) -> Numbers:
        """A number for what is known: positive, as most are."""
        if node not in self._known:
            self._known[node] = self._random.uniform(0.5, 2.0)
        return self._known[node]

    def _way(self, name: Name) -> Numbers:
        """Of an unknown, on each line."""
        if name not in self._ways:
            ways = [
                self._random.choice((-1, 1)) * self._random.uniform(0.5, 2) for _ in range(LINES)
            ]
            self._ways[name] = np.array(ways)[:, None]
        return self._ways[name]
