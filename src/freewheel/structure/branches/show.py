"""Switches in words: what each element is, which states it takes away, and what stays implicit.

D: curve, 2 cases of `D.off`
  D.off = true: L.i is no state
implicit: 5 equations for D.v, D.p.v, D.s, L.v, L.i
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.formula.nodes import Var
from freewheel.structure.atoms import show_atom
from freewheel.structure.branches.nodes import Bit, Case, Conflict, Core, Element, Recognised
from freewheel.structure.incidence import equation_text
from freewheel.structure.nodes import ScalarEquation

MAX_NAMED = 8


def show_switches(
    found: Recognised,
    conflicts: Sequence[Conflict],
    core: Core | None,
    equations: Sequence[ScalarEquation],
) -> str:
    if not found.elements:
        return "no equation changes what it speaks of: nothing switches the structure\n"
    lines: list[str] = []
    for element in found.elements:
        lines.append(_element(element, found.bits))
        lines += [f"    {equation_text(equations[row])}" for row in element.equations]
        own = [c for c in conflicts if c.element == element.number and not c.is_joint]
        lines += [f"  {_conflict(c, found.bits, equations)}" for c in own]
    joint = [c for c in conflicts if c.is_joint]
    if joint:
        lines.append("only together:")
        lines += [f"  {_conflict(c, found.bits, equations)}" for c in joint]
    lines.append(_core(core))
    return "\n".join(lines) + "\n"


def _element(element: Element, bits: Sequence[Bit]) -> str:
    conditions = ", ".join(f"`{bits[bit].text}`" for bit in element.bits)
    return f"{element.name}: {element.kind} by {conditions}"


def case_text(case: Case, bits: Sequence[Bit]) -> str:
    if not case:
        return "always"
    return ", ".join(
        f"{bits[bit].text} = {str(value == bits[bit].is_direct).lower()}" for bit, value in case
    )


def _conflict(conflict: Conflict, bits: Sequence[Bit], equations: Sequence[ScalarEquation]) -> str:
    case = case_text(conflict.case, bits)
    said: list[str] = []
    if conflict.states:
        verb = "is no state" if len(conflict.states) == 1 else "are not all states"
        said.append(f"{_names(conflict.states)} {verb}")
    if conflict.is_floating:
        rows = ", ".join(f"`{equation_text(equations[r])}`" for r in conflict.rows[:MAX_NAMED])
        said.append(f"something is left open, since {rows} say too much")
    return f"{case}: {'; '.join(said)}"


def _core(core: Core | None) -> str:
    if core is None:
        return "no state depends on a switch: ordinary equations hold in every position"
    count = len(core.equations)
    return f"implicit: {count} equations for {_names(core.variables, count)}"


def _names(variables: Sequence[Var], most: int = MAX_NAMED) -> str:
    shown = [show_atom(var.name) for var in variables[:most]]
    rest = len(variables) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")
