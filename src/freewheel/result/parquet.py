"""A result as a parquet table and back, where pyarrow is installed.

    write_parquet(result, Path("r.parquet"))
    read_parquet(Path("r.parquet"))["C.v"]

One column per variable, `time` first; whole numbers and Booleans as such. Unit, comment and kind
stand in the metadata of each field, the model's name in that of the table. Texts are columns of strings.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.files import replacing
from freewheel.result.finite import refuse_not_finite
from freewheel.result.frame import missing
from freewheel.result.store import Column, Result

FIXED = ("parameter", "constant")


def write_parquet(result: Result, path: Path, known: int = 0) -> None:
    arrow, parquet = _packages()
    refuse_not_finite(result, known)
    columns = [result.column("time"), *result.columns.values()]
    arrays: dict[tuple[Any, ...], Any] = {}  # aliases are converted once
    fields, table = [], []
    for column in columns:
        key = (column.row, column.sign, column.offset, column.type)
        if key not in arrays:
            arrays[key] = arrow.array(_typed(result, column))
        table.append(arrays[key])
        fields.append(arrow.field(column.name, arrays[key].type, metadata=_about(column)))
    for name, text in result.texts.items():
        table.append(arrow.array([text] * len(result), type=arrow.string()))
        fields.append(arrow.field(name, arrow.string(), metadata={"kind": "parameter"}))
    schema = arrow.schema(fields, metadata={"model": result.model})
    with replacing(path, "wb") as stream:
        parquet.write_table(arrow.Table.from_arrays(table, schema=schema), stream)


def read_parquet(path: Path) -> Result:
    arrow, parquet = _packages()
    try:
        with open(path, "rb") as stream:
            table = parquet.read_table(stream)
        is_text = [arrow.types.is_string(field.type) for field in table.schema]
        texts = {
            field.name: str(column[0])
            for field, column, is_one in zip(table.schema, table.columns, is_text, strict=True)
            if is_one and len(column)
        }
        table = table.select([k for k, is_one in enumerate(is_text) if not is_one])
        data = np.array([np.asarray(column, dtype=np.float64) for column in table.columns])
    except (OSError, ValueError, arrow.ArrowException) as problem:
        raise _bad(path, str(problem)) from problem
    if "time" not in table.column_names[:1]:
        raise _bad(path, "the first column is not `time`")
    columns = [_column(field, row, data[row]) for row, field in enumerate(table.schema)]
    model = (table.schema.metadata or {}).get(b"model", path.stem.encode()).decode()
    return Result(model, data, columns, texts=texts)


def _typed(result: Result, column: Column) -> Any:
    values = result.values(column)
    if column.type == "Boolean":
        return values != 0.0
    if column.type in ("Integer", "enumeration"):
        return values.astype(np.int64)
    return np.ascontiguousarray(values)


def _about(column: Column) -> dict[str, str]:
    known = {"unit": column.unit, "comment": column.comment, "kind": column.kind}
    return {key: text for key, text in {**known, "type": column.type}.items() if text}


def _column(field: Any, row: int, curve: Any) -> Column:
    about = {key.decode(): text.decode() for key, text in (field.metadata or {}).items()}
    kind = about.get("kind", "continuous")
    words = {key: about[key] for key in ("type", "unit", "comment") if key in about}
    if kind in FIXED and len(curve):
        return Column(field.name, offset=float(curve[0]), kind=kind, **words)
    return Column(field.name, row, kind=kind, **words)


def _packages() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as problem:
        raise missing("pyarrow", "parquet") from problem
    return pyarrow, parquet


def _bad(path: Path, what: str) -> UsageError:
    return UsageError(
        Diagnostic(
            "U037",
            f"`{path}` is not a parquet table of curves: {what}",
            help="the first column must be `time`, all columns numbers",
            file=str(path),
        )
    )
