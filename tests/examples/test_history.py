"""A result does not depend on what ran before: other ends, tolerances, solvers, failures, interrupts.

Each model runs fresh, then as an object that has seen other runs; all numbers must be the same, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path

import pytest

import freewheel as fw
from freewheel.api import models_in
from freewheel.base.diagnostics import CompileError, FreewheelError
from freewheel.result.store import Result

ROOT = Path(__file__).parents[2]
FILES = sorted(path for path in (ROOT / "examples").rglob("*") if path.suffix in (".mo", ".dym"))
LIBRARY = (
    "Hybrid.Examples",
    "PetriNets.Examples",
    "BondGraph.Examples",
    "Modelica.Blocks.Examples",
    "Modelica.Electrical.Analog.Examples",
    "Modelica.Mechanics.Rotational.Examples",
    "Modelica.Mechanics.Translational.Examples",
    "Modelica.StateGraph.Examples",
    "Modelica.Thermal.HeatTransfer.Examples",
)
CIRCUITS = ROOT / "tests" / "structure" / "circuits.mo"
# The table is made from a parameter, and kept by the model.
TABLE = """
model Table
  parameter Real k = 1;
  Modelica.Blocks.Tables.CombiTable1Ds table(table = [0, 0; 1, k; 2, 3*k]);
  Real x(start = 0, fixed = true);
equation
  table.u = time;
  der(x) = table.y[1];
  assert(x < 0.5, "much", level = AssertionLevel.warning);
  annotation(experiment(StopTime = 2));
end Table;
"""
LEAK = """
model Leak "Whether the leak is rounding depends on how long the run is"
  Modelica.Electrical.Analog.Sources.ConstantVoltage U(V=1);
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Capacitor C(C=1, v(start=2, fixed=true));
  Modelica.Electrical.Analog.Basic.Conductor G(G=1e-12);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(U.p, D.p); connect(D.n, C.p); connect(D.n, G.p);
  connect(C.n, ground.p); connect(G.n, ground.p); connect(U.n, ground.p);
end Leak;
"""
SAMPLE = (
    "dymola/ball.dym",
    "sampled_drive.mo",
    "turning_pipe.mo",
    "van_der_pol.mo",
    "rectifier.mo",
    "switching/buck.mo",
    "switching/boost.mo",
    "dymola/two_block.dym",
    "delay_equation.mo",
)


def digest(model: fw.Model, **settings: object) -> str:
    """Of all numbers, events and warnings of a run, or what it says when it fails."""
    try:
        result: Result = model.simulate(**settings)
    except FreewheelError as failure:
        return repr(failure.diagnostics)
    parts = [result.data.tobytes(), result.step_sizes.tobytes(), repr(result.impulses).encode()]
    parts += [repr(event).encode() for event in result.events]
    parts += [repr(warning).encode() for warning in result.warnings]
    return blake2b(b"".join(parts)).hexdigest()


class StoppedError(Exception):
    pass


def interrupt(_: float) -> None:
    raise StoppedError


def others(model: fw.Model, stop: float) -> None:
    """Runs of many kinds, some of which end badly."""
    digest(model, stop=0.37 * stop, tol=1e-3)
    digest(model, stop=1e-6 * stop, tol=1e-9)
    digest(model, stop=0.2 * stop, solver="radau")
    slots, start = model.compiled().parameter_slots, model.compiled().start
    digest(model, stop=stop, params={name: 1.25 * start[slot] for name, slot in slots.items()})
    digest(model, stop=0.2 * stop, solver="rk4", interval=0.01 * stop)
    digest(model, stop=0.05 * stop, max_events=1)
    try:
        model.simulate(stop=0.5 * stop, progress=interrupt)
    except (StoppedError, FreewheelError):
        return


def unchanged(load: Callable[[], fw.Model], solver: str = "auto") -> None:
    model = load()
    try:
        stop = float(model.compiled().experiment.get("stop", 1.0))
    except CompileError:
        return
    fresh = digest(load(), solver=solver)
    others(model, stop)
    assert digest(model, solver=solver) == fresh
    assert digest(model, solver=solver) == fresh


def classes(target: str) -> list[str]:
    return [".".join(model.name) for model in models_in(target)]


@pytest.mark.parametrize("name", SAMPLE)
def test_examples_forget(name: str) -> None:
    unchanged(lambda: fw.load(ROOT / "examples" / name))


def test_a_long_run_after_a_short_one(tmp_path: Path) -> None:
    path = tmp_path / "leak.mo"
    path.write_text(LEAK)
    fresh = digest(fw.load(path), stop=2e11)
    model = fw.load(path)
    digest(model, stop=1e-4)

    assert digest(model, stop=2e11) == fresh
    assert digest(model, stop=1e-4) == digest(fw.load(path), stop=1e-4)


@pytest.mark.parametrize("name", ["van_der_pol.mo", "switching/buck.mo"])
def test_runs_in_threads_do_not_meet(name: str) -> None:
    model = fw.load(ROOT / "examples" / name)
    stop = float(model.compiled().experiment.get("stop", 1.0))
    wanted = [{"stop": share * stop, "tol": tol} for share in (0.2, 0.5) for tol in (1e-4, 1e-7)]
    alone = [digest(fw.load(ROOT / "examples" / name), **each) for each in wanted]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda each: digest(model, **each), wanted * 3))

    assert together == alone * 3


def test_a_table_and_messages_of_other_runs(tmp_path: Path) -> None:
    path = tmp_path / "table.mo"
    path.write_text(TABLE)
    ks = [0.5, 1.0, 2.0, 3.0]
    alone = [digest(fw.load(path), params={"k": k}) for k in ks]
    model = fw.load(path)
    assert [digest(model, params={"k": k}) for k in ks] == alone
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda k: digest(model, params={"k": k}), ks * 4))

    assert together == alone * 4
    unchanged(lambda: fw.load(path))


@pytest.mark.long
@pytest.mark.parametrize("solver", ["rodas4", "radau", "cvode", "ida", "liqss2"])
def test_solvers_forget(solver: str) -> None:
    for name in ("van_der_pol.mo", "circuit.mo", "sampled_drive.mo"):
        unchanged(lambda name=name: fw.load(ROOT / "examples" / name), solver)


@pytest.mark.long
def test_circuits_with_ideal_switches_forget() -> None:
    for name in classes(str(CIRCUITS)):
        unchanged(lambda name=name: fw.load(CIRCUITS, model=name))


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_examples_forget(path: Path) -> None:
    for name in classes(str(path)):
        unchanged(lambda name=name: fw.load(path, model=name))


@pytest.mark.long
@pytest.mark.parametrize("package", LIBRARY)
def test_all_examples_of_the_library_forget(package: str) -> None:
    for name in classes(package):
        unchanged(lambda name=name: fw.load(name))
