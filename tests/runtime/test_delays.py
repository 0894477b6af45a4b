"""`delay(..)`: exact solutions in both backends, breaks that travel, bounds that are broken."""

from math import factorial, ulp

import numpy as np
import pytest

import freewheel
from freewheel import CompileError, SimulationError, UsageError
from freewheel.machine.memory import Memory, address_of
from freewheel.runtime import live, simulate
from freewheel.runtime.delays import breaks as at_events
from freewheel.runtime.delays import history
from freewheel.runtime.delays import lookup as at
from freewheel.runtime.delays.history_kernels import fit
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.loop.rows import restart
from freewheel.runtime.loop.time_loop import drive

BACKENDS = ("python", "llvm")


@pytest.fixture
def simulated(tmp_path):
    def run(text: str, backend: str, **options):
        file = tmp_path / "M.mo"
        file.write_text(f"model M\n{text}\nend M;\n", encoding="utf-8")
        return freewheel.load(file, backend=backend).simulate(**options)

    return run


def steps_of_the_delay_equation(t):
    """y' = -y(t - 1), y = 1 before: polynomial pieces, by the method of steps."""
    y = np.ones_like(t)
    for k in range(1, 12):
        y += (-1) ** k * np.maximum(t - (k - 1), 0.0) ** k / factorial(k)
    return y


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_delay_equation_is_as_exact_as_asked(simulated, backend):
    text = "Real y(start = 1, fixed = true); equation der(y) = -delay(y, 1);"
    result = simulated(text, backend, stop=5, tol=1e-8)
    error = np.abs(result["y"] - steps_of_the_delay_equation(np.array(result["time"])))

    assert error.max() < 1e-8
    # an event at the end belongs to the run, as that of a sample does
    assert [event.time for event in result.events] == pytest.approx([1, 2, 3, 4, 5], abs=1e-12)


@pytest.mark.parametrize("solver", ["rodas4", "radau", "rkf45", "cvode"])
def test_every_method_can_look_back(simulated, solver):
    text = "Real y(start = 1, fixed = true); equation der(y) = -delay(y, 1);"
    result = simulated(text, "llvm", stop=4, tol=1e-8, solver=solver)

    assert result["y"][-1] == pytest.approx(
        steps_of_the_delay_equation(np.array([4.0]))[0], abs=3e-7
    )


@pytest.mark.parametrize("backend", BACKENDS)
def test_signals_without_states_keep_the_tolerance(simulated, backend):
    result = simulated("Real y = delay(sin(10*time), 0.3);", backend, stop=3, tol=1e-8)
    t = np.array(result["time"])

    assert np.abs(result["y"] - np.sin(10 * np.maximum(t - 0.3, 0.0))).max() < 1e-9


@pytest.mark.parametrize("backend", BACKENDS)
def test_jumps_arrive_exactly_one_delay_later(simulated, backend):
    text = "Boolean b = time >= 0.25 and time < 0.75; Real y = delay(if b then 1 else 0, 0.4);"
    result = simulated(text, backend, stop=2)
    t, y = np.array(result["time"]), np.array(result["y"])

    assert [event.time for event in result.events] == pytest.approx(
        [0.25, 0.4, 0.65, 0.75, 1.15], abs=1e-15
    )
    assert set(y) <= {0.0, 1.0}
    assert t[np.argmax(y)] == pytest.approx(0.65, abs=1e-15)  # the row after the event
    assert y[t == t[np.argmax(y)]].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_break_smoothes_out_and_is_forgotten(simulated, backend):
    text = "Real y(start = 1, fixed = true); equation der(y) = -delay(y, 0.1);"
    result = simulated(text, backend, stop=5, tol=1e-6)

    assert 4 <= len(result.events) <= 8


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_varying_delay_time(simulated, backend):
    text = """Real T = 0.5 + 0.4*sin(3*time); Real y = delay(cos(2*time), T, 1);
        Real z(start = 0, fixed = true); equation der(z) = y;"""
    result = simulated(text, backend, stop=4, tol=1e-8)
    t, lag = np.array(result["time"]), np.array(result["T"])

    assert np.abs(result["y"] - np.cos(2 * np.maximum(t - lag, 0.0))).max() < 1e-8


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_delay_time_through_zero(simulated, backend):
    text = """Real T = abs(time - 1); Real x(start = 1, fixed = true);
        Real y = delay(x, T, 3); equation der(x) = -x;"""
    result = simulated(text, backend, stop=4, tol=1e-8)
    t, lag = np.array(result["time"]), np.array(result["T"])

    assert np.abs(result["y"] - np.exp(-np.maximum(t - lag, 0.0))).max() < 1e-8


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_point_that_moves_back_over_a_jump(simulated, backend):
    """The jump at 0.5 is met going forward at 1, and again at 2 and 3 as the lag swings."""
    text = """Real u = if time >= 0.5 then 1 else 0;
        Real T = if time < 1.5 then 0.5 else if time < 2.5 then time - 1 + 0.5*(2 - time)
            else time - 0.75 + 0.5*(2.5 - time);
        Real y = delay(u, T, 5);"""
    result = simulated(text, backend, stop=4)
    t, looked_at = np.array(result["time"]), np.array(result["time"]) - np.array(result["T"])
    apart = np.abs(looked_at - 0.5) > 1e-9

    assert np.array_equal(np.array(result["y"])[apart], (looked_at[apart] > 0.5).astype(float))
    assert len(t) > 500


