"""Find the state machines of a model among its actions.

    initialState(a); transition(a, b, x > 1)    ->    Machine(states (a, b), one transition)

States that transitions join make a machine. In: actions with calls of `transition` and
`initialState`. Out: machines, those around others first, and all other actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from freewheel.base.names import Name, read, show
from freewheel.base.source import Span
from freewheel.formula.nodes import Call, Expr, String
from freewheel.graphs.components import components
from freewheel.structure.nodes import Action
from freewheel.structure.state_machines.diagnostics import wrong_machine
from freewheel.structure.state_machines.nodes import Machine, Transition
from freewheel.structure.state_machines.remove_machines import machine_part
from freewheel.structure.values import ParameterValues


@dataclass(frozen=True, slots=True)
class Found:
    machines: tuple[Machine, ...]
    others: tuple[Action, ...]


def state_name(expr: Expr) -> Name:
    assert isinstance(expr, String)
    return read(expr.value)


def find_machines(actions: Sequence[Action], values: ParameterValues) -> Found:
    parts = [(action, call) for action in actions if (call := machine_part(action)) is not None]
    others = tuple(action for action in actions if machine_part(action) is None)
    states: dict[Name, Span] = {}
    for action, call in parts:
        if action.guard is not None or action.clause is not None:
            raise wrong_machine("a transition in a when- or if-equation", action.span)
        for arg in call.args[: 2 if call.function == "transition" else 1]:
            states.setdefault(state_name(arg), action.span)
    groups = _groups(list(states), [call for _, call in parts])
    machines = [
        _machine(number, group, parts, states, values) for number, group in enumerate(groups)
    ]
    machines.sort(key=lambda machine: len(machine.states[0]))
    return Found(tuple(machines), others)


def _groups(states: list[Name], calls: Sequence[Call]) -> list[list[Name]]:
    place = {name: k for k, name in enumerate(states)}
    edges: list[list[int]] = [[] for _ in states]
    for call in calls:
        if call.function == "transition":
            a, b = place[state_name(call.args[0])], place[state_name(call.args[1])]
            edges[a].append(b)
            edges[b].append(a)
    return [[states[k] for k in group] for group in sorted(components(edges))]


def _machine(
    number: int,
    group: list[Name],
    parts: Sequence[tuple[Action, Call]],
    states: Mapping[Name, Span],
    values: ParameterValues,
) -> Machine:
    members = set(group)
    initial: list[tuple[Name, Span]] = []
    for action, call in parts:
        first = state_name(call.args[0])
        if call.function == "initialState" and first in members:
            initial.append((first, action.span))
    if len(initial) != 1:
        many = "no initial state" if not initial else f"{len(initial)} initial states"
        span = states[group[0]] if not initial else initial[1][1]
        raise wrong_machine(f"the state machine of `{show(group[0])}` has {many}", span)
    ordered = [initial[0][0], *(name for name in group if name != initial[0][0])]
    place = {name: k for k, name in enumerate(ordered)}
    transitions = [
        _transition(action, call, place, values)
        for action, call in parts
        if call.function == "transition" and state_name(call.args[0]) in members
    ]
    _require_order(transitions, ordered)
    transitions.sort(key=lambda t: -t.priority)
    parent = _around(ordered[0], states)
    return Machine(number, tuple(ordered), tuple(transitions), parent, initial[0][1])


def _transition(
    action: Action, call: Call, place: Mapping[Name, int], values: ParameterValues
) -> Transition:
    source, target, condition, *options = call.args
    immediate, resets, synchronizes, priority = (values.number(option) for option in options)
    if immediate is None or resets is None or synchronizes is None or priority is None:
        raise wrong_machine(
            "the options of a transition are not known while translating", action.span
        )
    if priority < 1:
        raise wrong_machine(f"a transition with priority {int(priority)}", action.span)
    return Transition(
        place[state_name(source)],
        place[state_name(target)],
        condition,
        bool(immediate),
        bool(resets),
        bool(synchronizes),
        int(priority),
        action.span,
    )


def _require_order(transitions: Sequence[Transition], states: Sequence[Name]) -> None:
    seen: set[tuple[int, int]] = set()
    for transition in transitions:
        key = (transition.source, transition.priority)
        if key in seen:
            name = show(states[transition.source])
            text = f"two transitions from `{name}` have priority {transition.priority}"
            raise wrong_machine(text, transition.span)
        seen.add(key)


def _around(name: Name, states: Mapping[Name, Span]) -> Name | None:
    for length in range(len(name) - 1, 0, -1):
        if name[:length] in states:
            return name[:length]
    return None
