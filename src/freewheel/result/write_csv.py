"""A result as a table of text: header `"time","a.b[1]"`, one row per stored point.

    write_csv(result, Path("r.csv"))

All variables, parameters and protected ones too. Numbers in the shortest form that reads back
exactly. Each stored row is turned into text once, however many aliases it has. A value that is
not a number is refused: a table with holes in it would look like a success.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from freewheel.base.files import replacing
from freewheel.base.stop import CutShort, is_asked, questions
from freewheel.result.finite import refuse_not_finite
from freewheel.result.store import Column, Result

CHUNK = (
    30_000  # cells turned into text at a time, some milliseconds: then it is seen whether to stop
)
MANY = 20_000  # cells from which on loading the compiled writer pays
# Cells that take a fifth of a second.
MOST = 2_000_000
MOST_WITHOUT_CODE = 100_000


def takes_long(result: Result) -> bool:
    """Where a stop is asked for."""
    numbers = len(result) * (1 + len(result.columns))
    return numbers > (MOST if _is_writer_at_hand() else MOST_WITHOUT_CODE)


def write_csv(result: Result, path: Path, short: Path | None = None, known: int = 0) -> None:
    """Where a stop is asked for while it writes, whole rows up to then are `short`, and `CutShort` tells how
    many. `known`: so many points have been seen to be finite."""
    asked = min(1, questions())  # the first one ended the run
    columns = [result.column("time"), *result.columns.values()]
    refuse_not_finite(result, known)
    header = ",".join('"' + column.name.replace('"', '""') + '"' for column in columns)
    write = _compiled_writer(result, columns) or partial(_text, result, columns)
    size = max(1, CHUNK // len(columns))
    with replacing(path, "wb", short) as stream:
        stream.write(header.encode() + b"\n")
        for start in range(0, len(result), size):
            if questions() > asked:
                raise CutShort(start)
            stream.write(write(slice(start, start + size)))


def _compiled_writer(result: Result, columns: list[Column]) -> Callable[[slice], bytes] | None:
    """For large tables of ordinary numbers: ten times faster than `repr`."""
    if len(result) * len(columns) < MANY or (is_asked() and not _is_writer_at_hand()):
        return None
    from freewheel.result.number_text import can_write, table_text

    rows = np.array([column.row for column in columns])
    signs = np.array([column.sign for column in columns])
    offsets = np.array([column.offset for column in columns])
    whole = np.array([int(_is_whole(result, column)) for column in columns])
    is_plain = bool(np.isin(signs, (-1.0, 1.0)).all()) and not offsets[rows >= 0].any()
    if not (is_plain and can_write(result.data) and can_write(offsets)):
        return None  # a sum or product might leave the range of the compiled writer
    return lambda part: table_text(result.data[:, part], rows, signs, offsets, whole)


def _is_writer_at_hand() -> bool:
    """To compile it takes up to a second: the first time, or where nothing is kept."""
    from freewheel.result.number_text import module

    return module.is_at_hand


def _is_whole(result: Result, column: Column) -> bool:
    """Booleans, integers and enumerations that hold whole numbers only."""
    if column.type == "Real":
        return False
    values = result.data[column.row] if column.row >= 0 else np.array(column.offset)
    return bool((values == np.floor(values)).all())


def _text(result: Result, columns: list[Column], rows: slice) -> bytes:
    """Some rows as text, column by column."""
    count = len(result.time[rows])
    ready: dict[tuple[int, float, float], list[str]] = {}
    texts = []
    for column in columns:
        key = (column.row, column.sign, column.offset)
        if key not in ready:
            ready[key] = _column_text(result, column, rows, count)
        texts.append(ready[key])
    return "".join(",".join(row) + "\n" for row in zip(*texts, strict=True)).encode()


def _column_text(result: Result, column: Column, rows: slice, count: int) -> list[str]:
    if column.row < 0:
        return [_number(column.offset, column)] * count
    values = column.sign * result.data[column.row, rows] + column.offset
    if column.type != "Real":
        return [_number(value, column) for value in values.tolist()]
    if count and (values == values[0]).all():
        return [repr(float(values[0]))] * count
    return list(map(repr, values.tolist()))


def _number(value: float, column: Column) -> str:
    """Booleans, integers and enumerations as whole numbers."""
    if column.type != "Real" and value == int(value):
        return str(int(value))
    return repr(float(value))
