"""A result as a Dymola trajectory file: `Aclass`, `name`, `description`, `dataInfo`, `data_1`
(parameters and constants, first and last time), `data_2` (what varies), all transposed.

    write_mat(result, Path("r.mat"))

`dataInfo` has four numbers per variable: the matrix it lives in (0 for time itself), the row there
counted from 1 and negative for `a = -b`, 0 for linear interpolation, -1 for undefined outside.
Row 1 of both matrices is time, as readers such as DyMat expect. Units and types stand in square
brackets behind the description. `data_2` holds point after point: of an interrupted run as the recorder has
them, so that ten million numbers take some hundredths of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import numpy as np

from freewheel.base.files import replacing
from freewheel.base.stop import CutShort, questions
from freewheel.result.finite import refuse_not_finite
from freewheel.result.mat4 import text_rows, write_header, write_matrix
from freewheel.result.store import Column, Result

CLASS = ["Atrajectory", "1.1", "", "binTrans"]
CONSTANT, VARYING = 1, 2
CHUNK = 1_000_000  # numbers written at a time, some milliseconds: then it is seen whether to stop

Curve = tuple[int, float, float]  # row, sign, offset


def write_mat(result: Result, path: Path, short: Path | None = None) -> None:
    """Where a stop is asked for while it writes, all points up to then are `short`, and `CutShort` tells how
    many."""
    asked = min(1, questions())  # the first one ended the run
    refuse_not_finite(result)
    places, constants, curves = _placed(result)
    about = _description(result, places)
    size = max(1, CHUNK // len(curves))
    with replacing(path, "wb", short) as stream:
        stream.write(about)
        _begin_data(stream, result, constants, curves, len(result))
        for start in range(0, len(result), size):
            if questions() > asked:
                if start > 0:
                    stream.seek(len(about))
                    _begin_data(stream, result, constants, curves, start)
                raise CutShort(start)
            stream.write(_points(result, curves, slice(start, start + size)))


def _description(result: Result, places: Sequence[tuple[int, int, int, int]]) -> bytes:
    """What does not depend on the number of points."""
    columns = [result.column("time"), *result.columns.values()]
    info = np.array([(0, 1, 0, -1), *places], dtype="<i4")
    stream = BytesIO()
    write_matrix(stream, "Aclass", text_rows(CLASS), is_text=True)
    write_matrix(stream, "name", text_rows([c.name for c in columns]).T, is_text=True)
    write_matrix(stream, "description", text_rows([*map(describe, columns)]).T, is_text=True)
    write_matrix(stream, "dataInfo", info.T)
    return stream.getvalue()


def _begin_data(
    stream: IO[bytes],
    result: Result,
    constants: Sequence[float],
    curves: Sequence[Curve],
    count: int,
) -> None:
    """`data_1`, and the header of `data_2` for so many points."""
    times = [result.time[0], result.time[count - 1]]
    write_matrix(stream, "data_1", np.array([times, *([c, c] for c in constants)]))
    write_header(stream, "data_2", np.dtype("<f8"), len(curves), count)


def _points(result: Result, curves: Sequence[Curve], part: slice) -> Any:
    """All that varies, point after point."""
    rows = [row for row, _, _ in curves]
    data = result.data[:, part].T
    if rows != [*range(len(result.data))]:
        data = np.take(data, rows, axis=1)
    changed = [k for k, curve in enumerate(curves) if curve[1:] != (1.0, 0.0)]
    if changed:
        _, signs, offsets = np.array([curves[k] for k in changed]).T
        data = data.copy()
        data[:, changed] = signs * data[:, changed] + offsets
    return np.ascontiguousarray(data).data


def _placed(result: Result) -> tuple[list[tuple[int, int, int, int]], list[float], list[Curve]]:
    """`dataInfo` of every column but time, the constants, and the rows that vary."""
    places: list[tuple[int, int, int, int]] = []
    constants: list[float] = []
    known: dict[Curve, int] = {(0, 1.0, 0.0): 1}
    for column in result.columns.values():
        if column.row < 0:
            constants.append(column.offset)
            places.append((CONSTANT, len(constants) + 1, 0, 0))
            continue
        is_negated = column.sign == -1.0 and column.offset == 0.0
        key = (column.row, 1.0 if is_negated else column.sign, column.offset)
        place = known.setdefault(key, len(known) + 1)
        places.append((VARYING, -place if is_negated else place, 0, -1))
    return places, constants, list(known)


def describe(column: Column) -> str:
    """`Voltage drop [V]`; types other than Real as `[:#(type=Boolean)]`."""
    comment = " ".join(column.comment.split())
    if column.type != "Real":
        return f"{comment} [:#(type={column.type})]".lstrip()
    return f"{comment} [{column.unit}]".lstrip() if column.unit else comment
