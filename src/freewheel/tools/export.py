"""`freewheel export FILE|CLASS --to acsl`: the model as a program for another simulator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from freewheel.export.kinds import KINDS
from freewheel.export.options import ELIMINATIONS, FORMS, LOOPS, STAGES
from freewheel.tools.options import read_pairs, with_target
from freewheel.tools.places import PLACE, WritingCommand
from freewheel.tools.report import print_json
from freewheel.tools.terminal import echo


def _list_of_kinds() -> str:
    return "\b\n" + "\n".join(f"  {kind:<12} {line}" for kind, (_, _, line) in KINDS.items())


@click.command(cls=WritingCommand, epilog=_list_of_kinds())
@with_target
@click.option(
    "--to",
    "kind",
    type=click.Choice(tuple(KINDS), case_sensitive=False),
    required=True,
    help="For whom.",
)
@click.option("--out", type=PLACE, metavar="DIR|FILE", help="Write there instead of printing.")
@click.option(
    "--param",
    "--input",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a parameter, or drive an input by a formula; repeatable.",
)
@click.option(
    "--eliminate",
    type=click.Choice(ELIMINATIONS),
    default="zeros",
    show_default=True,
    help="What to remove first, as in `equations`.",
)
@click.option(
    "--form",
    type=click.Choice(FORMS),
    default="ode",
    show_default=True,
    help="Solved for derivatives, or as residuals (DSblock).",
)
@click.option(
    "--loops",
    type=click.Choice(LOOPS),
    default="torn",
    show_default=True,
    help="Linear ones as a small matrix, as the formulas of `equations`, or as the whole matrix.",
)
@click.option(
    "--stage",
    type=click.Choice((*STAGES, "all")),
    default="all",
    show_default=True,
    help="Which stage of the translation (json).",
)
@click.option("--stop", type=float, metavar="TIME", help="Where a run ends.")
@click.option("--interval", type=float, metavar="TIME", help="Between stored points.")
@click.option("--tol", type=float, metavar="NUMBER", help="Relative tolerance of a run.")
def export(
    target: str,
    model: str | None,
    libraries: Sequence[str],
    as_json: bool,
    kind: str,
    out: str | None,
    changes: Sequence[str],
    eliminate: str,
    form: str,
    loops: str,
    stage: str,
    stop: float | None,
    interval: float | None,
    tol: float | None,
) -> None:
    """Write the model down for another simulator or language.

    Without --out the text is printed; several files come one after the other.
    """
    from freewheel.api import load
    from freewheel.base.names import show as show_name
    from freewheel.export.write_files import write_files

    loaded = load(target, model=model, library=libraries).changed(read_pairs(changes, "--param"))
    texts = loaded.export(
        kind,
        eliminate=eliminate,
        form=form,
        loops=loops,
        stop=stop,
        interval=interval,
        tol=tol,
        stage=stage,
    )
    written = [] if out is None else [str(path) for path in write_files(texts, Path(out))]
    if as_json:
        body = {"files": dict(texts)} if out is None else {"out": written}
        print_json({"model": show_name(loaded.name), "kind": kind, **body})
    elif out is None:
        echo("\n".join(text.rstrip("\n") for text in texts.values()))
    else:
        echo("\n".join(written))
