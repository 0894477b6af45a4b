"""Steps of a program, differentiated forward: every value carries tangents, one per direction.

    tangents = Tangents(program, [{slot_of_x: ONE}])
    tangents.steps_of(program.plain_derivatives)
    tangents.of(0, formula)                 # its derivative in direction 0
    tangents.steps                          # what must be computed for it

Assignments are differentiated symbolically; a linear loop `A x = b` gives `A dx = db - dA x`; a
nonlinear loop `r(x, z) = 0` gives `r_x dx = -r_z dz` (implicit function theorem). Tangents live in
slots behind those of the program; the values of all variables are taken from the memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from freewheel.formula import build
from freewheel.formula.differentiate import Differentiation
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import ONE, ZERO, Expr, Integer, Real, Var
from freewheel.formula.walk import calls_in, variables_in
from freewheel.program.nodes import (
    Assign,
    Program,
    SolveLinear,
    SolveNonlinear,
    Step,
    slot_var,
)
from freewheel.program.share import roots_of

MAX_GROWTH = 40  # tangents per step of the program; beyond, differences are cheaper
MAX_LOOP = 3000  # unknowns times inner assignments of a nonlinear loop

Seeds = dict[int, Expr]  # slot -> its tangent


class TooLarge(Exception):  # noqa: N818 -- an answer: take differences
    pass


class Tangents:
    def __init__(
        self,
        program: Program,
        seeds: Sequence[Seeds],
        extra: int = 0,
        functions: FunctionDerivatives | None = None,
    ) -> None:
        """`extra`: slots behind the memory that are taken already."""
        known = {function.name: function for function in program.functions}
        self.functions = functions or FunctionDerivatives(known.get)
        self.first = len(program.start)
        self.next = self.first + extra
        self.steps: list[Step] = []
        self.kept: dict[Expr, Var] = {}  # formula of a tangent -> the slot that holds it
        self.tangents: list[Seeds] = [{} for _ in seeds]
        self.reached: dict[int, set[int]] = {}  # slot -> directions in which it has a tangent
        for number, given in enumerate(seeds):
            for slot, tangent in given.items():
                self._set(number, slot, tangent)
        self.rules = [self._rule(own) for own in self.tangents]
        self.limit = 2000 + MAX_GROWTH * len(program.plain_derivatives)

    @property
    def extra(self) -> int:
        """Slots behind the memory."""
        return self.next - self.first

    def of(self, color: int, formula: Expr) -> Expr:
        return self.rules[color].of(formula)

    def steps_of(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self._step(step)

    def must_know_functions(self, entries: Iterable[Expr]) -> None:
        """An annotation may name a derivative that the model never reached."""
        roots = [root for step in self.steps for root, _ in roots_of(step)]
        for call in calls_in(*roots, *entries):
            if not isinstance(call.data, str) and self.functions.function(call.data) is None:
                raise TooLarge

    def _rule(self, seeds: Seeds) -> Differentiation:
        def tangent(var: Var) -> Expr:
            head = var.name[0]
            return seeds.get(head, ZERO) if isinstance(head, int) else ZERO

        return Differentiation(tangent, self.functions, is_time=False)

    def _set(self, color: int, slot: int, tangent: Expr) -> None:
        self.tangents[color][slot] = tangent
        self.reached.setdefault(slot, set()).add(color)

    def _step(self, step: Step) -> None:
        match step:
            case Assign():
                for color in self._colors((step.value,)):
                    self._assign(step, color)
            case SolveLinear():
                self._linear(step)
            case SolveNonlinear():
                self._nonlinear(step)
            case _:
                raise AssertionError(step)

    def _colors(self, exprs: Iterable[Expr]) -> list[int]:
        """Colours in which something changes."""
        found: set[int] = set()
        for var in variables_in(*exprs):
            head = var.name[0]
            if isinstance(head, int):
                found |= self.reached.get(head, set())
        return sorted(found)

    def _new_slot(self) -> int:
        if self.next - self.first > self.limit:
            raise TooLarge
        self.next += 1
        return self.next - 1

    def _kept(self, tangent: Expr, like: Step) -> Expr:
        """In a slot of its own, unless it is simple or was met before."""
        if isinstance(tangent, Var | Real | Integer):
            return tangent
        known = self.kept.get(tangent)
        if known is None:
            known = slot_var(self._new_slot())
            self.steps.append(Assign(known, tangent, like.about))
            self.kept[tangent] = known
        return known

    def _assign(self, step: Assign, color: int) -> None:
        tangent = self.rules[color].of(step.value)
        if not build.is_zero(tangent):
            slot = step.target.name[0]
            assert isinstance(slot, int)
            self._set(color, slot, self._kept(tangent, step))

    # ------------------------------------------------------------ loops

    def _linear(self, step: SolveLinear) -> None:
        entries = [entry for _, _, entry in step.matrix]
        for color in self._colors((*entries, *step.right)):
            rule = self.rules[color]
            right = [rule.of(part) for part in step.right]
            for row, column, entry in step.matrix:
                change = rule.of(entry)
                if not build.is_zero(change):
                    product = build.times(change, slot_var(step.slots[column]))
                    right[row] = build.minus(right[row], product)
            self._solve(step.slots, step.matrix, right, color, step)

    def _solve(
        self,
        slots: Sequence[int],
        matrix: tuple[tuple[int, int, Expr], ...],
        right: Sequence[Expr],
        color: int,
        like: Step,
    ) -> None:
        if all(build.is_zero(part) for part in right):
            return
        own = tuple(self._new_slot() for _ in slots)
        self.steps.append(SolveLinear(own, matrix, tuple(right), like.about))
        for slot, tangent in zip(slots, own, strict=True):
            self._set(color, slot, slot_var(tangent))

    def _nonlinear(self, step: SolveNonlinear) -> None:
        if len(step.slots) * len(step.inner) > MAX_LOOP:
            raise TooLarge
        exprs = [*(part.value for part in step.inner), *step.residuals]
        colors = self._colors(exprs)
        if not colors:
            return
        matrix: list[tuple[int, int, Expr]] = []
        for column, unknown in enumerate(step.slots):
            changes = self._through(step, {unknown: ONE})
            matrix += [
                (row, column, change)
                for row, change in enumerate(changes)
                if not build.is_zero(change)
            ]
        for color in colors:
            outside = self._through(step, dict(self.tangents[color]))
            right = [build.neg(change) for change in outside]
            self._solve(step.slots, tuple(matrix), right, color, step)
            for part in step.inner:
                self.rules[color].memo.clear()  # the unknowns have tangents only now
                self._assign(part, color)

    def _through(self, step: SolveNonlinear, seeds: Seeds) -> list[Expr]:
        """Changes of the residuals when only `seeds` change."""
        rule = self._rule(seeds)
        for part in step.inner:
            tangent = rule.of(part.value)
            if not build.is_zero(tangent):
                slot = part.target.name[0]
                assert isinstance(slot, int)
                seeds[slot] = self._kept(tangent, step)
                rule.memo.pop(part.target, None)
        return [self._kept(rule.of(residual), step) for residual in step.residuals]
