"""Coordinators: what happens when, how runs end, what is told when they fail."""

import math

import pytest

from freewheel.base.diagnostics import CompileError, SimulationError, UsageError
from freewheel.devs import PASSIVE, Atomic, Coupled, Coupling, Port, simulate, start
from freewheel.devs.messages import simulate_messages

BOTH = pytest.mark.parametrize("coordinator", ["classic", "parallel"])


class Clock(Atomic):
    """Ticks with a count."""

    outputs = ("tick",)

    def __init__(self, period=1.0):
        self.period = period

    def start(self):
        return 0

    def time_advance(self, state):
        return self.period

    def output(self, state):
        return (("tick", state),)

    def internal(self, state):
        return state + 1


class Recorder(Atomic):
    """Notes which transitions it takes; is imminent itself every two seconds."""

    inputs = ("a", "b")

    def start(self):
        return 2.0, ()

    def time_advance(self, state):
        return state[0]

    def internal(self, state):
        return 2.0, (*state[1], "internal")

    def external(self, state, elapsed, events):
        rest = max(0.0, state[0] - elapsed)
        return rest, (*state[1], (elapsed, tuple(events)))


def clocks_and_recorder():
    return Coupled(
        {"fast": Clock(1.0), "slow": Clock(2.0), "recorder": Recorder()},
        ("fast.tick -> recorder.a", "slow.tick -> recorder.b"),
    )


def test_parallel_bags_hold_all_events_of_a_time_and_meet_in_the_confluent_transition():
    _, notes = simulate(clocks_and_recorder(), 2.0).states["recorder"]

    assert notes == ((1.0, (("a", 0),)), "internal", (0.0, (("a", 1), ("b", 0))))


def test_classic_events_come_one_by_one_in_order_of_precedence():
    _, notes = simulate(clocks_and_recorder(), 2.0, coordinator="classic").states["recorder"]

    assert notes == ((1.0, (("a", 0),)), (1.0, (("a", 1),)), (0.0, (("b", 0),)), "internal")


@BOTH
def test_messages_through_the_hierarchy_give_the_same_states(coordinator):
    model = clocks_and_recorder()

    assert simulate_messages(model, 7.0, coordinator=coordinator) == simulate(
        model, 7.0, coordinator=coordinator
    )


@BOTH
def test_confluent_may_be_overridden(coordinator):
    class InputsFirst(Recorder):
        def confluent(self, state, events):
            return self.internal(self.external(state, 2.0, events))

    model = Coupled({"clock": Clock(2.0), "r": InputsFirst()}, ("clock.tick -> r.a",))

    _, notes = simulate(model, 2.0, coordinator=coordinator).states["r"]

    if coordinator == "parallel":
        assert notes == ((2.0, (("a", 0),)), "internal")
    else:  # the clock has precedence; its event arrives, then the recorder is imminent still
        assert notes == ((2.0, (("a", 0),)), "internal")


@BOTH
def test_couplings_may_translate_values(coordinator):
    inner = Coupled(
        {"clock": Clock()},
        (Coupling(Port("clock", "tick"), Port("", "out"), lambda value: value + 1),),
        outputs=("out",),
    )
    outward = Coupling(Port("inner", "out"), Port("", "ten"), lambda value: 10 * value)
    model = Coupled({"inner": inner}, (outward, "inner.out -> one"), outputs=("ten", "one"))

    outcome = simulate(model, 2.0, coordinator=coordinator)

    assert outcome.at("ten") == [(1.0, 10), (2.0, 20)]
    assert outcome.at("one") == [(1.0, 1), (2.0, 2)]
    assert simulate_messages(model, 2.0, coordinator=coordinator).outputs == outcome.outputs


@BOTH
def test_one_object_may_stand_at_two_places(coordinator):
    clock = Clock()
    model = Coupled({"a": clock, "b": clock}, ("a.tick -> out", "b.tick -> out"), outputs=("out",))

    assert simulate(model, 1.0, coordinator=coordinator).at("out") == [(1.0, 0), (1.0, 0)]


# ---------------------------------------------------------------- how runs end


