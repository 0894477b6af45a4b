"""A result as a Dymola trajectory file: `Aclass`, `name`, `description`, `dataInfo`, `data_1`
(parameters and constants, first and last time), `data_2` (what varies), all transposed.

    write_mat(result, Path("r.mat"))

`dataInfo` has four numbers per variable: the matrix it lives in (0 for time itself), the row there
counted from 1 and negative for `a = -b`, 0 for linear interpolation, -1 for undefined outside.
Row 1 of both matrices is time, as readers such as DyMat expect. Units and types stand in square
brackets behind the description.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from freewheel.base.files import replacing
from freewheel.result.finite import refuse_not_finite
from freewheel.result.mat4 import text_rows, write_matrix
from freewheel.result.store import Column, Result, Vector

CLASS = ["Atrajectory", "1.1", "", "binTrans"]
CONSTANT, VARYING = 1, 2


def write_mat(result: Result, path: Path) -> None:
    refuse_not_finite(result)
    places, constants, curves = _placed(result)
    columns = [result.column("time"), *result.columns.values()]
    info = np.array([(0, 1, 0, -1), *places], dtype="<i4")
    times = [result.time[0], result.time[-1]]
    with replacing(path, "wb") as stream:
        write_matrix(stream, "Aclass", text_rows(CLASS), is_text=True)
        write_matrix(stream, "name", text_rows([c.name for c in columns]).T, is_text=True)
        write_matrix(stream, "description", text_rows([*map(describe, columns)]).T, is_text=True)
        write_matrix(stream, "dataInfo", info.T)
        write_matrix(stream, "data_1", np.array([times, *([c, c] for c in constants)]))
        write_matrix(stream, "data_2", np.array(curves))


def _placed(result: Result) -> tuple[list[tuple[int, int, int, int]], list[float], list[Vector]]:
    """`dataInfo` of every column but time, the constants, and the rows that vary."""
    places: list[tuple[int, int, int, int]] = []
    constants: list[float] = []
    curves: list[Vector] = [result.time]
    known: dict[tuple[int, float, float], int] = {(0, 1.0, 0.0): 1}
    for column in result.columns.values():
        if column.row < 0:
            constants.append(column.offset)
            places.append((CONSTANT, len(constants) + 1, 0, 0))
            continue
        is_negated = column.sign == -1.0 and column.offset == 0.0
        key = (column.row, 1.0 if is_negated else column.sign, column.offset)
        if key not in known:
            curves.append(result.values(Column("", *key)))
            known[key] = len(curves)
        places.append((VARYING, -known[key] if is_negated else known[key], 0, -1))
    return places, constants, curves


def describe(column: Column) -> str:
    """`Voltage drop [V]`; types other than Real as `[:#(type=Boolean)]`."""
    comment = " ".join(column.comment.split())
    if column.type != "Real":
        return f"{comment} [:#(type={column.type})]".lstrip()
    return f"{comment} [{column.unit}]".lstrip() if column.unit else comment
