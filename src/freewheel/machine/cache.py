"""Object code on disk, found by what it was made from.

The key covers the LLVM text (or whatever the caller says stands for it), the LLVM version, the
processor and the optimisation level, so that a hit is always right. An entry that cannot be read or
whose seal is wrong (`base.kept`) is treated as missing; entries are written under a temporary name
and renamed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from freewheel.base.files import read_regular
from freewheel.base.kept import cache_root, sealed, unsealed


def cache_folder() -> Path | None:
    """None if nothing is kept."""
    root = cache_root()
    return None if root is None else root / "code"


def key_of(*parts: str) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


def has(key: str) -> bool:
    folder = cache_folder()
    return folder is not None and (folder / f"{key}.o").exists()


def read(key: str) -> bytes | None:
    folder = cache_folder()
    if folder is None:
        return None
    try:
        data = read_regular(folder / f"{key}.o")
    except OSError:
        return None
    return unsealed(key, data)


def write(key: str, code: bytes) -> None:
    """Best effort: a full or read-only disk only costs the next start some time."""
    folder = cache_folder()
    if folder is None:
        return
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(sealed(key, code))
            os.replace(name, folder / f"{key}.o")
        except OSError:
            os.unlink(name)
            raise
