"""Random models of four domains over all sources and elements, quantized and held against a run."""

import random

import numpy as np

from freewheel.api import load
from freewheel.base.names import show
from freewheel.bondgraph.nodes import STORAGES
from freewheel.bondgraph.stages import bond_graph
from freewheel.devs.qbg.compiled import simulate_compiled
from freewheel.devs.qbg.generate import Quanta
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.tools.devs_model import quantized

ANALOG = "Modelica.Electrical.Analog"


def number(dice, low=0.5, high=2.0):
    return f"{dice.uniform(low, high):.4g}"


def wave(dice, name):
    """Parameters of a wave form, all of them."""
    late = f"startTime={number(dice, 0.0, 0.5)}, offset={number(dice, -1, 1)}"
    return {
        "Step": lambda: late,
        "Ramp": lambda: f"duration={number(dice)}, {late}",
        "Sine": lambda: f"f={number(dice)}, phase={number(dice, -3, 3)}, {late}",
        "Cosine": lambda: f"f={number(dice)}, phase={number(dice, -3, 3)}, {late}",
        "ExpSine": lambda: (
            f"f={number(dice)}, phase={number(dice)}, damping={number(dice)}, {late}"
        ),
        "Exponentials": lambda: (
            f"riseTime={number(dice)}, riseTimeConst={number(dice, 0.2)},"
            f" fallTimeConst={number(dice, 0.2)}, {late}"
        ),
        "Pulse": lambda: f"width={number(dice, 20, 80)}, period={number(dice)}, {late}",
        "SawTooth": lambda: f"period={number(dice)}, {late}",
        "Trapezoid": lambda: (
            f"rising=0.1, width=0.3, falling=0.2, period={number(dice, 0.7)}, {late}"
        ),
    }[name]()


WAVES = (
    "Step",
    "Ramp",
    "Sine",
    "Cosine",
    "ExpSine",
    "Exponentials",
    "Pulse",
    "SawTooth",
    "Trapezoid",
)
FORMULAS = (
    "{0}*sin({1}*time)",
    "if time < 0.4 then {0} else -{0}*exp(-time)",
    "{0}*time*(1 - time)",
    "k*{0}",
)
BLOCKS = (
    "Modelica.Blocks.Sources.Sine {0}b(amplitude=1.5, f=0.8)",
    "Modelica.Blocks.Sources.TimeTable {0}b(table=[0, 0; 0.3, 1; 0.3, -0.5; 1, 2; 2, 0])",
    "Modelica.Blocks.Sources.Pulse {0}b(amplitude=2, period=0.6)",
    "Modelica.Blocks.Sources.KinematicPTP2 {0}b(q_end={{1}}, qd_max={{2}}, qdd_max={{3}})",
)


def electrical_source(dice, name, unit):
    """A declaration, and further lines; every parameter is used somewhere."""
    letter = unit[0] if unit == "Voltage" else "I"
    kind = dice.choice([*WAVES, "Constant", "Signal", "Table"])
    if kind == "Constant":
        return f"{ANALOG}.Sources.Constant{unit} {name}({letter}=k*{number(dice)});", ""
    if kind == "Signal":
        block = dice.choice(BLOCKS[:3]).format(name)
        port = "v" if unit == "Voltage" else "i"
        return (
            f"{ANALOG}.Sources.Signal{unit} {name}; {block};",
            f"connect({name}b.y, {name}.{port});",
        )
    if kind == "Table":
        return f"{ANALOG}.Sources.Table{unit} {name}(table=[0, 1; 0.5, -1; 1.5, 2]);", ""
    if kind in ("SawTooth", "Trapezoid", "Pulse") or dice.random() < 0.8:
        inner = (
            f"{letter}={number(dice)}, {wave(dice, kind)}"
            if kind != "Exponentials"
            else (f"{'vMax' if unit == 'Voltage' else 'iMax'}={number(dice)}, {wave(dice, kind)}")
        )
        return f"{ANALOG}.Sources.{kind}{unit} {name}({inner});", ""
    return electrical_source(dice, name, unit)


