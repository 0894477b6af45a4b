"""Which values of parameters are data of a compiled model, and which are compiled in.

A plain number for a parameter is data: it is written into the compiled model. Anything else (text
of an expression, an array, a structural parameter, a start value) becomes a modifier, and the model is
compiled with it; so does a number with which the model is solved in another form.

    model, numbers = with_parameters(model, {"R1.R": 50, "mode": "fast", "k": "{1, 2}", "x.start": "2*pi"})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite, prod
from typing import TYPE_CHECKING, Any

from freewheel.api.parameter_values import check_value, not_a_parameter
from freewheel.base.access import RefusedError
from freewheel.base.names import show

if TYPE_CHECKING:
    from freewheel.api.model import Model, Value
    from freewheel.flat.nodes import Variable
    from freewheel.runtime.model import CompiledModel, Vector

ATTRIBUTES = ("start", "fixed", "min", "max", "nominal")  # `x.start=2` modifies `x`


def with_parameters(model: Model, params: Mapping[str, Value]) -> tuple[Model, Mapping[str, float]]:
    """The model compiled with what must be, and the numbers that it takes as data.

    Numbers with which the model is solved in another form are compiled in. That form may ask for more:
    other parameters have become divisors, or part of a value that was put in."""
    if not params:
        return model, {}
    plain = _plain(model, params)
    if plain is not None:
        return model, plain
    variables = model.variables_by_name
    for name, value in params.items():
        parts = [other for other in variables if other.startswith(f"{name}.")]
        check_value(name, value, _variable(name, variables), parts)
    first = model
    compiled_in = [n for n, v in params.items() if _is_modifier(n, v, variables)]
    while True:
        texts = {n: as_modelica(n, params[n], _variable(n, variables)) for n in compiled_in}
        model = first.changed(texts)
        variables = model.variables_by_name  # sizes and branches may be others now
        data = {n: v for n, v in params.items() if n not in compiled_in}
        _require_parameters(data, variables)
        more = [n for n in data if (v := _variable(n, variables)) is None or v.is_structural]
        if not more:
            numbers = _as_data(data, model.compiled(), variables)
            more = [n for n in data if n not in numbers]
        if not more:
            break
        compiled_in += more
    changed = model
    settled: dict[str, float] = {}
    while True:
        ready = changed.compiled()
        rest = {name: number for name, number in numbers.items() if name not in settled}
        more = [n for n in rest if n not in ready.parameter_slots] or _decisive(rest, ready)
        if not more:
            return changed, rest
        settled.update({name: numbers[name] for name in more})
        changed = model.with_numbers(settled)


def _plain(model: Model, params: Mapping[str, Value]) -> Mapping[str, float] | None:
    """The short way of a thousand runs: numbers for parameters of a model that is compiled and takes them as
    data, and keeps its form with them. None: the long way finds out."""
    known = model.plain_parameters
    numbers: dict[str, float] = {}
    for name, x in params.items():
        is_number = not isinstance(x, str | bool) and isfinite(x)
        if name not in known or not is_number:
            return None
        numbers[name] = float(x)
    return None if _changes_structure(numbers, model.compiled()) else numbers


def plain_parameters(model: Model) -> frozenset[str]:
    """Of a compiled model: single numbers that are data, whatever they are."""
    from freewheel.flat.nodes import Variability
    from freewheel.formula.types import REAL

    slots = model.compiled().parameter_slots
    return frozenset(
        name
        for name, v in model.variables_by_name.items()
        if name in slots and v.variability is Variability.PARAMETER and v.type == REAL
        if not (v.dims or v.is_structural or v.is_final)
    )


def _variable(name: str, variables: Mapping[str, Variable]) -> Variable | None:
    """The variable of that name, or the element of an array: `k[2]` of `parameter Real k[3]`."""
    if name in variables:
        return variables[name]
    base, _, rest = name.rpartition("[")
    variable = variables.get(base)
    index = [part.strip() for part in rest.removesuffix("]").split(",")]
    if variable is None or len(index) != len(variable.dims):
        return None
    is_there = all(
        at.isdecimal() and 1 <= int(at) <= size
        for at, size in zip(index, variable.dims, strict=True)
    )
    return replace(variable, dims=()) if is_there else None


def _is_modifier(name: str, value: Value, variables: Mapping[str, Variable]) -> bool:
    """What is never data, as plain variables tell: the model need not be compiled without it first."""
    variable = _variable(name, variables)
    if not _can_be_modified(name, variables) or (variable and variable.is_final):
        return False  # perhaps it can with the others
    number = as_number(value, variable)
    if variable is None or number is None:
        return True
    return variable.is_structural or bool(variable.dims) or not _fits(number, variable)


def _require_parameters(params: Mapping[str, Value], variables: Mapping[str, Variable]) -> None:
    """A name that is none of the model is a wrong call."""
    for name in params:
        variable = _variable(name, variables)
        if not _can_be_modified(name, variables) or (variable and variable.is_final):
            raise not_a_parameter(name, variables)


def _as_data(
    params: Mapping[str, Value], ready: CompiledModel, variables: Mapping[str, Variable]
) -> dict[str, float]:
    """Those that are written into the compiled model."""
    numbers: dict[str, float] = {}
    for name, value in params.items():
        variable = _variable(name, variables)
        number = as_number(value, variable)
        if name in ready.parameter_slots and number is not None and _fits(number, variable):
            numbers[name] = number
    return numbers


def as_number(value: Value, variable: Variable | None = None) -> float | None:
    """`"1e3"`, `true` and a literal of the variable's enumeration as numbers, else None."""
    from freewheel.formula.types import EnumType

    if isinstance(value, int | float):
        return float(value)
    if value in ("true", "false"):
        return float(value == "true")
    if variable is not None and isinstance(variable.type, EnumType):
        literal = value.rpartition(".")[2]
        if literal in variable.type.literals:
            return float(variable.type.literals.index(literal) + 1)
    try:
        return float(value)
    except ValueError:
        return None


