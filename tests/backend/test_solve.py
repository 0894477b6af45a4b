"""Loops in numbers: elimination, least squares where singular, Newton, and brackets at kinks."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.backend.newton import NoConvergenceError, solve_nonlinear
from freewheel.backend.solve import SingularError, divide, eliminate, solve_linear


@pytest.mark.parametrize("size", [1, 2, 3, 6, 12])
def test_linear_systems_agree_with_numpy(size: int) -> None:
    rng = np.random.default_rng(size)
    a = rng.uniform(-1, 1, (size, size)) + 2 * np.eye(size)
    b = rng.uniform(-1, 1, size)
    memory = [0.0] * size

    solve_linear(memory, tuple(range(size)), a.tolist(), b.tolist())

    assert memory == pytest.approx(np.linalg.solve(a, b).tolist())


def test_badly_scaled_rows_are_no_problem() -> None:
    solution = eliminate([[1e-12, 2e-12], [3e9, 1e9]], [5e-12, 5e9])

    assert solution == pytest.approx([1.0, 2.0])


def test_a_singular_consistent_system_stays_near_the_old_values() -> None:
    memory = [5.0, 1.0]

    solve_linear(memory, (0, 1), [[1.0, 1.0], [2.0, 2.0]], [6.0, 12.0])

    assert memory == pytest.approx([5.0, 1.0])


def test_a_contradiction_is_singular() -> None:
    with pytest.raises(SingularError):
        solve_linear([0.0, 0.0], (0, 1), [[1.0, 1.0], [1.0, 1.0]], [1.0, 2.0])


def test_zero_times_x_keeps_x_or_fails() -> None:
    assert divide(0.0, 0.0, 7.0) == 7.0
    with pytest.raises(SingularError):
        divide(1.0, 0.0, 7.0)


def test_newton_from_a_symmetric_start() -> None:
    memory = [1.0, 1.0]

    solve_nonlinear(
        memory,
        (0, 1),
        lambda m: [m[0] ** 2 + m[1] ** 2 - 25.0, m[0] * m[1] - 12.0],
        (1.0, 1.0),
        (1.0, 1.0),
    )

    assert sorted(memory) == pytest.approx([3.0, 4.0])


def test_a_steep_limiter_is_bracketed() -> None:
    memory = [-1.0]

    solve_nonlinear(
        memory,
        (0,),
        lambda m: [2 * m[0] - max(-15.0, min(15.0, 1e7 * (4.5 - m[0])))],
        (0.0,),
        (1.0,),
    )

    assert memory[0] == pytest.approx(4.5, abs=1e-5)


def test_a_jump_is_no_solution() -> None:
    with pytest.raises(NoConvergenceError):
        solve_nonlinear([0.3], (0,), lambda m: [1.0 if m[0] > 0 else -1.0], (0.3,), (1.0,))


def test_a_failing_loop_leaves_the_old_values() -> None:
    memory = [0.25]

    with pytest.raises(NoConvergenceError):
        solve_nonlinear(memory, (0,), lambda m: [m[0] * m[0] + 1.0], (0.0,), (1.0,))

    assert memory == [0.25]
