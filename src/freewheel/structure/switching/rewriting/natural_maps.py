"""Complementarity as one equation whose condition looks at both of its branches.

    0 = if i + v < 0 then i else v          ->      i = if s < 0 then 0 else s;  v = if s < 0 then s else 0
    i = if R*i + v < 0 then 0 else R*i + v
    sqrt(i^2 + v^2) = v - i                 the same, see fischer_burmeister.py

The condition is a sum of both branches, `L = a*A + b*B` (the natural map of the pair, Facchinei and Pang
2003, section 1.5). One branch is zero, so that L has the sign of the other one, and a curve parameter s in
the place of L says the same in every position. A relation on two unknowns is looked at by itself when a
mode is chosen; elements that have a curve parameter are chosen together (curve_parameters.py). L may also be
written as a choice by the same condition, of the branch that is not zero: `s = if on then i else v`.

An equation with a variable that cancels in L is explicit in it: `y = if u > 1 then 1 else u` stays.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from freewheel.base.names import Name
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.inline import inline_call
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import TIME, ZERO, Binary, Expr, If, Real, Var
from freewheel.formula.types import BOOLEAN, REAL
from freewheel.formula.walk import calls_in, has_choices, nodes_of, substitute, variables_in
from freewheel.structure.atoms import NATURAL
from freewheel.structure.blocks.incidence import equation_text, expr_text
from freewheel.structure.blocks.isolate import residual_of
from freewheel.structure.nodes import ScalarEquation, ScalarModel, ScalarVariable
from freewheel.structure.switching.numbers.choices import settled
from freewheel.structure.switching.numbers.if_chains import TooManyEndsError, lifted
from freewheel.structure.switching.rewriting.fischer_burmeister import Cone, cone_of
from freewheel.structure.thresholds import CANCELLATION
from freewheel.structure.values import ParameterValues

MOST_NAMES = 20  # Booleans behind a condition
MOST_STEPS = 4  # definitions behind a variable: `s = i + v`, `i = p.i`
_INSTANTS = (0.3819660112501051, 0.7548776662466927)  # generic: functions of time differ there
_ORDERED = ("<", "<=", ">", ">=")

Formulas = tuple[Expr, Expr, Expr]  # both branches, and what is compared with zero


@dataclass(frozen=True, slots=True)
class _Pair:
    """`first` is zero where `condition` holds, `second` where it does not. `relation` compares L with zero;
    `signs`: those of both quantities where L is positive."""

    number: int  # of the equation
    condition: Expr
    first: Expr
    second: Expr
    signs: tuple[float, float]
    relation: Binary


def with_natural_maps(model: ScalarModel, has_choices_too: bool = True) -> ScalarModel | None:
    """The model with such pairs along curves, or only with those that are written as roots; None where
    there are none."""
    search = _Search(model, has_choices_too)
    tried = [search.pair(number) for number in range(len(model.equations))]
    found = [pair for pair in tried if pair is not None]
    named = [(Var((NATURAL, expr_text(_compared(pair.relation)))), pair) for pair in found]
    times = Counter(s for s, _ in named)
    curves = {s: pair for s, pair in named if times[s] == 1}  # one parameter of two is no curve
    if not curves:
        return None
    names: dict[Expr, Expr] = {
        pair.relation: Binary(pair.relation.op, s, ZERO) for s, pair in curves.items()
    }
    equations: list[ScalarEquation] = []
    rows = {pair.number: (s, pair) for s, pair in curves.items()}
    for number, equation in enumerate(model.equations):
        if number in rows:
            equations += _rows(equation, *rows[number], names)
        else:
            equations.append(_named(equation, names))
    return replace(
        model,
        variables=(
            *settled(model, search.decided),
            *(ScalarVariable(s.name, REAL) for s in curves),
        ),
        equations=tuple(equations),
        conditions=tuple(replace(c, value=substitute(c.value, names)) for c in model.conditions),
    )


def _compared(relation: Binary) -> Expr:
    """With zero."""
    return build.minus(relation.left, relation.right)


def _named(equation: ScalarEquation, names: Mapping[Expr, Expr]) -> ScalarEquation:
    """Each relation of a pair asks for the side of the curve, wherever it stands."""
    left, right = substitute(equation.left, names), substitute(equation.right, names)
    return replace(equation, left=left, right=right)


def _rows(
    old: ScalarEquation, s: Var, pair: _Pair, names: Mapping[Expr, Expr]
) -> tuple[ScalarEquation, ScalarEquation]:
    text = equation_text(old)
    condition = substitute(pair.condition, names)
    first, second = (s if sign > 0.0 else build.neg(s) for sign in pair.signs)
    return (
        replace(old, left=pair.first, right=If(condition, ZERO, first), spoken=text),
        replace(old, left=pair.second, right=If(condition, second, ZERO), spoken=text),
    )


class _Search:
    def __init__(self, model: ScalarModel, has_choices_too: bool) -> None:
        self.model = model
        self.has_choices_too = has_choices_too
        self.variables = {v.name: v for v in model.variables}
        self.values = ParameterValues(self.variables, model.functions)
        self.decided: set[Var] = set()  # parameters whose values were asked for
        # By component and variable: equations that begin with it. There may be two, `r = sqrt(..)` and
        # `r = i - v`, and an equation says nothing about itself.
        self.given: dict[tuple[Name, Var], list[int]] = {}
        self.logic: dict[tuple[Name, Var], Expr] = {}  # the same of Booleans
        for number, equation in enumerate(model.equations):
            left = equation.left
            if isinstance(left, Var) and not equation.is_when and equation.target is None:
                known = self.variables.get(left.name)
                if known is not None and known.type == BOOLEAN:
                    self.logic.setdefault((equation.origin, left), equation.right)
                else:
                    self.given.setdefault((equation.origin, left), []).append(number)

    def pair(self, number: int) -> _Pair | None:
        equation = self.model.equations[number]
        if equation.is_when or equation.target is not None or equation.clause is not None:
            return None
        if not has_choices(equation.left, equation.right):
            return self._cone(number)
        if not self.has_choices_too:
            return None
        try:
            chain = lifted(_as_zero(equation))
        except TooManyEndsError:
            return None
        if not isinstance(chain, If) or any(isinstance(end, If) for end in chain.args[1:]):
            return None
        condition, first, second = chain.args
        for relation in self._relations(condition, equation.origin):
            formulas = first, second, _compared(relation)
            factors = self._factors(number, formulas) or self._chosen(number, condition, formulas)
            if factors is not None:
                signs = math.copysign(1.0, factors[0]), math.copysign(1.0, factors[1])
                one, other = self._collected(first), self._collected(second)
                return _Pair(number, condition, one, other, signs, relation)
        return None

    def _cone(self, number: int) -> _Pair | None:
        """Two quantities of which none is negative and one is zero."""
        equation = self.model.equations[number]
        cone = cone_of(self._opened(equation.left), self._opened(equation.right), self._moves)
        pair = None
        if cone is not None and len(cone.squares) == 1:
            pair = self._absolute(number, cone)
        elif cone is not None and len(cone.squares) == 2:
            pair = self._sum_of_both(number, cone)
        if pair is None:
            return None
        first, second, compared = pair
        relation = Binary("<", compared, ZERO)
        return _Pair(number, relation, first, second, (1.0, -1.0), relation)

    def _opened(self, side: Expr) -> Expr:
        """With the formulas of functions that are one formula: a root is mostly written once for all."""
        names: dict[Expr, Expr] = {}
        for call in calls_in(side):
            if isinstance(call.function, str):
                continue
            function = self.values.functions.get(call.function)
            formulas = None if function is None else inline_call(function, call.args)
            if formulas is not None and len(formulas) == 1:
                names[call] = formulas[0]
        return substitute(side, names) if names else side

    def _absolute(self, number: int, cone: Cone) -> Formulas | None:
        ((base, weight),) = cone.squares
        size = build.times(build.call("sqrt", weight), base)
        first, second = build.plus(cone.other, size), build.minus(cone.other, size)
        is_pair = self._factors(number, (first, second, size)) is not None
        return (self._collected(first), self._collected(second), size) if is_pair else None

    def _sum_of_both(self, number: int, cone: Cone) -> Formulas | None:
        """The root is the sum of what is squared."""
        (one, weight), (other, second_weight) = cone.squares
        factors = self._factors(number, (one, other, cone.other), is_cone=True)
        if factors is None:
            return None
        for factor, expr in zip(factors, (weight, second_weight), strict=True):
            square = self.values.number(expr)
            if square is None or abs(factor * factor - square) > CANCELLATION.same * abs(square):
                return None
            self.decided.update(variables_in(expr))
        x, y = factors
        first = one if x > 0.0 else build.neg(one)
        second = other if y > 0.0 else build.neg(other)
        return first, second, build.minus(first, second)

    def _relations(self, condition: Expr, origin: Name) -> Iterator[Binary]:
        """Inequalities in a condition, and in what Booleans in it stand for."""
        waiting = [condition]
        for _ in range(MOST_NAMES):
            if not waiting:
                return
            for node in nodes_of(waiting.pop()):
                if isinstance(node, Binary) and node.op in _ORDERED:
                    yield node
                elif isinstance(node, Var) and (origin, node) in self.logic:
                    waiting.append(self.logic[origin, node])

    def _factors(
        self, number: int, formulas: Formulas, is_cone: bool = False
    ) -> tuple[float, float] | None:
        """Of the first two in the third, as far as definitions show; None where it is no sum of them."""
        for _ in range(MOST_STEPS):
            fit = self._fit(formulas, is_cone)
            if fit is not None:
                return fit
            more = self._behind(number, formulas)
            if more == formulas:
                return None
            formulas = more
        return None

    def _chosen(
        self, number: int, condition: Expr, formulas: Formulas
    ) -> tuple[float, float] | None:
        """The same where the third is defined as the one that is not zero."""
        first, second, compared = formulas
        moving = [var for var in variables_in(compared) if self._moves(var)]
        others = [
            self.model.equations[k].right
            for var in moving
            for k in self.given.get((self.model.equations[number].origin, var), ())
            if k != number
        ]
        if len(moving) != 1 or len(others) != 1:
            return None
        try:
            choice = lifted(substitute(compared, {moving[0]: others[0]}))
        except TooManyEndsError:
            return None
        if not isinstance(choice, If) or choice.args[0] != condition:
            return None
        _, where_true, where_false = choice.args
        one = self._multiple(where_false, first)
        other = self._multiple(where_true, second)
        return None if one is None or other is None else (one, other)

    def _multiple(self, formula: Expr, of: Expr) -> float | None:
        """x of `formula = x*of`, other than zero."""
        moving = [var for var in variables_in(formula, of) if self._moves(var)]
        forms = [linear_form(each, moving) for each in (formula, of)]
        rows = [[self.values.number(c) for c in form[0]] for form in forms if form is not None]
        numbers = [[c for c in row if c is not None] for row in rows]
        if not moving or [len(row) for row in numbers] != [len(moving)] * 2:
            return None
        whole, part = numbers
        at = max(range(len(part)), key=lambda k: abs(part[k]))
        factor = whole[at] / part[at] if part[at] else 0.0
        rests = [form[1] for form in forms if form is not None]
        left = build.minus(rests[0], build.times(Real(factor), rests[1]))
        size = max(map(abs, whole))
        is_multiple = all(
            abs(w - factor * p) <= CANCELLATION.same * size
            for w, p in zip(whole, part, strict=True)
        )
        if factor == 0.0 or not is_multiple or not self._is_zero(left, size):
            return None
        coefficients = [c for form in forms if form is not None for c in form[0]]
        self.decided.update(variables_in(*coefficients, left))
        self.decided.discard(TIME)
        return factor

    def _behind(self, number: int, formulas: Formulas) -> Formulas:
        """With the definitions of variables that are not in all that they should be in."""
        origin = self.model.equations[number].origin
        first, second, compared = formulas
        pair, looked = set(variables_in(first, second)), set(variables_in(compared))
        names: dict[Expr, Expr] = {}
        for var in variables_in(*formulas):
            others = [k for k in self.given.get((origin, var), ()) if k != number]
            if others and (var in pair) != (var in looked):
                names[var] = self.model.equations[others[0]].right
        return substitute(first, names), substitute(second, names), substitute(compared, names)

    def _fit(self, formulas: Formulas, is_cone: bool) -> tuple[float, float] | None:
        moving = [var for var in variables_in(*formulas) if self._moves(var)]
        forms = [linear_form(formula, moving) for formula in formulas]
        numbers: list[list[float]] = []
        for form in forms:
            row = [] if form is None else [self.values.number(c) for c in form[0]]
            if form is None or not row or None in row:
                return None
            numbers.append([number for number in row if number is not None])
        a, b, whole = numbers
        if not is_cone and not all(whole):  # a variable that cancels
            return None
        factors = _factors(a, b, whole)
        if factors is None:
            return None
        rests = [form[1] for form in forms if form is not None]
        left = build.minus(rests[2], _combined(factors, rests))
        if not self._is_zero(left, max(map(abs, whole))):
            return None
        coefficients = [c for form in forms if form is not None for c in form[0]]
        self.decided.update(variables_in(*coefficients, left))
        self.decided.discard(TIME)
        return factors

    def _collected(self, side: Expr) -> Expr:
        """The sum of its variables, each once: `v` of `i + v - i`. As it is where only definitions show
        that it is one."""
        moving = [var for var in variables_in(side) if self._moves(var)]
        form = linear_form(side, moving)
        if form is None:
            return side
        terms = [build.times(c, var) for c, var in zip(form[0], moving, strict=True)]
        return build.total([*terms, form[1]])

    def _moves(self, var: Var) -> bool:
        variable = self.variables.get(var.name)
        return var is not TIME and (
            variable is None or variable.variability > Variability.PARAMETER
        )

    def _is_zero(self, expr: Expr, size: float) -> bool:
        for instant in _INSTANTS:
            number = self.values.number(substitute(expr, {TIME: Real(instant)}))
            if number is None or abs(number) > CANCELLATION.same * size:
                return False
        return True


def _as_zero(equation: ScalarEquation) -> Expr:
    """`a` of `0 = a`, and the difference of the sides of any other."""
    return equation.right if build.is_zero(equation.left) else residual_of(equation)


def _factors(
    a: Sequence[float], b: Sequence[float], whole: Sequence[float]
) -> tuple[float, float] | None:
    """x, y of `x*a + y*b = whole`, both other than zero; None where there are none."""
    places = combinations(range(len(whole)), 2)
    at = max(places, key=lambda p: abs(a[p[0]] * b[p[1]] - a[p[1]] * b[p[0]]), default=None)
    if at is None:
        return None
    j, k = at
    area = a[j] * b[k] - a[k] * b[j]
    if area == 0.0:
        return None
    x = (whole[j] * b[k] - whole[k] * b[j]) / area
    y = (a[j] * whole[k] - a[k] * whole[j]) / area
    is_sum = all(
        abs(x * p + y * q - w) <= CANCELLATION.same * max(abs(x * p), abs(y * q), abs(w))
        for p, q, w in zip(a, b, whole, strict=True)
    )
    return (x, y) if is_sum and x != 0.0 and y != 0.0 else None


def _combined(factors: tuple[float, float], rests: Sequence[Expr]) -> Expr:
    terms = (build.times(Real(f), rest) for f, rest in zip(factors, rests, strict=False))
    return build.plus(*terms)
