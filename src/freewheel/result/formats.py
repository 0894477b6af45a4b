"""Which file a result becomes: the ending of its name chooses.

    write_result(result, Path("r.mat"))     # "mat"
    read_result("r.parquet")["C.v"]

`.mat`, `.parquet`, and `.csv` or `.txt` for a table of text, as is a file without ending (`/dev/stdout`).
Texts of the model are in `.parquet` only; the others hold numbers.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.files import require_regular
from freewheel.result.frame import require_package
from freewheel.result.store import Result

KINDS = {"csv": "csv", "txt": "csv", "": "csv", "mat": "mat", "parquet": "parquet"}
# What other programs read, and the way there.
ELSEWHERE = {
    "xlsx": "write .csv, which spreadsheets open, or use `result.to_pandas().to_excel(...)`",
    "h5": "write .mat or .parquet, or use `result.to_pandas().to_hdf(...)`",
}
ELSEWHERE |= {"xls": ELSEWHERE["xlsx"], "ods": ELSEWHERE["xlsx"], "hdf5": ELSEWHERE["h5"]}


def kind_of(path: Path) -> str:
    """The kind that the ending means; another ending is a mistake."""
    ending = path.suffix.lstrip(".").lower()
    if ending in KINDS:
        return KINDS[ending]
    known = "choose one of .csv, .mat (as Dymola writes it), .parquet"
    raise UsageError(
        Diagnostic(
            "U121",
            f"results of kind `.{ending}` cannot be written or read",
            help="; ".join([known, *filter(None, [ELSEWHERE.get(ending)])]),
            file=str(path),
        )
    )


def require_writer(path: Path) -> None:
    """Before the run: the kind is known and what writes it is installed."""
    if kind_of(path) == "parquet":
        require_package("pyarrow", "parquet")


def write_result(result: Result, path: Path, short: Path | None = None, known: int = 0) -> str:
    """Write the file; its kind. Each writer is imported when it is needed. A `.csv` or `.mat` that is cut
    short goes to `short`; so many points are `known` to be finite."""
    kind = kind_of(path)
    if kind == "mat":
        from freewheel.result.write_mat import write_mat

        write_mat(result, path, short, known)
    elif kind == "parquet":
        from freewheel.result.parquet import write_parquet

        write_parquet(result, path, known)
    else:
        from freewheel.result.write_csv import write_csv

        write_csv(result, path, short, known)
    return kind


def _require_readable(path: Path) -> None:
    try:
        require_regular(path)
    except OSError as problem:
        raise UsageError(
            Diagnostic(
                "U002",
                f"cannot read `{path}`: {problem.strerror or problem}",
                help="check the path and its permissions",
                file=str(path),
            )
        ) from problem


def read_result(path: str | PathLike[str]) -> Result:
    """The curves of a file written by Freewheel, or of another tool's `.mat` or `.csv`."""
    place = Path(path)
    kind = kind_of(place)
    _require_readable(place)
    if kind == "mat":
        from freewheel.result.read_mat import read_mat

        return read_mat(place)
    if kind == "parquet":
        from freewheel.result.parquet import read_parquet

        return read_parquet(place)
    from freewheel.result.read_csv import read_csv

    return read_csv(place)
