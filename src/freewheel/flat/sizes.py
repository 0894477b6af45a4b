"""Dimensions of the expressions of a flat model.

    sizes.dims(Var(("x",)))          # () or (3,) or (2, 2)

Where a dimension depends on the value of a parameter (`x[1:n]`) the parameter's binding is put in
its place.
"""

from __future__ import annotations

from math import prod

from freewheel.base.names import TIME, Name
from freewheel.flat.nodes import FlatModel, Variability
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.nodes import Array, Expr, Field, Index, Record, Var
from freewheel.formula.shape import Shapes
from freewheel.formula.walk import substitute


class Sizes:
    def __init__(self, model: FlatModel) -> None:
        self._dims = {variable.name: variable.dims for variable in model.variables}
        self._bindings: dict[Expr, Expr] = {
            Var(variable.name): variable.binding
            for variable in model.variables
            if variable.binding is not None and variable.variability <= Variability.PARAMETER
        }
        functions = {function.name: function for function in model.functions}
        self._shapes = Shapes(self.of_name, functions.get)

    def of_name(self, name: Name) -> tuple[int, ...]:
        """Dimensions of a variable or of an element of it."""
        if name == TIME:
            return ()
        end = len(name)
        while name[:end] not in self._dims:
            assert isinstance(name[end - 1], int), name
            end -= 1
        return self._dims[name[:end]][len(name) - end :]

    def dims(self, expr: Expr) -> tuple[int, ...]:
        """Dimensions of an expression; raises `NotConstant` where nothing tells them."""
        try:
            return self._shapes.of(expr)
        except NotConstant:
            settled = self._settled(expr)
            if settled is expr:
                raise
            return self._shapes.of(settled)

    def _settled(self, expr: Expr) -> Expr:
        """The expression over bindings instead of parameters, as far as there are any."""
        for _ in range(len(self._bindings) + 1):
            deeper = substitute(expr, self._bindings)
            if deeper is expr:
                break
            expr = deeper
        return expr

    def count(self, expr: Expr) -> int:
        """How many scalars a value is made of; records count with all their fields."""
        if isinstance(expr, Record):
            return sum(self.count(arg) for arg in expr.args)
        return prod(self.dims(expr))


def targets_in(expr: Expr) -> list[Var]:
    """The variables that an assignment to this expression may change: `x` of `x[i]`."""
    found: list[Var] = []
    waiting = [expr]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Var):
            found.append(node)
        elif isinstance(node, Index | Field):
            waiting.append(node.args[0])
        elif isinstance(node, Array | Record):
            waiting.extend(reversed(node.args))
    return found
