"""Which variables have finitely many values, and which ones.

    mo = if s < 0 then 1 else 0;  closed = 1 - mo        mo: 1, 0;  closed: 0, 1

Values are carried forward: an equation gives a variable its values as soon as those of all others in
it are known. What `pre` remembers has the values of the variable and its start value; the values grow
until nothing new comes. Conditions are not looked at: each branch counts. Of a branch, all values of the
variables in it are tried together: `n + (1 - n)*pre(m)` with n and pre(m) of 0 and 1 is 0 or 1, not 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import Binary, Call, Expr, If, Integer, Literal, Real, Unary, Var
from freewheel.formula.types import INTEGER, REAL, EnumType
from freewheel.formula.walk import has_choices, substitute, variables_in
from freewheel.structure.atoms import base_of, is_der, is_pre
from freewheel.structure.blocks.incidence import folded
from freewheel.structure.blocks.isolate import quotient, residual_of
from freewheel.structure.nodes import ScalarEquation, ScalarModel, ScalarVariable
from freewheel.structure.switching.numbers.computed_values import Computed
from freewheel.structure.switching.numbers.decisions import has_decisions, with_decisions
from freewheel.structure.switching.numbers.if_chains import (
    MOST_IN_TABLE,
    TooManyEndsError,
    ends_of,
    lifted,
)

# Positions of one switch. Each is written out as a branch: a number with more values is a signal.
MOST_VALUES = 16

# Values of its variables that are tried together, in one branch of a formula.
MOST_CASES = 4096

_ARITHMETIC = frozenset("+-*/^")
_TRANSPARENT = frozenset(("noEvent", "smooth"))


@dataclass(frozen=True, slots=True)
class Finite:
    """A variable, its values in order of appearance, and the formula that gives it."""

    var: Var
    values: tuple[Expr, ...]
    formula: Expr
    equation: int
    is_when: bool
    start: Expr | None
    is_remembered: bool  # something asks what it was


def finite_variables(model: ScalarModel) -> dict[Var, Finite]:
    variables = {v.name: v for v in model.variables}
    model = _decided(model, variables)
    deciding = [e for e in model.equations if _decides(e)]
    if not deciding:
        return {}
    definitions = _Definitions(model, variables)
    if all(definitions.asked(e) is None for e in deciding):
        return {}
    found = definitions.found()
    sets = _Sets(model, variables, found)
    return {
        var: Finite(
            var,
            values,
            formula,
            number,
            model.equations[number].is_when,
            sets.start(var) if var in sets.remembered else variables[var.name].start,
            var in sets.remembered,
        )
        for var, (number, formula) in found.items()
        if (values := sets.of(var)) is not None
    }


def _decided(model: ScalarModel, variables: Mapping[Name, ScalarVariable]) -> ScalarModel:
    decided = with_decisions(variables, lambda var: is_known(var, variables))
    equations = (
        replace(e, left=decided(e.left), right=decided(e.right)) if has_decisions(e) else e
        for e in model.equations
    )
    return replace(model, equations=tuple(equations))


def _decides(equation: ScalarEquation) -> bool:
    """Whether it can give a variable one of several values: without such an equation there is nothing to
    look for."""
    return equation.is_when or has_choices(equation.left, equation.right)


def is_known(var: Var, variables: Mapping[Name, ScalarVariable]) -> bool:
    """Whether it is a parameter or a constant."""
    variable = variables.get(var.name)
    return variable is not None and variable.variability <= Variability.PARAMETER


# ---------------------------------------------------------------- which equation gives a variable


class _Definitions:
    """Equations that give a variable from parameters and from variables that are given already."""

    def __init__(self, model: ScalarModel, variables: Mapping[Name, ScalarVariable]) -> None:
        self.equations = model.equations
        self.variables = variables
        self.computed = Computed(model.functions)
        sides = (side for e in model.equations for side in (e.left, e.right))
        self.differentiated = {folded(var) for var in variables_in(*sides) if is_der(var)}
        self.given: dict[Var, tuple[int, Expr]] = {}
        self.missing: dict[int, set[Var]] = {}  # of each equation
        self.users: dict[Var, list[int]] = {}

    def found(self) -> dict[Var, tuple[int, Expr]]:
        ready: list[int] = []
        for number, equation in enumerate(self.equations):
            missing = self.asked(equation)
            if missing is None:
                continue
            self.missing[number] = missing
            for var in missing:
                self.users.setdefault(var, []).append(number)
            if len(missing) == 1:
                ready.append(number)
        ready.reverse()
        while ready:
            self._give(ready.pop(), ready)
        return self.given

    def _give(self, number: int, ready: list[int]) -> None:
        if len(self.missing[number]) != 1:
            return
        (var,) = self.missing[number]
        formula = _formula(self.equations[number], var)
        if formula is None:
            return
        self.given[var] = number, formula
        for user in self.users[var]:
            self.missing[user].discard(var)
            if len(self.missing[user]) == 1:
                ready.append(user)

    def asked(self, equation: ScalarEquation) -> set[Var] | None:
        """Variables that decide its value, memories left out; None where there can be infinitely many."""
        found: set[Var] = set()
        for node in _numbers_in(equation.left, equation.right):
            if not isinstance(node, Var):
                if not self._is_finite_operator(node):
                    return None
            elif is_pre(node) or is_known(node, self.variables):
                continue
            elif not self._can_be_given(node):
                return None
            else:
                found.add(node)
        if equation.target is not None:
            return found if equation.target in found else None
        return found

    def _is_finite_operator(self, node: Expr) -> bool:
        if isinstance(node, Binary):
            return node.op in _ARITHMETIC
        if isinstance(node, Unary):
            return node.op == "-"
        if isinstance(node, Call):
            is_plain = node.function in _TRANSPARENT
            return is_plain or self.computed.is_function(node.function)
        return isinstance(node, If | Real | Integer | Literal)

    def _can_be_given(self, var: Var) -> bool:
        variable = self.variables.get(var.name)
        if variable is None or variable.causality is Causality.INPUT:
            return False
        if var in self.differentiated:
            return False
        return variable.type in (REAL, INTEGER) or isinstance(variable.type, EnumType)


def _numbers_in(*roots: Expr) -> Iterator[Expr]:
    """All nodes but those of conditions, each once."""
    stack = list(reversed(roots))
    seen: set[Expr] = set()
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            yield node
            stack.extend(reversed(_numbers_of(node)))


def _numbers_of(node: Expr) -> tuple[Expr, ...]:
    return node.args[1:] if isinstance(node, If) else node.args


def _formula(equation: ScalarEquation, var: Var) -> Expr | None:
    for side, other in ((equation.left, equation.right), (equation.right, equation.left)):
        if side is var and var not in set(_numbers_in(other)):
            return other
    if equation.target is not None:
        return None
    form = linear_form(residual_of(equation), (var,))
    if form is None or not isinstance(form[0][0], Real | Integer) or build.is_zero(form[0][0]):
        return None
    return quotient(form[1], form[0][0])


# ---------------------------------------------------------------- values


Values = dict[object, Expr]  # by number, or by formula where parameters are in it


class _Sets:
    """Values of all variables, grown together until nothing new comes. None: too many."""

    def __init__(
        self,
        model: ScalarModel,
        variables: Mapping[Name, ScalarVariable],
        found: Mapping[Var, tuple[int, Expr]],
    ) -> None:
        self.variables = variables
        self.found = found
        self.computed = Computed(model.functions)
        self.branches: dict[Expr, tuple[Expr, ...] | None] = {}  # of formulas, conditions decided
        self.sets: dict[Var, Values | None] = {var: {} for var in found}
        self.remembered: set[Var] = set()
        self._remember(model)
        users: dict[Var, list[Var]] = {}
        for var, (_, formula) in found.items():
            for other in variables_in(formula):
                users.setdefault(base_of(other) if is_pre(other) else other, []).append(var)
        waiting = dict.fromkeys(found)
        while waiting:
            var = next(iter(waiting))
            del waiting[var]
            if self._grow(var):
                waiting.update(dict.fromkeys(users.get(var, ())))

    def of(self, var: Var) -> tuple[Expr, ...] | None:
        """In the order of its formula, a start value that is not in it last."""
        values, own = self.sets[var], self._values(self.found[var][1])
        is_whole = self.variables[var.name].type == INTEGER
        first = None if own is None else _keyed(own.values(), is_whole)
        ordered = None if values is None or first is None else _union([first, values])
        return tuple(ordered.values()) if ordered else None

    def _remember(self, model: ScalarModel) -> None:
        """Start values of what `pre` asks for, and what initial equations say of it."""
        asked = (side for e in model.equations for side in (e.left, e.right))
        others = [c.value for c in model.conditions]
        others += [e for a in model.actions for e in (a.guard, a.value) if e is not None]
        for var in variables_in(*asked, *others):
            if is_pre(var) and base_of(var) in self.sets:
                self.remembered.add(base_of(var))
                self._add(base_of(var), [self.start(base_of(var))])
        for equation in model.initial_equations:
            for var in variables_in(equation.left, equation.right):
                plain = base_of(var) if is_pre(var) else var
                if plain in self.sets:
                    value = _formula(equation, var)
                    self._add(plain, None if value is None else [value])

    def start(self, var: Var) -> Expr:
        variable = self.variables[var.name]
        if variable.start is not None:
            return variable.start
        if isinstance(variable.type, EnumType):
            return Literal(variable.type.name, 1, variable.type.literals[0])
        return Integer(0) if variable.type == INTEGER else Real(0.0)

    def _grow(self, var: Var) -> bool:
        new = self._values(self.found[var][1])
        return self._add(var, None if new is None else new.values())

    def _add(self, var: Var, new: Iterable[Expr] | None) -> bool:
        old = self.sets[var]
        if old is None:
            return False
        is_whole = self.variables[var.name].type == INTEGER
        known = None if new is None else _union([old, _keyed(new, is_whole)])
        if known is not None and not self._are_known(known.values()):
            known = None
        self.sets[var] = known
        return known is None or len(known) > len(old)

    def _are_known(self, values: Iterable[Expr]) -> bool:
        return all(is_known(v, self.variables) for value in values for v in variables_in(value))

    def _values(self, expr: Expr) -> Values | None:
        """Of a formula; None: too many."""
        if expr not in self.branches:
            try:
                ends = ends_of(lifted(expr, MOST_IN_TABLE))
                self.branches[expr] = tuple(dict.fromkeys(ends))
            except TooManyEndsError:
                self.branches[expr] = None
        branches = self.branches[expr]
        return None if branches is None else _union([self._of_branch(b) for b in branches])

    def _of_branch(self, branch: Expr) -> Values | None:
        """With all values of its variables."""
        asked = [var for var in variables_in(branch) if not is_known(var, self.variables)]
        sets = [self.sets.get(base_of(var) if is_pre(var) else var) for var in asked]
        known = [values for values in sets if values is not None]
        if len(known) < len(sets) or prod(map(len, known)) > MOST_CASES:
            return None
        result: Values = {}
        for case in product(*(values.values() for values in known)):
            value = self.computed.value(substitute(branch, dict(zip(asked, case, strict=True))))
            if value is None:
                return None
            result.setdefault(value_key(value), value)
            if len(result) > MOST_VALUES:
                return None
        return result


def _keyed(values: Iterable[Expr], is_whole: bool) -> Values:
    result: Values = {}
    for value in values:
        if is_whole and isinstance(value, Real) and value.value.is_integer():
            value = Integer(int(value.value))
        result.setdefault(value_key(value), value)
    return result


def _union(parts: Sequence[Values | None]) -> Values | None:
    result: Values = {}
    for part in parts:
        if part is None:
            return None
        for key, value in part.items():
            result.setdefault(key, value)
    return result if len(result) <= MOST_VALUES else None


def value_key(value: Expr) -> object:
    """Equal for `1` and `1.0`."""
    return float(value.value) if isinstance(value, Real | Integer) else value
