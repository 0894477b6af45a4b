"""Numbers for constants and parameters: an expression goes in, a value comes out.

    evaluate(Binary("+", Var(("n",)), Integer(1)), lookup={("n",): 3}.__getitem__) == 4

`lookup(name)` gives the value of a variable; it raises `NotConstant(name)` where there is none, and
the caller decides what that means. `functions(name)` gives the `Function` for a call. Functions
with algorithms are run by `formula.interpret`. With `dims(name)`, `size(x)` of a variable without a
value is answered from its dimensions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from collections.abc import Iterator as Iterating
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product as cartesian
from math import prod
from typing import Any

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import ClassName, Name
from freewheel.formula.arithmetic import binary, invert, negate
from freewheel.formula.builtin_values import (
    ARRAY,
    HUGE,
    MAX_ELEMENTS,
    SCALAR,
    TRANSPARENT,
    apply_array,
    apply_scalar,
)
from freewheel.formula.faults import (
    NotConstant,
    nested_too_deeply,
    not_computable,
    too_large,
    too_long,
    wrong_shape,
    wrong_types,
)
from freewheel.formula.nodes import (
    Array,
    Binary,
    Boolean,
    Call,
    Colon,
    Comprehension,
    Expr,
    Field,
    FunctionRef,
    If,
    Index,
    Integer,
    Iterator,
    Literal,
    Output,
    PartialFunction,
    Range,
    Real,
    Record,
    Reduction,
    String,
    Unary,
    Var,
)
from freewheel.formula.outside import times_asked
from freewheel.formula.statement_nodes import Function
from freewheel.formula.values import (
    ArrayValue,
    EnumValue,
    FunctionValue,
    RecordValue,
    Value,
    select,
    stack,
)

__all__ = ["Lookup", "NotConstant", "evaluate", "no_functions", "no_variables"]

Lookup = Callable[[Name], Value]
Functions = Callable[[ClassName], Function]
DimsLookup = Callable[[Name], tuple[int, ...]]
Calls = dict[Expr, tuple[Value, ...]]

MAX_STEPS = 1_000_000
CALL_STEPS = 5  # a call takes as long
ELEMENTS_PER_STEP = 10  # of an array take about as long as a statement
MAX_DEPTH = 200
# Python frames do not use the C stack from 3.11 on; this much nesting is a few megabytes at most.
_PYTHON_FRAMES = 20_000


@dataclass(slots=True)
class Budget:
    """What one evaluation may still spend on running functions."""

    steps: int = MAX_STEPS
    rounds: int = MAX_ELEMENTS  # of reductions and array comprehensions
    depth: int = 0
    plans: dict[ClassName, Any] = field(default_factory=dict)  # what `interpret` found out

    def spend(self, steps: int, function: ClassName) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise too_long(function, MAX_STEPS)

    def work_on(self, values: Iterable[Value], function: ClassName) -> None:
        """Arrays as a whole: `sum(a)` of a million elements is no single step."""
        for value in values:
            if type(value) is ArrayValue:
                self.steps -= len(value.elements) // ELEMENTS_PER_STEP
                if self.steps < 0:
                    raise too_long(function, MAX_STEPS) if function else too_large("this array")


@dataclass(slots=True)
class Environment:
    """Everything an expression can refer to."""

    lookup: Lookup
    functions: Functions
    dims: DimsLookup | None = None
    iterators: dict[str, Value] = field(default_factory=dict)
    frame: dict[str, Any] | None = None  # locals of the function being run
    reals: frozenset[str] = frozenset()  # those of them declared Real
    function: ClassName = ()
    budget: Budget = field(default_factory=Budget)
    calls: Calls | None = None  # outputs known already


def no_variables(name: Name) -> Value:
    """A lookup without variables: for expressions that must be constant in themselves."""
    raise NotConstant(name)


def no_functions(name: ClassName) -> Function:
    raise NotConstant(name)


def evaluate(
    expr: Expr,
    lookup: Lookup = no_variables,
    functions: Functions = no_functions,
    dims: DimsLookup | None = None,
    calls: Calls | None = None,
) -> Value:
    """The value of `expr`; raises `NotConstant` or `CompileError`.

    `calls` remembers calls between evaluations over the same variables: the nine elements of
    `f(a)[i, j]` ask for one call.
    """
    kind = type(expr)
    if kind in _PLAIN:
        plain: Value = expr.data
        return plain
    environment = Environment(lookup, functions, dims, calls=calls)
    try:
        return _EVALUATE[kind](expr, environment)
    except RecursionError:
        pass
    with _deep_stack():
        try:
            return _EVALUATE[kind](expr, Environment(lookup, functions, dims, calls=calls))
        except RecursionError:
            raise nested_too_deeply() from None


@contextmanager
def _deep_stack() -> Iterating[None]:
    """Room for deeply nested formulas and recursive functions, asked for only when needed."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _PYTHON_FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def value_of(expr: Expr, env: Environment) -> Value:
    """`evaluate` inside an environment, for this room."""
    return _EVALUATE[type(expr)](expr, env)


