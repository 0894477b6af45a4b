"""Models with an implicit core run by CPython, from beginning to end: the same bits as machine code gives,
with bounded arrays. Only the sections of the model itself stay machine code."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from types import FrameType
from typing import Any

import bent_cores
import numpy as np
import pytest

from freewheel.api import load
from freewheel.machine.memory import Closure, Memory, address_of, memory_of
from freewheel.result.store import Result
from freewheel.runtime import live
from freewheel.runtime.loop import classic_engine
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.loop.rows import restart
from freewheel.runtime.loop.time_loop import drive
from freewheel.runtime.switched_dae.arrays import add_mode, new_core
from freewheel.runtime.switched_dae.attached import AttachedCore
from freewheel.runtime.switched_dae.folds_kernels import core_folds, fold_ahead, meet_fold, returns
from freewheel.runtime.switched_dae.memory import Core, Mode
from freewheel.runtime.switched_dae.mode_analysis import analyse_mode
from freewheel.runtime.switched_dae.scaling import worst_guard
from freewheel.runtime.switched_dae.sections import inside_nothing, try_core

RECTIFIER = """
model M "half-wave rectification with an ideal diode, one period"
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), u, ud, s;
  Boolean off = s < 0;
equation
  u = 10*sin(100*time);
  u = 0.01*der(i) + ud + v;
  1e-3*der(v) = i - v/50;
  ud = if off then s else 0;
  i = if off then 0 else s;
  annotation(experiment(StopTime = 0.0628, Interval = 2e-3));
end M;
"""
DRIVEN = """
model M "the source is an input"
  input Real u;
  Real i(start = 0, fixed = true), ud, s;
  Boolean off = s < 0;
equation
  u = 0.01*der(i) + ud + 2*i;
  ud = if off then s else 0;
  i = if off then 0 else s;
  annotation(experiment(StopTime = 0.02, Interval = 2e-3));
end M;
"""
COIL = """
model M "saturates, behind a diode: no mode is linear"
  parameter Real L0 = 0.02, Ls = 0.002, I0 = 0.5;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), psi, u, ud, s;
  Boolean off = s < 0;
equation
  u = 10*sin(300*time);
  psi = Ls*i + (L0 - Ls)*I0*tanh(i/I0);
  u = der(psi) + ud + v;
  1e-3*der(v) = i - v/50;
  ud = if off then s else 0;
  i = if off then 0 else s;
  annotation(experiment(StopTime = 0.013, Interval = 2e-3));
end M;
"""
BRIDGE = """
model M "of a bridge that blocks the load floats"
  Real i, u, a, b, v(start = 3, fixed = true), s[4], ud[4], id[4];
equation
  u = 10*sin(100*time);
  u - i = a;
  i = id[1] - id[3];
  i = id[4] - id[2];
  for k in 1:4 loop
    ud[k] = if s[k] < 0 then s[k] else 0;
    id[k] = if s[k] < 0 then 0 else s[k];
  end for;
  ud[1] = a - b - v;
  ud[2] = -b - v;
  ud[3] = b - a;
  ud[4] = b;
  1e-3*der(v) = id[1] + id[2] - v/20;
  annotation(experiment(StopTime = 0.04, Interval = 2e-3));
end M;
"""
TUNNEL = """
model M "beyond the peak of its curve the operating point jumps to another piece"
  Modelica.Electrical.Analog.Sources.ConstantVoltage U(V=0.25);
  Modelica.Electrical.Analog.Basic.Resistor R(R=10);
  Modelica.Electrical.Analog.Basic.Inductor L(L=1e-6, i(start=0, fixed=true));
  Hybrid.Electrical.TunnelDiode D;
  Modelica.Electrical.Analog.Basic.Ground G;
equation
  connect(U.p, R.p);
  connect(R.n, L.p);
  connect(L.n, D.p);
  connect(D.n, U.n);
  connect(G.p, U.n);
  annotation(experiment(StopTime = 1e-7, Interval = 1e-8));
