"""Pendulums in Cartesian coordinates inside a core: of index 3, begun where unknowns are zero and grow.

Forces in rods are second differences of positions, so the shorter a step, the more of them is rounding.
"""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw

G = 9.81
ROD = """model Rod
  Real x(start = {x}, fixed = true), y(start = {y}), vx, vy(start = 0, fixed = true), force;
  discrete Real L(start = {l}, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x;
  der(vy) = -force*y - {g};
  x^2 + y^2 = L^2;
  when sample({pause}, {pause}) then
    L = if pre(L) > {longer} then {l} else {l};
  end when;
end Rod;"""
TWO = """model Two "a rod at the end of another one"
  Real x(start = {x}, fixed = true), y(start = {y}), vx{free}, vy{held}, upper;
  Real a(start = {a}, fixed = {by_a}), b(start = {b}, fixed = {by_b}), va, vb, lower;
  discrete Real L(start = 1, fixed = true);
initial equation
  {still} = 0;
equation
  der(x) = vx;
  der(y) = vy;
  der(a) = va;
  der(b) = vb;
  der(vx) = -upper*x + lower*(a - x);
  der(vy) = -upper*y + lower*(b - y) - 9.81;
  der(va) = -lower*(a - x);
  der(vb) = -lower*(b - y) - 9.81;
  x^2 + y^2 = L^2;
  (a - x)^2 + (b - y)^2 = L^2;
  when sample(0.1, 0.1) then
    L = if pre(L) > 1.1 then 1 else 1;
  end when;
end Two;"""
ZERO = "(start = 0, fixed = true)"
NAMES = ("x", "y", "free", "held", "a", "b", "by_a", "by_b", "still")
TWO_STARTS = {
    "both horizontal": (1, 0, "", ZERO, 2, 0, "true", "false", "vb"),
    "the lower one hangs": (1, 0, "", ZERO, 1, -1, "false", "true", "va"),
    "the upper one hangs": (0, -1, ZERO, "", 1, -1, "true", "false", "vb"),
}
TOLERANCES = [1e-4, 1e-6, 1e-8]


def simulated(tmp_path, text, **options):
    path = tmp_path / "m.mo"
    path.write_text(text)
    return fw.load(path).simulate(**options)


def rod(x=1.0, y=0.0, metre=1.0, second=1.0):
    """In other units of length and time."""
    g = G * metre / second**2
    return ROD.format(
        x=x * metre, y=y * metre, l=metre, longer=1.1 * metre, g=g, pause=0.1 * second
    )


def gain(r, g=G):
    energy = 0.5 * (r["vx"] ** 2 + r["vy"] ** 2) + g * r["y"]
    return np.ptp(energy)


@pytest.mark.parametrize("tol", TOLERANCES)
@pytest.mark.parametrize("solver", ["auto", "dopri5", "radau"])
def test_a_pendulum_is_released_from_the_horizontal(tmp_path, solver, tol):
    r = simulated(tmp_path, rod(), stop=1, tol=tol, solver=solver)
    assert gain(r) < 50 * tol
    assert r["force"] == pytest.approx(-3 * G * r["y"], abs=50 * tol)  # with energy kept, L = 1


@pytest.mark.parametrize("tol", TOLERANCES)
@pytest.mark.parametrize(("x", "y"), [(0.6, -0.8), (-1.0, 0.0), (1e-9, 1.0)])
def test_or_from_elsewhere(tmp_path, x, y, tol):
    assert gain(simulated(tmp_path, rod(x, y), stop=1, tol=tol)) < 50 * tol


@pytest.mark.parametrize("tol", TOLERANCES)
@pytest.mark.parametrize("gap", [1e-6, 1e-9, 1e-12])
def test_events_may_be_close_together(tmp_path, gap, tol):
    """The step between them is short, and what its force would be is nothing but rounding."""
    count = f"when sample(0.1 + {gap}, 0.1) then k = pre(k) + 1; end when;"
    text = rod().replace(
        "equation", f"  discrete Real k(start = 0, fixed = true);\nequation\n  {count}"
    )
    r = simulated(tmp_path, text, stop=1, tol=tol)
    assert gain(r) < 50 * tol
    assert r.final("k") == 9


@pytest.mark.parametrize("metre", [1e-4, 1e5])
@pytest.mark.parametrize("second", [1e-4, 1e5])
def test_in_other_units(tmp_path, metre, second):
    r = simulated(tmp_path, rod(metre=metre, second=second), stop=second, tol=1e-6)
    unit = (metre / second) ** 2
    assert gain(r, G * metre / second**2) / unit < 50 * 1e-6


@pytest.mark.parametrize("tol", TOLERANCES)
@pytest.mark.parametrize("start", TWO_STARTS)
def test_a_pendulum_hangs_on_another(tmp_path, start, tol):
    text = TWO.format(**dict(zip(NAMES, TWO_STARTS[start], strict=True)))
    r = simulated(tmp_path, text, stop=1, tol=tol)
    squares = r["vx"] ** 2 + r["vy"] ** 2 + r["va"] ** 2 + r["vb"] ** 2
    assert np.ptp(0.5 * squares + G * (r["y"] + r["b"])) < 50 * tol
