"""The records of a core (`switched_dae/memory.py`), allocated as they are before the first mode.

    core = new_core(memory, problem, tolerance=1e-6, absolute=np.full(n, 1e-9))
    mode = add_mode(core, bits)          # visited; it is to be analysed
    written = Written(core); kept = written.keep(); ...; written.put_back(kept)

Where one mode after the other is tried, all that kernels have written since is taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from freewheel.machine.memory import Memory, Words, fields_of, memory_of, words_of
from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.memory import Core, Element, Mode
from freewheel.runtime.switched_dae.problem import CoreProblem
from freewheel.runtime.switched_dae.thresholds import ANALYSIS

WORD = 62  # bits of a key in a whole number
FIRST_MODES = 16
MOST_MODES = 1 << 16
STAY = ("mode_count", "modes_made", "jacobian_count", "factor_count", "newton_count")


def new_core(memory: Memory, problem: CoreProblem, tolerance: float, absolute: Vector) -> Core:
    n, count = problem.size, len(problem.elements)
    core = memory.new(
        Core,
        n=n,
        element_count=count,
        bits=problem.bits,
        bit_count=len(problem.bit_names),
        is_linear=int(problem.is_linear),
        is_timeless=int(problem.is_timeless),
        mode=-1,
        mode_before=-1,
        mode_room=FIRST_MODES,
        renewed_n=n if n <= ANALYSIS.most_renewed else 0,
        rtol=tolerance,
        atol=absolute,
        event_time=np.inf,
        cause_time=np.inf,
        settled_slot=-1,
        awake_slot=-1,
    )
    for name, numbers in (
        ("unknown", [element.unknown for element in problem.elements]),
        ("bit", [element.bit for element in problem.elements]),
        ("bit_slot", [problem.bits + element.bit for element in problem.elements]),
        ("place_slot", [element.at for element in problem.elements]),
        ("held_slot", [element.held for element in problem.elements]),
        ("held_bit", [int(element.held_bit) for element in problem.elements]),
    ):
        core.elements.column(name)[:] = numbers
    return core


def add_mode(core: Core, bits: Sequence[bool]) -> Mode:
    """The next one. The record of one that was taken back is used again."""
    number, memory = core.mode_count, memory_of(core)
    assert number < MOST_MODES, "more modes than anyone visits"
    if number == core.mode_room:
        memory.resize(core, mode_room=2 * core.mode_room)
    visited, key = core.visited[number], key_of(bits)
    if number == core.modes_made:
        bent_n = 0 if core.is_linear else core.n
        mode = memory.new(Mode, n=core.n, key_words=len(key), bent_n=bent_n)
        visited.mode, core.modes_made = mode, number + 1
    else:
        mode = visited.mode
    mode.key[:] = key
    visited.key, core.mode_count = key[0], number + 1
    return mode


def key_of(bits: Sequence[bool]) -> list[int]:
    """As `kernels.core_guess.key_of`, all words."""
    words = [bits[first : first + WORD] for first in range(0, len(bits), WORD)]
    return [sum(bit << place for place, bit in enumerate(reversed(word))) for word in words] or [0]


class Written:
    """What kernels write into the record of a core and those of its elements. Modes are no part of it, nor
    how many there are."""

    def __init__(self, core: Core, floats_only: bool = False) -> None:
        kinds = ("double",) if floats_only else ("double", "i64")
        arrays = ("floats",) if floats_only else ("floats", "ints")
        memory, fields = memory_of(core), fields_of(core).values()
        names = [f.name for f in fields if f.kind in arrays and f.is_invariant]
        self._parts = [
            (words_of(core), _numbers(core, kinds)),
            *((span, slice(None)) for span in memory.spans(core, names)),
        ]
        if core.element_count > 0:
            columns = _numbers(core.elements[0], kinds)
            self._parts.append((memory.rows(core.elements), (slice(None), columns)))

    def keep(self) -> list[Words]:
        return [words[part].copy() for words, part in self._parts]

    def put_back(self, kept: list[Words]) -> None:
        for (words, part), values in zip(self._parts, kept, strict=True):
            words[part] = values


def _numbers(one: Core | Element, kinds: Sequence[str]) -> Any:
    """Places of the fields that are written."""
    fields = fields_of(one).values()
    written = (f for f in fields if f.kind in kinds and not f.is_constant and f.name not in STAY)
    return np.array([f.number for f in written], np.intp)
