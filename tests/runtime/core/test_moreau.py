"""Steps of Moreau choose positions, and bursts of them go on where no mode lasts: machine code and CPython
leave the same bits behind."""

from __future__ import annotations

from collections.abc import Callable

import bent_cores
import circuits
import numpy as np
import pytest

from freewheel.machine.memory import Memory, address_of, bind
from freewheel.runtime.switched_dae.arrays import add_mode, new_core
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.mode_analysis import analyse_mode
from freewheel.runtime.switched_dae.moreau_burst import burst_core, core_bursts
from freewheel.runtime.switched_dae.moreau_step import core_moreau, select_by_steps
from freewheel.runtime.switched_dae.problem import CoreProblem

PROBLEMS: dict[str, Callable[[], CoreProblem]] = {
    "a diode": circuits.halfwave,
    "a bridge": lambda: circuits.bridge(0.01),
    "an amplifier": circuits.limited_amplifier,
    "a coil that saturates": bent_cores.saturating_inductor,
}


class Twins:
    """A core in a state by chance, with its analysed mode, and the same once more for machine code."""

    def __init__(self, problem: CoreProblem, seed: int) -> None:
        dice = np.random.default_rng(seed)
        self.memory = Memory(checked=True)
        self.core = new_core(self.memory, problem, 1e-6, np.full(problem.size, 1e-9))
        core = self.core
        bind(
            core,
            rates=(problem.rates_address, problem.rates),
            jacobians=(problem.jacobians_address, problem.jacobians),
        )
        core.h_max, core.usual, core.cause = 1.0, 1e-3, -1
        self.mode = add_mode(core, [False] * core.bit_count)
        y = dice.normal(size=core.n)
        analyse_mode(problem, 0.0, y, np.zeros(core.n), self.mode)
        for array in (core.y, core.size, core.before, core.saved, core.trial):
            array[:] = dice.uniform(-1.0, 1.0, size=len(np.asarray(array)))
        core.size[:] = 1.0
        self.m = np.array(problem.memory)
        self.twin = self.memory.copy()
        self.there = self.twin.first(Core)
        self.m_there = self.m.copy()

    def agree(self) -> bool:
        same = self.memory.save() == self.twin.save()
        return same and self.m.tobytes() == self.m_there.tobytes()


@pytest.mark.parametrize("problem", PROBLEMS)
def test_positions_by_steps(problem: str) -> None:
    chosen = 0
    for seed in range(6):
        twins = Twins(PROBLEMS[problem](), seed)
        with np.errstate(all="ignore"):
            here = select_by_steps(twins.core, twins.m, 0.01, twins.core.before, 1e-4, 0)
        there = core_moreau.callable("select_by_steps")(
            address_of(twins.there), twins.m_there.ctypes.data, 0.01,
            np.asarray(twins.there.before).ctypes.data, 1e-4, 0,
        )  # fmt: skip
        assert here == there
        assert twins.agree()
        chosen += here >= 0
    assert chosen


@pytest.mark.parametrize("problem", PROBLEMS)
def test_bursts(problem: str) -> None:
    taken = 0.0
    for seed in range(4):
        twins = Twins(PROBLEMS[problem](), seed)
        with np.errstate(all="ignore"):
            here = burst_core(twins.core, twins.mode, twins.m, 0.01, 1e-4)
        there = core_bursts.callable("burst_core")(
            address_of(twins.there), address_of(twins.twin.first(Mode)),
            twins.m_there.ctypes.data, 0.01, 1e-4,
        )  # fmt: skip
        assert here == there
        assert twins.agree()
        taken = max(taken, here)
    assert taken > 0.0
