"""Curve parameters: a condition on one unknown s where nothing jumps when it turns.

    off = s < 0,  v = s*(if off then 1 else Ron),  i = s*(if off then Goff else 1)
        ->  Corner(bit of off, parameter s, at 0)

At s = 0 both branches of every equation agree, so the element is a complementarity: as a piece of
one continuous curve it can be chosen together with all others. The test looks at whole equations,
by numbers at generic points, since factors may stand anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard

from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import FALSE, TRUE, Binary, Expr, If, Real, Unary, Var
from freewheel.formula.walk import nodes_of, substitute, variables_in
from freewheel.graphs.matching import FREE, match
from freewheel.structure.atoms import STATUS, is_der, is_pre, show_atom
from freewheel.structure.blocks.blt import system_of
from freewheel.structure.nodes import Crossing
from freewheel.structure.switching.nodes import Corner
from freewheel.structure.thresholds import CANCELLATION

if TYPE_CHECKING:
    from freewheel.structure.switching.branch_equations import Branches

_POINTS = (0.3819660112501051, 0.7548776662466927)  # generic: no accidental zeros


class Curves:
    def __init__(
        self, branches: Branches, unknowns: frozenset[Var], crossings: Sequence[Crossing]
    ) -> None:
        self.branches = branches
        self.unknowns = unknowns
        self.crossing = {crossing.status: crossing for crossing in crossings}
        self.lines: dict[Var, tuple[Var, float, Expr] | None] = {}
        self.watching: dict[Var, list[Var]] = {}  # statuses of relations by what they look at
        self.needed: set[int] | None = None  # equations that parameters hang on

    def watched(self, status: Var) -> tuple[Var, ...]:
        """What the relation behind a status looks at."""
        crossing = self.crossing.get(status)
        return () if crossing is None else variables_in(crossing.left, crossing.right)

    def of(self, bits: Sequence[int]) -> list[Corner]:
        """Corners of those bits that have one."""
        candidates = [c for bit in bits for c in self._candidates(bit)]
        users = self.branches.users
        result: list[Corner] = []
        for corner in candidates:
            if all(
                self._agrees(e, corner, candidates) or not self._matters(e)
                for e in users[corner.bit]
            ):
                result.append(corner)
        return result

    def _matters(self, equation: int) -> bool:
        """Whether a parameter of a curve hangs on it. `lamp = if off then 0 else 1` may jump."""
        if self.needed is None:
            self.needed = self._needed()
        return equation in self.needed

    def _needed(self) -> set[int]:
        """Equations that give parameters, and all that these need; those with rates count too, since a
        state that gives way needs them."""
        unknowns = sorted(self.unknowns, key=lambda var: show_atom(var.name))
        system = system_of(self.branches.equations, unknowns)
        matching = match(system.choices, len(unknowns))
        lines = (self._line(status) for status in self.crossing)
        parameters = {line[0] for line in lines if line is not None}
        waiting = [
            row
            for row, column in enumerate(matching.column_of_row)
            if column == FREE or unknowns[column] in parameters or is_der(unknowns[column])
        ]
        found: set[int] = set()
        while waiting:
            row = waiting.pop()
            if row not in found:
                found.add(row)
                rows = (matching.row_of_column[column] for column in system.needs[row])
                waiting += [other for other in rows if other != FREE]
        return found

    def _candidates(self, bit: int) -> list[Corner]:
        """Relations in the meaning of a bit on one unknown that nothing else gives."""
        known = self.branches.bits
        meaning = known.bits[bit].meaning
        definition = known.remembering.get(meaning) if isinstance(meaning, Var) else None
        found: list[Corner] = []
        for part in _relations(meaning if definition is None else definition):
            line = self._line(part.status)
            if line is None:
                continue
            parameter, slope, at = line
            corner = Corner(
                bit,
                parameter,
                part.status,
                at,
                part.is_less == (slope > 0.0),
                self._turning(parameter, at),
                part.held,
                part.is_held_true,
            )
            found.append(corner)
        return found

    def _line(self, status: Var) -> tuple[Var, float, Expr] | None:
        """(s, slope, place of the corner) of a relation on one unknown; None for any other."""
        if status not in self.lines:
            self.lines[status] = self._line_of(status)
        return self.lines[status]

    def _line_of(self, status: Var) -> tuple[Var, float, Expr] | None:
        crossing = self.crossing[status]
        moving = [v for v in self.watched(status) if v in self.unknowns]
        others = [v for v in self.watched(status) if v in self.branches.bits.continuous]
        if len(moving) != 1 or others != moving:
            return None
        form = linear_form(build.minus(crossing.left, crossing.right), moving)
        slope = None if form is None else self.branches.values.number(form[0][0])
        if form is None or slope is None or slope == 0.0:
            return None
        return moving[0], slope, build.neg(build.over(form[1], form[0][0]))

    def _turning(self, parameter: Var, at: Expr) -> tuple[tuple[Var, int], ...]:
        """Every relation that asks on which side of this corner the parameter is."""
        if not self.watching:
            for status in self.crossing:
                for var in self.watched(status):
                    self.watching.setdefault(var, []).append(status)
        found: list[tuple[Var, int]] = []
        for status in self.watching[parameter]:
            line = self._line(status)
            if line is not None and line[0] is parameter and self._is_same(line[2], at):
                found.append((status, 1 if line[1] > 0.0 else -1))
        return tuple(found)

    def _is_same(self, one: Expr, other: Expr) -> bool:
        return one == other or self.branches.values.number(build.minus(one, other)) == 0.0

    def _agrees(self, equation: int, corner: Corner, candidates: Sequence[Corner]) -> bool:
        """Whether it makes no difference at the corner on which side of it the element is."""
        sides: list[Expr] = []
        for value in (True, False):
            decided = {corner.bit: value}
            for other in (*candidates, *self._beside(equation, corner)):
                if other.bit != corner.bit and other.parameter is corner.parameter:
                    decided[other.bit] = self._is_true(other, corner.at)
            found = self.branches.decided(equation, decided)
            sides.append(build.minus(found.left, found.right))
        jump = substitute(build.minus(*sides), {corner.parameter: corner.at})
        return all(self._is_small(jump, point) for point in _POINTS)

    def _beside(self, equation: int, corner: Corner) -> Iterator[Corner]:
        """Corners elsewhere of all conditions of an equation, those too that take nothing away on their own:
        `s - (if s < 0 then -m else m)` beyond another corner."""
        whole = self.branches.equations[equation]
        for node in nodes_of(whole.left, whole.right):
            found = self.branches.bits.of(node.args[0]) if isinstance(node, If) else None
            others = [] if found is None else self._candidates(found[0])
            yield from (other for other in others if not self._is_same(other.at, corner.at))

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
        return found is not None and abs(found) < CANCELLATION.left


@dataclass(frozen=True, slots=True)
class _Part:
    """A relation in a condition, and what else decides."""

    status: Var
    is_less: bool  # it asks for the negative side of the status
    held: Expr | None  # the condition does not ask the relation while this holds
    is_held_true: bool


def _relations(condition: Expr) -> list[_Part]:
    """Relations of a status, alone or joined with anything by `or`, or by `and`:
    `s < 0 or pre(off) and not fire`."""
    for op in ("or", "and"):
        parts = _joined(condition, op)
        if len(parts) > 1:
            return [
                replace(part, held=_rest(parts, number, op), is_held_true=op == "or")
                for number, one in enumerate(parts)
                for part in _plain(one)
            ]
    return _plain(condition)


def _joined(condition: Expr, op: str) -> list[Expr]:
    if isinstance(condition, Binary) and condition.op == op:
        return [*_joined(condition.left, op), *_joined(condition.right, op)]
    return [condition]


def _rest(parts: Sequence[Expr], number: int, op: str) -> Expr:
    """What decides alone: one of the others in an `or`, or one that fails in an `and`."""
    others = [part for k, part in enumerate(parts) if k != number]
    whole = others[0]
    for other in others[1:]:
        whole = Binary(op, whole, other)
    return whole if op == "or" else Unary("not", whole)


def _plain(condition: Expr) -> list[_Part]:
    is_turned = False
    while isinstance(condition, Unary) and condition.op == "not":
        condition, is_turned = condition.args[0], not is_turned
    if not is_relation(condition):
        return []
    status = condition.args[0]
    assert isinstance(status, Var)
    return [_Part(status, (condition.op in ("<", "<=")) != is_turned, None, True)]


def is_relation(condition: Expr) -> TypeGuard[Binary]:
    if not isinstance(condition, Binary) or not isinstance(condition.left, Var):
        return False
    return bool(condition.left.name[0] == STATUS)
