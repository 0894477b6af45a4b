"""Discrete equations at one instant, repeated until nothing changes.

    settle(discrete, rules)      # statuses, discrete values, pre values and reinits agree

Two loops. Inner: pre values are held, statuses follow the residuals, so that relations and
equations agree. Outer: states jump where `reinit` says, values become pre values. This is the
iteration of Modelica 3.6, "Events and Synchronization", with relations found by iteration.

Where no statuses agree while pre values are held, both move together. A clutch needs this: torque
above its peak lets it slip, and slipping, the torque is below the peak at once; only that it
slipped before keeps it slipping.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from freewheel.base.diagnostics import Label, SimulationError
from freewheel.base.source import NOWHERE
from freewheel.result.events import CHANGED, ITERATED, JUMPED
from freewheel.runtime.event.agree import Rules, agree, follow
from freewheel.runtime.event.detect import Mask
from freewheel.runtime.event.log import EventLog
from freewheel.runtime.event.stored import corner_relations
from freewheel.runtime.failures import discrete_flips, relations_flip_at_start
from freewheel.runtime.homotopy import run_initial
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import Vector

REAL_MATCH = 1e-9  # a Real that an iteration computes may differ in its last digits


class Discrete:
    """The discrete side of a live model, as arrays of slots."""

    def __init__(self, live: LiveModel) -> None:
        self.live = live
        self.memory = live.memory
        pairs = live.model.discrete
        self.values = np.array([slot for slot, _ in pairs], dtype=np.intp)
        self.pre = np.array([pre for _, pre in pairs], dtype=np.intp)
        self.flags = np.array([flag for _, _, flag in live.model.reinits], dtype=np.intp)
        real = {v.slot for v in live.model.variables if v.type == "Real"}
        self.margin = np.array([REAL_MATCH if slot in real else 0.0 for slot in self.values])

    def hold(self) -> None:
        """Values become pre values."""
        self.memory[self.pre] = self.memory[self.values]

    def moved(self) -> Mask:
        """Which values differ from their pre values."""
        now, before = self.memory[self.values], self.memory[self.pre]
        mask: Mask = ~(np.abs(now - before) <= self.margin * np.maximum(abs(now), abs(before)))
        both_undefined: Mask = np.isnan(now) & np.isnan(before)
        return mask & ~both_undefined

    def differ_from(self, memory: Vector) -> Mask:
        """Which discrete values are others than those of another memory."""
        mask: Mask = self.memory[self.values] != memory[self.values]
        return mask

    def apply_reinits(self, log: EventLog | None = None) -> bool:
        """States jump; true if one did."""
        jumped = False
        for number, (state, value, flag) in enumerate(self.live.model.reinits):
            if self.memory[flag] >= 0.5:
                self.memory[state] = self.memory[value]
                self.memory[flag] = 0.0
                jumped = True
                if log is not None:
                    log.note(JUMPED, number, float(self.memory[state]))
        return jumped

    def labels(self, mask: Mask) -> list[Label]:
        """The lines that give these values."""
        model, found = self.live.model, []
        if model.origin is not None:
            for slot in self.values[mask].tolist():
                told = model.origin(slot, self.memory)
                found += [] if told is None else [*told.labels]
        return list(dict.fromkeys(found))

    def names(self, mask: Mask) -> list[str]:
        """Of these values, aliases too; flags of when-clauses have none and are left out."""
        by_slot: dict[int, list[str]] = {}
        for variable in self.live.model.variables:
            by_slot.setdefault(variable.slot, []).append(variable.name)
        slots = self.values[mask].tolist()
        return [name for slot in slots for name in by_slot.get(slot, ())]


def settle(
    discrete: Discrete, rules: Rules, once: bool = False
) -> tuple[int, Sequence[SimulationError]]:
    """Iterate to a fixed point. The rounds it took; errors the model's asserts raised. `once`: one
    round only, for samples that are due (they are true in the first one)."""
    live = discrete.live
    errors: list[SimulationError] = []
    for rounds in range(1, rules.limit + 1):
        flipping = _agree(discrete, rules)
        if flipping is not None:
            spans = [live.model.relations[i].span for i in np.flatnonzero(flipping)]
            labels = [Label(span, "it flips") for span in spans if span is not NOWHERE]
            names = discrete.names(keep_changing(discrete, rules))
            raise discrete_flips(live.time, rules.limit, names + _texts(live, flipping), labels)
        failed = live.collect_messages()
        if failed:
            errors.append(SimulationError(*failed))
        moved = discrete.moved()
        note_changes(discrete, rules, moved)
        jumped = discrete.apply_reinits(rules.log)
        if not moved.any() and not jumped:
            return rounds, errors
        if rules.log is not None:
            rules.log.note(ITERATED)
        discrete.hold()
        look_again(live, rules)
        if once:
            return rounds, errors
    changing = moved | keep_changing(discrete, rules)
    labels = discrete.labels(changing)
    raise discrete_flips(live.time, rules.limit, discrete.names(changing), labels)


def keep_changing(discrete: Discrete, rules: Rules) -> Mask:
    """Which values change in the circle that the equations run in: further rounds until all is where it was.
    A ring of n Booleans comes back after 2 n rounds; what never comes back is followed no longer."""
    live = discrete.live
    quiet = rules.quiet()
    found = np.zeros(len(discrete.values), dtype=np.bool_)
    state = [*discrete.pre.tolist(), *live.statuses.tolist()]
    begin = live.memory[state].tobytes()
    for _ in range(max(rules.limit, 2 * len(discrete.values))):
        try:
            evaluate_discrete(discrete)
            found |= discrete.moved()
            follow(live, quiet)
            discrete.apply_reinits()
            discrete.hold()
            look_again(live, quiet)
        except SimulationError:  # the circle is reported, not what else is wrong in it
            break
        if live.memory[state].tobytes() == begin:
            break
    return found


def note_changes(discrete: Discrete, rules: Rules, moved: Mask) -> bool:
    """Into the event log; true if there were any."""
    if rules.log is not None:
        for i in np.flatnonzero(moved):
            rules.log.note(CHANGED, int(i), float(discrete.memory[discrete.values[i]]))
    return bool(moved.any())


def _agree(discrete: Discrete, rules: Rules) -> Mask | None:
    """Equations with pre values held, statuses following, until both agree; else who does not."""
    return agree(
        discrete.live,
        rules,
        lambda: evaluate_discrete(discrete),
        lambda: _move_together(discrete, rules),
    )


def look_again(live: LiveModel, rules: Rules) -> None:
    """Relations that matter since pre values have changed take the side they are on."""
    live.run("relations")
    follow(live, rules)


def evaluate_discrete(discrete: Discrete) -> None:
    """All equations once, and the residuals they lead to."""
    live = discrete.live
    live.memory[discrete.flags] = 0.0
    live.forget_messages()
    live.run("discrete")
    live.run("derivatives")
    live.run("relations")


def _move_together(discrete: Discrete, rules: Rules) -> bool:
    """One pass, then statuses and pre values both take what it found; until nothing changes."""
    mark = 0 if rules.log is None else rules.log.count
    is_settled = _moved_together(discrete, rules)
    if not is_settled and rules.log is not None:
        rules.log.take_back(mark)
    return is_settled


def _moved_together(discrete: Discrete, rules: Rules) -> bool:
    seen: set[bytes] = set()
    for _ in range(rules.limit):
        try:
            evaluate_discrete(discrete)
        except SimulationError:
            return False
        moved = discrete.moved()
        changes = follow(discrete.live, rules).any() or moved.any()
        note_changes(discrete, rules, moved)
        if not discrete.apply_reinits(rules.log) and not changes:
            return True
        discrete.hold()
        look_again(discrete.live, rules)
        where = discrete.live.memory[[*discrete.pre, *discrete.live.statuses]].tobytes()
        if where in seen:
            return False
        seen.add(where)
    return False


def initial_statuses(live: LiveModel, rules: Rules) -> None:
    """Solve the initial system, statuses following until both agree."""
    own = ~corner_relations(live.model)  # a core turns the others by itself
    has_relations = len(own) > 0

    def evaluate() -> None:
        live.forget_messages()
        if live.model.choices and live.core is not None:
            _choose_before_core(live)
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
        turned = own & (found[live.statuses] != given) if has_relations else own
        if has_relations and turned.any():
            live.memory[:] = found
            live.memory[live.statuses[turned]] = given[turned]
            live.run("relations")

    flipping = agree(live, rules.quiet(), evaluate)
    if flipping is not None:
        raise relations_flip_at_start(live.time, _texts(live, flipping))


def _choose_before_core(live: LiveModel) -> None:
    """The core asks for rates at once: states must have been chosen by then."""
    own = live.model.sections
    if live.model.core is not None and live.model.core.settled >= 0:
        live.memory[live.model.core.settled] = 0.0
    live.run("initial", own["initial"])
    live.run("relations", own["relations"])
    live.choose_states()


def _texts(live: LiveModel, mask: Mask) -> list[str]:
    return [r.text for r, flips in zip(live.model.relations, mask, strict=True) if flips]
