"""Circuits of document 001 as causal bond graphs, and their exact solutions.

Between jumps of a source the circuits are linear with constant input: matrix exponentials solve
them. The circuits of Figs. 28 and 29 are shown as pictures only; those here are our own choice.
"""

import random

import numpy as np
from scipy.linalg import expm

from freewheel.devs.qbg.graph_nodes import Bond, CausalGraph, Element, Junction
from freewheel.devs.qbg.signals import Signal

FIG_8 = CausalGraph(
    elements=(
        Element("V", "Se", signal=Signal.make("Pulse", amplitude=200, width=10, period=1)),
        Element("C", "C", 200.0),
        Element("R", "R", 1.5),
        Element("L", "I", 40.0),
    ),
    junctions=(Junction("$SJ1", 1), Junction("$PJ1", 0)),
    bonds=(
        Bond("V", "$SJ1", stroke="head"),
        Bond("$SJ1", "R", stroke="head"),
        Bond("$SJ1", "$PJ1", stroke="tail"),
        Bond("$PJ1", "C", stroke="tail"),
        Bond("$PJ1", "L", stroke="head"),
    ),
)

FIG_23 = CausalGraph(
    elements=(
        Element("V", "Se", signal=Signal.make("Sine", amplitude=15, frequency=50)),
        Element("R1", "R", 10.0),
    ),
    junctions=(Junction("$SJ1", 1),),
    bonds=(Bond("V", "$SJ1", stroke="head"), Bond("$SJ1", "R1", stroke="head")),
)

PULSE_10 = Signal.make("Pulse", amplitude=10, width=50, period=2)

FIG_26 = CausalGraph(
    elements=(
        Element("V", "Se", signal=PULSE_10),
        Element("R1", "R", 10.0),
        Element("C", "C", 15.0),
    ),
    junctions=(Junction("$SJ1", 1),),
    bonds=(
        Bond("V", "$SJ1", stroke="head"),
        Bond("$SJ1", "R1", stroke="head"),
        Bond("$SJ1", "C", stroke="tail"),
    ),
)

# Our choice: the inductance for which the voltage swings between -6 and 6 V in the end.
FIG_28 = CausalGraph(
    elements=(
        Element("V", "Se", signal=PULSE_10),
        Element("R1", "R", 10.0),
        Element("L", "I", 25.0),
    ),
    junctions=(Junction("$SJ1", 1),),
    bonds=(
        Bond("V", "$SJ1", stroke="head"),
        Bond("$SJ1", "R1", stroke="tail"),
        Bond("$SJ1", "L", stroke="head"),
    ),
)

# Our choice: a ladder of two inductors and two capacitors that swings for a while.
FIG_29 = CausalGraph(
    elements=(
        Element("V", "Se", signal=Signal.make("Step", height=20.0)),
        Element("L1", "I", 1.0),
        Element("C1", "C", 0.5),
        Element("L2", "I", 2.0),
        Element("C2", "C", 0.25),
        Element("R1", "R", 8.0),
    ),
    junctions=(Junction("s1", 1), Junction("p1", 0), Junction("s2", 1), Junction("p2", 0)),
    bonds=(
        Bond("V", "s1", stroke="head"),
        Bond("s1", "L1", stroke="head"),
        Bond("s1", "p1", stroke="tail"),
        Bond("p1", "C1", stroke="tail"),
        Bond("p1", "s2", stroke="head"),
        Bond("s2", "L2", stroke="head"),
        Bond("s2", "p2", stroke="tail"),
        Bond("p2", "C2", stroke="tail"),
        Bond("p2", "R1", stroke="head"),
    ),
)
FIG_29_A = np.array(
    [[0, -1.0, 0, 0], [2.0, 0, -2.0, 0], [0, 0.5, 0, -0.5], [0, 0, 4.0, -0.5]]
)  # L1, C1, L2, C2
FIG_29_B = np.array([1.0, 0, 0, 0])
FIG_8_A = np.array([[-1 / (1.5 * 200), -1 / 200], [1 / 40, 0]])  # C, L
FIG_8_B = np.array([1 / (1.5 * 200), 0])


