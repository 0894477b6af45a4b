"""How a model with clocks is rewritten: partitions become discrete equations that their ticks switch on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import Call, Expr, Var
from freewheel.formula.types import CLOCK
from freewheel.formula.walk import map_bottom_up
from freewheel.structure.clocks.clock_graph import ClockGraph
from freewheel.structure.clocks.extract_conversions import Extraction
from freewheel.structure.clocks.operators import IsClock, clock_test, has_clocks
from freewheel.structure.clocks.partition import Item, Partitioned, partition
from freewheel.structure.clocks.partition_equations import ClockedPart, ClockedParts
from freewheel.structure.clocks.remove_clocks import parts_of
from freewheel.structure.clocks.ticks import Ticks
from freewheel.structure.nodes import Action, Condition, ScalarEquation, ScalarModel, ScalarVariable
from freewheel.structure.values import ParameterValues


class Removal:
    """The model after it has the variables of the clocks' ticks and no clock."""

    def __init__(self, model: ScalarModel) -> None:
        self.model = model
        table = {v.name: v for v in model.variables}
        functions = {function.name: function for function in model.functions}

        def is_clock_variable(var: Var) -> bool:
            variable = table.get(var.name)
            return variable is not None and variable.type == CLOCK

        self.is_clock: IsClock = clock_test(is_clock_variable)
        self.extraction = Extraction(table, functions, self.is_clock)
        self.values = ParameterValues(self.extraction.variables, model.functions)
        self.graph = ClockGraph(self.values, self.extraction.type, self.extraction.is_unknown)
        self.derivatives = FunctionDerivatives(functions.get)

    def model_without(self) -> ScalarModel:
        clock_equations, items = self._items()
        found = partition(items, clock_equations, self.graph, self.is_clock)
        rates = [part.ticking for part in found.partitions]
        ticks = Ticks(found.bases, rates, len(self.model.samples), len(self.model.conditions))
        parts = ClockedParts(
            self.model.name, self.extraction.variables, self.values, self.derivatives
        )
        initial = self._initial_equations()
        done = [parts.part(p, ticks.of(p.ticking), initial) for p in found.partitions]
        return self._assembled(found, done, ticks, initial)

    # ------------------------------------------------------------ in

    def _items(self) -> tuple[list[ScalarEquation], list[Item]]:
        """(equations of clocks, everything else)."""
        clock_equations: list[ScalarEquation] = []
        items: list[Item] = []
        extract = self.extraction
        for equation in self.model.equations:
            span, origin = equation.span, equation.origin
            left = extract.expr(equation.left, span, origin)
            right = extract.expr(equation.right, span, origin)
            rewritten = replace(equation, left=left, right=right)
            if self.is_clock(left) or self.is_clock(right):
                clock_equations.append(rewritten)
            else:
                items.append(_equation_item(rewritten))
        for condition in self.model.conditions:
            value = extract.expr(condition.value, condition.span, condition.origin)
            content = replace(condition, value=value)
            items.append(Item(content, (condition.flag, value), condition.span))
        for action in self.model.actions:
            content_ = self._action(action)
            items.append(_with_clause(Item(content_, parts_of(content_), action.span), action))
        # Filled while the items above were made; what was found in these has a name already.
        items += [_equation_item(equation) for equation in extract.equations]
        return clock_equations, items

    def _action(self, action: Action) -> Action:
        def new(part: Expr | None) -> Expr | None:
            if part is None:
                return None
            return self.extraction.expr(part, action.span, action.origin)

        return replace(
            action, guard=new(action.guard), value=new(action.value), message=new(action.message)
        )

    def _initial_equations(self) -> list[ScalarEquation]:
        result: list[ScalarEquation] = []
        for equation in self.model.initial_equations:
            left, right = _held(equation.left), _held(equation.right)
            result.append(replace(equation, left=left, right=right))
        return result

    # ------------------------------------------------------------ out

    def _assembled(
        self,
        found: Partitioned,
        done: Sequence[ClockedPart],
        ticks: Ticks,
        initial: Sequence[ScalarEquation],
    ) -> ScalarModel:
        equations: list[ScalarEquation] = []
        conditions: list[Condition] = []
        actions: list[Action] = []
        for item in found.unclocked:
            content = _unclocked(item)
            if isinstance(content, ScalarEquation):
                equations.append(content)
            elif isinstance(content, Condition):
                conditions.append(content)
            else:
                actions.append(content)
        for part in done:
            equations += part.equations
            actions += part.actions
        used = {id(e) for part in done for e in part.initial}
        sides = [side for e in equations for side in (e.left, e.right)]
        sides += [part for action in actions for part in parts_of(action)]
        beats = ticks.asked_for(sides)
        given = {e.target.name for e in beats if e.target is not None}
        hidden = [v for v in ticks.variables if v.name in given]
        return replace(
            self.model,
            variables=(*self._variables(done), *hidden),
            equations=(*equations, *beats),
            initial_equations=tuple(e for e in initial if id(e) not in used),
            conditions=(*conditions, *ticks.conditions),
            actions=(*actions, *ticks.actions),
            samples=(*self.model.samples, *ticks.samples),
            functions=(*self.model.functions, *self.derivatives.generated.values()),
            warnings=(*self.model.warnings, *found.warnings),
        )

    def _variables(self, done: Sequence[ClockedPart]) -> list[ScalarVariable]:
        changed = {v.name: v for part in done for v in part.variables}
        used = {var.name for var in self.graph.used}
        result: list[ScalarVariable] = []
        for variable in self.extraction.variables.values():
            if variable.type == CLOCK:
                continue
            new = changed.pop(variable.name, variable)
            result.append(replace(new, is_structural=True) if new.name in used else new)
        return [*result, *changed.values()]


def _equation_item(equation: ScalarEquation) -> Item:
    item = Item(equation, (equation.left, equation.right), equation.span, lost=equation.lost)
    return _with_clause(item, equation)


def _with_clause(item: Item, content: ScalarEquation | Action) -> Item:
    if content.clause is None:
        return item
    return replace(item, clause=content.clause[0], clock=content.clause[1])


def _unclocked(item: Item) -> ScalarEquation | Condition | Action:
    """Outside of partitions only `hold` remains."""
    content = item.content
    match content:
        case ScalarEquation():
            return replace(content, left=_held(content.left), right=_held(content.right))
        case Condition():
            return replace(content, value=_held(content.value))
        case Action():
            guard, value, message = (
                None if part is None else _held(part)
                for part in (content.guard, content.value, content.message)
            )
            return replace(content, guard=guard, value=value, message=message)


def _held(expr: Expr) -> Expr:
    if not has_clocks(expr):
        return expr

    def visit(node: Expr) -> Expr:
        is_hold = isinstance(node, Call) and node.function == "hold"
        return node.args[0] if is_hold else node

    return map_bottom_up(expr, visit)
