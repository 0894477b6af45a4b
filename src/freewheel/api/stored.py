"""Compiled models kept on disk: a model that was run before starts without being translated.

    kept = find(model)                # None: translate
    keep(model, compilation)

An entry is found by the class, its modifiers, where classes are looked for, the texts that users gave
and our own program; it is used only if every file and folder that was read to make it is as it was
then. It holds names, slots and numbers, no formulas: these are made again by translating when somebody
asks, say to explain a failure. The machine code itself is kept by `machine.cache`.

A missing, damaged or foreign entry is a reason to translate, nothing else. Entries are read by an
unpickler that knows only the classes named here. What was made from files, clock or environment by
external functions is not kept.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from dataclasses import is_dataclass
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from freewheel.base.diagnostics import UsageError
from freewheel.base.files import read_regular, replacing, require_replaceable
from freewheel.base.kept import cache_root, sealed, unsealed
from freewheel.base.source import NOWHERE, Source, Span
from freewheel.instance.read_log import ReadLog
from freewheel.pipeline import (
    Compilation,
    compile_model,
    is_whole,
    jacobian_to_keep,
    model_to_keep,
    revive_model,
)

if TYPE_CHECKING:
    from freewheel.api.model import Model
    from freewheel.program.nodes import Program

STORED = "stored"  # the only stage of a compilation that was found
_DIGEST = 16
_NOWHERE = "nowhere"

# Homes of everything an entry may hold, besides the plain data of `_DATA`.
_DATA = ("freewheel.runtime.model", "freewheel.base.slots")
_ALLOWED = {
    "freewheel.backend.assemble": ("Plain",),
    "freewheel.backend.recipe": ("Known",),
    "freewheel.base.source": ("Span", "Source"),
    "freewheel.base.diagnostics": ("Diagnostic", "Label", "Severity"),
    "freewheel.instance.library": ("PackageInfo",),
    "freewheel.runtime.switched_dae.mode_cache": ("KnownModes",),
    "freewheel.runtime.switched_dae.model": ("CoreModel", "CoreElement"),
    "pathlib": ("PosixPath", "WindowsPath"),
}


def find(model: Model) -> Compilation | None:
    """What was kept of the model, ready to run, if nothing has changed since."""
    began = perf_counter()
    place = _place(model)
    content = None if place is None else _read(place, model)
    if content is None:
        return None
    plain, known, jacobian, remarks, libraries = content
    products = {
        "backend": revive_model((plain, known, jacobian), lambda: _translated(model)),
        "remarks": remarks,
        "libraries": libraries,
        "kept": jacobian,
    }
    return Compilation(products, {STORED: perf_counter() - began})


def keep(model: Model, made: Compilation) -> None:
    """Write what the next run needs. A Jacobian that was made in the meantime is worth a new entry."""
    if made.asked_outside or model.backend != "llvm" or is_whole(made.model):
        return
    jacobian = jacobian_to_keep(made.model)
    if made.products.get("kept", ()) == jacobian:  # by an earlier run, or one of this process
        return
    made.products["kept"] = jacobian
    place = _place(model)
    if place is None:
        return
    log = model.library.log
    content = (*model_to_keep(made.model), model.remarks(), model.libraries())
    _write(place, pickle.dumps((log.files, log.folders), protocol=5), _packed(content, log))


def _translated(model: Model) -> Program:
    options = model.options("program")
    return compile_model(model.library, model.name, options).program


# ---------------------------------------------------------------- the name of an entry


def _place(model: Model) -> Path | None:
    root = cache_root()
    if root is None or model.backend != "llvm":
        return None
    digest = blake2b(_own_version(), digest_size=_DIGEST)
    changes = [text for pair in sorted(model.changes.items()) for text in pair]
    joint, fed = str(model.are_leaks_joint), sorted(model.fed)
    assumed = sorted(model.assumed)
    numbers = [text for name, x in sorted(model.numbers.items()) for text in (name, x.hex())]
    for text in (
        ".".join(model.name),
        joint,
        str(len(fed)),
        *fed,
        str(len(assumed)),
        *assumed,
        str(len(changes)),
        *changes,
        str(len(numbers)),
        *numbers,
        *model.library.identity(),
    ):
        digest.update(f"{len(text)} {text}\n".encode(errors="surrogateescape"))
    return root / "models" / digest.hexdigest()


def _own_version() -> bytes:
    """Name, size and date of every file of ours: reading them all would take longer than a start."""
    package = Path(__file__).parent.parent
    return "\n".join([sys.version, *_stamps(str(package))]).encode()


def _stamps(folder: str) -> list[str]:
    """Also of folders in it."""
    stamps: list[str] = []
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda found: found.name):
            if entry.name.endswith(".py"):
                status = entry.stat()
                stamps.append(f"{entry.name} {status.st_size} {status.st_mtime_ns}")
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                stamps += _stamps(entry.path)
    return stamps


# ---------------------------------------------------------------- entries: sealed log and content


def _read(place: Path, model: Model) -> Any:
    try:
        data = read_regular(place)
    except OSError:
        return None
    payload = unsealed(place.name, data)
    if payload is None:
        return None
    stream = io.BytesIO(payload)
    try:
        files, folders = _Reader(stream).load()
        return _Reader(stream).load() if ReadLog(files, folders).still_holds() else None
    except Exception:  # whatever a foreign entry contains, it is only a reason to translate
        return None


def _write(place: Path, *parts: bytes) -> None:
    payload = b"".join(parts)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        require_replaceable(place)
        with replacing(place, "wb") as stream:
            stream.write(sealed(place.name, payload))
    except (OSError, UsageError):  # a read-only or full disk: translate again next time
        return


def _packed(content: object, log: ReadLog) -> bytes:
    stream = io.BytesIO()
    _Packer(stream, log).dump(content)
    return stream.getvalue()


class _Packer(pickle.Pickler):
    """Texts of files in the log stay where they are; an entry names the file."""

    def __init__(self, stream: io.BytesIO, log: ReadLog) -> None:
        super().__init__(stream, protocol=5)
        self.log = log

    def persistent_id(self, value: object) -> str | None:
        if isinstance(value, Source) and str(Path(value.path).absolute()) in self.log.files:
            return f"file {value.path}"
        return _NOWHERE if isinstance(value, Span) and value is NOWHERE else None


class _Reader(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO) -> None:
        super().__init__(stream)
        self.sources: dict[str, Source] = {}

    def find_class(self, module: str, name: str) -> Any:
        if name in _ALLOWED.get(module, ()):
            return getattr(import_module(module), name)
        found = getattr(import_module(module), name, None) if module in _DATA else None
        if isinstance(found, type) and is_dataclass(found) and found.__module__ == module:
            return found
        raise pickle.UnpicklingError(f"{module}.{name} does not belong here")

    def persistent_load(self, label: str) -> object:
        if label == _NOWHERE:
            return NOWHERE
        path = label.removeprefix("file ")
        if path not in self.sources:
            self.sources[path] = Source.of_library(Path(path), Path(path).read_bytes())
        return self.sources[path]
