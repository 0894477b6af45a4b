"""How a model with state machines is rewritten: equations of a state act while it is active."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from freewheel.base.names import Name, show
from freewheel.base.source import Span
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import FALSE, TIME, ZERO, Call, Expr, Integer, Var
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, Scalar
from freewheel.formula.walk import calls_in, map_bottom_up, variables_in
from freewheel.graphs.matching import FREE, match
from freewheel.structure.atoms import is_der
from freewheel.structure.blocks.blt import solve_one, system_of
from freewheel.structure.blocks.incidence import equation_text
from freewheel.structure.blocks.isolate import residual_of
from freewheel.structure.nodes import (
    Action,
    Condition,
    ScalarEquation,
    ScalarModel,
    ScalarVariable,
    Solved,
)
from freewheel.structure.state_machines.diagnostics import not_in_state, outside_of_machine
from freewheel.structure.state_machines.find_machines import find_machines, state_name
from freewheel.structure.state_machines.joined_outputs import join_outputs
from freewheel.structure.state_machines.remove_machines import QUESTIONS
from freewheel.structure.state_machines.transitions import Machines
from freewheel.structure.values import ParameterValues

GIVEN = "$given"  # ("$given", k): what a state with derivatives says of an outer output
_ZERO_OF: Mapping[Scalar, Expr] = {REAL: ZERO, INTEGER: Integer(0), BOOLEAN: FALSE}


class Removal:
    """The model after it has clock operators and no state machine."""

    def __init__(self, model: ScalarModel) -> None:
        self.model = model
        self.table = {v.name: v for v in model.variables}
        self.values = ParameterValues(self.table, model.functions)
        found = find_machines(model.actions, self.values)
        self.actions = found.others
        self.machines = Machines(found.machines)
        self.remembered = self._remembered()
        self.copies: list[ScalarVariable] = []

    def _remembered(self) -> set[Var]:
        """Variables whose previous value somebody asks for: these are reset."""
        return {
            argument
            for equation in self.model.equations
            for call in calls_in(equation.left, equation.right)
            if call.function == "previous" and isinstance(argument := call.args[0], Var)
        }

    def model_without(self) -> ScalarModel:
        machines = self.machines
        machines.run(self._condition)
        equations = self._equations()
        conditions = [self._when(condition) for condition in self.model.conditions]
        actions = [self._action(action) for action in self.actions]
        return replace(
            self.model,
            variables=(*self.table.values(), *self.copies, *machines.variables),
            equations=(*equations, *machines.equations),
            conditions=tuple(conditions),
            actions=tuple(actions),
        )

    # ------------------------------------------------------------ expressions

    def expr(self, expr: Expr, state: Name | None, span: Span, before: bool = False) -> Expr:
        """Questions answered, previous values reset. `before`: as it was at the last tick."""

        def visit(node: Expr) -> Expr:
            if not isinstance(node, Call):
                return node
            if node.function == "previous" and isinstance(node.args[0], Var):
                return self.previous(node.args[0])
            if node.function in QUESTIONS:
                return self._answer(node, state, span, before)
            return node

        return map_bottom_up(expr, visit)

    def previous(self, var: Var) -> Expr:
        """The previous value, or the start value where the state that declares it is reset."""
        last = Call("previous", var)
        owner = self.machines.state_around(var.name)
        variable = self.table.get(var.name)
        if owner is None or variable is None or variable.variability <= Variability.PARAMETER:
            return last
        if var not in self.remembered:
            return last
        start = variable.start if variable.start is not None else _ZERO_OF.get(variable.type)
        return (
            last if start is None else build.if_then_else(self.machines.resets(owner), start, last)
        )

    def _answer(self, call: Call, state: Name | None, span: Span, before: bool) -> Expr:
        machines = self.machines
        if call.function == "activeState":
            asked = state_name(call.args[0])
            if asked not in machines.place:
                raise outside_of_machine(f"activeState({show(asked)})", span)
            return machines.active(asked)
        if state is None:
            raise outside_of_machine(str(call.function), span)
        ticks, since = machines.ticks(state)
        if call.function == "ticksInState":
            return Call("previous", ticks) if before else ticks
        return build.minus(Call("sample", TIME), Call("previous", since) if before else since)

    def _condition(self, condition: Expr, state: Name, is_immediate: bool) -> Expr:
        machine, _ = self.machines.place[state]
        return self.expr(condition, state, machine.span, before=is_immediate)

    # ------------------------------------------------------------ equations

    def _equations(self) -> list[ScalarEquation]:
        outside: list[ScalarEquation] = []
        inside: dict[Name, list[ScalarEquation]] = {}
        for equation in self.model.equations:
            state = self.machines.state_around(equation.origin)
            left = self.expr(equation.left, state, equation.span)
            right = self.expr(equation.right, state, equation.span)
            rewritten = replace(equation, left=left, right=right)
            if state is None:
                outside.append(rewritten)
            else:
                inside.setdefault(state, []).append(rewritten)
        given: dict[Var, list[tuple[Name, ScalarEquation]]] = {}
        for state, equations in inside.items():
            if any(_is_continuous(equation) for equation in equations):
                equations, kept = self._integrated(state, equations)
                outside += kept
            for target, equation in self._solved(state, equations):
                given.setdefault(target, []).append((state, equation))
        givers = {target: parts[0][0] for target, parts in given.items() if len(parts) == 1}
        outside = join_outputs(outside, givers, self.machines)
        return [*outside, *(self._merged(target, parts) for target, parts in given.items())]

    def _integrated(
        self, state: Name, equations: Sequence[ScalarEquation]
    ) -> tuple[list[ScalarEquation], list[ScalarEquation]]:
        """Continuous-time equations stay together, for the solver method of their clock: their
        variables wait while the state is not active. (Equations for outer outputs, the others.)"""
        active, resets = self.machines.active(state), self.machines.resets(state)
        for name, variable in self.table.items():
            if self.machines.state_around(name) == state:
                self.table[name] = replace(variable, active=active, resets=resets)
        outer: list[ScalarEquation] = []
        kept: list[ScalarEquation] = []
        for equation in equations:
            target = equation.left
            is_own = not isinstance(target, Var) or self.machines.state_around(target.name) == state
            if not is_own and isinstance(target, Var) and target.name in self.table:
                copy = Var((GIVEN, len(self.copies) + 1))
                self.copies.append(
                    replace(
                        self.table[target.name],
                        name=copy.name,
                        is_protected=True,
                        active=active,
                        resets=resets,
                    )
                )
                outer.append(replace(equation, right=copy))
                equation = replace(equation, left=copy)
            kept.append(replace(equation, lost=(*equation.lost, active)))
        return outer, kept

    def _solved(
        self, state: Name, equations: Sequence[ScalarEquation]
    ) -> list[tuple[Var, ScalarEquation]]:
        """Each equation of a state with the variable it gives: one declared in the state, or an
        outer one that stands alone on its left side."""
        unknowns = self._unknowns(state, equations)
        system = system_of(equations, unknowns)
        matching = match(system.choices, len(unknowns))
        result: list[tuple[Var, ScalarEquation]] = []
        for row, equation in enumerate(equations):
            column = matching.column_of_row[row]
            if column == FREE:
                raise not_in_state(f"`{equation_text(equation)}` gives no variable", equation)
            target = unknowns[column]
            block = solve_one(equation, target, row)
            if isinstance(block, Solved):
                solved = replace(equation, left=target, right=block.value, target=target)
            else:
                residual = build.minus(target, residual_of(equation))
                solved = replace(equation, left=target, right=residual, target=None)
            result.append((target, solved))
        return result

    def _unknowns(self, state: Name, equations: Sequence[ScalarEquation]) -> list[Var]:
        found: dict[Var, None] = {}
        for equation in equations:
            if isinstance(equation.left, Var) and self._varies(equation.left):
                found[equation.left] = None
            for var in variables_in(equation.left, equation.right):
                if self._varies(var) and self.machines.state_around(var.name) == state:
                    found[var] = None
        return list(found)

    def _varies(self, var: Var) -> bool:
        variable = self.table.get(var.name)
        return variable is not None and variable.variability > Variability.PARAMETER

    def _merged(self, target: Var, parts: Sequence[tuple[Name, ScalarEquation]]) -> ScalarEquation:
        """One equation: what the active state says, else nothing changes."""
        for k, (one, _) in enumerate(parts):
            for other, equation in parts[k + 1 :]:
                if not self.machines.exclude_each_other(one, other):
                    name = show(target.name)
                    raise not_in_state(
                        f"`{name}` is given in `{show(one)}` and in `{show(other)}`, which may be"
                        " active together",
                        equation,
                    )
        value = self.previous(target)
        for state, equation in reversed(parts):
            value = build.if_then_else(self.machines.active(state), equation.right, value)
        return replace(parts[0][1], left=target, right=value, target=parts[0][1].target)

    # ------------------------------------------------------------ the rest

    def _when(self, condition: Condition) -> Condition:
        state = self.machines.state_around(condition.origin)
        return replace(condition, value=self.expr(condition.value, state, condition.span))

    def _action(self, action: Action) -> Action:
        state = self.machines.state_around(action.origin)

        def new(part: Expr | None) -> Expr | None:
            return None if part is None else self.expr(part, state, action.span)

        guard = new(action.guard)
        if state is not None:
            active = self.machines.active(state)
            guard = active if guard is None else build.logical_and(active, guard)
        return replace(action, guard=guard, value=new(action.value), message=new(action.message))


def _is_continuous(equation: ScalarEquation) -> bool:
    return any(is_der(var) for var in variables_in(equation.left, equation.right))
