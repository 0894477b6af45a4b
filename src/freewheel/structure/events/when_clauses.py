"""When-equations become equations of discrete variables and guarded actions.

    when {c1, initial()} then n = pre(n) + 1; end when
    -> flag 1 = c1;   n = if initial() or flag 1 rises then pre(n) + 1 else pre(n)

A condition that is a plain variable is its own flag; any other gets a hidden one. Modelica 3.6,
"When-Equations": a clause is active at the instant its condition becomes true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import error
from freewheel.base.names import Name, show
from freewheel.flat.nodes import (
    AnyEquation,
    Equation,
    ForEquation,
    IfEquation,
    TupleEquation,
    WhenEquation,
)
from freewheel.formula import build
from freewheel.formula.nodes import FALSE, Expr, Index, Var
from freewheel.formula.statement_nodes import Assert, CallEquation, Reinit, Terminate, WhenStatement
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import INITIAL, pre_of, when_flag
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.clocks.operators import IsClock
from freewheel.structure.events.diagnostics import (
    both_sides_of_when,
    elsewhen_of_clock,
    nested_when,
    no_variable_on_left,
    priority_of_clock,
    set_twice,
)
from freewheel.structure.events.priorities import is_time_event
from freewheel.structure.nodes import Condition, ScalarEquation
from freewheel.structure.scalarize.for_equations import bind_equation

if TYPE_CHECKING:
    from freewheel.structure.scalarize.equations import Expander

Values = dict[Var, Expr]


def expand_when(expander: Expander, clause: WhenEquation) -> list[ScalarEquation]:
    """One equation per discrete variable; conditions and actions are collected aside."""
    if any(expander.operators.is_clock(condition) for condition, _ in clause.branches):
        return _clocked(expander, clause)
    branches: dict[Var, list[tuple[Expr, Expr]]] = {}
    spoken: dict[Var, list[str]] = {}
    earlier: Expr = FALSE
    first_action = len(expander.actions)
    for condition, body in clause.branches:
        parts = expander.scalars(condition, clause.span)
        fires = rising(expander, parts, clause)
        words = " or ".join(map(expr_text, parts))
        guard = build.logical_and(build.logical_not(earlier), fires)
        for target, value in _body(expander, body, guard).items():
            branches.setdefault(target, []).append((fires, value))
            spoken.setdefault(target, []).append(f"{words} then {_given(target, value)}")
        earlier = build.logical_or(earlier, fires)
    for action in expander.actions[first_action:]:
        if action.kind == "reinit" and action.target is not None:
            owner = expander.reinits.setdefault(action.target, clause.span)
            if owner is not clause.span:
                raise set_twice(action.target, owner, clause.span)
    return [
        replace(_update(target, parts, clause), spoken="when " + " elsewhen ".join(spoken[target]))
        for target, parts in branches.items()
    ]


def _given(target: Var, value: Expr) -> str:
    return f"{expr_text(target)} = {expr_text(value)}"


def _clocked(expander: Expander, clause: WhenEquation) -> list[ScalarEquation]:
    """All equations inside are on the clause's clock and may be of any form."""
    if len(clause.branches) != 1:
        raise elsewhen_of_clock(clause.span)
    if clause.priority is not None:
        raise priority_of_clock(clause.span)
    condition, body = clause.branches[0]
    expander.clauses += 1
    mark = (expander.clauses, expander.scalar(condition, clause.span))
    first = len(expander.actions)
    result = [replace(e, clause=mark) for e in expander.equations(body, None)]
    expander.actions[first:] = [replace(a, clause=mark) for a in expander.actions[first:]]
    return result


def _update(target: Var, parts: list[tuple[Expr, Expr]], clause: WhenEquation) -> ScalarEquation:
    value: Expr = pre_of(target)
    for fires, new in reversed(parts):
        value = build.if_then_else(fires, new, value)
    return ScalarEquation(target, value, clause.span, clause.origin, target=target, is_when=True)


def rising(expander: Expander, parts: list[Expr], clause: WhenEquation | WhenStatement) -> Expr:
    """One of the conditions rises; at the start only `initial()` counts."""
    rises: Expr = FALSE
    at_initial: Expr = FALSE
    for part in parts:
        if part is INITIAL:
            at_initial = INITIAL
            continue
        flag = part
        if not isinstance(part, Var) or part.name not in expander.variables:
            flag = when_flag(len(expander.conditions) + 1)
            origin = clause.origin if isinstance(clause, WhenEquation) else ()
            expander.conditions.append(Condition(flag, part, clause.span, origin))
        assert isinstance(flag, Var)
        if expander.uses_priorities:
            flag = _ranked(expander, flag, part, clause)
        rise = build.logical_and(flag, build.logical_not(pre_of(flag)))
        rises = build.logical_or(rises, rise)
    later = build.logical_and(build.logical_not(INITIAL), rises)
    return build.logical_or(at_initial, later)


