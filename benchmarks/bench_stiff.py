"""(c) Stiff models against C with CVODE and a sparse analytic Jacobian (SuperLU).

Robertson's reaction, and a ladder of n resistors and capacitors with time constant (n + 1)**-2 per
section: the slowest mode stays the same, the fastest gets n**2 times faster. Translation is counted
from the text to machine code, with empty caches.
"""

import os
import tempfile
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
            "C and CVODE",
            "its steps",
            "ratio",
            "goal",
        ],
    )
    compiled(ROBERTSON)  # imports, and what llvmlite prepares once
    _compare(section, "Robertson, 1e5 s", ROBERTSON, 1e5, ROBERTSON_C, [1, 0, 0], [1, 1e-5, 1], 9)
    totals = {}
    for size in sizes:
        tau = (size + 1.0) ** -2
        texts = LADDER.format(n=size, tau=tau), LADDER_C.format(tau=tau)
        name, start = f"ladder, n = {size}", np.zeros(size)
        total = _compare(
            section, name, texts[0], 1.0, texts[1], start, np.ones(size), 3 * size - 2, size
        )
        if total is not None:
            totals[size] = total
    section.notes.append(_growth(totals))
    return section


def _compare(section, name, text, stop, code, start, nominal, entries, size=3) -> float | None:
    """One row; seconds of translation and run."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["FREEWHEEL_CACHE"] = cache
        began = process_time()
        model = compiled(text).model
        translation = process_time() - began
        settings = Settings.of(model, stop=stop, tolerance=TOLERANCE, interval=stop / POINTS)
        try:
            result = simulate(model, settings)
            seconds = best(lambda: simulate(model, settings), 3 if size < 1000 else 1)
        except FreewheelError as failure:
            section.rows.append([name, duration(translation), str(failure), *"------"])
            return None
        finally:
            del os.environ["FREEWHEEL_CACHE"]
    solve = cvode_driver(code, is_stiff=True)
    told = [name, duration(translation), str(result.stats["solver"]), str(result.stats["steps"])]
    if solve is None:
        section.rows.append([*told, duration(seconds), "not installed", *"---"])
        return translation + seconds
    absolute = TOLERANCE * np.asarray(nominal, dtype=float)
    peer, steps, _ = solve(stop, TOLERANCE, start, absolute, entries=entries, points=POINTS)
    ratio = seconds / peer
    goal = f"<= {GOAL:g} {verdict(ratio, GOAL)}" if size <= UP_TO else "-"
    section.rows.append(
        [*told, duration(seconds), duration(peer), str(steps), f"{ratio:.2f}", goal]
    )
    return translation + seconds


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
