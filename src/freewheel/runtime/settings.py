"""Everything that can be chosen about a simulation, in one frozen value.

Settings(stop=2.0, parameters={"R.R": 50.0})
Settings.of(model, stop=2.0)        # the rest as the model's `experiment` says
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from math import isfinite
from typing import Any

from freewheel.runtime.diagnostics import usage
from freewheel.runtime.events.detection import DETECTIONS
from freewheel.runtime.events.root_solvers import ROOT_SOLVERS
from freewheel.runtime.inputs import InputSignal
from freewheel.runtime.model import CompiledModel
from freewheel.runtime.qss.quanta import Quantum
from freewheel.runtime.thresholds import RUNS

DEFAULT_INTERVALS = 500
STEP_CONTROLS = ("pi", "optimistic")
IMPULSES = ("accept", "warn", "error")
BOUNDS = ("off", "warn", "error")


def check_choice(what: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        near = get_close_matches(name, names, 1)
        hint = f"did you mean `{near[0]}`? " if near else ""
        raise usage("U027", f"there is no {what} `{name}`", f"{hint}there are: {', '.join(names)}")


@dataclass(frozen=True, slots=True)
class Settings:
    start: float = 0.0
    stop: float = 1.0
    tolerance: float = 1e-6  # relative; asked for the result, steps are controlled more tightly
    interval: float | None = None  # between stored points; goes before `number_of_intervals`
    number_of_intervals: int = DEFAULT_INTERVALS
    solver: str = "auto"
    quanta: Mapping[str, Quantum] = field(default_factory=dict)  # by state; "": of all others
    parameters: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, InputSignal] = field(default_factory=dict)
    store: tuple[str, ...] = ()  # names and patterns of what is kept; none: everything
    longest_step: float | None = None
    record_events: bool = True  # two rows at each event: left limit, right limit
    event_log: bool = False  # note each change at each event, not only the causes
    root_solver: str = "illinois"  # see `events/root_solvers.py`
    event_detection: str = "sturm"
    step_control: str = "pi"
    impulses: str = "warn"  # accept, warn or error: what to do about them
    bounds: str = "warn"  # off, warn or error: what to do where `min` or `max` is broken
    max_steps: int = 10_000_000
    max_events: int = 10_000_000
    max_event_rounds: int = 100  # of the discrete equations at one event
    chatter_events: int = 1000  # so many events ...
    chatter_window: float = 1e-6  # ... within this share of the whole time mean chattering

    def __post_init__(self) -> None:
        if not (isfinite(self.start) and isfinite(self.stop)) or self.stop < self.start:
            raise usage(
                "U021",
                f"the simulation cannot run from {self.start} to {self.stop}",
                "choose a stop time after the start time",
            )
        if not RUNS.smallest_tolerance <= self.tolerance < 1.0:
            raise usage(
                "U022",
                f"the tolerance {self.tolerance} is out of range",
                f"choose a number from {RUNS.smallest_tolerance:g} up to 1, for example 1e-6",
            )
        if self.interval is not None and not 0.0 < self.interval < float("inf"):
            raise usage(
                "U023",
                f"the interval {self.interval} between stored points is not positive",
                "leave it out for 500 intervals",
            )
        if self.number_of_intervals < 1:
            raise usage("U023", "at least one interval must be stored", "leave it out for 500")
        if self.span / self.output_interval > RUNS.most_points:
            raise usage(
                "U023",
                f"intervals of {self.output_interval:g} are {self.span / self.output_interval:.3g}"
                f" stored points; at most {RUNS.most_points:,} are kept",
                "choose a longer one with --interval: the model may ask for it in its annotation",
            )
        check_choice("root solver", self.root_solver, ROOT_SOLVERS)
        check_choice("way of detecting events", self.event_detection, DETECTIONS)
        check_choice("step control", self.step_control, STEP_CONTROLS)
        check_choice("way with impulses", self.impulses, IMPULSES)
        check_choice("way with `min` and `max`", self.bounds, BOUNDS)
        if self.max_steps < 1:
            raise usage("U120", f"a run cannot take {self.max_steps} steps", "allow at least one")

    @classmethod
    def of(cls, model: CompiledModel, **chosen: Any) -> Settings:
        """What is chosen, else what the model's `experiment` annotation says, else our defaults;
        `None` counts as not chosen."""
        values: dict[str, Any] = dict(model.experiment)
        values.update((key, value) for key, value in chosen.items() if value is not None)
        if "stop" not in values and "start" in values:
            values["stop"] = values["start"] + 1.0
        return cls(**values)

    @property
    def span(self) -> float:
        return self.stop - self.start

    @property
    def output_interval(self) -> float:
        return self.interval or self.span / self.number_of_intervals or 1.0
