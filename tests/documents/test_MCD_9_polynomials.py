"""MCD-9: events that carry polynomial coefficients (GDEVS), as the resistance of the paper does."""

import numpy as np
import pytest
from quantized_circuits import FIG_8, FIG_29, FIG_29_A, FIG_29_B, exact
from scipy.linalg import expm

from freewheel.devs import Coupled, Polynomial, simulate
from freewheel.devs.qbg import library
from freewheel.devs.qbg.compiled import simulate_compiled
from freewheel.devs.qbg.generate import Quanta, generate
from freewheel.devs.qbg.graph_nodes import Bond, CausalGraph, Element, Junction
from freewheel.devs.qbg.polynomial_atomics import raised_atomic
from freewheel.devs.qbg.quantizer import Quantizer
from freewheel.devs.qbg.signals import Signal

NAMES = ("L1", "C1", "L2", "C2")
TIMES = np.linspace(0.5, 14.5, 57)


@pytest.mark.parametrize("order", [2, 3])
def test_MCD_9_the_resistance_sends_the_coefficients_of_its_effort(order):
    """effort = R flow: to (a_i, b_i) of the flow belong (R a_i, R b_i), whenever they arrive."""
    resistance = raised_atomic(library.resistance_flow_in(4.0), order)
    flows = [
        (0.0, Polynomial(1.0, 0.5)),
        (1.5, Polynomial(-2.0, 3.0)),
        (1.75, Polynomial(0.0, 0.0)),
    ]

    found = simulate(resistance, 9.0, events=[(t, "f1p", p) for t, p in flows]).at("e1p")

    assert found == [(time, 4.0 * flow) for time, flow in flows]


def test_MCD_9_linear_elements_are_exact_on_polynomials():
    """A ramp through a junction, two resistances and a transformer: not an error in any digit that counts."""
    ramp = Signal.make("Ramp", height=6.0, duration=3.0)
    graph = CausalGraph(
        (
            Element("V", "Se", signal=ramp), Element("T", "TF", 2.0), Element("R", "R", 4.0),
            Element("C", "C", 1.0),
        ),
        (Junction("s", 1),),
        (
            Bond("V", "T", "head"), Bond("T", "s", "head", tail_port=2), Bond("s", "R", "head"),
            Bond("s", "C", "tail"),
        ),
    )  # fmt: skip
    model = generate(graph, Quanta(Quantizer(10.0, 10.0), order=3))
    watched = Coupled(
        model.components, (*model.couplings, "R.f1p -> i"), outputs=(*model.outputs, "i")
    )

    (_, current), *_ = reversed(simulate(watched, 1.0, coordinator="classic").at("i"))

    # With so wide a quantum the capacitor never tells its voltage; the ramp is all there is.
    assert current.coefficients[:2] == pytest.approx((0.0, 2.0 / 2.0 / 4.0), abs=1e-15)


def error_of(order, quantum):
    signal = Signal.make("Step", height=20.0)
    solution = exact(FIG_29_A, FIG_29_B, signal, TIMES)
    model = generate(FIG_29, Quanta(Quantizer(quantum, quantum), order=order))
    steps = simulate_compiled(model, 15.0)
    errors = [np.abs(steps.at_all(n, TIMES) - solution[:, k]).max() for k, n in enumerate(NAMES)]
    return max(errors), len(steps.times)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_MCD_9_the_error_is_that_of_the_quantum_and_events_grow_with_its_root(order):
    """Fig. 29: ten times as fine costs 10, 3.2 and 2.2 times the events at orders 1, 2 and 3."""
    quanta = (0.1, 0.01, 0.001)
    errors, events = zip(*(error_of(order, quantum) for quantum in quanta), strict=True)

    for quantum, error in zip(quanta, errors, strict=True):
        assert error < 20.0 * quantum
    for coarse, fine in ((errors[0], errors[1]), (errors[1], errors[2])):
        assert fine == pytest.approx(coarse / 10.0, rel=0.3)
    assert events[2] / events[1] == pytest.approx(10.0 ** (1.0 / order), rel=0.1)


@pytest.mark.parametrize("order", [2, 3])
def test_MCD_9_a_sine_on_a_storage_against_the_exact_solution(order):
    """Fig. 26 with a sine: x' = (sin wt - x) / 2."""
    graph = CausalGraph(
        (Element("V", "Se", signal=Signal.make("Sine")), Element("R", "R", 4.0), Element("C", "C", 0.5)),
        (Junction("s", 1),),
        (Bond("V", "s", "head"), Bond("s", "R", "head"), Bond("s", "C", "tail")),
    )  # fmt: skip
    w, tau = 2.0 * np.pi, 2.0
    times = np.linspace(0.1, 4.9, 49)
    truth = (np.sin(w * times) - w * tau * (np.cos(w * times) - np.exp(-times / tau))) / (
        1.0 + (w * tau) ** 2
    )

    for quantum in (1e-3, 1e-5):
        model = generate(graph, Quanta(Quantizer(quantum, quantum), order=order))
        found = simulate_compiled(model, 5.0).at_all("C", times)
        assert np.abs(found - truth).max() < 3.0 * quantum


def test_MCD_9_between_pulses_a_circuit_is_followed_by_parabolas():
    """Fig. 8 after ten seconds, with a hundredth of the events of order 1."""
    events = {}
    for order in (1, 3):
        model = generate(FIG_8, Quanta(Quantizer(1e-5, 1e-5), order=order))
        steps = simulate_compiled(model, 10.0)
        events[order] = len(steps.times)
        assert steps.at("C", 10.0) == pytest.approx(0.653141772, abs=3e-5)
    assert 100 * events[3] < events[1]


def test_MCD_9_the_exact_solution_is_the_matrix_exponential():
    """Of what the tests above lean on."""
    matrix = np.zeros((5, 5))
    matrix[:4, :4], matrix[:4, 4] = FIG_29_A, 20.0 * FIG_29_B

    found = exact(FIG_29_A, FIG_29_B, Signal.make("Step", height=20.0), [2.0])[0]

    assert found == pytest.approx((expm(2.0 * matrix) @ [0, 0, 0, 0, 1.0])[:4])
