"""Common subexpressions of a section are computed once.

    a = sin(x)*2;  b = sin(x) + 1      ->      t1 = sin(x);  a = t1*2;  b = t1 + 1

Nodes are shared objects already, so equal subexpressions are found by identity. An expression that
is only used inside one branch of if-expressions is computed under that branch's condition: it may
not exist elsewhere (`if x > 0 then sqrt(x) + 1/sqrt(x) else 0`). What stands in the iterated part of
a nonlinear loop is shared inside that part only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from freewheel.formula import build
from freewheel.formula.nodes import (
    Binary,
    Call,
    Expr,
    Field,
    If,
    Index,
    Output,
    Unary,
    Var,
)
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
    call_result,
    temporary,
)

# A branch is a condition and the side taken; a path leads from the outside in.
Path = tuple[tuple[Expr, bool], ...]

_SHARED_KINDS = (Binary, Call, If, Output, Index, Field)


@dataclass(slots=True)
class _Use:
    path: Path
    is_surely_used: bool  # wherever the path holds
    count: int
    step: int


def share(steps: Sequence[Step], first_temporary: int = 1) -> tuple[tuple[Step, ...], int]:
    """The steps with temporaries before them; and the next free number."""
    uses: dict[Expr, _Use] = {}
    conditions: set[Expr] = set()
    for number, step in enumerate(steps):
        for root, path in roots_of(step):
            _record(root, _taken_apart(path, conditions), number, uses, conditions)
    chosen: dict[Expr, _Use] = {
        node: use
        for node, use in uses.items()
        if use.count > 1 and use.is_surely_used and isinstance(node, _SHARED_KINDS)
    }
    return _Placing(chosen, first_temporary).place(steps)


def roots_of(step: Step) -> list[tuple[Expr, Path]]:
    """Expressions that a step evaluates, and under which condition."""
    match step:
        case Assign():
            if step.guard is None:
                return [(step.value, ())]
            return [(step.guard, ()), (step.value, ((step.guard, True),))]
        case SetStatus():
            return [(step.residual, ())]
        case SolveLinear():
            return [(e, ()) for e in (*(entry for _, _, entry in step.matrix), *step.right)]
        case Check():
            return [(step.left, ()), (step.right, ())]
        case Jump():
            return [(step.guard, ()), (step.value, ((step.guard, True),))]
        case Act():
            return _roots_of_action(step)
        case SolveNonlinear():
            return []


def _roots_of_action(step: Act) -> list[tuple[Expr, Path]]:
    path: Path = () if step.guard is None else ((step.guard, True),)
    result: list[tuple[Expr, Path]] = [] if step.guard is None else [(step.guard, ())]
    if step.value is not None:
        result.append((step.value, path))
    return result  # messages are texts, made only when they are needed


def _taken_apart(path: Path, conditions: set[Expr]) -> Path:
    """`a and not b` is the branch `then` of a, in it `else` of b, where an if was seen to ask so:
    what an action needs may have been computed for a variable."""
    parts: list[tuple[Expr, bool]] = []
    stack = list(reversed(path))
    while stack:
        condition, side = stack.pop()
        if isinstance(condition, Unary) and condition.op == "not":
            stack.append((condition.args[0], not side))
        elif isinstance(condition, Binary) and condition.op == "and" and side:
            if condition in conditions:
                parts.append((condition, side))
            else:
                stack += [(condition.right, True), (condition.left, True)]
        else:
            parts.append((condition, side))
    return tuple(parts)


def _record(
    root: Expr, path: Path, step: int, uses: dict[Expr, _Use], conditions: set[Expr]
) -> None:
    stack: list[tuple[Expr, Path]] = [(root, path)]
    while stack:
        node, here = stack.pop()
        if not node.args:
            continue
        if isinstance(node, If):
            conditions.add(node.args[0])
        use = uses.get(node)
        if use is None:
            uses[node] = _Use(here, True, 1, step)
            stack.extend(_children(node, here))
            continue
        use.count += 1
        if here[: len(use.path)] == use.path and use.is_surely_used:
            continue  # computed already where this is used
        _widen(node, use, here, stack)


def _widen(node: Expr, use: _Use, here: Path, stack: list[tuple[Expr, Path]]) -> None:
    """A use outside the path known so far: the node moves outwards, or is computed in both."""
    common = _common(use.path, here)
    both_sides = (
        len(use.path) > len(common) < len(here)
        and use.path[len(common)][0] is here[len(common)][0]
        and use.is_surely_used
    )
    surely = len(here) == len(common) or both_sides
    use.path, use.is_surely_used = common, surely
    stack.extend(_children(node, common if surely else here))


def _common(one: Path, other: Path) -> Path:
    length = 0
    for a, b in zip(one, other, strict=False):
        if a[0] is not b[0] or a[1] != b[1]:
            break
        length += 1
    return one[:length]


def _children(node: Expr, path: Path) -> list[tuple[Expr, Path]]:
    if isinstance(node, If):
        condition, then, otherwise = node.args
        return [
            (otherwise, (*path, (condition, False))),
            (then, (*path, (condition, True))),
            (condition, path),
        ]
    if isinstance(node, Binary) and node.op in ("and", "or"):
        side = node.op == "and"
        return [(node.right, (*path, (node.left, side))), (node.left, path)]
    return [(child, path) for child in reversed(node.args)]


class _Placing:
    """Puts temporaries in front of the first step that uses them."""

    def __init__(self, chosen: dict[Expr, _Use], first: int) -> None:
        self.chosen = chosen
        self.next = first
        self.names: dict[Expr, Expr] = {}
        self.memo: dict[Expr, Expr] = {}
        self.result: list[Step] = []

    def place(self, steps: Sequence[Step]) -> tuple[tuple[Step, ...], int]:
        for step in steps:
            self.result.append(self._step(step))
        return tuple(self.result), self.next

    def _step(self, step: Step) -> Step:
        def expr(part: Expr) -> Expr:
            return self.expr(part, step.about)

        match step:
            case Assign():
                guard = None if step.guard is None else expr(step.guard)
                return Assign(step.target, expr(step.value), step.about, guard)
            case SetStatus():
                return replace(step, residual=expr(step.residual))
            case SolveLinear():
                matrix = tuple((r, c, expr(e)) for r, c, e in step.matrix)
                return replace(step, matrix=matrix, right=tuple(expr(e) for e in step.right))
            case Check():
                return replace(step, left=expr(step.left), right=expr(step.right))
            case Jump():
                return replace(step, guard=expr(step.guard), value=expr(step.value))
            case Act():
                guard = None if step.guard is None else expr(step.guard)
                value = None if step.value is None else expr(step.value)
                return replace(step, guard=guard, value=value)
            case SolveNonlinear():
                return self._nonlinear(step)

    def _nonlinear(self, step: SolveNonlinear) -> SolveNonlinear:
        carriers = [SetStatus(-1, residual) for residual in step.residuals]
        inside, self.next = share((*step.inner, *carriers), self.next)
        inner = tuple(s for s in inside if isinstance(s, Assign))
        residuals = tuple(s.residual for s in inside if isinstance(s, SetStatus))
        return replace(step, inner=inner, residuals=residuals)

    def expr(self, root: Expr, about: About) -> Expr:
        """The expression over temporaries; those it needs first are put in front."""
        memo = self.memo
        stack = [root]
        while stack:
            node = stack[-1]
            if node in memo:
                stack.pop()
                continue
            pending = [child for child in node.args if child not in memo]
            if pending:
                stack.extend(reversed(pending))
                continue
            stack.pop()
            value = node.with_args(tuple([memo[child] for child in node.args]))
            use = self.chosen.get(node)
            memo[node] = value if use is None else self._temporary(value, use, about)
        return memo[root]

    def _temporary(self, value: Expr, use: _Use, about: About) -> Var:
        is_call = isinstance(value, Call) and not isinstance(value.function, str)
        name = call_result(self.next) if is_call else temporary(self.next)
        self.next += 1
        guard = self._guard(use.path, about)
        self.result.append(Assign(name, value, about, guard))
        return name

    def _guard(self, path: Path, about: About) -> Expr | None:
        guard: Expr | None = None
        for condition, side in path:
            part = self.expr(condition, about)
            part = part if side else Unary("not", part)
            guard = part if guard is None else build.logical_and(guard, part)
        return guard
