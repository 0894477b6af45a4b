"""Linear loops solved by elimination, each intermediate result named once.

    Q101 = R1 + R2;  Q102 = R2/Q101;  i2 = Q102*u/(R3 + R1*Q102);  i1 = (u + R2*i2)/Q101

Formulas grow as elimination fills the matrix, in a ladder in proportion to the number of its sections;
those of `closed_form.py` grow exponentially there. Unknowns with a number for a coefficient are eliminated
first. Then come coefficients that parameters give and that are large in their rows, where they fill least
(Markowitz, threshold pivoting: Duff, Erisman and Reid, "Direct Methods for Sparse Matrices"). What is left,
for instance switches, is solved by Cramer's rule: its only divisor is the determinant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from freewheel.formula import build
from freewheel.formula.nodes import ZERO, Expr, Integer, Real, Var
from freewheel.formula.polynomial import Atoms, Polynomial, constant
from freewheel.listing.equations.closed_form import (
    ClosedForm,
    Row,
    TooLargeError,
    rows_of,
    substituted,
)
from freewheel.listing.equations.subexpressions import inlined, is_name, numbered
from freewheel.structure.blocks.isolate import quotient
from freewheel.structure.blocks.tearing import LoopEquation
from freewheel.structure.nodes import ScalarEquation
from freewheel.structure.values import ParameterValues

# Share of the largest coefficient of its row that a pivot has at least: the usual compromise between
# accuracy and fill in threshold pivoting.
THRESHOLD = 0.1
ROUNDING = 1e-12  # beside its row a smaller coefficient is zero
LOOKED_AT = 16  # rows for the next number: the shortest ones fill least
MAX_BY_DETERMINANTS = 3  # unknowns
MAX_TERMS = 400  # of a coefficient while numbers are eliminated
MAX_INLINE = (
    16  # operations and names of a result that stands where it is used, if that is one place
)


def eliminated_form(
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    rank: Callable[[Expr], int],
    values: ParameterValues,
    new_name: Callable[[], Var],
) -> ClosedForm | None:
    """None where the loop is not linear, singular, or a matrix is the shorter form. Unknowns come in the
    order in which they can be evaluated."""
    atoms = Atoms(rank)
    rows = rows_of([LoopEquation(e, unknowns) for e in equations], unknowns, atoms)
    if rows is None:
        return None
    coefficients = sum(len(row.terms) for row in rows)  # lines of a listing of the matrix
    plain = _Substitution(rows)
    try:
        given = plain.all()
    except TooLargeError:
        return None
    # Some of its results stand where they are used in the end.
    kernel = _Kernel(list(plain.rows.values()), unknowns, atoms, values, 4 * coefficients)
    found = kernel.solved()
    if found is None:
        return None
    found += [(unknowns[c], _of_row(row, c, atoms, unknowns)) for c, row in reversed(given)]
    form = inlined(kernel.names, found)
    return numbered(form, new_name) if len(form.names) <= coefficients else None


# ---------------------------------------------------------------- coefficients that are numbers


class _Substitution:
    """Rows that shrink in number; `users` are the rows in which an unknown stands."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = dict(enumerate(rows))
        self.users: dict[int, set[int]] = {}
        for number, row in self.rows.items():
            for column in row.terms:
                self.users.setdefault(column, set()).add(number)
        self.shortest = [(len(row.terms), number) for number, row in self.rows.items()]
        heapify(self.shortest)

    def all(self) -> list[tuple[int, Row]]:
        """Unknowns and the rows that give them, in the order of elimination."""
        eliminated: list[tuple[int, Row]] = []
        while (pivot := self._pivot()) is not None:
            number, column = pivot
            row = self.rows.pop(number)
            eliminated.append((column, row))
            for one in row.terms:
                self.users[one].discard(number)
            for other in sorted(self.users.pop(column)):
                self._put(other, row, column)
        return eliminated

    def _put(self, number: int, by: Row, column: int) -> None:
        before = self.rows[number].terms
        row = self.rows[number] = substituted(self.rows[number], by, column, MAX_TERMS)
        for one in before.keys() - row.terms.keys() - {column}:
            self.users[one].discard(number)
        for one in row.terms.keys() - before.keys():
            self.users[one].add(number)
        heappush(self.shortest, (len(row.terms), number))

    def _pivot(self) -> tuple[int, int] | None:
        """Of the numbers in some of the shortest rows, the one that fills least. Products of coefficients
        that are no numbers get names, which is not done here."""
        seen: list[tuple[int, int]] = []
        best: tuple[tuple[int, int], int, int] | None = None
        while self.shortest and len(seen) < LOOKED_AT:
            length, number = heappop(self.shortest)
            row = self.rows.get(number)
            if row is None or length != len(row.terms) or (length, number) in seen:
                continue
            factors = sum(constant(c) is None for c in row.terms.values())
            seen.append((length, number))
            for column, coefficient in row.terms.items():
                if constant(coefficient) and (factors == 0 or self._is_plain(column)):
                    cost = ((length - 1) * (len(self.users[column]) - 1), factors)
                    if best is None or cost < best[0]:
                        best = cost, number, column
        for one in seen if best is not None else ():  # else until another row is put into them
            heappush(self.shortest, one)
        return None if best is None else best[1:]

    def _is_plain(self, column: int) -> bool:
        """Whether only numbers multiply this unknown."""
        return all(constant(self.rows[n].terms[column]) is not None for n in self.users[column])


