"""What must hold in every network, whoever computed it: Kirchhoff, the elements, energy.

    faults_of(circuit, times, curve, jumps=False)      []  or  ["node 3: currents sum to 0.2 at 0.004", ...]

Everything is judged from the curves alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from random_circuits import Circuit, Element
from scipy.interpolate import CubicSpline

Curve = NDArray[np.float64]
Curves = Callable[[str], Curve]

KIRCHHOFF = 1e-9  # of the largest voltage or current
LAW = 1e-8  # likewise, of what resistors, diodes and switches say
LEAST_OHMS, MOST_OHMS = (
    1e-3,
    1e6,
)  # less voltage, or current, beside the other is not told from zero
STORED = 1e-6  # of the largest charge or flux
ENERGY = 1e-6  # of the energy there was and was supplied
FEW = 8  # samples: their spline says little
METER = 1e-5  # likewise, of what the model itself integrates

SOURCES, RESISTORS = "sources", "resistors"  # names of what they take


def faults_of(circuit: Circuit, times: Curve, curve: Curves, jumps: bool) -> list[str]:
    """`jumps` tells whether there was an impulse, which takes energy."""
    voltage = {e.name: curve(f"{e.name}.v") for e in circuit.elements}
    current = {e.name: curve(f"{e.name}.i") for e in circuit.elements}
    for curves in (voltage, current):
        for name, values in curves.items():
            if not np.isfinite(values).all():
                return [f"{name}: not a number"]
    volts, amperes = _largest(circuit, voltage, "C"), _largest(circuit, current, "L")
    volts, amperes = max(volts, LEAST_OHMS * amperes), max(amperes, volts / MOST_OHMS)
    found = [*_kirchhoff(circuit, curve, times, volts, amperes)]
    for element in circuit.elements:
        v, i = voltage[element.name] / volts, current[element.name] / amperes
        wrong = _law(element, v, i, volts, amperes, curve)
        if wrong is not None and wrong.max() > LAW:
            at = int(wrong.argmax())
            found.append(f"{element.name}: law broken by {wrong[at]:.1e} at {times[at]:.6g}")
    flows = _Flows.of(times, _flowing(circuit, times, voltage, current))
    found += _storages(circuit, times, voltage, current, flows, jumps)
    return found + _energy(circuit, times, voltage, current, curve, flows, jumps)


def _flowing(
    circuit: Circuit, times: Curve, voltage: Mapping[str, Curve], current: Mapping[str, Curve]
) -> dict[str, Curve]:
    """What is integrated: into storages, and the power that sources and resistors take."""
    found = {e.name: current[e.name] for e in circuit.of("C")}
    found |= {e.name: voltage[e.name] for e in circuit.of("L")}
    for name, kinds in ((SOURCES, "VI"), (RESISTORS, "R")):
        powers = [voltage[e.name] * current[e.name] for k in kinds for e in circuit.of(k)]
        found[name] = sum(powers, np.zeros(len(times)))
    return found


def _largest(circuit: Circuit, curves: Mapping[str, Curve], storage: str) -> float:
    """What there was before an impulse at the very beginning counts as well."""
    starts = [abs(e.start or 0.0) for e in circuit.of(storage)]
    return max(*(float(np.abs(c).max()) for c in curves.values()), *starts, 1e-6)


def _kirchhoff(
    circuit: Circuit, curve: Curves, times: Curve, volts: float, amperes: float
) -> list[str]:
    found: list[str] = []
    for node, pins in enumerate(circuit.pins()):
        total = sum(curve(f"{pin}.i") for pin in pins)
        if node == 0:
            total = total + curve("ground.p.i")
        potential = curve("ground.p.v") if node == 0 else curve(f"{pins[0]}.v")
        apart = max(float(np.abs(curve(f"{pin}.v") - potential).max()) for pin in pins)
        worst = int(np.abs(total).argmax())
        if abs(total[worst]) > KIRCHHOFF * amperes:
            found.append(f"node {node}: currents sum to {total[worst]:.1e} at {times[worst]:.6g}")
        if apart > KIRCHHOFF * volts:
            found.append(f"node {node}: potentials differ by {apart:.1e}")
    return found


def _law(
    element: Element, v: Curve, i: Curve, volts: float, amperes: float, curve: Curves
) -> Curve | None:
    """How much it is broken; voltage and current in units of the largest."""
    if element.kind == "R":
        return np.abs(v * volts - element.value * i * amperes) / max(volts, element.value * amperes)
    if element.kind == "D":
        return np.maximum(np.maximum(-i, v), np.minimum(np.abs(v), np.abs(i)))
    if element.kind == "S":
        closed = curve(f"{element.name}.control") > 0.5
        return np.where(closed, np.abs(v), np.abs(i))
    return None


@dataclass(frozen=True)
class _Flows:
    """Integrals of curves, each since the last event, and how much of them is between the samples."""

    pieces: list[tuple[int, int]]
    since: Mapping[str, Curve]
    unseen: Mapping[str, list[float]]  # by piece

    @staticmethod
    def of(times: Curve, curves: Mapping[str, Curve]) -> _Flows:
        cuts = [0, *(np.flatnonzero(np.diff(times) <= 0.0) + 1).tolist(), len(times)]
        pieces = list(pairwise(cuts))  # at an event a time stands twice
        values = np.array(list(curves.values())).T
        parts = [_integrals(times[a:b], values[a:b]) for a, b in pieces]
        since, unseen = np.vstack([p for p, _ in parts]), np.array([u for _, u in parts])
        return _Flows(
            pieces,
            {name: since[:, k] for k, name in enumerate(curves)},
            {name: unseen[:, k].tolist() for k, name in enumerate(curves)},
        )

    def whole(self, name: str) -> Curve:
        """Since the beginning."""
        found, before = self.since[name].copy(), 0.0
        for first, end in self.pieces:
            found[first:end] += before
            before = found[end - 1]
        return found


def _integrals(times: Curve, values: Curve) -> tuple[Curve, Curve]:
    """By splines; by how much those through every other sample differ."""
    if len(times) < FEW:
        steps = np.diff(times)[:, None] * (values[1:] + values[:-1]) / 2
        found = np.vstack([np.zeros(values.shape[1]), np.cumsum(steps, axis=0)])
        return found, np.abs(values).max(axis=0) * (times[-1] - times[0])
    fine, coarse = (_by_spline(times[::k], values[::k]) for k in (1, 2))
    return fine, np.abs(fine[::2] - coarse).max(axis=0)


def _by_spline(times: Curve, values: Curve) -> Curve:
    whole = CubicSpline(times, values).antiderivative()
    return np.asarray(whole(times) - whole(times[0]))


def _storages(
    circuit: Circuit,
    times: Curve,
    voltage: Mapping[str, Curve],
    current: Mapping[str, Curve],
    flows: _Flows,
    jumps: bool,
) -> list[str]:
    """Charge is the integral of current, flux that of voltage; without impulses neither jumps."""
    found: list[str] = []
    for kind, across in (("C", voltage), ("L", current)):
        for element in circuit.of(kind):
            name, stored = element.name, element.value * across[element.name]
            # Before an impulse at the very beginning there was the start value.
            least = max(abs(element.start or 0.0), 1e-6)
            size = max(float(np.abs(stored).max()), element.value * least)
            for (first, end), unseen in zip(flows.pieces, flows.unseen[name], strict=True):
                wrong = np.abs(stored[first:end] - stored[first] - flows.since[name][first:end])
                at = int(wrong.argmax())
                if wrong[at] > STORED * size + unseen:
                    share, when = wrong[at] / size, times[first + at]
                    found.append(f"{name}: law broken by {share:.1e} at {when:.6g}")
                jump = abs(stored[first] - stored[first - 1]) if first else 0.0
                if jump > STORED * size and not jumps:
                    found.append(f"{name}: jumps by {jump / size:.1e} at {times[first]:.6g}")
    return found


def _energy(
    circuit: Circuit,
    times: Curve,
    voltage: Mapping[str, Curve],
    current: Mapping[str, Curve],
    curve: Curves,
    flows: _Flows,
    jumps: bool,
) -> list[str]:
    """What is stored never grows by more than sources supply. If no impulse takes any, none is lost
    but in resistors. Both as far as samples show what happens between them."""
    stored = np.zeros(len(times))
    for element in circuit.of("L"):
        stored = stored + element.value / 2 * current[element.name] ** 2
    for element in circuit.of("C"):
        stored = stored + element.value / 2 * voltage[element.name] ** 2
    taken, heat = flows.whole(SOURCES), flows.whole(RESISTORS)
    unseen, unseen_heat = sum(flows.unseen[SOURCES]), sum(flows.unseen[RESISTORS])
    scale = max(float(np.abs(c).max()) for c in (stored, taken, np.array([1e-9])))
    found: list[str] = []
    if circuit.is_metered:
        apart = np.abs(curve("supplied") + taken)
        at = int(apart.argmax())
        if apart[at] > METER * scale + unseen:
            found.append(f"the meter is wrong by {apart[at] / scale:.1e} at {times[at]:.6g}")
    surplus = stored - curve("supplied") if circuit.is_metered else stored + taken
    growth = surplus - np.minimum.accumulate(surplus)
    at = int(growth.argmax())
    if growth[at] > ENERGY * scale + (0.0 if circuit.is_metered else unseen):
        share = growth[at] / scale
        found.append(f"energy grew by {share:.1e} of the largest, until {times[at]:.6g}")
    total = stored + taken + heat
    lost = np.maximum.accumulate(total) - total
    at = int(lost.argmax())
    if lost[at] > ENERGY * scale + unseen + unseen_heat and not jumps:
        share = lost[at] / scale
        found.append(f"energy is lost, {share:.1e} of the largest, until {times[at]:.6g}")
    return found