def ladder(seed, stages=None):
    """A source, then branches in series and to ground: R, L, C, sources, dividers, transformers,
    gyrators, coupled storages, with initial values."""
    dice = random.Random(seed)
    parts, wires = ["parameter Real k=2;", f"{ANALOG}.Basic.Ground g;"], []
    declared, more = electrical_source(dice, "V", "Voltage")
    parts.append(declared)
    wires += ["connect(V.n, g.p);", more]
    at = "V.p"
    for n in range(stages or dice.randint(1, 4)):
        alpha = dice.choice(["", ", alpha=0.01, T=320"])
        parts.append(f"{ANALOG}.Basic.Resistor R{n}(R={number(dice)}{alpha});")
        wires.append(f"connect({at}, R{n}.p);")
        at = f"R{n}.n"
        for what in dice.sample(["divider", "coil", "coils", "transformer", "gyrator"], k=1):
            if what == "divider":
                parts.append(
                    f"{ANALOG}.Basic.Conductor G{n}(G={number(dice)}); {ANALOG}.Basic.Resistor S{n}(R=1);"
                )
                wires.append(f"connect({at}, G{n}.p); connect(G{n}.n, g.p); connect({at}, S{n}.p);")
                at = f"S{n}.n"
            elif what == "coil":
                start = f"i(start={number(dice, -1, 1)}, fixed=true)"
                parts.append(f"{ANALOG}.Basic.Inductor L{n}(L={number(dice)}, {start});")
                wires.append(f"connect({at}, L{n}.p);")
                at = f"L{n}.n"
            elif what == "coils":
                start = f"i(start={number(dice, -1, 1)}, fixed=true)"
                parts.append(
                    f"{ANALOG}.Basic.Inductor L{n}(L={number(dice)}, {start}), M{n}(L={number(dice)});"
                )
                wires.append(f"connect({at}, L{n}.p); connect(L{n}.n, M{n}.p);")
                at = f"M{n}.n"
            else:
                kind = "IdealTransformer" if what == "transformer" else "IdealGyrator"
                given = f"n={number(dice)}" if what == "transformer" else f"G={number(dice)}"
                parts.append(
                    f"{ANALOG}.Ideal.{kind} T{n}({given}); {ANALOG}.Basic.Resistor S{n}(R=0.7);"
                )
                wires.append(
                    f"connect({at}, T{n}.p1); connect(T{n}.n1, g.p); connect(T{n}.n2, g.p);"
                )
                wires.append(f"connect(T{n}.p2, S{n}.p);")
                at = f"S{n}.n"
        start = f"v(start={number(dice, -1, 1)}, fixed=true)"
        parts.append(f"{ANALOG}.Basic.Capacitor C{n}(C={number(dice, 0.1, 1)}, {start});")
        wires.append(f"connect({at}, C{n}.p); connect(C{n}.n, g.p);")
        if dice.random() < 0.3:
            parts.append(f"{ANALOG}.Basic.Capacitor D{n}(C={number(dice, 0.1, 1)});")
            wires.append(f"connect({at}, D{n}.p); connect(D{n}.n, g.p);")
        if dice.random() < 0.4:
            declared, more = electrical_source(dice, f"J{n}", "Current")
            parts.append(declared)
            wires.append(f"connect(J{n}.n, {at}); connect(J{n}.p, g.p); {more}")
    return text(parts, wires)


