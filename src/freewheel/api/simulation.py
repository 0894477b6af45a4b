"""From what a caller asks for to the settings of a run.

In: a `Model` and a `Request`. Out: a `Result`.

    run(model, request_of(stop=0.1, params={"R1.R": 50}, inputs={"u": "sin(time)"}), None)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from freewheel.api import arguments
from freewheel.api.arguments import parameter
from freewheel.api.compiled_parameters import as_modelica, as_number, with_parameters
from freewheel.api.input_data import merged, split
from freewheel.api.parameter_values import telling_values, unknown
from freewheel.base.access import granting, looking, running
from freewheel.base.diagnostics import (
    CompileError,
    Diagnostic,
    Severity,
    SimulationError,
    UsageError,
)
from freewheel.base.names import show
from freewheel.base.replaced import replaced

if TYPE_CHECKING:
    from freewheel.api.model import Model, Place, Value
    from freewheel.api.other_starts import OtherStarts
    from freewheel.result.store import Result
    from freewheel.runtime.inputs import InputSignal
    from freewheel.runtime.model import CompiledModel
    from freewheel.runtime.settings import Settings

HOLDS = ("linear", "held")  # between the points of an input
ASSUMED_START = "E020"
WITHOUT_VALUE = "E005"
UNDETERMINED = "R129"  # a run has met a loop that leaves unknowns open
# the step size falls to nothing, discrete equations do not settle, relations chatter, too many events
UNSETTLED = ("R003", "R006", "R007", "R011")
# equations are singular, initial conditions too few or in conflict, division by zero, a singular loop
SINGULAR = ("E003", "E010", "E038", "R122", "R123", "R125", "R150")


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments of `Model.simulate`; `None` means: as the model says."""

    start: float | None = None
    stop: float | None = None
    tol: float | None = None
    interval: float | None = None
    solver: str = "auto"
    quanta: Sequence[str] = ()
    params: Mapping[str, Value] = field(default_factory=dict)
    inputs: Any = field(default_factory=dict)  # see `api/input_data.py`
    input_file: Place | None = None
    input_hold: str = "linear"
    event_log: bool = False
    root_solver: str | None = None
    event_detection: str | None = None
    step_control: str | None = None
    max_events: int | None = None
    impulses: str | None = None
    bounds: str | None = None
    max_steps: int | None = None
    store: Sequence[str] = ()
    wanted: Sequence[str] = ()  # what will be asked of the result: looked for before the run
    allow: Collection[str] = ()


def request_of(
    *,
    params: Any = None,
    inputs: Any = None,
    input_file: Place | None = None,
    **chosen: Any,
) -> Request:
    """The arguments of `Model.simulate`, checked."""
    return replaced(
        _others(chosen),
        params=arguments.mapping("params", params),
        inputs={} if inputs is None else inputs,
        input_file=input_file,
    )


_SIMPLE = frozenset({type(None), bool, int, float, str, tuple})


def _others(chosen: Mapping[str, Any]) -> Request:
    if _SIMPLE.issuperset(map(type, chosen.values())):
        try:
            return _checked_once(tuple(chosen), *chosen.values())
        except TypeError:  # perhaps a tuple of lists, which `_checked` tells
            pass
    return _checked(**chosen)


@lru_cache(maxsize=64, typed=True)
def _checked_once(names: tuple[str, ...], *values: Any) -> Request:
    """Of a thousand runs with other parameters."""
    return _checked(**dict(zip(names, values, strict=True)))


def _checked(
    *,
    start: Any = None,
    stop: Any = None,
    tol: Any = None,
    interval: Any = None,
    solver: Any = "auto",
    quantum: Any = (),
    input_hold: Any = "linear",
    event_log: Any = False,
    root_solver: Any = None,
    event_detection: Any = None,
    step_control: Any = None,
    max_events: Any = None,
    impulses: Any = None,
    bounds: Any = None,
    max_steps: Any = None,
    store: Any = (),
    wanted: Any = (),
    allow: Collection[str] = (),
) -> Request:
    return Request(
        start=arguments.number("start", start),
        stop=arguments.number("stop", stop),
        tol=arguments.number("tol", tol),
        interval=arguments.number("interval", interval),
        solver=arguments.text("solver", solver),
        quanta=arguments.names("quantum", quantum),
        input_hold=arguments.one_of("input_hold", input_hold, HOLDS),
        event_log=arguments.truth("event_log", event_log),
        root_solver=arguments.text("root_solver", root_solver),
        event_detection=arguments.text("event_detection", event_detection),
        step_control=arguments.text("step_control", step_control),
        max_events=arguments.whole_number("max_events", max_events),
        impulses=arguments.text("impulses", impulses),
        bounds=arguments.text("bounds", bounds),
        max_steps=arguments.whole_number("max_steps", max_steps),
        store=arguments.names("store", store),
        wanted=arguments.names("wanted", wanted),
        allow=allow,
    )


