"""Relations that an equation of a branch keeps on zero.

    when x^2 + y^2 > 1 then taut = true; end when;
    0 = if taut then x^2 + y^2 - 1 else F;

While `taut` holds, the relation compares two numbers that are equal by the second equation. Between the ends
of a step they are so only to the tolerance, and each change of sign would be an event. The residual of the
relation becomes `if pre(taut) then 0 else x^2 + y^2 - 1`: exactly zero between events while the equation
holds, and untouched while the event lasts that it causes.

When the branch is left, the residual is zero up to round-off and may leave zero slowly (a string that becomes
slack: as the third power of time). Its sign says nothing then. As long as the status is zero, a residual
below 1e-13 of the sum of its terms (13 of 16 digits have cancelled) therefore counts as zero; once the status
is not zero, the residual is taken as it is.

Where the relation compares a single variable with zero (`when v > 0`, with `0 = if off then i else v`), the
terms are those beside it in the sums of which it is a term: the potentials of which v is the difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from freewheel.formula import build
from freewheel.formula.nodes import ZERO, Binary, Expr, If, Unary, Var
from freewheel.formula.polynomial import Atoms, Polynomial
from freewheel.formula.walk import substitute, variables_in
from freewheel.structure.atoms import pre_of
from freewheel.structure.events.relation_guards import keeper
from freewheel.structure.nodes import Chosen, Crossing, Hybrid, ScalarEquation
from freewheel.structure.switching.nodes import Core
from freewheel.structure.thresholds import CANCELLATION

MOST_CHOICES = 4  # in one equation; more of them are no constraint written by hand


def with_resting_relations(hybrid: Hybrid, chosen: Chosen, core: Core) -> Hybrid:
    if not core.is_there or not hybrid.crossings:
        return hybrid
    equations = [chosen.equations[row] for element in core.elements for row in element.equations]
    branches = list(_branches(hybrid, equations))
    crossings = [
        crossing
        if crossing.status in core.turning
        else _rested(crossing, branches, chosen.equations)
        for crossing in hybrid.crossings
    ]
    return replace(hybrid, crossings=tuple(crossings))


def _variables(crossing: Crossing) -> tuple[Var, ...]:
    return variables_in(crossing.left, crossing.right)


def _branches(hybrid: Hybrid, equations: Sequence[ScalarEquation]) -> Iterator[tuple[Expr, Expr]]:
    """(condition that keeps its value between events, residual that is zero while it holds)."""
    keeps = keeper(hybrid)
    values_before: dict[Expr, Expr] = {var: pre_of(var) for var in hybrid.discrete}
    for equation in equations:
        residual = build.minus(equation.left, equation.right)
        choices = [node for node in _choices(residual) if keeps(node.args[0])]
        for node in choices[:MOST_CHOICES]:
            condition, then, otherwise = node.args
            before = substitute(condition, values_before)
            yield before, substitute(residual, {node: then})
            yield build.logical_not(before), substitute(residual, {node: otherwise})


def _choices(expr: Expr) -> Iterator[If]:
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, If):
            yield node
        else:
            stack.extend(node.args)


def _rested(
    crossing: Crossing,
    branches: Sequence[tuple[Expr, Expr]],
    equations: Sequence[ScalarEquation],
) -> Crossing:
    residual = build.minus(crossing.left, crossing.right)
    own = frozenset(_variables(crossing))
    atoms = Atoms()
    shape = atoms.ratio(residual).top
    conditions = [
        condition
        for condition, other in branches
        if own == frozenset(variables_in(other)) and _same_zeros(shape, atoms.ratio(other).top)
    ]
    if not conditions:
        return crossing
    left = _without_round_off(residual, crossing.status, equations)
    for condition in conditions:
        left = If(condition, ZERO, left)
    return replace(crossing, left=left, right=ZERO)


def _without_round_off(residual: Expr, status: Var, equations: Sequence[ScalarEquation]) -> Expr:
    terms = [*_terms(residual)]
    if len(terms) == 1 and isinstance(terms[0], Var):
        terms = [*_summands_beside(terms[0], equations)] or terms
    size = build.total(build.call("abs", term) for term in terms)
    is_small = build.relation(
        "<=", build.call("abs", residual), build.times(build.number(CANCELLATION.round_off), size)
    )
    return If(build.logical_and(build.relation("==", status, ZERO), is_small), ZERO, residual)


def _summands_beside(variable: Var, equations: Sequence[ScalarEquation]) -> Iterator[Expr]:
    """A voltage that is zero is the difference of potentials that are not: the other terms of the sums in
    which the variable is a term itself."""
    for equation in equations:
        terms = [*_terms(equation.left), *_terms(equation.right)]
        if variable in terms:
            yield from (term for term in terms if isinstance(term, Var) and term != variable)


def _terms(expr: Expr) -> Iterator[Expr]:
    stack = [expr]
    while stack:
        node = stack.pop()
        is_sum = isinstance(node, Binary) and node.op in ("+", "-")
        if is_sum or (isinstance(node, Unary) and node.op == "-"):
            stack.extend(reversed(node.args))
        else:
            yield node


def _same_zeros(one: Polynomial, other: Polynomial) -> bool:
    """Whether one is the other times a number."""
    if one.keys() != other.keys() or not one:
        return False
    first = next(iter(one))
    return all(one[term] * other[first] == other[term] * one[first] for term in one)
