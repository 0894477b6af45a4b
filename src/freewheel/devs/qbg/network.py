"""A quantized bond graph as arrays for the kernels: links, rows, quantizers, signals, states.

In: a `Coupled` of the models in `atomics`, generated or read from a file. Out: a `Network`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.devs.closed import Closed, close
from freewheel.devs.nodes import Atomic, Coupled
from freewheel.devs.qbg import network_kernels as kernels
from freewheel.devs.qbg.atomics import Linear, Source, Storage

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Network:
    """Components in order of precedence and what leads from each output to inputs."""

    names: tuple[str, ...]
    models: tuple[Atomic[Any], ...]
    first_out: tuple[int, ...]  # per component, where its outputs begin; and the end
    owners: tuple[int, ...]  # per input, whose it is
    links: tuple[tuple[int, ...], ...]  # per output, the inputs it goes to
    rows: tuple[tuple[tuple[int, float], ...], ...]  # per output, (input, factor)
    outlets: tuple[str, ...]  # per output, its name: `C` of a storage or source, else `R.f1p`
    ends: tuple[tuple[str, ...], ...]  # per output, the outputs of the whole model it goes to
    watched: tuple[bool, ...]  # per output, whether its events are noted


def network_of(model: Coupled, record: Collection[str] = ()) -> Network:
    """Number all inputs and outputs; watch those of storages and sources, those that leave the
    model, and those named in `record`."""
    closed = close(model)
    for name, each in zip(closed.names, closed.models, strict=True):
        if not isinstance(each, Linear | Storage | Source):
            raise _foreign(name)
    first_in = _starts([len(each.inputs) for each in closed.models])
    first_out = _starts([len(each.outputs) for each in closed.models])
    inlets = {
        (number, port): first_in[number] + at
        for number, each in enumerate(closed.models)
        for at, port in enumerate(each.inputs)
    }
    outlets = tuple(_outlets(closed))
    ends = tuple(_ends(closed))
    own = set(closed.names)
    return Network(
        names=closed.names,
        models=closed.models,
        first_out=tuple(first_out),
        owners=tuple(number for number, each in enumerate(closed.models) for _ in each.inputs),
        links=tuple(_links(closed, inlets)),
        rows=tuple(
            tuple((first_in[number] + at, factor) for at, factor in row)
            for number, each in enumerate(closed.models)
            for row in (each.rows if isinstance(each, Linear) else ((),) * len(each.outputs))
        ),
        outlets=outlets,
        ends=ends,
        watched=tuple(
            name in own or bool(ports) or name in record
            for name, ports in zip(outlets, ends, strict=True)
        ),
    )


def _outlets(closed: Closed) -> Iterator[str]:
    for name, each in zip(closed.names, closed.models, strict=True):
        for port in each.outputs:
            yield f"{name}.{port}" if isinstance(each, Linear) else name


def _ends(closed: Closed) -> Iterator[tuple[str, ...]]:
    outside = len(closed.models)
    for each, routes in zip(closed.models, closed.routes, strict=True):
        for port in each.outputs:
            yield tuple(end for target, end, _ in routes[port] if target == outside)


def _links(closed: Closed, inlets: Mapping[tuple[int, str], int]) -> list[tuple[int, ...]]:
    outside = len(closed.models)
    return [
        tuple(inlets[target, port] for target, port, _ in routes[outlet] if target != outside)
        for each, routes in zip(closed.models, closed.routes, strict=True)
        for outlet in each.outputs
    ]


def _starts(sizes: Sequence[int]) -> list[int]:
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    return starts


def _foreign(name: str) -> CompileError:
    return CompileError(
        Diagnostic(
            "N087",
            f"`{name}` is no component of a quantized bond graph",
            help="simulate the model with `freewheel.devs.simulate`",
        )
    )


@dataclass(frozen=True)
class Memory:
    """What the kernels read and write."""

    ints: Ints
    floats: Floats


def memory_of(net: Network, limit: int) -> Memory:
    """Arrays at the beginning of a run; every storage and source announces its value at t = 0."""
    count = len(net.models)
    queued = [n for n, each in enumerate(net.models) if not isinstance(each, Linear)]
    floats = _Packed(1)
    p_at, q_at = [0] * count, [0] * count
    for number in queued:
        each = net.models[number]
        assert isinstance(each, Storage | Source)
        q_at[number] = floats.add(each.quantizer.numbers)
        if isinstance(each, Source):
            p_at[number] = floats.add([*each.signal.numbers, 0.0, 0.0, 0.0])
    ints = _Packed(kernels.HEADER)
    places = [0] * count
    for at, number in enumerate(queued):
        places[number] = at
    links, rows = net.links, net.rows
    parts = {
        kernels.I_ROLE: [_role(each) for each in net.models],
        kernels.I_OUT: net.first_out,
        kernels.I_ROW: _starts([len(row) for row in rows]),
        kernels.I_ROW_FROM: [at for row in rows for at, _ in row],
        kernels.I_LINK: _starts([len(targets) for targets in links]),
        kernels.I_LINK_TO: [target for targets in links for target in targets],
        kernels.I_OWNER: net.owners,
        kernels.I_KIND: [e.signal.kind if isinstance(e, Source) else 0 for e in net.models],
        kernels.I_P: p_at,
        kernels.I_Q: q_at,
        kernels.I_HEAP: queued,
        kernels.I_PLACE: places,
        kernels.I_WAITING: [0] * count,
        kernels.I_IS_WAITING: [0] * count,
        kernels.I_WATCHED: [int(is_watched) for is_watched in net.watched],
    }
    header = {key: ints.add(values) for key, values in parts.items()}
    header |= {key: floats.add(values) for key, values in _float_parts(net).items()}
    header |= {kernels.I_COUNT: count, kernels.I_QUEUED: len(queued), kernels.I_LIMIT: limit}
    for key, value in header.items():
        ints.values[key] = value
    return Memory(np.array(ints.values, dtype=np.int64), np.array(floats.values, dtype=np.float64))


class _Packed:
    """Parts one behind the other."""

    def __init__(self, size: int) -> None:
        self.values: list[Any] = [0] * size

    def add(self, part: Sequence[Any]) -> int:
        at = len(self.values)
        self.values += part
        return at


def _role(each: Atomic[Any]) -> int:
    if isinstance(each, Storage):
        return kernels.STORAGE
    return kernels.SOURCE if isinstance(each, Source) else kernels.LINEAR


def _float_parts(net: Network) -> dict[int, list[float]]:
    count, outs = len(net.models), len(net.rows)
    gains, xs, levels, thens = ([0.0] * count for _ in range(4))
    for number, each in enumerate(net.models):
        if isinstance(each, Storage):
            held = each.start()
            gains[number], xs[number] = each.gain, held.x
            levels[number], thens[number] = held.level, held.then
        elif isinstance(each, Source):
            first = each.start()
            gains[number], levels[number], thens[number] = each.sign, first.level, first.value
    return {
        kernels.F_INPUT: [0.0] * max(len(net.owners), count),
        kernels.F_NOW: [0.0] * outs,
        kernels.F_SENT: [0.0] * outs,
        kernels.F_FACTOR: [factor for row in net.rows for _, factor in row],
        kernels.F_GAIN: gains,
        kernels.F_X: xs,
        kernels.F_SLOPE: [0.0] * count,
        kernels.F_LEVEL: levels,
        kernels.F_COMING: levels,
        kernels.F_THEN: thens,
        kernels.F_BEFORE: [0.0] * count,
        kernels.F_DUE: [0.0] * count,
        kernels.F_ANNOUNCE: [1.0] * count,
        kernels.F_FOUND: [0.0] * 3,
    }
