"""Records of a run as they are before its start, kept for the next run of the same model and settings.

    known = prepared(model, settings)            # None: this is the first such run, or it is not plain
    live = LiveModel(model, known.records)       # a copy, in one block
    keep(model, settings, engine)                # by the first run, before it begins

What the records of a plain run hold by then follows from the model and the settings alone: slots, tolerances,
functions of the method and of the model. Parameters and inputs come later. To lay records out and fill them
field by field takes longer than many a run; a copy has the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from freewheel.machine.memory import Closure, Frozen
from freewheel.runtime.events.iteration import MessageCollector
from freewheel.runtime.integrators.problem import Problem
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.model import CompiledModel, are_compiled, once
from freewheel.runtime.qss.methods import QUANTIZED
from freewheel.runtime.settings import Settings

MOST_KEPT = 4  # settings of one model, a few ten kilobytes each
LARGEST = 1 << 17  # words: beyond, the run takes longer than any preparation


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Nobody writes any of it."""

    records: Frozen
    problem: Problem
    method: str
    functions: tuple[int, ...]  # of the method, as the record has them
    sections: tuple[int | Closure, ...]  # of the model, likewise
    collector: MessageCollector


_OF_A_RUN = ("parameters", "inputs", "quanta")
_chosen = attrgetter(*(f.name for f in fields(Settings) if f.name not in _OF_A_RUN))


def prepared(model: CompiledModel, settings: Settings) -> Prepared | None:
    found = once(_kept, model).get(_chosen(settings)) if not settings.quanta else None
    if found is not None:
        found.collector.clear()
    return found


def _kept(model: CompiledModel) -> dict[Any, Prepared]:
    return {}


def keep(model: CompiledModel, settings: Settings, engine: ClassicEngine) -> None:
    """What this run has prepared, if others can begin with it."""
    if not _is_plain(model, settings, engine):
        return
    sections = tuple(engine.current_sections().functions.values())
    functions = engine.bind_method()
    records = engine.live.records.frozen()
    if len(records.words) > LARGEST:
        return
    kept = once(_kept, model)
    if len(kept) >= MOST_KEPT:
        kept.pop(next(iter(kept)))
    kept[_chosen(settings)] = Prepared(
        records, engine.problem, engine.solver, functions, sections, engine.collector
    )


def _is_plain(model: CompiledModel, settings: Settings, engine: ClassicEngine) -> bool:
    """Whether the records know nothing of this run: no functions of Python that belong to it, no libraries,
    no signals."""
    is_classic = settings.solver not in QUANTIZED and not settings.quanta
    others = model.core.is_there or model.choices or model.history >= 0 or settings.inputs
    return are_compiled(model) and is_classic and not others and engine.multistep is None
