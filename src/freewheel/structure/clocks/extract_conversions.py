"""What stands inside a conversion gets a name of its own.

    y = subSample(a + b, 2)      ->      h = a + b;  y = subSample(h, 2)

So that each conversion joins two variables, which may be on different clocks. In: scalar
expressions. Out: the same over hidden variables, whose equations are collected. Modelica 3.6,
"Flattening of Model" in "Clock Partitioning".
"""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.base.names import Name
from freewheel.base.source import Span
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import TIME, Call, Expr, Var
from freewheel.formula.scalar_type import type_of
from freewheel.formula.statement_nodes import Function
from freewheel.formula.types import BOOLEAN, REAL, Scalar
from freewheel.formula.walk import map_bottom_up, variables_in
from freewheel.structure.atoms import DER, PRE, SAMPLE, WHEN
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.clocks import diagnostics as faults
from freewheel.structure.clocks.operators import CONVERSIONS, IsClock, has_clocks
from freewheel.structure.nodes import ScalarEquation, ScalarVariable

CONVERTED = "$converted"  # ("$converted", k): an argument of a conversion
_NEEDS_NAME = ("hold", "backSample", "previous")


class Extraction:
    """Rewrites; knows all variables, hidden ones included."""

    def __init__(
        self,
        variables: Mapping[Name, ScalarVariable],
        functions: Mapping[tuple[str, ...], Function],
        is_clock: IsClock,
    ) -> None:
        self.variables = dict(variables)
        self.functions = functions
        self.is_clock = is_clock
        self.equations: list[ScalarEquation] = []
        self.known: dict[Expr, Var] = {}
        self.memo: dict[Expr, Expr] = {}

    def expr(self, expr: Expr, span: Span, origin: Name) -> Expr:
        if not has_clocks(expr):
            return expr

        def visit(node: Expr) -> Expr:
            return self._visit(node, span, origin)

        return map_bottom_up(expr, visit, self.memo)

    def _visit(self, node: Expr, span: Span, origin: Name) -> Expr:
        if not isinstance(node, Call) or not node.args or self.is_clock(node.args[0]):
            return node
        first = node.args[0]
        is_event = node.function == "Clock" and self.type(first) == BOOLEAN
        if node.function not in CONVERSIONS and node.function != "previous" and not is_event:
            return node
        if self.is_plain(first) or first is TIME:
            return node
        if node.function in _NEEDS_NAME:
            raise faults.misplaced(
                f"`{node.function}({expr_text(first)})` needs a variable",
                span,
                f"give the value a name and apply `{node.function}` to it: what it is before the"
                " first tick is the variable's start value",
            )
        return node.with_args((self.named(first, span, origin), *node.args[1:]))

    def is_plain(self, expr: Expr) -> bool:
        """A variable, or nothing that could have a clock."""
        if isinstance(expr, Var) and expr.name in self.variables:
            return True
        return not has_clocks(expr) and not any(
            self.is_unknown(var) or var is TIME for var in variables_in(expr)
        )

    def is_unknown(self, var: Var) -> bool:
        if var.name[0] in (DER, PRE, WHEN, SAMPLE):
            return True
        variable = self.variables.get(var.name)
        return variable is not None and variable.variability > Variability.PARAMETER

    def named(self, expr: Expr, span: Span, origin: Name) -> Var:
        var = self.known.get(expr)
        if var is not None:
            return var
        var = self.known[expr] = Var((CONVERTED, len(self.known) + 1))
        kind = self.type(expr)
        steps = Variability.CONTINUOUS if kind == REAL else Variability.DISCRETE
        self.variables[var.name] = ScalarVariable(
            var.name, kind, steps, is_protected=True, span=span
        )
        self.equations.append(ScalarEquation(var, expr, span, origin))
        return var

    def type(self, expr: Expr) -> Scalar:
        return type_of(expr, self._type, self.functions.get)

    def _type(self, name: Name) -> Scalar:
        while name[0] in (DER, PRE):
            name = name[1:]
        if name[0] in (WHEN, SAMPLE):
            return BOOLEAN
        variable = self.variables.get(name)
        return REAL if variable is None else variable.type
