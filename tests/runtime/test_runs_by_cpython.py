"""Runs by CPython, from beginning to end, of models without an implicit core: the same bits as machine code
gives, with bounded arrays. Only the sections of the model itself stay machine code, and SUNDIALS."""

from __future__ import annotations

import ctypes
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from types import FrameType, SimpleNamespace
from typing import Any, get_type_hints

import numpy as np
import pytest

import freewheel as fw
from freewheel.machine.addresses import floats_at, ints_at
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.machine.memory import Memory, address_of
from freewheel.runtime import live
from freewheel.runtime.delays import history as histories
from freewheel.runtime.integrators.registry import CompiledMethod
from freewheel.runtime.integrators.sundials_kernels import LinearSolver, sundials
from freewheel.runtime.loop import classic_engine
from freewheel.runtime.loop.workspace import Workspace

SAMPLED = """
model Sampled "samples are due at the start, and a relation of time is exactly zero there"
  discrete Integer n(start = 0, fixed = true);
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = if time >= 0 and time < 0.3 then -x else y - 1;
  der(y) = -y;
  when {sample(0, 0.1), y < 1.5} then
    n = pre(n) + 1;
    reinit(x, pre(x) + 0.5);
  end when;
  annotation(experiment(StopTime = 0.5, Interval = 0.1));
end Sampled;
"""
BALL = """
model Ball "comes to rest, is lifted, and comes to rest again"
  Real h(start = 0.1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81 + (if time > 1 then 12*sin(4*time) else 0);
  when h < 0 then
    reinit(v, -0.4*pre(v));
  end when;
  annotation(experiment(StopTime = 2, Interval = 0.1));
end Ball;
"""
SLIDES = """
model Slides "comes to the surface and leaves it"
  Real x(start = 0.5, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = (if x > 0 then -1 else 1) + 1.5*sin(3*time);
  der(z) = x;
  annotation(experiment(StopTime = 2, Interval = 0.1));
end Slides;
"""
PIPE = """
model Pipe "a delay, one that varies and jumps, and a pipe whose flow turns"
  Real x(start = 1, fixed = true), y(start = 0.5, fixed = true), u(start = 0, fixed = true), left, right;
  Integer count(start = 0, fixed = true);
equation
  der(x) = -delay(x, 0.02) + (if time > 0.03 then 3 else 0);
  der(y) = right - y + delay(x, if time > 0.05 then 0.02 else 0.03 + 0.01*sin(60*time), 0.05);
  der(u) = 20*cos(30*time);
  (left, right) = spatialDistribution(x, y, u, cos(30*time) > 0, {0, 0.5, 0.5, 1}, {0, 1, 2, 2});
  when delay(x, 0.02) < 0.9 then
    count = pre(count) + 1;
  end when;
  annotation(experiment(StopTime = 0.08, Interval = 0.04));
end Pipe;
"""
PENDULUM = """
model Pendulum "turns over: its states change"
  Real x(start = 0.6), y(start = 0.8, fixed = true), vx(start = 4, fixed = true), vy, f;
equation
  x^2 + y^2 = 1;
  der(x) = vx;
  der(y) = vy;
  der(vx) = -f*x;
  der(vy) = -f*y - 9.81;
  annotation(experiment(StopTime = 0.8, Interval = 0.1));
end Pendulum;
"""
DIPS = """
model Dips "below zero and back within one step"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = noEvent(if (x - 1.3)^2 < 1e-2 then 1 else 0) - abs(y - 0.05);
  when sin(7*x) > 0.999 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 3, Interval = 1));
end Dips;
"""
FOLDS = """
model Folds "a loop leaves its branch at a fold"
  Real x(start = 0, fixed = true), y(start = -1.5);
equation
  der(x) = 1 - 0.1*x;
  y^3 - 3*y = 2*x - 1.5;
  annotation(experiment(StopTime = 3, Interval = 0.25));
end Folds;
"""
OPEN = """
model Open "nothing determines how a sum is shared"
  Real x(start = 1, fixed = true), a, b;
equation
  der(x) = -x;
  a + b = x;
  2*a + 2*b = 2*x;
  annotation(experiment(StopTime = 0.5, Interval = 0.25));
end Open;
"""
STIFF = """
model Stiff "with a pulse, as a chain"
  parameter Integer n = 3;
  Real x[n](each start = 0, each fixed = true);
equation
  der(x[1]) = 1000*((if time > 0.3 then 1 else 2) - x[1]) + x[2];
  for i in 2:n - 1 loop
    der(x[i]) = 3*(x[i - 1] - 2*x[i] + x[i + 1]);
  end for;
  der(x[n]) = x[n - 1] - x[n]^2;
  annotation(experiment(StopTime = 0.5, Interval = 0.1));
end Stiff;
"""
LONG = STIFF.replace("n = 3", "n = 70").replace("StopTime = 0.5", "StopTime = 1e-3")


@dataclass(frozen=True)
class Run:
    data: bytes
    events: list[str]
    image: bytes  # all memory of the run
    calls: Counter[str]  # of functions, by CPython


