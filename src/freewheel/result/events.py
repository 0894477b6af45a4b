"""Events of a run: when, why and what followed, in the words of the hybrid paper.

    for event in result.events:
        print(event)                # Expression x - 1 became 1.110E-16 (> 0) at time = 0.5
    print("\n".join(result.events.log()))

A run notes events as plain numbers, so that compiled code can do it too; names come in when somebody
looks. A record is `time, rounds, count, is_start` and `count` notes of `kind, number, value`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.float64]

RECORD_HEAD, NOTE_WIDTH = 4, 3
MOST_TOGETHER = 1 << 16  # records

# Causes of an event.
CROSSED = 1  # a relation; its residual
DUE = 2  # a sample
TOLD = 3  # something else, told by a text
# Motions held on surfaces of relations: one that is left, and what a hold does with each of the others.
SURFACE_LEFT, SLIDING, RESTING = 4, 5, 6
AT_REST = 7  # the notes after it tell where
# What followed.
INITIALLY = 11  # a relation at the start; its residual
FOLLOWED = 12  # a relation changed while the equations were iterated; its residual
CHANGED = 13  # a discrete variable; its value
JUMPED = 14  # a state, by `reinit`; its value
ITERATED = 15
HELD_CAUSES = (SURFACE_LEFT, SLIDING, RESTING, AT_REST)
TOLD_CAUSES = (CROSSED, DUE, TOLD, *HELD_CAUSES)
KINDS = {
    CROSSED: "crossing",
    DUE: "sample",
    TOLD: "cause",
    SURFACE_LEFT: "cause",
    INITIALLY: "initially",
    FOLLOWED: "relation",
    CHANGED: "variable",
    JUMPED: "state",
    ITERATED: "iteration",
}
# Times that differ by rounding only; and how long what grows from zero may be hidden by rounding, as
# a share of the time since the event before.
ROUNDING = 4.0 * float(np.finfo(np.float64).eps)
GROWING = 1e-6
ITERATING = "Iterating to find consistent restart conditions."
CONTINUING = "Continuing after event."


@dataclass(frozen=True, slots=True)
class Named:
    """A discrete variable as its values are told; without a name it is nobody's business."""

    name: str
    type: str = "Real"
    literals: tuple[str, ...] = ()

    def told(self, value: float) -> str:
        if self.type == "Boolean":
            return "True" if value >= 0.5 else "False"
        number = int(value) if value == value and abs(value) < 1e18 else 0
        if self.literals and 1 <= number <= len(self.literals):
            return self.literals[number - 1]
        if self.type == "Integer":
            return str(number)
        return f"{value:.9g}"


@dataclass(frozen=True, slots=True)
class EventNames:
    """What the numbers of notes stand for."""

    relations: tuple[str, ...] = ()
    values: tuple[Named, ...] = ()
    states: tuple[str, ...] = ()  # that `reinit` sets
    samples: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()  # of the relations
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    kind: str
    name: str = ""
    value: float = 0.0
    text: str = ""  # without the time


@dataclass(frozen=True, slots=True)
class Event:
    time: float
    causes: tuple[str, ...]
    rounds: int = 1  # of the discrete equations
    notes: tuple[Note, ...] = ()  # what followed, if that was asked for

    def __str__(self) -> str:
        return f"{'; '.join(self.causes) or 'event'} at time = {self.time:.9g}"

    def lines(self) -> Iterator[str]:
        """The paper's event log."""
        at = f" at time = {self.time:.3E}."
        yield from (cause + at for cause in self.causes)
        for note in self.notes:
            if note.kind != KINDS[FOLLOWED]:
                yield note.text
            elif note.value != 0.0:  # coming to rest on zero is no news
                yield note.text + at
        yield CONTINUING

    def as_json(self) -> dict[str, Any]:
        notes = [
            {"kind": n.kind, "name": n.name, "value": n.value}
            for n in self.notes
            if n.kind != KINDS[ITERATED]
        ]
        return {
            "time": self.time,
            "causes": list(self.causes),
            "rounds": self.rounds,
            "changes": notes,
        }


