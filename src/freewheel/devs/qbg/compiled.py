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
from freewheel.devs.polynomial import Polynomial
from freewheel.devs.qbg import network_kernels as kernels
from freewheel.devs.qbg.atomics import Linear, Source, Storage
from freewheel.devs.qbg.fold import folded_network
from freewheel.devs.qbg.network import Memory, Network, memory_of, network_of
from freewheel.devs.qbg.polynomial_atomics import Raised, lowered
from freewheel.devs.qbg.polynomial_network import HELD, SENT, polynomial_network, run_polynomials

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
    rates: NDArray[np.float64] | None = None  # further coefficients of each event, of order 2 and 3

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
        chosen = self.who == self.names.index(name)
        known, values = self.times[chosen], self.values[chosen]
        at = np.searchsorted(known, times, side="right") - 1
        found: NDArray[np.float64] = values[at]
        if self.rates is not None:
            since = times - known[at]
            for power, rate in enumerate(self.rates[chosen].T, 1):
                found = found + rate[at] * since**power
        return found

    def outputs(self) -> list[TimedEvent]:
        """What left the model; polynomials, where those are sent."""
        values = self.values.tolist()
        if self.rates is not None:
            rates = self.rates.tolist()
            values = [Polynomial(v, *rest) for v, rest in zip(values, rates, strict=True)]
        events = zip(self.times.tolist(), self.who.tolist(), values, strict=True)
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

    `record` names further outputs to note, `R.f1p` for the flow of a resistance (not `folded`). A
    model of order 2 or 3 is always folded. `code="python"` runs the same kernels in CPython.
    """
    order = order_of(model)
    if order > 1:
        return _simulate_polynomials(model, order, until, max_steps, code == "compiled")
    net = network_of(model, record)
    if folded:
        net = folded_network(net)
    memory = memory_of(net, limit=zero_time_limit(len(net.models)))
    name = "run_folded" if folded else "run_network"
    return _run(net, memory, name, until, max_steps, code == "compiled")


def can_be_compiled(model: Coupled) -> bool:
    """Is it all a quantized bond graph? Of higher orders, only storages and sources can be seen."""
    closed = close(model)
    if all(isinstance(each, Storage | Source | Linear) for each in closed.models):
        return True
    if order_of(model) == 1:
        return False
    net = network_of(lowered(model))
    shown = {net.outlets[out] for out, ends in enumerate(net.ends) if ends}
    return shown <= set(net.names)


def order_of(model: Coupled) -> int:
    """Of a quantized bond graph of higher order; 1 of anything else."""
    models = close(model).models
    orders = {each.order if isinstance(each, Raised) else 1 for each in models}
    return orders.pop() if len(orders) == 1 else 1


def _simulate_polynomials(
    model: Coupled, order: int, until: float, max_steps: int, is_compiled: bool
) -> Steps:
    net = folded_network(network_of(lowered(model)))
    count = len(net.models)
    memory = memory_of(net, limit=zero_time_limit(count))
    held, sent = np.zeros(HELD * count), np.zeros(SENT * count)
    sent_at = int(memory.ints[kernels.F_COMING])
    memory.floats[sent_at : sent_at + count] = 0.0
    for number, each in enumerate(net.models):
        if isinstance(each, Storage):
            held[HELD * number] = each.initial
    times, who = np.zeros(ROOM), np.zeros(ROOM, dtype=np.int64)
    values = np.zeros(order * ROOM)
    arrays = (memory.ints, memory.floats, held, sent, times, who, values)
    ints, floats, first, second, *notes = (a.ctypes.data for a in arrays) if is_compiled else arrays
    made = polynomial_network
    run: Any = made.callable("run_polynomials") if is_compiled else run_polynomials
    parts: list[tuple[Any, Any, Any]] = []
    steps = 0
    while True:
        noted = run(ints, floats, first, second, order, until, ROOM, *notes)
        own = values[: order * noted].reshape(noted, order)
        parts.append((times[:noted].copy(), who[:noted].copy(), own.copy()))
        steps += noted
        status = memory.ints[kernels.I_STATUS]
        if status == kernels.ENDLESS:
            raise illegitimate(float(memory.floats[0]), [net.names[memory.ints[kernels.I_LAST]]])
        if status == kernels.REACHED:
            break
        if steps >= max_steps:
            raise _flooded(net, float(memory.floats[0]), parts[-1][1], max_steps)
    at, names, found = (np.concatenate(part) for part in zip(*parts, strict=True))
    counts = int(memory.ints[kernels.I_INTERNAL]), int(memory.ints[kernels.I_EXTERNAL])
    return Steps(net.outlets, net.ends, at, names, found[:, 0], *counts, rates=found[:, 1:])


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