def run(text: str, is_slow: bool, **settings: Any) -> Run:
    calls: Counter[str] = Counter()
    spaces: list[Workspace] = []

    def seen(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            calls[frame.f_code.co_name] += 1

    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        # How often it breathes must not depend on time.
        patch.setattr(classic_engine, "BREATH_SECONDS", inf)
        noted = Workspace.__init__

        def made(self: Workspace, *arguments: Any, **more: Any) -> None:
            noted(self, *arguments, **{**more, "checked": is_slow})
            spaces.append(self)

        patch.setattr(Workspace, "__init__", made)
        if is_slow:
            by_cpython(patch, spaces)
            sys.setprofile(seen)
        try:
            result = fw.load_text(text).simulate(**settings)
        finally:
            sys.setprofile(None)
    # SUNDIALS has addresses of its own.
    kept = () if settings.get("solver") in ("cvode", "ida") else spaces
    image = b"".join(space.memory.save() for space in kept)
    return Run(result.data.tobytes(), [*map(repr, result.events)], image, calls)


def by_cpython(patch: pytest.MonkeyPatch, spaces: list[Workspace]) -> None:
    """Kernels that are asked for on the memory of a run are those of CPython."""
    compiled, address = KernelModule.callable, KernelModule.address

    def record_at(place: Any) -> Any:
        """Of a run, or of what it remembers of delayed signals."""
        loops = [space.loop for space in spaces]
        past = [kept.record for kept in histories._LIVE.values()]
        pipes = [pipe for record in past for pipe in record.pipes]
        return next((one for one in (*loops, *past, *pipes) if address_of(one) == place), None)

    def of_kernel(kind: Any, value: Any) -> Any:
        """What CPython takes for what machine code is given."""
        if not isinstance(value, int) or kind is Int:
            return value
        if kind is LinearSolver:
            return SimpleNamespace(content=record_at(ints_at(value)[0]))
        return (
            floats_at(value)
            if kind is Floats
            else ints_at(value)
            if kind is Ints
            else record_at(value)
        )

    def kernel_of(self: KernelModule, name: str) -> Callable[..., Any]:
        kernel = self.all_kernels()[name]
        kinds = kinds_of(kernel)
        return lambda *given: kernel(*map(of_kernel, kinds, given))

    def callable_(self: KernelModule, name: str) -> Callable[..., Any]:
        machine, kernel = compiled(self, name), kernel_of(self, name)
        return lambda *given: (kernel if given and record_at(given[0]) else machine)(*given)

    def both(self: KernelModule, name: str) -> Any:
        return address(self, name), self.all_kernels()[name]

    def restart(self: CompiledMethod) -> Any:
        return both(self.module, "restart_library") if self.library else 0

    def called_by_library(self: KernelModule, name: str) -> int:
        if self is not sundials or not name.startswith(("cvode_", "ida_", "solver_")):
            return address(self, name)
        kinds = kinds_of(self.all_kernels()[name])
        types = [ctypes.c_double if kind is Float else ctypes.c_void_p for kind in kinds]
        KEPT.append(ctypes.CFUNCTYPE(ctypes.c_int, *types)(kernel_of(self, name)))
        return ctypes.cast(KEPT[-1], ctypes.c_void_p).value or 0

    patch.setattr(live, "Memory", lambda checked=True: Memory(checked=True))
    patch.setattr(KernelModule, "callable", callable_)
    patch.setattr(KernelModule, "address", called_by_library)
    patch.setattr(CompiledMethod, "restart_address", restart)
    patch.setattr(
        CompiledMethod,
        "addresses",
        lambda self: (both(self.module, self.attempt), both(self.module, self.inside)),
    )


def kinds_of(kernel: Callable[..., Any]) -> list[Any]:
    hints = get_type_hints(kernel, include_extras=True)
    return [kind for name, kind in hints.items() if name != "return"]


KEPT: list[Any] = []  # callbacks, which the library calls until it is freed

CASES: dict[str, tuple[str, dict[str, Any], set[str]]] = {
    "samples and reinit": (SAMPLED, {}, {"first_instant", "log_start", "begin_steps"}),
    "optimistic steps": (
        SAMPLED,
        {"step_control": "optimistic", "solver": "rkf45"},
        {"optimistic_factor"},
    ),
    "fixed steps": (SAMPLED, {"solver": "rk4"}, {"try_tableau"}),
    "delays and a pipe": (PIPE, {}, {"begin_pipe", "begin_breaks"}),
    "a ball": (BALL, {}, {"log_rest", "log_motion", "find_flight", "go_beyond"}),
    "sliding": (SLIDES, {}, {"count_switches", "chatters"}),
    "other states": (PENDULUM, {}, {"choose_states"}),
    "dips": (DIPS, {}, {"hidden_corner"}),
    "a fold": (FOLDS, {}, {"solve_loops", "is_lost"}),
    "an open loop": (OPEN, {}, {"has_open_loops"}),
    "sparse factors in cvode": (LONG, {"solver": "cvode"}, {"solver_setup", "solver_solve"}),
    "cvode": (STIFF, {"solver": "cvode"}, {"try_library", "cvode_rhs", "cvode_jacobian"}),
    "ida": (STIFF, {"solver": "ida"}, {"ida_residual", "ida_jacobian", "restart_library"}),
}


LONG_RUNS = {"delays and a pipe"}  # 500 steps at least


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.long] * (case in LONG_RUNS)) for case in CASES]
)
def test_a_model(case: str) -> None:
    text, settings, expected = CASES[case]
    fast, slow = run(text, is_slow=False, **settings), run(text, is_slow=True, **settings)

    assert expected - slow.calls.keys() == set()
    assert slow.data == fast.data
    assert slow.events == fast.events
    assert slow.image == fast.image
