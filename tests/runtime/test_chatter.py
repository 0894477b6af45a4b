"""Noise around zero gets a band as wide as the noise, whatever the size of the noise."""

import numpy as np
import pytest

from freewheel.base.diagnostics import SimulationError
from freewheel.base.slots import RelationSlots
from freewheel.runtime.events.chattering import ChatterWatch
from freewheel.runtime.events.instant import measure_residuals
from freewheel.runtime.loop.workspace import Workspace
from freewheel.runtime.settings import Settings
from freewheel.runtime.thresholds import CHATTER

SETTINGS = Settings(stop=1.0, tolerance=1e-6)
SIZE = 100.0


def watch_for(relation: RelationSlots) -> ChatterWatch:
    return ChatterWatch([relation], SETTINGS, Workspace(1, 1, []))


def see(watch: ChatterWatch, residuals: np.ndarray) -> None:
    """Residuals at a point where integration begins anew."""
    watch.space.loop.residuals_left[:] = residuals
    measure_residuals(watch.space.loop)


def cross(watch: ChatterWatch, t: float, left: float, there: float) -> None:
    loop = watch.space.loop
    loop.crossed, loop.which[0] = 1, 1
    loop.residuals_left[:], loop.residuals_crossing[:] = left, there
    watch.count(t)


def watch_of(noise: float, events: int) -> ChatterWatch:
    """A residual of size 100 that jumps from nearly nothing to `-noise` and back."""
    watch = watch_for(RelationSlots(0, 1, "s < 0"))
    see(watch, np.array([SIZE]))
    sides = np.array([1e-19]), np.array([-noise])
    for k in range(events):
        t = 0.5 + 1e-15 * k
        cross(watch, t, sides[(k + 1) % 2], sides[k % 2])
        see(watch, sides[k % 2])
    return watch


@pytest.mark.parametrize("noise", [1e-14, 1e-11, 1.4e-9, 1e-8])
def test_a_band_is_wider_than_the_noise(noise: float) -> None:
    band = watch_of(noise, 40).space.loop.bands[0]
    assert noise < band <= CHATTER.widest_band * SETTINGS.tolerance * SIZE


def test_motion_is_no_noise() -> None:
    band = watch_of(1.0, 41).space.loop.bands[0]
    assert band <= CHATTER.widest_band * SETTINGS.tolerance * SIZE
    with pytest.raises(SimulationError, match="switches back and forth"):
        watch_of(1.0, 2000)


def test_a_signal_takes_the_band_away() -> None:
    watch = watch_of(1.4e-9, 40)
    see(watch, np.array([1e-3]))
    assert watch.space.loop.bands[0] == 0.0


def test_what_goes_one_way_only_is_no_noise() -> None:
    watch = watch_for(RelationSlots(0, 1, "time >= next"))
    see(watch, np.array([SIZE]))
    for k in range(40):
        t = 0.5 + 1e-13 * k
        cross(watch, t, -1e-9, 1e-19)
        see(watch, np.array([-1e-9]))
        assert watch.space.loop.bands[0] < 1e-12
