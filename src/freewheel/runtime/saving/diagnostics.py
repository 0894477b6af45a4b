"""What is wrong with the image of a saved run, or with saving one."""

from __future__ import annotations

from freewheel.base.diagnostics import UsageError
from freewheel.runtime.diagnostics import usage

DAMAGED, FOREIGN, UNSAVED, ENDED = "U130", "U131", "U132", "U133"


def damaged(why: str) -> UsageError:
    return usage(
        DAMAGED,
        f"this is no image of a saved run: {why}",
        help="take the bytes, or the file, that `Run.save` has made, unchanged",
    )


def of_another(what: str, help: str) -> UsageError:
    return usage(FOREIGN, f"the image of the saved run is that of {what}", help)


def cannot_save(solver: str) -> UsageError:
    return usage(
        UNSAVED,
        f"a run with {solver} cannot be saved on its way: the library keeps its history to itself",
        help="choose one of our own solvers: `dopri5`, or `radau` or `rodas4` for stiff models",
    )


def lacks_functions(names: list[str]) -> UsageError:
    listed = ", ".join(f"`{name}`" for name in names)
    return usage(
        FOREIGN,
        f"the image of the saved run does not hold the function that drives {listed}",
        help="give the same functions again: `Run.restore(model, image, inputs={...})`",
    )


def is_over() -> UsageError:
    return usage(
        ENDED,
        "the run is over",
        help="begin another one with `model.begin(...)`, or restore one with `Run.restore(...)`",
    )
