"""EVT-19: the hysteresis-controlled engine, steps stretched to hit an event, Fibonacci search.

Of the engine document 002 prints the law Y(t) (9.2), the tolerance B_T = 200 A (9.3), that the load voltage
stays about 1184 V and that the filter voltage toggles between a sine and the same curve about 300 V higher.
It prints no values of the circuit: those of `Hybrid.Examples.HysteresisControl` are ours. Priorities that a
user can set are in test_EVT_1_priorities.py.
"""

from __future__ import annotations

import numpy as np
import pytest
from exact_hysteresis import Engine
from several_crossings import SEVERAL

import freewheel as fw
from freewheel.base.diagnostics import UsageError
from freewheel.runtime.events import root_solvers as roots
from freewheel.runtime.events.root_solvers import ROOT_SOLVERS

STOP = 3.1  # a little less than the half-period of Fig. 9.8
GOLDEN_RATIO = (1 + 5**0.5) / 2


@pytest.fixture(scope="module")
def engine():
    return fw.load("Hybrid.Examples.HysteresisControl").simulate()


@pytest.fixture(scope="module")
def exact():
    return Engine().run(STOP)


def switchings(r: fw.Result) -> np.ndarray:
    return r["time"][1:][np.diff(r["Az"]) != 0]


def test_EVT_19_the_engine_switches_when_the_exact_solution_does(engine, exact):
    times, x, opposes = exact
    assert len(times) == 328
    np.testing.assert_allclose(switchings(engine), times, rtol=0, atol=1e-11)
    assert engine.final("iL") == pytest.approx(x[0], rel=1e-9)
    assert engine.final("uz") == pytest.approx(x[1], rel=1e-9)
    assert engine.final("uF") == pytest.approx(Engine().filter_voltage(x, opposes), rel=1e-9)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-10])
def test_EVT_19_no_switching_is_lost_at_any_tolerance(exact, tolerance):
    r = fw.load("Hybrid.Examples.HysteresisControl").simulate(tol=tolerance)
    assert np.abs(switchings(r) - exact[0]).max() < max(1e-3 * tolerance, 1e-11)


def test_EVT_19_equations_9_2_and_9_3_hold(engine):
    """From the first switching on the current is within 200 A of 15e6/uL*sin(t), at all times."""
    begun = engine["time"] > switchings(engine)[0]
    off = (engine["iL"] - 15e6 / 1000.0 * np.sin(engine["time"]))[begun]
    assert np.abs(off).max() < 200.0 * (1 + 1e-9)
    assert off.min() < -199.99
    assert off.max() > 199.99


def test_EVT_19_load_and_filter_voltage_are_those_of_figure_9_8(engine):
    assert engine["uz"].min() > 1184 - 10
    assert engine["uz"].max() < 1184 + 10
    assert float(np.mean(engine["uz"])) == pytest.approx(1184, abs=3)
    # Two curves: a quarter of the load voltage lies between them at each switching, about 300 V.
    jumps = np.abs(np.diff(engine["uF"]))[np.diff(engine["Az"]) != 0]
    assert jumps == pytest.approx(np.full(328, 296.0), abs=4.0)
    quiet = engine["Az"] < 0.5
    sine = 0.75 * (1000 * np.sin(engine["time"]) - 0.002 * engine["iL"])
    np.testing.assert_allclose(engine["uF"][quiet], sine[quiet], atol=1e-6)


def test_EVT_19_the_step_size_does_not_creep(engine):
    """Fig. 9.10 shows steps that stay tiny while the gate is stuck. Here a step is short only where the next
    event is near: two or three steps from event to event, none below a millionth of the stay."""
    steps = engine.step_sizes
    assert len(steps) < 2.5 * 328
    assert steps[:, 1].min() > 1e-6 * np.diff(switchings(engine)).min()


# ---------------------------------------------------------------- steps stretched to hit an event

DECAY = """
model Decay
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x;
  when time >= AT then
    n = pre(n) + 1;
  end when;
end Decay;
"""
SOLVERS = ("dopri5", "rkf45", "rodas4", "radau", "lobatto")


