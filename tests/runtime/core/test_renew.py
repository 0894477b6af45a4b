"""A mode analysed again by compiled code: what Python finds at the same point, or a clear no."""

import ctypes

import bent_cores
import numpy as np
import pytest

from freewheel.runtime.core.analyse import analyse_mode
from freewheel.runtime.core.arrays import fresh_arrays
from freewheel.runtime.core.problem import Core
from freewheel.runtime.kernels import core_places as at
from freewheel.runtime.kernels.core_advance import core_advance
from freewheel.runtime.kernels.core_renew import renew_core, spread


def matrix(record: np.ndarray, place: int, rows: int, columns: int) -> np.ndarray:
    kind = ctypes.POINTER(ctypes.c_double)
    found = ctypes.cast(int(record[place]), kind)
    return np.ctypeslib.as_array(found, (rows, columns)).copy()


def analysed(core: Core, y: np.ndarray) -> np.ndarray:
    record = np.zeros(at.stride(core.size))
    analyse_mode(core, 0.0, y, np.zeros(core.size), record)
    return record


def move_to(core: Core, record: np.ndarray, y: np.ndarray) -> None:
    n = core.size
    values = np.zeros(2 * n * n)
    assert core.jacobians(core.memory, 0.0, y, np.zeros(n), values) == 0
    record[at.RECORD_HEAD : at.RECORD_HEAD + 2 * n * n] = values


def taut(angle: float) -> np.ndarray:
    """A ball on its string, swinging."""
    x, y = np.cos(angle), np.sin(angle)
    return np.array([x, y, -0.7 * y, 0.7 * x, 3.0, 3.0])


def string() -> Core:
    core = bent_cores.ball_on_a_string((1.0, 0.0, 0.0, 0.7))
    core.memory[core.bits] = 1.0
    return core


def coil(on: float) -> Core:
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
@pytest.mark.parametrize("is_compiled", [True, False])
def test_what_python_finds(name, is_compiled):
    make, before, after = CASES[name]
    core = make()
    n = core.size
    w, c = fresh_arrays(core, 1e-6, np.full(n, 1e-9))
    record = analysed(core, before)
    kept = core.bodies.copy()  # the next analysis must not take the matrices away
    expected = analysed(core, after)
    move_to(core, record, after)
    if is_compiled:
        addresses = (array.ctypes.data for array in (w, c, record))
        assert core_advance.callable("renew_core")(*addresses) == 0
    else:
        assert renew_core(w, c, record) == 0
    assert kept
    wide = (int(record[at.LEVELS]) + 1) * n
    stores = record[at.RECORD_HEAD + at.MATRICES * n * n :].reshape(-1, n)[at.WEIGHTS] > 0.0
    # what jumps, and rates of what is stored: other derivatives are not unique
    unique = np.ix_([*range(n), *(n + np.flatnonzero(stores))], range(wide))
    for place, shape, part in (
        (at.K_AT, (4 * n, 3 * n), unique),
        (at.ERROR_AT, (n, n), np.s_[:]),
    ):
        ours, theirs = matrix(record, place, *shape)[part], matrix(expected, place, *shape)[part]
        assert ours == pytest.approx(theirs, rel=1e-7, abs=1e-9 * np.abs(theirs).max())


def test_another_structure_is_left_to_python():
    """At the centre the string has no direction: the index is another one."""
    core = string()
    w, c = fresh_arrays(core, 1e-6, np.full(core.size, 1e-9))
    record = analysed(core, taut(0.3))
    move_to(core, record, np.array([0.0, 0.0, 0.0, 0.7, 3.0, 3.0]))
    assert renew_core(w, c, record) == 1


@pytest.mark.parametrize("rank", [0, 1, 3])
def test_columns_and_what_is_perpendicular_to_them(rank):
    dice = np.random.default_rng(rank)
    given = dice.normal(size=(5, rank)) @ dice.normal(size=(rank, 4))
    basis, v = np.zeros(25), np.zeros(5)
    assert spread(5, 4, given.copy().ravel(), basis, v) == rank
    q = basis.reshape(5, 5)
    assert q.T @ q == pytest.approx(np.eye(5), abs=1e-14)
    assert q[:, rank:].T @ given == pytest.approx(0.0, abs=1e-13)
