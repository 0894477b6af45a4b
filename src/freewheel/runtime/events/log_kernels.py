"""What happens at events, noted as numbers; `result/events.py` gives them names.

    begin_record(loop, t)
    note(loop, CROSSED, i, residual)

A note that does not fit raises `log_lacks`; whoever began the record takes it back.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.result.events import NOTE_WIDTH, RECORD_HEAD
from freewheel.runtime.loop.memory import Loop

notes = KernelModule("notes")


@notes.kernel
def begin_record(loop: Loop, t: Float) -> None:
    place = loop.log_count
    loop.log_lacks = 0
    if place + RECORD_HEAD > loop.max_log:
        loop.log_lacks = 1
        return
    loop.log_record = place
    loop.log[place] = t
    loop.log[place + 1] = 0.0  # rounds
    loop.log[place + 2] = 0.0  # notes
    loop.log[place + 3] = 0.0  # the start of the run is a record of its own kind
    loop.log_count = place + RECORD_HEAD


@notes.kernel
def note(loop: Loop, kind: Int, number: Int, value: Float) -> None:
    place = loop.log_count
    if place + NOTE_WIDTH > loop.max_log:
        loop.log_lacks = 1
    if loop.log_lacks == 1:
        return
    loop.log[place] = float(kind)
    loop.log[place + 1] = float(number)
    loop.log[place + 2] = value
    loop.log[loop.log_record + 2] += 1.0
    loop.log_count = place + NOTE_WIDTH


@notes.kernel
def detail(loop: Loop, kind: Int, number: Int, value: Float) -> None:
    """A note for those who want to know everything."""
    if loop.log_detail == 1:
        note(loop, kind, number, value)
