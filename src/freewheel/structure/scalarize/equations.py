"""The flat model taken apart into scalars: in comes `FlatModel`, out comes `ScalarModel`.

    Real x[2];  x = {1, time}   ->   x[1] = 1,  x[2] = time

For-equations are unrolled, if-equations become if-expressions (or one of their branches, where the
condition depends on parameters only), when-equations become updates, algorithms become one
equation per target. Every scalar equation keeps its place in the source and its component.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import product

from freewheel.base.diagnostics import CompileError
from freewheel.base.limits import check_size
from freewheel.base.names import ClassName, Name, show
from freewheel.base.source import Span
from freewheel.flat.nodes import (
    AnyEquation,
    Equation,
    FlatModel,
    ForEquation,
    IfEquation,
    TupleEquation,
    Variability,
    Variable,
    WhenEquation,
)
from freewheel.formula import build
from freewheel.formula.evaluate import iteration_values
from freewheel.formula.faults import at as at_place
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import (
    TRUE,
    ZERO,
    Array,
    Binary,
    Boolean,
    Call,
    Expr,
    If,
    Integer,
    Output,
    Real,
    Var,
)
from freewheel.formula.scalarize import Scalarizer, scalarize
from freewheel.formula.statement_nodes import (
    Assert,
    CallEquation,
    Function,
    Reinit,
    Terminate,
)
from freewheel.formula.subscript_checks import SubscriptCheck
from freewheel.formula.types import CLOCK, REAL
from freewheel.formula.values import Value, to_expr
from freewheel.formula.walk import contains, nodes_of, variables_in
from freewheel.formula.walk import replace as replace_nodes
from freewheel.structure.atoms import DER, INITIAL, PRE
from freewheel.structure.clocks.operators import has_clocks
from freewheel.structure.events.diagnostics import not_a_state
from freewheel.structure.events.priorities import has_priorities
from freewheel.structure.events.when_clauses import expand_when
from freewheel.structure.events.when_rules import check_left_limits
from freewheel.structure.nodes import (
    SUBSCRIPT,
    Action,
    Condition,
    ScalarEquation,
    ScalarVariable,
)
from freewheel.structure.scalarize.diagnostics import (
    priority_not_known,
    reinit_misplaced,
    scalar_needed,
    unequal_branches,
    unequal_flows,
    unequal_sides,
    wrong_element_count,
)
from freewheel.structure.scalarize.for_equations import bind_equation
from freewheel.structure.scalarize.operators import Operators
from freewheel.structure.scalarize.run_time_sizes import UNKNOWN_SIZE, with_late_calls
from freewheel.structure.values import ParameterValues, literal

_LITERALS = (Real, Integer, Boolean)


class Expander:
    """What every part of the expansion needs: dimensions, values, operators, and what is found."""

    def __init__(self, flat: FlatModel) -> None:
        self.name: ClassName = flat.name
        self.dims: dict[Name, tuple[int, ...]] = {v.name: v.dims for v in flat.variables}
        self.functions: dict[ClassName, Function] = {f.name: f for f in flat.functions}
        self.derivatives = FunctionDerivatives(self.functions.get)
        self.functions |= self.derivatives.with_bodies(flat.functions)
        self.variables: dict[Name, ScalarVariable] = {}
        arrays = {v.name: v.dims for v in flat.variables if v.dims}
        self.values = ParameterValues(self.variables, tuple(self.functions.values()), arrays)
        self.operators = Operators(self.variables, self.derivatives)
        self.operators.decide = self.parameter_truth
        self.operators.number = self.values.number
        self.scalarizer = Scalarizer(self.dims_of, self.functions.get, self._settled)
        self.conditions: list[Condition] = []
        self.uses_priorities = has_priorities(flat)
        self.actions: list[Action] = []
        self.guard: Expr | None = None  # the condition of what is being taken apart
        self.rounds = 1  # of the loops around, multiplied
        self.clauses = 0  # clocked when-clauses so far
        self.uses_clocks = any(v.type == CLOCK for v in flat.variables) or any(
            isinstance(e, Equation) and has_clocks(e.left, e.right) for e in flat.equations
        )
        self.reinits: dict[Var, Span] = {}  # the when-clause that may set a state
        self.structural: set[Name] = set()

    # ------------------------------------------------------------ expressions

    def dims_of(self, name: Name) -> tuple[int, ...]:
        """Dimensions of a variable, of an element of an array, or of `pre` of either."""
        if name[0] in (DER, PRE):
            name = name[1:]
        found = self.dims.get(name)
        if found is not None:
            return found
        count = 0
        while count < len(name) and isinstance(name[-1 - count], int):
            count += 1
            whole = self.dims.get(name[:-count])
            if whole is not None:
                return whole[count:]
        return ()

    def scalars(self, expr: Expr, span: Span) -> list[Expr]:
        """All elements, row by row, with operators rewritten."""
        if isinstance(expr, _LITERALS) or (isinstance(expr, Var) and not self.dims_of(expr.name)):
            return [expr]
        try:
            return self._rewritten(expr, span)
        except CompileError as problem:
            late = None
            if problem.diagnostics[0].code == UNKNOWN_SIZE:
                late = with_late_calls(self, expr, span)
            if late is None:
                raise at_place(problem, span) from None
            return self._rewritten(late, span)

    def _rewritten(self, expr: Expr, span: Span) -> list[Expr]:
        around, self.scalarizer.met = self.scalarizer.met, []
        try:
            parts = self.scalarizer.scalars(expr)
            for check in self.scalarizer.met:
                self.check_subscript(check, span)
        finally:
            self.scalarizer.met = around
        if not self.uses_clocks and not self._is_at_event():
            check_left_limits(parts, self.variables, span)
        return [self.operators.rewrite(part, span) for part in parts]

    def _is_at_event(self) -> bool:
        """In a when-clause, or at the start."""
        return self.guard is not None and contains(self.guard, INITIAL)

    def check_subscript(self, check: SubscriptCheck, span: Span) -> None:
        """Beside the equation, where the condition of its branch or when-clause holds."""
        holds = self.operators.rewrite(check.condition(), span)
        message = self.operators.rewrite(check.message(), span)
        if holds is not TRUE:
            self.actions.append(Action(SUBSCRIPT, self.guard, holds, message, span=span))

    @contextmanager
    def where(self, guard: Expr | None) -> Iterator[None]:
        """What is taken apart inside matters only where `guard` holds."""
        around, self.guard = self.guard, guard
        try:
            yield
        finally:
            self.guard = around

    def _settled(self, name: Name) -> Value:
        """The value of a parameter that decides a size or a subscript: it becomes structural."""
        value = self.values.lookup(name)
        self._settle(Var(name))
        return value

    def scalar(self, expr: Expr, span: Span) -> Expr:
        parts = self.scalars(expr, span)
        if len(parts) != 1:
            raise scalar_needed(len(parts), span)
        return parts[0]

    def parameter_truth(self, condition: Expr) -> bool | None:
        """A condition that cannot change during a simulation; its parameters become structural."""
        found = self.values.truth(condition)
        if found is not None:
            self._settle(condition)
        return found

    def _settle(self, expr: Expr) -> None:
        """The parameters in it, and those they are computed from, become structural."""
        waiting = [expr]
        while waiting:
            for var in variables_in(replace_nodes(waiting.pop(), _without_sizes)):
                for index in positions(self.dims_of(var.name)):
                    variable = self.variables.get((*var.name, *index))
                    if variable is None or variable.name in self.structural:
                        continue
                    if variable.variability <= Variability.PARAMETER:
                        self.structural.add(variable.name)
                        waiting += [] if variable.binding is None else [variable.binding]

    def settle_fixed(self) -> None:
        """Which start values hold is decided now: `fixed = initialised`."""
        for name, variable in self.variables.items():
            if variable.fixed is not None and not isinstance(variable.fixed, Boolean):
                truth = self.parameter_truth(variable.fixed)
                if truth is not None:
                    self.variables[name] = replace(variable, fixed=Boolean(truth))

    def priority(self, expr: Expr | None, span: Span) -> int:
        """Of a when-clause; its parameters become structural."""
        if expr is None:
            return 0
        found = self.values.number(self.scalar(expr, span))
        if found is None:
            raise priority_not_known(span)
        self._settle(expr)
        return int(found)

    # ------------------------------------------------------------ equations

    def equations(self, body: Sequence[AnyEquation], guard: Expr | None) -> list[ScalarEquation]:
        result: list[ScalarEquation] = []
        for equation in body:
            result.extend(self.equation(equation, guard))
        return result

    def equation(self, equation: AnyEquation, guard: Expr | None) -> list[ScalarEquation]:
        """Scalar equations of one equation; conditions and actions are collected aside."""
        if guard is self.guard:
            return self._equation(equation, guard)
        with self.where(guard):
            return self._equation(equation, guard)

    def _equation(self, equation: AnyEquation, guard: Expr | None) -> list[ScalarEquation]:
        match equation:
            case Equation():
                return self.plain(equation.left, equation.right, equation.span, equation.origin)
            case TupleEquation():
                return self.tuple_equation(equation)
            case ForEquation():
                return self.for_equation(equation, guard)
            case IfEquation():
                return self.if_equation(equation, guard)
            case WhenEquation():
                return expand_when(self, equation)
            case Assert() | Terminate() | CallEquation() | Reinit():
                self.actions.append(self.action(equation, guard))
                return []

    def plain(self, left: Expr, right: Expr, span: Span, origin: Name) -> list[ScalarEquation]:
        lefts, rights = self.scalars(left, span), self.scalars(right, span)
        if len(lefts) != len(rights):
            raise unequal_sides(len(lefts), len(rights), span)
        made = [ScalarEquation(a, b, span, origin) for a, b in zip(lefts, rights, strict=True)]
        if self.uses_clocks and len(made) == 1:
            made = [_with_lost(made[0], left, right)]
        return made

    def tuple_equation(self, equation: TupleEquation) -> list[ScalarEquation]:
        call = equation.call
        if isinstance(call, Call) and call.function == "spatialDistribution":
            return self.transport(equation, call)
        result: list[ScalarEquation] = []
        for number, output in enumerate(equation.outputs, start=1):
            if output is not None:
                value = output_of(number, equation.call)
                result.extend(self.plain(output, value, equation.span, equation.origin))
        return result

    def transport(self, equation: TupleEquation, call: Call) -> list[ScalarEquation]:
        """One pipe for each element of what flows in."""
        span = equation.span
        lefts, rights = (self.scalars(arg, span) for arg in call.args[:2])
        place, forward = (self.scalar(arg, span) for arg in call.args[2:4])
        profile = [Array(*self.scalars(arg, span)) for arg in call.args[4:]]
        if len(lefts) != len(rights):
            raise unequal_flows(len(lefts), len(rights), span)
        result: list[ScalarEquation] = []
        for at, (left, right) in enumerate(zip(lefts, rights, strict=True)):
            one = Call("spatialDistribution", left, right, place, forward, *profile)
            values = self.operators.pipes.outputs(one, span)
            for output, value in zip(equation.outputs, values, strict=False):
                if output is not None:
                    target = self.scalars(output, span)[at]
                    result.append(ScalarEquation(target, value, span, equation.origin))
        return result

    def for_equation(self, loop: ForEquation, guard: Expr | None) -> list[ScalarEquation]:
        result: list[ScalarEquation] = []
        values = self.known_values(loop.values)
        around, self.rounds = self.rounds, self.rounds * len(values)
        check_size(self.rounds, "the loops have", loop.span, "rounds")
        for value in values:
            body = [bind_equation(part, loop.index, value) for part in loop.body]
            result.extend(self.equations(body, guard))
        self.rounds = around
        return result

    def loop_values(self, values: Expr) -> list[Expr] | None:
        """What a loop runs over; None where only a run determines it."""
        found = self.values.value(values)
        return None if found is None else [to_expr(value) for value in iteration_values(found)]

    def known_values(self, values: Expr) -> list[Expr]:
        """Of a loop of equations, whose range was a number already when the model was flattened."""
        found = self.loop_values(values)
        assert found is not None, values
        return found

    def open_branches(
        self, equation: IfEquation
    ) -> tuple[list[tuple[Expr, tuple[AnyEquation, ...]]], tuple[AnyEquation, ...]]:
        """The branches that may be taken, and what holds otherwise."""
        branches: list[tuple[Expr, tuple[AnyEquation, ...]]] = []
        for condition, body in equation.branches:
            with self.where(_and(self.guard, _none_of([before for before, _ in branches]))):
                scalar = self.scalar(condition, equation.span)
            truth = self.parameter_truth(scalar)
            if truth is True:
                return branches, body
            if truth is None:
                branches.append((scalar, body))
        return branches, equation.otherwise

    def if_equation(self, equation: IfEquation, guard: Expr | None) -> list[ScalarEquation]:
        branches, otherwise = self.open_branches(equation)
        conditions = [condition for condition, _ in branches]
        result = self.equations(otherwise, _and(guard, _none_of(conditions)))
        for at in range(len(branches) - 1, -1, -1):
            condition, body = branches[at]
            before = _and(guard, _none_of(conditions[:at]))
            chosen = self.equations(body, _and(before, condition))
            if len(chosen) != len(result):
                raise unequal_branches(len(chosen), len(result), equation.span)
            result = merge_branches(condition, chosen, result)
        return result

    # ------------------------------------------------------------ actions

    def action(
        self, action: Assert | Terminate | CallEquation | Reinit, guard: Expr | None
    ) -> Action:
        span, origin = action.span, action.origin
        match action:
            case Assert():
                kind = "warning" if action.is_warning else "assert"
                value = self.scalar(action.condition, span)
                message = self.scalar(action.message, span)
                return Action(kind, guard, value, message, span=span, origin=origin)
            case Terminate():
                message = self.scalar(action.message, span)
                return Action("terminate", guard, None, message, span=span, origin=origin)
            case CallEquation():
                call = scalarize(action.call, self.dims_of, self.functions.get, self.values.lookup)
                assert isinstance(call, Expr)
                value = self.operators.rewrite(call, span)
                return Action("call", guard, value, span=span, origin=origin)
            case Reinit():
                return self.reinit(action, guard)

    def reinit(self, action: Reinit, guard: Expr | None) -> Action:
        target = self.scalar(action.variable, action.span)
        if not isinstance(target, Var) or guard is None:
            raise reinit_misplaced(action.span)
        owner = self.variables.get(target.name)
        if owner is not None and owner.variability != Variability.CONTINUOUS:
            raise not_a_state(target, action.span)
        value = self.scalar(action.value, action.span)
        return Action("reinit", guard, value, target=target, span=action.span, origin=action.origin)


# ---------------------------------------------------------------- small parts


def _without_sizes(node: Expr) -> Expr | None:
    """`size(table, 1)` asks for no value of `table`."""
    return ZERO if isinstance(node, Call) and node.function in ("size", "ndims") else None


def output_of(number: int, call: Expr) -> Expr:
    """Output `number` of a call; a tuple of a single output is the call itself."""
    return Output(number, call) if isinstance(call, Call) else call


def _with_lost(equation: ScalarEquation, left: Expr, right: Expr) -> ScalarEquation:
    """`if u then x else x` and `x + 0*u` are x, but have the clock of u: that is kept beside."""
    lost: list[Expr] = []
    for node in nodes_of(left, right):
        if isinstance(node, If) and node.args[1] is node.args[2]:
            lost.append(node.args[0])
        elif isinstance(node, Binary) and node.op == "*" and any(map(build.is_zero, node.args)):
            lost += node.args
    return replace(equation, lost=tuple(lost)) if lost else equation


def _and(left: Expr | None, right: Expr | None) -> Expr | None:
    if left is None or right is None:
        return left if right is None else right
    return build.logical_and(left, right)


def _none_of(conditions: Sequence[Expr]) -> Expr | None:
    result: Expr | None = None
    for condition in conditions:
        result = _and(result, build.logical_not(condition))
    return result


def merge_branches(
    condition: Expr, chosen: Sequence[ScalarEquation], otherwise: Sequence[ScalarEquation]
) -> list[ScalarEquation]:
    """One equation per pair; equations for the same variable are paired first."""
    by_left = {equation.left: equation for equation in otherwise}
    same = {e.left for e in chosen} == set(by_left) and len(by_left) == len(otherwise)
    partners = [by_left[e.left] for e in chosen] if same else list(otherwise)
    return [_merge(condition, a, b) for a, b in zip(chosen, partners, strict=True)]


def _merge(condition: Expr, a: ScalarEquation, b: ScalarEquation) -> ScalarEquation:
    if a.left is b.left:
        return replace(a, right=build.if_then_else(condition, a.right, b.right))
    if a.right is b.right:
        return replace(a, left=build.if_then_else(condition, a.left, b.left))
    residual = build.if_then_else(
        condition, build.minus(a.left, a.right), build.minus(b.left, b.right)
    )
    return replace(a, left=ZERO, right=residual)


# ---------------------------------------------------------------- variables


def expand_variables(
    expander: Expander,
    variables: Sequence[Variable],
    in_when: Collection[Name],
    numbers: Mapping[Name, float],
) -> None:
    """Fill `expander.variables`: first the bare scalars, then their expressions, which may need
    the dimensions and values of all the others. What a when-clause gives is discrete. Parameters are bound
    to their `numbers` before anything is decided by their values."""
    for variable in variables:
        is_discrete = variable.type != REAL or variable.name in in_when
        for index in positions(variable.dims):
            name = (*variable.name, *index)
            expander.variables[name] = _bare(variable, name, is_discrete)
    pending = {
        (*variable.name, *index): variable
        for variable in variables
        for index in positions(variable.dims)
    }

    def prepare(name: Name) -> None:
        variable = pending.get(name)
        if variable is not None:
            for index in positions(variable.dims):
                del pending[(*variable.name, *index)]
            _fill(expander, variable)
            _bind(
                expander, [(*variable.name, *index) for index in positions(variable.dims)], numbers
            )

    _bind(expander, list(pending), numbers)
    expander.values.prepare = prepare
    for name in list(pending):
        prepare(name)


def positions(dims: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(product(*(range(1, size + 1) for size in dims)))


def _bind(expander: Expander, names: Sequence[Name], numbers: Mapping[Name, float]) -> None:
    for name in names if numbers else ():
        if name in numbers:
            variable = expander.variables[name]
            expander.variables[name] = replace(variable, binding=literal(variable, numbers[name]))


def _bare(variable: Variable, name: Name, is_discrete: bool) -> ScalarVariable:
    variability = variable.variability
    if variability == Variability.CONTINUOUS and is_discrete:
        variability = Variability.DISCRETE
    return ScalarVariable(
        name,
        variable.type,
        variability,
        variable.causality,
        unit=variable.attributes.unit or "",
        comment=variable.comment,
        state_select=variable.attributes.state_select or "default",
        start_level=variable.attributes.start_level,
        is_default_start=variable.attributes.is_default_start,
        is_final=variable.is_final,
        is_structural=variable.is_structural,
        is_protected=variable.is_protected,
        span=variable.span,
        # As written: sizes of array values may depend on it.
        binding=None if variable.dims else variable.binding,
    )


def _fill(expander: Expander, variable: Variable) -> None:
    attributes = variable.attributes
    fields = {
        "binding": variable.binding,
        "start": attributes.start,
        "fixed": attributes.fixed,
        "nominal": attributes.nominal,
        "minimum": attributes.minimum,
        "maximum": attributes.maximum,
    }
    given = {key: expr for key, expr in fields.items() if expr is not None}
    if not given:
        return
    names = [(*variable.name, *index) for index in positions(variable.dims)]
    with expander.where(None):
        columns = {
            key: _spread(expander.scalars(expr, variable.span), len(names), variable)
            for key, expr in given.items()
        }
    for at, name in enumerate(names):
        row = {key: column[at] for key, column in columns.items()}
        expander.variables[name] = replace(
            expander.variables[name],
            binding=row.get("binding"),
            start=row.get("start"),
            fixed=row.get("fixed"),
            nominal=row.get("nominal"),
            minimum=row.get("minimum"),
            maximum=row.get("maximum"),
        )


def _spread(parts: list[Expr], count: int, variable: Variable) -> list[Expr]:
    if len(parts) == count:
        return parts
    if len(parts) == 1:
        return parts * count
    raise wrong_element_count(show(variable.name), count, len(parts), variable.span)
