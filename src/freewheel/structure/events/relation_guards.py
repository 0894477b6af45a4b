"""Conditions under which a relation has an effect.

    gates_of(hybrid)        one condition for each crossing; None: always

    Forward = pre(StartForward) and v > 0 or pre(Forward) and not v <= 0
                            v has an effect while pre(StartForward) or pre(Forward)

A relation without effect makes no event: while friction sticks, its velocity is zero but for
rounding, and while it slides its acceleration passes zero without meaning anything. A gate is made of
quantities that keep their values between events, never of other relations: in `a or b` each of the
two would make the other one unimportant, and both could change unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import FALSE, TRUE, Binary, Expr, If, Var
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import INITIAL, STATUS, is_pre
from freewheel.structure.initial.phase import Phase
from freewheel.structure.nodes import Hybrid

MOST_NODES = 2000  # of one expression; in a larger one all relations are taken to have an effect
MOST_USES = 12  # of one relation

Context = tuple[Expr, ...]


def gates_of(hybrid: Hybrid) -> tuple[Expr | None, ...]:
    """`initial()` is false here: while the model starts, every relation matters."""
    keeps = keeper(hybrid)
    uses: dict[Var, dict[Context, None]] = {crossing.status: {} for crossing in hybrid.crossings}
    for expr in _expressions(hybrid):
        for status, context in _status_uses(expr, keeps):
            uses[status][context] = None
    phase = Phase(is_initial=False)
    return tuple(_gate(tuple(uses[c.status]), phase) for c in hybrid.crossings)


def _expressions(hybrid: Hybrid) -> Iterator[Expr]:
    for equation in (*hybrid.equations, *hybrid.discrete_equations, *hybrid.initial_equations):
        yield equation.left
        yield equation.right
    for action in hybrid.actions:
        yield from (e for e in (action.guard, action.value, action.message) if e is not None)
    for crossing in hybrid.crossings:
        yield crossing.left
        yield crossing.right


def keeper(hybrid: Hybrid) -> Callable[[Expr], bool]:
    """A test whether an expression keeps its value between events."""
    variables = {v.name: v for v in hybrid.aliases.model.variables}
    discrete = frozenset(hybrid.discrete)
    known: dict[Expr, bool] = {}

    def keeps(var: Var) -> bool:
        if var is INITIAL or is_pre(var) or var in discrete:
            return True
        variable = variables.get(var.name)
        return variable is not None and variable.variability <= Variability.PARAMETER

    def all_keep(expr: Expr) -> bool:
        if expr not in known:
            known[expr] = all(keeps(var) for var in variables_in(expr))
        return known[expr]

    return all_keep


def _status_uses(expr: Expr, keeps: Callable[[Expr], bool]) -> Iterator[tuple[Var, Context]]:
    """Each status in an expression, with the conditions on the way to it."""
    if not any(var.name[0] == STATUS for var in variables_in(expr)):
        return
    stack: list[tuple[Expr, Context]] = [(expr, ())]
    visited = 0
    while stack:
        node, context = stack.pop()
        visited += 1
        if visited > MOST_NODES:
            yield from ((v, ()) for v in variables_in(expr) if v.name[0] == STATUS)
            return
        if isinstance(node, Var):
            if node.name[0] == STATUS:
                yield node, context
        else:
            stack.extend(_parts(node, context, keeps))


def _parts(
    node: Expr, context: Context, keeps: Callable[[Expr], bool]
) -> Iterable[tuple[Expr, Context]]:
    if isinstance(node, If):
        condition, then, otherwise = node.args
        yield condition, context
        yield then, _with(context, condition, keeps)
        yield otherwise, _with(context, build.logical_not(condition), keeps)
    elif isinstance(node, Binary) and node.op in ("and", "or"):
        for side, other in ((node.left, node.right), (node.right, node.left)):
            matters = other if node.op == "and" else build.logical_not(other)
            yield side, _with(context, matters, keeps)
    else:
        for part in node.args:
            yield part, context


def _with(context: Context, condition: Expr, keeps: Callable[[Expr], bool]) -> Context:
    return (*context, condition) if keeps(condition) and condition not in context else context


def _gate(contexts: Sequence[Context], phase: Phase) -> Expr | None:
    """One of the uses counts. No use: the simulation itself watches this relation."""
    if not contexts or len(contexts) > MOST_USES or () in contexts:
        return None
    gate: Expr = FALSE
    for context in contexts:
        use: Expr = TRUE
        for condition in context:
            use = build.logical_and(use, phase.expr(condition))
        gate = build.logical_or(gate, use)
    return None if gate is TRUE else gate
