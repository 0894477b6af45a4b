"""Conditions that join relations on one variable, as choices one after the other.

    if s <= m and s >= -m then A else B      ->      if s <= m then (if s >= -m then A else B) else B
    b = not f and s < -m,  f = s > m         ->      the same for `if b then A else B`
    if abs(s) <= m then A else B             ->      the same, as `s <= m and s >= -m`

A curve of three pieces has a corner where each relation turns. Where two of them stand in one condition, both
corners belong to one choice, and nothing says that the pieces meet there: the choice would be
made by the logic of the model, which may stay on a piece that begins with an impulse.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace

from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import (
    FALSE,
    RELATIONS,
    TRUE,
    ZERO,
    Binary,
    Call,
    Expr,
    If,
    Integer,
    Real,
    Unary,
    Var,
)
from freewheel.formula.types import BOOLEAN, INTEGER, REAL
from freewheel.formula.walk import has_choices, map_bottom_up, nodes_of, substitute, variables_in
from freewheel.formula.walk import replace as rewrite
from freewheel.structure.atoms import is_pre
from freewheel.structure.blocks.incidence import equation_text
from freewheel.structure.nodes import ScalarEquation, ScalarModel
from freewheel.structure.switching.numbers.if_chains import (
    TooManyEndsError,
    decided,
    ends_of,
    lifted,
    truth,
    where,
)

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
MOST_RELATIONS = 6  # of one condition: each doubles what follows
MOST_DEPTH = 20  # Booleans that are given by others


def with_single_relations(model: ScalarModel) -> ScalarModel | None:
    """None where no condition joins several relations on one variable."""
    joined = _Joined(model)
    equations = tuple(joined.equation(e) for e in model.equations)
    return replace(model, equations=equations) if joined.count else None


class _Joined:
    def __init__(self, model: ScalarModel) -> None:
        self.moving = frozenset(
            Var(v.name)
            for v in model.variables
            if v.type == REAL and v.variability == Variability.CONTINUOUS
        )
        self.meaning = _definitions(model)
        self.numbers = _numbers(model)
        self.memo: dict[Expr, Expr] = {}
        self.count = 0

    def equation(self, equation: ScalarEquation) -> ScalarEquation:
        sides = equation.left, equation.right
        if (
            equation.is_when
            or not has_choices(*sides)
            or self.moving.isdisjoint(variables_in(*sides))
        ):
            return equation
        left, right = (rewrite(side, self._choice, self.memo) for side in sides)
        if left is equation.left and right is equation.right:
            return equation
        left, right = self._without_sign(left), self._without_sign(right)
        return replace(equation, left=left, right=right, spoken=equation_text(equation))

    def _without_sign(self, side: Expr) -> Expr:
        """Beside such a choice a sign is one of two numbers, and where it turns is a corner too."""
        for node in nodes_of(side):
            is_sign = isinstance(node, Call) and node.function == "sign"
            if is_sign and not self.moving.isdisjoint(variables_in(node)):
                below = Binary("<", node.args[0], ZERO)
                one = Real(1.0)
                ends = (substitute(side, {node: end}) for end in (build.neg(one), one))
                return If(below, *map(self._without_sign, ends))
        return side

    def _choice(self, node: Expr) -> Expr | None:
        if not isinstance(node, If):
            return None
        condition = self._relations(node.args[0])
        then, otherwise = (rewrite(branch, self._choice, self.memo) for branch in node.args[1:])
        if condition is not None:
            self.count += 1
            return _one_by_one(condition, then, otherwise)
        if then is node.args[1] and otherwise is node.args[2]:
            return node
        return _one_by_one(node.args[0], then, otherwise)

    def _relations(self, condition: Expr) -> Expr | None:
        """The condition with its definitions put in, if it joins several relations on one variable, or if
        these definitions are those of a number."""
        least = 1 if any(var in self.numbers for var in variables_in(condition)) else 2
        for _ in range(MOST_DEPTH):
            deeper = rewrite(condition, self._deeper)
            if deeper is condition:
                break
            condition = deeper
            if any(var in self.numbers for var in variables_in(condition)):
                least = 1
        condition = map_bottom_up(condition, _without_abs)
        parts = dict.fromkeys(_parts(condition))
        if not least <= len(parts) <= MOST_RELATIONS:
            return None
        if not all(isinstance(part, Binary) and part.op in _MIRRORED for part in parts):
            return None
        about = [self.moving.intersection(variables_in(part)) for part in parts]
        return condition if frozenset.intersection(*about) else None

    def _deeper(self, node: Expr) -> Expr | None:
        """What a Boolean means, or a relation `m == 1` of a number that has its values by relations."""
        if isinstance(node, Var):
            return self.meaning.get(node)
        if not isinstance(node, Binary) or node.op not in RELATIONS:
            return None
        given: dict[Expr, Expr] = {
            var: self.numbers[var] for var in variables_in(node) if var in self.numbers
        }
        if not given:
            return None
        try:
            chain = lifted(substitute(node, given))
        except TooManyEndsError:
            return None
        return truth(chain) if all(end in (TRUE, FALSE) for end in ends_of(chain)) else None


def _definitions(model: ScalarModel) -> Mapping[Var, Expr]:
    """What Boolean variables without memory mean."""
    return _given(model, {Var(v.name) for v in model.variables if v.type == BOOLEAN})


def _numbers(model: ScalarModel) -> Mapping[Var, Expr]:
    """Numbers that are one of several literals."""
    formulas = _given(model, {Var(v.name) for v in model.variables if v.type in (INTEGER, REAL)})
    return {
        var: formula
        for var, formula in formulas.items()
        if isinstance(formula, If)
        and all(isinstance(end, Integer | Real) for end in ends_of(formula))
    }


def _given(model: ScalarModel, variables: Set[Var]) -> Mapping[Var, Expr]:
    return {
        e.left: e.right
        for e in model.equations
        if isinstance(e.left, Var)
        and e.left in variables
        and not e.is_when
        and e.target is None
        and e.clause is None
        and not any(is_pre(var) for var in variables_in(e.right))
    }


def _parts(condition: Expr) -> list[Expr]:
    if isinstance(condition, Unary) and condition.op == "not":
        return _parts(condition.args[0])
    if isinstance(condition, Binary) and condition.op in ("and", "or"):
        return [*_parts(condition.left), *_parts(condition.right)]
    return [condition]


def _one_by_one(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """One choice for each relation; what a branch asks again is decided on the way there."""
    if condition is TRUE or condition is FALSE:
        return then if condition is TRUE else otherwise
    first, branches = _parts(condition)[0], (then, otherwise)
    return build.if_then_else(
        first,
        *(
            _one_by_one(
                where(condition, first, value), *(decided(b, first, value) for b in branches)
            )
            for value in (TRUE, FALSE)
        ),
    )


def _without_abs(node: Expr) -> Expr:
    """`abs(x) < m` as two relations."""
    if not isinstance(node, Binary) or node.op not in ("<", "<=", ">", ">="):
        return node
    small, large = (node.left, node.right) if node.op in ("<", "<=") else (node.right, node.left)
    less = node.op if node.op in ("<", "<=") else _MIRRORED[node.op]
    if isinstance(small, Call) and small.function == "abs":
        x = small.args[0]
        return Binary("and", Binary(less, x, large), Binary(_MIRRORED[less], x, build.neg(large)))
    if isinstance(large, Call) and large.function == "abs":
        x = large.args[0]
        return Binary("or", Binary(_MIRRORED[less], x, small), Binary(less, x, build.neg(small)))
    return node
