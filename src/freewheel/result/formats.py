"""Which file a result becomes: the ending of its name chooses.

    write_result(result, Path("r.mat"))     # "mat"
    read_result("r.parquet")["C.v"]

`.mat` and `.parquet` by name, everything else is a table of text.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from freewheel.result.store import Result

BINARY = ("mat", "parquet")


def kind_of(path: Path) -> str:
    ending = path.suffix.lstrip(".").lower()
    return ending if ending in BINARY else "csv"


def write_result(result: Result, path: Path) -> str:
    """Write the file; its kind. Each writer is imported when it is needed."""
    kind = kind_of(path)
    if kind == "mat":
        from freewheel.result.write_mat import write_mat

        write_mat(result, path)
    elif kind == "parquet":
        from freewheel.result.parquet import write_parquet

        write_parquet(result, path)
    else:
        from freewheel.result.write_csv import write_csv

        write_csv(result, path)
    return kind


def read_result(path: str | PathLike[str]) -> Result:
    """The curves of a file written by Freewheel, or of another tool's `.mat` or `.csv`."""
    place = Path(path)
    kind = kind_of(place)
    if kind == "mat":
        from freewheel.result.read_mat import read_mat

        return read_mat(place)
    if kind == "parquet":
        from freewheel.result.parquet import read_parquet

        return read_parquet(place)
    from freewheel.result.read_csv import read_csv

    return read_csv(place)
