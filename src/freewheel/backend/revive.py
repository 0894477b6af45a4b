"""Machine code from what was kept of it, without the program it was made from.

kept = to_keep(model)                        # plain data
revive(kept, translate)                      # the model again; `translate` is called only if needed
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from freewheel.backend.assemble import assemble
from freewheel.backend.recipe import Recipe, Written

if TYPE_CHECKING:
    from freewheel.backend.llvm import LlvmMachine
    from freewheel.program.nodes import Program
    from freewheel.runtime.model import CompiledModel

Kept = tuple[Any, Any, Any]  # the plain model, what is known of its text, the same of its Jacobian


def known_jacobian(model: CompiledModel) -> Any:
    machine: LlvmMachine = model.extras["machine"]
    return machine.known_jacobian()


def to_keep(model: CompiledModel) -> Kept:
    from freewheel.backend.load import plain_of

    machine: LlvmMachine = model.extras["machine"]
    plain = plain_of(machine.recipe.program, with_pattern=True)
    if plain.core.is_there:
        plain = replace(plain, core_code=machine.core().recipe.known)
    return plain, machine.recipe.known, machine.known_jacobian()


def revive(kept: Kept, translate: Callable[[], Program]) -> CompiledModel:
    from freewheel.backend.llvm import LlvmMachine

    plain, known, jacobian = kept
    recipe = Recipe(translate, _written, known)
    return assemble(plain, LlvmMachine(recipe, len(plain.start), plain.object_count, jacobian))


def _written(program: Program) -> Written:
    from freewheel.backend.llvm_text import to_text

    return to_text(program)
