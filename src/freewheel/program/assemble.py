"""The program around its sections: which slots are states, relations, samples, parameters, ...

assembled(lowering, sections, derivatives, relations)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from freewheel.base.names import show
from freewheel.base.slots import RelationSlots, StateSlots
from freewheel.formula.build import minus
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import TIME, Var
from freewheel.formula.walk import contains, variables_in
from freewheel.program.choices import choice_slots
from freewheel.program.describe import (
    decisive_of,
    experiment_of,
    infos_of,
    inputs_of,
    nominal_of,
    pivots_of,
    settable,
    texts_of,
)
from freewheel.program.history import delay_slots, pipe_slots
from freewheel.program.nodes import Program, Step
from freewheel.program.sparsity import state_sparsity
from freewheel.structure.atoms import AWAKE, HISTORY, SHARE, TERMINAL, pre_of, show_atom
from freewheel.structure.nodes import Crossing

if TYPE_CHECKING:
    from freewheel.program.lower import Lowering


def assembled(
    lowering: Lowering,
    sections: dict[str, tuple[Step, ...]],
    plain_derivatives: Sequence[Step],
    plain_relations: Sequence[Step],
) -> Program:
    ordered, layout = lowering.ordered, lowering.layout
    first, stop = layout.derivative_range
    states = tuple(
        StateSlots(
            show_atom(state.name),
            lowering.slot(state),
            first + number,
            nominal_of(state, lowering.variables, lowering.values),
        )
        for number, state in enumerate(ordered.integrated)
    )
    infos = infos_of(ordered, layout, lowering.variables, lowering.values)
    return Program(
        name=show(ordered.scalar.name),
        start=tuple(lowering.start),
        names=tuple(layout.names),
        time=0,
        states=(1, 1 + len(states)),
        derivatives=(first, stop),
        state_slots=states,
        variables=infos,
        texts=texts_of(ordered, lowering.values),
        ranges=lowering.ranges.slots_of(infos),
        inputs=inputs_of(ordered, layout),
        parameters=settable(ordered, layout),
        decisive=decisive_of(ordered, layout, lowering.values),
        pivots=pivots_of(ordered, layout),
        sections=sections,
        relations=_relation_slots(lowering),
        samples=tuple(layout.samples),
        sample_spans=tuple(clock.span for clock in ordered.hybrid.samples),
        terminal_flag=_terminal_flag(lowering),
        awake=lowering.slot(AWAKE) if lowering.gates else -1,
        started=layout.started,
        share=layout.slots.get(SHARE, -1),
        follow=layout.follow,
        discrete=tuple(
            (lowering.slot(v), lowering.slot(pre_of(v))) for v in ordered.held if v in layout.slots
        ),
        reinits=_reinit_slots(lowering),
        functions=ordered.functions,
        object_count=len(layout.objects),
        integer_slots=frozenset(layout.integers),
        boolean_slots=frozenset(layout.booleans),
        experiment=experiment_of(ordered.scalar.experiment),
        sparsity=_sparsity(lowering),
        choices=tuple(choice_slots(lowering.ordered, lowering.layout)),
        delays=delay_slots(ordered, layout, lowering.dependence),
        pipes=pipe_slots(ordered, layout),
        watches_time=lowering.watches_time(),
        corners=tuple(lowering.corner_slots),
        swing=lowering.swing_slot,
        history=layout.slots.get(HISTORY, -1),
        plain_derivatives=tuple(plain_derivatives),
        plain_relations=tuple(plain_relations),
        warnings=ordered.warnings,
    )


def _sparsity(lowering: Lowering) -> tuple[tuple[int, ...], ...] | None:
    """An implicit core has matrices of its own."""
    if lowering.ordered.core.is_there:
        return None
    return state_sparsity(lowering.dependence, lowering.ordered.states)


def _terminal_flag(lowering: Lowering) -> int:
    """Only where the model asks for it: the end of a run is an event then."""
    hybrid = lowering.ordered.hybrid
    asked = [e.right for e in hybrid.discrete_equations]
    asked += [a.guard for a in hybrid.actions if a.guard is not None]
    is_used = any(contains(e, TERMINAL) for e in asked)
    return lowering.slot(TERMINAL) if is_used else -1


def _relation_slots(lowering: Lowering) -> tuple[RelationSlots, ...]:
    behind = lowering.dependence.behind_loops()
    curve_of = _curves(lowering)
    return tuple(
        RelationSlots(
            *(lowering.slot(c.status), residual, c.text, c.depends_on_time_only),
            *(c.span, c.expression, c.is_watch),
            any(behind.get(v, False) for v in variables_in(c.left, c.right)),
            has_known_zeros(c),
            *curve_of.get(c.status, ()),
        )
        for c, residual in zip(
            lowering.ordered.hybrid.crossings, lowering.layout.residuals, strict=True
        )
    )


def _curves(lowering: Lowering) -> dict[Var, tuple[int, float]]:
    """Of relations that are linear in one unknown: its number, and the slope."""
    hybrid = lowering.ordered.hybrid
    numbers = {var: number for number, var in enumerate(hybrid.continuous)}
    found: dict[Var, tuple[int, float]] = {}
    for crossing in hybrid.crossings:
        moving = [v for v in variables_in(crossing.left, crossing.right) if v in numbers]
        difference = minus(crossing.left, crossing.right)
        form = linear_form(difference, moving) if len(moving) == 1 else None
        slope = None if form is None else lowering.values.number(form[0][0])
        if slope:
            found[crossing.status] = numbers[moving[0]], slope
    return found


def _reinit_slots(lowering: Lowering) -> tuple[tuple[int, int, int], ...]:
    actions = [a for a in lowering.ordered.hybrid.actions if a.kind == "reinit"]
    return tuple(
        (lowering.slot(action.target), new, flag)
        for action, (flag, new) in zip(actions, lowering.layout.reinits, strict=True)
        if action.target is not None
    )


def has_known_zeros(crossing: Crossing) -> bool:
    """It is a straight line in time alone."""
    sides = (crossing.left, crossing.right)
    return crossing.depends_on_time_only and all(
        linear_form(side, (TIME,)) is not None for side in sides
    )
