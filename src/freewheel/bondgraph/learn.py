"""What an element of the modeller's own is, found from its equations.

    u = p.v - n.v;  C*der(u) = p.i;  p.i + n.i = 0        a C between p and n, with its number

With `s` for `d/dt` the equations of the class are linear in its variables. Locals are eliminated; what is
left for one or two connectors is `a*(p - n) + b*flow = c`. Effort over flow tells the kind: it does not
depend on s for an R, it falls with 1/s for a C and grows with s for an I; without `a` or `b` the element
is a source. Equations that are not linear are taken at a general point: they tell the kind, but no number.
Classes that the table does not know come here, in any language that is lowered to the same flat model.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence

from freewheel.base.diagnostics import FreewheelError
from freewheel.base.names import Name
from freewheel.bondgraph.connectors import Power
from freewheel.bondgraph.equations import LinearSystem, S, linear_system, plain_number, with_s
from freewheel.bondgraph.laws import FREQUENCIES, Learnt, Row, eliminated, learnt
from freewheel.bondgraph.nodes import Kind
from freewheel.bondgraph.potentials import balance, in_scale, out_of_scale
from freewheel.bondgraph.valve_laws import positions_of, valve_of
from freewheel.flat.nodes import AnyEquation, Causality, Equation, FlatModel, Variability
from freewheel.formula.differentiate import partial
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import TIME, Binary, Call, Expr, If, Real, Var
from freewheel.formula.types import BOOLEAN
from freewheel.formula.walk import calls_in, replace, variables_in
from freewheel.instance.values import Values


class Teacher:
    """Reads elements out of a flat model; `values` gives the numbers of parameters."""

    def __init__(self, flat: FlatModel, values: Values) -> None:
        self._values = values
        self._variables = {v.name: v for v in flat.variables}
        self._given: frozenset[Name] = frozenset()
        self._blocks: tuple[Name, ...] = ()
        # first part of the name -> origin -> equations
        self._by_origin: dict[Name, dict[Name, list[AnyEquation]]] = {}
        for equation in flat.equations:
            origin: Name = getattr(equation, "origin", ())
            near = self._by_origin.setdefault(origin[:1], {})
            near.setdefault(origin, []).append(equation)

    def element(
        self, path: Name, connectors: Sequence[Power], given: Collection[Name] = ()
    ) -> Learnt | None:
        """None where the class is no element; `given` are inputs, which come from elsewhere."""
        residuals: list[Expr] = []
        decisions: list[Expr] = []
        for equation in self._equations(path, connectors):
            if not isinstance(equation, Equation):
                return None
            if self._is_boolean(equation.left):
                decisions.append(equation.right)
                continue
            decisions += _conditions(equation.right)
            residuals.append(Binary("-", equation.left, equation.right))
        self._given = frozenset(given)
        found = self._learnt(residuals, connectors)
        is_plain = found is not None and (found.kind is not Kind.R or bool(found.parameters))
        return found if is_plain else self._valve(residuals, decisions, connectors) or found

    def system(
        self,
        path: Name,
        connectors: Sequence[Power],
        given: Collection[Name],
        blocks: Collection[Name],
    ) -> LinearSystem:
        """The linear equations of a component; `given` are inputs, and `blocks` inside compute signals."""
        self._given = frozenset(given)
        self._blocks = tuple(blocks)
        residuals = [
            Binary("-", equation.left, equation.right)
            for equation in self._equations(path, connectors)
            if isinstance(equation, Equation) and not self._is_in_block(equation.origin)
        ]
        outer = [Var(name) for c in connectors for name in (c.flow, c.potential)]

        def is_unknown(var: Var) -> bool:
            is_own = var.name[: len(path)] == path
            return is_own and self._is_unknown(var) and not self._is_in_block(var.name)

        return linear_system(residuals, outer, is_unknown, self._plain_number)

    def value_of(self, expr: Expr) -> float | None:
        """The value of a formula that does not change."""
        return self._plain_number(expr, 0.0)

    def _is_in_block(self, name: Name) -> bool:
        return any(name[: len(block)] == block for block in self._blocks)

    def _plain_number(self, expr: Expr, s: float) -> float | None:
        """None where it changes with time, or with anything that is unknown."""
        value = plain_number(expr, s)
        if value is not None:
            return value
        try:
            found = self._values.of(replace(expr, lambda node: Real(s) if node == S else None, {}))
        except (NotConstant, FreewheelError):
            return None
        return float(found) if isinstance(found, (int, float)) else None

    def _is_boolean(self, expr: Expr) -> bool:
        variable = self._variables.get(expr.name) if isinstance(expr, Var) else None
        return variable is not None and variable.type == BOOLEAN

    def _valve(
        self, residuals: Sequence[Expr], decisions: Sequence[Expr], connectors: Sequence[Power]
    ) -> Learnt | None:
        """Two laws and what chooses between them: a diode if its own effort or flow does."""
        outer = {Var(name) for c in connectors for name in (c.flow, c.potential)}
        inner = [v for v in variables_in(*residuals) if v not in outer]
        asked = [v for v in variables_in(*decisions) if v is not TIME and not self._is_boolean(v)]
        decides_itself = any(variable in (*inner, *outer) for variable in asked)
        candidates = [v for v in inner if self._is_number(v)]
        bent: Learnt | None = None
        for one, other, is_number in positions_of(residuals, candidates):
            pair = (self._learnt(one, connectors), self._learnt(other, connectors))
            found = valve_of(*pair, decides_itself, must_be_ideal=is_number)
            if found is not None and found.kind is not Kind.R:
                return found
            bent = bent or found
        return bent

    def _is_number(self, var: Var) -> bool:
        """One that changes while the model runs."""
        variable = self._variables.get(var.name)
        return variable is not None and variable.variability > Variability.PARAMETER

    def _learnt(self, residuals: Sequence[Expr], connectors: Sequence[Power]) -> Learnt | None:
        systems: list[list[Row]] = []
        for s in FREQUENCIES:
            rows = self._rows(residuals, connectors, s)
            if rows is None or len(rows) != len(connectors):
                return None
            systems.append(rows)
        scale = balance(systems)
        scaled = [[in_scale(row, scale) for row in rows] for rows in systems]
        domains = [c.domain for c in connectors]
        found = learnt(scaled, domains, self._start(residuals))
        return None if found is None else out_of_scale(found, scale, domains)

    def _equations(self, path: Name, connectors: Sequence[Power]) -> list[AnyEquation]:
        """Those of the class; that an open connector has no flow is not one of them."""
        open_flows = {connector.path: Var(connector.flow) for connector in connectors}
        return [
            equation
            for origin, equations in self._by_origin.get(path[:1], {}).items()
            if origin[: len(path)] == path
            for equation in equations
            if getattr(equation, "left", None) != open_flows.get(origin, path)
        ]

    # ------------------------------------------------------------ one frequency

    def _rows(
        self, residuals: Sequence[Expr], connectors: Sequence[Power], s: float
    ) -> list[Row] | None:
        """What is left for the connectors once inner variables are eliminated."""
        memo: dict[Expr, Expr] = {}
        laplace = [replace(residual, with_s, memo) for residual in residuals]
        outer = [Var(name) for c in connectors for name in (c.flow, c.potential)]
        inner = [v for v in variables_in(*laplace) if v not in outer and self._is_unknown(v)]
        unknowns = [*inner, *outer]
        rows: list[Row] = []
        for residual in laplace:
            form = linear_form(residual, unknowns)
            if form is None:  # the tangent at an unknown point
                form = tuple(partial(residual, unknown) for unknown in unknowns), TIME
            numbers = [self._number(coefficient, s) for coefficient in form[0]]
            if any(number is None for number in numbers):
                return None
            if not any(numbers):
                continue  # an equation of inputs alone
            rest = self._number(form[1], s)
            given = None if rest is None else -rest
            rows.append(([number or 0.0 for number in numbers], given))
        return eliminated(rows, len(inner))

    def _is_unknown(self, var: Var) -> bool:
        """Inputs are given from elsewhere."""
        variable = self._variables.get(var.name)
        if variable is None or variable.variability <= Variability.PARAMETER:
            return False
        return variable.causality is not Causality.INPUT and var.name not in self._given

    def _number(self, expr: Expr, s: float) -> float | None:
        """With unknowns at a general point, should they occur; None if it changes with time."""

        def fixed(node: Expr) -> Expr | None:
            if node == S:
                return Real(s)
            if isinstance(node, Var) and self._is_unknown(node):
                return Real(_general(node.name))
            return None

        try:
            value = self._values.of(replace(expr, fixed, {}))
        except (NotConstant, FreewheelError):
            return None
        return float(value) if isinstance(value, (int, float)) else None

    def _start(self, residuals: Sequence[Expr]) -> float:
        """Of the one variable that is differentiated."""
        found = {
            node.args[0]
            for residual in residuals
            for node in _derivatives(residual)
            if isinstance(node.args[0], Var)
        }
        if len(found) != 1:
            return 0.0
        (var,) = found
        assert isinstance(var, Var)
        variable = self._variables.get(var.name)
        if variable is None or variable.attributes.start is None:
            return 0.0
        return self._number(variable.attributes.start, 0.0) or 0.0


def _general(name: Name) -> float:
    """Some number between a half and one and a half, the same in every run."""
    return 0.5 + zlib.crc32(repr(name).encode()) / 2**32


def _derivatives(expr: Expr) -> list[Call]:
    return [c for c in calls_in(expr) if c.function == "der"]


def _conditions(value: Expr) -> list[Expr]:
    """Of a number that is chosen, `if s < 0 then 1 else 0`: it is the position of a valve."""
    found: list[Expr] = []
    while isinstance(value, If):
        condition, then, value = value.args
        if variables_in(then):
            return []
        found.append(condition)
    return [] if variables_in(value) else found
