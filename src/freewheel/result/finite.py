"""No file holds a value that is not a number: a table with holes in it would look like a success.

refuse_not_finite(result)       # raises R102, naming the first such variable and its time
"""

from __future__ import annotations

import numpy as np

from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.result.store import Result


def refuse_not_finite(result: Result, known: int = 0) -> None:
    """Raise where a curve or a parameter of the result is nan or infinite; so many points are known not to
    be."""
    finite = [bool(np.isfinite(row[known:]).all()) for row in result.data]
    for column in result.columns.values():
        if np.isfinite(column.offset) and (column.row < 0 or finite[column.row]):
            continue
        curve = result[column.name]
        at = int(np.flatnonzero(~np.isfinite(curve))[0])
        raise SimulationError(
            Diagnostic(
                "R102",
                f"`{column.name}` is {curve[at]} at time {result.time[at]:g}: "
                "the table was not written",
                help="find out why it is not a number; the other curves are in the result",
            ),
            result=result,
        )


def finite_part(result: Result, known: int = 0) -> Result:
    """The rows before the first one with such a value: what a failed run may still show."""
    bad = ~np.isfinite(result.data[:, known:]).all(axis=0)
    if not bad.any():
        return result
    return result.until(known + int(np.argmax(bad)))
