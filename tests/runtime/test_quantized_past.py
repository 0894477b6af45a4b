"""Quantized states that look back: `delay(..)` and `spatialDistribution(..)` against exact solutions."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from pathlib import Path

import numpy as np
import pytest

from freewheel.api import Model, load
from freewheel.base.diagnostics import SimulationError
from freewheel.result.store import Result

METHODS = ("qss1", "qss2", "qss3", "liqss1", "liqss2", "liqss3", "mliqss2", "cqss")
ORDER_1 = ("qss1", "liqss1", "cqss")
DELAY_EQUATION = "Real y(start = 1, fixed = true); equation der(y) = -delay(y, 1);"

Compile = Callable[[str], Model]


@pytest.fixture(scope="module")
def model_of(tmp_path_factory: pytest.TempPathFactory) -> Compile:
    known: dict[str, Model] = {}

    def made(text: str) -> Model:
        if text not in known:
            path: Path = tmp_path_factory.mktemp("models") / "M.mo"
            path.write_text(f"model M\n{text}\nend M;\n")
            known[text] = load(path)
        return known[text]

    return made


def by_steps(t: np.ndarray) -> np.ndarray:
    """y' = -y(t - 1), y = 1 before, by the method of steps."""
    y = np.ones_like(t)
    for k in range(1, 12):
        y += (-1) ** k * np.maximum(t - (k - 1), 0.0) ** k / factorial(k)
    return y


def error(result: Result, name: str, exact: Callable[[np.ndarray], np.ndarray]) -> float:
    return float(np.abs(result[name] - exact(result.time)).max())


@pytest.mark.parametrize("method", METHODS)
def test_a_delay_equation_within_a_few_quanta(model_of: Compile, method: str) -> None:
    model = model_of(DELAY_EQUATION)
    coarse = model.simulate(stop=6, solver=method, quantum="1e-3", interval=0.05)
    fine = model.simulate(stop=6, solver=method, quantum="1e-4", interval=0.05)

    assert error(coarse, "y", by_steps) < 3e-3
    assert error(fine, "y", by_steps) < 3e-4
    assert len(fine.events) == 0  # where the solution bends is a new segment like any other


@pytest.mark.parametrize(("method", "order"), [("qss1", 1), ("qss2", 2), ("qss3", 3)])
def test_steps_grow_with_the_root_of_the_quantum(
    model_of: Compile, method: str, order: int
) -> None:
    text = "Real y(start = 1, fixed = true); equation der(y) = -1.5*delay(y, 1);"
    quanta = ("1e-3", "1e-6") if order > 1 else ("1e-2", "1e-4")
    steps = [
        float(model_of(text).simulate(stop=40, solver=method, quantum=quantum).stats["steps"])
        for quantum in quanta
    ]
    decades = 3.0 if order > 1 else 2.0

    assert np.log10(steps[1] / steps[0]) == pytest.approx(decades / order, abs=0.2)


@pytest.mark.parametrize("method", METHODS)
def test_a_delay_that_varies(model_of: Compile, method: str) -> None:
    """The first look comes to the start at t = T(t), about 0.86."""
    text = """Real T = 0.5 + 0.4*sin(3*time); Real x(start = 1, fixed = true); Real y = delay(x, T, 1);
        Real z(start = 0, fixed = true); equation der(x) = -x; der(z) = y;"""
    quantum = 1e-3 if method in ORDER_1 else 1e-4
    result = model_of(text).simulate(stop=3, solver=method, quantum=str(quantum))

    def delayed(t: np.ndarray) -> np.ndarray:
        return np.exp(-np.maximum(t - 0.5 - 0.4 * np.sin(3 * t), 0.0))

    grid = np.linspace(0.0, 3.0, 30_001)
    inside = 0.5 * (delayed(grid)[1:] + delayed(grid)[:-1]) * np.diff(grid)
    integral = np.concatenate([[0.0], np.cumsum(inside)])

    assert error(result, "y", delayed) < 3 * quantum
    assert error(result, "z", lambda t: np.interp(t, grid, integral)) < 5 * quantum


@pytest.mark.parametrize("method", METHODS)
def test_a_delay_through_zero_shows_the_present(model_of: Compile, method: str) -> None:
    text = """Real T = abs(1 - time); Real x(start = 1, fixed = true); Real y = delay(x, T, 3);
        equation der(x) = -x;"""
    result = model_of(text).simulate(stop=2, solver=method, quantum="1e-3")

    def delayed(t: np.ndarray) -> np.ndarray:
        return np.exp(-np.maximum(t - np.abs(1 - t), 0.0))

    assert error(result, "y", delayed) < 3e-3


