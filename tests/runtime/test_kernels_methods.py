"""Compiled integrators: order, published problems, agreement with CPython, failures.

Right-hand sides are kernels too: memory is time, states, derivatives.
"""

from __future__ import annotations

import _thread
import subprocess
import sys
import threading
from dataclasses import dataclass
from math import cos, log2, sin, sqrt

import numpy as np
import pytest

from freewheel.base.diagnostics import SimulationError, UsageError
from freewheel.base.slots import Info, StateSlots
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Floats, Int
from freewheel.machine.memory import bind
from freewheel.runtime.engine_choice import stiff_method
from freewheel.runtime.integrators import sundials
from freewheel.runtime.integrators.registry import METHODS
from freewheel.runtime.live import LiveModel
from freewheel.runtime.loop import outcomes
from freewheel.runtime.loop import rows as storing
from freewheel.runtime.loop import time_loop as driving
from freewheel.runtime.loop.classic_engine import ClassicEngine
from freewheel.runtime.loop.point import dense_value
from freewheel.runtime.loop.recording import Recorder
from freewheel.runtime.model import CompiledModel, SlotRange
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate
from freewheel.runtime.start import problem_of

problems = KernelModule("test_problems")
VAN_DER_POL = 1e6
CELLS = 100


@problems.kernel
def forced(m: Floats) -> Int:
    """A forced oscillator, so that time counts too; x = sin t."""
    m[3] = m[2]
    m[4] = -4.0 * m[1] + 3.0 * sin(m[0])
    return 0


@problems.kernel
def robertson(m: Floats) -> Int:
    m[4] = -0.04 * m[1] + 1e4 * m[2] * m[3]
    m[6] = 3e7 * m[2] * m[2]
    m[5] = -m[4] - m[6]
    return 0


@problems.kernel
def van_der_pol(m: Floats) -> Int:
    m[3] = m[2]
    m[4] = VAN_DER_POL * ((1.0 - m[1] * m[1]) * m[2]) - VAN_DER_POL * m[1]
    return 0


@problems.kernel
def hires(m: Floats) -> Int:
    y = m[1:]
    f = m[9:]
    f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007
    f[1] = 1.71 * y[0] - 8.75 * y[1]
    f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4]
    f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3]
    f[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6]
    f[5] = -280.0 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6]
    f[6] = 280.0 * y[5] * y[7] - 1.81 * y[6]
    f[7] = -f[6]
    return 0


@problems.kernel
def pleiades(m: Floats) -> Int:
    """Seven stars in the plane; star i has mass i + 1."""
    y = m[1:]
    f = m[29:]
    for i in range(14):
        f[i] = y[14 + i]
        f[14 + i] = 0.0
    for i in range(7):
        for j in range(7):
            if i != j:
                dx = y[j] - y[i]
                dy = y[7 + j] - y[7 + i]
                square = dx * dx + dy * dy
                pull = (j + 1) / (square * sqrt(square))
                f[14 + i] += pull * dx
                f[21 + i] += pull * dy
    return 0


@problems.kernel
def ladder(m: Floats) -> Int:
    """Resistors and capacitors in a row, a voltage of 1 at one end: stiff and sparse."""
    y = m[1:]
    f = m[1 + CELLS :]
    for i in range(CELLS):
        left = 1.0 if i == 0 else y[max(i - 1, 0)]
        right = y[i] if i == CELLS - 1 else y[min(i + 1, CELLS - 1)]
        f[i] = CELLS * CELLS * (left - 2.0 * y[i] + right)
    return 0


@problems.kernel
def orbit(m: Floats) -> Int:
    """DETEST D5: two bodies, eccentricity 0.9."""
    square = m[1] * m[1] + m[2] * m[2]
    cube = square * sqrt(square)
    m[5] = m[3]
    m[6] = m[4]
    m[7] = -m[1] / cube
    m[8] = -m[2] / cube
    return 0


@problems.kernel
def logistic(m: Floats) -> Int:
    """DETEST A4."""
    m[2] = 0.25 * m[1] * (1.0 - m[1] / 20.0)
    return 0


@problems.kernel
def spiral(m: Floats) -> Int:
    """DETEST A5."""
    m[2] = (m[1] - m[0]) / (m[1] + m[0])
    return 0


