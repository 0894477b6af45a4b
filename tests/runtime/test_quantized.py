"""Quantized-state methods on compiled models: orders, bounds, step counts, events, failures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from freewheel.api import Model, load
from freewheel.base.diagnostics import SimulationError, UsageError
from freewheel.result.store import Result

TWO_STATES = """
model TwoStates
  Real x1(start = 4, fixed = true), x2(start = -4, fixed = true);
equation
  der(x1) = -x1 - x2 + 0.2;
  der(x2) = x1 - x2 + 1.2;
end TwoStates;
"""
MATRIX = np.array([[-1.0, -1.0], [1.0, -1.0]])
REST = -np.linalg.solve(MATRIX, [0.2, 1.2])
METHODS = ("qss1", "qss2", "qss3", "liqss1", "liqss2", "liqss3", "mliqss2", "cqss")
ORDER = {
    "qss1": 1,
    "cqss": 1,
    "liqss1": 1,
    "qss2": 2,
    "liqss2": 2,
    "mliqss2": 2,
    "qss3": 3,
    "liqss3": 3,
}

Compile = Callable[[str], Model]


@pytest.fixture(scope="module")
def model_of(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    known: dict[str, Model] = {}

    def made(text: str) -> Model:
        if text not in known:
            path: Path = tmp_path_factory.mktemp("models") / "model.mo"
            path.write_text(text)
            known[text] = load(path)
        return known[text]

    return made


def exact(times: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eig(MATRIX)
    weights = np.linalg.solve(vectors, np.array([4.0, -4.0]) - REST)
    motion = vectors @ (weights[:, None] * np.exp(values[:, None] * times))
    found: np.ndarray = REST[:, None] + motion.real
    return found


def error_of(result: Result) -> np.ndarray:
    """Largest error of each state on the grid."""
    states = np.array([result["x1"], result["x2"]])
    found: np.ndarray = np.abs(states - exact(result.time)).max(axis=1)
    return found


# The first four are what is known of the best implementation: 8098, 445, 173, 103.
COUNTS = {"qss1": 8098, "qss2": 440, "liqss2": 173, "mliqss2": 99, "qss3": 448, "liqss3": 120}


@pytest.mark.parametrize("method", COUNTS)
def test_steps_of_two_linear_states(model_of: Compile, method: str) -> None:
    result = model_of(TWO_STATES).simulate(stop=80.0, solver=method, quantum="1e-3,1e-3")

    assert result.stats["steps"] == COUNTS[method]
    assert error_of(result).max() < 6e-3


@pytest.mark.parametrize("method", METHODS)
def test_a_smaller_quantum_gives_a_smaller_error_by_more_steps(
    model_of: Compile, method: str
) -> None:
    """Error goes with the quantum, the number of steps with its root of the method's order."""
    model = model_of(TWO_STATES)
    finer = {1: 1e-4, 2: 1e-6, 3: 1e-7}[ORDER[method]]
    coarse = model.simulate(stop=3.0, solver=method, quantum="1e-2")
    fine = model.simulate(stop=3.0, solver=method, quantum=str(finer))

    assert error_of(fine).max() < 4.0 * finer
    growth = float(fine.stats["steps"]) / float(coarse.stats["steps"])
    assert np.log(growth) / np.log(1e-2 / finer) == pytest.approx(1.0 / ORDER[method], abs=0.06)


@pytest.mark.parametrize("seed", range(6))
def test_first_order_errors_keep_their_bound(model_of: Compile, seed: int) -> None:
    """|e| <= |V| |Re(L)^-1 L| |V^-1| dQ for stable linear systems (Kofman 2002)."""
    random = np.random.default_rng(seed)
    matrix = random.normal(size=(3, 3)) - 3.0 * np.eye(3)
    rows = [
        f"  der(x[{i + 1}]) = " + " + ".join(f"({matrix[i, j]:.17g})*x[{j + 1}]" for j in range(3))
        for i in range(3)
    ]
    text = "model Linear\n  Real x[3](each start = 1, each fixed = true);\nequation\n"
    model = model_of(text + ";\n".join(rows) + ";\nend Linear;\n")
    result = model.simulate(stop=4.0, solver="qss1", quantum="1e-2")
    values, vectors = np.linalg.eig(matrix)
    weights = np.linalg.solve(vectors, np.ones(3))
    motion = (vectors @ (weights[:, None] * np.exp(values[:, None] * result.time))).real
    states = np.array([result[f"x[{i + 1}]"] for i in range(3)])
    shares = np.abs(values / values.real)
    bound = np.abs(vectors) @ np.diag(shares) @ np.abs(np.linalg.inv(vectors)) @ np.full(3, 1e-2)

    assert np.all(np.abs(states - motion).max(axis=1) <= bound * (1 + 1e-9))


