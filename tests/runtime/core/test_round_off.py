"""What rounding leaves in the matrices of a mode is nothing; what is small for good reason stays."""

from __future__ import annotations

import numpy as np

from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.problem import CoreProblem
from freewheel.runtime.switched_dae.round_off import without_round_off

SIZE = 2


def core_of(
    closed: Vector, opened: Vector, E: Vector, span: float, bit: float = 1.0
) -> CoreProblem:
    """One switch, two unknowns; dF/dy by its position."""
    memory = np.array([bit])

    def jacobians(m: Vector, t: float, y: Vector, slope: Vector, out: Vector) -> int:
        out[:] = np.concatenate([(closed if m[0] > 0.5 else opened).ravel(), E.ravel()])
        return 0

    def nothing(*arguments: object) -> int:
        return 0

    return CoreProblem(
        name="test", unknowns=("i", "j"), equations=("a", "b"), bit_names=("switch",),
        elements=(), memory=memory, bits=0, start=np.ones(SIZE), is_linear=True, rates=nothing,
        jacobians=jacobians, rates_address=0, jacobians_address=0, span=span,
    )  # fmt: skip


def cleaned(core: CoreProblem) -> Vector:
    values, y = np.zeros(2 * SIZE * SIZE), np.ones(SIZE)
    core.jacobians(core.memory, 0.0, y, y, values)
    return without_round_off(core, 0.0, y, y, values).reshape(2, SIZE, SIZE)[0]


SHORTED = np.array([[0.0, -7e-14], [0.0, 800.0]])


def test_an_entry_that_is_large_in_the_other_position_is_rounding() -> None:
    core = core_of(SHORTED, np.array([[1403.0, -661.0], [0.0, 800.0]]), np.eye(SIZE), span=0.0)
    assert cleaned(core).tolist() == [[0.0, 0.0], [0.0, 800.0]]
    assert core.memory[0] == 1.0


def test_an_entry_that_changes_nothing_in_the_whole_run_is_rounding() -> None:
    assert cleaned(core_of(SHORTED, SHORTED, np.eye(SIZE), span=1e-3))[0, 1] == 0.0
    assert cleaned(core_of(SHORTED, SHORTED, np.eye(SIZE), span=1e3))[0, 1] == -7e-14


def test_a_small_entry_stays_where_nothing_tells_that_it_is_none() -> None:
    assert cleaned(core_of(SHORTED, SHORTED, np.eye(SIZE), span=0.0))[0, 1] == -7e-14
