"""The bytes of a saved run: a small text in JSON, arrays behind it, and a checksum of both.

    data = packed({"t": 0.5, "rows": rows, "warnings": [Diagnostic(...)]})
    unpacked(data)["rows"]

Equal contents give equal bytes. Reading calls nothing but constructors of numbers, texts, arrays and
diagnostics: an image of somebody else runs no code. Whatever does not fit is reported as a damaged image.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

import numpy as np

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.base.source import NOWHERE, Source, Span
from freewheel.runtime.saving.diagnostics import damaged

MAGIC = b"\x89freewheel run\r\n"  # transfers that change ends of lines are seen at once
CHECKSUM = 32
WORD = 8
KINDS = {"f": "<f8", "i": "<i8", "b": "|b1", "u": "|u1"}
TAG = "%"  # key of what JSON has no word for

Tree = Any  # dictionaries, lists, numbers, texts, arrays, bytes, diagnostics


def packed(tree: Tree) -> bytes:
    writer = _Writer()
    text = writer.text(tree)
    parts = [MAGIC, len(text).to_bytes(WORD, "little"), text, *writer.blobs]
    whole = b"".join(parts)
    return whole + blake2b(whole, digest_size=CHECKSUM).digest()


def unpacked(data: bytes) -> Tree:
    if not data.startswith(MAGIC):
        raise damaged("it does not begin like one")
    whole, checksum = data[:-CHECKSUM], data[-CHECKSUM:]
    if blake2b(whole, digest_size=CHECKSUM).digest() != checksum:
        raise damaged("its checksum is wrong: bytes are missing or changed")
    begin = len(MAGIC) + WORD
    size = int.from_bytes(whole[len(MAGIC) : begin], "little")
    if begin + size > len(whole):
        raise damaged("it is too short")
    try:
        return _Reader(whole[begin + size :]).tree(whole[begin : begin + size])
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as problem:
        raise damaged(f"its contents do not fit each other ({problem})") from None


class _Writer:
    def __init__(self) -> None:
        self.blobs: list[bytes] = []
        self.size = 0
        self.sources: dict[Source, int] = {}

    def text(self, tree: Tree) -> bytes:
        body = json.dumps(tree, default=self._tagged, sort_keys=True)
        sources = json.dumps([[source.path, source.text] for source in self.sources])
        return f'{{"sources": {sources}, "tree": {body}}}'.encode()

    def _tagged(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, bytes):
            return {TAG: "bytes", "at": self._blob(value), "size": len(value)}
        if isinstance(value, Diagnostic):
            texts = [value.code, value.message, value.help, value.rule, value.severity.value]
            return {TAG: "told", "texts": [*texts, value.file], "labels": list(value.labels)}
        if isinstance(value, Label):
            span = value.span
            source = self.sources.setdefault(span.source, len(self.sources))
            return {TAG: "label", "place": [source, span.start, span.end], "text": value.text}
        if isinstance(value, np.generic):
            return value.item()
        raise TypeError(f"{type(value).__name__} is no part of an image")

    def _array(self, array: Any) -> Any:
        kind = KINDS[array.dtype.kind]
        numbers = np.ascontiguousarray(array, dtype=kind)
        at = self._blob(numbers.tobytes())
        return {TAG: "array", "at": at, "kind": kind, "shape": list(array.shape)}

    def _blob(self, data: bytes) -> int:
        at = self.size
        self.blobs.append(data)
        self.size += len(data)
        return at


class _Reader:
    def __init__(self, blobs: bytes) -> None:
        self.blobs = blobs
        self.sources: list[Source] = []

    def tree(self, text: bytes) -> Tree:
        whole = json.loads(text)
        self.sources = [Source(str(path), str(read)) for path, read in whole["sources"]]
        return self._untagged(whole["tree"])

    def _untagged(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._untagged(one) for one in value]
        if not isinstance(value, dict):
            return value
        if TAG not in value:
            return {name: self._untagged(one) for name, one in value.items()}
        read = {
            "array": self._array,
            "bytes": lambda made: self._blob(made["at"], made["size"]),
            "told": self._diagnostic,
            "label": self._label,
        }
        return read[value[TAG]](value)

    def _blob(self, at: int, size: int) -> bytes:
        if not (at >= 0 and size >= 0 and at + size <= len(self.blobs)):
            raise ValueError("an array is not there")
        return self.blobs[at : at + size]

    def _array(self, made: dict[str, Any]) -> Any:
        if made["kind"] not in KINDS.values():
            raise ValueError("an array of nothing known")
        shape = [int(size) for size in made["shape"]]
        if min(shape, default=0) < 0:
            raise ValueError("an array without size")
        kind, count = np.dtype(made["kind"]), 1
        for size in shape:
            count *= size
        data = self._blob(made["at"], kind.itemsize * count)
        return np.frombuffer(data, dtype=kind).reshape(shape).copy()

    def _diagnostic(self, made: dict[str, Any]) -> Diagnostic:
        code, message, help, rule, severity, file = (str(text) for text in made["texts"])
        labels = tuple(self._label(label) for label in made["labels"])
        return Diagnostic(code, message, labels, help, rule, Severity(severity), file)

    def _label(self, made: dict[str, Any]) -> Label:
        source, start, end = (int(number) for number in made["place"])
        span = Span(self.sources[source], start, end)
        return Label(NOWHERE if span == NOWHERE else span, str(made["text"]))
