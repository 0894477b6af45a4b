"""(g) DEVS: transitions per second on DEVStone against xdevs.py, and of compiled bond graphs.

python benchmarks/bench_devs.py [PYTHON]

PYTHON is an interpreter that has xdevs; its own DEVStone models are taken. Models are built and
started before the clock runs.
"""

import json
import subprocess
import sys
from pathlib import Path
from time import process_time

from measure import Peers, Section

from freewheel.devs import start
from freewheel.devs.devstone import devstone, expected_transitions, kick
from freewheel.devs.qbg.compiled import simulate_compiled
from freewheel.devs.qbg.generate import Quanta, generate
from freewheel.devs.qbg.graph_nodes import Bond, CausalGraph, Element, Junction
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signals import Signal
from freewheel.devs.quiet import model_out_of_sight

CASES = (("LI", 200, 200), ("HI", 100, 40), ("HO", 100, 40), ("HOmod", 16, 8))
TIMES = 2.0  # goal: this much faster than the peer
RATE = 0.5e6  # goal for interpreted models, transitions a second
COMPILED_RATE = 3.5e6
REPEATS = 3

PEER = """
import json, sys, time
sys.setrecursionlimit(100000)
from xdevs.examples.devstone.devstone import DEVStone
from xdevs.sim import Coordinator
kind, width, depth, repeats = sys.argv[1], *map(int, sys.argv[2:])
times = []
for _ in range(repeats):
    coordinator = Coordinator(DEVStone("root", kind, width, depth, 0, 0))
    coordinator.initialize()
    began = time.process_time()
    coordinator.simulate()
    times.append(time.process_time() - began)
print(json.dumps(min(times)))
"""


def run(peers: Peers) -> Section:
    section = Section(
        "(g) DEVS", ["model", "transitions", "Freewheel", "xdevs.py", "ratio", "goals"]
    )
    for kind, width, depth in CASES:
        count = expected_transitions(kind, width, depth)
        ours = count / _ours(kind, width, depth, count)
        peer = _peer(peers, kind, width, depth)
        told = _verdict(ours, count / peer if peer else None)
        ratio = f"{ours * peer / count:.1f}" if peer else "-"
        theirs = _rate(count / peer) if peer else "not there"
        row = (f"{kind} {width} x {depth}", str(count), _rate(ours), theirs, ratio, told)
        section.rows.append(row)
    for folded in (False, True):
        count, rate = _compiled(folded)
        name = "RC ladder, folded" if folded else "RC ladder, compiled"
        told = f">= {_rate(COMPILED_RATE)} {'reached' if rate >= COMPILED_RATE else 'missed'}"
        section.rows.append((name, str(count), _rate(rate), "-", "-", told))
    section.notes.append("Transitions, internal and external, per CPU second; best of three.")
    return section


def _rate(value: float) -> str:
    return f"{value / 1e6:.2f} M/s"


def _verdict(ours: float, peer: float | None) -> str:
    is_fast = ours >= RATE and (peer is None or ours >= TIMES * peer)
    return f">= {TIMES:g} times, >= {_rate(RATE)} {'reached' if is_fast else 'missed'}"


def _ours(kind: str, width: int, depth: int, count: int) -> float:
    model = devstone(kind, width, depth)
    times = []
    for _ in range(REPEATS):
        ready = start(model, events=kick(model))
        with model_out_of_sight():
            began = process_time()
            ready.run(0.0)
            times.append(process_time() - began)
        assert ready.internal + ready.external == count
    return min(times)


def _peer(peers: Peers, kind: str, width: int, depth: int) -> float | None:
    if peers.python is None:
        return None
    words = [str(peers.python), "-c", PEER, kind, str(width), str(depth), str(REPEATS)]
    done = subprocess.run(words, capture_output=True, text=True)
    return float(json.loads(done.stdout)) if done.returncode == 0 else None


def ladder(stages: int) -> CausalGraph:
    """A voltage source behind a chain of resistors and capacitors to ground."""
    signal = Signal.make("Pulse", amplitude=10.0, period=2.0)
    elements = [Element("V", "Se", signal=signal)]
    junctions: list[Junction] = []
    bonds: list[Bond] = []
    before = "V"
    for n in range(stages):
        elements += [Element(f"R{n}", "R", 1.0 + 0.1 * n), Element(f"C{n}", "C", 0.1)]
        junctions += [Junction(f"s{n}", 1), Junction(f"p{n}", 0)]
        bonds += [
            Bond(before, f"s{n}", "head"),
            Bond(f"s{n}", f"R{n}", "head"),
            Bond(f"s{n}", f"p{n}", "tail"),
            Bond(f"p{n}", f"C{n}", "tail"),
        ]
        before = f"p{n}"
    return CausalGraph(tuple(elements), tuple(junctions), tuple(bonds))


def _compiled(folded: bool) -> tuple[int, float]:
    """Transitions, and transitions a second."""
    model = generate(ladder(50), Quanta(Quantizer(1e-3, 1e-3)))
    simulate_compiled(model, 0.01, folded=folded)
    rates = []
    for _ in range(REPEATS):
        began = process_time()
        steps = simulate_compiled(model, 10.0, folded=folded)
        rates.append(steps.transitions / (process_time() - began))
    return steps.transitions, max(rates)


if __name__ == "__main__":
    print(run(Peers(python=Path(sys.argv[1]) if len(sys.argv) > 1 else None)).markdown())
