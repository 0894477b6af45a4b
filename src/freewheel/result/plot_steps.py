"""Step size over time as a picture: where the solver worked hard, and where events cut its steps.

plot_steps(result, Path("steps.png"))
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.result.plot import no_tex, picture_class, save, shown
from freewheel.result.store import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_EVENTS = 500  # lines drawn; more of them hide the steps


def plot_steps(result: Result, file: Path | None) -> Figure:
    """Sizes on a logarithmic scale at the end of each accepted step; events as thin lines."""
    Picture = picture_class()
    if not len(result.step_sizes):
        raise UsageError(
            Diagnostic(
                "U033",
                "no step sizes were kept",
                help="a model without states takes no steps; a result read from a file has none",
            )
        )
    times, sizes = np.asarray(result.step_sizes).T
    with no_tex():
        figure = Picture(figsize=(8.0, 4.0), layout="constrained")
        axes = figure.subplots()
        axes.semilogy(times, sizes, marker=".", markersize=3, linewidth=0.7)
        for event in result.events[:MOST_EVENTS]:
            axes.axvline(event.time, color="tab:red", alpha=0.25, linewidth=0.7)
        axes.set_title(f"{shown(result.model)}: step size ({result.stats.get('solver', 'solver')})")
        axes.set_xlabel("time [s]")
        axes.set_ylabel("step size [s]")
        axes.grid(True, alpha=0.3)
        if file is not None:
            save(figure, file)
    return figure
