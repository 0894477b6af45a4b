"""What happens at events, noted as numbers; `result/events.py` gives them names.

    begin_record(log, c, t)
    note(log, c, CROSSED, i, residual)

A note that does not fit raises `LOG_LACKS`; whoever began the record takes it back.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.result.events import NOTE_WIDTH, RECORD_HEAD
from freewheel.runtime.kernels.places import LOG, LOG_DETAIL, LOG_LACKS, LOG_RECORD, MAX_LOG

notes = KernelModule("notes")


@notes.kernel
def begin_record(log: Floats, c: Ints, t: Float) -> None:
    place = c[LOG]
    c[LOG_LACKS] = 0
    if place + RECORD_HEAD > c[MAX_LOG]:
        c[LOG_LACKS] = 1
        return
    c[LOG_RECORD] = place
    log[place] = t
    log[place + 1] = 0.0  # rounds
    log[place + 2] = 0.0  # notes
    log[place + 3] = 0.0  # the start of the run is a record of its own kind
    c[LOG] = place + RECORD_HEAD


@notes.kernel
def note(log: Floats, c: Ints, kind: Int, number: Int, value: Float) -> None:
    place = c[LOG]
    if place + NOTE_WIDTH > c[MAX_LOG]:
        c[LOG_LACKS] = 1
    if c[LOG_LACKS] == 1:
        return
    log[place] = float(kind)
    log[place + 1] = float(number)
    log[place + 2] = value
    log[c[LOG_RECORD] + 2] += 1.0
    c[LOG] = place + NOTE_WIDTH


@notes.kernel
def detail(log: Floats, c: Ints, kind: Int, number: Int, value: Float) -> None:
    """A note for those who want to know everything."""
    if c[LOG_DETAIL] == 1:
        note(log, c, kind, number, value)
