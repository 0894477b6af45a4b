"""Algorithm sections become one equation per variable they assign.

The statements are run once with formulas instead of numbers: every variable holds the formula of
its value so far, and an `if` leaves an if-expression behind.

    s := 0; for i in 1:2 loop s := s + x[i]; end for     ->     s = x[1] + x[2]

After the last statement that assigns a variable it holds its final value: formulas then mention the
variable, and do not repeat how it was made.

What a formula cannot say (while, break, return) makes the whole section a function with the
variables it reads as inputs, called once; beside when-clauses and actions, which cannot be part of a
function, each such loop becomes a function of its own. Modelica 3.6, "Initialization of variables in
algorithms": a variable begins with its start value, a discrete one with `pre` of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name
from freewheel.base.source import NOWHERE
from freewheel.flat.nodes import Algorithm, Variability
from freewheel.formula import build
from freewheel.formula.faults import at as at_place
from freewheel.formula.faults import subscript_outside
from freewheel.formula.nodes import (
    FALSE,
    TRUE,
    ZERO,
    Array,
    Binary,
    Colon,
    Expr,
    Index,
    Integer,
    Var,
)
from freewheel.formula.statement_nodes import (
    Assert,
    Assign,
    Break,
    CallEquation,
    Effect,
    ForStatement,
    IfStatement,
    Reinit,
    Return,
    Statement,
    Terminate,
    TupleAssign,
    WhenStatement,
    WhileStatement,
)
from freewheel.formula.subscript_checks import check_of
from freewheel.formula.walk import bind_iterators, calls_in, map_bottom_up, substitute
from freewheel.structure.atoms import pre_of
from freewheel.structure.events.when_clauses import rising
from freewheel.structure.nodes import Action, ScalarEquation
from freewheel.structure.scalarize.algorithm_functions import as_call, loop_as_call
from freewheel.structure.scalarize.equations import Expander, output_of, positions
from freewheel.structure.scalarize.run_time_sizes import UNKNOWN_SIZE

MAX_STATEMENTS = 5_000  # more than this is left to a function

KEPT = "$kept"

_MAY_BE_CALLS = (Assign, TupleAssign, ForStatement, WhileStatement)

Content = dict[Var, Expr]


class _NotSymbolicError(Exception):
    """A formula cannot say this."""


def expand_algorithm(
    expander: Expander, algorithm: Algorithm, number: int, guard: Expr | None = None
) -> list[ScalarEquation]:
    """Equations for everything the section assigns; its actions happen where `guard` holds."""
    try:
        return _written_out(expander, algorithm, guard, "")
    except (_NotSymbolicError, CompileError) as failure:
        if not _is_for_functions(failure):
            raise
        problem = failure
    try:
        return as_call(expander, algorithm, number)
    except CompileError as failure:  # when-clauses and actions cannot go there
        if isinstance(problem, _NotSymbolicError):
            problem = failure
    try:
        return _written_out(expander, algorithm, guard, f"algorithm{number}loop")
    except _NotSymbolicError:
        raise problem from None


def _written_out(
    expander: Expander, algorithm: Algorithm, guard: Expr | None, loops: str
) -> list[ScalarEquation]:
    mark = len(expander.actions), len(expander.conditions)
    run = _Run(expander, algorithm, loops)
    try:
        run.section(algorithm.statements, guard)
    except (_NotSymbolicError, CompileError):
        del expander.actions[mark[0] :], expander.conditions[mark[1] :]
        raise
    return [
        ScalarEquation(target, value, algorithm.span, algorithm.origin, target=target)
        for target, value in run.content.items()
    ]


def _is_for_functions(failure: _NotSymbolicError | CompileError) -> bool:
    """Ranges and sizes that only a run determines are a matter of functions."""
    if isinstance(failure, _NotSymbolicError):
        return True
    return failure.diagnostics[0].code == UNKNOWN_SIZE


def assigned(statements: Sequence[Statement]) -> list[Name]:
    """Names of all variables (whole arrays) that are assigned, in order of appearance."""
    found: dict[Name, None] = {}
    stack = list(reversed(statements))
    while stack:
        statement = stack.pop()
        match statement:
            case Assign():
                found[_base(statement.target).name] = None
            case TupleAssign():
                found.update((_base(t).name, None) for t in statement.targets if t is not None)
            case IfStatement():
                stack.extend(reversed(statement.otherwise))
                for _, body in reversed(statement.branches):
                    stack.extend(reversed(body))
            case WhenStatement():
                for _, body in reversed(statement.branches):
                    stack.extend(reversed(body))
            case ForStatement() | WhileStatement():
                stack.extend(reversed(statement.body))
            case Break() | Return() | Effect():
                continue
    return list(found)


def _base(target: Expr) -> Var:
    while not isinstance(target, Var):
        target = target.args[0]
    return target


class _Run:
    """Runs statements on formulas; `content` holds what each variable is by now."""

    def __init__(self, expander: Expander, algorithm: Algorithm, loops: str) -> None:
        self.expander = expander
        self.loops = loops  # what functions are called that loops may become; "" where they may not
        self.calls = 0
        self.span = algorithm.span
        self.content: Content = {}
        self.budget = MAX_STATEMENTS
        self.own: set[Name] = set()
        self.settled: set[Var] = set()  # not assigned any more
        self.kept: dict[Expr, Expr] = {}  # calls of `previous` and what stands for them meanwhile
        for name in assigned(algorithm.statements):
            dims = expander.dims_of(name)
            self.own.update((*name, *index) for index in positions(dims))

    def section(self, statements: Sequence[Statement], guard: Expr | None) -> None:
        last = {name: at for at, s in enumerate(statements) for name in assigned([s])}
        for at, statement in enumerate(statements):
            self.block([statement], {}, guard)
            for name in [name for name, place in last.items() if place == at]:
                self.settled.update(var for var in self.elements(name) if var in self.content)

    # ------------------------------------------------------------ reading

    def first(self, var: Var) -> Expr:
        variable = self.expander.variables[var.name]
        if variable.variability == Variability.DISCRETE:
            return pre_of(var)
        return variable.start if variable.start is not None else ZERO

    def present(self, expr: Expr, memo: dict[Expr, Expr] | None = None) -> Expr:
        """A scalar formula over values from before the algorithm. What `previous` names stays:
        it means the variable at the last tick, whatever was assigned since."""
        for call in calls_in(expr):
            if call.function == "previous" and call not in self.kept:
                self.kept[call] = Var((KEPT, len(self.kept) + 1))

        def visit(node: Expr) -> Expr:
            if isinstance(node, Var):
                if node in self.settled:
                    return node
                if node in self.content:
                    return self.content[node]
                return self.first(node) if node.name in self.own else node
            return build.rebuilt(node, node.args) if node.args else node

        if not self.kept:
            return map_bottom_up(expr, visit, memo)
        found = map_bottom_up(substitute(expr, self.kept), visit, memo)
        return substitute(found, {var: call for call, var in self.kept.items()})

    def read(self, expr: Expr, binding: Content) -> list[Expr]:
        bound = self.bind(expr, binding)
        memo: dict[Expr, Expr] = {}
        first = len(self.expander.actions)
        parts = self.expander.scalars(bound, self.span)
        self.expander.actions[first:] = [
            self.present_check(check, memo) for check in self.expander.actions[first:]
        ]
        return [self.present(part, memo) for part in parts]

    def present_check(self, check: Action, memo: dict[Expr, Expr]) -> Action:
        """Of a subscript, as it is where the statement stands."""
        assert check.value is not None
        assert check.message is not None
        value, message = self.present(check.value, memo), self.present(check.message, memo)
        return replace(check, value=value, message=message)

    def bind(self, expr: Expr, binding: Content) -> Expr:
        values = {str(var.name[0]): value for var, value in binding.items()}
        return bind_iterators(expr, values) if values else expr

    # ------------------------------------------------------------ writing

    def write(self, target: Expr, values: list[Expr], binding: Content) -> None:
        target = self.bind(target, binding)
        if isinstance(target, Var):
            elements = self.elements(target.name)
            if len(elements) == len(values):
                self.content.update(zip(elements, values, strict=True))
                return
            raise _NotSymbolicError
        if not isinstance(target, Index) or not isinstance(target.args[0], Var):
            raise _NotSymbolicError
        self.write_element(target, values)

    def elements(self, name: Name) -> list[Var]:
        return [Var((*name, *index)) for index in positions(self.expander.dims_of(name))]

    def write_element(self, target: Index, values: list[Expr]) -> None:
        base = target.args[0]
        assert isinstance(base, Var)
        if any(isinstance(part, Colon) for part in target.args[1:]):
            elements = self.expander.scalars(target, self.span)
            self._write_all(elements, values)
            return
        subscripts = [self.read(part, {}) for part in target.args[1:]]
        if all(len(part) == 1 for part in subscripts):
            self._write_one(base, [part[0] for part in subscripts], values)
        else:
            self._write_all(self.expander.scalars(target, self.span), values)

    def _write_all(self, elements: list[Expr], values: list[Expr]) -> None:
        if len(elements) != len(values):
            raise _NotSymbolicError
        for element, value in zip(elements, values, strict=True):
            if not isinstance(element, Var):
                raise _NotSymbolicError
            self.content[element] = value

    def _write_one(self, base: Var, subscripts: list[Expr], values: list[Expr]) -> None:
        dims = self.expander.dims_of(base.name)
        if all(isinstance(part, Integer) for part in subscripts):
            place = tuple(int(part.data) for part in subscripts)
            for axis, (number, size) in enumerate(zip(place, dims, strict=False), start=1):
                if not 1 <= number <= size:
                    raise at_place(subscript_outside(number, size, axis, base.name), self.span)
            rest = positions(dims[len(place) :])
            elements: list[Expr] = [Var((*base.name, *place, *index)) for index in rest]
            self._write_all(elements, values)
            return
        if len(subscripts) != len(dims) or len(values) != 1:
            raise _NotSymbolicError
        target = Index(base, *subscripts)
        for axis, part in enumerate(subscripts):
            for check in check_of(target, axis, part, dims[axis]):
                self.expander.check_subscript(check, self.span)
        for index in positions(dims):
            element = Var((*base.name, *index))
            hit: Expr = TRUE
            for part, number in zip(subscripts, index, strict=True):
                hit = build.logical_and(hit, Binary("==", part, Integer(number)))
            old = self.present(element)
            self.content[element] = build.if_then_else(hit, values[0], old)

    # ------------------------------------------------------------ statements

    def block(self, statements: Sequence[Statement], binding: Content, guard: Expr | None) -> None:
        for statement in statements:
            self.budget -= 1
            if self.budget < 0:
                raise _NotSymbolicError
            around = self.span
            self.span = around if statement.span is NOWHERE else statement.span
            with self.expander.where(guard):
                if self.loops and isinstance(statement, _MAY_BE_CALLS):
                    self.tried(statement, binding, guard)
                else:
                    self.statement(statement, binding, guard)
            self.span = around

    def tried(self, statement: Statement, binding: Content, guard: Expr | None) -> None:
        """A statement written out, or a function where that cannot be."""
        expander = self.expander
        mark = len(expander.actions), len(expander.conditions)
        content, budget = dict(self.content), self.budget
        try:
            self.statement(statement, binding, guard)
        except (_NotSymbolicError, CompileError) as failure:
            if not _is_for_functions(failure):
                raise
            del expander.actions[mark[0] :], expander.conditions[mark[1] :]
            self.content, self.budget = content, budget
            self.called(statement, binding)

    def called(self, statement: Statement, binding: Content) -> None:
        self.calls += 1
        iterators = {str(var.name[0]): value for var, value in binding.items()}
        label = f"{self.loops}{self.calls}"
        call, targets = loop_as_call(self.expander, statement, label, iterators, self.whole)
        values = [
            self.expander.scalars(output_of(k, call), self.span) for k in range(1, len(targets) + 1)
        ]
        for name, parts in zip(targets, values, strict=True):
            self._write_all([*self.elements(name)], parts)

    def whole(self, name: Name) -> Expr:
        """The present value of a variable."""
        dims = self.expander.dims_of(name)
        if dims:
            return Array(*(self.whole((*name, at)) for at in range(1, dims[0] + 1)))
        return self.present(Var(name))

    def statement(self, statement: Statement, binding: Content, guard: Expr | None) -> None:
        match statement:
            case Assign():
                self.write(statement.target, self.read(statement.value, binding), binding)
            case TupleAssign():
                values = [
                    None if target is None else self.read(output_of(k, statement.call), binding)
                    for k, target in enumerate(statement.targets, start=1)
                ]
                for target, value in zip(statement.targets, values, strict=True):
                    if target is not None and value is not None:
                        self.write(target, value, binding)
            case IfStatement():
                self.choose(statement, binding, guard)
            case ForStatement():
                ranged = self.bind(statement.values, binding)
                numbers = self.expander.loop_values(ranged)
                if numbers is None:
                    raise _NotSymbolicError
                for number in numbers:
                    inner = {**binding, Var((statement.index,)): number}
                    self.block(statement.body, inner, guard)
            case WhenStatement():
                self.when(statement, binding, guard)
            case Effect():
                self.effect(statement, binding, guard)
            case WhileStatement() | Break() | Return():
                raise _NotSymbolicError

    def choose(self, statement: IfStatement, binding: Content, guard: Expr | None) -> None:
        self._branches(
            list(statement.branches),
            statement.otherwise,
            binding,
            guard,
            lambda condition: self.read(condition, binding)[0],
        )

    def when(self, statement: WhenStatement, binding: Content, guard: Expr | None) -> None:
        branches = [
            (rising(self.expander, self.read(condition, binding), statement), body)
            for condition, body in statement.branches
        ]
        self._branches(branches, (), binding, guard, lambda fires: fires)

    def _branches(
        self,
        branches: list[tuple[Expr, tuple[Statement, ...]]],
        otherwise: tuple[Statement, ...],
        binding: Content,
        guard: Expr | None,
        read: Callable[[Expr], Expr],
    ) -> None:
        """Conditions are read one after the other: where one is met, the next does not count."""
        if not branches:
            self.block(otherwise, binding, guard)
            return
        (given, body), rest = branches[0], branches[1:]
        with self.expander.where(guard):
            condition = read(given)
        if condition is TRUE:
            self.block(body, binding, guard)
            return
        if condition is FALSE:
            self._branches(rest, otherwise, binding, guard, read)
            return
        before = dict(self.content)

        def taken() -> None:
            self.block(body, binding, _both(guard, condition))

        def others() -> None:
            unmet = _both(guard, build.logical_not(condition))
            self._branches(rest, otherwise, binding, unmet, read)

        if not self._possible(taken, condition, False):
            self.content = before
            self._branches(rest, otherwise, binding, guard, read)
            return
        after_then, self.content = self.content, dict(before)
        if self._possible(others, condition, True):
            self._merge(condition, after_then)
        else:
            self.content = before
            self.block(body, binding, guard)

    def _possible(self, run: Callable[[], None], condition: Expr, unless: bool) -> bool:
        """Runs a branch. What cannot be said in it (a subscript outside) is no mistake where
        parameters say that the branch is never taken: the condition is `unless`."""
        mark = len(self.expander.actions), len(self.expander.conditions)
        try:
            run()
        except CompileError:
            if self.expander.parameter_truth(condition) is not unless:
                raise
            del self.expander.actions[mark[0] :], self.expander.conditions[mark[1] :]
            return False
        return True

    def _merge(self, condition: Expr, after_then: Content) -> None:
        names = [*after_then, *(var for var in self.content if var not in after_then)]
        merged: Content = {}
        for var in names:
            first = after_then[var] if var in after_then else self.first(var)
            second = self.content[var] if var in self.content else self.first(var)
            merged[var] = build.if_then_else(condition, first, second)
        self.content = merged

    def effect(self, statement: Effect, binding: Content, guard: Expr | None) -> None:
        action = statement.action
        span = action.span

        def now(expr: Expr) -> Expr:
            return self.read(expr, binding)[0]

        match action:
            case Assert():
                action = Assert(now(action.condition), now(action.message), action.is_warning, span)
            case Terminate():
                action = Terminate(now(action.message), span)
            case Reinit():
                action = Reinit(self.bind(action.variable, binding), now(action.value), span)
            case CallEquation():
                action = CallEquation(now(action.call), span)
        self.expander.actions.append(self.expander.action(action, guard))


def _both(guard: Expr | None, condition: Expr) -> Expr:
    return condition if guard is None else build.logical_and(guard, condition)
