"""Machine code of a recipe, told where its Python side and the rows of the model's tables are.

bound_code(recipe, python, python.row_addresses).function("derivatives", "i64", ("ptr",))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from freewheel.backend.kernel_homes import kernel_addresses
from freewheel.machine.jit import Code, compile_text

if TYPE_CHECKING:
    from freewheel.backend.llvm_python import PythonSide
    from freewheel.backend.recipe import Recipe


def bound_code(recipe: Recipe, python: PythonSide, row_addresses: Any) -> Code:
    """The text is written only where its code was not kept."""
    code = compile_text(
        lambda: recipe.text,
        key=recipe.known.digest,
        symbols=kernel_addresses(recipe.known.kernels),
    )
    code.function("bind", "void", ("ptr", "ptr"))(python.address, row_addresses.ctypes.data)
    return code
