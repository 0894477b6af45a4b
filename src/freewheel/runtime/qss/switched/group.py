"""Allocates the quantized states of a model with an implicit core.

    qss = core_states(live, method, columns, tolerance, memory)

Which of the unknowns are quantized depends on the mode (`qss/switched/modes.py`); there is room for all of
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from freewheel.machine.memory import Memory, bind
from freewheel.runtime.model import CompiledModel
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.qss.methods import QuantizedMethod
from freewheel.runtime.qss.space import new_qss
from freewheel.runtime.qss.switched.memory import CoreGroup
from freewheel.runtime.switched_dae.attached import AttachedCore
from freewheel.runtime.switched_dae.mode_visits import (
    core_go_on,
    core_point,
    core_renew_here,
    core_seen_here,
)

if TYPE_CHECKING:
    from freewheel.runtime.live import LiveModel


def core_states(
    live: LiveModel,
    method: QuantizedMethod,
    columns: Sequence[int],
    tolerance: float,
    memory: Memory,
) -> Qss:
    model, core = live.model, live.core
    assert isinstance(core, AttachedCore)
    n, first = len(model.states), model.states.start
    corners = [(e.relation, -1, first + e.unknown) for e in core.record.elements]
    others = [(k, model.relations[k].status, model.relations[k].residual) for k in _others(model)]
    crossings = [*corners, *others]
    qss = new_qss(
        memory, method, live.memory, n + len(crossings) + 1, n=n, record_count=n, columns=columns,
        relation_count=len(crossings), has_core=1, first_delay_item=n + len(crossings) + 1,
    )  # fmt: skip
    for relation, known in zip(qss.relations, crossings, strict=True):
        relation.number, relation.status_slot, relation.value_slot = known
    group: CoreGroup = memory.new(
        CoreGroup,
        n=n,
        element_count=len(corners),
        relation_count=len(others),
        time_slot=model.time,
        states_slot=first,
        slopes_slot=model.derivatives.start,
        is_nonlinear=int(not model.core.is_linear),
        tolerance=tolerance,
    )
    qss.group, group.core = group, core.record
    is_linear = model.core.is_linear
    bind(
        group,
        derivatives=live.addresses["derivatives"] if is_linear else core.visit_section(core_point),
        relations=live.addresses["relations"],
        go_on=core.visit_section(core_go_on),
        renew=core.visit_section(core_renew_here),
        reach=core.visit_section(core_seen_here),
    )
    if live.history is not None:
        group.has_history, group.history = 1, live.history.record
    return qss


def _others(model: CompiledModel) -> list[int]:
    """Relations that are neither corners of elements nor linear in time."""
    corners = {slot for element in model.core.elements for slot, _ in element.statuses}
    return [
        number
        for number, relation in enumerate(model.relations)
        if not relation.is_straight and relation.status not in corners
    ]
