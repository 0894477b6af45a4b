"""Random circuits and drive trains with their switches written with numbers, with `if`, and with the
ideal elements of the library: the same trajectories and the same events.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

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
    if len(times[0]) != len(times[1]) or times[0] != pytest.approx(times[1], abs=begun):
        check_turns(net, run(seed, form), run(seed, other))
    assert distance(net, seed, form, other) < AGREE


def check_turns(net: Net, one: Result, other: Result) -> None:
    """Each diode and thyristor turns at the same times in both. As long as it has neither voltage nor
    current, as in a part that is cut off or where three currents end together, both positions satisfy
    all equations: its position is open then, and it may have turned at any time of such a stretch."""
    begun = SAME_TIME * net.stop
    for valve in net.valves:
        if valve.kind in "DNT":
            mine, others = (turns(net, result, valve.name) for result in (one, other))
            assert [turn.is_on for turn in mine] == [turn.is_on for turn in others], valve.name
            for a, b in zip(mine, others, strict=True):
                assert max(a.earliest, b.earliest) <= min(a.latest, b.latest) + begun, valve.name


@dataclass(frozen=True)
class Turn:
    is_on: bool  # from then on
    earliest: float
    latest: float


def turns(net: Net, result: Result, name: str) -> list[Turn]:
    """Of one element, from its voltage and current between events: less than `AGREE` of the largest is
    nothing."""
    times = np.asarray(result.time)
    sizes = [
        max(np.abs(np.asarray(result[f"{v.name}.{q}"])).max() for v in net.valves) for q in "vi"
    ]
    v, i = (np.abs(np.asarray(result[f"{name}.{q}"])) for q in "vi")
    found: list[Turn] = []
    was_on, until = None, 0.0
    for begin, end in pairwise([0.0, *(event.time for event in result.events), float(times[-1])]):
        rows = slice(
            int(np.flatnonzero(times == begin)[-1]), int(np.flatnonzero(times == end)[0]) + 1
        )
        blocks, conducts = v[rows].max() > AGREE * sizes[0], i[rows].max() > AGREE * sizes[1]
        if blocks == conducts:
            continue
        if was_on is not None and was_on != conducts:
            found.append(Turn(bool(conducts), until, begin))
        was_on, until = conducts, end
    return found


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
