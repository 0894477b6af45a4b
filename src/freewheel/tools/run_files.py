"""The files of `freewheel run`: curves, pictures, and what is kept of a run that did not end well.

write_whole(result, choices, behind)    # {"csv": "r.csv", "plot": "Circuit.png"}
keep_partial(failure, choices, behind)  # r.partial.csv, named on stderr

Ctrl-C stops a run, and its curves are kept. A large run has most of them in a file already
(`write_behind.py`), which becomes `r.partial.mat`: text would take a tenth of a microsecond per number, and
whoever wanted a table is told how to get it from there. A small one is written as what was asked for;
Ctrl-C once more, or while files are written of a run that has come to its end, ends that. Of a `.csv` or
`.mat` whole rows stay, under the name of what is not whole. No picture is drawn then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from freewheel.base import stop
from freewheel.base.diagnostics import (
    Diagnostic,
    FreewheelError,
    Severity,
    SimulationError,
    UsageError,
)
from freewheel.base.files import file_name, require_writable
from freewheel.tools.options import read_names
from freewheel.tools.report import internal
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.result.store import Result
    from freewheel.tools.write_behind import WriteBehind

INTERRUPTED = "R009"
PARTIAL = ".partial"
MANY_OF_PARQUET = 100_000  # numbers; what writes them is loaded in a fifth of a second


def require_places(choices: Mapping[str, Any]) -> None:
    """Before the run: kinds of files are known, what writes them is installed, places can be written."""
    places = [choices["out"], choices["plot_file"], choices["plot_steps"]]
    if choices["out"]:
        from freewheel.result.formats import require_writer

        require_writer(Path(choices["out"]))
    if choices["plot"] or choices["plot_file"] or choices["plot_steps"]:
        from freewheel.result.plot import require_kind

        for place in (choices["plot_file"] or "picture.png", choices["plot_steps"]):
            if place:
                require_kind(Path(place))
    for place in filter(None, places):
        require_writable(Path(place))


def write_whole(
    result: Result, choices: Mapping[str, Any], behind: WriteBehind | None = None
) -> dict[str, str]:
    """The files of a run that has come to its end, perhaps just before it was to be stopped. Until there is
    a table, what is written behind is kept where the main thread does not answer."""
    has_all = behind is not None and behind.has_begun
    if not has_all:
        stop.claim()
    if stop.is_asked():
        _end_asked(result, choices, behind)
    try:
        return write_files(result, choices, _short(choices["out"]), behind)
    except stop.CutShort:
        if has_all:
            _end_asked(result, choices, behind)
        raise


def _end_asked(result: Result, choices: Mapping[str, Any], behind: WriteBehind | None) -> NoReturn:
    """All of a run that is whole, in no time; also where nobody has asked for a file, as a moment before."""
    from freewheel.result.finite import finite_part

    stop.claim()
    stop.answer()
    if choices["out"]:
        _keep(result, choices, behind, is_whole=True)
    elif len(result := finite_part(result, 0 if behind is None else behind.known())):
        _keep(result, _with_place(result, choices), behind)
    raise KeyboardInterrupt


def _with_place(result: Result, choices: Mapping[str, Any]) -> dict[str, Any]:
    """For the curves of an interrupted run, which are kept unasked."""
    return {**choices, "out": choices["out"] or file_name(result.model, ".csv")}


def write_files(
    result: Result,
    choices: Mapping[str, Any],
    short: Path | None = None,
    behind: WriteBehind | None = None,
    known: int = 0,
) -> dict[str, str]:
    """Write what was asked for; the kind of each file and where it is. `short`: where a table goes that is
    cut short. So many points are `known` to be finite."""
    written: dict[str, str] = {}
    if choices["out"]:
        kind = _write_curves(result, Path(choices["out"]), short, behind, known)
        written[kind] = choices["out"]
    if choices["plot"] or choices["plot_file"]:
        names = read_names(choices["plot"] or "")
        file = choices["plot_file"] or file_name(result.model, ".png")
        result.plot(*names, file=Path(file))
        written["plot"] = file
    if choices["plot_steps"]:
        result.plot_steps(Path(choices["plot_steps"]))
        written["steps"] = choices["plot_steps"]
    return written


def _write_curves(
    result: Result, path: Path, short: Path | None, behind: WriteBehind | None, known: int
) -> str:
    from freewheel.result.formats import write_result

    try:
        if behind is not None and behind.has_begun:
            return _write_large(result, path, short, behind)
        return write_result(result, path, short, known)
    except stop.CutShort as cut:
        if cut.rows > 0:
            shown = f"the first {cut.rows} of {len(result)} rows"
            echo(f"{shown}, up to time {result.time[cut.rows - 1]:g}, are in {short}", err=True)
        raise


def _write_large(result: Result, path: Path, short: Path | None, behind: WriteBehind) -> str:
    """What is written behind becomes the file, or is there until that is."""
    from freewheel.result.formats import kind_of, write_result

    known, kind = behind.known(), kind_of(path)
    if kind == "mat":
        stop.claim()
        if not behind.finish(result, path, short):
            write_result(result, path, short, known)
        return kind
    try:
        write_result(result, path, None, known)
    except UsageError:  # what is not needed any more may take the space
        behind.drop()
        write_result(result, path, short, known)
    except stop.CutShort as cut:
        raise stop.CutShort(0) from cut  # all of it is kept instead
    stop.claim()
    behind.drop()
    return kind


def keep_interrupted(
    failure: SimulationError, choices: Mapping[str, Any], behind: WriteBehind
) -> Sequence[Diagnostic]:
    """In place of a main thread that does not answer; what there is to tell."""
    keep_partial(failure, choices, behind)
    return failure.diagnostics


def keep_partial(
    failure: SimulationError, choices: Mapping[str, Any], behind: WriteBehind | None = None
) -> None:
    """The curves up to a failure show what went wrong. Their files say that they are not whole,
    and no file of an earlier good run is replaced. An interrupted run is kept unasked: the time
    it took is worth a file. Warnings up to then may tell the reason; whatever keeps the files from being
    written is told besides, and the run remains a failed one."""
    if failure.result is None:
        return
    found = [d for d in failure.result.warnings if d.severity is Severity.WARNING]
    try:
        _keep_partial(failure, choices, behind)
    except stop.CutShort:  # whole rows are there
        pass
    except FreewheelError as problem:
        found += problem.diagnostics
    except Exception as problem:
        found.append(internal(problem))
    failure.diagnostics = (*failure.diagnostics, *found)


def _keep_partial(
    failure: SimulationError, choices: Mapping[str, Any], behind: WriteBehind | None
) -> None:
    from freewheel.result.finite import finite_part

    result = finite_part(failure.result, 0 if behind is None else behind.known())
    if len(result) == 0:
        return
    is_interrupted = any(d.code == INTERRUPTED for d in failure.diagnostics)
    wanted = _with_place(result, choices) if is_interrupted else choices
    try:
        _keep(result, wanted, behind)
    except stop.CutShort:
        if behind is None or not behind.has_begun:
            raise
        _keep(result, wanted, behind)  # the first question: now it is to be done in no time


def _keep(
    result: Result,
    choices: Mapping[str, Any],
    behind: WriteBehind | None,
    is_whole: bool = False,
) -> None:
    """Under names that tell what is not whole, or not what was asked for."""
    wanted = dict(choices)
    asked_for = wanted["out"]
    if stop.is_asked():
        wanted |= {"plot": None, "plot_file": None, "plot_steps": None}  # half a second each
        if asked_for and _takes_long(result, Path(asked_for)):
            wanted["out"] = str(Path(asked_for).with_suffix(".mat"))
    is_other = wanted["out"] != asked_for
    for key in ("out", "plot_file", "plot_steps"):
        if wanted[key] and not Path(wanted[key]).is_char_device() and (is_other or not is_whole):
            wanted[key] = str(partial_name(Path(wanted[key])))
    if wanted["plot"] and not wanted["plot_file"]:
        wanted["plot_file"] = file_name(result.model, ".partial.png")
    known = 0 if is_whole else len(result)
    for kind, file in write_files(result, wanted, _short(wanted["out"]), behind, known).items():
        echo(f"the curves up to time {result.time[-1]:g} are in {file} ({kind})", err=True)
    if is_other:
        words = f'freewheel.read_result("{wanted["out"]}").to_file("{asked_for}")'
        echo(f"in Python `{words}` turns them into what was asked for", err=True)


def _takes_long(result: Result, path: Path) -> bool:
    """What is written to a device cannot become another file."""
    from freewheel.result.formats import kind_of
    from freewheel.result.write_csv import takes_long

    kind = kind_of(path)
    if kind == "mat" or path.is_char_device():
        return False
    if kind == "csv":
        return takes_long(result)
    return len(result) * (1 + len(result.columns)) > MANY_OF_PARQUET


def partial_name(path: Path) -> Path:
    """`r.csv` -> `r.partial.csv`."""
    return path.with_name(f"{path.stem}{PARTIAL}{path.suffix}")


def _short(out: str | None) -> Path | None:
    """Where a table goes that is cut short."""
    if not out:
        return None
    path = Path(out)
    return path if path.stem.endswith(PARTIAL) else partial_name(path)
