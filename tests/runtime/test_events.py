"""Events with exact times: state events, time events, samples, reinit, iteration, chattering."""

from __future__ import annotations

from itertools import pairwise
from math import asin, pi, sin, sqrt

import numpy as np
import pytest

from freewheel.base.diagnostics import SimulationError
from freewheel.runtime.events.location import has_left
from freewheel.runtime.events.time_events import begin_samples, mark_due, move_samples, next_sample
from freewheel.runtime.integrators.choice import SOLVERS
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

# ---------------------------------------------------------------- the pieces


def left(statuses, residuals, band):
    return [bool(has_left(s, r, band)) for s, r in zip(statuses, residuals, strict=True)]


def test_a_status_is_left_at_zero_and_zero_is_left_at_once():
    statuses = np.array([1.0, 1.0, 1.0, 0.0, 0.0, -1.0, 1.0])
    residuals = np.array([0.1, 0.0, -0.1, 0.0, 5e-324, 0.0, np.nan])

    expected = [False, True, True, False, True, True, False]
    assert left(statuses, residuals, 0.0) == expected


def test_a_band_keeps_the_status_until_it_is_passed():
    statuses = np.array([1.0, 1.0, -1.0, 0.0, 0.0])
    residuals = np.array([-0.5, -1.5, 0.5, 0.5, 1.5])

    assert left(statuses, residuals, 1.0) == [False, True, False, False, True]


def begun(sketch, start: float, **samples: tuple[float, float]) -> Loop:
    """The record of a run whose samples, of start and interval, have begun."""
    live = LiveModel(sketch(samples=samples).compile())
    loop = Workspace(0, 0, [], samples=len(samples)).loop
    loop.memory_size, loop.memory = len(live.memory), live.memory
    loop.sample_slots[:] = [sample.active for sample in live.model.samples]
    live.run("parameters")
    begin_samples(loop, live, Settings(start=start, stop=2.0))
    return loop


def test_samples_hit_instants_exactly(sketch):
    loop = begun(sketch, 0.0, a=(0.0, 0.1), b=(0.05, 0.2))
    hits = []
    while (t := next_sample(loop)) < 1.0:
        for slot in loop.sample_slots:
            loop.memory[slot] = 0.0
        assert mark_due(loop, t) > 0
        hits.append((t, [loop.memory[slot] for slot in loop.sample_slots]))
        move_samples(loop, t)

    assert [t for t, fired in hits if fired[0]] == [k * 0.1 for k in range(10)]
    assert [t for t, fired in hits if fired[1]] == [0.05 + k * 0.2 for k in range(5)]


def test_samples_that_begin_late_keep_instants_at_the_start(sketch):
    late = begun(sketch, 0.3, a=(0.0, 0.1))
    assert next_sample(late) == pytest.approx(0.3, abs=1e-15)
    assert next_sample(begun(sketch, 0.31, a=(0.0, 0.1))) == 4 * 0.1


# ---------------------------------------------------------------- state events


def bouncing_ball(sketch, restitution=0.7):
    def derivatives(v):
        v["der(h)"], v["der(v)"] = v["v"], -9.81

    def when(v):
        v["hit"] = 1.0 if v["s(h <= 0)"] <= 0.0 else 0.0
        if v["hit"] and not v["pre(hit)"]:
            v["new(v)"], v["flag(v)"] = -restitution * v["v"], 1.0

    return sketch(
        states={"h": 1.0, "v": 0.0},
        discrete={"hit": 0.0},
        relations={"h <= 0": lambda v: v["h"]},
        reinits=["v"],
        derivatives=derivatives,
        when=when,
    ).compile()


