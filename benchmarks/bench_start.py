"""How long the program takes to answer: help, version and a small run, best of several.

python benchmarks/bench_start.py
"""

import subprocess
import sys
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
CALLS = {
    "python itself": ["-c", "pass"],
    "import freewheel": ["-c", "import freewheel"],
    "freewheel --help": ["-m", "freewheel", "--help"],
    "check of a circuit": ["-m", "freewheel", "check", "examples/circuit.mo"],
    "run of a circuit": ["-m", "freewheel", "run", "examples/circuit.mo"],
}
REPEATS = 5


def best_of(arguments: list[str]) -> float:
    times = []
    for _ in range(REPEATS):
        began = perf_counter()
        subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=True)
        times.append(perf_counter() - began)
    return min(times)


def main() -> None:
    for title, arguments in CALLS.items():
        print(f"{title:<20} {best_of(arguments) * 1e3:8.0f} ms")


if __name__ == "__main__":
    main()