def drawn(seed, stages=None):
    """A bond graph of the library BondGraph, with sources that follow formulas and blocks."""
    dice = random.Random(seed)
    parts, wires = ["parameter Real k=2;"], []

    def source(kind, name, port):
        variable = "effort" if kind == "Se" else "flowRate"
        what = dice.choice(["constant", "formula", "block", "modulated"])
        if what == "constant":
            parts.append(
                f"BondGraph.{kind} {name}({'e0' if kind == 'Se' else 'f0'}=k*{number(dice)});"
            )
        elif what == "formula":
            formula = dice.choice(FORMULAS).format(number(dice), number(dice, 2, 9))
            parts.append(f"BondGraph.{kind} {name}({variable}={formula});")
        elif what == "block":
            parts.append(
                f"BondGraph.{kind} {name}({variable}=1 + {name}b.y); {dice.choice(BLOCKS[:3]).format(name)};"
            )
        else:
            parts.append(f"BondGraph.m{kind} {name}; {dice.choice(BLOCKS[:3]).format(name)};")
            wires.append(f"connect({name}b.y, {name}.u);")
        wires.append(f"connect({name}.p, {port});")

    count = stages or dice.randint(1, 4)
    source("Se", "U", "s0.i[1]")
    for n in range(count):
        branch = [f"R{n}"]
        parts.append(f"BondGraph.R R{n}(R={number(dice)});")
        if dice.random() < 0.5:
            branch.append(f"L{n}")
            parts.append(f"BondGraph.I L{n}(I={number(dice)}, f(start={number(dice, -1, 1)}));")
        parts.append(
            f"BondGraph.C C{n}(C={number(dice, 0.1, 1)}, e(start={number(dice, -1, 1)}, fixed=true));"
        )
        loads, feeds = [f"C{n}"], 1
        if dice.random() < 0.5:
            loads.append(f"G{n}")
            parts.append(f"BondGraph.R G{n}(R={number(dice)});")
        if dice.random() < 0.4:
            feeds = 2
            source("Sf", f"J{n}", f"p{n}.i[2]")
        parts.append(f"BondGraph.Junction1 s{n}(ni=1, no={len(branch) + 1});")
        is_last = n == count - 1
        parts.append(f"BondGraph.Junction0 p{n}(ni={feeds}, no={len(loads) + (not is_last)});")
        wires += [f"connect(s{n}.o[{m}], {name}.p);" for m, name in enumerate(branch, 1)]
        wires.append(f"connect(s{n}.o[{len(branch) + 1}], p{n}.i[1]);")
        wires += [f"connect(p{n}.o[{m}], {name}.p);" for m, name in enumerate(loads, 1)]
        if not is_last:
            after = f"p{n}.o[{len(loads) + 1}]"
            if dice.random() < 0.5:
                kind, letter = dice.choice([("TF", "n"), ("GY", "r")])
                parts.append(f"BondGraph.{kind} T{n}({letter}={number(dice)});")
                wires.append(f"connect({after}, T{n}.i); connect(T{n}.o, s{n + 1}.i[1]);")
            else:
                wires.append(f"connect({after}, s{n + 1}.i[1]);")
    return text(parts, wires)


