"""The quantized states of a model with an implicit core: their memory, and how they go on after an event.

    group = CoreGroup(live, method, columns, tolerance, memory)
    group.qss, group.group                                  # records: as of a `QuantizedSpace`; of the group
    code = group.go_on(t)                                   # in the mode of the present bits

Which of the unknowns are quantized depends on the mode (`qss/switched/mode.py`); all of them have room.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from freewheel.machine.memory import Memory, address_of, bind
from freewheel.runtime.model import CompiledModel, Vector
from freewheel.runtime.qss.methods import QuantizedMethod
from freewheel.runtime.qss.space import new_qss
from freewheel.runtime.qss.switched.memory import QssGroup
from freewheel.runtime.qss.switched.time_loop import group_driver
from freewheel.runtime.switched_dae.attached import AttachedCore
from freewheel.runtime.switched_dae.mode_visits import (
    core_go_on,
    core_point,
    core_renew_here,
    core_seen_here,
)

if TYPE_CHECKING:
    from freewheel.runtime.live import LiveModel


class CoreGroup:
    def __init__(
        self,
        live: LiveModel,
        method: QuantizedMethod,
        columns: Sequence[int],
        tolerance: float,
        memory: Memory,
    ) -> None:
        model = live.model
        self.n = n = len(model.states)
        self.loud = _loud(model)
        elements = len(model.core.elements)
        watchers = elements + len(self.loud)
        self.qss = new_qss(
            memory, method, live.memory, n + watchers + 1, n=n, record_count=n, columns=columns
        )
        self.group: QssGroup = memory.new(
            QssGroup,
            n=n,
            element_count=elements,
            loud_count=len(self.loud),
            time_slot=model.time,
            states_slot=model.states.start,
            slopes_slot=model.derivatives.start,
            is_bent=int(not model.core.is_linear),
            tolerance=tolerance,
            qss=self.qss,
        )
        core = live.core
        assert isinstance(core, AttachedCore)
        self.group.core = core.record
        self.address = address_of(self.group)
        corners = [(e.relation, model.states.start + e.unknown, -1) for e in core.record.elements]
        others = [(k, model.relations[k].residual, model.relations[k].status) for k in self.loud]
        for watcher, known in zip(self.group.watchers, [*corners, *others], strict=True):
            watcher.relation, watcher.value_slot, watcher.status_slot = known
        bind(
            self.group,
            derivatives=live.addresses["derivatives"]
            if model.core.is_linear
            else core.visit_section(core_point),
            relations=live.addresses["relations"],
            go_on=core.visit_section(core_go_on),
            renew=core.visit_section(core_renew_here),
            reach=core.visit_section(core_seen_here),
        )
        if live.history is not None:
            self.group.has_history, self.group.history = 1, live.history.record
        self._begin = group_driver.callable("begin_group")

    def take_bands(self, bands: Vector) -> None:
        """Relations that chatter leave their status only beyond a band."""
        self.group.watchers.column("band")[self.group.element_count :] = bands[list(self.loud)]

    def go_on(self, t: float) -> int:
        """At the values in memory."""
        self.group.is_pending = 0
        return int(self._begin(self.address, t))


def _loud(model: CompiledModel) -> tuple[int, ...]:
    """Relations that are neither corners of elements nor straight lines of time."""
    corners = {slot for element in model.core.elements for slot, _ in element.statuses}
    return tuple(
        number
        for number, relation in enumerate(model.relations)
        if not relation.is_straight and relation.status not in corners
    )
