"""A `CompiledModel` from plain data and callable sections.

    plain = plain_of(program)                 # names, slots, numbers: can be kept on disk
    assemble(plain, machine)

The plain data know no formulas, so that a model whose machine code was kept starts without them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from freewheel.backend.core import with_code
from freewheel.backend.slopes import slopes_of
from freewheel.runtime.model import CompiledModel
from freewheel.runtime.switched_dae.model import NO_CORE, CoreModel

if TYPE_CHECKING:
    from freewheel.backend.llvm import LlvmMachine
    from freewheel.backend.recipe import Known
    from freewheel.backend.reference import Reference
    from freewheel.runtime.qss.model import QuantizedModel


@dataclass(frozen=True, slots=True)
class Plain:
    """Everything a `CompiledModel` says besides its functions."""

    start: tuple[float, ...]
    fields: Mapping[str, Any]  # of `CompiledModel`, as they are
    object_count: int
    can_speak: bool  # whether a step says something: else nobody needs to listen
    core: CoreModel = NO_CORE  # what stays implicit, without its code
    core_code: Known | None = None  # where that was kept


def assemble(plain: Plain, machine: LlvmMachine) -> CompiledModel:
    """With machine code; the slot after those of the program tells that something was said."""
    core = plain.core
    if core.is_there:
        core = with_code(core, machine.core(plain.core_code))
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
        core=core,
        quantized=_quantized(machine),
        forget=machine.forget,
        remembered=machine.remembered,
        remember=machine.remember,
        digest=machine.recipe.known.digest,
        another=lambda: assemble(plain, machine.another()),
        extras={"machine": machine},
    )


def _quantized(machine: LlvmMachine) -> Callable[[int], QuantizedModel]:
    """Rows one by one, made when a quantized-state method asks for them."""

    def make(order: int) -> QuantizedModel:
        from freewheel.backend.quantized import quantized_of

        if not made:
            made.append(quantized_of(machine))
        return made[0](order)

    made: list[Callable[[int], QuantizedModel]] = []
    return make


def assemble_reference(plain: Plain, machine: Reference) -> CompiledModel:
    return CompiledModel(
        **plain.fields,
        start=np.array(plain.start, dtype=np.float64),
        sections=machine.sections,
        messages=machine.messages if plain.can_speak else None,
        explain=machine.explain,
        origin=machine.origin,
        slopes=slopes_of(machine),
        another=lambda: assemble_reference(plain, machine.another()),
        digest=sha256(machine.source.text.encode()).hexdigest(),
        extras={"source": machine.source.text, "machine": machine},
    )