@pytest.mark.parametrize("solver", ["dopri5", "radau", "rk4"])
def test_a_bouncing_ball_hits_the_ground_at_the_exact_times(sketch, solver):
    first = sqrt(2.0 / 9.81)
    impacts = [first * (1.0 + 2.0 * sum(0.7**k for k in range(1, n + 1))) for n in range(5)]
    result = simulate(bouncing_ball(sketch), Settings(stop=2.1, tolerance=1e-8, solver=solver))

    times = result.time
    jumps = times[1:][(times[1:] == times[:-1]) & (np.diff(result["v"]) > 0.5)]
    assert jumps == pytest.approx(impacts, abs=1e-8)
    assert result["h"].min() > -1e-8


def test_each_impact_stores_its_left_and_right_limit(sketch):
    result = simulate(bouncing_ball(sketch), Settings(stop=0.6))
    first = sqrt(2.0 / 9.81)
    at = np.flatnonzero(np.diff(result.time) == 0.0)[0]

    assert result.time[at] == pytest.approx(first, abs=1e-7)
    assert result["v"][at : at + 2] == pytest.approx([-9.81 * first, 0.7 * 9.81 * first], rel=1e-6)


def limiter(sketch, amplitude=2.0):
    """y = min(1, u) for u = amplitude * sin(time), as a relation."""

    def derivatives(v):
        v["u"] = amplitude * sin(v["time"])
        v["y"] = 1.0 if v["s(u > 1)"] > 0.0 else v["u"]
        v["der(x)"] = v["y"]

    return sketch(
        states={"x": 0.0},
        algebraic=["u", "y"],
        relations={"u > 1": lambda v: v["u"] - 1.0},
        derivatives=derivatives,
    ).compile()


@pytest.mark.parametrize("solver", ["dopri5", "radau"])
def test_a_limiter_switches_at_the_exact_times(sketch, solver):
    result = simulate(limiter(sketch), Settings(stop=2 * pi, tolerance=1e-8, solver=solver))

    rise = asin(0.5)
    assert [e.time for e in result.events] == pytest.approx([rise, pi - rise], abs=1e-9)
    assert result.final("x") == pytest.approx(pi - 2 * rise + 4 * (1 - np.cos(rise)) - 4, abs=1e-6)


def test_a_threshold_that_is_just_touched_changes_nothing(sketch):
    result = simulate(limiter(sketch, amplitude=1.0), Settings(stop=2 * pi, tolerance=1e-8))

    assert result.final("x") == pytest.approx(0.0, abs=1e-7)
    assert len(result.events) <= 4


def test_the_event_log_names_the_relation(sketch):
    result = simulate(limiter(sketch), Settings(stop=1.0))

    assert str(result.events[0]).startswith("Expression u > 1 became ")
    assert "(> 0)" in str(result.events[0])
    assert "at time = 0.5235987" in str(result.events[0])


def test_two_crossings_inside_one_step_are_seen(sketch):
    """A parabola that dips below zero around the middle of a long step."""

    def derivatives(v):
        v["der(x)"] = 2.0 * (v["time"] - 0.5)

    model = sketch(
        states={"x": 0.24}, relations={"x < 0": lambda v: v["x"]}, derivatives=derivatives
    ).compile()
    result = simulate(model, Settings(stop=1.0, longest_step=1.0))

    assert [e.time for e in result.events] == pytest.approx([0.4, 0.6], abs=1e-8)


def test_an_immediate_return_is_not_missed(sketch):
    """The event turns the motion round: the residual comes back at once."""

    def derivatives(v):
        v["der(x)"] = -1.0 if v["s(x > 0)"] > 0.0 and v["n"] == 0.0 else 1.0

    def when(v):
        fell = v["s(x > 0)"] <= 0.0
        v["below"] = float(fell)
        v["n"] = v["pre(n)"] + 1.0 if fell and not v["pre(below)"] else v["pre(n)"]

    model = sketch(
        states={"x": 0.5},
        discrete={"n": 0.0, "below": 0.0},
        relations={"x > 0": lambda v: v["x"]},
        derivatives=derivatives,
        when=when,
    ).compile()
    result = simulate(model, Settings(stop=1.0))

    assert result.final("x") == pytest.approx(0.5, abs=1e-9)
    assert result.final("n") == 1.0
    assert result.final("below") == 0.0


