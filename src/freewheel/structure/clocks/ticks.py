"""When partitions tick, as ordinary time events, conditions and hidden discrete variables.

    every 3/10 s from 1/10 s on   ->   an entry of the calendar, a condition that rises with it
    Clock(x > 0)                  ->   seen = pre(x > 0);  tick: seen has just become true
    Clock(n, 1000), n clocked     ->   next = t0 + total/1000;  tick: time >= pre(next)

In: base clocks and rates. Out: for each rate a formula that is true in the one pass in which its
partitions are evaluated. Instants of periodic clocks are counted in whole ticks by the calendar;
slower clocks of an irregular base count its ticks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from freewheel.base.names import Part
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import (
    FALSE,
    ONE,
    TIME,
    TRUE,
    ZERO,
    Binary,
    Call,
    Expr,
    If,
    Integer,
    Real,
    String,
    Var,
)
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, Basic
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import INITIAL, pre_of, sample_flag, when_flag
from freewheel.structure.clocks.nodes import BaseClock, Beat, Beats, Rate, Ticking
from freewheel.structure.nodes import Action, Condition, SampleClock, ScalarEquation, ScalarVariable

CLOCK = "$clock"  # ("$clock", base, "count"), ("$clock", base, rate, "first"), ...
_NO_LONGER = build.logical_not(INITIAL)


class Ticks:
    """Gives out beats and collects what they need."""

    def __init__(
        self, bases: tuple[BaseClock, ...], rates: list[Ticking], samples: int, conditions: int
    ) -> None:
        self.bases = bases
        self.fine = [_fineness([t.rate for t in rates if t.base == b]) for b in range(len(bases))]
        periodic = [t.rate for t in rates if bases[t.base].beat is Beat.PERIODIC]
        self.parts = _fineness(periodic)  # one for all, so that common instants are the same number
        self.samples: list[SampleClock] = []
        self.conditions: list[Condition] = []
        self.variables: list[ScalarVariable] = []
        self.equations: list[ScalarEquation] = []
        self.actions: list[Action] = []
        self._first_sample, self._first_condition = samples + 1, conditions + 1
        self._beats: dict[Ticking, Beats] = {}
        self._base_ticks: dict[int, Expr] = {}

    def of(self, ticking: Ticking) -> Beats:
        known = self._beats.get(ticking)
        if known is not None:
            return known
        base = self.bases[ticking.base]
        number = len(self._beats) + 1
        if base.beat is Beat.PERIODIC:
            due = self._periodic(base, ticking.rate)
        else:
            due = self._counted(ticking)
        tick = self.hidden(BOOLEAN, FALSE, number, "ticks")
        self.update(tick, due)
        first = self.hidden(BOOLEAN, TRUE, number, "first")
        self.update(first, build.if_then_else(tick, FALSE, pre_of(first)))
        interval = self._interval(ticking, tick, first, number)
        known = self._beats[ticking] = Beats(tick, interval, first)
        return known

    def asked_for(self, others: Sequence[Expr]) -> list[ScalarEquation]:
        """The equations, without counts, first ticks and intervals that nobody asks for."""
        sides = [e.right for e in self.equations if not _is_own(e)]
        asked = set(variables_in(*others, *sides))
        return [
            e
            for e in self.equations
            if not _is_own(e) or _target(e) in asked or pre_of(_target(e)) in asked
        ]

    # ------------------------------------------------------------ hidden quantities

    def hidden(self, kind: Basic, start: Expr | None, *name: Part) -> Var:
        var = Var((CLOCK, *name))
        fixed = None if start is None else TRUE
        self.variables.append(
            ScalarVariable(
                var.name, kind, Variability.DISCRETE, start=start, fixed=fixed, is_protected=True
            )
        )
        return var

    def update(self, var: Var, value: Expr) -> None:
        self.equations.append(ScalarEquation(var, value, target=var))

    # ------------------------------------------------------------ ticks

    def _periodic(self, base: BaseClock, rate: Rate) -> Expr:
        flag = sample_flag(self._first_sample + len(self.samples))
        first, every = int(rate.offset * self.parts), int(rate.period * self.parts)
        self.samples.append(SampleClock(flag, TIME, base.value, first, every, self.parts))
        due = when_flag(self._first_condition + len(self.conditions))
        self.conditions.append(Condition(due, flag, base.span))
        rises = build.logical_and(due, build.logical_not(pre_of(due)))
        return build.logical_and(_NO_LONGER, rises)

    def _counted(self, ticking: Ticking) -> Expr:
        """Of the ticks of the base, those that the rate takes."""
        fine = self.fine[ticking.base]
        period, offset = int(ticking.rate.period * fine), int(ticking.rate.offset * fine)
        tick = self._base_tick(ticking.base)
        if (period, offset) == (1, 0):
            return tick
        count = Var((CLOCK, ticking.base, "count"))
        since = build.minus(count, Integer(offset))
        is_late = Binary(">=", since, Integer(0))
        is_turn = Binary("==", Call("mod", since, Integer(period)), Integer(0))
        return build.logical_and(tick, build.logical_and(is_late, is_turn))

    def _base_tick(self, number: int) -> Expr:
        known = self._base_ticks.get(number)
        if known is not None:
            return known
        base = self.bases[number]
        tick = self._event(base, number) if base.beat is Beat.EVENT else self._steps(base, number)
        count = self.hidden(INTEGER, Integer(-1), number, "count")
        self.update(
            count, build.if_then_else(tick, build.plus(pre_of(count), Integer(1)), pre_of(count))
        )
        self._base_ticks[number] = tick
        return tick

    def _event(self, base: BaseClock, number: int) -> Expr:
        """The clock ticks one pass later than its condition changes, so that what it samples has
        taken notice. Modelica 3.6, "Event Clock": it ticks when `edge(pre(condition))`."""
        seen = self.hidden(BOOLEAN, FALSE, number, "seen")
        value = base.value
        self.update(seen, pre_of(value) if isinstance(value, Var) else value)
        rises = build.logical_and(seen, build.logical_not(pre_of(seen)))
        return build.logical_and(_NO_LONGER, rises)

    def _steps(self, base: BaseClock, number: int) -> Expr:
        """Each tick determines when the next one is due."""
        tick = self.hidden(BOOLEAN, FALSE, number, "tick")
        due = self.hidden(REAL, None, number, "next")
        fine = self.fine[number]
        self.update(tick, build.logical_and(_NO_LONGER, Binary(">=", TIME, pre_of(due))))
        if base.resolution == 0:
            later = build.plus(pre_of(due), build.over(base.value, Real(fine)))
        else:
            total = self.hidden(INTEGER, Integer(0), number, "total")
            begin = self.hidden(REAL, None, number, "begin")
            more = build.plus(pre_of(total), base.value)
            self.update(total, build.if_then_else(tick, more, pre_of(total)))
            self.update(begin, If(INITIAL, TIME, pre_of(begin)))
            later = build.plus(begin, build.over(total, Real(base.resolution * fine)))
        self.update(due, If(INITIAL, TIME, If(tick, later, pre_of(due))))
        is_positive = Binary(">", base.value, Integer(0))
        text = String("the interval of a clock must be greater than zero")
        guard = build.logical_and(_NO_LONGER, tick)
        self.actions.append(Action("assert", guard, is_positive, text, span=base.span))
        return tick

    # ------------------------------------------------------------ intervals

    def _interval(self, ticking: Ticking, tick: Expr, first: Var, number: int) -> Expr:
        base, rate = self.bases[ticking.base], ticking.rate
        if base.beat is Beat.PERIODIC:
            return _times(base.value, rate.period)
        if base.beat is Beat.STEPS and rate.period == 1:
            assert isinstance(base.value, Var)
            unit = Fraction(1, base.resolution) if base.resolution else Fraction(1)
            return _times(pre_of(base.value), unit)
        last = self.hidden(REAL, ZERO, number, "last")
        self.update(last, build.if_then_else(tick, TIME, pre_of(last)))
        begin = base.start_interval
        if base.beat is Beat.STEPS:
            assert isinstance(base.value, Var)
            begin = _times(pre_of(base.value), rate.period / (base.resolution or 1))
        return If(pre_of(first), begin, build.minus(TIME, pre_of(last)))


def _target(equation: ScalarEquation) -> Var:
    assert equation.target is not None
    return equation.target


def _is_own(equation: ScalarEquation) -> bool:
    """Of use only to what asks for it."""
    return _target(equation).name[-1] in ("first", "last", "count")


def _times(value: Expr, factor: Fraction) -> Expr:
    """Exact where it can be: `value` is 1 for rational clocks."""
    if value is ONE:
        return Real(factor.numerator / factor.denominator)
    product = build.times(Real(float(factor.numerator)), value)
    return build.over(product, Real(float(factor.denominator)))


def _fineness(rates: list[Rate]) -> int:
    """Into how many parts the ticks of an irregular base are split."""
    return lcm(*(r.period.denominator for r in rates), *(r.offset.denominator for r in rates), 1)
