"""What stands at a machine address, for kernels that find their arrays and functions there.

    w = floats_at(int(record[0]))

Compiled kernels follow all of them; run by CPython, arrays of floats only.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np

from freewheel.machine.kernel_nodes import FloatArray, IntArray

FAR = 1 << 40  # elements: an array without an end


def floats_at(address: int) -> FloatArray:
    """The array at a machine address; whoever wrote the address knows how far it goes."""
    numbers = (ctypes.c_double * FAR).from_address(address)
    found: FloatArray = np.ctypeslib.as_array(numbers)
    return found


def ints_at(address: int) -> IntArray:
    raise NotImplementedError(f"CPython does not follow the address {address}")


def function_at(address: int) -> Callable[..., int]:
    """A function at a machine address; where it gives a C `int`, take `& 0xFFFFFFFF` of it."""
    raise NotImplementedError(f"CPython does not follow the address {address}")
