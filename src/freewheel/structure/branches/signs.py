"""Switches that the signs of what they switch drive: diodes in the words of the papers.

    0 = if open then i else u;  open = u <= 0 and not i > 0

With an inductor in series, at the instant of closing u is no longer and i not yet positive: whatever `open`
is, the signs contradict it. What is meant is a curve through u and i with a parameter s, of which the two
halves are the positions:

    i = if open then 0 else s;  u = if open then s else 0;  open = s < 0

That is meant where the position `open` is kept as long as u has one sign and left where it has the other, and
the position `closed` in the same way by i. The law may have names for its parts, `forward = u > 0`. Where no
state gives way, all stays as it was written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from freewheel.base.diagnostics import CompileError
from freewheel.formula import build
from freewheel.formula.evaluate import evaluate
from freewheel.formula.faults import NotConstant
from freewheel.formula.nodes import ZERO, Binary, Expr, If, Unary, Var
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, Basic
from freewheel.formula.walk import size, substitute, variables_in
from freewheel.structure.atoms import CURVE, IS, base_of, is_pre, pre_of
from freewheel.structure.nodes import ScalarEquation, ScalarModel, ScalarVariable

MOST_NAMES = 20  # of one position
LONGEST = 1000  # nodes of a law: longer ones are programs


@dataclass(frozen=True, slots=True)
class _Switch:
    """`rest` is zero in the position `position = true`, `other` in the contrary one. Signs: those that keep
    the position in which the quantity is free."""

    number: int  # of the switch equation
    logic: int  # of the equation of `position`
    position: Var
    rest: Var
    other: Var
    keeps_true: float  # sign of `other`
    keeps_false: float  # sign of `rest`


def with_curves(model: ScalarModel) -> ScalarModel | None:
    """The model with such switches as curves; None where there are none."""
    logic = _definitions(model, (BOOLEAN,))
    parts = _definitions(model, (BOOLEAN, REAL, INTEGER))
    tried = [_switch(k, e, model, logic, parts) for k, e in enumerate(model.equations)]
    found = [switch for switch in tried if switch is not None]
    taken: set[Var] = set()
    switches = []
    for switch in found:
        if switch.position not in taken:  # one that drives two of them is no curve
            switches.append(switch)
        taken.add(switch.position)
    if not switches or len(found) != len(switches):
        return None
    equations = list(model.equations)
    names = [switch.position.name for switch in switches]
    parameters = [Var((CURVE, *(name[1:] if name[0] == IS else name))) for name in names]
    for switch, s in zip(switches, parameters, strict=True):
        _rewrite(equations, switch, s)
    new = tuple(ScalarVariable(s.name, REAL) for s in parameters)
    return replace(model, variables=(*model.variables, *new), equations=tuple(equations))


def _definitions(model: ScalarModel, types: Sequence[Basic]) -> dict[Var, int]:
    """Equations of variables of these types outside of when-clauses and algorithms."""
    names = {v.name for v in model.variables if v.type in types}
    return {
        e.left: number
        for number, e in enumerate(model.equations)
        if isinstance(e.left, Var)
        and e.left.name in names
        and not e.is_when
        and e.target is None
        and e.clause is None
    }


def _switch(
    number: int,
    equation: ScalarEquation,
    model: ScalarModel,
    logic: dict[Var, int],
    parts: dict[Var, int],
) -> _Switch | None:
    sides = (equation.left, equation.right)
    chosen = next((side for side in sides if isinstance(side, If)), None)
    if chosen is None or not any(build.is_zero(side) for side in sides):
        return None
    condition, rest, other = chosen.args
    position, is_same = _followed(condition, model, logic)
    if not is_same:
        rest, other = other, rest
    if position is None or not isinstance(rest, Var) or not isinstance(other, Var) or rest is other:
        return None
    own = {rest, other, position, pre_of(position)}
    law = _spelled_out(model.equations[logic[position]].right, own, model, parts)
    says = _Signs(law, position, rest, other)
    kept_true, kept_false = says.kept(True), says.kept(False)
    if kept_true == 0.0 or kept_false == 0.0:
        return None
    return _Switch(number, logic[position], position, rest, other, kept_true, kept_false)


def _followed(
    condition: Expr, model: ScalarModel, logic: dict[Var, int]
) -> tuple[Var | None, bool]:
    """The variable that a condition is, or is the contrary of, and which is given by more than another one;
    whether it has the same sense."""
    is_same = True
    for _ in range(MOST_NAMES):
        while isinstance(condition, Unary) and condition.op == "not":
            condition, is_same = condition.args[0], not is_same
        if not isinstance(condition, Var):
            return None, is_same
        position = base_of(condition) if is_pre(condition) else condition
        if position not in logic:
            return None, is_same
        condition = model.equations[logic[position]].right
        if not isinstance(condition, Var) and not _is_contrary(condition):
            return position, is_same
    return None, is_same


def _spelled_out(condition: Expr, own: set[Var], model: ScalarModel, parts: dict[Var, int]) -> Expr:
    """With what the names of its parts stand for, down to the switch's own variables. Where that ends
    at others, the switch is driven from elsewhere."""
    for _ in range(MOST_NAMES):
        names = [name for name in variables_in(condition) if name not in own]
        if not names or any(name not in parts for name in names) or size(condition) > LONGEST:
            break
        meant: dict[Expr, Expr] = {name: model.equations[parts[name]].right for name in names}
        condition = substitute(condition, meant)
    return condition


def _is_contrary(condition: Expr) -> bool:
    return (
        isinstance(condition, Unary)
        and condition.op == "not"
        and (isinstance(condition.args[0], Var) or _is_contrary(condition.args[0]))
    )


class _Signs:
    """What a condition says of the signs of two quantities and of its own past."""

    def __init__(self, condition: Expr, position: Var, rest: Var, other: Var) -> None:
        self.condition = condition
        self.position, self.rest, self.other = position, rest, other
        known = {rest, other, position, pre_of(position)}
        self.is_closed = set(variables_in(condition)) <= known
        looks = {rest, other}.issubset(variables_in(condition))
        self.is_closed = self.is_closed and looks and position not in variables_in(condition)

    def kept(self, position: bool) -> float:
        """The sign that keeps the position while the other sign leaves it; 0: there is none."""
        if not self.is_closed:
            return 0.0
        up, down = self._next(position, 1.0), self._next(position, -1.0)
        if up is None or down is None or up == down:
            return 0.0
        return 1.0 if up == position else -1.0

    def _next(self, position: bool, sign: float) -> bool | None:
        values: dict[Var, float | bool] = {
            pre_of(self.position): position,
            self.rest: 0.0 if position else sign,
            self.other: sign if position else 0.0,
        }
        try:
            found = evaluate(self.condition, lookup=lambda name: values[Var(name)])
        except (NotConstant, CompileError, KeyError):
            return None
        return bool(found)


def _rewrite(equations: list[ScalarEquation], switch: _Switch, s: Var) -> None:
    old = equations[switch.number]
    free = s if switch.keeps_false > 0.0 else build.neg(s)
    held = s if switch.keeps_true < 0.0 else build.neg(s)
    equations[switch.number] = replace(
        old, left=switch.rest, right=If(switch.position, ZERO, free), spoken=""
    )
    equations.append(
        replace(old, left=switch.other, right=If(switch.position, held, ZERO), spoken="")
    )
    equations[switch.logic] = replace(equations[switch.logic], right=Binary("<", s, ZERO))
