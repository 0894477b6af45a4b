"""A steady start of states inside of a core: which values make their rates zero?

    find_steady(live, core)         # after the initial section has run; the memory holds the start found

The rates follow from the position of all switches, and the position from the values, so both are looked for
in turns: rates for values as they are and moved a little one by one, the change that would make the rates
zero, again. While the position stays a linear core needs one turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.runtime.core.words import at_rest_nowhere
from freewheel.runtime.kernels import core_table as table
from freewheel.runtime.model import Vector

if TYPE_CHECKING:
    from freewheel.runtime.core.attach import AttachedCore
    from freewheel.runtime.live import LiveModel

MOST_TURNS = 25
MOVED = 1e-3  # of a value, or of what is usual for it
AT_REST = 1e-11  # of the rates that a whole change of all values makes


def find_steady(live: LiveModel, core: AttachedCore) -> None:
    search = _Search(live, core)
    rates = search.rates()
    for _ in range(MOST_TURNS):
        slopes = search.slopes(rates)
        sizes = search.sizes()
        if np.all(np.abs(rates) <= AT_REST * (np.abs(slopes) @ sizes)):
            search.run()  # the differences have moved on
            return
        shares, _, rank, _ = np.linalg.lstsq(slopes * sizes, -rates, rcond=1e-12)
        if rank == 0:
            break
        search.offsets[search.places] += shares * sizes
        rates = search.rates()
    raise SimulationError(search.failure())


class _Search:
    def __init__(self, live: LiveModel, core: AttachedCore) -> None:
        self.live, self.core = live, core
        self.places = list(core.core.steady)
        start = table.X_HEAD + table.X_OFFSET * core.n
        self.offsets: Vector = core.extra[start : start + core.n]
        nominals = np.array(core.core.nominals) if core.core.nominals else np.ones(core.n)
        self.usual: Vector = nominals[self.places]

    def run(self) -> None:
        self.live.run("initial")

    def rates(self) -> Vector:
        self.run()
        self.live.run("derivatives")  # states around the core may have followed what it settled
        first = self.live.model.derivatives.start
        found: Vector = self.live.memory[[first + place for place in self.places]].copy()
        return found

    def sizes(self) -> Vector:
        first = self.live.model.states.start
        values = np.abs(self.live.memory[[first + place for place in self.places]])
        return np.asarray(np.maximum(values, self.usual))

    def slopes(self, rates: Vector) -> Vector:
        """By rows of rates."""
        made = np.zeros((len(self.places), len(self.places)))
        for column, (place, size) in enumerate(zip(self.places, self.sizes(), strict=True)):
            before = self.offsets[place]
            self.offsets[place] = before + MOVED * size
            made[:, column] = (self.rates() - rates) / (self.offsets[place] - before)
            self.offsets[place] = before
        return made

    def failure(self) -> Diagnostic:
        names = [self.core.problem.unknowns[place] for place in self.places]
        return at_rest_nowhere(self.core.problem, names, self.live.time)
