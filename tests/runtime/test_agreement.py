"""Statuses that agree with residuals: every way of `events/status_search.py`, compiled and by CPython alike.

A case is a function from statuses to residuals (None: no solution); memory: time, statuses, residuals.
"""

from __future__ import annotations

from itertools import product
from math import nan
from random import Random

import numpy as np
import pytest

from freewheel.machine.memory import bind
from freewheel.runtime.callbacks import Callbacks
from freewheel.runtime.events import status_search as by_cpython
from freewheel.runtime.events.iteration import MEMORIES
from freewheel.runtime.events.iteration_kernels import INTERRUPTED, NO_SOLUTION, RELATIONS_FLIP
from freewheel.runtime.events.status_search import status_search
from freewheel.runtime.loop.time_loop import driver, nothing
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.model import STOPPED

ROUNDS = 20


class Search:
    """`agree_thoroughly` on one case; what it found and how many evaluations it took."""

    def __init__(self, residuals, statuses, *, compiled, sizes=1.0, keeps_bands=True):
        n = self.n = len(statuses)
        self.residuals, self.evaluations = residuals, 0
        self.memory = np.array([0.0, *statuses, *np.zeros(n)])
        space = Workspace(0, n, [], checked=not compiled)
        space.resize(
            tried_size=MEMORIES * len(self.memory),
            failing_size=len(self.memory),
            snapshot_size=(ROUNDS + 2) * n,
        )
        loop = self.loop = space.loop
        loop.memory_size, loop.memory = len(self.memory), self.memory
        loop.most_rounds, loop.log_lacks, loop.keeps_bands = ROUNDS, 1, int(keeps_bands)
        loop.status_slots[:] = range(1, n + 1)
        loop.residual_slots[:] = range(n + 1, 2 * n + 1)
        loop.sizes[:] = sizes
        if compiled:
            callbacks, none = Callbacks(), driver.address("nothing")
            section = callbacks.made(lambda: self.evaluate(self.memory))
            bind(loop, discrete=section, derivatives=none, relations=none)
            self.failed = status_search.callable("agree_thoroughly")(space.address)
            callbacks.check()
        else:
            bind(loop, discrete=self.evaluate, derivatives=nothing, relations=nothing)
            self.failed = by_cpython.agree_thoroughly(loop)

    def evaluate(self, memory):
        self.evaluations += 1
        n = self.n
        found = self.residuals([float(memory[1 + i]) for i in range(n)])
        if isinstance(found, int):
            return found
        for i in range(n):
            memory[1 + n + i] = found[i]
        return 0

    @property
    def statuses(self):
        return self.memory[1 : 1 + self.n].tolist()

    @property
    def all_there_is(self):
        loop = self.loop
        masks = (loop.touched, loop.bands, loop.forgiven)
        outcome = (self.failed, self.evaluations, loop.iteration_outcome, loop.reported_failure)
        return outcome, self.memory.tobytes(), [np.asarray(mask).tolist() for mask in masks]


def searched(residuals, statuses, **given):
    """By both; they do the same."""
    fast, slow = (
        Search(residuals, statuses, compiled=compiled, **given) for compiled in (True, False)
    )
    assert fast.all_there_is == slow.all_there_is
    return slow


def test_residuals_that_depend_on_nothing_are_followed():
    found = searched(lambda s: [2.0, -3.0, 0.0], [-1.0, 1.0, 1.0])
    assert found.failed == 0
    assert found.statuses == [1.0, -1.0, 0.0]


def test_of_two_that_push_each_other_away_one_follows():
    """Together they run in circles: each leaves where the other is up."""
    found = searched(lambda s: [-s[1], -s[0]], [1.0, 1.0])
    assert found.failed == 0
    assert found.statuses == [1.0, -1.0]


def test_the_nearest_choice_that_agrees_is_found():
    """Wherever it does not agree, the residuals lead round in a circle that does not pass it."""
    wanted = [1.0, 1.0, -1.0]
    found = searched(lambda s: wanted if s == wanted else [-x for x in s], [1.0, 1.0, 1.0])
    assert found.failed == 0
    assert found.statuses == wanted


