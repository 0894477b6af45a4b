"""Parameters that are zero and multiply an unknown: such an equation is not about that unknown.

    R*i = u - v                      with R = 0       is   u = v   and does not determine i
    (L1 - L2)*der(i) = sin(time) - i with L1 = L2     is   i = sin(time)

The factor may be any formula of parameters, and what else stands in the equation any formula of time and
unknowns: an equation is linear in one unknown at a time. Where it is not linear in all of them, only those
unknowns count that it could be solved for: `der(x) = k*s^2` with k = 0 never gives s, and k stays data.

Solving for `i` would divide by zero, so the value is taken at translation, together with those of
the parameters it is computed from: they are structural here, and a change needs a new translation.
A variable that parameters alone give, as in `R_actual = R*(1 + alpha*(T - T_ref))`, is treated like one.
Where the equations would become singular by that, nothing is done: perhaps the user is going to
give another value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.linear import bent_variables, is_linear, sparse_linear_form
from freewheel.formula.nodes import TIME, ZERO, Binary, Call, Expr, Var
from freewheel.formula.types import REAL
from freewheel.formula.values import to_expr
from freewheel.formula.walk import calls_in, map_bottom_up, nodes_of, substitute, variables_in
from freewheel.graphs.components import components
from freewheel.graphs.matching import FREE, match
from freewheel.structure.blocks.incidence import folded
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.values import ParameterValues


def zero_factors(
    equations: Sequence[ScalarEquation],
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    dropped: dict[Expr, Expr],
) -> dict[Name, Expr]:
    """Values to put in: the zeros, and everything they are computed from. `dropped` remembers what
    is left of formulas without terms that are zero."""
    found: dict[Name, Expr] = {}
    given = _given(equations, variables, values)
    table = {**variables, **given} if given else variables
    if given:
        values = ParameterValues(table, tuple(values.functions.values()))
    factors = _Factors(table, values)
    pairings = _Pairings(equations, variables)
    for number, equation in enumerate(equations):
        guilty = factors.guilty(equation)
        in_all = bool(guilty) and factors.is_linear(equation)
        for var, name in guilty:
            if in_all or pairings.allow(number, folded(var)):
                _add(name, table, values, found)
    if found:
        # Equations that give a variable the value zero go with it.
        gone = sum(name in given for name in found)
        before = _rank(equations, {}, variables, dropped)
        if before > _rank(equations, found, variables, dropped) + gone:
            return {}
    return {name: value for name, value in found.items() if name not in given}


def _given(
    equations: Sequence[ScalarEquation],
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
) -> dict[Name, ScalarVariable]:
    """Variables that an equation gives from parameters alone, zero, as parameters with that binding. What
    does not change has no rate and no values before events."""
    found: dict[Name, ScalarVariable] = {}
    for equation in equations:
        for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
            if (
                isinstance(side, Var)
                and all(_is_parameter(var, variables) for var in variables_in(other))
                and _is_unknown(side, variables)
                and values.number(other) == 0.0
            ):
                found[side.name] = replace(
                    variables[side.name], variability=Variability.PARAMETER, binding=other
                )
    return found


def without_zeros(
    equation: ScalarEquation, dropped: dict[Expr, Expr] | None = None
) -> ScalarEquation:
    """Terms with a factor zero are dropped; everything here is scalar and finite."""
    left = map_bottom_up(equation.left, _dropped, dropped)
    right = map_bottom_up(equation.right, _dropped, dropped)
    if left is equation.left and right is equation.right:
        return equation
    return replace(equation, left=left, right=right)


def without_zero_calls(equation: ScalarEquation, values: ParameterValues) -> ScalarEquation:
    """`f(0.0)` is zero where it has this value."""

    def visit(node: Expr) -> Expr:
        is_given = isinstance(node, Call) and not variables_in(node)
        return ZERO if is_given and values.number(node) == 0.0 else node

    if not calls_in(equation.left, equation.right):
        return equation
    left, right = map_bottom_up(equation.left, visit), map_bottom_up(equation.right, visit)
    return replace(equation, left=left, right=right)


_SCALAR = {"+": build.plus, "-": build.minus, "*": build.times, "/": build.over}


def _dropped(node: Expr) -> Expr:
    if isinstance(node, Binary) and node.op in _SCALAR:
        return _SCALAR[node.op](node.left, node.right)
    return build.rebuilt(node, node.args) if node.args else node


def _rank(
    equations: Sequence[ScalarEquation],
    values: Mapping[Name, Expr],
    variables: Mapping[Name, ScalarVariable],
    dropped: dict[Expr, Expr],
) -> int:
    """How many equations can be paired with a variable of their own, derivatives counted as their
    variables."""
    known: dict[Expr, Expr] = {Var(name): value for name, value in values.items()}
    memo: dict[Expr, Expr] = {}
    column: dict[Var, int] = {}
    rows: list[list[int]] = []
    for equation in equations:
        sides = [
            map_bottom_up(substitute(side, known, memo) if known else side, _dropped, dropped)
            for side in (equation.left, equation.right)
        ]
        bases = dict.fromkeys(
            b for b in map(folded, variables_in(*sides)) if _is_unknown(b, variables)
        )
        rows.append([column.setdefault(var, len(column)) for var in bases])
    return match(rows, len(column)).size


class _Pairings:
    """Which equations could be solved for which variables, derivatives counted as their variables: those
    in one block of the sorted equations (Dulmage and Mendelsohn 1958). Made when first asked for."""

    def __init__(
        self, equations: Sequence[ScalarEquation], variables: Mapping[Name, ScalarVariable]
    ) -> None:
        self.equations = equations
        self.variables = variables
        self.column: dict[Var, int] = {}
        self.row_of: Sequence[int] = ()
        self.block_of: list[int] = []

    def allow(self, row: int, var: Var) -> bool:
        if not self.block_of:
            self._sort()
        other = self.row_of[self.column[var]] if var in self.column else FREE
        return other == FREE or self.block_of[other] == self.block_of[row]

    def _sort(self) -> None:
        rows = [
            [
                self.column.setdefault(base, len(self.column))
                for base in dict.fromkeys(map(folded, variables_in(e.left, e.right)))
                if _is_unknown(base, self.variables)
            ]
            for e in self.equations
        ]
        self.row_of = match(rows, len(self.column)).row_of_column
        edges = [[self.row_of[c] for c in row if self.row_of[c] != FREE] for row in rows]
        self.block_of = [0] * len(rows)
        for number, block in enumerate(components(edges)):
            for row in block:
                self.block_of[row] = number


def _is_parameter(var: Var, variables: Mapping[Name, ScalarVariable]) -> bool:
    variable = variables.get(var.name)
    return variable is not None and variable.variability <= Variability.PARAMETER


def _is_unknown(var: Var, variables: Mapping[Name, ScalarVariable]) -> bool:
    variable = variables.get(var.name)
    return (
        variable is not None
        and variable.variability > Variability.PARAMETER
        and variable.causality is not Causality.INPUT
    )


class _Factors:
    """Parameters in factors that vanish."""

    def __init__(self, variables: Mapping[Name, ScalarVariable], values: ParameterValues) -> None:
        self.variables = variables
        self.values = values
        self.settable: dict[Var, bool] = {}
        self.vanishing: dict[Expr, Expr] = {}
        self.constant: dict[Expr, bool] = {}

    def is_linear(self, equation: ScalarEquation) -> bool:
        """In all that moves."""
        inside = variables_in(equation.left, equation.right)
        moving: dict[Expr, int] = {
            v: k for k, v in enumerate(inside) if not _is_parameter(v, self.variables)
        }
        residual = build.minus(equation.left, equation.right)
        return is_linear(residual, moving) or sparse_linear_form(residual, moving) is not None

    def guilty(self, equation: ScalarEquation) -> list[tuple[Var, Name]]:
        """Unknowns of the equation, and parameters that can change in their factors."""
        inside = variables_in(equation.left, equation.right)
        parameters = {var for var in inside if self._is_settable(var)}
        if not parameters:
            return []
        places = _places(self._without(equation.left), self._without(equation.right))
        asked = [
            var
            for var in inside
            if places.get(var) != 1 and var is not TIME and not _is_parameter(var, self.variables)
        ]
        if not asked:
            return []
        residual = build.minus(equation.left, equation.right)
        bent = bent_variables(residual)
        zeros = self._zeros(residual) if any(var not in places for var in asked) else {}
        found: list[tuple[Var, Name]] = []
        for var in asked:
            factors = [] if var in places else zeros.get(var, [])
            if not factors and var not in bent:
                factors = self._sum_of_factors(var, residual)
            found += [(var, p.name) for p in variables_in(*factors) if p in parameters]
        return found

    def _zeros(self, residual: Expr) -> dict[Var, list[Expr]]:
        """For each variable the factors that take it away, one by one."""
        found: dict[Var, list[Expr]] = {}
        for node in nodes_of(residual):
            if isinstance(node, Binary) and node.op == "*":
                for factor, other in (node.args, node.args[::-1]):
                    if build.is_zero(self._without(factor)):
                        for var in variables_in(other):
                            found.setdefault(var, []).append(factor)
        return found

    def _sum_of_factors(self, var: Var, residual: Expr) -> list[Expr]:
        """`L1 + L2` of `L1*der(i) + L2*der(i)`, if that is zero."""
        form = sparse_linear_form(residual, {var: 0})
        factor = None if form is None else form[0].get(0)
        is_gone = factor is not None and build.is_zero(self._without(factor))
        return [factor] if factor is not None and is_gone else []

    def _without(self, expr: Expr) -> Expr:
        return map_bottom_up(expr, self._reduced, self.vanishing)

    def _reduced(self, node: Expr) -> Expr:
        """Zero in the place of formulas of parameters that are zero, and without what these take away."""
        if any(map(build.is_zero, node.args)):
            node = _dropped(node)
        is_number = not node.args and type(node) is not Var
        if not is_number and self._is_constant(node) and self.values.number(node) == 0.0:
            return ZERO
        return node

    def _is_constant(self, node: Expr) -> bool:
        """Of parameters alone. Asked from the leaves up: hardly ever deeper than one level."""
        known = self.constant.get(node)
        if known is None:
            if isinstance(node, Var):
                known = _is_parameter(node, self.variables)
            else:
                known = all(map(self._is_constant, node.args))
            self.constant[node] = known
        return known

    def _is_settable(self, var: Var) -> bool:
        known = self.settable.get(var)
        if known is None:
            variable = self.variables.get(var.name)
            known = self.settable[var] = (
                variable is not None
                and variable.variability == Variability.PARAMETER
                and variable.type == REAL
                and variable.binding is not None
            )
        return known


def _places(*sides: Expr) -> dict[Var, int]:
    """In how many places each variable stands."""
    found: dict[Var, int] = {}
    seen: set[Expr] = set()
    stack = [sides]
    while stack:
        for arg in stack.pop():
            if isinstance(arg, Var):
                found[arg] = found.get(arg, 0) + 1
            elif arg.args and arg not in seen:
                seen.add(arg)
                stack.append(arg.args)
    return found


def _add(
    name: Name,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    found: dict[Name, Expr],
) -> None:
    stack = [name]
    while stack:
        current = stack.pop()
        value = None if current in found else values.value(Var(current))
        if value is None:
            continue
        found[current] = to_expr(value)
        binding = variables[current].binding
        if binding is not None:
            stack.extend(var.name for var in variables_in(binding) if var.name in variables)
