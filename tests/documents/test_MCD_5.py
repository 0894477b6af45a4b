"""MCD-5: DEVS models that users write: atomic, coupled, select, closure under coupling."""

import importlib.util
import math
from pathlib import Path

import pytest

from freewheel.devs import PASSIVE, Atomic, Coupled, Trace, simulate
from freewheel.devs.messages import simulate_messages

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "devs"


def example(name):
    found = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


CUSTOMERS = ((0.0, "Ann"), (1.0, "Bob"), (1.5, "Cid"), (9.0, "Dan"))


@pytest.mark.parametrize("coordinator", ["classic", "parallel"])
def test_MCD_5_a_queue_serves_in_order(coordinator):
    shop = example("waiting_line").shop(CUSTOMERS, service=2.0)

    outcome = simulate(shop, until=math.inf, coordinator=coordinator)

    assert outcome.at("served") == [(2.0, "Ann"), (4.0, "Bob"), (6.0, "Cid"), (11.0, "Dan")]
    assert outcome.reason == "passive"
    assert outcome.states["till"].people == ()


def test_MCD_5_a_traffic_light_heeds_its_button():
    light = example("traffic_light").TrafficLight()
    presses = [(5.0, "button", 1), (7.0, "button", 1), (90.0, "button", 1)]

    outcome = simulate(light, until=120.0, events=presses)

    assert outcome.at("light") == [
        (20.0, "yellow"), (23.0, "red"), (33.0, "green"),
        (90.0, "yellow"), (93.0, "red"), (103.0, "green"),
    ]  # fmt: skip


@pytest.mark.parametrize("coordinator", ["classic", "parallel"])
def test_MCD_5_a_thermostat_holds_a_continuous_room(coordinator):
    """From 15 to 21 degrees towards 40 with 10^4 s, then between 19 and 21."""
    room = example("thermostat").heated_room()

    outcome = simulate(room, until=20_000.0, coordinator=coordinator)

    switched = outcome.at("heat")
    assert [heat for _, heat in switched[:4]] == [4000.0, 0.0, 4000.0, 0.0]
    assert switched[1][0] == pytest.approx(1e4 * math.log(25 / 19), rel=0.01)
    fall = switched[2][0] - switched[1][0]
    assert fall == pytest.approx(1e4 * math.log(21 / 19), rel=0.06)
    late = [value for time, value in outcome.at("temperature") if time > 3000.0]
    assert min(late) >= 18.9
    assert max(late) <= 21.1


class Say(Atomic):
    """Says its name once, at time 1, and notes in which order it heard others."""

    inputs = ("hear",)
    outputs = ("say",)

    def __init__(self, name):
        self.name = name

    def start(self):
        return 1.0, ()

    def time_advance(self, state):
        return state[0]

    def output(self, state):
        return (("say", self.name),)

    def internal(self, state):
        return PASSIVE, state[1]

    def external(self, state, elapsed, events):
        return state[0] - elapsed, state[1] + tuple(name for _, name in events)


def speakers(select=None):
    couplings = ("a.say -> log.hear", "b.say -> log.hear", "c.say -> log.hear")
    parts = {name: Say(name) for name in "abc"}
    return Coupled({**parts, "log": Listener("log")}, couplings, select=select)


class Listener(Say):
    def start(self):
        return PASSIVE, ()


def test_MCD_5_components_that_are_imminent_together_go_in_order():
    heard = simulate(speakers(), 2.0, coordinator="classic").states["log"][1]

    assert heard == ("a", "b", "c")


def test_MCD_5_select_may_choose_otherwise():
    asked = []

    def last(names):
        asked.append(names)
        return names[-1]

    heard = simulate(speakers(last), 2.0, coordinator="classic").states["log"][1]

    assert heard == ("c", "b", "a")
    assert asked == [("a", "b", "c"), ("a", "b")]


@pytest.mark.parametrize("simulator", [simulate, simulate_messages])
def test_MCD_5_select_asks_the_outer_model_first(simulator):
    inner = Coupled(
        {"x": Say("x"), "y": Say("y")},
        ("x.say -> out", "y.say -> out"),
        outputs=("out",),
        select=lambda names: names[-1],
    )
    parts = {"a": Say("a"), "inner": inner, "b": Say("b"), "log": Listener("log")}
    couplings = ("a.say -> log.hear", "inner.out -> log.hear", "b.say -> log.hear")
    model = Coupled(parts, couplings, select=lambda names: "inner" if "inner" in names else "b")

    heard = simulator(model, 2.0, coordinator="classic").states["log"][1]

    assert heard == ("y", "x", "b", "a")


def nested(depth):
    """A clock at the bottom, a counter outside, `depth` coupled models between them."""
    model = Coupled({"clock": Clock()}, ("clock.tick -> out",), outputs=("out",))
    for _ in range(depth):
        model = Coupled({"inner": model}, ("inner.out -> out",), outputs=("out",))
    return model


class Clock(Atomic):
    outputs = ("tick",)

    def start(self):
        return 0

    def time_advance(self, state):
        return 1.0

    def output(self, state):
        return (("tick", state),)

    def internal(self, state):
        return state + 1


@pytest.mark.parametrize("coordinator", ["classic", "parallel"])
@pytest.mark.parametrize("depth", [0, 1, 7])
def test_MCD_5_closure_under_coupling(depth, coordinator):
    """A hierarchy behaves as its atomic models do side by side; so do messages through it."""
    model = nested(depth)

    closed = simulate(model, 5.0, coordinator=coordinator)
    passed = simulate_messages(model, 5.0, coordinator=coordinator)

    assert closed.at("out") == [(float(n + 1), n) for n in range(5)]
    assert passed == closed


def test_MCD_5_a_hierarchy_deeper_than_python_recurses_is_no_problem():
    assert len(simulate(nested(5000), 3.0).outputs) == 3


def test_MCD_5_a_trace_tells_every_transition():
    trace = Trace()

    simulate(nested(1), 2.0, watch=trace)

    assert trace.text().splitlines() == [
        "           0  inner.clock  start  0 until 1",
        "           1  inner.clock  internal  1 until 2",
        "           2  inner.clock  internal  2 until 3",
    ]