NO_NAMES = EventNames()


class Events(Sequence[Event]):
    """All events of a run but its start; each is read when it is asked for.

    Records of relations whose times differ by rounding only are one event, and so are those so near
    that it took only the digits of a difference: friction that breaks loose at a zero velocity has a
    velocity a moment later. The log tells them one by one.
    """

    def __init__(self, numbers: Vector | None = None, names: EventNames = NO_NAMES) -> None:
        self._noted = np.zeros(0) if numbers is None else numbers
        self._ordered: Vector | None = None
        self._names = names
        self._starts: list[list[int]] | None = None

    def __repr__(self) -> str:
        return f"Events({len(self)} events)"

    @property
    def _numbers(self) -> Vector:
        if self._ordered is None:
            self._ordered = _in_order(self._noted)
        return self._ordered

    @property
    def times(self) -> Vector:
        return self._numbers[[places[0] for places in self._places()]]

    @property
    def start(self) -> Event | None:
        """How relations and discrete variables began, where that was kept."""
        is_kept = len(self._numbers) > 0 and self._numbers[3] == 1.0
        found = self._read(0) if is_kept else None
        return found if found is not None and found.notes else None

    def log(self) -> Iterator[str]:
        """The whole event log, line by line."""
        return event_log(self)

    def records(self) -> Iterator[Event]:
        """Each as it was noted."""
        return (self._read(place) for places in self._places() for place in places)

    def _places(self) -> list[list[int]]:
        """Where the records of each event begin."""
        if self._starts is None:
            self._starts, place, end = [], 0, len(self._numbers)
            numbers = self._numbers
            last = first = earlier = numbers[0] if end > 0 else 0.0
            while place < end:
                at = numbers[place]
                if numbers[place + 3] == 0.0:
                    is_near = at - first <= GROWING * (first - earlier)
                    is_near = is_near or at - last <= ROUNDING * abs(at)
                    if self._starts and is_near and self._goes_on(self._starts[-1][-1], place):
                        self._starts[-1].append(place)
                    else:
                        self._starts.append([place])
                        earlier, first = first, at
                    last = at
                place += RECORD_HEAD + NOTE_WIDTH * int(numbers[place + 2])
        return self._starts

    def _goes_on(self, before: int, place: int) -> bool:
        """Whether a record goes on with the one before it: relations, and what is told of them."""
        return self._causes(before) == {CROSSED} and self._causes(place) in ({CROSSED}, {TOLD})

    def _causes(self, place: int) -> set[float]:
        count = int(self._numbers[place + 2])
        kinds = self._numbers[place + RECORD_HEAD :: NOTE_WIDTH][:count].tolist()
        return {TOLD if kind in HELD_CAUSES else kind for kind in kinds if kind in TOLD_CAUSES}

    def _event(self, places: Sequence[int]) -> Event:
        first, *others = (self._read(place) for place in places)
        if not others:
            return first
        together = (first, *others)
        is_told = self._causes(places[-1]) == {TOLD}  # that says more than what crossed
        causes = [others[-1]] if is_told else together
        return Event(
            first.time,
            tuple(dict.fromkeys(cause for event in causes for cause in event.causes)),
            sum(event.rounds for event in together),
            tuple(note for event in together for note in event.notes),
        )

    def _read(self, place: int) -> Event:
        t, rounds, count, _ = self._numbers[place : place + RECORD_HEAD].tolist()
        begin = place + RECORD_HEAD
        end = begin + NOTE_WIDTH * int(count)
        causes: list[str] = []
        notes: list[Note] = []
        parts: dict[int, list[int]] = {}  # of a hold
        for kind, number, value in self._numbers[begin:end].reshape(-1, NOTE_WIDTH).tolist():
            if int(kind) in (SLIDING, RESTING, AT_REST):
                parts.setdefault(int(kind), []).append(int(number))
                continue
            note = _note(self._names, int(kind), int(number), value)
            if note is None:
                continue
            if int(kind) in TOLD_CAUSES:
                causes.append(note.text)
            else:
                notes.append(note)
        if parts:
            said = hold_text(self._names.surfaces, parts.get(SLIDING, ()), parts.get(RESTING, ()))
            causes.append(f"at rest: {said}" if AT_REST in parts else said)
        return Event(t, tuple(dict.fromkeys(causes)), int(rounds), tuple(notes))

    def __len__(self) -> int:
        return len(self._places())

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        if isinstance(index, slice):
            return [self._event(places) for places in self._places()[index]]
        return self._event(self._places()[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)


def _in_order(numbers: Vector) -> Vector:
    """Impacts that were left out are told when things rest, after what has happened since."""
    places = _record_places(numbers)
    order = np.argsort(numbers[places], kind="stable")
    if np.array_equal(order, np.arange(len(order))):
        return numbers
    ends = [*places[1:].tolist(), len(numbers)]
    return np.concatenate([numbers[places[k] : ends[k]] for k in order])


def _record_places(numbers: Vector) -> npt.NDArray[np.intp]:
    """Where records begin. Many in a row have as many notes: these are gone through together."""
    found: list[int] = []
    place, last, look = 0, 0, 1
    while place < len(numbers):
        notes = numbers[place + 2]
        width = RECORD_HEAD + NOTE_WIDTH * int(notes)
        look = min(2 * look, MOST_TOGETHER) if width == last else 1
        run = 1
        if look > 1:
            others = numbers[place + 2 :: width][:look]
            alike = others == notes
            run = look = len(others) if alike.all() else int(np.argmin(alike))
        found.extend(range(place, place + run * width, width))
        place, last = place + run * width, width
    return np.array(found, np.intp)


def event_log(events: Sequence[Event]) -> Iterator[str]:
    """The lines of all events; those of the start where they were kept."""
    if isinstance(events, Events) and events.start is not None:
        yield from events.start.lines()
    for event in events.records() if isinstance(events, Events) else events:
        yield from event.lines()


def _note(names: EventNames, kind: int, number: int, value: float) -> Note | None:
    """A note with its name; None where it concerns nobody."""
    told = KINDS[kind]
    if kind in (CROSSED, FOLLOWED):
        name = names.relations[number]
        return Note(told, name, value, f"Expression {name} became {value:.3E} ({_sign(value)} 0)")
    if kind == INITIALLY:
        name = names.relations[number]
        shown = _sign(value).replace("=", "==")
        return Note(told, name, value, f"Expression {name} is initially {value:.3E} ({shown} 0).")
    if kind == DUE:
        return Note(told, names.samples[number], value, "a sample is due")
    if kind == CHANGED:
        known = names.values[number]
        text = f"Variable {known.name} changed to {known.told(value)}"
        return Note(told, known.name, value, text) if known.name else None
    if kind == JUMPED:
        name = names.states[number]
        return Note(told, name, value, f"State {name} jumped to {value:.9g}")
    if kind == TOLD:
        return Note(told, "", value, names.texts[number])
    if kind == SURFACE_LEFT:
        return Note(told, "", value, f"{surface_text(names.surfaces[number])} is left")
    return Note(told, text=ITERATING)


def surface_text(relation: str) -> str:
    return f"the surface of `{relation}`"


def hold_text(surfaces: Sequence[str], sliding: Sequence[int], resting: Sequence[int]) -> str:
    """What a held motion does, by the numbers of relations."""
    parts = (("sliding along", sliding), ("resting on", resting))
    listed = ((verb, [surface_text(surfaces[i]) for i in numbers]) for verb, numbers in parts)
    return ", ".join(f"{verb} {' and '.join(texts)}" for verb, texts in listed if texts)


def _sign(value: float) -> str:
    return ">" if value > 0.0 else "<" if value < 0.0 else "="