# ---------------------------------------------------------------- leaves


def _plain(expr: Expr, env: Environment) -> Value:
    plain: Value = expr.data
    return plain


def _literal(expr: Expr, env: Environment) -> Value:
    return EnumValue(*expr.data)


def _var(expr: Expr, env: Environment) -> Value:
    name: Name = expr.data
    if env.frame is None or name[0] not in env.frame:
        return env.lookup(name)
    value: Value = env.frame[name[0]]
    for part in name[1:]:
        value = field_of(value, part) if isinstance(part, str) else item_of(value, part)
    return value


def field_of(value: Value, name: str) -> Value:
    """A field of a record; of an array of records, the array of that field."""
    if isinstance(value, RecordValue):
        try:
            return value.get(name)
        except KeyError:
            raise wrong_types(f"the record has no field `{name}`") from None
    if isinstance(value, ArrayValue):
        parts = [field_of(element, name) for element in value.elements]
        if parts and isinstance(parts[0], ArrayValue):
            inner = stack(parts)
            return ArrayValue(value.dims + inner.dims[1:], inner.elements)
        return ArrayValue(value.dims, tuple(parts))
    raise wrong_types(f"`.{name}` is applied to a value that is not a record")


def item_of(value: Value, number: int) -> Value:
    if not isinstance(value, ArrayValue):
        raise wrong_shape("a subscript on a value that is not an array")
    return select(value, (number,))


def _iterator(expr: Expr, env: Environment) -> Value:
    try:
        return env.iterators[expr.data]
    except KeyError:
        raise NotConstant((expr.data,)) from None


def _colon(expr: Expr, env: Environment) -> Value:
    raise wrong_shape("`:` stands outside of subscripts")


def _function_ref(expr: Expr, env: Environment) -> Value:
    return _resolved(expr.data, env)


def _resolved(name: ClassName, env: Environment) -> FunctionValue:
    """A function input handed on is a local; everything else is a function of the model."""
    if env.frame is not None and len(name) == 1:
        local = env.frame.get(name[0])
        if isinstance(local, FunctionValue):
            return local
    return FunctionValue(name)


def _partial(expr: Expr, env: Environment) -> Value:
    name, labels = expr.data
    inner = _resolved(name, env)
    values = tuple(value_of(arg, env) for arg in expr.args)
    return FunctionValue(inner.function, inner.names + labels, inner.values + values)


# ---------------------------------------------------------------- operators


def _unary(expr: Expr, env: Environment) -> Value:
    value = value_of(expr.args[0], env)
    return negate(value) if expr.data == "-" else invert(value)


def _binary(expr: Expr, env: Environment) -> Value:
    op = expr.data
    left, right = expr.args
    if op == "and" or op == "or":
        return _logical(op, left, right, env)
    a = _EVALUATE[type(left)](left, env)
    b = _EVALUATE[type(right)](right, env)
    if type(a) is ArrayValue or type(b) is ArrayValue:
        env.budget.work_on((a, b), env.function)
    return binary(op, a, b)


def _logical(op: str, left: Expr, right: Expr, env: Environment) -> Value:
    """The right side may be meaningless where the left decides; where the left has no value yet, the
    right may decide: `time > 1 and i < n`."""
    decisive = op == "or"
    try:
        first = value_of(left, env)
    except NotConstant:
        if _is(decisive, right, env):
            return decisive
        raise
    if first is decisive:
        return decisive
    return binary(op, first, value_of(right, env))


def _is(wanted: bool, expr: Expr, env: Environment) -> bool:
    try:
        return value_of(expr, env) is wanted
    except CompileError:  # told where a run comes to it
        return False


def _if(expr: Expr, env: Environment) -> Value:
    condition, then, otherwise = expr.args
    return value_of(then if truth(value_of(condition, env)) else otherwise, env)