def load(tmp_path, text: str, backend: str = "llvm") -> fw.Model:
    path = tmp_path / "m.mo"
    path.write_text(text)
    return fw.load(path, backend=backend)


def steps_to(tmp_path, solver: str, at: float, backend: str) -> tuple[np.ndarray, fw.Result]:
    r = load(tmp_path, DECAY.replace("AT", repr(at)), backend).simulate(
        stop=20.0, tol=1e-6, solver=solver
    )
    sizes = np.asarray(r.step_sizes)
    return sizes[sizes[:, 0] < at], r


@pytest.mark.parametrize(
    ("solver", "backend"),
    [*((s, "llvm") for s in SOLVERS), ("dopri5", "python"), ("radau", "python")],
)
@pytest.mark.parametrize(("share", "more"), [(1.02, 0), (1.09, 0), (1.15, 1)])
def test_EVT_19_an_event_up_to_ten_per_cent_beyond_a_step_is_hit_by_it(
    tmp_path, solver, backend, share, more
):
    """Where would the sixth step end if nothing were there? The event is put at a share of that step."""
    free, _ = steps_to(tmp_path, solver, 19.0, backend)
    (before, h), h_after = free[5], free[6, 1]
    at = float(before + share * h)
    steps, r = steps_to(tmp_path, solver, at, backend)

    assert len(steps) == 6 + more
    assert steps[-1].sum() == pytest.approx(at, rel=1e-15)
    assert steps[:5] == pytest.approx(free[:5], rel=1e-12)
    if more == 0:
        assert steps[5, 1] == pytest.approx(share * h, rel=1e-9)
    else:  # two halves instead of a step and a crumb
        assert steps[5, 1] == pytest.approx(steps[6, 1], rel=1e-9)
    assert steps[5:, 1].max() <= 1.1 * max(h, h_after)
    assert r.final("n") == 1
    assert r.final("x") == pytest.approx(np.exp(-20.0), rel=1e-4, abs=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_EVT_19_a_stretched_step_is_judged_by_its_error(tmp_path, solver):
    """Twenty events, each a few per cent beyond where a step would end: the tolerance still holds."""
    text = """
    model Pulses
      Real x(start = 0, fixed = true), y(start = 1, fixed = true);
      Integer n(start = 0, fixed = true);
    equation
      der(x) = y;
      der(y) = -x;
      when sample(0.37, 0.37) then
        n = pre(n) + 1;
      end when;
    end Pulses;
    """
    r = load(tmp_path, text).simulate(stop=20.0, tol=1e-7, solver=solver)
    assert np.abs(r["x"] - np.sin(r["time"])).max() < 2e-5
    assert r.final("n") == 54
    assert r.step_sizes[:, 1].min() > 1e-4


def test_EVT_19_the_implicit_core_stretches_too(tmp_path):
    """An ideal diode, and a sample that its steps meet: no step is shorter than a third of its neighbours."""
    text = """
    model Rectifier
      parameter Real T = 1.7e-3;
      Modelica.Electrical.Analog.Sources.SineVoltage source(V = 10, f = 50);
      Modelica.Electrical.Analog.Basic.Inductor choke(L = 0.01);
      Modelica.Electrical.Analog.Ideal.IdealDiode diode(Ron = 0, Goff = 0, Vknee = 0);
      Modelica.Electrical.Analog.Basic.Capacitor store(C = 1e-3, v(start = 0, fixed = true));
      Modelica.Electrical.Analog.Basic.Resistor load(R = 50);
      Modelica.Electrical.Analog.Basic.Ground ground;
      Integer n(start = 0, fixed = true);
    equation
      connect(source.p, choke.p); connect(choke.n, diode.p); connect(diode.n, store.p);
      connect(store.p, load.p); connect(source.n, ground.p); connect(store.n, ground.p);
      connect(load.n, ground.p);
      when sample(T, T) then
        n = pre(n) + 1;
      end when;
    end Rectifier;
    """
    r = load(tmp_path, text).simulate(stop=0.1, tol=1e-6)
    assert r.stats["solver"] == "core-radau"
    samples = 1.7e-3 * np.arange(1, 58)
    for at in samples:
        ends = r.step_sizes.sum(axis=1)
        [last] = np.flatnonzero(np.abs(ends - at) < 1e-12)[:1]
        begin, h = r.step_sizes[last]
        begun_by_event = any(abs(e.time - begin) < 1e-12 for e in r.events)
        assert begun_by_event or h > 0.3 * r.step_sizes[last - 1, 1]


# ---------------------------------------------------------------- Fibonacci search


def test_EVT_19_fibonacci_numbers_divide_the_bracket():
    """F(n-2)/F(n) of it, so that F(n-2) or F(n-1) units are left; machine code does the same."""
    assert [roots.fibonacci(n) for n in range(1, 10)] == [1, 1, 2, 3, 5, 8, 13, 21, 34]
    compiled = roots.roots.callable("fibonacci_share")
    for order in range(3, 80):
        share = roots.fibonacci_share(order)
        left, right = roots.fibonacci(order - 2), roots.fibonacci(order - 1)
        assert share * roots.fibonacci(order) == pytest.approx(left, rel=1e-12)
        assert left + right == roots.fibonacci(order)
        assert compiled(order) == share
    # In the limit it is the golden section.
    assert roots.fibonacci_share(79) == pytest.approx(roots.GOLDEN_SHARE, abs=1e-12)


@pytest.mark.parametrize("width", [1.0, 2.0, 10.0, 1e3, 1e6, 1e15])
def test_EVT_19_the_series_is_always_less_than_one_round_ahead_of_golden_section(width):
    """Section 9.5.1. Worst cases, where the zero lies in the larger part each time: rounds until one unit of
    the bracket is left."""
    fibonacci_rounds = roots.fibonacci_order(width) - 2 if width > 1 else 0
    golden_rounds = np.log(width) / np.log(GOLDEN_RATIO)
    assert 0 <= np.ceil(golden_rounds) - max(fibonacci_rounds, 0) <= 2
    assert golden_rounds - 1 <= fibonacci_rounds + 1


def narrowed(share, unit: float, zero: float) -> int:
    """Rounds until a bracket [0, 1] around `zero` is as narrow as `unit`."""
    a, b, rounds, order = 0.0, 1.0, 0, roots.fibonacci_order(1.0 / unit)
    while b - a > unit * (1 + 1e-9):
        t = a + share(order) * (b - a)
        if t > zero:
            b, order = t, order - 2
        else:
            a, order = t, order - 1
        rounds += 1
    return rounds


def test_EVT_19_with_the_number_of_rounds_decided_the_series_is_never_behind_by_more_than_rounding():
    random = np.random.default_rng(9)
    unit = 1.0 / roots.fibonacci(30)
    counts = np.array(
        [
            (
                narrowed(roots.fibonacci_share, unit, zero),
                narrowed(lambda _: roots.GOLDEN_SHARE, unit, zero),
            )
            for zero in random.uniform(0.0, 1.0, 500)
        ]
    )
    assert counts[:, 0].max() <= 28  # 30 - 2: decided in advance
    assert counts[:, 1].max() >= counts[:, 0].max()
    gain = counts[:, 1].mean() - counts[:, 0].mean()
    assert 0.0 < gain < 1.0


def test_EVT_19_fibonacci_search_locates_what_the_others_do(tmp_path):
    model = load(tmp_path, SEVERAL)
    found = {}
    for name in ("fibonacci", "golden", "illinois"):
        r = model.simulate(stop=1.0, tol=1e-8, root_solver=name)
        seen = [r.final(f"seen[{i}]") for i in range(1, 5)]
        assert seen == pytest.approx([0.61, 0.23, 0.87, 0.42], abs=1e-8)
        found[name] = r.stats["of these to locate events"]
    assert abs(found["fibonacci"] - found["golden"]) <= 8  # four events
    assert found["illinois"] < found["fibonacci"]


def test_EVT_19_the_root_solvers_there_are(tmp_path):
    assert "fibonacci" in ROOT_SOLVERS
    with pytest.raises(UsageError) as caught:
        load(tmp_path, SEVERAL).simulate(root_solver="fibonaci")
    assert caught.value.diagnostics[0].code == "U027"
    assert "did you mean `fibonacci`" in caught.value.diagnostics[0].help