def _of_row(row: Row, column: int, atoms: Atoms, unknowns: Sequence[Var]) -> Expr:
    number = constant(row.terms[column])
    assert number
    parts = [
        build.times(atoms.expr(coefficient), unknowns[other])
        for other, coefficient in row.terms.items()
        if other != column
    ]
    if row.rest:
        parts.append(atoms.expr(row.rest))
    divisor = Integer(int(number)) if number.denominator == 1 else Real(float(number))
    return quotient(build.total(parts), divisor)


# ---------------------------------------------------------------- coefficients that parameters give


@dataclass(frozen=True, slots=True)
class _Entry:
    """A formula, and its value if parameters give it."""

    expr: Expr
    value: float | None


NONE = _Entry(ZERO, 0.0)


@dataclass(slots=True)
class _Line:
    """`sum(terms[c]*unknown[c]) + rest = 0`; `scale` is its largest coefficient at first."""

    terms: dict[int, _Entry]
    rest: _Entry
    scale: float


class _Kernel:
    """Rows without numbers; gives up where more than `most` results need a name."""

    def __init__(
        self,
        rows: Sequence[Row],
        unknowns: Sequence[Var],
        atoms: Atoms,
        values: ParameterValues,
        most: int,
    ) -> None:
        self.unknowns = unknowns
        self.names: list[tuple[Var, Expr]] = []
        self.most = most
        self.lines: list[_Line] = []
        for row in rows:
            terms = {c: self._entry(atoms, p, values) for c, p in row.terms.items()}
            scale = max((abs(e.value) for e in terms.values() if e.value is not None), default=0.0)
            self.lines.append(_Line(terms, self._entry(atoms, row.rest, values), scale))

    def _entry(self, atoms: Atoms, polynomial: Polynomial, values: ParameterValues) -> _Entry:
        if not polynomial:
            return NONE
        expr = atoms.expr(polynomial)
        return self.named(_Entry(expr, values.number(expr)))

    def named(self, entry: _Entry) -> _Entry:
        """What is more than a name gets one."""
        if is_name(entry.expr):
            return entry
        name = Var(("$Q", len(self.names)))
        self.names.append((name, entry.expr))
        return _Entry(name, entry.value)

    def solved(self) -> list[tuple[Var, Expr]] | None:
        steps: list[tuple[int, _Line]] = []
        while (pivot := self._pivot()) is not None:
            at, column = pivot
            line = self.lines.pop(at)
            steps.append((column, line))
            self.lines = [self._without(other, line, column) for other in self.lines]
            if len(self.names) > self.most:
                return None
        found = self._by_determinants()
        if found is None:
            return None
        for column, line in reversed(steps):
            parts = [
                build.times(entry.expr, self.unknowns[c])
                for c, entry in line.terms.items()
                if c != column
            ]
            rest = build.total([*parts, line.rest.expr])
            found.append((self.unknowns[column], quotient(rest, line.terms[column].expr)))
        return found

    def _pivot(self) -> tuple[int, int] | None:
        uses = Counter(column for line in self.lines for column in line.terms)
        best: tuple[tuple[int, float], int, int] | None = None
        for at, line in enumerate(self.lines):
            sizes = {c: abs(e.value) for c, e in line.terms.items() if e.value is not None}
            largest = max(sizes.values(), default=0.0)
            if largest <= ROUNDING * line.scale:
                continue
            for column, value in sizes.items():
                if value >= THRESHOLD * largest:
                    fill = (len(line.terms) - 1) * (uses[column] - 1)
                    cost = (fill, -value / largest)
                    if best is None or cost < best[0]:
                        best = cost, at, column
        return None if best is None else best[1:]

    def _without(self, line: _Line, by: _Line, column: int) -> _Line:
        if column not in line.terms:
            return line
        factor = self.named(_over(line.terms[column], by.terms[column]))
        terms = {c: entry for c, entry in line.terms.items() if c != column}
        for other, entry in by.terms.items():
            if other != column:
                terms[other] = self._less(terms.get(other, NONE), factor, entry)
        terms = {c: entry for c, entry in terms.items() if not build.is_zero(entry.expr)}
        return _Line(terms, self._less(line.rest, factor, by.rest), line.scale)

    def _less(self, entry: _Entry, factor: _Entry, other: _Entry) -> _Entry:
        """`entry - factor*other`"""
        expr = build.minus(entry.expr, build.times(factor.expr, other.expr))
        if entry.value is None or factor.value is None or other.value is None:
            return self.named(_Entry(expr, None))
        return self.named(_Entry(expr, entry.value - factor.value * other.value))

    def _by_determinants(self) -> list[tuple[Var, Expr]] | None:
        columns = sorted({column for line in self.lines for column in line.terms})
        if len(columns) != len(self.lines) or len(columns) > MAX_BY_DETERMINANTS:
            return None
        if all(e.value is not None for line in self.lines for e in line.terms.values()):
            return None if self.lines else []  # singular: no coefficient is left to divide by
        matrix = [[line.terms.get(c, NONE).expr for c in columns] for line in self.lines]
        right = [build.neg(line.rest.expr) for line in self.lines]
        bottom = self.named(_Entry(_determinant(matrix), None)).expr
        if build.is_zero(bottom):
            return None
        found: list[tuple[Var, Expr]] = []
        for at, column in enumerate(columns):
            changed = [
                [*line[:at], value, *line[at + 1 :]]
                for line, value in zip(matrix, right, strict=True)
            ]
            found.append((self.unknowns[column], build.over(_determinant(changed), bottom)))
        return found


def _over(one: _Entry, other: _Entry) -> _Entry:
    is_known = one.value is not None and other.value
    value = one.value / other.value if is_known and one.value is not None and other.value else None
    return _Entry(build.over(one.expr, other.expr), value)


def _determinant(matrix: Sequence[Sequence[Expr]]) -> Expr:
    if len(matrix) == 1:
        return matrix[0][0]
    result: Expr = ZERO
    for at, line in enumerate(matrix):
        rest = [other[1:] for k, other in enumerate(matrix) if k != at]
        term = build.times(line[0], _determinant(rest))
        result = build.minus(result, term) if at % 2 else build.plus(result, term)
    return result
