"""Linear loops that do not determine their unknowns: singular, but without contradiction.

    x + y = time; 2*x + 2*y = 2*time        any x will do; the one nearest to the last is taken, and told

A regular loop is solved without its old values, a singular one takes the solution nearest to them
(`backend/linear_kernels.py`, where a pivot counts as zero below 1e-13 of the largest entry of its row: 13
of 16 digits have cancelled then). So unknowns that follow a change of their old values are not determined.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError
from freewheel.runtime.diagnostics import listed, with_origin
from freewheel.runtime.live import LiveModel, Slots
from freewheel.runtime.model import FINE, CompiledModel, Vector, once, slots_of

R_UNDETERMINED = "R129"
# Of the change: a projection onto what is open keeps a good part of it; a regular loop does not know of it at
# all, and an unknown of a singular loop that is determined all the same by rounding only.
FOLLOWS = 1e-6
GOLDEN = 0.6180339887498949  # changes of no simple ratio: none is lost in a projection


class UndeterminedWatch:
    """Looks where Python is asked anyway, and tells of each loop once."""

    def __init__(self, live: LiveModel) -> None:
        self._live = live
        self._loops = [] if live.core.is_there else list(live.model.linear_loops)
        self._slots, self._shares = once(_unknowns, live.model)

    def _prepare(self) -> None:
        self._slots, self._shares = _unknowns_of(self._loops)

    def state(self) -> list[int]:
        """Loops that nothing was told of, by their first unknown."""
        return [loop[0] for loop in self._loops]

    def take_state(self, saved: Sequence[int]) -> None:
        if self._loops:
            self._loops = [loop for loop in self._loops if loop[0] in set(saved)]
            self._prepare()

    def look(self) -> None:
        """At the present point of the model, whose memory is left as it was."""
        if not self._loops or self._live.is_held:
            return
        live, memory, slots = self._live, self._live.memory, self._slots
        before = memory.copy()
        known = before[slots]
        moved = (1.0 + np.abs(known)) * self._shares
        memory[slots] = known + moved
        are_fine = all(live.section(name)(memory) == FINE for name in ("derivatives", "outputs"))
        follows = np.abs(memory[slots] - known) > FOLLOWS * moved
        memory[:] = before
        live.forget_messages()
        if are_fine and follows.any():
            self._tell(set(slots[follows].tolist()))

    def _tell(self, follows: set[int]) -> None:
        for loop in [loop for loop in self._loops if follows.intersection(loop)]:
            self._loops.remove(loop)
            self._live.warnings.append(
                _told(self._live, [slot for slot in loop if slot in follows])
            )
        self._prepare()


def _unknowns(model: CompiledModel) -> tuple[Slots, Vector]:
    return _unknowns_of(model.linear_loops)


def _unknowns_of(loops: Sequence[Sequence[int]]) -> tuple[Slots, Vector]:
    """Their slots, and by how much each is moved."""
    slots = slots_of(slot for loop in loops for slot in loop)
    shares: Vector = 1.0 + np.arange(len(slots), dtype=np.float64) * GOLDEN % 1.0
    return slots, shares


def _told(live: LiveModel, slots: list[int]) -> Diagnostic:
    by_slot = {v.slot: v.name for v in reversed(live.model.variables)}
    names = [by_slot[slot] for slot in slots if slot in by_slot] or ["an unknown of a loop"]
    told = Diagnostic(
        R_UNDETERMINED,
        f"at time {live.time:.9g} nothing determines {listed(names)}: equations of a loop depend on each "
        "other; the nearest values to the last ones are taken",
        help="one of the equations follows from the others, perhaps for these parameters only: replace it by "
        "what is missing; `freewheel explain` names equations and variables",
        severity=Severity.WARNING,
    )
    problem = with_origin(live.model, SimulationError(told), slots[0], live.memory)
    return problem.diagnostics[0]
