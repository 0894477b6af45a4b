"""`spatialDistribution(..)` becomes values out of a pipe whose content the simulation knows.

    (a, b) = spatialDistribution(u, w, x, v >= 0)
    ->  a = if v >= 0 then u else transported($history, 1, -x, ..)
        b = if v >= 0 then transported($history, 2, 1 - x, ..) else w

Along a characteristic nothing changes, so that the content of the pipe is a function of one number:
s = xi - x, the place xi of a particle when x was zero. What enters on the left has s = -x, what
enters on the right s = 1 - x, and what leaves is found at the same places. The simulation
remembers u, w and x (delays.py) and which stretch of time or of the initial profile is at each end
(runtime/delays/breaks.py); two crossings of x watch the borders between such stretches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from freewheel.base.diagnostics import error
from freewheel.base.source import Span
from freewheel.formula import build
from freewheel.formula.nodes import ONE, ZERO, Array, Call, Expr, If, Integer, Real, Var
from freewheel.formula.types import REAL
from freewheel.structure.atoms import (
    HISTORY,
    delayed_of,
    forward_of,
    last_break_of,
    next_break_of,
    status_of,
)
from freewheel.structure.events.delays import DelayLines, text_of
from freewheel.structure.nodes import Crossing, Pipe, ScalarEquation, ScalarVariable

RULE = 'Modelica 3.6, "spatialDistribution"'
_ENDS: tuple[Expr, ...] = (ZERO, ONE)


@dataclass(slots=True)
class Pipes:
    """Collects the pipes while operators are rewritten."""

    delays: DelayLines
    found: dict[tuple[Expr, ...], tuple[Expr, Expr]] = field(default_factory=dict)
    pipes: list[Pipe] = field(default_factory=list)

    def outputs(self, node: Call, span: Span) -> tuple[Expr, Expr]:
        """What stands for both outputs of a call, its arguments scalar but for the profile."""
        known = self.found.get(node.args)
        if known is None:
            known = self.found[node.args] = self._new(node, span)
        return known

    def _new(self, node: Call, span: Span) -> tuple[Expr, Expr]:
        left, right, place, forward = node.args[:4]
        points = _elements(node.args[4]) if len(node.args) > 4 else _ENDS
        values = _elements(node.args[5]) if len(node.args) > 5 else (ZERO, ZERO)
        self._check(points, values, span)
        text = f"spatialDistribution({', '.join(map(text_of, (left, right, place)))}, ..)"
        number = len(self.pipes) + 1
        here, a, b = (self.delays.remembered(e, text, span) for e in (place, left, right))
        self.pipes.append(Pipe(number, here, a, b, forward, points, values, text, span))
        at = delayed_of(here)
        ends = [
            Call("transported", HISTORY, Integer(2 * number - 1), build.neg(at), values[0]),
            Call("transported", HISTORY, Integer(2 * number), build.minus(ONE, at), values[-1]),
        ]
        return If(forward, left, ends[0]), If(forward, ends[1], right)

    def _check(self, points: tuple[Expr, ...], values: tuple[Expr, ...], span: Span) -> None:
        if not all(self.delays.is_fixed(expr) for expr in (*points, *values)):
            _refuse("the initial profile can change during the simulation", span)
        if len(points) != len(values) or len(points) < 2:
            problem = f"the initial profile has {len(points)} points and {len(values)} values"
            _refuse(problem, span)
        numbers = [self.delays.number(point) for point in points]
        known = [number for number in numbers if number is not None]
        if len(known) == len(numbers) and not is_profile(known):
            _refuse("the points of the initial profile do not rise from 0 to 1", span)


def is_profile(points: list[float]) -> bool:
    return points[0] == 0.0 and points[-1] == 1.0 and points == sorted(points)


def _refuse(problem: str, span: Span) -> NoReturn:
    raise error(
        "E043",
        f"spatialDistribution: {problem}",
        span,
        help="give parameters: `initialPoints` that rise from 0 to 1, and as many `initialValues`",
        rule=RULE,
    )


def _elements(expr: Expr) -> tuple[Expr, ...]:
    return expr.args if isinstance(expr, Array) else (expr,)


def pipe_variables(pipes: tuple[Pipe, ...]) -> list[ScalarVariable]:
    return [ScalarVariable(forward_of(p.number).name, REAL, is_protected=True) for p in pipes]


def pipe_equations(pipes: tuple[Pipe, ...]) -> list[ScalarEquation]:
    return [
        ScalarEquation(
            forward_of(pipe.number),
            If(pipe.forward, Real(1.0), Real(0.0)),
            pipe.span,
            target=forward_of(pipe.number),
        )
        for pipe in pipes
    ]


def pipe_crossings(pipes: tuple[Pipe, ...], first: int) -> list[Crossing]:
    """Watch the borders that come near the ends; `first` crossings are there already."""
    result: list[Crossing] = []
    for pipe in pipes:
        place: Var = delayed_of(pipe.place)
        for border in (next_break_of(pipe.place), last_break_of(pipe.place)):
            status = status_of(first + len(result) + 1)
            text = f"a border in {pipe.text}"
            made = Crossing(status, place, border, text, False, pipe.span, text, is_watch=True)
            result.append(made)
        # Where `noEvent` hides it, the simulation must still know when the flow turns.
        status = status_of(first + len(result) + 1)
        turn = (forward_of(pipe.number), Real(0.5))
        text = f"direction of {pipe.text}"
        result.append(Crossing(status, *turn, text, False, pipe.span, text))
    return result