# ---------------------------------------------------------------- time events


def pulse(sketch, period=0.2, **more):
    """A square wave made of `time >= next`, as `when` clauses do it."""

    def derivatives(v):
        v["der(x)"] = v["level"]

    def when(v):
        v["due"] = 1.0 if v["s(time >= next)"] >= 0.0 else 0.0
        fires = v["due"] and not v["pre(due)"]
        v["level"] = 1.0 - v["pre(level)"] if fires else v["pre(level)"]
        v["next"] = v["pre(next)"] + 0.5 * period if fires else v["pre(next)"]

    return sketch(
        states={"x": 0.0},
        discrete={"due": 0.0, "level": 0.0, "next": 0.5 * period},
        relations={"time >= next": lambda v: v["time"] - v["pre(next)"]},
        time_relations=["time >= next"],
        derivatives=derivatives,
        when=when,
        **more,
    ).compile()


def test_relations_of_time_are_hit_exactly(sketch):
    result = simulate(pulse(sketch), Settings(stop=1.0))

    expected, t = [], 0.1
    while t < 1.0:
        expected.append(t)
        t += 0.1
    assert sorted({e.time for e in result.events}) == expected
    assert result.final("x") == pytest.approx(0.5, rel=1e-12)


def test_a_step_source_switches_at_its_time_with_two_rows(sketch):
    def derivatives(v):
        v["y"] = 0.0 if v["s(time < 0.3)"] < 0.0 else 1.0
        v["der(x)"] = v["y"]

    model = sketch(
        states={"x": 0.0},
        algebraic=["y"],
        relations={"time < 0.3": lambda v: v["time"] - 0.3},
        time_relations=["time < 0.3"],
        derivatives=derivatives,
    ).compile()
    result = simulate(model, Settings(stop=1.0))

    assert [e.time for e in result.events] == [0.3]
    assert result["y"][result.time == 0.3].tolist() == [0.0, 1.0]
    assert result.final("x") == pytest.approx(0.7, rel=1e-14)


def test_a_curved_relation_of_time_is_found_by_search(sketch):
    model = sketch(
        states={"x": 0.0},
        relations={"sin(time) > 0.5": lambda v: sin(v["time"]) - 0.5},
        time_relations=["sin(time) > 0.5"],
        derivatives=lambda v: v.__setitem__("der(x)", 0.0),
    ).compile()
    result = simulate(model, Settings(stop=3.0))

    assert [e.time for e in result.events] == pytest.approx([pi / 6, 5 * pi / 6], abs=1e-12)


def test_a_model_without_states_finds_its_events_too(sketch):
    model = sketch(relations={"sin": lambda v: sin(20.0 * v["time"] + 0.1)}).compile()
    result = simulate(model, Settings(stop=1.0))

    expected = [(k * pi - 0.1) / 20.0 for k in range(1, 7)]
    assert [e.time for e in result.events] == pytest.approx(expected, abs=1e-14)


# ---------------------------------------------------------------- samples


def counter(sketch, start=0.0, interval=0.1):
    def when(v):
        v["c"] = v["tick"]
        v["n"] = v["pre(n)"] + 1.0 if v["c"] and not v["pre(c)"] else v["pre(n)"]

    return sketch(
        discrete={"c": 0.0, "n": 0.0}, samples={"tick": (start, interval)}, when=when
    ).compile()


def test_a_sampled_counter_counts_each_instant_once(sketch):
    result = simulate(counter(sketch), Settings(stop=1.0))

    assert result.final("n") == 11.0
    assert result["n"][0] == 1.0
    assert [e.time for e in result.events] == [k * 0.1 for k in range(11)]
    assert result["n"][result.time == 3 * 0.1].tolist() == [3.0, 4.0]


def test_the_condition_of_a_sample_falls_back_to_false(sketch):
    result = simulate(counter(sketch), Settings(stop=1.0))

    assert set(result["c"]) == {0.0}


