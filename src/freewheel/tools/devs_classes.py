"""Classes of atomic models that a Python file of the user defines, and what is said when they fail.

    CLASSES = {"clock": lambda given: Clock(given.number("period"))}      in mine.py

A mistake in that file is the user's, not ours: it is told with the line of the file, the model and the time.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from freewheel.base.diagnostics import Diagnostic, FreewheelError, SimulationError, UsageError
from freewheel.base.source import Source


def classes_in(source: Source | None) -> Mapping[str, Any]:
    """`CLASSES` of a Python file, which is executed; none without a file."""
    if source is None:
        return {}
    names: dict[str, Any] = {"__name__": "__classes__", "__file__": source.path}
    try:
        exec(compile(source.text, source.path, "exec"), names)
    except Exception as problem:
        raise UsageError(
            Diagnostic(
                "U092",
                f"`{source.path}` fails: {_said(problem, source.path)}",
                file=source.path,
                help="run it with Python by itself to see more",
            )
        ) from problem
    found = names.get("CLASSES")
    if not isinstance(found, Mapping):
        raise UsageError(
            Diagnostic(
                "U089", f"`{source.path}` defines no mapping `CLASSES`", file=source.path,
                help='for example CLASSES = {"clock": lambda given: Clock(given.number("period"))}',
            )
        )  # fmt: skip
    return found


@contextmanager
def blamed_on(source: Source | None) -> Iterator[None]:
    """What is raised inside and is no diagnostic comes from the user's classes, if there are any."""
    try:
        yield
    except FreewheelError:
        raise
    except Exception as problem:
        if source is None:
            raise
        where = "".join(f" {note}" for note in getattr(problem, "__notes__", ()))
        raise SimulationError(
            Diagnostic(
                "R206",
                f"a class of `{source.path}` fails{where}: {_said(problem, source.path)}",
                file=source.path,
                help="try the transition by itself: it takes a state and gives one",
            )
        ) from problem


def _said(problem: Exception, path: str) -> str:
    """The exception, and the last line of the file that led to it."""
    text = f"{type(problem).__name__}: {problem}"
    if isinstance(problem, SyntaxError):
        return text
    lines = [f.lineno for f in traceback.extract_tb(problem.__traceback__) if f.filename == path]
    return f"{text} (line {lines[-1]})" if lines else text
