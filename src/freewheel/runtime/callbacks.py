"""Sections as machine addresses, whoever computes them.

    sections = Sections(live)
    sections.address("derivatives")       # the model's own machine code where that is enough

A model without machine code, and one whose inputs are Python functions, get C functions that call
Python. An exception in one of these is kept, the section fails, and `check` raises it afterwards.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from freewheel.machine.addresses import floats_at
from freewheel.machine.memory import Closure
from freewheel.runtime.inputs import Line
from freewheel.runtime.live import InputPiece, LiveModel
from freewheel.runtime.loop.time_loop import driver
from freewheel.runtime.model import STOPPED, Vector

SECTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
SLOPES = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


def are_lines(inputs: Sequence[tuple[int, InputPiece]]) -> bool:
    return all(isinstance(piece, Line) for _, piece in inputs)


class Callbacks:
    """C functions that call Python functions. They get the address of a memory or of a record."""

    def __init__(self) -> None:
        self._raised: list[BaseException] = []  # what came first
        self._kept: list[Any] = []  # C functions must outlive their use

    def made(self, function: Callable[[], int]) -> int:
        return self.made_with_address(lambda _: function())

    def made_with_address(self, function: Callable[[int], int]) -> int:
        raised = self._raised  # not this object, which would hold itself by its functions

        def called(address: int) -> int:
            try:
                return function(address)
            except BaseException as problem:  # C code cannot pass it on: `check` does
                raised.append(problem)
                return STOPPED

        return self._kept_address(SECTION(called))

    def made_of_memory(self, section: Callable[[Vector], int], size: int) -> int:
        """A section of any memory, not only of that of the run."""
        return self.made_with_address(lambda address: section(_vector(address, size)))

    def made_of_two(self, function: Callable[[Vector, Vector], int], size: int, count: int) -> int:
        """A function of a memory and of some numbers that it changes."""

        raised = self._raised

        def called(memory: int, numbers: int) -> int:
            try:
                return function(_vector(memory, size), _vector(numbers, count))
            except BaseException as problem:
                raised.append(problem)
                return STOPPED

        return self._kept_address(SLOPES(called))

    def _kept_address(self, made: Any) -> int:
        self._kept.append(made)
        address = ctypes.c_void_p.from_buffer(made).value  # `cast` makes it hold itself
        assert address is not None
        return address

    def forget(self) -> None:
        """Of another run."""
        self._raised.clear()

    def check(self) -> None:
        """Raise what a function has raised."""
        if self._raised:
            problem = self._raised[0]
            self._raised.clear()
            raise problem


def _vector(address: int, size: int) -> Vector:
    return np.asarray(floats_at(address)[:size])


class Sections:
    def __init__(self, live: LiveModel) -> None:
        self.live = live
        self.others = live.other_addresses  # a new one whenever the live model gets other sections
        self.callbacks = Callbacks()
        self.derivatives = self._derivatives()
        self.outputs = self._address("outputs")
        self.relations = self._address("relations")
        self.discrete = self._address("discrete")

    @property
    def functions(self) -> Mapping[str, int | Closure]:
        """Those that the time loop calls."""
        return {
            "discrete": self.discrete,
            "derivatives": self.derivatives,
            "outputs": self.outputs,
            "relations": self.relations,
        }

    def jacobian(self, is_needed: bool) -> int:
        """The model's own; asking makes the model compile it."""
        model = self.live.model
        # Python inputs are not seen by a Jacobian, but they do not depend on states either.
        if is_needed and model.jacobian_pattern is not None and not self.live.is_constrained:
            own = model.addresses.get("jacobian")
            if own is not None:
                return own
        return driver.address("no_jacobian")

    def _address(self, name: str) -> int | Closure:
        live = self.live
        if name in live.other_addresses:
            return live.other_addresses[name]
        own = live.addresses.get(name)
        if own is not None and not (live.is_constrained and name != "discrete"):
            return own
        if name not in live.sections:
            return driver.address("nothing")
        section = live.section(name)
        return self.callbacks.made(lambda: section(live.memory))

    def _derivatives(self) -> int | Closure:
        live = self.live
        if are_lines(live.inputs):  # machine code follows these by itself
            return self._address("derivatives")
        section = live.section("derivatives")

        def with_inputs() -> int:
            for slot, piece in live.inputs:
                live.memory[slot] = piece(live.time)
            return section(live.memory)

        return self.callbacks.made(with_inputs)

    def check(self) -> None:
        """Raise what a section has raised."""
        self.live.core.check()
        self.callbacks.check()

    def check_after_trials(self) -> None:
        """As `check`, but choices of a core that have no solution were trials."""
        self.live.core.forget_trials()
        self.check()
