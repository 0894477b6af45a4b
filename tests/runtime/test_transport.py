"""`spatialDistribution(..)`: exact solutions by characteristics in both backends."""

import numpy as np
import pytest

import freewheel
from freewheel import CompileError, SimulationError

BACKENDS = ("python", "llvm")


@pytest.fixture
def simulated(tmp_path):
    def run(text: str, backend: str, **options):
        file = tmp_path / "M.mo"
        file.write_text(f"model M\n{text}\nend M;\n", encoding="utf-8")
        return freewheel.load(file, backend=backend).simulate(**options)

    return run


def columns(result, *names):
    return tuple(np.array(result[name]) for name in ("time", *names))


@pytest.mark.parametrize("backend", BACKENDS)
def test_pure_transport_is_a_delay(simulated, backend):
    text = """Real x(start = 0, fixed = true); Real a; Real b; equation der(x) = 0.5;
        (a, b) = spatialDistribution(sin(3*time), 0, x, true);"""
    result = simulated(text, backend, stop=6, tol=1e-8)
    t, a, b = columns(result, "a", "b")

    assert np.abs(a - np.sin(3 * t)).max() < 1e-12
    assert np.abs(b - np.sin(3 * np.maximum(t - 2.0, 0.0))).max() < 1e-8
    assert [event.time for event in result.events] == pytest.approx([2.0], abs=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_initial_profile_leaves_with_its_jumps(simulated, backend):
    text = """Real x(start = 3, fixed = true); Real a; Real b; equation der(x) = 0.5;
        (a, b) = spatialDistribution(7, 0, x, true, {0.0, 0.5, 0.5, 1.0}, {0, 2, 4, 5});"""
    result = simulated(text, backend, stop=4, tol=1e-8)
    t, b = columns(result, "b")
    place = 1 - 0.5 * t
    exact = np.where(place > 0.5, 3 + 2 * place, np.where(place > 0, 4 * place, 7.0))
    apart = (np.abs(t - 1) > 1e-9) & (np.abs(t - 2) > 1e-9)

    assert np.abs(b - exact)[apart].max() < 1e-9
    assert b[np.abs(t - 1) < 1e-9][[0, -1]] == pytest.approx([4.0, 2.0], abs=1e-8)
    assert [event.time for event in result.events] == pytest.approx([1.0, 2.0], abs=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("direction", ["v >= 0", "noEvent(v >= 0)"])
def test_a_flow_that_turns_brings_back_what_it_took(simulated, backend, direction):
    """x = sin t. Until pi/2 the pipe fills from the left, then from the right, then again."""
    text = f"""Real x(start = 0, fixed = true); Real v = cos(time); Real a; Real b;
        equation der(x) = v; (a, b) = spatialDistribution(1 + time, -time, x, {direction});"""
    t, a, b = columns(simulated(text, backend, stop=6, tol=1e-8), "a", "b")
    x = np.sin(t)
    entered_left, entered_right = np.arcsin(x), np.pi - np.arcsin(np.minimum(1 + x, 1.0))
    back = np.where(x > 0, 1 + entered_left, -entered_right)
    is_back = (t > np.pi / 2) & (t < 3 * np.pi / 2)
    apart = np.min([np.abs(t - k * np.pi / 2) for k in (1, 2, 3)], axis=0) > 1e-3
    forth = np.where(t > np.pi, -(np.pi - np.arcsin(x)), 0.0)

    assert np.abs(a - np.where(is_back, back, 1 + t))[apart].max() < 1e-6
    assert np.abs(b - np.where(is_back, -t, forth))[apart].max() < 1e-6


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_jump_passes_the_end_exactly(simulated, backend):
    """x = t + t*t/2: what enters at 0.3 leaves where x is larger by one."""
    text = """Real x(start = 0, fixed = true); Real a; Real b; equation der(x) = 1 + time;
        (a, b) = spatialDistribution(if time >= 0.3 then 1 else 0, 0, x, true);"""
    result = simulated(text, backend, stop=2, tol=1e-8)
    leaves = -1 + np.sqrt(1 + 2 * (0.3 + 0.045 + 1))
    t, b = columns(result, "b")

    assert set(b) == {0.0, 1.0}
    assert t[np.argmax(b)] == pytest.approx(leaves, abs=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_closed_loop_turns_round(simulated, backend):
    text = """Real x(start = 0, fixed = true); Real a; Real b; equation der(x) = 1;
        (a, b) = spatialDistribution(b, a, x, true, {0, 1}, {0, 1});"""
    t, b = columns(simulated(text, backend, stop=3.5, tol=1e-8), "b")
    apart = np.abs(t - np.round(t)) > 1e-6

    assert np.abs(b - (1 - t % 1.0))[apart].max() < 1e-7


@pytest.mark.parametrize("backend", BACKENDS)
def test_several_quantities_in_one_pipe(simulated, backend):
    text = """Real x(start = 0, fixed = true); Real a[2]; Real b[2]; equation der(x) = 1;
        (a, b) = spatialDistribution({time, 2*time}, {0, 0}, x, true);"""
    result = simulated(text, backend, stop=2, tol=1e-8)

    assert result["b[1]"][-1] == pytest.approx(1.0, abs=1e-9)
    assert result["b[2]"][-1] == pytest.approx(2.0, abs=1e-9)


def test_one_output_may_be_left_out(simulated):
    text = """Real x(start = 0, fixed = true); Real b; equation der(x) = 1;
        (, b) = spatialDistribution(time, 0, x, true, initialValues = {3, 3});"""
    result = simulated(text, "llvm", stop=0.9, tol=1e-8)

    assert set(result["b"]) == {3.0}


def test_long_runs_keep_a_short_history(simulated):
    text = """Real x(start = 0, fixed = true); Real a; Real b; equation der(x) = 2;
        (a, b) = spatialDistribution(sin(time), 0, x, true);"""
    result = simulated(text, "llvm", stop=300, tol=1e-6)
    t, b = columns(result, "b")

    assert np.abs(b - np.sin(np.maximum(t - 0.5, 0.0))).max() < 1e-6


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    "profile",
    ["{0.0, 1.0}, {0.0}", "{0.0, 0.9}, {0.0, 1.0}", "{0.0, 1.0}, {0.0, time}"],
)
def test_wrong_profiles_are_refused(simulated, profile):
    text = f"Real a; Real b; equation (a, b) = spatialDistribution(1, 0, time, true, {profile});"
    with pytest.raises(CompileError) as caught:
        simulated(text, "python", stop=1)

    assert caught.value.diagnostics[0].code == "E043"
    assert caught.value.diagnostics[0].labels[0].span.line == 2


def test_a_profile_that_parameters_spoil(simulated):
    text = """parameter Real p(fixed = false); Real a; Real b; initial equation p = 0.5;
        equation (a, b) = spatialDistribution(1, 0, time, true, {0, 1, p}, {0, 0, 0});"""
    with pytest.raises(SimulationError) as caught:
        simulated(text, "python", stop=1)

    told = caught.value.diagnostics[0]
    assert told.code == "R021"
    assert "the points of the initial profile are 0, 1, " in told.message
    assert told.help == "they must begin with 0, end with 1 and never fall"
    assert told.labels[0].span.line == 3
