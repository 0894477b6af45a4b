"""Where the numbers of states chosen while running lie: in come groups, out come slots.

s = a*x + b*y, der(s) = a*der(x) + b*der(y)    ->    variables ((x, y), (der(x), der(y))), ...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freewheel.base.slots import ChoiceSlots
from freewheel.formula.nodes import Var
from freewheel.program.layout import Layout
from freewheel.structure.atoms import der_of
from freewheel.structure.index.dynamic_states import normal_of, pivot_of, state_of
from freewheel.structure.nodes import Ordered


def choice_slots(ordered: Ordered, layout: Layout) -> Iterator[ChoiceSlots]:
    # The relations that watch the groups are the last ones, in the order of the groups.
    watches = ordered.hybrid.crossings[len(ordered.hybrid.crossings) - len(ordered.groups) :]
    for group, gradient, watch in zip(ordered.groups, layout.gradients, watches, strict=True):
        columns, states = range(len(group.variables)), range(group.state_count)
        yield ChoiceSlots(
            variables=_orders(group.variables, group.order, layout),
            states=_orders([state_of(group, k) for k in states], group.order, layout),
            gradient=gradient,
            pivots=tuple(
                tuple(layout.slots[pivot_of(group, k, j)] for j in columns) for k in states
            ),
            normals=tuple(
                tuple(layout.slots[normal_of(group, i, j)] for j in columns)
                for i in range(len(gradient))
            ),
            scales=group.scales,
            ranks=group.ranks,
            status=layout.slots[watch.status],
        )


def _orders(variables: Sequence[Var], order: int, layout: Layout) -> tuple[tuple[int, ...], ...]:
    """Slots of the variables, then of their derivatives, below the highest."""
    result = []
    for _ in range(order):
        result.append(tuple(layout.slots[var] for var in variables))
        variables = [der_of(var) for var in variables]
    return tuple(result)
