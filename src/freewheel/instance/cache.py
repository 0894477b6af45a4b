"""Parsed trees on disk, by content: what was parsed once is not parsed again.

In: a file's bytes. Out: its source and tree. `load(Path("Resistor.mo"))` reads the file, and its
tree from the cache if one is there; otherwise it parses and stores the tree.

A cache is a convenience: an entry that is missing, damaged, or written by another version of the
parser is ignored and rebuilt, and a cache that cannot be written is done without. An entry can
hold nothing but syntax nodes, strings and numbers, so reading a hostile one runs no code of its
author.
"""

from __future__ import annotations

import gc
import io
import pickle
import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from freewheel.base.diagnostics import UsageError
from freewheel.base.files import read_regular, replacing, require_replaceable
from freewheel.base.kept import cache_root, sealed, unsealed
from freewheel.base.source import Source
from freewheel.syntax import equation_nodes, expression_nodes, nodes, text_nodes
from freewheel.syntax.nodes import StoredFile
from freewheel.syntax.parser import parse, read_source

# Below this size parsing costs less than opening a second file.
SMALLEST_CACHED = 1_500
# Packing a larger tree is one long step that nothing can interrupt.
LARGEST_CACHED = 2_000_000
_DIGEST = 16


def load(path: Path) -> tuple[Source, StoredFile]:
    """The source and the tree of a file of a package."""
    source = read_source(path, is_library=True)
    return source, tree_of(source)


def tree_of(source: Source) -> StoredFile:
    """The tree of a source, from the cache if possible."""
    folder = cache_folder()
    if folder is None or not SMALLEST_CACHED <= len(source.text) <= LARGEST_CACHED:
        return parse(source)
    content = blake2b(source.text.encode(), digest_size=_DIGEST).hexdigest()
    entry = folder / content[:2] / content[2:]
    tree = _read(entry)
    if tree is None:
        tree = parse(source)
        _write(entry, tree)
    return tree


@cache
def cache_folder() -> Path | None:
    """Where trees of this version of the parser are kept; `None` if caching is switched off."""
    root = cache_root()
    return None if root is None else root / "syntax" / _parser_version()


def _parser_version() -> str:
    """A digest of the parser's own text, so that no change of it can be forgotten here."""
    digest = blake2b(sys.version.encode(), digest_size=8)
    room = Path(nodes.__file__).parent
    for path in sorted(room.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


# ---------------------------------------------------------------- entries: sealed pickles


def _read(entry: Path) -> StoredFile | None:
    try:
        data = read_regular(entry)
    except OSError:
        return None
    payload = unsealed(entry.name, data)
    if payload is None:
        return None
    was_on = gc.isenabled()
    gc.disable()  # as in the parser: a growing tree holds no garbage
    try:
        tree = _NodesOnly(io.BytesIO(payload)).load()
    except Exception:  # whatever a foreign entry contains, it is only a reason to parse
        return None
    finally:
        if was_on:
            gc.enable()
    return tree if isinstance(tree, StoredFile) else None


def _write(entry: Path, tree: StoredFile) -> None:
    try:
        payload = pickle.dumps(tree, protocol=5)
    except RecursionError:  # a sum of a thousand terms: rare, and parsed quickly
        return
    try:
        entry.parent.mkdir(parents=True, exist_ok=True)
        require_replaceable(entry)
        with replacing(entry, "wb") as stream:
            stream.write(sealed(entry.name, payload))
    except (OSError, UsageError):  # a read-only or full disk: go on without the cache
        return


_NODE_CLASSES: dict[tuple[str, str], Any] = {
    (value.__module__, name): value
    for module in (nodes, equation_nodes, expression_nodes, text_nodes)
    for name, value in vars(module).items()
    if isinstance(value, type) and issubclass(value, tuple)
}


class _NodesOnly(pickle.Unpickler):
    """Reads pickles of syntax nodes; asks for anything else are refused."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _NODE_CLASSES:
            raise pickle.UnpicklingError(f"{module}.{name} is no syntax node")
        return _NODE_CLASSES[module, name]
