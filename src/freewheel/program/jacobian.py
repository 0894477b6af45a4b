"""The derivative of the `derivatives` section with respect to the states, as a program of its own.

    der(x) = -k*x*y     ->     entry (x, x): -k*y, entry (x, y): -k*x

Forward differentiation (see `tangents`), all columns in one pass: each variable carries one tangent
per colour, where states that no derivative shares have the same colour (`graphs.coloring`). The
section `derivatives` must have been evaluated at the same point.
"""

from __future__ import annotations

from freewheel.base.diagnostics import CompileError
from freewheel.formula.nodes import ONE, ZERO, Expr
from freewheel.graphs.coloring import color_columns
from freewheel.program.nodes import JacobianProgram, Program
from freewheel.program.share import share
from freewheel.program.tangents import Seeds, Tangents, TooLarge


def jacobian_of(program: Program) -> JacobianProgram | None:
    """None where the program cannot be differentiated, or not with profit."""
    if program.sparsity is None or not program.state_slots:
        return None
    try:
        return _jacobian(program, program.sparsity)
    except (CompileError, TooLarge):
        return None


def _jacobian(program: Program, columns: tuple[tuple[int, ...], ...]) -> JacobianProgram:
    colors = color_columns(columns)
    seeds: list[Seeds] = [{} for _ in range(max(colors, default=-1) + 1)]
    for number, color in enumerate(colors):
        seeds[color][program.states[0] + number] = ONE
    work = Tangents(program, seeds)
    work.steps_of(program.plain_derivatives)
    first = program.derivatives[0]
    entries: list[Expr] = []
    for number, rows in enumerate(columns):
        found = work.tangents[colors[number]]
        entries += [found.get(first + row, ZERO) for row in rows]
    work.must_know_functions(entries)
    functions = tuple(work.functions.generated.values())
    return JacobianProgram(share(work.steps)[0], tuple(entries), columns, work.extra, functions)
