"""What can be chosen about an export."""

from __future__ import annotations

from dataclasses import dataclass

ELIMINATIONS = ("none", "aliases", "zeros", "surplus")
FORMS = ("ode", "dae")
LOOPS = ("torn", "formulas", "matrix")
STAGES = ("instance", "flat", "structure", "program")


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What is not given follows the model's `experiment` annotation.

    `eliminate` is as in `Model.equations`; the listings of Cellier and Elmqvist (1993) keep what is
    zero (`aliases`). `form` matters to DSblock only. `stage` is one of the stages for `json`, or all.
    `loops` says how linear ones are solved: a small matrix after tearing, by the formulas of the listing
    (with names for common subexpressions if these are to be `shared`), or by the whole matrix and Linpack
    where the language has it.
    """

    eliminate: str = "zeros"
    form: str = "ode"
    stop: float | None = None
    interval: float | None = None
    tolerance: float | None = None
    stage: str = "all"
    loops: str = "torn"
    share: bool = True
    name: str = ""  # of the program; that of the model if empty
