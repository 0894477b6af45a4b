"""`freewheel flatten FILE|CLASS`: print the flat model as Modelica text."""

from __future__ import annotations

from collections.abc import Sequence

import click

from freewheel.tools.options import with_target
from freewheel.tools.output import deliver_text
from freewheel.tools.places import PLACE, WritingCommand


@click.command(cls=WritingCommand)
@with_target
@click.option("--out", type=PLACE, metavar="FILE", help="Write there instead of printing.")
def flatten(
    target: str, model: str | None, libraries: Sequence[str], as_json: bool, out: str | None
) -> None:
    """Print the model as plain variables and equations.

    Connectors, inheritance and modifiers are gone; what is printed is valid Modelica.
    """
    from freewheel.api import load
    from freewheel.base.names import show as show_name
    from freewheel.flat.show import show

    loaded = load(target, model=model, library=libraries)
    flat = loaded.flatten()
    about = {"model": show_name(loaded.name)}
    deliver_text(show(flat), out, as_json, about, flat.warnings)
