"""What `freewheel run` says at the end, as text or as JSON.

circuit: 0 s to 0.001 s, 501 points, 0 events
  csv   r.csv
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from freewheel.base.diagnostics import Diagnostic, to_json
from freewheel.result.events import Events, event_log
from freewheel.tools.report import print_json, report
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.instance.library import PackageInfo
    from freewheel.result.store import Result

EMBEDDED = "embedded"
SHOWN_IMPULSES = 5


@dataclass(frozen=True, slots=True)
class RunReport:
    """Everything there is to say about a finished run."""

    result: Result
    diagnostics: Sequence[Diagnostic]
    written: Mapping[str, str]  # kind of file -> where it is
    libraries: Sequence[PackageInfo]
    with_stats: bool
    with_events: bool

    def print_text(self) -> None:
        report(self.diagnostics, as_json=False)
        for line in self._lines():
            echo(line)

    def print_json(self) -> None:
        result = self.result
        value: dict[str, Any] = {
            "model": result.model,
            "start": float(result.time[0]),
            "stop": float(result.time[-1]),
            "points": len(result),
            "written": dict(self.written),
            "libraries": [_library(package) for package in self.libraries],
            "diagnostics": [to_json(diagnostic) for diagnostic in self.diagnostics],
        }
        if result.impulses:
            value["impulses"] = [asdict(impulse) for impulse in result.impulses]
        if self.with_stats:
            value["stats"] = dict(result.stats)
        if self.with_events:
            value["events"] = [event.as_json() for event in result.events]
            start = result.events.start if isinstance(result.events, Events) else None
            value["events_at_start"] = [] if start is None else start.as_json()["changes"]
        print_json(value)

    def _lines(self) -> Iterator[str]:
        result = self.result
        events = "1 event" if len(result.events) == 1 else f"{len(result.events)} events"
        span = f"{float(result.time[0]):g} s to {float(result.time[-1]):g} s"
        yield f"{result.model}: {span}, {len(result)} points, {events}"
        for package in self.libraries:
            if package.origin != EMBEDDED:  # worth a word: results may differ from ours
                yield f"  with  {package.name} {package.version} from {package.path.parent}"
        for kind, file in self.written.items():
            yield f"  {kind:<5} {file}"
        if not self.written:
            yield "  nothing was written; --out r.csv or --plot NAME writes a file"
        for impulse in result.impulses[:SHOWN_IMPULSES]:
            yield f"  impulse at {impulse}"
        if len(result.impulses) > SHOWN_IMPULSES:
            yield f"  and {len(result.impulses) - SHOWN_IMPULSES} impulses more"
        if self.with_stats:
            yield from (f"  {key:<24} {_shown(value)}" for key, value in result.stats.items())
        if self.with_events:
            yield from (f"  {line}" for line in event_log(result.events))


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _library(package: PackageInfo) -> dict[str, str]:
    return {
        "name": package.name,
        "version": package.version,
        "path": str(package.path),
        "origin": package.origin,
    }
