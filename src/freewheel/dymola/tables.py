"""Table look-up functions: points become a function of choices, and its slope another one.

    table g(h) = (0, 1), (2, 5), (3, 4)

    function g(h) = if h < 2 then (if h < 0 then 1 else 1 + 2*(h - 0)) else ...
    function gDER(h) = ...

Between points the function is a straight line; before the first and behind the last one it keeps their
values. Choices are halved again and again, so that a long table is searched quickly.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from freewheel.base.source import Span
from freewheel.dymola.cursor import Cursor
from freewheel.dymola.lexer import NUMBER
from freewheel.dymola.nodes import FunctionDef, Word
from freewheel.syntax.expression_nodes import (
    Binary,
    ComponentRef,
    Expr,
    IfExpr,
    Number,
    RefPart,
    Unary,
)

TABLE = "table"
SLOPE = "DER"
Point = tuple[float, float]


def is_table(c: Cursor) -> bool:
    """No keyword elsewhere: variables may have this name."""
    return c.here.is_first and c.here.text == TABLE


def table(c: Cursor) -> list[FunctionDef]:
    """The function and its slope, from `table` on."""
    begin = c.take()
    name = c.word("the name of the table")
    opened = c.open("(", "the name of a table")
    argument = c.word("the name of the argument")
    c.close(")", opened)
    c.expect("=", "the argument of a table")
    points = [_point(c)]
    while c.takes(","):
        first = c.here
        points.append(_point(c))
        if points[-1][0] <= points[-2][0]:
            cure = "the first number of each point is greater than that of the point before it"
            text = f"the points of `{name.text}` are not in order"
            raise c.fail_at("S048", text, Span(c.source, first.start, c.before.end), cure)
    if len(points) < 2:
        text, cure = f"`{name.text}` has one point only", "a table has at least two points"
        raise c.fail_at("S048", text, Span(c.source, begin.start, c.before.end), cure)
    place = (begin.start, c.before.end)
    return list(_functions(place, name.text, argument, points))


def _point(c: Cursor) -> Point:
    opened = c.open("(", "`=` or a comma, as in `(1.0, 2.5)`")
    x = _number(c)
    c.expect(",", "the first number of a point")
    y = _number(c)
    c.close(")", opened)
    return x, y


def _number(c: Cursor) -> float:
    sign = -1.0 if c.takes("-") else 1.0
    if c.here.kind != NUMBER:
        raise c.expected("a number of the table")
    return sign * float(c.take().text)


# ---------------------------------------------------------------- functions


def _functions(
    place: tuple[int, int], name: str, argument: Word, points: Sequence[Point]
) -> tuple[FunctionDef, FunctionDef]:
    write = _Formulas(place, argument.text)
    slopes = [_slope(*pair) for pair in pairwise(points)]
    between = zip(points, slopes, strict=False)
    lines = [write.line(x, y, slope) for (x, y), slope in between]
    ends = [x for x, _ in points]
    values = [write.number(points[0][1]), *lines, write.number(points[-1][1])]
    rates = [write.number(rate) for rate in (0.0, *slopes, 0.0)]
    inputs = (argument,)
    return (
        FunctionDef(*place, name, inputs, write.chosen(ends, values)),
        FunctionDef(
            *place, name + SLOPE, inputs, write.chosen(ends, rates), is_slope_of_table=True
        ),
    )


def _slope(left: Point, right: Point) -> float:
    return (right[1] - left[1]) / (right[0] - left[0])


class _Formulas:
    """Of one argument; all stand at the place of the table."""

    def __init__(self, place: tuple[int, int], argument: str) -> None:
        self.place = place
        self.argument = ComponentRef(*place, (RefPart(argument),))

    def number(self, value: float) -> Expr:
        plain = Number(*self.place, repr(abs(value)))
        return Unary(*self.place, "-", plain) if value < 0 else plain

    def line(self, x: float, y: float, slope: float) -> Expr:
        """`y + slope*(argument - x)`"""
        way = Binary(*self.place, "-", self.argument, self.number(x))
        rise = Binary(*self.place, "*", self.number(slope), way)
        return Binary(*self.place, "+", self.number(y), rise)

    def chosen(self, ends: Sequence[float], values: Sequence[Expr]) -> Expr:
        """`values[k]` where the argument is at least `ends[k - 1]` and less than `ends[k]`."""
        if not ends:
            return values[0]
        half = len(ends) // 2
        condition = Binary(*self.place, "<", self.argument, self.number(ends[half]))
        before = self.chosen(ends[:half], values[: half + 1])
        after = self.chosen(ends[half + 1 :], values[half + 1 :])
        return IfExpr(*self.place, ((condition, before),), after)
