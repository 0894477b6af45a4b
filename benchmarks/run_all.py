"""All benchmarks in one run; the tables go to docs/benchmarks.md.

python benchmarks/run_all.py [--library MSL-4.1.0] [--peer-python PATH] [--peer-qss FOLDER]
    [--cadmium FOLDER] [--out FILE]
"""

import argparse
from pathlib import Path

import bench_devs
import bench_evaluation
import bench_events
import bench_latency
import bench_oscillator
import bench_stiff
import bench_switching
import bench_translation
from measure import ROOT, Peers, machine
from qss import bench_quantized

BENCHES = (
    bench_evaluation,
    bench_oscillator,
    bench_stiff,
    bench_translation,
    bench_latency,
    bench_events,
    bench_switching,
    bench_quantized,
    bench_devs,
)
HEAD = """# Benchmarks

Written by `make bench MSL=folder PEER=python QSS=folder CADMIUM=folder`; compare ratios, and times only
within one table. Times are CPU seconds, best of several, unless a heading says wall clock.

Measured on {machine}.

"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, help="the real standard library")
    parser.add_argument("--peer-python", type=Path, help="an interpreter with rumoca and xdevs")
    parser.add_argument("--peer-qss", type=Path, help="a folder of the CIFASIS QSS Solver")
    parser.add_argument("--cadmium", type=Path, help="a checkout of Cadmium 2")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "benchmarks.md")
    options = parser.parse_args()
    peers = Peers(options.library, options.peer_python, options.peer_qss, options.cadmium)
    text = HEAD.format(machine=machine())
    print(text)
    for bench in BENCHES:
        table = bench.run(peers).markdown()
        print(table, flush=True)
        text += table + "\n"
    options.out.write_text(text.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