@BOTH
def test_a_run_ends_with_a_reason(coordinator):
    until = simulate(Clock(), 2.5, coordinator=coordinator)
    limit = simulate(Clock(), math.inf, coordinator=coordinator, max_transitions=4)
    stopped = simulate(
        Clock(), 9.0, coordinator=coordinator, stop_when=lambda run: len(run.outputs) == 3
    )
    passive = simulate(Recorder2(), 9.0, coordinator=coordinator)

    assert (until.reason, until.time) == ("until", 2.0)
    assert (limit.reason, limit.transitions) == ("limit", 4)
    assert (stopped.reason, stopped.time) == ("stopped", 3.0)
    assert passive.reason == "passive"


class Recorder2(Recorder):
    def start(self):
        return PASSIVE, ()


@BOTH
def test_a_run_can_be_continued(coordinator):
    run = start(clocks_and_recorder(), coordinator=coordinator)

    run.run(3.0)
    assert run.time == 3.0
    run.run(7.0)

    whole = simulate(clocks_and_recorder(), 7.0, coordinator=coordinator)
    assert run.states == list(whole.states.values())


@BOTH
def test_a_model_is_not_changed_by_running_it(coordinator):
    model = clocks_and_recorder()

    first = simulate(model, 9.0, coordinator=coordinator)

    assert simulate(model, 9.0, coordinator=coordinator) == first


# ---------------------------------------------------------------- how runs fail


class Echo(Atomic):
    """Answers at once, whoever asks."""

    inputs = ("in",)
    outputs = ("out",)

    def start(self):
        return PASSIVE

    def time_advance(self, state):
        return state

    def output(self, state):
        return (("out", 1),)

    def internal(self, state):
        return PASSIVE

    def external(self, state, elapsed, events):
        return 0.0


@BOTH
@pytest.mark.parametrize("simulator", [simulate, simulate_messages])
def test_infinitely_many_transitions_at_one_time_are_told_with_the_models(simulator, coordinator):
    model = Coupled(
        {"clock": Clock(), "left": Echo(), "right": Echo(), "idle": Echo()},
        ("clock.tick -> left.in", "left.out -> right.in", "right.out -> left.in"),
    )

    with pytest.raises(SimulationError) as failure:
        simulator(model, 9.0, coordinator=coordinator)

    (told,) = failure.value.diagnostics
    assert told.code == "R200"
    assert told.message == "infinitely many transitions at t = 1: `left`, `right`"


@BOTH
@pytest.mark.parametrize("simulator", [simulate, simulate_messages])
@pytest.mark.parametrize("advance", [-1.0, math.nan])
def test_a_time_advance_that_cannot_be_is_told(simulator, coordinator, advance):
    class Wrong(Clock):
        def time_advance(self, state):
            return 1.0 if state < 2 else advance

    with pytest.raises(SimulationError) as failure:
        simulator(Coupled({"odd": Wrong()}), 9.0, coordinator=coordinator)

    (told,) = failure.value.diagnostics
    assert (told.code, told.message) == ("R201", f"`odd` gave the time advance {advance} at t = 2")


@BOTH
@pytest.mark.parametrize("simulator", [simulate, simulate_messages])
def test_an_event_on_an_undeclared_port_is_told(simulator, coordinator):
    class Wrong(Clock):
        def output(self, state):
            return (("tock", state),)

    with pytest.raises(SimulationError) as failure:
        simulator(Coupled({"odd": Wrong()}), 9.0, coordinator=coordinator)

    (told,) = failure.value.diagnostics
    assert told.code == "R202"
    assert told.message == "`odd` sent to its output `tock`, which it does not have, at t = 1"
    assert told.help == "its outputs are: `tick`"


@BOTH
def test_an_event_for_an_input_that_is_not_there_is_told(coordinator):
    with pytest.raises(SimulationError) as failure:
        simulate(Recorder(), 9.0, coordinator=coordinator, events=[(0.5, "c", 1)])

    (told,) = failure.value.diagnostics
    assert told.code == "R203"
    assert told.message == "an event at t = 0.5 is for the input `c`, which the model does not have"
    assert told.help == "its inputs are: `a`, `b`"


