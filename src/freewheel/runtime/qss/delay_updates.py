"""Which remembered signals and which looks into the past must be brought up to date.

note_past_of(qss, i)      # all that depend on record i
note_past(qss, number)    # signals by the number of their line, then looks
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Int
from freewheel.runtime.qss.memory import Qss

past_notes = KernelModule("qss_past_notes")


@past_notes.kernel
def note_past(qss: Qss, number: Int) -> None:
    if qss.past[number].is_noted == 0:
        qss.past[number].is_noted = 1
        qss.noted_past[qss.past_noted] = number
        qss.past_noted += 1


@past_notes.kernel
def note_past_of(qss: Qss, i: Int) -> None:
    starts = qss.past_reader_starts
    listed = qss.past_readers
    for place in range(starts[i], starts[i + 1]):
        note_past(qss, listed[place])
