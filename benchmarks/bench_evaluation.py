"""(a) One evaluation of the derivatives against hand-written C of the same equations.

A chain of n masses with cubic springs: 2 n states, 3 parameters. Both are called through a pointer
from the same C loop, so that no Python is in the measurement.
"""

import ctypes

from measure import Peers, Section, best, c_library, compiled, duration, has_compiler, verdict

GOAL = 1.2
SIZES = (5, 50, 500)

MODEL = """
model Chain
  parameter Real k = 2;
  parameter Real d = 0.1;
  parameter Real c = 0.3;
  Real x[{n}](each start = 0.5, each fixed = true);
  Real v[{n}](each start = 0.1, each fixed = true);
  Real f[{m}];
equation
  f[1] = k*x[1] + c*x[1]^3;
  for j in 2:{n} loop
    f[j] = k*(x[j] - x[j - 1]) + c*(x[j] - x[j - 1])^3;
  end for;
  f[{m}] = sin(time);
  for j in 1:{n} loop
    der(x[j]) = v[j];
    der(v[j]) = f[j + 1] - f[j] - d*v[j];
  end for;
end Chain;
"""

C_CODE = """
#include <math.h>
#define N {n}
/* Not static: the compiler must not take parameters for constants. */
double x[N], v[N], f[N + 1], dx[N], dv[N], k = 2, d = 0.1, c = 0.3, t = 0.1;
long derivatives(double *memory) {{
  double s = x[0];
  f[0] = k*s + c*s*s*s;
  for (int j = 1; j < N; j++) {{
    s = x[j] - x[j - 1];
    f[j] = k*s + c*s*s*s;
  }}
  f[N] = sin(t);
  for (int j = 0; j < N; j++) {{
    dx[j] = v[j];
    dv[j] = f[j + 1] - f[j] - d*v[j];
  }}
  return 0;
}}
void fill(void) {{ for (int j = 0; j < N; j++) {{ x[j] = 0.5; v[j] = 0.1; }} }}
long repeat(long (*section)(double *), double *memory, long times) {{
  long status = 0;
  for (long i = 0; i < times; i++) status |= section(memory);
  return status;
}}
"""


def run(peers: Peers) -> Section:
    section = Section(
        "(a) Evaluation of a model", ["states", "Freewheel", "C, gcc -O2", "ratio", "goal"]
    )
    if not has_compiler():
        section.notes.append("gcc is not installed: nothing to compare with.")
        return section
    for size in SIZES:
        ours, hand = measure(size)
        ratio = ours / hand
        told = f"<= {GOAL:g} {verdict(ratio, GOAL)}"
        row = (str(2 * size), duration(ours), duration(hand), f"{ratio:.2f}", told)
        section.rows.append(row)
    section.notes.append("Seconds per call of the section `derivatives`, called from a loop in C.")
    return section


def measure(size: int) -> tuple[float, float]:
    """Seconds per evaluation: ours, C."""
    model = compiled(MODEL.format(n=size, m=size + 1)).model
    memory = model.start.copy()
    for name in ("parameters", "initial", "derivatives"):
        assert model.sections[name](memory) == 0
    library = c_library(C_CODE.format(n=size))
    library.fill()
    library.repeat.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
    times = 2_000_000 // size
    place = memory.ctypes.data
    hand = ctypes.cast(library.derivatives, ctypes.c_void_p).value
    ours = model.addresses["derivatives"]
    return (
        best(lambda: library.repeat(ours, place, times), 5) / times,
        best(lambda: library.repeat(hand, place, times), 5) / times,
    )


if __name__ == "__main__":
    print(run(Peers()).markdown())