@pytest.mark.parametrize("interval", [0.0, -1.0, float("nan")])
def test_a_sample_interval_that_is_not_positive_is_reported(sketch, interval):
    with pytest.raises(SimulationError) as caught:
        simulate(counter(sketch, interval=interval), Settings())

    assert caught.value.diagnostics[0].code == "R008"


def test_samples_before_the_start_are_skipped(sketch):
    result = simulate(counter(sketch), Settings(start=0.55, stop=1.0))

    assert [e.time for e in result.events] == [k * 0.1 for k in range(6, 11)]


# ---------------------------------------------------------------- iteration and its limits


def test_chains_of_discrete_equations_settle(sketch):
    """Each link follows the pre value of the one before: as many rounds as links."""
    names = [f"b{i}" for i in range(6)]

    def when(v):
        v["b0"] = 1.0 if v["s(time > 0.5)"] > 0.0 else 0.0
        for before, after in pairwise(names):
            v[after] = v[f"pre({before})"]

    model = sketch(
        discrete=dict.fromkeys(names, 0.0),
        relations={"time > 0.5": lambda v: v["time"] - 0.5},
        time_relations=["time > 0.5"],
        when=when,
    ).compile()
    result = simulate(model, Settings())

    assert [result.final(name) for name in names] == [1.0] * 6
    assert result.events[-1].time == 0.5
    assert result.events[-1].rounds == 7


def test_a_discrete_circle_is_reported_with_the_variables_that_flip(sketch):
    def when(v):
        v["p"] = 1.0 - v["pre(p)"]

    with pytest.raises(SimulationError) as caught:
        simulate(sketch(discrete={"p": 0.0, "q": 0.0}, when=when).compile(), Settings())

    assert caught.value.diagnostics[0].code == "R006"
    assert "`p`" in caught.value.diagnostics[0].message
    assert "`q`" not in caught.value.diagnostics[0].message


def test_what_only_its_past_allows_is_found_when_no_statuses_agree(sketch):
    """Sticking friction under a growing load: beyond the peak it slips, and slipping, the load on
    it is below the peak; that it slips already keeps it slipping."""

    def when(v):
        holds_on = v["pre(slips)"] > 0.5 and v["s(load > 1)"] > 0.0
        v["slips"] = 1.0 if v["s(load > peak)"] > 0.0 or holds_on else 0.0

    def derivatives(v):
        v["der(u)"] = 1.0
        v["load"] = 1.0 + 0.1 * (v["u"] - 1.0) if v["slips"] > 0.5 else v["u"]

    model = sketch(
        states={"u": 0.5},
        algebraic=["load"],
        discrete={"slips": 0.0},
        relations={
            "load > peak": lambda v: v["load"] - 1.01,
            "load > 1": lambda v: v["load"] - 1.0,
        },
        when=when,
        derivatives=derivatives,
    ).compile()
    result = simulate(model, Settings())

    assert result.at("slips", 0.51 - 1e-3) == 0.0
    assert result.at("slips", 0.51 + 1e-3) == 1.0
    assert result.final("load") == pytest.approx(1.05)


def test_relations_that_contradict_each_other_at_the_start_are_named(sketch):
    def initial(v):
        v["y"] = -1.0 if v["s(y > 0)"] >= 0.0 else 1.0

    model = sketch(
        algebraic=["y"], initial=initial, relations={"y > 0": lambda v: v["y"]}
    ).compile()
    with pytest.raises(SimulationError) as caught:
        simulate(model, Settings())

    assert caught.value.diagnostics[0].code == "R005"
    assert "`y > 0`" in caught.value.diagnostics[0].message


