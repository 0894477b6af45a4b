"""A result as a pandas frame, where pandas is installed.

to_frame(result)["C.v"]
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.result.store import Result

if TYPE_CHECKING:
    from pandas import DataFrame


def to_frame(result: Result) -> DataFrame:
    try:
        import pandas
    except ImportError as problem:
        raise missing("pandas", "pandas") from problem
    columns = {name: result[name] for name in (*result.names(), *result.texts)}
    index = pandas.Index(result.time, name="time")
    return pandas.DataFrame(columns, index=index)


def require_package(package: str, extra: str) -> None:
    """Before the run: what will be needed after it is installed. Nothing is imported."""
    if find_spec(package) is None:
        raise missing(package, extra)


def missing(package: str, extra: str) -> UsageError:
    return UsageError(
        Diagnostic(
            "U032",
            f"the package `{package}` is not installed",
            help=f"install it with: pip install 'freewheel[{extra}]'",
        )
    )
