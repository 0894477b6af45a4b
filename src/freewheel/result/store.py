"""`Result`: curves by name. In: one matrix of what varied and how each variable reads from it.

    r = model.simulate(stop=1.0)
    r["C.v"]            # numpy array over r.time; shared, read-only
    r["T"]              # all elements of an array, one row per time
    r.final("C.v"), r.at("C.v", [0.5, 0.6]), r.at("C.v", 0.5, side="left"), r.names()
    r.texts["title"]    # String parameters and constants

Aliases share their stored row, parameters and constants are one number each. At an event two rows
have the same time: the left limit, then the right limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from freewheel.base.diagnostics import Diagnostic, UsageError, shortened
from freewheel.base.stop import is_asked
from freewheel.result.events import Event, Events
from freewheel.result.impulses import Impulse
from freewheel.result.select import Selection, dimensions, unknown_name

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

    def holding(self, value: float) -> Column:
        """The same, with this value all the time. (`replace` takes three times as long; a model may have
        thousands of parameters, and a run a few milliseconds.)"""
        return Column(
            self.name,
            -1,
            1.0,
            value,
            self.kind,
            self.type,
            self.unit,
            self.comment,
            self.is_protected,
            self.literals,
        )


def _times(t: Any) -> Vector:
    try:
        return np.asarray(t, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"times must be numbers, not {t!r}") from None


class Result:
    """What a simulation computed. Row 0 of `data` is time.

    Columns and events may be given as functions that make them, statistics and warnings as functions of
    `data`: who makes a thousand runs asks most results for a number or two."""

    def __init__(
        self,
        model: str,
        data: Vector,
        columns: Sequence[Column] | Callable[[], Sequence[Column]],
        *,
        events: Sequence[Event] | Callable[[], Sequence[Event]] = (),
        warnings: Sequence[Diagnostic] | Callable[[Vector], Sequence[Diagnostic]] = (),
        said: Sequence[Diagnostic] = (),
        stats: Mapping[str, Any] | None = None,
        more_stats: Callable[[Vector], Mapping[str, Any]] | None = None,
        step_sizes: Sequence[tuple[float, float]] | Vector = (),
        impulses: Sequence[Impulse] = (),
        texts: Mapping[str, str] | None = None,
    ) -> None:
        data.flags.writeable = False
        self.model = model
        self._data = data
        self._given = columns, events, warnings, stats or {}, more_stats
        self.said = tuple(said)  # those of the warnings that are known without a look at the curves
        self.remarks: tuple[Diagnostic, ...] = ()  # of the compiler, with the parameters of the run
        # Seconds in each stage of the compiler, of the model as it was run.
        self.translation: dict[str, float] = {}
        self.impulses = tuple(impulses)
        self.texts: dict[str, str] = dict(texts or {})
        # A row for each step: time, size.
        self.step_sizes: Vector = np.asarray(step_sizes, dtype=np.float64).reshape(-1, 2)

    @cached_property
    def columns(self) -> dict[str, Column]:
        given = self._given[0]
        made = given() if callable(given) else given
        return {column.name: column for column in made if column.name != "time"}

    @cached_property
    def events(self) -> Sequence[Event]:
        given = self._given[1]
        made = given() if callable(given) else given
        return made if isinstance(made, Events) else tuple(made)

    @cached_property
    def warnings(self) -> tuple[Diagnostic, ...]:
        given = self._given[2]
        return tuple(given(self._data) if callable(given) else given)

    @cached_property
    def stats(self) -> dict[str, Any]:
        *_, stats, more = self._given
        return {**stats, **({} if more is None else more(self._data))}

    @property
    def data(self) -> Vector:
        """A row for each curve, in one piece from the first look on: to copy a large table takes longer than
        many a run. If the end is asked for it stays as it is, for gigabytes take seconds."""
        if not (self._data.flags.c_contiguous or is_asked()):
            self._data = np.ascontiguousarray(self._data)
            self._data.flags.writeable = False
        return self._data

    @property
    def time(self) -> Vector:
        times: Vector = self.data[0]
        return times

    def names(self) -> list[str]:
        """All variables in the model's order, time and texts not among them."""
        return list(self.columns)

    def __len__(self) -> int:
        return int(self._data.shape[1])

    def __contains__(self, name: object) -> bool:
        is_one = name == "time" or name in self.columns or name in self.texts
        return is_one or (isinstance(name, str) and bool(self._elements(name)))

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def column(self, name: str) -> Column:
        if name == "time":
            return Column("time", 0, unit="s")
        found = self.columns.get(name)
        if found is None:
            raise UsageError(unknown_name(name, [*self.columns, *self.texts]))
        return found

    def __getitem__(self, name: str) -> Any:
        """The curve. Of an array all curves, `r["T"][:, 0]` being the first; of a String its text at
        each time."""
        if not isinstance(name, str):
            raise TypeError(f"a curve is named by a text, not {type(name).__name__}; try `names()`")
        if name in self.texts:
            return np.broadcast_to(np.array(self.texts[name]), self.time.shape)
        elements = self._elements(name)
        if not elements:
            return self.values(self.column(name))
        curves = np.stack([self[element] for element in elements], axis=-1)
        return curves.reshape(len(self), *dimensions(name, elements))

    def _elements(self, name: str) -> list[str]:
        """Of an array; none where the name is that of one variable, or of nothing."""
        if name == "time" or name in self.columns or not isinstance(name, str):
            return []
        found = Selection(self.names()).elements(name)
        return found if found and len(found) == prod(dimensions(name, found)) else []

    def values(self, column: Column) -> Vector:
        """The curve; a view of what is stored wherever possible."""
        if column.row < 0:
            return np.broadcast_to(np.float64(column.offset), self.time.shape)
        stored: Vector = self.data[column.row]
        if column.sign != 1.0 or column.offset != 0.0:
            stored = column.sign * stored + column.offset
        return stored

    def final(self, name: str) -> Any:
        """The last value: a number, a text, or an array."""
        if name in self.texts or self._elements(name):
            return self[name][-1]
        column = self.column(name)
        if column.row < 0:
            return column.offset
        return float(column.sign * self._data[column.row, -1] + column.offset)

    def at(self, name: str, t: Any, *, side: str = "right") -> Any:
        """The value at a time, or one for each of several times. Between stored points: linear for
        continuous, the last value for discrete variables. At an event the right limit, or the left one
        with `side="left"`."""
        if side not in ("left", "right"):
            raise TypeError(f'`side` must be "left" or "right", not {side!r}')
        wanted = _times(t)
        self._require_within(wanted)
        before, after = self._neighbours(wanted, side == "left")
        curve = self[name]
        is_held = name in self.texts or self._column_of(name).kind != "continuous"
        if is_held or curve.dtype.kind != "f":
            found = curve[before]
        else:
            length = self.time[after] - self.time[before]
            share = np.divide(
                wanted - self.time[before], length, out=np.zeros_like(wanted), where=length > 0.0
            )
            share = share.reshape(share.shape + (1,) * (curve.ndim - 1))
            found = curve[before] + share * (curve[after] - curve[before])
        return found.item() if np.ndim(found) == 0 else found

    def _neighbours(self, wanted: Vector, is_left: bool) -> tuple[Any, Any]:
        """The rows before and after each time; both are the row itself where one has that time, the
        first such row for the left limit, the last one for the right."""
        last = len(self) - 1
        at_or_after = np.minimum(np.searchsorted(self.time, wanted, side="left"), last)
        at_or_before = np.searchsorted(self.time, wanted, side="right") - 1
        if is_left:
            is_stored = self.time[at_or_after] == wanted
            return np.where(is_stored, at_or_after, at_or_before), at_or_after
        return at_or_before, np.minimum(at_or_before + 1, last)

    def _column_of(self, name: str) -> Column:
        """Of an array that of its first element."""
        return self.column(next(iter(self._elements(name)), name))

    def _require_within(self, times: Vector) -> None:
        time = self.time
        outside = ~((times >= time[0]) & (times <= time[-1]))
        if outside.any():
            first = float(times[outside].flat[0]) if times.ndim else float(times)
            raise UsageError(
                Diagnostic(
                    "U031",
                    f"time {first:g} is outside of the result ({time[0]:g} to {time[-1]:g})",
                    help="simulate further, or ask within these times",
                )
            )

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
            self._data[:, :count],
            list(self.columns.values()),
            events=self.events,
            warnings=self.warnings,
            stats=self.stats,
            step_sizes=self.step_sizes,
            impulses=self.impulses,
            texts=self.texts,
        )

    def to_pandas(self) -> DataFrame:
        """A frame with `time` as index."""
        from freewheel.result.frame import to_frame

        return to_frame(self)

    def plot(self, *names: str, file: str | PathLike[str] | None = None) -> Figure:
        """Draw the curves, into a file if one is given."""
        from freewheel.result.plot import plot

        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"plot() takes names one by one, plot('a', 'b'), not {name!r:.40}")
        return plot(self, names, None if file is None else Path(file))

    def plot_steps(self, file: str | PathLike[str] | None = None) -> Figure:
        """Draw the size of each step over time, into a file if one is given."""
        from freewheel.result.plot_steps import plot_steps

        return plot_steps(self, None if file is None else Path(file))

    def __repr__(self) -> str:
        count = len(self.columns)
        variables = f"{count} variable{'' if count == 1 else 's'}"
        return f"Result({shortened(self.model)}: {variables}, {len(self)} points)"
