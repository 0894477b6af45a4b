"""Texts by file name become files, each under its real name only when it is whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.files import replacing


def write_files(texts: Mapping[str, str], path: Path) -> list[Path]:
    """Into the directory `path`; a single text may also go to a file of that name."""
    is_file = not path.is_dir() and path.suffix != "" and len(texts) == 1
    if not is_file:
        _make_directory(path)
    written: list[Path] = []
    for name, text in texts.items():
        place = path if is_file else path / name
        with replacing(place) as stream:
            stream.write(text)
        written.append(place)
    return written


def _make_directory(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(
            Diagnostic(
                "U010",
                f"cannot write `{path}`: {problem.strerror or problem}",
                help="choose another place for the output",
                file=str(path),
            )
        ) from problem
