"""The circuits of the exact references, as cores written by hand.

An ideal diode has one unknown s: its current is s while it conducts, its voltage s while it blocks.
"""

from __future__ import annotations

from math import pi

from linear_core import LinearCore, listed
from scheduled import Instant

from freewheel.runtime.switched_dae.problem import CoreProblem

W50 = 2.0 * pi * 50.0
Units = tuple[float, float, float]  # factors of voltage, impedance and time
SAME: Units = (1.0, 1.0, 1.0)


def halfwave(amplitude: float = 1.0) -> CoreProblem:
    """Source, Ri = 10, diode, C = 1 mF beside RL = 50: u0 = Ri i + ud + u2."""
    core = LinearCore("halfwave", "u2 i0 s", "D")
    core.row("loop", at={"i0": 10.0, "s": 1.0, "u2": 1.0}, on={("D", "s"): -1.0}, sources={0: 1.0})
    core.row("D", at={"i0": 1.0}, on={("D", "s"): -1.0})
    core.row("C", der={"u2": 1e-3}, at={"u2": 1.0 / 50.0, "i0": -1.0})
    core.element("D", "s")
    core.source(0, a=amplitude, w=W50)
    return core.build()


def gated_halfwave(held_bit: float, corner: float = 0.0) -> CoreProblem:
    """The half-wave circuit with a valve that a gate can hold, and whose corner is elsewhere."""
    core = LinearCore("gated", "u2 i0 s one", "D", 2)
    away = {("D", "s"): -1.0, ("D", "one"): corner}
    core.row(
        "loop", at={"i0": 10.0, "s": 1.0, "one": -corner, "u2": 1.0}, on=away, sources={0: 1.0}
    )
    core.row("D", at={"i0": 1.0}, on=away)
    core.row("C", der={"u2": 1e-3}, at={"u2": 1.0 / 50.0, "i0": -1.0})
    core.row("one", at={"one": 1.0}, sources={1: 1.0})
    core.element("D", "s", at=corner, held_bit=held_bit)
    core.source(0, a=1.0, w=W50)
    core.source(1, offset=1.0)
    return core.build()


def limited_amplifier() -> CoreProblem:
    """An output that follows s between two rails, s = -1 and s = 1: two corners of one unknown. Behind
    it R and C of 10 ms; a diode beside the capacitor keeps it from going below -0.3."""
    core = LinearCore("limited", "v i out s one d", "low high D", 2)
    core.row("C", der={"v": 1.0}, at={"i": -1.0, "d": 0.0}, on={("D", "d"): -1.0})
    core.row("R", at={"i": 0.01, "v": 1.0, "out": -1.0})
    core.row("source", at={"s": 1.0}, sources={0: 1.0})
    core.row(
        "amplifier",
        at={"out": 1.0, "one": 1.0},
        on={("low", "s"): -1.0, ("high", "s"): 1.0, ("low", "one"): -1.0, ("high", "one"): -1.0},
    )
    core.row("one", at={"one": 1.0}, sources={1: 1.0})
    core.row("D", at={"v": -1.0, "one": -0.3, "d": -1.0}, on={("D", "d"): 1.0})
    core.element("low", "s", at=-1.0)
    core.element("high", "s", at=1.0)
    core.element("D", "d")
    core.source(0, a=3.0, w=W50)
    core.source(1, offset=1.0)
    return core.build()


def halfwave_l(resistance: float, units: Units = SAME) -> CoreProblem:
    """The same with L = 10 mH in the line; index 2 while the diode blocks."""
    volts, ohms, seconds = units
    core = LinearCore("halfwave_L", "u2 i0 uL s", "D")
    core.row("L", der={"i0": 0.01 * ohms * seconds}, at={"uL": -1.0})
    core.row(
        "loop",
        at={"i0": resistance * ohms, "uL": 1.0, "s": 1.0, "u2": 1.0},
        on={("D", "s"): -1.0},
        sources={0: 1.0},
    )
    core.row("D", at={"i0": 1.0}, on={("D", "s"): -1.0})
    core.row("C", der={"u2": 1e-3 * seconds / ohms}, at={"u2": 1.0 / 50.0 / ohms, "i0": -1.0})
    core.element("D", "s")
    core.source(0, a=10.0 * volts, w=W50 / seconds)
    return core.build()


def peak_detector() -> CoreProblem:
    """No series resistance: index 2 while the diode conducts."""
    core = LinearCore("peak", "u2 i0 s", "D")
    core.row("loop", at={"s": 1.0, "u2": 1.0}, on={("D", "s"): -1.0}, sources={0: 1.0})
    core.row("D", at={"i0": 1.0}, on={("D", "s"): -1.0})
    core.row("C", der={"u2": 1e-3}, at={"u2": 1.0 / 50.0, "i0": -1.0})
    core.element("D", "s")
    core.source(0, a=10.0, w=W50)
    return core.build()