end M;
"""

BRAKES = """
model M "hold a shaft together: how they share the torque is open"
  import Modelica.Mechanics.Rotational.*;
  Components.Inertia J(J = 1, w(start = 0, fixed = true), phi(start = 0, fixed = true));
  Components.Brake a(fn_max = 10), b(fn_max = 5);
  Sources.Torque T;
  Modelica.Blocks.Sources.Sine r(amplitude = 15, f = 1);
  Modelica.Blocks.Sources.Constant one(k = 1);
equation
  connect(T.flange, J.flange_a);
  connect(J.flange_b, a.flange_a);
  connect(a.flange_b, b.flange_a);
  connect(one.y, a.f_normalized);
  connect(one.y, b.f_normalized);
  connect(r.y, T.tau);
  annotation(experiment(StopTime = 0.25, Interval = 0.05));
end M;
"""


@dataclass(frozen=True)
class Run:
    result: Result
    engine: ClassicEngine
    calls: Counter[str]  # of functions, by CPython

    def image(self) -> bytes:
        """All memory of the run."""
        return self.engine.space.memory.save()


def run(text: str, tmp_path: Path, is_slow: bool, **settings: Any) -> Run:
    path = tmp_path / "M.mo"
    path.write_text(text)
    engines: list[ClassicEngine] = []
    calls: Counter[str] = Counter()
    init, use = ClassicEngine.__init__, ClassicEngine.use

    def noted(self: ClassicEngine, *arguments: Any, **more: Any) -> None:
        init(self, *arguments, **more)
        engines.append(self)
        if is_slow:
            loop = self.space.loop
            self._drive, self._restart = lambda _: drive(loop), lambda _, t: restart(loop, t)

    def used(self: ClassicEngine, *arguments: Any, **more: Any) -> None:
        use(self, *arguments, **more)
        if is_slow:
            self._attempt = (self._attempt, try_core)
            self._inside = (self._inside, inside_nothing)

    def seen(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_code.co_name] += 1

    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr(ClassicEngine, "__init__", noted)
        patch.setattr(ClassicEngine, "use", used)
        patch.setattr(
            classic_engine, "BREATH_SECONDS", inf
        )  # how often it breathes must not depend on time
        if is_slow:
            patch.setattr(live, "Memory", lambda checked=True: Memory(checked=True))
            patch.setattr(AttachedCore, "_python", section_by_cpython)
            patch.setattr(AttachedCore, "call", call_by_cpython)
            sys.setprofile(seen)
        try:
            result = load(path).simulate(**settings)
        finally:
            sys.setprofile(None)
    return Run(result, engines[-1], calls)


def section_by_cpython(self: AttachedCore, closure: Closure) -> Callable[..., int]:
    assert closure.function is not None
    return lambda memory: closure.function(memory, self.record)


def call_by_cpython(self: AttachedCore, kernel: Callable[..., int], *arguments: float) -> int:
    return kernel(self.record, self.live.memory, *arguments)


def both(text: str, tmp_path: Path, **settings: Any) -> Run:
    """By machine code and by CPython."""
    simulated = partial(run, text, tmp_path, **settings)
    fast, slow = simulated(is_slow=False), simulated(is_slow=True)
    assert slow.result.data.tobytes() == fast.result.data.tobytes()
    assert [*map(repr, slow.result.events)] == [*map(repr, fast.result.events)]
    assert slow.image() == fast.image()
    return slow


CASES: dict[str, tuple[str, dict[str, Any], set[str]]] = {
    "a diode: linear modes": (
        RECTIFIER,
        {},
        {"core_start", "core_derivatives", "core_relations", "core_discrete", "try_core"}
        | {"settle", "select_core", "lemke", "find_mode", "note_impulse"}
        | {"attempt_linear", "locate_core", "dips_core", "polynomial_core", "worst_guard"},
    ),
    "backward Euler": (RECTIFIER, {"solver": "core-euler"}, {"attempt_euler_core"}),
    "an input": (
        DRIVEN,
        {"inputs": {"u": ([0.0, 0.005, 0.02], [0.0, 3.0, -4.0])}},
        {"rates_with_inputs", "put_inputs"},
    ),
    "a coil that saturates": (
        COIL,
        {},
        {"newton_core", "error_core", "moved_core", "renew_core", "jacobians_anywhere", "bends"},
    ),
    "a bridge that floats": (
        BRIDGE,
        {},
        {"choose_open", "smallest_legal", "next_guess", "is_right"},
    ),
    "two brakes": (BRAKES, {}, {"move_inside", "forgive_rounding", "keep_sides"}),
    "a tunnel diode": (TUNNEL, {}, {"begins_here", "returns"}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_model(case: str, tmp_path: Path) -> None:
    text, settings, expected = CASES[case]
    done = both(text, tmp_path, **settings)

    assert expected - done.calls.keys() == set()
    assert done.result.events
    assert done.engine.live.core.is_there


@pytest.mark.parametrize(
    ("text", "solver", "newton"),
    [
        (RECTIFIER, "auto", ""),
        (COIL, "auto", "stage_residuals"),
        (RECTIFIER, "core-euler", "euler_change"),
    ],
)
def test_work_is_counted(text: str, solver: str, newton: str, tmp_path: Path) -> None:
    """Also what Python asks for where it analyses modes."""
    done = run(text, tmp_path, is_slow=True, solver=solver)
    stats, calls = done.result.stats, done.calls

    assert stats["Newton iterations"] == calls[newton]
    assert (stats["Newton iterations"] > 0) == (newton != "")
    made = calls["lu_factor"] + calls["euler_change"]
    assert stats["factorisations"] == made > 10
    asked = calls["jacobians_anywhere"] + calls["call_jacobians"]
    assert stats["Jacobians"] == asked > 1


def test_an_index_beyond_an_array_is_noticed(tmp_path: Path) -> None:
    done = run(RECTIFIER, tmp_path, is_slow=True)
    core = done.engine.live.core
    assert isinstance(core, AttachedCore)
    core.record.elements[0].unknown = 100

    with pytest.raises(IndexError):
        worst_guard(core.record, core.live.memory, core.record.y)


# ---------------------------------------------------------------- folds, which few models meet


def bent_core(dice: np.random.Generator) -> tuple[Core, Mode, Memory]:
    """A mode that bends, in the midst of a step, and the same once more."""
    problem = bent_cores.saturating_inductor()
    core = new_core(Memory(checked=True), problem, 1e-6, np.full(problem.size, 1e-9))
    core.h_max, core.cause, core.fold = 1.0, 0, 1
    mode = add_mode(core, [False])
    analyse_mode(problem, 0.0, dice.normal(size=core.n), np.zeros(core.n), mode)
    for array in (core.y, core.slope, core.size, core.corner_floor, core.z, core.p):
        array[:] = dice.uniform(0.5, 1.5, size=len(np.asarray(array)))
    return core, mode, memory_of(core).copy()


@pytest.mark.parametrize("seed", range(4))
def test_folds(seed: int) -> None:
    dice = np.random.default_rng(seed)
    core, mode, twin = bent_core(dice)
    core.slope[core.elements[0].unknown] = twin.first(Core).slope[core.elements[0].unknown] = 1e9
    memory = np.array(bent_cores.saturating_inductor().memory)
    there = address_of(twin.first(Core)), address_of(twin.first(Mode))
    m = memory.ctypes.data

    assert returns(core, mode) == core_folds.callable("returns")(*there)
    element = fold_ahead(core, mode, memory)
    assert element == core_folds.callable("fold_ahead")(*there, m) == 0
    meet_fold(core, mode, memory, element, 1e-9)
    core_folds.callable("meet_fold")(*there, m, element, 1e-9)
    assert (core.fold, core.fired, core.wanted) == (1, 0, 2)
    assert memory_of(core).save() == twin.save()