def test_a_run_is_the_same_each_time(model_of: Compile) -> None:
    model = model_of(TWO_STATES)
    one, two = (model.simulate(stop=5.0, solver="liqss2", quantum="1e-4") for _ in range(2))

    assert one["x1"].tobytes() == two["x1"].tobytes()


def test_a_fresh_translation_runs_the_same_bytes(tmp_path: Path) -> None:
    """With events, in all columns; nothing depends on the order of sets or on addresses."""
    found = []
    for file in ("one.mo", "two.mo"):
        (tmp_path / file).write_text(CHAIN)
        result = load(tmp_path / file).simulate(stop=3.0, solver="liqss2", quantum="1e-4")
        columns = [result[name].tobytes() for name in result]
        found.append((result.time.tobytes(), columns, result.stats["steps"]))

    assert found[0] == found[1]


@pytest.mark.parametrize("method", ["qss2", "qss3", "liqss2", "liqss3"])
def test_rows_between_steps_lie_on_the_polynomials(model_of: Compile, method: str) -> None:
    """Far more rows than steps, each as good as the others."""
    result = model_of(TWO_STATES).simulate(
        stop=3.0, solver=method, quantum="1e-5", interval=3.0 / 50_000
    )

    assert int(result.stats["steps"]) < 2500
    assert len(result.time) == 50_001
    assert error_of(result).max() < 4e-5


def test_each_state_can_have_its_quantum(model_of: Compile) -> None:
    model = model_of(TWO_STATES)
    both = model.simulate(stop=5.0, solver="qss2", quantum="1e-3")
    one = model.simulate(stop=5.0, solver="qss2", quantum=("1e-3", "x2=1e-6"))

    assert one.stats["steps"] > 5 * both.stats["steps"]


def test_a_relative_quantum_follows_the_size_of_the_state(model_of: Compile) -> None:
    text = "model Decay\n  Real x(start = 1e6, fixed = true);\nequation\n  der(x) = -x;\nend Decay;"
    result = model_of(text).simulate(stop=20.0, solver="qss2", quantum="1e-3,1e-12")

    assert result["x"] == pytest.approx(1e6 * np.exp(-result.time), rel=1e-2)
    assert result.stats["steps"] < 2000


STIFF = """
model Stiff
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 0.01*y;
  der(y) = -100*x - 100*y + 2020;
end Stiff;
"""


def test_linearly_implicit_steps_of_a_stiff_model_are_few(model_of: Compile) -> None:
    model = model_of(STIFF)
    explicit = model.simulate(stop=500.0, solver="qss2", quantum="0.01")
    implicit = model.simulate(stop=500.0, solver="liqss2", quantum="0.01")

    assert explicit.stats["steps"] > 10_000
    assert implicit.stats["steps"] < 300
    assert implicit["x"][-1] == pytest.approx(explicit["x"][-1], abs=0.1)


DIVIDER = """
model Loops "rates behind a linear and a nonlinear loop"
  Real x(start = 1, fixed = true), a, b, p;
equation
  a + 2*b = x;
  3*a - b = sin(time);
  p^3 + p = a + x;
  der(x) = -b - 0.1*p;
end Loops;
"""


@pytest.mark.parametrize("method", ["qss2", "qss3", "liqss2", "liqss3"])
def test_algebraic_loops_and_functions_of_time(model_of: Compile, method: str) -> None:
    model = model_of(DIVIDER)
    expected = model.simulate(stop=10.0, tol=1e-9)
    result = model.simulate(stop=10.0, solver=method, quantum="1e-5")

    assert result["x"] == pytest.approx(expected["x"], abs=5e-5)
    assert result["p"] == pytest.approx(expected["p"], abs=2e-4)


BALL = """
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer hits(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.8*pre(v));
    hits = pre(hits) + 1;
  end when;
end Ball;
"""