def drive_train(seed, stages=None):
    """Masses or inertias with springs and dampers between them, moved by forces and speeds."""
    dice = random.Random(seed)
    is_turning = dice.random() < 0.5
    package = f"Modelica.Mechanics.{'Rotational' if is_turning else 'Translational'}"
    body, letter, place, speed = (
        ("Inertia", "J", "phi", "w") if is_turning else ("Mass", "m", "s", "v")
    )
    force, name = ("Torque", "tau") if is_turning else ("Force", "f")
    count = stages or dice.randint(1, 4)
    parts, wires = [f"{package}.Components.Fixed wall;"], []
    before = "wall.flange"
    for n in range(count):
        relaxed = f"{place}_rel0={number(dice, -0.5, 0.5)}"
        parts.append(
            f"{package}.Components.SpringDamper k{n}(c={number(dice)}, d={number(dice)}, {relaxed});"
        )
        begins = f"(start={number(dice, -1, 1)}, fixed=true)"
        starts = f"{place}{begins}, {speed}{begins}"
        parts.append(f"{package}.Components.{body} m{n}({letter}={number(dice)}, {starts});")
        wires.append(f"connect({before}, k{n}.flange_a); connect(k{n}.flange_b, m{n}.flange_a);")
        before = f"m{n}.flange_b"
        if dice.random() < 0.3 and is_turning:
            parts.append(f"{package}.Components.IdealGear T{n}(ratio={number(dice)});")
            wires.append(f"connect({before}, T{n}.flange_a);")
            before = f"T{n}.flange_b"
    kind = dice.choice(["constant", "step", "signal"])
    if kind == "constant":
        parts.append(f"{package}.Sources.Constant{force} F({name}_constant={number(dice)});")
    elif kind == "step":
        given = f"step{force}={number(dice)}, offset{force}={number(dice)}, startTime={number(dice, 0, 1)}"
        parts.append(f"{package}.Sources.{force}Step F({given});")
    else:
        parts.append(f"{package}.Sources.{force} F; {dice.choice(BLOCKS[:3]).format('F')};")
        wires.append(f"connect(Fb.y, F.{name});")
    wires.append(f"connect(F.flange, {before});")
    return text(parts, wires)


def wall(seed, stages=None):
    """Heat through layers, from given temperatures and heat flows."""
    dice = random.Random(seed)
    heat = "Modelica.Thermal.HeatTransfer"
    parts, wires = [], []
    if dice.random() < 0.5:
        parts.append(f"{heat}.Sources.FixedTemperature V(T={number(dice, 290, 300)});")
    else:
        parts.append(
            f"{heat}.Sources.PrescribedTemperature V; Modelica.Blocks.Sources.Ramp Vb(height=5, offset=293);"
        )
        wires.append("connect(Vb.y, V.T);")
    before = "V.port"
    for n in range(stages or dice.randint(1, 4)):
        kind, letter = dice.choice([("ThermalConductor", "G"), ("ThermalResistor", "R")])
        parts.append(f"{heat}.Components.{kind} R{n}({letter}={number(dice)});")
        parts.append(
            f"{heat}.Components.HeatCapacitor C{n}(C={number(dice)},"
            f" T(start={number(dice, 290, 300)}, fixed=true));"
        )
        wires.append(f"connect({before}, R{n}.port_a); connect(R{n}.port_b, C{n}.port);")
        before = f"C{n}.port"
        if dice.random() < 0.4:
            parts.append(f"{heat}.Sources.FixedHeatFlow J{n}(Q_flow={number(dice)});")
            wires.append(f"connect(J{n}.port, {before});")
    return text(parts, wires)


def text(parts, wires):
    lines = ["model M", *parts, "equation", *wires, "end M;"]
    return "\n  ".join(line for line in lines if line)


KINDS = {"ladder": ladder, "drawn": drawn, "drive_train": drive_train, "wall": wall}


def compared(path, quantum, stop, order=1, model=None):
    """Largest distance of each storage from a run with a tight tolerance, in quanta, and the number
    of events."""
    loaded = load(path, model=model, backend="python")
    quanta = Quanta(Quantizer(quantum, quantum), order=order)
    made = quantized(loaded, stop, lambda names: quanta)
    steps = simulate_compiled(made, stop)
    run = load(path, model=model).simulate(stop=stop, tol=1e-9, interval=stop / 400)
    at = run.time
    single = np.r_[True, np.diff(at) > 0] & np.r_[np.diff(at) > 0, True] & (at > 0.0)
    found = {}
    for element in bond_graph(loaded).elements:
        name = element.name.replace(".", "_").replace("[", "_").replace("]", "")
        if element.kind in STORAGES and element.state and name in steps.names:
            exact = sum(factor * run[show(variable)] for variable, factor in element.state)
            error = np.abs(steps.at_all(name, at[single]) - exact[single])
            found[element.name] = float(error.max()) / quantum
    return found, len(steps.times)
