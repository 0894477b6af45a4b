"""Faithful simulation: the messages of the abstract simulators, passed one by one and logged.

In: a `Coupled`. Out: an `Outcome`, and every message handed to `log`. Results are those of the
coordinators in `classic` and `parallel`, which pass no messages and are many times faster; this
form exists for logs and for showing how the hierarchy works.

    log: list[Message] = []
    simulate_messages(model, until=10.0, log=log.append)
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Literal, final

from freewheel.devs.arriving import arriving
from freewheel.devs.cdpp.message_nodes import Message
from freewheel.devs.failures import (
    NAMED_AFTER,
    bad_time_advance,
    illegitimate,
    no_output,
    zero_time_limit,
)
from freewheel.devs.hierarchy import TOP, Hop, Node, hierarchy
from freewheel.devs.nodes import Atomic, Coupled, Event, TimedEvent
from freewheel.devs.run_nodes import Outcome, Transition, Watch

Log = Callable[[Message], None]


def simulate_messages(
    model: Coupled,
    until: float,
    *,
    coordinator: Literal["classic", "parallel"] = "classic",
    events: Iterable[TimedEvent] = (),
    log: Log | None = None,
    watch: Watch | None = None,
    max_messages: float = math.inf,
) -> Outcome:
    """Run up to and including `until`."""
    run = _Run(model, coordinator == "parallel", log or _forget, watch)
    reason = run.until(until, arriving(model, events), max_messages)
    states = {run.nodes[n].path: run.states[n] for n in run.atomics}
    return Outcome(run.time, reason, tuple(run.outputs), states, run.internal, run.external)


def _forget(message: Message) -> None:
    return None


@final
class _Run:
    """The state of all simulators and coordinators, and the queue of messages."""

    def __init__(self, model: Coupled, parallel: bool, log: Log, watch: Watch | None) -> None:
        self.nodes = hierarchy(model)
        self.parallel = parallel
        self.log = log
        self.watch = watch
        self.time = 0.0
        self.outputs: list[TimedEvent] = []
        self.internal = self.external = self.passed = self.repeats = 0
        self.looping: list[str] = []
        self.queue: deque[Message] = deque()
        count = len(self.nodes)
        self.atomics = [n for n in range(TOP, count) if isinstance(self.nodes[n].model, Atomic)]
        self.limit = zero_time_limit(len(self.atomics))
        self.states: list[Any] = [None] * count
        self.last = [0.0] * count
        self.due = [math.inf] * count
        self.pending = [0] * count  # answers a coordinator waits for
        self.bags: list[list[Event]] = [[] for _ in range(count)]
        self.has_input = [False] * count

    def until(self, end: float, coming: list[TimedEvent], max_messages: float) -> str:
        self._send("I", 0, TOP)
        self._drain()
        arrived = 0
        while True:
            next_event = coming[arrived][0] if arrived < len(coming) else math.inf
            time = min(self.due[TOP], next_event)
            if time == math.inf:
                return "passive"
            if time > end:
                return "until"
            if self.passed >= max_messages:
                return "limit"
            self._count_repeats(time)
            if self.parallel:
                arrived = self._step_parallel(coming, arrived)
            else:
                arrived = self._step_classic(coming, arrived)

    def _step_classic(self, coming: list[TimedEvent], arrived: int) -> int:
        """One event from outside, or one imminent model; gives how many events have arrived."""
        if arrived < len(coming) and coming[arrived][0] == self.time:
            self._send("X", 0, TOP, *coming[arrived][1:])
            arrived += 1
        else:
            self._send("*", 0, TOP)
        self._drain()
        return arrived

    def _step_parallel(self, coming: list[TimedEvent], arrived: int) -> int:
        """All events and all imminent models: outputs first, then transitions."""
        while arrived < len(coming) and coming[arrived][0] == self.time:
            self._send("X", 0, TOP, *coming[arrived][1:])
            arrived += 1
        self._drain()
        if self.due[TOP] == self.time:
            self._send("@", 0, TOP)
            self._drain()
        self._send("*", 0, TOP)
        self._drain()
        return arrived

    def _count_repeats(self, time: float) -> None:
        self.repeats = self.repeats + 1 if time == self.time else 0
        self.time = time
        if self.repeats > self.limit:
            self.looping += [self.nodes[n].path for n in self.atomics if self.due[n] == time]
            if self.repeats > self.limit + NAMED_AFTER:
                raise illegitimate(time, self.looping)

    def _send(self, kind: str, source: int, target: int, port: str = "", value: Any = None) -> None:
        parties = self.nodes[source].party, self.nodes[target].party
        self.queue.append(Message(kind, self.time, *parties, port, value))

    def _done(self, number: int) -> None:
        node = self.nodes[number]
        wait = self.due[number] - self.time if self.due[number] < math.inf else math.inf
        parent = self.nodes[node.parent].party
        self.queue.append(Message("D", self.time, node.party, parent, next_time=wait))

    def _drain(self) -> None:
        while self.queue:
            message = self.queue.popleft()
            self.log(message)
            self.passed += 1
            number = message.target.number
            if number == 0:
                if message.kind == "Y":
                    self.outputs.append((self.time, message.port, message.value))
            elif isinstance(self.nodes[number].model, Coupled):
                self._coordinate(number, self.nodes[number], message)
            else:
                self._simulate(number, self.nodes[number].model, message)

    def _coordinate(self, number: int, node: Node, message: Message) -> None:
        if message.kind == "D":
            self.pending[number] -= 1
        elif message.kind == "Y":
            self._route(number, node, message)
        elif message.kind == "X":
            self._forward(number, node.inward.get(message.port, ()), message.value)
            self.has_input[number] = True
            if self.parallel:
                return
        else:
            for part in self._told(number, node, message.kind):
                self.pending[number] += 1
                self._send(message.kind, number, part)
        if self.pending[number] == 0 and message.kind != "Y":
            self.due[number] = min((self.due[part] for part in node.parts), default=math.inf)
            self._done(number)

    def _told(self, number: int, node: Node, kind: str) -> list[int]:
        """Parts that an I, @ or * goes to."""
        if kind == "I":
            return list(node.parts)
        imminent = [part for part in node.parts if self.due[part] == self.time]
        if kind == "@":
            return imminent
        if self.parallel:
            self.has_input[number] = False
            return [p for p in node.parts if self.due[p] == self.time or self.has_input[p]]
        select = node.model.select if isinstance(node.model, Coupled) else None
        if select is None or len(imminent) == 1:
            return imminent[:1]
        chosen = select(tuple(self.nodes[part].party.name for part in imminent))
        return [part for part in imminent if self.nodes[part].party.name == chosen]

    def _route(self, number: int, node: Node, message: Message) -> None:
        key = (message.source.number, message.port)
        self._forward(number, node.sideways.get(key, ()), message.value)
        for _, port, translate in node.outward.get(key, ()):
            value = message.value if translate is None else translate(message.value)
            self._send("Y", number, node.parent, port, value)

    def _forward(self, number: int, hops: Iterable[Hop], value: Any) -> None:
        for target, port, translate in hops:
            if not self.parallel:
                self.pending[number] += 1
            moved = value if translate is None else translate(value)
            self._send("X", number, target, port, moved)

    def _simulate(self, number: int, model: Any, message: Message) -> None:
        if message.kind == "I":
            self.states[number] = model.start()
            self._settle(number, model, "start", ())
        elif message.kind == "X" and self.parallel:
            self.bags[number].append((message.port, message.value))
            self.has_input[number] = True
        elif message.kind == "X":
            self.external += 1
            bag = ((message.port, message.value),)
            elapsed = self.time - self.last[number]
            self.states[number] = model.external(self.states[number], elapsed, bag)
            self._settle(number, model, "external", bag)
        elif message.kind == "@":
            self._output(number, model)
            self._done(number)
        elif self.parallel:
            self._move(number, model)
        else:
            self._output(number, model)
            self.internal += 1
            self.states[number] = model.internal(self.states[number])
            self._settle(number, model, "internal", ())

    def _output(self, number: int, model: Any) -> None:
        for port, value in model.output(self.states[number]):
            if port not in model.outputs:
                raise no_output(self.nodes[number].path, model.outputs, self.time, port)
            self._send("Y", number, self.nodes[number].parent, port, value)

    def _move(self, number: int, model: Any) -> None:
        """A transition of the parallel kind, by what has happened to the model."""
        bag, self.bags[number] = tuple(self.bags[number]), []
        self.has_input[number] = False
        is_imminent, state = self.due[number] == self.time, self.states[number]
        self.internal += is_imminent
        self.external += bool(bag)
        if is_imminent and bag:
            kind, self.states[number] = "confluent", model.confluent(state, bag)
        elif is_imminent:
            kind, self.states[number] = "internal", model.internal(state)
        else:
            elapsed = self.time - self.last[number]
            kind, self.states[number] = "external", model.external(state, elapsed, bag)
        self._settle(number, model, kind, bag)

    def _settle(self, number: int, model: Any, kind: str, bag: tuple[Event, ...]) -> None:
        advance = model.time_advance(self.states[number])
        if not advance >= 0.0:
            raise bad_time_advance(self.nodes[number].path, self.time, advance)
        self.last[number] = self.time
        self.due[number] = self.time + advance
        self._done(number)
        if self.watch is not None:
            path, state = self.nodes[number].path, self.states[number]
            self.watch(Transition(self.time, path, kind, bag, state, self.due[number]))
