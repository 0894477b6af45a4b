"""Which remembered signals and which looks into the past must be brought up to date.

touch_past(k, i)        # all that depend on record i
note_past(k, number)    # signals by the number of their line, then looks
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Int, Ints
from freewheel.runtime.kernels.qss_places import (
    AT_PAST_NOTED,
    AT_PAST_OF,
    AT_PAST_OF_LISTED,
    AT_PAST_STAMP,
    PAST_TOUCHED,
)

past_notes = KernelModule("qss_past_notes")


@past_notes.kernel
def note_past(k: Ints, number: Int) -> None:
    stamps = k[k[AT_PAST_STAMP] :]
    if stamps[number] == 0:
        stamps[number] = 1
        noted = k[k[AT_PAST_NOTED] :]
        noted[k[PAST_TOUCHED]] = number
        k[PAST_TOUCHED] += 1


@past_notes.kernel
def touch_past(k: Ints, i: Int) -> None:
    starts = k[k[AT_PAST_OF] :]
    listed = k[k[AT_PAST_OF_LISTED] :]
    for place in range(starts[i], starts[i + 1]):
        note_past(k, listed[place])
