"""Inputs of a function that no output depends on.

    y := x^2 + 1        with inputs x, k        ->        {k}

Such an argument of a call is no part of the equation that holds the call: it decides nothing, and an equation
solved for it has no solution. What only asserts or calls for effect read counts as read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from freewheel.base.names import ClassName
from freewheel.formula.nodes import Call, Expr, FunctionRef, PartialFunction
from freewheel.formula.shape import FunctionLookup
from freewheel.formula.statement_nodes import (
    Assign,
    ForStatement,
    Function,
    IfStatement,
    Statement,
    TupleAssign,
    WhileStatement,
)
from freewheel.formula.walk import nodes_of, replace, variables_in

ALWAYS = ""  # what depends on nothing else: outputs, effects, the way through the code

_Reads = tuple[str, tuple[Expr, ...]]  # a variable, and what it is made from


class Influence:
    """Answers for functions of the model, each looked at once."""

    def __init__(self, functions: FunctionLookup) -> None:
        self._functions = functions
        self._sources: dict[ClassName, dict[str, set[str]] | None] = {}

    def idle(self, function: Function, output: int = 0) -> frozenset[str]:
        """Names of inputs without influence on an output, counted from 1, or on any of them."""
        if function.name not in self._sources:
            self._sources[function.name] = (
                None  # in a function that calls itself all have influence
            )
            self._sources[function.name] = self._read(function)
        sources = self._sources[function.name]
        if sources is None:
            return frozenset()
        outputs = [v.name for v in function.outputs()]
        needed = {ALWAYS, *(outputs[output - 1 : output] if output else outputs)}
        waiting = list(needed)
        while waiting:
            new = sources.get(waiting.pop(), set()) - needed
            needed |= new
            waiting.extend(new)
        return frozenset(v.name for v in function.inputs()) - needed

    def _read(self, function: Function) -> dict[str, set[str]] | None:
        """variable -> those it is made from; None where that cannot be seen."""
        if function.external is not None or not function.body or function.is_impure:
            return None
        sources: dict[str, set[str]] = {}
        for name, exprs in [*_declared(function), *_read_in(function.body, ())]:
            sources.setdefault(name, set()).update(self._names_in(exprs))
        return sources

    def _names_in(self, exprs: Iterable[Expr]) -> set[str]:
        shown = [replace(expr, self._without_idle, {}) for expr in exprs]
        called = [name for node in nodes_of(*shown) for name in _functions_in(node)]
        return {str(var.name[0]) for var in variables_in(*shown)}.union(called)

    def _without_idle(self, node: Expr) -> Expr | None:
        if not isinstance(node, Call) or isinstance(node.function, str):
            return None
        function = self._functions(node.function)
        idle = frozenset[str]() if function is None else self.idle(function)
        if function is None or not idle:
            return None
        pairs = zip(function.inputs(), node.args, strict=False)
        kept = tuple(replace(a, self._without_idle, {}) for v, a in pairs if v.name not in idle)
        return node.with_args(kept)


def _functions_in(node: Expr) -> Iterator[str]:
    """The function that is called or handed on, which may be an input."""
    match node:
        case Call() if not isinstance(node.function, str):
            yield str(node.function[0])
        case FunctionRef():
            yield str(node.data[0])
        case PartialFunction():
            yield str(node.data[0][0])


def _declared(function: Function) -> Iterator[_Reads]:
    for variable in function.variables:
        given = () if variable.default is None else (variable.default,)
        yield variable.name, (*given, *(d for d in variable.dims if d is not None))


def _read_in(body: Iterable[Statement], conditions: tuple[Expr, ...]) -> Iterator[_Reads]:
    for statement in body:
        match statement:
            case Assign():
                yield _root(statement.target), (statement.value, statement.target, *conditions)
            case TupleAssign():
                for target in statement.targets:
                    if target is not None:
                        yield _root(target), (statement.call, target, *conditions)
            case IfStatement():
                asked = conditions
                for condition, inside in statement.branches:
                    asked = (*asked, condition)
                    yield from _read_in(inside, asked)
                yield from _read_in(statement.otherwise, asked)
            case ForStatement():
                yield from _read_in(statement.body, (*conditions, statement.values))
            case WhileStatement():
                yield ALWAYS, (statement.condition,)  # it may never end
                yield from _read_in(statement.body, (*conditions, statement.condition))
            case _:
                yield ALWAYS, (*_parts(statement), *conditions)


def _root(target: Expr) -> str:
    return str(variables_in(target)[0].name[0])


def _parts(statement: Statement) -> Iterator[Expr]:
    """Expressions of an effect; `break` and `return` have none."""
    action = getattr(statement, "action", None)
    for name in ("call", "condition", "message", "variable", "value"):
        part = getattr(action, name, None)
        if isinstance(part, Expr):
            yield part