def as_modelica(name: str, value: Value, variable: Variable | None = None) -> str:
    """The value as Modelica text. Text must be one expression, the bare content of a String, or a
    literal of the variable's enumeration."""
    from freewheel.formula.types import BOOLEAN, STRING, EnumType
    from freewheel.syntax.parser import parse_expression

    number = None if variable is None or variable.dims else as_number(value, variable)
    if variable is not None and number is not None:
        if isinstance(variable.type, EnumType):
            return f"{show(variable.type.name)}.{variable.type.literals[int(number) - 1]}"
        if variable.type == BOOLEAN:
            return "true" if number else "false"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    if variable is not None and variable.type == STRING and '"' not in value:
        return f'"{value}"'
    parse_expression(value, f"<value of {name}>")  # only to say here what is wrong with it
    return value


def _fits(number: float, variable: Variable | None) -> bool:
    """A fraction for an Integer is left to the compiler, which says what is wrong."""
    from freewheel.formula.types import INTEGER

    return variable is None or variable.type != INTEGER or number.is_integer()


def _decisive(numbers: Mapping[str, float], ready: CompiledModel) -> list[str]:
    """Parameters with which the model has another structure: `Ron = 0` makes a diode ideal, and nothing
    can be divided by `R = 0`."""
    if not _changes_structure(numbers, ready):
        return []
    alone = [name for name in numbers if _changes_structure({name: numbers[name]}, ready)]
    return alone or list(numbers)


def _changes_structure(numbers: Mapping[str, float], ready: CompiledModel) -> bool:
    if not numbers or not (ready.decisive or ready.pivots):
        return False
    from freewheel.runtime.model import once

    try:
        status, memory = _with_numbers(ready, numbers)
        if status != 0:
            return False  # the run itself will say why
        status_before, zeros_before = once(_zero_pivots, ready)
    except RefusedError:  # a parameter that only a run may compute
        return False
    if any((memory.item(slot) == 0.0) != was_zero for slot, was_zero in ready.decisive):
        return True
    return status_before != 0 or zeros_before != _zeros_of(ready, memory)


def _zero_pivots(ready: CompiledModel) -> tuple[int, tuple[bytes, list[bool]]]:
    """Of the model as it was compiled."""
    status, memory = _with_numbers(ready, {})
    return status, _zeros_of(ready, memory)


def _zeros_of(ready: CompiledModel, memory: Vector) -> tuple[bytes, list[bool]]:
    """Which pivots are zero: those that are one parameter, and the others."""
    from freewheel.runtime.model import once

    single, others = once(_pivots, ready)
    return (memory[single] == 0.0).tobytes(), [_sum(pivot, memory) == 0.0 for pivot in others]


def _pivots(ready: CompiledModel) -> tuple[Any, tuple[Pivot, ...]]:
    """Slots of those that are one parameter but for a factor, each once; the others."""
    from freewheel.runtime.model import slots_of

    plain = [p for p in ready.pivots if len(p) == 1 and p[0][0] != 0.0 and len(p[0][1]) == 1]
    slots = dict.fromkeys(pivot[0][1][0] for pivot in plain)
    return slots_of(slots), tuple(pivot for pivot in ready.pivots if pivot not in plain)


def _with_numbers(ready: CompiledModel, numbers: Mapping[str, float]) -> tuple[int, Vector]:
    """What the section of parameters makes of them."""
    from freewheel.runtime.own_code import own_code

    memory = ready.start.copy()
    for name, number in numbers.items():
        memory[ready.parameter_slots[name]] = number
    with own_code(ready) as own:
        return own.sections["parameters"](memory), memory


Pivot = Sequence[tuple[float, Sequence[int]]]


def _sum(pivot: Pivot, memory: Vector) -> float:
    return sum(factor * prod([memory.item(slot) for slot in slots]) for factor, slots in pivot)


def _can_be_modified(name: str, variables: Mapping[str, Variable]) -> bool:
    """A parameter, a record or array of them, or an attribute of any variable."""
    from freewheel.flat.nodes import Variability

    base, _, last = name.rpartition(".")
    if last in ATTRIBUTES and base in variables:
        return True
    variable = _variable(name, variables)
    if variable is not None:
        return variable.variability is Variability.PARAMETER
    return any(other.startswith((f"{name}.", f"{name}[")) for other in variables)
