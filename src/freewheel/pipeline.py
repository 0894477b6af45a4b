"""The corridor from a class name to a compiled model: one list of calls, timed, stoppable.

In: a library that can find the class, its name, options. Out: a `Compilation` that holds what
each stage made and how long it took.

    compile_model(library, ("Circuit",), Options()).model.states
    compile_model(library, ("Circuit",), Options(stop_after="flat")).flat.equations
    compile_flat(flat, Options(stop_after="structure", eliminate="none")).ordered

Nobody else calls the stages behind `flat`: whoever needs an order or a program asks here for the options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from freewheel.base.access import looking
from freewheel.base.diagnostics import CompileError
from freewheel.base.garbage import no_garbage_collection
from freewheel.base.making import making
from freewheel.formula.outside import times_asked
from freewheel.structure.thresholds import REGULARITY

if TYPE_CHECKING:
    from freewheel.base.names import ClassName
    from freewheel.flat.nodes import FlatModel
    from freewheel.instance.instantiate import Instance
    from freewheel.instance.library import Library
    from freewheel.program.nodes import Program
    from freewheel.runtime.model import CompiledModel
    from freewheel.structure.nodes import Ordered

DEFAULT_BACKEND = "llvm"
TOO_LARGE = "U111"
STAGES = ("instance", "flat", "structure", "program", "backend")


@dataclass(frozen=True, slots=True)
class Options:
    """Everything that can be chosen about a compilation."""

    backend: str = DEFAULT_BACKEND
    changes: Mapping[str, str] = field(default_factory=dict)  # modifiers given from outside
    stop_after: str = "backend"  # one of STAGES
    are_leaks_joint: bool = False  # positions of all leaky elements are found together
    fed: frozenset[str] = frozenset()  # inputs whose values come as data, whatever their binding
    numbers: Mapping[str, float] = field(default_factory=dict)  # of parameters, put in as bindings
    is_part: bool = False  # as if something were connected to the model's own connectors
    eliminate: str = (
        "zeros"  # what is removed before sorting: a value of `structure.nodes.Elimination`
    )
    is_listed: bool = False  # to be read: numbers that are switches stay factors where they can
    assumed: frozenset[str] = frozenset()  # variables whose start values are assumed first


@dataclass(frozen=True, slots=True)
class Compilation:
    """What each stage made; asking for a stage that was not reached is our own mistake."""

    products: dict[str, Any] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    asked_outside: bool = False  # constants came from files, environment or clock

    @property
    def instance(self) -> Instance:
        product: Instance = self.products["instance"]
        return product

    @property
    def flat(self) -> FlatModel:
        product: FlatModel = self.products["flat"]
        return product

    @property
    def ordered(self) -> Ordered:
        product: Ordered = self.products["structure"]
        return product

    @property
    def program(self) -> Program:
        product: Program = self.products["program"]
        return product

    @property
    def model(self) -> CompiledModel:
        product: CompiledModel = self.products["backend"]
        return product


def compile_model(library: Library, name: ClassName, options: Options) -> Compilation:
    """Walk the corridor up to `options.stop_after`, timing each stage."""
    with looking(library.readable):
        return _walk(_corridor(library, name, options), options.stop_after)


def compile_flat(flat: FlatModel, options: Options) -> Compilation:
    """The rest of the corridor, from a flat model on: one at hand, or one that was made by other means."""
    return _walk(_behind_flat(flat, options), options.stop_after)


Stages = Iterator[tuple[str, Any]]


def _walk(stages: Stages, stop_after: str) -> Compilation:
    assert stop_after in STAGES, stop_after
    products: dict[str, Any] = {}
    seconds: dict[str, float] = {}
    asked = times_asked()
    with making, no_garbage_collection():
        began = perf_counter()
        for stage, product in stages:
            products[stage] = product
            seconds[stage] = perf_counter() - began
            if stage == stop_after:
                break
            began = perf_counter()
    return Compilation(products, seconds, times_asked() > asked)


def _corridor(library: Library, name: ClassName, options: Options) -> Stages:
    """The stages in order; each is imported when it is reached, for a quick start."""
    from freewheel.instance.instantiate import instantiate

    instance = instantiate(library, name, options.changes)
    yield "instance", instance

    from freewheel.flat.drive import drive_inputs
    from freewheel.flat.flatten import flatten

    flat = drive_inputs(flatten(instance, options.is_part), options.fed)
    yield "flat", flat

    if options.stop_after == "backend" and options.backend == "llvm":
        from freewheel.program.whole import whole_of

        whole = whole_of(flat)
        if whole is not None:
            from freewheel.backend.whole import build_whole

            yield "program", whole.program
            yield "remarks", flat.warnings
            yield "backend", build_whole(whole)
            return

    yield from _behind_flat(
        flat, options, lambda failure: _explained(failure, instance, flat, options)
    )


def _behind_flat(
    flat: FlatModel,
    options: Options,
    explained: Callable[[CompileError], CompileError] = lambda failure: failure,
) -> Stages:
    from freewheel.structure.analyse import analyse
    from freewheel.structure.nodes import Elimination

    leaks = REGULARITY.most_leak if options.are_leaks_joint else REGULARITY.leak
    try:
        ordered = analyse(
            flat,
            Elimination(options.eliminate),
            leaks,
            options.numbers,
            options.is_listed,
            options.assumed,
        )
    except CompileError as failure:
        raise explained(failure) from None
    yield "structure", ordered

    program = program_of(ordered)
    yield "program", program

    yield "backend", model_of(program, options.backend)


def as_written(flat: FlatModel) -> Ordered:
    """An order of equations that are all the modeller's: nothing is eliminated."""
    options = Options(stop_after="structure", eliminate="none", is_listed=True)
    return compile_flat(flat, options).ordered


def program_of(ordered: Ordered, is_shared: bool = True) -> Program:
    """Assignments for an order; with `is_shared` common subexpressions have names."""
    from freewheel.program.lower import lower

    return lower(ordered, is_shared)


def model_of(program: Program, backend: str = "python") -> CompiledModel:
    """A program made callable, for whoever has one that the corridor did not make."""
    from freewheel.backend.load import build

    return build(program, backend)


def model_to_keep(model: CompiledModel) -> tuple[Any, Any, Any]:
    """Plain data from which `revive_model` makes the model again."""
    from freewheel.backend.revive import to_keep

    return to_keep(model)


def is_whole(model: CompiledModel) -> bool:
    """Whether its arrays were never taken apart: translating it is quick, and nothing is kept of it."""
    return "whole" in model.extras


def jacobian_to_keep(model: CompiledModel) -> Any:
    """What `model_to_keep` would give for the Jacobian; it may be made after the model."""
    from freewheel.backend.revive import known_jacobian

    return known_jacobian(model)


def revive_model(kept: tuple[Any, Any, Any], translate: Callable[[], Program]) -> CompiledModel:
    """The model without a translation, unless something asks for its formulas."""
    from freewheel.backend.revive import revive

    return revive(kept, translate)


def _explained(
    failure: CompileError, instance: Instance, flat: FlatModel, options: Options
) -> CompileError:
    """Where the model is unbalanced that is said first; the means are imported only then."""
    if any(d.code == TOO_LARGE for d in failure.diagnostics):  # to count it would take as long
        return failure
    from freewheel.flat.local_balance import explained
    from freewheel.flat.whose_component import with_components
    from freewheel.structure.diagnosis.reasons import with_reasons

    told = explained(failure, instance, flat)
    found = with_reasons(told, instance, flat, lambda: as_written(flat), options.numbers)
    found.diagnostics = with_components(found.diagnostics, instance)
    return found
