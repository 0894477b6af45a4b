"""The first consistent values are found from other guesses where zero has no derivative."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError

GUIDED = """
model Guided "drag by speed, which is an unknown of the core"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  Real vx(start = {speed}, fixed = true), vy(start = 0, fixed = true), N, wx, wy, v;
equation
  vx = der(x);
  vy = der(y);
  wx = der(x);
  wy = der(y);
  v = sqrt(wx^2 + wy^2);
  der(vx) = -0.1*v*wx;
  der(vy) = N - 9.81;
  if time < {until} then y = 0; else N = 0; end if;
end Guided;
"""


def run(folder, **values):
    path = folder / "Guided.mo"
    path.write_text(GUIDED.format(**values))
    return fw.load(path).simulate(stop=1, tol=1e-8)


@pytest.mark.parametrize("speed", [5, 200, 1e-3])
def test_a_speed_that_begins_as_zero_finds_its_value(speed, tmp_path):
    result = run(tmp_path, speed=speed, until=2)

    assert result.final("vx") == pytest.approx(speed / (1 + 0.1 * speed), rel=1e-7)
    assert result.final("y") == pytest.approx(0.0, abs=1e-12)


def test_what_no_guess_helps_is_reported_as_before(tmp_path):
    """y = 0 and y = 1 at once."""
    path = tmp_path / "Wrong.mo"
    path.write_text("""
model Wrong
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), N, M, s;
equation
  der(x) = v;
  der(v) = N + M + 0*s;
  s = sqrt(v^2 + x^2);
  if time < 2 then x = 0; else N = 0; end if;
  if time < 2 then x = s + 1; else M = 0; end if;
end Wrong;
""")
    with pytest.raises(SimulationError):
        fw.load(path).simulate(stop=1)
