"""MCD-4: the library of quantized bond graph components: 17 classes, quantizers, seven signals."""

import math

import pytest

from freewheel.base.diagnostics import SimulationError, UsageError
from freewheel.devs import Atomic, Coupled, simulate
from freewheel.devs.qbg import library
from freewheel.devs.qbg.classes import QBG_CLASSES
from freewheel.devs.qbg.library import INWARD, OUTWARD, Side
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signals import Signal

CLASSES = (
    "QBGCapacitorFlowIn",
    "QBGInductorEffortIn",
    "QBGResistanceFlowIn",
    "QBGResistanceEffortIn",
    "QBGSourceEffort_Constant",
    "QBGSourceEffort_Step",
    "QBGSourceEffort_Sine",
    "QBGSourceEffort_Pulse",
    "QBGSourceFlow_Constant",
    "QBGSourceFlow_Step",
    "QBGSourceFlow_Sine",
    "QBGSourceFlow_Pulse",
    "QBGTransformer",
    "QBGGyratorFlowIn",
    "QBGGyratorEffortIn",
    "QBGSerialJunction",
    "QBGParallelJunction",
)
FINE = Quantizer(quantum=0.01, window=0.01)


def answers(model: Atomic, *events, until=0.0):
    """What comes out when events go in: the last value at each port."""
    outcome = simulate(model, until, coordinator="classic", events=events)
    return {port: value for _, port, value in outcome.outputs}


# ---------------------------------------------------------------- the classes


def test_MCD_4_all_17_classes_are_there():
    assert len(CLASSES) == 17
    assert {name.lower() for name in CLASSES} <= set(QBG_CLASSES)


@pytest.mark.parametrize(("side", "sign"), [(INWARD, 1.0), (OUTWARD, -1.0)])
def test_MCD_4_resistances_obey_ohm(side, sign):
    flow_in = library.resistance_flow_in(4.0, side)
    effort_in = library.resistance_effort_in(4.0, side)

    assert answers(flow_in, (0.0, side.flow, 0.5)) == {side.effort: sign * 2.0}
    assert answers(effort_in, (0.0, side.effort, 2.0)) == {side.flow: sign * 0.5}


@pytest.mark.parametrize(
    ("make", "inlet", "outlet"),
    [(library.capacitor, "f1p", "e1p"), (library.inductor, "e1p", "f1p")],
    ids=["C", "I"],
)
def test_MCD_4_storages_integrate(make, inlet, outlet):
    """A constant input of 3 into 2 units of storage: level k is reached at k * 0.01 * 2 / 3."""
    outcome = simulate(make(2.0, FINE, initial=0.0), 1.0001, events=[(0.0, inlet, 3.0)])

    found = outcome.at(outlet)[1:]

    assert len(found) == 150
    for count, (time, value) in enumerate(found, 1):
        assert value == count * 0.01
        assert time == pytest.approx(count * 0.01 * 2 / 3)


def test_MCD_4_a_storage_with_its_bond_turned_round_integrates_the_other_way():
    falling = library.capacitor(2.0, FINE, initial=1.0, side=OUTWARD)

    assert answers(falling, (0.0, "f1n", 3.0), until=0.5)["e1n"] == pytest.approx(0.25, abs=0.011)


@pytest.mark.parametrize("signal", ["Constant", "Step", "Sine", "Pulse"])
def test_MCD_4_sources_give_efforts_and_flows(signal):
    made = Signal.make(signal)
    effort = simulate(library.effort_source(made, FINE), 0.9).outputs
    flow = simulate(library.flow_source(made, FINE), 0.9).outputs

    assert [(t, "f1n", v) for t, _, v in effort] == list(flow)
    assert all(abs(v - made.at(t)) <= 0.01 + 1e-9 for t, _, v in effort)


