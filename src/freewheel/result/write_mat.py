"""A result as a Dymola trajectory file: `Aclass`, `name`, `description`, `dataInfo`, `data_1`
(parameters and constants, first and last time), `data_2` (what varies), all transposed.

    write_mat(result, Path("r.mat"))

`dataInfo` has four numbers per variable: the matrix it lives in (0 for time itself), the row there
counted from 1 and negative for `a = -b`, 0 for linear interpolation, -1 for undefined outside.
Row 1 of both matrices is time, as readers such as DyMat expect. Units and types stand in square
brackets behind the description. `data_2` holds point after point, as the recorder has them: it can be written
while a run goes on.

    file = GrowingMat(stream, result)
    file.append(points)                     # time and again
    file.append_rest(result)
    file.end(result)
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


def write_mat(result: Result, path: Path, short: Path | None = None, known: int = 0) -> None:
    """Where a stop is asked for while it writes, all points up to then are `short`, and `CutShort` tells how
    many. `known`: so many points have been seen to be finite."""
    refuse_not_finite(result, known)
    with replacing(path, "wb", short) as stream:
        file = GrowingMat(stream, result, len(result))
        file.append_rest(result)


class GrowingMat:
    """A trajectory file while points are appended to it. Its head has the same length whatever their number
    is, and is written again where that was not known."""

    def __init__(self, stream: IO[bytes], result: Result, expected: int = 1) -> None:
        places, self._constant_count, self.curves = _placed(result)
        self._stream = stream
        self._about = _description(result, places)
        self._is_plain = self.curves == [(row, 1.0, 0.0) for row in range(len(result.data))]
        self.count = 0  # points
        self.size = max(1, CHUNK // len(self.curves))  # points written at a time
        self._write_head(result, expected)

    def _write_head(self, result: Result, count: int) -> None:
        """All but the numbers of `data_2`."""
        constants = [c.offset for c in result.columns.values() if c.row < 0]
        assert len(constants) == self._constant_count, "another model"
        times = [result.time[0], result.time[count - 1]]
        self._stream.write(self._about)
        write_matrix(self._stream, "data_1", np.array([times, *([c, c] for c in constants)]))
        write_header(self._stream, "data_2", np.dtype("<f8"), len(self.curves), count)

    def append(self, points: Any) -> None:
        """Of the matrix of a result some columns, each a row here."""
        self._stream.write(points.data if self._is_plain else self._varying(points))
        self.count += len(points)

    def append_rest(self, result: Result) -> None:
        """Of this result all that is not there yet."""
        asked = min(1, questions())  # the first one ended the run
        for start in range(self.count, len(result), self.size):
            if questions() > asked:
                if start > 0:
                    self.end(result)
                raise CutShort(start)
            points = result.data[:, start : start + self.size].T
            self.append(np.ascontiguousarray(points))

    def end(self, result: Result) -> None:
        """With the points that there are, or those of the result if it has fewer."""
        self._stream.seek(0)
        count = min(self.count, len(result))
        self._write_head(result, count)
        if count < self.count:
            self._stream.truncate(self._stream.tell() + 8 * len(self.curves) * count)

    def _varying(self, points: Any) -> Any:
        """What is not kept as it is: another order, or another sign."""
        data = np.take(points, [row for row, _, _ in self.curves], axis=1)
        changed = [k for k, curve in enumerate(self.curves) if curve[1:] != (1.0, 0.0)]
        if changed:
            _, signs, offsets = np.array([self.curves[k] for k in changed]).T
            data[:, changed] = signs * data[:, changed] + offsets
        return data.data


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


def _placed(result: Result) -> tuple[list[tuple[int, int, int, int]], int, list[Curve]]:
    """`dataInfo` of every column but time, the number of constants, and the rows that vary: first those that
    are as they are stored, in that order."""
    varying = [_curve(column) for column in result.columns.values() if column.row >= 0]
    stored = sorted({(0, 1.0, 0.0), *(curve for curve in varying if curve[1:] == (1.0, 0.0))})
    curves = [*dict.fromkeys([*stored, *varying])]
    known = {curve: place for place, curve in enumerate(curves, 1)}
    places: list[tuple[int, int, int, int]] = []
    constants = 0
    for column in result.columns.values():
        if column.row < 0:
            constants += 1
            places.append((CONSTANT, constants + 1, 0, 0))
            continue
        place = known[_curve(column)]
        places.append((VARYING, -place if _is_negated(column) else place, 0, -1))
    return places, constants, curves


def _curve(column: Column) -> Curve:
    return column.row, 1.0 if _is_negated(column) else column.sign, column.offset


def _is_negated(column: Column) -> bool:
    return column.sign == -1.0 and column.offset == 0.0


def describe(column: Column) -> str:
    """`Voltage drop [V]`; types other than Real as `[:#(type=Boolean)]`."""
    comment = " ".join(column.comment.split())
    if column.type != "Real":
        return f"{comment} [:#(type={column.type})]".lstrip()
    return f"{comment} [{column.unit}]".lstrip() if column.unit else comment
