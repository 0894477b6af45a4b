"""Where the arrays of a record lie beside each other, found once for each set of lengths.

    plan = layout(record_type(Step), frozenset("n"), (3,))   # arrays whose length depends on `n`
    words[plan.numbers] = start + plan.offsets               # where `plan.words` are free from `start` on

A record of a run has a hundred arrays, most of them empty. A run of a small model takes less time than asking
each for its length, and the lengths are those of the run before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt

from freewheel.machine.records import FIELD_BYTES, ArrayGroup, RecordType, length_function

REMEMBERED = 512  # layouts of a few hundred bytes


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    numbers: npt.NDArray[np.int64]  # of the fields that are arrays
    offsets: npt.NDArray[np.int64]  # bytes from the beginning of all to each
    counts: Mapping[int, int]  # elements of each, by the number of its field
    groups: tuple[ArrayGroup, ...]
    words: int


@lru_cache(maxsize=REMEMBERED)
def layout(one: RecordType, changed: frozenset[str] | None, lengths: tuple[int, ...]) -> Layout:
    """Of arrays whose length depends on a changed field, or of all, for these values of `one.length_names`."""
    values = SimpleNamespace(**dict(zip(one.length_names, lengths, strict=True)))
    groups = one.groups
    if changed is not None:
        groups = tuple(group for group in groups if not group.names.isdisjoint(changed))
    offsets: dict[int, int] = {}
    counts: dict[int, int] = {}
    words = 0
    for group in groups:
        count = length_function(group.length)(values)
        assert count >= 0, f"{one.name}: {group.length} is {count}"
        for place, field in enumerate(group.fields):
            offsets[field.number] = FIELD_BYTES * (words + place * count * group.width)
            counts[field.number] = count
        # Arrays without elements have a place too: a pointer is zero only where nothing was allocated.
        words += max(1, count * group.width * len(group.fields))
    numbers = np.array(list(offsets), dtype=np.int64)
    return Layout(numbers, np.array(list(offsets.values()), dtype=np.int64), counts, groups, words)
