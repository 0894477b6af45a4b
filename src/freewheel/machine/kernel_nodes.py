"""The types of the kernel language, written as annotations of ordinary Python functions.

    def axpy(n: Int, a: Float, x: Floats, y: Floats) -> None: ...

Run by CPython, `Floats` is any sequence of floats (a list, a numpy array) and `Function` a Python
callable; compiled, they are pointers. `x[3:]` is the rest of an array from element 3 on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Protocol, overload


class FloatArray(Protocol):
    """What a kernel may do with an array: read and write elements, take the rest of it."""

    @overload
    def __getitem__(self, index: int, /) -> float: ...
    @overload
    def __getitem__(self, index: slice, /) -> FloatArray: ...
    @overload
    def __setitem__(self, index: int, value: float, /) -> None: ...
    @overload
    def __setitem__(self, index: slice, value: Any, /) -> None: ...


class IntArray(Protocol):
    @overload
    def __getitem__(self, index: int, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> IntArray: ...
    @overload
    def __setitem__(self, index: int, value: int, /) -> None: ...
    @overload
    def __setitem__(self, index: slice, value: Any, /) -> None: ...


Float = Annotated[float, "double"]
Int = Annotated[int, "i64"]
Floats = Annotated[FloatArray, "floats"]  # double*
Ints = Annotated[IntArray, "ints"]  # int64*
Section = Annotated[Callable[..., int], "section"]  # int64 f(double* memory)
Function = Annotated[Callable[..., int], "function"]  # int64 f(any arguments as given)


LLVM = {
    "double": "double",
    "i64": "i64",
    "i1": "i1",
    "floats": "ptr",
    "ints": "ptr",
    "section": "ptr",
    "function": "ptr",
    "context": "ptr",  # of a section, see `records.py`
    "void": "void",
}
