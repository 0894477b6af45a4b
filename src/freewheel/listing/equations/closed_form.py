"""Small linear loops solved by formulas, with the divisor they share named once.

    u1 = R1*i, u2 = R2*i, u1 + u2 = u    ->    Q101 = R1 + R2;  i = u/Q101;  u1 = R1*u/Q101; ...

Unknowns with a number for a coefficient are eliminated first, the rest follows by Cramer's rule, all
in polynomials, so that everything cancels that can (Cellier and Elmqvist, "Automated Formula
Manipulation Supports Object-Oriented Continuous-System Modeling", the voltage divider).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from freewheel.formula import build
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.polynomial import (
    NOTHING,
    WHOLE,
    Atoms,
    Polynomial,
    Ratio,
    constant,
    product,
    reduced,
    scaled,
    total,
)
from freewheel.formula.walk import variables_in
from freewheel.listing.equations.switch_forms import SwitchForms
from freewheel.structure.blocks.tearing import LoopEquation
from freewheel.structure.nodes import ScalarEquation

MAX_UNKNOWNS = 24
MAX_KERNEL = 5  # unknowns left for Cramer's rule
MAX_TERMS = 8  # of a numerator; beyond it elimination reads better


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """`unknown = value` for each; `names` are the divisors that several of them share."""

    names: tuple[tuple[Var, Expr], ...]
    values: tuple[tuple[Var, Expr], ...]


@dataclass(slots=True)
class Row:
    """`sum(terms[c]*unknown[c]) + rest = 0`."""

    terms: dict[int, Polynomial]
    rest: Polynomial


class TooLargeError(Exception):
    """The formulas would be longer than anybody reads."""


def closed_form(
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    rank: Callable[[Expr], int],
    new_name: Callable[[], Var] | None,
) -> ClosedForm | None:
    """None where the loop is not linear, singular, or too large. Without `new_name` nothing is
    shared."""
    if len(unknowns) > MAX_UNKNOWNS:
        return None
    parts = [LoopEquation(equation, unknowns) for equation in equations]
    atoms = Atoms(_with_coefficients_first(rank, parts))
    rows = rows_of(parts, unknowns, atoms)
    if rows is None:
        return None
    try:
        ratios = _solve(rows, len(unknowns), atoms)
    except TooLargeError:
        return None
    return None if ratios is None else _shared(equations, ratios, unknowns, atoms, new_name)


def _with_coefficients_first(
    rank: Callable[[Expr], int], parts: Sequence[LoopEquation]
) -> Callable[[Expr], int]:
    """In a product, what multiplies unknowns comes before what stands on the right: `OpenSw*i`."""
    inside = {v for part in parts for v in variables_in(*(part.terms or {}).values())}

    def ranked(atom: Expr) -> int:
        if rank(atom) == 0:
            return 0
        return 1 if inside.issuperset(variables_in(atom)) else 2

    return ranked


def rows_of(
    parts: Sequence[LoopEquation], unknowns: Sequence[Var], atoms: Atoms
) -> list[Row] | None:
    column = {var: k for k, var in enumerate(unknowns)}
    rows: list[Row] = []
    for part in parts:
        if part.terms is None:
            return None
        ratios = {column[var]: atoms.ratio(c) for var, c in part.terms.items()}
        rows.append(_cleared(ratios, atoms.ratio(part.rest)))
    return rows


def _cleared(ratios: dict[int, Ratio], rest: Ratio) -> Row:
    """The row times every distinct divisor in it."""
    bottoms: list[Polynomial] = []
    for ratio in (*ratios.values(), rest):
        if constant(ratio.bottom) is None and ratio.bottom not in bottoms:
            bottoms.append(ratio.bottom)

    def clear(ratio: Ratio) -> Polynomial:
        number = constant(ratio.bottom)
        top = ratio.top if number is None else scaled(ratio.top, 1 / number)
        for bottom in bottoms:
            if bottom != ratio.bottom:
                top = product(top, bottom)
        return top

    return Row({c: clear(r) for c, r in ratios.items()}, clear(rest))


# ---------------------------------------------------------------- elimination


def _solve(rows: list[Row], count: int, atoms: Atoms) -> list[Ratio] | None:
    eliminated: list[tuple[int, Row]] = []
    while (pivot := _pivot(rows)) is not None:
        at, column = pivot
        row = rows.pop(at)
        eliminated.append((column, row))
        rows = [substituted(other, row, column) for other in rows]
    gone = {column for column, _ in eliminated}
    kernel = [column for column in range(count) if column not in gone]
    if len(kernel) > MAX_KERNEL or len(rows) != len(kernel):
        return None
    tops, bottom = _cramer(rows, kernel, atoms)
    if not bottom:
        return None
    for column, row in reversed(eliminated):
        number = constant(row.terms[column])
        assert number
        top = product(row.rest, bottom)
        for other, coefficient in row.terms.items():
            if other != column:
                top = total(top, product(coefficient, tops[other]))
        tops[column] = _checked(atoms.tidy(scaled(top, -1 / number)))
    return [reduced(Ratio(tops[c], bottom)) for c in range(count)]


def _pivot(rows: Sequence[Row]) -> tuple[int, int] | None:
    """The coefficient that is a number and whose elimination fills least."""
    uses: dict[int, int] = {}
    for row in rows:
        for column in row.terms:
            uses[column] = uses.get(column, 0) + 1
    best: tuple[int, int, int] | None = None
    for at, row in enumerate(rows):
        for column, coefficient in row.terms.items():
            if constant(coefficient):
                cost = (len(row.terms) - 1) * (uses[column] - 1)
                if best is None or cost < best[0]:
                    best = cost, at, column
    return None if best is None else best[1:]


def substituted(row: Row, by: Row, column: int, most: int | None = None) -> Row:
    if column not in row.terms:
        return row
    number = constant(by.terms[column])
    assert number
    factor = scaled(row.terms[column], -1 / number)
    terms = {c: p for c, p in row.terms.items() if c != column}
    for other, coefficient in by.terms.items():
        if other != column:
            new = total(terms.get(other, NOTHING), product(factor, coefficient))
            if new:
                terms[other] = _checked(new, most)
            else:
                terms.pop(other, None)
    return Row(terms, _checked(total(row.rest, product(factor, by.rest)), most))


def _checked(polynomial: Polynomial, most: int | None = None) -> Polynomial:
    if len(polynomial) > (MAX_TERMS if most is None else most):
        raise TooLargeError
    return polynomial


def _cramer(
    rows: Sequence[Row], kernel: Sequence[int], atoms: Atoms
) -> tuple[dict[int, Polynomial], Polynomial]:
    matrix = [[row.terms.get(c, NOTHING) for c in kernel] for row in rows]
    right = [scaled(row.rest, -WHOLE[()]) for row in rows]
    bottom = atoms.tidy(_determinant(matrix))
    tops: dict[int, Polynomial] = {}
    for at, column in enumerate(kernel):
        replaced = [
            [*line[:at], value, *line[at + 1 :]] for line, value in zip(matrix, right, strict=True)
        ]
        tops[column] = atoms.tidy(_determinant(replaced))
    return tops, bottom


def _determinant(matrix: list[list[Polynomial]]) -> Polynomial:
    """Expansion by the first column; matrices here have at most five rows."""
    if not matrix:
        return WHOLE
    result: Polynomial = NOTHING
    for at, line in enumerate(matrix):
        if line[0]:
            rest = [other[1:] for k, other in enumerate(matrix) if k != at]
            sign = 1 if at % 2 == 0 else -1
            result = _checked(total(result, product(line[0], _determinant(rest)), sign))
    return result


# ---------------------------------------------------------------- names for shared divisors


def _shared(
    equations: Sequence[ScalarEquation],
    ratios: Sequence[Ratio],
    unknowns: Sequence[Var],
    atoms: Atoms,
    new_name: Callable[[], Var] | None,
) -> ClosedForm:
    forms = SwitchForms(atoms, new_name)
    forms.find(equations, (r.top for r in ratios), (r.bottom for r in ratios))
    tops = [forms.rewritten(ratio.top) for ratio in ratios]
    bottoms = [forms.rewritten(ratio.bottom) for ratio in ratios]
    forms.count_products((*tops, *_distinct(bottoms)))
    names: dict[int, Var] = {}  # place of the first such divisor -> its name
    values: list[tuple[Var, Expr]] = []
    for at, (unknown, top, bottom) in enumerate(zip(unknowns, tops, bottoms, strict=True)):
        first = bottoms.index(bottom)
        # As in the documents, a divisor with choices stands written out.
        divisor = atoms.expr(bottom) if forms.has_choice(bottom) else forms.expr(bottom)
        if new_name is not None and len(bottom) > 1 and bottoms.count(bottom) > 1:
            if first == at:
                names[first] = new_name()
                forms.names.append((names[first], divisor))
            divisor = names[first]
        values.append((unknown, _over(forms.expr(top), divisor)))
    return ClosedForm(tuple(forms.names), tuple(values))


def _distinct(polynomials: Sequence[Polynomial]) -> list[Polynomial]:
    return [p for at, p in enumerate(polynomials) if polynomials.index(p) == at]


def _over(top: Expr, bottom: Expr) -> Expr:
    return top if build.is_one(bottom) else build.over(top, bottom)
