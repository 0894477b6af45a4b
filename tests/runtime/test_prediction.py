"""Exact zeros of residuals of time alone: the kernel, compiled and by CPython alike."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from freewheel.machine.memory import address_of, bind
from freewheel.runtime.callbacks import Callbacks
from freewheel.runtime.events.time_events import foretell_anew
from freewheel.runtime.loop.time_loop import driver, nothing
from freewheel.runtime.loop.workspace import Workspace


def by_one(residuals, t, stop, compiled):
    n = len(residuals(t))
    memory = np.zeros(1 + n)  # time, residuals
    space = Workspace(0, n, [], checked=not compiled)
    loop = space.loop
    loop.memory_size, loop.memory = len(memory), memory
    loop.residual_slots[:], loop.time_only[:] = range(1, 1 + n), 1
    loop.interval, loop.stop, loop.states_slot = 0.1, stop, 1

    def relations(m):
        m[1 : 1 + n] = residuals(float(m[0]))
        return 0

    if compiled:
        callbacks = Callbacks()
        none, section = driver.address("nothing"), callbacks.made(lambda: relations(memory))
        bind(loop, derivatives=none, relations=section)
        driver.callable("foretell_anew")(address_of(loop), t, memory.ctypes.data)
        callbacks.check()
    else:
        bind(loop, derivatives=nothing, relations=relations)
        foretell_anew(loop, t, np.zeros(0))
    return loop.predicted, np.array(loop.rises).tolist()


def predicted(residuals, t=0.0, stop=1.0):
    """The zero, and slopes."""
    fast, slow = (by_one(residuals, t, stop, compiled) for compiled in (True, False))
    assert fast == slow
    return slow


def test_the_first_of_several_lines():
    zero, rises = predicted(lambda t: [t - 0.75, 0.5 - t, t + 1.0])
    assert zero == 0.5
    assert rises == pytest.approx([1.0, -1.0, 1.0])


@pytest.mark.parametrize("k", range(1, 30))
def test_the_instant_is_the_first_at_which_the_relation_holds(k):
    limit = k * 0.1 / 3.0
    zero, _ = predicted(lambda t: [3.0 * t - k * 0.1], stop=2.0)
    assert 3.0 * zero - k * 0.1 >= 0.0
    assert zero == pytest.approx(limit, rel=1e-15)


@pytest.mark.parametrize(
    ("residuals", "why"),
    [
        (lambda t: [t - 3.0], "after the stop"),
        (lambda t: [t + 3.0], "before"),
        (lambda t: [t * t - 0.25], "curved"),
        (lambda t: [1.0], "constant"),
        (lambda t: [nan], "no number"),
    ],
)
def test_nothing_is_predicted(residuals, why):
    assert predicted(residuals)[0] == inf, why


def test_what_is_tied_with_the_present_has_happened():
    third = 3 * 0.1
    assert predicted(lambda t: [t - 0.3, t - 0.5], t=third)[0] == 0.5