def truth(value: Value) -> bool:
    if not isinstance(value, bool):
        raise wrong_types("a condition must be a Boolean scalar")
    return value


# ---------------------------------------------------------------- calls


def _call(expr: Expr, env: Environment) -> Value:
    name = expr.data
    if isinstance(name, str):
        return _builtin(name, expr, env)
    return call_outputs(expr, env)[0]


def _builtin(name: str, expr: Expr, env: Environment) -> Value:
    if name in SCALAR:
        values = tuple([value_of(arg, env) for arg in expr.args])
        env.budget.work_on(values, env.function)
        return apply_scalar(name, values)
    if name in TRANSPARENT:
        return value_of(expr.args[TRANSPARENT[name]], env)
    if name in ("size", "ndims"):
        return _size(name, expr, env)
    if name in ARRAY:
        args = tuple([value_of(arg, env) for arg in expr.args])
        env.budget.work_on(args, env.function)
        result = apply_array(name, args)
        env.budget.work_on((result,), env.function)
        return result
    raise NotConstant((name,))


def _size(name: str, expr: Expr, env: Environment) -> Value:
    """Dimensions are known even where values are not."""
    subject = expr.args[0]
    try:
        value = value_of(subject, env)
    except NotConstant:
        if env.dims is None or env.frame is not None:
            raise
        dims = _dims(subject, env.dims, env)
        value = ArrayValue(dims, ()) if dims else 0.0
    return apply_array(name, (value, *(value_of(arg, env) for arg in expr.args[1:])))


def _dims(subject: Expr, dims: DimsLookup, env: Environment) -> tuple[int, ...]:
    """`size({v[1], v[2]}, 1)`, as left where a function was put in: constructors tell, too."""
    from freewheel.formula.shape import dims_of  # the two call each other

    return dims_of(subject, dims, env.functions, env.lookup)


def call_outputs(expr: Expr, env: Environment) -> tuple[Value, ...]:
    """All outputs of a call of a function of the model."""
    if env.calls is None or env.frame is not None or env.iterators:
        return _run(expr, env)
    known = env.calls.get(expr)
    if known is None:
        asked = times_asked()
        known = _run(expr, env)
        if times_asked() == asked:  # what the world outside says may change
            env.calls[expr] = known
    return known


def _run(expr: Expr, env: Environment) -> tuple[Value, ...]:
    from freewheel.formula.interpret import run_function  # the two call each other

    target = _resolved(expr.data, env)
    args = tuple([value_of(arg, env) for arg in expr.args])
    outputs = run_function(target, args, env)
    if not outputs:
        raise wrong_types(f"`{'.'.join(target.function)}` has no output to be used as a value")
    return outputs


def _output(expr: Expr, env: Environment) -> Value:
    call = expr.args[0]
    assert isinstance(call, Call), "only calls have outputs"
    outputs = call_outputs(call, env)
    if expr.data > len(outputs):
        raise wrong_types(f"`{'.'.join(call.data)}` has no output number {expr.data}")
    found: Value = outputs[expr.data - 1]
    return found


# ---------------------------------------------------------------- arrays and records


def _array(expr: Expr, env: Environment) -> Value:
    return stack([value_of(arg, env) for arg in expr.args])


def _range(expr: Expr, env: Environment) -> Value:
    first, step, last = (value_of(arg, env) for arg in expr.args)
    if isinstance(first, EnumValue) and isinstance(last, EnumValue):
        return _enum_range(first, last)
    if isinstance(first, bool) and isinstance(last, bool):
        values = [b for b in (False, True) if first <= b <= last]
        return ArrayValue((len(values),), tuple(values))
    if not all(type(part) in (int, float) for part in (first, step, last)):
        raise wrong_types("a range needs numbers")
    return number_range(first, step, last)


@lru_cache(maxsize=4, typed=True)  # each element of an array may ask for the range of its own value
def number_range(first: Any, step: Any, last: Any) -> ArrayValue:
    """`first:step:last` of plain numbers."""
    if step == 0:
        raise not_computable("a range has step 0")
    if all(type(part) is int for part in (first, step, last)):
        count = (last - first) // step + 1
    else:  # the last element may miss the end by rounding; Modelica 3.6, "Vector Construction"
        count = (
            int((last - first) / step * (1 + 1e-14) + 1e-14) + 1
            if (last - first) / step >= 0
            else 0
        )
        first, step = float(first), float(step)
    count = max(0, count)
    if count > MAX_ELEMENTS:
        raise too_large(f"a range of {count} elements")
    return ArrayValue((count,), tuple([first + i * step for i in range(count)]))


