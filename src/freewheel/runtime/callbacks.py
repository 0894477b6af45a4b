"""Sections as machine addresses, whoever computes them.

    sections = Sections(live)
    sections.address("derivatives")       # the model's own machine code where that is enough

A model without machine code, and one whose inputs are Python functions, get C functions that call
Python. An exception in one of these is kept, the section fails, and `check` raises it afterwards.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from freewheel.machine.memory import Closure
from freewheel.runtime.inputs import Line
from freewheel.runtime.kernels.drive import driver
from freewheel.runtime.live import InputPiece, LiveModel

SECTION = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
STOPPED = 1 << 30  # status of a section that raised


def are_lines(inputs: Sequence[tuple[int, InputPiece]]) -> bool:
    return all(isinstance(piece, Line) for _, piece in inputs)


class Sections:
    def __init__(self, live: LiveModel) -> None:
        self.live = live
        self.raised: BaseException | None = None
        self._kept: list[Any] = []  # C functions must outlive their use
        self.derivatives = self._derivatives()
        self.outputs = self._address("outputs")
        self.relations = self._address("relations")
        self.discrete = self._address("discrete")

    def jacobian(self, is_needed: bool) -> int:
        """The model's own; asking makes the model compile it."""
        model = self.live.model
        # Python inputs are not seen by a Jacobian, but they do not depend on states either.
        if is_needed and model.jacobian_pattern is not None and not self.live.is_held:
            own = model.addresses.get("jacobian")
            if own is not None:
                return own
        return driver.address("no_jacobian")

    def _address(self, name: str) -> int | Closure:
        live = self.live
        if name in live.other_addresses:
            return live.other_addresses[name]
        if name in live.addresses and not (live.is_held and name != "discrete"):
            return live.addresses[name]
        if name not in live.sections:
            return driver.address("nothing")
        section = live.section(name)
        return self._callback(lambda: section(live.memory))

    def _derivatives(self) -> int | Closure:
        live = self.live
        if are_lines(live.inputs):  # machine code follows these by itself
            return self._address("derivatives")
        section = live.section("derivatives")

        def with_inputs() -> int:
            for slot, piece in live.inputs:
                live.memory[slot] = piece(live.time)
            return section(live.memory)

        return self._callback(with_inputs)

    def _callback(self, function: Callable[[], int]) -> int:
        def called(memory: int) -> int:
            try:
                return function()
            except BaseException as problem:  # C code cannot pass it on: `check` does
                self.raised = self.raised or problem
                return STOPPED

        made = SECTION(called)
        self._kept.append(made)
        address = ctypes.cast(made, ctypes.c_void_p).value
        assert address is not None
        return address

    def check(self) -> None:
        """Raise what a section has raised."""
        if self.live.core is not None:
            self.live.core.check()
        if self.raised is not None:
            problem, self.raised = self.raised, None
            raise problem
