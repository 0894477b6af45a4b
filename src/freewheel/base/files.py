"""Write a file so that readers see the old content or the new one, never half of it.

    with replacing(Path("r.csv")) as stream:
        stream.write("time,x\\n")

The text goes to a temporary name in the same directory (a rename across devices is not atomic)
and takes the real name only when the block ends without an exception.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Literal

from freewheel.base.diagnostics import Diagnostic, UsageError


@contextmanager
def replacing(path: Path, mode: Literal["w", "wb"] = "w") -> Iterator[IO[Any]]:
    """A stream whose content becomes `path` on success; on failure `path` stays as it was."""
    temporary = _temporary_beside(path)
    try:
        with _open(temporary, mode) as stream:
            yield stream
        os.chmod(temporary, _mode_of(path))
        os.replace(temporary, path)
    except OSError as problem:
        raise _cannot_write(path, problem) from problem
    finally:
        with suppress(FileNotFoundError):  # the rename took it away
            os.unlink(temporary)


def _open(path: Path, mode: str) -> IO[Any]:
    if "b" in mode:
        return open(path, mode)
    return open(path, mode, encoding="utf-8", newline="")


def _temporary_beside(path: Path) -> Path:
    if path.is_dir():
        raise _cannot_write(path, IsADirectoryError("it is a directory"))
    if path.exists() and (not os.access(path, os.W_OK) or not path.stat().st_mode & 0o222):
        # A rename would succeed where the directory is writable, and the superuser may write
        # anything; but whoever made the file read-only said no.
        raise _cannot_write(path, PermissionError("the file is read-only"))
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{path.name}.", suffix=path.suffix, dir=path.parent
        )
    except OSError as problem:
        raise _cannot_write(path, problem) from problem
    os.close(handle)
    return Path(name)


def _mode_of(path: Path) -> int:
    """Permissions of the file that is replaced, or what a plain `open` would have given."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _cannot_write(path: Path, problem: OSError) -> UsageError:
    return UsageError(
        Diagnostic(
            "U010",
            f"cannot write `{path}`: {problem.strerror or problem}",
            help="choose another place for the output",
            file=str(path),
        )
    )
