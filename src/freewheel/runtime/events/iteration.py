"""The event iteration as Python calls it: allocation, messages of the model, failures as diagnostics.

    iteration = EventIteration(discrete, space, most_rounds=100)
    rounds = iteration.settle(t, y, once=False)      # 0: `iteration.failure()` is the reason
    iteration.messages                               # messages of each round

The kernels are those of `events/iteration_kernels.py` and `events/status_search.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Label, Severity, SimulationError
from freewheel.base.source import NOWHERE
from freewheel.machine.memory import bind
from freewheel.runtime.callbacks import Callbacks
from freewheel.runtime.diagnostics import discrete_flips
from freewheel.runtime.events.discrete import Discrete, evaluate_discrete, texts_of
from freewheel.runtime.events.iteration_kernels import (
    ENDLESS,
    NO_RESIDUALS,
    NO_SOLUTION,
    RELATIONS_FLIP,
    iteration,
)
from freewheel.runtime.events.status_search import status_search
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.model import CompiledModel, Mask, Vector

MESSAGE_FUNCTIONS = ("forget_messages", "collect_messages", "drop_last_messages")
MEMORIES = 4  # that kernels keep in `Loop.tried`


class MessageCollector:
    """C functions that take the messages of a model, for the run that has its code."""

    def __init__(self, model: CompiledModel) -> None:
        self.messages: list[Sequence[Diagnostic]] = []  # of each point where there are some
        self.callbacks = Callbacks()
        self.functions = self._functions(model)

    def _functions(self, model: CompiledModel) -> Mapping[str, int]:
        take, collected = model.messages, self.messages
        if take is None:
            nothing = driver.address("nothing")
            return dict.fromkeys(MESSAGE_FUNCTIONS, nothing)

        def forget() -> int:
            take()
            return 0

        def collect() -> int:
            """1: there is an error among them."""
            collected.append(take())
            return int(any(message.severity is Severity.ERROR for message in collected[-1]))

        def drop_last() -> int:
            collected.pop()
            return 0

        made = [self.callbacks.made(function) for function in (forget, collect, drop_last)]
        return dict(zip(MESSAGE_FUNCTIONS, made, strict=True))

    def taken(self) -> list[Sequence[Diagnostic]]:
        """What kernels have collected; nothing is left of it."""
        found = self.messages.copy()
        self.messages.clear()
        return found

    def clear(self) -> None:
        """A new run begins."""
        self.messages.clear()
        self.callbacks.forget()


class EventIteration:
    def __init__(
        self,
        discrete: Discrete,
        space: Workspace,
        most_rounds: int,
        known: MessageCollector | None = None,
    ) -> None:
        """`known`: of a run before, from which the record is copied."""
        self.discrete = discrete
        self.space = space
        self.live = discrete.live
        self.callbacks = Callbacks()
        self.collector = MessageCollector(self.live.model) if known is None else known
        self.messages = self.collector.messages
        if known is None:
            make_room(discrete, space, most_rounds)
            bind(space.loop, **self.collector.functions)
        self._bind_search()

    def _bind_search(self) -> None:
        """The search is compiled when a run first needs it; from then on kernels call it directly."""
        name, loop = "agree_thoroughly", self.space.loop
        if status_search.has_code:
            bind(loop, agree_thoroughly=status_search.address(name))
            return

        def first_time(address: int) -> int:
            bind(loop, agree_thoroughly=status_search.address(name))
            return int(status_search.callable(name)(address))

        bind(loop, agree_thoroughly=self.callbacks.made_with_address(first_time))

    def check(self) -> None:
        """Raise what a function has raised that a kernel called."""
        self.callbacks.check()
        self.collector.callbacks.check()

    def settle(self, t: float, y: Vector | None, once: bool) -> int:
        """The rounds until nothing changes, or 0. `y`: states at which the event begins; None where it goes
        on."""
        loop = self.space.loop
        self.messages.clear()
        loop.collected = 0
        self.live.forget_messages()  # of trial points
        loop.collects = 1
        if y is not None:
            loop.trial[:] = y
            iteration.callable("begin_event")(self.space.address, t)
        rounds = int(iteration.callable("settle")(self.space.address, int(once)))
        loop.collects = 0
        return rounds

    def failure(self) -> SimulationError:
        """After `settle` gave 0, with the memory as it left it."""
        outcome, loop, live = self.space.loop.iteration_outcome, self.space.loop, self.live
        try:
            if outcome == NO_SOLUTION:
                live.memory[:] = np.asarray(loop.failing)
                evaluate_discrete(self.discrete)
            elif outcome == NO_RESIDUALS:
                live.run("relations")
        except SimulationError as problem:
            return problem
        assert outcome in (RELATIONS_FLIP, ENDLESS), f"outcome {outcome} of an event iteration"
        return self._flips(outcome)

    def _flips(self, outcome: int) -> SimulationError:
        discrete, live, loop = self.discrete, self.live, self.space.loop
        touched = np.asarray(loop.touched) == 1
        detail, loop.log_detail = loop.log_detail, 0
        status_search.callable("mark_changing")(self.space.address)
        loop.log_detail = detail
        self.check()
        changing: Mask = np.asarray(loop.changing) == 1
        names, labels = discrete.names(changing), discrete.labels(changing)
        if outcome == RELATIONS_FLIP:
            spans = [live.model.relations[i].span for i in np.flatnonzero(touched)]
            labels = [Label(span, "it flips") for span in spans if span is not NOWHERE]
            names += texts_of(live, touched)
        return discrete_flips(live.time, loop.most_rounds, names, labels)


def lengths_of(live: LiveModel, most_rounds: int) -> dict[str, Any]:
    """Of the arrays of the iteration: they are cheapest where the record is allocated."""
    model, size = live.model, len(live.memory)
    wide = len(model.discrete) + len(model.relations)
    return {
        "pairs": len(model.discrete),
        "reinits": len(model.reinits),
        "branches": len(model.branches),
        "component_count": len(model.discrete),
        "tried_size": MEMORIES * size,
        "failing_size": size,
        "snapshot_size": (most_rounds + 2) * wide,
    }


def make_room(discrete: Discrete, space: Workspace, most_rounds: int) -> None:
    """Slots of the discrete variables of a model, and room for trials."""
    live, loop = discrete.live, space.loop
    lengths = lengths_of(live, most_rounds)
    space.resize(**{name: size for name, size in lengths.items() if getattr(loop, name) != size})
    loop.most_rounds, loop.moves_values = most_rounds, 1
    loop.pair_slots[:] = [*discrete.values.tolist(), *discrete.pre.tolist()]
    loop.reinit_slots[:] = [slot for triple in live.model.reinits for slot in triple]
    loop.margins[:] = discrete.margin
    loop.branch_slots[:] = [slot for _, *two in live.model.branches for slot in two]
