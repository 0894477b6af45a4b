"""What a library has read from disk so far, so that a translation can be kept for the next run.

    log.note_file(path, text); log.note_folder(folder, names)
    log.still_holds()                  # whether all of it is on disk as it was read

Contents are compared, never dates. What was read for another class only makes the log longer.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from freewheel.base.files import read_regular
from freewheel.instance.places import package_files

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class ReadLog:
    """Files and package folders by path, each with a digest of what was found there."""

    def __init__(
        self, files: dict[str, str] | None = None, folders: dict[str, str] | None = None
    ) -> None:
        self.files = files or {}
        self.folders = folders or {}

    def note_file(self, path: Path, text: str) -> None:
        self.files[str(path.absolute())] = _digest(text.encode())

    def note_folder(self, folder: Path, names: Iterable[str]) -> None:
        self.folders[str(folder.absolute())] = _of_names(names)

    def still_holds(self) -> bool:
        """Whether reading everything again would give the same."""
        try:
            return all(
                _digest(_content(path)) == digest for path, digest in self.files.items()
            ) and all(
                _of_names(package_files(Path(folder))) == digest
                for folder, digest in self.folders.items()
            )
        except OSError:
            return False


def _content(path: str) -> bytes:
    return read_regular(Path(path)).removeprefix(_BYTE_ORDER_MARK)


def _of_names(names: Iterable[str]) -> str:
    return _digest("\n".join(sorted(names)).encode(errors="surrogateescape"))


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
