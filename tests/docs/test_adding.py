"""The walks of `docs/adding.md`, carried out on a copy of the source."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
WALKS = dict(re.findall(r"^## (An? [^\n]+)\n(.*?)(?=^## An? |\Z)", PAGE, re.MULTILINE | re.DOTALL))
STEP = re.compile(
    r"^(?:In `([^`]+)`, (before|after|instead of) `([^`]+)`|New file `([^`]+)`):\n\n```\w+\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
MOST_FILES = 3

DECAY = """model Decay
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Decay;
"""

USES = {
    "An integrator": """
r = fw.load("decay.mo").simulate(stop=1.0, tol=1e-6, solver="bs23")
assert r.stats["solver"] == "bs23" and abs(r["x"][-1] - exp(-1)) < 2e-6, r["x"][-1]
""",
    "A quantizer": """
r = fw.load("decay.mo").simulate(stop=1.0, solver="grid1", quantum="1e-3")
assert r.stats["solver"] == "grid1" and abs(r["x"][-1] - exp(-1)) < 2e-3, r["x"][-1]
""",
    "A built-in function": """
Path("area.mo").write_text('''model Area
  Real x(start = 2, fixed = true), y = asinh(x), z;
equation
  der(x) = -asinh(x);
  asinh(z) = time;
end Area;
''')
r = fw.load("area.mo").simulate(stop=1.0, tol=1e-9)
assert abs(r["z"][-1] - sinh(1.0)) < 1e-12 and abs(sinh(r["y"][-1]) - r["x"][-1]) < 1e-12
""",
    "An export target": """
from freewheel.export import export_model
assert "x" in export_model(fw.load("decay.mo"), "names")["names.txt"].split()
""",
    "A kind of switching element": """
Path("limited.mo").write_text('''model Limited
  import Modelica.Electrical.Analog.*;
  Sources.ConstantVoltage V(V = 2);
  Basic.Inductor L(L = 1, i(start = 0, fixed = true));
  Ideal.IdealCurrentLimiter D;
  Basic.Ground G;
equation
  connect(V.p, L.p); connect(L.n, D.p); connect(D.n, V.n); connect(V.n, G.p);
end Limited;
''')
r = fw.load("limited.mo").simulate(stop=1.0)
assert max(abs(r["L.i"] - [min(2*t, 1.0) for t in r.time])) < 1e-9
assert r["D.v"][-1] == 2.0 and r["D.v"][1] == 0.0
""",
    "A diagnostic": """
r = fw.load("decay.mo").simulate(stop=1.0, interval=0.5)
assert "R199" in [w.code for w in r.warnings]
assert "R199" in Path(sys.argv[1], "freewheel/tools/errors.md").read_text()
""",
}


def carry_out(walk: str, source: Path) -> set[str]:
    """The files that were touched."""
    touched = set()
    for name, how, line, new, text in STEP.findall(WALKS[walk]):
        path = source / "freewheel" / (new or name)
        touched.add(new or name)
        if new:
            path.write_text(text, encoding="utf-8")
            continue
        before, found, after = path.read_text(encoding="utf-8").partition(f"\n{line}\n")
        assert found, f"{name} has no line {line}"
        old = {"before": f"{text}{line}\n", "after": f"{line}\n{text}", "instead of": text}[how]
        path.write_text(f"{before}\n{old}{after}", encoding="utf-8")
    return touched


def test_every_walk_is_used() -> None:
    assert WALKS.keys() == USES.keys()


@pytest.mark.parametrize("walk", USES)
def test_a_walk_leads_there(walk: str, tmp_path: Path) -> None:
    source = tmp_path / "src"
    shutil.copytree(
        ROOT / "src" / "freewheel",
        source / "freewheel",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    touched = carry_out(walk, source)
    assert 0 < len(touched) <= MOST_FILES

    (tmp_path / "decay.mo").write_text(DECAY)
    head = "import sys\nfrom math import *\nfrom pathlib import Path\nsys.path.insert(0, sys.argv[1])\n"
    program = (
        f"{head}import freewheel as fw\nassert fw.__file__.startswith(sys.argv[1])\n{USES[walk]}"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(source)],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
