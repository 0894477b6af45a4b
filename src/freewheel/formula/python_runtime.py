"""What Python text made from formulas and functions calls at run time.

    eval(to_python(expr, name_code), NAMES, variables)

Scalars are Python numbers, arrays numpy arrays, records dictionaries, functions of the model
callables that return a tuple of outputs. `each_f` is `f` for arguments that may be arrays.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from freewheel.formula.builtin_values import (
    HUGE,
    SCALAR,
    apply_array,
    checked_dims,
)
from freewheel.formula.evaluate import MAX_STEPS, number_range
from freewheel.formula.external import EXTERNALS
from freewheel.formula.external_call import called, fitting
from freewheel.formula.external_lapack import LAPACK
from freewheel.formula.external_random import replay
from freewheel.formula.faults import assertion_failed, too_large, too_long, unknown_external
from freewheel.formula.values import ArrayValue, EnumValue, array_of

ALL = slice(None)
MAX_TEXT = 1_000_000  # characters of a String that a function assigns


def total(terms: Iterable[Any]) -> Any:
    """Terms of a long sum, from left to right; texts are joined."""
    return reduce(add, terms)


def power(base: float, exponent: float) -> float:
    """`math.pow`, but zero to a negative power is a division by zero as everywhere else."""
    if base == 0 and exponent < 0:
        raise ZeroDivisionError("0 to a negative power")
    return math.pow(base, exponent)


# ---------------------------------------------------------------- arrays


def array(parts: Sequence[Any]) -> Any:
    """Numbers become numpy numbers; records and texts stay objects."""
    if parts and isinstance(parts[0], dict | str):
        boxed = np.empty(len(parts), dtype=object)
        boxed[:] = parts
        return boxed
    return np.array(parts)


def times(left: Any, right: Any) -> Any:
    """`*`: of two arrays the matrix product."""
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        checked_dims((*left.shape[:-1], *right.shape[1:]))
        return left @ right
    return left * right


def matrix_power(base: Any, exponent: Any) -> Any:
    if isinstance(base, np.ndarray):
        return np.linalg.matrix_power(base.astype(float), int(exponent))
    return power(base, exponent)


def interval(first: Any, step: Any, last: Any) -> Any:
    elements = number_range(first, step, last).elements
    return np.array(elements) if elements else np.zeros(0, dtype=type(first))


def item(base: Any, *subscripts: Any) -> Any:
    """`base[subscripts]`; several vectors of subscripts pick every combination."""
    chosen = [_position(part, axis, base) for axis, part in enumerate(subscripts)]
    for axis in range(len(chosen) - 1, -1, -1):
        if isinstance(chosen[axis], np.ndarray):
            base = np.take(base, chosen[axis], axis=axis)
            chosen[axis] = ALL
    return base[tuple(chosen)]


def _position(subscript: Any, axis: int, base: Any) -> Any:
    """From zero on. A negative one would count from the end."""
    if isinstance(subscript, slice):
        return subscript
    if isinstance(subscript, np.ndarray):
        position: Any = subscript.astype(int) - (0 if subscript.dtype == bool else 1)
        smallest = position.min(initial=0)
    elif isinstance(subscript, bool | np.bool_):
        return int(subscript)
    else:
        smallest = position = int(subscript) - 1
    if smallest < 0:
        size = base.shape[axis]
        raise IndexError(f"index {smallest} is out of bounds for axis {axis} with size {size}")
    return position


def put(base: Any, value: Any, *subscripts: Any) -> None:
    """`base[subscripts] := value`."""
    chosen = [_position(part, axis, base) for axis, part in enumerate(subscripts)]
    if any(isinstance(part, np.ndarray) for part in chosen):
        sizes = zip(chosen, base.shape, strict=False)
        rows = [np.atleast_1d(np.arange(n)[part]) for part, n in sizes]
        base[np.ix_(*rows)] = np.reshape(value, [len(row) for row in rows])
    else:
        base[tuple(chosen)] = value


def field(base: Any, name: str) -> Any:
    if isinstance(base, np.ndarray):
        return array([field(element, name) for element in base])
    return base[name]


def lifted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Element by element where an argument is an array."""

    def each(*args: Any) -> Any:
        if any(isinstance(arg, np.ndarray) for arg in args):
            rows = np.broadcast(*args)
            values = [function(*map(_plain, row)) for row in rows]
            return np.array(values).reshape(rows.shape)
        return function(*args)

    return each


def _plain(part: Any) -> Any:
    return part.item() if isinstance(part, np.generic | np.ndarray) else part


def _by_values(name: str) -> Callable[..., Any]:
    """An array function of the language, by way of its definition on values."""

    def apply(*args: Any) -> Any:
        result = apply_array(name, tuple(_value(arg) for arg in args))
        return _numpy(result) if isinstance(result, ArrayValue) else result

    return apply


def _value(arg: Any) -> Any:
    if isinstance(arg, np.ndarray):
        return ArrayValue(arg.shape, tuple(arg.ravel().tolist()))
    return array_of(arg)


def _numpy(value: ArrayValue) -> Any:
    flat = np.array(value.elements) if value.elements else np.zeros(0)
    return flat.reshape(value.dims)


def size(value: Any, *axis: Any) -> Any:
    shape = value.shape if isinstance(value, np.ndarray) else ()
    return shape[int(axis[0]) - 1] if axis else np.array(shape, dtype=int)