def exact(A, b, signal, times, start=None):
    """x(t) of x' = A x + b u at ascending times, u jumping where the signal does."""
    size = len(A)
    x, t, found = np.zeros(size) if start is None else np.asarray(start), 0.0, []
    for end in times:
        while t < end:
            stop = min(end, _next_jump(signal, t))
            x = _step(A, b, signal.at(t), stop - t, x)
            t = stop
        found.append(x)
    return np.array(found)


def _next_jump(signal, t):
    values = dict(signal.parameters)
    if signal.name != "Pulse":
        return np.inf
    period, on = values["period"], values["width"] / 100 * values["period"]
    jumps = [n * period + part for n in (t // period, t // period + 1) for part in (0.0, on)]
    return min(jump for jump in jumps if jump > t)


def _step(A, b, u, h, x):
    size = len(A)
    M = np.zeros((size + 1, size + 1))
    M[:size, :size], M[:size, size] = A, b * u
    return (expm(M * h) @ np.append(x, 1.0))[:size]


def difference(steps, names, times, solution):
    """Largest distance of quantized values from the exact solution at the times."""
    found = np.array([[steps.at(name, t) for name in names] for t in times])
    return np.abs(found - solution).max(axis=0)


SIGNALS = (
    Signal.make("Pulse", amplitude=3.0, period=0.7),
    Signal.make("Sine", amplitude=2.0, frequency=0.9, phase=0.3),
    Signal.make("Ramp", height=2.0, duration=1.3),
    Signal.make("ExpSine", amplitude=3.0, frequency=0.7, damping=0.4),
    Signal.make("Exponential", outmax=2.0, riseTime=1.0, riseTimeConst=0.5, fallTimeConst=0.7),
    Signal.make("Step", height=2.0, starttime=0.4),
    Signal.make("Constant", k=1.7),
)


def random_ladder(seed):
    """A source and stages: in the series branch R or R and L, in the shunt branch C, and at times
    a transformer or two gyrators between stages."""
    chance = random.Random(seed)
    elements = [Element("V", "Se", signal=chance.choice(SIGNALS))]
    junctions, bonds, before, port = [], [], "V", 1
    for n in range(chance.randint(1, 5)):
        elements += [
            Element(f"R{n}", "R", chance.uniform(0.5, 3.0)),
            Element(f"C{n}", "C", chance.uniform(0.1, 1.0), chance.uniform(-1.0, 1.0)),
        ]
        junctions += [Junction(f"s{n}", 1), Junction(f"p{n}", 0)]
        with_coil = chance.random() < 0.5
        bonds += [
            Bond(before, f"s{n}", "head", tail_port=port),
            Bond(f"s{n}", f"R{n}", "tail" if with_coil else "head"),
            Bond(f"s{n}", f"p{n}", "tail"),
            Bond(f"C{n}", f"p{n}", "head")
            if chance.random() < 0.3
            else Bond(f"p{n}", f"C{n}", "tail"),
        ]
        if with_coil:
            elements.append(Element(f"L{n}", "I", chance.uniform(0.1, 1.0)))
            bonds.append(Bond(f"s{n}", f"L{n}", "head"))
        before, port = f"p{n}", 1
        if chance.random() < 0.4:
            elements.append(Element(f"T{n}", "TF", chance.uniform(0.5, 2.0)))
            bonds.append(Bond(before, f"T{n}", "head"))
            before, port = f"T{n}", 2
    last = max(n for n in range(9) if Junction(f"p{n}", 0) in junctions)
    if before.startswith("T"):
        elements.append(Element("load", "R", 2.0))
        bonds.append(Bond(before, "load", "head", tail_port=2))
    assert last >= 0
    return CausalGraph(tuple(elements), tuple(junctions), tuple(bonds))
