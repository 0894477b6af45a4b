"""One clocked partition becomes discrete equations that act at its ticks and hold in between.

    x = previous(x) + u        ->    x = if tick then pre(x) + u else pre(x)
    0 = f(x, y), 0 = g(x, y)   ->    0 = if tick then f(x, y) else x - pre(x), ...

In: a partition and its beats. Out: equations, guarded actions, and its variables as discrete ones.
Relations in it make no events (Modelica 3.6, "Discrete-time and Discretized Sub-Partitions").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import ClassName, Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula import build
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import FALSE, TIME, TRUE, ZERO, Call, Expr, Integer, Var
from freewheel.formula.types import BOOLEAN, INTEGER, REAL, Scalar
from freewheel.formula.walk import map_bottom_up, variables_in
from freewheel.graphs.matching import CoarseParts
from freewheel.structure.atoms import DER, INITIAL, WHEN, pre_of
from freewheel.structure.blocks.blt import components_of, matched, solve_one, system_of
from freewheel.structure.blocks.diagnostics import singular
from freewheel.structure.blocks.isolate import residual_of
from freewheel.structure.clocks import diagnostics as faults
from freewheel.structure.clocks.discretize import (
    Surroundings,
    discretize,
    hidden_variable,
    integrated_from,
)
from freewheel.structure.clocks.nodes import Beats
from freewheel.structure.clocks.operators import CONVERSIONS
from freewheel.structure.clocks.partition import Item, Partition
from freewheel.structure.nodes import Action, Condition, ScalarEquation, ScalarVariable, Solved
from freewheel.structure.values import ParameterValues

INPUT = "$input"  # ("$input", k): what a discretized partition takes from outside


@dataclass(frozen=True, slots=True)
class ClockedPart:
    equations: tuple[ScalarEquation, ...]
    actions: tuple[Action, ...]
    variables: tuple[ScalarVariable, ...]  # all of the partition, as they are now
    initial: tuple[ScalarEquation, ...]  # initial equations that were used


class ClockedParts:
    """What all partitions of a model have in common."""

    def __init__(
        self,
        name: ClassName,
        variables: Mapping[Name, ScalarVariable],
        values: ParameterValues,
        derivatives: FunctionDerivatives,
    ) -> None:
        self.name = name
        self.variables = variables
        self.values = values
        self.derivatives = derivatives
        self.inputs = 0

    def part(
        self, partition: Partition, beats: Beats, initial: Sequence[ScalarEquation]
    ) -> ClockedPart:
        maker = _Maker(self, partition, beats)
        own = set(partition.variables)
        mine = [e for e in initial if any(v in own for v in _bases(e))]
        return maker.part(mine)


def _bases(equation: ScalarEquation) -> list[Var]:
    result: list[Var] = []
    for var in variables_in(equation.left, equation.right):
        name = var.name
        while name[0] == DER:
            name = name[1:]
        result.append(Var(name))
    return result


class _Maker:
    def __init__(self, common: ClockedParts, partition: Partition, beats: Beats) -> None:
        self.common = common
        self.partition = partition
        self.beats = beats
        self.variables = dict(common.variables)
        self.memo: dict[Expr, Expr] = {}
        self.inputs: dict[Expr, Var] = {}

    def part(self, initial: Sequence[ScalarEquation]) -> ClockedPart:
        partition = self.partition
        equations: list[ScalarEquation] = []
        actions: list[Action] = []
        for item in partition.items:
            content = self._inside(item)
            if isinstance(content, Action):
                actions.append(content)
            else:
                equations.append(content)
        unknowns = self._unknowns()
        hidden: list[Var] = []
        if partition.method:
            equations, unknowns, hidden = self._discretized(equations, unknowns, initial)
        elif initial:
            raise faults.misplaced(
                "an initial equation about clocked variables",
                initial[0].span,
                "give the clocked variable a start value",
            )
        guarded = self._guarded(equations, unknowns)
        changed = [self._variable(var) for var in partition.variables]
        changed += [hidden_variable(var) for var in hidden]
        changed += [self._input_variable(var) for var in self.inputs.values()]
        return ClockedPart(
            tuple(guarded), tuple(actions), tuple(v for v in changed if v), tuple(initial)
        )

    def _unknowns(self) -> list[Var]:
        result = [var for var in self.partition.variables if self._is_unknown(var)]
        return list(dict.fromkeys(result))

    def _is_unknown(self, var: Var) -> bool:
        if var.name[0] == WHEN:
            return True
        variable = self.variables.get(var.name)
        return variable is not None and variable.causality is not Causality.INPUT

    # ------------------------------------------------------------ inside the partition

    def _inside(self, item: Item) -> ScalarEquation | Action:
        content = item.content
        match content:
            case ScalarEquation():
                left, right = self.expr(content.left), self.expr(content.right)
                return replace(content, left=left, right=right, clause=None)
            case Condition():
                value = self.expr(content.value)
                span, origin = content.span, content.origin
                return ScalarEquation(content.flag, value, span, origin, target=content.flag)
            case Action():
                return self._action(content)

    def _action(self, action: Action) -> Action:
        # Asked for at events only, which is what `initial()` in a guard says to later rooms.
        tick = build.logical_and(build.logical_not(INITIAL), self.beats.tick)
        guard = tick if action.guard is None else build.logical_and(tick, self.expr(action.guard))
        value = None if action.value is None else self.expr(action.value)
        message = None if action.message is None else self.expr(action.message)
        return replace(action, guard=guard, value=value, message=message, clause=None)

    def expr(self, expr: Expr) -> Expr:
        """Clock operators are replaced by what they are at a tick."""
        return map_bottom_up(expr, self._visit, self.memo)

    def _visit(self, node: Expr) -> Expr:
        if node is INITIAL:
            return pre_of(self.beats.is_first)
        if not isinstance(node, Call) or not isinstance(node.function, str):
            return node
        if node.function in CONVERSIONS:
            return self._converted(node)
        rule = _RULES.get(node.function)
        return node if rule is None else rule(self, node)

    def _converted(self, call: Call) -> Expr:
        value = call.args[0]
        if call.function == "sample" and isinstance(value, Var):
            value = self._left_limit(value)
        if not self.partition.method:
            return value
        known = self.inputs.get(value)
        if known is None:
            self.common.inputs += 1
            known = self.inputs[value] = Var((INPUT, self.common.inputs))
            source = call.args[0]
            kind = self._type(source)
            # Known to index reduction as an input: nobody has its derivative.
            self.variables[known.name] = ScalarVariable(
                known.name, kind, causality=Causality.INPUT, is_protected=True
            )
        return known

    def _left_limit(self, var: Var) -> Expr:
        variable = self.variables.get(var.name)
        if var is TIME or variable is None or variable.variability <= Variability.PARAMETER:
            return var
        return var if variable.causality is Causality.INPUT else pre_of(var)

    def _type(self, expr: Expr) -> Scalar:
        variable = self.variables.get(expr.name) if isinstance(expr, Var) else None
        return REAL if variable is None else variable.type

    # ------------------------------------------------------------ continuous time

    def _discretized(
        self,
        equations: list[ScalarEquation],
        unknowns: list[Var],
        initial: Sequence[ScalarEquation],
    ) -> tuple[list[ScalarEquation], list[Var], list[Var]]:
        common = self.common
        around = Surroundings(
            common.name,
            self.variables,
            frozenset(self.inputs.values()),
            common.derivatives,
            common.values,
        )
        begin = [replace(e, left=self.expr(e.left), right=self.expr(e.right)) for e in initial]
        method, beats = self.partition.method, self.beats
        found = discretize(equations, unknowns, begin, method, beats, around)
        given = [ScalarEquation(var, value, target=var) for value, var in self.inputs.items()]
        return (
            [*found.equations, *given],
            [*found.unknowns, *self.inputs.values()],
            found.hidden,
        )

    # ------------------------------------------------------------ acting at ticks

    def _guarded(
        self, equations: Sequence[ScalarEquation], unknowns: Sequence[Var]
    ) -> list[ScalarEquation]:
        def blame(parts: CoarseParts) -> CompileError:
            counts = len(equations), len(unknowns)
            return singular(self.common.name, equations, unknowns, parts, self.variables, counts)

        system = system_of(equations, unknowns)
        matching = matched(system, blame)
        result: list[ScalarEquation] = []
        for group in components_of(system, matching):
            targets = [unknowns[matching.column_of_row[row]] for row in group]
            if len(group) > 1 and not all(map(self._is_real, targets)):
                raise faults.circle([equations[row] for row in group])
            for row in group:
                target = unknowns[matching.column_of_row[row]]
                result.append(self._at_tick(equations[row], target, row, len(group) > 1))
        return result

    def _at_tick(
        self, equation: ScalarEquation, target: Var, row: int, in_loop: bool
    ) -> ScalarEquation:
        tick, before = self.beats.tick, pre_of(target)
        owner = self.variables.get(integrated_from(target).name)
        if owner is not None and owner.active is not None:
            tick = build.logical_and(tick, owner.active)
        block = solve_one(equation, target, row)
        is_alone = target in (equation.left, equation.right)
        if isinstance(block, Solved) and (is_alone or not in_loop):
            value = build.if_then_else(tick, _quiet(block.value), before)
            return replace(equation, left=target, right=value, target=target, derivative_of=-1)
        if not self._is_real(target):
            raise faults.circle([equation])
        held = build.minus(target, before)
        residual = build.if_then_else(tick, _quiet(residual_of(equation)), held)
        return replace(equation, left=residual, right=ZERO, target=target, derivative_of=-1)

    def _is_real(self, var: Var) -> bool:
        variable = self.variables.get(var.name)
        return var.name[0] != WHEN and (variable is None or variable.type == REAL)

    # ------------------------------------------------------------ variables

    def _variable(self, var: Var) -> ScalarVariable | None:
        """Discrete now; its start value counts in any case, since `hold` shows it."""
        variable = self.common.variables.get(var.name)
        if var.name[0] == WHEN:
            variable = ScalarVariable(var.name, BOOLEAN, is_protected=True)
        if variable is None or variable.causality is Causality.INPUT:
            return variable
        start = variable.start if variable.start is not None else _ZERO_OF.get(variable.type)
        return replace(
            variable,
            variability=Variability.DISCRETE,
            start=start,
            fixed=TRUE if start is not None else None,
            state_select="default",
        )

    def _input_variable(self, var: Var) -> ScalarVariable:
        kind = self.variables[var.name].type
        start = _ZERO_OF.get(kind)
        return ScalarVariable(
            var.name, kind, Variability.DISCRETE, start=start, fixed=TRUE, is_protected=True
        )


_ZERO_OF: Mapping[Scalar, Expr] = {REAL: ZERO, INTEGER: Integer(0), BOOLEAN: FALSE}


def _quiet(expr: Expr) -> Expr:
    """Relations inside make no events."""
    return Call("noEvent", expr) if expr.args else expr


def _previous(maker: _Maker, call: Call) -> Expr:
    var = call.args[0]
    if not isinstance(var, Var) or var is TIME:
        return var
    variable = maker.variables.get(var.name)
    if variable is None or variable.variability <= Variability.PARAMETER:
        return var
    return pre_of(var)


_RULES: Mapping[str, Callable[[_Maker, Call], Expr]] = {
    "previous": _previous,
    "interval": lambda maker, call: maker.beats.interval,
    "firstTick": lambda maker, call: pre_of(maker.beats.is_first),
}