@pytest.mark.parametrize("method", ["qss2", "qss3", "liqss2"])
def test_jumps_of_states_at_events(model_of: Compile, method: str) -> None:
    result = model_of(BALL).simulate(stop=1.9, solver=method, quantum="1e-6")
    fall = np.sqrt(2.0 / 9.81)
    times = fall * (1.0 + 2.0 * np.cumsum([0.0, 0.8, 0.64]))

    hits = result.time[1:][np.diff(result["hits"]) > 0.5]
    assert hits == pytest.approx(times, abs=1e-4)
    assert result["hits"][-1] == 3.0


SAMPLED = """
model Sampled "a controller that looks at the state ten times a second"
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  der(x) = -x + u;
  when sample(0.1, 0.1) then
    u = pre(u) - 0.5*x;
  end when;
end Sampled;
"""


@pytest.mark.parametrize("method", METHODS)
def test_samples(model_of: Compile, method: str) -> None:
    model = model_of(SAMPLED)
    expected = model.simulate(stop=2.0, tol=1e-9)
    result = model.simulate(stop=2.0, solver=method, quantum="1e-5")

    assert [event.time for event in result.events] == [event.time for event in expected.events]
    between = np.arange(0.05, 2.0, 0.1)
    found, right = (np.interp(between, r.time, r["u"]) for r in (result, expected))
    assert found == pytest.approx(right, abs=3e-4)
    assert result["x"][-1] == pytest.approx(expected["x"][-1], abs=1e-4)


SWITCHED = """
model Thermostat
  Real T(start = 15, fixed = true);
  Boolean heats(start = true, fixed = true);
equation
  heats = if pre(heats) then T < 21 else T < 19;
  10*der(T) = 10 - T + (if heats then 20 else 0);
end Thermostat;
"""


@pytest.mark.parametrize("method", METHODS)
def test_state_events_are_those_of_a_classic_solver(model_of: Compile, method: str) -> None:
    model = model_of(SWITCHED)
    expected = model.simulate(stop=50.0, tol=1e-9)
    result = model.simulate(stop=50.0, solver=method, quantum="1e-4")
    times = [event.time for event in result.events]

    assert times == pytest.approx([event.time for event in expected.events], abs=5e-3)
    assert len(times) > 5


CHAIN = """
model Chain "more states than have their events told one by one"
  parameter Integer n = 80;
  Real x[n](each start = 0, each fixed = true);
equation
  der(x[1]) = (if time < 1 then 1 else 0) - x[1];
  for i in 2:n loop
    der(x[i]) = (if x[i - 1] > 0.1 then 1 else 0) - x[i];
  end for;
end Chain;
"""


@pytest.mark.parametrize("method", ["qss2", "liqss2", "qss3"])
def test_events_that_only_rows_notice(model_of: Compile, method: str) -> None:
    model = model_of(CHAIN)
    expected = model.simulate(stop=6.0, tol=1e-8)
    result = model.simulate(stop=6.0, solver=method, quantum="1e-5")

    assert result.stats["events"] == expected.stats["events"]
    for name in ("x[1]", "x[5]", "x[20]"):
        assert result[name][-1] == pytest.approx(expected[name][-1], abs=2e-4)


CELLS = """
model Cells "more states than have their events told: each cell fires, rests, counts and warms by itself"
  parameter Integer n = 40;
  Real x[n](start = {i/n for i in 1:n}, each fixed = true);
  Real T[n](each start = 20, each fixed = true);
  Boolean heats[n](each start = true, each fixed = true);
  Integer fired[n](each start = 0, each fixed = true);
  discrete Real last[n](each start = 0, each fixed = true);
  discrete Real push(start = 1, fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = 1 + i/n + push - x[i];
    when x[i] > 1 then
      reinit(x[i], -0.1*pre(x[i]) + 0.01*pre(fired[i]));
      fired[i] = pre(fired[i]) + 1;
      last[i] = time;
    end when;
    heats[i] = if pre(heats[i]) then T[i] < 21 else T[i] < 19;
    der(T[i]) = 15 - T[i] + (if heats[i] then 10 + i/n else 0);
  end for;
  when sample(0.5, 0.5) then
    push = if pre(push) > 0.5 then 0 else 1;
  end when;
end Cells;
"""


