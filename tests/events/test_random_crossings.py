"""A thousand random piecewise polynomials: no crossing is missed, none is doubled, all are on time.

Three polynomials of degree four or five follow each other continuously; the events are compared with
the roots that numpy finds. A polynomial of degree four suits the integrator so well that one step may
span the whole piece, with several crossings in it.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.polynomial import Polynomial

import freewheel as fw

TOLERANCE = 1e-8
PROBLEMS = 1000
BREAKS = (0.0, 1.0, 2.0, 3.0)
MODEL = """
model Pieces
  parameter Real a[5] = zeros(5), b[5] = zeros(5), c[5] = zeros(5), x0 = 1;
  Real x(start = x0, fixed = true);
  Integer ups(start = 0, fixed = true), downs(start = 0, fixed = true);
protected
  Real s = if time < 1 then time elseif time < 2 then time - 1 else time - 2;
equation
  der(x) = if time < 1 then a*{1, s, s^2, s^3, s^4}
    elseif time < 2 then b*{1, s, s^2, s^3, s^4}
    else c*{1, s, s^2, s^3, s^4};
  when x > 0 then
    ups = pre(ups) + 1;
  end when;
  when x < 0 then
    downs = pre(downs) + 1;
  end when;
end Pieces;
"""


def dip(random: np.random.Generator) -> Polynomial:
    """Of degree four, with two zeros close together and no other."""
    centre, half = random.uniform(0.05, 0.95), 10 ** random.uniform(-2.5, -1.0)
    pair = Polynomial.fromroots([centre - half, centre + half])
    away = Polynomial([random.uniform(-1, 2), 1.0]) ** 2 + random.uniform(0.2, 1.0)
    return random.choice([-4.0, 4.0]) * pair * away


def wave(random: np.random.Generator, value: float) -> Polynomial:
    slopes = random.normal(size=5) * (4.0, 12.0, 24.0, 24.0, 12.0)
    slopes[4] *= random.integers(2)  # without it a step may be as long as a piece
    return Polynomial(slopes).integ() + value


def problem(random: np.random.Generator) -> tuple[dict[str, float], list[float]]:
    """Parameters, and the times of all crossings; none is nearly a touch."""
    while True:
        value = float(random.uniform(-1, 1))
        params, crossings, is_clear = {}, [], True
        begins_with_dip = random.integers(2) == 1
        for name, start in zip("abc", BREAKS, strict=False):
            is_dip = begins_with_dip and name == "a"
            piece = dip(random) if is_dip else wave(random, value)
            params.setdefault("x0", float(piece(0.0)))
            slopes = [*piece.deriv().coef, 0.0, 0.0, 0.0, 0.0][:5]
            params |= {f"{name}[{k + 1}]": float(slope) for k, slope in enumerate(slopes)}
            roots = [float(z.real) for z in piece.roots() if abs(z.imag) < 1e-9]
            crossings += [start + z for z in sorted(roots) if 0 < z < 1]
            lows = [float(z.real) for z in piece.deriv().roots() if abs(z.imag) < 1e-9]
            is_clear &= all(abs(piece(z)) > 1e-5 for z in lows if -0.01 < z < 1.01)
            value = float(piece(1.0))
            is_clear &= abs(value) > 1e-4 and abs(params["x0"]) > 1e-3
        if is_clear:
            return params, crossings


@pytest.fixture(scope="module")
def pieces(tmp_path_factory):
    path = tmp_path_factory.mktemp("pieces") / "pieces.mo"
    path.write_text(MODEL)
    return fw.load(path)


def found(result) -> list[float]:
    changes = np.diff(result["ups"] + result["downs"])
    assert set(changes) <= {0, 1}
    return [float(t) for t in result["time"][1:][changes == 1]]


def test_no_crossing_is_missed_or_doubled(pieces):
    random = np.random.default_rng(2026)
    crossings = 0
    worst = 0.0
    for number in range(PROBLEMS):
        params, expected = problem(random)
        result = pieces.simulate(stop=3.0, tol=TOLERANCE, interval=3.0, params=params)
        times = found(result)
        assert len(times) == len(expected), f"problem {number}: {times} instead of {expected}"
        if expected:
            worst = max(worst, float(np.max(np.abs(np.subtract(times, expected)))))
        crossings += len(expected)
    assert crossings > 1000
    assert worst < 10 * TOLERANCE


@pytest.mark.parametrize(
    "solver", ["illinois", "golden", "newton", "cubic", "hermite", "dense", "nordsieck"]
)
def test_every_root_solver_ends_at_the_same_instant(pieces, solver):
    random = np.random.default_rng(7)
    for _ in range(20):
        params, expected = problem(random)
        result = pieces.simulate(
            stop=3.0, tol=TOLERANCE, interval=3.0, params=params, root_solver=solver
        )
        assert found(result) == pytest.approx(expected, abs=10 * TOLERANCE)
