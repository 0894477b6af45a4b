"""Matrices from MATLAB files of versions 4 to 7, without any package.

    read_mat(data, "tab1")      # ((0.0, 1.0), (1.0, 2.0)), or None where there is no such matrix

Only real, full, numeric matrices; `s.tab1` is the field of a structure. Version 7.3 is another
format (HDF5) and raises `ValueError`.
"""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Iterator

Rows = tuple[tuple[float, ...], ...]

_V4_TYPES = "dfihHB"  # by the digit P of the type number MOPT
_V5_TYPES = {1: "b", 2: "B", 3: "h", 4: "H", 5: "i", 6: "I", 7: "f", 9: "d", 12: "q", 13: "Q"}
_MATRIX, _COMPRESSED = 14, 15
_STRUCTURE, _NUMERIC_CLASSES, _COMPLEX = 2, range(6, 16), 0x0800  # class of an array, and a flag


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
            yield from _matrices(content, order)


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


def _matrices(content: bytes, order: str) -> Iterator[tuple[str, Rows]]:
    """One matrix, or those in the fields of a structure."""
    parts = list(_elements(content, order))
    if len(parts) < 4:
        return
    flags = struct.unpack_from(order + "I", parts[0][1])[0]
    dims = struct.unpack(order + f"{len(parts[1][1]) // 4}i", parts[1][1])
    label = parts[2][1].decode("latin-1")
    kind, raw = parts[3]
    if flags & 0xFF == _STRUCTURE and dims == (1, 1):
        length = struct.unpack(order + "i", raw)[0]
        for (_, field), name in zip(parts[5:], _names(parts[4][1], length), strict=False):
            for inner, rows in _matrices(field, order):  # fields have no labels of their own
                yield f"{label}.{name}{inner}", rows
        return
    is_real = flags & 0xFF in _NUMERIC_CLASSES and not flags & _COMPLEX
    if is_real and len(dims) == 2 and kind in _V5_TYPES:
        yield label, _rows(_numbers(raw, _V5_TYPES[kind], order), *dims)


def _names(raw: bytes, length: int) -> list[str]:
    """Each in a field of the same length, filled up with zeros."""
    fields = [raw[at : at + length] for at in range(0, len(raw), length)]
    return [field.split(b"\0")[0].decode("latin-1") for field in fields]


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
