"""Contents of records into others of the same class that lie elsewhere, are bound, and may be smaller.

    source = Memory.restore(image).first(Step)
    transfer(target, source)

Whoever has made `target` has set its functions, contexts and arrays outside, and may have handed out its
address and views of its arrays: these stay. Numbers are copied, arrays that have other lengths are laid out
anew, references are followed; a record that is not there yet is allocated. The source may be anybody's:
an array that does not lie in its memory is an `AssertionError` before anything of its record is copied.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from freewheel.machine.memory import Memory, address_of, memory_of, proxy_class, words_of
from freewheel.machine.records import (
    ELEMENT_KINDS,
    SCALARS,
    Field,
    RecordType,
    length_function,
    record_type,
)


def transfer(target: Any, source: Any) -> None:
    """All that can be reached from `source`."""
    _Transfer(memory_of(target), memory_of(source)).record(target, source)


class _Transfer:
    def __init__(self, to: Memory, of: Memory) -> None:
        self.to, self.of = to, of
        self.done: set[int] = set()  # addresses of sources

    def record(self, target: Any, source: Any) -> None:
        if address_of(source) in self.done:
            return
        self.done.add(address_of(source))
        kind: RecordType = source.__type__
        assert target.__type__ is kind, f"{kind.name} cannot become {target.__type__.name}"
        fields = kind.fields.values()
        arrays = [(field, _count(field, source)) for field in fields if field.name in kind.arrays]
        for field, count in arrays:
            width = 1 if field.record is None else len(record_type(field.record).fields)
            assert count >= 0, f"{kind.name}.{field.name} has {count} elements"
            if count > 0:
                self.of.words(_word(source, field), count * width)
        lengths = {name: int(getattr(source, name)) for name in kind.length_names}
        # Arrays that keep their length stay where they are: there are views of them.
        changed = {name: size for name, size in lengths.items() if getattr(target, name) != size}
        self.to.resize(target, **changed)
        numbers = _scalars(kind)
        words_of(target)[numbers] = words_of(source)[numbers]
        for field, count in arrays:
            self._array(target, source, field, count)
        for field in fields:
            if field.kind.startswith("record "):
                self._reference(target, source, field)

    def _array(self, target: Any, source: Any, field: Field, count: int) -> None:
        if count == 0:
            return
        if field.kind in ELEMENT_KINDS:
            there = self.to.words(_word(target, field), count)
            there[:] = self.of.words(_word(source, field), count)
            return
        kind = record_type(field.record)
        if not any(f.is_array or f.kind.startswith("record ") for f in kind.fields.values()):
            rows = self.to.rows(getattr(target, field.name))
            numbers = _scalars(kind)
            rows[:, numbers] = self.of.rows(getattr(source, field.name))[:, numbers]
            return
        for one, other in zip(
            getattr(target, field.name), getattr(source, field.name), strict=True
        ):
            self.record(one, other)

    def _reference(self, target: Any, source: Any, field: Field) -> None:
        if _word(source, field) == 0:
            return
        other = getattr(source, field.name)
        if _word(target, field) == 0:
            made = self.to.new(field.record)
            words_of(target)[field.number] = address_of(made)
        self.record(proxy_class(field.record)(self.to, _word(target, field)), other)


def _word(one: Any, field: Field) -> int:
    return int(words_of(one)[field.number])


def _count(field: Field, one: Any) -> int:
    return int(length_function(field.length)(one))


def _scalars(kind: RecordType) -> Any:
    """Places of numbers that are no lengths of arrays."""
    found = (f for f in kind.fields.values() if f.kind in SCALARS and f.name not in kind.lengths)
    return np.array([field.number for field in found], dtype=np.intp)
