"""Drop `a = b`, `a = -b` and `a = 2`: one variable stands in for each set so tied.

    R.n.v = C.p.v;  C.p.v = 0;  R.v = R.p.v - R.n.v     ->     R.v = R.p.v, then R.v is R.p.v

In: ScalarModel. Out: AliasFree, where equations hold stand-ins only. Removing a constant may turn
another equation into an alias, so this goes on in rounds until nothing is found. The stand-in keeps
the start value, `fixed` and StateSelect of its set (Modelica 3.6, "StateSelect").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from freewheel.base.names import Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.nodes import (
    FALSE,
    TRUE,
    ZERO,
    Binary,
    Boolean,
    Expr,
    Integer,
    Literal,
    Real,
    Unary,
    Var,
)
from freewheel.formula.types import BOOLEAN, INTEGER, REAL
from freewheel.formula.walk import map_bottom_up, variables_in
from freewheel.structure.atoms import der_of, is_remembered, pre_of
from freewheel.structure.blocks.incidence import equation_text
from freewheel.structure.nodes import (
    Action,
    Alias,
    AliasFree,
    Condition,
    Elimination,
    ScalarEquation,
    ScalarModel,
    ScalarVariable,
)
from freewheel.structure.simplify.vanishing_sums import without_vanishing_sums
from freewheel.structure.simplify.zero_factors import (
    without_zero_calls,
    without_zeros,
    zero_factors,
)
from freewheel.structure.values import ParameterValues

MAX_ROUNDS = 20
_ATTRIBUTES = ("binding", "start", "fixed", "nominal", "minimum", "maximum")
_RANK = {"never": 0, "avoid": 1, "default": 2, "prefer": 3, "always": 4}
_LITERALS = (Real, Integer, Boolean, Literal)


@dataclass(frozen=True, slots=True)
class Tie:
    """`a = sign * b`, or `a = constant`."""

    a: Var
    b: Var | None
    sign: int = 1
    constant: Expr | None = None


def remove_aliases(
    model: ScalarModel,
    constants: Mapping[Name, Expr],
    elimination: Elimination = Elimination.ZEROS,
) -> AliasFree:
    """Rounds of finding ties and putting stand-ins in; `constants` are put in first."""
    aliases = {name: Alias(None, 1, value) for name, value in constants.items()}
    settled: set[Expr] = set()
    variables = _with_constants(model.variables, aliases, settled)
    values = ParameterValues(variables, model.functions)  # rounds change no parameter's value
    dropped: dict[Expr, Expr] = {}
    removed: list[ScalarEquation] = []
    first = Rewriter(aliases, variables, settled)
    equations = [first.equation(e) for e in model.equations]
    for _ in range(0 if elimination is Elimination.NONE else MAX_ROUNDS):
        sets = _Sets(variables)
        kept: list[ScalarEquation] = []
        for equation in equations:
            tie = as_tie(equation, variables)
            if tie is not None and not _may_go(tie, variables, elimination):
                tie = None
            if tie is not None and sets.join(tie):
                removed.append(equation)
            else:
                kept.append(equation)
        found = sets.aliases()
        if not found and elimination in (Elimination.ZEROS, Elimination.SURPLUS):
            shorter = without_vanishing_sums(kept, variables)
            if shorter != kept:
                equations = shorter
                continue
            zeros = zero_factors(kept, variables, values, dropped)
            found = {name: Alias(None, 1, value) for name, value in zeros.items()}
            if found:
                variables = _with_constants(tuple(variables.values()), found, settled)
                put_in = Rewriter(found, variables, settled)
                known = [without_zero_calls(put_in.equation(e), values) for e in kept]
                kept = [without_zeros(e, dropped) for e in known]
        if not found:
            break
        for name, alias in found.items():
            _keep_attributes(variables, name, alias)
        aliases = {name: _through(alias, found) for name, alias in aliases.items()} | found
        rewriter = Rewriter(found, variables, settled)
        equations = [rewriter.equation(e) for e in kept]
    return _rewritten(model, variables, aliases, equations, removed)


def _rewritten(
    model: ScalarModel,
    variables: dict[Name, ScalarVariable],
    aliases: dict[Name, Alias],
    equations: list[ScalarEquation],
    removed: list[ScalarEquation],
) -> AliasFree:
    rewriter = Rewriter(aliases, variables)
    result = replace(
        model,
        variables=tuple(variables.values()),
        equations=tuple(equations),
        initial_equations=tuple(rewriter.equation(e) for e in model.initial_equations),
        conditions=tuple(rewriter.condition(c) for c in model.conditions),
        actions=tuple(rewriter.action(a) for a in model.actions),
        samples=tuple(
            replace(s, start=rewriter.expr(s.start), interval=rewriter.expr(s.interval))
            for s in model.samples
        ),
        delays=tuple(
            replace(
                d,
                lag=None if d.lag is None else rewriter.expr(d.lag),
                longest=rewriter.expr(d.longest),
            )
            for d in model.delays
        ),
        pipes=tuple(
            replace(
                p,
                points=tuple(map(rewriter.expr, p.points)),
                values=tuple(map(rewriter.expr, p.values)),
            )
            for p in model.pipes
        ),
    )
    return AliasFree(result, aliases, tuple(removed))


def _with_constants(
    variables: Sequence[ScalarVariable], aliases: dict[Name, Alias], settled: set[Expr]
) -> dict[Name, ScalarVariable]:
    """Bindings and attributes with constants put in."""
    rewriter = Rewriter(aliases, {}, settled)
    return {v.name: _with_attributes(v, rewriter) for v in variables}


def _with_attributes(variable: ScalarVariable, rewriter: Rewriter) -> ScalarVariable:
    """Only what changes is given to `replace`: it costs more than the rewriting."""
    changed: dict[str, Any] = {}
    for name in _ATTRIBUTES:
        old: Expr | None = getattr(variable, name)
        if old is not None and (new := rewriter.expr(old)) is not old:
            changed[name] = new
    return replace(variable, **changed) if changed else variable


def _through(alias: Alias, found: dict[Name, Alias]) -> Alias:
    """An alias of an alias."""
    if alias.stand_in is None or alias.stand_in.name not in found:
        return alias
    further = found[alias.stand_in.name]
    if further.stand_in is None:
        assert further.constant is not None
        constant = build.neg(further.constant) if alias.sign < 0 else further.constant
        return Alias(None, 1, constant)
    return Alias(further.stand_in, alias.sign * further.sign)


# ---------------------------------------------------------------- what is a tie?


def as_tie(equation: ScalarEquation, variables: dict[Name, ScalarVariable]) -> Tie | None:
    """`a = b`, `a = -b`, `a - b = 0`, `0 = a + b`, `a = 2` between variables of one kind."""
    pair = _sides(equation.left, equation.right)
    if pair is None or any(isinstance(p, Var) and is_remembered(p.name) for p in pair[:2]):
        return None
    first, second, sign = pair
    if not isinstance(first, Var):
        first, second = second, first
    if not isinstance(first, Var) or not _is_unknown(first, variables):
        if isinstance(first, Var) and isinstance(second, Var) and _is_unknown(second, variables):
            first, second = second, first
        else:
            return None
    assert isinstance(first, Var)
    if isinstance(second, _LITERALS):
        constant = build.neg(second) if sign < 0 else second
        return (
            None
            if _begins_otherwise(variables[first.name], constant)
            else Tie(first, None, 1, constant)
        )
    if not isinstance(second, Var) or second is first:
        return None
    return _tie(first, second, sign, variables)


def _begins_otherwise(variable: ScalarVariable, constant: Expr) -> bool:
    """`Boolean first(start=true, fixed=true) = false`: its pre-value is true at the beginning."""
    is_discrete = (
        variable.type in (BOOLEAN, INTEGER) or variable.variability == Variability.DISCRETE
    )
    return is_discrete and variable.fixed is TRUE and variable.start not in (None, constant)


def _tie(a: Var, b: Var, sign: int, variables: dict[Name, ScalarVariable]) -> Tie | None:
    one, other = variables[a.name], variables.get(b.name)
    if other is None or (sign < 0 and one.type not in (REAL, INTEGER)):
        return None
    if one.type != other.type and not (one.type == REAL and other.type == INTEGER):
        return None
    if one.type == BOOLEAN and other.variability <= Variability.PARAMETER and sign < 0:
        return None
    return Tie(a, b, sign)


def _may_go(tie: Tie, variables: dict[Name, ScalarVariable], elimination: Elimination) -> bool:
    """Reading only aliases removed, one still wants to see `Common.V = 0` and `y = C.u`."""
    if elimination is not Elimination.ALIASES:
        return True
    return tie.b is not None and all(
        variables[var.name].causality is not Causality.OUTPUT for var in (tie.a, tie.b)
    )


def _is_unknown(var: Var, variables: dict[Name, ScalarVariable]) -> bool:
    variable = variables.get(var.name)
    return (
        variable is not None
        and variable.variability > Variability.PARAMETER
        and variable.causality is not Causality.INPUT
    )


def _sides(left: Expr, right: Expr) -> tuple[Expr, Expr, int] | None:
    """(first, second, sign) with first = sign * second."""
    if _is_zero(left):
        left, right = right, left
    if _is_zero(right) and isinstance(left, Binary) and left.op in ("+", "-"):
        inner = _sides(left.left, left.right)
        if inner is None:
            return None
        first, second, sign = inner
        return first, second, -sign if left.op == "+" else sign
    sign = 1
    if isinstance(left, Unary) and left.op == "-":
        left, sign = left.args[0], -sign
    if isinstance(right, Unary) and right.op == "-":
        right, sign = right.args[0], -sign
    if isinstance(left, (Var, *_LITERALS)) and isinstance(right, (Var, *_LITERALS)):
        return left, right, sign
    return None


def _is_zero(expr: Expr) -> bool:
    return expr is ZERO or (isinstance(expr, Integer) and expr.value == 0)


# ---------------------------------------------------------------- sets of tied variables


class _Sets:
    """Union-find with signs: `sign[v]` relates v to its parent."""

    def __init__(self, variables: dict[Name, ScalarVariable]) -> None:
        self.variables = variables
        self.parent: dict[Var, Var] = {}
        self.sign: dict[Var, int] = {}
        self.constant: dict[Var, Expr] = {}  # of roots

    def find(self, var: Var) -> tuple[Var, int]:
        path: list[Var] = []
        while var in self.parent:
            path.append(var)
            var = self.parent[var]
        sign = 1
        for step in reversed(path):
            sign *= self.sign[step]
            self.parent[step], self.sign[step] = var, sign
        return (var, sign)

    def join(self, tie: Tie) -> bool:
        """False where the tie says nothing new or contradicts: the equation must stay."""
        root, sign = self.find(tie.a)
        if tie.b is None:
            assert tie.constant is not None
            if root in self.constant or not _is_unknown(root, self.variables):
                return False
            self.constant[root] = build.neg(tie.constant) if sign < 0 else tie.constant
            return True
        other, other_sign = self.find(tie.b)
        if root is other:
            return False
        one_known, other_known = self._is_known(root), self._is_known(other)
        if one_known and other_known:
            return False
        total = sign * other_sign * tie.sign
        if one_known or (not other_known and self._better(root, other)):
            root, other = other, root
        self.parent[root], self.sign[root] = other, total
        return True

    def _is_known(self, root: Var) -> bool:
        return root in self.constant or not _is_unknown(root, self.variables)

    def _better(self, one: Var, other: Var) -> bool:
        return self._merit(one) > self._merit(other)

    def _merit(self, var: Var) -> tuple[int, ...]:
        variable = self.variables[var.name]
        return (
            int(variable.variability == Variability.DISCRETE),
            _RANK[variable.state_select],
            int(variable.fixed is not None),
            variable.start_say,
            -len(var.name),  # `R.i` reads better than `R.p.i`
        )

    def aliases(self) -> dict[Name, Alias]:
        result: dict[Name, Alias] = {}
        for root, constant in self.constant.items():
            result[root.name] = Alias(None, 1, constant)
        for var in list(self.parent):
            root, sign = self.find(var)
            if root in self.constant:
                value = self.constant[root]
                result[var.name] = Alias(None, 1, build.neg(value) if sign < 0 else value)
            else:
                result[var.name] = Alias(root, sign)
        return result


def _keep_attributes(variables: dict[Name, ScalarVariable], name: Name, alias: Alias) -> None:
    """The stand-in inherits what the modeller said about the variable it replaces."""
    if alias.stand_in is None:
        return
    gone = variables[name]
    stays = variables[alias.stand_in.name]
    if stays.variability <= Variability.PARAMETER:
        return
    is_wanted = _RANK[gone.state_select] > _RANK[stays.state_select]
    is_nearer = gone.start_say > stays.start_say and not _fixes_more(stays, gone)
    start, said_by = stays.start, stays
    if gone.start is not None and (is_nearer or _fixes_more(gone, stays)):
        start = build.neg(gone.start) if alias.sign < 0 else gone.start
        said_by = gone
    variables[alias.stand_in.name] = replace(
        stays,
        state_select=gone.state_select if is_wanted else stays.state_select,
        start=start,
        start_level=said_by.start_level,
        is_default_start=said_by.is_default_start,
        fixed=gone.fixed if stays.fixed is None or _fixes_more(gone, stays) else stays.fixed,
        nominal=stays.nominal or gone.nominal,
    )


def _fixes_more(gone: ScalarVariable, stays: ScalarVariable) -> bool:
    return gone.fixed is not None and gone.fixed is not FALSE and stays.fixed in (None, FALSE)


# ---------------------------------------------------------------- putting stand-ins in


class Rewriter:
    """Replaces aliases, their derivatives and their pre-values, folding what becomes constant.

    `settled` goes from one to the next: formulas that an earlier one gave back as they were have
    nothing left to fold, and are visited again only where they hold an alias.
    """

    def __init__(
        self,
        aliases: dict[Name, Alias],
        variables: dict[Name, ScalarVariable],
        settled: set[Expr] | None = None,
    ) -> None:
        self.variables = variables
        self.settled: set[Expr] = set() if settled is None else settled
        self.mapping: dict[Expr, Expr] = {}
        self.memo: dict[Expr, Expr] = {}
        for name, alias in aliases.items():
            self._map(Var(name), alias)

    def _map(self, var: Var, alias: Alias) -> None:
        if alias.stand_in is None:
            assert alias.constant is not None
            self.mapping[var] = alias.constant
            self.mapping[der_of(var)] = ZERO
            self.mapping[pre_of(var)] = alias.constant
            return
        variability = self.variables[alias.stand_in.name].variability
        is_parameter = variability <= Variability.PARAMETER
        rate = der_of(alias.stand_in) if variability == Variability.CONTINUOUS else ZERO
        before = alias.stand_in if is_parameter else pre_of(alias.stand_in)
        for old, new in ((var, alias.stand_in), (der_of(var), rate), (pre_of(var), before)):
            self.mapping[old] = build.neg(new) if alias.sign < 0 else new

    def expr(self, expr: Expr) -> Expr:
        if not expr.args:
            return self.mapping.get(expr, expr)
        if expr in self.settled and self.mapping.keys().isdisjoint(variables_in(expr)):
            return expr
        result = map_bottom_up(expr, self._visit, self.memo)
        if result is expr:
            self.settled.add(expr)
        return result

    def _visit(self, node: Expr) -> Expr:
        if isinstance(node, Var):
            return self.mapping.get(node, node)
        return build.rebuilt(node, node.args) if node.args else node

    def optional(self, expr: Expr | None) -> Expr | None:
        return None if expr is None else self.expr(expr)

    def equation(self, equation: ScalarEquation) -> ScalarEquation:
        left, right = self.expr(equation.left), self.expr(equation.right)
        target = equation.target
        if target is not None:
            replaced = self.mapping.get(target, target)
            if isinstance(replaced, Unary) and isinstance(replaced.args[0], Var):
                left, right, replaced = replaced.args[0], build.neg(right), replaced.args[0]
            target = replaced if isinstance(replaced, Var) else None
        if left is equation.left and right is equation.right and target is equation.target:
            return equation
        made = replace(equation, left=left, right=right, target=target)
        if any(variables_in(left, right)):
            return made
        return replace(made, spoken=equation_text(equation))  # the last that names a variable

    def condition(self, condition: Condition) -> Condition:
        return replace(condition, value=self.expr(condition.value))

    def action(self, action: Action) -> Action:
        target = action.target
        value = self.optional(action.value)
        if target is not None:
            replaced = self.mapping.get(target, target)
            if isinstance(replaced, Unary) and isinstance(replaced.args[0], Var):
                assert value is not None
                replaced, value = replaced.args[0], build.neg(value)
            target = replaced if isinstance(replaced, Var) else target
        return replace(
            action,
            guard=self.optional(action.guard),
            value=value,
            message=self.optional(action.message),
            target=target,
        )


def unknowns_of(model: ScalarModel, aliases: Iterable[Name]) -> list[ScalarVariable]:
    """Variables that equations must determine, aliases not counted."""
    gone = set(aliases)
    return [
        v
        for v in model.variables
        if v.variability > Variability.PARAMETER
        and v.causality is not Causality.INPUT
        and v.name not in gone
    ]