@pytest.mark.parametrize("effort_in", [1, 2])
@pytest.mark.parametrize("sides", [(True, False), (True, True), (False, False)])
def test_MCD_4_a_transformer_scales_and_keeps_power(effort_in, sides):
    first, second = Side(1, sides[0]), Side(2, sides[1])
    model = library.transformer(4.0, first, second, effort_in)
    given = dict(zip(model.inputs, (6.0, 0.7), strict=True))

    found = {**given, **answers(model, *((0.0, p, v) for p, v in given.items()))}

    assert found[second.effort] == found[first.effort] / 4.0
    assert abs(found[second.flow]) == pytest.approx(4.0 * abs(found[first.flow]))
    assert power(found, first) + power(found, second) == pytest.approx(0.0)


@pytest.mark.parametrize("make", [library.gyrator_flow_in, library.gyrator_effort_in])
@pytest.mark.parametrize("sides", [(True, False), (True, True), (False, False)])
def test_MCD_4_a_gyrator_turns_flow_into_effort_and_keeps_power(make, sides):
    first, second = Side(1, sides[0]), Side(2, sides[1])
    model = make(4.0, first, second)
    given = dict(zip(model.inputs, (6.0, 0.7), strict=True))

    found = {**given, **answers(model, *((0.0, p, v) for p, v in given.items()))}

    assert found[second.effort] == pytest.approx(4.0 * found[first.flow])
    assert abs(found[first.effort]) == pytest.approx(4.0 * abs(found[second.flow]))
    assert power(found, first) + power(found, second) == pytest.approx(0.0)


def power(found, side):
    """What enters by a bond."""
    return side.sign * found[side.effort] * found[side.flow]


@pytest.mark.parametrize(
    "make", [library.serial_junction, library.parallel_junction], ids=["1", "0"]
)
def test_MCD_4_junctions_share_one_variable_and_balance_the_other(make):
    sides = (Side(1, False), Side(2, True), Side(3, True), Side(4, False))
    model = make(sides)
    given = dict(zip(model.inputs, (0.5, 6.0, 1.0, 3.0), strict=True))

    found = {**given, **answers(model, *((0.0, p, v) for p, v in given.items()))}

    is_serial = make is library.serial_junction
    shared = [found[s.flow if is_serial else s.effort] for s in sides]
    assert shared == [0.5] * 4
    assert sum(power(found, side) for side in sides) == pytest.approx(0.0)


# ---------------------------------------------------------------- quantizers

QUANTIZERS = {
    "uniform": Quantizer(quantum=0.25),
    "hysteresis": Quantizer(quantum=0.25, window=0.25),
    "narrow": Quantizer(quantum=0.25, window=0.05),
    "wide": Quantizer(quantum=0.25, window=0.6),
    "intervals": Quantizer(levels=(-4.0, -1.0, -0.5, 0.0, 0.1, 0.7, 2.0, 4.0), window=0.1),
}


def widest(quantizer):
    gaps = [b - a for a, b in zip(quantizer.levels, quantizer.levels[1:], strict=False)]
    return max([quantizer.quantum, quantizer.window, *gaps])


@pytest.mark.parametrize("quantizer", QUANTIZERS.values(), ids=QUANTIZERS)
def test_MCD_4_the_quantized_value_stays_near(quantizer):
    """|q - x| <= max(distance of levels, window), for a value that goes up and down."""
    model = library.capacitor(1.0, quantizer, initial=0.3)
    pushes = [(float(n), "f1p", 2.9 * math.cos(1.3 * n)) for n in range(40)]
    seen = []

    simulate(model, 40.0, events=pushes, watch=seen.append)

    bound = widest(quantizer) + 1e-12
    assert len(seen) > 100
    for step in seen:
        level = quantizer_level(quantizer, step.state.level)
        assert abs(level - step.state.x) <= bound


def quantizer_level(quantizer, number):
    return quantizer.levels[int(number)] if quantizer.levels else number * quantizer.quantum


@pytest.mark.parametrize("quantizer", QUANTIZERS.values(), ids=QUANTIZERS)
def test_MCD_4_a_constant_gives_finitely_many_events(quantizer):
    outcome = simulate(library.capacitor(1.0, quantizer, initial=0.3), 1e9)

    assert outcome.reason == "passive"
    assert outcome.transitions == 1


