"""Random circuits and drive trains with their switches written with numbers, with `if`, and with the
ideal elements of the library: the same trajectories and the same events.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from three_forms import FORMS, Net, random_net

from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.result.store import Result
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

ALL = 500
FAST = range(20)
AGREE = 1e-8  # of the largest value of a storage
SAME_TIME = 1e-8  # of the whole time
TOLERANCE = 1e-10  # the drive train has other states than its circuit: both must be exact enough


@cache
def run(seed: int, form: str) -> Result:
    net = random_net(seed)
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(net.text(form), f"{net.name}.mo"))
    model = compile_model(library, (net.name,), Options()).model
    assert model is not None
    return simulate(model, Settings.of(model, stop=net.stop, tolerance=TOLERANCE))


def distance(net: Net, seed: int, form: str, other: str) -> float:
    """Between the storages, where no switch turns."""
    grid = np.linspace(0, net.stop, 200)[1:] + 1e-7
    worst = 0.0
    for names in zip(net.states(form), net.states(other), strict=True):
        curves = []
        for name, way in zip(names, (form, other), strict=True):
            result = run(seed, way)
            curves.append(np.interp(grid, np.asarray(result.time), np.asarray(result[name])))
        size = max(float(np.abs(curve).max()) for curve in curves)
        worst = max(worst, float(np.abs(curves[0] - curves[1]).max()) / max(size, 1e-6))
    return worst


def check(seed: int, form: str, other: str) -> None:
    net = random_net(seed)
    # What begins at rest may find its side within the first instant.
    begun = SAME_TIME * net.stop
    times = [
        [event.time for event in run(seed, way).events if event.time > begun]
        for way in (form, other)
    ]
    assert len(times[0]) == len(times[1])
    assert times[0] == pytest.approx(times[1], abs=begun)
    assert distance(net, seed, form, other) < AGREE


@pytest.mark.parametrize("seed", FAST)
def test_all_three_forms_agree(seed):
    for other in FORMS[1:]:
        check(seed, "number", other)
    run.cache_clear()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(ALL))
def test_five_hundred_nets_with_numbers_and_with_if(seed):
    check(seed, "number", "if")
    run.cache_clear()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(ALL))
def test_five_hundred_nets_with_numbers_and_of_the_library(seed):
    check(seed, "number", "library")
    run.cache_clear()


@pytest.mark.parametrize("seed", [292, 352, 427])
def test_nets_that_only_ran_with_numbers(seed):
    """Three positions beside a diode; a constraint between capacitors beside diodes."""
    check(seed, "number", "if")


@pytest.mark.parametrize("seed", [66])
def test_an_impulse_of_next_to_nothing_has_its_sign(seed):
    """A switch grounds an inertia that hardly turns; the freewheel beside it must open."""
    check(seed, "number", "library")


@pytest.mark.parametrize("seed", [298, 329, 491])
def test_elements_without_voltage_and_current_stay_as_they_are(seed):
    """A part is cut off or shorted: rounding turned diodes to and fro and put thyristors out."""
    check(seed, "number", "library")
