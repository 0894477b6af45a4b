"""Solvers by name, and the rule of `auto`.

    method_named("dopri5").error_order == 5

`auto` begins with `dopri5` and changes to `radau` for good once the model has proved stiff: the
step size is then held down by stability, not by accuracy. The sign is |h * lambda| close to the
border of the explicit method's stability region in 15 accepted steps, with no 6 steps in a row
below it in between (Hairer, Wanner II, section IV.2).
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.runtime.integrate.explicit import Explicit
from freewheel.runtime.integrate.problem import Method
from freewheel.runtime.integrate.radau import Radau
from freewheel.runtime.integrate.tableau import DOPRI5, EULER, RK4, RKF45

# Written as plain Python over numpy: the reference. The compiled ones are in `runtime/methods.py`.
METHODS: dict[str, Callable[[], Method]] = {
    "dopri5": lambda: Explicit(DOPRI5),
    "rkf45": lambda: Explicit(RKF45, has_weak_interpolant=True),
    "radau": Radau,
    "rk4": lambda: Explicit(RK4),
    "euler": lambda: Explicit(EULER),
}
AUTO = "auto"
COMPILED_ONLY = ("rodas4", "lobatto", "beuler", "cvode", "ida")
# By quantized states instead of steps in time: `runtime/qss`.
QUANTIZED = ("qss1", "qss2", "qss3", "liqss1", "liqss2", "liqss3", "mliqss2", "cqss")
SOLVERS = (
    *(AUTO, "dopri5", "rkf45", "rodas4", "radau", "lobatto"),
    *("euler", "rk4", "beuler", "cvode", "ida"),
)

# The region reaches to 3.3 on the real axis; PI control makes the steps settle a little below.
STABILITY_BORDER = 2.8
STIFF_STEPS = 15
CALM_STEPS = 6


def method_named(name: str) -> Method:
    if name in METHODS:
        return METHODS[name]()
    raise unknown_solver(name)


# Solvers of other programs, and the nearest of ours.
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
    known = (*SOLVERS, *QUANTIZED)
    close = get_close_matches(name.lower(), known, n=1, cutoff=0.4)
    hint = f"did you mean `{close[0]}`? " if close else ""
    if name.lower() in ELSEWHERE:
        ours = ELSEWHERE[name.lower()]
        hint = f"`{ours}` is the nearest to it here (`auto` chooses by itself); "
    return UsageError(
        Diagnostic(
            "U020", f"there is no solver `{name}`", help=f"{hint}choose one of {', '.join(known)}"
        )
    )


class StiffnessWatch:
    """Counts steps whose size stability has limited."""

    def __init__(self) -> None:
        self.stiff = 0
        self.calm = 0

    def sees_stiffness(self, estimate: float) -> bool:
        """Tell the estimate of an accepted step; true once the case is clear."""
        if estimate > STABILITY_BORDER:
            self.stiff += 1
            self.calm = 0
            return self.stiff >= STIFF_STEPS
        self.calm += 1
        if self.calm >= CALM_STEPS:
            self.stiff = 0
        return False
