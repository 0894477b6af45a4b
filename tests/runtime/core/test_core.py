"""The core's parts: subspaces, Lemke's method, restarts, failures, kernels against CPython."""

from __future__ import annotations

import random
from itertools import pairwise, product

import bent_cores
import circuits
import hand_written_networks as networks
import numpy as np
import pytest
from alone import simulate_core
from scheduled import CoreSettings

from freewheel.base.diagnostics import SimulationError
from freewheel.runtime.switched_dae.complementarity import lemke
from freewheel.runtime.switched_dae.subspaces import subspaces


@pytest.mark.parametrize(
    ("E", "A", "index", "values"),
    [
        ([[1.0]], [[1.0]], 0, 1),
        ([[1.0, 0.0], [0.0, 0.0]], [[0.0, 1.0], [1.0, 1.0]], 1, 1),
        ([[1.0, 0.0], [0.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]], 2, 0),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 0]], [[0, -1, 0], [0, 0, 1], [1, 0, 0]], 3, 0),
    ],
)
def test_the_index_and_the_number_of_states_of_small_pencils(
    E: list[list[float]], A: list[list[float]], index: int, values: int
) -> None:
    found = subspaces(np.array(E, float), np.array(A, float))

    assert (found.index, found.values.shape[1]) == (index, values)
    assert found.free.shape[1] == 0


def solve(M: np.ndarray, q: np.ndarray) -> np.ndarray | None:
    n = len(q)
    table = np.hstack([np.eye(n), -M, -np.ones((n, 1)), q[:, None]]).ravel()
    z = np.zeros(n)
    return None if lemke(n, table, np.zeros(n, np.int64), z) < 0 else z


@pytest.mark.parametrize("seed", range(20))
def test_lemke_finds_the_only_solution_of_a_positive_definite_problem(seed: int) -> None:
    dice = np.random.default_rng(seed)
    root = dice.normal(size=(4, 4))
    M, q = root @ root.T + 0.1 * np.eye(4), dice.normal(size=4)

    z = solve(M, q)

    assert z is not None
    assert (z >= 0).all()
    assert (M @ z + q >= -1e-9).all()
    for active in product([False, True], repeat=4):  # brute force: the same, and the only one
        rows = np.flatnonzero(active)
        trial = np.zeros(4)
        trial[rows] = np.linalg.solve(M[np.ix_(rows, rows)], -q[rows])
        if (trial >= -1e-12).all() and (M @ trial + q >= -1e-9).all():
            assert np.allclose(trial, z, atol=1e-8)


def test_lemke_says_when_there_is_no_solution() -> None:
    assert solve(np.array([[0.0]]), np.array([-1.0])) is None


@pytest.mark.parametrize(
    "build",
    [
        circuits.peak_detector,
        circuits.clutch,
        circuits.two_inductors,
        bent_cores.saturating_inductor,
    ],
)
def test_the_kernels_do_what_cpython_does(build: object) -> None:
    """To the last bit, and nothing lies outside of its array."""
    assert callable(build)
    stop, interval = (0.03, 1e-3) if build is not circuits.clutch else (3.0, 0.1)
    settings = CoreSettings(stop, interval)

    fast, slow = simulate_core(build(), settings), simulate_core(build(), settings, compiled=False)

    assert fast.counts == slow.counts
    assert fast.image == slow.image
    for name, values in fast.values.items():
        assert values.tobytes() == slow.values[name].tobytes()


def test_a_shorted_source_stops_with_the_names_of_what_contradicts() -> None:
    with pytest.raises(SimulationError) as caught:
        simulate_core(circuits.shorted_source(), CoreSettings(0.2, 1e-2))

    (said,) = caught.value.diagnostics
    assert said.code == "R132"
    assert "`source`" in said.message
    assert "`switch`" in said.message
    assert "0.1 s" in said.message


def test_impulses_are_an_error_where_the_user_says_so() -> None:
    settings = CoreSettings(6.0, 0.02, impulses="error")

    with pytest.raises(SimulationError) as caught:
        simulate_core(circuits.clutch(), settings)

    assert caught.value.diagnostics[0].code == "R131"