@problems.kernel
def border(m: Floats) -> Int:
    """Defined up to x = 1 only, where it begins and stays."""
    m[2] = -1000.0 * sqrt(1.0 - m[1])
    return 0


@problems.kernel
def pole(m: Floats) -> Int:
    m[2] = m[1] * m[1]
    return 0


@dataclass(frozen=True)
class Problem:
    kernel: str
    start: tuple[float, ...]
    stop: float
    sparsity: tuple[tuple[int, ...], ...] | None = None

    def model(self, compiled: bool = True, kernels=problems) -> CompiledModel:
        n = len(self.start)
        memory = np.zeros(1 + 2 * n)
        memory[1 : 1 + n] = self.start
        function = kernels.kernels[self.kernel]
        return CompiledModel(
            name=self.kernel,
            start=memory,
            time=0,
            states=SlotRange(1, 1 + n),
            derivatives=SlotRange(1 + n, 1 + 2 * n),
            inputs=(),
            state_infos=tuple(StateSlots(f"x{i}", 1 + i, 1 + n + i) for i in range(n)),
            variables=tuple(Info(f"x{i}", 1 + i) for i in range(n)),
            parameter_slots={},
            sections={"derivatives": function},
            sparsity=self.sparsity,
            addresses={"derivatives": kernels.address(self.kernel)} if compiled else {},
        )


TRIDIAGONAL = tuple(tuple(i for i in (j - 1, j, j + 1) if 0 <= i < CELLS) for j in range(CELLS))
FORCED = Problem("forced", (0.0, 1.0), 2.0)
ROBERTSON = Problem("robertson", (1.0, 0.0, 0.0), 40.0)
STIFF_OSCILLATOR = Problem("van_der_pol", (2.0, 0.0), 2.0)
HIRES = Problem("hires", (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057), 321.8122)
PLEIADES = Problem(
    "pleiades",
    (
        *(3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4),
        *(0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0),
    ),
    3.0,
)
LADDER = Problem("ladder", (0.0,) * CELLS, 0.2, TRIDIAGONAL)
ORBIT = Problem("orbit", (0.1, 0.0, 0.0, sqrt(19.0)), 20.0)

A4 = Problem("logistic", (1.0,), 20.0)
A5 = Problem("spiral", (4.0,), 20.0)
BORDER = Problem("border", (1.0,), 1.0)
POLE = Problem("pole", (1.0,), 2.0)


def run(problem: Problem, solver: str, **settings):
    chosen = {"stop": problem.stop, "tolerance": 1e-8, "number_of_intervals": 10, **settings}
    return simulate(problem.model(), Settings(solver=solver, **chosen))


def finals(result, count: int) -> list[float]:
    return [result.final(f"x{i}") for i in range(count)]


# ---------------------------------------------------------------- order

ORDERS = {
    "euler": 1,
    "beuler": 1,
    "rk4": 4,
    "rkf45": 4,
    "dopri5": 5,
    "rodas4": 4,
    "radau": 5,
    "lobatto": 4,
}


def engine_for(problem: Problem, solver: str, **settings) -> ClassicEngine:
    live = LiveModel(problem.model())
    chosen = Settings(stop=problem.stop, solver=solver, **settings)
    engine = ClassicEngine(live, Recorder(live), chosen, problem_of(live, chosen))
    engine.use(solver)
    return engine


def error_with_steps(solver: str, h: float) -> float:
    """At t = 2 after steps of one size, whatever the error estimate says."""
    engine = engine_for(FORCED, solver, tolerance=1e-12)
    space, memory = engine.space, engine.live.memory
    assert engine.restart(0.0, np.array(FORCED.start)) == 0
    bind(space.loop, jacobian_section=engine.sections.jacobian(False))
    attempt = engine.method.module.callable(engine.method.attempt)
    for step in range(round(2.0 / h)):
        assert attempt(space.address, step * h, h) == 0
        memory[0], memory[1:3] = (step + 1) * h, space.loop.y1
        forced(memory)
        space.loop.y[:], space.loop.f[:] = memory[1:3], memory[3:5]
        space.loop.jacobian_is_fresh = 0
    return float(np.abs(space.loop.y - [sin(2.0), cos(2.0)]).max())


OWN_METHODS = [name for name, method in METHODS.items() if not method.library]


