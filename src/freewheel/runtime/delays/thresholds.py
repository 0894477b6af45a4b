"""Numbers of delays: what is remembered of signals, and where they break."""

from __future__ import annotations

from typing import NamedTuple


class DelayThresholds(NamedTuple):
    """Of histories and breaks (`history.py`, `history_kernels.py`, `breaks.py`, `lookup.py`)."""

    units_alike: float = 64.0  # units in the last place between breaks that count as one
    # Of the whole time, between breaks that count as one: quantized crossings are less exact
    alike: float = 1e-11
    quanta: float = 4.0  # of a quantized signal: a smaller change is no jump
    no_jump: float = 1e-8  # relative change of a signal at an event that is no jump
    border: float = 1e-13  # of x, at which a border counts as reached
    shortest_stretch: float = 1e-14  # stretches below this length are dropped
    floor: float = 1e-3  # of the whole time: a varying delay below it does not limit steps
    # Of `floor`: a shorter step does not make the past any better known
    shortest_step: float = 1e-9
    smallest: float = 1.0 / 4096.0  # part of a step
    forgetting: float = 0.9  # of the magnitude of a signal, per segment
    slack: float = 1e-12  # of the delay time, for rounding
    # Four units in the last place: two times that differ by less are one
    four_units: float = 8.881784197001252e-16
    solved: float = 1e-15  # of the length of a segment: the last step of Newton's method
    turns: int = 60  # of Newton's method inside a bracket


DELAYS = DelayThresholds()
