"""Conditions at the start that aliases remove, and equations in conflict with them.

`reinits_at_start`: what `when initial()` sets.

`fixed_aliases`: the start of a variable that a stand-in replaces is still a condition.

    v1 = v2;  v1(start = 5, fixed = true), v2(start = 4, fixed = true)
        ->  v2 = 5 and v2 = 4: one too many, to be checked

`competing_conditions`: a condition that is one too many is checked with the values that other equations
give; these equations are named together with it.

    x = 0.6,  x^2 + y^2 = 1,  y = -0.7       ->      `y = -0.7` competes with `x = 0.6`, `x^2 + ..`
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from freewheel.base.names import Name, show
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import FALSE, TRUE, ZERO, Expr, Var
from freewheel.formula.types import BOOLEAN
from freewheel.structure.atoms import pre_of
from freewheel.structure.blocks.incidence import columns_of, expr_text
from freewheel.structure.initial.phase import Phase
from freewheel.structure.nodes import Action, Alias, ScalarEquation, ScalarVariable

MAX_COMPETING = 5
MAX_SEARCHED = 300  # rows; there may be many checks, and what is far away explains little


def start_of(variable: ScalarVariable) -> Expr:
    if variable.start is not None:
        return variable.start
    return FALSE if variable.type == BOOLEAN else ZERO


def fixed_aliases(
    aliases: Mapping[Name, Alias],
    variables: Mapping[Name, ScalarVariable],
    pres: Set[Var],
    is_fixed: Callable[[ScalarVariable], bool],
) -> Iterator[ScalarEquation]:
    """What replaced variables must be at the start. A stand-in may have inherited its start from
    one of them: then this says the same again, and the caller drops it."""
    for name, alias in aliases.items():
        variable = variables.get(name)
        if variable is None or not is_fixed(variable):
            continue
        if variable.variability == Variability.CONTINUOUS:
            yield _condition(variable, alias, alias.stand_in)
        elif alias.stand_in is not None and pre_of(alias.stand_in) in pres:
            yield _condition(variable, alias, pre_of(alias.stand_in))


def _condition(variable: ScalarVariable, alias: Alias, stand_in: Var | None) -> ScalarEquation:
    start = start_of(variable)
    right = build.neg(start) if alias.sign < 0 else start
    left = alias.constant if stand_in is None else stand_in
    assert left is not None
    spoken = f"{show(variable.name)} = {expr_text(start)}"
    return ScalarEquation(left, right, variable.span, target=stand_in, spoken=spoken)


def reinits_at_start(actions: Sequence[Action], phase: Phase) -> list[ScalarEquation]:
    """`when initial() then reinit(x, e)` is the initial equation `x = e`; in the branches of an
    if-equation the last one is the rest. Modelica 3.6, "Initialization, initial equation, and
    initial algorithm"."""
    found: dict[Var, list[tuple[Expr, Action]]] = {}
    for action in actions:
        guard = None if action.guard is None else phase.expr(action.guard)
        if action.kind == "reinit" and guard is not None and guard is not FALSE:
            assert action.target is not None
            found.setdefault(action.target, []).append((guard, action))
    result: list[ScalarEquation] = []
    for target, parts in found.items():
        if len(parts) == 1 and parts[0][0] is not TRUE:
            continue  # a branch without its counterpart says nothing where it is not taken
        value: Expr | None = None
        for guard, action in reversed(parts):
            assert action.value is not None
            new = phase.expr(action.value)
            value = new if value is None else build.if_then_else(guard, new, value)
        assert value is not None
        result.append(ScalarEquation(target, value, parts[0][1].span, parts[0][1].origin))
    return result


def competing_conditions(
    check: ScalarEquation,
    rows: Sequence[ScalarEquation],
    number: Mapping[Var, int],
    row_of_column: Sequence[int],
    conditions: Set[int],
) -> tuple[int, ...]:
    """Rows that give the variables of `check`, nearest first: the conditions among them, and the
    model's own equations between them if they are few."""
    waiting = deque(columns_of(check, number))
    seen_rows: dict[int, None] = {}
    while waiting and len(seen_rows) < MAX_SEARCHED:
        row = row_of_column[waiting.popleft()]
        if row not in seen_rows:
            seen_rows[row] = None
            waiting.extend(columns_of(rows[row], number))
    said = [row for row in seen_rows if row in conditions]
    between = [row for row in seen_rows if row not in conditions]
    room = MAX_COMPETING - len(said)
    return (*said[:MAX_COMPETING], *(between if len(between) <= room else ()))
