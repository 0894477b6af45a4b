"""Load and flatten a model of the real standard library, against a peer in the same run.

python benchmarks/flatten_msl.py --library MSL-4.1.0 --peer-python PATH [--model CLASS]

Each tool runs in a process of its own and times loading and translating from inside, with a cache
folder that is empty at first ("cold") and kept for the second run ("warm"). Freewheel stops at the
flat model; the peer (rumoca) compiles, because it has no way to stop before.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = "Modelica.Electrical.Analog.Examples.CauerLowPassAnalog"
GOAL = 15.0

OURS = """
import sys, time
began = time.perf_counter()
from pathlib import Path
from freewheel.base.names import name_of
from freewheel.flat.flatten import flatten
from freewheel.instance.instantiate import instantiate
from freewheel.instance.library import Library
library = Library([Path(sys.argv[1])])
flat = flatten(instantiate(library, name_of(sys.argv[2])))
assert flat.equations
print(time.perf_counter() - began)
"""

PEER = """
import sys, time
began = time.perf_counter()
import rumoca
session = rumoca.Session(roots=[sys.argv[1]])
session.loads(f"model M extends {sys.argv[2]}; end M;", model="M", filename="M.mo")
print(time.perf_counter() - began)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--peer-python", type=Path, required=True)
    parser.add_argument("--model", default=MODEL)
    options = parser.parse_args()
    reached = True
    with tempfile.TemporaryDirectory() as folder:
        cache = f"{folder}/cache"
        options.library = _only_needed(options.library, Path(folder) / "library")
        for state in ("cold", "warm"):
            ours = _seconds(Path(sys.executable), OURS, options, cache)
            peer = _seconds(options.peer_python, PEER, options, cache)
            print(f"{state}: freewheel {ours:.3f} s, rumoca {peer:.2f} s, ratio {peer / ours:.1f}")
            reached = reached and peer / ours >= GOAL
    print(f"goal {GOAL:g} times: {'reached' if reached else 'missed'}")
    return 0 if reached else 1


def _only_needed(library: Path, folder: Path) -> Path:
    """A folder with what the model uses: the peer loads everything that it is given."""
    folder.mkdir()
    for name in ("Modelica", "ModelicaServices", "Complex.mo"):
        (folder / name).symlink_to((library / name).resolve())
    return folder


def _seconds(python: Path, code: str, options: argparse.Namespace, cache: str) -> float:
    command = [str(python), "-c", code, str(options.library), options.model]
    folders = {"FREEWHEEL_CACHE": f"{cache}/freewheel", "XDG_CACHE_HOME": cache, "HOME": cache}
    done = subprocess.run(
        command, env={**os.environ, **folders}, capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


if __name__ == "__main__":
    sys.exit(main())