@pytest.mark.parametrize("method", ["qss2", "qss3", "liqss2", "mliqss2"])
def test_events_that_few_equations_ask_about(model_of: Compile, method: str) -> None:
    """The same as by the equations of the whole model, which an event log asks for."""
    model = model_of(CELLS)
    expected = model.simulate(stop=4.0, tol=1e-9)
    whole = model.simulate(stop=4.0, solver=method, quantum="1e-6", event_log=True)
    result = model.simulate(stop=4.0, solver=method, quantum="1e-6")

    # Two at one instant count as one where all equations are looked at.
    assert int(result.stats["events"]) >= int(whole.stats["events"]) > 300
    for i in (1, 13, 40):
        assert result[f"fired[{i}]"][-1] == whole[f"fired[{i}]"][-1] == expected[f"fired[{i}]"][-1]
        assert result[f"last[{i}]"][-1] == pytest.approx(expected[f"last[{i}]"][-1], abs=1e-4)
        assert result[f"heats[{i}]"][-1] == expected[f"heats[{i}]"][-1]
        for name in (f"x[{i}]", f"T[{i}]"):
            assert result[name][-1] == pytest.approx(whole[name][-1], abs=1e-5)
            assert result[name][-1] == pytest.approx(expected[name][-1], abs=1e-4)


JUMPS_TOGETHER = """
model Together "a jump that makes other relations change sides"
  parameter Integer n = 70;
  Real x[n](start = {i/(2*n) for i in 1:n}, each fixed = true);
  Boolean high[n](each start = false, each fixed = true);
  Integer changes[n](each start = 0, each fixed = true);
equation
  for i in 1:n loop
    high[i] = if pre(high[i]) then x[i] > 0.6 else x[i] > 0.8;
    der(x[i]) = 1 - (if high[i] then 0.5 else 0);
    when x[i] > 1 then
      reinit(x[i], 0);
    end when;
    when change(high[i]) then
      changes[i] = pre(changes[i]) + 1;
    end when;
  end for;
end Together;
"""


@pytest.mark.parametrize("method", ["qss2", "liqss2"])
def test_a_jump_that_others_notice(model_of: Compile, method: str) -> None:
    model = model_of(JUMPS_TOGETHER)
    expected = model.simulate(stop=5.0, tol=1e-9)
    result = model.simulate(stop=5.0, solver=method, quantum="1e-5")

    for i in (1, 20, 70):
        assert result[f"changes[{i}]"][-1] == expected[f"changes[{i}]"][-1] > 4
        assert result[f"x[{i}]"][-1] == pytest.approx(expected[f"x[{i}]"][-1], abs=1e-4)


def test_inputs_follow_their_table(model_of: Compile, tmp_path: Path) -> None:
    text = "model M\n  input Real u;\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = u - x;\nend M;"
    table = tmp_path / "u.csv"
    table.write_text('"time","u"\n0,0\n1,2\n1,5\n3,5\n4,0\n')
    model = model_of(text)
    expected = model.simulate(stop=4.0, tol=1e-9, input_file=table)
    for method in ("qss1", "qss2", "liqss2", "qss3"):
        result = model.simulate(stop=4.0, solver=method, quantum="1e-4", input_file=table)
        assert result["x"][-1] == pytest.approx(expected["x"][-1], abs=5e-4)


# ---------------------------------------------------------------- what cannot be


@pytest.mark.parametrize("quantum", ["0", "-1", "nan", "1e-3,0"])
def test_a_quantum_must_be_positive(model_of: Compile, quantum: str) -> None:
    with pytest.raises(UsageError, match="not possible"):
        model_of(TWO_STATES).simulate(solver="qss1", quantum=quantum)


@pytest.mark.parametrize("quantum", ["fine", "1,2,3", "=1"])
def test_a_quantum_is_one_or_two_numbers(model_of: Compile, quantum: str) -> None:
    with pytest.raises(UsageError, match="is no quantum"):
        model_of(TWO_STATES).simulate(solver="qss1", quantum=quantum)


def test_a_quantum_names_a_state(model_of: Compile) -> None:
    with pytest.raises(UsageError, match="no state `y`"):
        model_of(TWO_STATES).simulate(solver="qss1", quantum="y=1e-3")


