"""A `CompiledModel` from plain data and callable sections.

    plain = plain_of(program)                 # names, slots, numbers: can be kept on disk
    assemble(plain, machine)

The plain data know no formulas, so that a model whose machine code was kept starts without them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from freewheel.backend.slopes import slopes_of
from freewheel.runtime.model import CompiledModel

if TYPE_CHECKING:
    from freewheel.backend.llvm import LlvmMachine
    from freewheel.backend.reference import Reference


@dataclass(frozen=True, slots=True)
class Plain:
    """Everything a `CompiledModel` says besides its functions."""

    start: tuple[float, ...]
    fields: Mapping[str, Any]  # of `CompiledModel`, as they are
    object_count: int
    can_speak: bool  # whether a step says something: else nobody needs to listen


def assemble(plain: Plain, machine: LlvmMachine) -> CompiledModel:
    """With machine code; the slot after those of the program tells that something was said."""
    return CompiledModel(
        **plain.fields,
        start=np.array((*plain.start, 0.0), dtype=np.float64),
        sections=machine.with_homotopy() if plain.fields["homotopy"] else machine.sections,
        messages=machine.messages if plain.can_speak else None,
        message_flag=len(plain.start),
        explain=machine.explain,
        origin=machine.origin,
        slopes=slopes_of(machine),
        addresses=machine.addresses,
        extras={"machine": machine},
    )


def assemble_reference(plain: Plain, machine: Reference) -> CompiledModel:
    return CompiledModel(
        **plain.fields,
        start=np.array(plain.start, dtype=np.float64),
        sections=machine.sections,
        messages=machine.messages if plain.can_speak else None,
        explain=machine.explain,
        origin=machine.origin,
        slopes=slopes_of(machine),
        extras={"source": machine.source.text, "machine": machine},
    )
