"""Numbers in the place of formulas: what a row says about each unknown and each state in a case.

    row(D.v = D.p.v - C.v)  ->  {D.v: 1, D.p.v: -1}, {C.v: 1}

Numbers and parameters have their values, everything else a generic one. Where a choice is open, the
row is a mixture of its branches, like that of an element that leaks.
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.base.diagnostics import CompileError
from freewheel.formula import build
from freewheel.formula.differentiate import partial
from freewheel.formula.nodes import FALSE, Boolean, Expr, If, Real, Var
from freewheel.formula.types import BOOLEAN
from freewheel.formula.walk import calls_in, map_bottom_up, substitute, variables_in
from freewheel.structure.atoms import is_pre
from freewheel.structure.switching.branch_equations import Branches
from freewheel.structure.switching.conditions import Decided
from freewheel.structure.switching.conflicts.gradient import Gradient
from freewheel.structure.switching.nodes import Case
from freewheel.structure.thresholds import GOLDEN

Row = tuple[dict[int, float], dict[Var, float]]  # by column, by state


class Coefficients:
    def __init__(self, branches: Branches, unknowns: Sequence[Var], states: Sequence[Var]) -> None:
        self.branches = branches
        self.column = {var: number for number, var in enumerate(unknowns)}
        self.states = frozenset(states)
        self.generic: dict[Var, Expr] = {}
        self.known: dict[tuple[int, Case], Row] = {}
        self.gradient = Gradient(self._number_of, lambda v: v in self.column or v in self.states)

    def row(self, number: int, decided: Decided) -> Row:
        case = tuple((bit, decided[bit]) for bit in self.bits_of(number) if bit in decided)
        known = self.known.get((number, case))
        if known is None:
            known = self.known[number, case] = self._row(self._mixed(number, dict(case)))
        return known

    def bits_of(self, number: int) -> tuple[int, ...]:
        choices = self.branches.choices.get(number, ())
        return tuple(dict.fromkeys(bit for choice in choices for bit in choice.bits))

    def _mixed(self, number: int, decided: Decided) -> Expr:
        if number not in self.branches.choices:
            equation = self.branches.equations[number]
            return build.minus(equation.left, equation.right)
        equation = self.branches.decided(number, decided)
        return map_bottom_up(build.minus(equation.left, equation.right), self._mixture)

    def _mixture(self, node: Expr) -> Expr:
        if not isinstance(node, If):
            return node
        found = self.branches.bits.of(node.args[0])
        if found is None:
            return node
        share = Real(0.3 + 0.4 * _fraction(found[0]))
        rest = Real(1.0 - share.value)
        return build.plus(build.times(share, node.args[1]), build.times(rest, node.args[2]))

    def _row(self, residual: Expr) -> Row:
        columns: dict[int, float] = {}
        states: dict[Var, float] = {}
        found = self.gradient.of(residual)
        slopes = None if found is None else found[1]
        for var in variables_in(residual):
            column = self.column.get(var)
            if column is None and var not in self.states:
                continue
            value = self._value(residual, var) if slopes is None else slopes.get(var, 0.0)
            if value == 0.0:
                continue
            if column is not None:
                columns[column] = value
            else:
                states[var] = value
        return columns, states

    def _value(self, residual: Expr, var: Var) -> float:
        try:
            factor = partial(residual, var)
        except CompileError:
            return 0.5 + _fraction(len(self.generic))  # inside a function: it is there
        if any(not isinstance(call.function, str) for call in calls_in(factor)):
            return 0.5 + _fraction(len(self.generic))  # no function is asked for made-up places
        mapping: dict[Expr, Expr] = {}
        for inside in variables_in(factor):
            if self.branches.values.value(inside) is None:
                mapping[inside] = self._number(inside)
        found = self.branches.values.number(substitute(factor, mapping))
        return 1.0 if found is None else found

    def _number_of(self, var: Var) -> float | None:
        """At the general point; of what is no number none."""
        found = self.branches.values.value(var)
        if found is None:
            general = self._number(var)
            return float(general.data) if isinstance(general, Real | Boolean) else None
        return float(found) if isinstance(found, int | float) else None

    def _number(self, var: Var) -> Expr:
        if var not in self.generic:
            name = var.name[1:] if is_pre(var) else var.name
            variable = self.branches.variables.get(name)
            is_boolean = variable is not None and variable.type == BOOLEAN
            generic = Real(0.5 + _fraction(len(self.generic)))
            self.generic[var] = FALSE if is_boolean else generic
        return self.generic[var]


def _fraction(number: int) -> float:
    return (GOLDEN * (number + 1)) % 1.0