def run(model: Model, request: Request, progress: Callable[[float], None] | None) -> Result:
    """Compile as the request needs and simulate."""
    from freewheel.runtime.integrators.registry import begin_kernels

    if model.backend == "llvm":
        begin_kernels()
    texts, signals = inputs_of(request)
    params = params_of(request)
    with (
        granting(request.allow),
        looking(model.library.readable),
        telling_zeros(params),
        telling_values(),
    ):
        driven = model.changed(input_changes(model, texts))
        changed, numbers = with_parameters(driven, params)
        return _run(changed, numbers, request, signals, progress)


def inputs_of(request: Request) -> tuple[Mapping[str, Value], Mapping[str, InputSignal]]:
    """Expressions of time, and signals by data."""
    if isinstance(request.inputs, dict) and not request.inputs and request.input_file is None:
        return {}, {}
    texts, signals = split(request.inputs, request.input_hold == "held")
    return texts, merged(_read_signals(request), signals)


def params_of(request: Request) -> dict[str, Value]:
    return {name: parameter(name, value) for name, value in request.params.items()}


def with_remarks(result: Result, model: Model, numbers: Mapping[str, float]) -> Result:
    """What the compiler has to say."""
    model.keep()
    result.translation = dict(model.upto("backend").seconds)
    result.remarks = _remarks(model, numbers)
    if any(warning.code == UNDETERMINED for warning in result.said):
        causes = [replace(d, severity=Severity.WARNING) for d in _causes(model, numbers)]
        result.warnings = (*causes, *result.warnings)
    return result


def _run(
    model: Model,
    numbers: Mapping[str, float],
    request: Request,
    signals: Mapping[str, InputSignal],
    progress: Callable[[float], None] | None,
) -> Result:
    changed = fed(model, signals)
    ready = changed.compiled()
    require_names(ready, (*request.store, *request.wanted))
    try:
        result = _simulated(model, ready, request, numbers, signals, progress)
    except SimulationError as failure:
        if not may_be_leaks(failure, ready, request):
            other = with_other_starts(failure, changed, request, numbers, signals)
            if other is None:
                raise with_causes(failure, changed, numbers) from None
            try:
                result = _simulated(
                    model, other.model.compiled(), request, numbers, signals, progress
                )
            except SimulationError as second:
                raise with_causes(other.told(second), changed, numbers) from None
            return with_remarks(result, other.model, numbers)
        joint = changed.with_joint_leaks()
        if not joint.compiled().core.is_there:
            raise with_causes(failure, changed, numbers) from None
        changed = joint
        try:
            result = _simulated(model, joint.compiled(), request, numbers, signals, progress)
        except SimulationError as second:
            raise with_causes(second, changed, numbers) from None
        result.warnings = (told_joint(failure), *result.warnings)
    return with_remarks(result, changed, numbers)


def with_causes(
    failure: SimulationError, model: Model, numbers: Mapping[str, float]
) -> SimulationError:
    """Equations may be singular only with these numbers: a missing ground has its name there, too. What
    fails inside a class of a library is told with the component of the user."""
    from freewheel.flat.whose_component import with_components

    if any(d.labels for d in failure.diagnostics):
        instance = model.upto("instance").instance
        failure.diagnostics = with_components(failure.diagnostics, instance)
    warnings = () if failure.result is None else failure.result.warnings
    if failure.diagnostics[0].code in SINGULAR or any(w.code == UNDETERMINED for w in warnings):
        failure.diagnostics = (*_causes(model, numbers), *failure.diagnostics)
    return failure


def _causes(model: Model, numbers: Mapping[str, float]) -> list[Diagnostic]:
    """Mistakes of networks that have a name."""
    from freewheel.flat.open_inputs import component_inputs, component_places
    from freewheel.structure.diagnosis.explain import Context, faults_of_network

    try:
        made = model.upto("flat")
    except CompileError:
        return []
    inputs, places = component_inputs(made.instance, made.flat), component_places(made.instance)
    known = {**model.numbers, **numbers}
    return faults_of_network(made.flat, Context(inputs, places, known))


def _remarks(model: Model, numbers: Mapping[str, float]) -> tuple[Diagnostic, ...]:
    """What the compiler says of the model with these numbers. A zero may take a state away, and its start
    value is no initial condition then; a parameter without a value may have got one."""
    remarks = model.remarks()
    codes = {remark.code for remark in remarks}
    zeros = {name: number for name, number in numbers.items() if number == 0.0}
    decisive = numbers if WITHOUT_VALUE in codes else zeros if ASSUMED_START in codes else {}
    if not decisive:
        return remarks
    try:
        return model.with_numbers(decisive).remarks()
    except CompileError:
        return remarks  # as data the zeros do no harm


@contextmanager
def telling_zeros(params: Mapping[str, Value]) -> Iterator[None]:
    """A model that has no solution with zeros given for this run: these are named."""
    try:
        yield
    except (CompileError, SimulationError) as failure:
        first, *others = failure.diagnostics
        zeros = [f"`{name}`" for name, value in params.items() if as_number(value) == 0.0]
        zeros = [name for name in zeros if name not in first.help]
        if not zeros or first.code not in SINGULAR:
            raise
        note = f"{', '.join(zeros)} {'is' if len(zeros) == 1 else 'are'} zero in this run"
        told = replace(first, help=f"{note}, so the terms that it multiplies vanish; {first.help}")
        failure.diagnostics = (told, *others)
        raise


