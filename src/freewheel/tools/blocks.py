"""`freewheel blocks FILE|CLASS --svg out.svg`: which equations are solved in which order.

With `--diagram` the computational causality as a block diagram; else the incidence matrix before and
after sorting.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.files import replacing
from freewheel.tools.options import with_target
from freewheel.tools.places import PLACE, WritingCommand
from freewheel.tools.report import print_json
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.api.model import Model


@click.command(cls=WritingCommand)
@with_target
@click.option("--svg", type=PLACE, metavar="FILE", help="Draw into this file.")
@click.option("--initial", is_flag=True, help="Take the start-up system, not the running model.")
@click.option("--diagram", is_flag=True, help="Block diagram: integrators, sums, gains, functions.")
@click.option("--differential", is_flag=True, help="Diagram: differentiate states where possible.")
@click.option("--open", "component", metavar="NAME", help="Diagram: this component only.")
@click.option("--fold/--no-fold", default=True, help="Diagram: large ones by component (default).")
def blocks(
    target: str,
    model: str | None,
    libraries: Sequence[str],
    as_json: bool,
    svg: str | None,
    initial: bool,
    diagram: bool,
    differential: bool,
    component: str | None,
    fold: bool,
) -> None:
    """Show which equations are solved one by one, and which together."""
    from freewheel.api import load

    _check_options(initial, diagram, {"--differential": differential, "--open": bool(component)})
    loaded = load(target, model=model, library=libraries)
    if diagram:
        _block_diagram(loaded, differential, component, fold, svg, as_json)
    else:
        _matrix(loaded, initial, svg, as_json)


def _check_options(initial: bool, diagram: bool, of_diagrams: dict[str, bool]) -> None:
    wrong = "--initial" if initial and diagram else ""
    for option, is_given in of_diagrams.items():
        if is_given and not diagram:
            wrong = option
    if wrong:
        needed = "without" if diagram else "with"
        raise UsageError(
            Diagnostic("U094", f"`{wrong}` goes {needed} `--diagram`", help="leave one of them out")
        )


def _block_diagram(
    loaded: Model,
    differential: bool,
    component: str | None,
    fold: bool,
    svg: str | None,
    as_json: bool,
) -> None:
    from freewheel.listing.block_diagram.draw import draw, summary
    from freewheel.listing.block_diagram.nodes import Kind
    from freewheel.listing.block_diagram.show import as_data, show

    picture = loaded.block_diagram(differential=differential, component=component, fold=fold)
    if svg is not None:
        with replacing(Path(svg)) as stream:
            stream.write(draw(picture))
    if as_json:
        print_json({**as_data(picture), "svg": svg})
        return
    echo(f"{picture.name}: {summary(picture)}")
    inside = [block.label for block in picture.blocks if block.kind is Kind.COMPONENT]
    if inside:
        echo(f"  `--open {inside[0]}` shows the blocks of that component, `--no-fold` all blocks")
    echo(f"  svg   {svg}" if svg is not None else show(picture), nl=svg is not None)


def _matrix(loaded: Model, initial: bool, svg: str | None, as_json: bool) -> None:
    from freewheel.listing.incidence_matrix.make import block_matrix
    from freewheel.listing.incidence_matrix.show import as_data, show

    matrix = block_matrix(loaded.upto("structure").ordered, initial)
    if svg is not None:
        from freewheel.listing.incidence_matrix.draw import draw

        with replacing(Path(svg)) as stream:
            stream.write(draw(matrix))
    if as_json:
        print_json({**as_data(matrix), "svg": svg})
        return
    echo(show(matrix), nl=False)
    if svg is not None:
        echo(f"  svg   {svg}")