def test_a_flood_of_steps_ends_with_a_message(model_of: Compile) -> None:
    text = "model Fast\n  Real x(start = 1);\nequation\n  der(x) = 1e9*sin(1e9*time);\nend Fast;"
    with pytest.raises(SimulationError, match="steps"):
        model_of(text).simulate(stop=1.0, solver="qss1", quantum="1e-9")


@pytest.mark.parametrize("method", METHODS)
def test_corners_without_events_are_not_missed(model_of: Compile, method: str) -> None:
    """Between them each row is a straight line or a constant, whose polynomial would do for ever."""
    text = """
model Corners
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = abs(time - 1);
  der(y) = noEvent(if time > 1 then 1 else 0);
  der(z) = max(y - 0.3, 0);
end Corners;
"""
    result = model_of(text).simulate(stop=2.0, solver=method, quantum="1e-3")
    late = np.maximum(result.time - 1.0, 0.0)
    x = np.where(late > 0.0, 0.5 + 0.5 * late**2, result.time - 0.5 * result.time**2)

    assert np.abs(result["x"] - x).max() < 3e-3
    assert result["y"][-1] == pytest.approx(1.0, abs=1e-9)
    assert result["z"][-1] == pytest.approx(0.5 * 0.7**2, abs=3e-3)


@pytest.mark.parametrize("method", ["qss3", "liqss3"])
def test_a_row_whose_derivatives_happen_to_vanish_is_looked_at(
    model_of: Compile, method: str
) -> None:
    """At the start y is 1 and all derivatives that a method of order 3 knows of it are zero."""
    text = """
model Still
  Real x(start = 0, fixed = true), y(start = 1, fixed = true);
equation
  der(x) = 1;
  der(y) = -4*x^3;
end Still;
"""
    result = model_of(text).simulate(stop=1.0, solver=method, quantum="1e-4")

    assert np.abs(result["y"] - (1 - result.time**4)).max() < 1e-3


def test_a_row_without_a_value_is_named(model_of: Compile) -> None:
    text = "model R\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -1 - 1e-3*sqrt(x);\nend R;"
    with pytest.raises(SimulationError):
        model_of(text).simulate(stop=3.0, solver="qss2", quantum="1e-3")


BENDS = """
model Bends "a rate that begins to follow time only after an event"
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < 5 then 0 else sin(8*(time - 5));
end Bends;
"""


@pytest.mark.parametrize("method", METHODS)
def test_a_rate_that_begins_to_swing(model_of: Compile, method: str) -> None:
    result = model_of(BENDS).simulate(stop=10.0, solver=method, quantum="1e-3")
    expected = np.where(result.time < 5.0, 0.0, (1.0 - np.cos(8.0 * (result.time - 5.0))) / 8.0)

    assert result["x"] == pytest.approx(expected, abs=8e-3)


FALLING = """
model Falling "bounces lower each time"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.7*pre(v));
  end when;
end Falling;
"""
SLIDING = """
model Sliding
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
end Sliding;
"""


@pytest.mark.parametrize("text", [FALLING, SLIDING], ids=["falling", "sliding"])
@pytest.mark.parametrize("method", ["qss2", "qss3", "liqss2", "mliqss2"])
def test_what_rests_or_slides_goes_on_by_a_classic_method(
    model_of: Compile, text: str, method: str
) -> None:
    result = model_of(text).simulate(stop=5.0, solver=method, tol=1e-4)
    state = "h" if text is FALLING else "x"

    assert result[state][-1] == pytest.approx(0.0, abs=1e-6)
    assert result[state].min() > -1e-6
    assert any(f"changed from {method} to dopri5" in note.message for note in result.warnings)


RAMP = """
model Ramp "a signal that leaves zero when its ramp begins"
  Real force = if time < 1 then 0 elseif time < 2 then time - 1 else 1;
  Boolean pressed = force > 0;
  Real x(start = 0, fixed = true);
equation
  der(x) = if pressed then 1 else 0;
end Ramp;
"""


@pytest.mark.parametrize("method", METHODS)
def test_a_signal_that_leaves_zero_is_noticed_at_once(model_of: Compile, method: str) -> None:
    result = model_of(RAMP).simulate(stop=3.0, solver=method, quantum="1e-3")

    assert result["x"][-1] == pytest.approx(2.0, abs=3e-3)
    assert result["pressed"][-1] == 1.0


