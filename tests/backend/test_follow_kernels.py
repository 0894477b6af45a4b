"""Loops on their branches: the functions of machine code, run by CPython."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from scipy.optimize import brentq

from freewheel.backend.follow_kernels import follow_size, fw_follow
from freewheel.backend.llvm_kernels import fw_newton
from freewheel.runtime.events.branch_following import JUMPING, LENIENT, STRICT

FOLLOW, LOST, SENSE, Y, FIRST = 0, 1, 2, 3, 4


def solved(g, y, z, mode, sense=0.0, slopes=None):
    """(status, z, lost) of g(y, z) = 0 from z on; `slopes` are those by formulas."""
    n = len(z)
    m = [mode, 0.0, sense, y, *z]

    def residual(m, f):
        f[:n] = g(m[Y], m[FIRST:])
        return 0

    def jacobian(m, a):
        a[: n * n] = slopes(m[FIRST:])
        return 0

    zeros, work = np.zeros(n), np.zeros(follow_size(n))
    bounds = np.repeat([-np.inf, np.inf], n)
    slots = list(range(FIRST, FIRST + n))
    given = (n, m, slots, zeros, np.ones(n), bounds, work, FOLLOW, SENSE)
    has_slopes = 0 if slopes is None else 1
    return fw_follow(residual, jacobian, has_slopes, *given), m[FIRST:], m[LOST]


def cubic(i, z):
    return [z[0] ** 3 - 3 * z[0] - i]


def turned(i, z):
    """The same curve in two unknowns that are mixed, its equations too."""
    s, other = z[0] + 2 * z[1], z[0] - z[1]
    a, b = s**3 - 3 * s - i, other - 0.1 * s
    return [1e3 * a + b, 1e-3 * (a - 2 * b)]


@pytest.mark.parametrize("i", [-1.99, -1.0, 0.5, 1.9, 30.0])
@pytest.mark.parametrize("start", [1.01, 1.2, 2.0, 5.0])
def test_a_solution_is_found_on_the_branch(i, start) -> None:
    status, (z,), lost = solved(cubic, i, [start], STRICT)
    assert (status, lost) == (0, 0.0)
    assert z > 1.0
    assert cubic(i, [z])[0] == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("i", [-2.0001, -2.5, -18.0, -100.0])
@pytest.mark.parametrize("start", [1.0 + 2e-3 / 3, 1.01, 1.2, 2.0])
def test_no_other_branch_is_taken_by_chance(i, start) -> None:
    """(From s = 1 + 0.002/3 Newton's first step for i = -2.012 ends near s = -2.)"""
    for beyond in (i, -2.012):
        status, z, lost = solved(cubic, beyond, [start], STRICT)
        assert (status, z, lost) == (1, [start], FIRST + 1.0)


@pytest.mark.parametrize("g", [cubic, turned])
def test_a_jump_leads_to_the_branch_ahead(g) -> None:
    start = [1.0 + 1e-7] if g is cubic else [0.4 + 1e-7, 0.3]
    sense = 1.0 if g is cubic else None
    if sense is None:  # the sign of the determinant a little before the fold
        steps = np.eye(2) * 1e-6
        point = np.array([0.44, 0.33])
        columns = [np.subtract(g(-1.9, point + h), g(-1.9, point)) / 1e-6 for h in steps]
        sense = float(np.sign(np.linalg.det(np.array(columns).T)))
    status, z, lost = solved(g, -2.0 - 1e-8, start, JUMPING, sense)
    assert status == 0
    assert lost == FIRST + 1.0
    assert (z[0] if g is cubic else z[0] + 2 * z[1]) == pytest.approx(-2.0, abs=1e-6)


def test_a_point_beyond_a_fold_by_rounding_stays_there() -> None:
    status, (z,), lost = solved(cubic, -2.0 - 1e-9, [1.001], LENIENT)
    assert (status, lost) == (0, 0.0)
    assert z == pytest.approx(1.0, abs=2e-3)


def test_a_curve_that_does_not_come_back_has_no_landing() -> None:
    status, z, lost = solved(lambda y, z: [z[0] ** 2 + y**2 - 1.0], 1.0001, [1e-3], JUMPING, 1.0)
    assert (status, z) == (1, [1e-3])
    assert lost != 0.0


def test_the_start_value_decides_at_a_horizontal_point() -> None:
    status, (z,), _ = solved(lambda y, z: [z[0] ** 3 - y], 1e-3, [0.0], STRICT)
    assert status == 0
    assert z == pytest.approx(0.1)


@pytest.mark.parametrize(("rest", "status"), [(1e-15, 0), (0.0, 0), (1e-9, 1)])
@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_at_a_fold_residuals_are_compared_with_their_terms(rest, status, unit):
    """Its slope is zero: a residual of rounding was large beside it, and another branch was taken."""

    def residual(m, f):
        f[0] = (m[0] / unit - 1.0) ** 2 + rest
        return 0

    def slope(m, a):
        a[0] = 2.0 * (m[0] / unit - 1.0) / unit
        return 0

    m, work, one = np.zeros(1), np.zeros(40), np.ones(1)
    bounds = np.array([-np.inf, np.inf])
    found = fw_newton(
        residual, slope, 1, 1, m, [0], unit * one, bounds, np.array([1.05 * unit]), work
    )
    assert found == status
    if status == 0:
        assert m[0] / unit == pytest.approx(1.0, abs=1e-5)


def kinked(y, z):
    """Water that evaporates at constant density: one slope of the energy where the air is saturated, a
    quarter of it where it is not. Its temperature and pressure, by energy y."""
    temperature, pressure = z
    saturated = 0.0137 * 1e5 / pressure * exp(0.062 * (temperature - 292.0))
    liquid = max(0.0137 - saturated, 0.0)
    gas = 289.0 - 170.0 * liquid
    energy = 1000.0 * temperature - 2.5e6 * liquid - gas * temperature
    return [y - energy, 1.18 - pressure / (gas * temperature)]


@pytest.mark.parametrize("distance", [1e-4, 1e-3, 1e-2, 0.1, 1.0])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_several_unknowns_pass_a_kink(distance, side) -> None:
    """Points on their curve are known to 1e-8; over steps as short as that its slope is not."""
    at_kink = brentq(
        lambda t: 1e5 / (1.18 * 289.0 * t) * exp(0.062 * (t - 292.0)) - 1.0, 280.0, 300.0
    )
    for part in (0.1, 0.3, 0.6, 1.0):
        start = at_kink + side * distance
        end = at_kink - side * part * distance
        _, before = solved_at(start)
        y, after = solved_at(end)
        status, z, lost = solved(kinked, y, before, STRICT)
        assert (status, lost) == (0, 0.0)
        assert z == pytest.approx(after, rel=1e-8)


def solved_at(temperature):
    """(energy, unknowns) where `kinked` has this temperature."""
    pressure = brentq(lambda p: kinked(0.0, [temperature, p])[1], 9e4, 1.1e5, xtol=1e-9, rtol=1e-15)
    return -kinked(0.0, [temperature, pressure])[0], [temperature, pressure]


def cornered(seed, n, is_fold):
    """(loop, slopes, start, end) where two linear pieces meet, the determinant of one sign or of both."""
    rng = np.random.default_rng(seed)
    while True:
        rows = rng.normal(size=(n - 1, n)) * 10 ** rng.uniform(-1, 2, size=(n - 1, 1))
        pieces = [np.vstack([rows, rng.normal(size=n)]) for _ in range(2)]
        dets = [np.linalg.det(piece) for piece in pieces]
        if dets[0] * dets[1] < 0.0 if is_fold else 0.05 < dets[0] / dets[1] < 20.0:
            break
    moves = rng.normal(size=n - 1)
    shifts = rng.normal(size=2)

    def lowest(y, z):
        return min(
            (piece[-1] @ z + k * y, j)
            for j, (piece, k) in enumerate(zip(pieces, shifts, strict=True))
        )

    def loop(y, z):
        return [*(rows @ z + moves * y), lowest(y, np.asarray(z))[0]]

    def at(y):
        found = [
            np.linalg.solve(p, -y * np.array([*moves, k]))
            for p, k in zip(pieces, shifts, strict=True)
        ]
        return [z for j, z in enumerate(found) if lowest(y, z)[1] == j]

    def slopes(y):
        return lambda z: pieces[lowest(y, np.asarray(z))[1]].ravel()

    return loop, slopes, at(-1.0), at(1.0)


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_a_corner_where_the_determinant_keeps_its_sign_is_passed(n, seed):
    """A diode as `0 = min(i, -v)` in a loop of two: R153 where it began to conduct. Behind a corner the
    curve may go on against the direction in which it came.
    """
    loop, slopes, (start,), (end,) = cornered(seed, n, is_fold=False)

    status, z, lost = solved(loop, 1.0, list(start), STRICT, slopes=slopes(1.0))

    assert (status, lost) == (0, 0.0)
    assert z == pytest.approx(end, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("seed", range(20))
def test_a_corner_where_the_determinant_changes_its_sign_is_a_fold(n, seed):
    loop, slopes, before, after = cornered(seed, n, is_fold=True)
    assert sorted(map(len, (before, after))) == [0, 2]
    (start, _), y = (before, 1.0) if before else (after, -1.0)

    status, z, lost = solved(loop, y, list(start), STRICT, slopes=slopes(y))

    assert (status, z, lost) == (1, list(start), FIRST + 1.0)


@pytest.mark.parametrize("factor", [0.25, 4.0])
def test_wrong_slopes_of_several_unknowns_are_left_soon(factor) -> None:
    """(As of a derivative by annotation that is smoothed over a kink: the walk crept in steps of 1e-8.)"""
    asked = []

    def counted(y, z):
        asked.append(z)
        return kinked(y, z)

    def wrong(z):
        steps = np.diag([1e-4, 1e-1])
        columns = [
            np.subtract(kinked(0.0, z + h), kinked(0.0, z - h)) / (2 * sum(h)) for h in steps
        ]
        a = np.array(columns).T
        a[0, 0] *= factor
        return a.ravel()

    _, before = solved_at(291.0)
    y, after = solved_at(291.3)
    status, z, lost = solved(counted, y, before, STRICT, slopes=wrong)
    assert (status, lost) == (0, 0.0)
    assert z == pytest.approx(after, rel=1e-7)
    assert len(asked) < 1000
