"""From a model to a `Draft`: analysed with the wanted elimination, checked, as statements.

draft = make_draft(model, "c", ExportOptions())       draft.routines["derivatives"]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from freewheel.base.names import ClassName
from freewheel.export.events import NEVER, EventWriter
from freewheel.export.functions import expand_functions
from freewheel.export.inline import with_functions_in_place
from freewheel.export.nodes import Draft, Extras, Statement
from freewheel.export.options import ExportOptions
from freewheel.export.statements import statements_of
from freewheel.export.supported import check
from freewheel.pipeline import Options, compile_flat, program_of
from freewheel.program.nodes import SECTIONS, SIMPLIFIED, Act, Program, slot_var

if TYPE_CHECKING:
    from freewheel.flat.nodes import FlatModel
    from freewheel.pipeline import Compilation

# Letters that tell the locals of one section from those of another.
MARKS = {
    SIMPLIFIED: "s",
    "parameters": "p",
    "initial": "i",
    "derivatives": "d",
    "outputs": "o",
    "relations": "r",
    "discrete": "e",
}


class Exportable(Protocol):
    """What an export asks of a model: `freewheel.api.Model` has it."""

    @property
    def name(self) -> ClassName: ...

    @property
    def changes(self) -> Mapping[str, str]: ...

    def flatten(self) -> FlatModel: ...

    def upto(self, stage: str) -> Compilation: ...


def make_draft(model: Exportable, kind: str, options: ExportOptions, **more: Any) -> Draft:
    """`more` goes on to `draft_of`."""
    return draft_of(program_as_listed(model, options), kind, options, **more)


def program_as_listed(model: Exportable, options: ExportOptions) -> Program:
    from freewheel.listing.equations.as_listed import ordered_as_listed

    wanted = Options(stop_after="structure", eliminate=options.eliminate, is_listed=True)
    ordered = compile_flat(model.flatten(), wanted).ordered
    return program_of(ordered_as_listed(ordered, options.loops, options.share), options.share)


def draft_of(
    program: Program,
    kind: str,
    options: ExportOptions,
    is_evaluated: bool = False,
    has_functions: bool = True,
) -> Draft:
    """`is_evaluated`: the target evaluates the model before it handles an event. `has_functions`: those of
    the model are written in place, which needs loops; without them only formulas can be."""
    program = program if has_functions else with_functions_in_place(program)
    check(program, kind, has_functions)
    extras = _extras(program)
    more = _extra_names(program) + [("ended", 0.0) for _ in _ending(extras)]
    experiment = program.experiment
    stop = _given(options.stop, experiment.get("stop", 1.0))
    return Draft(
        program=program,
        routines=_routines(program, extras, is_evaluated, kind),
        extras=extras,
        memory=(*program.start, *(value for _, value in more)),
        names=(*program.names, *(name for name, _ in more)),
        logical=program.boolean_slots
        | {sample[2] for sample in program.samples}
        | {flag for _, _, flag in program.reinits}
        | {extras.changed, extras.moved, *_ending(extras)},
        title=options.name or program.name,
        stop=stop,
        interval=_given(options.interval, experiment.get("interval", 0.0)),
        tolerance=_given(options.tolerance, experiment.get("tolerance", 1e-6)),
    )


def _given(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value


def _extras(program: Program) -> Extras:
    first = len(program.start)
    after = first + len(program.samples)
    bands, count = after + 4, len(program.relations)
    is_ended = any(
        isinstance(step, Act) and step.kind == "terminate"
        for steps in program.sections.values()
        for step in steps
    )
    return Extras(
        tuple(range(first, after)),
        after,
        *(after + 1, after + 2, after + 3),
        bands=tuple(range(bands, bands + count)),
        sizes=tuple(range(bands + count, bands + 2 * count)),
        ended=bands + 2 * count if is_ended else -1,
    )


def _ending(extras: Extras) -> tuple[int, ...]:
    return () if extras.ended < 0 else (extras.ended,)


def _extra_names(program: Program) -> list[tuple[str, float]]:
    """Name and start value of each slot behind the program's own."""
    count = range(1, len(program.relations) + 1)
    found = [(f"count of sample {k + 1}", 0.0) for k in range(len(program.samples))]
    found += [("next time event", NEVER), ("changed", 0.0), ("moved", 0.0), ("rounds", 0.0)]
    found += [(f"band of relation {k}", 0.0) for k in count]
    return found + [(f"size of relation {k}", 0.0) for k in count]


def _routines(
    program: Program, extras: Extras, is_evaluated: bool, kind: str
) -> dict[str, tuple[Statement, ...]]:
    sections: dict[str, tuple[Statement, ...]] = {}
    ended = slot_var(extras.ended)
    for name in (SIMPLIFIED, *SECTIONS):
        plain = statements_of(program.sections[name], MARKS[name], ended)
        sections[name] = expand_functions(plain, program.functions, program.name, kind, MARKS[name])
    return {**sections, **EventWriter(program, extras).routines(is_evaluated)}
