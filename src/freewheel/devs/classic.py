"""The classic coordinator: one imminent model at a time, chosen by `select`.

In: a `Closed` model and events from outside. Out: states, outputs, counts, while `run` goes on.
The chosen model gives its output, receivers take one external transition for each event, then the
chosen model takes its internal transition. Where a coupled model has no `select` of its own, the
order of its components decides: the heap gives that for nothing.

Zeigler, Praehofer, Kim, "Theory of Modeling and Simulation", 2nd ed., section 8.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from typing import Any, final

from freewheel.devs.closed import Closed, Route
from freewheel.devs.failures import (
    NAMED_AFTER,
    bad_time_advance,
    illegitimate,
    no_output,
    zero_time_limit,
)
from freewheel.devs.going import go
from freewheel.devs.nodes import Events, TimedEvent
from freewheel.devs.run_nodes import Transition, Watch


@final
class ClassicCoordinator:
    """A run; `run` may be called again with a later time."""

    def __init__(
        self, closed: Closed, events: Iterable[TimedEvent] = (), watch: Watch | None = None
    ) -> None:
        self.closed = closed
        self.watch = watch
        self.time = 0.0
        self.states: list[Any] = [model.start() for model in closed.models]
        self.outputs: list[TimedEvent] = []
        self.internal = 0
        self.external = 0
        self._arriving = list(events)
        self._arrived = 0
        self.running = len(closed.models)  # whose code is running, for what is told when it fails
        self._repeats = 0
        self._looping: dict[str, None] = {}
        self._limit = zero_time_limit(len(closed.models))
        self._last = [0.0] * len(closed.models)
        self._next = [math.inf] * len(closed.models)
        self._heap: list[tuple[float, int]] = []
        self._advance_of = [model.time_advance for model in closed.models]
        self._external_of = [model.external for model in closed.models]
        for number in range(len(closed.models)):
            self._settle(number, 0.0, "start", ())
        heapify(self._heap)

    def next_time(self) -> float:
        """When something happens next; infinite if nothing will."""
        heap, next_times = self._heap, self._next
        while heap and next_times[heap[0][1]] != heap[0][0]:
            heappop(heap)  # the model was given another time since
        coming = heap[0][0] if heap else math.inf
        if self._arrived < len(self._arriving):
            return min(coming, self._arriving[self._arrived][0])
        return coming

    def run(
        self,
        until: float,
        max_transitions: float = math.inf,
        stop_when: Callable[[ClassicCoordinator], bool] | None = None,
    ) -> str:
        """Go on up to and including `until`; say why it ended."""
        return go(self, until, max_transitions, stop_when)

    def step(self, time: float) -> None:
        """One event from outside, or else one imminent model."""
        self._count_repeats(time)
        if self._arrived < len(self._arriving) and self._arriving[self._arrived][0] == time:
            _, port, value = self._arriving[self._arrived]
            self._arrived += 1
            self._deliver(time, value, self.closed.inputs[port])
        else:
            self._fire(time, self._chosen(time))
        self.running = len(self.closed.models)

    def _fire(self, time: float, number: int) -> None:
        """Output, then the receivers' transitions, then its own."""
        self.running = number
        model, routes = self.closed.models[number], self.closed.routes[number]
        for port, value in model.output(self.states[number]):
            if port not in routes:
                raise self._no_output(number, port)
            self._deliver(time, value, routes[port])
        self.running = number
        self.states[number] = model.internal(self.states[number])
        self.internal += 1
        self._settle(number, time, "internal", ())

    def _deliver(self, time: float, value: Any, routes: Iterable[Route]) -> None:
        """One event to everyone who is coupled to where it comes from."""
        states, outside = self.states, len(self.closed.models)
        for target, inlet, translate in routes:
            moved = value if translate is None else translate(value)
            if target == outside:
                self.outputs.append((time, inlet, moved))
                continue
            self.running = target
            events = ((inlet, moved),)
            states[target] = self._external_of[target](
                states[target], time - self._last[target], events
            )
            self.external += 1
            self._settle(target, time, "external", events)

    def _settle(self, number: int, time: float, kind: str, events: Events) -> None:
        """A new state: when does it end?"""
        advance = self._advance_of[number](self.states[number])
        if not advance >= 0.0:
            raise bad_time_advance(self.closed.names[number], time, advance)
        self._last[number] = time
        due = time + advance
        if due != self._next[number] or kind == "internal":
            self._next[number] = due
            if due < math.inf:
                heappush(self._heap, (due, number))
        if self.watch is not None:
            name, state = self.closed.names[number], self.states[number]
            self.watch(Transition(time, name, kind, events, state, due))

    def _chosen(self, time: float) -> int:
        """The imminent model that goes first."""
        if not self.closed.selects:
            return heappop(self._heap)[1]
        imminent = set()
        while self._heap and self._heap[0][0] == time:
            number = heappop(self._heap)[1]
            if self._next[number] == time:
                imminent.add(number)
        chosen = self._selected(sorted(imminent))
        for number in imminent - {chosen}:
            heappush(self._heap, (time, number))
        return chosen

    def _selected(self, imminent: list[int]) -> int:
        """Ask the coupled models from the outermost inward."""
        names, path = self.closed.names, ""
        while len(imminent) > 1:
            depth = path.count(".") + 1 if path else 0
            parts = tuple(dict.fromkeys(names[number].split(".")[depth] for number in imminent))
            select = self.closed.selects.get(path)
            part = parts[0] if select is None or len(parts) == 1 else select(parts)
            path = f"{path}.{part}" if path else part
            imminent = [n for n in imminent if f"{names[n]}.".startswith(f"{path}.")]
        return imminent[0]

    def _no_output(self, number: int, port: object) -> Exception:
        outputs = self.closed.models[number].outputs
        return no_output(self.closed.names[number], outputs, self.time, port)

    def _count_repeats(self, time: float) -> None:
        if time > self.time:
            self._repeats = 0
            self.time = time
            return
        self._repeats += 1
        if self._repeats > self._limit:
            self._looping[self.closed.names[self._heap[0][1]]] = None
            if self._repeats > self._limit + NAMED_AFTER:
                raise illegitimate(time, self._looping)
