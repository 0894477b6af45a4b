"""`Model`: one class of one library, and the questions that can be asked about it.

model = load("circuit.mo")
model.check().unknowns
model.flatten().equations
print(model.equations("solved"))
model.simulate(stop=1e-3, params={"R1.R": 50})["C.v"]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from freewheel.api import arguments, checking
from freewheel.api.arguments import with_named_arguments
from freewheel.api.checking import Balance
from freewheel.api.find import find_class, find_in_text, find_models
from freewheel.api.stored import find as find_stored
from freewheel.api.stored import keep as keep_stored
from freewheel.base.access import looking
from freewheel.base.diagnostics import Diagnostic, UsageError, shortened
from freewheel.base.garbage import no_garbage_collection
from freewheel.base.making import making
from freewheel.base.names import ClassName, show
from freewheel.dymola.files import Cuts
from freewheel.pipeline import (
    DEFAULT_BACKEND,
    STAGES,
    Compilation,
    Options,
    as_written,
    compile_model,
)

if TYPE_CHECKING:
    from freewheel.api.running import Run
    from freewheel.flat.nodes import FlatModel, Variable
    from freewheel.instance.library import Library, PackageInfo
    from freewheel.listing.block_diagram.nodes import Diagram
    from freewheel.listing.switches.report import Switches
    from freewheel.result.store import Result
    from freewheel.runtime.model import CompiledModel

Place = str | PathLike[str]
BACKENDS = ("llvm", "python")
Value = float | str  # a number, or Modelica text: `true`, `{1, 2}`, `2*pi`, `A.B.literal`


@with_named_arguments
def load(
    target: Place,
    *,
    model: str | None = None,
    library: Sequence[Place] = (),
    backend: str = DEFAULT_BACKEND,
    cuts: Cuts = Cuts.EQUATIONS,
) -> Model:
    """The model in a file (its last one, or `model`), or the class of a dotted name. `cuts` tells what
    becomes of those of a classic file: plain variables and equations, or connectors."""
    if not isinstance(target, str | PathLike):
        raise TypeError(f"load() takes a path or the name of a class, not {type(target).__name__}")
    if isinstance(target, str) and "\n" in target:
        raise TypeError(
            "load() takes a path or the name of a class; load_text() takes Modelica text"
        )
    with no_garbage_collection():
        books, name = find_class(str(target), model, _directories(library), cuts)
    return Model(books, name, backend=_known_backend(backend))


@with_named_arguments
def load_text(
    text: str,
    *,
    model: str | None = None,
    library: Sequence[Place] = (),
    backend: str = DEFAULT_BACKEND,
) -> Model:
    """The model in a piece of Modelica text: its last one, or `model`."""
    if not isinstance(text, str):
        raise TypeError(f"load_text() takes Modelica text, not {type(text).__name__}")
    if text.endswith((".mo", ".dym")) and "\n" not in text:
        raise TypeError("load_text() takes Modelica text; load() takes a path")
    with no_garbage_collection():
        books, name = find_in_text(text, model, _directories(library))
    return Model(books, name, backend=_known_backend(backend))


def _directories(library: Any) -> list[Path]:
    """One place or several."""
    if isinstance(library, str | PathLike):
        return [Path(library)]
    if not isinstance(library, Iterable):
        raise TypeError(f"`library` must be a path or several, not {type(library).__name__}")
    return [Path(place) for place in library]


def _known_backend(backend: str) -> str:
    if backend not in BACKENDS:
        raise UsageError(
            Diagnostic(
                "U127", f"there is no backend `{backend}`", help=f"there are {', '.join(BACKENDS)}"
            )
        )
    return backend


def models_in(target: Place, *, library: Sequence[Place] = ()) -> list[Model]:
    """Every model in a file or a package, in the order written."""
    books, names = find_models(str(target), [Path(place) for place in library])
    return [Model(books, name) for name in names]


@dataclass(frozen=True)
class Model:
    """A class of a library, perhaps changed from outside; what stages made is kept."""

    library: Library
    name: ClassName
    changes: Mapping[str, str] = field(default_factory=dict)  # name -> Modelica text
    backend: str = DEFAULT_BACKEND
    are_leaks_joint: bool = False  # positions of all leaky elements are found together
    fed: frozenset[str] = frozenset()  # inputs whose values come as data, whatever their binding
    numbers: Mapping[str, float] = field(default_factory=dict)  # of parameters, compiled in
    assumed: frozenset[str] = frozenset()  # variables whose start values are assumed first
    _reached: dict[str, Compilation] = field(default_factory=dict, repr=False, compare=False)

    def __repr__(self) -> str:
        changed = f", {len(self.changes)} changed" if self.changes else ""
        return f"Model({shortened(show(self.name))}{changed})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled without what stages made; that is made again, or found in the cache."""
        fields = (dict(self.changes), self.backend, self.are_leaks_joint, self.fed)
        return Model, (self.library, self.name, *fields, dict(self.numbers), self.assumed)

    def changed(self, changes: Mapping[str, str]) -> Model:
        """The model with further modifiers; compiled anew, so structural ones work too."""
        if not changes:
            return self
        return self._with(changes={**self.changes, **changes})

    def _with(self, **fields: Any) -> Model:
        """Another model, of which no stage has been made yet."""
        return replace(self, _reached={}, **fields)

    def fed_with(self, names: Collection[str]) -> Model:
        """The model that takes these inputs from outside, also where they have a binding."""
        return self if self.fed.issuperset(names) else self._with(fed=self.fed.union(names))

    def with_joint_leaks(self) -> Model:
        """The model with an implicit core for whatever leaks."""
        return self._with(are_leaks_joint=True)

    def with_numbers(self, numbers: Mapping[str, float]) -> Model:
        """The model translated with these values of parameters, elements of arrays among them."""
        return self._with(numbers={**self.numbers, **numbers}) if numbers else self

    def with_assumed(self, names: Collection[str]) -> Model:
        """The model that assumes start values of these variables before others, where conditions are
        missing."""
        return self._with(assumed=frozenset(names))

    def options(self, stage: str) -> Options:
        return Options(
            *(self.backend, self.changes, stage, self.are_leaks_joint, self.fed, self.numbers),
            assumed=self.assumed,
        )

    def upto(self, stage: str) -> Compilation:
        """Everything made on the way to a stage of the corridor, that stage included."""
        arguments.one_of("stage", stage, STAGES)
        found = self._found(stage)
        if found is not None:
            return found
        with making:  # by another thread meanwhile, perhaps
            return self._found(stage) or self._made(stage)

    def _found(self, stage: str) -> Compilation | None:
        for later in STAGES[STAGES.index(stage) :]:
            if later in self._reached and stage in self._reached[later].products:
                return self._reached[later]
        return None

    def _made(self, stage: str) -> Compilation:
        if stage == "backend":
            found = find_stored(self)
            if found is not None:
                self._reached[stage] = found
                return found
        options = self.options(stage)
        self._reached[stage] = compile_model(self.library, self.name, options)
        return self._reached[stage]

    def _looking(self) -> AbstractContextManager[None]:
        """What is asked about the model may read where the model may, and changes nothing."""
        return looking(self.library.readable)

    def flatten(self) -> FlatModel:
        """Plain variables and equations."""
        return self.upto("flat").flat

    @cached_property
    def variables_by_name(self) -> Mapping[str, Variable]:
        """As the user writes them: each run with parameters asks."""
        return {show(variable.name): variable for variable in self.flatten().variables}

    @property
    def plain_parameters(self) -> frozenset[str]:
        """Those that a run takes as they are; none as long as the model is not compiled."""
        if "_plain_parameters" not in self.__dict__ and self._found("backend") is None:
            return frozenset()
        return self._plain_parameters

    @cached_property
    def _plain_parameters(self) -> frozenset[str]:
        from freewheel.api.compiled_parameters import plain_parameters

        return plain_parameters(self)

    def check(self) -> Balance:
        """Compile up to a solvable order, check units; raises `CompileError` where that fails. A class
        with open connectors is judged with what its users will connect."""
        return checking.check(self)

    def remarks(self) -> tuple[Diagnostic, ...]:
        """What the compiler found worth telling although the model is right, units among it."""
        remarks: tuple[Diagnostic, ...] | None = self._stored("remarks")
        if remarks is not None and self._stored("flat") is None:  # of an earlier run
            return remarks
        if remarks is None:
            remarks = self.upto("structure").ordered.warnings
        return (*remarks, *self._unit_warnings)

    @cached_property
    def _unit_warnings(self) -> tuple[Diagnostic, ...]:
        from freewheel.flat.units import check_units

        with self._looking():
            return check_units(self.flatten())

    def equations(
        self,
        stage: str = "solved",
        *,
        eliminate: str = "zeros",
        matrix: bool = False,
        share: bool = True,
    ) -> str:
        """The equations as text: flat, aliases, assigned, differentiated, sorted, solved or blocks.

        `eliminate` is none, aliases, zeros (as simulated) or surplus; `matrix` shows the entries of
        linear systems instead of their solution, `share` names divisors used more than once.
        """
        from freewheel.listing.equations.stages import STAGES as SHOWN_STAGES
        from freewheel.listing.equations.view import View, view
        from freewheel.structure.nodes import Elimination

        arguments.one_of("stage", stage, SHOWN_STAGES)
        arguments.one_of("eliminate", eliminate, [word.value for word in Elimination])
        with self._looking():
            return view(self.flatten(), View(stage, eliminate, matrix, share))

    def block_diagram(
        self, *, differential: bool = False, component: str | None = None, fold: bool = True
    ) -> Diagram:
        """The computational causality as blocks and signals, of the whole or of one component.

        `differential` computes states from equations and differentiates them where that is possible;
        `fold` makes one block of each component where there would be too many to read.
        """
        from freewheel.listing.block_diagram.make import make

        with self._looking():
            return make(self.upto("structure").ordered, differential, component, fold)

    def explain(self) -> tuple[Diagnostic, ...]:
        """Which equations and variables keep the model from being solved, and what would help.

        Notes tell what is merely remarkable, such as states that tie each other.
        """
        from freewheel.flat.open_inputs import component_inputs, component_places
        from freewheel.structure.diagnosis.explain import Context, explain

        made = self.upto("flat")
        with self._looking():
            inputs = component_inputs(made.instance, made.flat)
            places = component_places(made.instance)
            return explain(
                made.flat, Context(inputs, places, self.numbers), lambda: as_written(made.flat)
            )

    def export(
        self,
        kind: str,
        path: Place | None = None,
        *,
        eliminate: str = "zeros",
        form: str = "ode",
        stop: float | None = None,
        interval: float | None = None,
        tol: float | None = None,
        stage: str = "all",
        loops: str = "torn",
        share: bool = True,
    ) -> Mapping[str, str]:
        """The model for another simulator: texts by file name. `kind` is one of those that
        `freewheel export --help` lists; with `path` the files are written there (a directory, or the
        name of the file where there is one only). `form` is ode or dae (DSblock), `stage` one of those
        of `json`; what is not given follows the model's `experiment` annotation. `loops` is torn, formulas
        or matrix: how linear ones are solved; `share` gives names to common subexpressions of formulas."""
        from freewheel.export import ExportOptions, export_model
        from freewheel.export.write_files import write_files

        options = ExportOptions(eliminate, form, stop, interval, tol, stage, loops, share)
        with self._looking():
            texts = export_model(self, kind, options)
        if path is not None:
            write_files(texts, Path(path))
        return texts

    def switches(self, *, every: bool = False) -> Switches:
        """Ideal switches and which states each takes away, alone or with others; `every`: also those
        that take none."""
        from freewheel.listing.switches.report import report_switches

        with self._looking():
            return report_switches(self.upto("structure").ordered, every)

    def libraries(self) -> tuple[PackageInfo, ...]:
        """Which libraries were read so far: name, version, path and how they were found."""
        stored: tuple[PackageInfo, ...] | None = self._stored("libraries")
        return self.library.used() if stored is None else stored

    def _stored(self, what: str) -> Any:
        """What an earlier run has told, if the model was found compiled."""
        ready = self._reached.get("backend")
        return None if ready is None else ready.products.get(what)

    def compiled(self) -> CompiledModel:
        """Ready for a solver."""
        return self.upto("backend").model

    def keep(self) -> None:
        """Let the next run begin with what this one has compiled."""
        ready = self._reached.get("backend")
        if ready is not None:
            keep_stored(self, ready)

    @with_named_arguments
    def simulate(
        self,
        *,
        start: float | None = None,
        stop: float | None = None,
        tol: float | None = None,
        interval: float | None = None,
        solver: str = "auto",
        quantum: str | Sequence[str] = (),
        params: Mapping[str, Any] | None = None,
        inputs: Any = None,
        input_file: Place | None = None,
        input_hold: str = "linear",
        event_log: bool = False,
        root_solver: str | None = None,
        event_detection: str | None = None,
        step_control: str | None = None,
        max_events: int | None = None,
        impulses: str | None = None,
        bounds: str | None = None,
        max_steps: int | None = None,
        store: str | Sequence[str] = (),
        wanted: str | Sequence[str] = (),
        allow: Collection[str] = (),
        progress: Callable[[float], None] | None = None,
    ) -> Result:
        """Simulate; what is not given follows the model's `experiment` annotation. `event_log` lets
        `result.events` tell each change at each event, not only the causes. `quantum`, for solvers such as
        "liqss2": "1e-4", "1e-3,1e-6" (relative, absolute), "C.v=1e-2" or several of these.
        `impulses`, which ideal
        elements may cause: "accept", "warn" (the default) or "error"; they are in `result.impulses`.
        `inputs` are expressions of time, numbers, functions, pairs (times, values), arrays or a pandas
        frame. `bounds`: what to do where `min` or `max` of a variable is violated, "off", "warn" (the
        default) or "error". `store` names what to keep of what varies (`"T"`, `"*.v"`), else everything;
        `wanted` names what will be asked of the result, and is looked for before the run.
        `allow` says what the model may do besides: "files", "commands", "external" (docs/safety.md)."""
        from freewheel.api.simulation import request_of, run

        request = request_of(
            start=start,
            stop=stop,
            tol=tol,
            interval=interval,
            solver=solver,
            quantum=quantum,
            params=params,
            inputs=inputs,
            input_file=input_file,
            input_hold=input_hold,
            event_log=event_log,
            root_solver=root_solver,
            event_detection=event_detection,
            step_control=step_control,
            max_events=max_events,
            impulses=impulses,
            bounds=bounds,
            max_steps=max_steps,
            store=store,
            wanted=wanted,
            allow=allow,
        )
        return run(self, request, arguments.function("progress", progress))

    def begin(self, **chosen: Any) -> Run:
        """A run that is advanced step by step, saved and restored: `run.advance(to=0.5)`, `run.save()`,
        `run.finish()`. It takes the arguments of `simulate`."""
        from freewheel.api.running import Run
        from freewheel.api.simulation import request_of

        arguments.require_known("begin", chosen, Model.simulate)
        progress = arguments.function("progress", chosen.pop("progress", None))
        return Run(self, request_of(**chosen), progress)
