"""From what a caller asks for to the settings of a run.

In: a `Model` and a `Request`. Out: a `Result`.

A plain number for a parameter is data: it is written into the compiled model. Anything else (text
of an expression, an array, a structural parameter, a start value, an input's expression of time)
becomes a modifier, and the model is compiled with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from freewheel.syntax.parser import parse_expression

if TYPE_CHECKING:
    from freewheel.api.model import Model, Place, Value
    from freewheel.result.store import Result
    from freewheel.runtime.model import CompiledModel

ATTRIBUTES = ("start", "fixed", "min", "max", "nominal")  # `x.start=2` modifies `x`


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments of `Model.simulate`; `None` means: as the model says."""

    start: float | None = None
    stop: float | None = None
    tol: float | None = None
    interval: float | None = None
    solver: str = "auto"
    params: Mapping[str, Value] = field(default_factory=dict)
    inputs: Mapping[str, Value] = field(default_factory=dict)
    input_file: Place | None = None
    input_hold: str = "linear"


def run(model: Model, request: Request, progress: Callable[[float], None] | None) -> Result:
    """Compile as the request needs and simulate."""
    from freewheel.runtime.inputs import read_inputs
    from freewheel.runtime.settings import Settings
    from freewheel.runtime.simulate import simulate

    driven = model.changed({name: as_modelica(name, v) for name, v in request.inputs.items()})
    numbers, texts = split_parameters(driven.compiled(), request.params)
    ready = driven.changed(texts).compiled()
    file, held = request.input_file, request.input_hold == "held"
    settings = Settings.of(
        ready,
        start=request.start,
        stop=request.stop,
        tolerance=request.tol,
        interval=request.interval,
        solver=request.solver,
        parameters=numbers,
        inputs=read_inputs(Path(file), held) if file is not None else {},
    )
    return simulate(ready, settings, progress)


def split_parameters(
    model: CompiledModel, params: Mapping[str, Value]
) -> tuple[dict[str, float], dict[str, str]]:
    """Numbers that the compiled model takes as data, and texts that it must be compiled with.

    A name the model does not know goes with the numbers: the runtime says what is near it.
    """
    known = {variable.name for variable in model.variables}
    numbers: dict[str, float] = {}
    texts: dict[str, str] = {}
    for name, value in params.items():
        number = as_number(value)
        if number is not None and (name in model.parameter_slots or not _is_known(name, known)):
            numbers[name] = number
        else:
            texts[name] = as_modelica(name, value)
    return numbers, texts


def as_number(value: Value) -> float | None:
    """`"1e3"` and `true` as numbers; None for text that is not one."""
    if isinstance(value, int | float):
        return float(value)
    if value in ("true", "false"):
        return float(value == "true")
    try:
        return float(value)
    except ValueError:
        return None


def as_modelica(name: str, value: Value) -> str:
    """The value as Modelica text; text must be one expression already."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return repr(value)
    parse_expression(value, f"<value of {name}>")  # only to say here what is wrong with it
    return value


def _is_known(name: str, known: set[str]) -> bool:
    base, _, last = name.rpartition(".")
    return name in known or (last in ATTRIBUTES and base in known)
