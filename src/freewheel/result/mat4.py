"""MATLAB files of level 4: a chain of named matrices, each a header of five integers and its
numbers column by column.

    write_matrix(stream, "data_1", np.eye(2))
    read_matrices(Path("r.mat"))["data_1"]

The header's first integer is MOPT: M = 0 little endian, P the kind of number, T = 1 for text.
Source: "MAT-File Format", The MathWorks, chapter on level 4.
"""

from __future__ import annotations

from pathlib import Path
from struct import Struct
from typing import IO, Any, TypeAlias

import numpy as np
import numpy.typing as npt

Matrix: TypeAlias = npt.NDArray[Any]

HEADER = Struct("<5i")  # MOPT, rows, columns, has an imaginary part, length of the name
KINDS = {0: "<f8", 1: "<f4", 2: "<i4", 3: "<i2", 4: "<u2", 5: "u1"}
CODES = {np.dtype(kind): code for code, kind in KINDS.items()}
TEXT = 1


def write_matrix(stream: IO[bytes], name: str, matrix: Matrix, is_text: bool = False) -> None:
    rows, columns = matrix.shape
    write_header(stream, name, matrix.dtype, rows, columns, is_text)
    # The transpose of a matrix that is stored by columns is contiguous: no copy is made then.
    stream.write(np.ascontiguousarray(matrix.T).data)


def write_header(
    stream: IO[bytes],
    name: str,
    kind: np.dtype[Any],
    rows: int,
    columns: int,
    is_text: bool = False,
) -> None:
    """What comes before the numbers of a matrix."""
    label = name.encode("ascii") + b"\0"
    code = 10 * CODES[kind] + is_text * TEXT
    stream.write(HEADER.pack(code, rows, columns, 0, len(label)) + label)


def read_matrices(path: Path) -> dict[str, Matrix]:
    """All matrices of a file; raises `ValueError` where it is not of this format."""
    content = path.read_bytes()
    matrices: dict[str, Matrix] = {}
    place = 0
    while place < len(content):
        if place + HEADER.size > len(content):
            raise ValueError("it ends within a header")
        kind, rows, columns, imaginary, length = HEADER.unpack_from(content, place)
        if kind // 10 not in KINDS or kind % 10 > TEXT or imaginary or min(rows, columns) < 0:
            raise ValueError("it is not a MATLAB file of level 4")
        place += HEADER.size
        name = content[place : place + length].rstrip(b"\0").decode("latin-1")
        place += length
        dtype = np.dtype(KINDS[kind // 10])
        if place + rows * columns * dtype.itemsize > len(content):
            raise ValueError(f"it ends within `{name}`")
        numbers = np.frombuffer(content, dtype, rows * columns, place)
        matrices[name] = numbers.reshape(columns, rows).T
        place += rows * columns * dtype.itemsize
    return matrices


def text_rows(lines: list[str]) -> Matrix:
    """One row of bytes per line, filled up with blanks."""
    encoded = [line.encode("utf-8") for line in lines]
    width = max(map(len, encoded), default=0) or 1
    joined = b"".join(line.ljust(width) for line in encoded)
    return np.frombuffer(joined, np.uint8).reshape(len(lines), width)


def lines_of(matrix: Matrix) -> list[str]:
    """The rows of a text matrix as strings without the filling."""
    rows = np.ascontiguousarray(matrix.astype(np.uint8))
    return [row.tobytes().rstrip(b" \0").decode("utf-8", "replace") for row in rows]
