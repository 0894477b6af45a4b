"""Sliding and resting as Python sees them: the record of held motions, and what kernels ask for.

    crossing = holding.let_go(t, y, crossing)     # an event while something is held
    y = holding.take_up(t, before, y, saved, crossing, suspects)
    holding.is_held, holding.notes

All decisions are those of `events/sliding/holding_kernels.py`, in the time loop and for events that Python
deals with. Python makes the record when something may slide or rest for the first time, and derivatives of
residuals, which the model has only where somebody asks for them (`CompiledModel.slopes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.base.source import NOWHERE
from freewheel.machine.memory import Memory
from freewheel.result.events import hold_text
from freewheel.runtime.callbacks import Callbacks
from freewheel.runtime.events.discrete import corner_relations
from freewheel.runtime.events.location import Crossing
from freewheel.runtime.events.sliding.held_sections import held_motions, use_motions
from freewheel.runtime.events.sliding.hold_kernels import KNOWN, NONE, HeldMotions
from freewheel.runtime.events.sliding.holding_kernels import LIST, holding
from freewheel.runtime.events.sliding.reasons import LACKING, STATES_JUMP, reason_text
from freewheel.runtime.inputs import Line
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.model import Mask, Vector
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import ZENO

if TYPE_CHECKING:
    from freewheel.runtime.loop.classic_engine import ClassicEngine


class Holding:
    def __init__(self, live: LiveModel, settings: Settings, engine: ClassicEngine) -> None:
        self.live = live
        self.tolerance = settings.tolerance
        self.held: HeldMotions | None = None
        self.callbacks = Callbacks()
        self.corners = corner_relations(live.model)
        self.engine = engine
        self.space = engine.space
        self.loop = self.space.loop
        self.loop.negligible_rise = ZENO.negligible * self.tolerance

    @property
    def is_held(self) -> bool:
        return self.live.is_held

    @property
    def is_news(self) -> bool:
        """Whether the hold that has just begun is told: with impacts left out, when things rest."""
        held = self.held
        return held is not None and held.is_new == 1 and held.left_count == 0

    def why_not(self, relation: int) -> str:
        """Why there is no sliding along a surface."""
        loop = self.loop
        if loop.impact_count > 0 and loop.has_jumped[relation] == 1:
            return reason_text(STATES_JUMP)
        return reason_text(int(loop.why_not[relation]))

    # ------------------------------------------------------------ the record

    def prepare(self) -> HeldMotions:
        """Made when something may slide or rest for the first time."""
        if self.held is None:
            memory: Memory = self.live.records
            self.held = held_motions(memory, self.live, self.corners, self.callbacks)
            self.held.tolerance = self.tolerance
            self.loop.held = self.held
            use_motions(self.live, self.held)
        if self.loop.impact_count == 0:
            self.engine.make_room_for_impacts()
        self.engine.prepare_holds(holding.address("take_up"))
        return self.held

    def _provide(self, held: HeldMotions) -> None:
        """What a kernel has asked for."""
        for relation in np.flatnonzero(np.asarray(held.asked)).tolist():
            for order in (1, 2):
                if held.asked[relation] & order:
                    self._provide_slopes(held, relation, order)
            held.asked[relation] = 0
        if held.lacks_modes:
            for motion in held.motions:
                self.live.records.resize(motion, mode_room=held.lacks_modes)
        if held.begun_count == held.begun_room:
            self.live.records.resize(held, begun_room=2 * held.begun_room)

    def _provide_slopes(self, held: HeldMotions, relation: int, order: int) -> None:
        make = self.live.model.slopes
        made = None if make is None else make((relation,), order)
        place = held.slopes[relation]
        name = "first" if order == 1 else "second"
        if made is not None:
            size, count = len(self.live.memory), 2 + held.states + 2 * held.inputs
            address = made.address or self.callbacks.made_of_two(made, size, count)
            setattr(place, name, address)
        setattr(place, f"{name}_known", NONE if made is None else KNOWN)

    def provide_again(self) -> None:
        """To a run that was saved: slopes of residuals that it had."""
        assert self.held is not None
        for relation, place in enumerate(self.held.slopes):
            for order, known in ((1, place.first_known), (2, place.second_known)):
                if known == KNOWN:
                    self._provide_slopes(self.held, relation, order)

    # ------------------------------------------------------------ events that Python deals with

    def let_go(self, t: float, y: Vector, crossing: Crossing | None) -> Crossing | None:
        """The model's own sections again, in the mode that is nearest. What crossed besides."""
        loop = self.loop
        self._set_crossing(t, crossing)
        self.engine.call("mark_ended")
        loop.trial[:] = y
        if self.engine.call("let_go", np.asarray(loop.trial).ctypes.data) != 0:
            self.live.evaluate(t, y)
        if crossing is None or loop.crossed == 0:
            return None
        return replace(crossing, which=self.space.which())

    @property
    def is_left(self) -> bool:
        """Whether the present event has ended a part of the hold that was let go."""
        held = self.held
        return held is not None and held.last >= 0 and bool(np.asarray(held.ended).any())

    def _has_moved(self, before: Vector, after: Vector) -> bool:
        """Whether states jump."""
        addresses = before.ctypes.data, after.ctypes.data
        return bool(driver.callable("has_moved")(self.space.address, *addresses))

    def made_jump(self, which: Mask, before: Vector, after: Vector) -> Mask:
        """Those of the crossings at an event that made states jump. What an ideal element does to unknowns
        that are no states is a jump of that element's own."""
        if self._has_moved(before, after):
            return which
        is_same = np.array_equal(before, after)
        return np.zeros_like(which) if is_same else which & self.corners

    def take_up(
        self,
        t: float,
        before: Vector,
        y: Vector,
        saved: Vector,
        crossing: Crossing | None,
        suspects: Sequence[int] = (),
    ) -> Vector:
        """`before` and `y` are the states before and after the event, `saved` the memory before it.
        Hold again what was held, or what now turns out to slide or rest; the states from which to
        go on."""
        has_last = self.held is not None and self.held.last >= 0
        hits = crossing is not None and self._has_moved(before, y)
        if len(y) == 0 or not (has_last or hits or len(suspects)):
            return y  # without states no motion: discrete values may still bring a relation back
        held, loop, live = self.prepare(), self.loop, self.live
        if not has_last:
            held.last = -1
            held.ended[:] = 0
        self._set_crossing(t, crossing)
        marks = np.asarray(loop.suspects)
        marks[:] = 0
        marks[list(suspects)] = 1
        loop.y[:], loop.saved[:] = before, saved
        memory = live.memory.copy()
        while True:
            loop.after[:], loop.trial[:] = memory, y
            if self.engine.call(holding.callable("take_up")) != LACKING:
                break
            self._provide(held)
        self.callbacks.check()
        held.last = -1
        live.memory[:] = np.asarray(loop.after)
        found = np.array(loop.trial)
        live.place(t, found)
        if self.is_held:
            live.core.flush()  # an impulse of this event: no step of the core follows for a while
        return found

    def _set_crossing(self, t: float, crossing: Crossing | None) -> None:
        loop, count = self.loop, self.loop.relation_count
        loop.t, loop.crossed = t, int(crossing is not None)
        loop.which[:count] = 0 if crossing is None else crossing.which
        if self.held is not None:
            lines = all(isinstance(piece, Line) for _, piece in self.live.inputs)
            self.held.asks_inputs = int(not lines)

    def follow_inputs(self) -> None:
        """Their slopes have changed."""
        if self.is_held:
            self.engine.follow_inputs()
            holding.callable("follow_inputs")(self.space.address)

    # ------------------------------------------------------------ words

    @property
    def notes(self) -> list[Diagnostic]:
        """Once for each kind of hold."""
        held, found = self.held, []
        said_before: list[str] = []
        for k in range(0 if held is None else held.begun_count):
            assert held is not None
            entry = np.asarray(held.begun_relations)[LIST * k : LIST * (k + 1)]
            surfaces, contacts, *listed = entry.tolist()
            texts = [relation.text for relation in self.live.model.relations]
            said = hold_text(texts, listed[:surfaces], listed[surfaces : surfaces + contacts])
            if any(text.startswith(said) for text in said_before):
                continue
            said_before.append(said)
            span = self.live.model.relations[listed[0]].span
            labels = () if span is NOWHERE else (Label(span, "this relation is held at zero"),)
            text = f"{said} from time {held.begun_times[k]:.9g}"
            found.append(Diagnostic("R104", text, labels, severity=Severity.NOTE))
        return found