@pytest.mark.parametrize("solver", OWN_METHODS)
def test_halving_the_step_gains_the_advertised_order(solver):
    h = {1: 0.005, 4: 0.05, 5: 0.1}[ORDERS[solver]]
    coarse, fine = error_with_steps(solver, h), error_with_steps(solver, h / 2)

    assert log2(coarse / fine) == pytest.approx(ORDERS[solver], abs=0.35)


@pytest.mark.parametrize(
    ("solver", "order"), [("dopri5", 4), ("rodas4", 3), ("radau", 3), ("lobatto", 3)]
)
def test_values_inside_a_step_are_nearly_as_good_as_its_end(solver, order):
    def error(h: float) -> float:
        engine = engine_for(FORCED, solver, tolerance=1e-2)
        engine.problem.atol[:] = 1.0
        engine.space.loop.atol[:] = 1e-3 if solver in ("radau", "lobatto") else 1e6
        engine.space.loop.h = h
        engine.restart(0.0, np.array(FORCED.start))
        attempt = engine.method.module.callable(engine.method.attempt)
        inside = engine.method.module.callable(engine.method.inside)
        space = engine.space
        bind(space.loop, jacobian_section=engine.sections.jacobian(False))
        assert attempt(space.address, 0.0, h) == 0
        assert space.loop.error <= 1.0
        space.loop.h_taken, space.loop.t1 = h, h
        assert inside(space.address) == 0
        values = [np.zeros(2) for _ in range(3)]
        for value, share in zip(values, (0.3, 0.5, 0.9), strict=True):
            dense_value(space.loop, share * h, value)
        exact = [[sin(share * h), cos(share * h)] for share in (0.3, 0.5, 0.9)]
        return float(np.abs(np.array(values) - exact).max())

    assert log2(error(0.2) / error(0.1)) > order + 0.6


# ---------------------------------------------------------------- published problems


STIFF_SOLVERS = ["auto", "rodas4", "radau", "lobatto"]


@pytest.mark.parametrize("solver", STIFF_SOLVERS)
def test_robertson(solver):
    """End values at t = 40: Hindmarsh's LSODE demonstration, and many after it."""
    found = finals(run(ROBERTSON, solver), 3)

    assert found == pytest.approx([0.7158270687, 9.185534765e-06, 0.2841637457], rel=1e-8)


@pytest.mark.parametrize("solver", STIFF_SOLVERS)
def test_van_der_pol_with_a_million(solver):
    """Mazzia, Magherini: Test Set for Initial Value Problem Solvers, problem VDPOL in stiff form."""
    found = finals(run(STIFF_OSCILLATOR, solver), 2)

    assert found == pytest.approx([1.706167732170483, -0.8928097010247975], rel=1e-6)


@pytest.mark.parametrize("solver", [*STIFF_SOLVERS, "dopri5", "rkf45"])
def test_hires(solver):
    """The same test set, problem HIRES."""
    expected = [
        *(0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4),
        *(0.1175651343283149e-2, 0.2386356198831331e-2, 0.6238968252742796e-2),
        *(0.2849998395185769e-2, 0.2850001604814231e-2),
    ]

    assert finals(run(HIRES, solver), 8) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("solver", STIFF_SOLVERS)
def test_pleiades(solver):
    """The same test set, problem PLEI: positions at t = 3."""
    expected = [
        *(0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.6597091455775310),
        *(0.3425581707156584, 1.562172101400631, -0.7003092922212495),
        *(-3.943437585517392, -3.271380973972550, 5.225081843456543, -2.590612434977470),
        *(1.198213693392275, -0.2429682344935824, 1.091449240428980),
    ]

    assert finals(run(PLEIADES, solver), 14) == pytest.approx(expected, abs=5e-6)


DETEST = {
    # Hull, Enright, Fellen, Sedgwick 1972; end values at t = 20.
    "A4": (A4, [17.73016648131483]),
    "A5": (A5, [-0.7887826688964196]),
    "D5": (
        ORBIT,
        [-1.295266250987574, 0.4003938963792321, -0.6775390924707566, -0.1270838154278686],
    ),
}


@pytest.mark.parametrize("solver", ["dopri5", "rkf45", "rodas4", "radau", "lobatto"])
@pytest.mark.parametrize("name", DETEST)
def test_detest(name, solver):
    problem, expected = DETEST[name]
    found = finals(run(problem, solver, tolerance=1e-9), len(expected))

    assert found == pytest.approx(expected, rel=2e-5)


