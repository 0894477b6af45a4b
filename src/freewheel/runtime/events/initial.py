"""The initial system, and statuses of relations that agree with its solution.

    initial_statuses(live, loop, most_rounds)

The ways to statuses that agree are those of an event (`events/iteration_kernels.py`,
`events/status_cycles.py`); the equations are the initial system, and no value has a memory yet that could
move with the statuses.
"""

from __future__ import annotations

import numpy as np

from freewheel.base.diagnostics import SimulationError
from freewheel.machine.memory import bind
from freewheel.runtime.callbacks import Callbacks
from freewheel.runtime.diagnostics import relations_flip_at_start
from freewheel.runtime.events.discrete import corner_relations, texts_of
from freewheel.runtime.events.iteration import MEMORIES
from freewheel.runtime.events.iteration_kernels import settling
from freewheel.runtime.events.status_cycles import circles
from freewheel.runtime.events.status_update import NO_SOLUTION
from freewheel.runtime.homotopy import run_initial
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.loop.workspace import Workspace


def initial_statuses(live: LiveModel, loop: Loop, most_rounds: int) -> None:
    """Solve the initial system, statuses following until both agree; bands of rounding into the record of the
    run."""
    system = InitialSystem(live)
    if not live.model.relations:  # nothing to agree on
        system.evaluate()
        return
    before, space = live.memory.copy(), _space(live, most_rounds)
    if _is_plain(live) and _agree_plainly(live, space):  # which forgives nothing
        return
    live.memory[:] = before
    callbacks = Callbacks()
    nothing = driver.address("nothing")
    section = callbacks.made(system.status)
    bind(space.loop, discrete=section, derivatives=nothing, relations=nothing)
    failed = settling.callable("agree_plainly")(space.address)
    callbacks.check()
    if failed:
        live.memory[:] = before
        system.failures.clear()
        failed = circles.callable("agree_thoroughly")(space.address)
        callbacks.check()
    loop.bands[:], loop.forgiven[:] = np.asarray(space.loop.bands), np.asarray(space.loop.forgiven)
    if not failed:
        return
    if space.loop.iteration_outcome == NO_SOLUTION:
        raise system.failures[space.loop.told_failure - 1]
    raise relations_flip_at_start(live.time, texts_of(live, np.asarray(space.loop.touched) == 1))


def _is_plain(live: LiveModel) -> bool:
    """Whether the initial system is nothing but the sections of machine code."""
    model = live.model
    is_known = all(name in model.addresses for name in ("initial", "derivatives", "relations"))
    is_heard = model.messages is None or model.message_flag >= 0
    others = model.homotopy is not None or model.choices or live.core.is_there
    return is_known and is_heard and not others and live.history is None


def _agree_plainly(live: LiveModel, space: Workspace) -> bool:
    """All in machine code; not where something fails or the model says something, which Python hears."""
    model, flag = live.model, live.model.message_flag
    own = model.addresses
    bind(
        space.loop,
        discrete=own["initial"],
        derivatives=own["derivatives"],
        relations=own["relations"],
    )
    live.forget_messages()
    said = float(live.memory[flag]) if flag >= 0 else 0.0
    if flag >= 0:
        live.memory[flag] = 0.0
    failed = settling.callable("agree_at_start")(space.address)
    if failed or (flag >= 0 and live.memory[flag] != 0.0):
        return False
    if flag >= 0:
        live.memory[flag] = said
    return True


def _space(live: LiveModel, most_rounds: int) -> Workspace:
    """A record that knows the relations of the model, and no states or discrete values."""
    model, relations = live.model, len(live.model.relations)
    space = Workspace(
        *(0, relations, []),
        tried_size=MEMORIES * len(live.memory),
        failing_size=len(live.memory),
        snapshot_size=(most_rounds + 2) * relations,
    )
    loop = space.loop
    loop.memory_size, loop.memory = len(live.memory), live.memory
    loop.time_slot, loop.most_rounds = model.time, most_rounds
    loop.log_lacks = 1  # nothing is noted
    loop.keeps_bands = 1
    loop.status_slots[:] = live.statuses
    loop.residual_slots[:] = live.residual_slots
    return space


class InitialSystem:
    """Sections of the start as one, for the statuses in memory."""

    def __init__(self, live: LiveModel) -> None:
        self.live = live
        self.failures: list[SimulationError] = []
        self._own = ~corner_relations(live.model)  # a core turns the others by itself

    def status(self) -> int:
        """1: these statuses have no solution."""
        try:
            self.evaluate()
        except SimulationError as failure:
            self.failures.append(failure)
            return 1
        return 0

    def evaluate(self) -> None:
        live = self.live
        live.forget_messages()
        if live.model.choices and live.core.is_there:
            self._choose_before_core()
        given = live.memory[live.statuses]
        run_initial(live)
        if live.history is not None:
            live.history.hold()
        found = live.memory.copy()
        if live.model.choices:
            live.run("relations")
            live.choose_states()
        live.run("derivatives")
        live.run("relations")
        # Loops of the initial system have read the statuses that were given, and it has written those
        # they lead to: only where these are the same is there a solution.
        turned = self._own & (found[live.statuses] != given)
        if turned.any():
            live.memory[:] = found
            live.memory[live.statuses[turned]] = given[turned]
            live.run("relations")

    def _choose_before_core(self) -> None:
        """The core asks for rates at once: states must have been chosen by then."""
        live, own = self.live, self.live.model.sections
        if live.model.core.settled >= 0:
            live.memory[live.model.core.settled] = 0.0
        live.run("initial", own["initial"])
        live.run("relations", own["relations"])
        live.choose_states()
