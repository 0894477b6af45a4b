"""The start of states inside of a core, as far as it is open: which values make rates zero, which ones let
given start values stay as they are?

    find_start(live, core)          # after the initial section has run; the memory holds the start found

Rates follow from the position of all switches, and the position from the values, so both are looked for in
turns: rates for values as they are and moved a little one by one, the change that would make the rates
zero, again. While the position stays a linear core needs one turn.

A closed clutch brings its two shafts to one speed at once, as an impact would do. Where the speed of one
is given and that of the other is only a guess, the guess gives way, and there is no impact: the jump
of what is given becomes zero. Where all that is involved is given, the impact is real. A given value that
jumps without impact, since nothing stores it in the first mode, is reported (R141).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.diagnostics import at_rest_nowhere, fixed_not_kept
from freewheel.runtime.switched_dae.thresholds import ANALYSIS, RESTART
from freewheel.runtime.thresholds import SLIDING, START

if TYPE_CHECKING:
    from freewheel.runtime.live import LiveModel
    from freewheel.runtime.switched_dae.attached import AttachedCore


def find_start(live: LiveModel, core: AttachedCore) -> None:
    """Raises where no start is at rest. Given values that no guess lets stay jump as before."""
    search = _Search(live, core, core.core.guessed)
    _look(search)
    core.unkept = search.unkept()


def _look(search: _Search) -> None:
    if search.steady:
        if not search.succeeds():
            raise SimulationError(search.failure())
        return
    if not search.places or search.is_there(search.jumps(), 0.0) or search.succeeds():
        return
    search.offsets[search.places] = 0.0
    search.run()


class _Search:
    def __init__(self, live: LiveModel, core: AttachedCore, guessed: tuple[int, ...]) -> None:
        self.live, self.core = live, core
        self.steady = list(core.core.steady)
        self.places = list(dict.fromkeys((*self.steady, *guessed)))
        stored = np.flatnonzero(core.core.is_differential).tolist()
        # States around the core follow what it settles.
        self.given = [k for k in stored if k >= core.core.shell and k not in self.places]
        self.offsets: Vector = np.asarray(core.record.offset)
        self.wished: Vector = np.asarray(core.record.wished)
        self.usual = np.array(core.core.nominals) if core.core.nominals else np.ones(core.n)

    def succeeds(self) -> bool:
        try:
            return self._find()
        except SimulationError:
            if self.steady:
                raise
            return False  # on the way there is no start at all

    def _find(self) -> bool:
        missed = self.missed()
        for _ in range(RESTART.most_settling):
            slopes = self.slopes(missed)
            sizes = self.sizes(self.places)
            is_there = self.is_there(missed, np.abs(slopes) @ sizes)
            shares, _, rank, _ = np.linalg.lstsq(slopes * sizes, -missed, rcond=ANALYSIS.left_out)
            if rank == 0 and not is_there:
                return False
            self.offsets[self.places] += shares * sizes
            if is_there:  # and the last digits
                self.run()
                return True
            missed = self.missed()
        return False

    def is_there(self, missed: Vector, all_changed: Vector | float) -> bool:
        """Rates are zero beside what a whole change of all values makes; what is given has stayed."""
        count = len(missed) - len(self.given)
        rates, jumps = missed[:count], missed[count:]
        allowed = RESTART.at_rest * np.broadcast_to(all_changed, missed.shape)[:count]
        rests = bool(np.all(np.abs(rates) <= allowed))
        return rests and bool(np.all(self.stay(jumps)))

    def stay(self, jumps: Vector) -> Vector:
        """Which given values have not jumped."""
        usual = np.where(self.usual == 1.0, START.share_of_unsaid_nominal, np.abs(self.usual))[
            self.given
        ]
        wished, now = self.wished[self.given], self.live.states[self.given]
        sizes = np.maximum(np.maximum(np.abs(wished), np.abs(now)), usual)
        return np.asarray(np.abs(jumps) <= SLIDING.moved * sizes)

    def unkept(self) -> Diagnostic | None:
        """Given values that jumped without an impulse."""
        jumps = self.jumps()
        stay = self.stay(jumps)
        if stay.all() or self.core.record.impulse_waits != 0:
            return None
        moved = [
            (self.core.problem.unknowns[place], float(self.wished[place]), float(jump))
            for place, jump, stays in zip(self.given, jumps, stay, strict=True)
            if not stays
        ]
        values = [(name, wish, wish + jump) for name, wish, jump in moved]
        return fixed_not_kept(self.core.problem, values, self.live.time)

    def run(self) -> None:
        self.live.run("initial")

    def missed(self) -> Vector:
        """Rates that should be zero, then jumps of given values."""
        self.run()
        self.live.run("derivatives")  # states around the core may have followed what it settled
        first = self.live.model.derivatives.start
        rates = self.live.memory[[first + place for place in self.steady]]
        return np.concatenate([rates, self.jumps()])

    def jumps(self) -> Vector:
        return np.asarray(self.live.states[self.given] - self.wished[self.given])

    def sizes(self, places: list[int]) -> Vector:
        return np.asarray(np.maximum(np.abs(self.live.states[places]), self.usual[places]))

    def slopes(self, missed: Vector) -> Vector:
        """By rows of what is missed."""
        made = np.zeros((len(missed), len(self.places)))
        for column, (place, size) in enumerate(
            zip(self.places, self.sizes(self.places), strict=True)
        ):
            before = self.offsets[place]
            self.offsets[place] = before + RESTART.moves * size
            made[:, column] = (self.missed() - missed) / (self.offsets[place] - before)
            self.offsets[place] = before
        return made

    def failure(self) -> Diagnostic:
        names = [self.core.problem.unknowns[place] for place in self.steady]
        return at_rest_nowhere(self.core.problem, names, self.live.time)