@pytest.mark.parametrize("method", METHODS)
def test_jumps_arrive_one_delay_later_as_events(model_of: Compile, method: str) -> None:
    text = """Boolean b = time >= 0.25 and time < 0.75; Real y = delay(if b then 1 else 0, 0.4);
        Real z(start = 0, fixed = true); equation der(z) = y;"""
    result = model_of(text).simulate(stop=2, solver=method, quantum="1e-3")
    times = [event.time for event in result.events]

    assert {0.65, 1.15} <= {round(time, 12) for time in times}
    assert result["z"][-1] == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("method", ["qss1", "qss3", "liqss2"])
def test_delays_of_delays_and_derivatives_of_them(model_of: Compile, method: str) -> None:
    """w is the derivative of a delayed signal, which a constraint asks for."""
    text = """Real x(start = 1, fixed = true); Real a = delay(x, 0.5); Real b = delay(a, 0.25);
        Real z; Real w; equation der(x) = -x; a = z + 1; der(z) = w;"""
    quantum = 1e-4
    result = model_of(text).simulate(stop=2, solver=method, quantum=str(quantum))
    later = result.time > 0.6

    def back(lag: float) -> np.ndarray:
        return np.exp(-np.maximum(result.time - lag, 0.0))

    assert np.abs(result["b"] - back(0.75)).max() < 3 * quantum
    assert np.abs(result["w"] + back(0.5))[later].max() < 4 * quantum**0.5


@pytest.mark.parametrize("method", METHODS)
def test_relations_see_delayed_signals(model_of: Compile, method: str) -> None:
    """A relay with dead time: a limit cycle of period 0.4 s between -0.1 and 0.1."""
    text = """Real x(start = 1, fixed = true); equation
        der(x) = if delay(x, 0.1) > 0 then -1 else 1;"""
    result = model_of(text).simulate(stop=3, solver=method, quantum="1e-4")
    phase = (result.time - 1.1) % 0.4
    exact = np.where(
        result.time < 1.1, 1 - result.time, np.where(phase < 0.2, phase - 0.1, 0.3 - phase)
    )
    late = 3e-3 if method in ORDER_1 else 1e-9  # each switch is late by up to a quantum

    assert np.abs(result["x"] - exact).max() < late
    assert len(result.events) < 6 * 2 / 0.2 + 6


@pytest.mark.parametrize("method", METHODS)
def test_a_delay_time_out_of_bounds_is_told(model_of: Compile, method: str) -> None:
    model = model_of("Real y = delay(time, 2*time, 1);")

    with pytest.raises(SimulationError, match="beyond its largest value 1") as found:
        model.simulate(stop=2, solver=method)
    assert found.value.diagnostics[0].code == "R020"


def test_long_runs_forget_what_is_too_old(model_of: Compile) -> None:
    from freewheel.runtime.settings import Settings
    from freewheel.runtime.simulate import Simulation

    text = "Real y(start = 1, fixed = true); equation der(y) = -1.5*delay(y, 1);"
    compiled = model_of(text).compiled()
    run = Simulation(compiled, Settings.of(compiled, stop=200, solver="qss2"), None)
    run.run()
    history = run.live.history

    assert history is not None
    line = history.record.lines[0]
    assert line.base > 10 * line.room


@pytest.mark.parametrize("method", METHODS)
def test_waves_go_to_and_fro_on_a_line(model_of: Compile, method: str) -> None:
    """Each end remembers what it sees of the other one: quanta must not grow from echo to echo, and where
    segments meet is no jump that would travel for ever."""
    text = """Real u = if time < 0.02 then 0 else sin(30*(time - 0.02)); Real v1; Real i1; Real v2; Real i2;
        Real a; Real b; Real x(start = 0, fixed = true); equation
        v1 = u - 20*i1; v1 = a + 50*i1; v2 = b + 50*i2; v2 = x; 1e-4*der(x) = -i2 - x/200;
        a = 2*delay(v2, 0.03) - delay(b, 0.03); b = 2*delay(v1, 0.03) - delay(a, 0.03);"""
    model = model_of(text)
    expected = model.simulate(stop=1, tol=1e-9, interval=0.005)
    quantum = 1e-3 if method in ORDER_1 else 1e-4
    result = model.simulate(stop=1, solver=method, quantum=str(quantum), interval=0.005)

    assert len(result.events) < len(expected.events) + 10
    for name in ("x", "v1"):
        found = np.interp(expected.time, result.time, result[name])
        assert np.abs(found - expected[name]).max() < 6 * quantum


