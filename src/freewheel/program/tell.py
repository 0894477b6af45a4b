"""Words for a step that failed: its equations, and the values that went into them.

text_of(about, program)    ->    "u = R*i"
values_of(about, program, memory)    ->    "R = 0, u = 1.5"
zero_pivots(about, program, memory)    ->    "`R` is zero"
hidden_switch(about, program, memory)    ->    "`1 - m` is zero and takes `s` away: `m` looks like .."
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.formula import build
from freewheel.formula.linear import linear_form
from freewheel.formula.nodes import ZERO, Expr, Real
from freewheel.formula.walk import map_bottom_up, substitute, variables_in
from freewheel.program.nodes import About, Program
from freewheel.structure.atoms import STATUS, show_atom
from freewheel.structure.blocks.incidence import equation_text, expr_text
from freewheel.structure.diagnosis.hidden_quantities import Texts, in_words, texts_of

MAX_EQUATIONS = 12
MAX_VALUES = 8


def text_of(about: About, program: Program) -> str:
    """One line per equation, with relations instead of their statuses."""
    if about.text:
        return about.text
    lines = [equation_text(e) for e in about.equations[:MAX_EQUATIONS]]
    if len(about.equations) > MAX_EQUATIONS:
        lines.append(f"and {len(about.equations) - MAX_EQUATIONS} more")
    text = "\n".join(lines) or (expr_text(about.expressions[0]) if about.expressions else "")
    return in_words(text, _hidden(program)) if "$" in text else text


def _hidden(program: Program) -> Texts:
    relations = [(program.names[r.status], r.text) for r in program.relations]
    return texts_of([e for s in program.sections["discrete"] for e in s.about.equations], relations)


def zero_pivots(about: About, program: Program, memory: Sequence[float]) -> str:
    """Parameters that are zero though something is divided by them, of the components concerned."""
    sides = [side for e in about.equations for side in (e.left, e.right)]
    concerned = {show_atom(var.name).rpartition(".")[0] for var in variables_in(*sides)}
    found: dict[str, None] = {}
    for pivot in program.pivots:
        for _, slots in pivot if len(pivot) == 1 else ():
            names = [program.names[slot] for slot in slots if memory[slot] == 0.0]
            found.update(dict.fromkeys(n for n in names if n.rpartition(".")[0] in concerned))
    names = [f"`{name}`" for name in found][:MAX_VALUES]
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} zero" if names else ""


def hidden_switch(about: About, program: Program, memory: Sequence[float]) -> str:
    """A factor that whole numbers make zero, where these are neither parameters nor states: a switch
    written with numbers, of which nobody could say beforehand that it is one."""
    slots = {name: slot for slot, name in enumerate(program.names)}
    given = {
        *program.parameters,
        *program.names[slice(*program.states)],
        program.names[program.time],
    }
    loop = frozenset(about.unknowns)
    for equation in about.equations:
        residual = build.minus(equation.left, equation.right)
        for unknown in variables_in(residual):
            form = None if show_atom(unknown.name) in given else linear_form(residual, (unknown,))
            factor = ZERO if form is None else form[0][0]
            numbers = {show_atom(var.name): var for var in variables_in(factor)}
            moving = [name for name in numbers if name not in given]
            is_told = all(name in slots for name in numbers)
            if not moving or not is_told or not loop.isdisjoint(numbers.values()):
                continue
            known: dict[Expr, Expr] = {v: Real(memory[slots[n]]) for n, v in numbers.items()}
            is_whole = all(float(memory[slots[name]]).is_integer() for name in moving)
            if is_whole and build.is_zero(map_bottom_up(substitute(factor, known), _folded)):
                told = ", ".join(f"`{name}`" for name in moving)
                return (
                    f"`{expr_text(factor)}` is zero and takes `{show_atom(unknown.name)}` away:"
                    f" {told} {'looks' if len(moving) == 1 else 'look'} like a switch whose"
                    " positions are not known beforehand"
                )
    return ""


def _folded(node: Expr) -> Expr:
    return build.rebuilt(node, node.args) if node.args else node


def values_of(about: About, program: Program, memory: Sequence[float]) -> str:
    """The unknowns first, then what else occurs."""
    slots = {name: slot for slot, name in enumerate(program.names)}
    sides = [side for e in about.equations for side in (e.left, e.right)]
    names = [show_atom(var.name) for var in about.unknowns]
    names += [show_atom(var.name) for var in variables_in(*sides, *about.expressions)]
    told = [n for n in dict.fromkeys(names) if n in slots and not n.startswith(STATUS)]
    words = _hidden(program) if any("$" in name for name in told) else {}
    named = {name: in_words(name, words) for name in told}
    told = [name for name, text in named.items() if "$" not in text]
    parts = [f"{named[name]} = {float(memory[slots[name]]):.6g}" for name in told[:MAX_VALUES]]
    if len(told) > MAX_VALUES:
        parts.append("...")
    return ", ".join(parts)
