"""Switches written with numbers, as choices.

    0 = mo*i + (1 - mo)*u      ->      0 = if mo == 1 then i else u
    u = mo*s                   ->      u = (if mo == 1 then 1 else 0)*s

A number with finitely many values that takes a term away by being zero is a switch, however its value
is found (Cellier and Kofman 2006, equation 9.34; Cellier and Krebs 2007, section 3). With the factors
as choices, all that is known about if-expressions holds for it too: which storages it takes away, along
which curve it is chosen, which other elements it is chosen with. A gain that is never zero is no switch.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import ZERO, Expr, If, Integer, Real, Var
from freewheel.formula.types import REAL
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import base_of, is_pre
from freewheel.structure.blocks.incidence import equation_text, folded
from freewheel.structure.blocks.isolate import residual_of
from freewheel.structure.nodes import ScalarEquation, ScalarModel, ScalarVariable
from freewheel.structure.switching.numbers.decisions import with_decided_truths
from freewheel.structure.switching.numbers.finite_domains import Finite, finite_variables
from freewheel.structure.switching.numbers.if_chains import (
    TooManyEndsError,
    ends_of,
    lifted,
    with_ends,
)
from freewheel.structure.switching.numbers.value_booleans import Positions
from freewheel.structure.values import ParameterValues


def with_choices(model: ScalarModel, leaks: float) -> ScalarModel | None:
    """The model with such switches as choices; None where there are none. `leaks`: factors of at most
    this size beside others count as zeros."""
    decided = with_decided_truths(model)
    found = _with_choices(decided, leaks)
    return decided if found is None and decided is not model else found


def _with_choices(model: ScalarModel, leaks: float) -> ScalarModel | None:
    finite = finite_variables(model)
    if not finite:
        return None
    values = ParameterValues({v.name: v for v in model.variables}, model.functions)
    rows = _Rows(model, finite, values, leaks)
    switching = rows.that_switch()
    if not switching:
        return None
    positions = Positions(model, finite)
    new = {number: rows.rewritten(number, positions) for number in switching}
    equations = positions.equations()
    for number, equation in new.items():
        equations[number] = equation
    return replace(
        model,
        variables=(
            *(_remembered(v, positions) for v in settled(model, rows.decided)),
            *positions.new_variables(),
        ),
        equations=tuple(equations),
    )


def _remembered(variable: ScalarVariable, positions: Positions) -> ScalarVariable:
    """A fixed start of a switch says where it was before, and its Booleans remember that. As a condition on
    a Real it would ask for that position although the start may lead to another one."""
    is_switch = Var(variable.name) in positions.by_formula and variable.type == REAL
    return replace(variable, fixed=None) if is_switch else variable


def settled(model: ScalarModel, decided: set[Var]) -> Iterator[ScalarVariable]:
    """Parameters that decided whether a factor is zero, and what they are computed from, keep their
    values: a change needs a new translation."""
    binding = {Var(v.name): v.binding for v in model.variables if v.binding is not None}
    waiting, found = list(decided), set[Var]()
    while waiting:
        var = waiting.pop()
        if var not in found:
            found.add(var)
            waiting += variables_in(binding[var]) if var in binding else ()
    for variable in model.variables:
        yield replace(variable, is_structural=True) if Var(variable.name) in found else variable


class _Rows:
    """Equations of what moves with finite variables in them."""

    def __init__(
        self,
        model: ScalarModel,
        finite: Mapping[Var, Finite],
        values: ParameterValues,
        leaks: float,
    ) -> None:
        self.model = model
        self.finite = finite
        self.values = values
        self.leaks = leaks
        self.decided: set[Var] = set()  # parameters that were asked whether a factor is zero
        self.moving = frozenset(
            Var(v.name)
            for v in model.variables
            if v.type == REAL
            and v.variability == Variability.CONTINUOUS
            and v.causality is not Causality.INPUT
            and Var(v.name) not in finite
        )
        given = {one.equation for one in finite.values()}
        self.rows = [
            number
            for number, e in enumerate(model.equations)
            if number not in given and not e.is_when
            if self._numbers(e.left, e.right) and self._moving(e.left, e.right)
        ]

    def _numbers(self, *sides: Expr) -> list[Var]:
        """With what they were: `pre(m)` takes a term away as well."""
        return [v for v in variables_in(*sides) if (base_of(v) if is_pre(v) else v) in self.finite]

    def _moving(self, *sides: Expr) -> list[Var]:
        return [var for var in variables_in(*sides) if folded(var) in self.moving]

    # ------------------------------------------------------------ which of them switch

    def that_switch(self) -> list[int]:
        """Those where a number takes a term away, and all others with such a number."""
        tried = Positions(self.model, self.finite)
        switches: set[Var] = set()
        for number in self.rows:
            switches.update(self._switches(self.model.equations[number], tried))
        return [
            number
            for number in self.rows
            if not switches.isdisjoint(self._conditions(self.model.equations[number], tried))
        ]

    def _conditions(self, equation: ScalarEquation, tried: Positions) -> Iterator[Var]:
        """Of the numbers in an equation."""
        for var in self._numbers(equation.left, equation.right):
            yield from _behind(tried, var)

    def _switches(self, equation: ScalarEquation, tried: Positions) -> Iterator[Var]:
        """Conditions of the numbers that take something away."""
        form = linear_form(residual_of(equation), self._moving(equation.left, equation.right))
        if form is None:
            for side in (equation.left, equation.right):
                chain = _chain(tried, side)
                about = {self.moving.intersection(variables_in(end)) for end in ends_of(chain)}
                if len(about) > 1:
                    yield from self._conditions(equation, tried)
            return
        for coefficient in form[0]:
            if self._numbers(coefficient) and self._vanishes(_chain(tried, coefficient)):
                for var in self._numbers(coefficient):
                    yield from _behind(tried, var)

    def _vanishes(self, chain: Expr) -> bool:
        """Whether a factor is zero, or but a leak, beside other values of it."""
        ends = list(dict.fromkeys(ends_of(chain)))
        known = [number for end in ends if (number := self.values.number(end)) is not None]
        if len(ends) < 2 or not known:
            return False
        largest = max(map(abs, known))
        return any(number == 0.0 or abs(number) <= self.leaks * largest for number in known)

    # ------------------------------------------------------------ with choices

    def rewritten(self, number: int, positions: Positions) -> ScalarEquation:
        """With `spoken` as it was written."""
        equation = self.model.equations[number]
        left, right = self._sides(equation, positions)
        return replace(equation, left=left, right=right, spoken=equation_text(equation))

    def _sides(self, equation: ScalarEquation, positions: Positions) -> tuple[Expr, Expr]:
        left, right = equation.left, equation.right
        if left not in self._moving(right) and left in self.moving:
            terms = self._terms(right, positions)
            if terms is not None:
                return left, _total(*terms)
        terms = self._terms(residual_of(equation), positions)
        if terms is None:
            return _chain(positions, left), _chain(positions, right)
        alternatives = _alternatives(*terms)
        return ZERO, _total(*terms) if alternatives is None else alternatives

    def _terms(self, expr: Expr, positions: Positions) -> tuple[dict[Var, Expr], Expr] | None:
        """(factors of what moves, the rest) of a sum."""
        moving = self._moving(expr)
        form = linear_form(expr, moving)
        if form is None:
            return None
        factors = (self._factor(positions, coefficient) for coefficient in form[0])
        return dict(zip(moving, factors, strict=True)), _chain(positions, form[1])

    def _factor(self, positions: Positions, coefficient: Expr) -> Expr:
        """With zeros where parameters make them: `1 - realTrue`."""
        chain = _chain(positions, coefficient)
        return with_ends(chain, self._end) if self._numbers(coefficient) else chain

    def _end(self, end: Expr) -> Expr:
        number = self.values.number(end)
        if number is None or isinstance(end, Var | Real | Integer):
            return end
        self.decided.update(variables_in(end))
        return ZERO if number == 0.0 else end


def _chain(positions: Positions, expr: Expr) -> Expr:
    """As a chain; each factor by itself where that would be too long."""
    try:
        return positions.chain(expr)
    except TooManyEndsError:
        return positions.put(expr)


def _behind(positions: Positions, number: Var) -> Iterator[Var]:
    """Booleans of a number, now or before."""
    for var in variables_in(_chain(positions, number)):
        yield base_of(var) if is_pre(var) else var


def _total(terms: Mapping[Var, Expr], rest: Expr) -> Expr:
    return build.total([*(build.times(c, v) for v, c in terms.items()), rest])


def _alternatives(terms: Mapping[Var, Expr], rest: Expr) -> Expr | None:
    """One variable in each position that is to be zero, if that is all the equation says."""
    try:
        chain = lifted(_total(terms, rest))
    except TooManyEndsError:
        return None
    if not isinstance(chain, If):
        return None
    alone = {end: _alone(end) for end in ends_of(chain)}
    if None in alone.values():
        return None
    return with_ends(chain, lambda end: alone[end] or end)


def _alone(end: Expr) -> Var | None:
    """x of `2*x`."""
    found = variables_in(end)
    form = linear_form(end, found)
    if form is None or not build.is_zero(form[1]):
        return None
    left = [var for var, c in zip(found, form[0], strict=True) if not build.is_zero(c)]
    factors = [c for c in form[0] if not build.is_zero(c)]
    is_number = len(factors) == 1 and isinstance(factors[0], Real | Integer)
    return left[0] if is_number else None
