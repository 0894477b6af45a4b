"""Elements that are held by a gate, corners elsewhere than at zero, steps that follow the sources."""

from __future__ import annotations

from collections.abc import Callable

import circuits
import numpy as np
import pytest
from alone import simulate_core
from scheduled import CoreSettings

from freewheel.runtime.switched_dae.problem import CoreProblem

SETTINGS = CoreSettings(0.1, 1e-3)


def held(core: CoreProblem) -> CoreProblem:
    core.memory[core.elements[0].held] = 1.0
    return core


def test_a_valve_held_open_never_conducts() -> None:
    result = simulate_core(held(circuits.gated_halfwave(0.0)), SETTINGS)

    assert len(result.events) == 1
    assert np.abs(result.values["u2"]).max() < 1e-15
    assert result.values["s"].max() == pytest.approx(1.0, abs=0.1)  # beyond its corner, and stays


def test_a_valve_held_closed_conducts_both_ways() -> None:
    result = simulate_core(held(circuits.gated_halfwave(1.0)), SETTINGS)

    assert len(result.events) == 1
    assert result.values["i0"].min() < -0.05


@pytest.mark.parametrize("corner", [2.0, -3.0])
def test_a_corner_elsewhere_changes_nothing_but_the_parameter(corner: float) -> None:
    plain = simulate_core(circuits.gated_halfwave(0.0), SETTINGS)
    moved = simulate_core(circuits.gated_halfwave(0.0, corner), SETTINGS)

    assert len(moved.events) == len(plain.events) == 10
    times = [(a.time, b.time) for a, b in zip(moved.events, plain.events, strict=True)]
    assert max(abs(a - b) for a, b in times) < 1e-9
    assert np.abs(moved.values["u2"] - plain.values["u2"]).max() < 1e-6
    assert np.abs(moved.values["s"] - plain.values["s"] - corner).max() < 1e-5


@pytest.mark.parametrize(
    "build", [circuits.halfwave, circuits.peak_detector, lambda: circuits.bridge(0.0)]
)
def test_results_do_not_depend_on_the_output_interval(build: Callable[[], CoreProblem]) -> None:
    fine = simulate_core(build(), CoreSettings(0.1, 1e-4))
    coarse = simulate_core(build(), CoreSettings(0.1, 0.05))

    assert [e.time for e in coarse.events] == pytest.approx(
        [e.time for e in fine.events], abs=1e-12
    )
    for name in coarse.values:
        assert coarse.values[name][-1] == pytest.approx(fine.values[name][-1], abs=1e-9)


def test_an_output_between_two_rails_has_two_corners_on_one_unknown() -> None:
    result = simulate_core(circuits.limited_amplifier(), CoreSettings(0.04, 1e-4))

    source = 3.0 * np.sin(circuits.W50 * result.times)
    assert np.abs(result.values["out"] - np.clip(source, -1.0, 1.0)).max() < 1e-9
    assert result.values["v"].min() == pytest.approx(-0.3, abs=1e-9)
    crossing = np.arcsin(1.0 / 3.0) / circuits.W50
    first = next(event.time for event in result.events if event.cause == "high")
    assert first == pytest.approx(crossing, abs=1e-12)
    # both rails twice in each of two periods, in and out; the diode once in each, in and out
    assert len(result.events) == 1 + 8 + 4
