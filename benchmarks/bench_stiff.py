"""(c) Stiff models against C with CVODE and a sparse analytic Jacobian (SuperLU).

Robertson's reaction, and a ladder of n resistors and capacitors with time constant (n + 1)**-2 per
section: the slowest mode stays the same, the fastest gets n**2 times faster. Translation is counted
from the text to machine code, with empty caches. Errors are the largest at the end, against the
exact solution of the ladder and against Radau at tolerance 1e-12, relative to nominal values.
"""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np
from cvode import cvode_driver
from measure import Peers, Section, best, compiled, duration, verdict

from freewheel.base.diagnostics import FreewheelError
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

GOAL, UP_TO, LINEAR = 1.0, 1000, 1.3
SIZES = (10, 100, 1000, 10_000)
TOLERANCE = 1e-6
POINTS = 100

ROBERTSON = """
model Robertson
  Real a(start = 1, fixed = true, nominal = 1);
  Real b(start = 0, fixed = true, nominal = 1e-5);
  Real c(start = 0, fixed = true, nominal = 1);
equation
  der(a) = -0.04*a + 1e4*b*c;
  der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;
  der(c) = 3e7*b^2;
end Robertson;
"""
ROBERTSON_C = """
static void rhs(double t, const double *y, double *dy, long n) {
  dy[0] = -0.04*y[0] + 1e4*y[1]*y[2];
  dy[2] = 3e7*y[1]*y[1];
  dy[1] = -dy[0] - dy[2];
}
static void pattern(long n, int *starts, int *rows) {
  for (int j = 0, k = 0; j < 3; j++) {
    starts[j] = k;
    for (int i = 0; i < 3; i++) rows[k++] = i;
  }
  starts[3] = 9;
}
static void jacobian(double t, const double *y, double *J, long n) {
  double all[9] = {-0.04, 0.04, 0, 1e4*y[2], -1e4*y[2] - 6e7*y[1], 6e7*y[1],
                   1e4*y[1], -1e4*y[1], 0};
  for (int k = 0; k < 9; k++) J[k] = all[k];
}
"""
LADDER = """
model Ladder
  parameter Real tau = {tau!r};
  Real v[{n}](each start = 0, each fixed = true);
equation
  tau*der(v[1]) = 1 - 2*v[1] + v[2];
  for k in 2:{n} - 1 loop
    tau*der(v[k]) = v[k - 1] - 2*v[k] + v[k + 1];
  end for;
  tau*der(v[{n}]) = v[{n} - 1] - v[{n}];
end Ladder;
"""
LADDER_C = """
double tau = {tau!r};
static void rhs(double t, const double *y, double *dy, long n) {{
  double g = 1/tau;
  dy[0] = g*(1 - 2*y[0] + y[1]);
  for (long k = 1; k < n - 1; k++) dy[k] = g*(y[k - 1] - 2*y[k] + y[k + 1]);
  dy[n - 1] = g*(y[n - 2] - y[n - 1]);
}}
static void pattern(long n, int *starts, int *rows) {{
  int k = 0;
  for (int j = 0; j < n; j++) {{
    starts[j] = k;
    for (int i = j - 1; i <= j + 1; i++) if (i >= 0 && i < n) rows[k++] = i;
  }}
  starts[n] = k;
}}
static void jacobian(double t, const double *y, double *J, long n) {{
  int k = 0;
  for (int j = 0; j < n; j++)
    for (int i = j - 1; i <= j + 1; i++)
      if (i >= 0 && i < n) J[k++] = (i != j ? 1 : i == n - 1 ? -1 : -2)/tau;
}}
"""


def run(peers: Peers, sizes: tuple[int, ...] = SIZES) -> Section:
    section = Section(
        f"(c) Stiff models at tolerance {TOLERANCE:g}",
        [
            "model",
            "translation",
            "solver",
            "steps",
            "run",
            "error",
            "C and CVODE",
            "its steps",
            "its error",
            "ratio",
            "goal",
            "CVODE as accurate",
            "ratio",
        ],
    )
    compiled(ROBERTSON)  # imports, and what llvmlite prepares once
    reaction = Case("Robertson, 1e5 s", ROBERTSON, ROBERTSON_C, 1e5, (1, 0, 0), (1, 1e-5, 1), 9)
    _compare(section, reaction, _fine(reaction))
    totals = {}
    for size in sizes:
        tau = (size + 1.0) ** -2
        texts = LADDER.format(n=size, tau=tau), LADDER_C.format(tau=tau)
        name, start = f"ladder, n = {size}", (0,) * size
        case = Case(name, *texts, 1.0, start, (1,) * size, 3 * size - 2)
        total = _compare(section, case, _ladder_at_one(size))
        if total is not None:
            totals[size] = total
    section.notes.append(_growth(totals))
    return section


