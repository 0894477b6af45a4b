"""Modes that were analysed in runs before: what is said of a linear mode follows from its matrices alone,
once entries that are rounding have been taken for zeros (`round_off.py`), which depends on the run.

    known = KnownModes()
    known.keep(matrices, found)
    known.of(matrices)                    # the same again, None: not met before

A converter is run a hundred times with other loads and comes to the same few modes; the analysis of a
mode takes longer than a thousand steps in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

MOST_NUMBERS = 1 << 24  # of all that is kept, 128 MB: as much as a run with so many modes takes


@dataclass(slots=True)
class KnownModes:
    """By the matrices, bit for bit: whatever they follow from, bits or parameters, is in them."""

    numbers: int = 0
    found: dict[bytes, Any] = field(default_factory=dict, repr=False)

    def of(self, matrices: Any) -> Any:
        return self.found.get(_key(matrices))

    def keep(self, matrices: Any, found: Any, numbers: int) -> None:
        """`numbers`: how many floats that is; too many are not kept."""
        if self.numbers + numbers > MOST_NUMBERS:
            return
        self.numbers += numbers
        self.found[_key(matrices)] = found


def _key(matrices: Any) -> bytes:
    return blake2b(matrices.tobytes(), digest_size=24).digest()
