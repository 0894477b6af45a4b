"""`min` and `max` of variables as data beside the code: numbers, or slots where parameters decide.

    parameter Real R(min = 0);  Real i(max = 2*limit)   ->   RangeSlots("R", ..), RangeSlots("i", ..)

A bound that follows a settable parameter is computed by the section `parameters`, if it is a sum or
product: nothing in it can fail. Other formulas of settable parameters are left out. Integers that vary
are held by numbers of double precision; beyond 2^53 these are not exact any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite

from freewheel.base.names import show
from freewheel.base.slots import Info, RangeSlots
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import Binary, Expr, Integer, Real, Unary, Var
from freewheel.formula.types import INTEGER, REAL
from freewheel.formula.walk import nodes_of, variables_in
from freewheel.program.layout import Layout
from freewheel.structure.nodes import ScalarVariable
from freewheel.structure.values import ParameterValues

LARGEST_EXACT = 2.0**53
PLAIN = (Real, Integer, Var, Unary, Binary)
SAFE_OPERATORS = ("+", "-", "*")

Bound = tuple[float, int]  # a number, or the slot that holds it


class Ranges:
    """Bounds with places; `formulas` are what the section `parameters` computes."""

    def __init__(
        self,
        variables: Sequence[ScalarVariable],
        layout: Layout,
        values: ParameterValues,
        computed: frozenset[Var],
    ) -> None:
        self.layout, self.values, self.computed = layout, values, computed
        self.formulas: list[tuple[int, Expr]] = []
        self.slots: dict[Expr, int] = {}
        self.bounds: list[tuple[ScalarVariable, Bound, Bound]] = []
        for variable in variables:
            if variable.type in (REAL, INTEGER):
                self._add(variable)

    def _add(self, variable: ScalarVariable) -> None:
        varies = variable.variability > Variability.PARAMETER
        largest = LARGEST_EXACT if varies and variable.type == INTEGER else inf
        if variable.minimum is None and variable.maximum is None and largest == inf:
            return
        lowest = self._bound(variable.minimum, -largest)
        highest = self._bound(variable.maximum, largest)
        if lowest != (-inf, -1) or highest != (inf, -1):
            self.bounds.append((variable, lowest, highest))

    def _bound(self, expr: Expr | None, unsaid: float) -> Bound:
        if expr is None:
            return unsaid, -1
        if not any(map(self._is_data, variables_in(expr))):
            number = self.values.number(expr)
            return (unsaid if number is None or not isfinite(number) else number), -1
        if not all(map(_is_safe, nodes_of(expr))):
            return unsaid, -1
        if expr not in self.slots:
            self.slots[expr] = self.layout.new("bound")
            self.formulas.append((self.slots[expr], expr))
        return unsaid, self.slots[expr]

    def _is_data(self, var: Var) -> bool:
        """Whether a user may give it another value, or it follows from such a one."""
        variable = self.values.variables.get(var.name)
        is_final = variable is not None and variable.is_final and var not in self.computed
        return var in self.layout.slots and not is_final

    def slots_of(self, infos: Sequence[Info]) -> tuple[RangeSlots, ...]:
        """The bounds, each with the place of its variable."""
        known = {info.name: info for info in infos}
        found = []
        for variable, (low, low_slot), (high, high_slot) in self.bounds:
            info = known.get(show(variable.name))
            if info is None:
                continue
            place = (info.name, info.slot, info.sign, info.offset, info.kind)
            is_integer = variable.type == INTEGER
            found.append(
                RangeSlots(*place, low, high, low_slot, high_slot, is_integer, variable.span)
            )
        return tuple(found)


def _is_safe(node: Expr) -> bool:
    if isinstance(node, Binary):
        return node.op in SAFE_OPERATORS
    return isinstance(node, PLAIN) and not (isinstance(node, Unary) and node.data == "not")
