"""Sources that follow a formula or a block diagram, as tables for quantized bond graphs.

    Se source(effort=10*sin(100*time))      ->      a table of straight lines that is nowhere far from it

What drives the sources and does not depend on the circuit is simulated beforehand, finer and finer,
until straight lines between the points are near the next finer run: nearer than `PART` of the
quantum of the source.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from freewheel.base.access import Folders
from freewheel.base.names import show
from freewheel.bondgraph.nodes import Element
from freewheel.bondgraph.signal_part import signal_part
from freewheel.devs.qbg.signals import Signal
from freewheel.flat.nodes import FlatModel

PART = 0.125  # of a quantum: the table adds so much to the error of one quantum
FEWEST, MOST = 500, 4_000_000  # points of a run
FINER = (1.0 + 5.0**0.5) / 2.0  # no two runs of an oscillation see the same phases
TOLERANCE = 1e-9

Floats = NDArray[np.float64]
Curve = tuple[Floats, Floats]


def tables_of(
    elements: Mapping[str, Element],
    flat: FlatModel,
    quantum: Callable[[str], float],
    stop: float,
    folders: Folders,
) -> tuple[dict[str, Signal], dict[str, str]]:
    """Signals of sources by name, and of those that have none the reason. Data are read in `folders`."""
    drives = {name: e.drive for name, e in elements.items() if e.drive is not None}
    reasons = {
        name: "its equations are not those of a source" for name in elements if name not in drives
    }
    if not drives:
        return {}, reasons
    part = signal_part(flat, drives)
    for name, variable in part.dependence.items():
        reasons[name] = f"`{show(variable)}` is no function of time, it depends on the bond graph"
    found: dict[str, Signal] = {}
    if part.outputs:
        run = _runner(part.model, stop, folders)
        wanted = {name: PART * quantum(name) for name in part.outputs}
        curves = _fine_enough(run, part.outputs, wanted, stop)
        for name, curve in curves.items():
            if isinstance(curve, float):
                reasons[name] = (
                    f"near time {curve:.6g} its signal jumps without an event, or changes too fast for"
                    " a table (`sign` and `noEvent` make no events, `if` does)"
                )
            else:
                found[name] = Signal.table(zip(*(c.tolist() for c in curve), strict=True))
    return found, reasons


Run = Callable[[float, Mapping[str, str]], dict[str, Curve]]


def _runner(flat: FlatModel, stop: float, folders: Folders) -> Run:
    """A function from the interval of output to the curves of variables."""
    from freewheel.base.access import running
    from freewheel.pipeline import Options, compile_flat
    from freewheel.runtime.settings import Settings
    from freewheel.runtime.simulate import simulate

    model = compile_flat(flat, Options()).model

    def run(interval: float, outputs: Mapping[str, str]) -> dict[str, Curve]:
        settings = Settings.of(
            model, start=0.0, stop=stop, tolerance=TOLERANCE, interval=interval, solver="auto"
        )
        with running(folders):
            result = simulate(model, settings, None)
        return {
            name: (np.asarray(result.time), np.broadcast_to(result[variable], result.time.shape))
            for name, variable in outputs.items()
        }

    return run


def _fine_enough(
    run: Run,
    outputs: Mapping[str, str],
    wanted: Mapping[str, float],
    stop: float,
) -> dict[str, Curve | float]:
    """Curves whose straight lines are near those of a finer run; a time where they never are."""
    if stop <= 0.0:
        return dict(run(1.0, outputs))
    points = float(FEWEST)
    found: dict[str, Curve | float] = {}
    worst: dict[str, float] = {}
    coarse = run(stop / points, outputs)
    while len(found) < len(outputs):
        points *= FINER
        open_ones = {name: v for name, v in outputs.items() if name not in found}
        if points > MOST:
            return found | {name: worst[name] for name in open_ones}
        fine = run(stop / points, open_ones)
        for name in open_ones:
            distance, worst[name] = _distance(coarse[name], fine[name])
            if distance <= wanted[name]:
                found[name] = thinned(fine[name], wanted[name])
        coarse = fine
    return found


def _distance(coarse: Curve, fine: Curve) -> tuple[float, float]:
    """The largest, at times of the finer curve that are no jumps, and where it is."""
    times, values = fine
    is_single = np.ones(len(times), dtype=bool)
    is_single[1:] &= times[1:] > times[:-1]
    is_single[:-1] &= times[1:] > times[:-1]
    around = np.interp(times, *coarse)
    distances = np.where(is_single, np.abs(around - values), 0.0)
    at = int(distances.argmax())
    return float(distances[at]), float(times[at])


def thinned(curve: Curve, far: float) -> Curve:
    """As few points as will do: lines from a kept point on that stay near all points between (a cone)."""
    times, values = curve
    keep = [0]
    low, high = -np.inf, np.inf
    for k in range(1, len(times)):
        at = keep[-1]
        if times[k] == times[at]:  # a jump
            keep.append(k)
            low, high = -np.inf, np.inf
            continue
        slope = (values[k] - values[at]) / (times[k] - times[at])
        is_jump_next = k + 1 < len(times) and times[k + 1] == times[k]
        if not low <= slope <= high:
            if keep[-1] != k - 1:
                keep.append(k - 1)
            at = k - 1
            low, high = -np.inf, np.inf
            if times[k] == times[at]:
                keep.append(k)
                continue
        room = far / (times[k] - times[at])
        slope = (values[k] - values[at]) / (times[k] - times[at])
        low, high = max(low, slope - room), min(high, slope + room)
        if is_jump_next:
            keep.append(k)
            low, high = -np.inf, np.inf
    if keep[-1] != len(times) - 1:
        keep.append(len(times) - 1)
    return times[keep], values[keep]
