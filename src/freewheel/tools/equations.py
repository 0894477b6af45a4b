"""`freewheel equations FILE|CLASS --stage sorted`: what formula manipulation has done so far."""

from __future__ import annotations

from collections.abc import Sequence

import click

from freewheel.tools.options import with_target
from freewheel.tools.output import deliver_text

STAGES = ("flat", "aliases", "sorted", "solved", "blocks")


@click.command()
@with_target
@click.option(
    "--stage",
    type=click.Choice(STAGES),
    default="solved",
    show_default=True,
    help="How far to go: as flattened, aliases removed, sorted, solved, or block by block.",
)
@click.option("--out", metavar="FILE", help="Write there instead of printing.")
def equations(
    target: str,
    model: str | None,
    libraries: Sequence[str],
    as_json: bool,
    stage: str,
    out: str | None,
) -> None:
    """Print the equations of a model at one stage of formula manipulation."""
    from freewheel.api import load
    from freewheel.base.names import show as show_name

    loaded = load(target, model=model, library=libraries)
    about = {"model": show_name(loaded.name), "stage": stage}
    deliver_text(loaded.equations(stage), out, as_json, about)
