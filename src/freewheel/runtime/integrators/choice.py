"""Names of solvers, and the rule of `auto`.

`auto` begins with `dopri5` and changes to `radau` for good once the model is stiff, that is where stability
limits the step size: |h * lambda| is close to the border of the stability region in 15 accepted steps,
without 6 steps in a row below it in between (Hairer, Wanner II, section IV.2).
"""

from __future__ import annotations

from difflib import get_close_matches

from freewheel.base.diagnostics import UsageError
from freewheel.runtime.diagnostics import usage
from freewheel.runtime.qss.methods import QUANTIZED

AUTO = "auto"
SOLVERS = (
    *(AUTO, "dopri5", "rkf45", "rodas4", "radau", "lobatto"),
    *("euler", "rk4", "beuler", "cvode", "ida"),
)
ALL_SOLVERS = (*SOLVERS, *QUANTIZED)

# Solvers of other programs, and the nearest one here
ELSEWHERE = {
    **dict.fromkeys(("dassl", "daspk", "dasrt", "ddaspk", "idas"), "ida"),
    **dict.fromkeys(
        ("ode45", "rk45", "dopri", "dopri45", "dormandprince", "runge-kutta"), "dopri5"
    ),
    **dict.fromkeys(("ode15s", "lsoda", "lsodar", "bdf", "vode", "gear"), "cvode"),
    **dict.fromkeys(("ode23s", "ode23t", "rosenbrock", "rodas"), "rodas4"),
    **dict.fromkeys(("radau5", "radauiia", "impeuler", "esdirk", "sdirk34hw"), "radau"),
    **dict.fromkeys(("rungekutta", "rk", "rkfix4", "ode4"), "rk4"),
    **dict.fromkeys(("forwardeuler", "rkfix1", "ode1"), "euler"),
    **dict.fromkeys(("impliciteuler", "backwardeuler"), "beuler"),
}


def unknown_solver(name: str) -> UsageError:
    close = get_close_matches(name.lower(), ALL_SOLVERS, n=1, cutoff=0.4)
    hint = f"did you mean `{close[0]}`? " if close else ""
    if nearest := ELSEWHERE.get(name.lower()):
        hint = f"`{nearest}` is the nearest to it here (`auto` chooses by itself); "
    help = f"{hint}choose one of {', '.join(ALL_SOLVERS)}"
    return usage("U020", f"there is no solver `{name}`", help)
