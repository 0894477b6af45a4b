"""Hand-written cores against exact solutions: key numbers of piecewise-exact computations."""

from __future__ import annotations

from collections.abc import Callable

import circuits
import numpy as np
import pytest
from alone import CoreResult, simulate_core
from scheduled import CoreSettings

from freewheel.runtime.switched_dae.problem import CoreProblem


def run(core: CoreProblem, stop: float, interval: float, tolerance: float = 1e-6) -> CoreResult:
    settings = CoreSettings(stop, interval, tolerance=tolerance, absolute=1e-3 * tolerance)
    return simulate_core(core, settings)


def switching(result: CoreResult) -> list[float]:
    return [event.time for event in result.events if event.cause != "start"]


# model, stop, interval, number of events, first event, unknown, its value at the end
KNOWN: list[tuple[str, Callable[[], CoreProblem], float, float, int, float, str, float]] = [
    ("R", circuits.halfwave, 0.2, 1e-4, 19, 0.00870813304878869417, "u2", 0.45798816240656),
    (
        "R and L",
        lambda: circuits.halfwave_l(10.0),
        0.2,
        1e-4,
        19,
        0.00962587531907548782,
        "u2",
        4.658991703418,
    ),
    (
        "L alone",
        lambda: circuits.halfwave_l(0.0),
        0.2,
        1e-4,
        17,
        0.0101190614969393246,
        "u2",
        7.414103491510,
    ),
    ("boost", circuits.boost, 0.01, 2.5e-6, 598, 2e-5, "vC", 22.619136888108),
]


@pytest.mark.parametrize("case", KNOWN, ids=lambda case: case[0])
def test_events_and_end_values_are_those_of_the_exact_solution(
    case: tuple[str, Callable[[], CoreProblem], float, float, int, float, str, float],
) -> None:
    _, build, stop, interval, events, first, unknown, last = case

    result = run(build(), stop, interval)

    assert len(switching(result)) == events
    assert switching(result)[0] == pytest.approx(first, abs=1e-10)
    assert result.values[unknown][-1] == pytest.approx(last, rel=1e-6)


def test_the_boost_converter_passes_from_switch_to_diode_to_neither() -> None:
    result = run(circuits.boost(), 0.001, 2.5e-6)

    # (diode, switch) from the second period on
    assert [event.bits for event in result.events][4:10] == [
        (False, False),
        (False, True),
        (True, False),
        (False, False),
        (False, True),
        (True, False),
    ]
    assert switching(result)[3] == pytest.approx(9.09692265447247002e-5, abs=1e-12)


def test_a_peak_detector_follows_its_source_while_it_conducts() -> None:
    result = run(circuits.peak_detector(), 0.1, 1e-4)

    assert len(switching(result)) == 9
    assert switching(result)[0] == pytest.approx(0.00520236927154014296, abs=1e-12)
    assert switching(result)[1] == pytest.approx(0.0224958115192559513, abs=1e-10)
    assert result.counts["index"] == 2
    early = result.times < 0.005
    source = 10.0 * np.sin(circuits.W50 * result.times[early])
    assert np.abs(result.values["u2"][early] - source).max() < 1e-12


@pytest.mark.parametrize(
    ("inductance", "events", "first"),
    [(0.0, 19, 0.00614778555481593022), (2e-3, 15, 0.00625732869254381131)],
)
def test_a_bridge_floats_between_its_pulses(inductance: float, events: int, first: float) -> None:
    result = run(circuits.bridge(inductance), 0.1, 1e-4)

    assert len(switching(result)) == events
    assert switching(result)[0] == pytest.approx(first, abs=1e-9)
    assert result.counts["modes"] == 3  # of sixteen
    assert [warning.code for warning in result.warnings] == ["R130"]
    assert "`va`" in result.warnings[0].message


def test_a_clutch_conserves_momentum_and_reports_its_torque_impulse() -> None:
    result = run(circuits.clutch(), 6.0, 0.02)

    just_after = np.searchsorted(result.times, 2.0 + 1e-9)
    w = result.values["w1"]
    assert w[just_after] == pytest.approx(result.values["w2"][just_after], rel=1e-12)
    strengths = {impulse.equation: impulse.strength for impulse in result.impulses}
    assert strengths["J1"] == pytest.approx(-5.326026574595388, rel=1e-9)
    assert strengths["J2"] == pytest.approx(5.326026574595388, rel=1e-9)
    assert {impulse.time for impulse in result.impulses} == {2.0}


def test_two_inductors_conserve_their_flux() -> None:
    result = run(circuits.two_inductors(), 0.2, 1e-3)

    after = np.searchsorted(result.times, 0.05 + 1e-9)
    assert result.values["i1"][after] == pytest.approx(result.values["i2"][after], rel=1e-9)
    assert [i.strength for i in result.impulses] == pytest.approx(
        [-0.1376872502064152, 0.1376872502064152], rel=1e-6
    )


def test_an_interrupted_inductor_gives_its_flux_away() -> None:
    result = run(circuits.interrupted_inductor(), 0.1, 5e-4)

    assert [i.strength for i in result.impulses] == pytest.approx([-0.1729329433526775], rel=1e-6)
    assert [warning.code for warning in result.warnings] == ["R131"]


def test_a_tighter_tolerance_gives_a_smaller_error() -> None:
    errors = [
        abs(run(circuits.halfwave_l(0.0), 0.2, 1e-4, tol).values["u2"][-1] - 7.414103491510)
        for tol in (1e-4, 1e-7)
    ]

    assert errors[1] < 0.02 * errors[0]


def test_backward_euler_is_of_first_order_and_worse_than_a_leak() -> None:
    """Half-wave rectifier behind an inductor: 0.4 V at h = 1e-4, a leaky diode errs by 3 mV."""
    exact = run(circuits.halfwave_l(0.0), 0.2, 1e-3, 1e-9).values["u2"]
    errors = []
    for h in (1e-4, 1e-5):
        settings = CoreSettings(0.2, 1e-3, longest_step=h, is_first_order=True)
        result = simulate_core(circuits.halfwave_l(0.0), settings)
        errors.append(float(np.abs(result.values["u2"] - exact).max()))

    assert errors[0] == pytest.approx(0.38, abs=0.02)
    assert errors[0] / errors[1] == pytest.approx(10.0, rel=0.1)
