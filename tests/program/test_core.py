"""The implicit core: residuals vanish on exact solutions, derivatives agree with differences."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import cos, pi, sin
from pathlib import Path

import numpy as np
import pytest

from freewheel.backend.core import compile_core
from freewheel.backend.load import build
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.program.core import CoreProgram, lower_core
from freewheel.program.dependence import given_by
from freewheel.program.jacobian import JacobianProgram
from freewheel.program.lower import _Lowering
from freewheel.structure.branches.core import find_core
from freewheel.structure.nodes import Chosen
from freewheel.structure.values import ParameterValues

CIRCUITS = (Path(__file__).parents[1] / "structure" / "circuits.mo").read_text()
BACKENDS = ("python", "llvm")


class Running:
    """A compiled core with the memory it works on."""

    def __init__(self, name: str, backend: str) -> None:
        library = Library([], use_modelicapath=False)
        library.add_file(Source.from_text(CIRCUITS, "circuits.mo"))
        made = compile_model(library, ("Circuits", name), Options(stop_after="program"))
        ordered = made.ordered
        variables = {v.name: v for v in ordered.hybrid.aliases.model.variables}
        values = ParameterValues(variables, ordered.functions)
        unknowns = tuple(v for b in ordered.simulation.blocks for v in given_by(b))
        chosen = Chosen(ordered.simulation.equations, unknowns, ordered.states, ordered.states)
        core = find_core(ordered.hybrid, chosen, variables, values)
        assert core is not None
        lowering = _Lowering(ordered)
        self.made: CoreProgram = lower_core(core, lowering, made.program, ordered.hybrid.crossings)
        self.model = build(made.program, backend)
        self.code = compile_core(self.made, self.model.extras["machine"])
        self.memory = self.model.start.copy()
        self.model.sections["parameters"](self.memory)
        self.size = len(self.made.names)

    def call(self, function: Callable[..., int], count: int, *parts: object) -> np.ndarray:
        given = np.concatenate([np.asarray(part, dtype=float) for part in parts])
        values = np.zeros(max(len(given), count))
        values[: len(given)] = given
        assert function(self.memory, values) == 0
        return values[:count]

    def residual(self, *parts: object) -> np.ndarray:
        return self.call(self.code.residual, self.size, *parts)

    def matrix(self, program: JacobianProgram, function: Callable[..., int], *parts: object):
        entries = self.call(function, len(program.entries), *parts)
        result = np.zeros((self.size, self.size))
        at = 0
        for column, rows in enumerate(program.columns):
            for row in rows:
                result[row, column] = entries[at]
                at += 1
        return result


@cache
def running(name: str, backend: str) -> Running:
    return Running(name, backend)


NAMES = (
    "HalfWaveL",
    "PeakDetector",
    "BridgeL",
    "Boost",
    "TwoInductors",
    "Clutch",
    "String",
    "Drum",
)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", NAMES)
def test_derivatives_agree_with_differences(name: str, backend: str) -> None:
    run = running(name, backend)
    random = np.random.default_rng(7)
    n, h = run.size, 1e-6
    rates, y = random.normal(size=n), random.normal(size=n)
    bits = random.integers(0, 2, size=len(run.made.bit_names))
    run.memory[run.model.time] = 0.0031
    by_rate = run.matrix(run.made.by_rate, run.code.by_rate, bits, rates, y)
    by_variable = run.matrix(run.made.by_variable, run.code.by_variable, bits, rates, y)

    for k, unit in enumerate(np.eye(n)):
        up, down = (run.residual(bits, rates + s * h * unit, y) for s in (1, -1))
        assert by_rate[:, k] == pytest.approx((up - down) / (2 * h), abs=1e-6)
        up, down = (run.residual(bits, rates, y + s * h * unit) for s in (1, -1))
        assert by_variable[:, k] == pytest.approx((up - down) / (2 * h), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", NAMES)
def test_slopes_agree_with_differences_along_a_motion(name: str, backend: str) -> None:
    run = running(name, backend)
    random = np.random.default_rng(3)
    n, t, h = run.size, 0.0031, 1e-5
    y, first, second, third = (random.normal(size=n) for _ in range(4))
    bits = random.integers(0, 2, size=len(run.made.bit_names))

    def at(s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        run.memory[run.model.time] = t + s
        now = y + s * first + s**2 / 2 * second + s**3 / 6 * third
        return now, first + s * second + s**2 / 2 * third, second + s * third

    def slope(order: int, s: float) -> np.ndarray:
        now, rate, faster = at(s)
        return run.call(run.code.slopes[order - 1], n, bits, rate, now, faster, third)

    def residual(s: float) -> np.ndarray:
        now, rate, _ = at(s)
        return run.residual(bits, rate, now)

    difference = (residual(h) - residual(-h)) / (2 * h)
    assert slope(1, 0.0) == pytest.approx(difference, rel=1e-4, abs=1e-4)
    difference = (slope(1, h) - slope(1, -h)) / (2 * h)
    assert slope(2, 0.0) == pytest.approx(difference, rel=1e-4, abs=1e-2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_residual_vanishes_where_the_diode_conducts_and_where_it_blocks(backend: str) -> None:
    """u0 = 10 sin(2 pi 50 t), L = 10 mH, C = 1 mF, RL = 50."""
    run = running("HalfWaveL", backend)
    place = {name: k for k, name in enumerate(run.made.names)}
    for off, time, i, u in ((0, 0.004, 0.7, 3.0), (1, 0.013, 0.0, 12.0)):
        run.memory[run.model.time] = time
        u0 = 10 * sin(2 * pi * 50 * time)
        inductor = 0.0 if off else u0 - u
        diode = u0 - u if off else 0.0
        known = {"C.v": u, "L.i": i, "L.v": inductor, "D.v": diode, "D.p.v": u + diode}
        known["D.s"] = diode if off else i
        y, rates = np.zeros(run.size), np.zeros(run.size)
        for name, value in known.items():
            y[place[name]] = value
        rates[place["L.i"]] = inductor / 0.01
        rates[place["C.v"]] = (i - u / 50) / 1e-3

        assert run.residual([off], rates, y) == pytest.approx(0.0, abs=1e-12)
        assert run.residual([1 - off], rates, y) != pytest.approx(0.0, abs=1e-3)


def test_the_peak_detector_needs_the_slope_of_its_source() -> None:
    """While it conducts C.v = u0(t); only d/dt of that tells the current."""
    run = running("PeakDetector", "llvm")
    place = {name: k for k, name in enumerate(run.made.names)}
    time, omega = 0.002, 2 * pi * 50
    u, rate = 10 * sin(omega * time), 10 * omega * cos(omega * time)
    run.memory[run.model.time] = time
    y, rates, faster = (np.zeros(run.size) for _ in range(3))
    y[place["C.v"]], rates[place["C.v"]] = u, rate
    y[place["RL.i"]], y[place["C.i"]] = u / 50, 1e-3 * rate
    y[place["D.i"]] = y[place["D.s"]] = u / 50 + 1e-3 * rate

    assert run.residual([0], rates, y) == pytest.approx(0.0, abs=1e-12)
    wrong = rates.copy()
    wrong[place["C.v"]] = 0.0
    slopes = [
        run.call(run.code.slopes[0], run.size, [0], r, y, faster, faster) for r in (rates, wrong)
    ]
    row = next(k for k, text in enumerate(run.made.row_texts) if "u0.v - C.v" in text)
    assert slopes[0][row] == pytest.approx(0.0, abs=1e-9)
    assert abs(slopes[1][row]) == pytest.approx(abs(rate))


def test_guards_and_corners_name_their_places() -> None:
    made = running("Boost", "llvm").made

    (corner,) = made.corners
    assert made.bit_names[corner.bit] == "D.off"
    assert made.names[corner.parameter] == "D.s"
    assert corner.is_below
    assert made.guards == (corner.relation,)


def test_bits_are_read_from_the_memory() -> None:
    run = running("Boost", "llvm")
    off = next(v.slot for v in run.model.variables if v.name == "D.off")
    run.memory[off] = 1.0
    before = run.call(run.code.bits, 2, np.zeros(run.made.given)).copy()
    run.memory[off] = 0.0
    after = run.call(run.code.bits, 2, np.zeros(run.made.given))

    assert (before[1], after[1]) == (1.0, 0.0)