@pytest.mark.parametrize("solver", STIFF_SOLVERS)
def test_sparse_and_dense_matrices_give_the_same_curves(solver):
    sparse = run(LADDER, solver, tolerance=1e-6)
    dense = run(Problem("ladder", LADDER.start, LADDER.stop), solver, tolerance=1e-6)

    assert finals(sparse, CELLS) == pytest.approx(finals(dense, CELLS), rel=1e-6)
    assert sparse.stats["evaluations"] < dense.stats["evaluations"]


def test_auto_says_what_it_chose_and_why():
    few, many = run(ROBERTSON, "auto"), run(LADDER, "auto")

    assert few.stats["solver"] == "rodas4"
    assert "changed from dopri5 to rodas4" in few.warnings[0].message
    assert many.stats["solver"] == "cvode"
    assert "multistep methods win" in many.warnings[0].message
    assert stiff_method(CELLS, 1e-6, is_smooth=False)[0] == "radau"
    assert many.stats["chosen because"] == many.warnings[0].message
    assert run(FORCED, "auto").stats["chosen because"] == "no stiffness was found"
    assert run(FORCED, "rkf45").stats["chosen because"] == "it was requested"


# ---------------------------------------------------------------- CPython as the reference


def driven_by_cpython(problem: Problem, solver: str, stop: float, **settings) -> ClassicEngine:
    """The same kernels, run as the Python functions they are."""
    engine = engine_for(problem, solver, **settings)
    function, method = problems.kernels[problem.kernel], engine.method
    kernels = method.module.kernels
    loop, nothing = engine.space.loop, driving.nothing
    loop.y[:] = problem.start
    loop.max_rows, loop.rows = len(engine.recorder.rows), engine.recorder.rows
    loop.max_sizes, loop.step_sizes = 10_000, np.zeros(20_000)
    loop.budget, loop.limit = 10_000, stop
    bind(
        loop,
        discrete=nothing,
        derivatives=function,
        outputs=nothing,
        relations=nothing,
        jacobian_section=driving.no_jacobian,
        attempt=kernels[method.attempt],
        interpolate=kernels[method.inside],
    )
    assert storing.restart(loop, 0.0) == 0
    code = driving.drive(loop)
    assert code == outcomes.REACHED
    return engine


PAIRS = [(FORCED, solver) for solver in OWN_METHODS]
PAIRS += [(ROBERTSON, solver) for solver in ("rodas4", "radau", "lobatto")]


@pytest.mark.parametrize(("problem", "solver"), PAIRS, ids=lambda x: getattr(x, "kernel", x))
def test_machine_code_and_cpython_do_the_same(problem, solver):
    stop = 0.3
    settings = {"tolerance": 1e-5, "interval": 0.05}
    slow = driven_by_cpython(problem, solver, stop, **settings)
    fast = engine_for(problem, solver, **settings)
    fast.restart(0.0, np.array(problem.start))
    fast.space.loop.input_break = stop
    assert fast.drive() == outcomes.REACHED

    assert (fast.steps, fast.rejected, fast.work) == (slow.steps, slow.rejected, slow.work)
    assert fast.y == pytest.approx(slow.y, rel=1e-12)
    count = fast.recorder.count
    assert count == slow.space.loop.row_count > 5
    assert fast.recorder.rows[:count] == pytest.approx(slow.recorder.rows[:count], rel=1e-9)


# ---------------------------------------------------------------- failures


@pytest.mark.parametrize("solver", ["auto", "rkf45", "rodas4", "radau", "lobatto"])
def test_a_pole_ends_with_time_variable_and_a_cure(solver):
    with pytest.raises(SimulationError) as caught:
        run(POLE, solver)

    told = caught.value.diagnostics[0]
    assert told.code in ("R002", "R003")
    assert "`x0`" in told.message
    assert "time 1" in told.message or "time 0.99" in told.message
    assert told.help
    assert caught.value.result.time[-1] == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize("solver", ["rodas4", "radau", "lobatto", "beuler"])
def test_a_jacobian_is_found_at_the_border_of_a_domain(solver):
    result = run(BORDER, solver)

    assert result.final("x0") == pytest.approx(1.0, abs=1e-6)