def require_names(ready: CompiledModel, names: Sequence[str]) -> None:
    """What will be stored or drawn is there."""
    from freewheel.result.select import Selection, unknown_name

    if not names:
        return
    known = [v.name for v in ready.variables]
    selection = Selection(known)
    texts = {text.name for text in ready.texts}
    for name in names:
        if name in texts:
            raise UsageError(
                Diagnostic("U030", f"`{name}` is a String, not a curve", help="name a variable")
            )
        if name != "time" and not selection.of(name):
            raise UsageError(unknown_name(name, known, "the model"))


def _read_signals(request: Request) -> Mapping[str, InputSignal]:
    """What an input file says."""
    from freewheel.runtime.inputs import read_inputs

    if request.input_file is None:
        return {}
    return read_inputs(Path(request.input_file), held=request.input_hold == "held")


def fed(model: Model, signals: Mapping[str, InputSignal]) -> Model:
    """Data come before the binding of an input."""
    known = {info.name for info in model.compiled().inputs} if signals else set()
    return model.fed_with([name for name in signals if name not in known])


def may_be_leaks(failure: SimulationError, ready: CompiledModel, request: Request) -> bool:
    """Whether positions found one by one may be the reason, and all together the cure."""
    told = failure.diagnostics[0].code
    return told in UNSETTLED and not ready.core.is_there and request.solver == "auto"


def with_other_starts(
    failure: SimulationError,
    model: Model,
    request: Request,
    numbers: Mapping[str, float],
    signals: Mapping[str, InputSignal],
) -> OtherStarts | None:
    """Where start values that were assumed may be the reason."""
    remarks = model.remarks()
    if model.assumed or all(remark.code != ASSUMED_START for remark in remarks):
        return None
    from freewheel.api.other_starts import other_starts

    ready = model.compiled()
    return other_starts(failure, model, settings_of(ready, request, numbers, signals))


def told_joint(failure: SimulationError) -> Diagnostic:
    return Diagnostic(
        "R106",
        "the positions of leaky elements are chosen together; one by one this failed: "
        f"{failure.diagnostics[0].message}",
        help="no action is needed; elements with smaller leaks, or none, are chosen together from the start",
        severity=Severity.NOTE,
    )


def _simulated(
    model: Model,
    ready: CompiledModel,
    request: Request,
    numbers: Mapping[str, float],
    signals: Mapping[str, InputSignal],
    progress: Callable[[float], None] | None,
) -> Result:
    from freewheel.runtime.simulate import simulate

    settings = settings_of(ready, request, numbers, signals)
    with running(model.library.readable):
        return simulate(ready, settings, progress)


def settings_of(
    ready: CompiledModel,
    request: Request,
    numbers: Mapping[str, float],
    signals: Mapping[str, InputSignal],
) -> Settings:
    from freewheel.runtime.model import once

    known = once(_known_settings, ready)
    settings = known.get(key := _chosen(request))
    if settings is None:
        if len(known) >= MOST_KNOWN:
            known.clear()
        settings = known[key] = _settings_of(ready, request)
    return replaced(settings, parameters=numbers, inputs=signals)


MOST_KNOWN = 64
_OF_A_RUN = ("params", "inputs", "input_file", "input_hold", "allow")
_chosen = attrgetter(*(f.name for f in fields(Request) if f.name not in _OF_A_RUN))


def _known_settings(ready: CompiledModel) -> dict[Any, Settings]:
    """Without parameters and inputs, by what was asked for."""
    return {}


def _settings_of(ready: CompiledModel, request: Request) -> Settings:
    from freewheel.runtime.qss.quanta import read_quantum
    from freewheel.runtime.settings import Settings

    return Settings.of(
        ready,
        start=request.start,
        stop=request.stop,
        tolerance=request.tol,
        interval=request.interval,
        solver=request.solver,
        quanta=dict(map(read_quantum, request.quanta)),
        event_log=request.event_log,
        root_solver=request.root_solver,
        event_detection=request.event_detection,
        step_control=request.step_control,
        chatter_events=request.max_events,
        impulses=request.impulses,
        bounds=request.bounds,
        max_steps=request.max_steps,
        store=(*request.store, *request.wanted) if request.store else None,
    )


def input_changes(model: Model, inputs: Mapping[str, Value]) -> dict[str, str]:
    """The expressions that drive inputs; a name that is none is a wrong call."""
    if not inputs:
        return {}
    known = _inputs(model)
    if not set(known).issuperset(inputs):
        known = _inputs(model.fed_with(inputs))
    for name in inputs:
        if name not in known:
            raise unknown("U026", "input", name, known)
    return {name: as_modelica(name, value) for name, value in inputs.items()}


def _inputs(model: Model) -> list[str]:
    from freewheel.flat.nodes import Causality

    variables = model.flatten().variables
    return [show(v.name) for v in variables if v.causality is Causality.INPUT]
