"""`Run`: a simulation that can be stopped on its way, saved, and restored in another process.

    with model.begin(stop=10) as run:
        run.advance(to=4)
        image = run.save()                # bytes; or `run.save("half.run")`

    run = Run.restore(model, image)       # there, or in another process
    result = run.finish()                 # bit for bit that of `model.simulate(stop=10)`

An image holds the arguments of the run, its data for inputs among them. It grants nothing: what the model
may do besides (`allow`) is said anew where it is restored, and so are functions that drive inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from math import inf, isnan
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from freewheel.api import arguments
from freewheel.api.compiled_parameters import with_parameters
from freewheel.api.parameter_values import telling_values
from freewheel.api.simulation import (
    Request,
    fed,
    input_changes,
    inputs_of,
    may_be_leaks,
    params_of,
    require_names,
    settings_of,
    telling_zeros,
    told_joint,
    with_causes,
    with_other_starts,
    with_remarks,
)
from freewheel.base.access import granting, looking, running
from freewheel.base.diagnostics import Diagnostic, SimulationError, UsageError
from freewheel.base.files import read_regular, replacing
from freewheel.base.names import show
from freewheel.base.stop import holding
from freewheel.formula.external_random import generator_state, own_generator
from freewheel.runtime.inputs import InputSignal, Line, Smooth, Table, constant
from freewheel.runtime.own_code import own_code
from freewheel.runtime.saving.diagnostics import (
    DAMAGED,
    damaged,
    is_over,
    lacks_functions,
    of_another,
)
from freewheel.runtime.saving.image import Tree, packed, unpacked
from freewheel.runtime.saving.saved_run import state_of, take_state
from freewheel.runtime.simulate import Simulation, reporting_failures

if TYPE_CHECKING:
    from freewheel.api.model import Model, Place
    from freewheel.api.other_starts import OtherStarts
    from freewheel.result.store import Result

Progress = Callable[[float], None]
NOT_SAVED = ("inputs", "input_file", "allow")  # kept as data, or granted anew
FUNCTION = "a function"


class Run:
    """Made by `model.begin(...)` or `Run.restore(...)`. It borrows machine code of the model until it is
    finished or closed."""

    def __init__(
        self,
        model: Model,
        request: Request,
        progress: Progress | None = None,
        saved: _Saved | None = None,
    ) -> None:
        from freewheel.runtime.integrators.registry import begin_kernels

        if model.backend == "llvm":
            begin_kernels()
        self._model, self._request, self._progress = model, request, progress
        self._texts, self._signals = inputs_of(request)
        self._params = params_of(request)
        self._random: list[Any] = []  # state of impure random numbers
        self._joint: Diagnostic | None = None  # leaky elements are chosen together: why
        self._assumed: tuple[str, ...] = ()  # variables whose start values are assumed first
        self._other: OtherStarts | None = None  # why
        if saved is not None:
            self._assumed = saved.assumed
            self._signals, self._joint = {**saved.signals, **self._signals}, saved.joint
            self._random = saved.random
        self._borrowed = ExitStack()
        self._simulation: Simulation | None = None
        with self._translating():
            self._translate()
            self._make()
        self._go(_begin if saved is None else saved.put_into)

    def _translate(self) -> None:
        """The model as the request needs it."""
        model = self._model
        driven = model.changed(input_changes(model, self._texts))
        changed, self._numbers = with_parameters(driven, self._params)
        self._changed = fed(changed, self._signals)
        if self._joint is not None:
            self._changed = self._changed.with_joint_leaks()
        if self._assumed:
            self._changed = self._changed.with_assumed(self._assumed)
        self._ready = self._changed.compiled()
        require_names(self._ready, (*self._request.store, *self._request.wanted))

    def _make(self) -> None:
        settings = settings_of(self._ready, self._request, self._numbers, self._signals)
        own = self._borrowed.enter_context(own_code(self._ready))
        try:
            with running(self._model.library.readable):
                self._simulation = Simulation(own, settings, self._progress)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def _translating(self) -> Iterator[None]:
        with (
            granting(self._request.allow),
            looking(self._model.library.readable),
            telling_zeros(self._params),
            telling_values(),
        ):
            yield

    @contextmanager
    def _going(self) -> Iterator[Simulation]:
        """What the model may do while it runs, and what becomes of failures."""
        simulation = self._going_on
        with (
            self._translating(),
            running(self._model.library.readable),
            own_generator(self._random),
            holding(simulation),
            reporting_failures(simulation),
        ):
            yield simulation

    def _go(self, *actions: Callable[[Simulation], None]) -> None:
        """After a failure the run is over, or it begins anew as `simulate` does: with leaky elements chosen
        together, or with other start values."""
        try:
            with self._going() as simulation:
                for action in actions:
                    action(simulation)
            return
        except SimulationError as failure:
            self.close()
            if not (self._join_leaks(failure) or self._assume_others(failure)):
                told = failure if self._other is None else self._other.told(failure)
                raise with_causes(told, self._changed, self._numbers) from None
        except BaseException:
            self.close()
            raise
        self._go(_begin, *(action for action in actions if action is not _begin))

    def _join_leaks(self, failure: SimulationError) -> bool:
        if not may_be_leaks(failure, self._ready, self._request):
            return False
        with self._translating():
            changed = self._changed.with_joint_leaks()
            if not changed.compiled().core.is_there:
                return False
            self._changed, self._ready = changed, changed.compiled()
            self._joint = told_joint(failure)
            self._make()
        return True

    def _assume_others(self, failure: SimulationError) -> bool:
        with self._translating():
            asked = self._request, self._numbers, self._signals
            other = with_other_starts(failure, self._changed, *asked)
            if other is None:
                return False
            self._other, self._changed = other, other.model
            self._assumed, self._ready = tuple(sorted(other.model.assumed)), other.model.compiled()
            self._make()
        return True

    @property
    def _going_on(self) -> Simulation:
        if self._simulation is None:
            raise is_over()
        return self._simulation

    # ------------------------------------------------------------ running

    @property
    def time(self) -> float:
        """How far it has come: the end of a step."""
        return float(self._going_on.classic.t)

    @property
    def is_over(self) -> bool:
        """Finished, failed or closed."""
        return self._simulation is None

    def advance(self, *, to: float) -> float:
        """Up to the first end of a step at `to` or after it; with quantized states up to the first point of
        the output or event there. Steps are those of a run without this stop. Where it has come."""
        time = arguments.number("to", to)
        if time is None or isnan(time):
            raise TypeError(f"`to` must be a time, not {to}")
        self._go(lambda simulation: simulation.advance(time))
        return self.time

    def finish(self) -> Result:
        """Up to the stop time."""
        found: list[Result] = []

        def end(simulation: Simulation) -> None:
            simulation.advance(inf)
            simulation.end()
            found.append(simulation.result())

        self._go(end)
        self.close()
        if self._joint is not None:
            found[0].warnings = (self._joint, *found[0].warnings)
        return with_remarks(found[0], self._changed, self._numbers)

    def close(self) -> None:
        """Give back what was borrowed; the run is over."""
        self._simulation = None
        self._borrowed.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        at = "over" if self._simulation is None else f"at {self.time:g}"
        return f"Run({self._model!r}, {at})"

    # ------------------------------------------------------------ images

    def save(self, path: Place | None = None) -> bytes:
        """All that the run knows, as bytes, which are written to a file as well if there is a path. The run
        can go on."""
        state = state_of(self._going_on)
        image = packed({"name": show(self._model.name), "request": self._asked(), "run": state})
        if path is not None:
            with replacing(Path(path), "wb") as stream:
                stream.write(image)
        return image

    def _asked(self) -> Tree:
        values = {f.name: getattr(self._request, f.name) for f in fields(Request)}
        plain = {name: value for name, value in values.items() if name not in NOT_SAVED}
        signals = {name: _data_of(signal) for name, signal in self._signals.items()}
        made = {"params": self._params, "texts": self._texts, "signals": signals}
        again = {"joint": self._joint, "assumed": list(self._assumed)}
        return {**plain, **made, **again, "random": self._random}

    @classmethod
    def restore(
        cls,
        model: Model,
        image: bytes | Place,
        *,
        inputs: Mapping[str, Callable[[float], float]] | None = None,
        allow: Collection[str] = (),
        progress: Progress | None = None,
    ) -> Run:
        """A run that goes on where another was saved, with the same model. `inputs`: the functions that
        drove inputs of that run, if there were any."""
        tree = unpacked(_bytes_of(image))
        functions = dict(inputs or {})
        try:
            name, asked, state = tree["name"], dict(tree["request"]), tree["run"]
            texts, signals = asked.pop("texts"), asked.pop("signals")
            joint, random = asked.pop("joint"), generator_state(asked.pop("random"))
            assumed = tuple(map(str, asked.pop("assumed")))
            known = {name: _signal_of(data) for name, data in signals.items() if data != FUNCTION}
            open_inputs = [name for name in signals if name not in known and name not in functions]
            request = replace(Request(**_tuples(asked)), inputs={**texts, **functions}, allow=allow)
        except (LookupError, TypeError, ValueError, AttributeError) as problem:
            raise damaged(f"its contents do not fit each other ({problem})") from None
        if name != show(model.name):
            raise of_another(f"another model, `{name}`", f"load `{name}` and restore it with that")
        if open_inputs:
            raise lacks_functions(open_inputs)
        return cls(model, request, progress, _Saved(state, known, joint, assumed, random))


@dataclass(frozen=True, slots=True)
class _Saved:
    """What an image holds besides the request."""

    state: Tree
    signals: Mapping[str, InputSignal]
    joint: Diagnostic | None
    assumed: tuple[str, ...]
    random: list[Any]

    def put_into(self, simulation: Simulation) -> None:
        take_state(simulation, self.state)


def _begin(simulation: Simulation) -> None:
    simulation.begin()


def _bytes_of(image: Any) -> bytes:
    if isinstance(image, bytes | bytearray | memoryview):
        return bytes(image)
    try:
        return read_regular(Path(image))
    except OSError as problem:
        raise UsageError(
            Diagnostic(
                DAMAGED,
                f"the saved run `{image}` cannot be read: {problem.strerror or problem}",
                help="take the file that `Run.save` has written",
                file=str(image),
            )
        ) from None


def _data_of(signal: InputSignal) -> Any:
    if isinstance(signal, Table):
        return [np.array(signal.times), np.array(signal.values), signal.held]
    if isinstance(signal, Smooth) and isinstance(signal.function, Line):
        return [signal.function.y0]
    return FUNCTION


def _signal_of(data: Any) -> InputSignal:
    if len(data) == 1:
        return constant(float(data[0]))
    times, values, held = data
    return Table(tuple(times.tolist()), tuple(values.tolist()), bool(held))


def _tuples(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(v) if isinstance(v, list) else v for name, v in asked.items()}
