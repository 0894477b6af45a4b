"""Which equations say something else after an event, so that values that met them do no more.

    x + y = if time < 1 then 3 else 5          jumps
    y = if x > 0 then 2*x else x               does not: the branches meet where the relation turns
    der(y) = if x > 0 then 2*der(x) else der(x)        jumps
    d = density(p, h, phase)                   does not, if `derivative(noDerivative = phase)` says that
                                               `phase` follows from `p` and `h`

In: relations and discrete quantities. The equation is compared with itself at generic points: of each
relation, on both sides of a point where it turns; of any other discrete quantity, with two values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from freewheel.base.names import Name
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import Call, Expr, Var
from freewheel.formula.shape import FunctionLookup
from freewheel.formula.types import BOOLEAN, REAL, Scalar
from freewheel.formula.walk import replace as replace_nodes
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import base_of, is_pre
from freewheel.structure.nodes import Hybrid, ScalarEquation, ScalarVariable
from freewheel.structure.switching.conditions import MAX_DEPTH, definitions
from freewheel.structure.switching.conflicts.gradient import KNOWN_FUNCTIONS, Gradient
from freewheel.structure.values import ParameterValues

CLOSE = 1e-9  # of the terms of an equation: what is left where two sides are the same
POINTS = 4  # generic ones; a relation inside a branch may hold at some and fail at others
ROUNDS = 40  # of Newton's method
TURNED = 1e-13
SPREAD = 4.0  # values on both sides of zero
GOLDEN = 0.6180339887498949  # its multiples never fall together
CALL = "$call"


class Jumps:
    def __init__(
        self,
        hybrid: Hybrid,
        variables: Mapping[Name, ScalarVariable],
        values: ParameterValues,
        functions: FunctionLookup = lambda name: None,
    ) -> None:
        self.crossing = {crossing.status: crossing for crossing in hybrid.crossings}
        self.definition = definitions(hybrid.discrete_equations)[0]
        self.discrete = frozenset(hybrid.discrete)
        self.variables = variables
        self.values = values
        self.functions = functions
        self.known: dict[Expr, bool] = {}
        self.calls: dict[Expr, Var] = {}

    def of(self, equation: ScalarEquation) -> bool:
        residual = self.meant(build.minus(equation.left, equation.right))
        if residual not in self.known:
            events = [var for var in variables_in(residual) if self.changes_at_events(var)]
            self.known[residual] = any(
                self._jumps(residual, var, number) for var in events for number in range(POINTS)
            )
        return self.known[residual]

    def changes_at_events(self, var: Var) -> bool:
        if var in self.crossing or is_pre(var) or var in self.discrete:
            return True
        variable = self.variables.get(var.name)
        return variable is not None and variable.variability is Variability.DISCRETE

    def _jumps(self, residual: Expr, var: Var, number: int) -> bool:
        point = _Point(self, number)
        if var in self.crossing:
            point.move_to_where_turns(var)
        sides = [point.value(residual, {var: value}) for value in self._values_of(var)]
        found = [side for side in sides if side is not None]
        if len(found) < len(sides):
            return True  # a function of what jumps
        return max(found) - min(found) > CLOSE * max(1.0, *map(abs, found))

    def _values_of(self, var: Var) -> tuple[float, ...]:
        if var in self.crossing:
            return -1.0, 1.0
        kind = self.type_of(var)
        if kind == REAL:
            return 0.34, 1.73
        return (0.0, 1.0) if kind == BOOLEAN else (0.0, 1.0, 2.0, 3.0)

    def type_of(self, var: Var) -> Scalar:
        variable = self.variables.get((base_of(var) if is_pre(var) else var).name)
        return BOOLEAN if variable is None else variable.type

    def meant(self, expr: Expr) -> Expr:
        """Definitions of discrete quantities without memory are put in; a number stands for the value
        of a function that does not change at events."""
        for _ in range(MAX_DEPTH):
            deeper = replace_nodes(expr, self._meaning)
            if deeper is expr:
                break
            expr = deeper
        return expr

    def _meaning(self, node: Expr) -> Expr | None:
        if isinstance(node, Var):
            return self.definition.get(node)
        if not isinstance(node, Call) or node.data in KNOWN_FUNCTIONS:
            return None
        inside = variables_in(*self._telling(node))
        if any(self.changes_at_events(var) or var in self.definition for var in inside):
            return None
        return self.calls.setdefault(node, Var((CALL, len(self.calls))))

    def _telling(self, call: Call) -> tuple[Expr, ...]:
        """Arguments that the value depends on. One that is excluded from a derivative follows from the
        others: Modelica 3.6, "Using the Derivative Annotation"."""
        function = None if isinstance(call.function, str) else self.functions(call.function)
        first = next((d for d in function.derivatives if d.order == 1), None) if function else None
        if function is None or first is None:
            return call.args
        inputs = zip(function.inputs(), call.args, strict=True)
        return tuple(arg for variable, arg in inputs if variable.name not in first.no_derivative)


class _Point:
    """Numbers for all variables; those that relations look at decide these."""

    def __init__(self, jumps: Jumps, number: int) -> None:
        self.jumps = jumps
        self.number = number
        self.numbers: dict[Var, float] = {}

    def value(self, expr: Expr, given: Mapping[Var, float]) -> float | None:
        def number_of(var: Var) -> float | None:
            return given[var] if var in given else self._number(var)

        found = Gradient(number_of, lambda var: False).of(expr)
        return None if found is None else found[0]

    def move_to_where_turns(self, status: Var) -> None:
        """Newton's method in the variable that moves the relation most. Where there is none, discrete
        quantities move it, anywhere."""
        distance = self._distance(status)
        for _ in range(ROUNDS):
            found = Gradient(self._number, self._is_continuous).of(distance)
            if found is None or not found[1] or abs(found[0]) < TURNED:
                return
            var, slope = max(found[1].items(), key=lambda item: abs(item[1]))
            if slope == 0.0:
                return
            self.numbers[var] -= found[0] / slope

    def _distance(self, status: Var) -> Expr:
        crossing = self.jumps.crossing[status]
        return self.jumps.meant(build.minus(crossing.left, crossing.right))

    def _is_continuous(self, var: Var) -> bool:
        return not self.jumps.changes_at_events(var) and self.jumps.values.value(var) is None

    def _number(self, var: Var) -> float | None:
        jumps = self.jumps
        if var in self.numbers:
            return self.numbers[var]
        if var in jumps.crossing:
            side = Gradient(self._number, lambda var: False).of(self._distance(var))
            return None if side is None else math.copysign(1.0, side[0])
        found = jumps.values.value(var)
        if found is not None:
            return float(found) if isinstance(found, int | float) else None
        generic = (GOLDEN * (len(self.numbers) + 1 + 7 * self.number)) % 1.0
        if not jumps.changes_at_events(var) or jumps.type_of(var) == REAL:
            self.numbers[var] = SPREAD * (generic - 0.5)
        else:
            self.numbers[var] = float(generic > 0.5)
        return self.numbers[var]
