"""`simulate(model, until)`: run a DEVS model and give what came of it.

In: an `Atomic` or a `Coupled`, events from outside. Out: an `Outcome`.

    outcome = simulate(shop, until=3600.0, events=[(0.0, "arrive", "Ann")])
    outcome.at("served"), outcome.transitions, outcome.states["till"]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.devs.arriving import arriving
from freewheel.devs.classic import ClassicCoordinator
from freewheel.devs.closed import close
from freewheel.devs.nodes import Component, Coupled, Coupling, Port, TimedEvent
from freewheel.devs.parallel import ParallelCoordinator
from freewheel.devs.quiet import model_out_of_sight
from freewheel.devs.run_nodes import Outcome, Watch

Coordinator: TypeAlias = ParallelCoordinator | ClassicCoordinator
COORDINATORS: dict[str, type[Coordinator]] = {
    "parallel": ParallelCoordinator,
    "classic": ClassicCoordinator,
}


def simulate(
    model: Component,
    until: float,
    *,
    coordinator: Literal["parallel", "classic"] = "parallel",
    events: Iterable[TimedEvent] = (),
    watch: Watch | None = None,
    max_transitions: float = math.inf,
    stop_when: Callable[[Any], bool] | None = None,
) -> Outcome:
    """Run up to and including time `until`.

    It ends earlier when nothing is left to happen, after `max_transitions`, or when `stop_when`,
    which is asked after every step and given the coordinator, says so.
    """
    run = start(model, coordinator=coordinator, events=events, watch=watch)
    with model_out_of_sight():
        reason = run.run(until, max_transitions, stop_when)
    return outcome_of(run, reason)


def start(
    model: Component,
    *,
    coordinator: str = "parallel",
    events: Iterable[TimedEvent] = (),
    watch: Watch | None = None,
) -> Coordinator:
    """A run that has not begun: call `run(until)`, look at `states` and `outputs`, go on."""
    if coordinator not in COORDINATORS:
        known = " or ".join(f'"{name}"' for name in COORDINATORS)
        raise UsageError(
            Diagnostic("U080", f"there is no coordinator `{coordinator}`", help=f"take {known}")
        )
    whole = model if isinstance(model, Coupled) else alone(model)
    return COORDINATORS[coordinator](close(whole), arriving(whole, events), watch)


def outcome_of(run: Coordinator, reason: str) -> Outcome:
    """What a run has given so far."""
    states = dict(zip(run.closed.names, run.states, strict=True))
    return Outcome(run.time, reason, tuple(run.outputs), states, run.internal, run.external)


def alone(model: Component) -> Coupled:
    """A coupled model that holds just this one, as `model`, and has its ports."""
    inward = [Coupling(Port("", port), Port("model", port)) for port in model.inputs]
    outward = [Coupling(Port("model", port), Port("", port)) for port in model.outputs]
    return Coupled({"model": model}, [*inward, *outward], model.inputs, model.outputs)
