"""HYB-2 and HYB-4: two crossing functions per relation; events that pass from one equation to the next."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import CompileError, SimulationError

LIMIT = """
model Limit "x is put on the limit exactly, rests on it, and leaves it slowly to one side"
  parameter Real away = 1;
  Real x(start = 2, fixed = true);
  Real y = if x > 1 then 10 else if x < 1 then -10 else 0;
equation
  der(x) = if time < 1 then -0.5 else if time < 2 then 0 else away*1e-9*(time - 2);
  when time >= 1 then
    reinit(x, 1);
  end when;
end Limit;
"""

CHAIN = """
model Chain "written against the order in which events pass"
  Boolean a(start = false), b(start = false), c(start = false), d(start = false);
  Integer count(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  when d then
    count = pre(count) + 1;
  end when;
  d = c and not b or a;
  c = b or time > 3;
  b = a and x > 0.1;
  a = x > 0.5;
  der(x) = 1;
end Chain;
"""


@pytest.fixture
def load(tmp_path):
    def write(text: str) -> fw.Model:
        path = tmp_path / "m.mo"
        path.write_text(text)
        return fw.load(path)

    return write


@pytest.mark.parametrize(("away", "side"), [(1, 10), (-1, -10)])
def test_HYB_2_a_residual_that_rests_on_zero_and_leaves_slowly(load, away, side):
    r = load(LIMIT).simulate(stop=4.0, tol=1e-8, params={"away": away})
    time, y = r["time"], r["y"]
    assert np.all(y[time < 1 - 1e-9] == 10)
    assert np.all(y[(time > 1 + 1e-9) & (time < 2 - 1e-9)] == 0)
    assert np.all(y[time > 2 + 1e-3] == side)


TOUCH = """
model Touch "x touches zero from above at pi"
  Real x(start = 2, fixed = true), v(start = 0, fixed = true);
  Real y = if x > 0 then 10 else if x < 0 then -10 else 0;
equation
  der(x) = v;
  der(v) = 1 - x;
end Touch;
"""


@pytest.mark.parametrize("tolerance", [1e-4, 1e-8])
def test_HYB_2_a_residual_that_passes_zero_by_less_than_it_is_computed_to(load, tolerance):
    """1 + cos(t): what y is at one instant does not matter, what follows does."""
    r = load(TOUCH).simulate(stop=6.0, tol=tolerance)
    time, y = r["time"], r["y"]

    assert np.all(y[np.abs(time - np.pi) > 20 * np.sqrt(tolerance)] == 10)
    np.testing.assert_allclose(r["x"], 1 + np.cos(time), atol=100 * tolerance)


def test_HYB_4_booleans_are_sorted_with_the_rest_and_pass_an_event_on_at_once(load):
    r = load(CHAIN).simulate(stop=1.0, tol=1e-8)
    changes = {
        name: float(r["time"][1:][np.diff(r[name]) != 0][0]) for name in ("a", "b", "c", "d")
    }
    assert changes == pytest.approx(dict.fromkeys("abcd", 0.5), abs=1e-9)
    assert r.final("count") == 1


def test_HYB_4_a_loop_among_instantaneous_equations_is_reported(load):
    text = """
    model Loop
      Boolean a(start = false), b(start = false);
    equation
      a = not b or time > 1;
      b = a and time < 2;
    end Loop;
    """
    with pytest.raises((CompileError, SimulationError)) as caught:
        load(text).simulate(stop=3.0)
    told = str(caught.value.diagnostics)
    assert "a" in told
    assert "b" in told
