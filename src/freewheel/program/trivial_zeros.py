"""Unknowns of a nonlinear loop with which, where they are zero, an equation holds whatever others are.

    p = v*i; p = 3*v        at v = 0, p = 0 any i will do: a solution by how the equations are written

Such a solution is beside the one that is meant, i = 3, and found wherever a start value is zero. Zeros are
put into the equations one unknown at a time (two, for a phasor: a load at vr = vi = 0); what they force to
be zero, too, is added; an equation is left over if it says 0 = 0 then. Conditions of `if` count as open. What
makes a term zero is found once, as sets of unknowns: {v} or {i} for v*i, {vr, vi} for sqrt(vr^2 + vi^2).
Equations that have no other solution, such as those of a rotation, are no such place (zero_determinants.py).

In: a loop. Out: sets of slots, each with the slots of what is left open.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice

from freewheel.base.names import Name
from freewheel.formula.intrinsics import INTRINSICS, Intrinsic
from freewheel.formula.nodes import Binary, Call, Expr, If, Integer, Real, Unary, Var
from freewheel.formula.walk import fold, variables_in
from freewheel.program.nodes import SolveNonlinear
from freewheel.program.zero_determinants import ZeroRows


def _is_zero_at_zero(function: Intrinsic) -> bool:
    if function.arity != 1 or function.is_step or function.is_reduction:
        return False
    try:
        return bool(function.value(0.0) == 0.0)
    except (ArithmeticError, ValueError):  # outside of its domain
        return False


# Functions that are zero where their (last) argument is.
_KEEP_ZERO = frozenset(
    ("noEvent", "smooth", *(f.name for f in INTRINSICS.values() if _is_zero_at_zero(f)))
)
# Each bounds the work for a loop to less than a hundredth of its translation; loops beyond have no warning.
MAX_ROWS = 60
MAX_SEEDS = 100
MAX_SHAPES = 4  # of equations that are asked for another root
MAX_CLAUSES = 8  # sets that make one term zero
PHASOR = 2  # unknowns at most that are put to zero together

Clauses = tuple[frozenset[Name], ...]  # with all unknowns of one of them an expression is zero


@dataclass(frozen=True, slots=True)
class TrivialZero:
    zeros: tuple[int, ...]
    open: tuple[int, ...]


def trivial_zeros(step: SolveNonlinear) -> tuple[TrivialZero, ...]:
    """Each set of zeros once, the smallest first; none that contains another."""
    if len(step.inner) + len(step.residuals) > MAX_ROWS:
        return ()
    loop = _Loop(step)
    found: list[_Found] = []
    tried: set[frozenset[Name]] = set()
    for seeds in islice(loop.seeds(), MAX_SEEDS):
        one = loop.trivial(seeds)
        if one is None or any(old.zeros <= one.zeros for old in found):
            continue
        if one.zeros not in tried and loop.has_another_root(one):
            found.append(one)
        tried.add(one.zeros)
    return tuple(TrivialZero(_slots(one.zeros), _slots(one.others)) for one in found)


@dataclass(frozen=True, slots=True)
class _Found:
    """Zeros, the numbers of rows that force some of them and of those left over, and what is open."""

    zeros: frozenset[Name]
    used: tuple[int, ...]
    left: tuple[int, ...]
    others: frozenset[Name]


@dataclass(frozen=True, slots=True)
class _Term:
    """Of a row: what makes it zero, what it depends on, and the unknown that it is a multiple of."""

    clauses: Clauses
    inside: frozenset[Name]
    alone: Name | None

    def is_zero(self, zeros: set[Name]) -> bool:
        return any(clause <= zeros for clause in self.clauses)


class _Loop:
    """`rows`: by their numbers, those whose terms can all be zero. Others force no zero and are not left
    over; terms that are zero anyway are left out."""

    def __init__(self, step: SolveNonlinear) -> None:
        self._step = step
        inner = [one for one in step.inner if isinstance(one.target.name[0], int)]
        self._unknowns = frozenset(
            [*(one.target.name for one in inner), *((s,) for s in step.slots)]
        )
        self._clauses: dict[Expr, Clauses] = {}
        self._given: dict[Name, Expr] = {}
        self._behind: dict[Name, frozenset[Name]] = {}
        for one in step.inner:
            if one.target.name not in self._unknowns:
                self._given[one.target.name] = one.value
                self._behind[one.target.name] = self._inside(one.value)
                self._clauses[one.target] = self._zero_with(one.value)
        self._assigns = [one for one in inner if one.guard is None]
        sides: list[tuple[Expr, ...]] = [(one.target, one.value) for one in self._assigns]
        sides += [(residual,) for residual in step.residuals]
        self.rows: dict[int, tuple[_Term, ...]] = {}
        for number, parts in enumerate(sides):
            row = self._row(term for part in parts for term in _terms(part))
            if row is not None:
                self.rows[number] = row
        self._places: dict[Name, list[int]] = {}
        for number, terms in self.rows.items():
            for name in frozenset[Name]().union(*(c for term in terms for c in term.clauses)):
                self._places.setdefault(name, []).append(number)
        self._roots: dict[Hashable, bool] = {}

    def _row(self, terms: Iterable[Expr]) -> tuple[_Term, ...] | None:
        row = []
        for term in terms:
            clauses = self._zero_with(term)
            if not clauses:
                return None
            if clauses[0]:
                row.append(_Term(clauses, self._inside(term), self._alone(term)))
        return tuple(row)

    def _inside(self, expr: Expr) -> frozenset[Name]:
        """Unknowns that an expression depends on."""
        names = {var.name for var in variables_in(expr)}
        behind = [self._behind[name] for name in names if name in self._behind]
        return (self._unknowns & names).union(*behind)

    def _zero_with(self, expr: Expr) -> Clauses:
        def rule(node: Expr, parts: tuple[Clauses, ...]) -> Clauses:
            if isinstance(node, Var):
                return (frozenset((node.name,)),) if node.name in self._unknowns else ()
            return _clauses(node, parts)

        return fold(expr, rule, self._clauses)

    def _alone(self, term: Expr) -> Name | None:
        match term:
            case Var() if term.name in self._given:
                return self._alone(self._given[term.name])
            case Var() if term.name in self._unknowns:
                return term.name
            case Unary():
                return self._alone(term.args[0])
            case Binary() if term.op in ("*", "/") and not self._inside(term.right):
                return self._alone(term.left)
            case Binary() if term.op == "*" and not self._inside(term.left):
                return self._alone(term.right)
        return None

    def seeds(self) -> Iterator[tuple[Name, ...]]:
        """Unknowns that make a product zero, whose other factor is open; then two of them that leave one term
        of a row at most."""
        by_row = []
        for row in self.rows.values():
            found = [
                c for term in row for c in term.clauses if len(c) <= PHASOR and c < term.inside
            ]
            if found:
                by_row.append((row, sorted(frozenset[Name]().union(*found))))
        yield from dict.fromkeys((name,) for _, names in by_row for name in names)
        for row, names in by_row:
            for pair in islice(combinations(names, PHASOR), MAX_SEEDS):
                if sum(not term.is_zero(set(pair)) for term in row) <= 1:
                    yield pair

    def trivial(self, seeds: tuple[Name, ...]) -> _Found | None:
        zeros, used, left, new = set(seeds), set[int](), set[int](), list(seeds)
        while new:
            for number in self._places.get(new.pop(), ()):
                if number in used or number in left:
                    continue
                rest = list(islice((t for t in self.rows[number] if not t.is_zero(zeros)), 2))
                forced = rest[0].alone if len(rest) == 1 else None
                if not rest:
                    left.add(number)
                elif forced is not None:
                    zeros.add(forced)
                    new.append(forced)
                    used.add(number)
        inside = (term.inside for number in used | left for term in self.rows[number])
        others = frozenset[Name]().union(*inside) - zeros
        if len(left) < len(seeds) or not others:
            return None
        return _Found(frozenset(zeros), tuple(sorted(used)), tuple(sorted(left)), others)

    def has_another_root(self, found: _Found) -> bool:
        """Rows that are left over beyond one for each seed: each of them has to allow it."""
        own = [self._assigns[k] for k in (*found.used, *found.left) if k < len(self._assigns)]
        inner = tuple(one for one in self._step.inner if one not in own)
        zeros = tuple(sorted(found.zeros))
        count = len(zeros) - len(found.used)
        for first in range(len(found.left) - count + 1):
            numbers = (*found.used, *found.left[first : first + count])
            rows = tuple(self._residual(number) for number in numbers)
            if not self._have_another_root(ZeroRows(rows, zeros, inner, self._unknowns)):
                return False
        return True

    def _have_another_root(self, rows: ZeroRows) -> bool:
        """Loads of a network are alike: only the first is asked."""
        shape = rows.shape()
        if shape not in self._roots:
            can_ask = len(self._roots) < MAX_SHAPES
            self._roots[shape] = can_ask and rows.have_another_root()
        return self._roots[shape]

    def _residual(self, number: int) -> Expr:
        if number >= len(self._assigns):
            return self._step.residuals[number - len(self._assigns)]
        return Binary("-", self._assigns[number].target, self._assigns[number].value)


def _clauses(node: Expr, parts: tuple[Clauses, ...]) -> Clauses:
    match node:
        case Real() | Integer():
            return (frozenset(),) if float(node.data) == 0.0 else ()
        case Unary() if node.op == "-":
            return parts[0]
        case Binary() if node.op in ("+", "-"):
            return _both(*parts)
        case Binary() if node.op == "*":
            return _least((*parts[0], *parts[1]))
        case Binary() if node.op == "/":
            return tuple(clause for clause in parts[0] if not any(c <= clause for c in parts[1]))
        case Binary() if node.op == "^" and isinstance(node.right, Real | Integer):
            return parts[0] if node.right.data > 0 else ()
        case If():
            return _both(parts[1], parts[2])
        case Call() if node.function in _KEEP_ZERO:
            return parts[-1]
    return ()


def _both(left: Clauses, right: Clauses) -> Clauses:
    if not left or not right:
        return ()
    return left if left == right else _least(tuple(a | b for a in left for b in right))


def _least(clauses: Clauses) -> Clauses:
    """Those that contain no other, small ones first."""
    if len(clauses) <= 1:
        return clauses
    kept: list[frozenset[Name]] = []
    for clause in sorted(dict.fromkeys(clauses), key=len):
        if len(kept) < MAX_CLAUSES and not any(old <= clause for old in kept):
            kept.append(clause)
    return tuple(kept)


def _terms(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Binary) and expr.op in ("+", "-"):
        yield from _terms(expr.left)
        yield from _terms(expr.right)
    elif isinstance(expr, Unary) and expr.op == "-":
        yield from _terms(expr.args[0])
    else:
        yield expr


def _slots(names: Iterable[Name]) -> tuple[int, ...]:
    return tuple(sorted(name[0] for name in names if isinstance(name[0], int)))
