"""State machines become clocked equations: the model after this has none.

    in state a: v = previous(v) + 2,  in state b: v = previous(v) - 1
    ->  v = if a is active then previous(v) + 2 elseif b is active then previous(v) - 1
            else previous(v)

In: the scalar model with transitions. Out: one with clock operators only. Equations of a state act
while it is active; a variable declared in a state has its start value as previous value when the
state is reset. Modelica 3.6, "State Machines".
"""

from __future__ import annotations

from freewheel.formula.nodes import Call
from freewheel.formula.walk import calls_in
from freewheel.structure.nodes import Action, ScalarModel

PARTS = ("transition", "initialState")
QUESTIONS = frozenset(("activeState", "ticksInState", "timeInState"))


def remove_machines(model: ScalarModel) -> ScalarModel:
    if not any(machine_part(action) for action in model.actions):
        _refuse_questions(model)
        return model
    from freewheel.structure.state_machines.removal import (
        Removal,  # few models need it: a quick start
    )

    return Removal(model).model_without()


def _refuse_questions(model: ScalarModel) -> None:
    for equation in model.equations:
        for call in calls_in(equation.left, equation.right):
            if call.function in QUESTIONS:
                from freewheel.structure.state_machines.diagnostics import outside_of_machine

                raise outside_of_machine(str(call.function), equation.span)


def machine_part(action: Action) -> Call | None:
    value = action.value
    if action.kind == "call" and isinstance(value, Call) and value.function in PARTS:
        return value
    return None
