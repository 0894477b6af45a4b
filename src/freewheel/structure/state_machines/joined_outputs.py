"""Outputs of several states connected together are one signal: that of the active state.

    connect(a.y, u); connect(b.y, u)   ->   u = if a is active then a.y elseif b is active then b.y
                                               else previous(u)

In: equations outside of states, and which variable which state gives. Out: the same equations, those
of such connections replaced. Modelica 3.6, "Merging Connections to Outputs".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from freewheel.base.names import Name
from freewheel.formula import build
from freewheel.formula.nodes import Call, Expr, Var
from freewheel.graphs.components import components
from freewheel.structure.nodes import ScalarEquation
from freewheel.structure.state_machines.transitions import Machines


def join_outputs(
    equations: Sequence[ScalarEquation], givers: Mapping[Var, Name], machines: Machines
) -> list[ScalarEquation]:
    """`givers`: variables that equations of a state determine."""
    ties = [e for e in equations if isinstance(e.left, Var) and isinstance(e.right, Var)]
    replaced: dict[int, ScalarEquation | None] = {}
    for group in _groups(ties):
        outputs = [var for var in group if var in givers]
        others = [var for var in group if var not in givers]
        if len(outputs) < 2 or not others or not _take_turns(outputs, givers, machines):
            continue
        members = set(group)
        mine = [e for e in ties if e.left in members]
        new = [_signal(others[0], outputs, givers, machines, mine[0])]
        new += [ScalarEquation(var, others[0], mine[0].span, mine[0].origin) for var in others[1:]]
        for k, equation in enumerate(mine):
            replaced[id(equation)] = new[k] if k < len(new) else None
    kept = [replaced.get(id(e), e) for e in equations]
    return [equation for equation in kept if equation is not None]


def _groups(ties: Sequence[ScalarEquation]) -> list[list[Var]]:
    """Variables that equations `a = b` join, in order of appearance."""
    found: dict[Expr, int] = {}
    for equation in ties:
        for side in (equation.left, equation.right):
            found.setdefault(side, len(found))
    edges: list[list[int]] = [[] for _ in found]
    for equation in ties:
        a, b = found[equation.left], found[equation.right]
        edges[a].append(b)
        edges[b].append(a)
    names = [var for var in found if isinstance(var, Var)]
    return [[names[k] for k in group] for group in components(edges)]


def _take_turns(outputs: Sequence[Var], givers: Mapping[Var, Name], machines: Machines) -> bool:
    states = [givers[var] for var in outputs]
    return all(
        machines.exclude_each_other(one, other)
        for k, one in enumerate(states)
        for other in states[k + 1 :]
    )


def _signal(
    target: Var,
    outputs: Sequence[Var],
    givers: Mapping[Var, Name],
    machines: Machines,
    equation: ScalarEquation,
) -> ScalarEquation:
    value: Expr = Call("previous", target)
    for var in reversed(outputs):
        value = build.if_then_else(machines.active(givers[var]), var, value)
    return ScalarEquation(target, value, equation.span, equation.origin, target=target)
