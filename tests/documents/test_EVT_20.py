"""EVT-20, document 002, R9.1: Lobatto IIIC beside Radau IIA, and what interpolated restarts do to stability.

The document prints no numbers here; it asks for dense output of both methods and for a proof that what is
interpolated is stable. The page docs/theory/interpolated-restarts.md tells what was measured.
"""

from __future__ import annotations

import importlib
import sys
from math import log2
from pathlib import Path

import numpy as np
import pytest

import freewheel as fw
from freewheel.runtime.integrators.three_stage import LOBATTO_IIIC, RADAU_IIA, ThreeStage

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
measured = importlib.import_module("restart_stability")

PAGE = (ROOT / "docs/theory/interpolated-restarts.md").read_text(encoding="utf-8")
METHODS = (RADAU_IIA, LOBATTO_IIIC)

# Stiff and discontinuous: a fast voltage follows a slow one that two relays toggle.
RELAY = """
model Relay
  Boolean on(start = true, fixed = true);
  Real slow(start = 0, fixed = true), fast(start = 0, fixed = true);
equation
  der(slow) = (if on then 1 else 0) - slow;
  der(fast) = 1e6*(slow - fast);
  on = not pre(on) and slow < 0.25 or pre(on) and slow <= 0.75;
end Relay;
"""


def names(method: ThreeStage) -> str:
    return method.name


def amplification(method: ThreeStage, z: complex, theta: float) -> complex:
    """Of the interpolant, by the tableau: A^-1 Z = z (1 + Z)."""
    increments = np.linalg.solve(method.inverse - z * np.eye(3), z * np.ones(3))
    return complex(1.0 + theta ** np.arange(1, 4) @ method.powers @ increments)


@pytest.mark.parametrize("method", METHODS, ids=names)
def test_EVT_20_tableaux_meet_the_conditions_of_their_order(method):
    a, b, c = method.a, method.a[2], method.c
    for power in range(1, method.order + 1):
        assert b @ c ** (power - 1) == pytest.approx(1 / power, abs=1e-15)
    assert b @ a @ c**2 == pytest.approx(1 / 12, abs=1e-15)  # order 4 with stages of order two
    assert b @ a @ a @ c == pytest.approx(1 / 24, abs=1e-15)


def test_EVT_20_lobatto_is_the_tableau_of_three_stages():
    """Hairer, Wanner II, table IV.5.12: b_i is in the first column, c = 0, 1/2, 1, R is a Pade (1, 3)."""
    method = LOBATTO_IIIC
    assert method.a[:, 0] == pytest.approx([1 / 6] * 3)
    for z in (0.7 + 0.2j, -3.0, 5j):
        pade = (1 + z / 4) / (1 - 3 * z / 4 + z**2 / 4 - z**3 / 24)
        assert amplification(method, z, 1.0) == pytest.approx(pade, rel=1e-12)


@pytest.mark.parametrize("method", METHODS, ids=names)
def test_EVT_20_the_compiled_step_has_the_amplification_of_its_tableau(method):
    step = measured.OneStep(method.name)
    for z in (-0.1 + 0j, -7.0 + 3.0j, 20j, -1e4 + 0j):
        expected = [amplification(method, z, theta) for theta in measured.THETAS]
        assert step.values(z, measured.THETAS) == pytest.approx(expected, abs=1e-6)


def test_EVT_20_a_cut_lobatto_step_keeps_this_much_of_a_fast_component():
    for theta in measured.THETAS:
        left = amplification(LOBATTO_IIIC, -1e9, theta)
        assert left == pytest.approx((1 - theta) ** 2 * (1 - 4 * theta), abs=1e-7)


@pytest.mark.parametrize("method", METHODS, ids=names)
def test_EVT_20_whole_steps_are_stable_everywhere_and_interpolated_ones_nearly(method):
    heights = np.geomspace(1e-2, 1e6, 2000)
    sizes = {
        theta: max(abs(amplification(method, 1j * y, theta)) for y in heights)
        for theta in measured.THETAS
    }
    assert sizes[1.0] <= 1.0 + 1e-12
    assert 1.005 < sizes[0.1] < 1.01
    assert abs(amplification(method, -1e9, 1.0)) < 1e-8


