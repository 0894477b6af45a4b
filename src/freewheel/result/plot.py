"""Curves as a picture, where matplotlib is installed.

    plot(result, ("C.v", "L.i"), Path("circuit.png"))

Curves of the same unit share an axis; each unit gets a row of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import catch_warnings, simplefilter

import numpy as np

from freewheel.base.diagnostics import Diagnostic, UsageError, shortened
from freewheel.base.files import replacing
from freewheel.base.printable import printable
from freewheel.result.frame import missing, require_package
from freewheel.result.select import Selection, unknown_name
from freewheel.result.store import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_UNASKED = 8  # curves drawn when none is named
LINE = 115  # letters that fit above a picture; a sample of the line takes the place of some
SAMPLE = 7


def plot(result: Result, names: Sequence[str], file: Path | None) -> Figure:
    Picture = picture_class()
    chosen = _chosen(result, names) or _interesting(result)
    if not chosen:
        raise UsageError(
            Diagnostic("U033", "nothing in this result varies", help="name the variables to plot")
        )
    by_unit: dict[str, list[str]] = {}
    for name in chosen:
        by_unit.setdefault(result.column(name).unit, []).append(name)
    with no_tex():
        figure = Picture(figsize=(8.0, 2.0 + 2.4 * len(by_unit)), layout="constrained")
        rows = figure.subplots(len(by_unit), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (unit, group) in zip(rows, by_unit.items(), strict=True):
            _draw(axes, result, unit, group)
        figure.suptitle(shown(result.model))
        rows[-1].set_xlabel("time [s]")
        if file is not None:
            save(figure, file)
    return figure


def no_tex() -> AbstractContextManager[None]:
    """Names are no TeX: `latex` is not started, whatever a `matplotlibrc` in the working folder says."""
    import matplotlib

    return matplotlib.rc_context({"text.usetex": False})


def shown(text: str) -> str:
    """A text of the model in a picture: no formula between dollar signs, and not longer than a line."""
    return shortened(printable(text), LINE).replace("$", r"\$")


def picture_class() -> type[Figure]:
    """A figure of its own, not pyplot: no window system is asked for, nothing global is kept."""
    # A `matplotlibrc` of the working folder, which may be somebody else's, would be quoted as it is.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    try:
        import matplotlib.figure  # noqa: F401  # missing: told so, also where ours is loaded

        from freewheel.result.picture import Picture
    except ImportError as problem:
        raise missing("matplotlib", "plots") from problem
    return Picture


def _chosen(result: Result, names: Sequence[str]) -> list[str]:
    """Elements for arrays, what it means for a pattern; an unknown name is refused."""
    known = Selection(result.names())
    for name in names:
        if name != "time" and not known.of(name):
            raise UsageError(unknown_name(name, result.names()))
    return [one for name in names for one in (known.of(name) or [name])]


def require_kind(file: Path) -> None:
    """Before the run: pictures of this kind can be written."""
    require_package("matplotlib", "plots")
    _kind_of(picture_class()(), file)


def _draw(axes: Axes, result: Result, unit: str, names: Sequence[str]) -> None:
    for name in names:
        held = result.column(name).kind == "discrete"
        axes.plot(
            result.time,
            result[name],
            label=shown(result.label(name)),
            drawstyle="steps-post" if held else "default",
        )
    axes.grid(True, alpha=0.3)
    _name_curves(axes, [shown(result.label(name)) for name in names])
    if unit:
        axes.set_ylabel(f"[{shown(unit)}]")


def _name_curves(axes: Axes, labels: Sequence[str]) -> None:
    """Above the curves, so that none is covered."""
    columns = max(1, min(len(labels), LINE // max(len(label) + SAMPLE for label in labels)))
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=columns,
        fontsize="small",
        frameon=False,
        borderaxespad=0.2,
    )


def _interesting(result: Result) -> list[str]:
    """The first public curves that vary, each stored row once."""
    chosen: list[str] = []
    rows: set[int] = set()
    for name, column in result.columns.items():
        if column.row < 1 or column.row in rows or column.is_protected:
            continue
        curve = result.data[column.row]
        if np.nanmax(curve) > np.nanmin(curve):
            chosen.append(name)
            rows.add(column.row)
        if len(chosen) == MOST_UNASKED:
            break
    return chosen


def save(figure: Figure, file: Path) -> None:
    kind = _kind_of(figure, file)
    with replacing(file, "wb") as stream, catch_warnings():
        simplefilter("ignore")  # letters that the font does not have, printed as they are
        figure.savefig(stream, format=kind, dpi=120)


def _kind_of(figure: Figure, file: Path) -> str:
    kind = file.suffix.lstrip(".").lower() or "png"
    supported = figure.canvas.get_supported_filetypes()
    if kind not in supported:
        raise UsageError(
            Diagnostic(
                "U034",
                f"pictures of kind `.{kind}` cannot be written",
                help="choose one of " + ", ".join(sorted(supported)),
                file=str(file),
            )
        )
    return kind
