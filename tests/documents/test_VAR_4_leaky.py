"""VAR-4: circuits whose elements leak, by as little as one likes, come as near to ideal ones as they leak.

Each circuit runs with Ron = Goff from 1e-3 to 1e-9 at tolerance 1e-6. Leaks change curves in proportion to
themselves; what is measured at the smallest ones is the tolerance. Near events leaky curves have slopes
where ideal ones have jumps, so points there do not count.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from switching_circuits import CIRCUITS

import freewheel as fw
from freewheel.api.leaks import leak_parameters, leaky
from freewheel.base.diagnostics import SimulationError
from freewheel.result.store import Result

LEAKS = (1e-3, 1e-5, 1e-6, 1e-9)
GALLERY = sorted((Path(__file__).parents[2] / "examples" / "switching").glob("*.mo"))
QUICK = ("peak_detector", "clamp", "six_pulse_overlap", "cascade_2", "halfwave_L_fig9_31")
REACHED = 5e-6  # of the amplitude, at tolerance 1e-6
NEAR = 0.05  # of the time between stored points
SMALL = 1e-5  # leaks as small as this change curves in proportion


def apart(result: Result, ideal: Result, watched: list[str]) -> float:
    """Largest difference over amplitude, away from events of both."""
    times, i, j = np.intersect1d(result.time, ideal.time, return_indices=True)
    events = np.array([0.0, *(e.time for e in ideal.events), *(e.time for e in result.events)])
    reach = NEAR * float(np.median(np.diff(times)))
    quiet = np.abs(times[:, None] - events).min(axis=1) > reach
    worst = 0.0
    for name in watched:
        wanted = ideal[name][j][quiet]
        difference = np.abs(result[name][i][quiet] - wanted).max()
        worst = max(worst, float(difference / np.abs(wanted).max()))
    return worst


def check_errors(errors: dict[float, float]) -> None:
    """In proportion to the leak, as far as the tolerance shows it."""
    sizes = sorted(errors, reverse=True)
    assert errors[sizes[-1]] < REACHED, errors
    for larger, smaller in pairwise(sizes):
        if larger <= SMALL and errors[larger] > 10 * REACHED:
            assert errors[smaller] < 2 * errors[larger] * smaller / larger + REACHED, errors
        assert errors[smaller] < errors[larger] + REACHED, errors


def circuit_errors(name: str, folder: Path, leaks) -> dict[float, float]:
    network, watched = CIRCUITS[name]()
    states = [v for v in watched if v[0] in "CLB" and not v.endswith("L.v")] or list(watched)
    path = folder / "Circuit.mo"
    path.write_text(network.modelica())
    ideal = fw.load(path).simulate(impulses="accept")
    errors = {}
    for size in leaks:
        path.write_text(network.modelica(leak=size))
        errors[size] = apart(fw.load(path).simulate(impulses="accept"), ideal, states)
    return errors


@pytest.mark.parametrize("name", QUICK)
def test_VAR_4_a_leaky_circuit_is_as_near_to_the_ideal_one_as_it_leaks(name, tmp_path):
    check_errors(circuit_errors(name, tmp_path, LEAKS))


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in CIRCUITS if name not in QUICK])
def test_VAR_4_every_leaky_circuit_is_as_near_to_the_ideal_one_as_it_leaks(name, tmp_path):
    check_errors(circuit_errors(name, tmp_path, LEAKS))


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_VAR_4_examples_of_the_gallery_may_leak(path):
    model = fw.load(path)
    ideal = model.simulate(impulses="accept")
    parameters = leak_parameters(ideal)
    ready = model.compiled()
    flags = enumerate(ready.core.is_differential, ready.states.start)
    stored = {slot for slot, is_stored in flags if is_stored}
    watched = [v.name for v in ready.variables if v.slot in stored and v.name in ideal]

    errors = {
        size: apart(leaky(model, parameters, size).simulate(impulses="accept"), ideal, watched)
        for size in LEAKS
    }

    assert len(parameters) > 1
    check_errors(errors)


def test_VAR_4_a_leaky_run_has_the_events_of_the_ideal_one(tmp_path):
    for name in ("peak_detector", "bridge_L", "six_pulse_overlap"):
        network, _ = CIRCUITS[name]()
        path = tmp_path / "Circuit.mo"
        path.write_text(network.modelica())
        wanted = len(fw.load(path).simulate(impulses="accept").events)
        for size in LEAKS:
            path.write_text(network.modelica(leak=size))

            assert len(fw.load(path).with_joint_leaks().simulate().events) == wanted


def test_VAR_4_larger_leaks_are_chosen_together_where_one_by_one_they_chatter(tmp_path):
    network, _ = CIRCUITS["clamp"]()
    path = tmp_path / "Clamp.mo"
    path.write_text(network.modelica(leak=1e-5))

    result = fw.load(path).simulate()

    note = next(warning for warning in result.warnings if warning.code == "R106")
    assert "`D.s < 0` switches back and forth" in note.message
    assert result.stats["solver"] == "core-radau"
    with pytest.raises(SimulationError, match="back and forth"):
        fw.load(path).simulate(solver="rodas4")

    model = fw.load(path)
    run = model.begin()  # which begins anew with them
    run.advance(to=0.5 * result.time[-1])
    restored = fw.Run.restore(model, run.save())
    for other in (run.finish(), restored.finish()):
        assert (other.data == result.data).all()
        assert other.warnings == result.warnings


@pytest.mark.parametrize(("size", "is_told"), [(0.0, False), (1e-11, True), (1e-9, False)])
def test_VAR_4_leaks_that_rounding_may_hide_are_told(size, is_told, tmp_path):
    network, _ = CIRCUITS["clamp"]()
    path = tmp_path / "Clamp.mo"
    path.write_text(network.modelica(leak=1e-9))
    leaks = {f"{valve.name}.{name}": size for valve in network.valves() for name in ("Ron", "Goff")}

    result = fw.load(path).simulate(params=leaks, impulses="accept")

    told = [warning.message for warning in result.warnings if warning.code == "R139"]
    assert len(told) == is_told
    assert all("`D.Ron`, `D.Goff`" in message for message in told)
