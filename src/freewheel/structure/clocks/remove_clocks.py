"""Clocks become discrete variables and exact time events: the model after this has none.

    xd = previous(xd) + sample(y, Clock(1, 10))
    ->   xd = if tick then pre(xd) + pre(y) else pre(xd),      tick at 0, 1/10, 2/10, ...

In: the scalar model with clock operators. Out: one without. A clocked variable keeps its value
between ticks, so `hold` and the conversions between clocks are the variable itself; `sample` is
the left limit, which is `pre`. Modelica 3.6, "Synchronous Language Elements".
"""

from __future__ import annotations

from freewheel.formula.nodes import Expr
from freewheel.formula.types import CLOCK
from freewheel.structure.clocks.operators import has_clocks
from freewheel.structure.nodes import Action, ScalarModel


def remove_clocks(model: ScalarModel) -> ScalarModel:
    if not _uses_clocks(model):
        return model
    from freewheel.structure.clocks.removal import Removal  # few models need it: a quick start

    return Removal(model).model_without()


def _uses_clocks(model: ScalarModel) -> bool:
    if any(v.type == CLOCK for v in model.variables):
        return True
    return (
        any(e.clause is not None or has_clocks(e.left, e.right) for e in model.equations)
        or any(has_clocks(c.value) for c in model.conditions)
        or any(a.clause is not None or has_clocks(*parts_of(a)) for a in model.actions)
    )


def parts_of(action: Action) -> tuple[Expr, ...]:
    found = (action.guard, action.value, action.message)
    return tuple(part for part in found if part is not None)
