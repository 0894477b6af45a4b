"""Circuits as lists of elements, and the Modelica text of them.

    circuit = Network("Halfwave", 0.2)
    circuit.sine("U", "a", "0", 10, 50)
    circuit.inductor("L", "a", "b", 0.01, 0.0)
    circuit.diode("D", "b", "c")
    circuit.modelica()      # the model, with the names of the Modelica Standard Library
    solve(circuit)          # its exact solution: see `exact_networks`

Node "0" is ground. Switches are closed in the given intervals, thyristors get their gate signal there.
Intervals are written as exact numbers (`Fraction` or text), so that both sides mean the same instant.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

IDEAL = "Modelica.Electrical.Analog.Ideal"
BASIC = "Modelica.Electrical.Analog.Basic"
SOURCES = "Modelica.Electrical.Analog.Sources"
STATES = {"inductor": "i", "capacitor": "v"}
GATED = ("switch", "thyristor", "gto")
VALVES = ("diode", *GATED)


@dataclass(frozen=True)
class Pulse:
    """True from `begin + k*period` for `width`, k = 0, 1, ...; or in listed intervals."""

    begin: Fraction = Fraction(0)
    period: Fraction = Fraction(1)
    width: Fraction = Fraction(0)
    table: tuple[Fraction, ...] = ()  # instants of change; false before the first
    at_start: bool = False  # of a table

    def changes(self, stop: Fraction) -> list[tuple[Fraction, bool]]:
        if not self.width:
            return [(t, (k % 2 == 0) != self.at_start) for k, t in enumerate(self.table)]
        found: list[tuple[Fraction, bool]] = []
        begin = self.begin
        while begin <= stop:
            found += [(begin, True), (begin + self.width, False)]
            begin += self.period
        return found


def pulse(period: str, width: str, begin: str = "0") -> Pulse:
    return Pulse(Fraction(begin), Fraction(period), Fraction(width))


def table(*instants: str, at_start: bool = False) -> Pulse:
    return Pulse(table=tuple(map(Fraction, instants)), at_start=at_start)


@dataclass(frozen=True)
class Part:
    kind: str
    name: str
    pins: tuple[str, ...]
    value: float = 0.0
    start: float | None = None  # of its state, or the phase of a sine
    frequency: float = 0.0
    gate: Pulse | None = None


@dataclass
class Network:
    name: str
    stop: float
    interval: float = 0.0
    parts: list[Part] = field(default_factory=list)

    def add(
        self,
        kind: str,
        name: str,
        *pins: str,
        value: float = 0.0,
        start: float | None = None,
        frequency: float = 0.0,
        gate: Pulse | None = None,
    ) -> None:
        assert all(part.name != name for part in self.parts), name
        self.parts.append(Part(kind, name, pins, value, start, frequency, gate))

    def resistor(self, name: str, p: str, n: str, ohm: float) -> None:
        self.add("resistor", name, p, n, value=ohm)

    def inductor(self, name: str, p: str, n: str, henry: float, i: float | None = 0.0) -> None:
        """Without a start value its current follows from others, as the third of a star."""
        self.add("inductor", name, p, n, value=henry, start=i)

    def capacitor(self, name: str, p: str, n: str, farad: float, v: float = 0.0) -> None:
        self.add("capacitor", name, p, n, value=farad, start=v)

    def constant(self, name: str, p: str, n: str, volt: float) -> None:
        self.add("constant", name, p, n, value=volt)

    def current(self, name: str, p: str, n: str, ampere: float) -> None:
        self.add("current", name, p, n, value=ampere)

    def sine(
        self, name: str, p: str, n: str, volt: float, hertz: float, phase: float = 0.0
    ) -> None:
        self.add("sine", name, p, n, value=volt, frequency=hertz, start=phase)

    def diode(self, name: str, p: str, n: str, knee: float = 0.0) -> None:
        self.add("diode", name, p, n, value=knee)

    def switch(self, name: str, p: str, n: str, closed: Pulse) -> None:
        self.add("switch", name, p, n, gate=closed)

    def thyristor(self, name: str, p: str, n: str, fire: Pulse) -> None:
        self.add("thyristor", name, p, n, gate=fire)

    def gto(self, name: str, p: str, n: str, fire: Pulse) -> None:
        self.add("gto", name, p, n, gate=fire)

    def transformer(self, name: str, p1: str, n1: str, p2: str, n2: str, ratio: float) -> None:
        self.add("transformer", name, p1, n1, p2, n2, value=ratio)

    def valves(self) -> list[Part]:
        return [part for part in self.parts if part.kind in VALVES]

    def nodes(self) -> list[str]:
        """Without ground, in the order met."""
        found = dict.fromkeys(pin for part in self.parts for pin in part.pins)
        found.pop("0", None)
        return list(found)

    def modelica(self, leak: float = 0.0, tolerance: float = 1e-6) -> str:
        lines = [f"model {self.name}"]
        for part in self.parts:
            lines += [f"  {line}" for line in _declared(part, leak)]
        lines += [f"  {BASIC}.Ground ground;", "equation"]
        lines += [f"  {line}" for line in self._connections()]
        interval = self.interval or self.stop / 1000
        lines += [
            f"  annotation(experiment(StopTime={self.stop!r}, Interval={interval!r},"
            f" Tolerance={tolerance!r}));",
            f"end {self.name};",
        ]
        return "\n".join(lines) + "\n"

    def _connections(self) -> list[str]:
        first: dict[str, str] = {"0": "ground.p"}
        lines = []
        for part in self.parts:
            for pin, node in zip(_pins(part), part.pins, strict=True):
                here = f"{part.name}.{pin}"
                if node in first:
                    lines.append(f"connect({first[node]}, {here});")
                else:
                    first[node] = here
            if part.gate is not None:
                port = "control" if part.kind == "switch" else "fire"
                lines.append(f"connect({part.name}_gate.y, {part.name}.{port});")
        return lines


def _pins(part: Part) -> tuple[str, ...]:
    return ("p1", "n1", "p2", "n2") if part.kind == "transformer" else ("p", "n")


def _declared(part: Part, leak: float) -> list[str]:
    value, start = repr(part.value), repr(part.start)
    fixed = "" if part.start is None else f", {{}}(start={start}, fixed=true)"
    leaks = f"Ron={leak!r}, Goff={leak!r}"
    made = {
        "resistor": f"{BASIC}.Resistor {part.name}(R={value});",
        "inductor": f"{BASIC}.Inductor {part.name}(L={value}{fixed.format('i')});",
        "capacitor": f"{BASIC}.Capacitor {part.name}(C={value}{fixed.format('v')});",
        "constant": f"{SOURCES}.ConstantVoltage {part.name}(V={value});",
        "current": f"{SOURCES}.ConstantCurrent {part.name}(I={value});",
        "sine": f"{SOURCES}.SineVoltage {part.name}"
        f"(V={value}, f={part.frequency!r}, phase={start});",
        "diode": f"{IDEAL}.IdealDiode {part.name}({leaks}, Vknee={value});",
        "switch": f"{IDEAL}.IdealClosingSwitch {part.name}({leaks});",
        "thyristor": f"{IDEAL}.IdealThyristor {part.name}({leaks}, Vknee=0);",
        "gto": f"{IDEAL}.IdealGTOThyristor {part.name}({leaks}, Vknee=0);",
        "transformer": f"{IDEAL}.IdealTransformer {part.name}"
        f"(n={value}, considerMagnetization=false, Lm1=1);",
    }[part.kind]
    return [made] if part.gate is None else [made, _gate(part.name, part.gate)]


def _gate(name: str, gate: Pulse) -> str:
    blocks = "Modelica.Blocks.Sources"
    if gate.width:
        return (
            f"{blocks}.BooleanPulse {name}_gate(width={float(100 * gate.width / gate.period)!r}, "
            f"period={float(gate.period)!r}, startTime={float(gate.begin)!r});"
        )
    instants = ", ".join(repr(float(t)) for t in gate.table)
    at_start = str(gate.at_start).lower()
    return f"{blocks}.BooleanTable {name}_gate(table={{{instants}}}, startValue={at_start});"
