"""A mode whose matrices cannot be evaluated where it is first met is not taken for a known one later."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw

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
    """It is analysed again, and the run follows the curve: (3 s^2 - 3) ds = -s dt."""
    result = fw.load_text(MODEL).simulate(stop=1, tol=1e-8)
    s = result["s"]
    kept = 1.5 * s**2 - 3 * np.log(s) + result.time

    assert result["i"] == pytest.approx(s**3 - 3 * s, abs=1e-7)
    assert np.ptp(kept) < 1e-6