def test_buffers_grow_as_needed():
    result = run(FORCED, "dopri5", stop=200.0, number_of_intervals=5000, longest_step=0.05)

    assert len(result) == 5001
    assert result["x0"] == pytest.approx(np.sin(result.time), abs=1e-5)
    assert len(result.step_sizes) == result.stats["steps"] >= 4000
    assert sum(h for _, h in result.step_sizes) == pytest.approx(200.0)


def test_more_steps_than_allowed_are_reported():
    with pytest.raises(SimulationError) as caught:
        run(FORCED, "dopri5", max_steps=5)

    assert caught.value.diagnostics[0].code == "R004"


# ---------------------------------------------------------------- SUNDIALS

LIBRARY = ["cvode", "ida"]


@pytest.mark.parametrize("solver", LIBRARY)
@pytest.mark.parametrize(
    ("problem", "expected", "allowed"),
    [
        (ROBERTSON, [0.7158270687, 9.185534765e-06, 0.2841637457], 1e-5),
        (STIFF_OSCILLATOR, [1.706167732170483, -0.8928097010247975], 1e-4),
        (A4, [17.73016648131483], 1e-6),
    ],
    ids=["robertson", "van_der_pol", "A4"],
)
def test_the_library_solves_stiff_problems(problem, expected, allowed, solver):
    result = run(problem, solver)

    assert finals(result, len(expected)) == pytest.approx(expected, rel=allowed)
    assert result.stats["solver"] == solver
    assert 0 < result.stats["Jacobians"] < result.stats["steps"]


@pytest.mark.parametrize("solver", LIBRARY)
def test_the_library_uses_our_sparse_factors(solver):
    sparse = run(LADDER, solver)
    dense = run(Problem("ladder", LADDER.start, LADDER.stop), solver)

    assert finals(sparse, CELLS) == pytest.approx(finals(dense, CELLS), rel=1e-6)
    assert sparse["x50"] == pytest.approx(run(LADDER, "radau")["x50"], abs=1e-6)


def test_others_may_have_loaded_the_library_before(tmp_path):
    """Then its parts call other copies of its functions than ours would; hence a process of its own."""
    cells = "for i in 2:99 loop der(x[i]) = 1e4*(x[i-1] - 2*x[i] + x[i+1]); end for;"
    ends = "der(x[1]) = 1e4*(1 - 2*x[1] + x[2]); der(x[100]) = 1e4*(x[99] - x[100]);"
    declared = "Real x[100](each start = 0, each fixed = true);"
    (tmp_path / "Rod.mo").write_text(f"model Rod {declared} equation {cells} {ends} end Rod;")
    script = """
import sksundae.ida
import freewheel as fw
rod = fw.load("Rod.mo")
wanted = rod.simulate(solver="radau").final("x[100]")
print(max(abs(rod.simulate(solver=s).final("x[100]") - wanted) for s in ("cvode", "ida")) < 1e-4)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )

    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.parametrize("solver", LIBRARY)
def test_the_library_stores_values_inside_its_steps(solver):
    result = run(FORCED, solver, number_of_intervals=1000)

    assert len(result) == 1001
    assert result["x0"] == pytest.approx(np.sin(result.time), abs=1e-6)


@pytest.mark.parametrize("solver", LIBRARY)
def test_the_library_tells_a_pole_too(solver):
    with pytest.raises(SimulationError) as caught:
        run(POLE, solver)

    assert caught.value.diagnostics[0].code in ("R002", "R003")


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(sundials, "_folder", lambda: None)
    sundials.library.cache_clear()
    with pytest.raises(UsageError) as caught:
        run(FORCED, "cvode")
    sundials.library.cache_clear()

    assert caught.value.diagnostics[0].code == "U032"
    assert "freewheel[sundials]" in caught.value.diagnostics[0].help


def test_an_interrupt_stops_the_compiled_loop_and_keeps_the_curves():
    """Ctrl-C is heard within a breath, though no Python runs in between."""
    timers = []

    def progress(share: float) -> None:
        if not timers:  # the loop is running: not earlier, while kernels are being compiled
            timers.append(threading.Timer(0.2, _thread.interrupt_main))
            timers[0].start()

    settings = Settings(stop=1e9, interval=1.0, solver="dopri5", max_steps=10**12)
    with pytest.raises(SimulationError) as caught:
        simulate(FORCED.model(), settings, progress)

    assert caught.value.diagnostics[0].code == "R009"
    assert len(caught.value.result) > 10
