"""Machine code of a recipe, told where its Python side and the rows of the model's tables are.

bound_code(recipe, own, model).function("derivatives", "i64", ("ptr",))
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from freewheel.backend.kept_arrays import KeptArrays
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
    bind(code, python, model, recipe.known.digest)
    return code


def bind(code: Code, python: PythonSide, model: PythonSide, digest: str) -> None:
    """`digest`: of its text, the same in every process."""
    rows = model.row_addresses.ctypes.data
    code.function("bind", "void", ("ptr", "ptr"))(python.address, rows)
    forget = code.function("forget", "i64", ())
    count = int(forget())
    if count > 0:
        model.forgetful.append(KeptArrays(digest, forget, _kept_arrays(code, count)))
        model.forgetful[-1].put(model.awaited.get(digest, ()))


def _kept_arrays(code: Code, count: int) -> tuple[Any, ...]:
    """As the code itself sees them."""
    places = np.zeros((count, 2), dtype=np.int64)
    code.function("kept", "i64", ("ptr",))(places.ctypes.data)
    return tuple(
        np.ctypeslib.as_array((ctypes.c_int64 * size).from_address(place))
        for place, size in places.tolist()
    )
