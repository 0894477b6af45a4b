"""The external table objects of Modelica.Blocks.Tables, by their C names.

    TABLES["ModelicaStandardTables_CombiTable1D_getValue"](table, 1, 0.5)

Matrices come as `ArrayValue`, nested sequences or numpy arrays; enumerations as `EnumValue` or as
numbers. `table_files` reads tables on files.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import isfinite
from typing import Any

from freewheel.formula.table_curves import AKIMA, CONSTANT, LINEAR, Curve
from freewheel.formula.table_files import Matrix, read_table, wrong_table
from freewheel.formula.tables import ALWAYS, Table1D, Table2D, TimeTable
from freewheel.formula.values import ArrayValue, EnumValue


def time_table(
    file: str,
    name: str,
    table: Any,
    rows: int,
    columns: int,
    start_time: float,
    chosen: Any,
    count: int,
    smoothness: Any,
    extrapolation: Any,
    shift: float = 0.0,
    events: Any = ALWAYS,
    verbose: bool = False,
    delimiter: str = ",",
    header_lines: int = 0,
) -> TimeTable:
    matrix = _rising(_data(file, name, table, delimiter, header_lines), _number(smoothness), name)
    return TimeTable(
        _curves(matrix, chosen, _number(smoothness), name),
        _number(extrapolation),
        float(start_time),
        float(shift),
        _number(events),
    )


def table_1d(
    file: str,
    name: str,
    table: Any,
    rows: int,
    columns: int,
    chosen: Any,
    count: int,
    smoothness: Any,
    extrapolation: Any = 2,
    verbose: bool = False,
    delimiter: str = ",",
    header_lines: int = 0,
) -> Table1D:
    matrix = _rising(_data(file, name, table, delimiter, header_lines), AKIMA, name)
    return Table1D(_curves(matrix, chosen, _number(smoothness), name), _number(extrapolation))


def table_2d(
    file: str,
    name: str,
    table: Any,
    rows: int,
    columns: int,
    smoothness: Any,
    extrapolation: Any = 2,
    verbose: bool = False,
    delimiter: str = ",",
    header_lines: int = 0,
) -> Table2D:
    matrix = _data(file, name, table, delimiter, header_lines)
    if len(matrix) < 2 or len(matrix[0]) < 2:
        raise wrong_table(name, "needs at least two rows and two columns")
    _rising(matrix[1:], AKIMA, name)
    across = matrix[0][1:]
    _rising(tuple((x,) for x in across), AKIMA, name)
    kind = _number(smoothness)
    if kind not in (LINEAR, AKIMA, CONSTANT):
        raise wrong_table(
            name, "can be linear, constant or with ContinuousDerivative in two dimensions"
        )
    down = tuple(row[0] for row in matrix[1:])
    return Table2D(down, across, tuple(r[1:] for r in matrix[1:]), kind, _number(extrapolation))


def _slope_of_time(t: TimeTable, i: int, at: float, e: float, pre: float, d: float) -> float:
    return t.local(i, at, e, pre).slope * d


def _bend_of_time(
    t: TimeTable, i: int, at: float, e: float, pre: float, d: float, d2: float
) -> float:
    local = t.local(i, at, e, pre)
    return local.bend * d * d + local.slope * d2


def _bend_1d(t: Table1D, i: int, u: float, d: float, d2: float) -> float:
    local = t.local(i, u)
    return local.bend * d * d + local.slope * d2


def _slope_2d(t: Table2D, u1: float, u2: float, d1: float, d2: float) -> float:
    _, slope1, slope2 = t.local(u1, u2)
    return slope1 * d1 + slope2 * d2


def _bend_2d(
    t: Table2D, u1: float, u2: float, d1: float, d2: float, dd1: float, dd2: float
) -> float:
    first, mixed, second = t.bends(u1, u2)
    curved = first * d1 * d1 + 2.0 * mixed * d1 * d2 + second * d2 * d2
    return curved + _slope_2d(t, u1, u2, dd1, dd2)


def _close(table: object) -> None:
    """Nothing to free."""


_TIME, _1D, _2D = (
    f"ModelicaStandardTables_Combi{kind}_" for kind in ("TimeTable", "Table1D", "Table2D")
)

TABLES: dict[str, Callable[..., Any]] = {
    _TIME + "init2": time_table,
    _TIME + "init3": time_table,
    _TIME + "close": _close,
    _TIME + "getValue": lambda t, i, at, e, pre: t.local(i, at, e, pre).value,
    _TIME + "getDerValue": _slope_of_time,
    _TIME + "getDer2Value": _bend_of_time,
    _TIME + "minimumTime": lambda t: t.curves[0].x[0],
    _TIME + "maximumTime": lambda t: t.curves[0].x[-1],
    _TIME + "nextTimeEvent": lambda t, at: t.next_event(at),
    _1D + "init2": table_1d,
    _1D + "init3": table_1d,
    _1D + "close": _close,
    _1D + "getValue": lambda t, i, u: t.local(i, u).value,
    _1D + "getDerValue": lambda t, i, u, d: t.local(i, u).slope * d,
    _1D + "getDer2Value": _bend_1d,
    _1D + "minimumAbscissa": lambda t: t.curves[0].x[0],
    _1D + "maximumAbscissa": lambda t: t.curves[0].x[-1],
    _2D + "init2": table_2d,
    _2D + "init3": table_2d,
    _2D + "close": _close,
    _2D + "getValue": lambda t, u1, u2: t.value(u1, u2),
    _2D + "getDerValue": _slope_2d,
    _2D + "getDer2Value": _bend_2d,
    _2D + "minimumAbscissa": lambda t: ArrayValue((2,), (t.u1[0], t.u2[0])),
    _2D + "maximumAbscissa": lambda t: ArrayValue((2,), (t.u1[-1], t.u2[-1])),
}

# ---------------------------------------------------------------- arguments


def _number(value: Any) -> int:
    return value.index if isinstance(value, EnumValue) else int(value)


def _matrix(value: Any) -> Matrix:
    rows: Any = value.rows() if isinstance(value, ArrayValue) else value
    return tuple(
        tuple(float(x) for x in (row.elements if isinstance(row, ArrayValue) else row))
        for row in rows
    )


def _data(file: str, name: str, table: Any, delimiter: str, header_lines: int) -> Matrix:
    if file in ("", "NoName"):
        matrix = _matrix(table)
        if not matrix or not matrix[0]:
            if name not in ("", "NoName"):  # then other tools ask a C function of the user for it
                raise wrong_table(
                    name,
                    "has no file, so it comes from C code (`usertab`), which is not supported",
                    "name a file, or give the table as a matrix",
                )
            raise wrong_table(name, "holds no numbers")
    else:
        matrix = read_table(file, name, delimiter, int(header_lines))
    for number, row in enumerate(matrix, start=1):
        if not all(map(isfinite, row)):
            column = next(k for k, x in enumerate(row, start=1) if not isfinite(x))
            raise wrong_table(name, f"holds {row[column - 1]:g} in row {number}, column {column}")
    return matrix


def _rising(matrix: Matrix, smoothness: int, name: str) -> Matrix:
    """Times may repeat where the curve may jump; nothing may fall."""
    may_repeat = smoothness in (LINEAR, CONSTANT)
    for before, after in pairwise(matrix):
        if after[0] < before[0] or (after[0] == before[0] and not may_repeat):
            raise wrong_table(
                name, f"does not rise in its first column: {after[0]:g} after {before[0]:g}"
            )
    return matrix


def _curves(matrix: Matrix, chosen: Any, smoothness: int, name: str) -> tuple[Curve, ...]:
    numbers = chosen.elements if isinstance(chosen, ArrayValue) else chosen
    x = tuple(row[0] for row in matrix)
    curves = []
    for number in (int(n) for n in numbers):
        if not 1 <= number <= len(matrix[0]):
            raise wrong_table(name, f"has {len(matrix[0])} columns, column {number} is asked for")
        curves.append(Curve(x, tuple(row[number - 1] for row in matrix), smoothness))
    return tuple(curves)
