"""`freewheel equations FILE|CLASS --stage sorted`: what formula manipulation has done so far."""

from __future__ import annotations

from collections.abc import Sequence

import click

from freewheel.tools.options import with_target
from freewheel.tools.output import deliver_text
from freewheel.tools.places import PLACE, WritingCommand

STAGES = ("flat", "aliases", "assigned", "differentiated", "sorted", "solved", "blocks")
ELIMINATE = ("none", "aliases", "zeros", "surplus")


@click.command(cls=WritingCommand)
@with_target
@click.option(
    "--stage",
    type=click.Choice(STAGES),
    default="solved",
    show_default=True,
    help="How far to go: as flattened, aliases removed, with the variable that each equation gives"
    " (assigned), after index reduction, sorted, solved, or block by block.",
)
@click.option(
    "--eliminate",
    type=click.Choice(ELIMINATE),
    default="zeros",
    show_default=True,
    help="What to remove first: nothing, a = b, also a = 0 (as simulated), or everything that is not needed.",
)
@click.option("--matrix", is_flag=True, help="Show linear systems as matrices, not solved.")
@click.option("--no-share", is_flag=True, help="Give no names to divisors used more than once.")
@click.option("--out", type=PLACE, metavar="FILE", help="Write there instead of printing.")
def equations(
    target: str,
    model: str | None,
    libraries: Sequence[str],
    as_json: bool,
    stage: str,
    eliminate: str,
    matrix: bool,
    no_share: bool,
    out: str | None,
) -> None:
    """Print the equations of a model at one stage of formula manipulation."""
    from freewheel.api import load
    from freewheel.base.names import show as show_name

    loaded = load(target, model=model, library=libraries)
    about = {"model": show_name(loaded.name), "stage": stage}
    text = loaded.equations(stage, eliminate=eliminate, matrix=matrix, share=not no_share)
    deliver_text(text, out, as_json, about)
