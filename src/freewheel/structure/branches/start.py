"""What a core means for the start: which of its variables can be given there.

C.v = 5                 gives a state of the core the value it would like to have
D.i = 1, der(C.v) = 0   cannot be had: found with the position of the switches, afterwards
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.base.source import NOWHERE
from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import der_of, show_atom
from freewheel.structure.branches.nodes import Core
from freewheel.structure.incidence import equation_text
from freewheel.structure.nodes import ScalarEquation


def found_inside(core: Core) -> tuple[Var, ...]:
    """Algebraic variables of the core, and the rates of its states."""
    states = frozenset(core.differential)
    return (*(var for var in core.variables if var not in states), *map(der_of, core.differential))


def refuse_conditions_inside(surplus: Sequence[ScalarEquation], core: Core) -> None:
    """Conditions that nothing outside the core can fulfil must not become mere checks."""
    inside = frozenset(found_inside(core))
    for equation in surplus:
        found = [v for v in variables_in(equation.left, equation.right) if v in inside]
        if found:
            raise _refused(equation, found, core)


def _refused(equation: ScalarEquation, found: Sequence[Var], core: Core) -> CompileError:
    named = ", ".join(f"`{show_atom(var.name)}`" for var in found[:3])
    switches = ", ".join(f"`{element.name}`" for element in core.elements[:4])
    states = ", ".join(f"`{show_atom(state.name)}`" for state in core.differential[:4])
    label = (Label(equation.span, "asked for here"),) if equation.span is not NOWHERE else ()
    return CompileError(
        Diagnostic(
            "E011",
            f"the initial condition `{equation.spoken or equation_text(equation)}` cannot be met: "
            f"{named} follows from the positions of {switches}",
            label,
            help=f"give start values to states instead: {states}",
        )
    )
