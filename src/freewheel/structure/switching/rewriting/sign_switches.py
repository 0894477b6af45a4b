"""Switches that the signs of what they switch drive: diodes in the words of the papers.

    0 = if open then i else u;  open = u <= 0 and not i > 0

With an inductor in series, at the instant of closing u is no longer and i not yet positive: whatever `open`
is, the signs contradict it. What is meant is a curve through u and i with a parameter s, of which the two
halves are the positions:

    i = if open then 0 else s;  u = if open then s else 0;  open = s < 0

That is meant where the position `open` is kept as long as u has one sign and left where it has the other, and
the position `closed` in the same way by i. Of a thyristor `open` is kept by a closed gate as well,

    open = u <= 0 and not i > 0 or pre(open) and not fire        open = s < 0 or pre(open) and not fire

The law may have names for its parts, `forward = u > 0`. Where no state gives way, all stays as it was
written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from freewheel.formula import build
from freewheel.formula.nodes import FALSE, TRUE, ZERO, Binary, Expr, If, Unary, Var
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, Basic
from freewheel.formula.walk import map_bottom_up, size, substitute, variables_in
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
    keeps_true: float = 0.0  # sign of `other`
    keeps_false: float = 0.0  # sign of `rest`
    latch: Expr = (
        FALSE  # what keeps `position = true` with the other sign too: a gate that is closed
    )


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
    law = _Spelling(own, model, logic, parts).of(model.equations[logic[position]].right)
    return _read(law, _Switch(number, logic[position], position, rest, other))


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


class _Spelling:
    """A law with what the names of its parts stand for, where that leads to the switch's own variables:
    Booleans that ask for them, and Reals that are made of nothing else. Other names, of gates, stay."""

    def __init__(
        self, own: set[Var], model: ScalarModel, logic: dict[Var, int], parts: dict[Var, int]
    ) -> None:
        self.own, self.model, self.logic, self.parts = own, model, logic, parts
        self.known: dict[Var, Expr] = {name: name for name in own}

    def of(self, law: Expr) -> Expr:
        return substitute(law, {name: self._meant(name) for name in variables_in(law)})

    def _meant(self, name: Var) -> Expr:
        if name not in self.known:
            self.known[name] = name  # also where a circle leads back to it
            self.known[name] = self._opened(name)
        return self.known[name]

    def _opened(self, name: Var) -> Expr:
        if name not in self.parts:
            return name
        law = self.model.equations[self.parts[name]].right
        is_logic = name in self.logic
        names = variables_in(law)
        if not is_logic and any(not self._is_made_of_own(self._meant(each)) for each in names):
            return name
        law = self.of(law)
        leads = not self.own.isdisjoint(variables_in(law))
        return law if leads and size(law) <= LONGEST else name

    def _is_made_of_own(self, law: Expr) -> bool:
        return self.own.issuperset(variables_in(law))


def _is_contrary(condition: Expr) -> bool:
    return (
        isinstance(condition, Unary)
        and condition.op == "not"
        and (isinstance(condition.args[0], Var) or _is_contrary(condition.args[0]))
    )


def _read(law: Expr, switch: _Switch) -> _Switch | None:
    """What a law says of the signs of the two quantities and of its own past; None: no curve is meant."""
    seen = variables_in(law)
    if switch.rest not in seen or switch.other not in seen or switch.position in seen:
        return None
    up, down = (_next(law, switch, True, sign) for sign in (1.0, -1.0))
    goes, comes = (_next(law, switch, False, sign) for sign in (1.0, -1.0))
    if {goes, comes} != {TRUE, FALSE} or (up is TRUE) == (down is TRUE):
        return None
    return replace(
        switch,
        keeps_true=1.0 if up is TRUE else -1.0,
        keeps_false=1.0 if goes is FALSE else -1.0,
        latch=down if up is TRUE else up,
    )


def _next(law: Expr, switch: _Switch, position: bool, sign: float) -> Expr:
    """The next position, where one quantity is zero and the other has a sign."""
    values: dict[Expr, Expr] = {
        pre_of(switch.position): TRUE if position else FALSE,
        switch.rest: ZERO if position else build.number(sign),
        switch.other: build.number(sign) if position else ZERO,
    }
    return map_bottom_up(law, lambda node: values.get(node) or build.rebuilt(node, node.args))


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
    held_on = build.logical_and(pre_of(switch.position), switch.latch)
    law = build.logical_or(Binary("<", s, ZERO), held_on)
    equations[switch.logic] = replace(equations[switch.logic], right=law)
