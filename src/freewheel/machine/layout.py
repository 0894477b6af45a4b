"""Where the arrays of a record lie beside each other, found once for each set of lengths.

    plan = layout(record_type(Step), frozenset("n"), lengths)   # of arrays that depend on `n`
    words[plan.numbers] = start + plan.offsets               # where `plan.words` are free from `start` on

A record of a run has a hundred arrays, most of them empty. A run of a small model takes less time than asking
each for its length, and the lengths are those of the run before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from freewheel.machine.records import FIELD_BYTES, RecordType, length_function

REMEMBERED = 512  # layouts of a few hundred bytes


class Layout(NamedTuple):
    numbers: npt.NDArray[np.int64]  # of the fields that are arrays
    offsets: npt.NDArray[np.int64]  # bytes from the beginning of all to each
    counts: Mapping[int, int]  # elements of those that have some, by the number of the field
    records: tuple[tuple[int, type[Any]], ...]  # those of records: number, class
    words: int


@lru_cache(maxsize=REMEMBERED)
def layout(one: RecordType, changed: frozenset[str] | None, lengths: bytes) -> Layout:
    """Of all arrays, or those whose length depends on changed fields. `lengths`: the words of those fields
    in the order of `one.length_names`."""
    numbered = zip(one.length_names, np.frombuffer(lengths, dtype=np.int64).tolist(), strict=True)
    values = SimpleNamespace(**dict(numbered))
    offsets: dict[int, int] = {}
    counts: dict[int, int] = {}
    records: list[tuple[int, type[Any]]] = []
    words = 0
    for group in one.groups:
        if changed is not None and group.names.isdisjoint(changed):
            continue
        count = length_function(group.length)(values)
        assert count >= 0, f"{one.name}: {group.length} is {count}"
        for place, field in enumerate(group.fields):
            offsets[field.number] = FIELD_BYTES * (words + place * count * group.width)
            if count > 0:
                counts[field.number] = count
            if field.record is not None:
                records.append((field.number, field.record))
        # Arrays without elements have a place too: a pointer is zero only where nothing was allocated.
        words += max(1, count * group.width * len(group.fields))
    numbers = np.array(list(offsets), dtype=np.int64)
    placed = np.array(list(offsets.values()), dtype=np.int64)
    return Layout(numbers, placed, counts, tuple(records), words)
