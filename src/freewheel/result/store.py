"""`Result`: curves by name. In: one matrix of what varied and how each variable reads from it.

    r = model.simulate(stop=1.0)
    r["C.v"]            # numpy array over r.time; shared, read-only
    r.final("C.v"), r.at("C.v", 0.5), r.names()

Aliases share their stored row, parameters and constants are one number each. At an event two rows
have the same time: the left limit, then the right limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.result.events import Event, Events
from freewheel.result.impulses import Impulse

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

Vector: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Column:
    """value = sign * data[row] + offset; where `row` is -1 the value is `offset` all the time."""

    name: str
    row: int = -1
    sign: float = 1.0
    offset: float = 0.0
    kind: str = "continuous"  # constant, parameter, discrete, continuous
    type: str = "Real"
    unit: str = ""
    comment: str = ""
    is_protected: bool = False
    literals: tuple[str, ...] = ()


class Result:
    """What a simulation computed. Row 0 of `data` is time."""

    def __init__(
        self,
        model: str,
        data: Vector,
        columns: Sequence[Column],
        *,
        events: Sequence[Event] = (),
        warnings: tuple[Diagnostic, ...] = (),
        stats: Mapping[str, Any] | None = None,
        step_sizes: Sequence[tuple[float, float]] | Vector = (),
        impulses: Sequence[Impulse] = (),
    ) -> None:
        data.flags.writeable = False
        self.model = model
        self.data = data
        self.columns: dict[str, Column] = {c.name: c for c in columns if c.name != "time"}
        self.events = events if isinstance(events, Events) else tuple(events)
        self.warnings = warnings
        self.remarks: tuple[Diagnostic, ...] = ()  # of the compiler, with the parameters of the run
        self.impulses = tuple(impulses)
        self.stats: dict[str, Any] = dict(stats or {})
        # A row for each step: time, size.
        self.step_sizes: Vector = np.asarray(step_sizes, dtype=np.float64).reshape(-1, 2)

    @property
    def time(self) -> Vector:
        times: Vector = self.data[0]
        return times

    def names(self) -> list[str]:
        """All variables in the model's order, time not among them."""
        return list(self.columns)

    def __len__(self) -> int:
        return int(self.data.shape[1])

    def __contains__(self, name: object) -> bool:
        return name == "time" or name in self.columns

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def column(self, name: str) -> Column:
        if name == "time":
            return Column("time", 0, unit="s")
        found = self.columns.get(name)
        if found is None:
            raise UsageError(unknown_name(name, self.names()))
        return found

    def __getitem__(self, name: str) -> Vector:
        return self.values(self.column(name))

    def values(self, column: Column) -> Vector:
        """The curve; a view of what is stored wherever possible."""
        if column.row < 0:
            return np.broadcast_to(np.float64(column.offset), self.time.shape)
        stored: Vector = self.data[column.row]
        if column.sign != 1.0 or column.offset != 0.0:
            stored = column.sign * stored + column.offset
        return stored

    def final(self, name: str) -> float:
        column = self.column(name)
        if column.row < 0:
            return column.offset
        return float(column.sign * self.data[column.row, -1] + column.offset)

    def at(self, name: str, t: float) -> float:
        """Between stored points: linear for continuous, the last value for discrete variables;
        at an event the right limit."""
        time = self.time
        if not time[0] <= t <= time[-1]:
            raise UsageError(
                Diagnostic(
                    "U031",
                    f"time {t:g} is outside of the result ({time[0]:g} to {time[-1]:g})",
                    help="simulate further, or ask within these times",
                )
            )
        column = self.column(name)
        curve = self.values(column)
        after = int(np.searchsorted(time, t, side="right"))
        if after == len(time) or time[after - 1] == t or column.kind != "continuous":
            return float(curve[after - 1])
        share = (t - time[after - 1]) / (time[after] - time[after - 1])
        return float(curve[after - 1] + share * (curve[after] - curve[after - 1]))

    def label(self, name: str) -> str:
        """Name, unit and comment, for legends."""
        column = self.column(name)
        unit = f" [{column.unit}]" if column.unit else ""
        comment = f", {column.comment}" if column.comment else ""
        return f"{name}{unit}{comment}"

    def to_csv(self, path: str | PathLike[str]) -> None:
        from freewheel.result.write_csv import write_csv

        write_csv(self, Path(path))

    def to_file(self, path: str | PathLike[str]) -> None:
        """Write all curves; the ending chooses `.mat`, `.parquet`, else a table of text."""
        from freewheel.result.formats import write_result

        write_result(self, Path(path))

    def until(self, count: int) -> Result:
        """The first `count` points, with everything else as it is."""
        return Result(
            self.model,
            self.data[:, :count].copy(),
            list(self.columns.values()),
            events=self.events,
            warnings=self.warnings,
            stats=self.stats,
            step_sizes=self.step_sizes,
        )

    def to_pandas(self) -> DataFrame:
        """A frame with `time` as index."""
        from freewheel.result.frame import to_frame

        return to_frame(self)

    def plot(self, *names: str, file: str | PathLike[str] | None = None) -> Figure:
        """Draw the curves, into a file if one is given."""
        from freewheel.result.plot import plot

        return plot(self, names, None if file is None else Path(file))

    def plot_steps(self, file: str | PathLike[str] | None = None) -> Figure:
        """Draw the size of each step over time, into a file if one is given."""
        from freewheel.result.plot_steps import plot_steps

        return plot_steps(self, None if file is None else Path(file))

    def __repr__(self) -> str:
        return f"Result({self.model}: {len(self.columns)} variables, {len(self)} points)"


def unknown_name(name: str, known: Sequence[str]) -> Diagnostic:
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    if close:
        help = "did you mean " + " or ".join(f"`{match}`" for match in close) + "?"
    else:
        help = "names() lists all variables, for example " + ", ".join(f"`{n}`" for n in known[:4])
    return Diagnostic("U030", f"the result has no variable `{name}`", help=help)