@pytest.mark.parametrize("backend", BACKENDS)
def test_delays_of_delays_and_derivatives_of_them(simulated, backend):
    text = """Real x(start = 1, fixed = true); Real a = delay(x, 0.5); Real b = delay(a, 0.25);
        Real d = der(a); equation der(x) = -x;"""
    result = simulated(text, backend, stop=3, tol=1e-8)
    t = np.array(result["time"])
    late = t > 0.5

    assert np.abs(result["b"] - np.exp(-np.maximum(t - 0.75, 0.0))).max() < 1e-8
    assert np.abs(result["d"] + np.exp(0.5 - t))[late].max() < 1e-6


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_difference_equation_needs_no_loop(simulated, backend):
    result = simulated("Real y; equation y = 1 - 0.5*delay(y, 1);", backend, stop=3)

    assert result["y"][-1] == pytest.approx(2 / 3, abs=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_conditions_on_delayed_signals_are_located(simulated, backend):
    text = """Real x = delay(time*time, 0.3); Integer n(start = 0, fixed = true);
        equation when x > 0.25 then n = pre(n) + 1; end when;"""
    result = simulated(text, backend, stop=2)

    assert result["n"][-1] == 1
    assert any(abs(event.time - 0.8) < 1e-12 for event in result.events)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_relay_with_dead_time_swings_for_ever(simulated, backend):
    """It switches 0.1 s after each zero of x: a limit cycle of period 0.4 s between -0.1 and 0.1.
    Breaks and crossings nearly coincide, which must neither look like chattering nor pile up."""
    text = """Real x(start = 1, fixed = true); equation
        der(x) = if delay(x, 0.1) > 0 then -1 else 1;"""
    result = simulated(text, backend, stop=9, tol=1e-8)
    t, x = np.array(result["time"]), np.array(result["x"])
    phase = (t - 1.1) % 0.4
    exact = np.where(t < 1.1, 1 - t, np.where(phase < 0.2, phase - 0.1, 0.3 - phase))

    assert np.abs(x - exact).max() < 1e-9
    assert len(result.events) < 6 * 8 / 0.2
    assert any("delay(x, 0.1)" in str(event) for event in result.events)


@pytest.mark.parametrize("backend", BACKENDS)
def test_signals_are_remembered_while_something_slides(simulated, backend):
    """x is held at zero from 0.5 s on."""
    text = """Real x(start = 0.5, fixed = true); Real y = delay(x + sin(3*time), 0.7); equation
        der(x) = if x > 0 then -1 else 1;"""
    result = simulated(text, backend, stop=3, tol=1e-8)
    then = np.array(result["time"]) - 0.7
    exact = np.where(then < 0, 0.5, np.maximum(0.5 - then, 0.0) + np.sin(3 * then))

    assert np.abs(result["y"] - exact).max() < 1e-6


def test_both_backends_keep_long_histories_short(simulated):
    text = "Real y(start = 1, fixed = true); equation der(y) = -10*delay(y, 0.1);"
    ends = [simulated(text, backend, stop=40, tol=1e-6)["y"][-1] for backend in BACKENDS]

    assert ends[0] == pytest.approx(ends[1], abs=1e-7)


# ---------------------------------------------------------------- mistakes


def told(failure) -> tuple[str, int]:
    diagnostic = failure.value.diagnostics[0]
    return diagnostic.code, diagnostic.labels[0].span.line


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Real y = delay(time, time);", "E040"),
        ("Real y = delay(time, 1, time);", "E041"),
        ("parameter Real T = -1; Real y = delay(time, T);", "E042"),
    ],
)
def test_wrong_delays_are_refused(simulated, text, code):
    with pytest.raises(CompileError) as caught:
        simulated(text, "python", stop=1)

    assert told(caught) == (code, 2)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("lag", "words"), [("2*time", "beyond its largest value 1"), ("1 - time", "negative")]
)
def test_bounds_hold_at_run_time(simulated, backend, lag, words):
    with pytest.raises(SimulationError) as caught:
        simulated(f"Real y = delay(time, {lag}, 1);", backend, stop=2)

    assert told(caught) == ("R020", 2)
    assert words in caught.value.diagnostics[0].message


