"""What must hold in every network, whoever computed it: Kirchhoff, the elements, energy.

    faults_of(circuit, result)      []  or  ["node 3: currents sum to 0.2 at 0.004", ...]

Everything is judged from the curves alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from random_circuits import Circuit, Element

Curve = NDArray[np.float64]
Curves = Callable[[str], Curve]

KIRCHHOFF = 1e-9  # of the largest voltage or current
LAW = 1e-7  # likewise, of what resistors, diodes and switches say
ENERGY = 1e-5  # of the energy there was and was supplied


def faults_of(circuit: Circuit, times: Curve, curve: Curves) -> list[str]:
    voltage = {e.name: curve(f"{e.name}.v") for e in circuit.elements}
    current = {e.name: curve(f"{e.name}.i") for e in circuit.elements}
    for curves in (voltage, current):
        for name, values in curves.items():
            if not np.isfinite(values).all():
                return [f"{name}: not a number"]
    volts, amperes = _largest(voltage), _largest(current)
    found = [*_kirchhoff(circuit, curve, times, volts, amperes)]
    for element in circuit.elements:
        v, i = voltage[element.name] / volts, current[element.name] / amperes
        wrong = _law(element, v, i, volts, amperes, curve)
        if wrong is not None and wrong.max() > LAW:
            at = int(wrong.argmax())
            found.append(f"{element.name}: law broken by {wrong[at]:.1e} at {times[at]:.6g}")
    return found + _energy(circuit, times, voltage, current, curve)


def _largest(curves: Mapping[str, Curve]) -> float:
    return max(max(float(np.abs(c).max()) for c in curves.values()), 1e-6)


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
) -> list[str]:
    """What is stored never grows by more than sources supply and resistors leave."""
    stored = np.zeros(len(times))
    for element in circuit.of("L"):
        stored = stored + element.value / 2 * current[element.name] ** 2
    for element in circuit.of("C"):
        stored = stored + element.value / 2 * voltage[element.name] ** 2
    is_driven = bool(circuit.of("V") or circuit.of("I"))
    if is_driven and not circuit.is_metered:
        return []
    supplied = curve("supplied") if is_driven else np.zeros(len(times))
    surplus = stored - supplied
    scale = max(float(np.abs(stored).max()), float(np.abs(supplied).max()), 1e-9)
    growth = surplus - np.minimum.accumulate(surplus)
    at = int(growth.argmax())
    if growth[at] > ENERGY * scale:
        return [f"energy grew by {growth[at] / scale:.1e} of the largest, until {times[at]:.6g}"]
    return []
