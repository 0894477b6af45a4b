"""(g) Ideal switching: four models without fudge parameters, against leaks, ngspice and rumoca.

Half-wave rectifier with a line inductance and no resistor (document 004), boost converter in discontinuous
conduction, six-pulse bridge with commutation overlap, two blocks with dry friction. Errors are the largest
on a grid over the whole run. The curve that they are measured by is that of the ideal model at tolerance
1e-12; its end must agree with exact values from matrix exponentials and event roots in 34 digits, or in
rational numbers.

Of our own leaky model (for friction the velocity below which it creeps is the leak) all sizes and tolerances
are tried, and the one shown that comes off best beside ours. Others get the cheapest of their settings that
is no less exact than ours, or the most exact one: step and relative tolerance for ngspice, whose diode is a
steep exponential (N = 0.001) or a switch of its own voltage. rumoca simulates the text as it is; its time is
that of the run alone. ngspice and rumoca run a tenth of the time; times are for a tenth of our run.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import monotonic

import numpy as np
import numpy.typing as npt
from measure import Peers, Section, best, compiled, duration, verdict

from freewheel.base.diagnostics import FreewheelError
from freewheel.runtime.model import CompiledModel
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

Curve = npt.NDArray[np.float64]
ANALOG = "Modelica.Electrical.Analog"
HALFWAVE = f"""
model HalfWave
  {ANALOG}.Sources.SineVoltage U(V=10, f=50);
  {ANALOG}.Basic.Inductor L(L=0.01, i(start=0, fixed=true));
  {ANALOG}.Ideal.IdealDiode D(Ron=LEAK, Goff=LEAK, Vknee=0);
  {ANALOG}.Basic.Capacitor C(C=1e-3, v(start=0, fixed=true));
  {ANALOG}.Basic.Resistor R(R=50);
  {ANALOG}.Basic.Ground ground;
equation
  connect(U.p, L.p);
  connect(L.n, D.p);
  connect(D.n, C.p);
  connect(D.n, R.p);
  connect(C.n, ground.p);
  connect(R.n, ground.p);
  connect(U.n, ground.p);
  annotation(experiment(StopTime=0.2, Interval=1e-3, Tolerance=1e-6));
end HalfWave;
"""
BOOST = f"""
model Boost
  {ANALOG}.Sources.ConstantVoltage V(V=5);
  {ANALOG}.Basic.Inductor L(L=5e-5, i(start=0, fixed=true));
  {ANALOG}.Ideal.IdealClosingSwitch S(Ron=LEAK, Goff=LEAK);
  {ANALOG}.Ideal.IdealDiode D(Ron=LEAK, Goff=LEAK, Vknee=0);
  {ANALOG}.Basic.Capacitor C(C=1e-5, v(start=5, fixed=true));
  {ANALOG}.Basic.Resistor R(R=200);
  {ANALOG}.Basic.Ground ground;
  Modelica.Blocks.Sources.BooleanPulse pwm(width=40, period=5e-5);
equation
  connect(V.p, L.p);
  connect(L.n, S.p);
  connect(L.n, D.p);
  connect(D.n, C.p);
  connect(D.n, R.p);
  connect(S.n, ground.p);
  connect(C.n, ground.p);
  connect(R.n, ground.p);
  connect(V.n, ground.p);
  connect(pwm.y, S.control);
  annotation(experiment(StopTime=0.01, Interval=1e-4, Tolerance=1e-6));
