"""Events that could have ended otherwise: the kernel, compiled and by CPython alike.

Two latches, each of which closes while the other is open. Both at once close both; one by one, the first
keeps the other open. Memory: time, two statuses, two residuals, two values, two pre values, x, der(x).
"""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.machine.memory import address_of, bind
from freewheel.runtime.callbacks import Callbacks
from freewheel.runtime.events.ambiguity import alternatives, is_ambiguous
from freewheel.runtime.events.iteration import MEMORIES
from freewheel.runtime.events.status_search import agree_thoroughly, status_search
from freewheel.runtime.loop.time_loop import driver, nothing
from freewheel.runtime.loop.workspace import Workspace

BEFORE = [1.0, -1.0, -1.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
BOTH_CLOSED = [1.0, -1.0, -1.0, -0.5, -0.5, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]


def close(m):
    for i in (0, 1):
        m[5 + i] = max(m[7 + i], 1.0 if m[1 + i] > 0.0 else 0.0)
    return 0


def look(m):
    m[3], m[4] = 0.5 - m[6], 0.5 - m[5]
    return 0


class Latches:
    def __init__(self, *, compiled, components_of=(0, 1), weight=1.0, looks=1):
        self.weight = weight
        self.memory = np.array(BOTH_CLOSED)
        space = Workspace(1, 2, [], checked=not compiled)
        size = len(self.memory)
        loop = self.loop = space.loop
        space.resize(
            tried_size=MEMORIES * size, failing_size=size, saved_size=size, snapshot_size=100,
            pairs=2, component_count=2,
        )  # fmt: skip
        loop.memory_size, loop.memory = size, self.memory
        loop.most_rounds, loop.log_lacks, loop.moves_values = 20, 1, 1
        loop.states_slot, loop.derivatives_slot = 9, 10
        loop.status_slots[:], loop.residual_slots[:] = [1, 2], [3, 4]
        loop.pair_slots[:], loop.components_of[:] = [5, 6, 7, 8], components_of
        loop.sizes[:] = 1.0
        loop.small_step, loop.alternatives_left, loop.alternative_rounds = 1e-8, looks, 100
        loop.t, loop.saved[:], loop.y[:] = 1.0, BEFORE, BEFORE[9:10]
        if compiled:
            callbacks, memory = Callbacks(), self.memory
            bind(
                loop,
                discrete=callbacks.made(lambda: close(memory)),
                derivatives=callbacks.made(lambda: self.move(memory)),
                outputs=driver.address("nothing"),
                relations=callbacks.made(lambda: look(memory)),
                agree_thoroughly=status_search.address("agree_thoroughly"),
            )
            self.found = alternatives.callable("is_ambiguous")(address_of(loop))
            callbacks.check()
        else:
            bind(
                loop,
                discrete=close,
                derivatives=self.move,
                outputs=nothing,
                relations=look,
                agree_thoroughly=agree_thoroughly,
            )
            self.found = is_ambiguous(loop)

    def move(self, m):
        m[10] = self.weight * (m[5] - m[6])
        return 0

    @property
    def outcomes(self):
        """Values by the other way and by the one taken."""
        size = len(self.memory)
        return np.array(self.loop.tried)[size : 3 * size].reshape(2, size)[:, 5:7].tolist()


def looked(**given):
    """By both; they do the same."""
    fast, slow = (Latches(compiled=compiled, **given) for compiled in (True, False))
    assert fast.found == slow.found
    assert np.array(fast.loop.tried).tobytes() == np.array(slow.loop.tried).tobytes()
    assert fast.loop.alternative_rounds == slow.loop.alternative_rounds
    for one in (fast, slow):
        assert one.memory.tolist() == BOTH_CLOSED
    return slow


def test_an_event_that_could_end_otherwise_leaves_both_outcomes():
    found = looked()
    assert found.found == 1
    assert found.outcomes == [[1.0, 0.0], [1.0, 1.0]]
    assert found.loop.alternatives_left == 0


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"components_of": (0, 0)}, "one component has one order"),
        ({"components_of": (0, -1)}, "what has no name is not looked at"),
        ({"weight": 0.0}, "nothing moves otherwise"),
        ({"looks": 0}, "enough events were looked at"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_events_that_are_not_ambiguous(given, why):
    assert looked(**given).found == 0
