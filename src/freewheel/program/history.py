"""Where the lines of the history have their numbers: in comes the layout, out come slots.

delay_slots(ordered, layout)      one `DelaySlots` for each `delay(..)` of the model
"""

from __future__ import annotations

from freewheel.program.layout import Layout
from freewheel.program.nodes import DelaySlots
from freewheel.structure.atoms import delayed_of, lag_of, last_break_of, next_break_of
from freewheel.structure.nodes import Ordered


def delay_slots(ordered: Ordered, layout: Layout) -> tuple[DelaySlots, ...]:
    hybrid, slots = ordered.hybrid, layout.slots
    watchers = {crossing.right: n for n, crossing in enumerate(hybrid.crossings)}
    return tuple(
        DelaySlots(
            slots[delayed_of(line.number)],
            slots[lag_of(line.number)],
            longest,
            slots[next_break_of(line.number)],
            slots[last_break_of(line.number)] if line.is_variable else -1,
            watchers[next_break_of(line.number)],
            line.text,
            line.span,
        )
        for line, longest in zip(hybrid.aliases.model.delays, layout.longest, strict=True)
    )