def _extreme(choose: Callable[..., Any], empty: float) -> Callable[..., Any]:
    """`min` or `max` of an array or a list."""

    def extreme(values: Any) -> Any:
        flat = values.ravel().tolist() if isinstance(values, np.ndarray) else values
        return choose(flat) if len(flat) else empty

    return extreme


def sum_of(values: Sequence[Any]) -> Any:
    return total(values) if len(values) else 0


def product_of(values: Sequence[Any]) -> Any:
    result: Any = 1
    for value in values:
        result = times(result, value)
    return result


def bound(function: Callable[..., Any], values: dict[str, Any]) -> Callable[..., Any]:
    """A function with some inputs fixed by name; `function.inputs` lists their names."""
    names: tuple[str, ...] = getattr(function, "inputs", ())

    def call(*args: Any) -> Any:
        rest = iter(args)
        return function(*(values[name] if name in values else next(rest) for name in names))

    call.inputs = tuple(name for name in names if name not in values)  # type: ignore[attr-defined]
    return call


def steps(first: Any, step: Any, last: Any) -> Iterable[Any]:
    """The values of a loop over a range."""
    if type(first) is int and type(step) is int and type(last) is int:
        return range(first, last + (1 if step > 0 else -1), step)
    return number_range(first, step, last).elements


def turns(function: str) -> Iterator[int]:
    """Counts the turns of a while-loop: one that does not end is stopped."""
    yield from range(MAX_STEPS)
    raise too_long(tuple(function.split(".")), MAX_STEPS)


def bounded(text: str) -> str:
    """Texts that double in a loop end here: copying gigabytes is one step that nothing interrupts."""
    if len(text) > MAX_TEXT:
        raise too_large("a String")
    return text


def blank(dims: tuple[Any, ...], make: Callable[[], Any]) -> Any:
    """A scalar, or an array of them, to be filled by assignments."""
    if not dims:
        return make()
    shape = checked_dims(tuple(int(size) for size in dims))
    sample = make()
    if isinstance(sample, int | float):
        return np.full(shape, sample)
    boxed = np.empty(shape, dtype=object)
    for at in np.ndindex(*shape):
        boxed[at] = make()
    return boxed


def fresh(value: Any) -> Any:
    """A copy of what could be changed later through another name."""
    if isinstance(value, np.ndarray):
        return value.copy() if value.dtype != object else copy.deepcopy(value)
    return copy.deepcopy(value) if isinstance(value, dict) else value


def real_array(value: Any) -> Any:
    """A copy that can hold any number."""
    return np.array(value, dtype=float)


def set_field(base: Any, name: str, value: Any) -> None:
    if isinstance(base, np.ndarray):
        for record, part in zip(base.ravel(), np.reshape(value, (base.size, -1)), strict=True):
            record[name] = part if np.ndim(value) > base.ndim else part[0]
    else:
        base[name] = fresh(value)


def fail(function: str, message: str) -> None:
    raise assertion_failed(tuple(function.split(".")), message)


def external(function: str, name: str, kinds: str, *args: Any) -> tuple[Any, ...]:
    """A C function by its name, implemented in `formula.external`."""
    implementation = EXTERNALS.get(name)
    full_name = tuple(function.split("."))
    if implementation is None:
        raise unknown_external(full_name, name)
    values = [_value(a) if isinstance(a, np.ndarray) else a for a in args]
    result = called(full_name, name, implementation, values)
    return tuple(_from_value(part) for part in fitting(full_name, name, kinds, result))


def lapack(function: str, name: str, *args: Any) -> dict[int, Any]:
    """A FORTRAN routine by its name; its changed arguments by position."""
    routine = LAPACK.get(name)
    if routine is None:
        raise unknown_external(tuple(function.split(".")), name)
    changes: dict[int, Any] = called(tuple(function.split(".")), name, routine, (list(args),))
    return changes


def _from_value(value: Any) -> Any:
    if isinstance(value, EnumValue):
        return value.index
    return _numpy(value) if isinstance(value, ArrayValue) else value


_SCALARS: dict[str, Callable[..., Any]] = {
    **SCALAR,
    "power": power,
}
_ARRAYS = (
    *("ndims", "scalar", "vector", "matrix", "identity", "diagonal", "zeros", "ones", "fill"),
    *("linspace", "product", "transpose", "outerProduct", "symmetric", "cross", "skew", "cat"),
    "promote",
)

# Globals for the text.
NAMES: dict[str, Any] = {
    "ALL": ALL,
    "total": total,
    "array": array,
    "matrix_power": matrix_power,
    "interval": interval,
    "item": item,
    "put": put,
    "field": field,
    "bound": bound,
    "size": size,
    "turns": turns,
    "bounded": bounded,
    "sum_of": sum_of,
    "product_of": product_of,
    "min_of": _extreme(min, HUGE),
    "max_of": _extreme(max, -HUGE),
    "min": min,
    "max": max,
    "times": times,
    "steps": steps,
    "blank": blank,
    "fresh": fresh,
    "real_array": real_array,
    "set_field": set_field,
    "fail": fail,
    "external": external,
    "replay": replay,
    "lapack": lapack,
    "sum": lambda values: sum_of(values.ravel().tolist()),
}
NAMES.update({name: _by_values(name) for name in _ARRAYS})
NAMES.update(_SCALARS)
NAMES.update({f"each_{name}": lifted(function) for name, function in _SCALARS.items()})