def schmitt_trigger(sketch):
    """An amplifier of gain 100 and limits 1 with positive feedback 0.5, driven by a ramp. While it
    is limited high, falling below the threshold leads to the middle branch, which leads back."""

    def derivatives(v):
        v["der(u)"] = -1.0
        if v["s(high)"] > 0.0:
            v["out"] = 1.0
        elif v["s(low)"] < 0.0:
            v["out"] = -1.0
        else:
            v["out"] = 100.0 * v["u"] / (1.0 - 50.0)
        v["in"] = v["u"] + 0.5 * v["out"]

    return sketch(
        states={"u": 1.0},
        algebraic=["out", "in"],
        relations={
            "high": lambda v: 100.0 * v["in"] - 1.0,
            "low": lambda v: 100.0 * v["in"] + 1.0,
        },
        derivatives=derivatives,
    ).compile()


def test_a_schmitt_trigger_jumps_to_its_other_branch(sketch):
    result = simulate(schmitt_trigger(sketch), Settings(stop=2.0))

    falls = 1.0 + 0.5 - 0.01  # u + 0.5 = 1/100
    assert result.at("out", falls - 1e-3) == 1.0
    assert result.final("out") == -1.0
    times = [e.time for e in result.events]  # the middle branch may live for a rounding error
    assert times == pytest.approx([falls] * len(times), abs=1e-12)
    assert len(times) <= 2


def test_rounding_that_contradicts_both_branches_is_forgiven(sketch):
    """As at the meeting of two branches of a circuit: each says, by rounding, that it is wrong."""

    def derivatives(v):
        v["der(x)"] = -1.0
        v["y"] = v["x"] + (1e-14 if v["s(y > 0)"] < 0.0 else -1e-14)

    model = sketch(
        states={"x": 0.5},
        algebraic=["y"],
        relations={"y > 0": lambda v: v["y"]},
        derivatives=derivatives,
    ).compile()
    result = simulate(model, Settings(stop=1.0))

    assert result.final("y") == pytest.approx(-0.5)
    assert [e.time for e in result.events][-1] == pytest.approx(0.5, abs=1e-12)


def test_chattering_is_reported_and_never_hangs(sketch):
    """x' = -sign(x): a sliding motion at zero."""

    def derivatives(v):
        v["der(x)"] = -1.0 if v["s(x > 0)"] > 0.0 else 1.0

    model = sketch(
        states={"x": 0.5}, relations={"x > 0": lambda v: v["x"]}, derivatives=derivatives
    ).compile()
    with pytest.raises(SimulationError) as caught:
        simulate(model, Settings())

    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.code == "R007"
    assert "`x > 0`" in diagnostic.message
    assert "hysteresis" in diagnostic.help
    assert caught.value.result.time[-1] == pytest.approx(0.5, abs=1e-3)


def test_noise_around_zero_does_not_stop_the_simulation(sketch):
    """The residual should be exactly zero but for rounding: not an endless row of events."""

    def derivatives(v):
        v["der(x)"] = 1.0

    model = sketch(
        states={"x": 0.0},
        relations={"a > b": lambda v: 1e-17 * sin(1e14 * v["time"] + 1.0)},
        derivatives=derivatives,
    ).compile()
    result = simulate(model, Settings())

    assert result.final("x") == pytest.approx(1.0)


def test_what_rests_on_zero_is_noise_however_slow(sketch):
    """A brake that holds: rounding errors, now on this side of zero, now on the other."""

    def derivatives(v):
        v["der(x)"] = 1.0

    def speed(v):
        return 1e-18 * sin(1000.0 * v["x"]) if v["x"] < 0.9 else 10.0 * (v["x"] - 0.95)

    model = sketch(states={"x": 0.0}, relations={"w > 0": speed}, derivatives=derivatives).compile()
    result = simulate(model, Settings(longest_step=1e-3))

    assert len(result.events) < 50  # of 287 changes of sign
    assert result.events[-1].time == pytest.approx(0.95, abs=1e-9)


