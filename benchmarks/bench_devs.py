"""(i) DEVS: transitions per second on DEVStone against xdevs.py and Cadmium, and of compiled bond graphs.

python benchmarks/bench_devs.py [--peer-python PYTHON] [--cadmium FOLDER] [--write]

PYTHON is an interpreter that has xdevs; its own DEVStone models are taken. FOLDER is a checkout of Cadmium
(version 2); its DEVStone models are compiled outside of both projects. Models are built and started before
the clock runs. `--write` puts the table into docs/benchmarks.md in place of the one that is there.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from time import process_time

from measure import ROOT, Peers, Section, machine

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


NATIVE = """
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include "devstone.hpp"
using cadmium::example::devstone::DEVStone;

int main(int argc, char **argv) {
    double best = 1e99;
    long count = 0;
    for (int turn = 0; turn < std::atoi(argv[5]); turn++) {
        auto model = std::make_shared<DEVStone>(argv[1], std::atoi(argv[2]), std::atoi(argv[3]), 0, 0);
        if (std::string(argv[4]) == "flat") model->flatten();
        cadmium::RootCoordinator root(model);
        root.start();
        std::clock_t began = std::clock();
        root.simulate(std::numeric_limits<double>::infinity());
        double seconds = double(std::clock() - began) / CLOCKS_PER_SEC;
        if (seconds < best) best = seconds;
        root.stop();
        count = model->nInternals() + model->nExternals();
    }
    std::printf("%.9f %ld\\n", best, count);
}
"""


def run(peers: Peers) -> Section:
    head = ["model", "transitions", "Freewheel", "xdevs.py", "ratio", "Cadmium", "ratio", "goals"]
    section = Section("(i) DEVS", head)
    cadmium = Cadmium(peers.cadmium) if peers.cadmium else None
    fastest = 0.0
    for kind, width, depth in CASES:
        count = expected_transitions(kind, width, depth)
        ours = count / _ours(kind, width, depth, count)
        peer = _peer(peers, kind, width, depth)
        theirs = count / peer if peer else None
        native = cadmium.rate(kind, width, depth, count) if cadmium else None
        fastest = max(fastest, native or 0.0)
        told = _verdict(ours, theirs)
        name = f"{kind} {width} x {depth}"
        row = (
            name,
            str(count),
            _rate(ours),
            *_against(ours, theirs),
            *_against(ours, native),
            told,
        )
        section.rows.append(row)
    for folded in (False, True):
        count, rate = _compiled(folded)
        name = "RC ladder, folded" if folded else "RC ladder, compiled"
        is_fast = rate >= COMPILED_RATE and rate > fastest
        goal = f">= {_rate(COMPILED_RATE)}, faster than Cadmium"
        told = f"{goal} {'reached' if is_fast else 'missed'}"
        row = (name, str(count), _rate(rate), "-", "-", *_against(rate, fastest or None), told)
        section.rows.append(row)
    section.notes.append(
        "Transitions, internal and external, per CPU second; best of three. Models run interpreted in"
        " Freewheel and xdevs.py and as C++ (g++ -O2) in Cadmium, the faster of its hierarchical and its"
        " flattened form. The ladders are quantized bond graphs, which run as compiled kernels: they are held"
        " against the fastest of Cadmium's rates above."
    )
    return section


def _against(ours: float, theirs: float | None) -> tuple[str, str]:
    return ("not there", "-") if theirs is None else (_rate(theirs), f"{ours / theirs:.2f}")


class Cadmium:
    """Its DEVStone models, compiled once."""

    def __init__(self, checkout: Path) -> None:
        self._program = Path(tempfile.mkdtemp(prefix="freewheel-bench-")) / "devstone"
        main = self._program.with_suffix(".cpp")
        main.write_text(NATIVE)
        stone = checkout / "example" / "devstone"
        folders = [f"-I{checkout / 'include'}", f"-I{stone / 'include'}"]
        words = ["g++", "-O2", "-DNDEBUG", "-std=c++17", *folders, str(main)]
        sources = sorted(map(str, (stone / "src").glob("*.cpp")))
        subprocess.run([*words, *sources, "-o", str(self._program)], check=True)

    def rate(self, kind: str, width: int, depth: int, count: int) -> float:
        """Transitions a second of the faster form."""
        times = []
        for form in ("tree", "flat"):
            words = [str(self._program), kind, str(width), str(depth), form, str(REPEATS)]
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            seconds, transitions = done.stdout.split()
            # A flattened model counts the components of its former parts several times over.
            assert form == "flat" or int(transitions) == count, (kind, transitions, count)
            times.append(float(seconds))
        return count / min(times)


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


def write_section(text: str) -> None:
    """In place of the section that is there, else at the end."""
    page = ROOT / "docs" / "benchmarks.md"
    head, mark, after = page.read_text(encoding="utf-8").partition("## (i) DEVS\n")
    rest = after.partition("\n## ")[2] if mark else ""
    told = f"{text.rstrip()}\n\nMeasured on {machine()}.\n"
    more = f"\n## {rest}" if rest else ""
    page.write_text(f"{head.rstrip()}\n\n{told}{more}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer-python", type=Path, help="an interpreter with xdevs")
    parser.add_argument("--cadmium", type=Path, help="a checkout of Cadmium 2")
    parser.add_argument("--write", action="store_true", help="into docs/benchmarks.md")
    options = parser.parse_args()
    table = run(Peers(python=options.peer_python, cadmium=options.cadmium)).markdown()
    print(table)
    if options.write:
        write_section(table)


if __name__ == "__main__":
    main()
