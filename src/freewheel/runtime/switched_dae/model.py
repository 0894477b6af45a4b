"""What a backend says of the implicit part of a model: `CompiledModel.core`.

The unknowns y of the core F(y', y, t; b) = 0 are the states of the model, all of them, in the same
order: `model.states` are the slots of y, `model.derivatives` those of y' (also where y is algebraic
and its rate means nothing to the modeller). The branch vector b lies in the memory as well, from slot
`bits` on. The functions are machine code:

    rates(m, t, order, ys, out) -> status       out = d^order F / dt^order, ys = (y, y', y'', ...)
    jacobians(m, t, y, slope, out) -> status    out = dF/dy, then dF/dy', by rows
    switches(m) -> status                       writes the bits that are no corners, and `held`

The sections of such a model are its shell: `derivatives`, `outputs`, `relations` and `discrete` take
y and y' as given and compute everything else; `initial` gives y the values it would like to have.
Once the core has made them consistent, it runs again with slot `settled` set: then the rest of the
model sees the y of the first instant.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from freewheel.runtime.switched_dae.mode_cache import KnownModes

CORE_FAILED = 1 << 29  # status of a section: its core has failed


@dataclass(frozen=True, slots=True)
class CoreElement:
    """A corner of a curve: its bit is set while y[unknown] is above `at`, F is continuous there."""

    name: str  # of the component, `D1`
    unknown: int  # number among y
    bit: int
    at: int = -1  # slot of the corner's place; -1: zero
    # (slot of a relation's status, its value while the bit is set): kept by the core
    statuses: tuple[tuple[int, float], ...] = ()
    held: int = -1  # slot: not 0.0 while a gate or a latch keeps the element on one side; -1: never
    held_bit: float = 0.0  # what the bit is then


@dataclass(frozen=True, slots=True)
class CoreModel:
    equations: tuple[str, ...]  # what to call the rows of F
    origins: tuple[str, ...]  # the component each row comes from; may be empty
    bit_names: tuple[str, ...]
    bits: int  # slot of the first
    elements: tuple[CoreElement, ...]
    is_linear: bool  # both matrices depend on bits and parameters alone
    is_differential: tuple[bool, ...]  # by unknown: y' occurs
    nominals: tuple[float, ...]  # by unknown: a typical size
    rates: int  # addresses
    jacobians: int
    switches: int
    # Slot: while it is not 0.0, `initial` keeps the y that it would give wished values otherwise.
    settled: int = -1
    shell: int = 0  # how many of y come first that are states of the explicit part
    # Matrices depend on bits and parameters alone, but for rows of states that only listen to the
    # rest, an energy or a temperature: what is said of a mode holds as long as it lasts.
    is_steady: bool = False
    steady: tuple[int, ...] = ()  # unknowns that begin at rest: their start is looked for
    guessed: tuple[int, ...] = ()  # states with a start value that is a guess: others go first
    listeners: tuple[int, ...] = ()  # those states; their rows have the same numbers
    is_timeless: bool = False  # F depends neither on time itself nor on inputs or delayed values
    derived: tuple[int, ...] = ()  # rows that are time derivatives of others: theirs is no impulse
    # Rows that only name a rate, slot of its weight in the balance that reports the impulse (-1: there is
    # none), text of the balance.
    balances: tuple[tuple[int, int, str], ...] = ()
    known: KnownModes = field(default_factory=KnownModes, compare=False, repr=False)

    @property
    def is_there(self) -> bool:
        return bool(self.equations)


NO_CORE = CoreModel((), (), (), 0, (), True, (), (), 0, 0, 0)  # of a model without ideal elements