def _ranked(
    expander: Expander, flag: Var, condition: Expr, clause: WhenEquation | WhenStatement
) -> Var:
    """A flag that rises in its turn: priorities.py gives it another value where others come first."""
    if clause.priority is None and not is_time_event(condition, expander.variables):
        return flag
    own = when_flag(len(expander.conditions) + 1)
    origin = clause.origin if isinstance(clause, WhenEquation) else ()
    priority = expander.priority(clause.priority, clause.span)
    expander.conditions.append(Condition(own, flag, clause.span, origin, priority))
    return own


def _body(expander: Expander, body: tuple[AnyEquation, ...], guard: Expr) -> Values:
    values: Values = {}
    for equation in body:
        match equation:
            case Equation() | TupleEquation():
                _assignments(expander, equation, values, guard)
            case ForEquation():
                for number in expander.known_values(equation.values):
                    parts = tuple(bind_equation(e, equation.index, number) for e in equation.body)
                    values.update(_body(expander, parts, guard))
            case IfEquation():
                _choice(expander, equation, values, guard)
            case Assert() | Terminate() | CallEquation() | Reinit():
                with expander.where(guard):
                    expander.actions.append(expander.action(equation, guard))
            case WhenEquation():
                raise nested_when(equation.span)
    return values


def _assignments(
    expander: Expander, equation: Equation | TupleEquation, values: Values, guard: Expr
) -> None:
    for part in expander.equation(equation, guard):
        target, value = part.left, part.right
        if not isinstance(target, Var) and isinstance(value, Var):
            target, value = value, target
        if not isinstance(target, Var) or target.name not in expander.variables:
            raise no_variable_on_left(equation.span)
        if target in values:
            raise error("E013", f"`{show(target.name)}` is given twice here", equation.span)
        if target in variables_in(value):
            name = show(target.name)
            raise both_sides_of_when(name, equation.span)
        values[target] = value


def _choice(expander: Expander, equation: IfEquation, values: Values, guard: Expr) -> None:
    """If inside when: each variable gets an if-expression; a branch that is silent keeps it."""
    with expander.where(guard):
        branches, otherwise = expander.open_branches(equation)
    unmet = [guard]  # beside `guard`, none of the conditions so far
    for condition, _ in branches:
        unmet.append(build.logical_and(unmet[-1], build.logical_not(condition)))
    merged = _body(expander, otherwise, unmet.pop())
    for condition, body in reversed(branches):
        chosen = _body(expander, body, build.logical_and(unmet.pop(), condition))
        merged = {
            target: build.if_then_else(
                condition, chosen.get(target, pre_of(target)), merged.get(target, pre_of(target))
            )
            for target in [*chosen, *(t for t in merged if t not in chosen)]
        }
    values.update(merged)


def targets_in(body: Sequence[AnyEquation], is_clock: IsClock, inside: bool = False) -> list[Name]:
    """Names of the variables (whole arrays) that when-equations give."""
    found: list[Name] = []
    for equation in body:
        match equation:
            case WhenEquation():
                for condition, part in equation.branches:
                    if is_clock(condition):
                        continue  # anything may stand there, not only variables on the left
                    found.extend(targets_in(part, is_clock, inside=True))
            case IfEquation():
                for _, part in equation.branches:
                    found.extend(targets_in(part, is_clock, inside))
                found.extend(targets_in(equation.otherwise, is_clock, inside))
            case ForEquation():
                found.extend(targets_in(equation.body, is_clock, inside))
            case Equation() if inside:
                found.extend(_names(equation.left))
            case TupleEquation() if inside:
                for output in equation.outputs:
                    found.extend(() if output is None else _names(output))
            case _:
                continue
    return found


def _names(target: Expr) -> list[Name]:
    """`x` of `x`, `x[i]`, `{x, y}`; element names give their whole array too."""
    if isinstance(target, Var):
        name = target.name
        whole = name
        while whole and isinstance(whole[-1], int):
            whole = whole[:-1]
        return [name, whole]
    if isinstance(target, Index):
        return _names(target.args[0])
    return [name for part in target.args for name in _names(part)]
