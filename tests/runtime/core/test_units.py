"""Volts and micro-amperes, hours and nanoseconds: results must not depend on units."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import circuits
import numpy as np
import pytest
from alone import CoreResult, simulate_core
from scheduled import CoreSettings

from freewheel.runtime.switched_dae.equilibration import balance
from freewheel.runtime.switched_dae.problem import CoreProblem

FACTORS = [units for units in product((1e-6, 1.0, 1e6), repeat=3) if units != (1.0, 1.0, 1.0)]
CASES: dict[str, tuple[Callable[[circuits.Units], CoreProblem], float, str]] = {
    "half-wave": (lambda units: circuits.halfwave_l(0.0, units), 0.1, "u2"),
    "boost": (circuits.boost, 1e-3, "vC"),
    "bridge": (lambda units: circuits.bridge(2e-3, units), 0.06, "uC"),
}


def run(
    build: Callable[[circuits.Units], CoreProblem], stop: float, units: circuits.Units
) -> CoreResult:
    return simulate_core(build(units), CoreSettings(stop * units[2], 1e-3 * stop * units[2]))


@pytest.mark.parametrize("name", CASES)
def test_a_circuit_does_the_same_in_all_units(name: str) -> None:
    build, stop, unknown = CASES[name]
    plain = run(build, stop, circuits.SAME)
    times = np.array([event.time for event in plain.events])
    values = plain.values[unknown]

    for units in FACTORS:
        scaled = run(build, stop, units)
        assert [e.bits for e in scaled.events] == [e.bits for e in plain.events], units
        found = np.array([event.time for event in scaled.events]) / units[2]
        assert np.abs(found - times).max() < 1e-7 * stop, units
        assert np.abs(scaled.values[unknown] / units[0] - values).max() < 1e-5 * values.max(), units


def test_balanced_matrices_do_not_depend_on_units() -> None:
    dice = np.random.default_rng(5)
    A = dice.normal(size=(6, 6)) * (dice.random((6, 6)) < 0.5) + np.eye(6)
    E = np.diag([1.0, 2.0, 3.0, 0.0, 0.0, 0.0])
    rows, columns = 10.0 ** dice.uniform(-6, 6, 6), 10.0 ** dice.uniform(-6, 6, 6)

    plain = balance(E, A)
    other = balance(1e-5 * E * rows[:, None] * columns, A * rows[:, None] * columns)

    one = np.abs(A) * plain.rows[:, None] * plain.columns
    two = np.abs(A) * (rows * other.rows)[:, None] * (columns * other.columns)
    assert np.allclose(one.max(axis=1), 1.0, atol=1.0)
    assert np.abs(np.log10(one[one > 0.0] / two[two > 0.0])).max() < 0.5
    assert other.tau / plain.tau == pytest.approx(1e-5, rel=0.2)
