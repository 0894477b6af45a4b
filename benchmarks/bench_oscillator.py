"""(b) A two-state oscillator, 1e5 steps, against SciPy and against C with CVODE.

All have the same tolerance. SciPy solves a shorter problem, scaled to 1e5 steps: its steps cost the
same all along. CVODE takes other steps than Dormand-Prince does, so time is compared for the whole
problem (same span, same tolerance), and the error at the end is told.
"""

from math import cos

import numpy as np
from cvode import cvode_driver
from measure import Peers, Section, best, compiled, duration, verdict
from scipy.integrate import solve_ivp

from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

MODEL = """
model Oscillator
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
end Oscillator;
"""
RHS = """
static void rhs(double t, const double *y, double *dy, long n) { dy[0] = y[1]; dy[1] = -y[0]; }
"""
STOP, TOLERANCE, SCIPY_STOP, POINTS = 5000.0, 1e-8, 100.0, 500
STEPS = 100_000
SCIPY_GOAL, CVODE_GOAL = 100.0, 1.0


def run(peers: Peers) -> Section:
    section = Section(
        f"(b) Two-state oscillator, {STOP:g} s at tolerance {TOLERANCE:g}",
        ["solver", "steps", "time", "time per 1e5 steps", "error at the end", "against Freewheel"],
    )
    seconds, steps, error = ours()
    per_step = seconds / steps
    section.rows.append(_row("Freewheel, dopri5", steps, seconds, error, "1"))
    scipy_seconds, scipy_steps, scipy_error = scipy()
    ratio = scipy_seconds / scipy_steps / per_step
    told = f"{ratio:.0f} times per step, goal {SCIPY_GOAL:g} {verdict(-ratio, -SCIPY_GOAL)}"
    name = f"SciPy RK45, {SCIPY_STOP:g} s of it"
    section.rows.append(_row(name, scipy_steps, scipy_seconds, scipy_error, told))
    solve = cvode_driver(RHS, is_stiff=False)
    if solve is None:
        section.notes.append("scikit-sundae is not installed: no CVODE to compare with.")
        return section
    for tolerance in (TOLERANCE, 1e-4 * TOLERANCE):
        start, absolute = np.array([1.0, 0.0]), np.full(2, tolerance)
        c_seconds, c_steps, y = solve(STOP, tolerance, start, absolute, points=POINTS)
        ratio = per_step / (c_seconds / c_steps)
        told = f"we take {ratio:.2f} per step, {seconds / c_seconds:.2f} in all"
        if tolerance == TOLERANCE:
            told += f"; goal per step <= {CVODE_GOAL:g} {verdict(ratio, CVODE_GOAL)}"
        name = f"C and CVODE, Adams, at {tolerance:g}"
        section.rows.append(_row(name, c_steps, c_seconds, abs(y[0] - cos(STOP)), told))
    section.notes.append(
        f"{POINTS} rows are stored. Freewheel controls its steps more tightly than the tolerance "
        "asked for; compare the errors."
    )
    return section


def _row(name: str, steps: int, seconds: float, error: float, told: str) -> list[str]:
    per = duration(seconds / steps * STEPS)
    return [name, str(steps), duration(seconds), per, f"{error:.1e}", told]


def ours() -> tuple[float, int, float]:
    model = compiled(MODEL).model
    interval = STOP / POINTS
    settings = Settings.of(
        model, stop=STOP, tolerance=TOLERANCE, solver="dopri5", interval=interval
    )
    result = simulate(model, settings)
    seconds = best(lambda: simulate(model, settings))
    return seconds, int(result.stats["steps"]), abs(result.final("x") - cos(STOP))


def scipy() -> tuple[float, int, float]:
    def solve():
        return solve_ivp(
            lambda t, y: (y[1], -y[0]),
            (0.0, SCIPY_STOP),
            (1.0, 0.0),
            rtol=TOLERANCE,
            atol=TOLERANCE,
        )

    found = solve()
    return best(solve, 2), len(found.t) - 1, abs(found.y[0, -1] - cos(SCIPY_STOP))


if __name__ == "__main__":
    print(run(Peers()).markdown())
