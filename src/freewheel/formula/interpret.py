"""Run functions that are written as algorithms, on values.

    run_function(FunctionValue(("f",)), (2.0,), environment) == (4.0,)

Inputs, outputs and locals live in one dictionary, the frame. A step counter and a depth counter end
what would not end by itself; both are told to the modeller, never a hang.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from math import prod
from typing import Any

from freewheel.base.access import RefusedError
from freewheel.base.diagnostics import CompileError
from freewheel.base.names import ClassName
from freewheel.formula.evaluate import (
    CALL_STEPS,
    MAX_DEPTH,
    Environment,
    call_outputs,
    iteration_values,
    subscript,
    truth,
    value_of,
)
from freewheel.formula.external import EXTERNALS
from freewheel.formula.external_call import called, fitting, kinds_of
from freewheel.formula.faults import (
    assertion_failed,
    at,
    never_assigned,
    show_dims,
    too_deep,
    too_large,
    unknown_external,
    wrong_shape,
    wrong_types,
)
from freewheel.formula.nodes import Call, Expr, Field, Index, Var
from freewheel.formula.outside import note_call
from freewheel.formula.show import show
from freewheel.formula.statement_nodes import (
    Assert,
    Assign,
    Break,
    CallEquation,
    Effect,
    External,
    ForStatement,
    Function,
    FunctionVariable,
    IfStatement,
    Return,
    Statement,
    Terminate,
    TupleAssign,
    WhenStatement,
    WhileStatement,
)
from freewheel.formula.types import REAL, RecordType, Type
from freewheel.formula.values import (
    ArrayValue,
    FunctionValue,
    RecordValue,
    Value,
    array_of,
    dims_of_value,
    select,
    updated,
)
from freewheel.formula.walk import variables_in

MAX_LOCAL_ELEMENTS = 5_000_000
COPIED_PER_STEP = 1_000  # elements: `a[i] := x` copies the array


class _Unset:
    """The content of a local before its first assignment."""

    def __repr__(self) -> str:
        return "<no value yet>"


UNSET: Any = _Unset()
_REAL = Type(REAL)


class Flow(Enum):
    NEXT = "next"
    BREAK = "break"
    RETURN = "return"


def run_function(
    target: FunctionValue, args: tuple[Value, ...], caller: Environment
) -> tuple[Value, ...]:
    """Values of all outputs."""
    function = caller.functions(target.function)
    budget = caller.budget
    budget.spend(CALL_STEPS, function.name)
    budget.depth += 1
    if budget.depth > MAX_DEPTH:
        raise too_deep(function.name, MAX_DEPTH)
    env = Environment(caller.lookup, caller.functions, function=function.name, budget=budget)
    try:
        env.frame = _bound_inputs(function, target, args)
        env.reals = frozenset(v.name for v in function.variables if v.type.scalar == REAL)
        _declare(function, env)
        if function.external is not None:
            _run_external(function, env)
        else:
            run_block(function.body, env)
    except CompileError as problem:
        raise at(problem, function.span, f"while evaluating `{'.'.join(function.name)}`") from None
    finally:
        budget.depth -= 1
    return tuple(_finished(variable, env) for variable in function.outputs())


def _bound_inputs(
    function: Function, target: FunctionValue, args: tuple[Value, ...]
) -> dict[str, Any]:
    """Positional arguments fill the inputs that a partial application left open."""
    given = dict(zip(target.names, target.values, strict=True))
    open_inputs = [v for v in function.inputs() if v.name not in given]
    if len(args) > len(open_inputs):
        raise wrong_types(f"`{'.'.join(function.name)}` is called with {len(args)} arguments")
    given.update(zip((v.name for v in open_inputs), args, strict=False))
    types = {v.name: v.type for v in function.inputs()}
    return {name: converted(value, types[name]) for name, value in given.items() if name in types}


def _declare(function: Function, env: Environment) -> None:
    """Give every variable its default, or an empty place of its declared size.

    Defaults and dimensions may use variables declared later; those wait for a second round.
    """
    assert env.frame is not None
    order = env.budget.plans.get(function.name)
    if order is None:
        order = env.budget.plans[function.name] = by_dependence(list(function.variables))
    waiting = [v for v in order if v.name not in env.frame]
    for variable in waiting:
        env.frame[variable.name] = UNSET
    for variable in waiting:
        env.frame[variable.name] = _first_content(variable, function.name, env)


def by_dependence(variables: list[FunctionVariable]) -> list[FunctionVariable]:
    """Order so that defaults and dimensions find their values; declaration order otherwise."""
    names = {v.name for v in variables}
    uses = {v.name: _names_used(v) & names for v in variables}
    ordered: list[FunctionVariable] = []
    done: set[str] = set()
    remaining = variables
    while remaining:
        ready = [v for v in remaining if uses[v.name] <= done]
        chosen = ready[0] if ready else remaining[0]  # a cycle shows when the value is read
        ordered.append(chosen)
        done.add(chosen.name)
        remaining = [v for v in remaining if v is not chosen]
    return ordered


def _names_used(variable: FunctionVariable) -> set[str]:
    parts = [part for part in (*variable.dims, variable.default) if part is not None]
    return {str(var.name[0]) for var in variables_in(*parts)} - {variable.name}


def _first_content(variable: FunctionVariable, function: ClassName, env: Environment) -> Any:
    if variable.default is not None:
        value = value_of(variable.default, env)
        _require_set(value, variable.name, function)
        return converted(value, variable.type)
    if variable.role == "input":
        raise wrong_types(f"`{'.'.join(function)}` is called without its input `{variable.name}`")
    if any(size is None for size in variable.dims):
        return UNSET
    dims = tuple(_local_size(size, env) for size in variable.dims if size is not None)
    return _empty(variable.type.scalar, dims)


def _local_size(size: Expr, env: Environment) -> int:
    value = value_of(size, env)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise wrong_shape(f"a dimension must be an Integer >= 0, not {value}")
    return value


def _empty(scalar: object, dims: tuple[int, ...]) -> Any:
    """A place of the right shape whose scalars have no value yet."""
    if prod(dims) > MAX_LOCAL_ELEMENTS:
        raise too_large(f"an array of dimensions {dims}")
    element: Any = UNSET
    if isinstance(scalar, RecordType):
        fields = tuple(
            (name, _empty(kind.scalar, tuple(size or 0 for size in kind.dims)))
            for name, kind in scalar.fields
        )
        element = RecordValue(scalar.name, fields)
    return ArrayValue(dims, (element,) * prod(dims)) if dims else element


def converted(value: Any, kind: Type) -> Any:
    """Integers become Reals where the declaration says Real."""
    if kind.scalar is not REAL and kind.scalar != REAL:
        return value
    if type(value) is int:
        return float(value)
    if isinstance(value, ArrayValue) and any(type(e) is int for e in value.elements):
        return value.map(lambda element: float(element) if type(element) is int else element)
    return value


def _finished(variable: FunctionVariable, env: Environment) -> Value:
    assert env.frame is not None
    value: Value = env.frame[variable.name]
    _require_set(value, variable.name, env.function)
    return value


def _require_set(value: Any, variable: str, function: ClassName) -> None:
    if value is UNSET or (isinstance(value, ArrayValue) and UNSET in value.elements):
        raise never_assigned(variable, function)


# ---------------------------------------------------------------- statements


def run_block(body: tuple[Statement, ...], env: Environment) -> Flow:
    for statement in body:
        _spend(env)
        try:
            flow = _RUN[type(statement)](statement, env)
        except CompileError as problem:
            raise at(problem, statement.span) from None
        if flow is not Flow.NEXT:
            return flow
    return Flow.NEXT


def _spend(env: Environment) -> None:
    env.budget.spend(1, env.function)


def _assign(statement: Any, env: Environment) -> Flow:
    store(statement.target, _read(statement.value, env), env)
    return Flow.NEXT


def _read(expr: Expr, env: Environment) -> Value:
    value = value_of(expr, env)
    if value is UNSET:
        raise never_assigned(_spelled(expr), env.function)
    return value


def _spelled(expr: Expr) -> str:
    return show(expr)


def _tuple_assign(statement: Any, env: Environment) -> Flow:
    outputs = call_outputs(statement.call, env)
    for target, value in zip(statement.targets, outputs, strict=False):
        if target is not None:
            store(target, value, env)
    return Flow.NEXT


def _if(statement: Any, env: Environment) -> Flow:
    for condition, body in statement.branches:
        if truth(_read(condition, env)):
            return run_block(body, env)
    return run_block(statement.otherwise, env)


def _for(statement: Any, env: Environment) -> Flow:
    values = iteration_values(value_of(statement.values, env))
    hidden = env.iterators.get(statement.index, UNSET)
    flow = Flow.NEXT
    for value in values:
        _spend(env)
        env.iterators[statement.index] = value
        flow = run_block(statement.body, env)
        if flow is not Flow.NEXT:
            break
    env.iterators.pop(statement.index, None)
    if hidden is not UNSET:
        env.iterators[statement.index] = hidden
    return Flow.RETURN if flow is Flow.RETURN else Flow.NEXT


def _while(statement: Any, env: Environment) -> Flow:
    while truth(_read(statement.condition, env)):
        _spend(env)
        flow = run_block(statement.body, env)
        if flow is Flow.BREAK:
            return Flow.NEXT
        if flow is Flow.RETURN:
            return Flow.RETURN
    return Flow.NEXT


def _break(statement: Any, env: Environment) -> Flow:
    return Flow.BREAK


def _return(statement: Any, env: Environment) -> Flow:
    return Flow.RETURN


def _when(statement: Any, env: Environment) -> Flow:
    raise wrong_types("`when` is not allowed in a function")


def _effect(statement: Any, env: Environment) -> Flow:
    action = statement.action
    if isinstance(action, Assert):
        if not truth(value_of(action.condition, env)) and not action.is_warning:
            raise assertion_failed(env.function, str(value_of(action.message, env)))
        return Flow.NEXT
    if isinstance(action, Terminate):
        raise assertion_failed(env.function, f"terminate: {value_of(action.message, env)}")
    if not isinstance(action, CallEquation):
        raise wrong_types("`reinit` is not allowed in a function")
    call = action.call
    assert isinstance(call, Call)
    if isinstance(call.data, str):
        value_of(call, env)
    else:
        args = tuple([value_of(arg, env) for arg in call.args])
        run_function(FunctionValue(call.data), args, env)
    return Flow.NEXT


_RUN: dict[type, Callable[[Any, Environment], Flow]] = {
    Assign: _assign,
    TupleAssign: _tuple_assign,
    IfStatement: _if,
    ForStatement: _for,
    WhileStatement: _while,
    WhenStatement: _when,
    Break: _break,
    Return: _return,
    Effect: _effect,
}


# ---------------------------------------------------------------- assignment


def store(target: Expr, value: Value, env: Environment) -> None:
    """Write into a local, one of its elements, a slice, or a field, however deep."""
    assert env.frame is not None, "assignments happen in functions"
    steps: list[str | tuple[Expr | int, ...]] = []
    node = target
    while not isinstance(node, Var):
        if isinstance(node, Field):
            steps.append(node.data)
        else:
            assert isinstance(node, Index), f"{target!r} cannot be assigned to"
            steps.append(node.args[1:])
        node = node.args[0]
    root, *rest = node.name
    steps.reverse()
    path = [part if isinstance(part, str) else (part,) for part in rest] + steps
    name = str(root)
    if name not in env.frame:
        raise wrong_types(f"`{name}` is no variable of `{'.'.join(env.function)}`")
    if name in env.reals:
        value = converted(value, _REAL)
    env.frame[name] = _with(env.frame[name], path, value, name, env)


def _with(
    old: Any, path: list[str | tuple[Any, ...]], new: Value, name: str, env: Environment
) -> Any:
    if not path:
        return _fitting(old, new, name)
    step, rest = path[0], path[1:]
    if old is UNSET:
        raise never_assigned(name, env.function)
    if isinstance(step, str):
        if isinstance(old, ArrayValue):
            return _fields_with(old, step, rest, new, name, env)
        if not isinstance(old, RecordValue):
            raise wrong_types(f"`{name}` has no field `{step}`")
        return old.replaced(step, _with(old.get(step), rest, new, f"{name}.{step}", env))
    if not isinstance(old, ArrayValue):
        raise wrong_shape(f"`{name}` is no array")
    subscripts = [
        part if isinstance(part, int) else subscript(part, env, old.dims, axis)
        for axis, part in enumerate(step)
    ]
    env.budget.spend(len(old.elements) // COPIED_PER_STEP, env.function)
    if not rest:
        return updated(old, subscripts, new)
    inner = _with(select(old, subscripts), rest, new, name, env)
    return updated(old, subscripts, inner)


def _fields_with(
    old: ArrayValue,
    step: str,
    rest: list[str | tuple[Any, ...]],
    new: Value,
    name: str,
    env: Environment,
) -> ArrayValue:
    """`records.field := array`: one part for each record."""
    if not isinstance(new, ArrayValue) or new.dims[: len(old.dims)] != old.dims:
        raise wrong_shape(f"`{name}.{step}` is assigned a value of other dimensions")
    inner = new.dims[len(old.dims) :]
    size = prod(inner)
    parts: list[Any] = []
    for i, record in enumerate(old.elements):
        chunk = new.elements[i * size : (i + 1) * size]
        part = ArrayValue(inner, chunk) if inner else chunk[0]
        parts.append(_with(record, [step, *rest], part, name, env))
    return ArrayValue(old.dims, tuple(parts))


def _fitting(old: Any, new: Value, name: str) -> Value:
    """A whole assignment keeps the declared dimensions."""
    if isinstance(old, ArrayValue) and dims_of_value(new) != old.dims:
        raise wrong_shape(
            f"`{name}` has dimensions {show_dims(old.dims)} and is assigned {show_dims(dims_of_value(new))}"
        )
    return new


# ---------------------------------------------------------------- external functions


def _run_external(function: Function, env: Environment) -> None:
    external = function.external
    assert external is not None
    assert env.frame is not None
    if external.language.startswith("FORTRAN"):
        _run_lapack(function, external, env)
        return
    outputs = {variable.name for variable in function.outputs()}
    targets = [] if external.result is None else [external.result]
    inputs: list[Expr] = []
    for arg in external.args:
        is_output = isinstance(arg, Var) and arg.name[0] in outputs
        (targets if is_output else inputs).append(arg)
    if external.name not in EXTERNALS:
        raise unknown_external(function.name, external.name)
    note_call(external.name)
    result = _called(function.name, external.name, [value_of(arg, env) for arg in inputs])
    results = fitting(function.name, external.name, kinds_of(function, targets), result)
    for target, value in zip(targets, results, strict=True):
        store(target, value, env)


def _called(function: ClassName, name: str, args: list[Value]) -> Any:
    """What is refused here is a mistake of the model, with a place."""
    try:
        return called(function, name, EXTERNALS[name], args)
    except RefusedError as refused:
        raise CompileError(refused.diagnostic) from None


def _run_lapack(function: Function, external: External, env: Environment) -> None:
    """A FORTRAN routine changes its arguments in place; outputs may be inputs as well."""
    from freewheel.formula.external_lapack import LAPACK  # brings numpy: only where needed

    routine = LAPACK.get(external.name)
    if routine is None:
        raise unknown_external(function.name, external.name)
    args = [value_of(arg, env) for arg in external.args]
    changes = called(function.name, external.name, routine, (args,))
    for position, value in changes.items():
        target = external.result if position < 0 else external.args[position]
        if isinstance(target, Var):
            store(target, array_of(value), env)