def _enum_range(first: EnumValue, last: EnumValue) -> ArrayValue:
    """Only the ends bring their identifiers; those between are known by number."""
    ends = {first.index: first, last.index: last}
    values = tuple(
        ends.get(i) or EnumValue(first.type_name, i) for i in range(first.index, last.index + 1)
    )
    return ArrayValue((len(values),), values)


def iteration_values(value: Value) -> tuple[Value, ...]:
    """What a loop over `value` runs through."""
    if not isinstance(value, ArrayValue):
        raise wrong_shape("a loop needs a vector to run over")
    return value.rows()


def _bodies(names: tuple[str, ...], expr: Expr, env: Environment) -> tuple[list[int], list[Value]]:
    """Values of the body, the last iterator slowest; and the lengths of the ranges."""
    ranges = [iteration_values(value_of(part, env)) for part in expr.args[1:]]
    env.budget.rounds -= prod(map(len, ranges))
    if env.budget.rounds < 0:
        raise too_large(f"what runs over {prod(map(len, ranges)):,} rounds")
    hidden = dict(env.iterators)
    values: list[Value] = []
    try:
        for combination in cartesian(*reversed(ranges)):
            env.iterators.update(zip(reversed(names), combination, strict=True))
            values.append(value_of(expr.args[0], env))
    finally:
        env.iterators.clear()
        env.iterators.update(hidden)
    return [len(part) for part in ranges], values


def _comprehension(expr: Expr, env: Environment) -> Value:
    lengths, values = _bodies(expr.data, expr, env)
    dims = tuple(reversed(lengths))
    if not values:
        return ArrayValue(dims, ())
    flat = stack(values)
    return ArrayValue(dims + flat.dims[1:], flat.elements)


def _reduction(expr: Expr, env: Environment) -> Value:
    op, names = expr.data
    values = _bodies(names, expr, env)[1]
    if not values:
        return {"sum": 0, "product": 1, "min": HUGE, "max": -HUGE}[op]
    if op in ("sum", "product"):
        total = values[0]
        for value in values[1:]:
            total = binary("+" if op == "sum" else "*", total, value)
        return total
    return apply_array(op, (stack(values),))


def _index(expr: Expr, env: Environment) -> Value:
    base = value_of(expr.args[0], env)
    if not isinstance(base, ArrayValue):
        raise wrong_shape("a subscript on a value that is not an array")
    found = select(base, [subscript(arg, env, base.dims, i) for i, arg in enumerate(expr.args[1:])])
    env.budget.work_on((found,), env.function)
    return found


def subscript(
    expr: Expr, env: Environment, dims: tuple[int, ...], axis: int
) -> int | tuple[int, ...] | None:
    """One evaluated subscript, as `values.select` wants it."""
    if isinstance(expr, Colon):
        return None
    value = value_of(expr, env)
    if isinstance(value, ArrayValue):
        return tuple(subscript_number(element) for element in value.elements)
    return subscript_number(value)


def subscript_number(value: Any) -> int:
    """Booleans and enumeration literals are subscripts too, counted from one."""
    if isinstance(value, bool):
        return 2 if value else 1
    if isinstance(value, EnumValue):
        return value.index
    if isinstance(value, int):
        return value
    raise wrong_types("a subscript must be an Integer, a Boolean or an enumeration value")


def _record(expr: Expr, env: Environment) -> Value:
    type_name, labels = expr.data
    values = [value_of(arg, env) for arg in expr.args]
    return RecordValue(type_name, tuple(zip(labels, values, strict=True)))


def _field(expr: Expr, env: Environment) -> Value:
    return field_of(value_of(expr.args[0], env), expr.data)


_PLAIN = frozenset((Real, Integer, Boolean, String))
_EVALUATE: dict[type, Callable[[Expr, Environment], Value]] = {
    Real: _plain,
    Integer: _plain,
    Boolean: _plain,
    String: _plain,
    Literal: _literal,
    Var: _var,
    Iterator: _iterator,
    Colon: _colon,
    FunctionRef: _function_ref,
    Unary: _unary,
    Binary: _binary,
    If: _if,
    Call: _call,
    Output: _output,
    PartialFunction: _partial,
    Array: _array,
    Range: _range,
    Comprehension: _comprehension,
    Reduction: _reduction,
    Index: _index,
    Record: _record,
    Field: _field,
}
