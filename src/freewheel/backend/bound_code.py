"""Machine code of a recipe, told where its Python side and the rows of the model's tables are.

bound_code(recipe, own, model).function("derivatives", "i64", ("ptr",))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.backend.kernel_homes import kernel_addresses
from freewheel.machine.jit import Code, compile_text

if TYPE_CHECKING:
    from freewheel.backend.llvm_python import PythonSide
    from freewheel.backend.recipe import Recipe


def bound_code(recipe: Recipe, python: PythonSide, model: PythonSide) -> Code:
    """The text is written only where its code was not kept. `model` is the Python side of the sections."""
    code = compile_text(
        lambda: recipe.text,
        key=recipe.known.digest,
        symbols=kernel_addresses(recipe.known.kernels),
    )
    bind(code, python, model)
    return code


def bind(code: Code, python: PythonSide, model: PythonSide) -> None:
    rows = model.row_addresses.ctypes.data
    code.function("bind", "void", ("ptr", "ptr"))(python.address, rows)
    forget = code.function("forget", "i64", ())
    if forget() > 0:
        model.forgetful.append(forget)
