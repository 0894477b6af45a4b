"""Moves within bounds, against a general linear programme and a quadratic one by brute force."""

from __future__ import annotations

from itertools import combinations
from time import process_time

import numpy as np
import pytest
from scipy.optimize import linprog

from freewheel.runtime.linear.least_distance import least_distance, room, within_bounds


def move(rows, margins, level, compiled=True):
    p, q = rows.shape
    z, work = np.zeros(q), np.zeros(room(q, p))
    function = least_distance.callable("within_bounds") if compiled else within_bounds
    mine, own = rows.copy(), margins.copy()
    if compiled:
        function(q, p, mine.ctypes.data, own.ctypes.data, level, z.ctypes.data, work.ctypes.data)
    else:
        function(q, p, mine.ravel(), own, level, z, work)
    return z


def at_random(seed, p, q):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(p, q))
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    return rows, rng.normal(size=p)


def largest_least_distance(rows, margins, level):
    """By a linear programme: maximise t <= level with margins + rows z >= t."""
    p, q = rows.shape
    found = linprog(
        [*np.zeros(q), -1.0],
        A_ub=np.hstack([-rows, np.ones((p, 1))]),
        b_ub=margins,
        bounds=[(None, None)] * q + [(None, level)],
    )
    return -found.fun


def smallest_by_trial(rows, margins, level):
    """All sets of bounds that could be reached exactly; the shortest move that respects all."""
    p, q = rows.shape
    best = None
    for count in range(min(p, q) + 1):
        for chosen in combinations(range(p), count):
            z = np.linalg.lstsq(rows[list(chosen)], level - margins[list(chosen)], rcond=None)[0]
            if (margins + rows @ z >= level - 1e-9).all():
                best = z if best is None or np.linalg.norm(z) < np.linalg.norm(best) else best
    return best


@pytest.mark.parametrize("seed", range(60))
def test_least_distance_is_as_large_as_it_can_be(seed):
    rows, margins = at_random(seed, p=3 + seed % 9, q=1 + seed % 4)
    z = move(rows, margins, 0.3)
    assert min((margins + rows @ z).min(), 0.3) == pytest.approx(
        largest_least_distance(rows, margins, 0.3), abs=1e-9
    )


@pytest.mark.parametrize("seed", range(30))
def test_where_there_is_room_the_move_is_the_smallest(seed):
    rows, margins = at_random(seed, p=6, q=3)
    margins += 1.5 * max(0.0, -largest_least_distance(rows, margins, 1e3)) + 0.2
    expected = smallest_by_trial(rows, margins, 0.1)
    if expected is not None:
        assert move(rows, margins, 0.1) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_compiled_and_plain_agree(seed):
    rows, margins = at_random(seed, p=9, q=3)
    assert move(rows, margins, 0.3) == pytest.approx(move(rows, margins, 0.3, False), abs=1e-12)


def test_bounds_that_must_be_passed_are_passed_together():
    """A body held twice, by at most 1 and at most 0.5, pulled by 1.6: both are beyond by as much; a
    third one that has nothing to do with it keeps its distance."""
    rows = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    margins = np.array([1.0 - 1.6, 0.5, 2.0, -1.0])
    z = move(rows, margins, 0.01)
    assert margins + rows @ z == pytest.approx([-0.05, -0.05, 0.99, 0.01], abs=1e-12)


def chain(n):
    """Of n blocks each is held by the ground and by its neighbours: n forces of the ground, n - 1 between
    blocks, n conditions, so n - 1 are free. All bounds as rows."""
    balance = np.zeros((n, 2 * n - 1))
    for i in range(n):
        balance[i, i] = 1.0
        if i < n - 1:
            balance[i, n + i] = -1.0
        if i > 0:
            balance[i, n + i - 1] = 1.0
    _, _, right = np.linalg.svd(balance)
    free = right[n:].T
    bound = np.array([1.0] * n + [0.5] * (n - 1))
    pulls = 0.9 * np.sin(1.7 * np.arange(n)) * np.where(np.arange(n) % 2, 1.6, 0.3)
    forces = np.linalg.lstsq(balance, pulls, rcond=None)[0]
    rows = np.vstack([-free, free])
    sizes = np.linalg.norm(rows, axis=1)
    return rows / sizes[:, None], np.concatenate([bound - forces, bound + forces]) / sizes


def test_time_grows_like_a_power():
    took = {}
    for n in (10, 20, 40):
        rows, margins = chain(n)
        z = move(rows, margins, 0.01)
        assert min((margins + rows @ z).min(), 0.01) == pytest.approx(
            largest_least_distance(rows, margins, 0.01), abs=1e-9
        )
        began = process_time()
        for _ in range(10):
            move(rows, margins, 0.01)
        took[n] = (process_time() - began) / 10
    assert took[40] < 0.2
    assert took[40] < 64 * 8 * max(took[10], 1e-4)
