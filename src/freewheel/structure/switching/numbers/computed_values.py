"""Values of formulas over values, functions of the modeller included.

    Computed(functions).value(f(1) + 2^3)       ->      9, with f(1) = 1

Builtin functions of numbers are computed when a formula is built; for others their algorithm is run.
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.formula import build
from freewheel.formula.builtin_values import SCALAR
from freewheel.formula.nodes import Binary, Call, Expr
from freewheel.formula.statement_nodes import Function
from freewheel.formula.types import INTEGER, REAL
from freewheel.formula.values import to_expr
from freewheel.formula.walk import map_bottom_up, nodes_of, variables_in
from freewheel.structure.values import ParameterValues

_ARITHMETIC = {"+": build.plus, "-": build.minus, "*": build.times, "/": build.over}
_BUILTIN = (SCALAR.keys() | {"max", "min"}) - {"String", "semiLinear"}


class Computed:
    def __init__(self, functions: Sequence[Function]) -> None:
        self.functions = {f.name for f in functions if _gives_one_number(f)}
        self.values = ParameterValues({}, functions)
        self.memo: dict[Expr, Expr] = {}

    def is_function(self, name: object) -> bool:
        """Whether it has one value for each value of its arguments."""
        return name in _BUILTIN or name in self.functions

    def value(self, expr: Expr) -> Expr | None:
        """A number or a formula of parameters; None where it has no value: `1/0`, a function of
        parameters."""
        value = self.formula(expr)
        for node in nodes_of(value):
            if isinstance(node, Call) or (node.args and not variables_in(node)):
                return None
        return value

    def formula(self, expr: Expr) -> Expr:
        """With what can be computed as numbers."""
        return map_bottom_up(expr, self._visit, self.memo)

    def _visit(self, node: Expr) -> Expr:
        if isinstance(node, Binary) and node.op in _ARITHMETIC:
            return _ARITHMETIC[node.op](node.left, node.right)
        if isinstance(node, Call) and node.function in self.functions and not variables_in(node):
            found = self.values.value(node)
            return node if found is None else to_expr(found)
        return build.rebuilt(node, node.args) if node.args else node


def _gives_one_number(function: Function) -> bool:
    outputs = function.outputs()
    is_number = (
        len(outputs) == 1 and not outputs[0].dims and outputs[0].type.scalar in (REAL, INTEGER)
    )
    return is_number and not function.is_impure and function.external is None
