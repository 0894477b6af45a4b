"""The states that a model chooses while it runs, for `events/dynamic_states_kernels.py`.

choices = StateChoices(live)
choices.choose()        # after `relations`, at a point that counts
choices.closure         # the same for the time loop
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from freewheel.machine.memory import Closure, Memory, address_of
from freewheel.runtime.events.dynamic_states_kernels import Choices, choose_states, state_choice

if TYPE_CHECKING:
    from freewheel.base.slots import ChoiceSlots
    from freewheel.runtime.live import LiveModel


class StateChoices:
    def __init__(self, live: LiveModel) -> None:
        self._live = live
        self.record = allocated(live.records, live.model.choices)
        self.closure = Closure(self.record, state_choice.address("choose_states"), choose_states)
        self._choose = state_choice.callable("choose_states")

    def choose(self) -> None:
        self._choose(self._live.address, address_of(self.record))


def allocated(memory: Memory, choices: Sequence[ChoiceSlots]) -> Choices:
    record = memory.new(Choices, count=len(choices))
    for number, choice in enumerate(choices):
        place = record.choices[number]
        memory.lay_out(
            place,
            constraints=len(choice.gradient),
            size=len(choice.scales),
            orders=len(choice.variables),
        )
        place.status_slot = choice.status
        place.scales[:] = choice.scales
        place.ranks[:] = choice.ranks
        for array, slots in (
            (place.variable_slots, choice.variables),
            (place.state_slots, choice.states),
            (place.gradient_slots, choice.gradient),
            (place.pivot_slots, choice.pivots),
            (place.normal_slots, choice.normals),
        ):
            array[:] = [slot for row in slots for slot in row]
    return record
