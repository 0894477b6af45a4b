"""A Dymola trajectory file back into a `Result`; ours, Dymola's and OpenModelica's.

    read_mat(Path("r.mat"))["C.v"]

The matrices may lie transposed (`binTrans`, what simulators write) or not (`binNormal`).
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.result.mat4 import Matrix, lines_of, read_matrices
from freewheel.result.store import Column, Result

NEEDED = ("Aclass", "name", "description", "dataInfo", "data_2")
UNIT = re.compile(r"^(?P<comment>.*?)\s*\[(?P<unit>[^\[\]]*)\]$", re.DOTALL)
TYPE = re.compile(r"#\(type=(\w+)\)")


def read_mat(path: Path) -> Result:
    try:
        matrices = read_matrices(path)
        absent = [name for name in NEEDED if name not in matrices]
        if absent:
            raise ValueError(f"it has no matrix `{absent[0]}`")
        return _result(path.stem, matrices)
    except (OSError, ValueError, IndexError) as problem:
        raise UsageError(
            Diagnostic(
                "U036",
                f"`{path}` is not a trajectory file: {problem}",
                help="a `.mat` file as Freewheel, Dymola or OpenModelica write it is expected",
                file=str(path),
            )
        ) from problem


def _result(model: str, matrices: dict[str, Matrix]) -> Result:
    is_transposed = lines_of(matrices["Aclass"])[3] == "binTrans"

    def upright(name: str) -> Matrix:
        matrix = matrices.get(name, np.zeros((0, 0)))
        return matrix.T if is_transposed else matrix

    names, descriptions = lines_of(upright("name")), lines_of(upright("description"))
    info = upright("dataInfo").tolist()
    constants, curves = upright("data_1"), upright("data_2")
    data = np.ascontiguousarray(curves.T, dtype=np.float64)
    columns = [
        _column(name, text, int(block), int(place), constants)
        for name, text, (block, place, *_) in zip(names, descriptions, info, strict=True)
        if int(block) != 0  # time
    ]
    return Result(model, data, columns)


def _column(name: str, description: str, block: int, place: int, constants: Matrix) -> Column:
    comment, unit, kind = _described(description)
    sign = -1.0 if place < 0 else 1.0
    place = abs(place) - 1
    if block == 2:
        held = "continuous" if kind == "Real" else "discrete"
        return Column(name, place, sign, kind=held, type=kind, unit=unit, comment=comment)
    value = sign * float(constants[0, place])
    return Column(name, offset=value, kind="parameter", type=kind, unit=unit, comment=comment)


def _described(description: str) -> tuple[str, str, str]:
    """Comment, unit and type out of `Voltage drop [V:#(type=Real)]`; no brackets are fine."""
    found = UNIT.match(description)
    if found is None:
        return description, "", "Real"
    typed = TYPE.search(found["unit"])
    unit = found["unit"].split(":#")[0].split("|")[0]
    return found["comment"], unit, typed[1] if typed else "Real"
