"""A mode whose matrices cannot be evaluated where it is first met is not taken for a known one later."""

from __future__ import annotations

import contextlib

import freewheel as fw
from freewheel import SimulationError

MODEL = """
model F
  parameter Real iu = 1, uu = 1, su = 1, T = 1;
  parameter Real L = T*uu/iu;
  Real i(start=3*iu, fixed=true), s(start=2.2*su), u, z, zi, zu;
equation
  i = iu*((s/su)^3 - 3*(s/su));
  u = uu*s/su;
  L*der(i) = -u;
  zu = min(z, 0);
  zi = max(z, 0);
  sin(3*time) = zu + zi;
end F;
"""


def test_second_guess_meets_the_mode_as_a_new_one() -> None:
    """It is analysed again: a result or a diagnostic, never an IndexError."""
    with contextlib.suppress(SimulationError):
        fw.load_text(MODEL).simulate(stop=1)
