"""Models that leave for other simulators, and how their curves are compared with ours."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import freewheel as fw

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
HERE = Path(__file__).parent / "models.mo"

# name -> (file, class, what to look at)
SMOOTH = {
    "circuit": (EXAMPLES / "circuit.mo", "circuit", ("y1", "y2", "R1.v")),
    "dc_motor": (EXAMPLES / "dc_motor.mo", None, ()),
    "mass_spring_damper": (EXAMPLES / "mass_spring_damper.mo", None, ()),
    "two_tanks": (EXAMPLES / "two_tanks.mo", None, ()),
    "heated_room": (EXAMPLES / "heated_room.mo", None, ("air.T", "wall.T")),
    "van_der_pol": (EXAMPLES / "van_der_pol.mo", None, ()),
    "pendulum": (EXAMPLES / "pendulum_ode.mo", None, ()),
    "mcd_fig26": (EXAMPLES / "mcd_fig26.mo", None, ()),
    "draining_tank": (EXAMPLES / "draining_tank.mo", None, ()),
}
LOOPS = {
    "implicit": (HERE, "Implicit", ("x", "y", "z")),
    "coupled": (HERE, "Coupled", ("x", "i1", "i2", "i3")),
    "started": (HERE, "Started", ("x", "y")),
    "clashing": (HERE, "Clashing", ("x", "nx", "ox", "y", "n")),
    "called": (HERE, "Called", ("x", "y", "z", "w")),
    "displayed": (HERE, "Displayed", ("x", "z", "a", "b", "s")),
    "summed": (HERE, "Summed", ("x", "s")),
    "named": (HERE, "Named", ("abs", "len", "M_PI", "print", "y0")),
}
EVENTS = {
    "stepped": (HERE, "Stepped", ("x", "y")),
    "limited": (HERE, "Limited", ("x", "v", "y")),
    "leaky_rectifier": (HERE, "LeakyRectifier", ("u", "i")),
    "rectifier": (EXAMPLES / "rectifier.mo", None, ("C.v",)),
    "stairs": (HERE, "Stairs", ("x", "saw", "up", "steps")),
    "meeting": (HERE, "Meeting", ("x",)),
    "two_block": (EXAMPLES / "dymola" / "two_block.dym", None, ("m1.v", "f2.v")),
    "sampled": (HERE, "Sampled", ("x", "u")),
    "hysteresis": (HERE, "Hysteresis", ("u", "y")),
    "bouncing": (HERE, "Bouncing", ("h", "contacts")),
    "sampled_drive": (EXAMPLES / "sampled_drive.mo", None, ("w", "y")),
}
ALL = {**SMOOTH, **LOOPS, **EVENTS}
# Leaky diodes before inductors are stiff: explicit formulas need a compiled program.
STIFF = {"bridge": (HERE, "Bridge", ("l1.i", "l2.i", "c.v"))}
# For single tests: a run that ends itself, a model with an input, one with a past.
SPECIAL = {
    "delayed": (HERE, "Delayed", ("x", "y", "z", "w")),
    "ended": (HERE, "Ended", ("x", "n")),
    "driven": (HERE, "Driven", ("x",)),
}
EVERY = {**ALL, **STIFF}


def smooth_ones_are_long(names):
    """Smooth models run fast in C and ACSL already; elsewhere they wait for `make test-all`."""
    return [pytest.param(n, marks=pytest.mark.long) if n in SMOOTH else n for n in names]


@cache
def model_of(name):
    file, cls, _ = {**EVERY, **SPECIAL}[name]
    return fw.load(file, model=cls)


@cache
def ours(name):
    return model_of(name).simulate(tol=1e-9)


def grid_of(name):
    """The end and the interval of a run."""
    experiment = model_of(name).compiled().experiment
    stop = experiment.get("stop", 1.0)
    return stop, experiment.get("interval", stop / 500)


def watched(name):
    """What to compare: the variables named above, else the states."""
    _, _, names = {**EVERY, **SPECIAL}[name]
    return names or tuple(state.name for state in model_of(name).compiled().state_infos)


def assert_same_curves(name, times, curves, tolerance=2e-5):
    """`curves[variable]` at `times` against our result; where times coincide with events of ours the
    side does not matter."""
    result = ours(name)
    t = np.asarray(times)
    events = jump_times(result)
    away = np.ones(len(t), dtype=bool)
    for instant in events:
        away &= np.abs(t - instant) > 1e-6 * max(1e-3, t[-1])
    assert away.sum() > 0.5 * len(t)
    for variable in watched(name):
        here = np.interp(t[away], result["time"], result[variable])
        size = max(np.abs(result[variable]).max(), 1e-12)
        worst = np.abs(np.asarray(curves[variable])[away] - here).max() / size
        assert worst < tolerance, f"{name}.{variable} differs by {worst:g}"


def jump_times(result):
    """Instants that stand twice in the result."""
    t = np.asarray(result["time"])
    return sorted(set(t[1:][np.diff(t) == 0.0]))
