"""The initial system, and statuses of relations that agree with its solution.

    initial_statuses(live, loop, most_rounds)

The iteration is that of an event (`events/iteration_kernels.py`, `events/status_search.py`), with the initial
system as its equations and without pre values that could change with the statuses.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from freewheel.base.diagnostics import SimulationError
from freewheel.machine.memory import Frozen, Memory, bind
from freewheel.runtime.callbacks import Callbacks
from freewheel.runtime.diagnostics import relations_flip_at_start
from freewheel.runtime.events.discrete import corner_relations, texts_of
from freewheel.runtime.events.iteration import MEMORIES
from freewheel.runtime.events.iteration_kernels import NO_SOLUTION, iteration
from freewheel.runtime.events.status_search import status_search
from freewheel.runtime.homotopy import run_initial
from freewheel.runtime.live import LiveModel, relation_slots
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.model import CompiledModel, once

SECTIONS = ("initial", "derivatives", "relations")


def initial_statuses(live: LiveModel, loop: Loop, most_rounds: int) -> None:
    """Solves the initial system with statuses that agree; tolerance bands go into the record of the run."""
    if not live.model.relations:
        InitialSystem(live).evaluate()
        return
    before = live.memory.copy()
    if once(_is_plain, live.model) and _agree_plainly(live, most_rounds):  # without tolerance bands
        return
    live.memory[:] = before
    system, space = InitialSystem(live), _space(live.model, most_rounds)
    space.loop.memory = live.memory
    callbacks = Callbacks()
    nothing = driver.address("nothing")
    section = callbacks.made(system.status)
    bind(space.loop, discrete=section, derivatives=nothing, relations=nothing)
    failed = iteration.callable("agree_at_start")(space.address)
    callbacks.check()
    if failed:
        live.memory[:] = before
        system.failures.clear()
        failed = status_search.callable("agree_thoroughly")(space.address)
        callbacks.check()
    loop.bands[:], loop.forgiven[:] = np.asarray(space.loop.bands), np.asarray(space.loop.forgiven)
    if not failed:
        return
    if space.loop.iteration_outcome == NO_SOLUTION:
        raise system.failures[space.loop.reported_failure - 1]
    raise relations_flip_at_start(live.time, texts_of(live, np.asarray(space.loop.touched) == 1))


def _is_plain(model: CompiledModel) -> bool:
    """Whether the initial system is nothing but the sections of machine code."""
    is_known = all(name in model.addresses for name in SECTIONS)
    has_flag = model.messages is None or model.message_flag >= 0
    others = model.homotopy is not None or model.choices or model.core.is_there
    return is_known and has_flag and not others and model.history < 0


def _agree_plainly(live: LiveModel, most_rounds: int) -> bool:
    """In machine code alone; false where a section fails or the model has a message."""
    flag = live.model.message_flag
    space = Workspace.found(0, Memory.of(once(_plain_space, live.model, most_rounds)))
    space.loop.memory = live.memory
    live.forget_messages()
    flagged = float(live.memory[flag]) if flag >= 0 else 0.0
    if flag >= 0:
        live.memory[flag] = 0.0
    failed = iteration.callable("agree_at_start")(space.address)
    if failed or (flag >= 0 and live.memory[flag] != 0.0):
        return False
    if flag >= 0:
        live.memory[flag] = flagged
    return True


def _plain_space(model: CompiledModel, most_rounds: int) -> Frozen:
    """What each start in machine code begins with."""
    space = _space(model, most_rounds)
    initial, derivatives, relations = (model.addresses[name] for name in SECTIONS)
    bind(space.loop, discrete=initial, derivatives=derivatives, relations=relations)
    return space.memory.frozen()


def _space(model: CompiledModel, most_rounds: int) -> Workspace:
    """A record with the relations of the model, without states and discrete values."""
    size, relations = len(model.start), len(model.relations)
    curves = _curves(model)
    space = Workspace(
        0,
        relations,
        [],
        memory_size=size,
        tried_size=MEMORIES * size,
        failing_size=size,
        snapshot_size=(most_rounds + 2) * relations,
        curve_size=len(curves),
    )
    loop = space.loop
    loop.time_slot, loop.most_rounds = model.time, most_rounds
    loop.log_lacks = 1  # nothing is logged
    loop.keeps_bands = 1
    loop.status_slots[:], loop.residual_slots[:] = relation_slots(model)
    loop.curve_of[:] = curves
    loop.curve_slopes[:] = [relation.slope for relation in model.relations[: len(curves)]]
    loop.most_corners = max(Counter(curves).values(), default=0)
    return space


def _curves(model: CompiledModel) -> list[int]:
    """For each relation the number of its curve, -1 where that has no other corner; empty without curves."""
    unknowns = [relation.curve for relation in model.relations]
    corners = Counter(unknown for unknown in unknowns if unknown >= 0)
    numbers = {unknown: k for k, unknown in enumerate(u for u, n in corners.items() if n > 1)}
    return [numbers.get(unknown, -1) for unknown in unknowns] if numbers else []


class InitialSystem:
    """The sections of the start as one, for the statuses in memory."""

    def __init__(self, live: LiveModel) -> None:
        self.live = live
        self.failures: list[SimulationError] = []
        self._own = ~corner_relations(live.model)  # a core sets the others

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
        # As `evaluate_start` of `iteration_kernels.py`.
        turned = self._own & (found[live.statuses] != given)
        if turned.any():
            residuals = live.memory[live.residual_slots]
            live.memory[:] = found
            live.memory[live.statuses[turned]] = given[turned]
            try:
                live.run("relations")
            except SimulationError:  # a branch without a value, which the found statuses leave
                live.memory[live.residual_slots] = residuals

    def _choose_before_core(self) -> None:
        """The core needs derivatives at once: states must be selected before."""
        live, own = self.live, self.live.model.sections
        if live.model.core.settled >= 0:
            live.memory[live.model.core.settled] = 0.0
        live.run("initial", own["initial"])
        live.run("relations", own["relations"])
        live.choose_states()
