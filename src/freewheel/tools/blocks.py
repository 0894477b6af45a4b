"""`freewheel blocks FILE|CLASS --svg out.svg`: which equations are solved in which order.

With `--diagram` the computational causality as a block diagram; else the incidence matrix before and
after sorting.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freewheel.base.diagnostics import Diagnostic, UsageError, counted
from freewheel.base.files import replacing
from freewheel.tools.options import with_target
from freewheel.tools.places import PLACE, WritingCommand
from freewheel.tools.report import print_json
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.api.model import Model
    from freewheel.listing.block_diagram.nodes import Diagram
    from freewheel.structure.block_matrix import BlockMatrix


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
    from freewheel.listing.block_diagram.show import show

    picture = loaded.block_diagram(differential=differential, component=component, fold=fold)
    if svg is not None:
        with replacing(Path(svg)) as stream:
            stream.write(draw(picture))
    if as_json:
        print_json(_diagram_as_json(picture, svg))
        return
    echo(f"{picture.name}: {summary(picture)}")
    inside = [block.label for block in picture.blocks if block.kind is Kind.COMPONENT]
    if inside:
        echo(f"  `--open {inside[0]}` shows the blocks of that component, `--no-fold` all blocks")
    echo(f"  svg   {svg}" if svg is not None else show(picture), nl=svg is not None)


def _diagram_as_json(picture: Diagram, svg: str | None) -> dict[str, Any]:
    return {
        "model": picture.name,
        "causality": picture.causality,
        "loops": list(picture.loops),
        "blocks": [
            {
                "kind": block.kind.value,
                "label": block.label,
                "outputs": list(block.outputs),
                "inputs": [
                    {"block": i.block, "output": i.output, "mark": i.mark} for i in block.inputs
                ],
                "loop": block.loop,
            }
            for block in picture.blocks
        ],
        "svg": svg,
    }


def _matrix(loaded: Model, initial: bool, svg: str | None, as_json: bool) -> None:
    from freewheel.structure.block_matrix import block_matrix

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
    echo(
        f"{matrix.name}: {counted(len(matrix.after.rows), 'equation')} in"
        f" {counted(len(matrix.blocks), 'block')}, {len(matrix.loops)} of them"
        f" {'a loop' if len(matrix.loops) == 1 else 'loops'};"
        f" {counted(len(matrix.states), 'state')}"
    )
    for loop in matrix.loops:
        kind = "linear" if loop.is_linear else "implicit" if loop.is_implicit else "nonlinear"
        names = ", ".join(matrix.after.column_names[loop.end - loop.torn : loop.end][:6])
        more = f" and {loop.torn - 6} more" if loop.torn > 6 else ""
        how = f"iterates on {names}{more}" if loop.is_torn else "solved as a whole"
        echo(f"  {kind} loop of {loop.size}, {how}")
    if svg is not None:
        echo(f"  svg   {svg}")


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
