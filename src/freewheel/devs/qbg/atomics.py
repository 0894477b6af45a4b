"""The atomic models of quantized bond graphs: three kinds of DEVS behind 17 classes of CD++.

`Storage` integrates and quantizes, `Source` gives a quantized signal, `Linear` is everything that
answers at once: junctions, resistances, transformers, gyrators. A port is named by the letter of
what it carries, the number of the bond at the component, and `p` where power enters there or `n`
where it leaves: `e2p`. `library` makes them.

    D'Abreu and Wainer; Kofman and Junco, "Quantized bond graphs", ICBGM 2001.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, final

from freewheel.devs.nodes import PASSIVE, Atomic, Events
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signal_kernels import (
    level_of,
    level_value,
    signal_at,
    source_event,
    storage_event,
)
from freewheel.devs.qbg.signals import Signal


class Held(NamedTuple):
    """State of a storage: `x` rises by `slope` from the last event on; at its end `level` becomes
    `coming` and `x` becomes `then`."""

    x: float
    slope: float
    level: float
    wait: float
    coming: float
    then: float


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Storage(Atomic[Held]):
    """A capacitor's effort or an inductor's flow: xdot = gain * input."""

    class_name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    gain: float
    initial: float
    quantizer: Quantizer
    parameters: Mapping[str, str]

    def start(self) -> Held:
        level = level_of(self.quantizer.numbers, self.initial)
        return Held(self.initial, 0.0, level, 0.0, level, self.initial)

    def time_advance(self, state: Held) -> float:
        return state.wait

    def output(self, state: Held) -> Events:
        return ((self.outputs[0], level_value(self.quantizer.numbers, state.coming)),)

    def internal(self, state: Held) -> Held:
        return self._held(state.then, state.slope, state.coming)

    def external(self, state: Held, elapsed: float, events: Events) -> Held:
        x = state.x + state.slope * elapsed
        held = self._held(x, self.gain * events[-1][1], state.level)
        # At the start its own value has not been sent yet.
        is_new = state.wait == 0.0 and state.coming == state.level
        return held._replace(wait=0.0, coming=state.level, then=x) if is_new else held

    def _held(self, x: float, slope: float, level: float) -> Held:
        found = [0.0, 0.0, 0.0]
        storage_event(self.quantizer.numbers, x, slope, level, found)
        return Held(x, slope, level, *found)

    def description(self) -> tuple[str, Mapping[str, str]]:
        return self.class_name, {**self.parameters, **self.quantizer.description()}


class Emitted(NamedTuple):
    """State of a source: its last event, and the next."""

    time: float
    level: float
    next_time: float
    coming: float
    value: float  # what is sent then


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Source(Atomic[Emitted]):
    """An effort or a flow over time."""

    class_name: str
    outputs: tuple[str, ...]
    signal: Signal
    quantizer: Quantizer
    sign: float = 1.0  # -1: the bond points against the direction in which the flow is given
    inputs: tuple[str, ...] = ()  # Fig. 24 of the paper couples one; a source takes no notice

    def start(self) -> Emitted:
        q, signal = self.quantizer.numbers, self.signal
        first = signal_at(signal.kind, signal.numbers, 0.0)
        level = level_of(q, first)
        value = first if signal.is_piecewise_constant else level_value(q, level)
        return Emitted(0.0, level, 0.0, level, value)

    def time_advance(self, state: Emitted) -> float:
        return state.next_time - state.time

    def output(self, state: Emitted) -> Events:
        return ((self.outputs[0], self.sign * state.value),)

    def external(self, state: Emitted, elapsed: float, events: Events) -> Emitted:
        return state._replace(time=state.time + elapsed)

    def internal(self, state: Emitted) -> Emitted:
        found, time = [0.0, 0.0, 0.0], state.next_time
        signal, q = self.signal, self.quantizer.numbers
        source_event(signal.kind, signal.numbers, q, time, state.coming, found)
        return Emitted(time, state.coming, *found)

    def description(self) -> tuple[str, Mapping[str, str]]:
        levels = {} if self.signal.is_piecewise_constant else self.quantizer.description()
        return self.class_name, {**levels, **self.signal.description()}


class Passed(NamedTuple):
    """State of what answers at once: inputs, the outputs they give, and those already sent."""

    inputs: tuple[float, ...]
    now: tuple[float, ...]
    sent: tuple[float, ...]


Row = tuple[tuple[int, float], ...]  # (number of an input, factor)


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Linear(Atomic[Passed]):
    """Each output is a sum of inputs times factors; what has not changed is not sent again."""

    class_name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    rows: tuple[Row, ...]  # one for each output
    parameters: Mapping[str, str]

    def start(self) -> Passed:
        nothing = (0.0,) * len(self.outputs)
        return Passed((0.0,) * len(self.inputs), nothing, nothing)

    def time_advance(self, state: Passed) -> float:
        return PASSIVE if state.now == state.sent else 0.0

    def output(self, state: Passed) -> Events:
        both = zip(self.outputs, state.now, state.sent, strict=True)
        return [(port, now) for port, now, sent in both if now != sent]

    def internal(self, state: Passed) -> Passed:
        return Passed(state.inputs, state.now, state.now)

    def external(self, state: Passed, elapsed: float, events: Events) -> Passed:
        values = list(state.inputs)
        for port, value in events:
            values[self.inputs.index(port)] = value
        return Passed(tuple(values), tuple([_sum(row, values) for row in self.rows]), state.sent)

    def description(self) -> tuple[str, Mapping[str, str]]:
        return self.class_name, self.parameters


def _sum(row: Row, values: list[float]) -> float:
    total = 0.0
    for at, factor in row:
        total += factor * values[at]
    return total
