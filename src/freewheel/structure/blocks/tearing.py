"""Loops: equations that must be solved together are torn, and made a matrix where they are linear.

    u1 = R1*i, u2 = R2*i, u1 + u2 = u     guess i;  u1, u2 follow;  (R1 + R2)*i = u

Tearing solves an equation for an unknown only where its coefficient is a number or a parameter
expression that is not zero: a switch equation `0 = if open then i else u` stays a residual and so
is valid in both positions (document "Hybrid", the switch circuit). Numbers come before parameters, which
a run may make zero, unless that takes more guesses. What goes into an exponential, a root or a
logarithm of a nonlinear loop is guessed, not followed; so is what is divided by, where it would be a sum or a
difference: v = p/i has the relative error of i, and i = (1 - v)/R - f has no digits in a short circuit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from freewheel.formula import build
from freewheel.formula.intrinsics import names_of
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import ONE, ZERO, Binary, Expr, Var
from freewheel.formula.walk import calls_in, nodes_of, variables_in
from freewheel.graphs.tearing import Torn, tear
from freewheel.structure.blocks.isolate import quotient, residual_of
from freewheel.structure.blocks.switch_signs import Signs, turned
from freewheel.structure.blocks.switch_zeros import zero_while
from freewheel.structure.blocks.tearing_digits import FEWEST, loses_digits
from freewheel.structure.nodes import Loop, ScalarEquation, Solved
from freewheel.structure.values import ParameterValues, is_number

# Beyond this, the symbolic elimination of a linear loop is larger than its matrix.
MAX_ELIMINATION = 20_000

# Entries visited by tearing once; beyond this, it is not done again to avoid parameters as pivots.
MAX_RETRY = 200_000

# Newton's method must have what goes into these in hand. A variable that follows from others may
# be anywhere while these are not yet found: the last of a chain of diodes would get all the voltage.
DELICATE = names_of(lambda row: row.is_delicate)

Terms = dict[Var, Expr]  # coefficient of each unknown


class LoopEquation:
    """One equation of a loop: its residual, and its terms where it is linear in the unknowns."""

    def __init__(self, equation: ScalarEquation, unknowns: Sequence[Var]) -> None:
        self.equation = equation
        left_is_zero = build.is_zero(equation.left)  # `0 = a + b` is read as it is written
        self.residual = equation.right if left_is_zero else residual_of(equation)
        wanted = frozenset(unknowns)
        self.unknowns = [v for v in variables_in(self.residual) if v in wanted]
        self.terms: Terms | None = None
        self.rest: Expr = ZERO
        form = linear_form(self.residual, tuple(self.unknowns))
        if form is not None:
            coefficients, self.rest = form
            self.terms = {
                var: c
                for var, c in zip(self.unknowns, coefficients, strict=True)
                if not build.is_zero(c)
            }
            self.unknowns = list(self.terms)

    def coefficient(self, unknown: Var) -> Expr | None:
        """Of an unknown in which this equation is linear, others held."""
        if self.terms is not None:
            return self.terms.get(unknown)
        form = linear_form(self.residual, (unknown,))
        return None if form is None else form[0][0]

    def is_sum_for(self, unknown: Var) -> bool:
        """Whether the unknown is a sum or a difference by this equation, whose digits may cancel."""
        if self.terms is None:
            return False
        others = sum(v is not unknown for v in self.terms)
        return others + (not build.is_zero(self.rest)) > 1

    def solved(self, unknown: Var) -> Expr:
        """The unknown from this equation, the other unknowns kept."""
        if self.equation.left is unknown and unknown not in variables_in(self.equation.right):
            return self.equation.right
        if self.terms is not None:
            others = [build.times(c, v) for v, c in self.terms.items() if v is not unknown]
            rest = build.total([self.rest, *others])
            return quotient(rest, self.terms[unknown])
        form = linear_form(self.residual, (unknown,))
        assert form is not None
        return quotient(form[1], form[0][0])


def solve_loop(
    equations: Mapping[int, ScalarEquation], unknowns: Sequence[Var], values: ParameterValues
) -> Loop:
    """`equations` by their number in the whole system."""
    rows = list(equations)
    parts = [LoopEquation(equations[row], unknowns) for row in rows]
    column = {var: k for k, var in enumerate(unknowns)}
    incidence = [[column[v] for v in part.unknowns] for part in parts]
    nonlinear = [part.residual for part in parts if part.terms is None]
    delicate = {v for residual in nonlinear for v in _delicate(residual)}
    divisors = {v for residual in nonlinear for v in _divisors(residual)}
    factors: dict[Expr, None] = {}
    solvable: list[list[int]] = []
    sure: list[list[int]] = []  # by a number
    for row, part in zip(rows, parts, strict=True):
        found = {v: c for v in part.unknowns if (c := part.coefficient(v)) is not None}
        factors.update(dict.fromkeys(c for c in found.values() if not is_number(c)))
        target = equations[row].target
        good = [
            v
            for v, coefficient in found.items()
            if values.number(coefficient) not in (None, 0.0)
            and target in ((v,) if v in delicate else (None, v))
            and not (v in divisors and target is None and part.is_sum_for(v))
        ]
        solvable.append([column[v] for v in good])
        sure.append([column[v] for v in good if is_number(found[v])])
    torn = _torn(incidence, solvable, sure, len(unknowns))
    is_linear = all(part.terms is not None for part in parts)
    if is_linear and (
        len(torn.order) * len(torn.guessed) > MAX_ELIMINATION
        or _loses_digits(parts, column, torn, values)
    ):
        torn = Torn(tuple(range(len(unknowns))), (), tuple(range(len(rows))))
    zeros: dict[Var, Expr] = {}
    values_of = {unknowns[c]: parts[r].solved(unknowns[c]) for r, c in torn.order}
    residuals: list[Expr] = []
    signs = Signs(frozenset(unknowns), values)
    for part in (parts[r] for r in torn.residuals):
        found = zero_while(part.terms or {}, part.rest)
        zeros.update(found)
        residuals.append(part.residual if is_linear else _as_asked(part, found, values_of, signs))
    inner = tuple(
        Solved(unknowns[c], _exact(unknowns[c], values_of[unknowns[c]], zeros), rows[r])
        for r, c in torn.order
    )
    loop = Loop(
        guesses=tuple(unknowns[c] for c in torn.guessed),
        inner=inner,
        residuals=tuple(residuals),
        equations=tuple(rows),
        residual_equations=tuple(rows[r] for r in torn.residuals),
        unknowns=tuple(unknowns),
        divisors=tuple(factors),
    )
    return _with_matrix(loop, parts, torn, unknowns) if is_linear else loop


def _torn(
    incidence: Sequence[Sequence[int]],
    solvable: Sequence[Sequence[int]],
    sure: Sequence[Sequence[int]],
    count: int,
) -> Torn:
    """By numbers only, where that takes no more guesses than with parameters."""
    torn = tear(incidence, solvable, count)
    if all(column in sure[row] for row, column in torn.order):
        return torn
    if len(torn.guessed) * sum(map(len, incidence)) > MAX_RETRY:
        return torn
    other = tear(incidence, sure, count)
    return other if len(other.guessed) <= len(torn.guessed) else torn


def _loses_digits(
    parts: Sequence[LoopEquation],
    column: Mapping[Var, int],
    torn: Torn,
    values: ParameterValues,
) -> bool:
    """With the present parameters; a factor that changes while running counts as one."""
    if len(torn.order) < FEWEST:
        return False
    rows: list[list[tuple[int, float]]] = []
    for part in parts:
        terms = [(column[v], values.number(c)) for v, c in (part.terms or {}).items()]
        rows.append([(k, 1.0 if number is None else number) for k, number in terms])
    return loses_digits(rows, torn, len(column))


def _exact(unknown: Var, value: Expr, zeros: Mapping[Var, Expr]) -> Expr:
    """What the equation gives, or the zero that a switch equation asks for."""
    is_zero = zeros.get(unknown)
    return value if is_zero is None else build.if_then_else(is_zero, ZERO, value)


def _as_asked(
    part: LoopEquation,
    zeros: Mapping[Var, Expr],
    values_of: Mapping[Var, Expr],
    signs: Signs,
) -> Expr:
    """The residual of a switch equation in a nonlinear loop. While an unknown is set to the zero that it asks
    for, it holds by itself, and the equation that would give the unknown has to hold in its place. (A linear
    loop takes coefficients from the equations as they are.)"""
    residual = signs.oriented(part.residual)
    for unknown, is_zero in zeros.items():
        if unknown in values_of:
            value = values_of[unknown]
            if signs.are_opposed(unknown, value, residual):
                residual = turned(residual)
            residual = build.if_then_else(is_zero, value, residual)
    return residual


def _delicate(residual: Expr) -> Iterator[Var]:
    """What stands in functions that grow beyond all bounds or have no value everywhere."""
    for call in calls_in(residual):
        if call.function in DELICATE:
            yield from variables_in(*call.args)


def _divisors(residual: Expr) -> Iterator[Var]:
    for node in nodes_of(residual):
        if isinstance(node, Binary) and node.op == "/":
            yield from variables_in(node.args[1])


# ---------------------------------------------------------------- the matrix of a linear loop


def _with_matrix(
    loop: Loop, parts: Sequence[LoopEquation], torn: Torn, unknowns: Sequence[Var]
) -> Loop:
    """Everything in terms of the guesses: `residual = sum of terms*guess + rest`."""
    known: dict[Var, tuple[Terms, Expr]] = {g: ({g: ONE}, ZERO) for g in loop.guesses}
    for row, column in torn.order:
        unknown = unknowns[column]
        terms, rest = _combined(parts[row], known, unknown)
        coefficient = parts[row].coefficient(unknown)
        assert coefficient is not None
        known[unknown] = (
            {g: quotient(c, coefficient) for g, c in terms.items()},
            quotient(rest, coefficient),
        )
    place = {guess: k for k, guess in enumerate(loop.guesses)}
    matrix: list[tuple[int, int, Expr]] = []
    right: list[Expr] = []
    for number, row in enumerate(torn.residuals):
        terms, rest = _combined(parts[row], known, None)
        matrix.extend((number, place[g], terms[g]) for g in loop.guesses if g in terms)
        right.append(build.neg(rest))
    return replace(loop, matrix=tuple(matrix), right=tuple(right))


def _combined(
    part: LoopEquation, known: Mapping[Var, tuple[Terms, Expr]], skip: Var | None
) -> tuple[Terms, Expr]:
    assert part.terms is not None
    terms: Terms = {}
    rest = part.rest
    for var, coefficient in part.terms.items():
        if var is skip:
            continue
        inner_terms, inner_rest = known[var]
        rest = build.plus(rest, build.times(coefficient, inner_rest))
        for guess, inner in inner_terms.items():
            more = build.times(coefficient, inner)
            terms[guess] = build.plus(terms[guess], more) if guess in terms else more
    return {g: c for g, c in terms.items() if not build.is_zero(c)}, rest
