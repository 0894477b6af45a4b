"""Quantized bond graphs of order 2 and 3: components, whole graphs, compiled kernels."""

import math
import random
from itertools import pairwise

import numpy as np
import pytest
from quantized_circuits import SIGNALS, random_ladder

from freewheel.base.diagnostics import CompileError, UsageError
from freewheel.base.source import Source
from freewheel.devs import Polynomial, simulate
from freewheel.devs.cdpp.ma_build import as_ma, build
from freewheel.devs.cdpp.ma_read import read_ma
from freewheel.devs.cdpp.ma_write import write_ma
from freewheel.devs.qbg import library
from freewheel.devs.qbg.classes import QBG_CLASSES
from freewheel.devs.qbg.compiled import can_be_compiled, order_of, simulate_compiled
from freewheel.devs.qbg.generate import Quanta, generate
from freewheel.devs.qbg.library import Side
from freewheel.devs.qbg.polynomial_atomics import raised, raised_atomic
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signals import Signal

TABLE = Signal.table([(0.0, 1.0), (0.4, -1.0), (0.4, 2.0), (1.0, 2.0), (1.5, 0.0)])
FINE = Quantizer(0.01, 0.01)


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("signal", [*SIGNALS, TABLE], ids=lambda signal: signal.name)
def test_a_source_is_never_further_than_a_quantum(signal, order):
    source = raised_atomic(library.effort_source(signal, FINE), order)

    events = simulate(source, 2.0).at("e1n")

    at = 0
    for time in np.linspace(0.0, 2.0, 3001)[:-1]:
        while at + 1 < len(events) and events[at + 1][0] <= time:
            at += 1
        assert abs(events[at][1].at(time - events[at][0]) - signal.at(time)) <= 0.01 + 1e-12


def test_a_growing_oscillation_is_followed():
    signal = Signal.make("ExpSine", amplitude=1.0, frequency=1.0, damping=-1.5)
    events = simulate(raised_atomic(library.effort_source(signal, FINE), 2), 3.0).at("e1n")

    for (time, piece), (end, _) in pairwise(events):
        for part in (0.3, 0.999):
            since = part * (end - time)
            assert abs(piece.at(since) - signal.at(time + since)) <= 0.01 + 1e-9


@pytest.mark.parametrize("seed", range(60))
def test_corners_are_hit_whatever_their_times_round_to(seed):
    """The last piece before a corner is not taken for the first behind it."""
    dice = random.Random(seed)
    timing = {"starttime": round(dice.uniform(0.0, 0.5), 4), "offset": 0.3}
    rise = round(dice.uniform(0.1, 1.0), 4)
    for signal in (
        Signal.make("Exponential", risetime=rise, falltimeconst=0.7, risetimeconst=0.3, **timing),
        Signal.make("Ramp", duration=rise, **timing),
        Signal.make("Pulse", period=rise, **timing),
    ):
        events = simulate(raised_atomic(library.effort_source(signal, FINE), 3), 2.0).at("e1n")
        for (time, piece), (end, _) in pairwise([*events, (2.0, None)]):
            for part in (0.001, 0.5, 0.999):
                since = part * (end - time)
                assert abs(piece.at(since) - signal.at(time + since)) <= 0.01 + 1e-9


def test_what_answers_at_once_is_exact():
    """A junction with a resistance: polynomials that arrive at different times are added as they are then."""
    sides = (Side(1, False), Side(2, True), Side(3, True))
    junction = raised_atomic(library.serial_junction(sides), 3)
    events = [(0.0, "e2p", Polynomial(1.0, 2.0, 3.0)), (0.5, "e3p", Polynomial(4.0, -1.0))]

    found = simulate(junction, 1.0, coordinator="classic", events=events).at("e1n")

    assert found[0] == (0.0, Polynomial(1.0, 2.0, 3.0))
    (time, told) = found[1]
    for since in (0.0, 0.1, 2.0):
        exact = events[0][2].at(time + since) + events[1][2].at(since)
        assert told.at(since) == pytest.approx(exact, abs=1e-14)