def test_small_parts_wake_relations_that_mattered_to_nobody(
    model_of: Compile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A diode asks for the sign of its current only when its switch opens. Meanwhile that has changed, and
    events that concern few equations must notice it as those of the whole model do."""
    text = """
model Branch
  parameter Real L = 1e-4, T = 1e-4, on = 1e-5, off = 1e5;
  Real i(start = 0, fixed = true), u(start = 0, fixed = true);
  discrete Real since(start = 0, fixed = true);
  Boolean closed, conducts(start = false, fixed = true);
  Real Rs = if closed then on else off, Rd = if conducts then on else off;
equation
  when sample(1e-8, T) then
    since = time;
  end when;
  closed = time >= since + 0.5*T and time < since + 0.7*T;
  conducts = not closed and (pre(closed) or pre(conducts)) and i > 0;
  L*der(i) = (24/Rs - i)*(Rs*Rd/(Rs + Rd)) - u;
  1e-4*der(u) = i - u/10;
end Branch;
"""
    options = {"stop": 2e-3, "solver": "liqss2", "quantum": "1e-4,1e-4", "interval": 1e-5}
    whole = model_of(text).simulate(**options)
    monkeypatch.setattr("freewheel.runtime.qss.engine.FEW_STATES", 0)
    parts = model_of(text).simulate(**options)

    assert whole["conducts"].max() == 1.0
    assert parts.stats["steps"] == whole.stats["steps"]
    assert parts["u"][-1] == pytest.approx(whole["u"][-1], rel=1e-9)


RECTIFIERS = """
model Rectifiers "the voltage of a closed switch is exactly zero"
  parameter Integer n = 1;
  Real v[n](each start = 0, each fixed = true), u[n], i[n];
  Boolean open[n](each start = true, each fixed = true);
equation
  for k in 1:n loop
    u[k] = sin(6.28*(1 + 0.01*k)*time) - v[k] - i[k];
    0 = if pre(open[k]) then i[k] else u[k];
    open[k] = u[k] <= 0 and not i[k] > 0;
    10*der(v[k]) = i[k] - 0.1*v[k];
  end for;
end Rectifiers;
"""


@pytest.mark.parametrize("size", [1, 70], ids=["whole", "parts"])
@pytest.mark.parametrize("method", METHODS)
def test_a_relation_that_comes_to_rest_on_zero(model_of: Compile, method: str, size: int) -> None:
    """It rests on neither side, whichever way it had gone: a diode that closed at a rising voltage opens
    again."""
    model = model_of(RECTIFIERS)
    expected = model.simulate(stop=3.0, tol=1e-8, params={"n": size})
    result = model.simulate(stop=3.0, solver=method, quantum="1e-4", params={"n": size})

    assert result["open[1]"].min() == 0.0
    for k in (1, size):
        assert result[f"v[{k}]"][-1] == pytest.approx(expected[f"v[{k}]"][-1], abs=2e-3)


@pytest.mark.parametrize("method", ["liqss1", "liqss2", "liqss3", "mliqss2"])
def test_a_state_that_becomes_stiff_at_an_event_stays_where_it_was_seen(method: str) -> None:
    """Beyond its valley a tunnel diode is steep. The relation that crossed there saw x, from then on q is
    seen: if that were still on the other side, both would switch for ever."""
    model = load("Hybrid.Examples.TunnelOscillator")
    expected = model.simulate(tol=1e-8)
    result = model.simulate(solver=method, quantum="1e-4,1e-8")

    for state, margin in (("inductor.i", 3e-5), ("capacitor.v", 2e-2)):
        assert result[state][-1] == pytest.approx(expected[state][-1], abs=margin)


@pytest.mark.parametrize("method", METHODS)
def test_noise_around_zero_is_no_crossing(method: str) -> None:
    """A velocity that rests is noise; the band that the event iteration has put around it holds."""
    model = load("Hybrid.Examples.TwoBlocks")
    expected = model.simulate(tol=1e-8)
    result = model.simulate(solver=method, quantum="1e-3")

    assert result["m2.s"][-1] == pytest.approx(expected["m2.s"][-1], abs=2e-2)


ARC = """
model Arc "a switch with an arc, which ends where the current is nearly zero, opens again and again"
  Real i(start = 0, fixed = true);
  Boolean off = sin(time) > 0, quenched(start = false, fixed = true);
  Real v = if not off then 0 elseif quenched then 1e5*i else (60 + 0.1*sin(time))*sign(i);
equation
  quenched = off and (abs(i) <= 1e-5*abs(v) or pre(quenched));
  0.1*der(i) = 50 - v - i;
end Arc;
"""


@pytest.mark.parametrize("method", ["liqss1", "liqss2", "liqss3", "mliqss2"])
def test_a_relation_that_slept_is_as_sharp_as_before(model_of: Compile, method: str) -> None:
    """While it matters to nobody it rests; looks at it then are no wrong predictions."""
    result = model_of(ARC).simulate(stop=15.0, solver=method, quantum="1e-3")

    late = (result.time % (2 * np.pi) > 1.0) & (result.time % (2 * np.pi) < 3.0)
    assert result["quenched"][late].min() == 1.0
    assert np.abs(result["i"][late]).max() < 2e-3


FAST = """
model Fast "signals that swing a thousand times, seen by relations only"
  Real phi(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), k(start = 0, fixed = true);
equation
  der(phi) = 300;
  when sin(314.159*time) > 0.5 then
    n = pre(n) + 1;
  end when;
  when cos(phi) > 0.3 then
    k = pre(k) + 1;
  end when;
end Fast;
"""


@pytest.mark.parametrize("method", METHODS)
def test_relations_that_bend_are_looked_at_as_often_as_they_need(
    model_of: Compile, method: str
) -> None:
    result = model_of(FAST).simulate(stop=20.0, solver=method, quantum="1e-2")

    assert result["n"][-1] == 1000
    assert result["k"][-1] == 955


@pytest.mark.parametrize("method", METHODS)
def test_a_rate_that_vanishes_where_a_state_is_reset(model_of: Compile, method: str) -> None:
    """All coefficients are rounding there: their quotient is no time to time_to_step."""
    text = """
model Mean
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 100*abs(sin(314.159265358979323846*time));
  when sample(0.01, 0.01) then
    y = pre(x);
    reinit(x, 0);
  end when;
end Mean;
"""
    result = model_of(text).simulate(stop=0.1, solver=method, quantum="1e-3")

    assert result["y"][-1] == pytest.approx(2 / np.pi, abs=5e-3)


@pytest.mark.parametrize("quantum", ["1e-2", "1e-4"])
@pytest.mark.parametrize("method", METHODS)
def test_a_state_with_a_curved_rate_is_reset(model_of: Compile, method: str, quantum: str) -> None:
    text = """
model Square
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real u(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(u) = v;
  der(v) = -u;
  der(x) = u*u;
  when sample(0.5, 0.5) then
    y = pre(x);
    reinit(x, 0);
  end when;
end Square;
"""
    result = model_of(text).simulate(stop=5.0, solver=method, quantum=quantum)

    exact = 0.25 + (np.sin(10.0) - np.sin(9.0)) / 4
    assert result["y"][-1] == pytest.approx(exact, abs=5 * float(quantum))


@pytest.mark.parametrize("quantum", ["1e-1", "1e-2", "1e-3"])
@pytest.mark.parametrize("method", ["qss1", "liqss1", "cqss"])
def test_nobody_falls_through_the_floor(model_of: Compile, method: str, quantum: str) -> None:
    """Not even where a jump upwards is smaller than a quantum."""
    text = """
model Bouncing
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.5*pre(v));
  end when;
end Bouncing;
"""
    result = model_of(text).simulate(stop=3.0, solver=method, quantum=quantum)

    assert result["h"].min() > -1e-9
    assert result["h"][-1] < 1e-3


@pytest.mark.parametrize("method", ["qss2", "qss3", "liqss2", "liqss3", "mliqss2"])
def test_bends_without_events_cost_no_more_than_those_with(model_of: Compile, method: str) -> None:
    """A stop that is written with `max` bends a rate between two steps of the position."""
    text = """
model Stops
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -10*max(0, x - 0.2) + 10*max(0, -x - 0.2) - 0.1*v + 0.3*sin(2*time);
end Stops;
"""
    model = model_of(text)
    expected = model.simulate(stop=20.0, tol=1e-10)
    result = model.simulate(stop=20.0, solver=method, quantum="1e-6")

    assert np.abs(result["x"] - expected["x"]).max() < 3e-4
