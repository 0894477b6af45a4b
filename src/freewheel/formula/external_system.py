"""Files, environment and messages that libraries call by C name.

    SYSTEM["ModelicaInternal_countLines"]("data.txt")  ->  3

Every one asks `base.access` first: what changes a file, runs a command or reads the environment is
for runs, and only as far as `--allow` goes. To rename, or to make or remove directories, there is
nothing here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from freewheel.base import access
from freewheel.base.printable import printable
from freewheel.formula.faults import not_computable, why
from freewheel.formula.values import EnumValue, array_of

_FILE_TYPE = ("Modelica", "Utilities", "Types", "FileType")


def _lines(name: str) -> list[str]:
    try:
        return Path(access.to_read(name)).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise not_computable(f"the model cannot read `{name}`: {why(problem)}") from None


def print_line(text: str, name: str) -> tuple[()]:
    """A line for the user, beside the results on standard output; or at the end of a file. A model
    that is only translated has nothing to say yet."""
    if not name:
        if access.is_run():
            sys.stderr.write(printable(text) + "\n")
        return ()
    path = Path(access.to_write(name))
    try:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(text + "\n")
    except OSError as problem:
        raise not_computable(f"the model cannot write `{name}`: {why(problem)}") from None
    return ()


def read_line(name: str, number: int) -> tuple[str, bool]:
    """The text of a line, and whether the file has no such line."""
    lines = _lines(name)
    return (lines[number - 1], False) if 1 <= number <= len(lines) else ("", True)


def read_file(name: str, count: int) -> Any:
    lines = _lines(name)
    return array_of([*lines, *[""] * count][:count])


def remove_file(name: str) -> tuple[()]:
    """A regular file, so that the model can write it anew."""
    path = Path(access.to_remove(name))
    if not path.is_file():
        raise not_computable(f"the model cannot remove `{name}`: it is no regular file")
    try:
        path.unlink()
    except OSError as problem:
        raise not_computable(f"the model cannot remove `{name}`: {why(problem)}") from None
    return ()


def file_type(name: str) -> EnumValue:
    path = Path(access.to_look(name))
    if not path.exists():
        return EnumValue(_FILE_TYPE, 1, "NoFile")
    if path.is_file():
        return EnumValue(_FILE_TYPE, 2, "RegularFile")
    if path.is_dir():
        return EnumValue(_FILE_TYPE, 3, "Directory")
    return EnumValue(_FILE_TYPE, 4, "SpecialFile")


def _entries(directory: str) -> list[str]:
    path = Path(access.to_read(directory))
    try:
        return sorted(entry.name for entry in path.iterdir())
    except OSError as problem:
        raise not_computable(f"the model cannot list `{directory}`: {why(problem)}") from None


def environment(name: str, convert_to_slash: bool) -> tuple[str, bool]:
    access.need(
        access.EXTERNAL, f"to read the environment variable `{access.short(name)}`", is_effect=False
    )
    content = os.environ.get(name)
    if content is None:
        return "", False
    return content.replace("\\", "/") if convert_to_slash else content, True


def full_path_name(name: str, packages: str = "") -> str:
    """Of a file, which may lie beside the model; or of a resource, `modelica://Package.Sub/Resources/x.txt`,
    where `packages` has a
    line `Package=directory` for each package that can be found. A slash at the end stays: models write
    `folder + "file.mat"`."""
    if name.lower().startswith("file://"):
        return name[len("file://") :]
    if not name.lower().startswith("modelica://"):
        return _with_slash(Path(access.beside(name)).absolute(), name)
    owner, _, rest = name[len("modelica://") :].partition("/")
    top, *inner = owner.split(".")
    for line in packages.splitlines():
        known, _, directory = line.partition("=")
        if known == top:
            return _with_slash(Path(directory, *inner, rest), name)
    raise not_computable(f"there is no package `{top}` with the resource `{name}`")


def _with_slash(path: Path, name: str) -> str:
    text = path.as_posix()
    return f"{text}/" if name.endswith(("/", "\\")) and not text.endswith("/") else text


def _time() -> tuple[int, ...]:
    now = datetime.now()
    parts = (now.microsecond // 1000, now.second, now.minute, now.hour)
    return (*parts, now.day, now.month, now.year)


def _temporary_name() -> str:
    """In the working folder, where a run may write."""
    return (Path.cwd() / f"freewheel_{os.getpid()}.tmp").as_posix()


def command(text: str) -> int:
    """A line for the shell, as C's `system` takes it; its exit status."""
    access.need(access.COMMANDS, f"the command `{access.short(text)}`", is_effect=True)
    import subprocess  # only where needed

    return subprocess.run(text, shell=True, check=False).returncode


SYSTEM: dict[str, Callable[..., Any]] = {
    "ModelicaInternal_print": print_line,
    "ModelicaInternal_readLine": read_line,
    "ModelicaInternal_readFile": read_file,
    "ModelicaInternal_countLines": lambda name: len(_lines(name)),
    "ModelicaInternal_fullPathName": full_path_name,
    "ModelicaInternal_temporaryFileName": _temporary_name,
    "ModelicaStreams_closeFile": lambda name: (),  # none is left open
    "ModelicaInternal_stat": file_type,
    "ModelicaInternal_getNumberOfFiles": lambda directory: len(_entries(directory)),
    "ModelicaInternal_readDirectory": lambda place, count: array_of(_entries(place)[:count]),
    "ModelicaInternal_getcwd": lambda dummy: Path.cwd().as_posix(),
    "ModelicaInternal_getenv": environment,
    "ModelicaInternal_getTime": _time,
    "ModelicaInternal_getpid": os.getpid,
    "ModelicaInternal_removeFile": remove_file,
    "system": command,
}
