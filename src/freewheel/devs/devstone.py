"""DEVStone: artificial models whose numbers of transitions are known, to measure simulators.

In: kind, width, depth. Out: a `Coupled` with inputs that one event sets going.

    model = devstone("HI", width=100, depth=50)
    simulate(model, 0.0, events=kick(model)).transitions == 2 * (49 * 99 * 100 // 2 + 1)

Four kinds, by how closely their parts are coupled: LI (low level of interconnection), HI (high),
HO (HI with many outputs), HOmod (whose transitions grow with the width squared at each level).
Wainer, Glinsky, Gutierrez-Alcaraz, "Studying performance of DEVS modeling and simulation
environments using the DEVStone benchmark", Simulation 87 (7), 2011; Risco-Martin and others,
"Reconsidering the performance of DEVS modeling and simulation environments using the DEVStone
benchmark", Simulation 93 (6), 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import final

from freewheel.devs.nodes import PASSIVE, Atomic, Coupled, Events, TimedEvent

ANSWER: Events = (("out", 0),)
INNER = "inner"  # the coupled model of the next depth


@final
class Busy(Atomic[float]):
    """Answers every event at once, then waits; its state is its time advance."""

    inputs = ("in",)
    outputs = ("out",)

    def start(self) -> float:
        return PASSIVE

    def time_advance(self, state: float) -> float:
        return state

    def output(self, state: float) -> Events:
        return ANSWER

    def internal(self, state: float) -> float:
        return PASSIVE

    def external(self, state: float, elapsed: float, events: Events) -> float:
        return 0.0


def devstone(kind: str, width: int, depth: int) -> Coupled:
    """The whole model, built from the innermost level outward."""
    inputs, outputs, level = KINDS[kind]
    busy = Busy()
    model = Coupled({"a0": busy}, ("in -> a0.in", "a0.out -> out"), inputs, outputs)
    for _ in range(depth - 1):
        couplings = tuple(level(width))
        names = dict.fromkeys(
            name for each in couplings for name in _components(each) if name != INNER
        )
        model = Coupled({INNER: model, **dict.fromkeys(names, busy)}, couplings, inputs, outputs)
    return model


def kick(model: Coupled) -> list[TimedEvent]:
    """The event that sets the model going, at every input."""
    return [(0.0, port, 0) for port in model.inputs]


def expected_transitions(kind: str, width: int, depth: int) -> int:
    """Internal and external ones, each as many as the other."""
    inner = depth - 1
    if kind == "LI":
        return 2 * ((width - 1) * inner + 1)
    if kind in ("HI", "HO"):
        return 2 * (width * (width - 1) // 2 * inner + 1)
    return 2 * _expected_modified(width, inner)


def _expected_modified(width: int, inner: int) -> int:
    """HOmod: a level at depth k is reached by 1 + k (width - 1) waves. Each passes once through
    the triangle of the rows; the first row answers its feeders, too."""
    waves = [1 + level * (width - 1) for level in range(inner)]
    triangle = width * (width - 1) // 2
    return 1 + sum(wave * triangle + (width - 1) * (wave + width - 1) for wave in waves)


def _components(coupling: str) -> Iterator[str]:
    for end in coupling.split(" -> "):
        component, dot, _ = end.partition(".")
        if dot:
            yield component


def _low(width: int) -> Iterator[str]:
    yield from (f"in -> {INNER}.in", f"{INNER}.out -> out")
    yield from (f"in -> a{i}.in" for i in range(1, width))


def _high(width: int) -> Iterator[str]:
    yield from _low(width)
    yield from (f"a{i}.out -> a{i + 1}.in" for i in range(1, width - 1))


def _high_with_outputs(width: int) -> Iterator[str]:
    yield from (f"in -> {INNER}.in", f"in -> {INNER}.in2", f"{INNER}.out -> out")
    yield from (f"in2 -> a{i}.in" for i in range(1, width))
    yield from (f"a{i}.out -> a{i + 1}.in" for i in range(1, width - 1))
    yield from (f"a{i}.out -> out2" for i in range(1, width))


def _modified(width: int) -> Iterator[str]:
    """A triangle of rows: the second feeds all of the first, each later one the row before it."""
    yield from (f"in -> {INNER}.in", f"{INNER}.out -> out")
    for i in range(1, width):
        yield f"in2 -> a1_{i}.in"
        yield f"a1_{i}.out -> {INNER}.in2"
    for i in range(1, width):
        if i == 1:
            yield "in2 -> a2_1.in"
        yield from (f"a2_{i}.out -> a1_{j}.in" for j in range(1, width))
    for row in range(3, width + 1):
        for i in range(1, width - row + 2):
            if i == 1:
                yield f"in2 -> a{row}_1.in"
            yield f"a{row}_{i}.out -> a{row - 1}_{i + 1}.in"


KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...], Callable[[int], Iterator[str]]]] = {
    "LI": (("in",), ("out",), _low),
    "HI": (("in",), ("out",), _high),
    "HO": (("in", "in2"), ("out", "out2"), _high_with_outputs),
    "HOmod": (("in", "in2"), ("out",), _modified),
}
