"""Another choice of start values, where those that were assumed leave the start without a solution.

    other = other_starts(failure, model, settings)      # None: there is no other choice
    other.model.simulate()                              # or else other.told(second failure)

Where conditions are missing, start values that are not fixed are assumed, in the order of the states. That
counting finds equations for the rest does not mean that there is a solution (docs/theory/start.md).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from freewheel.base.access import running
from freewheel.base.diagnostics import CompileError, SimulationError
from freewheel.runtime.diagnostics import listed
from freewheel.runtime.own_code import own_code
from freewheel.runtime.start import at_start_values
from freewheel.structure.atoms import show_atom
from freewheel.structure.diagnosis.open_starts import open_starts

if TYPE_CHECKING:
    from freewheel.api.model import Model
    from freewheel.runtime.settings import Settings

# A number cannot be computed, loops are singular or have no solution, conditions contradict, a path ends.
NO_START = ("R122", "R123", "R124", "R125", "R128")


@dataclass(frozen=True, slots=True)
class OtherStarts:
    """The model with the other choice, and why it was made."""

    model: Model
    first: SimulationError
    taken: str  # names of variables
    instead_of: str

    def told(self, second: SimulationError) -> SimulationError:
        """Of two failures at the start the first one counts: it is that of the model as it is written."""
        if not _is_at_start(second):
            return second
        about, *others = self.first.diagnostics
        tried = f"the start values of {self.taken} instead of {self.instead_of} lead to none either"
        help = f"{about.help}; {tried}" if about.help else tried
        self.first.diagnostics = (replace(about, help=help), *others)
        return self.first


def other_starts(failure: SimulationError, model: Model, settings: Settings) -> OtherStarts | None:
    """Translates the model once more, if that may help."""
    ready = model.compiled()
    if failure.diagnostics[0].code not in NO_START or not _is_at_start(failure):
        return None
    if ready.core.is_there:  # it finds its states by itself
        return None
    with running(model.library.readable), own_code(ready) as own:
        memory = at_start_values(own, settings)
    if memory is None:
        return None
    made = model.upto("program")
    values = dict(zip(made.program.names, memory.tolist(), strict=False))
    names = [show_atom(var.name) for var in open_starts(made.ordered, values)]
    other = model.with_assumed(names)
    try:
        before, now = _assumed(model), _assumed(other)
    except CompileError:
        return None
    taken = [name for name in now if name not in before]
    gone = [name for name in before if name not in now]
    return OtherStarts(other, failure, listed(taken), listed(gone)) if taken else None


def _is_at_start(failure: SimulationError) -> bool:
    """Nothing was stored yet."""
    return failure.result is None or len(failure.result) == 0


def _assumed(model: Model) -> list[str]:
    equations = model.upto("structure").ordered.assumed
    return [show_atom(e.target.name) for e in equations if e.target is not None]