@BOTH
def test_a_mistake_in_the_users_code_keeps_its_traceback_and_names_the_model(coordinator):
    class Wrong(Clock):
        def internal(self, state):
            return {}["missing"]

    with pytest.raises(KeyError, match="missing") as failure:
        simulate(Coupled({"odd": Wrong()}), 9.0, coordinator=coordinator)

    assert failure.value.__notes__ == ["in the model `odd` at t = 1"]


@BOTH
def test_a_mistake_in_a_receiver_names_the_receiver(coordinator):
    class Wrong(Echo):
        def external(self, state, elapsed, events):
            raise ValueError("what?")

    model = Coupled({"clock": Clock(), "deaf": Wrong()}, ("clock.tick -> deaf.in",))

    with pytest.raises(ValueError, match="what") as failure:
        simulate(model, 9.0, coordinator=coordinator)

    assert failure.value.__notes__ == ["in the model `deaf` at t = 1"]


def test_a_coordinator_that_is_not_there_is_a_usage_error():
    with pytest.raises(UsageError) as failure:
        simulate(Clock(), 1.0, coordinator="serial")

    (told,) = failure.value.diagnostics
    assert (told.code, told.message) == ("U080", "there is no coordinator `serial`")
    assert told.help == 'take "parallel" or "classic"'


# ---------------------------------------------------------------- what is checked before

WRONG = {
    "N080": ("nobody.tick -> out", "top: `nobody.tick -> out` names `nobody`, which is no component"),
    "N081 out": ("clock.tock -> out", "top: `clock` has no output `tock`"),
    "N081 in": ("clock.tick -> echo.im", "top: `echo` has no input `im`"),
    "N081 own": ("clock.tick -> away", "top: the coupled model has no output `away`"),
    "N083 self": ("echo.out -> echo.in", "top: `echo.out -> echo.in` leads from a component to itself"),
    "N083 through": ("in -> out", "top: `in -> out` leads from an input straight to an output"),
}  # fmt: skip


@pytest.mark.parametrize("code", WRONG)
def test_wrong_couplings_are_told(code):
    coupling, message = WRONG[code]
    parts = {"clock": Clock(), "echo": Echo()}

    with pytest.raises(CompileError) as failure:
        simulate(Coupled(parts, (coupling,), ("in",), ("out",)), 1.0)

    (told,) = failure.value.diagnostics
    assert (told.code, told.message) == (code.split()[0], message)


def test_all_mistakes_are_told_at_once_with_their_paths():
    inner = Coupled({"clock": Clock()}, ("clock.tock -> out", "clock.tick -> out"))

    with pytest.raises(CompileError) as failure:
        simulate(Coupled({"a.b": Clock(), "inner": inner}), 1.0)

    assert [(d.code, d.message) for d in failure.value.diagnostics] == [
        ("N082", "top: a component cannot be named `a.b`"),
        ("N081", "top.inner: `clock` has no output `tock`"),
        ("N081", "top.inner: the coupled model has no output `out`"),
        ("N081", "top.inner: the coupled model has no output `out`"),
    ]
    assert (
        failure.value.diagnostics[0].help == "dots separate the names of models inside each other"
    )


@BOTH
@pytest.mark.parametrize("time", [-1.0, math.nan, math.inf])
@pytest.mark.parametrize("simulator", [simulate, simulate_messages])
def test_an_event_that_never_comes_is_told(simulator, coordinator, time):
    model = Coupled({"r": Recorder()}, ("in -> r.a",), inputs=("in",))

    with pytest.raises(SimulationError) as failure:
        simulator(model, 9.0, coordinator=coordinator, events=[(time, "in", 1)])

    assert failure.value.diagnostics[0].code == "R205"
    assert (
        failure.value.diagnostics[0].message == f"an event for the input `in` has the time {time!r}"
    )
    assert "time begins at 0.0" in failure.value.diagnostics[0].help


@pytest.mark.parametrize("text", ["a.out b.in", "", "-> b.in", "a.out ->"])
def test_a_text_that_is_no_coupling_is_told(text):
    with pytest.raises(CompileError) as failure:
        Coupled({"echo": Echo()}, (text,))

    (told,) = failure.value.diagnostics
    assert (told.code, told.message) == ("N088", f"`{text}` is no coupling")
