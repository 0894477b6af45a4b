"""Models of `components.mo` with the embedded library and with the Modelica Standard Library.

Where the environment names the Standard Library (FREEWHEEL_MSL), all variables that both results hold
must agree. Without it the models run and stay finite.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

import freewheel as fw
from freewheel.api.model import models_in

MSL = os.environ.get("FREEWHEEL_MSL")
FILE = Path(__file__).with_name("components.mo")
NAMES = [".".join(m.name[1:]) for m in models_in(FILE) if not m.name[-1].startswith("Base")]
# Inverters of the Standard Library count the losses of one diode twice and forget the other.
WRONG_THERE = re.compile(r"^(inverter|leg)\.LossPower$|^bridge\.(inverter_[pn]\.)?LossPower$")
POINTS = 151  # no instant of an event of the models, so that both sides of a jump do not mix


def curves(name: str, library: tuple[str, ...]):
    return fw.load(FILE, model=f"Components.{name}", library=library).simulate(tol=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_each_component_acts_as_in_the_standard_library(name):
    ours = curves(name, ())
    assert all(np.all(np.isfinite(ours[n])) for n in ours.names())
    if not MSL:
        return
    theirs = curves(name, (MSL,))
    stop = ours.time[-1]
    grid = np.linspace(0.0031 * stop, 0.9969 * stop, POINTS)
    common = sorted(set(ours.names()) & set(theirs.names()) - {"time"})
    assert common
    found = {}
    for variable in common:
        if WRONG_THERE.search(variable):
            continue
        u, v = (np.asarray(r.at(variable, grid), float) for r in (ours, theirs))
        difference = np.max(np.abs(u - v)) / max(1e-3, np.max(np.abs(v)))
        if not difference <= 1e-6:
            found[variable] = difference
    assert found == {}
