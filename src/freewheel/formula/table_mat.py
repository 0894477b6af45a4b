"""Matrices from MATLAB files of versions 4 to 7, without any package.

    read_mat(data, "tab1")      # ((0.0, 1.0), (1.0, 2.0)), or None where there is no such matrix

Only real, full, numeric matrices; version 7.3 is another format (HDF5) and raises `ValueError`.
"""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Iterator

Rows = tuple[tuple[float, ...], ...]

_V4_TYPES = "dfihHB"  # by the digit P of the type number MOPT
_V5_TYPES = {1: "b", 2: "B", 3: "h", 4: "H", 5: "i", 6: "I", 7: "f", 9: "d", 12: "q", 13: "Q"}
_MATRIX, _COMPRESSED, _NUMERIC_CLASSES = 14, 15, range(6, 16)


def read_mat(data: bytes, name: str) -> Rows | None:
    if data[:10] == b"MATLAB 7.3":
        raise ValueError("the file is of version 7.3; save it as version 7 or older")
    found = _version_5(data) if data[:6] == b"MATLAB" else _version_4(data)
    return next((rows for label, rows in found if label == name), None)


def _version_4(data: bytes) -> Iterator[tuple[str, Rows]]:
    at = 0
    while at + 20 <= len(data):
        order = "<" if 0 <= struct.unpack_from("<i", data, at)[0] < 5000 else ">"
        kind, rows, columns, imaginary, length = struct.unpack_from(order + "5i", data, at)
        precision = kind // 10 % 10
        if kind % 10 != 0 or precision >= len(_V4_TYPES) or imaginary or min(rows, columns) < 0:
            raise ValueError("a matrix in the file is not real and full")
        at += 20
        label = data[at : at + length].split(b"\0")[0].decode("latin-1")
        at += length
        code = _V4_TYPES[precision]
        size = rows * columns * struct.calcsize(code)
        yield label, _rows(_numbers(data[at : at + size], code, order), rows, columns)
        at += size


def _version_5(data: bytes) -> Iterator[tuple[str, Rows]]:
    order = "<" if data[126:128] == b"IM" else ">"
    for kind, content in _elements(data[128:], order):
        if kind == _COMPRESSED:
            kind, content = next(_elements(zlib.decompress(content), order))
        if kind == _MATRIX:
            matrix = _matrix(content, order)
            if matrix is not None:
                yield matrix


def _elements(data: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    """Type and content of each element; small ones keep four bytes beside their type."""
    at = 0
    while at + 8 <= len(data):
        kind, size = struct.unpack_from(order + "II", data, at)
        if kind >> 16:
            yield kind & 0xFFFF, data[at + 4 : at + 4 + (kind >> 16)]
            at += 8
            continue
        yield kind, data[at + 8 : at + 8 + size]
        at += 8 + size + (0 if kind == _COMPRESSED else -size % 8)


def _matrix(content: bytes, order: str) -> tuple[str, Rows] | None:
    parts = list(_elements(content, order))
    flags = struct.unpack_from(order + "I", parts[0][1])[0]
    if len(parts) < 4 or flags & 0xFF not in _NUMERIC_CLASSES or flags & 0x0800:
        return None  # text, a structure, complex numbers
    dims = struct.unpack(order + f"{len(parts[1][1]) // 4}i", parts[1][1])
    kind, raw = parts[3]
    if len(dims) != 2 or kind not in _V5_TYPES:
        return None
    label = parts[2][1].decode("latin-1")
    return label, _rows(_numbers(raw, _V5_TYPES[kind], order), *dims)


def _numbers(raw: bytes, code: str, order: str) -> list[float]:
    numbers = array(code, raw)
    if (order == "<") != (struct.pack("=H", 1)[0] == 1):
        numbers.byteswap()
    return [float(number) for number in numbers]


def _rows(numbers: list[float], rows: int, columns: int) -> Rows:
    """Stored column by column."""
    if len(numbers) < rows * columns:
        raise ValueError("the file ends too early")
    return tuple(tuple(numbers[j * rows + i] for j in range(columns)) for i in range(rows))
