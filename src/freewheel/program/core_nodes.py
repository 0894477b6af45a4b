"""Data of the implicit core over numbered slots: numbers of bits, y and rows, and the programs.

y are the states of the shell, then the variables of the core; rows likewise: a state of the shell
has the row `rate - what the shell computes for it`. The slots of y and of its rates are those of
`Program.states` and `Program.derivatives`, the branch vector lies in the memory from slot `bits` on.
"""

from __future__ import annotations

from dataclasses import dataclass

from freewheel.program.nodes import JacobianProgram, Step


@dataclass(frozen=True, slots=True)
class CornerSlots:
    """Bit `bit` is set while y[`parameter`] is above its corner."""

    name: str  # of the component
    bit: int
    parameter: int
    at: int  # slot of the corner's place; -1: zero
    statuses: tuple[tuple[int, float], ...]  # of relations: slot, value while the bit is set
    held: int  # slot: not zero while a latch decides; -1: there is none
    held_bit: float  # what the bit is then


@dataclass(frozen=True, slots=True)
class CoreProgram:
    """The programs are like the Jacobian's: y, its rates, for slopes also their rates, are handed in
    behind the memory."""

    bit_names: tuple[str, ...]  # what holds while a bit is set
    bits: int
    settled: int  # slot: not zero where `initial` must keep the core's states as they are
    shell: int  # states of the shell among y
    names: tuple[str, ...]  # of y
    row_texts: tuple[str, ...]
    origins: tuple[str, ...]  # components the rows come from; empty for states of the shell
    derived: tuple[int, ...]  # rows that are time derivatives of other equations
    # Rows that name a rate, slot of the weight by which it counts (-1: nowhere), text of that balance.
    balances: tuple[tuple[int, int, str], ...]
    elements: tuple[str, ...]  # components that switch
    corners: tuple[CornerSlots, ...]
    is_linear: bool  # both matrices depend on bits and parameters alone
    is_steady: bool  # they do, but for rows of states that only listen to the rest
    listeners: tuple[int, ...]  # these states
    steady: tuple[int, ...]  # unknowns that begin at rest
    guessed: tuple[int, ...]  # states with a start value that is only a guess
    is_timeless: bool  # F does not depend on time itself, on no input and on nothing delayed
    is_differential: tuple[bool, ...]  # by y
    nominals: tuple[float, ...]
    residual: JacobianProgram
    # dF/dt along the motion, then its derivative; fewer where formulas have none.
    slopes: tuple[JacobianProgram, ...]
    matrices: tuple[JacobianProgram, JacobianProgram] | None  # dF/dy, dF/drates; likewise
    span: float  # of a run, if nothing else is said
    switches: tuple[Step, ...]  # bits that are no corners, latches, corners that move
