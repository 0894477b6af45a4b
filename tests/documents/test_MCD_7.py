"""MCD-7: the circuits of document 001 run; the error shrinks with the quantum."""

import math
from itertools import pairwise

import numpy as np
import pytest
from quantized_circuits import (
    FIG_8,
    FIG_8_A,
    FIG_8_B,
    FIG_23,
    FIG_26,
    FIG_28,
    FIG_29,
    FIG_29_A,
    FIG_29_B,
    PULSE_10,
    difference,
    exact,
)

from freewheel.devs import simulate
from freewheel.devs.qbg.compiled import simulate_compiled
from freewheel.devs.qbg.generate import Quanta, generate
from freewheel.devs.qbg.quantizer import Quantizer


def run(graph, quantum, until, **options):
    model = generate(graph, Quanta(Quantizer(quantum, quantum)))
    return simulate_compiled(model, until, **options)


FIG_8_NUMBERS = (
    (0.1, 0.066655543, 8.332406617e-05),
    (1.0, 0.066452134, 1.580796921e-03),
    (10.0, 0.653141772, 8.968658716e-02),
    (100.0, 4.539855636, 6.800286330),
)


@pytest.mark.parametrize(("time", "voltage", "current"), FIG_8_NUMBERS)
def test_MCD_7_fig_8_has_the_exact_values(time, voltage, current):
    signal = FIG_8.elements[0].signal

    (found,) = exact(FIG_8_A, FIG_8_B, signal, [time])

    assert found[0] == pytest.approx(voltage, abs=6e-10)
    assert found[1] == pytest.approx(current, rel=1e-9)


@pytest.mark.parametrize(("time", "voltage", "current"), FIG_8_NUMBERS)
def test_MCD_7_fig_8_quantized_comes_within_a_few_quanta(time, voltage, current):
    quantum = 2e-6 if time < 100.0 else 2e-5

    steps = run(FIG_8, quantum, time)

    assert steps.at("C", time) == pytest.approx(voltage, abs=5 * quantum)
    assert steps.at("L", time) == pytest.approx(current, abs=20 * quantum)


def test_MCD_7_fig_23_the_current_peaks_at_1_5_A_in_phase_with_the_voltage():
    model = generate(FIG_23, Quanta(Quantizer(quantum=0.1, window=0.01)))
    seen = []

    simulate(model, 0.04, coordinator="classic", watch=seen.append)

    flows = [(s.time, s.state.now[0]) for s in seen if s.model == "R1" and s.kind == "external"]
    currents = np.array([value for _, value in flows])
    assert currents.max() == pytest.approx(1.5)
    assert currents.min() == pytest.approx(-1.5, abs=0.0101)
    for time, current in flows:
        assert current == pytest.approx(1.5 * math.sin(100 * math.pi * time), abs=0.0101)


def test_MCD_7_fig_26_charges_with_150_s_and_ends_its_low_phases_at_4_9833_V():
    steps = run(FIG_26, 2e-4, 2000.0)
    solution = exact(np.array([[-1 / 150]]), np.array([1 / 150]), PULSE_10, [150.0])
    end_of_low = 10 / (math.exp(1 / 150) + 1)  # of the steady swing

    assert end_of_low == pytest.approx(4.9833, abs=5e-5)
    assert steps.at("C", 2000.0 - 1e-9) == pytest.approx(end_of_low, abs=1e-3)
    assert steps.at("C", 150.0) == pytest.approx(solution[0, 0], abs=1e-3)


def test_MCD_7_fig_26_the_capacitor_is_discharged_by_an_ideal_source():
    """The paper says it is not; but with the source at 0 V the current flows back through it."""
    _, values = run(FIG_26, 1e-3, 2000.0).of("C")

    falls = np.diff(values[-100:]) < 0

    assert falls.any()
    assert (~falls).any()


def test_MCD_7_fig_28_the_voltage_of_the_inductor_swings_between_minus_6_and_6_V():
    model = generate(FIG_28, Quanta(Quantizer(1e-3, 1e-3)))
    seen = []

    simulate(model, 40.0, coordinator="classic", watch=seen.append)

    late = [s.state.slope * 25.0 for s in seen if s.model == "L" and s.time > 30.0]
    end = 10 * math.exp(0.4) / (math.exp(0.4) + 1)  # of the exact steady swing
    assert max(late) == pytest.approx(end, abs=0.02)
    assert min(late) == pytest.approx(-end, abs=0.02)
    assert end == pytest.approx(6.0, abs=0.02)


def test_MCD_7_fig_29_follows_the_exact_solution_better_with_smaller_quanta():
    """The paper's own quanta first: 1.6 V with a window of 0.5 V, 0.5 A with 0.1 A; then finer."""
    times = np.linspace(0.5, 15.0, 30)
    solution = exact(FIG_29_A, FIG_29_B, FIG_29.elements[0].signal, times)
    names = ("L1", "C1", "L2", "C2")
    volts, amperes = (Quantizer(1.6, 0.5), Quantizer(0.5, 0.1))
    paper = {"L1": amperes, "L2": amperes, "C1": volts, "C2": volts}

    coarse = simulate_compiled(generate(FIG_29, Quanta(by_name=paper)), 15.0)
    errors = [difference(coarse, names, times, solution).max()]
    for quantum in (0.1, 0.01, 0.001):
        errors.append(difference(run(FIG_29, quantum, 15.0), names, times, solution).max())

    assert errors[0] < 10.0
    assert errors == sorted(errors, reverse=True)
    assert errors[3] < 0.02


def test_MCD_7_the_error_is_of_first_order_in_the_quantum():
    times = np.linspace(0.05, 10.0, 200)
    solution = exact(FIG_8_A, FIG_8_B, FIG_8.elements[0].signal, times)

    quanta = (1e-3, 1e-4, 1e-5)
    runs = [run(FIG_8, quantum, 10.0) for quantum in quanta]
    errors = [difference(steps, ("C", "L"), times, solution).max() for steps in runs]

    for coarse, fine in pairwise(errors):
        assert math.log10(coarse / fine) == pytest.approx(1.0, abs=0.3)
    for coarse, fine in pairwise(runs):
        assert len(fine.times) / len(coarse.times) == pytest.approx(10.0, rel=0.2)


@pytest.mark.parametrize("graph", [FIG_8, FIG_26, FIG_28, FIG_29], ids=["8", "26", "28", "29"])
def test_MCD_7_messages_compiled_and_folded_runs_change_the_same_levels(graph):
    """Faithful and compiled runs agree bit by bit, folded sums up to rounding."""
    model = generate(graph, Quanta(Quantizer(0.01, 0.01)))

    faithful = simulate(model, 10.0, coordinator="classic")
    compiled = simulate_compiled(model, 10.0)
    folded = simulate_compiled(model, 10.0, folded=True)

    names = [compiled.names[who] for who in compiled.who]
    assert faithful.outputs == tuple(
        zip(compiled.times.tolist(), names, compiled.values.tolist(), strict=True)
    )
    assert (faithful.internal, faithful.external) == (compiled.internal, compiled.external)
    assert [folded.names[who] for who in folded.who] == names
    assert folded.values.tolist() == compiled.values.tolist()
    assert folded.times == pytest.approx(compiled.times, abs=1e-9)
