"""Circuits with ideal diodes, switches and thyristors, and which of their variables to compare.

    network, watched = CIRCUITS["boost_dcm"]()

Those of `REFERENCES` are the circuits of documents 000, 002 and 004 of which solutions in 34 digits exist;
the others are the usual converters, rectifiers and what goes wrong in switching circuits. In modes that
leave single currents or potentials open only what is determined is watched.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import pi

from netlists import Network, Pulse, pulse, table

Case = tuple[Network, tuple[str, ...]]


# ---------------------------------------------------------------- of the documents


def halfwave(ri: float, henry: float, volt: float = 10.0) -> Case:
    c = Network("HalfWave", 0.2, 1e-4)
    c.sine("U", "a", "0", volt, 50.0)
    node = "a"
    if ri:
        c.resistor("Ri", "a", "r", ri)
        node = "r"
    if henry:
        c.inductor("L", node, "b", henry)
        node = "b"
    c.diode("D", node, "c")
    c.capacitor("C", "c", "0", 1e-3)
    c.resistor("RL", "c", "0", 50.0)
    return c, ("C.v", "D.i", "D.v", *(("L.i", "L.v") if henry else ()))


def bridge(ri: float, henry: float) -> Case:
    c = Network("Bridge", 0.1, 1e-4)
    c.sine("U", "s", "b", 10.0, 50.0)
    if henry:
        c.inductor("L", "s", "a", henry)
    else:
        c.resistor("Ri", "s", "a", ri)
    for name, p, n in (("D1", "a", "p"), ("D2", "b", "p"), ("D3", "0", "a"), ("D4", "0", "b")):
        c.diode(name, p, n)
    c.capacitor("C", "p", "0", 1e-3)
    c.resistor("RL", "p", "0", 50.0)
    return c, ("C.v", "U.i")


def peak_detector(v: float = 0.0, phase: float = 0.0) -> Case:
    c = Network("PeakDetector", 0.1, 1e-4)
    c.sine("U", "a", "0", 10.0, 50.0, phase)
    c.diode("D", "a", "c")
    c.capacitor("C", "c", "0", 1e-3, v)
    c.resistor("RL", "c", "0", 50.0)
    return c, ("C.v", "D.i", "D.v")


def boost(duty: str, ohm: float, stop: float = 0.01) -> Case:
    c = Network("Boost", stop, 2.5e-6)
    c.constant("V", "in", "0", 5.0)
    c.inductor("L", "in", "x", 5e-5)
    c.switch("S", "x", "0", pulse("5e-5", duty))
    c.diode("D", "x", "out")
    c.capacitor("C", "out", "0", 1e-5, 5.0)
    c.resistor("R", "out", "0", ohm)
    return c, ("L.i", "C.v", "D.v", "S.v")


def thyristor_rectifier() -> Case:
    c = Network("ThyristorRectifier", 0.2, 1e-4)
    c.sine("U", "a", "0", 10.0, 50.0)
    c.resistor("Ri", "a", "b", 10.0)
    c.thyristor("T", "b", "c", Pulse(Fraction(1, 600), Fraction(1, 100), Fraction(1, 1200)))
    c.capacitor("C", "c", "0", 1e-3)
    c.resistor("RL", "c", "0", 100.0)
    return c, ("C.v", "T.i", "T.v")


def two_inductors() -> Case:
    c = Network("TwoInductors", 0.2, 1e-3)
    c.constant("V", "a", "0", 10.0)
    c.resistor("R1", "a", "b", 5.0)
    c.inductor("L1", "b", "x", 0.1)
    c.switch("S", "x", "0", table("0.05", "0.12", at_start=True))
    c.inductor("L2", "x", "y", 0.3)
    c.resistor("R2", "y", "0", 10.0)
    return c, ("L1.i", "L2.i", "S.v", "S.i")


def interrupted_inductor() -> Case:
    c = Network("Interrupted", 0.1, 5e-4)
    c.constant("V", "a", "0", 10.0)
    c.resistor("R", "a", "b", 5.0)
    c.inductor("L", "b", "x", 0.1)
    c.switch("S", "x", "0", table("0.04", "0.06", at_start=True))
    return c, ("L.i", "S.v")


def switched_source() -> Case:
    c = Network("Switch1993", 1.2e-5, 5e-8)
    c.current("I0", "0", "a", 1.0)
    c.resistor("R1", "a", "0", 100.0)
    c.switch("S", "a", "b", table("1e-6", "2.5e-6", "5e-6", "9e-6"))
    c.capacitor("C", "b", "0", 1e-7)
    c.resistor("R2", "b", "0", 20.0)
    return c, ("C.v", "R1.v", "S.i", "S.v")


REFERENCES: dict[str, tuple[Callable[[], Case], dict[str, str]]] = {
    "halfwave_fig9_27_amp1": (
        lambda: halfwave(10.0, 0.0, 1.0),
        {"u2": "C.v", "i0": "D.i", "ud": "D.v"},
    ),
    "halfwave_L_fig9_31": (
        lambda: halfwave(10.0, 0.01),
        {"u2": "C.v", "i0": "L.i", "ud": "D.v", "uL": "L.v"},
    ),
    "halfwave_L_cellier_krebs": (
        lambda: halfwave(0.0, 0.01),
        {"u2": "C.v", "i0": "L.i", "ud": "D.v", "uL": "L.v"},
    ),
    "switch_1993": (switched_source, {"uC": "C.v", "uR1": "R1.v", "iSw": "S.i", "uSw": "S.v"}),
    "bridge_R": (lambda: bridge(1.0, 0.0), {"uC": "C.v", "i": "Ri.i"}),
    "bridge_L": (lambda: bridge(0.0, 2e-3), {"uC": "C.v", "i": "L.i", "uL": "L.v"}),
    "boost_dcm": (
        lambda: boost("2e-5", 200.0),
        {"iL": "L.i", "vC": "C.v", "vD": "D.v", "vSw": "S.v"},
    ),
    "thyristor_H9_7": (thyristor_rectifier, {"uLoad": "C.v", "iT": "T.i", "uT": "T.v"}),
    "peak_detector": (peak_detector, {"u2": "C.v", "i0": "D.i", "ud": "D.v"}),
    "impulse_two_inductors": (
        two_inductors,
        {"i1": "L1.i", "i2": "L2.i", "uSw": "S.v", "iSw": "S.i"},
    ),
    "impulse_inductor_interrupt": (interrupted_inductor, {"i": "L.i", "uSw": "S.v"}),
}


# ---------------------------------------------------------------- converters


def buck(ohm: float, stop: float = 5e-3) -> Case:
    c = Network("Buck", stop, stop / 1000)
    c.constant("V", "in", "0", 24.0)
    c.switch("S", "in", "x", pulse("2e-5", "8e-6"))
    c.diode("D", "0", "x")
    c.inductor("L", "x", "out", 1e-4)
    c.capacitor("C", "out", "0", 4.7e-5)
    c.resistor("R", "out", "0", ohm)
    return c, ("L.i", "C.v", "D.v", "S.v")


def buck_boost(ohm: float) -> Case:
    c = Network("BuckBoost", 3e-3, 3e-6)
    c.constant("V", "in", "0", 12.0)
    c.switch("S", "in", "x", pulse("2e-5", "9e-6"))
    c.inductor("L", "x", "0", 1e-4)
    c.diode("D", "out", "x")
    c.capacitor("C", "out", "0", 2.2e-5)
    c.resistor("R", "out", "0", ohm)
    return c, ("L.i", "C.v", "D.v", "S.v")


def cuk(ohm: float) -> Case:
    c = Network("Cuk", 3e-3, 3e-6)
    c.constant("V", "in", "0", 12.0)
    c.inductor("L1", "in", "x", 1.5e-4)
    c.switch("S", "x", "0", pulse("2e-5", "8e-6"))
    c.capacitor("C1", "x", "y", 1e-5, 12.0)
    c.diode("D", "y", "0")
    c.inductor("L2", "y", "out", 1e-4)
    c.capacitor("C2", "out", "0", 2.2e-5)
    c.resistor("R", "out", "0", ohm)
    return c, ("L1.i", "L2.i", "C1.v", "C2.v", "D.v")


def sepic(ohm: float) -> Case:
    c = Network("Sepic", 3e-3, 3e-6)
    c.constant("V", "in", "0", 12.0)
    c.inductor("L1", "in", "x", 1.5e-4)
    c.switch("S", "x", "0", pulse("2e-5", "9e-6"))
    c.capacitor("C1", "x", "y", 1e-5, 12.0)
    c.inductor("L2", "y", "0", 1e-4)
    c.diode("D", "y", "out")
    c.capacitor("C2", "out", "0", 2.2e-5)
    c.resistor("R", "out", "0", ohm)
    return c, ("L1.i", "L2.i", "C1.v", "C2.v", "D.v")


def flyback(ohm: float) -> Case:
    """The magnetising inductance lies across the first winding."""
    c = Network("Flyback", 3e-3, 3e-6)
    c.constant("V", "in", "0", 24.0)
    c.inductor("Lm", "in", "x", 1.2e-4)
    c.transformer("T", "in", "x", "s", "0", -3.0)
    c.switch("S", "x", "0", pulse("2e-5", "7e-6"))
    c.diode("D", "s", "out")
    c.capacitor("C", "out", "0", 4.7e-5)
    c.resistor("R", "out", "0", ohm)
    return c, ("Lm.i", "C.v", "D.i", "D.v", "S.v")


def half_bridge_inverter() -> Case:
    """Two switches with antiparallel diodes and dead time, so the diodes take the current over."""
    c = Network("HalfBridge", 0.02, 2e-5)
    c.constant("Vp", "p", "0", 100.0)
    c.constant("Vn", "0", "n", 100.0)
    c.switch("S1", "p", "x", pulse("2e-3", "9e-4"))
    c.switch("S2", "x", "n", pulse("2e-3", "9e-4", "1e-3"))
    c.diode("D1", "x", "p")
    c.diode("D2", "n", "x")
    c.inductor("L", "x", "y", 5e-3)
    c.resistor("R", "y", "0", 10.0)
    return c, ("L.i", "S1.v", "S2.v")


# ---------------------------------------------------------------- rectifiers


def doubler() -> Case:
    c = Network("Doubler", 0.1, 1e-4)
    c.sine("U", "s", "0", 10.0, 50.0)
    c.resistor("Ri", "s", "a", 0.5)
    c.capacitor("C1", "a", "b", 4.7e-4)
    c.diode("D1", "0", "b")
    c.diode("D2", "b", "c")
    c.capacitor("C2", "c", "0", 4.7e-4)
    c.resistor("R", "c", "0", 1000.0)
    return c, ("C1.v", "C2.v", "D1.v", "D2.v", "Ri.i")


def doubler_without_resistance() -> Case:
    """A loop of source, capacitor and diode: index 2 while a diode conducts."""
    c = Network("IdealDoubler", 0.1, 1e-4)
    c.sine("U", "a", "0", 10.0, 50.0)
    c.capacitor("C1", "a", "b", 4.7e-4)
    c.diode("D1", "0", "b")
    c.diode("D2", "b", "c")
    c.capacitor("C2", "c", "0", 4.7e-4)
    c.resistor("R", "c", "0", 1000.0)
    return c, ("C1.v", "C2.v", "D1.i", "D2.i")


def six_pulse(line: float) -> Case:
    """Three phases, six diodes; with line inductance the currents commute in overlap."""
    c = Network("SixPulse", 0.04, 2e-5)
    for k, phase in enumerate((0.0, -2 * pi / 3, 2 * pi / 3)):
        node = f"a{k + 1}"
        if line:
            c.sine(f"U{k + 1}", f"s{k + 1}", "m", 100.0, 50.0, phase)
            c.inductor(f"L{k + 1}", f"s{k + 1}", node, line, 0.0 if k < 2 else None)
        else:
            c.sine(f"U{k + 1}", node, "m", 100.0, 50.0, phase)
        c.diode(f"D{k + 1}", node, "p")
        c.diode(f"D{k + 4}", "0", node)
    c.inductor("L", "p", "q", 0.02)
    c.resistor("R", "q", "0", 10.0)
    return c, ("L.i", "R.v", *(("L1.i", "L2.i", "L3.i") if line else ()))


def two_pulse_choke() -> Case:
    """Bridge with choke and capacitor behind it."""
    c = Network("ChokeInput", 0.1, 1e-4)
    c.sine("U", "a", "b", 10.0, 50.0)
    for name, p, n in (("D1", "a", "p"), ("D2", "b", "p"), ("D3", "0", "a"), ("D4", "0", "b")):
        c.diode(name, p, n)
    c.inductor("L", "p", "q", 0.02)
    c.capacitor("C", "q", "0", 1e-3)
    c.resistor("R", "q", "0", 20.0)
    return c, ("L.i", "C.v")


def centre_tapped() -> Case:
    """Two diodes on a transformer with two secondaries."""
    c = Network("CentreTapped", 0.06, 6e-5)
    c.sine("U", "s", "0", 100.0, 50.0)
    c.inductor("L", "s", "a", 5e-3)
    c.transformer("T1", "a", "0", "u", "0", 5.0)
    c.transformer("T2", "a", "0", "0", "v", 5.0)
    c.diode("D1", "u", "c")
    c.diode("D2", "v", "c")
    c.capacitor("C", "c", "0", 1e-3)
    c.resistor("R", "c", "0", 30.0)
    return c, ("L.i", "C.v")


def phase_control(henry: float) -> Case:
    """Thyristor feeds an inductive load; it goes out late, at the end of the current."""
    c = Network("PhaseControl", 0.1, 1e-4)
    c.sine("U", "a", "0", 100.0, 50.0)
    c.thyristor("T", "a", "b", pulse("0.02", "0.001", "0.003"))
    c.inductor("L", "b", "c", henry)
    c.resistor("R", "c", "0", 10.0)
    return c, ("L.i", "T.v", "R.v")


def controlled_bridge() -> Case:
    """Half-controlled bridge: two thyristors above, two diodes below, inductive load."""
    c = Network("HalfControlled", 0.1, 1e-4)
    c.sine("U", "a", "b", 100.0, 50.0)
    c.thyristor("T1", "a", "p", pulse("0.02", "0.002", "0.003"))
    c.thyristor("T2", "b", "p", pulse("0.02", "0.002", "0.013"))
    c.diode("D3", "0", "a")
    c.diode("D4", "0", "b")
    c.diode("F", "0", "p")
    c.inductor("L", "p", "q", 0.05)
    c.resistor("R", "q", "0", 10.0)
    return c, ("L.i", "R.v")


def gto_chopper() -> Case:
    c = Network("GtoChopper", 0.02, 2e-5)
    c.constant("V", "in", "0", 100.0)
    c.gto("G", "in", "x", pulse("1e-3", "4e-4"))
    c.diode("F", "0", "x")
    c.inductor("L", "x", "y", 2e-3)
    c.resistor("R", "y", "0", 8.0)
    return c, ("L.i", "F.v", "G.v")


# ---------------------------------------------------------------- small ones with a point


def relay_coil() -> Case:
    """The freewheeling diode: no impulse when the switch opens."""
    c = Network("RelayCoil", 0.1, 1e-4)
    c.constant("V", "a", "0", 24.0)
    c.switch("S", "a", "b", table("0.01", "0.05", "0.08"))
    c.inductor("L", "b", "c", 0.5)
    c.resistor("R", "c", "0", 60.0)
    c.diode("F", "0", "b")
    return c, ("L.i", "F.i", "S.v")


def two_capacitors() -> Case:
    """A switch joins two capacitors: charge is kept, energy is not."""
    c = Network("TwoCapacitors", 0.1, 1e-4)
    c.resistor("R1", "a", "0", 200.0)
    c.capacitor("C1", "a", "0", 1e-4, 12.0)
    c.switch("S", "a", "b", table("0.01", "0.03"))
    c.capacitor("C2", "b", "0", 3e-4, 2.0)
    c.resistor("R2", "b", "0", 300.0)
    return c, ("C1.v", "C2.v", "S.v", "S.i")


def charge_pump() -> Case:
    """A flying capacitor, switched between source and load by diodes and two switches."""
    c = Network("ChargePump", 2e-3, 2e-6)
    c.constant("V", "in", "0", 5.0)
    c.diode("D1", "in", "x")
    c.diode("D2", "x", "out")
    c.capacitor("C1", "x", "y", 1e-6)
    c.switch("S1", "y", "0", pulse("2e-5", "9e-6"))
    c.switch("S2", "y", "in", pulse("2e-5", "9e-6", "1e-5"))
    c.capacitor("C2", "out", "0", 1e-5)
    c.resistor("R", "out", "0", 1000.0)
    return c, ("C1.v", "C2.v")


def clamp() -> Case:
    """Shifts a sine so that it never falls below zero."""
    c = Network("Clamp", 0.1, 1e-4)
    c.sine("U", "a", "0", 5.0, 50.0)
    c.capacitor("C", "a", "b", 1e-5)
    c.diode("D", "0", "b")
    c.resistor("R", "b", "0", 1e5)
    return c, ("C.v", "D.v", "D.i")


def resonant_charge() -> Case:
    """LC with a diode: one half swing, then it rests at twice the voltage."""
    c = Network("ResonantCharge", 0.01, 1e-5)
    c.constant("V", "a", "0", 10.0)
    c.switch("S", "a", "b", table("0.001"))
    c.inductor("L", "b", "c", 1e-3)
    c.diode("D", "c", "d")
    c.capacitor("C", "d", "0", 1e-4)
    return c, ("L.i", "C.v")


def series_diodes() -> Case:
    """Two in series: which of them blocks how much is open, their sum is not."""
    c = Network("SeriesDiodes", 0.1, 1e-4)
    c.sine("U", "a", "0", 10.0, 50.0)
    c.resistor("Ri", "a", "b", 1.0)
    c.diode("D1", "b", "m")
    c.diode("D2", "m", "c")
    c.capacitor("C", "c", "0", 1e-3)
    c.resistor("R", "c", "0", 50.0)
    return c, ("C.v", "Ri.i")


def antiparallel_limiter() -> Case:
    """Two diodes with knees limit a voltage both ways."""
    c = Network("Limiter", 0.1, 1e-4)
    c.sine("U", "a", "0", 5.0, 50.0)
    c.resistor("Ri", "a", "b", 100.0)
    c.diode("D1", "b", "0", 0.7)
    c.diode("D2", "0", "b", 0.7)
    return c, ("Ri.i", "D1.v", "D1.i", "D2.i")


def clamped_inductors() -> Case:
    """A switch opens onto two inductors, a diode to a battery takes their difference."""
    c = Network("ClampedInductors", 0.05, 5e-5)
    c.constant("V", "a", "0", 20.0)
    c.resistor("R1", "a", "b", 4.0)
    c.inductor("L1", "b", "x", 0.02)
    c.switch("S", "x", "0", pulse("0.01", "0.006"))
    c.inductor("L2", "x", "y", 0.05)
    c.resistor("R2", "y", "0", 8.0)
    c.diode("D", "x", "z")
    c.constant("B", "z", "0", 60.0)
    return c, ("L1.i", "L2.i", "D.i", "S.v")


def ladder(stages: int) -> Case:
    """Cockcroft-Walton cascade: two diodes and two capacitors in each stage."""
    c = Network("Cascade", 0.1, 1e-4)
    c.sine("U", "u", "0", 10.0, 50.0)
    c.resistor("Ri", "u", "a0", 1.0)
    for k in range(stages):
        c.capacitor(f"A{k}", f"a{k}", f"a{k + 1}", 2.2e-4)
        low, high = ("0" if k == 0 else f"b{k}"), f"b{k + 1}"
        c.diode(f"D{k}", low, f"a{k + 1}")
        c.diode(f"E{k}", f"a{k + 1}", high)
        c.capacitor(f"B{k}", low, high, 2.2e-4)
    c.resistor("R", f"b{stages}", "0", 1e4)
    return c, tuple(f"B{k}.v" for k in range(stages))


CIRCUITS: dict[str, Callable[[], Case]] = {
    **{name: make for name, (make, _) in REFERENCES.items()},
    "buck_ccm": lambda: buck(4.0),
    "buck_dcm": lambda: buck(60.0),
    "boost_ccm": lambda: boost("2e-5", 20.0, 3e-3),
    "buck_boost_ccm": lambda: buck_boost(10.0),
    "buck_boost_dcm": lambda: buck_boost(120.0),
    "cuk_ccm": lambda: cuk(6.0),
    "cuk_dcm": lambda: cuk(100.0),
    "sepic_ccm": lambda: sepic(10.0),
    "sepic_dcm": lambda: sepic(120.0),
    "flyback_ccm": lambda: flyback(2.0),
    "flyback_dcm": lambda: flyback(40.0),
    "half_bridge_inverter": half_bridge_inverter,
    "doubler": doubler,
    "doubler_without_resistance": doubler_without_resistance,
    "six_pulse": lambda: six_pulse(0.0),
    "six_pulse_overlap": lambda: six_pulse(3e-3),
    "two_pulse_choke": two_pulse_choke,
    "centre_tapped": centre_tapped,
    "phase_control_R": lambda: phase_control(1e-3),
    "phase_control_L": lambda: phase_control(0.05),
    "controlled_bridge": controlled_bridge,
    "gto_chopper": gto_chopper,
    "relay_coil": relay_coil,
    "two_capacitors": two_capacitors,
    "charge_pump": charge_pump,
    "clamp": clamp,
    "resonant_charge": resonant_charge,
    "series_diodes": series_diodes,
    "limiter": antiparallel_limiter,
    "clamped_inductors": clamped_inductors,
    "peak_detector_late": lambda: peak_detector(2.0, 1.0),
    "cascade_2": lambda: ladder(2),
}
