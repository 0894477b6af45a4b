"""Words for a step that failed: its equations, and the values that went into them.

text_of(about)    ->    "u = R*i"
values_of(about, program, memory)    ->    "R = 0, u = 1.5"
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.formula.walk import variables_in
from freewheel.program.nodes import About, Program
from freewheel.structure.atoms import show_atom
from freewheel.structure.incidence import equation_text, expr_text

MAX_EQUATIONS = 12
MAX_VALUES = 8


def text_of(about: About) -> str:
    """One line per equation."""
    if about.text:
        return about.text
    lines = [equation_text(e) for e in about.equations[:MAX_EQUATIONS]]
    if len(about.equations) > MAX_EQUATIONS:
        lines.append(f"and {len(about.equations) - MAX_EQUATIONS} more")
    return "\n".join(lines) or (expr_text(about.expressions[0]) if about.expressions else "")


def values_of(about: About, program: Program, memory: Sequence[float]) -> str:
    """The unknowns first, then what else occurs."""
    slots = {name: slot for slot, name in enumerate(program.names)}
    sides = [side for e in about.equations for side in (e.left, e.right)]
    names = [show_atom(var.name) for var in about.unknowns]
    names += [show_atom(var.name) for var in variables_in(*sides, *about.expressions)]
    told = [name for name in dict.fromkeys(names) if name in slots]
    parts = [f"{name} = {float(memory[slots[name]]):.6g}" for name in told[:MAX_VALUES]]
    if len(told) > MAX_VALUES:
        parts.append("...")
    return ", ".join(parts)
