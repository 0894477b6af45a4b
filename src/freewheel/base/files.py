"""Write a file so that readers see the old content or the new one, never half of it.

    with replacing(Path("r.csv")) as stream:
        stream.write("time,x\\n")

The text goes to a temporary name in the same directory (a rename across devices is not atomic)
and takes the real name only when the block ends without an exception.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, Literal

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.printable import printable
from freewheel.base.stop import CutShort


def read_regular(path: Path) -> bytes:
    """The content of a file. A pipe or a device, which may wait or go on for ever, is none: OSError."""
    with open(path, "rb", opener=_open_at_once) as stream:
        _require_regular(stream, path)
        return stream.read()


def file_name(text: str, ending: str) -> str:
    """A name in the working folder for what is called `text`: a quoted name of a model may hold
    anything, `'../../x'` too."""
    plain = "".join(c if c.isalnum() or c in "_.-' " else "_" for c in text[:MAX_NAME])
    return plain.lstrip(".") + ending


def require_regular(path: Path) -> None:
    """OSError if `read_regular` cannot read it; the content may be large."""
    with open(path, "rb", opener=_open_at_once) as stream:
        _require_regular(stream, path)


def require_replaceable(path: Path) -> None:
    """OSError where something else than a file is in the place of one."""
    if os.path.lexists(path):
        require_regular(path)


def require_no_device(path: Path) -> None:
    """OSError where what is there may go on for ever (`/dev/zero`). A pipe of the shell, `<(command)`, ends,
    and so does what is typed."""
    status = os.stat(path)
    is_typed = stat.S_ISCHR(status.st_mode) and os.path.realpath(path).startswith(TERMINALS)
    if stat.S_ISBLK(status.st_mode) or (stat.S_ISCHR(status.st_mode) and not is_typed):
        raise OSError(EINVAL, "it is a device", str(path))


TERMINALS = ("/dev/tty", "/dev/pts/", "/dev/console")


def _require_regular(stream: IO[bytes], path: Path) -> None:
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        raise OSError(EINVAL, "it is no regular file", str(path))


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


MAX_NAME = 100  # characters


@contextmanager
def replacing(
    path: Path, mode: Literal["w", "wb"] = "w", short: Path | None = None
) -> Iterator[IO[Any]]:
    """A stream whose content becomes `path` on success; on failure `path` stays as it was. What is cut short
    (`CutShort`) goes to `short`.

    A link is followed. What is no file (`/dev/stdout`, a pipe) is written to, never replaced: a
    rename would put a file in the place of the device.
    """
    is_device = path.exists() and not path.is_file() and not path.is_dir()
    target = Path(os.path.realpath(path))
    try:
        with _open(path, mode) if is_device else _replaced(path, target, mode, short) as stream:
            shown: Any = _Shown(stream) if stream.isatty() else stream
            yield shown
    except BrokenPipeError:
        raise  # the reader has left, which is no failure of the place
    except OSError as problem:
        raise _cannot_write(path, problem) from problem


class _Shown:
    """A terminal in the place of a file: it shows what is written and does not obey it."""

    def __init__(self, stream: IO[Any]) -> None:
        self._stream = stream

    def write(self, content: Any) -> int:
        if isinstance(content, str):
            return self._stream.write(printable(content))
        text = bytes(content).decode("utf-8", "replace").replace("\r\n", "\n")
        return self._stream.write(printable(text).encode())

    def writelines(self, lines: Iterable[Any]) -> None:
        for line in lines:
            self.write(line)


def require_writable(path: Path) -> None:
    """Before work begins: its result will find a place. Nothing is written."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file() and not target.is_dir():
        return  # a device or a pipe
    _require_replaceable(path, target)
    folder = target.parent
    if not folder.is_dir():
        raise _cannot_write(path, FileNotFoundError(f"there is no folder `{folder}`"))
    if not os.access(folder, os.W_OK):
        raise _cannot_write(path, PermissionError(f"nothing may be written into `{folder}`"))


@contextmanager
def _replaced(path: Path, target: Path, mode: str, short: Path | None) -> Iterator[IO[Any]]:
    temporary = _temporary_beside(path, target)
    cut: CutShort | None = None
    try:
        with _open(temporary, mode) as stream:
            try:
                yield stream
            except CutShort as asked:
                if short is None or asked.rows == 0:
                    raise
                cut, target = asked, Path(os.path.realpath(short))
        os.chmod(temporary, _mode_of(target))
        os.replace(temporary, target)
    finally:
        with suppress(FileNotFoundError):  # the rename took it away
            os.unlink(temporary)
        _unfinished.discard(temporary)
    if cut is not None:
        raise cut


class Unnamed:
    """A file that gets its name when it is whole, for what is written while a run lasts: whatever ends the
    process, nothing of it stays. (Where the system cannot do that it has a hidden name.)

        file = Unnamed(folder)
        file.stream.write(...)
        file.become(folder / "r.mat")       # or `drop()`
    """

    def __init__(self, folder: Path) -> None:
        self._name: Path | None = None
        try:
            handle = _open_unnamed(folder)
        except OSError:
            handle, name = tempfile.mkstemp(prefix=".freewheel.", dir=folder)
            self._take(Path(name))
        self.stream = os.fdopen(handle, "wb")

    def _take(self, name: Path) -> None:
        self._name = name
        _unfinished.add(name)

    def become(self, path: Path) -> None:
        """Take this name, and the place of what has it; OSError where it belongs to another device."""
        target = Path(os.path.realpath(path))
        _require_replaceable(path, target)
        self.stream.flush()
        os.chmod(self.stream.fileno(), _mode_of(target))
        if self._name is None:
            self._take(target.with_name(f".{target.name}.{token_hex(4)}"))
            self._link(target.parent)
        assert self._name is not None
        os.replace(self._name, target)
        self.drop()

    def _link(self, folder: Path) -> None:
        """Give it its first name; only with a folder to start from Python follows the link in /proc."""
        assert self._name is not None
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.link(f"/proc/self/fd/{self.stream.fileno()}", self._name, src_dir_fd=handle)
        finally:
            os.close(handle)

    def drop(self) -> None:
        with suppress(OSError):  # what could not be written is not wanted any more
            self.stream.close()
        if self._name is not None:
            with suppress(OSError):
                os.unlink(self._name)
            _unfinished.discard(self._name)


def _open_unnamed(folder: Path) -> int:
    if not hasattr(os, "O_TMPFILE"):
        raise OSError(EINVAL, "there are no files without a name")
    return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600)


_unfinished: set[Path] = set()


def abandon() -> None:
    """Before the process ends at once: nothing half written stays."""
    for temporary in tuple(_unfinished):
        with suppress(OSError):
            os.unlink(temporary)


def _open(path: Path, mode: str) -> IO[Any]:
    if "b" in mode:
        return open(path, mode)
    return open(path, mode, encoding="utf-8", newline="")


def _require_replaceable(path: Path, target: Path) -> None:
    if target.is_dir():
        raise _cannot_write(path, IsADirectoryError("it is a directory"))
    if target.exists() and (not os.access(target, os.W_OK) or not target.stat().st_mode & 0o222):
        # A rename would succeed where the directory is writable, and the superuser may write
        # anything; but whoever made the file read-only said no.
        raise _cannot_write(path, PermissionError("the file is read-only"))


def _temporary_beside(path: Path, target: Path) -> Path:
    _require_replaceable(path, target)
    handle, name = tempfile.mkstemp(
        prefix=f".{target.name}.", suffix=target.suffix, dir=target.parent
    )
    os.close(handle)
    _unfinished.add(Path(name))
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
