"""How a run of a DEVS model fails: always with the time and the names of the models.

error[R200]: infinitely many transitions at t = 1: `a`, `b`
help: give a state of one of them a positive duration
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from freewheel.base.diagnostics import Diagnostic, SimulationError

SHOWN = 12  # names in a message
NAMED_AFTER = 100  # further steps that are looked at to name the models of an endless loop


def zero_time_limit(models: int) -> int:
    """Steps at one time that are still believed to end: far above what events need that pass
    through every model once."""
    return 10_000 + 100 * models


def illegitimate(time: float, names: Iterable[str]) -> SimulationError:
    """The run would never leave this time."""
    found = sorted(set(names))
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    shown = ", ".join(f"`{name}`" for name in found[:SHOWN])
    return SimulationError(
        Diagnostic(
            "R200",
            f"infinitely many transitions at t = {time:g}: {shown}{more}",
            help="give a state of one of them a positive duration; a quantizer needs"
            " a hysteresis window",
            rule='DEVS, "legitimate models"',
        )
    )


def bad_time_advance(name: str, time: float, given: object) -> SimulationError:
    """A time advance below zero, or no number."""
    return SimulationError(
        Diagnostic(
            "R201",
            f"`{name}` gave the time advance {given!r} at t = {time:g}",
            help="time_advance gives seconds, at least 0.0; `PASSIVE` waits for events",
        )
    )


def no_output(name: str, outputs: Sequence[str], time: float, port: object) -> SimulationError:
    """An event on a port that was not declared."""
    known = ", ".join(f"`{each}`" for each in outputs) or "none"
    return SimulationError(
        Diagnostic(
            "R202",
            f"`{name}` sent to its output `{port}`, which it does not have, at t = {time:g}",
            help=f"its outputs are: {known}",
        )
    )


def no_time(port: str, time: object) -> SimulationError:
    """An event from outside that never comes."""
    return SimulationError(
        Diagnostic(
            "R205",
            f"an event for the input `{port}` has the time {time!r}",
            help="time begins at 0.0; an event is (time, port, value)",
        )
    )


def no_input(known: Sequence[str], port: str, time: float) -> SimulationError:
    """An event from outside for a port that the model lacks."""
    listed = ", ".join(f"`{name}`" for name in known) or "none"
    return SimulationError(
        Diagnostic(
            "R203",
            f"an event at t = {time:g} is for the input `{port}`, which the model does not have",
            help=f"its inputs are: {listed}",
        )
    )


def flooded(what: str, limit: float, time: float, busiest: str) -> SimulationError:
    """More happens than anyone would wait for: `what` of which there may be `limit`."""
    who = f", most of them of `{busiest}`" if busiest else ""
    return SimulationError(
        Diagnostic(
            "R204",
            f"more than {limit:.0f} {what} up to t = {time:g}{who}",
            help="take a larger quantum for it, or allow more with `--max-steps` (`max_steps`)",
        )
    )
