"""What interpolated restarts do to stability (R9.1 of Cellier and Kofman, chapter 9), measured.

    python benchmarks/restart_stability.py [docs/pictures/restart_stability.png]

One step of size 1 of each method on the test equation y' = z y, and the value of its interpolant at a share
theta of the step: the amplification of an event at theta from whose interpolated state integration begins
anew. z is complex: the kernels integrate the real system of its real and imaginary part.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt

import freewheel as fw
from freewheel.base.slots import Info, StateSlots
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int
from freewheel.machine.memory import bind
from freewheel.runtime.integrators.implicit_methods import IMPLICIT as COMPILED
from freewheel.runtime.integrators.registry import CompiledMethod
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.loop.point import dense_value
from freewheel.runtime.loop.recording import Recorder
from freewheel.runtime.model import CompiledModel, SlotRange
from freewheel.runtime.settings import Settings
from freewheel.runtime.start import problem_of

METHODS = ("dopri5", "rodas4", "radau", "lobatto")
THETAS = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
IMPLICIT = ("rodas4", "radau", "lobatto")
RELAXATION = """
model Relaxation "a stiff oscillator that is looked at by forty thresholds"
  Real x(start = 2, fixed = true), y(start = -0.66, fixed = true);
  parameter Real level[40] = linspace(-1.9, 1.9, 40);
  Boolean above[40];
  Integer crossings(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = 1e3*(1 - x*x)*y - x;
  for i in 1:40 loop
    above[i] = x > level[i];
  end for;
  when {change(above[i]) for i in 1:40} then
    crossings = pre(crossings) + 1;
  end when;
  annotation(experiment(StopTime = 3000, Interval = 3000));
end Relaxation;
"""
REFERENCE = -1.510217921709733  # x at the end, by radau at tolerance 1e-12
Complex = npt.NDArray[np.complex128]

kernels = KernelModule("test_equation")


@kernels.kernel
def test_equation(m: Floats) -> Int:
    """Memory: time, y (real, imaginary), y', z."""
    m[3] = m[5] * m[1] - m[6] * m[2]
    m[4] = m[6] * m[1] + m[5] * m[2]
    return 0


class OneStep:
    """The compiled step of a method on the test equation."""

    def __init__(self, solver: str) -> None:
        names = ("re", "im")
        model = CompiledModel(
            name="TestEquation",
            start=np.array([0.0, 1.0, 0.0, 0.0, 0.0, -1.0, 0.0]),
            time=0,
            states=SlotRange(1, 3),
            derivatives=SlotRange(3, 5),
            inputs=(),
            state_infos=tuple(StateSlots(name, 1 + i, 3 + i) for i, name in enumerate(names)),
            variables=tuple(Info(name, 1 + i) for i, name in enumerate(names)),
            parameter_slots={},
            sections={"derivatives": kernels.kernels["test_equation"]},
            addresses={"derivatives": kernels.address("test_equation")},
        )
        live, settings = LiveModel(model), Settings(solver=solver, interval=1.0)
        self.engine = ClassicEngine(live, Recorder(live), settings, problem_of(live, settings))
        self.engine.use(solver)
        # Whatever the error estimate says; Newton's iteration still ends at the solution, since the
        # problem is linear and its second change is rounding.
        self.engine.space.loop.atol[:] = 1e200

    def values(self, z: complex, thetas: Sequence[float]) -> Complex:
        """y at these shares of the step from y = 1."""
        space, memory = self.engine.space, self.engine.live.memory
        memory[5:7] = z.real, z.imag
        assert self.engine.restart(0.0, np.array([1.0, 0.0])) == 0
        space.loop.have_jacobian = space.loop.has_last = 0
        method, sections = self.engine.method, self.engine.sections
        assert method is not None
        assert sections is not None
        bind(space.loop, jacobian_section=sections.jacobian(False))
        attempt = method.module.callable(method.attempt)
        assert attempt(space.address, 0.0, 1.0) == 0
        space.loop.h_taken, space.loop.t1 = 1.0, 1.0
        assert method.module.callable(method.inside)(space.address) == 0
        out, found = np.zeros(2), []
        for theta in thetas:
            dense_value(space.loop, theta, out)
            found.append(complex(out[0], out[1]))
        return np.array(found)


def largest_in_left_half_plane(step: OneStep, thetas: Sequence[float]) -> npt.NDArray[np.float64]:
    """Where the poles lie in the right half plane, the largest amplification in the left one is found on the
    imaginary axis (maximum principle) or at infinity."""
    heights = np.concatenate([np.geomspace(1e-2, 1e4, 400), [1e8]])
    return np.max([np.abs(step.values(1j * y, thetas)) for y in heights], axis=0)


def border_on_real_axis(step: OneStep, theta: float) -> float:
    """-z up to which |amplification| <= 1 holds without a gap; inf: everywhere tried, up to 1e8."""
    for x in np.concatenate([np.linspace(0.05, 20.0, 400), np.geomspace(20.0, 1e8, 60)]):
        if abs(step.values(complex(-x), [theta])[0]) > 1.0 + 1e-9:
            return float(x)
    return inf


def rows() -> list[str]:
    told = ["| method | " + " | ".join(f"theta = {theta:g}" for theta in THETAS) + " |"]
    told.append("|---" * (len(THETAS) + 1) + "|")
    for name in METHODS:
        step = OneStep(name)
        limit = step.values(complex(-1e8), THETAS).real
        if name == "dopri5":
            cells = [f"{border_on_real_axis(step, theta):.2f}" for theta in THETAS]
        else:
            largest = largest_in_left_half_plane(step, THETAS)
            cells = [
                f"{a:.3f}, {round(b, 3) + 0.0:+.3f}" for a, b in zip(largest, limit, strict=True)
            ]
        told.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return told


@contextmanager
def restarting(name: str, is_interpolated: bool) -> Iterator[None]:
    """Begin anew from interpolated states, or after a step that is repeated to end on the event."""
    methods = cast("MutableMapping[str, CompiledMethod]", COMPILED)
    kept = methods[name]
    methods[name] = replace(kept, is_weak=not is_interpolated)
    try:
        yield
    finally:
        methods[name] = kept


def restarts(names: Sequence[str], tolerances: Sequence[float]) -> list[str]:
    """Error at the end and evaluations, both ways."""
    told = ["| method | tolerance | interpolated | repeated |", "|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Relaxation.mo"
        path.write_text(RELAXATION)
        for name in names:
            for tolerance in tolerances:
                cells = []
                for is_interpolated in (True, False):
                    with restarting(name, is_interpolated):
                        r = fw.load(path).simulate(tol=tolerance, solver=name)
                    error = abs(r.final("x") - REFERENCE)
                    cells.append(f"{error:.1e}, {r.stats['evaluations']:,}")
                told.append(f"| `{name}` | {tolerance:.0e} | " + " | ".join(cells) + " |")
    return told


def draw(file: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(METHODS), figsize=(13, 3.6))
    for axis, name in zip(axes, METHODS, strict=True):
        width = 5.0 if name == "dopri5" else 12.0
        x, y = np.linspace(-width, width, 121), np.linspace(-width, width, 121)
        step = OneStep(name)
        sizes = np.abs([[step.values(complex(a, b), THETAS) for a in x] for b in y])
        for number, theta in enumerate(THETAS):
            color = pyplot.get_cmap("viridis")(1.0 - theta)
            axis.contour(x, y, sizes[:, :, number], [1.0], colors=[color])
            axis.plot([], [], color=color, label=f"{theta:g}")
        axis.axvline(0.0, color="0.8", linewidth=0.8)
        axis.axhline(0.0, color="0.8", linewidth=0.8)
        axis.set_title(name)
        axis.set_xlabel("Re z")
    axes[0].set_ylabel("Im z")
    axes[-1].legend(title="theta", fontsize="small", loc="center left")
    figure.tight_layout()
    figure.savefig(file, dpi=90)


def main() -> None:
    print("\n".join([*rows(), "", *restarts(IMPLICIT, (1e-4, 1e-6, 1e-8))]))
    if len(sys.argv) > 1:
        draw(sys.argv[1])


if __name__ == "__main__":
    main()
