"""Random networks of R, L, C, ideal diodes and ideal switches through the whole tool.

Every one must run, keep to Kirchhoff and to its elements, and never have more energy than it had and
was given. Its jumps are those of a backward Euler step of next to no length, by a program of its own.
Where the same network with leaks of 1e-9 can be run, both agree: the leaky run goes another way through
the program, without an implicit core, if it can.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from jump_judge import wrong_jumps
from moreau import jump
from network_judge import faults_of
from random_circuits import Circuit, Element, random_circuit

from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model, model_of
from freewheel.program.lower import lower
from freewheel.result.store import Result
from freewheel.runtime.diagnostics import SimulationError
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate
from freewheel.structure.analyse import analyse

ALL = 1000  # of each kind
FAST = range(63)  # all of them are in the long test
LEAK = 1e-9
GRID = np.linspace(0, 0.02, 200)[1:] + 1e-7  # not where switches turn
AGREE = 1e-5  # of the largest value, in 19 of 20 samples
# Their leaky forms chatter without end in either way, whatever the leaks.
NEVER_LEAKY = ("Driven64", "Free174")
Way = Callable[[Circuit, float], Result]


def library_of(circuit: Circuit, text: str) -> Library:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, f"{circuit.name}.mo"))
    return library


def run(circuit: Circuit, text: str) -> Result:
    model = compile_model(library_of(circuit, text), (circuit.name,), Options()).model
    assert model is not None
    return simulate(model, Settings.of(model, stop=circuit.stop))


def check(seed: int, with_sources: bool, compare: bool = True) -> None:
    circuit = random_circuit(seed, with_sources)
    result = run(circuit, circuit.text)
    times = np.asarray(result.time)
    assert times[-1] == circuit.stop

    def curve(name: str) -> np.ndarray:
        return np.asarray(result[name], float)

    assert faults_of(circuit, times, curve, jumps=bool(result.impulses)) == []
    assert wrong_jumps(circuit, times, curve) == []
    if compare:
        check_with_leaks(circuit, result)


def check_with_leaks(circuit: Circuit, result: Result) -> None:
    """Leaky elements are decided one by one, or together where they chatter without end. Where both
    ways fail larger leaks must do; for the networks of `NEVER_LEAKY` nothing does, which is stated so that
    no other network goes uncompared."""
    for leak in (LEAK, 10 * LEAK, 100 * LEAK):
        apart = np.inf
        for way in WAYS:
            apart = min(apart, distance(circuit, result, way, leak))
            if apart < AGREE:
                break
        if apart < np.inf:
            break
    assert (apart == np.inf) == (circuit.name in NEVER_LEAKY)
    if apart < AGREE or apart == np.inf:
        return
    # The leaks themselves may matter, in proportion to their size; or so small ones have drowned in
    # rounding, and larger ones are nearer.
    leakier = [distance(circuit, result, way, 10 * leak) for way in WAYS]
    in_proportion = [found for found in leakier if found == pytest.approx(10 * apart, rel=0.2)]
    if in_proportion or min(leakier) < min(apart, 10 * AGREE):
        return
    # A diode may turn while an impulse lasts, and what leaks are beside each other decides when.
    # `wrong_jumps` has judged the jump; up to it the networks agree.
    parting = [parts_at_impulse(circuit, result, way, leak) for way in WAYS]
    assert any(parting), (apart, leakier)


def parts_at_impulse(circuit: Circuit, result: Result, way: Way, leak: float) -> bool:
    """Whether the networks agree up to the last sample before an impulse, and not at the first one after."""
    try:
        leaky = way(circuit, leak)
    except SimulationError:
        return False
    return any(
        disagreement(circuit, result, leaky, GRID[impulse.time > GRID]) < AGREE
        and disagreement(circuit, result, leaky, GRID[impulse.time <= GRID][:1]) > AGREE
        for impulse in result.impulses
    )


def distance(circuit: Circuit, result: Result, way: Way, leak: float) -> float:
    try:
        return disagreement(circuit, result, way(circuit, leak))
    except SimulationError:
        return np.inf


def run_together(circuit: Circuit, leak: float) -> Result:
    return run(circuit, circuit.leaky(leak))


def run_alone(circuit: Circuit, leak: float) -> Result:
    """With leaks, each element decided by itself and an ordinary method: another way through the
    program than that of the ideal network."""
    library = library_of(circuit, circuit.leaky(leak))
    flat = compile_model(library, (circuit.name,), Options(stop_after="flat")).flat
    assert flat is not None
    model = model_of(lower(analyse(flat, leaks=0.0)), "llvm")
    assert not model.core.is_there
    return simulate(model, Settings.of(model, stop=circuit.stop, max_events=3000, tolerance=1e-7))


def disagreement(circuit: Circuit, one: Result, other: Result, grid: np.ndarray = GRID) -> float:
    if len(grid) == 0:
        return 0.0
    worst = 0.0
    for element in (*circuit.of("L"), *circuit.of("C")):
        name = f"{element.name}.{'i' if element.kind == 'L' else 'v'}"
        a, b = (np.interp(grid, np.asarray(r.time), np.asarray(r[name])) for r in (one, other))
        size = max(float(np.abs(np.asarray(r[name])).max()) for r in (one, other))
        size = max(size, 1e-6)
        worst = max(worst, float(np.percentile(np.abs(a - b), 95)) / size)
    return worst


WAYS = (run_alone, run_together)


@pytest.mark.parametrize("seed", FAST)
def test_a_network_left_alone(seed):
    check(seed, with_sources=False, compare=seed % 3 == 0)


@pytest.mark.parametrize("seed", FAST)
def test_a_network_with_sources(seed):
    check(seed, with_sources=True, compare=seed % 3 == 0)


@pytest.mark.parametrize(("seed", "with_sources"), [(70, True), (119, False), (1381, True)])
def test_what_rounding_leaves_couples_nothing(seed, with_sources):
    """Diodes with a loose end, an inductor that is shorted: entries of 1e-12 where zero is meant."""
    check(seed, with_sources)


def test_a_step_that_ended_on_a_corner_is_not_gone_beyond():
    """With a meter F bends: its short steps must not put the event late for all that."""
    check(476, with_sources=True)


def test_capacitors_in_loops_beside_a_diode_start_as_asked():
    """Nothing is differentiated through the diode; its voltage cancels."""
    check(52, with_sources=True)


def test_a_product_of_what_begins_at_zero_is_integrated():
    """The meter's rate is voltage times current, which both leave zero where the diode begins to
    conduct: the first step after that event lost all of it."""
    check(3288, with_sources=True)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(ALL))
def test_a_thousand_networks_left_alone(seed):
    check(seed, with_sources=False)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(ALL))
def test_a_thousand_networks_with_sources(seed):
    check(seed, with_sources=True)


def test_the_same_seed_gives_the_same_network():
    assert random_circuit(3, True) == random_circuit(3, True)
    assert random_circuit(3, True) != random_circuit(4, True)


@pytest.mark.parametrize(
    ("kind", "quantity", "told", "rate"),
    [("R", "i", "law broken", 1e-6), ("C", "v", "law broken", 1e-2), ("L", "i", "law broken", 1e-2),
     ("C", "v", "energy grew", 2.0), ("C", "v", "energy is lost", -1.0)],
)  # fmt: skip
def test_the_judge_sees_what_is_wrong(kind, quantity, told, rate):
    """A curve that grows or falls in the course of the run."""
    circuit = random_circuit(6, True)
    result = run(circuit, circuit.text)
    assert not result.impulses
    times = np.asarray(result.time)
    names = [f"{element.name}.{quantity}" for element in circuit.of(kind)]
    largest = max(names, key=lambda name: np.abs(np.asarray(result[name])).max())

    def wrong(name: str) -> np.ndarray:
        factor = 1 + rate * times / times[-1] if name == largest else 1.0
        return np.asarray(result[name], float) * factor

    found = faults_of(circuit, times, wrong, jumps=False)
    assert any(told in fault for fault in found), found


def test_the_judge_sees_a_storage_that_jumps():
    circuit = random_circuit(6, True)
    result = run(circuit, circuit.text)
    times = np.asarray(result.time)
    name = f"{circuit.of('C')[0].name}.v"
    at = int(np.flatnonzero(np.diff(times) == 0.0)[0]) + 1

    def wrong(asked: str) -> np.ndarray:
        values = np.array(result[asked], float)
        if asked == name:
            values[at:] += 1e-3
        return values

    assert any("jumps" in fault for fault in faults_of(circuit, times, wrong, jumps=False))
    assert not any("jumps" in fault for fault in faults_of(circuit, times, wrong, jumps=True))


def test_the_judge_sees_a_jump_that_is_wrong():
    """The first storage that jumps at an impulse gets half of it."""
    circuit = random_circuit(13, with_sources=False)
    result = run(circuit, circuit.text)
    times = np.asarray(result.time)
    first, last = np.flatnonzero(times == result.impulses[-1].time)[[0, -1]]
    name = f"{result.impulses[-1].element}.{'v' if result.impulses[-1].element[0] == 'C' else 'i'}"

    def wrong(asked: str) -> np.ndarray:
        values = np.array(result[asked], float)
        if asked == name:
            values[last] = (values[first] + values[last]) / 2
        return values

    assert wrong_jumps(circuit, times, lambda asked: np.asarray(result[asked])) == []
    assert any(name[:-2] in fault for fault in wrong_jumps(circuit, times, wrong))


def test_the_jump_of_the_judge_by_hand():
    """1 F at 10 V shares its charge by a switch with 4 F, and by a diode with 1 F; another diode blocks."""
    elements = [
        Element("C", "C1", (1, 0), 1.0), Element("C", "C2", (2, 0), 4.0),
        Element("S", "S", (1, 2), 1.0),
        Element("C", "C3", (3, 0), 1.0), Element("D", "D1", (1, 3), 0.0), Element("D", "D2", (0, 3), 0.0),
    ]  # fmt: skip
    found = jump(elements, {"C1": 10.0, "C2": 0.0, "C3": 0.0}, {"S"}, {})
    assert found == pytest.approx({"C1": 10 / 6, "C2": 10 / 6, "C3": 10 / 6}, rel=1e-15)
    found = jump(elements, {"C1": 10.0, "C2": 0.0, "C3": 3.0}, {"S"}, {})
    assert found == pytest.approx({"C1": 2.0, "C2": 2.0, "C3": 3.0}, rel=1e-15)
