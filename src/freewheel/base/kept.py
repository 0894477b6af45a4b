"""The folder in which the program keeps what it made, and the seal on every file in it.

    folder = cache_root()                       # None: nothing is kept
    data = sealed("entry", payload)
    unsealed("entry", data) == payload          # None for data that nobody of ours has sealed

Machine code from this folder is executed, so it must be our own: the folder is used only if it
belongs to the user and nobody else may write in it, and a file only if its checksum, keyed by a
secret of the user and bound to the file's name, is right. `FREEWHEEL_CACHE` chooses another folder or
says `off`; `FREEWHEEL_SHARED_CACHE=1` takes a folder that others write in, without a secret.
"""

from __future__ import annotations

import os
import stat
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path

from freewheel.base.diagnostics import Diagnostic, Severity

_SEAL = 32  # bytes
_KEY = 32
_SHARED = b"shared with others"
_WRITABLE_BY_OTHERS = 0o022


def cache_root() -> Path | None:
    """The folder of all caches; `None` if there is none that can be trusted."""
    root = _chosen_root()
    return root if root is not None and _key(root) is not None else None


def refusal() -> Diagnostic | None:
    """Why the folder was asked for and not used, where that is worth telling."""
    if not _refused:
        return None
    root, reason = _refused[-1]
    return Diagnostic(
        "U110",
        f"nothing is kept between runs: the folder `{root}` {reason}",
        help="`chmod go-w` it, choose another with FREEWHEEL_CACHE (an absolute path), or trust it all"
        " the same with FREEWHEEL_SHARED_CACHE=1",
        severity=Severity.WARNING,
    )


def sealed(name: str, payload: bytes) -> bytes:
    """The content of a file of that name."""
    return _seal(name, payload) + payload


def unsealed(name: str, data: bytes) -> bytes | None:
    """What was sealed under that name; None for anything else."""
    payload = data[_SEAL:]
    return payload if data[:_SEAL] == _seal(name, payload) else None


def _seal(name: str, payload: bytes) -> bytes:
    root = _chosen_root()
    key = None if root is None else _key(root)
    assert key is not None, "only files of a trusted folder are sealed"
    seal = blake2b(name.encode() + b"\0", digest_size=_SEAL, key=key)
    seal.update(payload)
    return seal.digest()


# ---------------------------------------------------------------- the folder


def _chosen_root() -> Path | None:
    chosen = os.environ.get("FREEWHEEL_CACHE")
    if chosen == "off":
        return None
    if chosen:
        return Path(chosen)
    try:
        root = _user_cache() / "freewheel"
    except RuntimeError:  # a user without a home
        return None
    return root if root.is_absolute() else None  # else in the working folder


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return given if given.is_absolute() else Path.home() / ".cache"


def _is_shared() -> bool:
    return os.environ.get("FREEWHEEL_SHARED_CACHE", "") not in ("", "0", "no", "off")


def _distrust(root: Path) -> str:
    """Why others could put something into the folder; empty if they cannot, or it is not there."""
    if not root.is_absolute():  # in the folder of a stranger's models it could be the stranger's
        return "has a relative path"
    if _is_shared() or not hasattr(os, "geteuid"):
        return ""
    try:
        status, link = os.stat(root), os.lstat(root)
    except OSError:
        return ""
    if {status.st_uid, link.st_uid} != {os.geteuid()}:
        return "belongs to another user"
    return "can be written by others" if status.st_mode & _WRITABLE_BY_OTHERS else ""


# ---------------------------------------------------------------- the key


_refused: list[tuple[Path, str]] = []  # and why


@cache
def _key(root: Path) -> bytes | None:
    """The secret of a folder, made with the folder; None if the folder cannot be used."""
    try:
        if root.is_absolute():
            root.mkdir(mode=0o700, parents=True, exist_ok=True)
        reason = _distrust(root)
        if reason:
            _refused.append((root, reason))
            return None
        return _SHARED if _is_shared() else _own_key(root / "key")
    except OSError:  # no room, no permission: do without
        return None


def _own_key(path: Path) -> bytes | None:
    found = _read_key(path)
    if found is None:
        _make_key(path)
        found = _read_key(path)
    return found


def _read_key(path: Path) -> bytes | None:
    """A key that somebody else could have read or written is none."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & 0o077):
        return None
    key = path.read_bytes()
    return key if len(key) == _KEY else None


def _make_key(path: Path) -> None:
    """Whole at once: another process may look for it at the same time."""
    temporary = path.with_name(f"key.{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(os.urandom(_KEY))
    os.replace(temporary, path)