def boost(units: Units = SAME) -> CoreProblem:
    """5 V, L = 50 uH, switch (on: closed), diode, C = 10 uF beside 200 Ohm; 20 kHz, 40 % duty."""
    volts, ohms, seconds = units
    core = LinearCore("boost", "iL vC vSw iSw s", "D Sw")
    core.row("L", der={"iL": 5e-5 * ohms * seconds}, at={"vSw": 1.0}, sources={0: 1.0})
    core.row("node", at={"iL": 1.0, "iSw": -1.0}, on={("D", "s"): -1.0})
    core.row("D", at={"vSw": -1.0, "vC": 1.0, "s": 1.0}, on={("D", "s"): -1.0})
    core.row(
        "C", der={"vC": 1e-5 * seconds / ohms}, at={"vC": 1.0 / 200.0 / ohms}, on={("D", "s"): -1.0}
    )
    core.row("Sw", at={"iSw": 1.0}, on={("Sw", "iSw"): -1.0, ("Sw", "vSw"): 1.0})
    core.element("D", "s")
    core.source(0, offset=5.0 * volts)
    core.start[1] = 5.0 * volts

    def gate(t: float) -> Instant | None:
        k = int((t / seconds + 1e-12) / 5e-5)
        if t / seconds < 5e-5 * k + 2e-5 - 1e-12:
            return Instant((5e-5 * k + 2e-5) * seconds, ((1, False),))
        return Instant(5e-5 * (k + 1) * seconds, ((1, True),))

    built = core.build(gate)
    built.memory[built.bits + 1] = 1.0
    return built


def bridge(inductance: float, units: Units = SAME) -> CoreProblem:
    """Four diodes, source with Ri = 1 or L, C = 1 mF beside 50 Ohm. The nodes a and b of the line
    against the negative rail: va, vb."""
    volts, ohms, seconds = units
    core = LinearCore("bridge", "uC i uL va vb s1 s2 s3 s4", "D1 D2 D3 D4")
    if inductance > 0.0:
        core.row("L", der={"i": inductance * ohms * seconds}, at={"uL": -1.0})
    else:
        core.row("Ri", at={"i": ohms, "uL": -1.0})
    core.row("line", at={"va": 1.0, "vb": -1.0, "uL": 1.0}, sources={0: 1.0})
    off = {f"s{k}": 1.0 for k in range(1, 5)}
    on = {f"s{k}": (f"D{k}", f"s{k}") for k in range(1, 5)}
    core.row("D1", at={"va": 1.0, "uC": -1.0, "s1": -off["s1"]}, on={on["s1"]: 1.0})
    core.row("D2", at={"vb": 1.0, "uC": -1.0, "s2": -off["s2"]}, on={on["s2"]: 1.0})
    core.row("D3", at={"va": -1.0, "s3": -off["s3"]}, on={on["s3"]: 1.0})
    core.row("D4", at={"vb": -1.0, "s4": -off["s4"]}, on={on["s4"]: 1.0})
    core.row("a", at={"i": 1.0}, on={on["s3"]: 1.0, on["s1"]: -1.0})
    core.row("b", at={"i": -1.0}, on={on["s4"]: 1.0, on["s2"]: -1.0})
    capacitance, conductance = 1e-3 * seconds / ohms, 1.0 / 50.0 / ohms
    core.row(
        "C",
        der={"uC": capacitance},
        at={"uC": conductance},
        on={on["s1"]: -1.0, on["s2"]: -1.0},
    )
    for k in range(1, 5):
        core.element(f"D{k}", f"s{k}")
    core.source(0, a=10.0 * volts, w=W50 / seconds)
    return core.build()


def clutch() -> CoreProblem:
    core = LinearCore("clutch", "w1 w2 tauC", "locked")
    core.row("J1", der={"w1": 1.0}, at={"tauC": 1.0}, sources={0: 1.0})
    core.row("J2", der={"w2": 2.0}, at={"w2": 0.4, "tauC": -1.0})
    core.row(
        "clutch",
        at={"tauC": 1.0},
        on={("locked", "tauC"): -1.0, ("locked", "w1"): 1.0, ("locked", "w2"): -1.0},
    )
    core.source(0, offset=5.0)
    core.start[1] = 3.0
    return core.build(listed((2.0, ((0, True),)), (4.0, ((0, False),))))


def two_inductors() -> CoreProblem:
    core = LinearCore("two_inductors", "i1 i2 uSw iSw", "closed")
    core.row("L1", der={"i1": 0.1}, at={"i1": 5.0, "uSw": 1.0}, sources={0: 1.0})
    core.row("L2", der={"i2": 0.3}, at={"i2": 10.0, "uSw": -1.0})
    core.row("node", at={"i1": 1.0, "i2": -1.0, "iSw": -1.0})
    core.row("switch", at={"iSw": 1.0}, on={("closed", "iSw"): -1.0, ("closed", "uSw"): 1.0})
    core.source(0, offset=10.0)
    built = core.build(listed((0.05, ((0, False),)), (0.12, ((0, True),))))
    built.memory[built.bits] = 1.0
    return built


def interrupted_inductor() -> CoreProblem:
    core = LinearCore("interrupted", "i uSw", "closed")
    core.row("L", der={"i": 0.1}, at={"i": 5.0, "uSw": 1.0}, sources={0: 1.0})
    core.row("switch", at={"i": 1.0}, on={("closed", "i"): -1.0, ("closed", "uSw"): 1.0})
    core.source(0, offset=10.0)
    built = core.build(listed((0.04, ((0, False),)), (0.06, ((0, True),))))
    built.memory[built.bits] = 1.0
    return built


def shorted_source() -> CoreProblem:
    """A switch closes across a voltage source at 0.1 s."""
    core = LinearCore("shorted", "u i iSw", "closed")
    core.row("source", at={"u": 1.0}, sources={0: 1.0})
    core.row("R", at={"u": 1.0, "i": -2.0, "iSw": 2.0})
    core.row("switch", at={"iSw": 1.0}, on={("closed", "iSw"): -1.0, ("closed", "u"): 1.0})
    core.source(0, offset=10.0)
    return core.build(listed((0.1, ((0, True),))))