def test_impulses_are_accepted_silently_where_the_user_says_so() -> None:
    result = simulate_core(circuits.clutch(), CoreSettings(6.0, 0.02, impulses="accept"))

    assert len(result.impulses) == 2
    assert result.warnings == ()


@pytest.mark.parametrize("first", range(0, 100, 25))
def test_no_energy_appears_in_networks_without_sources(first: int) -> None:
    for seed in range(first, first + 25):
        core, parts = networks.random_network(seed, with_source=False)
        result = simulate_core(core, CoreSettings(0.02, 1e-4))
        energy = networks.stored_energy(parts, result.values)
        assert all(b <= a + 1e-6 * energy[0] + 1e-12 for a, b in pairwise(energy)), seed


@pytest.mark.parametrize("first", range(0, 100, 25))
def test_random_networks_with_a_source_keep_kirchhoffs_laws(first: int) -> None:
    for seed in range(first, first + 25):
        core, parts = networks.random_network(seed, with_source=True)
        result = simulate_core(core, CoreSettings(0.02, 1e-4))
        assert networks.current_balance(parts, result) < 1e-9, seed


def test_a_saturating_inductor_behind_a_diode() -> None:
    settings = CoreSettings(0.1, 5e-4, absolute=1e-9, longest_step=5e-4)

    coarse = simulate_core(bent_cores.saturating_inductor(), settings)
    fine = simulate_core(
        bent_cores.saturating_inductor(),
        CoreSettings(0.1, 5e-4, tolerance=1e-9, absolute=1e-12, longest_step=5e-4),
    )

    assert len(coarse.events) == len(fine.events) == 8
    assert np.abs(coarse.values["u2"] - fine.values["u2"]).max() < 1e-5
    times = [(a.time, b.time) for a, b in zip(coarse.events, fine.events, strict=True)]
    assert max(abs(a - b) for a, b in times) < 1e-10


def test_a_ball_on_a_string_hits_and_swings() -> None:
    """Free flight to the circle, an inelastic jerk, then a pendulum: index 1 to 3."""
    core = bent_cores.ball_on_a_string((0.8, 0.3, 0.0, 0.5))

    result = simulate_core(core, CoreSettings(3.0, 0.02, longest_step=0.02))

    jerk = result.events[1].time
    # it falls straight down at x = 0.8 to y = -0.6
    assert jerk == pytest.approx((0.5 + np.sqrt(0.25 + 2.0 * 9.81 * 0.9)) / 9.81, rel=1e-12)
    x, y = result.values["x"], result.values["y"]
    vx, vy = result.values["vx"], result.values["vy"]
    taut = result.times > jerk + 1e-9
    assert np.abs((x**2 + y**2)[taut] - 1.0).max() < 1e-9
    assert np.abs((x * vx + y * vy)[taut]).max() < 1e-9
    energy = (0.5 * (vx**2 + vy**2) + 9.81 * y)[taut]
    falling = 0.5 - 9.81 * jerk
    expected = 0.5 * (falling * 0.8) ** 2 - 9.81 * 0.6  # what is left of the speed is tangential
    assert np.abs(energy - expected).max() < 1e-5


def test_selections_of_random_seeds_are_reproducible() -> None:
    seed = random.Random(3).randrange(1000)
    settings = CoreSettings(0.02, 1e-4)

    one = simulate_core(networks.random_network(seed, True)[0], settings)
    two = simulate_core(networks.random_network(seed, True)[0], settings)

    assert one.events == two.events
    assert all((one.values[name] == two.values[name]).all() for name in one.values)


def test_output_begins_where_the_simulation_does() -> None:
    result = simulate_core(circuits.clutch(), CoreSettings(3.0, 0.5, start=1.0, longest_step=0.1))

    assert result.times == pytest.approx([1.0, 1.5, 2.0, 2.5, 3.0])
    assert [event.time for event in result.events] == [1.0, 2.0]
    assert result.values["w1"][:2] == pytest.approx([0.0, 2.5])