@pytest.mark.parametrize("order", [2, 3])
def test_a_storage_integrates_polynomials_exactly(order):
    """What a storage holds is the integral of what arrives, whatever it sends of it."""
    tank = raised_atomic(library.capacitor(2.0, Quantizer(0.5, 0.5), 1.0), order)
    rate = Polynomial(3.0, -4.0, 6.0).truncated(order - 1)

    events = simulate(tank, 4.0, events=[(0.0, "f1p", rate)]).at("e1p")

    for time, piece in events[1:]:
        assert piece.at(0.0) == pytest.approx(rate.integral(2.0).at(time) / 2.0)
    if order == 3:  # a cubic; its pieces are parabolas
        waits = np.diff([time for time, _ in events[1:]])
        assert waits == pytest.approx(waits[0])


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("seed", range(12))
def test_compiled_kernels_do_what_the_atomic_models_do(seed, order):
    model = generate(random_ladder(seed), Quanta(Quantizer(0.05, 0.05), order=order))

    interpreted, compiled = (
        simulate(model, 2.0, coordinator="classic"),
        simulate_compiled(model, 2.0),
    )

    told = compiled.outputs()
    assert [port for _, port, _ in told] == [port for _, port, _ in interpreted.outputs]
    for (time, _, value), (other_time, _, other) in zip(told, interpreted.outputs, strict=True):
        assert time == pytest.approx(other_time, abs=1e-7)
        assert (value - other).coefficients == pytest.approx([0.0] * order, abs=1e-5)


@pytest.mark.parametrize("order", [2, 3])
def test_the_kernels_give_the_same_in_cpython(order):
    model = generate(random_ladder(3), Quanta(Quantizer(0.05, 0.05), order=order))

    machine, python = simulate_compiled(model, 1.0), simulate_compiled(model, 1.0, code="python")

    assert machine.times == pytest.approx(python.times, abs=1e-12)
    assert len(machine.times) == len(python.times)


@pytest.mark.parametrize("order", [2, 3])
def test_orders_are_in_files(order):
    model = generate(random_ladder(4), Quanta(Quantizer(0.05, 0.05), order=order))

    again = build(read_ma(Source.from_text(write_ma(as_ma(model)))), QBG_CLASSES)

    assert order_of(again) == order
    assert len(simulate_compiled(again, 1.0).times) == len(simulate_compiled(model, 1.0).times)


def test_mixed_orders_are_not_compiled():
    model = generate(random_ladder(4), Quanta(Quantizer(0.05, 0.05)))
    assert can_be_compiled(model)
    assert can_be_compiled(raised(model, 2))
    mixed = {**model.components, "R0": raised_atomic(model.components["R0"], 2)}
    assert not can_be_compiled(type(model)(mixed, model.couplings, outputs=model.outputs))


def test_orders_that_are_not_there_are_refused():
    for given in (
        {"quantizer": FINE, "order": 4},
        {"quantizer": Quantizer(levels=(0.0, 1.0)), "order": 2},
    ):
        with pytest.raises(UsageError) as failure:
            raised_atomic(library.capacitor(1.0, given["quantizer"]), given["order"])
        assert failure.value.diagnostics[0].code == "U095"
        assert failure.value.diagnostics[0].help in (
            "take 1, 2 or 3",
            "give a quantum, or take order 1",
        )
    text = "[top]\ncomponents : c@QBGCapacitorFlowIn\n[c]\nc : 1\nquantum : 1\norder : 2.5\n"
    with pytest.raises(CompileError) as failure:
        build(read_ma(Source.from_text(text)), QBG_CLASSES)
    assert failure.value.diagnostics[0].labels[0].span.line == 6


def test_a_quiet_model_has_an_end():
    model = generate(random_ladder(4), Quanta(Quantizer(0.05, 0.05), order=2))

    assert np.isfinite(simulate_compiled(model, 50.0).times).all()
    assert math.isfinite(simulate_compiled(model, 50.0).values[-1])