def test_reinits_of_several_states_happen_together(sketch):
    """Two equal balls on a line exchange their velocities."""

    def derivatives(v):
        v["der(a)"], v["der(b)"] = v["va"], v["vb"]
        v["der(va)"] = v["der(vb)"] = 0.0

    def when(v):
        v["touch"] = 1.0 if v["s(a > b)"] >= 0.0 else 0.0
        if v["touch"] and not v["pre(touch)"]:
            v["new(va)"], v["new(vb)"] = v["vb"], v["va"]
            v["flag(va)"] = v["flag(vb)"] = 1.0

    model = sketch(
        states={"a": 0.0, "b": 1.0, "va": 2.0, "vb": 0.0},
        discrete={"touch": 0.0},
        relations={"a > b": lambda v: v["a"] - v["b"]},
        reinits=["va", "vb"],
        derivatives=derivatives,
        when=when,
    ).compile()
    result = simulate(model, Settings(stop=1.0))

    assert [result.final(n) for n in ("va", "vb")] == [0.0, 2.0]
    assert result.final("a") == pytest.approx(1.0)
    assert result.final("b") == pytest.approx(2.0)


def test_the_terminal_flag_is_up_in_one_last_event(sketch):
    def when(v):
        v["ended"] = 1.0 if v["terminal()"] else v["pre(ended)"]

    model = sketch(discrete={"ended": 0.0}, when=when, flags=True).compile()
    result = simulate(model, Settings(stop=1.0))

    assert result["ended"][-2:].tolist() == [0.0, 1.0]
    assert result.time[-2:].tolist() == [1.0, 1.0]


def test_without_event_points_the_grid_stays_regular(sketch):
    result = simulate(limiter(sketch), Settings(stop=2.0, record_events=False))

    assert np.diff(result.time).min() > 0.0


# ---------------------------------------------------------------- every method


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name not in ("euler", "beuler")])
def test_every_method_finds_the_same_crossings(sketch, solver):
    """x = sin t passes 0.5 at pi/6 and 5 pi/6; the derivative of y changes there."""

    def derivatives(v):
        v["der(x)"], v["der(w)"] = v["w"], -v["x"]
        v["der(y)"] = 1.0 if v["s(high)"] > 0.0 else 0.0

    model = sketch(
        states={"x": 0.0, "w": 1.0, "y": 0.0},
        derivatives=derivatives,
        relations={"high": lambda v: v["x"] - 0.5},
    ).compile()
    result = simulate(model, Settings(stop=3.0, tolerance=1e-8, solver=solver))

    times = [event.time for event in result.events]
    assert times == pytest.approx([pi / 6, 5 * pi / 6], abs=1e-5)
    assert result.final("y") == pytest.approx(2 * pi / 3, abs=1e-5)


@pytest.mark.parametrize("solver", ["dopri5", "rodas4", "radau", "cvode", "ida"])
def test_every_method_begins_anew_after_a_jump(sketch, solver):
    """A ball dropped from 1 m that loses half its speed: at the ground at sqrt(2/g), and so on."""

    def derivatives(v):
        v["der(h)"], v["der(v)"] = v["v"], -9.81

    def when(v):
        if v["s(down)"] < 0.0 and v["pre(hits)"] == v["hits"] and v["v"] < 0.0:
            v["new(v)"], v["flag(v)"] = -0.5 * v["v"], 1.0
            v["hits"] = v["pre(hits)"] + 1.0

    model = sketch(
        states={"h": 1.0, "v": 0.0},
        discrete={"hits": 0.0},
        derivatives=derivatives,
        relations={"down": lambda v: v["h"]},
        reinits=["v"],
        when=when,
    ).compile()
    result = simulate(model, Settings(stop=0.8, tolerance=1e-8, solver=solver))

    first = sqrt(2.0 / 9.81)
    assert result.events[0].time == pytest.approx(first, abs=1e-6)
    assert result.final("hits") == 1.0
    assert result.final("h") == pytest.approx(
        0.5 * 9.81 * first * (0.8 - first) - 0.5 * 9.81 * (0.8 - first) ** 2, abs=1e-5
    )
