"""Run a quantized bond graph by compiled kernels.

In: a `Coupled` of quantized bond graph components. Out: `Steps`: when which level changed to what.

    steps = simulate_compiled(generate(graph), until=10.0)
    steps.of("C")                        times and values
    simulate_compiled(model, 10.0, folded=True)     junctions folded away: the same steps

`folded` computes slopes straight from levels; sums are made in another order, so times agree to
rounding only.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from freewheel.base.diagnostics import SimulationError
from freewheel.devs.closed import close
from freewheel.devs.failures import flooded, illegitimate, zero_time_limit
from freewheel.devs.nodes import Coupled, TimedEvent
from freewheel.devs.qbg import network_kernels as kernels
from freewheel.devs.qbg.atomics import Linear, Source, Storage
from freewheel.devs.qbg.fold import folded_network
from freewheel.devs.qbg.network import Memory, Network, memory_of, network_of

ROOM = 65_536  # changes noted before Python takes them
MAX_STEPS = 20_000_000  # half a gigabyte of results
RunNetwork = Any  # the kernel, compiled or not


@dataclass(frozen=True, slots=True)
class Steps:
    """Events of what was watched, in order of time: all changes of levels, and more."""

    names: tuple[str, ...]  # `C` of a storage or source, `R.f1p` of an output of something else
    ends: tuple[tuple[str, ...], ...]  # of each, the outputs of the model it goes to
    times: NDArray[np.float64]
    who: NDArray[np.int64]  # numbers of names
    values: NDArray[np.float64]
    internal: int
    external: int

    @property
    def transitions(self) -> int:
        return self.internal + self.external

    def of(self, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Times and values of one name."""
        chosen = self.who == self.names.index(name)
        return self.times[chosen], self.values[chosen]

    def at(self, name: str, time: float) -> float:
        """The quantized value at a time (after all events at it)."""
        return float(self.at_all(name, np.array([time]))[0])

    def at_all(self, name: str, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Quantized values at many times."""
        known, values = self.of(name)
        found: NDArray[np.float64] = values[np.searchsorted(known, times, side="right") - 1]
        return found

    def outputs(self) -> list[TimedEvent]:
        """What left the model."""
        events = zip(self.times.tolist(), self.who.tolist(), self.values.tolist(), strict=True)
        return [(time, port, value) for time, who, value in events for port in self.ends[who]]


def simulate_compiled(
    model: Coupled,
    until: float,
    *,
    folded: bool = False,
    record: Collection[str] = (),
    max_steps: int = MAX_STEPS,
    code: Literal["compiled", "python"] = "compiled",
) -> Steps:
    """Run up to and including `until`.

    `record` names further outputs to note, `R.f1p` for the flow of a resistance (not `folded`).
    `code="python"` runs the same kernels in CPython.
    """
    net = network_of(model, record)
    if folded:
        net = folded_network(net)
    memory = memory_of(net, limit=zero_time_limit(len(net.models)))
    name = "run_folded" if folded else "run_network"
    return _run(net, memory, name, until, max_steps, code == "compiled")


def can_be_compiled(model: Coupled) -> bool:
    """Is it all a quantized bond graph?"""
    return all(isinstance(each, Storage | Source | Linear) for each in close(model).models)


def _run(
    net: Network, memory: Memory, name: str, until: float, max_steps: int, is_compiled: bool
) -> Steps:
    times, who = np.zeros(ROOM), np.zeros(ROOM, dtype=np.int64)
    values = np.zeros(ROOM)
    arrays = (memory.ints, memory.floats, times, who, values)
    ints, floats, *notes = (a.ctypes.data for a in arrays) if is_compiled else arrays
    run = kernels.network.callable(name) if is_compiled else getattr(kernels, name)
    found: list[tuple[Any, Any, Any]] = []
    steps = 0
    while True:
        noted = run(ints, floats, until, ROOM, *notes)
        found.append((times[:noted].copy(), who[:noted].copy(), values[:noted].copy()))
        steps += noted
        status = memory.ints[kernels.I_STATUS]
        if status == kernels.ENDLESS:
            raise illegitimate(
                float(memory.floats[0]), _loop(net, memory, run, ints, floats, notes)
            )
        if status == kernels.REACHED:
            break
        if steps >= max_steps:
            raise _flooded(net, float(memory.floats[0]), found[-1][1], max_steps)
    joined = [np.concatenate(parts) for parts in zip(*found, strict=True)]
    counts = int(memory.ints[kernels.I_INTERNAL]), int(memory.ints[kernels.I_EXTERNAL])
    return Steps(net.outlets, net.ends, joined[0], joined[1], joined[2], *counts)


def _flooded(net: Network, time: float, who: NDArray[np.int64], limit: int) -> SimulationError:
    busiest = net.outlets[int(np.bincount(who).argmax())]
    return flooded("changes of levels", limit, time, busiest)


def _loop(
    net: Network, memory: Memory, run: RunNetwork, ints: Any, floats: Any, notes: Any
) -> list[str]:
    """Go on for a while, one transition at a time, to see who takes part."""
    found: dict[str, None] = {}
    for _ in range(100):
        memory.ints[kernels.I_LIMIT] = memory.ints[kernels.I_REPEATS] + 1
        run(ints, floats, float(memory.floats[0]), ROOM, *notes)
        found[net.names[int(memory.ints[kernels.I_LAST])]] = None
    return list(found)
