"""Which equations say something else after an event, so that values that met them do no more.

    x + y = if time < 1 then 3 else 5          jumps
    y = if x > 0 then 2*x else x               does not: the branches meet where the relation turns
    der(y) = if x > 0 then 2*der(x) else der(x)        jumps
    d = density(p, h, phase)                   does not, if `derivative(noDerivative = phase)` says that
                                               `phase` follows from `p` and `h`

In: relations and discrete quantities. The equation is compared with itself at generic points: of each
relation, on both sides of a point where it turns; of any other discrete quantity, with two values. At
such a point, what follows from parameters and time has the value that follows, not any:

    b = a^2/2;  s = if time < a then time^2/2 else b + a*(time - a)         does not jump

Relations between parameters, and what only the start sets, do not change at events.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property

from freewheel.base.names import Name
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import Call, Expr, Real, Var
from freewheel.formula.shape import FunctionLookup
from freewheel.formula.types import BOOLEAN, REAL, Scalar
from freewheel.formula.walk import replace as replace_nodes
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import base_of, is_pre, pre_of
from freewheel.structure.events.given_quantities import KnownQuantities
from freewheel.structure.initial.phase import Phase
from freewheel.structure.nodes import Hybrid, ScalarEquation, ScalarVariable
from freewheel.structure.switching.conditions import MAX_DEPTH, definitions
from freewheel.structure.switching.conflicts.gradient import KNOWN_FUNCTIONS, Gradient
from freewheel.structure.thresholds import CANCELLATION, GOLDEN
from freewheel.structure.values import ParameterValues

POINTS = 4  # generic ones; a relation inside a branch may hold at some and fail at others
ROUNDS = 40  # of Newton's method
SPREAD = 4.0  # values on both sides of zero
CALL = "$call"
NOTHING: Mapping[Var, float] = {}


class Jumps:
    def __init__(
        self,
        hybrid: Hybrid,
        variables: Mapping[Name, ScalarVariable],
        values: ParameterValues,
        functions: FunctionLookup = lambda name: None,
    ) -> None:
        self.hybrid = hybrid
        self.crossing = {crossing.status: crossing for crossing in hybrid.crossings}
        self.definition = definitions(hybrid.discrete_equations)[0]
        self.discrete = frozenset(hybrid.discrete)
        self.variables = variables
        self.values = values
        self.functions = functions
        self.known: dict[Expr, bool] = {}
        self.calls: dict[Expr, Var] = {}
        self.resting = _resting(hybrid)
        self.turning: dict[Var, bool] = {}  # statuses: can they change while the model runs?
        self.inside: dict[Expr, Expr] = {}

    @cached_property
    def quantities(self) -> KnownQuantities:
        """Those that follow from what is known."""
        phase = Phase(is_initial=False)
        equations = map(phase.equation, self.hybrid.equations)
        return KnownQuantities(equations, self.hybrid, self.variables)

    def of(self, equation: ScalarEquation) -> bool:
        residual = self.meant(build.minus(equation.left, equation.right))
        if residual not in self.known:
            events = [var for var in variables_in(residual) if self.changes_at_events(var)]
            self.known[residual] = any(
                self._jumps(residual, var, number) for var in events for number in range(POINTS)
            )
        return self.known[residual]

    def changes_at_events(self, var: Var) -> bool:
        if var in self.crossing:
            return self._turns(var)
        if is_pre(var) or var in self.discrete:
            return (base_of(var) if is_pre(var) else var) not in self.resting
        return self.is_discrete(var)

    def is_discrete(self, var: Var) -> bool:
        if is_pre(var) or var in self.discrete:
            return True
        variable = self.variables.get(var.name)
        return variable is not None and variable.variability is Variability.DISCRETE

    def _turns(self, status: Var) -> bool:
        if status not in self.turning:
            self.turning[status] = True  # of one that looks at itself nothing is known
            inside = variables_in(self.distance(status))
            self.turning[status] = any(map(self._moves, inside))
        return self.turning[status]

    def _moves(self, var: Var) -> bool:
        if var in self.crossing or is_pre(var) or var in self.discrete:
            return self.changes_at_events(var)
        variable = self.variables.get(var.name)
        return variable is None or variable.variability > Variability.PARAMETER

    def distance(self, status: Var) -> Expr:
        """What a relation compares with zero, with the formulas of what is known in place."""
        if status not in self.inside:
            crossing = self.crossing[status]
            self.inside[status] = self.meant(build.minus(crossing.left, crossing.right), True)
        return self.inside[status]

    def formula(self, var: Var) -> Expr | None:
        """What the value follows from: of a relation, its distance."""
        if var in self.crossing:
            return self.distance(var)
        known = self.quantities.value(var)
        return None if known is None else self.meant(known)

    def _jumps(self, residual: Expr, var: Var, number: int) -> bool:
        point = _Point(self, number)
        if var in self.crossing:
            point.move_to_where_turns(var)
        sides = [point.value(residual, {var: value}) for value in self._values_of(var)]
        found = [side for side in sides if side is not None]
        if len(found) < len(sides):
            return True  # a function of what jumps
        return max(found) - min(found) > CANCELLATION.left * max(1.0, *map(abs, found))

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

    def meant(self, expr: Expr, with_known: bool = False) -> Expr:
        """Definitions of discrete quantities without memory are put in; a number stands for the value
        of a function that does not change at events."""
        for _ in range(MAX_DEPTH):
            deeper = self.quantities.put_in(expr) if with_known else expr
            deeper = replace_nodes(deeper, self._meaning)
            if deeper is expr:
                break
            expr = deeper
        return expr

    def _meaning(self, node: Expr) -> Expr | None:
        if isinstance(node, Var):
            return self.definition.get(node)
        if not isinstance(node, Call) or node.data in KNOWN_FUNCTIONS:
            return None
        number = self.values.number(node)
        if number is not None:
            return Real(number)
        inside = variables_in(*self._arguments_of(node))
        if any(self.changes_at_events(var) or var in self.definition for var in inside):
            return None
        return self.calls.setdefault(node, Var((CALL, len(self.calls))))

    def _arguments_of(self, call: Call) -> tuple[Expr, ...]:
        """Arguments that the value depends on. One that is excluded from a derivative follows from the
        others: Modelica 3.6, "Using the Derivative Annotation"."""
        function = None if isinstance(call.function, str) else self.functions(call.function)
        first = next((d for d in function.derivatives if d.order == 1), None) if function else None
        if function is None or first is None:
            return call.args
        inputs = zip(function.inputs(), call.args, strict=True)
        return tuple(arg for variable, arg in inputs if variable.name not in first.no_derivative)


def _resting(hybrid: Hybrid) -> frozenset[Var]:
    """Discrete quantities that keep the value of the start: `b = pre(b)`, once `initial()` is false."""
    phase = Phase(is_initial=False)
    running = (
        (equation.left, phase.expr(equation.right))
        for equation in hybrid.discrete_equations
        if isinstance(equation.left, Var)
    )
    return frozenset(left for left, right in running if right is pre_of(left))


class _Point:
    """Numbers for all variables; those that relations look at decide these."""

    def __init__(self, jumps: Jumps, number: int) -> None:
        self.jumps = jumps
        self.number = number
        self.numbers: dict[Var, float] = {}
        self.following: dict[Var, float | None] = {}  # from these

    def value(self, expr: Expr, given: Mapping[Var, float] = NOTHING) -> float | None:
        def number_of(var: Var) -> float | None:
            return given[var] if var in given else self._number(var)

        found = Gradient(number_of, lambda var: False).of(expr)
        return None if found is None else found[0]

    def move_to_where_turns(self, status: Var) -> None:
        """Newton's method in the variable that moves the relation most. Where there is none, discrete
        quantities move it, anywhere."""
        distance = self.jumps.distance(status)
        for _ in range(ROUNDS):
            found = Gradient(self._number, self._is_continuous).of(distance)
            if found is None or not found[1] or abs(found[0]) < CANCELLATION.turned:
                return
            var, slope = max(found[1].items(), key=lambda item: abs(item[1]))
            if slope == 0.0:
                return
            self.numbers[var] -= found[0] / slope
            self.following.clear()

    def _is_continuous(self, var: Var) -> bool:
        jumps = self.jumps
        is_stepped = var in jumps.crossing or jumps.is_discrete(var)
        return not is_stepped and jumps.values.value(var) is None

    def _number(self, var: Var) -> float | None:
        jumps = self.jumps
        if var in self.numbers:
            return self.numbers[var]
        if var in self.following:
            return self.following[var]
        found = None if var in jumps.crossing else jumps.values.value(var)
        if found is not None:
            return float(found) if isinstance(found, int | float) else None
        formula = jumps.formula(var)
        if formula is None:
            self.numbers[var] = self._generic(var)
            return self.numbers[var]
        self.following[var] = -1.0  # of a relation that looks at itself: one side of it
        value = self.value(formula)
        if value and var in jumps.crossing:
            value = math.copysign(1.0, value)
        self.following[var] = value
        return value

    def _generic(self, var: Var) -> float:
        share = (GOLDEN * (len(self.numbers) + 1 + 7 * self.number)) % 1.0
        if not self.jumps.is_discrete(var) or self.jumps.type_of(var) == REAL:
            return SPREAD * (share - 0.5)
        return float(share > 0.5)
