"""A result as a table of text: header `"time","a.b[1]"`, one row per stored point.

    write_csv(result, Path("r.csv"))

All variables, parameters and protected ones too. Numbers in the shortest form that reads back
exactly. Each stored row is turned into text once, however many aliases it has. A value that is
not a number is refused: a table with holes in it would look like a success.
"""

from __future__ import annotations

from pathlib import Path

from freewheel.base.files import replacing
from freewheel.result.finite import refuse_not_finite
from freewheel.result.store import Column, Result

CHUNK = 256  # rows turned into text at a time: text takes ten times the memory of numbers


def write_csv(result: Result, path: Path) -> None:
    columns = [result.column("time"), *result.columns.values()]
    refuse_not_finite(result)
    header = ",".join('"' + column.name.replace('"', '""') + '"' for column in columns)
    with replacing(path) as stream:
        stream.write(header + "\n")
        for start in range(0, len(result), CHUNK):
            stream.write(_text(result, columns, slice(start, start + CHUNK)))


def _text(result: Result, columns: list[Column], rows: slice) -> str:
    """Some rows as text, column by column."""
    count = len(result.time[rows])
    ready: dict[tuple[int, float, float], list[str]] = {}
    texts = []
    for column in columns:
        key = (column.row, column.sign, column.offset)
        if key not in ready:
            ready[key] = _column_text(result, column, rows, count)
        texts.append(ready[key])
    return "".join(",".join(row) + "\n" for row in zip(*texts, strict=True))


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
