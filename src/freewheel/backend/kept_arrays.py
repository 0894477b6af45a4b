"""What a module of machine code keeps from call to call: pivots of sparse loops.

A run that is restored in another process goes on with them: other pivots round otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class KeptArrays:
    digest: str  # of the text of the module
    forget: Callable[[], int]
    arrays: tuple[Any, ...]  # of whole numbers, where the code has them

    def put(self, numbers: Sequence[Any]) -> None:
        """What another process had in the same module; nothing: leave it as it is."""
        if len(numbers) == 0:
            return
        for array, values in zip(self.arrays, numbers, strict=True):
            array[:] = np.asarray(values, dtype=np.int64)
