"""`simulate`, `plot` and `print` of a session.

simulate stop=1E-3 u=10 R1.R=50        an input, a parameter and the end of the run
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freewheel.api import Model
from freewheel.base.diagnostics import Diagnostic, UsageError, render
from freewheel.base.files import file_name
from freewheel.base.names import show
from freewheel.base.source import Source
from freewheel.dymola.lower_equations import Meaning, lower_expression
from freewheel.dymola.parser import read_expression
from freewheel.flat.nodes import Causality
from freewheel.result.events import event_log
from freewheel.result.store import Result
from freewheel.syntax.show_expressions import show_expression
from freewheel.tools.classic.settings import Settings
from freewheel.tools.options import read_pairs

_NUMBERS = ("start", "stop", "tol", "interval")
_TEXTS = ("solver",)


@dataclass(frozen=True, slots=True)
class Curves:
    """A finished run."""

    result: Result
    with_events: bool

    def report(self) -> str:
        result = self.result
        count = len(result.events)
        events = "1 event" if count == 1 else f"{count} events"
        span = f"{float(result.time[0]):g} s to {float(result.time[-1]):g} s"
        lines = [f"{result.model}: {span}, {len(result)} points, {events}"]
        if self.with_events:
            lines += event_log(result.events)
        if result.warnings:
            lines.append(render(result.warnings))
        return "\n".join(lines)

    def plot(self, words: Sequence[str], place_of: Callable[[str], Path]) -> str:
        """The file written; a word that ends in `.png`, `.svg` or `.pdf` names it."""
        files = [word for word in words if word.endswith((".png", ".svg", ".pdf"))]
        names = [word for word in words if word not in files]
        file = place_of(files[-1] if files else file_name(self.result.model, ".png"))
        self.result.plot(*names, file=file)
        return str(file)

    def values(self, names: Sequence[str]) -> str:
        if not names:
            raise UsageError(Diagnostic("U072", "which variables?", help="as in `print C.u L.i`"))
        width = max(map(len, names))
        lines = []
        for name in names:
            curve = self.result[name]
            lines.append(f"{name:<{width}}  {float(curve[0]):.9g}  {float(curve[-1]):.9g}\n")
        return "".join(lines)


def simulate(model: Model, text: str, settings: Settings) -> Curves:
    """Run the model; words are `name=value`."""
    if settings.by_hand:
        known = ", ".join(show(name) for name in settings.of_kind("known"))
        raise UsageError(
            Diagnostic(
                "U073",
                f"nothing gives the derivative of {known or 'what was made unknown'}",
                help="causality chosen by hand is for reading; `differentiate` instead",
            )
        )
    pairs = read_pairs(text.replace(",", " ").split(), "simulate")
    options: dict[str, Any] = {
        key: _number(key, pairs.pop(key)) for key in _NUMBERS if key in pairs
    }
    options.update((key, pairs.pop(key)) for key in _TEXTS if key in pairs)
    inputs = {show(v.name) for v in model.flatten().variables if v.causality is Causality.INPUT}
    values = {name: value_text(value) for name, value in pairs.items()}
    result = model.simulate(
        inputs={name: value for name, value in values.items() if name in inputs},
        params={name: value for name, value in values.items() if name not in inputs},
        event_log=settings.is_on("PrintEvent"),
        **options,
    )
    return Curves(result, settings.is_on("PrintEvent"))


def value_text(text: str) -> str:
    """A formula of the classic language in Modelica: `ln(Time)**2` is `log(time)^2`."""
    source = Source.from_text(text, "<value>.dym")
    return show_expression(lower_expression(read_expression(source), Meaning(source)))


def _number(key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(
            Diagnostic("U005", f"`{key}={text}` is not a number", help=f"for example {key}=1E-3")
        ) from None
