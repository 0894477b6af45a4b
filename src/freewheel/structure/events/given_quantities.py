"""Quantities that follow from what is known: parameters, time, inputs and what changes at events only.

    a = 2*p,  s = if time < a then 0 else time - a,  v = der(s)         a, s and v are known

In: the continuous equations and their unknowns. Out: for each such unknown, and for derivatives of it, a
formula in which only known things stand. No state is among them, and no switch decides which equation
gives which of them: to everything else they are what parameters are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name
from freewheel.flat.nodes import Variability
from freewheel.formula.differentiate import Differentiation
from freewheel.formula.nodes import ONE, TIME, ZERO, Expr, Var
from freewheel.formula.solve_for import solve_for
from freewheel.formula.walk import calls_in, contains, has_choices, replace, variables_in
from freewheel.structure.atoms import base_of, der_of, is_der, is_pre
from freewheel.structure.index.steady_unknowns import CALLS_WITH_MEMORY
from freewheel.structure.nodes import Hybrid, ScalarEquation, ScalarVariable

Formulas = Mapping[Var, Expr]


class KnownQuantities:
    def __init__(
        self,
        equations: Iterable[ScalarEquation],
        hybrid: Hybrid,
        variables: Mapping[Name, ScalarVariable],
    ) -> None:
        """`equations`: the continuous ones that may give something."""
        self.unknowns = frozenset(hybrid.continuous)
        self.stepped = frozenset((*hybrid.discrete, *(c.status for c in hybrid.crossings)))
        self.variables = variables
        self.given: dict[Var, Expr] = {}  # in an order in which they follow, as equations give them
        self.rows: dict[int, Var] = {}  # number of the equation that gives it, in the same order
        self.rules = Differentiation(self._rate)
        self._find(list(equations))

    def __contains__(self, var: Var) -> bool:
        return _plain(var) in self.given

    def value(self, var: Var) -> Expr | None:
        """Of an unknown or of a derivative of one; None where it is not known, or has no derivative."""
        return self._formula(var, self._formulas)

    def put_in(self, expr: Expr) -> Expr:
        return self._put_in(expr, self._formulas)

    @cached_property
    def _formulas(self) -> Formulas:
        found: dict[Var, Expr] = {}
        for var, value in self.given.items():
            found[var] = self._put_in(value, found)
        return found

    def _put_in(self, expr: Expr, formulas: Formulas) -> Expr:
        return replace(
            expr, lambda node: self._formula(node, formulas) if isinstance(node, Var) else None
        )

    def _formula(self, var: Var, formulas: Formulas) -> Expr | None:
        if not is_der(var):
            return formulas.get(var)
        inner = self._formula(base_of(var), formulas)
        try:
            return None if inner is None else self.rules.of(inner)
        except CompileError:  # a function without a derivative
            return None

    def _rate(self, var: Var) -> Expr:
        if var is TIME:
            return ONE
        variable = self.variables.get(var.name)
        is_input = variable is not None and variable.variability is Variability.CONTINUOUS
        return der_of(var) if is_der(var) or is_input else ZERO

    def _find(self, equations: Sequence[ScalarEquation]) -> None:
        """Each equation with one unknown left may give it."""
        open_in: list[set[Var]] = []
        users: dict[Var, list[int]] = {}
        for number, equation in enumerate(equations):
            open_in.append(self._unknowns_of(equation))
            for var in open_in[-1]:
                users.setdefault(var, []).append(number)
        waiting = [number for number, left in enumerate(open_in) if len(left) == 1]
        for number in waiting:  # grows while it is read
            if not open_in[number]:
                continue
            (var,) = open_in[number]
            value = _solution(equations[number], var)
            if value is None:
                continue
            self.given[var] = value
            self.rows[number] = var
            for user in users[var]:
                open_in[user].discard(var)
                if len(open_in[user]) == 1:
                    waiting.append(user)

    def _unknowns_of(self, equation: ScalarEquation) -> set[Var]:
        """Of an equation that could give one of them; none of any other."""
        inside = variables_in(equation.left, equation.right)
        calls = calls_in(equation.left, equation.right)
        has_memory = any(call.function in CALLS_WITH_MEMORY for call in calls)
        if has_memory or not all(map(self._may_be_known, inside)):
            return set()
        return {_plain(var) for var in inside if _plain(var) in self.unknowns}

    def _may_be_known(self, var: Var) -> bool:
        if var is TIME or _plain(var) in self.unknowns or var in self.stepped:
            return True
        named = base_of(var) if is_pre(var) else var
        return named in self.stepped or named.name in self.variables


def _plain(var: Var) -> Var:
    while is_der(var):
        var = base_of(var)
    return var


def _solution(equation: ScalarEquation, var: Var) -> Expr | None:
    """What gives the variable in every position of every choice."""
    inside = variables_in(equation.left, equation.right)
    if equation.target not in (None, var) or any(is_der(v) and _plain(v) is var for v in inside):
        return None
    for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if side is var and not contains(other, var):
            return other
    found = solve_for(equation.left, equation.right, var)
    return None if found is None or has_choices(*found.divisors) else found.value
