"""What a `CompiledModel` says of its implicit core: names and slots here, addresses of its code later.

plain = core_of(program.core)
with_code(plain, LlvmCore(recipe, python))
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from freewheel.runtime.switched_dae.mode_cache import KnownModes
from freewheel.runtime.switched_dae.model import CoreElement, CoreModel

if TYPE_CHECKING:
    from freewheel.backend.llvm_core import LlvmCore
    from freewheel.program.core_nodes import CoreProgram


def core_of(made: CoreProgram) -> CoreModel:
    """Without code: what can be kept on disk."""
    elements = tuple(
        CoreElement(c.name, c.parameter, c.bit, c.at, c.statuses, c.held, c.held_bit)
        for c in made.corners
    )
    return CoreModel(
        equations=made.row_texts,
        origins=made.origins,
        bit_names=made.bit_names,
        bits=made.bits,
        elements=elements,
        is_linear=made.is_linear,
        is_differential=made.is_differential,
        nominals=made.nominals,
        rates=0,
        jacobians=0,
        switches=0,
        settled=made.settled,
        shell=made.shell,
        derived=made.derived,
        balances=made.balances,
        is_steady=made.is_steady,
        listeners=made.listeners,
        steady=made.steady,
        guessed=made.guessed,
        is_timeless=made.is_timeless,
    )


def with_code(plain: CoreModel, code: LlvmCore) -> CoreModel:
    """What is known of modes belongs to one compiled model and is not kept on disk."""
    return replace(
        plain,
        rates=code.rates,
        jacobians=code.jacobians,
        switches=code.switches,
        known=KnownModes(),
    )