def test_a_parameter_may_become_zero_only_before_translation(simulated):
    text = "parameter Real T = 0; Real y = delay(time, T);"

    assert simulated(text, "python", stop=1)["y"][-1] == 1.0


def test_a_delay_time_that_a_run_makes_zero(tmp_path):
    file = tmp_path / "M.mo"
    file.write_text("model M\n parameter Real T = 1; Real y = delay(time, T);\nend M;")
    model = freewheel.load(file)

    assert model.simulate(stop=4, params={"T": 3})["y"][-1] == 1.0
    with pytest.raises(SimulationError) as caught:
        model.simulate(stop=1, params={"T": 0})
    assert told(caught) == ("R020", 2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_delays_in_algorithms_arrays_and_when_clauses(simulated, backend):
    text = """Real x[2](start = {1, 2}, each fixed = true); Real y[2] = delay(x, 0.5); Real z;
        discrete Real s(start = 0, fixed = true);
        equation der(x) = -y; when sample(0, 0.1) then s = delay(time, 0.25); end when;
        algorithm z := delay(x[1], 0.5); z := 2*z;"""
    result = simulated(text, backend, stop=1, tol=1e-8)

    assert result["y[2]"][-1] == pytest.approx(2 * (1 - 0.5), abs=1e-9)
    assert result["z"][-1] == pytest.approx(result["y[2]"][-1], abs=1e-12)
    assert result["s"][-1] == pytest.approx(0.75, abs=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_delayed_signal_in_a_constraint(simulated, backend):
    """Index reduction needs the derivative of what is remembered."""
    text = """Real x(start = 1, fixed = true); Real z; Real w; equation der(x) = -x;
        delay(x, 0.5) = z + 1; der(z) = w;"""
    result = simulated(text, backend, stop=2, tol=1e-8)

    assert result["w"][-1] == pytest.approx(-np.exp(-1.5), abs=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_waves_on_a_line_that_is_not_matched(simulated, backend):
    """A step of 1 V behind 50 ohm into 50 ohm of line, open at its end: 0.5 V going, 1 V coming."""
    text = """parameter Real Z = 50; Real i1; Real i2; Real v1; Real v2; Real a; Real b;
        equation (if time >= 0.1 then 1 else 0) = v1 + 50*i1; i2 = 0;
        v1 - Z*i1 = a; v2 - Z*i2 = b;
        a = delay(v2 + Z*i2, 0.3); b = delay(v1 + Z*i1, 0.3);"""
    result = simulated(text, backend, stop=2)
    t, v1, v2 = (np.array(result[name]) for name in ("time", "v1", "v2"))
    apart = np.min([np.abs(t - k) for k in (0.1, 0.4, 0.7)], axis=0) > 1e-9

    assert np.allclose(v1[apart], np.where(t < 0.1, 0, np.where(t < 0.7, 0.5, 1))[apart])
    assert np.allclose(v2[apart], np.where(t < 0.4, 0, 1)[apart])
    assert [e.time for e in result.events if "break" not in str(e)] == pytest.approx([0.1])


def test_multistep_methods_refuse_varying_delays(simulated):
    with pytest.raises(UsageError) as caught:
        simulated("Real x(start = 1); equation der(x) = -delay(x, 1 - time/4, 1);", "llvm",
            stop=1, solver="cvode")  # fmt: skip

    assert caught.value.diagnostics[0].code == "U038"


def test_hidden_variables_are_nobodys_business(tmp_path):
    file = tmp_path / "M.mo"
    file.write_text("model M\n Real x(start = 1); equation der(x) = -delay(x, 1, 2);\nend M;")
    model = freewheel.load(file)
    balance = model.check()

    assert (balance.unknowns, balance.equations) == (1, 1)
    assert model.simulate(stop=1).names() == ["x", "der(x)"]


# ---------------------------------------------------------------- the loop by CPython

RELAY = """Boolean on(start = true, fixed = true); Real x(start = 0, fixed = true), z; equation
    z = delay(x, 0.05); der(x) = (if on then 1 else 0) - x;
    on = not pre(on) and z < 0.25 or pre(on) and z <= 0.75;"""
SWINGING = """Real x(start = 1, fixed = true); Real T = 0.3 + 0.2*sin(2*time); equation
    der(x) = if delay(x, T, 0.5) > 0 then -1 else 1.3;"""
TURNING = """Real v = sin(3*time) + 0.4; Real x(start = 0, fixed = true), a, b; discrete Real u(start = 0,
    fixed = true); equation der(x) = v;
    (a, b) = spatialDistribution(u, -u, x, v >= 0, {0, 0.5, 1}, {0, 0.3, 1});
    when sample(0, 0.07) then u = sin(time*5); end when;"""


@pytest.mark.parametrize("text", [RELAY, SWINGING, TURNING])
def test_events_by_cpython_with_bounded_arrays(simulated, monkeypatch, text):
    """Steps are remembered, breaks and stretches move on and grow: the same bits as machine code gives.
    Methods and sections stay machine code."""
    asked = []

    def slow(engine, *arguments):
        init(engine, *arguments)
        loop = engine.space.loop
        engine._drive = lambda _: drive(loop)
        engine._restart = lambda _, t: restart(loop, t)

    def noted(engine, t, *arguments):
        asked.append(t)
        return event(engine, t, *arguments)

    options = {"stop": 3, "interval": 0.25, "solver": "rodas4"}
    init, event = ClassicEngine.__init__, simulate.Simulation._event
    monkeypatch.setattr(history, "FIRST_PLACES", 2)
    monkeypatch.setattr(history, "FIRST_ROOM", 8)
    monkeypatch.setattr(simulate.Simulation, "_event", noted)
    fast = simulated(text, "llvm", **options)
    monkeypatch.setattr(ClassicEngine, "__init__", slow)
    monkeypatch.setattr(live, "Memory", lambda: Memory(checked=True))
    bounded = simulated(text, "llvm", **options)

    assert bounded.data.tobytes() == fast.data.tobytes()
    assert [str(event) for event in bounded.events] == [str(event) for event in fast.events]
    assert len(fast.events) > 5
    assert asked == []  # no event is left to Python


# ---------------------------------------------------------------- parts


def remembered(pieces):
    """x = t + 0.1 t^2 and sin(t), which flows into a pipe on the left; bounded arrays."""
    memory = Memory(checked=True)
    h = memory.new(at.History, line_count=2, pipe_count=1, roughest=at.ROUGHEST)
    for number, line in enumerate(h.lines):
        memory.lay_out(line, room=len(pieces), break_room=2)
        line.signal_slot, line.last, line.last_break_slot = number, at.OPEN, -1
    memory.lay_out(h.pipes[0], room=2)
    for piece, (begin, length) in enumerate(pieces):
        t = begin + length * np.arange(5) / 4
        for line, values in zip(h.lines, (t + 0.1 * t * t, np.sin(t)), strict=True):
            line.begins[piece] = begin
            fit(values, length, line.coefficients[5 * piece :])
            line.count = piece + 1
        h.end = begin + length
    pipe = h.pipes[0]
    pipe.first, pipe.count, pipe.is_forward, pipe.left = 1, 2, 1, 1
    for stretch in pipe.stretches:
        stretch.kind, stretch.line, stretch.rising = at.FED, 1, 1.0
        stretch.stops = stretch.content_stops = at.OPEN
    return h


@pytest.mark.parametrize("kernel", ["fw_history", "fw_pipe"])
def test_machine_and_reference_look_at_the_same(kernel):
    """The same records, looked up by CPython and by compiled kernels."""
    h = remembered([(0.0, 1.0), (1.0, 0.5), (1.5, 1.0)])
    compiled = at.looking.callable(kernel)
    out, other = np.zeros(3), np.zeros(3)
    for t in np.linspace(0.05, 2.45, 40):
        if kernel == "fw_history":
            arguments, value = (2.0, t, 0.7, t + 0.1, 1.0), np.sin(t)
        else:
            arguments, value = (2.0, -(t + 0.1 * t * t)), np.sin(t)
        compiled(address_of(h), *arguments, out.ctypes.data)
        getattr(at, kernel)(h, *arguments, other)

        assert out.tolist() == other.tolist()
        assert out[0] == pytest.approx(value, abs=1e-4)


def test_a_segment_is_the_polynomial_through_its_samples_and_knows_its_slope():
    coefficients = [0.3, -1.2, 0.7, 2.1, -0.4]
    c, length = np.zeros(5), 0.8
    fit([np.polyval(coefficients, length * node / 4) for node in range(5)], length, c)

    for e in (0.0, 0.14, 0.5, 0.8, 0.84):
        assert at.value_of(c, e) == pytest.approx(np.polyval(coefficients, e))
        assert at.slope_of(c, e) == pytest.approx(np.polyval(np.polyder(coefficients), e))


@pytest.mark.parametrize("x", [0.0, 5e-324, 1e-310, 1.0, 1 - 2**-53, -3.7, 1e-8, 1e300, -1e300])
def test_the_unit_in_the_last_place(x):
    assert at_events.last_place(x) == ulp(x)


def test_breaks_go_round_in_a_ring():
    """Those of nearly one instant are one, the roughest counts; old ones make room."""
    h = remembered([(0.0, 1.0)])
    line, m = h.lines[0], np.zeros(3)
    line.next_break_slot = 2
    at_events.add_break(h, line, 0.0, 1, 1)
    at_events.add_break(h, line, 2.0, 9, 1)
    at_events.add_break(h, line, 2.0 + 4e-16, 10, 0)
    listed = [(b.time, b.end, b.begin, b.order) for b in line.breaks]

    assert listed == [(0.0, 0, 1, 1), (2.0, 8, 10, 0)]
    assert at_events.lacks_places(h) == 1
    at_events.clear_met(h)
    at_events.pass_breaks(h, m, line, 2.0, 0)
    assert (line.passed, line.met, line.first, line.last, m[2]) == (2, 0, 10, at.OPEN, 1e300)
    at_events.forget_breaks_before(line, 1.0)
    at_events.add_break(h, line, 3.0, 12, 2)
    at_events.pass_breaks(h, m, line, 2.5, 0)
    assert (line.break_first, line.break_count, line.passed) == (1, 2, 1)
    assert (line.breaks[0].time, line.first, line.last, m[2]) == (3.0, 10, 11, 3.0)


def test_a_move_at_an_event_can_be_taken_back():
    """A stretch leaves a pipe, and is there again where the event begins anew."""
    h = remembered([(0.0, 1.0)])
    h.lines[0].lag_slot = h.lines[1].lag_slot = -1
    pipe, m = h.pipes[0], np.array([0.4, 0.0, 1.0, 0.0, 0.0])
    pipe.forward_slot, pipe.next_border_slot, pipe.last_border_slot = 2, 3, 4
    last = pipe.stretches[0]  # it has begun at x = 0.4
    last.low, last.order = 0.6, 3
    pipe.stretches[1].order = 2
    at_events.save_position(h)
    before = h.__memory__.save()
    at_events.move_on(h, m, 1.0, 0, [], [])

    assert (pipe.count, pipe.met, m[3]) == (1, 2, 1e300)
    at_events.restore_position(h, m)
    assert (pipe.first, pipe.count, m[3]) == (1, 2, 0.4)
    at_events.clear_met(h)
    pipe.met = 0
    h.lines[0].met = h.lines[1].met = 0
    assert h.__memory__.save() == before
    assert at_events.lacks_places(h) == 1


@pytest.mark.parametrize("solver", ["radau", "rodas4", "dopri5"])
@pytest.mark.parametrize("lag", [1e-4, 1e-6])
def test_first_steps_near_time_zero_are_no_measure_of_later_ones(simulated, solver, lag):
    """i leaves zero at the start by a step of 1e-20 s, which no later time resolves."""
    text = f"""
      Real i(start = 0, fixed = true), k = if i < 0 then 0.5 else 0, m = delay(i, {lag});
    equation
      10*sin(314*time) = 0.02*der(i) + 2*i;"""
    result = simulated(text, "llvm", stop=0.06, tol=1e-8, solver=solver)

    w, r = 314.0, 100.0
    t = result.time
    exact = 500 * (w * np.exp(-r * t) + r * np.sin(w * t) - w * np.cos(w * t)) / (w**2 + r**2)
    assert np.abs(result["i"] - exact).max() < 1e-6
