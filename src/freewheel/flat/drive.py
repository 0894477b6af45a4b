"""Inputs that are driven from outside become plain variables.

In: a flat model whose top-level input `u` was given the binding `sin(100*time)`, which flattening
has turned into an equation. Out: the model with `u` no longer an input, so that nothing waits for
a value from outside and the expression's events and derivatives are seen like all others.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from freewheel.base.names import show
from freewheel.flat.nodes import Causality, FlatModel, Variable


def drive_inputs(model: FlatModel, driven: Collection[str]) -> FlatModel:
    """The model whose inputs named in `driven` are local; other names are of no concern here."""
    if not driven:
        return model
    return replace(model, variables=tuple(_released(v, driven) for v in model.variables))


def _released(variable: Variable, driven: Collection[str]) -> Variable:
    if variable.causality is not Causality.INPUT or show(variable.name) not in driven:
        return variable
    return replace(variable, causality=Causality.LOCAL)
