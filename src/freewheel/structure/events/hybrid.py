"""Separate discrete from continuous, and let relations read their status.

    AliasFree -> Hybrid

An equation is discrete if nothing in it can change between events, or if it gives a variable that
cannot (Boolean, Integer, enumeration, or given in a when-clause).
"""

from __future__ import annotations

from dataclasses import replace

from freewheel.base.names import Name
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import TIME, Expr, Var
from freewheel.formula.scalar_type import type_of
from freewheel.formula.shape import FunctionLookup
from freewheel.formula.types import INTEGER, REAL, Scalar
from freewheel.formula.walk import contains, variables_in
from freewheel.structure.atoms import DER, HELD, INITIAL, PRE, STATUS
from freewheel.structure.events.crossings import Crossings
from freewheel.structure.events.delays import line_crossings
from freewheel.structure.events.diagnostics import never_rests
from freewheel.structure.events.integer_functions import HeldCalls
from freewheel.structure.events.spatial_distribution import pipe_crossings
from freewheel.structure.nodes import (
    SUBSCRIPT,
    Action,
    AliasFree,
    Hybrid,
    ScalarEquation,
    ScalarVariable,
)
from freewheel.structure.simplify.remove_aliases import unknowns_of
from freewheel.structure.simplify.semilinear import directed

RATE = "$rate"  # ("$rate", "x"): see `_rates`


def find_events(aliases: AliasFree) -> Hybrid:
    """Statuses for relations; equations in two heaps."""
    aliases = directed(aliases)
    model = aliases.model
    variables = {v.name: v for v in model.variables}
    crossings = Crossings(variables, model.delays, aliases.aliases)
    unknowns = unknowns_of(model, aliases.aliases)
    continuous = tuple(Var(v.name) for v in unknowns if v.variability == Variability.CONTINUOUS)
    discrete = [Var(v.name) for v in unknowns if v.variability != Variability.CONTINUOUS]
    functions = {function.name: function for function in model.functions}
    divide = _Divide(variables, frozenset(continuous), functions.get)
    calls = HeldCalls(crossings, divide.type_of, functions.get)
    plain: list[ScalarEquation] = []
    stepped: list[ScalarEquation] = []
    # Bodies of when-clauses last: they use the statuses of others, but get none of their own.
    early = [None if e.is_when else _equation(crossings, e) for e in model.equations]
    flagged = [crossings.rewrite(c.value, c.span, c.origin) for c in model.conditions]
    for equation, known in zip(model.equations, early, strict=True):
        rewritten = known or _equation(crossings, equation)
        is_discrete = divide.is_discrete(rewritten)
        if is_discrete:
            divide.require_steps(rewritten)
            rewritten = calls.equation(rewritten)
        (stepped if is_discrete else plain).append(rewritten)
    for condition, value in zip(model.conditions, flagged, strict=True):
        crossings.span = condition.span
        value = calls.rewrite(value)
        stepped.append(
            ScalarEquation(
                condition.flag, value, condition.span, condition.origin, target=condition.flag
            )
        )
    actions = tuple(_action(crossings, action) for action in model.actions)
    initial = tuple(
        replace(e, left=crossings.quiet(e.left), right=crossings.quiet(e.right))
        for e in model.initial_equations
    )
    flags = [condition.flag for condition in model.conditions]
    asked = [side for e in (*stepped, *initial) for side in (e.left, e.right)]
    found = [*crossings.found.values()]
    found += line_crossings(model.delays, len(found))
    found += pipe_crossings(model.pipes, len(found))
    asked += [side for c in found for side in (c.left, c.right)]
    asked += [e for a in actions for e in (a.guard, a.value, a.message) if e is not None]
    rates = _rates(plain, asked)
    continuous += tuple(Var(v.name) for v, _ in rates)
    more = (*model.variables, *(v for v, _ in rates))
    return Hybrid(
        aliases=replace(aliases, model=replace(model, variables=more)) if rates else aliases,
        equations=(*plain, *(equation for _, equation in rates)),
        discrete_equations=(*stepped, *crossings.held_equations),
        initial_equations=initial,
        actions=actions,
        crossings=tuple(found),
        samples=model.samples,
        continuous=continuous,
        discrete=(*discrete, *flags, *crossings.held.values()),
    )


