"""Nonlinear loops whose values are held because an event has left them no solution, told once each.

    a fault of 1e-16 ohm beside a load that gives power at no voltage: the voltage is as good as zero

The branch of before ends at a fold when all of the change but a millionth has been made (backend/jumps.py).
What is continuous there, a voltage, is right but for that share. Of the rest, currents that nothing limits,
no more can be said than that the equations contradict each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError
from freewheel.runtime.diagnostics import listed, with_origin
from freewheel.runtime.events.branch_following import HELD, SINCE, TOLD
from freewheel.runtime.live import LiveModel

R_HELD = "R156"


class HeldWatch:
    """Looks where Python is asked anyway."""

    def __init__(self, live: LiveModel) -> None:
        self._live = live
        self._loops = list(live.model.branches)

    def state(self) -> list[int]:
        """Loops that nothing was told of, by the first slot of their branch."""
        return [first for _, first, _ in self._loops]

    def take_state(self, saved: Sequence[int]) -> None:
        self._loops = [loop for loop in self._loops if loop[1] in set(saved)]

    def look(self) -> None:
        memory = self._live.memory
        for loop in list(self._loops):
            slots, first, _ = loop
            if memory[first] == HELD or memory[first + TOLD] != 0.0:
                self._loops.remove(loop)
                since = float(memory[first + SINCE])
                is_over = bool(memory[first] != HELD)
                self._live.warnings.append(_told(self._live, slots, since, is_over))


def _told(live: LiveModel, slots: tuple[int, ...], since: float, is_over: bool) -> Diagnostic:
    by_slot = {v.slot: v.name for v in reversed(live.model.variables)}
    names = [by_slot[slot] for slot in slots if slot in by_slot] or ["unknowns of a loop"]
    told = Diagnostic(
        R_HELD,
        f"from time {since:.9g} on a nonlinear loop has no solution, as far as can be found: {listed(names)}"
        " stay where all but a millionth of the change at that event has been made, until its equations"
        " change again",
        help="what nothing limits there, such as the current of a load without voltage, is not to be trusted:"
        " make the load an impedance at low voltage, or the fault less perfect",
        severity=Severity.WARNING,
    )
    given = with_origin(live.model, SimulationError(told), slots[0], live.memory).diagnostics[0]
    if is_over:  # the values of now are others
        return replace(given, message=given.message.partition("\n  with ")[0])
    return given
