"""Many times of a linear motion at once."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.runtime.core.glance import PER_OCTAVE, exponential, glance

FAST_AND_SLOW = np.array([[-1e9, 1e9], [1e6, -1e6 - 10.0]])


def exact(M, z, g, t):
    """z' = M z + g by eigenvalues."""
    values, vectors = np.linalg.eig(M)
    rest = np.linalg.solve(M, g)
    return vectors @ (np.exp(values * t) * np.linalg.solve(vectors, z + rest)) - rest


def test_the_course_is_that_of_the_differential_equation():
    z, g = np.array([1.0, -2.0]), np.array([3e8, 5.0])
    seen = glance(FAST_AND_SLOW, 1e-6, 1e-4)

    course = seen.course(z, g)

    assert len(course) == PER_OCTAVE * len(seen.gone)
    assert seen.gone[-1] >= 1e-4 > seen.gone[-2]
    for found, t in zip(course[seen.ends], seen.gone, strict=True):
        assert found == pytest.approx(exact(FAST_AND_SLOW, z, g, t), rel=1e-7)


def test_nothing_but_sources_moves():
    seen = glance(np.zeros((2, 2)), 0.1, 1.0)

    course = seen.course(np.array([1.0, 2.0]), np.array([0.0, 3.0]))

    for found, t in zip(course[seen.ends], seen.gone, strict=True):
        assert found == pytest.approx([1.0, 2.0 + 3.0 * t], rel=1e-14)


def test_the_exponential_of_a_small_matrix():
    found = exponential(np.array([[0.0, 0.05], [-0.05, 0.0]]))

    less = -2 * np.sin(0.025) ** 2
    turned = [[less, np.sin(0.05)], [-np.sin(0.05), less]]
    assert found == pytest.approx(np.array(turned), abs=1e-17)
