"""Sums that vanish are taken out of equations which contain them.

    a + b + c = 0,  3*z + a + b + c = 0      ->      a + b + c = 0,  3*z = 0

In: equations without aliases. Out: the same, some of them shorter. An equation is only ever replaced
by the difference of itself and a multiple of another one, so solutions stay what they are. Without
this, `z` would seem free although it cannot be anything but zero (the zero current of a machine whose
star point is not connected), and states would be chosen that are none. Likewise

    a + b - a = 0      ->      b = 0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.nodes import ONE, ZERO, Binary, Expr, Integer, Real, Unary, Var
from freewheel.structure.blocks.incidence import folded
from freewheel.structure.nodes import ScalarEquation, ScalarVariable

MOST_TERMS = 64

Share = int | Fraction  # mostly 1 and -1: whole numbers are ten times faster than fractions
Sum = dict[Expr, Share]


def without_vanishing_sums(
    equations: Sequence[ScalarEquation], variables: Mapping[Name, ScalarVariable]
) -> list[ScalarEquation]:
    """One round over all sums that vanish, in order."""
    result: list[ScalarEquation] = []
    sums: list[Sum | None] = []
    for equation in equations:
        terms = terms_of(equation) if _is_plain(equation) else {}
        result.append(_without_cancelled(equation, terms, variables))
        sums.append(_sum_of(terms, variables))
    holders: dict[Expr, list[int]] = {}
    for number, inside in enumerate(sums):
        for var in inside or ():
            holders.setdefault(var, []).append(number)
    for number, inside in enumerate(sums):
        if inside is None or len(inside) < 3:
            continue
        rarest = min(inside, key=lambda var: len(holders[var]))
        for other in holders[rarest]:
            around = sums[other]
            if other == number or around is None or len(around) <= len(inside):
                continue
            rest = _difference(around, inside)
            if rest is not None:
                sums[other] = rest
                result[other] = replace(result[other], left=sum_of_terms(rest), right=ZERO)
    return result


def _difference(around: Sum, inside: Sum) -> Sum | None:
    """`around` without a multiple of `inside`, if all of that is in it."""
    first = next(iter(inside))
    if first not in around:
        return None
    factor = Fraction(around[first]) / inside[first]
    if any(around.get(var) != factor * share for var, share in inside.items()):
        return None
    return {var: share for var, share in around.items() if var not in inside}


def _without_cancelled(
    equation: ScalarEquation, terms: Sum, variables: Mapping[Name, ScalarVariable]
) -> ScalarEquation:
    """`x - x = 1` does not hold x; it says `0 = 1`. So it is with rates."""
    gone = [
        leaf
        for leaf, share in terms.items()
        if share == 0 and isinstance(leaf, Var) and _is_continuous(folded(leaf), variables)
    ]
    if not gone:
        return equation
    rest = {leaf: share for leaf, share in terms.items() if leaf not in gone}
    return replace(equation, left=sum_of_terms(rest), right=ZERO)


def _sum_of(terms: Sum, variables: Mapping[Name, ScalarVariable]) -> Sum | None:
    """Coefficients of `sum = 0`; None where the equation is nothing of the kind."""
    found: Sum = {}
    for leaf, share in terms.items():
        if isinstance(leaf, Var) and not share:
            continue
        if isinstance(leaf, Var) and _is_continuous(leaf, variables):
            found[leaf] = share
        elif leaf is not ONE or share:
            return None
    return found if 0 < len(found) <= MOST_TERMS else None


def _is_plain(equation: ScalarEquation) -> bool:
    return equation.target is None and equation.clause is None and not equation.is_when


def terms_of(equation: ScalarEquation) -> Sum:
    """The residual as a sum of multiples, in order of appearance; what is a number counts for
    `ONE`. A multiple that is zero stays: the caller may want to know what cancels."""
    found: Sum = {}
    stack: list[tuple[Expr, Share]] = [(equation.right, -1), (equation.left, 1)]
    while stack:
        node, factor = stack.pop()
        if isinstance(node, Unary) and node.op == "-":
            stack.append((node.args[0], -factor))
        elif isinstance(node, Binary) and node.op in "+-":
            stack.append((node.args[1], factor if node.op == "+" else -factor))
            stack.append((node.args[0], factor))
        elif (inner := _multiple(node)) is not None:
            stack.append((inner[0], factor * inner[1]))
        elif (value := _number(node)) is None:
            found[node] = found.get(node, 0) + factor
        elif value:
            found[ONE] = found.get(ONE, 0) + factor * value
    return found


def _multiple(node: Expr) -> tuple[Expr, Fraction] | None:
    """(what, how many times) of `3*x`, `x*3`, `x/3`."""
    if not isinstance(node, Binary) or node.op not in "*/":
        return None
    left, right = node.args
    if node.op == "*" and (number := _number(left)) is not None:
        return right, number
    number = _number(right)
    if not number:
        return None
    return left, number if node.op == "*" else 1 / number


def _number(node: Expr) -> Fraction | None:
    return Fraction(node.data) if isinstance(node, Integer | Real) else None


def _is_continuous(var: Var, variables: Mapping[Name, ScalarVariable]) -> bool:
    variable = variables.get(var.name)
    return (
        variable is not None
        and variable.variability == Variability.CONTINUOUS
        and variable.causality is not Causality.INPUT
    )


def sum_of_terms(terms: Mapping[Expr, Share]) -> Expr:
    """The formula back again."""
    total: Expr = ZERO
    for leaf, share in terms.items():
        if share == 0:
            continue
        size = abs(float(share))
        term = build.times(Real(size), leaf) if size != 1.0 else leaf
        total = build.plus(total, term) if share > 0 else build.minus(total, term)
    return total
