"""The event log while it grows: numbers, to which Python and compiled code append.

    log = EventLog(model, detail=True)
    log.begin(t)
    log.note(CROSSED, 3, 1e-9)
    log.finish(rounds=2)
    log.events()                    # a `result.events.Events`

    begin_record(loop, t)           # the same by kernels
    note(loop, CROSSED, i, residual)

Layout and kinds of notes are those of `result/events.py`. A note that does not fit raises `log_lacks`;
the caller that began the record removes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from freewheel.base.stop import is_asked
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.result.events import (
    CHANGED,
    FOLLOWED,
    INITIALLY,
    ITERATED,
    JUMPED,
    NOTE_WIDTH,
    RECORD_HEAD,
    TOLD_CAUSES,
    EventNames,
    Events,
    Named,
)
from freewheel.runtime.loop.habits import habits_of
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.model import CompiledModel, Vector, once
from freewheel.runtime.thresholds import LOG, ZENO

INPUT_JUMPS = "an input jumps"
DETAILS = (INITIALLY, FOLLOWED, CHANGED, JUMPED, ITERATED)


class EventLog:
    def __init__(self, model: CompiledModel, detail: bool) -> None:
        self.model = model
        self.detail = detail
        self.habits = habits_of(model)
        self.reserve = once(_reserve, model, detail)
        # The system allocates memory when it is written, so that room costs nothing.
        self.numbers: Vector = np.zeros(max(self.habits.numbers, 2 * self.reserve))
        self.count = 0
        self.record = 0  # where the present one begins
        self.texts: list[str] = []

    def grow(self) -> None:
        grown = np.zeros(2 * len(self.numbers))
        grown[: len(self.numbers)] = self.numbers
        self.numbers = grown
        self.habits.saw_numbers(len(self.numbers))

    def make_room(self, records: int) -> None:
        """For so many records with one note each, or so many notes."""
        while self.count + records * (RECORD_HEAD + NOTE_WIDTH) > len(self.numbers):
            self.grow()

    def begin(self, t: float, is_start: bool = False) -> None:
        self.record = self.count
        self._append(t, 0.0, 0.0, float(is_start))

    def note(self, kind: int, number: int = 0, value: float = 0.0) -> None:
        if kind in DETAILS and not self.detail:
            return
        self._append(float(kind), float(number), value)
        self.numbers[self.record + 2] += 1.0

    def number_of(self, text: str) -> int:
        """Of a cause that a text gives."""
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def take_back(self, mark: int) -> None:
        """Forget the notes after a mark (an earlier `count`) in this record."""
        self.numbers[self.record + 2] -= (self.count - mark) // NOTE_WIDTH
        self.count = mark

    def finish(self, rounds: int) -> int:
        """Ends the record; 1, or 0: an event without a cause is none."""
        is_start, first = self.numbers[self.record + 3], self.record + RECORD_HEAD
        is_caused = self.count > first and self.numbers[first] in TOLD_CAUSES
        if not is_start and not is_caused:
            self.count = self.record
            return 0
        self.numbers[self.record + 1] = float(rounds)
        return 1 - int(is_start)

    def _append(self, *numbers: float) -> None:
        while self.count + len(numbers) > len(self.numbers):
            self.grow()
        self.numbers[self.count : self.count + len(numbers)] = numbers
        self.count += len(numbers)

    def state(self) -> dict[str, Any]:
        return {"numbers": self.numbers[: self.count], "record": self.record, "texts": self.texts}

    def take_state(self, saved: Mapping[str, Any]) -> None:
        """Of a run that was saved."""
        self.count, self.record = len(saved["numbers"]), int(saved["record"])
        assert 0 <= self.record <= self.count, "the event log"
        while self.count > len(self.numbers):
            self.grow()
        self.numbers[: self.count] = saved["numbers"]
        self.texts = [str(text) for text in saved["texts"]]

    def events(self) -> Events:
        return self.events_later()()

    def events_later(self) -> Callable[[], Events]:
        """What makes them of the log as it is now, once somebody asks. Copied unless it is about the end."""
        numbers = self.numbers[: self.count]
        kept = numbers if is_asked() else numbers.copy()
        return partial(_events, kept, once(_names, self.model), tuple(self.texts))


def _events(numbers: Vector, names: EventNames, texts: tuple[str, ...]) -> Events:
    return Events(numbers, replace(names, texts=texts))


def _reserve(model: CompiledModel, detail: bool) -> int:
    """Numbers that the causes of an event take at most; in a detailed log its rounds, too."""
    relations, samples = len(model.relations), len(model.samples)
    records = (
        4 + ZENO.most_left_out
    )  # what is left out, a motion that ends, the event, one that begins
    notes = records + 4 * relations + samples
    if detail:
        changes = relations + len(model.discrete) + len(model.reinits) + 1
        notes += LOG.rounds * changes
    return RECORD_HEAD * records + NOTE_WIDTH * notes


def _names(model: CompiledModel) -> EventNames:
    """Without the texts of a run."""
    by_slot = {v.slot: v for v in reversed(model.variables)}
    states = {info.slot: info.name for info in model.state_infos}
    values = []
    for slot, _ in model.discrete:
        found = by_slot.get(slot)
        is_discrete = found is not None and found.kind == "discrete"
        values.append(
            Named(found.name, found.type, found.literals) if found and is_discrete else Named("")
        )
    return EventNames(
        relations=tuple(r.expression or r.text for r in model.relations),
        values=tuple(values),
        states=tuple(states.get(slot, f"slot {slot}") for slot, _, _ in model.reinits),
        samples=tuple(f"sample {k + 1}" for k in range(len(model.samples))),
        surfaces=tuple(r.text for r in model.relations),
    )


# ---------------------------------------------------------------- kernels

notes = KernelModule("notes")


@notes.kernel
def has_room(loop: Loop) -> Int:
    """1: for what an event may say, so that it need not be undone for want of room."""
    return 1 if loop.log_count + loop.log_reserve <= loop.max_log else 0


@notes.kernel
def begin_record(loop: Loop, t: Float) -> None:
    place = loop.log_count
    loop.log_lacks = 0
    if place + RECORD_HEAD > loop.max_log:
        loop.log_lacks = 1
        return
    loop.log_record = place
    loop.log[place] = t
    loop.log[place + 1] = 0.0  # rounds
    loop.log[place + 2] = 0.0  # notes
    loop.log[place + 3] = 0.0  # the start of the run is a record of its own kind
    loop.log_count = place + RECORD_HEAD


@notes.kernel
def note(loop: Loop, kind: Int, number: Int, value: Float) -> None:
    place = loop.log_count
    if place + NOTE_WIDTH > loop.max_log:
        loop.log_lacks = 1
    if loop.log_lacks == 1:
        return
    loop.log[place] = float(kind)
    loop.log[place + 1] = float(number)
    loop.log[place + 2] = value
    loop.log[loop.log_record + 2] += 1.0
    loop.log_count = place + NOTE_WIDTH


@notes.kernel
def detail(loop: Loop, kind: Int, number: Int, value: Float) -> None:
    """A note for detailed logs."""
    if loop.log_detail == 1:
        note(loop, kind, number, value)
