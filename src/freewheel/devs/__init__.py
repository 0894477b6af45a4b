"""DEVS: discrete-event models in plain Python, and the simulators for them.

See `nodes` for how models are written and `simulate` for how they run.
"""

from freewheel.devs.nodes import (
    PASSIVE,
    Atomic,
    Component,
    Coupled,
    Coupling,
    Event,
    Events,
    Port,
    TimedEvent,
)
from freewheel.devs.polynomial import Polynomial
from freewheel.devs.run_nodes import Outcome, Transition
from freewheel.devs.simulate import simulate, start
from freewheel.devs.trace import Trace

__all__ = [
    "PASSIVE",
    "Atomic",
    "Component",
    "Coupled",
    "Coupling",
    "Event",
    "Events",
    "Outcome",
    "Polynomial",
    "Port",
    "TimedEvent",
    "Trace",
    "Transition",
    "simulate",
    "start",
]
