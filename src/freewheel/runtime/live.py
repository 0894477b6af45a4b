"""A model in motion: its memory, its inputs, and calls of its sections at a point.

    live = LiveModel(model)
    live.rhs(t, y, out)            # status, for integrators
    live.evaluate(t, y)            # all variables, or a SimulationError

Integrators try points that may make no sense; they get a status. Points that count raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.machine.memory import Closure, Frozen, Memory
from freewheel.runtime.diagnostics import at_time, hold_failed, not_finite, section_failed
from freewheel.runtime.events.branch_following import (
    JUMPING,
    JUMPING_DOWN,
    JUMPING_UP,
    STRICT,
    WATCHED,
)
from freewheel.runtime.model import (
    FINE,
    TERMINATE_CODE,
    CompiledModel,
    Section,
    Vector,
    once,
    slots_of,
)
from freewheel.runtime.switched_dae.model import CORE_FAILED
from freewheel.runtime.switched_dae.no_core import NoCore

if TYPE_CHECKING:
    from freewheel.runtime.delays.history import LiveHistory
    from freewheel.runtime.events.dynamic_states import StateChoices
    from freewheel.runtime.events.sliding.vector_field import ConstrainedMotions
    from freewheel.runtime.switched_dae.attached import AttachedCore

InputPiece = Callable[[float], float]
Slots = npt.NDArray[np.intp]
MOST_TEXTS = 3  # that one assertion or warning gives in a run


def _nothing(memory: Vector) -> int:
    return FINE


def relation_slots(model: CompiledModel) -> tuple[Slots, Slots]:
    """Of statuses and residuals."""
    return once(_relation_slots, model)


def _relation_slots(model: CompiledModel) -> tuple[Slots, Slots]:
    relations = model.relations
    return slots_of(r.status for r in relations), slots_of(r.residual for r in relations)


def _history(live: LiveModel) -> LiveHistory:
    """Few models have one, and the others need not wait for its code."""
    from freewheel.runtime.delays.history import LiveHistory

    return LiveHistory(live.model, live.memory, live.records)


def _choices(live: LiveModel) -> StateChoices:
    """Likewise."""
    from freewheel.runtime.events.dynamic_states import StateChoices

    return StateChoices(live)


class LiveModel:
    """Owns the memory; nobody else writes states, time or inputs into it."""

    def __init__(self, model: CompiledModel, known: Frozen | None = None) -> None:
        """`known`: what the records of the run begin with."""
        self.model = model
        self.memory = model.start.astype(np.float64)
        self.address: int = self.memory.__array_interface__["data"][
            0
        ]  # of the memory, which never moves
        self.states = self.memory[model.states.slice]  # views: assigning writes the memory
        self.derivatives = self.memory[model.derivatives.slice]
        self.statuses, self.residual_slots = relation_slots(model)
        self.inputs: list[tuple[int, InputPiece]] = []
        self.records = Memory() if known is None else Memory.of(known)  # of the run
        self.history = _history(self) if model.history >= 0 else None
        self.choices = _choices(self) if model.choices else None
        self.warnings: list[Diagnostic] = []
        self.end_message: Diagnostic | None = None  # of `terminate`
        self._reported: dict[tuple[str, tuple[Label, ...]], set[str]] = {}  # texts of each place
        self.core: AttachedCore | NoCore = NoCore()
        self.sections: Mapping[str, Section] = model.sections
        self.addresses: Mapping[str, int | Closure] = model.addresses
        self.constrained: ConstrainedMotions | None = None  # once something may slide or rest
        self._use({}, {})

    def use_motions(
        self,
        held: ConstrainedMotions,
        others: Mapping[str, Section],
        addresses: Mapping[str, Closure],
    ) -> None:
        """Sections that ask whether the model is held on a surface, for good."""
        self.constrained = held
        self._use(others, addresses)

    def _use(self, others: Mapping[str, Section], addresses: Mapping[str, Closure]) -> None:
        self._others = dict(others)
        self.other_addresses = dict(addresses)
        self._derivatives = self.section("derivatives")
        self._outputs = self.section("outputs")

    def use_core(self, core: AttachedCore) -> None:
        """Put sections that contain the implicit core around the model's own, for good."""
        self.core = core
        self.sections = {**self.model.sections, **core.sections}
        self.addresses = {**self.model.addresses, **core.addresses}
        self._use({}, {})

    def section(self, name: str) -> Section:
        return self._others.get(name) or self.sections.get(name, _nothing)

    @property
    def is_constrained(self) -> bool:
        """On a surface."""
        return self.constrained is not None and self.constrained.present >= 0

    def place(self, t: float, y: Vector) -> None:
        """Write time, states and inputs; computes nothing."""
        self.memory[self.model.time] = t
        self.states[:] = y
        for slot, piece in self.inputs:
            self.memory[slot] = piece(t)

    def rhs(self, t: float, y: Vector, out: Vector) -> int:
        self.place(t, y)
        status = self._derivatives(self.memory)
        out[:] = self.derivatives
        return status

    def run(self, name: str, section: Section | None = None) -> None:
        """One section at the present point; failure is final."""
        status = (section or self.section(name))(self.memory)
        if status != FINE and name in self._others and self.is_constrained:
            raise hold_failed(name, self.time)
        if status == CORE_FAILED:
            raise self.core.failure(self.time)
        if status != FINE:
            raise section_failed(self.model, name, status, self.time)

    def evaluate(self, t: float, y: Vector) -> None:
        """All variables at a point that counts."""
        self.place(t, y)
        self.run("derivatives", self._derivatives)
        self.run("outputs", self._outputs)

    def choose_states(self) -> None:
        """After `relations`; the states have new values."""
        if self.choices is not None:
            self.choices.choose()

    def solve_loops(self, mode: float) -> None:
        """One of the ways of `events/branch_following.py`."""
        if self.model.follow >= 0:
            self.memory[self.model.follow] = mode
            if mode in (STRICT, JUMPING, JUMPING_UP, JUMPING_DOWN, WATCHED):
                self.forget_lost()

    def forget_lost(self) -> None:
        self.memory[self.model.follow + 1] = 0.0

    @property
    def lost(self) -> int:
        """A loop that could not be solved on its branch: one more than its first slot, negative where no
        fold was seen; 0: none."""
        return int(self.memory[self.model.follow + 1]) if self.model.follow >= 0 else 0

    @property
    def time(self) -> float:
        return float(self.memory[self.model.time])

    def check_finite(self, values: Vector, what: str) -> None:
        """One number for each state."""
        fine = np.isfinite(values)
        if not fine.all():
            first = int(np.argmin(fine))
            name = self.model.state_infos[first].name
            raise not_finite(what, name, float(values[first]), self.time)

    # ------------------------------------------------------------ a saved run

    def state(self) -> dict[str, Any]:
        """Besides `records`."""
        reported = [
            [code, list(labels), sorted(texts)] for (code, labels), texts in self._reported.items()
        ]
        return {
            "memory": self.memory,
            "warnings": self.warnings,
            "end": self.end_message,
            "told": reported,
        }

    def take_state(self, saved: Mapping[str, Any]) -> None:
        assert saved["memory"].shape == self.memory.shape, "the memory of the model"
        self.memory[:] = saved["memory"]
        if self.history is not None:
            self.memory[self.model.history] = float(self.history.address)
        self.warnings = list(saved["warnings"])
        self.end_message = saved["end"]
        self._reported = {
            (code, tuple(labels)): set(texts) for code, labels, texts in saved["told"]
        }

    # ------------------------------------------------------------ messages of the model

    def forget_messages(self) -> None:
        """Drop what trial points have said: they are no part of the solution."""
        if self.model.messages is not None:
            self.model.messages()

    def _is_news(self, message: Diagnostic) -> bool:
        """An assertion with numbers in its text would say something else at each step: the first few
        texts are enough."""
        texts = self._reported.setdefault((message.code, message.labels), set())
        if message.message in texts or len(texts) == MOST_TEXTS:
            return False
        texts.add(message.message)
        return True

    def collect_messages(self) -> tuple[Diagnostic, ...]:
        """Take what the model said at a point that counts; the errors among it."""
        return () if self.model.messages is None else self.take(self.model.messages())

    def take(self, messages: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Messages of a point that counts; the errors among them."""
        errors = []
        for message in messages:
            if message.severity is Severity.ERROR:
                errors.append(at_time(message, self.time))
            elif message.code == TERMINATE_CODE:
                self.end_message = self.end_message or message
            elif self._is_news(message):
                self.warnings.append(message)
        return tuple(errors)
