"""Impulses in derivatives of quantities that jump: where they end.

    s = if time < 1 then 0 else 4,  v = der(s),  y = 2*v          v and y have an impulse, nothing else
    s = if time < 1 then 0 else 4,  der(x) = x + der(s)           x jumps by 4

In: equations with their derivatives, and which of them jump. Out: those that give a known quantity (see
events/given_quantities.py) and whose impulses reach known quantities only. There is no state that such an
impulse could change, so these equations may be differentiated like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.pantelides import NONE
from freewheel.structure.atoms import base_of, is_der

if TYPE_CHECKING:
    from freewheel.structure.index.reduce_index import Chains

# Of a quantity: equation that jumps -> first derivative of the quantity that is an impulse by it.
Orders = Mapping[int, int]


def ending_in_known(
    chains: Chains, levels: Mapping[int, int], givers: Mapping[int, Var]
) -> tuple[tuple[int, Var, tuple[Var, ...]], ...]:
    """Equations that jump, what they give, and the quantities that are impulses then. `levels`: number of an
    equation that jumps -> how often it is differentiated before it does. `givers`: equation -> the known
    quantity that it gives, one after the other as they follow."""
    orders: dict[Var, Orders] = {}
    for row, var in givers.items():
        found = _orders(chains, row, orders)
        if row in levels:
            found[row] = min(found.get(row, levels[row] + 1), levels[row] + 1)
        if found:
            orders[var] = found
    reached = {
        source
        for row, first in enumerate(origins(chains))
        if first not in givers
        for source, order in _seen_by(chains, row, orders)
        if order == 0
    }
    return tuple(
        (row, givers[row], tuple(var for var, found in orders.items() if found.get(row) == 0))
        for row in levels
        if row in givers and row not in reached
    )


def origins(chains: Chains) -> list[int]:
    """Of each equation, which given one it is a derivative of."""
    first = list(range(len(chains.equations)))
    for row, later in enumerate(chains.equation_derivative):
        if later != NONE:
            first[later] = first[row]
    return first


def _orders(chains: Chains, row: int, orders: Mapping[Var, Orders]) -> dict[int, int]:
    found: dict[int, int] = {}
    for source, order in _seen_by(chains, row, orders):
        found[source] = min(found.get(source, order), order)
    return found


def _seen_by(chains: Chains, row: int, orders: Mapping[Var, Orders]) -> Iterator[tuple[int, int]]:
    """(what jumps, how often this equation must be differentiated to hold an impulse by it)."""
    equation = chains.equations[row]
    for var in variables_in(equation.left, equation.right):
        count = 0
        while is_der(var):
            var, count = base_of(var), count + 1
        for source, order in orders.get(var, {}).items():
            yield source, max(order - count, 0)
