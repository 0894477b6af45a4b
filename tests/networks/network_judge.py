"""What must hold in every network, whoever computed it: Kirchhoff, the elements, energy.

    faults_of(circuit, times, curve, jumps=False)      []  or  ["node 3: currents sum to 0.2 at 0.004", ...]

Everything is judged from the curves alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
ENERGY = 1e-6  # of the energy there was and was supplied
METER = 1e-5  # likewise, of what the model itself integrates


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
    return found + _energy(circuit, times, voltage, current, curve, jumps)


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


def _energy(
    circuit: Circuit,
    times: Curve,
    voltage: Mapping[str, Curve],
    current: Mapping[str, Curve],
    curve: Curves,
    jumps: bool,
) -> list[str]:
    """What is stored never grows by more than sources supply. If no impulse takes any, none is lost
    but in resistors. Both as far as samples show what happens between them."""
    stored = np.zeros(len(times))
    for element in circuit.of("L"):
        stored = stored + element.value / 2 * current[element.name] ** 2
    for element in circuit.of("C"):
        stored = stored + element.value / 2 * voltage[element.name] ** 2
    taken, unseen = _work_of(circuit, "VI", times, voltage, current)
    heat, unseen_heat = _work_of(circuit, "R", times, voltage, current)
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
        found.append(
            f"energy grew by {growth[at] / scale:.1e} of the largest, until {times[at]:.6g}"
        )
    total = stored + taken + heat
    lost = np.maximum.accumulate(total) - total
    at = int(lost.argmax())
    if lost[at] > ENERGY * scale + unseen + unseen_heat and not jumps:
        found.append(
            f"energy is lost, {lost[at] / scale:.1e} of the largest, until {times[at]:.6g}"
        )
    return found


def _work_of(
    circuit: Circuit,
    kinds: str,
    times: Curve,
    voltage: Mapping[str, Curve],
    current: Mapping[str, Curve],
) -> tuple[Curve, float]:
    """What elements have taken since the beginning, and how much of it is between the samples."""
    names = [e.name for kind in kinds for e in circuit.of(kind)]
    power = sum((voltage[n] * current[n] for n in names), np.zeros(len(times)))
    found, unseen = np.zeros(len(times)), 0.0
    cuts = [0, *(np.flatnonzero(np.diff(times) <= 0.0) + 1).tolist(), len(times)]
    for first, end in pairwise(cuts):  # at events a time stands twice
        fine = _integral(times[first:end], power[first:end])
        coarse = _integral(times[first:end:2], power[first:end:2])
        unseen += float(np.abs(fine[::2] - coarse).max())
        found[first:end] = (found[first - 1] if first else 0.0) + fine
    return found, unseen


def _integral(times: Curve, values: Curve) -> Curve:
    if len(times) < 4:
        steps = np.diff(times) * (values[1:] + values[:-1]) / 2
        return np.concatenate([[0.0], np.cumsum(steps)])
    whole = CubicSpline(times, values).antiderivative()
    return np.asarray(whole(times) - whole(times[0]))
