"""What stands at a machine address, for kernels that are handed structures of a library.

values = floats_at(content[1])
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from freewheel.machine.kernel_nodes import FloatArray, IntArray

FAR = 1 << 40  # elements: an array without an end


def floats_at(address: int) -> FloatArray:
    """The array at a machine address; whoever wrote the address knows how far it goes."""
    numbers = (ctypes.c_double * FAR).from_address(int(address))
    found: FloatArray = np.ctypeslib.as_array(numbers)
    return found


def ints_at(address: int) -> IntArray:
    numbers = (ctypes.c_int64 * FAR).from_address(int(address))
    found: IntArray = np.ctypeslib.as_array(numbers)
    return found


def function_at(address: int) -> Callable[..., int]:
    """A function at a machine address; where it gives a C `int`, take `& 0xFFFFFFFF` of it. Called by
    CPython, arguments are what they are: whole numbers, floats, arrays and records."""
    assert address, "there is no function at address 0"

    def call(*arguments: Any) -> int:
        kinds, values = zip(*(_argument(one) for one in arguments), strict=True)
        return int(ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(address)(*values))

    return call


def _argument(value: Any) -> tuple[Any, Any]:
    if isinstance(value, int | np.integer):
        return ctypes.c_int64, int(value)
    if isinstance(value, float):
        return ctypes.c_double, value
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p, value.ctypes.data
    return ctypes.c_void_p, value.__address__  # a record, or an array of records
