"""`freewheel compare FILE|CLASS`: an ideal model beside leaky ones and backward Euler, error and cost.

    freewheel compare rectifier.mo --watch C.v --leak 1e-5 --leak 1e-10

The table of Cellier and Krebs (2007), section 6: what do leaks cost, and what do they spoil? Errors
are the largest at stored points that are no events, against the ideal model at a tolerance a thousand
times tighter, or against curves from a file. Where a leaky model does not come through its tolerance is
tightened a hundredfold and tried again; the table says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import nan
from pathlib import Path
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any

import click

from freewheel.base.diagnostics import Diagnostic, SimulationError, UsageError
from freewheel.tools.options import read_names, with_target
from freewheel.tools.report import print_json
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.api import Model
    from freewheel.result.store import Result

TIGHTER = 1e-3  # tolerance of the reference against that of the runs
LEAST = 1e-12  # tolerance
REPEATS = 3  # of each run; the fastest counts
PATIENCE = 30.0  # seconds for one run


@dataclass(frozen=True, slots=True)
class Row:
    """One way to simulate the model."""

    run: str
    tolerance: float
    error: float = nan  # largest over the watched variables
    share: float = nan  # of the amplitude of the variable it belongs to
    variable: str = ""
    events: int = 0
    steps: int = 0
    evaluations: int = 0
    seconds: float = nan
    failure: str = ""  # why there is nothing to tell


@click.command()
@with_target
@click.option("--start", type=float, help="Start time, else as the model says, else 0.")
@click.option("--stop", type=float, help="Stop time, else as the model says, else 1.")
@click.option("--tol", type=float, help="Relative tolerance, else as the model says, else 1e-6.")
@click.option("--interval", type=float, help="Time between stored points, else 1/500 of the run.")
@click.option("--watch", metavar="A,B", help="Variables to compare, else the states.")
@click.option("--leak", "leaks", multiple=True, type=float, help="Sizes  [1e-5 and 1e-10].")
@click.option(
    "--leak-parameters",
    "names",
    default="Ron,Goff",
    show_default=True,
    help="Parameters that leak where they are not zero.",
)
@click.option("--step", type=float, help="Of backward Euler  [the interval].")
@click.option("--reference", metavar="FILE", help="Curves to compare with: .csv or .mat.")
def compare(
    target: str, model: str | None, libraries: Sequence[str], as_json: bool, **choices: Any
) -> None:
    """Compare an ideal model with leaky ones and with backward Euler."""
    from freewheel.api import load
    from freewheel.base.access import only_reading

    with only_reading():
        rows = Comparison(load(target, model=model, library=libraries), choices).rows()
    if as_json:
        print_json({"model": target, "rows": [asdict(row) for row in rows]})
    else:
        for line in _lines(rows):
            echo(line)


class Comparison:
    def __init__(self, model: Model, choices: dict[str, Any]) -> None:
        self.model = model
        self.choices = choices
        self.common = {key: choices[key] for key in ("start", "stop", "interval")}

    def rows(self) -> list[Row]:
        from freewheel.api.leaks import leak_parameters, leaky

        ideal, tolerance = self._ideal()
        parameters = leak_parameters(ideal, read_names(self.choices["names"]))
        self._require_something_ideal(ideal, parameters)
        self.reference = self._reference(tolerance)
        self.watched = self._watched()
        rows = [self._row("ideal", self.model, tolerance)]
        for size in self.choices["leaks"] or (1e-5, 1e-10):
            changed = leaky(self.model, parameters, size)
            rows.append(self._row(f"leaky {size:g}", changed, tolerance, tries=4))
        step = self.choices["step"]
        euler = {"solver": "core-euler", **({} if step is None else {"interval": step})}
        rows.append(self._row("backward Euler", self.model, tolerance, **euler))
        return rows

    def _ideal(self) -> tuple[Result, float]:
        """The model as it is, and the tolerance it is simulated with."""
        tolerance = self.choices["tol"]
        if tolerance is None:
            tolerance = float(self.model.compiled().experiment.get("tolerance", 1e-6))
        return self.model.simulate(tol=tolerance, impulses="accept", **self.common), tolerance

    def _require_something_ideal(self, ideal: Result, parameters: Sequence[str]) -> None:
        if ideal.stats.get("modes visited") is not None and parameters:
            return
        names = " or ".join(read_names(self.choices["names"]))
        raise UsageError(
            Diagnostic(
                "U039",
                f"{ideal.model} has no ideal element to compare with a leaky one",
                help=f"set {names} of a diode or switch to zero, or name other parameters with "
                "--leak-parameters",
            )
        )

    def _reference(self, tolerance: float) -> Result:
        file = self.choices["reference"]
        if file is not None:
            from freewheel.result.formats import read_result

            return read_result(Path(file))
        finer = max(TIGHTER * tolerance, LEAST)
        return self.model.simulate(tol=finer, impulses="accept", **self.common)

    def _watched(self) -> list[str]:
        if self.choices["watch"] is not None:
            return read_names(self.choices["watch"])
        ready = self.model.compiled()
        assert ready.core.is_there
        first = ready.states.start
        flags = enumerate(ready.core.is_differential)
        stored = {first + number for number, is_stored in flags if is_stored}
        seen: dict[int, str] = {}
        for variable in ready.variables:
            if variable.slot in stored and variable.name in self.reference:
                seen.setdefault(variable.slot, variable.name)
        return list(seen.values())

    def _row(self, name: str, model: Model, tolerance: float, tries: int = 1, **more: Any) -> Row:
        options = {**self.common, "impulses": "accept", **more}
        for attempt in range(tries):
            if attempt > 0:
                tolerance = max(1e-2 * tolerance, LEAST)
            try:
                result = model.simulate(tol=tolerance, progress=_patience(), **options)
                return self._measured(name, model, tolerance, options, result)
            except SimulationError as failure:
                told = failure.diagnostics[0].message
            except TimeoutError as failure:
                told = str(failure)
        return Row(name, tolerance, failure=told)

    def _measured(
        self, name: str, model: Model, tolerance: float, options: dict[str, Any], result: Result
    ) -> Row:
        seconds = min(_seconds(model, tolerance, options) for _ in range(REPEATS))
        stats = result.stats
        cost = len(result.events), int(stats["steps"]), int(stats["evaluations"])
        return Row(name, tolerance, *self._error(result), *cost, seconds)

    def _error(self, result: Result) -> tuple[float, float, str]:
        """Largest difference, its share of the amplitude, and of which variable."""
        import numpy as np

        ours, theirs = _alone(result.time), _alone(self.reference.time)
        _, i, j = np.intersect1d(
            result.time[ours], self.reference.time[theirs], return_indices=True
        )
        worst = (-1.0, 0.0, "")
        for name in self.watched:
            wanted = self.reference[name][theirs][j]
            error = float(np.abs(result[name][ours][i] - wanted).max())
            amplitude = float(np.abs(wanted).max())
            worst = max(worst, (error, error / amplitude if amplitude else error, name))
        return worst


def _alone(times: Any) -> Any:
    """Rows whose time occurs once: no events."""
    import numpy as np

    again = times[1:] == times[:-1]
    return ~(np.append(again, False) | np.insert(again, 0, False))


def _patience() -> Callable[[float], None]:
    """Is told how far a run is; ends one that takes too long."""
    began = monotonic()

    def tell(share: float) -> None:
        if monotonic() - began > PATIENCE:
            raise TimeoutError(f"given up after {PATIENCE:g} s, {100 * share:.0f} % done")

    return tell


def _seconds(model: Model, tolerance: float, options: dict[str, Any]) -> float:
    began = process_time()
    model.simulate(tol=tolerance, **options)
    return process_time() - began


def _lines(rows: Sequence[Row]) -> list[str]:
    """Columns side by side; what failed is said below."""
    head = ["run", "of", "tolerance", "error", "share", "events", "steps", "evaluations", "time"]
    table = [head, *(_cells(row) for row in rows)]
    widths = [max(len(line[k]) for line in table) for k in range(len(head))]
    lines = []
    for line in table:
        cells = zip(line, widths, strict=True)
        texts = [t.ljust(w) if k < 2 else t.rjust(w) for k, (t, w) in enumerate(cells)]
        lines.append("  ".join(texts).rstrip())
    return [*lines, *(f"{row.run}: {row.failure}" for row in rows if row.failure)]


def _cells(row: Row) -> list[str]:
    if row.failure:
        return [row.run, "-", f"{row.tolerance:.0e}", *["-"] * 6]
    numbers = [f"{row.tolerance:.0e}", f"{row.error:.2e}", f"{row.share:.1e}"]
    counts = [str(n) for n in (row.events, row.steps, row.evaluations)]
    return [row.run, row.variable, *numbers, *counts, f"{1e3 * row.seconds:.3g} ms"]
