"""The one walk over a program: steps become statements that every target can write.

    SolveLinear of one unknown       ->  Set(x, right/factor)
    SetStatus                        ->  Choose(residual > 0: 1, residual < 0: -1)
    SolveNonlinear                   ->  Repeat(...)  (see newton.py)

Asserts and messages are left out: an exported model runs without them (`Act`, `Check`).
"""

from __future__ import annotations

from collections.abc import Iterable

from freewheel.base.names import Name
from freewheel.export.newton import newton
from freewheel.export.nodes import Choose, Linear, Set, Statement, local
from freewheel.formula import build
from freewheel.formula.nodes import ONE, TRUE, ZERO, Binary, Expr, Real, Var
from freewheel.formula.walk import replace
from freewheel.program.nodes import (
    About,
    Act,
    Assign,
    Check,
    Jump,
    SetStatus,
    SolveLinear,
    SolveNonlinear,
    Step,
    slot_var,
)

MINUS_ONE = Real(-1.0)


def statements_of(
    steps: Iterable[Step], mark: str, ended: Var | None = None
) -> tuple[Statement, ...]:
    """Statements of a section; `mark` makes the names of its locals unique among all sections, and
    `terminate` sets `ended`."""
    walk = _Walk(mark, ended)
    return tuple(one for step in steps for one in walk.step(step))


def status_follows(status: Var, residual: Expr) -> Choose:
    """The sign of the residual; where that is zero the status stays."""
    up = (Set(status, ONE),)
    down = (Set(status, MINUS_ONE),)
    return Choose(((Binary(">", residual, ZERO), up), (Binary("<", residual, ZERO), down)))


class _Walk:
    def __init__(self, mark: str, ended: Var | None) -> None:
        self.mark, self.ended = mark, ended
        self.loops = 0
        self.memo: dict[Expr, Expr] = {}

    def step(self, step: Step) -> list[Statement]:
        match step:
            case Assign():
                return self.assign(step)
            case SetStatus():
                return [status_follows(slot_var(step.slot), self.plain(step.residual))]
            case SolveLinear():
                return [self.linear(step)]
            case SolveNonlinear():
                self.loops += 1
                inner = [one for part in step.inner for one in self.assign(part)]
                residuals = tuple(map(self.plain, step.residuals))
                loop = SolveNonlinear(step.slots, (), residuals, step.starts, step.nominals)
                return newton(loop, inner, f"{self.mark}{self.loops}")
            case Jump():
                new = Set(slot_var(step.new), self.plain(step.value))
                jump = (Set(slot_var(step.flag), TRUE), new)
                return [Choose(((self.plain(step.guard), jump),))]
            case Act(kind="terminate"):
                assert self.ended is not None
                end = Set(self.ended, TRUE)
                return [end if step.guard is None else Choose(((self.plain(step.guard), (end,)),))]
            case Check() | Act():
                return []

    def assign(self, step: Assign) -> list[Statement]:
        target = self.plain(step.target)
        assert isinstance(target, Var)
        one = Set(target, self.plain(step.value), _origin(step.about))
        if step.guard is None:
            return [one]
        return [Choose(((self.plain(step.guard), (one,)),), (Set(target, ZERO),))]

    def linear(self, step: SolveLinear) -> Statement:
        right = tuple(map(self.plain, step.right))
        matrix = tuple((row, column, self.plain(entry)) for row, column, entry in step.matrix)
        targets = tuple(slot_var(slot) for slot in step.slots)
        if len(targets) == 1 and matrix:
            return Set(targets[0], build.over(right[0], matrix[0][2]), _origin(step.about))
        return Linear(targets, matrix, right)

    def plain(self, expr: Expr) -> Expr:
        """A slot before this section writes it is the slot itself: statements come in order. Temporaries
        get names of their own."""
        return replace(expr, self._renamed, self.memo)

    def _renamed(self, node: Expr) -> Expr | None:
        if not isinstance(node, Var):
            return None
        if node.name[0] == "old":
            slot = node.name[1]
            assert isinstance(slot, int)
            return slot_var(slot)
        return local(f"q{self.mark}{node.name[1]}") if node.name[0] == "t" else None


def _origin(about: About) -> Name | None:
    return about.equations[0].origin if about.equations else None
