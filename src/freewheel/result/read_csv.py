"""A table of text back into a `Result`; the inverse of `write_csv` as far as a table can tell.

read_csv(Path("r.csv"))["C.v"]
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.files import require_no_device
from freewheel.result.store import Column, Result


def read_csv(path: Path) -> Result:
    try:
        require_no_device(path)
        with open(path, encoding="utf-8-sig", newline="") as stream:
            names = next(csv.reader([stream.readline()]), [])
            if not names or names[0] != "time":
                raise _bad(path, "the first column is not `time`")
            data = np.loadtxt(stream, delimiter=",", ndmin=2, quotechar='"')
    except (OSError, UnicodeDecodeError, ValueError, csv.Error) as problem:
        raise _bad(path, str(problem)) from problem
    if data.shape[1] != len(names):
        raise _bad(path, f"{len(names)} names but {data.shape[1]} columns")
    columns = [Column(name, row) for row, name in enumerate(names)]
    return Result(path.stem, np.ascontiguousarray(data.T), columns)


def _bad(path: Path, what: str) -> UsageError:
    return UsageError(
        Diagnostic(
            "U035",
            f"`{path}` is not a table of curves: {what}",
            help='the first line names the columns: "time","x",...',
            file=str(path),
        )
    )