def test_a_choice_without_solution_is_passed_over():
    wanted = [-1.0, 1.0]
    found = searched(lambda s: wanted if s == wanted else 7, [1.0, 1.0])
    assert found.failed == 0
    assert found.statuses == wanted


def test_a_residual_of_exactly_zero_is_at_the_corner():
    """Following leads past (1, -1, 1), where the first residual is zero whatever its status."""

    def residuals(s):
        if s[1:] == [-1.0, 1.0] and s[0] >= 0.0:
            return [0.0, -1.0, 1.0]
        return [-x for x in s]

    found = searched(residuals, [1.0, 1.0, 1.0])
    assert found.failed == 0
    assert found.statuses == [0.0, -1.0, 1.0]


def test_what_is_influenced_is_chosen_too():
    """Only the first one ever disagrees while all follow; it agrees where the second is turned as well."""

    def residuals(s):
        if s[1] > 0.0:
            return [-s[0], 0.5 + 0.1 * s[0]]
        return [1.0, -1.0] if s[0] > 0.0 else [1.0, 1.0]

    found = searched(residuals, [1.0, 1.0])
    assert found.failed == 0
    assert found.statuses == [1.0, -1.0]


@pytest.mark.parametrize(("rounding", "share"), [(1e-14, 1e-13), (3e-12, 1e-11), (5e-10, 1e-9)])
def test_rounding_that_contradicts_both_sides_is_forgiven(rounding, share):
    found = searched(lambda s: [-rounding * s[0]], [1.0], sizes=2.0)
    assert found.failed == 0
    assert found.statuses == [1.0]
    assert found.loop.bands[0] == found.loop.forgiven[0] == 2.0 * share


def test_a_loop_with_bands_of_its_own_leaves_forgiving_to_others():
    found = searched(lambda s: [-1e-14 * s[0]], [1.0], keeps_bands=False)
    assert found.failed == 1
    assert found.loop.iteration_outcome == RELATIONS_FLIP


def test_what_is_no_rounding_is_not_forgiven():
    found = searched(lambda s: [-1e-8 * s[0], 1.0], [1.0, 1.0])
    assert found.failed == 1
    assert found.loop.iteration_outcome == RELATIONS_FLIP
    assert list(found.loop.touched) == [1, 0]
    assert found.statuses == [1.0, 1.0]
    assert list(found.loop.bands) == list(found.loop.forgiven) == [0.0, 0.0]


def test_without_any_solution_the_last_failure_of_following_is_told():
    found = searched(lambda s: 3, [1.0])
    assert found.failed == 1
    assert found.loop.iteration_outcome == NO_SOLUTION
    assert found.loop.reported_failure == 2
    assert list(found.loop.failing) == [0.0, 1.0, 0.0]


def test_an_exception_ends_the_search():
    found = searched(lambda s: STOPPED, [1.0, 1.0])
    assert found.failed == 1
    assert found.loop.iteration_outcome == INTERRUPTED
    assert found.evaluations == 1


def test_what_is_not_a_number_agrees_with_anything():
    assert searched(lambda s: [nan], [-1.0]).statuses == [-1.0]


def test_of_many_relations_only_some_choices_are_tried():
    found = searched(lambda s: [-x for x in s], [1.0] * 12)
    assert found.failed == 1
    assert found.evaluations < 500


@pytest.mark.parametrize("seed", range(60))
def test_where_a_choice_agrees_it_is_found(seed):
    """Random tables from statuses to residuals, of which some entries have no solution."""
    random = Random(seed)
    n = random.randint(1, 4)
    table = {
        choice: 1 if random.random() < 0.15 else [random.choice((-1.0, 1.0)) for _ in choice]
        for choice in product((-1.0, 1.0), repeat=n)
    }
    agreeing = {choice for choice, found in table.items() if found == [*choice]}
    found = searched(lambda s: table[tuple(s)], [random.choice((-1.0, 1.0)) for _ in range(n)])
    if found.failed == 0:
        assert tuple(found.statuses) in agreeing
    else:
        # the search covers the relations that were touched, and those they influence
        left = [i for i in range(n) if found.loop.influenced[i] == 0]
        assert all(any(choice[i] != found.statuses[i] for i in left) for choice in agreeing)
