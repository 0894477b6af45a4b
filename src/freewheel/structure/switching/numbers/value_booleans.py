"""A Boolean for each value of a variable that has finitely many.

    mo = if s < 0 then 1 else 0      ->      $is.mo.1 = s < 0;  mo = if $is.mo.1 then 1 else 0

With these, formulas over such variables are chains of if-expressions with values at their ends, and
relations between them are Boolean formulas. A variable that a formula of others gives needs no Boolean
of its own, nor does one whose condition is a Boolean variable already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import RELATIONS, Binary, Boolean, Expr, If, Unary, Var
from freewheel.formula.types import BOOLEAN
from freewheel.formula.walk import map_bottom_up, nodes_of, substitute, variables_in
from freewheel.formula.walk import replace as rewrite
from freewheel.structure.atoms import IS, base_of, is_pre, pre_of
from freewheel.structure.blocks.incidence import equation_text, expr_text
from freewheel.structure.nodes import ScalarEquation, ScalarModel, ScalarVariable
from freewheel.structure.switching.numbers.computed_values import Computed
from freewheel.structure.switching.numbers.finite_domains import Finite, is_known, value_key
from freewheel.structure.switching.numbers.if_chains import (
    MOST_IN_TABLE,
    TooManyEndsError,
    ends_of,
    lifted,
    truth,
    with_ends,
)


class Positions:
    """Chains for variables and formulas, made when asked for, and the Booleans that these need."""

    def __init__(self, model: ScalarModel, finite: Mapping[Var, Finite]) -> None:
        self.model = model
        self.finite = finite
        self.variables = {v.name: v for v in model.variables}
        self.computed = Computed(model.functions)
        self.chains: dict[Var, Expr | None] = {}
        self.by_formula: dict[Var, Expr] = {}  # new formulas of variables
        self.booleans: dict[Var, Expr] = {}  # with what they mean
        self.values: dict[Var, tuple[Finite, Expr]] = {}  # what each stands for
        self.lifted: dict[Expr, Expr] = {}

    # ------------------------------------------------------------ formulas

    def chain(self, expr: Expr) -> Expr:
        """A formula as if-expressions over Booleans, without finite variables at the ends."""
        return with_ends(lifted(self.put(expr)), self.computed.formula)

    def put(self, expr: Expr) -> Expr:
        """With a chain in the place of each finite variable."""
        return self._put(self.condition(expr))

    def is_finite(self, var: Var) -> bool:
        return (base_of(var) if is_pre(var) else var) in self.finite

    def condition(self, expr: Expr) -> Expr:
        """With relations between finite variables as their Booleans."""
        return rewrite(expr, self._lifted, self.lifted)

    def _lifted(self, node: Expr) -> Expr | None:
        if not isinstance(node, Binary) or node.op not in RELATIONS:
            return None
        found = variables_in(node)
        if not any(map(self.is_finite, found)):
            return None
        if not all(self.is_finite(v) or is_known(v, self.variables) for v in found):
            return None
        try:
            return truth(lifted(self._put(node)))
        except TooManyEndsError:
            return None

    def _put(self, expr: Expr) -> Expr:
        chains: dict[Expr, Expr] = {}
        for var in variables_in(expr):
            if not self.is_finite(var):
                continue
            chain = self._of(self.finite[base_of(var) if is_pre(var) else var])
            if chain is not None:
                chains[var] = self._before(chain) if is_pre(var) else chain
        return substitute(expr, chains)

    def _before(self, chain: Expr) -> Expr:
        """Of a memory: its Booleans as they were."""
        return substitute(chain, {b: pre_of(b) for b in variables_in(chain) if self.is_boolean(b)})

    def is_boolean(self, var: Var) -> bool:
        variable = self.variables.get(var.name)
        return var in self.values or (variable is not None and variable.type == BOOLEAN)

    # ------------------------------------------------------------ variables

    def _of(self, finite: Finite) -> Expr | None:
        """None where its formula has too many cases."""
        if finite.var not in self.chains:
            if len(finite.values) == 1:
                self.chains[finite.var] = finite.values[0]
            elif finite.is_when:
                self.chains[finite.var] = self._by_value(finite)
            elif self._is_condition(finite):
                self.chains[finite.var] = finite.formula
            else:
                self.chains[finite.var] = None
                self._by_formula(finite)
        return self.chains[finite.var]

    def _by_formula(self, finite: Finite) -> None:
        try:
            if any(_decides(node) for node in nodes_of(finite.formula)):
                self._by_condition(finite)
            else:
                self.chains[finite.var] = self.chain(finite.formula)
        except TooManyEndsError:
            self.chains[finite.var] = None

    def _is_condition(self, finite: Finite) -> bool:
        """`if open then 1 else 0`: nothing new is needed."""
        if finite.is_remembered or not isinstance(finite.formula, If):
            return False
        condition, *branches = finite.formula.args
        if isinstance(condition, Unary):
            condition = condition.args[0]
        is_plain = isinstance(condition, Var) and self.is_boolean(condition)
        return is_plain and not any(branch.args or branch in self.finite for branch in branches)

    def _by_value(self, finite: Finite) -> Expr:
        """An event gives the value, and the value its Booleans."""
        names = self._names(finite)
        self.booleans |= {b: Binary("==", finite.var, value) for b, value in names.items()}
        return _chain(names, finite.values[-1])

    def _by_condition(self, finite: Finite) -> None:
        """The formula gives the Booleans, and these the value. Formulas may ask what they were."""
        finite = _plain_sense(finite)
        names = self._names(finite)
        own = self.chains[finite.var] = _chain(names, finite.values[-1])
        chain = lifted(self.put(finite.formula), MOST_IN_TABLE)
        ends = with_ends(chain, self.computed.formula)
        if any(map(self.is_finite, variables_in(*ends_of(ends)))):  # one of them has too many cases
            raise TooManyEndsError
        for boolean, value in names.items():
            self.booleans[boolean] = _with_events(truth(with_ends(ends, _equals(value))))
        self.by_formula[finite.var] = own

    def _names(self, finite: Finite) -> dict[Var, Expr]:
        names = {
            Var((IS, *finite.var.name, expr_text(value))): value for value in finite.values[:-1]
        }
        self.values |= {name: (finite, value) for name, value in names.items()}
        return names

    # ------------------------------------------------------------ the model with Booleans

    def equations(self) -> list[ScalarEquation]:
        """All of the model, with those that give a number from its Booleans, and those of Booleans."""
        result = list(self.model.equations)
        for var, chain in self.by_formula.items():
            number = self.finite[var].equation
            spoken = equation_text(result[number])
            result[number] = replace(result[number], left=var, right=chain, spoken=spoken)
        for boolean, meaning in self.booleans.items():
            given = self.model.equations[self.values[boolean][0].equation]
            result.append(ScalarEquation(boolean, meaning, given.span, given.origin))
        return result

    def new_variables(self) -> list[ScalarVariable]:
        result = []
        for boolean in self.booleans:
            finite, value = self.values[boolean]
            number = self.variables[finite.var.name]
            start = None if finite.start is None else build.relation("==", finite.start, value)
            result.append(
                ScalarVariable(
                    boolean.name,
                    BOOLEAN,
                    Variability.DISCRETE,
                    start=start,
                    start_level=number.start_level,
                    fixed=number.fixed,
                    span=number.span,
                )
            )
        return result


def _chain(names: Mapping[Var, Expr], last: Expr) -> Expr:
    chain = last
    for boolean, value in reversed(list(names.items())):
        chain = If(boolean, value, chain)
    return chain


def _decides(node: Expr) -> bool:
    """Whether it makes a formula more than arithmetic."""
    return isinstance(node, If) or (isinstance(node, Var) and is_pre(node))


def _plain_sense(finite: Finite) -> Finite:
    """`if not c then 0 else 1`: the Boolean is that of the other value, so that it means c."""
    formula = finite.formula
    is_turned = isinstance(formula, If) and isinstance(formula.args[0], Unary)
    if not is_turned or len(finite.values) != 2:
        return finite
    return replace(finite, values=finite.values[::-1])


def _with_events(condition: Expr) -> Expr:
    """A Boolean changes at events: `noEvent` cannot mean that a switch has none."""
    return map_bottom_up(condition, lambda n: n.args[0] if n.data == "noEvent" and n.args else n)


def _equals(value: Expr) -> Callable[[Expr], Expr]:
    key = value_key(value)
    return lambda end: Boolean(value_key(end) == key)
