"""VAR-1 and VAR-2 by quantized states: the circuits of the documents, by all methods.

Against the exact solutions: the error falls with the quantum, the sequence of modes is the exact one, jumps
are told as impulses. Quanta are fine for methods that take few steps, coarse for those of first order.
"""

from __future__ import annotations

import numpy as np
import pytest
from exact_networks import Exact, solve
from netlists import Network
from switching_circuits import CIRCUITS, REFERENCES, ladder

import freewheel as fw
from freewheel.result.store import Result

FIRST, SECOND, THIRD = ("qss1", "liqss1", "cqss"), ("qss2", "liqss2", "mliqss2"), ("qss3", "liqss3")
# coarse and fine: relative to the state, and absolute
QUANTA = {
    **dict.fromkeys(FIRST, ("1e-2,1e-4", "1e-3,1e-5")),
    **dict.fromkeys(SECOND, ("1e-3,1e-5", "1e-4,1e-6")),
    **dict.fromkeys(THIRD, ("1e-3,1e-5", "1e-4,1e-6")),
}
ALLOWED = 30.0  # relative quanta
FEW = 5.0  # the same: less may also be luck
# Where two ways stand open to a current, or nothing flows, more than one mode is right.
SHARED = ("half_bridge_inverter", "controlled_bridge", "cascade_2", "charge_pump")
SOME = ("halfwave_L_cellier_krebs", "six_pulse", "boost_dcm", "impulse_two_inductors")


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """Network, watched variables, exact solution and model, each made once."""
    made: dict[str, tuple[Network, tuple[str, ...], Exact, fw.Model]] = {}

    def of(name: str) -> tuple[Network, tuple[str, ...], Exact, fw.Model]:
        if name not in made:
            network, watched = CIRCUITS[name]()
            path = tmp_path_factory.mktemp("circuits") / f"{network.name}.mo"
            path.write_text(network.modelica())
            made[name] = network, watched, solve(network), fw.load(path)
        return made[name]

    return of


def modes(result: Result, network: Network) -> list[tuple[bool, ...]]:
    blocks = np.array([result[f"{valve.name}.off"] for valve in network.valves()]).T > 0.5
    rows = np.flatnonzero((blocks[1:] != blocks[:-1]).any(axis=1)) + 1
    inside = (result.time[rows] > 0) & (result.time[rows] < network.stop * (1 - 1e-9))
    return [tuple(row) for row in blocks[rows[inside]]]


