"""How crossings are found and located, by the names a user chooses.

ROOT_SOLVERS["hermite"]        # the number that kernels know
check_choice("root solver", "illinois", ROOT_SOLVERS)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches

from freewheel.runtime.diagnostics import usage
from freewheel.runtime.events.detection import BY_ENDS, BY_MIDDLE, BY_SLOPES, BY_STURM
from freewheel.runtime.events.root_solvers import (
    CUBIC,
    DENSE,
    FIBONACCI,
    GOLDEN,
    HERMITE,
    ILLINOIS,
    NEWTON,
    NORDSIECK,
)

ROOT_SOLVERS: Mapping[str, int] = {
    "illinois": ILLINOIS,
    "golden": GOLDEN,
    "fibonacci": FIBONACCI,
    "newton": NEWTON,
    "cubic": CUBIC,
    "hermite": HERMITE,
    "dense": DENSE,
    "nordsieck": NORDSIECK,
}
DETECTIONS: Mapping[str, int] = {
    "ends": BY_ENDS,
    "middle": BY_MIDDLE,
    "slopes": BY_SLOPES,
    "sturm": BY_STURM,
}
STEP_CONTROLS = ("pi", "optimistic")
OPTIMISTIC_SOLVERS = ("dopri5", "rkf45")  # explicit ones: an implicit step may not have converged
IMPULSES = ("accept", "warn", "error")
BOUNDS = ("off", "warn", "error")


def check_choice(what: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        near = get_close_matches(name, names, 1)
        hint = f"did you mean `{near[0]}`? " if near else ""
        raise usage("U027", f"there is no {what} `{name}`", f"{hint}there are: {', '.join(names)}")


def check_optimism(solver: str, has_core: bool) -> None:
    """Optimistic step control is for methods whose every step has a result."""
    if solver not in OPTIMISTIC_SOLVERS or has_core:
        name = "the implicit core of ideal elements" if has_core else f"the solver `{solver}`"
        raise usage(
            "U027",
            f"optimistic step control is not for {name}",
            f"choose --solver {' or '.join(OPTIMISTIC_SOLVERS)}, or leave --step-control out",
        )
