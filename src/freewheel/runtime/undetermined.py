"""Loops that do not determine their unknowns: singular, but without contradiction.

    x + y = time; 2*x + 2*y = 2*time        any x will do; the one nearest to the last is taken, and reported

A regular loop is solved without its old values, a singular one takes the solution nearest to them
(`backend/linear_kernels.py`, where a pivot counts as zero below 1e-13 of the largest entry of its row: 13
of 16 digits have cancelled then). So unknowns that follow a change of their old values are not determined.

    v = 0; v*i = 3*v        any i will do: a load of constant current, by its power, in a short circuit

At the start nonlinear loops report by themselves that they are at such a place (LOOSE, `fw_is_loose`). At
later events what was before chooses among such solutions (docs/theory/events.md, "Jumps").

    1 - v = 2*i; v*i = 3*v        v = 0 is one solution, for any i in the second equation; i = 3 is another

An equation that holds only because of zeros (`program/trivial_zeros.py`) leaves its solution isolated here,
and beside it the one that is meant. Which of both it is only start values determine, and zero is what they
are if nobody has given them: a warning (R157).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError
from freewheel.runtime.diagnostics import listed, with_origin
from freewheel.runtime.events.branch_following import LOOSE, STRICT
from freewheel.runtime.live import LiveModel, Slots
from freewheel.runtime.model import (
    FINE,
    CompiledModel,
    Vector,
    are_compiled,
    once,
    slots_of,
)
from freewheel.runtime.thresholds import GOLDEN, UNDETERMINED

if TYPE_CHECKING:
    from freewheel.runtime.loop.classic_engine import ClassicEngine

R_UNDETERMINED = "R129"
R_TRIVIAL = "R157"


class UndeterminedWatch:
    """Looks where Python is asked anyway, and reports each loop once."""

    def __init__(self, live: LiveModel, engine: ClassicEngine | None = None) -> None:
        self._live = live
        self._engine = engine
        self._loops = [] if live.core.is_there else list(live.model.linear_loops)
        self._branches = list(live.model.branches)
        self._trivial = dict(enumerate(live.model.trivial_zeros))
        self._slots, self._shares = once(_unknowns, live.model)

    def _prepare(self) -> None:
        self._slots, self._shares = _unknowns_of(self._loops)

    def state(self) -> list[int]:
        """What is not yet reported: loops, by their first unknown or the first slot of their branch, and
        sets of zeros, by negative numbers."""
        first = [*(loop[0] for loop in self._loops), *(first for _, first, _ in self._branches)]
        return [*first, *(-1 - number for number in self._trivial)]

    def take_state(self, saved: Sequence[int]) -> None:
        self._branches = [branch for branch in self._branches if branch[1] in set(saved)]
        self._trivial = {k: given for k, given in self._trivial.items() if -1 - k in set(saved)}
        if self._loops:
            self._loops = [loop for loop in self._loops if loop[0] in set(saved)]
            self._prepare()

    def check(self) -> None:
        """At the present point of the model, whose memory is left as it was."""
        for branch in [b for b in self._branches if self._live.memory[b[1]] == LOOSE]:
            self._branches.remove(branch)
            open_ones = self._loose(branch[0]) or list(branch[0])
            self._live.warnings.append(_warning(self._live, open_ones, OF_A_NONLINEAR))
        self._look_at_zeros()
        if not self._loops or self._live.is_constrained or self._are_determined():
            return
        live, memory, slots = self._live, self._live.memory, self._slots
        before = memory.copy()
        known = before[slots]
        moved = (1.0 + np.abs(known)) * self._shares
        memory[slots] = known + moved
        are_fine = all(live.section(name)(memory) == FINE for name in ("derivatives", "outputs"))
        follows = np.abs(memory[slots] - known) > UNDETERMINED.follows * moved
        memory[:] = before
        live.forget_messages()
        if are_fine and follows.any():
            self._report(set(slots[follows].tolist()))

    def _are_determined(self) -> bool:
        """By a kernel, for models of machine code: nearly all loops are regular."""
        if self._engine is None or not are_compiled(self._live.model):
            return False
        self._engine.current_sections()  # nobody may have called them yet
        addresses = (one.__array_interface__["data"][0] for one in (self._slots, self._shares))
        found = self._engine.call("has_open_loops", *addresses, len(self._slots))
        self._live.forget_messages()
        return found == 0

    def _look_at_zeros(self) -> None:
        for number, (slots, zeros, others) in list(self._trivial.items()):
            if self._live.memory[list(zeros)].any() or self._loose(slots, others):
                continue
            del self._trivial[number]
            self._live.warnings.append(_trivial(self._live, zeros, others))

    def _loose(self, slots: tuple[int, ...], beside: tuple[int, ...] = ()) -> list[int]:
        """What follows where unknowns of a loop are moved: some of these, and what is computed from them."""
        live, memory = self._live, self._live.memory
        before, own = memory.copy(), list(slots)
        # What is zero has no size of its own: the smallest of the others does not lead far away in any unit.
        known = np.abs(before[[*own, *beside]])
        least = float(np.min(known[known > 0.0], initial=1.0))
        sizes = np.where(before != 0.0, np.abs(before), least)
        memory[own] += UNDETERMINED.near * sizes[own] * (1.0 + np.arange(len(own)) * GOLDEN % 1.0)
        live.solve_loops(STRICT)
        is_fine = live.section("derivatives")(memory) == FINE
        follows = np.abs(memory - before) > UNDETERMINED.follows * UNDETERMINED.near * sizes
        memory[:] = before
        live.forget_messages()
        first = [slot for slot in slots if follows[slot]] if is_fine else own
        others = [v.slot for v in live.model.variables if is_fine and follows[v.slot]]
        return list(dict.fromkeys((*first, *others)))

    def _report(self, follows: set[int]) -> None:
        for loop in [loop for loop in self._loops if follows.intersection(loop)]:
            self._loops.remove(loop)
            self._live.warnings.append(
                _warning(self._live, [slot for slot in loop if slot in follows], OF_A_LINEAR)
            )
        self._prepare()


# Why, and what to do.
OF_A_LINEAR = (
    "equations of a loop depend on each other; the nearest values to the last ones are taken",
    "one of the equations follows from the others, perhaps for these parameters only: replace it by "
    "what is missing; `freewheel explain` names equations and variables",
)
OF_A_NONLINEAR = (
    "the equations of a nonlinear loop hold here for a whole range of values, of which one near the start "
    "values is taken; what happens later may depend on that",
    "look for a product that is zero, such as the power `v*i` of a load in a short circuit: write an "
    "equation that holds something there, too (the current itself), or give the start value that is meant",
)


def _unknowns(model: CompiledModel) -> tuple[Slots, Vector]:
    return _unknowns_of(model.linear_loops)


def _unknowns_of(loops: Sequence[Sequence[int]]) -> tuple[Slots, Vector]:
    """Their slots, and by how much each is moved."""
    slots = slots_of(slot for loop in loops for slot in loop)
    shares: Vector = 1.0 + np.arange(len(slots), dtype=np.float64) * GOLDEN % 1.0
    return slots, shares


def _warning(live: LiveModel, slots: list[int], why: tuple[str, str]) -> Diagnostic:
    by_slot = {v.slot: v.name for v in reversed(live.model.variables)}
    names = [by_slot[slot] for slot in slots if slot in by_slot] or ["an unknown of a loop"]
    warning = Diagnostic(
        R_UNDETERMINED,
        f"at time {live.time:.9g} nothing determines {listed(names)}: {why[0]}",
        help=why[1],
        severity=Severity.WARNING,
    )
    problem = with_origin(live.model, SimulationError(warning), slots[0], live.memory)
    return problem.diagnostics[0]


def _trivial(live: LiveModel, zeros: tuple[int, ...], others: tuple[int, ...]) -> Diagnostic:
    by_slot = {v.slot: v.name for v in reversed(live.model.variables)}
    names, more = (
        listed([by_slot[slot] for slot in slots if slot in by_slot] or ["an unknown of a loop"])
        for slots in (zeros, others)
    )
    warning = Diagnostic(
        R_TRIVIAL,
        f"at time {live.time:.9g} {names} solve a loop by being zero: one of its equations holds then "
        f"whatever {more} may be; there may be another solution, which is not zero",
        help="if that one is meant, give start values near it, or write the equation without the factor that "
        "is zero (the current of a load instead of its power)",
        severity=Severity.WARNING,
    )
    return with_origin(live.model, SimulationError(warning), zeros[0], live.memory).diagnostics[0]
