"""Curve parameters: a condition on one unknown s where nothing jumps when it turns.

    off = s < 0,  v = s*(if off then 1 else Ron),  i = s*(if off then Goff else 1)
        ->  Corner(bit of off, parameter s, at 0)

At s = 0 both branches of every equation agree, so the element is a complementarity: as a piece of
one continuous curve it can be chosen together with all others. The test looks at whole equations,
by numbers at generic points, since factors may stand anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeGuard

from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import FALSE, TRUE, Binary, Expr, Real, Var
from freewheel.formula.walk import substitute, variables_in
from freewheel.structure.atoms import STATUS, is_pre
from freewheel.structure.branches.nodes import Choice, Corner
from freewheel.structure.nodes import Crossing

if TYPE_CHECKING:
    from freewheel.structure.branches.recognise import Branches

CLOSE = 1e-9  # how well both branches must agree at a corner
_POINTS = (0.3819660112501051, 0.7548776662466927)  # generic: no accidental zeros


class Curves:
    def __init__(
        self, branches: Branches, unknowns: frozenset[Var], crossings: Sequence[Crossing]
    ) -> None:
        self.branches = branches
        self.unknowns = unknowns
        self.crossing = {crossing.status: crossing for crossing in crossings}

    def watched(self, status: Var) -> tuple[Var, ...]:
        """What the relation behind a status looks at."""
        crossing = self.crossing.get(status)
        return () if crossing is None else variables_in(crossing.left, crossing.right)

    def of(self, bits: Sequence[int], choices: Mapping[int, tuple[Choice, ...]]) -> list[Corner]:
        """Corners of those bits that have one."""
        candidates = [c for bit in bits for c in self._candidates(bit)]
        users: dict[int, list[int]] = {}
        for equation, found in choices.items():
            for bit in dict.fromkeys(bit for choice in found for bit in choice.bits):
                users.setdefault(bit, []).append(equation)
        result: list[Corner] = []
        for corner in candidates:
            if all(self._agrees(e, corner, candidates) for e in users[corner.bit]):
                result.append(corner)
        return result

    def _candidates(self, bit: int) -> list[Corner]:
        """Relations in the meaning of a bit on one unknown that nothing else gives."""
        known = self.branches.bits
        meaning = known.bits[bit].meaning
        definition = known.remembering.get(meaning) if isinstance(meaning, Var) else None
        found: list[Corner] = []
        for relation in _relations(meaning if definition is None else definition):
            status = relation.args[0]
            assert isinstance(status, Var)
            crossing = self.crossing[status]
            moving = [v for v in self.watched(status) if v in self.unknowns]
            others = [v for v in self.watched(status) if v in known.continuous]
            if len(moving) != 1 or others != moving:
                continue
            form = linear_form(build.minus(crossing.left, crossing.right), moving)
            if form is None:
                continue
            slope = self.branches.values.number(form[0][0])
            if slope is None or slope == 0.0:
                continue
            at = build.neg(build.over(form[1], form[0][0]))
            is_below = (relation.data in ("<", "<=")) == (slope > 0.0)
            found.append(Corner(bit, moving[0], status, at, is_below))
        return found

    def _agrees(self, equation: int, corner: Corner, candidates: Sequence[Corner]) -> bool:
        """Whether it makes no difference at the corner on which side of it the element is."""
        sides: list[Expr] = []
        for value in (True, False):
            decided = {corner.bit: value}
            for other in candidates:
                if other.bit != corner.bit and other.parameter is corner.parameter:
                    decided[other.bit] = self._is_true(other, corner.at)
            found = self.branches.decided(equation, decided)
            sides.append(build.minus(found.left, found.right))
        jump = substitute(build.minus(*sides), {corner.parameter: corner.at})
        return all(self._is_small(jump, point) for point in _POINTS)

    def _is_true(self, other: Corner, at: Expr) -> bool:
        distance = self.branches.values.number(build.minus(at, other.at))
        return (distance is not None and distance < 0.0) == other.is_below

    def _is_small(self, jump: Expr, point: float) -> bool:
        numbers: dict[Expr, Expr] = {}
        for k, var in enumerate(variables_in(jump)):
            if self.branches.values.value(var) is None:
                is_real = var in self.branches.bits.continuous or is_pre(var)
                generic = Real(0.5 + (point * (k + 1)) % 1.0)
                numbers[var] = generic if is_real else (TRUE if point > 0.5 else FALSE)
        found = self.branches.values.number(substitute(jump, numbers))
        return found is not None and abs(found) < CLOSE


def _relations(condition: Expr) -> list[Binary]:
    """Relations of a status, joined by `or` with anything: `s < 0 or pre(off) and not fire`."""
    if isinstance(condition, Binary) and condition.op == "or":
        return [*_relations(condition.left), *_relations(condition.right)]
    return [condition] if is_relation(condition) else []


def is_relation(condition: Expr) -> TypeGuard[Binary]:
    if not isinstance(condition, Binary) or not isinstance(condition.left, Var):
        return False
    return bool(condition.left.name[0] == STATUS)
