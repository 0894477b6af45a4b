"""The event iteration as Python sees it: kernels on the record of a time loop, failures as diagnostics.

    iteration = EventIteration(discrete, space, most_rounds=100)
    rounds = iteration.settle(t, y, once=False)      # 0: `iteration.failure()` says why
    iteration.heard                                  # messages of each round

The ways to a fixed point are those of `events/iteration_kernels.py` and `events/status_cycles.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Label, Severity, SimulationError
from freewheel.base.source import NOWHERE
from freewheel.machine.memory import bind
from freewheel.runtime.callbacks import Callbacks
from freewheel.runtime.diagnostics import discrete_flips
from freewheel.runtime.events.discrete import Discrete, evaluate_discrete, texts_of
from freewheel.runtime.events.iteration_kernels import settling
from freewheel.runtime.events.status_cycles import circles
from freewheel.runtime.events.status_update import (
    ENDLESS,
    NO_RESIDUALS,
    NO_SOLUTION,
    NOT_PLAIN,
    RELATIONS_FLIP,
)
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.model import Mask, Vector

MEMORIES = 4  # that kernels keep in `Loop.tried`


class EventIteration:
    def __init__(self, discrete: Discrete, space: Workspace, most_rounds: int) -> None:
        self.discrete = discrete
        self.space = space
        self.live = discrete.live
        self.heard: list[Sequence[Diagnostic]] = []
        self.callbacks = Callbacks()
        self._begin = settling.callable("begin_event")
        self._settle = settling.callable("settle")
        make_room(discrete, space, most_rounds)
        self._bind_search()
        self._bind_messages()

    def _bind_search(self) -> None:
        """Compiled when a run first needs it; from then on kernels call it themselves, friction does so at
        nearly every event."""
        name, loop = "agree_thoroughly", self.space.loop
        if circles.has_code:
            bind(loop, agree_thoroughly=circles.address(name))
            return

        def first_time(address: int) -> int:
            bind(loop, agree_thoroughly=circles.address(name))
            return int(circles.callable(name)(address))

        bind(loop, agree_thoroughly=self.callbacks.made_with_address(first_time))

    def _bind_messages(self) -> None:
        """C functions that know nothing of this object, which holds them."""
        said, heard = self.live.model.messages, self.heard
        if said is None:
            nothing = driver.address("nothing")
            bind(self.space.loop, forget_messages=nothing, collect_messages=nothing)
            return

        def forget() -> int:
            said()
            return 0

        def collect() -> int:
            """1: there is an error among them."""
            heard.append(said())
            return int(any(message.severity is Severity.ERROR for message in heard[-1]))

        made = self.callbacks.made
        bind(self.space.loop, forget_messages=made(forget), collect_messages=made(collect))

    def settle(self, t: float, y: Vector | None, once: bool) -> int:
        """The rounds it took. 0: it did not settle. `y`: states at which the event begins; None where it
        goes on."""
        loop, before = self.space.loop, self.live.memory.copy()
        mark, notes = loop.log_count, loop.log[loop.log_record + 2]
        loop.listens = 1
        rounds = self._once(t, y, once)
        if rounds == 0 and loop.iteration_outcome == NOT_PLAIN:
            self.live.memory[:] = before
            loop.log_count, loop.log[loop.log_record + 2] = mark, notes
            loop.is_thorough = 1
            rounds = self._once(t, y, once)
        loop.listens = loop.is_thorough = 0
        return rounds

    def _once(self, t: float, y: Vector | None, once: bool) -> int:
        self.heard.clear()
        self.live.forget_messages()  # of trial points
        if y is not None:
            self.space.loop.trial[:] = y
            if self._begin(self.space.address, t) != 0:
                return 0
        return int(self._settle(self.space.address, int(once)))

    # ------------------------------------------------------------ why it does not settle

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
        circles.callable("mark_changing")(self.space.address)
        loop.log_detail = detail
        self.callbacks.check()
        changing: Mask = np.asarray(loop.changing) == 1
        names, labels = discrete.names(changing), discrete.labels(changing)
        if outcome == RELATIONS_FLIP:
            spans = [live.model.relations[i].span for i in np.flatnonzero(touched)]
            labels = [Label(span, "it flips") for span in spans if span is not NOWHERE]
            names += texts_of(live, touched)
        return discrete_flips(live.time, loop.most_rounds, names, labels)


def lengths_of(live: LiveModel, most_rounds: int) -> dict[str, Any]:
    """Of the arrays that the iteration needs: cheapest where a record is made."""
    model, size = live.model, len(live.memory)
    wide = len(model.discrete) + len(model.relations)
    return {
        "pairs": len(model.discrete),
        "reinits": len(model.reinits),
        "branches": len(model.branches),
        "homes_size": len(model.discrete),
        "tried_size": MEMORIES * size,
        "failing_size": size,
        "snapshot_size": (most_rounds + 2) * wide,
    }


def make_room(discrete: Discrete, space: Workspace, most_rounds: int) -> None:
    """Slots of the discrete side of a model, and room for the ways that are tried."""
    live, loop = discrete.live, space.loop
    reinits = live.model.reinits
    lengths = lengths_of(live, most_rounds)
    space.resize(**{name: size for name, size in lengths.items() if getattr(loop, name) != size})
    loop.most_rounds, loop.moves_values = most_rounds, 1
    loop.pair_slots[:] = [*discrete.values.tolist(), *discrete.pre.tolist()]
    loop.reinit_slots[:] = [slot for triple in reinits for slot in triple]
    loop.margins[:] = discrete.margin
    loop.branch_slots[:] = [slot for _, *two in live.model.branches for slot in two]
