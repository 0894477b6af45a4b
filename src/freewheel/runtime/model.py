"""`CompiledModel`: what backends fill and solvers read. Solvers know nothing else of a model.

All numbers of a model live in one vector of float64, the *memory*; every variable, parameter,
derivative, pre-value and relation has a slot in it. Code is a handful of *sections*, each a
function `section(memory) -> status` that reads and writes slots. Booleans are 0.0 and 1.0,
enumerations and integers their number. A compiled backend gives the same sections as machine code
over a raw pointer.

The life of a simulation:

    memory = model.start.copy(); user parameters are written into their slots
    parameters    everything that depends on parameters only
    initial       solves the initial system at the start time (relations found by iteration)
    derivatives   time, states, discrete values, relation statuses -> derivatives
    outputs       all remaining variables (call after `derivatives`)
    relations     residuals of all relations at the present point (call after `derivatives`)
    discrete      one pass over the discrete equations (when-clauses, Boolean equations, pre(..)
                  held), together with the continuous equations they need; repeat until nothing
                  changes

What the event loop does around `discrete` (runtime/events/iteration_kernels.py): it enters with every pre
slot equal to the left limit and the `active` slots of due samples at 1.0; clears the reinit flags; runs
`discrete`, `derivatives`, `relations`; sets the statuses; repeats while a status changes, with the pre slots
untouched (so a pass must assign a when-variable its pre value where no edge fires); then applies the reinits,
copies values to pre slots and begins again until nothing changes. The `active` slots are cleared after the
first of these rounds, and at least one more follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.slots import (
    ChoiceSlots,
    DelaySlots,
    Info,
    PipeSlots,
    RangeSlots,
    RelationSlots,
    StateSlots,
    TextInfo,
)
from freewheel.base.source import NOWHERE, Span
from freewheel.runtime.own_code import Copies
from freewheel.runtime.qss.model import QuantizedModel
from freewheel.runtime.switched_dae.model import NO_CORE, CoreModel

Vector: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]  # of relations, or of discrete values
Fact = TypeVar("Fact")

# 0: fine. n > 0: step n - 1 of the section failed; `CompiledModel.explain` says what that means.
Section: TypeAlias = Callable[[Vector], int]

FINE = 0
STOPPED = 1 << 30  # a section written in Python raised an exception, see `callbacks.py`

# Messages of a model (see `CompiledModel.messages`): a failed assert is an error or a warning by
# its severity; `terminate(..)` is a note with this code and ends the simulation well.
TERMINATE_CODE = "R100"


@dataclass(frozen=True, slots=True)
class SlotRange:
    """Slots `start` up to (not including) `stop`."""

    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    @property
    def slice(self) -> slice:
        return slice(self.start, self.stop)


@dataclass(frozen=True, slots=True)
class Sample:
    """`sample(start, interval)`: `active` is set to 1.0 by the event loop at its instants only.

    They are start + (first + k*every)*interval/parts: clocks of different rates, with the same
    interval and parts, meet in exactly the same instants.
    """

    start: int  # slot
    interval: int  # slot
    active: int  # slot
    first: int = 0
    every: int = 1
    parts: int = 1
    span: Span = NOWHERE


class Slopes(Protocol):
    """First or second derivatives of residuals, after `derivatives` and `relations` at the same
    point. `values` hands in a direction (of time, states and inputs; for second derivatives also
    the slopes of the inputs) and receives one derivative per relation."""

    @property
    def address(self) -> int:
        """Of `int64 slopes(double* memory, double* values)`; 0 where there is no machine code."""
        ...

    def __call__(self, memory: Vector, values: Vector) -> int: ...


@dataclass(frozen=True, slots=True)
class Homotopy:
    """Slots of a model that uses `homotopy`. It has two sections more: `simplified`, and `between`
    with `share` of the actual parts in each equation."""

    started: int  # 1.0: `initial` need not run `simplified` any more
    share: int


@dataclass(frozen=True, slots=True)
class CompiledModel:
    name: str
    start: Vector  # first content of the memory: start values, constants, parameter defaults
    time: int  # slot of time
    states: SlotRange
    derivatives: SlotRange  # same order as the states
    inputs: tuple[Info, ...]
    state_infos: tuple[StateSlots, ...]
    variables: tuple[Info, ...]  # everything a result holds, in the model's order
    parameter_slots: Mapping[str, int]  # settable without recompiling
    sections: Mapping[
        str, Section
    ]  # parameters, initial, derivatives, outputs, relations, discrete
    relations: tuple[RelationSlots, ...] = ()
    samples: tuple[Sample, ...] = ()
    initial_flag: int = -1  # slot that is 1.0 during `initial` (for `initial()`), -1 if unused
    terminal_flag: int = -1
    # Slot: while it is 0.0, residuals are true also of relations that matter to nobody; else those agree
    # with their statuses. `discrete` sets it. -1: all residuals are true.
    awake: int = -1
    discrete: tuple[
        tuple[int, int], ...
    ] = ()  # (slot, slot of its pre value); compared in event iteration
    reinits: tuple[tuple[int, int, int], ...] = ()  # (state slot, new value slot, flag slot)
    messages: Callable[[], list[Diagnostic]] | None = None  # asserts, terminate since the last call
    explain: Callable[[str, int], Diagnostic] | None = None  # (section, status) -> what failed
    # (slot, memory) -> the equations of `derivatives` that give it, their places and values.
    origin: Callable[[int, Vector], Diagnostic | None] | None = None
    experiment: Mapping[str, float] = field(
        default_factory=dict
    )  # start, stop, tolerance, interval
    sparsity: tuple[tuple[int, ...], ...] | None = None  # per state: the derivatives it influences
    # Section -> address of `int64 section(double* memory)`; empty where there is no machine code.
    addresses: Mapping[str, int] = field(default_factory=dict)
    # Slot that a section sets to 1.0 when it has said something (see `messages`), so that compiled
    # loops know when to ask; -1: ask after each step.
    message_flag: int = -1
    # Of df/dy, by columns: (starts, rows), for `addresses["jacobian"](memory*, values*)`.
    jacobian_pattern: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    homotopy: Homotopy | None = None
    # Slot that asks nonlinear loops for the branch of their old values (events/branch_following.py), then the
    # slot that says which one met a fold; -1: there are none.
    follow: int = -1
    linear_loops: tuple[tuple[int, ...], ...] = ()  # slots that each is solved for
    # Of nonlinear loops: slots that each is solved for; first and stop of those in which it keeps its branch.
    branches: tuple[tuple[tuple[int, ...], int, int], ...] = ()
    # Of nonlinear loops: slots that each is solved for, and slots whose zeros are a solution for any value of
    # the last ones (program/trivial_zeros.py).
    trivial_zeros: tuple[tuple[tuple[int, ...], ...], ...] = ()
    choices: tuple[ChoiceSlots, ...] = ()
    delays: tuple[DelaySlots, ...] = ()
    transports: tuple[PipeSlots, ...] = ()
    # Some relation follows time beside the states, not in a straight line.
    watches_time: bool = False
    corners: tuple[int, ...] = ()  # slots, written by `relations`: residuals that make no events
    # Slot, written by `parameters` or `relations`: how fast what relations look at swings, in rad/s.
    swing: int = -1
    history: int = -1  # slot for the address of what they remember (delays/lookup.py)
    core: CoreModel = NO_CORE  # what stays implicit: ideal switches and the like
    # Slots of parameters that decided what is implicit, and whether they were zero: where that
    # changes the model needs a new translation.
    decisive: tuple[tuple[int, bool], ...] = ()
    # Sums of products of parameters, (factor, slots) each, that equations are divided by: likewise.
    pivots: tuple[tuple[tuple[float, tuple[int, ...]], ...], ...] = ()
    texts: tuple[TextInfo, ...] = ()
    ranges: tuple[RangeSlots, ...] = ()
    # (relations, order) -> derivatives of their residuals; None where there are none.
    slopes: Callable[[tuple[int, ...], int], Slopes | None] | None = None
    # order -> rows one by one, for quantized-state methods.
    quantized: Callable[[int], QuantizedModel] | None = None
    extras: Mapping[str, Any] = field(default_factory=dict)  # backend's own, never read by solvers
    # Before each run: factors that code keeps from call to call are those of another run.
    forget: Callable[[], None] | None = None
    # What it keeps, by module, and the same handed back in another process.
    remembered: Callable[[], Mapping[str, Sequence[Any]]] | None = None
    remember: Callable[[Mapping[str, Sequence[Any]]], None] | None = None
    digest: str = ""  # of its code
    another: Callable[[], CompiledModel] | None = None  # the same with code of its own
    copies: Copies = field(default_factory=Copies, compare=False, repr=False)  # see `own_code.py`
    facts: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)


def are_compiled(model: CompiledModel) -> bool:
    """Whether all sections are machine code."""
    return once(_are_compiled, model)


def _are_compiled(model: CompiledModel) -> bool:
    return all(name in model.addresses for name in model.sections)


def slots_of(numbers: Iterable[int]) -> npt.NDArray[np.intp]:
    """Subscripts that runs share."""
    found = np.array([*numbers], dtype=np.intp)
    found.flags.writeable = False
    return found


def once(make: Callable[..., Fact], model: CompiledModel, *given: Any) -> Fact:
    """`make(model, *given)`, kept in `model.facts`. What follows from the data of a model alone, and nobody
    writes, is found by its first run: a short run takes less time than finding it. Two runs that begin
    together may both find it."""
    key = (make, *given)
    known: Fact | None = model.facts.get(key)
    if known is None:
        known = model.facts[key] = make(model, *given)
    return known