# ---------------------------------------------------------------- pipes


@pytest.mark.parametrize("method", METHODS)
def test_a_transport_line(model_of: Compile, method: str) -> None:
    """What enters at a speed that changes, against the classic solver."""
    text = """Real x(start = 0, fixed = true); Real v = 1 + 0.5*sin(time); Real u(start = 0, fixed = true);
        Real a; Real b; Real heat(start = 0, fixed = true);
        equation der(x) = v; der(u) = cos(2*time) - u;
        (a, b) = spatialDistribution(u, 0, x, true, {0.0, 1.0}, {0.0, 0.5}); der(heat) = b;"""
    model = model_of(text)
    expected = model.simulate(stop=6, tol=1e-9, interval=0.05)
    quantum = 1e-3 if method in ORDER_1 else 1e-4
    result = model.simulate(stop=6, solver=method, quantum=str(quantum), interval=0.05)
    apart = np.abs(expected.time - expected.events[0].time) > 0.01

    assert len(expected.events) == len(result.events)
    for name in ("b", "heat"):
        found = np.interp(expected.time, result.time, result[name])
        assert np.abs(found - expected[name])[apart].max() < 10 * quantum


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("direction", ["v >= 0", "noEvent(v >= 0)"])
def test_a_flow_that_turns(model_of: Compile, method: str, direction: str) -> None:
    """x = sin t: until pi/2 the pipe fills from the left, then from the right, then again."""
    text = f"""Real x(start = 0, fixed = true); Real v = cos(time); Real a; Real b;
        equation der(x) = v; (a, b) = spatialDistribution(1 + time, -time, x, {direction});"""
    result = model_of(text).simulate(stop=6, solver=method, quantum="1e-4")
    t = result.time
    x = np.sin(t)
    entered_left, entered_right = np.arcsin(x), np.pi - np.arcsin(np.minimum(1 + x, 1.0))
    back = np.where(x > 0, 1 + entered_left, -entered_right)
    is_back = (t > np.pi / 2) & (t < 3 * np.pi / 2)
    # At turns the inverse of x has a root, and a direction without events is noticed a little late.
    apart = np.min([np.abs(t - k * np.pi / 2) for k in (1, 2, 3)], axis=0) > 0.05
    forth = np.where(t > np.pi, -(np.pi - np.arcsin(x)), 0.0)

    assert np.abs(result["a"] - np.where(is_back, back, 1 + t))[apart].max() < 5e-3
    assert np.abs(result["b"] - np.where(is_back, -t, forth))[apart].max() < 5e-3


@pytest.mark.parametrize("method", ["qss1", "liqss2", "qss3"])
def test_a_closed_loop_turns_round(model_of: Compile, method: str) -> None:
    text = """Real x(start = 0, fixed = true); Real a; Real b; equation der(x) = 1;
        (a, b) = spatialDistribution(b, a, x, true, {0, 1}, {0, 1});"""
    result = model_of(text).simulate(stop=3.5, solver=method, quantum="1e-3")
    exact = 1 - result.time % 1.0
    apart = np.abs(result.time - np.round(result.time)) > 1e-3

    assert np.abs(result["b"] - exact)[apart].max() < 3e-3


@pytest.mark.parametrize("method", METHODS)
def test_what_slides_hands_its_past_to_a_classic_method(model_of: Compile, method: str) -> None:
    text = """Real x(start = 1, fixed = true); Real y = delay(x + sin(3*time), 0.7); Real a; Real b;
        equation der(x) = if x > 0 then -1 else 1;
        (a, b) = spatialDistribution(sin(time), 0, 0.8*time, true);"""
    result = model_of(text).simulate(stop=3, solver=method, tol=1e-4)
    t = result.time
    y = np.where(t < 0.7, 1.0, np.maximum(1.7 - t, 0.0) + np.sin(3 * (t - 0.7)))

    assert result.stats["solver"] == "dopri5"
    assert np.abs(result["y"] - y).max() < 1e-3
    assert np.abs(result["b"] - np.sin(np.maximum(t - 1.25, 0.0))).max() < 1e-3