def error(result: Result, network: Network, states: tuple[str, ...], found: Exact) -> float:
    """The largest of all storages over their amplitudes, at points of the grid."""
    times = np.asarray(result.time)
    grid = np.abs(times / network.interval - np.round(times / network.interval)) < 1e-9
    events = np.array([piece.begin for piece in found.pieces])
    near = np.abs(times[:, None] - events).min(axis=1) < 1e-4 * network.interval
    quiet = np.flatnonzero(grid & ~near)
    chosen = quiet[:: max(1, len(quiet) // 150)]
    exact = found.states(times[chosen])
    worst = 0.0
    for name in states:
        wanted = found.row(name) @ exact
        worst = max(
            worst, float(np.abs(result[name][chosen] - wanted).max() / np.abs(wanted).max())
        )
    return worst


def check(known, name: str, method: str) -> None:
    network, watched, found, model = known(name)
    states = tuple(v for v in watched if v.endswith((".v", ".i")) and v[0] in "CLAB")
    classic = model.simulate(impulses="accept")
    coarse, fine = (
        model.simulate(solver=method, quantum=quantum, impulses="accept")
        for quantum in QUANTA[method]
    )

    relative = [float(quantum.split(",")[0]) for quantum in QUANTA[method]]
    errors = [error(result, network, states, found) for result in (coarse, fine)]
    assert errors[1] < ALLOWED * relative[1]
    assert errors[1] < max(0.6 * errors[0], FEW * relative[1])
    assert len(fine.impulses) == len(classic.impulses)
    for one, other in zip(fine.impulses, classic.impulses, strict=True):
        assert one.element == other.element
        assert one.strength == pytest.approx(other.strength, rel=ALLOWED * relative[1])
    if name in SHARED:
        return
    assert modes(fine, network) == [mode for _, mode in found.changes]
    assert fine.stats["events"] == classic.stats["events"]


FRICTION = """
model Blocks
  import Modelica.Mechanics.Translational.*;
  Components.Mass m1(m=2, L=0, s(start=0, fixed=true), v(start=0, fixed=true));
  Components.Mass m2(m=1, L=0, s(start=0, fixed=true), v(start=0, fixed=true));
  Hybrid.Mechanics.SixStateFriction f1(Fs={0}, Fd=3, cf=0.5), f2(Fs={1}, Fd=2, cf=0.3);
  Components.Fixed floor;
  Sources.Force u1(f=5*sin(time)), u2(f=4.5*sin(1.7*time));
equation
  connect(floor.flange, f1.flange_a);
  connect(f1.flange_b, m1.flange_a);
  connect(m1.flange_b, f2.flange_a);
  connect(f2.flange_b, m2.flange_a);
  connect(u1.flange, m1.flange_b);
  connect(u2.flange, m2.flange_b);
  annotation(experiment(StopTime=20));
end Blocks;
"""
# What has no implicit part: text, first event, final values.
OTHERS: dict[str, tuple[str, float, dict[str, float]]] = {
    "sliding_mode": (
        "model M Real x(start=1.5, fixed=true), y(start=1, fixed=true); equation "
        "der(x) = if x > y then -2 else 2; der(y) = if y > x then -3 else 1.5; end M;",
        1 / 7,
        {"x": 31 / 34, "y": 31 / 34},
    ),
    "bouncing_ball": (
        "model M Real h(start=1, fixed=true), v(start=0, fixed=true); equation der(h) = v; "
        "der(v) = -9.81; when h < 0 then reinit(v, -0.7*pre(v)); end when; "
        "annotation(experiment(StopTime=4)); end M;",
        0.4515236409857309,
        {"h": 0.0, "v": 0.0},
    ),
    "hysteresis_H9_12": (
        "model M Hybrid.Signals.DryHysteresis h(u=2*cos(time)); "
        "annotation(experiment(StopTime=10)); end M;",
        2 * np.pi / 3,
        {"h.y": -1.0},
    ),
    "limiter_H9_13": (
        "model M Real x = 2*cos(time), y = if x > 1 then 1 else if x < -1 then -1 else x; "
        "annotation(experiment(StopTime=10)); end M;",
        np.pi / 3,
        {"y": -1.0},
    ),
    "two_block_friction_coulomb": (
        FRICTION.format(3, 2),
        0.24219028399248,
        {"m1.s": 0.76941157293624, "m2.s": 1.6243175377726},
    ),
    "two_block_friction_ambiguous": (
        FRICTION.format(3.3, 2.2),
        0.26765600102143,
        {"m1.s": 0.76901151356028, "m2.s": 1.6083785391742},
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("method", QUANTA)
@pytest.mark.parametrize("name", OTHERS)
def test_references_without_an_implicit_part(tmp_path, name, method):
    text, first, last = OTHERS[name]
    path = tmp_path / "model.mo"
    path.write_text(text)
    quantum = 1e-3 if method in FIRST else 1e-4
    result = fw.load(path).simulate(solver=method, quantum=str(quantum))

    assert result.events[0].time == pytest.approx(first, abs=0.1 * quantum)
    for variable, value in last.items():
        assert result.final(variable) == pytest.approx(value, abs=ALLOWED * quantum), variable


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("method", ["qss2", "liqss3"])
def test_some_circuits(known, name, method):
    check(known, name, method)


def test_a_long_cascade_begins_where_all_is_zero(tmp_path):
    """At the start nothing has moved: what rounding leaves beyond a corner is beside nothing else."""
    network, _ = ladder(10)
    path = tmp_path / "Cascade.mo"
    path.write_text(network.modelica())
    model = fw.load(path)
    expected = model.simulate(stop=1e-3)
    result = model.simulate(stop=1e-3, solver="qss3", quantum="1e-5")

    assert result.stats["events"] < 5
    for name in ("A0.v", "B0.v", "B9.v"):
        assert result.final(name) == pytest.approx(expected.final(name), abs=1e-4)


@pytest.mark.long
@pytest.mark.parametrize("method", QUANTA)
@pytest.mark.parametrize(
    "name", [*REFERENCES, *(name for name in CIRCUITS if name not in REFERENCES)]
)
def test_all_circuits_by_all_methods(known, name, method):
    check(known, name, method)
