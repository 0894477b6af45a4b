"""Inputs that have a binding become plain variables.

In: a flat model whose top-level input `u` has the binding `sin(100*time)`, its own or one given from
outside. Out: the model with `u` no longer an input and the equation `u = sin(100*time)`, so that nothing
waits for a value from outside and the expression's events and derivatives are seen like all others.
Inputs in `fed` wait all the same: their values come as data.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from freewheel.base.names import show
from freewheel.flat.nodes import Causality, Equation, FlatModel, Variable
from freewheel.formula.nodes import Var


def drive_inputs(model: FlatModel, fed: Collection[str]) -> FlatModel:
    """The model whose inputs with a binding are local, but for those in `fed`."""
    free = [v for v in model.variables if _is_driven(v, fed)]
    if not free:
        return model
    return replace(
        model,
        variables=tuple(_released(v) if v in free else v for v in model.variables),
        equations=(*model.equations, *map(_equation, free)),
    )


def _is_driven(variable: Variable, fed: Collection[str]) -> bool:
    return (
        variable.causality is Causality.INPUT
        and variable.binding is not None
        and show(variable.name) not in fed
    )


def _released(variable: Variable) -> Variable:
    return replace(variable, causality=Causality.LOCAL, binding=None)


def _equation(variable: Variable) -> Equation:
    assert variable.binding is not None
    return Equation(Var(variable.name), variable.binding, variable.span)
