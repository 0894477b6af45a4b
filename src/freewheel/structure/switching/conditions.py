"""Conditions of if-expressions as bits: which are the same, and what they mean.

    if off then ..,  if not off then ..,  if s < 0 then ..       one bit, where `off = s < 0`

A Boolean variable without memory stands for its definition; `not`, `>=` and `<=` turn a bit round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from freewheel.formula import build
from freewheel.formula.nodes import Binary, Expr, If, Unary, Var
from freewheel.formula.walk import replace, variables_in
from freewheel.structure.atoms import is_pre
from freewheel.structure.nodes import Crossing, ScalarEquation
from freewheel.structure.switching.condition_text import Spoken
from freewheel.structure.switching.nodes import Bit

_NEGATED = {">=": "<", "<=": ">"}

MAX_DEPTH = 20  # definitions behind definitions

Decided = Mapping[int, bool]


def definitions(
    equations: Iterable[ScalarEquation],
) -> tuple[dict[Var, Expr], dict[Var, Expr]]:
    """Discrete variables given by an equation outside when-clauses: (without memory, with)."""
    plain: dict[Var, Expr] = {}
    remembering: dict[Var, Expr] = {}
    for equation in equations:
        target = equation.target if equation.target is not None else equation.left
        if equation.is_when or not isinstance(target, Var) or equation.left is not target:
            continue
        has_memory = any(is_pre(var) for var in variables_in(equation.right))
        (remembering if has_memory else plain)[target] = equation.right
    return plain, remembering


class Bits:
    """Numbers for conditions, given out as they are met."""

    def __init__(
        self,
        equations: Iterable[ScalarEquation],
        continuous: frozenset[Var],
        crossings: Sequence[Crossing] = (),
    ) -> None:
        """`equations`: the discrete ones."""
        self.spoken = Spoken(crossings)
        self.crossing = {crossing.status: crossing for crossing in crossings}
        self.known, self.remembering = definitions(equations)
        self.continuous = continuous
        self.number: dict[Expr, int] = {}  # by meaning
        self.bits: list[Bit] = []
        self.of_condition: dict[Expr, tuple[int, bool] | None] = {}

    def of(self, condition: Expr) -> tuple[int, bool] | None:
        """(bit, whether it has this sense); None for what can change without an event."""
        if condition not in self.of_condition:
            self.of_condition[condition] = self._of(condition)
        return self.of_condition[condition]

    def _of(self, condition: Expr) -> tuple[int, bool] | None:
        found = variables_in(condition)
        if not found or any(var in self.continuous for var in found):
            return None
        plain, sense = canonical(condition)
        meaning, other = canonical(self.meaning(plain))
        number = self.number.get(meaning)
        if number is None:
            number = self.number[meaning] = len(self.bits)
            self.bits.append(Bit(number, plain, meaning, other, self.spoken.text(plain)))
        return number, sense == other

    def zero_of(self, condition: Expr) -> Expr | None:
        """What is compared with zero, if that is all the condition does."""
        found = variables_in(condition)
        crossing = self.crossing.get(found[0]) if len(found) == 1 else None
        return crossing.left if crossing is not None and build.is_zero(crossing.right) else None

    def meaning(self, condition: Expr) -> Expr:
        """Definitions put in, again and again; one that leads back to itself stays."""
        for _ in range(MAX_DEPTH):
            deeper = replace(condition, self._definition)
            if deeper is condition:
                break
            condition = deeper
        return condition

    def _definition(self, node: Expr) -> Expr | None:
        return self.known.get(node) if isinstance(node, Var) else None

    # ------------------------------------------------------------ in expressions

    def decided(self, expr: Expr, decided: Decided) -> Expr:
        """With one branch in the place of each if-expression whose bit is decided."""

        def visit(node: Expr) -> Expr | None:
            if not isinstance(node, If):
                return None
            branch = self._branch(node, decided)
            return None if branch is node else replace(branch, visit, memo)

        memo: dict[Expr, Expr] = {}
        return replace(expr, visit, memo)

    def _branch(self, node: Expr, decided: Decided) -> Expr:
        """Down an elseif-chain without recursion."""
        while isinstance(node, If):
            found = self.of(node.args[0])
            if found is None or found[0] not in decided:
                break
            number, sense = found
            node = node.args[1] if decided[number] == sense else node.args[2]
        return node


def canonical(condition: Expr) -> tuple[Expr, bool]:
    """Without `not`, `>=` and `<=`, and whether it has the same sense."""
    sense = True
    while isinstance(condition, Unary) and condition.op == "not":
        condition, sense = condition.args[0], not sense
    if isinstance(condition, Binary) and condition.op in _NEGATED:
        condition, sense = Binary(_NEGATED[condition.op], *condition.args), not sense
    return condition, sense