class Relay(Atomic):
    """Pushes a value back to zero: without a window it swings about a level for ever."""

    inputs = ("value",)
    outputs = ("push",)

    def start(self):
        return 0.0, 0.0

    def time_advance(self, state):
        return 0.0 if state[0] != state[1] else math.inf

    def output(self, state):
        return (("push", state[0]),)

    def internal(self, state):
        return state[0], state[0]

    def external(self, state, elapsed, events):
        return (-1.0 if events[-1][1] >= 0.0 else 1.0), state[1]


def swinging(window):
    return Coupled(
        {"relay": Relay(), "tank": library.capacitor(1.0, Quantizer(0.5, window), initial=0.2)},
        ("tank.e1p -> relay.value", "relay.push -> tank.f1p"),
    )


def test_MCD_4_hysteresis_makes_a_model_legitimate():
    assert simulate(swinging(0.5), 10.0, coordinator="classic").reason == "until"
    with pytest.raises(SimulationError) as failure:
        simulate(swinging(0.0), 10.0, coordinator="classic")

    (told,) = failure.value.diagnostics
    assert told.code == "R200"
    assert told.message == "infinitely many transitions at t = 0.2: `relay`, `tank`"


@pytest.mark.parametrize(
    "given",
    [
        {"quantum": 0.0}, {"quantum": -1.0}, {"quantum": math.nan}, {"quantum": 1.0, "window": -1.0},
        {"levels": (1.0,)}, {"levels": (1.0, 1.0)}, {"levels": (0.0, 1.0), "quantum": 1.0},
    ],
)  # fmt: skip
def test_MCD_4_a_quantizer_that_cannot_be_is_refused(given):
    with pytest.raises(UsageError) as failure:
        Quantizer(**given)

    assert failure.value.diagnostics[0].code == "U083"


# ---------------------------------------------------------------- signals

SIGNALS = {
    "Constant": (Signal.make("Constant", k=2.5), lambda t: 2.5),
    "Step": (
        Signal.make("Step", height=2.0, offset=1.0, starttime=0.7),
        lambda t: 1.0 if t < 0.7 else 3.0,
    ),
    "Ramp": (
        Signal.make("Ramp", height=-2.0, duration=1.5, offset=1.0, starttime=0.5),
        lambda t: 1.0 - 2.0 * min(1.0, max(0.0, (t - 0.5) / 1.5)),
    ),
    "Sine": (
        Signal.make("Sine", amplitude=1.5, frequency=0.8, phase=0.4, offset=0.2, starttime=0.3),
        lambda t: 0.2 + (1.5 * math.sin(1.6 * math.pi * (t - 0.3) + 0.4) if t >= 0.3 else 0.0),
    ),
    "ExpSine": (
        Signal.make("ExpSine", amplitude=2.0, frequency=1.0, damping=0.7, phase=0.1, offset=-0.3),
        lambda t: -0.3 + 2.0 * math.exp(-0.7 * t) * math.sin(2 * math.pi * t + 0.1),
    ),
    "Exponential": (
        Signal.make("Exponential", outMax=3.0, riseTime=1.0, riseTimeConst=0.4, fallTimeConst=0.6),
        lambda t: (
            3.0 * (1 - math.exp(-t / 0.4))
            if t < 1.0
            else 3.0 * (1 - math.exp(-1.0 / 0.4)) * math.exp(-(t - 1.0) / 0.6)
        ),
    ),
    "Pulse": (
        Signal.make("Pulse", amplitude=4.0, width=30.0, period=0.7, offset=-1.0, starttime=0.2),
        lambda t: 3.0 if t >= 0.2 and (t - 0.2) % 0.7 < 0.21 else -1.0,
    ),
}


@pytest.mark.parametrize("name", SIGNALS)
def test_MCD_4_a_signal_is_what_its_formula_says(name):
    signal, formula = SIGNALS[name]

    for n in range(500):
        assert signal.at(0.00713 * n) == pytest.approx(formula(0.00713 * n), abs=1e-12)


