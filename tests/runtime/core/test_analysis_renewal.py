"""A mode analysed again by compiled code: what Python finds at the same point, or a clear no."""

import bent_cores
import numpy as np
import pytest

from freewheel.machine.memory import Memory, address_of, memory_of
from freewheel.runtime.switched_dae.analysis_renewal import renew_core, spread
from freewheel.runtime.switched_dae.arrays import add_mode, new_core
from freewheel.runtime.switched_dae.event_location import core_advance
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.mode_analysis import analyse_mode
from freewheel.runtime.switched_dae.problem import CoreProblem


def matrix(numbers: object, rows: int) -> np.ndarray:
    return np.array(numbers).reshape(rows, -1)


def analysed(problem: CoreProblem, y: np.ndarray) -> tuple[Core, Mode]:
    core = new_core(Memory(checked=True), problem, 1e-6, np.full(problem.size, 1e-9))
    mode = add_mode(core, [bool(problem.memory[problem.bits])])
    analyse_mode(problem, 0.0, y, np.zeros(problem.size), mode)
    return core, mode


def move_to(problem: CoreProblem, mode: Mode, y: np.ndarray) -> None:
    n = problem.size
    values = np.zeros(2 * n * n)
    assert problem.jacobians(problem.memory, 0.0, y, np.zeros(n), values) == 0
    mode.matrices[:] = values


def taut(angle: float) -> np.ndarray:
    """A ball on its string, swinging."""
    x, y = np.cos(angle), np.sin(angle)
    return np.array([x, y, -0.7 * y, 0.7 * x, 3.0, 3.0])


def string() -> CoreProblem:
    core = bent_cores.ball_on_a_string((1.0, 0.0, 0.0, 0.7))
    core.memory[core.bits] = 1.0
    return core


def coil(on: float) -> CoreProblem:
    core = bent_cores.saturating_inductor()
    core.memory[core.bits] = on
    return core


def current(i: float) -> np.ndarray:
    return np.array([0.02 * np.tanh(0.5 * i) + 0.001 * i, i, 1.0, 2.0, i])


CASES = {
    "string, index 3": (string, taut(0.3), taut(0.9)),
    "coil that conducts": (lambda: coil(1.0), current(0.5), current(2.0)),
    "coil before a diode that blocks, index 2": (lambda: coil(0.0), current(0.5), current(0.8)),
}


@pytest.mark.parametrize("name", CASES)
def test_what_python_finds(name):
    make, before, after = CASES[name]
    problem = make()
    n = problem.size
    core, mode = analysed(problem, before)
    _, expected = analysed(problem, after)
    move_to(problem, mode, after)
    twin = memory_of(core).copy()
    assert renew_core(core, mode) == 0
    renew = core_advance.callable("renew_core")
    assert renew(address_of(twin.first(Core)), address_of(twin.first(Mode))) == 0
    assert twin.save() == memory_of(core).save()
    wide = (mode.levels + 1) * n
    stores = np.asarray(mode.weights) > 0.0
    # what jumps, and rates of what is stored: other derivatives are not unique
    unique = np.ix_([*range(n), *(n + np.flatnonzero(stores))], range(wide))
    for ours, theirs in (
        (matrix(mode.restart, 4 * n)[unique], matrix(expected.restart, 4 * n)[unique]),
        (matrix(mode.projector, n), matrix(expected.projector, n)),
    ):
        assert ours == pytest.approx(theirs, rel=1e-7, abs=1e-9 * np.abs(theirs).max())


def test_another_structure_is_left_to_python():
    """At the centre the string has no direction: the index is another one."""
    problem = string()
    core, mode = analysed(problem, taut(0.3))
    move_to(problem, mode, np.array([0.0, 0.0, 0.0, 0.7, 3.0, 3.0]))
    assert renew_core(core, mode) == 1


@pytest.mark.parametrize("rank", [0, 1, 3])
def test_columns_and_what_is_perpendicular_to_them(rank):
    dice = np.random.default_rng(rank)
    given = dice.normal(size=(5, rank)) @ dice.normal(size=(rank, 4))
    basis, v = np.zeros(25), np.zeros(5)
    assert spread(5, 4, given.copy().ravel(), basis, v) == rank
    q = basis.reshape(5, 5)
    assert q.T @ q == pytest.approx(np.eye(5), abs=1e-14)
    assert q[:, rank:].T @ given == pytest.approx(0.0, abs=1e-13)
