"""`freewheel blocks FILE|CLASS --svg out.svg`: the incidence matrix before and after sorting."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freewheel.base.files import replacing
from freewheel.tools.options import with_target
from freewheel.tools.report import print_json

if TYPE_CHECKING:
    from freewheel.structure.block_matrix import BlockMatrix


@click.command()
@with_target
@click.option("--svg", metavar="FILE", help="Draw both matrices into this file.")
@click.option("--initial", is_flag=True, help="Take the start-up system, not the running model.")
def blocks(
    target: str,
    model: str | None,
    libraries: Sequence[str],
    as_json: bool,
    svg: str | None,
    initial: bool,
) -> None:
    """Show which equations are solved one by one, and which together."""
    from freewheel.api import load
    from freewheel.structure.block_matrix import block_matrix

    loaded = load(target, model=model, library=libraries)
    matrix = block_matrix(loaded.upto("structure").ordered, initial)
    if svg is not None:
        from freewheel.structure.draw_blocks import draw

        with replacing(Path(svg)) as stream:
            stream.write(draw(matrix))
    if as_json:
        print_json(_as_json(matrix, svg))
    else:
        _print(matrix, svg)


def _print(matrix: BlockMatrix, svg: str | None) -> None:
    click.echo(
        f"{matrix.name}: {len(matrix.after.rows)} equations in {len(matrix.blocks)} blocks,"
        f" {len(matrix.loops)} of them loops; {len(matrix.states)} states"
    )
    for loop in matrix.loops:
        kind = "linear" if loop.is_linear else "implicit" if loop.is_implicit else "nonlinear"
        names = ", ".join(matrix.after.column_names[loop.end - loop.torn : loop.end][:6])
        more = f" and {loop.torn - 6} more" if loop.torn > 6 else ""
        how = f"iterates on {names}{more}" if loop.is_torn else "solved as a whole"
        click.echo(f"  {kind} loop of {loop.size}, {how}")
    if svg is not None:
        click.echo(f"  svg   {svg}")


def _as_json(matrix: BlockMatrix, svg: str | None) -> dict[str, Any]:
    return {
        "model": matrix.name,
        "equations": len(matrix.after.rows),
        "states": list(matrix.states),
        "blocks": [
            {
                "unknowns": list(matrix.after.column_names[block.first : block.end]),
                "iterates_on": list(matrix.after.column_names[block.end - block.torn : block.end]),
                "linear": block.is_linear,
                "implicit": block.is_implicit,
            }
            for block in matrix.blocks
        ],
        "svg": svg,
    }
