"""Unknowns of a nonlinear loop with which, where they are zero, an equation holds whatever others are.

    p = v*i; p = 3*v        at v = 0, p = 0 any i will do: a solution by how the equations are written

Such a solution is beside the one that is meant, i = 3, and found wherever a start value is zero. Zeros are
put into the equations one unknown at a time (two, for a phasor: a load at vr = vi = 0); what they force to
be zero, too, is added; an equation is left over if it says 0 = 0 then. Conditions of `if` count as open.
Equations that have no other solution, such as those of a rotation, are no such place (zero_determinants.py).

In: a loop. Out: sets of slots, each with the slots of what is left open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from itertools import combinations, islice

from freewheel.base.names import Name
from freewheel.formula.intrinsics import INTRINSICS, Intrinsic
from freewheel.formula.nodes import Binary, Call, Expr, If, Integer, Real, Unary, Var
from freewheel.formula.walk import fold, nodes_of, variables_in
from freewheel.program.nodes import Assign, SolveNonlinear
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
MAX_ROWS = 60  # of a loop: beyond it each unknown would be tried in a long list of equations
MAX_PAIRS = 200


@dataclass(frozen=True, slots=True)
class TrivialZero:
    zeros: tuple[int, ...]
    open: tuple[int, ...]


def trivial_zeros(step: SolveNonlinear) -> tuple[TrivialZero, ...]:
    """Each set of zeros once, the smallest first; none that contains another."""
    loop = _Loop.of(step)
    if not 2 <= len(loop.residuals) <= MAX_ROWS:
        return ()
    loop.prepare()
    found: list[_Found] = []
    tried: set[tuple[Name, ...]] = set()
    for seeds in loop.seeds():
        one = loop.trivial(seeds)
        if (
            one is None
            or one.zeros in tried
            or any(set(old.zeros) <= set(one.zeros) for old in found)
        ):
            continue
        tried.add(one.zeros)
        if loop.has_another_root(one):
            found.append(one)
    return tuple(TrivialZero(_slots(one.zeros), _slots(one.others)) for one in found)


@dataclass(frozen=True, slots=True)
class _Found:
    """Zeros, the numbers of rows that force some of them and of those that are left over, and what is open."""

    zeros: tuple[Name, ...]
    used: tuple[int, ...]
    left: tuple[int, ...]
    others: frozenset[Name]


@dataclass(frozen=True, slots=True)
class _Loop:
    """`assigns`: of `inner`, the first ones of all `residuals`; `given`: what names stand for that are no
    unknowns; `rows`: by the number of a residual its terms, where all of them vanish with all unknowns. Others
    force no zero and are not left over. `places`: where an unknown occurs, as number and position."""

    inner: tuple[Assign, ...]
    assigns: tuple[Assign, ...]
    residuals: tuple[Expr, ...]
    unknowns: frozenset[Name]
    given: Mapping[Name, Expr]
    rows: dict[int, tuple[Expr, ...]] = field(default_factory=dict)
    places: dict[Name, list[tuple[int, int]]] = field(default_factory=dict)

    @staticmethod
    def of(step: SolveNonlinear) -> _Loop:
        inner = [one for one in step.inner if isinstance(one.target.name[0], int)]
        hidden = [one.target.name for one in inner]
        given = {one.target.name: one.value for one in step.inner if one not in inner}
        assigns = tuple(one for one in inner if one.guard is None)
        residuals = (*(Binary("-", one.target, one.value) for one in assigns), *step.residuals)
        unknowns = frozenset((*hidden, *((slot,) for slot in step.slots)))
        return _Loop(step.inner, assigns, residuals, unknowns, given)

    def prepare(self) -> None:
        none: dict[Expr, bool] = {}
        every: dict[Expr, bool] = {}
        for number, residual in enumerate(self.residuals):
            if self._can_vanish(residual, every):
                terms = (t for t in _terms(residual) if not self._is_zero(t, frozenset(), none))
                self.rows[number] = tuple(terms)
        for number, row in self.rows.items():
            for position, term in enumerate(row):
                for name in self._inside(term):
                    self.places.setdefault(name, []).append((number, position))

    def seeds(self) -> Iterator[tuple[Name, ...]]:
        """Unknowns that are a factor of others; then two of them in one row."""
        pairs: dict[tuple[Name, ...], None] = {}
        single: dict[Name, None] = {}
        for row in self.rows.values():
            factors = sorted({name for term in row for name in self._factors(term)})
            single.update(dict.fromkeys(factors))
            pairs.update(dict.fromkeys(islice(combinations(factors, 2), MAX_PAIRS)))
        yield from ((name,) for name in single)
        yield from islice(pairs, MAX_PAIRS)

    def _factors(self, expr: Expr) -> Iterator[Name]:
        for node in nodes_of(expr):
            if isinstance(node, Binary) and node.op in ("*", "/"):
                sides = [self._inside(side) for side in node.args]
                if all(sides):
                    yield from sides[0] | sides[1]

    def _inside(self, *exprs: Expr) -> frozenset[Name]:
        """Unknowns that expressions depend on."""
        names = {var.name for var in variables_in(*exprs)}
        behind = [self.given[name] for name in names if name in self.given]
        return frozenset(names & self.unknowns) | (self._inside(*behind) if behind else frozenset())

    def trivial(self, seeds: tuple[Name, ...]) -> _Found | None:
        zeros, new = set(seeds), list(seeds)
        used, left = set[int](), set[int]()
        gone: dict[int, set[int]] = {}
        while new:
            memo: dict[Expr, bool] = {}
            changed = self._look(self.places.get(new.pop(), ()), zeros, gone, memo)
            for number in changed - used:
                rest = [k for k in range(len(self.rows[number])) if k not in gone[number]]
                forced = self._alone(self.rows[number][rest[0]]) if len(rest) == 1 else None
                if not rest:
                    left.add(number)
                elif forced is not None and forced not in zeros:
                    zeros.add(forced)
                    new.append(forced)
                    used.add(number)
        others = self._inside(*(t for number in used | left for t in self.rows[number])) - zeros
        if len(left) < len(seeds) or not others:
            return None
        return _Found(tuple(sorted(zeros)), tuple(sorted(used)), tuple(sorted(left)), others)

    def has_another_root(self, found: _Found) -> bool:
        """Rows that are left over beyond one for each seed: each of them has to allow it."""
        own = {self.assigns[k] for k in (*found.used, *found.left) if k < len(self.assigns)}
        inner = tuple(one for one in self.inner if one not in own)
        count = len(found.zeros) - len(found.used)
        for first in range(len(found.left) - count + 1):
            numbers = (*found.used, *found.left[first : first + count])
            rows = tuple(self.residuals[number] for number in numbers)
            if not ZeroRows(rows, found.zeros, inner, self.unknowns).have_another_root():
                return False
        return True

    def _look(
        self,
        places: Iterable[tuple[int, int]],
        zeros: set[Name],
        gone: dict[int, set[int]],
        memo: dict[Expr, bool],
    ) -> set[int]:
        """Rows of which a term has vanished."""
        changed = set()
        for number, position in places:
            terms = gone.setdefault(number, set())
            if position not in terms and self._is_zero(self.rows[number][position], zeros, memo):
                terms.add(position)
                changed.add(number)
        return changed

    def _is_zero(self, expr: Expr, zeros: Set[Name], memo: dict[Expr, bool]) -> bool:
        def judge(node: Expr, parts: tuple[bool, ...]) -> bool:
            if isinstance(node, Var) and node.name in self.given:
                return self._is_zero(self.given[node.name], zeros, memo)
            return _vanishes(node, parts, zeros)

        return fold(expr, judge, memo)

    def _can_vanish(self, expr: Expr, memo: dict[Expr, bool]) -> bool:
        """With all unknowns, but for those by which is divided."""

        def judge(node: Expr, parts: tuple[bool, ...]) -> bool:
            if isinstance(node, Var) and node.name in self.given:
                return self._can_vanish(self.given[node.name], memo)
            if isinstance(node, Binary) and node.op == "/":
                return parts[0]
            return _vanishes(node, parts, self.unknowns)

        return fold(expr, judge, memo)

    def _alone(self, term: Expr) -> Name | None:
        """The unknown that a term is a multiple of."""
        if isinstance(term, Var):
            if term.name in self.given:
                return self._alone(self.given[term.name])
            return term.name if term.name in self.unknowns else None
        if isinstance(term, Unary):
            return self._alone(term.args[0])
        if isinstance(term, Binary) and term.op in ("*", "/"):
            if not self._inside(term.right):
                return self._alone(term.left)
            if term.op == "*" and not self._inside(term.left):
                return self._alone(term.right)
        return None


def _vanishes(node: Expr, parts: tuple[bool, ...], zeros: Set[Name]) -> bool:
    match node:
        case Real() | Integer():
            return float(node.data) == 0.0
        case Var():
            return node.name in zeros
        case Unary():
            return node.op == "-" and parts[0]
        case Binary() if node.op in ("+", "-"):
            return all(parts)
        case Binary() if node.op == "*":
            return any(parts)
        case Binary() if node.op == "/":
            return parts[0] and not parts[1]
        case Binary() if node.op == "^":
            return parts[0] and isinstance(node.right, Real | Integer) and node.right.data > 0
        case If():
            return parts[1] and parts[2]
        case Call():
            return node.function in _KEEP_ZERO and parts[-1]
    return False


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
