"""Random circuits and drive trains whose switches are written in three forms.

    net = random_net(17)
    net.text("number")      # 0 = sw*i + (1 - sw)*v, and other ways to write it with numbers
    net.text("if")          # 0 = if open then i else v, and so on
    net.text("library")     # the ideal elements of Modelica.Electrical.Analog.Ideal

The same seed gives the same net for ever. A drive train has inertias for nodes, and in the library's
form it is the circuit of the mobility analogy: speeds are voltages, torques are currents.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from random_circuits import CLASSES, Element, control, random_circuit

FORMS = ("number", "if", "library")
IDEAL = "Modelica.Electrical.Analog.Ideal"

# What each kind says, as a condition `off` or positions; `{c}` is a condition from outside.
# (declarations, equations) of the same law, in pairs: with numbers, with if.
Law = tuple[str, str]
DIODES: tuple[tuple[Law, Law], ...] = (
    (
        ("Integer mo = if s < 0 then 1 else 0;", "v = mo*s; i = (1 - mo)*s;"),
        ("Boolean open = s < 0;", "v = if open then s else 0; i = if open then 0 else s;"),
    ),
    (
        ("Real mo = if s < 0 then 1 else 0;", "v = s*mo; i = s - s*mo;"),
        ("Boolean open = s < 0;", "if open then v = s; i = 0; else v = 0; i = s; end if;"),
    ),
    (
        (
            "Boolean open = s < 0; Real a, b;",
            "a = if open then 1 else 0; a + b = 1; v = a*s; i = b*s;",
        ),
        ("Boolean open = s < 0;", "v = s*(if open then 1 else 0); i = s*(if open then 0 else 1);"),
    ),
    (
        (
            "Modelica.Blocks.Math.BooleanToReal on; Real m = on.y;",
            "on.u = s > 0; v = (1 - m)*s; i = m*s;",
        ),
        ("Boolean on = s > 0;", "v = if on then 0 else s; i = if on then s else 0;"),
    ),
    (
        (
            "Position m = if s < 0 then Position.open else Position.closed;",
            "v = (2 - Integer(m))*s; i = (Integer(m) - 1)*s;",
        ),
        (
            "Position m = if s < 0 then Position.open else Position.closed;",
            "v = if m == Position.open then s else 0; i = if m == Position.closed then s else 0;",
        ),
    ),
)
SIGNS = "v <= 0 and not i > 0"
SIGN_DRIVEN: tuple[tuple[Law, Law], ...] = (
    (
        (f"Integer mo(start = 1) = if {SIGNS} then 1 else 0;", "s = 0; 0 = mo*i + (1 - mo)*v;"),
        (f"Boolean open(start = true) = {SIGNS};", "s = 0; 0 = if open then i else v;"),
    ),
    (
        (f"Real mo = if {SIGNS} then 1 else 0;", "s = 0; 0 = mo*i + (1 - mo)*v;"),
        (
            f"Boolean open(start = true) = {SIGNS};",
            "s = 0; if open then i = 0; else v = 0; end if;",
        ),
    ),
)
SWITCHES: tuple[tuple[Law, Law], ...] = (
    (
        ("Integer sw = if {c} then 0 else 1;", "s = 0; 0 = sw*i + (1 - sw)*v;"),
        ("Boolean open = not ({c});", "s = 0; 0 = if open then i else v;"),
    ),
    (
        ("Real sw = if {c} then 1 else 0;", "v = (1 - sw)*s; i = sw*s;"),
        ("Boolean closed = {c};", "v = if closed then 0 else s; i = if closed then s else 0;"),
    ),
    (
        (
            "Boolean c = {c}; Integer sw;",
            "s = 0; 0 = 2*sw*i - 3*(sw - 1)*v; when {{initial(), c, not c}} then"
            " sw = if c then 0 else 1; end when;",
        ),
        (
            "Boolean c = {c}; Boolean open;",
            "s = 0; 0 = if open then i else v; when {{initial(), c, not c}} then"
            " open = not c; end when;",
        ),
    ),
)
THYRISTORS: tuple[tuple[Law, Law], ...] = (
    (
        (
            "Integer off(start = 1); Boolean fire = {c};",
            "v = off*s; i = (1 - off)*s;"
            " off = if s < 0 or pre(off) == 1 and not fire then 1 else 0;",
        ),
        (
            "Boolean off(start = true); Boolean fire = {c};",
            "v = if off then s else 0; i = if off then 0 else s;"
            " off = s < 0 or pre(off) and not fire;",
        ),
    ),
    (
        (
            "discrete Real on(start = 0); Boolean fire = {c};",
            "v = (1 - on)*s; i = on*s; on = if s < 0 or pre(on) < 0.5 and not fire then 0 else 1;",
        ),
        (
            "Boolean off(start = true); Boolean fire = {c};",
            "v = s*(if off then 1 else 0); i = s*(if off then 0 else 1);"
            " off = s < 0 or pre(off) and not fire;",
        ),
    ),
)
SELECTORS: tuple[tuple[Law, Law], ...] = (
    (
        (
            "Integer m = if not ({c}) then 0 elseif {d} then 1 else 2;",
            "s = 0; 0 = (m - 1)*(m - 2)/2*i + m*(2 - m)*v + m*(m - 1)/2*(v - {r}*i);",
        ),
        (
            "Integer m = if not ({c}) then 0 elseif {d} then 1 else 2;",
            "s = 0; 0 = if m == 0 then i elseif m == 1 then v else v - {r}*i;",
        ),
    ),
    (
        (
            "Integer a = if {c} then 1 else 0, b = if {d} then 1 else 0;",
            "s = 0; 0 = (1 - a)*i + a*(v - (1 - b)*{r}*i);",
        ),
        (
            "Boolean a = {c}, b = {d};",
            "s = 0; 0 = if not a then i elseif b then v else v - {r}*i;",
        ),
    ),
)
LAWS = {"D": DIODES, "N": SIGN_DRIVEN, "S": SWITCHES, "T": THYRISTORS, "M": SELECTORS}
KINDS = {"D": "DDDTN", "S": "SSM"}  # what may stand in the place of a diode, a switch
ONE_PORT = "extends Modelica.Electrical.Analog.Interfaces.OnePort; Real s;"
FLANGES = (
    "extends Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlanges; Real v, i, s;",
    "v = der(flange_a.phi) - der(flange_b.phi); flange_a.tau = i; flange_b.tau = -i;",
)
ROTATIONAL = "Modelica.Mechanics.Rotational"


@dataclass(frozen=True)
class Valve:
    """A diode D, one that signs drive N, a switch S, a thyristor T, or a selector M: open, closed, or
    closed through a resistance."""

    element: Element
    kind: str
    law: int
    resistance: float

    @property
    def name(self) -> str:
        return self.element.name

    def conditions(self) -> tuple[str, str]:
        """From outside: to be closed or fired; to be closed without the resistance."""
        other = Element("S", "", (0, 0), self.element.value / 2 or 150.0, 1.0)
        mine = self.element if self.element.value else other
        return control(mine), control(other)

    def written(self, form: str, is_mechanical: bool) -> str:
        """Its own class."""
        declared, equations = LAWS[self.kind][self.law][FORMS.index(form)]
        c, d = self.conditions()
        declared, equations = (
            part.format(c=c, d=d, r=f"{self.resistance:.4g}") for part in (declared, equations)
        )
        head, more = FLANGES if is_mechanical else (ONE_PORT, "")
        return (
            f"  model {self.name}_ {head} {declared} equation {more} {equations} end {self.name}_;"
        )

    def parts(self) -> dict[str, str]:
        """Of the library, by name: what is between p and n. A selector is two switches."""
        c, d = self.conditions()
        ideal = "Ron = 0, Goff = 0"
        if self.kind == "M":
            return {
                self.name: f"{IDEAL}.IdealClosingSwitch {self.name}({ideal}, control = ({c}) and {d});",
                f"{self.name}b": f"{IDEAL}.IdealClosingSwitch {self.name}b"
                f"({ideal}, control = ({c}) and not ({d}));",
                f"{self.name}r": f"{CLASSES['R']} {self.name}r(R = {self.resistance:.4g});",
            }
        told = {
            "D": "IdealDiode",
            "N": "IdealDiode",
            "S": "IdealClosingSwitch",
            "T": "IdealThyristor",
        }[self.kind]
        knee = ", Vknee = 0"
        more = {"D": knee, "N": knee, "S": f", control = {c}", "T": f"{knee}, fire = {c}"}
        return {self.name: f"{IDEAL}.{told} {self.name}({ideal}{more[self.kind]});"}


@dataclass(frozen=True)
class Net:
    """Elements between nodes; node 0 is the ground. All that is not a valve is given by its class."""

    name: str
    valves: tuple[Valve, ...]
    passive: tuple[Element, ...]
    node_count: int
    is_mechanical: bool
    stop: float = 0.02

    def states(self, form: str) -> list[str]:
        """Storages that can be compared, the same in each form."""
        is_drive = self.is_mechanical and form != "library"
        names = {"C": "w", "L": "flange_a.tau"} if is_drive else {"C": "v", "L": "i"}
        return [f"{e.name}.{names[e.kind]}" for e in self.passive if e.kind in names]

    def text(self, form: str) -> str:
        is_drive = self.is_mechanical and form != "library"
        lines = [f"model {self.name}", "  type Position = enumeration(open, closed);"]
        pins: list[list[str]] = [[] for _ in range(self.node_count)]
        grounded = f"{ROTATIONAL}.Components.Fixed" if is_drive else f"{CLASSES['R'][:-8]}Ground"
        lines.append(f"  {grounded} ground;")
        pins[0].append("ground.flange" if is_drive else "ground.p")
        for element in self.passive:
            lines.append(f"  {_mechanical(element) if is_drive else _electrical(element)}")
            _join(pins, element.nodes, _pins(element, is_drive))
        more: list[str] = []
        for valve in self.valves:
            ends = _valve_ends(valve, form, is_drive)
            if form == "library":
                lines += [f"  {part}" for part in valve.parts().values()]
            else:
                lines += [valve.written(form, is_drive), f"  {valve.name}_ {valve.name};"]
            if form == "library" and valve.kind == "M":
                more.append(f"  connect({valve.name}b.n, {valve.name}r.p);")
            for pair in ends:
                _join(pins, valve.element.nodes, pair)
        lines += ["equation", *more]
        for members in pins:
            lines += [f"  connect({members[0]}, {pin});" for pin in members[1:]]
        lines.append(f"  annotation(experiment(StopTime = {self.stop}, Tolerance = 1e-6));")
        return "\n".join([*lines, f"end {self.name};", ""])


def _join(pins: list[list[str]], nodes: tuple[int, int], ends: tuple[str, str]) -> None:
    for node, end in zip(nodes, ends, strict=True):
        if end:
            pins[node].append(end)


def _valve_ends(valve: Valve, form: str, is_drive: bool) -> list[tuple[str, str]]:
    name = valve.name
    if is_drive:
        return [(f"{name}.flange_a", f"{name}.flange_b")]
    if form == "library" and valve.kind == "M":
        return [(f"{name}.p", f"{name}.n"), (f"{name}b.p", f"{name}r.n")]
    return [(f"{name}.p", f"{name}.n")]


def _pins(element: Element, is_drive: bool) -> tuple[str, str]:
    name = element.name
    if not is_drive:
        return f"{name}.p", f"{name}.n"
    if element.kind in "CI":  # an inertia turns against the ground, a torque acts from it
        return (f"{name}.flange_a", "") if element.kind == "C" else ("", f"{name}.flange")
    return f"{name}.flange_a", f"{name}.flange_b"


def _electrical(element: Element) -> str:
    value, start = f"{element.value:.6g}", f"{element.start or 0.0:.6g}"
    is_free = element.start is not None
    said = {
        "R": f"R = {value}",
        "L": f"L = {value}" + (f", i(start = {start})" if is_free else ""),
        "C": f"C = {value}" + (f", v(start = {start})" if is_free else ""),
        "V": f"V = {value}, f = 50, phase = {start}",
        "I": f"I = {value}, f = 50, phase = {start}",
    }[element.kind]
    return f"{CLASSES[element.kind]} {element.name}({said});"


def _mechanical(element: Element) -> str:
    value, start, name = element.value, f"{element.start or 0.0:.6g}", element.name
    parts = f"{ROTATIONAL}.Components"
    return {
        "R": f"{parts}.Damper {name}(d = 1/{value:.6g}, stateSelect = StateSelect.default);",
        "L": f"{parts}.Spring {name}(c = 1/{value:.6g});",
        "C": f"{parts}.Inertia {name}(J = {value:.6g}, w(start = {start}),"
        " phi(start = 0, fixed = true));",
        "I": f"{ROTATIONAL}.Sources.Torque {name}"
        f"(tau = {value:.6g}*sin(100*3.141592653589793*time + ({start})));",
    }[element.kind]


def random_net(seed: int) -> Net:
    """Drive trains, circuits with sources and circuits left alone in turn."""
    random = Random(f"three forms {seed}")
    if seed % 3 == 0:
        return _drive_train(random, seed)
    circuit = random_circuit(seed, with_sources=seed % 3 == 1, most_nodes=7)
    while not circuit.of("D") and not circuit.of("S"):
        circuit = random_circuit(random.randrange(10**6), with_sources=seed % 3 == 1, most_nodes=7)
    valves = _without_latched_loops([_valve(random, e) for e in circuit.elements if e.kind in "DS"])
    passive = tuple(e for e in circuit.elements if e.kind not in ("D", "S"))
    return Net(f"Net{seed}", valves, passive, circuit.node_count, is_mechanical=False)


def _without_latched_loops(valves: list[Valve]) -> tuple[Valve, ...]:
    """Diodes in the place of thyristors that would close a loop of valves: closed, such a loop carries any
    current, and which of its thyristors go out could be anything."""
    part: dict[int, int] = {}
    kept: list[Valve] = []
    for valve in sorted(valves, key=lambda valve: valve.kind == "T"):
        one, other = (part.setdefault(node, node) for node in valve.element.nodes)
        if one == other and valve.kind == "T":
            valve = replace(valve, kind="D")
        part = {node: one if p == other else p for node, p in part.items()}
        kept.append(valve)
    return tuple(kept)


def _valve(random: Random, element: Element) -> Valve:
    kind = random.choice(KINDS[element.kind])
    law = random.randrange(len(LAWS[kind]))
    if kind == "T":
        element = Element(
            "S", element.name, element.nodes, round(random.uniform(200, 1500), 1), 1.0
        )
    return Valve(element, kind, law, round(random.uniform(1, 50), 2))


def _drive_train(random: Random, seed: int) -> Net:
    """Shafts with an inertia each, on a tree of springs, dampers and clutches."""
    count = random.randint(2, 5)
    passive: list[Element] = []
    valves: list[Valve] = []
    for node in range(1, count + 1):
        inertia = round(random.uniform(1e-4, 1e-2), 6)
        speed = round(random.uniform(-5, 5), 3)
        passive.append(Element("C", f"J{node}", (node, 0), inertia, speed))
    pairs = [(k, random.randrange(k)) for k in range(1, count + 1)]
    pairs += [tuple(random.sample(range(count + 1), 2)) for _ in range(random.randint(1, 3))]
    for number, pair in enumerate(pairs):
        kind = random.choice("RRLDDSS")
        value = {"R": random.uniform(1, 100), "L": random.uniform(1e-3, 1e-1)}.get(kind, 0.0)
        if kind == "S":
            value = random.uniform(200, 1500)
        element = Element(kind, f"{kind}{number}", pair, float(f"{value:.4g}"), 0.0)
        if kind in "DS":
            valves.append(_valve(random, element))
        else:
            passive.append(element)
    if not valves:
        valves.append(_valve(random, Element("D", "D99", (1, 0), 0.0)))
    for node in random.sample(range(1, count + 1), random.randint(1, 2)):
        size, phase = round(random.uniform(0.1, 2), 3), round(random.uniform(-3, 3), 3)
        passive.append(Element("I", f"T{node}", (0, node), size, phase))
    latched = _without_latched_loops(valves)
    return Net(f"Net{seed}", latched, tuple(passive), count + 1, is_mechanical=True)