end Boost;
"""
PHASES = ("0", "-2*Modelica.Constants.pi/3", "2*Modelica.Constants.pi/3")
SIXPULSE = "\n".join(
    (
        "model SixPulse",
        *(
            f"  {ANALOG}.Sources.SineVoltage U{k}(V=100, f=50, phase={phase});\n"
            f"  {ANALOG}.Basic.Inductor L{k}(L=3e-3{', i(start=0, fixed=true)' if k < 3 else ''});\n"
            f"  {ANALOG}.Ideal.IdealDiode D{k}(Ron=LEAK, Goff=LEAK, Vknee=0);\n"
            f"  {ANALOG}.Ideal.IdealDiode E{k}(Ron=LEAK, Goff=LEAK, Vknee=0);"
            for k, phase in enumerate(PHASES, 1)
        ),
        f"  {ANALOG}.Basic.Inductor L(L=0.02, i(start=0, fixed=true));",
        f"  {ANALOG}.Basic.Resistor R(R=10);",
        f"  {ANALOG}.Basic.Ground ground;",
        "equation",
        *(
            f"  connect(U{k}.n, U1.n);\n  connect(U{k}.p, L{k}.p);\n  connect(L{k}.n, D{k}.p);\n"
            f"  connect(E{k}.n, D{k}.p);\n  connect(D{k}.n, L.p);\n  connect(E{k}.p, ground.p);"
            for k in (1, 2, 3)
        ),
        "  connect(L.n, R.p);",
        "  connect(R.n, ground.p);",
        "  annotation(experiment(StopTime=0.04, Interval=1e-3, Tolerance=1e-6));",
        "end SixPulse;",
    )
)
MECHANICS = "Modelica.Mechanics.Translational"
BLOCKS = f"""
model TwoBlocks
  {MECHANICS}.Components.Fixed ground;
  {MECHANICS}.Components.Mass lower(m=2, s(start=0, fixed=true), v(start=0, fixed=true));
  {MECHANICS}.Components.Mass upper(m=1, s(start=0, fixed=true), v(start=0, fixed=true));
  Hybrid.Mechanics.SixStateFriction joint1(Fs=3, Fd=3, cf=0.5);
  Hybrid.Mechanics.SixStateFriction joint2(Fs=2, Fd=2, cf=0.3);
  {MECHANICS}.Sources.Force push1;
  {MECHANICS}.Sources.Force push2;
equation
  push1.f = 5*sin(time);
  push2.f = 4.5*sin(1.7*time);
  connect(ground.flange, joint1.flange_a);
  connect(joint1.flange_b, lower.flange_a);
  connect(lower.flange_a, joint2.flange_a);
  connect(joint2.flange_b, upper.flange_a);
  connect(push1.flange, lower.flange_b);
  connect(push2.flange, upper.flange_b);
  annotation(experiment(StopTime=20, Interval=0.1, Tolerance=1e-6));
end TwoBlocks;
"""
CREEPING = """
model TwoBlocks "below the velocity LEAK friction is a steep slope: the blocks creep"
  Real p1(start=0, fixed=true), v1(start=0, fixed=true), v2(start=0, fixed=true);
  Real f1, f2, r;
equation
  der(p1) = v1;
  r = v2 - v1;
  f1 = 0.5*v1 + (if v1 > LEAK then 3 elseif v1 < -LEAK then -3 else 3*v1/LEAK);
  f2 = 0.3*r + (if r > LEAK then 2 elseif r < -LEAK then -2 else 2*r/LEAK);
  2*der(v1) = 5*sin(time) - f1 + f2;
  der(v2) = 4.5*sin(1.7*time) - f2;
  annotation(experiment(StopTime=20, Interval=0.1, Tolerance=1e-6));