@dataclass(frozen=True)
class Case:
    name: str
    text: str
    code: str  # the same in C
    stop: float
    start: Sequence[float]
    nominal: Sequence[float]
    entries: int  # of the Jacobian


def _compare(section: Section, case: Case, exact: np.ndarray) -> float | None:
    """One row; seconds of translation and run."""
    size, stop = len(case.start), case.stop
    with tempfile.TemporaryDirectory() as cache:
        os.environ["FREEWHEEL_CACHE"] = cache
        began = process_time()
        model = compiled(case.text).model
        translation = process_time() - began
        settings = Settings.of(model, stop=stop, tolerance=TOLERANCE, interval=stop / POINTS)
        try:
            result = simulate(model, settings)
            seconds = best(lambda: simulate(model, settings), _repeats(size))
        except FreewheelError as failure:
            section.rows.append([case.name, duration(translation), str(failure), *"----------"])
            return None
        finally:
            del os.environ["FREEWHEEL_CACHE"]
    nominal = np.asarray(case.nominal, dtype=float)
    ours = np.array([result.final(state.name) for state in model.state_infos])
    error = np.abs((ours - exact) / nominal).max()
    told = [case.name, duration(translation), str(result.stats["solver"])]
    told += [str(result.stats["steps"]), duration(seconds), f"{error:.0e}"]
    solve = cvode_driver(case.code, is_stiff=True)
    if solve is None:
        section.rows.append([*told, "not installed", *"------"])
        return translation + seconds
    peer, steps, its_error = _peer(solve, case, exact, TOLERANCE)
    ratio = seconds / peer
    goal = f"<= {GOAL:g} {verdict(ratio, GOAL)}" if size <= UP_TO else "-"
    told += [duration(peer), str(steps), f"{its_error:.0e}", f"{ratio:.2f}", goal]
    section.rows.append([*told, *_as_accurate(solve, case, exact, error, seconds)])
    return translation + seconds


def _repeats(size: int) -> int:
    """Short runs are disturbed most by what else the machine does."""
    return max(1, min(30, 5000 // size))


def _peer(solve, case: Case, exact: np.ndarray, tolerance: float) -> tuple[float, int, float]:
    """Seconds, steps, error of CVODE."""
    nominal = np.asarray(case.nominal, dtype=float)
    seconds, steps, y = solve(
        case.stop,
        tolerance,
        np.asarray(case.start, dtype=float),
        tolerance * nominal,
        entries=case.entries,
        points=POINTS,
        repeats=_repeats(len(nominal)),
    )
    return seconds, steps, np.abs((y - exact) / nominal).max()


def _as_accurate(
    solve, case: Case, exact: np.ndarray, error: float, seconds: float
) -> tuple[str, str]:
    """CVODE at the coarsest tolerance, in powers of ten, that gives no larger error than ours."""
    for digits in range(6, 13):
        peer, steps, its_error = _peer(solve, case, exact, 10.0**-digits)
        if its_error <= error:
            return f"{duration(peer)}, {steps} steps at 1e-{digits}", f"{seconds / peer:.2f}"
    return "not reached at 1e-12", "-"


def _fine(case: Case) -> np.ndarray:
    model = compiled(case.text).model
    settings = Settings.of(
        model, stop=case.stop, tolerance=1e-12, interval=case.stop, solver="radau"
    )
    result = simulate(model, settings)
    return np.array([result.final(state.name) for state in model.state_infos])


def _ladder_at_one(size: int, modes: int = 40) -> np.ndarray:
    """The exact solution at t = 1: faster modes than these have died out."""
    theta = (2 * np.arange(1, min(size, modes) + 1) - 1) * np.pi / (2 * size + 1)
    rates = 4 * (size + 1.0) ** 2 * np.sin(theta / 2) ** 2
    weights = 2 / (2 * size + 1) / np.tan(theta / 2)
    sections = np.arange(1, size + 1)[:, None]
    return 1 - np.sin(sections * theta) @ (weights * np.exp(-rates))


def _growth(totals: dict[int, float]) -> str:
    """The largest growth of time per section from one size to the next, small sizes aside."""
    sizes = [size for size in totals if size >= 1000]
    if len(sizes) < 2:
        return "Growth with size was not measured."
    small, large = sizes[0], sizes[-1]
    growth = (totals[large] / large) / (totals[small] / small)
    return (
        f"Translation and run per section, n = {large} against n = {small}: {growth:.2f} times "
        f"(1 is linear; goal {LINEAR:g} {verdict(growth, LINEAR)})."
    )


if __name__ == "__main__":
    print(run(Peers()).markdown())
