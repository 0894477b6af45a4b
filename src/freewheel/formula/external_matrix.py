"""Matrices in MATLAB files, read and written by functions that libraries call by C name.

    MATRICES["ModelicaIO_readMatrixSizes"]("data.mat", "A")  ->  [3, 2]

Reading knows versions 4 to 7; everything is written as version 4, which all of them can read.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from freewheel.base import access
from freewheel.formula.faults import not_computable, why
from freewheel.formula.table_mat import Rows, read_mat
from freewheel.formula.values import ArrayValue, array_of


def _read(file: str, name: str) -> Rows:
    try:
        found = read_mat(Path(access.to_read(file)).read_bytes(), name)
    except (OSError, ValueError, struct.error, zlib.error, IndexError) as problem:
        raise not_computable(f"the model cannot read `{file}`: {why(problem)}") from None
    if found is None:
        raise not_computable(f"there is no matrix `{name}` in the file `{file}`")
    return found


def sizes(file: str, name: str) -> Any:
    rows = _read(file, name)
    return array_of([len(rows), len(rows[0]) if rows else 0])


def read(file: str, name: str, row_count: int, column_count: int, verbose: bool) -> Any:
    rows = _read(file, name)
    if len(rows) != row_count or any(len(row) != column_count for row in rows):
        raise not_computable(
            f"the matrix `{name}` in the file `{file}` is not {row_count} by {column_count}"
        )
    return array_of(rows)


def write(
    file: str,
    name: str,
    matrix: ArrayValue,
    row_count: int,
    column_count: int,
    append: bool,
    version: str,
) -> bool:
    """Column by column, after a header of type, rows, columns, no imaginary part, name."""
    numbers = [float(number) for number in matrix.elements]
    columns = [number for j in range(column_count) for number in numbers[j::column_count]]
    label = name.encode("latin-1", "replace") + b"\0"
    header = struct.pack("<5i", 0, row_count, column_count, 0, len(label))
    path = Path(access.to_write(file, is_new=not append))
    try:
        with path.open("ab" if append else "wb") as stream:
            stream.write(header + label + struct.pack(f"<{len(columns)}d", *columns))
    except OSError as problem:
        raise not_computable(f"the model cannot write `{file}`: {why(problem)}") from None
    return True


MATRICES: dict[str, Callable[..., Any]] = {
    "ModelicaIO_readMatrixSizes": sizes,
    "ModelicaIO_readRealMatrix": read,
    "ModelicaIO_writeRealMatrix": write,
}