def _rates(
    plain: list[ScalarEquation], asked: list[Expr]
) -> list[tuple[ScalarVariable, ScalarEquation]]:
    """Derivatives that only initial equations, conditions or events ask for: a hidden variable
    `rate = der(x)` makes index reduction find an equation for each."""
    known = {v for e in plain for v in variables_in(e.left, e.right) if v.name[0] == DER}
    wanted = [v for v in variables_in(*asked) if v.name[0] == DER and v not in known]
    result: list[tuple[ScalarVariable, ScalarEquation]] = []
    for rate in wanted:
        hidden = ScalarVariable((RATE, *rate.name[1:]), REAL, is_protected=True)
        result.append((hidden, ScalarEquation(Var(hidden.name), rate, target=Var(hidden.name))))
    return result


def _equation(crossings: Crossings, equation: ScalarEquation) -> ScalarEquation:
    if equation.is_when:
        return replace(equation, right=crossings.rewrite_in_when(equation.right))
    left = crossings.rewrite(equation.left, equation.span, equation.origin)
    right = crossings.rewrite(equation.right, equation.span, equation.origin)
    if left is equation.left and right is equation.right:
        return equation
    return replace(equation, left=left, right=right)


def _action(crossings: Crossings, action: Action) -> Action:
    """Guards are part of when-clauses and their flags; what an assert looks at makes no events. A subscript
    is looked at with the events of its equation."""
    if action.kind == SUBSCRIPT:
        return _subscript(crossings, action)

    def quiet(expr: Expr | None) -> Expr | None:
        return None if expr is None else crossings.quiet(expr)

    guard = (
        None
        if action.guard is None
        else crossings.rewrite(action.guard, action.span, action.origin)
    )
    return replace(action, guard=guard, value=quiet(action.value), message=quiet(action.message))


def _subscript(crossings: Crossings, action: Action) -> Action:
    assert action.value is not None
    assert action.message is not None
    guard, value, message = action.guard, action.value, action.message
    if guard is not None and contains(guard, INITIAL):  # of a when-clause, or of the start
        guard, value = crossings.rewrite_in_when(guard), crossings.rewrite_in_when(value)
        return replace(action, guard=guard, value=value, message=crossings.rewrite_in_when(message))
    if guard is not None:
        guard = crossings.rewrite(guard, action.span, action.origin)
    value = crossings.rewrite(value, action.span, action.origin)
    message = crossings.rewrite(message, action.span, action.origin)
    return replace(action, guard=guard, value=value, message=message)


class _Divide:
    def __init__(
        self,
        variables: dict[Name, ScalarVariable],
        continuous: frozenset[Var],
        functions: FunctionLookup,
    ) -> None:
        self.variables = variables
        self.continuous = continuous
        self.functions = functions

    def is_discrete(self, equation: ScalarEquation) -> bool:
        if equation.target is not None:
            return equation.target not in self.continuous
        left, right = equation.left, equation.right
        if self._steps(left, right) or self._steps(right, left):
            return True
        return not any(
            var in self.continuous or var.name[0] == DER
            for var in variables_in(equation.left, equation.right)
        )

    def require_steps(self, equation: ScalarEquation) -> None:
        """`x = time` gives a discrete Real a value that changes all the time: between events the
        variable would keep an old one. (With a continuous variable on the other side matching
        finds out; equations with a target come from when-clauses and algorithms.)"""
        found = variables_in(equation.left, equation.right)
        if equation.target is not None or TIME not in found:
            return
        for var in found:
            variable = self.variables.get(var.name)
            if variable is None or variable.type != REAL:
                continue
            if variable.variability == Variability.DISCRETE:
                raise never_rests(var, equation)

    def _steps(self, side: Expr, other: Expr) -> bool:
        """A variable that is not Real alone on one side, and nothing Real on the other."""
        if not isinstance(side, Var):
            return False
        variable = self.variables.get(side.name)
        if variable is None or variable.variability != Variability.DISCRETE:
            return False
        if variable.type == REAL:
            return False
        return variable.type != INTEGER or type_of(other, self.type_of, self.functions) != REAL

    def type_of(self, name: Name) -> Scalar:
        variable = self.variables.get(name[1:] if name[0] == PRE else name)
        if variable is not None:
            return variable.type
        return INTEGER if name[0] in (HELD, STATUS) else REAL
