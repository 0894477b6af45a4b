"""Where the lines of the history have their numbers: in comes the layout, out come slots.

delay_slots(ordered, layout, dependence)      one `DelaySlots` for each `delay(..)` of the model
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from freewheel.base.slots import DelaySlots, PipeSlots
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.walk import calls_in, variables_in
from freewheel.program.dependence import Dependence, expressions_of
from freewheel.program.layout import Layout
from freewheel.structure.atoms import (
    base_of,
    delayed_of,
    der_of,
    forward_of,
    is_pre,
    lag_of,
    last_break_of,
    next_break_of,
)
from freewheel.structure.nodes import Ordered, Solved


def delay_slots(ordered: Ordered, layout: Layout, dependence: Dependence) -> tuple[DelaySlots, ...]:
    hybrid, slots = ordered.hybrid, layout.slots
    reasons = _reasons(ordered)
    watchers = {crossing.right: n for n, crossing in enumerate(hybrid.crossings)}
    return tuple(
        DelaySlots(
            _signal_slot(delayed_of(line.number), ordered, layout, dependence),
            slots.get(lag_of(line.number), -1),
            longest,
            slots[next_break_of(line.number)],
            slots[last_break_of(line.number)] if line.is_variable else -1,
            -1 if line.lag is None else watchers[next_break_of(line.number)],
            _feeds(delayed_of(line.number), reasons, dependence),
            line.text,
            line.span,
        )
        for line, longest in zip(hybrid.aliases.model.delays, layout.longest, strict=True)
    )


def _signal_slot(signal: Var, ordered: Ordered, layout: Layout, dependence: Dependence) -> int:
    """That of the state itself where the signal is one: steps know it everywhere."""
    block = dependence.blocks[dependence.block_of[signal]]
    if isinstance(block, Solved) and block.value in ordered.states:
        assert isinstance(block.value, Var)
        return layout.slots[block.value]
    return layout.slots[signal]


def pipe_slots(ordered: Ordered, layout: Layout) -> tuple[PipeSlots, ...]:
    hybrid, slots = ordered.hybrid, layout.slots
    watchers = {crossing.right: n for n, crossing in enumerate(hybrid.crossings)}
    result: list[PipeSlots] = []
    for pipe, profile in zip(hybrid.aliases.model.pipes, layout.profiles, strict=True):
        count = len(pipe.points)
        lines = (pipe.place - 1, pipe.left - 1, pipe.right - 1)
        border = next_break_of(pipe.place)
        result.append(
            PipeSlots(
                *lines,
                slots[forward_of(pipe.number)],
                slots[border],
                slots[last_break_of(pipe.place)],
                watchers[border],
                tuple(profile[:count]),
                tuple(profile[count:]),
                pipe.text,
                pipe.span,
            )
        )
    return tuple(result)


def _feeds(
    signal: Var, reasons: Mapping[Var, Sequence[Expr]], dependence: Dependence
) -> tuple[int, ...]:
    """Numbers of the lines that a signal depends on, also by way of states and events."""
    found: set[int] = set()
    seen = {signal}
    stack = [signal]
    while stack:
        var = stack.pop()
        given = list(reasons.get(var, ()))
        number = dependence.block_of.get(var)
        if number is not None:
            given += expressions_of(dependence.blocks[number])
        if is_pre(var):
            given.append(base_of(var))
        for call in calls_in(*given):
            if call.function == "history":
                found.add(call.args[1].data - 1)
            elif call.function == "transported":
                found.add(-((call.args[1].data + 1) // 2))  # pipe k counts as -1 - k
        fresh = [v for v in variables_in(*given) if v not in seen]
        seen.update(fresh)
        stack += fresh
    return tuple(sorted(found))


def _reasons(ordered: Ordered) -> dict[Var, list[Expr]]:
    """What states, statuses and discrete values depend on, besides the blocks of the simulation."""
    hybrid = ordered.hybrid
    found: dict[Var, list[Expr]] = {state: [der_of(state)] for state in ordered.states}
    for crossing in hybrid.crossings:
        found[crossing.status] = [crossing.left, crossing.right]
    for equation in hybrid.discrete_equations:
        if equation.target is not None:
            found.setdefault(equation.target, []).extend((equation.left, equation.right))
    for action in hybrid.actions:
        if action.target is not None:
            parts = [e for e in (action.guard, action.value) if e is not None]
            found.setdefault(action.target, []).extend(parts)
    return found
