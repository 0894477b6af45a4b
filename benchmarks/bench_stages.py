"""Time per stage of the corridor over model size: an RC ladder of n sections.

    python benchmarks/bench_stages.py --sizes 10 100 1000

Prints one row per size, milliseconds per stage. Compare runs made on one machine only.
"""

import argparse
import platform
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter

import freewheel
from freewheel.pipeline import STAGES

LADDER = """\
model Ladder
  parameter Integer n = {n};
  Real v[n](each start = 0, each fixed = true);
  Real i[n];
equation
  i[1] = 1 - v[1];
  for k in 2:n loop
    i[k] = v[k - 1] - v[k];
  end for;
  for k in 1:n - 1 loop
    der(v[k]) = i[k] - i[k + 1];
  end for;
  der(v[n]) = i[n];
end Ladder;
"""


def measure(size: int) -> tuple[dict[str, float], float, int]:
    """Seconds per stage, seconds of a run over one second, and accepted steps."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Ladder.mo"
        path.write_text(LADDER.format(n=size))
        model = freewheel.load(path)
        seconds = model.upto("backend").seconds
        began = perf_counter()
        result = model.simulate(stop=1.0)
        return seconds, perf_counter() - began, int(result.stats.get("steps", 0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000])
    sizes = parser.parse_args().sizes
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    print(f"{platform.machine()}, Python {platform.python_version()}, commit {commit or 'unknown'}")
    print("  ".join(f"{title:>10}" for title in ("sections", *STAGES, "run", "steps")))
    for size in sizes:
        seconds, run, steps = measure(size)
        cells = [*(seconds[stage] * 1e3 for stage in STAGES), run * 1e3]
        print("  ".join([f"{size:>10}", *(f"{cell:>10.1f}" for cell in cells), f"{steps:>10}"]))


if __name__ == "__main__":
    main()
