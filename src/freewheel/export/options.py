"""What can be chosen about an export."""

from __future__ import annotations

from dataclasses import dataclass

ELIMINATIONS = ("none", "aliases", "zeros", "surplus")
FORMS = ("ode", "dae")
STAGES = ("instance", "flat", "structure", "program")


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What is not given follows the model's `experiment` annotation.

    `eliminate` is as in `Model.equations`; the listings of Cellier and Elmqvist (1993) keep what is
    zero (`aliases`). `form` matters to DSblock only. `stage` is one of the stages for `json`, or all.
    """

    eliminate: str = "zeros"
    form: str = "ode"
    stop: float | None = None
    interval: float | None = None
    tolerance: float | None = None
    stage: str = "all"
    name: str = ""  # of the program; that of the model if empty
