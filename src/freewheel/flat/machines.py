"""State machines in a flat model: variables that are handed on through states of states.

    inner outer output v in state1, outer output v in state1.stateA    ->    both are the v around

In: the flat model and its components. Out: the model in which these are one variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from freewheel.base.names import Name, read
from freewheel.flat.nodes import AnyEquation, Equation, FlatModel
from freewheel.flat.rewrite import rewritten
from freewheel.formula import nodes as f
from freewheel.formula.statement_nodes import CallEquation
from freewheel.formula.walk import substitute
from freewheel.instance.components import ComponentInstance


def state_names(equations: Iterable[AnyEquation]) -> frozenset[Name]:
    """Flat names of the states of all state machines."""
    found: list[Name] = []
    for equation in equations:
        if isinstance(equation, CallEquation) and isinstance(equation.call, f.Call):
            count = _STATES_OF.get(str(equation.call.function), 0)
            states = equation.call.args[:count]
            found += [read(state.value) for state in states if isinstance(state, f.String)]
    return frozenset(found)


_STATES_OF = {"transition": 2, "initialState": 1}


def has_machines(flat: FlatModel) -> bool:
    return bool(state_names(flat.equations))


def with_shared_outputs(flat: FlatModel, leaves: Sequence[ComponentInstance]) -> FlatModel:
    """`inner outer output v` in a state of a state machine is the `v` around it, handed on to the
    states inside: they all give one variable (Modelica 3.6, "Merging Variable Definitions")."""
    shared: dict[f.Expr, f.Expr] = {}
    equations: list[AnyEquation] = []
    for leaf in leaves:
        if not (leaf.is_inner and leaf.is_outer and leaf.causality == "output"):
            continue
        meant = leaf.inner()
        while meant.is_inner and meant.is_outer:
            meant = meant.inner()
        shared[f.Var(leaf.path)] = f.Var(meant.path)
        equations.append(Equation(f.Var(leaf.path), f.Var(meant.path), leaf.span))
    if not shared:
        return flat
    memo: dict[f.Expr, f.Expr] = {}
    changed = rewritten(flat, lambda expr: substitute(expr, shared, memo))
    return replace(changed, equations=(*changed.equations, *equations))