end TwoBlocks;
"""
SPICE_HALFWAVE = """halfwave
V1 in 0 SIN(0 10 50)
L1 in a 0.01 IC=0
DIODE(a,out)
C1 out 0 1e-3 IC=0
R2 out 0 50
"""
SPICE_BOOST = """boost
V1 in 0 DC 5
L1 in x 5e-5 IC=0
Vg g 0 PULSE(0 1 0 1n 1n 19.999u 50u)
S1 x 0 g 0 SWM
DIODE(x,out)
C1 out 0 1e-5 IC=5
R1 out 0 200
.model SWM SW(RON=1e-6 ROFF=1e9 VT=0.5 VH=0)
"""
SPICE_SIXPULSE = """sixpulse
V1 s1 m SIN(0 100 50 0 0 0)
V2 s2 m SIN(0 100 50 0 0 -120)
V3 s3 m SIN(0 100 50 0 0 120)
L1 s1 a1 3e-3 IC=0
L2 s2 a2 3e-3 IC=0
L3 s3 a3 3e-3 IC=0
DIODE(a1,p)
DIODE(a2,p)
DIODE(a3,p)
DIODE(0,a1)
DIODE(0,a2)
DIODE(0,a3)
L4 p out 0.02 IC=0
R1 out 0 10
Rm m 0 1e9
"""
SWITCHED = "S{k} {p} {n} c{k} 0 SWD\nB{k} c{k} 0 V = V({p})-V({n})"
EXPONENTIAL = "D{k} {p} {n} DI"
MODELS = (
    ".model SWD SW(RON=1e-4 ROFF=1e7 VT=0 VH=0)\n.model DI D(IS=1e-12 N=0.001)\n"  # what it takes
)
LEAKS = (1e-5, 1e-7, 1e-9, 1e-10)
TOLERANCES = (1e-6, 1e-8, 1e-10)
OUR_TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
RELTOLS = (1e-3, 1e-5, 1e-6)
PEER_PATIENCE, LEAKY_PATIENCE = 300.0, 5.0  # seconds for a run
LONGER = 10  # our runs, against those of peers
BOOST_GOAL = 50.0
PEER = """
import json, sys, time, rumoca
library, file, model, variable, stop = sys.argv[1:6]
loaded = rumoca.Session(roots=[library]).load(file, model=model)
began = time.process_time()
result = loaded.simulate(float(stop))
seconds = time.process_time() - began
table = result.to_dict()
assert abs(table["time"][-1] - float(stop)) < 1e-9
curve = {"time": list(table["time"]), "values": list(table["data"][variable])}
print(json.dumps({"seconds": seconds, **curve}))
"""


@dataclass(frozen=True)
class Case:
    title: str
    text: str
    variable: str
    stop: float
    interval: float  # of the grid on which errors are taken
    exact: float  # at `stop`
    exact_later: float  # at `LONGER` times that
    leaky: str
    leaky_variable: str
    spice: str = ""
    steps: tuple[float, ...] = ()  # of ngspice


CASES = (
    Case(
        "half-wave with inductor", HALFWAVE.replace("LEAK", "0"), "C.v",
        0.2, 1e-3, 7.4141034915095, 7.413421669535871,
        HALFWAVE, "C.v", SPICE_HALFWAVE, (1e-4, 1e-6),
    ),
    Case(
        "boost, discontinuous", BOOST.replace("LEAK", "0"), "C.v",
        0.01, 1e-4, 22.61913688810752, 22.619224820379667,
        BOOST, "C.v", SPICE_BOOST, (1e-6, 1e-7),
    ),
    Case(
        "six-pulse bridge", SIXPULSE.replace("LEAK", "0"), "R.v",
        0.04, 1e-3, 148.07664542963016, 148.07664748537601,
        SIXPULSE, "R.v", SPICE_SIXPULSE, (1e-5, 1e-6),
    ),
    Case(
        "two-block friction", BLOCKS, "lower.s",
        2.0, 0.1, 0.0, 0.76941157293624,
        CREEPING, "p1",
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Measured:
    told: str  # the setting
    seconds: float
    error: float


def run(peers: Peers) -> Section:
    section = Section(
        "(g) Ideal switching, tolerance 1e-06",
        ["model", "program", "time", "largest error", "ratio of times"],
    )
    for case in CASES:
        runs = [
            _ours(case, case.text, case.variable, tolerance, f"tolerance {tolerance:g}")
            for tolerance in OUR_TOLERANCES
        ]
        ours = [run for run in runs if run is not None]
        assert len(ours) == len(runs)
        section.rows.append(_row(case.title, "Freewheel, ideal", ours[-1], "1"))
        worst, best_one = _leaky(case, ours)
        others: list[tuple[str, Measured | None, float | None]] = [("leaky", worst, 1.0)]
        if best_one is not None and best_one is not worst:
            others.append(("leaky", best_one, 1.0))
        if case.spice and shutil.which("ngspice") is not None:
            goal = BOOST_GOAL if "boost" in case.title else None
            others.append(("ngspice", _spice(case, ours[-1].error), goal))
        if peers.python is not None and peers.library is not None:
            others.append(("rumoca", _rumoca(case, peers), None))
        for program, theirs, goal in others:
            section.rows.append(_compared(ours, program, theirs, goal))
    section.notes += _notes(peers)
    return section


def _compared(
    ours: list[Measured], program: str, theirs: Measured | None, goal: float | None
) -> list[str]:
    if theirs is None:
        return ["", f"{program} does not finish", "-", "-", "-"]
    equal = _as_exact(ours, theirs)
    ratio = theirs.seconds / equal.seconds
    told = f"{ratio:.2g}"
    if equal is not ours[-1]:
        told += f" (we: {equal.told}, {duration(equal.seconds)}, {equal.error:.1e})"
    if goal is not None:
        told += f", goal {goal:g} {verdict(-ratio, -goal)}"
    return _row("", f"{program}, {theirs.told}", theirs, told)


def _as_exact(ours: list[Measured], theirs: Measured) -> Measured:
    """Our cheapest run that is no less exact than theirs, else our most exact one."""
    good = [one for one in ours if one.error <= theirs.error]
    return min(good, key=lambda one: one.seconds, default=ours[-1])


def _row(model: str, program: str, found: Measured, ratio: str) -> list[str]:
    return [model, program, duration(found.seconds), f"{found.error:.1e}", ratio]


def _notes(peers: Peers) -> list[str]:
    notes = [
        "CPU time without translation, of a tenth of our run; errors are the largest on a grid over the run. "
        "Ratios are to our cheapest run that is no less exact, at tolerances from 1e-02 to 1e-06. Of our own "
        "leaky runs two are shown: the one that comes off best beside ours, and the most exact one. Others "
        "get the cheapest setting that is no less exact than we are at tolerance 1e-06, else the most exact "
        "one that was found. "
        f"Goals: never slower than the leaky model, {BOOST_GOAL:g} times ngspice on the boost."
    ]
    if shutil.which("ngspice") is None:
        notes.append("ngspice is not installed: not compared.")
    if peers.python is None or peers.library is None:
        notes.append("rumoca was not given (`MSL=folder PEER=python`): not compared.")
    return notes


def _chosen(found: Iterable[Measured | None], error: float) -> Measured | None:
    """The fastest that is as exact; else the most exact one."""
    there = [one for one in found if one is not None]
    good = [one for one in there if one.error <= error]
    if good:
        return min(good, key=lambda one: one.seconds)
    return min(there, key=lambda one: one.error, default=None)


# ---------------------------------------------------------------- ours


def _ours(case: Case, text: str, variable: str, tolerance: float, told: str) -> Measured | None:
    model = compiled(text).model
    stop = LONGER * case.stop
    settings = _settings(case, model, stop, tolerance)
    began = monotonic()

    def patience(_: float) -> None:
        if monotonic() - began > LEAKY_PATIENCE:
            raise TimeoutError

    try:
        result = simulate(model, settings, patience)
    except (FreewheelError, TimeoutError):
        return None
    seconds = best(lambda: simulate(model, settings), 5) / LONGER
    error = _deviation(result.time, result[variable], case, stop)
    return Measured(told, seconds, error)


def _settings(case: Case, model: CompiledModel, stop: float, tolerance: float) -> Settings:
    given = {"stop": stop, "interval": case.interval, "tolerance": tolerance}
    return Settings.of(model, **given, impulses="accept")


# ---------------------------------------------------------------- errors


@cache
def _reference(case: Case, stop: float) -> tuple[Curve, Curve]:
    """Grid and exact values on it."""
    model = compiled(case.text).model
    result = simulate(model, _settings(case, model, stop, 1e-12))
    grid = case.interval * np.arange(round(stop / case.interval) + 1)
    values = np.interp(grid, result.time, result[case.variable])  # there is a row at each point
    exact = case.exact if stop == case.stop else case.exact_later
    assert abs(values[-1] - exact) < 1e-9 * np.abs(values).max(), case.title
    return grid, values


def _deviation(
    times: Curve, values: Curve, case: Case, stop: float, is_interpolated: bool = False
) -> float:
    """The largest error at points of the grid that are there, or between points by cubics."""
    grid, exact = _reference(case, stop)
    near = np.clip(np.searchsorted(times, grid - 1e-9 * case.interval), 0, len(times) - 1)
    is_there = np.abs(times[near] - grid) <= 1e-6 * case.interval
    errors = np.abs(values[near] - exact)[is_there]
    if is_interpolated:
        between = np.flatnonzero(~is_there)
        cubics = [
            _cubic(times, values, grid[between], exact[between], first) for first in (-3, -2, -1)
        ]
        errors = np.concatenate([errors, np.min(cubics, axis=0)])
    assert len(errors) > 0.4 * len(grid), case.title
    return float(errors.max())


def _cubic(times: Curve, values: Curve, wanted: Curve, exact: Curve, first: int) -> Curve:
    """Errors of the cubic through four neighbours; of several the best counts, for a curve bends where
    something switches."""
    start = np.clip(np.searchsorted(times, wanted) + first, 0, len(times) - 4)
    found = np.zeros(len(wanted))
    for i in range(4):
        weight = np.ones(len(wanted))
        for j in range(4):
            if j != i:
                weight *= (wanted - times[start + j]) / (times[start + i] - times[start + j])
        found += weight * values[start + i]
    return np.abs(found - exact)


def _leaky(case: Case, ours: list[Measured]) -> tuple[Measured | None, Measured | None]:
    """Of all sizes and tolerances the one that is cheapest beside a run of ours that is as exact, and
    the most exact one."""
    found = []
    for size in LEAKS:
        text = case.leaky.replace("LEAK", repr(size))
        for tolerance in TOLERANCES:
            told = f"leaks {size:g}, tolerance {tolerance:g}"
            found.append(_ours(case, text, case.leaky_variable, tolerance, told))
    there = [one for one in found if one is not None]
    worst = min(there, key=lambda one: one.seconds / _as_exact(ours, one).seconds, default=None)
    return worst, min(there, key=lambda one: one.error, default=None)


# ---------------------------------------------------------------- ngspice


def _spice(case: Case, error: float) -> Measured | None:
    program = shutil.which("ngspice")
    assert program is not None
    circuits = {"switch": SWITCHED, "exponential": EXPONENTIAL}
    found = [
        _spice_run(
            program, case, f"{kind}, step {step:g}, reltol {reltol:g}", circuit, step, reltol
        )
        for kind, circuit in circuits.items()
        for step in case.steps
        for reltol in RELTOLS
    ]
    return _chosen(found, error)


def _spice_run(
    program: str, case: Case, told: str, diode: str, step: float, reltol: float
) -> Measured | None:
    lines = []
    for number, line in enumerate(case.spice.splitlines()):
        if line.startswith("DIODE("):
            p, n = line[6:-1].split(",")
            line = diode.format(k=f"x{number}", p=p, n=n)
        lines.append(line)
    control = (
        f"{MODELS}.options reltol={reltol}\n.save v(out)\n.control\nset numdgt=15\n"
        f"tran {step} {case.stop:.12g} 0 {step} uic\nTELL\nquit\n.endc\n.end\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "circuit.cir", Path(folder) / "out.data"
        environment = {**os.environ, "HOME": folder}
        circuit = "\n".join(lines) + "\n" + control
        path.write_text(circuit.replace("TELL", f"wrdata {out} v(out)"))
        _timed([program, "-b", str(path)], environment)  # to see what it finds: files take time
        if not out.exists():
            return None
        times, values = np.loadtxt(out, unpack=True)[:2]
        path.write_text(circuit.replace("TELL", ""))
        _, seconds = _timed([program, "-b", str(path)], environment)
    if abs(times[-1] - case.stop) > 1e-6 * case.stop:
        return None  # it gave up on the way
    return Measured(told, seconds, _deviation(times, values, case, case.stop, is_interpolated=True))


def _timed(call: list[str], environment: dict[str, str]) -> tuple[str | None, float]:
    before = getrusage(RUSAGE_CHILDREN)
    try:
        said = subprocess.run(
            call, capture_output=True, text=True, env=environment, timeout=PEER_PATIENCE
        ).stdout
    except subprocess.TimeoutExpired:
        return None, PEER_PATIENCE
    after = getrusage(RUSAGE_CHILDREN)
    return said, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# ---------------------------------------------------------------- rumoca


def _rumoca(case: Case, peers: Peers) -> Measured | None:
    """The ideal model; if it does not come through, the one with the library's leaks."""
    texts: dict[str, Callable[[], tuple[str, str]]] = {
        "ideal": lambda: (case.text, case.variable),
        "leaks 1e-05": lambda: (case.leaky.replace("LEAK", "1e-5"), case.leaky_variable),
    }
    for told, make in texts.items():
        text, variable = make()
        is_short = bool(case.spice)
        stop = case.stop if is_short else LONGER * case.stop
        found = _rumoca_run(text, variable, stop, peers)
        if found is not None:
            times, values, seconds = found
            error = _deviation(times, values, case, stop)
            return Measured(told, seconds if is_short else seconds / LONGER, error)
    return None


def _rumoca_run(
    text: str, variable: str, stop: float, peers: Peers
) -> tuple[Curve, Curve, float] | None:
    name = text.split("model ", 1)[1].split()[0]
    assert peers.library is not None
    with tempfile.TemporaryDirectory() as folder:
        library, models = Path(folder) / "library", Path(folder) / "models"
        library.mkdir()
        models.mkdir()
        for part in ("Modelica", "ModelicaServices", "Complex.mo"):
            (library / part).symlink_to((peers.library / part).resolve())
        (models / f"{name}.mo").write_text(text)
        call = [str(peers.python), "-c", PEER, str(library), str(models / f"{name}.mo")]
        environment = {**os.environ, "HOME": folder}
        said, _ = _timed([*call, name, variable, repr(stop)], environment)
    lines = [line for line in (said or "").splitlines() if line.startswith("{")]
    if not lines:
        return None
    found = json.loads(lines[-1])
    return np.array(found["time"]), np.array(found["values"]), float(found["seconds"])


if __name__ == "__main__":
    print(run(Peers()).markdown())
