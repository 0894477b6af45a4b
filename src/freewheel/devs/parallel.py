"""The parallel coordinator: all imminent models go at once, events arrive in bags.

In: a `Closed` model and events from outside. Out: states, outputs, counts, while `run` goes on.
At each time: every imminent model gives its output; then models that only receive take their
external transition, those that only were imminent the internal, those that are both the confluent
one. Models are visited in order of precedence, so runs repeat bit by bit.

Chow and Zeigler, "Parallel DEVS", Winter Simulation Conference 1994.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from typing import Any, final

from freewheel.devs.closed import Closed
from freewheel.devs.failures import (
    NAMED_AFTER,
    bad_time_advance,
    illegitimate,
    no_output,
    zero_time_limit,
)
from freewheel.devs.going import go
from freewheel.devs.nodes import Event, TimedEvent
from freewheel.devs.run_nodes import Transition, Watch


@final
class ParallelCoordinator:
    """A run; `run` may be called again with a later time."""

    def __init__(
        self, closed: Closed, events: Iterable[TimedEvent] = (), watch: Watch | None = None
    ) -> None:
        count = len(closed.models)
        self.closed = closed
        self.watch = watch
        self.time = 0.0
        self.states: list[Any] = [model.start() for model in closed.models]
        self.outputs: list[TimedEvent] = []
        self.internal = 0
        self.external = 0
        self._arriving = list(events)
        self._arrived = 0
        self._repeats = 0
        self._looping: dict[str, None] = {}
        self._limit = zero_time_limit(len(closed.models))
        self.running = count  # whose code is running, for what is told when it fails
        self._last = [0.0] * count
        self._next = [math.inf] * count
        # Models that share a time share a bucket: one entry in the heap for many of them.
        self._buckets: dict[float, list[int]] = {}
        self._times: list[float] = []
        self._bags: list[list[Event] | None] = [None] * (count + 1)
        self._bind()
        for number in range(count):
            self._schedule_first(number)
        heapify(self._times)

    def _bind(self) -> None:
        """Look the methods up once; models that stand at several places share them."""
        found: dict[int, tuple[Callable[..., Any], ...]] = {}
        for each in self.closed.models:
            if id(each) not in found:
                found[id(each)] = (
                    each.output, each.internal, each.external, each.confluent, each.time_advance
                )  # fmt: skip
        methods = [found[id(each)] for each in self.closed.models]
        self._output_of = [each[0] for each in methods]
        self._internal_of = [each[1] for each in methods]
        self._external_of = [each[2] for each in methods]
        self._confluent_of = [each[3] for each in methods]
        self._advance_of = [each[4] for each in methods]

    def _schedule_first(self, number: int) -> None:
        advance = self._advance_of[number](self.states[number])
        if not advance >= 0.0:
            raise bad_time_advance(self.closed.names[number], 0.0, advance)
        self._next[number] = advance
        if advance in self._buckets:
            self._buckets[advance].append(number)
        elif advance < math.inf:
            self._buckets[advance] = [number]
            self._times.append(advance)
        if self.watch is not None:
            self._tell(number, "start", ())

    def next_time(self) -> float:
        """When something happens next; infinite if nothing will."""
        coming = self._times[0] if self._times else math.inf
        if self._arrived < len(self._arriving):
            return min(coming, self._arriving[self._arrived][0])
        return coming

    def run(
        self,
        until: float,
        max_transitions: float = math.inf,
        stop_when: Callable[[ParallelCoordinator], bool] | None = None,
    ) -> str:
        """Go on up to and including `until`; say why it ended."""
        return go(self, until, max_transitions, stop_when)

    def step(self, time: float) -> None:
        """Everything that happens together at this time."""
        imminent = self._imminent(time)
        receivers: list[int] = []
        if self._arrived < len(self._arriving):
            self._take_arriving(time, receivers)
        if not imminent and not receivers:
            return  # all models of the bucket were given other times since
        self._count_repeats(time, imminent)
        self._send(imminent, receivers)
        bags, outside = self._bags, len(self.closed.models)
        leaving = bags[outside]
        if leaving is not None:
            bags[outside] = None
            receivers.remove(outside)
            self.outputs += [(time, port, value) for port, value in leaving]
        self.internal += len(imminent)
        self.external += len(receivers)
        self._go_imminent(time, imminent)
        if receivers:
            receivers.sort()
            self._go_receivers(time, receivers)
        self.running = outside

    def _imminent(self, time: float) -> list[int]:
        if not self._times or self._times[0] != time:
            return []
        heappop(self._times)
        bucket, due = self._buckets.pop(time), self._next
        if len(bucket) == 1:
            return bucket if due[bucket[0]] == time else []
        return sorted({number for number in bucket if due[number] == time})

    def _take_arriving(self, time: float, receivers: list[int]) -> None:
        """Events from outside enter the bags before those of components."""
        arriving, bags = self._arriving, self._bags
        while self._arrived < len(arriving) and arriving[self._arrived][0] == time:
            _, port, value = arriving[self._arrived]
            self._arrived += 1
            for target, inlet, translate in self.closed.inputs[port]:
                bag = bags[target]
                if bag is None:
                    bag = bags[target] = []
                    receivers.append(target)
                bag.append((inlet, value if translate is None else translate(value)))

    def _send(self, imminent: list[int], receivers: list[int]) -> None:
        """Outputs go into the bags of those who are coupled to them."""
        states, bags, output_of = self.states, self._bags, self._output_of
        all_routes = self.closed.routes
        for number in imminent:
            self.running = number
            routes = all_routes[number]
            for port, value in output_of[number](states[number]):
                if port not in routes:
                    raise self._no_output(number, port)
                for target, inlet, translate in routes[port]:
                    sent = value if translate is None else translate(value)
                    bag = bags[target]
                    if bag is None:
                        bags[target] = [(inlet, sent)]
                        receivers.append(target)
                    else:
                        bag.append((inlet, sent))

    def _go_imminent(self, time: float, imminent: list[int]) -> None:
        states, bags, last, next_times = self.states, self._bags, self._last, self._next
        internal_of, advance_of = self._internal_of, self._advance_of
        buckets, watch = self._buckets, self.watch
        for number in imminent:
            self.running = number
            bag = bags[number]
            if bag is None:
                state = internal_of[number](states[number])
            else:
                bags[number] = None
                state = self._confluent_of[number](states[number], bag)
            states[number] = state
            last[number] = time
            advance = advance_of[number](state)
            if not advance >= 0.0:
                raise bad_time_advance(self.closed.names[number], time, advance)
            next_times[number] = due = time + advance
            if due in buckets:
                buckets[due].append(number)
            elif due < math.inf:
                buckets[due] = [number]
                heappush(self._times, due)
            if watch is not None:
                self._tell(number, "internal" if bag is None else "confluent", bag or ())

    def _go_receivers(self, time: float, receivers: list[int]) -> None:
        states, bags, last, next_times = self.states, self._bags, self._last, self._next
        external_of, advance_of = self._external_of, self._advance_of
        buckets, watch = self._buckets, self.watch
        for number in receivers:
            bag = bags[number]
            if bag is None:
                continue  # it was imminent, too
            self.running = number
            bags[number] = None
            state = external_of[number](states[number], time - last[number], bag)
            states[number] = state
            last[number] = time
            advance = advance_of[number](state)
            if not advance >= 0.0:
                raise bad_time_advance(self.closed.names[number], time, advance)
            due = time + advance
            if next_times[number] != due:
                next_times[number] = due
                if due in buckets:
                    buckets[due].append(number)
                elif due < math.inf:
                    buckets[due] = [number]
                    heappush(self._times, due)
            if watch is not None:
                self._tell(number, "external", bag)

    def _no_output(self, number: int, port: object) -> Exception:
        outputs = self.closed.models[number].outputs
        return no_output(self.closed.names[number], outputs, self.time, port)

    def _count_repeats(self, time: float, imminent: list[int]) -> None:
        if time > self.time:
            self._repeats = 0
            self.time = time
            return
        self._repeats += 1
        if self._repeats > self._limit:
            self._looping.update((self.closed.names[number], None) for number in imminent)
            if self._repeats > self._limit + NAMED_AFTER:
                raise illegitimate(time, self._looping)

    def _tell(self, number: int, kind: str, bag: Iterable[Event]) -> None:
        assert self.watch is not None
        name, state = self.closed.names[number], self.states[number]
        self.watch(Transition(self.time, name, kind, tuple(bag), state, self._next[number]))
