"""The blocks of an incidence matrix in words, and as data for JSON.

show(block_matrix(ordered))     "Divider: 5 equations in 3 blocks, 1 of them a loop; 0 states"
"""

from __future__ import annotations

from typing import Any

from freewheel.base.diagnostics import counted
from freewheel.listing.incidence_matrix.make import BlockMatrix

MOST = 6  # unknowns of a loop that are named


def show(matrix: BlockMatrix) -> str:
    lines = [
        f"{matrix.name}: {counted(len(matrix.after.rows), 'equation')} in"
        f" {counted(len(matrix.blocks), 'block')}, {len(matrix.loops)} of them"
        f" {'a loop' if len(matrix.loops) == 1 else 'loops'};"
        f" {counted(len(matrix.states), 'state')}"
    ]
    for loop in matrix.loops:
        kind = "linear" if loop.is_linear else "implicit" if loop.is_implicit else "nonlinear"
        names = ", ".join(matrix.after.column_names[loop.end - loop.torn : loop.end][:MOST])
        more = f" and {loop.torn - MOST} more" if loop.torn > MOST else ""
        how = f"iterates on {names}{more}" if loop.is_torn else "solved as a whole"
        lines.append(f"  {kind} loop of {loop.size}, {how}")
    return "\n".join(lines) + "\n"


def as_data(matrix: BlockMatrix) -> dict[str, Any]:
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
    }