@pytest.mark.parametrize("window", [0.0, 0.02, 0.1], ids=["none", "narrow", "quantum"])
@pytest.mark.parametrize("name", SIGNALS)
def test_MCD_4_a_source_follows_its_signal(name, window):
    """Between events the output is the level; at an event the signal stands at the end of one."""
    signal, formula = SIGNALS[name]
    outcome = simulate(library.effort_source(signal, Quantizer(0.1, window)), 4.0)

    events = outcome.at("e1n")

    assert events[0][0] == 0.0
    at = 0
    for n in range(3980):
        time = 0.001003 * n
        while at + 1 < len(events) and events[at + 1][0] <= time:
            at += 1
        assert abs(events[at][1] - formula(time)) <= 0.1 + 1e-9
    if not signal.is_piecewise_constant:
        for time, value in events[1:]:
            ends = (value, value + 0.1 - window)
            assert min(abs(formula(time) - end) for end in ends) < 1e-9 or time in (0.3, 0.5)


def test_MCD_4_the_sine_source_keeps_the_times_of_the_corrected_formula():
    """sigma' of the paper with its two corrections; as printed it stalls at the first peak."""
    w, du = 2 * math.pi, 0.3
    tau, times = 0.0, [0.0]
    for _ in range(50):
        y = math.sin(w * tau)
        if (y + du <= 1 and math.cos(w * tau) > 0) or y - du < -1:
            new = math.asin(y + du) / w
        else:
            new = (math.copysign(math.pi, tau) - math.asin(y - du)) / w
        sigma = (new - tau) % 1.0
        times.append(times[-1] + sigma)
        tau = new if w * new < math.pi else new - 2 * math.pi / w

    source = library.effort_source(Signal.make("Sine"), Quantizer(quantum=du, window=du))
    found = [time for time, _ in simulate(source, times[-1] + 1e-6).at("e1n")]

    assert found == pytest.approx(times, abs=1e-9)


def test_MCD_4_signals_that_cannot_be_are_refused():
    for name, given in (("Sine", {"frequency": 0.0}), ("Pulse", {"width": 120.0}), ("Saw", {})):
        with pytest.raises(UsageError):
            Signal.make(name, **given)
    with pytest.raises(UsageError, match="no parameter `height`"):
        Signal.make("Sine", height=1.0)


BORDERS = {
    "no width": ("Pulse", {"width": 0.0}, [0.0]),
    "full width": ("Pulse", {"width": 100.0, "starttime": 0.5}, [0.0, 1.0]),
    "full, twice": ("Pulse", {"width": 100.0, "nperiod": 2}, [1.0, 0.0]),
    "no period": ("Pulse", {"nperiod": 0}, [0.0]),
    "two periods": ("Pulse", {"nperiod": 2}, [1.0, 0.0, 1.0, 0.0]),
    "no pulse": ("Pulse", {"amplitude": 0.0, "offset": 2.0}, [2.0]),
    "no sine": ("Sine", {"amplitude": 0.0, "offset": 2.0}, [2.0]),
    "no ramp": ("Ramp", {"height": 0.0}, [0.0]),
    "steep ramp": ("Ramp", {"duration": 0.0, "starttime": 1.0}, [0.0, 1.0]),
    "flat exponential": ("Exponential", {"outmax": 0.4}, [0.0]),
    "undamped": ("ExpSine", {"amplitude": 0.6, "damping": 0.0, "frequency": 0.1}, [0.0, 0.5, 0.0]),
}


@pytest.mark.parametrize("name", BORDERS)
def test_MCD_4_signals_at_the_border_of_what_they_can_be_come_to_an_end(name):
    signal, given, values = BORDERS[name]
    quantizer = Quantizer(quantum=0.5, window=0.5)

    outcome = simulate(library.effort_source(Signal.make(signal, **given), quantizer), 5.5)

    assert [value for _, value in outcome.at("e1n")] == values
