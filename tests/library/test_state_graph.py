"""State graphs of the embedded library: timers, branches, suspend and resume."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw


def spans(result, name: str) -> list[tuple[float, float]]:
    """From when to when a Boolean is true."""
    time, value = result["time"], result[name] > 0.5
    edges = np.flatnonzero(np.diff(value.astype(int)))
    times = [float(time[i]) for i in edges]
    if value[0]:
        times.insert(0, float(time[0]))
    if value[-1]:
        times.append(float(time[-1]))
    return list(zip(times[::2], times[1::2], strict=True))


def example(name: str):
    return fw.load(f"Modelica.StateGraph.Examples.{name}").simulate()


def test_two_steps_take_turns():
    r = example("FirstExample")
    np.testing.assert_allclose(spans(r, "initialStep.active"), [(0, 1), (2, 3), (4, 5)], atol=1e-9)
    # the run ends at 5 with the event that begins its last span
    np.testing.assert_allclose(spans(r, "step.active"), [(1, 2), (3, 4), (5, 5)], atol=1e-9)
    assert set(r["stateGraphRoot.activeSteps"]) == {1}


def test_parallel_branches_wait_for_each_other_and_one_alternative_is_taken():
    r = example("ExecutionPaths")
    # Round one: left 1 s, right 0.5 s; round two: right takes the slow way of 1.5 s.
    np.testing.assert_allclose(spans(r, "left.active")[:2], [(1, 2), (4, 5)], atol=1e-9)
    np.testing.assert_allclose(spans(r, "right.active")[:2], [(1, 1.5), (4, 5.5)], atol=1e-9)
    np.testing.assert_allclose(
        spans(r, "step0.active")[:3], [(0, 1), (3, 4), (6.5, 7.5)], atol=1e-9
    )
    assert r["stateGraphRoot.activeSteps"].max() == 2


def test_a_composite_step_goes_on_where_it_was_suspended():
    r = example("Interrupted")
    np.testing.assert_allclose(spans(r, "work.first.active"), [(1, 2), (4, 6)], atol=1e-9)
    np.testing.assert_allclose(spans(r, "pause.active"), [(2, 4)], atol=1e-9)
    np.testing.assert_allclose(spans(r, "work.second.active"), [(6, 6.5)], atol=1e-9)
    assert spans(r, "finished.active") == [pytest.approx((6.5, 10.0))]
