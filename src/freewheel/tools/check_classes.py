"""Check many classes, in this process or in several: in come places, out come findings in their order.

    for finding in check_places(["Modelica"], libraries=(), jobs=2, tell=print): ...

A class that is wrong, or that the program itself fails at, does not stop the others. All classes of a place
share one library, so that every file is parsed once.
"""

from __future__ import annotations

import _thread
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from freewheel.api import Model, load
from freewheel.api.find import find_classes, is_path
from freewheel.base import access
from freewheel.base.diagnostics import CompileError, Diagnostic, FreewheelError, Severity, counted
from freewheel.base.limits import max_size, set_max_size
from freewheel.base.names import name_of, show
from freewheel.instance.library import ClassEntry, Library
from freewheel.tools.report import internal

PORTION = 20  # classes handed to a process at once: few, that all end together; asking costs 1 ms
MODELS = ("model", "block", "class")


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about one class or file."""

    name: str
    summary: str
    diagnostics: tuple[Diagnostic, ...] = ()
    kind: str = "model"

    @property
    def failed(self) -> bool:
        return any(d.severity is Severity.ERROR for d in self.diagnostics)

    @property
    def is_model(self) -> bool:
        """One that may be simulated, or a file."""
        return self.kind in MODELS


@dataclass(frozen=True, slots=True)
class Portion:
    """Some of the classes of a place, by their numbers."""

    place: str
    libraries: tuple[str, ...]
    numbers: range


def check_places(
    places: Sequence[str], libraries: Sequence[str], jobs: int, tell: Callable[[float], None]
) -> Iterator[Finding]:
    """Findings of every class of the places; `tell` gets to know how much is done."""
    _opened.cache_clear()  # files may have changed since
    size = PORTION if jobs > 1 else 1
    portions = [
        Portion(place, tuple(libraries), numbers[at : at + size])
        for place in places
        for numbers in [range(_count(place, tuple(libraries)))]
        for at in range(0, len(numbers), size)
    ]
    total = sum(len(portion.numbers) for portion in portions)
    done = 0
    for portion, findings in zip(portions, _all(portions, jobs), strict=True):
        done += len(portion.numbers)
        tell(done / total)
        yield from findings
    _opened.cache_clear()


def check_model(place: str, model: str, libraries: Sequence[str]) -> Finding:
    """The one class that `-m` names."""
    try:
        return check_one(load(place, model=model, library=libraries))
    except CompileError as failure:
        return Finding(place, "wrong", failure.diagnostics)


def _all(portions: Sequence[Portion], jobs: int) -> Iterator[list[Finding]]:
    if jobs == 1 or len(portions) == 1:
        yield from map(_check_portion, portions)
        return
    # Processes begin anew: a copy of this one might hold locks of its other threads.
    context = multiprocessing.get_context("spawn")
    rules = (sorted(access.granted()), max_size())
    with ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=rules) as pool:
        yield from pool.map(_check_portion, portions)


def _begin(words: Iterable[str], size: int) -> None:
    """A process keeps the rules of the command; Ctrl-C is answered by the command alone, and its processes
    end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _thread.start_new_thread(_end_with_command, ())
    access.grant(words)
    set_max_size(size)


def _end_with_command() -> None:
    command = multiprocessing.parent_process()
    assert command is not None
    command.join()
    os._exit(1)


def _count(place: str, libraries: tuple[str, ...]) -> int:
    """How many findings there will be: that a place cannot be read is one."""
    try:
        return max(1, len(_opened(place, libraries)[1]))
    except CompileError:
        return 1


@cache
def _opened(place: str, libraries: tuple[str, ...]) -> tuple[Library, list[ClassEntry]]:
    return find_classes(place, [Path(folder) for folder in libraries])


def _check_portion(portion: Portion) -> list[Finding]:
    try:
        library, entries = _opened(portion.place, portion.libraries)
    except CompileError as failure:
        return [Finding(portion.place, "wrong", failure.diagnostics)]
    if not entries and is_path(portion.place):
        return [Finding(portion.place, "parsed; it holds no class")]
    if not entries:  # an inherited class has a name but no entry of its own
        return [check_one(Model(library, name_of(portion.place)))]
    chosen = [entries[number] for number in portion.numbers]
    return [check_one(Model(library, entry.name), _kind(entry)) for entry in chosen]


def _kind(entry: ClassEntry) -> str:
    return f"partial {entry.tree.kind}" if entry.tree.partial else entry.tree.kind


def check_one(model: Model, kind: str = "model") -> Finding:
    """`kind` of the class as it is written, for one that is wrong."""
    name = show(model.name)
    try:
        balance = model.check()
    except CompileError as failure:
        return Finding(name, "wrong", failure.diagnostics, kind)
    except (FreewheelError, MemoryError):
        raise
    except Exception as failure:
        if os.environ.get("FREEWHEEL_DEBUG") == "1":
            raise
        return Finding(name, "wrong", (internal(failure),), kind)
    text = f"{counted(balance.unknowns, 'unknown')}, {counted(balance.equations, 'equation')}"
    if not balance.is_counted:
        text = f"{balance.kind}, nothing wrong"
    return Finding(name, text, balance.warnings, balance.kind)