def test_EVT_20_the_page_tells_what_is_measured():
    for row in measured.rows():
        assert row in PAGE


@pytest.mark.parametrize("solver", ["radau", "lobatto"])
def test_EVT_20_a_repeated_step_is_better_than_an_interpolated_state(solver):
    """The last two cells of the page's second table."""
    [row] = measured.restarts([solver], [1e-6])[2:]
    name, tolerance, interpolated, repeated = (cell.strip() for cell in row.strip("|").split("|"))
    errors = [float(cell.partition(",")[0]) for cell in (interpolated, repeated)]
    told = next(line for line in PAGE.splitlines() if line.startswith(f"| {name} | {tolerance}"))
    expected = [float(cell.partition(",")[0]) for cell in told.strip("|").split("|")[2:]]
    assert errors == pytest.approx(expected, rel=0.5)
    assert errors[0] > 10 * errors[1]


def exact_toggles(count: int) -> list[float]:
    """1 - exp(-t) reaches 3/4 at ln 4; from there to 1/4 and back takes ln 3 each."""
    return [np.log(4.0) + k * np.log(3.0) for k in range(count)]


@pytest.mark.parametrize("solver", ["radau", "lobatto"])
@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10])
def test_EVT_20_a_stiff_discontinuous_model_toggles_at_exact_times(tmp_path, solver, tolerance):
    path = tmp_path / "Relay.mo"
    path.write_text(RELAY)
    r = fw.load(path).simulate(stop=7.0, tol=tolerance, solver=solver)
    toggles = r["time"][1:][np.diff(r["on"]) != 0]

    assert toggles == pytest.approx(exact_toggles(6), abs=20 * tolerance)
    assert r.stats["solver"] == solver
    # The fast state trails the slow one by der(slow)/1e6.
    assert np.abs(r["fast"] - r["slow"]).max() < 2e-6 + tolerance


def error(solver: str, intervals: int, tmp_path: Path) -> float:
    path = tmp_path / "Forced.mo"
    path.write_text(
        "model Forced Real x(start=0, fixed=true); equation der(x) = cos(time) - 100*(x - sin(time));"
        " end Forced;"
    )
    r = fw.load(path).simulate(stop=2.0, tol=1e-9, solver=solver, interval=2.0 / intervals)
    return float(np.abs(r["x"] - np.sin(r["time"])).max())


@pytest.mark.parametrize("solver", ["radau", "lobatto"])
def test_EVT_20_dense_output_is_as_good_as_the_steps_ask_for(solver, tmp_path):
    assert error(solver, 2000, tmp_path) < 1e-8


def test_EVT_20_slopes_of_time_alone_are_seen_by_error_control(tmp_path):
    """Simpson's rule and its embedded formula agree on every function of time: the extra slope does not."""
    path = tmp_path / "Bump.mo"
    path.write_text(
        "model Bump Real x(start=0, fixed=true); equation der(x) = 1/(1e-4 + (time - 0.3)^2); end Bump;"
    )
    r = fw.load(path).simulate(tol=1e-8, solver="lobatto")
    exact = 100 * (np.arctan(70.0) + np.arctan(30.0))
    assert r.final("x") == pytest.approx(exact, rel=1e-8)


def test_EVT_20_the_observed_order_is_four():
    """Also in tests/runtime/test_kernels_methods.py; here on the test equation by its amplification."""
    errors = [
        abs(amplification(LOBATTO_IIIC, -1.0 / n, 1.0) ** n - np.exp(-1.0)) for n in (8, 16, 32)
    ]
    assert log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.1)
    assert log2(errors[1] / errors[2]) == pytest.approx(4.0, abs=0.05)
