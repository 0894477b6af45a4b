"""Legal values of what floats: the margin is that of a linear programme, the values the smallest."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from freewheel.machine.records import length_function, record_type
from freewheel.runtime.switched_dae.largest_margin import core_legal, legal_room, smallest_legal
from freewheel.runtime.switched_dae.memory import Core


def problem(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Loops and floating nodes have entries 0, 1, -1 and many ties; every third problem has none."""
    random = np.random.default_rng(seed)
    q = int(random.integers(1, 4))
    count = int(random.integers(q, 8))
    if seed % 3 == 0:
        a = random.normal(size=(count, q))
    else:
        a = random.integers(-1, 2, size=(count, q)).astype(float)
    g = random.normal(size=count) if seed % 2 else random.integers(-2, 3, size=count).astype(float)
    left, sizes, _ = np.linalg.svd(a, full_matrices=False)
    rank = int((sizes > 1e-9).sum())
    bounded = (np.abs(left[:, :rank]).max(axis=1, initial=0.0) > 1e-9).astype(float)
    return left[:, :rank].copy(), g, bounded, 0.01 * float(np.abs(g).sum())


def solved(a, g, bounded, bound, run=smallest_legal):
    count, q = a.shape
    z, work = np.zeros(q), np.zeros(legal_room(count, q))
    margin = run(count, q, a.ravel().copy(), g.copy(), bounded, bound, z, work)
    return margin, z


def best_margin(a, g, bound):
    """By all vertices: rows that are equal and at least as many as there are unknowns."""
    count, q = a.shape
    best = -np.inf
    for size in range(1, min(count, q + 1) + 1):
        for rows in map(list, combinations(range(count), size)):
            for cap in (None, bound):
                matrix = np.hstack([a[rows], -np.ones((size, 1))]) if cap is None else a[rows]
                right = -g[rows] if cap is None else cap - g[rows]
                found = np.linalg.lstsq(matrix, right, rcond=1e-10)[0]
                best = max(best, min(bound, (g + a @ found[:q]).min()))
    return max(best, min(bound, g.min()))


def smallest(a, g, margin):
    """By all sets of rows that touch the margin."""
    count, q = a.shape
    best = np.inf
    for size in range(q + 1):
        for rows in map(list, combinations(range(count), size)):
            z = np.linalg.lstsq(a[rows], margin - g[rows], rcond=1e-10)[0] if rows else np.zeros(q)
            if (g + a @ z).min() >= margin - 1e-9:
                best = min(best, float(np.linalg.norm(z)))
    return best


def has_choice(seed):
    a, _, _, bound = problem(seed)
    return a.shape[1] > 0 and bound > 0.0


@pytest.mark.parametrize("seed", [*filter(has_choice, range(150))])
def test_the_margin_is_the_largest_and_the_values_are_the_smallest(seed):
    a, g, bounded, bound = problem(seed)
    margin, z = solved(a, g, bounded, bound)
    seen = bounded > 0.0
    assert (g + a @ z)[seen].min() >= margin - 1e-13
    assert margin == pytest.approx(best_margin(a[seen], g[seen], bound), abs=1e-9)
    assert np.linalg.norm(z) == pytest.approx(smallest(a[seen], g[seen], margin), abs=1e-7)


def test_values_between_two_rails():
    margin, z = solved(
        np.array([[1.0], [-1.0]]) / np.sqrt(2), np.array([3.0, -1.0]), np.ones(2), 9.0
    )
    assert margin == pytest.approx(1.0)
    assert z[0] == pytest.approx(-2.0 * np.sqrt(2))


def test_a_negative_margin_says_that_nothing_is_legal():
    margin, _ = solved(
        np.array([[1.0], [-1.0]]) / np.sqrt(2), np.array([1.0, -3.0]), np.ones(2), 9.0
    )
    assert margin == pytest.approx(-1.0)


def test_what_is_held_bounds_nothing():
    margin, z = solved(np.array([[0.6], [0.8]]), np.array([1.0, -3.0]), np.array([1.0, 0.0]), 0.5)
    assert (margin, z[0]) == (0.5, 0.0)


@pytest.mark.parametrize("seed", [*filter(has_choice, range(0, 150, 10))])
def test_machine_code_does_the_same(seed):
    a, g, bounded, bound = problem(seed)
    margin, z = solved(a, g, bounded, bound)
    count, q = a.shape
    again, work = np.zeros(q), np.zeros(legal_room(count, q))
    rows, guards = a.ravel().copy(), g.copy()
    places = [x.ctypes.data for x in (rows, guards, bounded)]
    compiled = core_legal.callable("smallest_legal")(
        count, q, *places, bound, again.ctypes.data, work.ctypes.data
    )
    assert compiled == margin
    assert again.tobytes() == z.tobytes()


@pytest.mark.parametrize("n", range(1, 9))
def test_there_is_room_for_all_directions_and_elements(n):
    room = length_function(record_type(Core).fields["open_work"].length)
    for elements in range(1, 20):
        for q in range(1, n + 1):
            assert legal_room(elements, q) <= room(SimpleNamespace(n=n, element_count=elements))
